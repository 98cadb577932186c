/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command line by the table of its options. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cli/ask_words.h"
#include "plan3d/search.h"
#include "plan3d/units.h"

/* Whether the options have --pin, and the word is of a plan. */
static bool is_of_plan(json_option_table table, const char *word)
{
    char words[72];
    p3d_pins pins;
    bool has_pin = false;

    for (int i = 0; i < table.n_options; i++)
        has_pin = has_pin || strcmp(table.options[i].field.key, "pin") == 0;
    (void)snprintf(words, sizeof(words), "%s=1", word);
    return has_pin && p3d_pins_parse(words, &pins, NULL);
}

static bool has_option(json_option_table table, const char *key)
{
    char argument[64];

    (void)snprintf(argument, sizeof(argument), "--%.60s", key);
    return json_option_find(table, argument) != NULL;
}

/* The number behind an unknown option; 2 where there is none. */
static int value_behind(const json_option_line *line, const char *argument)
{
    const char *const equals = strchr(argument, '=');
    const char *const next = line->at < line->argc ? line->argv[line->at] : "";
    const char *const value = equals != NULL ? equals + 1 : next;
    int64_t number;

    return p3d_parse_count(value, 0, P3D_MAX_GPUS, &number, NULL) ? (int)number
                                                                  : 2;
}

/* The option that a framework, or a person, calls otherwise:
 * --global-batch-size, --seqlen, --tensor-model-parallel-size, --bf16. @param
 * end  char[96], untouched where none is known */
static void offer_meant(const json_option_line *line, const char *argument,
        const char *word, char *end)
{
    const json_option_table table = line->table;
    const ask_word found = ask_word_at(word);
    const char *const text = found.text != NULL ? found.text : "";
    const char *const value = strchr(text, ' ');
    char key[24];

    if (found.length != strlen(word) || text[0] == '\0')
        return;
    snprintf(key, sizeof(key), "%.*s",
            value != NULL && value - text > 2 ? (int)(value - text - 2) : 0,
            value != NULL ? text + 2 : "");
    if (found.kind == ASK_LENGTH && has_option(table, text))
        (void)snprintf(end, 96, "; did you mean '--%.60s'?", text);
    else if (found.kind == ASK_SETTING && is_of_plan(table, text))
        (void)snprintf(end, 96, "; write --pin %.60s=%d", text,
                value_behind(line, argument));
    else if (found.kind == ASK_FLAG && text[0] == '-' && has_option(table, key))
        (void)snprintf(end, 96, "; write %.60s", text);
}

/* What other programs have options for: said by a cluster's words here, or by
 * an option that the command has. @return "" where nothing is meant */
static const char *meant_by(json_option_table table, const char *word)
{
    static const char gpus[] = "; write GPUs and type as the cluster: 64xH100";
    static const char nodes[] = "; write nodes, GPUs and type: 8x8xH100";
    static const char memory[] = "; a GPU has it in its name: 64xA800-80G";
    static const struct {
        const char *word, *hint;
        const char *beside; /* option that commands with it have */
    } rows[] = {
            {"gpus", gpus, "fabric"},
            {"num-gpus", gpus, "fabric"},
            {"gpu", gpus, "fabric"},
            {"gpu-type", gpus, "fabric"},
            {"nodes", nodes, "fabric"},
            {"num-nodes", nodes, "fabric"},
            {"nnodes", nodes, "fabric"},
            {"memory", memory, "fabric"},
            {"gpu-memory", memory, "fabric"},
            {"network", "; did you mean '--fabric'?", "fabric"},
            {"bandwidth", "; did you mean '--fabric'?", "fabric"},
            {"lora-rank", "; write --lora r=16", "lora"},
            {"lora-r", "; write --lora r=16", "lora"},
    };

    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        if (p3d_same_word(rows[i].word, word) &&
                has_option(table, rows[i].beside))
            return rows[i].hint;
    return "";
}

