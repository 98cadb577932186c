/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command line: finds options in their table and reads
 * their values. */
#include "base/options.h"

#include <string.h>

#include "base/text.h"
#include "plan3d/units.h"

const p3d_option *p3d_option_find(p3d_option_table table, const char *argument)
{
    const p3d_option *const options = table.options;

    for (int i = 0; i < table.n_options; i++) {
        const p3d_option *const option = options + i;
        const size_t n = strlen(option->name);

        if (strncmp(argument, "--", 2) == 0 &&
                strncmp(argument + 2, option->name, n) == 0 &&
                (argument[2 + n] == '\0' || argument[2 + n] == '='))
            return option;
        if (argument[0] == '-' && option->letter != 0 &&
                argument[1] == option->letter && argument[2] == '\0')
            return option;
    }
    return NULL;
}

bool p3d_option_takes_next(const p3d_option *option, const char *argument)
{
    return option->kind != P3D_OPTION_FLAG && strchr(argument, '=') == NULL;
}

bool p3d_option_word_fail(
        const char *what, const char *value, p3d_words *word, p3d_error *err)
{
    p3d_nearest nearest = {.word = value};
    p3d_text words = {0};
    p3d_text known = {0};

    for (int i = 0; word(i) != NULL; i++) {
        p3d_nearest_offer(&nearest, word(i));
        p3d_text_add(&words, "%s %s", i == 0 ? "" : ",", word(i));
    }
    p3d_text_add(&known, "; write one of%s", p3d_text_get(&words));
    p3d_fail(err, P3D_USAGE, "%s '%.60s'%s", what, value,
            p3d_did_you_mean(&nearest, p3d_text_get(&known)));
    p3d_text_free(&words);
    p3d_text_free(&known);
    return false;
}

bool p3d_option_word_find(const char *what, const char *value, p3d_words *word,
        int *out, p3d_error *err)
{
    for (int i = 0; word(i) != NULL; i++) {
        if (strcmp(word(i), value) == 0) {
            *out = i;
            return true;
        }
    }
    return p3d_option_word_fail(what, value, word, err);
}

static bool set_word(
        const p3d_option *option, const char *value, int *out, p3d_error *err)
{
    int index = 0;

    if (!p3d_option_word_find("unknown word", value, option->word, &index, err))
        return false;
    *out = index + 1;
    return true;
}

/* The limits, in the units that people write. */
static bool check_range(const p3d_option *option, const char *value,
        double number, p3d_error *err)
{
    const bool rate = option->kind == P3D_OPTION_RATE;
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

static bool check_bytes(const p3d_option *option, const char *value,
        int64_t count, p3d_error *err)
{
    char most[32];

    return (double)count <= option->max ||
           p3d_fail(err, P3D_USAGE, "'%.60s' is out of range; write at most %s",
                   value, p3d_print_bytes(most, sizeof(most), option->max));
}

static bool set_value(
        const p3d_option *option, const char *value, void *args, p3d_error *err)
{
    char *const to = (char *)args + option->offset;
    const bool yes = true;
    int word = 0;
    int64_t count = 0;
    double number = 0;
    bool ok = true;

    switch (option->kind) {
    case P3D_OPTION_FLAG: memcpy(to, &yes, sizeof(yes)); break;
    case P3D_OPTION_TEXT: memcpy(to, &value, sizeof(value)); break;
    case P3D_OPTION_WORD:
        ok = set_word(option, value, &word, err);
        memcpy(to, &word, sizeof(word));
        break;
    case P3D_OPTION_COUNT:
        ok = p3d_parse_count(
                value, (int64_t)option->min, (int64_t)option->max, &count, err);
        memcpy(to, &count, sizeof(count));
        break;
    case P3D_OPTION_LENGTH:
        ok = p3d_parse_length(
                value, (int64_t)option->min, (int64_t)option->max, &count, err);
        memcpy(to, &count, sizeof(count));
        break;
    case P3D_OPTION_BYTES:
        ok = p3d_parse_bytes(value, &count, err) &&
             check_bytes(option, value, count, err);
        memcpy(to, &count, sizeof(count));
        break;
    case P3D_OPTION_NUMBER:
        ok = p3d_parse_number(value, option->min, option->max, &number, err);
        memcpy(to, &number, sizeof(number));
        break;
    case P3D_OPTION_SECONDS:
        ok = p3d_parse_seconds(value, &number, err) &&
             check_range(option, value, number, err);
        memcpy(to, &number, sizeof(number));
        break;
    case P3D_OPTION_RATE:
        ok = p3d_parse_bytes_per_s(value, &number, err) &&
             check_range(option, value, number, err);
        memcpy(to, &number, sizeof(number));
        break;
    case P3D_OPTION_PARSED: ok = option->parse(value, to, err); break;
    }
    return ok;
}

bool p3d_option_set(
        const p3d_option *option, const char *value, void *args, p3d_error *err)
{
    p3d_error cause = {0};

    return set_value(option, value, args, &cause) ||
           p3d_fail(err, P3D_USAGE, "--%s: %.400s", option->name, cause.text);
}

bool p3d_option_has(const p3d_option_line *line, const p3d_option *option)
{
    return line->commands == 0 || (option->commands & line->commands) != 0;
}

/* Behind "=" or in the next argument; NULL where there is none. */
static const char *value_of(
        p3d_option_line *line, const p3d_option *option, const char *argument)
{
    const char *const equals = strchr(argument, '=');

    if (equals != NULL)
        return equals + 1;
    if (!p3d_option_takes_next(option, argument) || line->at == line->argc ||
            (line->is_strict && strncmp(line->argv[line->at], "--", 2) == 0))
        return NULL;
    return line->argv[line->at++];
}

static bool is_given(const p3d_option_line *line, const p3d_option *option)
{
    for (int i = 0; i < line->n_given; i++)
        if (line->given[i].option == option)
            return true;
    return false;
}

static bool read_option(
        p3d_option_line *line, const char *argument, p3d_error *err)
{
    const p3d_option *const option = p3d_option_find(line->table, argument);
    const char *value;
    bool is_missing;

    if (option == NULL || !p3d_option_has(line, option))
        return line->fail(line, P3D_OPTION_UNKNOWN, NULL, argument, err);
    if (is_given(line, option))
        return line->fail(line, P3D_OPTION_TWICE, option, argument, err);
    value = value_of(line, option, argument);
    is_missing = value == NULL || (line->is_strict && value[0] == '\0');
    if (option->kind == P3D_OPTION_FLAG && value != NULL)
        return line->fail(line, P3D_OPTION_NO_VALUE, option, argument, err);
    if (option->kind != P3D_OPTION_FLAG && is_missing)
        return line->fail(line, P3D_OPTION_NEEDS_VALUE, option, argument, err);
    if (!p3d_option_set(option, value, line->args, err))
        return false;
    if (line->given == NULL)
        return true;
    P3D_ASSERT(line->n_given < line->max_given);
    line->given[line->n_given++] = (p3d_option_given){option, value};
    return true;
}

bool p3d_option_line_read(p3d_option_line *line, p3d_error *err)
{
    bool only_words = false;
    bool ok = true;

    for (line->at = 0; ok && line->at < line->argc;) {
        const char *const argument = line->argv[line->at++];

        if (line->at - 1 == line->skip)
            continue;
        if (!only_words && line->is_strict && strcmp(argument, "--") == 0)
            only_words = true;
        else if (!only_words && argument[0] == '-' && argument[1] != '\0')
            ok = read_option(line, argument, err);
        else /* "-" is a word: standard input */
            ok = line->take(line->args, argument, err);
    }
    return ok;
}
