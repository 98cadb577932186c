/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_toml.c - TOML, as far as configurations of training use it: tables, and
 * values that stand in one line. */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/util.h"
#include "exchange/read/read.h"

enum { MAX_NAME = 256 };

typedef struct reader {
    char table[MAX_NAME];
    int line;
    exchange_settings *out;
    p3d_error *err;
} reader;

/* A line without its comment and the blanks around it. */
static const char *trim(const char *from, size_t n, p3d_text *out)
{
    char quote = '\0';
    size_t end = 0;

    for (size_t i = 0; i < n; i++) {
        const char c = from[i];

        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '#')
            break;
        end = i + 1;
    }
    while (end > 0 && p3d_is_space(from[end - 1]))
        end--;
    while (end > 0 && p3d_is_space(*from)) {
        from++;
        end--;
    }
    p3d_text_append(out, from, end);
    return p3d_text_get(out);
}

static bool read_table(reader *r, const char *line)
{
    const size_t n = strlen(line);

    if (n < 3 || line[n - 1] != ']' || line[1] == '[' || n - 1 > MAX_NAME)
        return exchange_fail_at(
                r->err, r->line, 1, "a table is written [name]");
    memcpy(r->table, line + 1, n - 2);
    r->table[n - 2] = '\0';
    return true;
}

static bool read_pair(reader *r, const char *line)
{
    const char *const equals = strchr(line, '=');
    size_t n = equals != NULL ? (size_t)(equals - line) : 0;
    char name[2 * MAX_NAME];
    p3d_text value = {0};
    bool ok;

    while (n > 0 && p3d_is_space(line[n - 1]))
        n--;
    if (n == 0 || n >= MAX_NAME)
        return exchange_fail_at(
                r->err, r->line, 1, "neither [table] nor name = value");
    snprintf(name, sizeof(name), "%s%s%.*s", r->table,
            r->table[0] != '\0' ? "." : "", (int)n, line);
    trim(equals + 1, strlen(equals + 1), &value);
    if (value.length >= 2 && strchr("\"'", value.data[0]) != NULL &&
            value.data[value.length - 1] == value.data[0]) {
        value.data[value.length - 1] = '\0';
        ok = exchange_settings_add(
                r->out, name, value.data + 1, r->line, r->err);
    } else if (value.length == 0) {
        ok = exchange_fail_at(r->err, r->line, 1, "a name without a value");
    } else {
        ok = exchange_settings_add(
                r->out, name, p3d_text_get(&value), r->line, r->err);
    }
    p3d_text_free(&value);
    return ok;
}

/* Brackets that a line opens and does not close: an array over lines. */
static int open_brackets(const char *line)
{
    int depth = 0;

    for (; *line != '\0'; line++)
        depth += (*line == '[') - (*line == ']');
    return depth;
}

bool exchange_read_toml(
        const char *text, exchange_settings *out, p3d_error *err)
{
    reader r = {.line = 1, .out = out, .err = err};
    int depth = 0;
    bool ok = true;

    while (*text != '\0' && ok) {
        const size_t n = strcspn(text, "\n");
        p3d_text line = {0};
        const char *const words = trim(text, n, &line);

        if (depth > 0)
            depth += open_brackets(words);
        else if (words[0] == '[')
            ok = read_table(&r, words);
        else if (words[0] != '\0') {
            ok = read_pair(&r, words);
            depth = open_brackets(words);
        }
        p3d_text_free(&line);
        text += n + (text[n] == '\n');
        r.line++;
    }
    return ok;
}
