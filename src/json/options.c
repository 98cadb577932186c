/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command line: finds options in their table. */
#include "json/options.h"

#include <string.h>

#include "base/util.h"

static bool is_flag(const json_option *option)
{
    return option->field.type == JSON_BOOL;
}

const json_option *json_option_find(
        json_option_table table, const char *argument)
{
    const json_option *const options = table.options;

    for (int i = 0; i < table.n_options; i++) {
        const json_option *const option = options + i;
        const size_t n = strlen(option->field.key);

        if (strncmp(argument, "--", 2) == 0 &&
                strncmp(argument + 2, option->field.key, n) == 0 &&
                (argument[2 + n] == '\0' || argument[2 + n] == '='))
            return option;
        if (argument[0] == '-' && option->letter != 0 &&
                argument[1] == option->letter && argument[2] == '\0')
            return option;
    }
    return NULL;
}

bool json_option_takes_next(const json_option *option, const char *argument)
{
    return !is_flag(option) && strchr(argument, '=') == NULL;
}

bool json_option_set(const json_option *option, const char *value, void *args,
        p3d_error *err)
{
    p3d_error cause = {0};

    return json_read_text(&option->field, value, args, &cause) ||
           p3d_fail(err, P3D_USAGE, "--%s: %.400s", option->field.key,
                   cause.text);
}

bool json_option_has(const json_option_line *line, const json_option *option)
{
    return line->commands == 0 || (option->commands & line->commands) != 0;
}

/* Behind "=" or in the next argument; NULL where there is none. */
static const char *value_of(
        json_option_line *line, const json_option *option, const char *argument)
{
    const char *const equals = strchr(argument, '=');

    if (equals != NULL)
        return equals + 1;
    if (!json_option_takes_next(option, argument) || line->at == line->argc ||
            (line->is_strict && strncmp(line->argv[line->at], "--", 2) == 0))
        return NULL;
    return line->argv[line->at++];
}

static bool is_given(const json_option_line *line, const json_option *option)
{
    for (int i = 0; i < line->n_given; i++)
        if (line->given[i].option == option)
            return true;
    return false;
}

static bool read_option(
        json_option_line *line, const char *argument, p3d_error *err)
{
    const json_option *const option = json_option_find(line->table, argument);
    const char *value;
    bool is_missing;

    if (option == NULL || !json_option_has(line, option))
        return line->fail(line, JSON_OPTION_UNKNOWN, NULL, argument, err);
    if (is_given(line, option))
        return line->fail(line, JSON_OPTION_TWICE, option, argument, err);
    value = value_of(line, option, argument);
    is_missing = value == NULL || (line->is_strict && value[0] == '\0');
    if (is_flag(option) && value != NULL)
        return line->fail(line, JSON_OPTION_NO_VALUE, option, argument, err);
    if (!is_flag(option) && is_missing)
        return line->fail(line, JSON_OPTION_NEEDS_VALUE, option, argument, err);
    if (!json_option_set(option, value, line->args, err))
        return false;
    if (line->given == NULL)
        return true;
    P3D_ASSERT(line->n_given < line->max_given);
    line->given[line->n_given++] = (json_option_given){option, value};
    return true;
}

bool json_option_line_read(json_option_line *line, p3d_error *err)
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