/* Words are compared without the dashes that all of them have. */
static bool fail_unknown(
        const json_option_line *line, const char *argument, p3d_error *err)
{
    const json_option_table table = line->table;
    const size_t n = strcspn(argument, "=");
    const size_t dashes = strncmp(argument, "--", 2) == 0 ? 2 : 0;
    char name[64], end[96] = "";
    p3d_nearest nearest = {.word = name + dashes};

    snprintf(name, sizeof(name), "%.*s", n < 60 ? (int)n : 60, argument);
    for (int i = 0; i < table.n_options && dashes > 0; i++)
        p3d_nearest_offer(&nearest, table.options[i].field.key);
    if (dashes > 0)
        offer_meant(line, argument, name + dashes, end);
    if (dashes > 0 && end[0] == '\0')
        (void)p3d_copy(end, sizeof(end), meant_by(table, name + dashes));
    if (end[0] == '\0' && dashes > 0 && is_of_plan(table, name + dashes))
        (void)snprintf(end, sizeof(end), "; write --pin %.60s=%d",
                name + dashes, value_behind(line, argument));
    else if (end[0] == '\0' && nearest.best[0] != '\0')
        (void)snprintf(
                end, sizeof(end), "; did you mean '--%.60s'?", nearest.best);
    return p3d_fail(err, P3D_USAGE, "unknown option '%s'%s", name, end);
}

static bool fail_option(const json_option_line *line, json_option_fault fault,
        const json_option *option, const char *argument, p3d_error *err)
{
    switch (fault) {
    case JSON_OPTION_UNKNOWN: return fail_unknown(line, argument, err);
    case JSON_OPTION_TWICE:
        return p3d_fail(err, P3D_USAGE, "option '--%s' is given twice",
                option->field.key);
    case JSON_OPTION_NO_VALUE:
        return p3d_fail(err, P3D_USAGE, "option '--%s' takes no value",
                option->field.key);
    case JSON_OPTION_NEEDS_VALUE: break;
    }
    return p3d_fail(err, P3D_USAGE, "option '--%s' needs a value: --%s %s",
            option->field.key, option->field.key, option->value);
}

static bool take_word(void *to, const char *argument, p3d_error *err)
{
    cli_args *const args = to;

    if (args->n_words == CLI_MAX_WORDS)
        return p3d_fail(
                err, P3D_USAGE, "more than %d arguments", CLI_MAX_WORDS);
    args->words[args->n_words++] = argument;
    return true;
}

/* Papers count a batch in tokens: 4M of sequences is nobody's. */
static bool check_batch(const cli_args *args, p3d_error *err)
{
    for (int i = 0; i < args->n_given; i++) {
        const json_option_given *const given = &args->given[i];

        if (strcmp(given->option->field.key, "batch") == 0 &&
                strpbrk(given->value, "mMbBgGtT") != NULL)
            return p3d_fail(err, P3D_USAGE,
                    "--batch: '%.40s' looks like tokens; write sequences per "
                    "step: 4M tokens in sequences of 8192 are --batch 512",
                    given->value);
    }
    return true;
}

bool cli_args_parse(
        json_option_table table, cli_line line, cli_args *out, p3d_error *err)
{
    cli_args args = {.n_given = 0};
    json_option_line reader = {.table = table,
            .argc = line.argc,
            .argv = line.argv,
            .skip = line.skip,
            .is_strict = true,
            .args = &args,
            .given = args.given,
            .max_given = CLI_MAX_GIVEN,
            .fail = fail_option,
            .take = take_word};

    if (!json_option_line_read(&reader, err))
        return false;
    args.n_given = reader.n_given;
    if (!check_batch(&args, err))
        return false;
    *out = args;
    return true;
}

bool cli_is_given(const cli_args *args, const char *name)
{
    for (int i = 0; i < args->n_given; i++)
        if (strcmp(args->given[i].option->field.key, name) == 0)
            return true;
    return false;
}

report_format cli_format(const cli_args *args)
{
    if (args->json)
        return REPORT_JSON;
    return args->format > 0 ? (report_format)(args->format - 1) : REPORT_TEXT;
}
