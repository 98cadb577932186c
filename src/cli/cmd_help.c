/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_help.c - plan3d help, man, version, list and schema: what there is to say
 * of the commands, from their tables, and what plan3d knows. */
#include "cli/commands.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cli/assign_jobs.h"
#include "cli/option_rows.h"
#include "exchange/measure/measurements.h"
#include "plan3d/version.h"
#include "report/data/keys.h"
#include "report/format.h"
#include "report/text/layout.h"

static const cli_command *const commands[] = {&cli_fit, &cli_plan,
        &cli_estimate, &cli_explain, &cli_shapes, &cli_trace, &cli_report,
        &cli_advise, &cli_sweep, &cli_assign, &cli_backtest, &cli_export,
        &cli_import, &cli_calibrate, &cli_validate, &cli_list, &cli_schema,
        &cli_page, &cli_completion, &cli_man, &cli_version, &cli_help};

const cli_command *cli_command_at(int i)
{
    return P3D_HAS(commands, i) ? commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name, p3d_error *err)
{
    p3d_nearest nearest = {.word = name};

    for (int i = 0; i < P3D_COUNT_OF(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        p3d_nearest_offer(&nearest, commands[i]->name);
    }
    p3d_fail(err, P3D_USAGE, "unknown command '%.60s'%s", name,
            p3d_did_you_mean(&nearest, ""));
    return NULL;
}

static const json_option help_options[] = {CLI_HELP_ROW};

enum { WIDTH = 79, LEFT = 20 };

/* "  left               text that goes on over several lines" */
static void print_row(const char *left, const char *text, p3d_text *out)
{
    const int n = (int)strlen(left);

    p3d_text_add(out, "  %s", left);
    p3d_text_repeat(out, ' ', n + 2 < LEFT ? LEFT - n - 2 : 1);
    report_wrap(text, n + 2 < LEFT ? LEFT : n + 3, out);
}

/* "fit MODEL CLUSTER": a command with what it cannot do without. */
static void print_synopsis(const cli_command *command, p3d_text *out)
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
        const json_option *option = &command->table.options[i];

        if ((option->field.flags & JSON_REQUIRED) != 0)
            p3d_text_add(out, " --%s %s", option->field.key, option->value);
    }
}

static void print_usage(const cli_command *command, p3d_text *out)
{
    report_add(out, "usage: plan3d ");
    print_synopsis(command, out);
    report_add(out, " [options]\n\n");
    report_wrap(report_say(out->style, command->summary), 0, out);
}

/* A single word is a value to type, the same in each language. */
static const char *say_default(p3d_style style, const char *fallback)
{
    return strchr(fallback, ' ') != NULL ? report_say(style, fallback)
                                         : fallback;
}

static void print_option(const json_option *option, p3d_text *out)
{
    char letter[8] = "";
    char left[64];
    p3d_text doc = {0};

    if (option->letter != 0)
        snprintf(letter, sizeof(letter), "-%c, ", option->letter);
    snprintf(left, sizeof(left), "%s--%s%s%s", letter, option->field.key,
            option->value != NULL ? " " : "",
            option->value != NULL ? option->value : "");
    p3d_text_add(&doc, "%s", report_say(out->style, option->field.doc));
    if (option->fallback != NULL)
        p3d_text_add(&doc, " [%s]", say_default(out->style, option->fallback));
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

    report_add(out, "\nexit status:\n");
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        p3d_text_add(out, "  %-3s %s\n", rows[i].status,
                report_say(out->style, rows[i].meaning));
}

void cli_print_help(const cli_command *command, p3d_text *out)
{
    out->style.columns = WIDTH;
    print_usage(command, out);
    if (command->positionals[0].word != NULL)
        p3d_text_add(out, "\n");
    for (int i = 0; i < CLI_MAX_POSITIONALS; i++) {
        if (command->positionals[i].word != NULL) {
            print_row(command->positionals[i].word,
                    report_say(out->style, command->positionals[i].doc), out);
        }
    }
    report_add(out, "\noptions [default]:\n");
    for (int i = 0; i < command->table.n_options; i++)
        print_option(&command->table.options[i], out);
    report_add(out, "\nexamples:\n");
    for (int i = 0; i < CLI_N_EXAMPLES; i++)
        if (command->examples[i] != NULL)
            p3d_text_add(out, "  %s\n", command->examples[i]);
    print_statuses(out);
}

