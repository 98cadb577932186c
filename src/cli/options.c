/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command line by the table of its options. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"

/* Where in the arguments the parser is. */
typedef struct reader {
    p3d_option_table table;
    cli_line line;
    int at;
    bool only_words; /* after -- */
    cli_args args;
} reader;

/* "-" is a word: standard input. */
static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

static bool is_long(const char *argument)
{
    return argument[0] == '-' && argument[1] == '-';
}

static bool fail_unknown(
        p3d_option_table table, const char *argument, p3d_error *err)
{
    const size_t n = strcspn(argument, "=");
    char name[64];
    p3d_nearest nearest = {.word = name};

    snprintf(name, sizeof(name), "%.*s", n < 60 ? (int)n : 60, argument);
    for (int i = 0; i < table.n_options; i++) {
        char candidate[64];

        snprintf(candidate, sizeof(candidate), "--%s", table.options[i].name);
        p3d_nearest_offer(&nearest, candidate);
    }
    return p3d_fail(err, P3D_USAGE, "unknown option '%s'%s", name,
            p3d_did_you_mean(&nearest, ""));
}

/* The value after "=" or in the next argument; NULL for a flag. */
static bool take_value(reader *r, const p3d_option *option,
        const char *argument, const char **value, p3d_error *err)
{
    const char *const equals = strchr(argument, '=');

    if (option->kind == P3D_OPTION_FLAG) {
        if (equals != NULL) {
            return p3d_fail(err, P3D_USAGE, "option '--%s' takes no value",
                    option->name);
        }
        return true;
    }
    if (equals != NULL)
        *value = equals + 1;
    else if (r->at < r->line.argc && !is_long(r->line.argv[r->at]))
        *value = r->line.argv[r->at++];
    if (*value == NULL || (*value)[0] == '\0') {
        return p3d_fail(err, P3D_USAGE, "option '--%s' needs a value: --%s %s",
                option->name, option->name, option->value);
    }
    return true;
}

static bool read_option(reader *r, const char *argument, p3d_error *err)
{
    const p3d_option *option = p3d_option_find(r->table, argument);
    cli_args *args = &r->args;
    const char *value = NULL;

    if (option == NULL)
        return fail_unknown(r->table, argument, err);
    for (int i = 0; i < args->n_given; i++) {
        if (args->given[i].option == option) {
            return p3d_fail(err, P3D_USAGE, "option '--%s' is given twice",
                    option->name);
        }
    }
    if (!take_value(r, option, argument, &value, err))
        return false;
    if (!p3d_option_set(option, value, args, err))
        return false;
    P3D_ASSERT(args->n_given < CLI_MAX_GIVEN);
    args->given[args->n_given++] = (cli_given){option, value};
    return true;
}

static bool read_argument(reader *r, p3d_error *err)
{
    const char *argument = r->line.argv[r->at++];

    if (!r->only_words && strcmp(argument, "--") == 0) {
        r->only_words = true;
        return true;
    }
    if (!r->only_words && is_option(argument))
        return read_option(r, argument, err);
    if (r->args.n_words == CLI_MAX_WORDS) {
        return p3d_fail(
                err, P3D_USAGE, "more than %d arguments", CLI_MAX_WORDS);
    }
    r->args.words[r->args.n_words++] = argument;
    return true;
}

bool cli_args_parse(
        p3d_option_table table, cli_line line, cli_args *out, p3d_error *err)
{
    reader r = {.table = table, .line = line};

    while (r.at < line.argc)
        if (r.at == line.skip)
            r.at++;
        else if (!read_argument(&r, err))
            return false;
    *out = r.args;
    return true;
}

bool cli_is_given(const cli_args *args, const char *name)
{
    for (int i = 0; i < args->n_given; i++)
        if (strcmp(args->given[i].option->name, name) == 0)
            return true;
    return false;
}

report_format cli_format(const cli_args *args)
{
    if (args->json)
        return REPORT_JSON;
    return args->format > 0 ? (report_format)(args->format - 1) : REPORT_TEXT;
}
