/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c - the help of the commands, from their tables. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cli/commands.h"
#include "report/text/wrap.h"

enum { WIDTH = 79, LEFT = 20 };

/* "  left               text that goes on over several lines" */
static void print_row(const char *left, const char *text, p3d_text *out)
{
    const int n = (int)strlen(left);

    p3d_text_add(out, "  %s", left);
    p3d_text_repeat(out, ' ', n + 2 < LEFT ? LEFT - n - 2 : 1);
    report_wrap(text, n + 2 < LEFT ? LEFT : n + 3, WIDTH, out);
}

void cli_print_synopsis(const cli_command *command, p3d_text *out)
{
    p3d_text_add(out, "%s", command->name);
    for (int i = 0; i < CLI_MAX_POSITIONALS; i++) {
        const cli_positional *positional = &command->positionals[i];
        const bool maybe = positional->number == CLI_AT_MOST_ONCE ||
                           positional->number == CLI_ANY;

        if (positional->word != NULL) {
            p3d_text_add(out, maybe ? " [%s]%s" : " %s%s", positional->word,
                    positional->number >= CLI_SOME ? "..." : "");
        }
    }
    for (int i = 0; i < command->table.n_options; i++) {
        const cli_option *option = &command->table.options[i];

        if (option->is_required)
            p3d_text_add(out, " --%s %s", option->name, option->value);
    }
}

static void print_usage(const cli_command *command, p3d_text *out)
{
    p3d_text_add(out, "usage: plan3d ");
    cli_print_synopsis(command, out);
    p3d_text_add(out, " [options]\n\n");
    report_wrap(command->summary, 0, WIDTH, out);
}

static void print_option(const cli_option *option, p3d_text *out)
{
    char letter[8] = "";
    char left[64];
    p3d_text doc = {0};

    if (option->letter != 0)
        snprintf(letter, sizeof(letter), "-%c, ", option->letter);
    snprintf(left, sizeof(left), "%s--%s%s%s", letter, option->name,
            option->value != NULL ? " " : "",
            option->value != NULL ? option->value : "");
    p3d_text_add(&doc, "%s", option->doc);
    if (option->fallback != NULL)
        p3d_text_add(&doc, " [%s]", option->fallback);
    print_row(left, p3d_text_get(&doc), out);
    out->failed = out->failed || doc.failed;
    p3d_text_free(&doc);
}

static void print_statuses(p3d_text *out)
{
    static const struct {
        const char *status;
        const char *meaning;
    } rows[] = {
#define AS_ROW(name, status, meaning) {#status, meaning},
            P3D_CODES(AS_ROW)
#undef AS_ROW
    };

    p3d_text_add(out, "\nexit status:\n");
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        p3d_text_add(out, "  %-3s %s\n", rows[i].status, rows[i].meaning);
}

void cli_print_help(const cli_command *command, p3d_text *out)
{
    print_usage(command, out);
    if (command->positionals[0].word != NULL)
        p3d_text_add(out, "\n");
    for (int i = 0; i < CLI_MAX_POSITIONALS; i++) {
        if (command->positionals[i].word != NULL) {
            print_row(command->positionals[i].word, command->positionals[i].doc,
                    out);
        }
    }
    p3d_text_add(out, "\noptions [default]:\n");
    for (int i = 0; i < command->table.n_options; i++)
        print_option(&command->table.options[i], out);
    p3d_text_add(out, "\nexamples:\n");
    for (int i = 0; i < CLI_N_EXAMPLES; i++)
        if (command->examples[i] != NULL)
            p3d_text_add(out, "  %s\n", command->examples[i]);
    print_statuses(out);
}

void cli_print_commands(p3d_text *out)
{
    p3d_text_add(out,
            "usage: plan3d COMMAND ...\n\n"
            "Will this model train on these GPUs, with which parallel "
            "plan, and how fast?\n\n"
            "commands:\n");
    for (int i = 0; cli_command_at(i) != NULL; i++)
        print_row(cli_command_at(i)->name, cli_command_at(i)->summary, out);
    p3d_text_add(out, "\nexamples:\n"
                      "  plan3d fit 70B 64xA800\n"
                      "  plan3d will llama-3-8b fit on 8 H100s?\n"
                      "\n'plan3d help COMMAND' explains one command.\n");
    print_statuses(out);
}