/* Help of the whole program. */
static void print_commands(p3d_text *out)
{
    out->style.columns = WIDTH;
    report_add(out, "usage: plan3d COMMAND ...\n"
                    "       plan3d QUESTION in words, English or Chinese\n\n"
                    "Will this model train on these GPUs, with which parallel "
                    "plan, and how fast?\n\n"
                    "commands:\n");
    for (int i = 0; cli_command_at(i) != NULL; i++)
        print_row(cli_command_at(i)->name,
                report_say(out->style, cli_command_at(i)->summary), out);
    report_add(out, "\nexamples:\n"
                    "  plan3d fit 70B 64xA800\n"
                    "  plan3d will llama-3-8b fit on 8 H100s?\n"
                    "  plan3d how long does 70B take on 512 H100 for 2T "
                    "tokens?\n"
                    "\n'plan3d help COMMAND' explains one command.\n");
    print_statuses(out);
}

/* Text as man(7) shows it: a hyphen can be copied, a backslash is one, and no
 * line begins with a control character. */
static void put(const char *text, p3d_text *out)
{
    if (text[0] == '.' || text[0] == '\'')
        p3d_text_add(out, "\\&");
    for (; *text != '\0'; text++)
        p3d_text_add(out,
                *text == '-'    ? "\\-"
                : *text == '\\' ? "\\e"
                                : "%c",
                *text);
}

/* The pieces of a page. */
static void put_title(const char *command, p3d_text *out)
{
    p3d_text_add(out, ".TH PLAN3D");
    for (const char *c = command; c != NULL && *c != '\0'; c++)
        p3d_text_add(
                out, c == command ? "\\-%c" : "%c", toupper((unsigned char)*c));
    p3d_text_add(out, " 1 \"\" \"plan3d %s\" \"User Commands\"\n", P3D_VERSION);
}

static void put_name(const char *command, const char *summary, p3d_text *out)
{
    const size_t n = strlen(summary);
    char line[256];

    p3d_text_add(out, ".SH NAME\nplan3d%s%s \\- ", command != NULL ? "\\-" : "",
            command != NULL ? command : "");
    snprintf(line, sizeof(line), "%.*s",
            (int)(summary[n - 1] == '.' ? n - 1 : n), summary);
    put(line, out);
    p3d_text_add(out, "\n");
}

static void put_item(const char *name, const char *text, p3d_text *out)
{
    p3d_text_add(out, ".TP\n.B ");
    put(name, out);
    p3d_text_add(out, "\n");
    put(text, out);
    p3d_text_add(out, "\n");
}

static void put_option(const json_option *option, p3d_text *out)
{
    p3d_text_add(out, ".TP\n");
    if (option->letter != 0)
        p3d_text_add(out, "\\fB\\-%c\\fR, ", option->letter);
    p3d_text_add(out, "\\fB\\-\\-");
    put(option->field.key, out);
    p3d_text_add(out, "\\fR");
    if (option->value != NULL)
        p3d_text_add(out, " \\fI%s\\fR", option->value);
    p3d_text_add(out, "\n");
    put(option->field.doc, out);
    if (option->fallback != NULL) {
        p3d_text_add(out, " [");
        put(option->fallback, out);
        p3d_text_add(out, "]");
    }
    p3d_text_add(out, "\n");
}

static void put_example(const char *command, p3d_text *out)
{
    p3d_text_add(out, ".PP\n.nf\n");
    put(command, out);
    p3d_text_add(out, "\n.fi\n");
}

static void put_statuses(p3d_text *out)
{
    p3d_text_add(out, ".SH EXIT STATUS\n");
#define AS_ITEM(name, status, meaning) put_item(#status, meaning, out);
    P3D_CODES(AS_ITEM)
#undef AS_ITEM
}

static void put_environment(p3d_text *out)
{
    p3d_text_add(out, ".SH ENVIRONMENT\n");
    put_item("PLAN3D_DATA",
            "folder with models and hardware, in place of the installed ones; "
            "builtin: for those in the program itself",
            out);
    put_item("PLAN3D_LANG", "language of text without --lang: en or zh", out);
    put_item("NO_COLOR", "no colours unless --color always asks for them", out);
    put_item("LC_ALL, LC_CTYPE, LANG",
            "bars are drawn in UTF-8 where the locale has it", out);
}

