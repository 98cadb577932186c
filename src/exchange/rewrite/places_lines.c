/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places_lines.c - where files of YAML, TOML and Python say an option, whose
 * line the reader tells; and JSON, where its path is. */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "exchange/rewrite/places.h"

enum { MAX_PATH = 512, MAX_DEPTH = 64 };

static size_t begin_of_line(const char *text, int line)
{
    size_t at = 0;

    for (; line > 1 && text[at] != '\0'; at++)
        line -= text[at] == '\n';
    return at;
}

static const char *last_part(const char *name)
{
    const char *const dot = strrchr(name, '.');

    return dot != NULL ? dot + 1 : name;
}

/* Behind a value that begins at a place: at the comma, bracket, comment or end
 * of its line. */
static size_t value_end(const char *text, size_t at, bool in_line)
{
    const size_t begin = at;
    int depth = 0;

    for (; text[at] != '\0' && text[at] != '\n'; at++) {
        const char c = text[at];

        if (c == '"' || c == '\'') {
            const char *const end = strchr(text + at + 1, c);

            if (end == NULL)
                break;
            at = (size_t)(end - text);
        } else if (c == '#' && (at == begin || p3d_is_space(text[at - 1]))) {
            break;
        } else if (strchr("([{", c) != NULL) {
            depth++;
        } else if (strchr(")]}", c) != NULL && depth-- == 0) {
            break;
        } else if (c == ',' && depth == 0 && in_line) {
            break;
        }
    }
    while (at > begin && p3d_is_space(text[at - 1]))
        at--;
    return at;
}

/* Without the quotes around it. */
static void take_value(
        const char *text, size_t at, size_t end, exchange_place *out)
{
    out->quoted = end > at + 1 && strchr("\"'", text[at]) != NULL &&
                  text[end - 1] == text[at];
    out->value = at + out->quoted;
    out->value_n = end - at - 2 * (size_t)out->quoted;
    out->end = end;
}

/* The key at a place: its last part ends there, with "=" or ":" behind it. */
static size_t separator(const exchange_said_at *said, size_t at, size_t n)
{
    const char *const text = said->text;
    const char mark = said->syntax == EXCHANGE_IN_YAML ? ':' : '=';
    size_t end = at + n;

    if (at > 0 && p3d_is_word(text[at - 1]))
        return 0;
    end += text[end] == '"' || text[end] == '\'';
    end += strspn(text + end, " \t");
    return text[end] == mark && text[end + 1] != '=' ? end : 0;
}

/* A comma ends a value in YAML's brackets, and is a part of it elsewhere. */
static bool is_value(const exchange_said_at *said, const exchange_place *place)
{
    return said->value != NULL && strlen(said->value) == place->value_n &&
           strncmp(said->text + place->value, said->value, place->value_n) == 0;
}

bool exchange_line_find(const exchange_said_at *said, exchange_place *out)
{
    const char *const text = said->text;
    const char *const key = last_part(said->name);
    const size_t n = strlen(key);
    const size_t line = begin_of_line(text, said->line);
    const size_t end = exchange_line_end(text, line);

    for (size_t at = line; at + n < end; at++) {
        size_t mark, value;

        if (strncmp(text + at, key, n) != 0)
            continue;
        mark = separator(said, at, n);
        if (mark == 0)
            continue;
        value = mark + 1 + strspn(text + mark + 1, " \t");
        if (value >= end)
            return false;
        out->begin = at;
        while (out->begin > line &&
                (p3d_is_word(text[out->begin - 1]) ||
                        strchr(".\"'", text[out->begin - 1])))
            out->begin--;
        take_value(text, value,
                value_end(text, value, said->syntax != EXCHANGE_IN_YAML), out);
        if (said->syntax == EXCHANGE_IN_YAML && !is_value(said, out))
            take_value(text, value, value_end(text, value, true), out);
        return out->end > value;
    }
    return false;
}

/* JSON: the place of a path. */
typedef struct scan {
    const char *text;
    const char *wanted;
    size_t at;
    char path[MAX_PATH];
    int depth;
    bool wrong; /* no JSON, or too deep */
    bool found;
    exchange_place *out;
} scan;

static void skip(scan *s)
{
    for (;;) {
        const char *const at = s->text + s->at;
        const size_t n = strspn(at, " \t\r\n");
        const char *const end = strstr(at + n, "*/");

        s->at += n;
        if (at[n] == '#' || strncmp(at + n, "//", 2) == 0)
            s->at += strcspn(at + n, "\n");
        else if (strncmp(at + n, "/*", 2) == 0 && end != NULL)
            s->at = (size_t)(end - s->text) + 2;
        else
            return;
    }
}

static void skip_string(scan *s)
{
    const char *const text = s->text;

    for (s->at++; text[s->at] != '\0' && text[s->at] != '"'; s->at++)
        s->at += text[s->at] == '\\' && text[s->at + 1] != '\0';
    s->at += text[s->at] == '"';
}

static void scan_value(scan *s, size_t key);

/* A member or element with the path's next part. */
static void scan_part(scan *s, const char *part, size_t n, size_t key)
{
    const size_t used = strlen(s->path);

    if (used + n + 2 > MAX_PATH) {
        s->wrong = true;
        return;
    }
    snprintf(s->path + used, MAX_PATH - used, "%s%.*s", used > 0 ? "." : "",
            (int)n, part);
    scan_value(s, key);
    s->path[used] = '\0';
}

static void scan_member(scan *s)
{
    const size_t key = s->at;
    size_t n;

    if (s->text[key] != '"') {
        s->wrong = true;
        return;
    }
    skip_string(s);
    n = s->at - key - 2;
    skip(s);
    s->wrong = s->wrong || s->text[s->at] != ':';
    s->at++;
    if (!s->wrong)
        scan_part(s, s->text + key + 1, n, key);
}

static void scan_level(scan *s, char close)
{
    char number[16];
    int i = 0;

    s->wrong = s->wrong || ++s->depth > MAX_DEPTH;
    s->at++;
    while (!s->wrong && !s->found) {
        skip(s);
        if (s->text[s->at] == close || s->text[s->at] == '\0')
            break;
        if (s->text[s->at] == ',') {
            s->at++;
        } else if (close == '}') {
            scan_member(s);
        } else {
            snprintf(number, sizeof(number), "%d", i++);
            scan_part(s, number, strlen(number), s->at);
        }
    }
    s->at += s->text[s->at] == close;
    s->depth--;
}

static void scan_value(scan *s, size_t key)
{
    size_t begin;

    skip(s);
    begin = s->at;
    if (s->text[begin] == '{' || s->text[begin] == '[') {
        scan_level(s, s->text[begin] == '{' ? '}' : ']');
        return;
    }
    if (s->text[begin] == '"')
        skip_string(s);
    else
        s->at += strcspn(s->text + begin, ",]} \t\r\n#/");
    if (s->at == begin) {
        s->wrong = true;
    } else if (strcmp(s->path, s->wanted) == 0) {
        s->found = true;
        s->out->begin = key;
        take_value(s->text, begin, s->at, s->out);
    }
}

bool exchange_json_find(const exchange_said_at *said, exchange_place *out)
{
    scan s = {.text = said->text, .wanted = said->name, .out = out};

    scan_value(&s, 0);
    return s.found && !s.wrong;
}
