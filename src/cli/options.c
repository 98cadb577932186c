/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command line by the table of its options. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"

/* Where in the arguments the parser is. */
typedef struct reader {
    cli_table table;
    int argc;
    const char *const *argv;
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

const cli_option *cli_option_find(cli_table table, const char *argument)
{
    const cli_option *const options = table.options;

    for (int i = 0; i < table.n_options; i++) {
        const cli_option *const option = options + i;
        const size_t n = strlen(option->name);

        if (is_long(argument) && strncmp(argument + 2, option->name, n) == 0 &&
                (argument[2 + n] == '\0' || argument[2 + n] == '='))
            return option;
        if (argument[0] == '-' && option->letter != 0 &&
                argument[1] == option->letter && argument[2] == '\0')
            return option;
    }
    return NULL;
}

bool cli_option_takes_next(const cli_option *option, const char *argument)
{
    return option->kind != CLI_FLAG && strchr(argument, '=') == NULL;
}

static bool fail_unknown(cli_table table, const char *argument, p3d_error *err)
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
    if (nearest.best[0] != '\0') {
        return p3d_fail(err, P3D_USAGE,
                "unknown option '%s'; did you mean '%s'?", name, nearest.best);
    }
    return p3d_fail(err, P3D_USAGE, "unknown option '%s'", name);
}

static bool set_word(
        const cli_option *option, const char *value, int *out, p3d_error *err)
{
    int index;

    if (!cli_word_find("unknown word", value, option->word, &index, err))
        return false;
    *out = index + 1;
    return true;
}

/* The limits, in the units that people write. */
static bool check_range(const cli_option *option, const char *value,
        double number, p3d_error *err)
{
    const bool rate = option->kind == CLI_RATE;
    char low[32];
    char high[32];

    if (option->min <= number && number <= option->max)
        return true;
    if (rate)
        return p3d_fail(err, P3D_USAGE,
                "'%.60s' is out of range; write a rate from %.4gMB/s to "
                "%.4gTB/s",
                value, option->min / 1e6, option->max / 1e12);
    return p3d_fail(err, P3D_USAGE,
            "'%.60s' is out of range; write a duration from %s to %s", value,
            p3d_print_seconds(low, sizeof(low), option->min),
            p3d_print_seconds(high, sizeof(high), option->max));
}

static bool check_bytes(const cli_option *option, const char *value,
        int64_t count, p3d_error *err)
{
    char most[32];

    return (double)count <= option->max ||
           p3d_fail(err, P3D_USAGE, "'%.60s' is out of range; write at most %s",
                   value, p3d_print_bytes(most, sizeof(most), option->max));
}

static bool set_value(const cli_option *option, const char *value,
        cli_args *args, p3d_error *err)
{
    char *const to = (char *)args + option->offset;
    const bool yes = true;
    int word = 0;
    int64_t count = 0;
    double number = 0;
    bool ok = true;

    switch (option->kind) {
    case CLI_FLAG: memcpy(to, &yes, sizeof(yes)); break;
    case CLI_TEXT: memcpy(to, &value, sizeof(value)); break;
    case CLI_WORD:
        ok = set_word(option, value, &word, err);
        memcpy(to, &word, sizeof(word));
        break;
    case CLI_COUNT:
        ok = p3d_parse_count(
                value, (int64_t)option->min, (int64_t)option->max, &count, err);
        memcpy(to, &count, sizeof(count));
        break;
    case CLI_BYTES:
        ok = p3d_parse_bytes(value, &count, err) &&
             check_bytes(option, value, count, err);
        memcpy(to, &count, sizeof(count));
        break;
    case CLI_NUMBER:
        ok = p3d_parse_number(value, option->min, option->max, &number, err);
        memcpy(to, &number, sizeof(number));
        break;
    case CLI_SECONDS:
        ok = p3d_parse_seconds(value, &number, err) &&
             check_range(option, value, number, err);
        memcpy(to, &number, sizeof(number));
        break;
    case CLI_RATE:
        ok = p3d_parse_bytes_per_s(value, &number, err) &&
             check_range(option, value, number, err);
        memcpy(to, &number, sizeof(number));
        break;
    }
    return ok;
}

/* The value after "=" or in the next argument; NULL for a flag. */
static bool take_value(reader *r, const cli_option *option,
        const char *argument, const char **value, p3d_error *err)
{
    const char *const equals = strchr(argument, '=');

    if (option->kind == CLI_FLAG) {
        if (equals != NULL) {
            return p3d_fail(err, P3D_USAGE, "option '--%s' takes no value",
                    option->name);
        }
        return true;
    }
    if (equals != NULL)
        *value = equals + 1;
    else if (r->at < r->argc && !is_long(r->argv[r->at]))
        *value = r->argv[r->at++];
    if (*value == NULL || (*value)[0] == '\0') {
        return p3d_fail(err, P3D_USAGE, "option '--%s' needs a value: --%s %s",
                option->name, option->name, option->value);
    }
    return true;
}

static bool read_option(reader *r, const char *argument, p3d_error *err)
{
    const cli_option *option = cli_option_find(r->table, argument);
    cli_args *args = &r->args;
    const char *value = NULL;
    p3d_error cause = {0};

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
    if (!set_value(option, value, args, &cause)) {
        return p3d_fail(
                err, P3D_USAGE, "--%s: %.400s", option->name, cause.text);
    }
    P3D_ASSERT(args->n_given < CLI_MAX_GIVEN);
    args->given[args->n_given++] = (cli_given){option, value};
    return true;
}

static bool read_argument(reader *r, p3d_error *err)
{
    const char *argument = r->argv[r->at++];

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

bool cli_args_parse(cli_table table, int argc, const char *const *argv,
        int skip, cli_args *out, p3d_error *err)
{
    reader r = {.table = table, .argc = argc, .argv = argv};

    while (r.at < argc)
        if (r.at == skip)
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