/* The same as pages of the manual, in the macros of man(7). */
static void print_man_page(const cli_command *command, p3d_text *out)
{
    put_title(command->name, out);
    put_name(command->name, command->summary, out);
    p3d_text_add(out, ".SH SYNOPSIS\n.B plan3d\n");
    print_synopsis(command, out);
    p3d_text_add(out, " [options]\n.SH DESCRIPTION\n");
    put(command->summary, out);
    p3d_text_add(out, "\n");
    for (int i = 0; i < CLI_MAX_POSITIONALS; i++)
        if (command->positionals[i].word != NULL)
            put_item(command->positionals[i].word, command->positionals[i].doc,
                    out);
    p3d_text_add(out, ".SH OPTIONS\nDefaults stand in brackets.\n");
    for (int i = 0; i < command->table.n_options; i++)
        put_option(&command->table.options[i], out);
    p3d_text_add(out, ".SH EXAMPLES\n");
    for (int i = 0; i < CLI_N_EXAMPLES; i++)
        if (command->examples[i] != NULL)
            put_example(command->examples[i], out);
    put_statuses(out);
    put_environment(out);
    p3d_text_add(out, ".SH SEE ALSO\n.BR plan3d (1)\n");
}

static void print_main_man_page(p3d_text *out)
{
    put_title(NULL, out);
    put_name(NULL, "plan the training of a model on a cluster of GPUs", out);
    p3d_text_add(out,
            ".SH SYNOPSIS\n.B plan3d\n.I COMMAND\n[arguments] [options]\n"
            ".br\n.B plan3d\n.I question\nin words, English or Chinese\n"
            ".SH DESCRIPTION\n"
            "Will this model train on these GPUs, with which parallel plan, "
            "how fast, and how sure is that?\n.SH COMMANDS\n");
    for (int i = 0; cli_command_at(i) != NULL; i++)
        put_item(cli_command_at(i)->name, cli_command_at(i)->summary, out);
    p3d_text_add(out, ".SH EXAMPLES\n");
    put_example("plan3d fit 70B 64xA800", out);
    put_example("plan3d will llama-3-8b fit on 8 H100s?", out);
    put_statuses(out);
    put_environment(out);
    p3d_text_add(out, ".SH SEE ALSO\n");
    for (int i = 0; cli_command_at(i) != NULL; i++)
        p3d_text_add(out, "%s.BR plan3d\\-%s (1)", i == 0 ? "" : ",\n",
                cli_command_at(i)->name);
    p3d_text_add(out, "\n");
}

/* What is printed of one command, or without its name of the program. */
typedef struct two_pages {
    void (*of_command)(const cli_command *command, p3d_text *out);
    void (*of_program)(p3d_text *out);
} two_pages;

static bool print_page(
        two_pages pages, const cli_args *args, p3d_text *out, p3d_error *err)
{
    const cli_command *command = NULL;

    if (args->n_words > 0) {
        command = cli_command_find(args->words[0], err);
        if (command == NULL)
            return false;
        pages.of_command(command, out);
    } else {
        pages.of_program(out);
    }
    return true;
}

static bool run_help(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    return print_page(
            (two_pages){cli_print_help, print_commands}, args, reply->out, err);
}

const cli_command cli_help = {
        .name = "help",
        .summary = "The commands, or the options of one.",
        .positionals = {{"COMMAND", "the command to explain",
                CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(help_options),
        .examples = {"plan3d help", "plan3d help fit"},
        .run = run_help,
};

/* What a person needs to begin, not what there is. */
static bool run_intro(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    (void)args;
    (void)err;
    report_add(reply->out,
            "plan3d plans the training of a model on a cluster of GPUs: does "
            "it fit, with which\n"
            "parallel plan, how fast, how long, for how much money, and how "
            "sure is that.\n\n"
            "ask in words, English or Chinese:\n"
            "  plan3d will 70B fit on 64 A800?\n"
            "  plan3d how long does 70B take on 512 H100 for 2T tokens?\n"
            "  plan3d how many A800 for 70B in 60 days, 2T tokens?\n\n"
            "or by a command; 'plan3d help' has all of them:\n"
            "  fit, plan, estimate  does it fit, which plan, what takes time "
            "and memory\n"
            "  sweep                many clusters and jobs, with days and "
            "cost\n"
            "  explain, report      why this plan; a page to send\n"
            "  export, import       launch files of frameworks, out and in\n"
            "  list                 the models, GPUs and frameworks that it "
            "knows\n");
    return true;
}

const cli_command cli_intro = {
        .name = "help",
        .table = CLI_TABLE(help_options),
        .run = run_intro,
};

static bool run_man(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    return print_page((two_pages){print_man_page, print_main_man_page}, args,
            reply->out, err);
}

const cli_command cli_man = {
        .name = "man",
        .summary = "A page of the manual, for man -l.",
        .positionals = {{"COMMAND", "the page of this command",
                CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(help_options),
        .examples = {"plan3d man fit | man -l -"},
        .run = run_man,
};

static bool run_version(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    (void)err;
    report_version_print(cli_format(args), reply->out);
    return true;
}

static const json_option version_options[] = {CLI_JSON_ROW, CLI_HELP_ROW};

const cli_command cli_version = {
        .name = "version",
        .summary = "Which plan3d this is.",
        .table = CLI_TABLE(version_options),
        .examples = {"plan3d version", "plan3d version --json"},
        .run = run_version,
};

static const json_option list_options[] = {
        CLI_FORMAT_ROW, CLI_JSON_ROW, CLI_HELP_ROW};

static bool run_list(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    int i;

    return json_find_word(
                   "no list of", args->words[0], report_list_name, &i, err) &&
           report_list_print(i, cli_format(args), reply->out, err);
}

const cli_command cli_list = {
        .name = "list",
        .summary =
                "What plan3d knows: models, GPUs, nodes, networks, constants, "
                "frameworks.",
        .positionals = {{"WHAT",
                "models, gpus, nodes, fabrics, calibrations or frameworks",
                CLI_ONCE}},
        .last_words = report_list_name,
        .table = CLI_TABLE(list_options),
        .examples = {"plan3d list models", "plan3d list gpus --json"},
        .run = run_list,
};

/* Files that src/report does not know have schemas of their own; NULL: that of
 * jobs is made when it is asked for. */
static const struct {
    const char *name;
    const json_shape *shape;
} others[] = {{"shapes", &exchange_request_shape},
        {"measurements", &exchange_measurements_shape}, {"jobs", NULL}};

static const json_shape *other_shape(int i, cli_jobs_shape *room)
{
    return others[i].shape != NULL ? others[i].shape : cli_jobs_shape_of(room);
}

static int n_documents(void)
{
    int n = 0;

    while (report_schema_name(n) != NULL)
        n++;
    return n;
}

const char *cli_schema_word(int i)
{
    const int other = i - n_documents();

    if (other < 0)
        return report_schema_name(i);
    return other < P3D_COUNT_OF(others) ? others[other].name : NULL;
}

/* The keys of a document, or without a name of all. */
static bool print_keys(const char *name, p3d_text *out, p3d_error *err)
{
    report_keys_of of[REPORT_MAX_DOCUMENTS];
    cli_jobs_shape room;
    int n = 0;

    for (int i = 0; report_document_at(i).shape != NULL; i++)
        of[n++] = report_document_at(i);
    for (int i = 0; i < P3D_COUNT_OF(others); i++)
        of[n++] = (report_keys_of){others[i].name, other_shape(i, &room)};
    P3D_ASSERT(n <= REPORT_MAX_DOCUMENTS);
    for (int i = n - 1; name != NULL && i >= 0; i--) {
        if (strcmp(of[i].name, name) != 0)
            memmove(&of[i], &of[i + 1], (size_t)(--n - i) * sizeof(of[0]));
    }
    return report_print_keys(of, n, out, err);
}

/* Without a name: the names. */
static bool run_schema(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const int n = n_documents();
    int i;

    if (args->n_words == 0 && args->keys)
        return print_keys(NULL, reply->out, err);
    if (args->n_words == 0) {
        for (i = 0; cli_schema_word(i) != NULL; i++)
            p3d_text_add(reply->out, "%s\n", cli_schema_word(i));
        return true;
    }
    if (!json_find_word(
                "no schema of", args->words[0], cli_schema_word, &i, err))
        return false;
    if (args->keys)
        return print_keys(cli_schema_word(i), reply->out, err);
    if (i >= n) {
        cli_jobs_shape room;

        json_put_schema(&(json_writer){.out = reply->out}, NULL,
                other_shape(i - n, &room));
        p3d_text_add(reply->out, "\n");
        return true;
    }
    return report_schema(args->words[0], reply->out);
}

static const json_option schema_options[] = {
        {JSON_OPTION("keys", "its keys with their units and meanings, in "
                             "Markdown; without a "
                             "name those of all"),
                CLI_FLAG_AT(keys)},
        CLI_HELP_ROW};

const cli_command cli_schema = {
        .name = "schema",
        .summary = "The JSON Schema of an answer, or of a file to read.",
        .positionals = {{"NAME",
                "fit, plan, estimate, explain, advise, sweep, assign, export, "
                "import, report, backtest, shapes, calibrate, validate, list "
                "or version: what --json prints; error: what it prints of a "
                "failure; "
                "cluster, fleet, jobs, measurements: a file to read; without a "
                "name, the names",
                CLI_AT_MOST_ONCE}},
        .last_words = cli_schema_word,
        .table = CLI_TABLE(schema_options),
        .examples = {"plan3d schema fit", "plan3d schema cluster",
                "plan3d schema fit --keys"},
        .run = run_schema,
};
