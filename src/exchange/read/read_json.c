/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_json.c - JSON as settings, and Hjson, JSON as people write it, which
 * DeepSpeed reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "exchange/read/read.h"
#include "json/json.h"

enum { MAX_DEPTH = 64 };

typedef struct reader {
    const char *at;
    p3d_text *out;
    int depth;
    bool is_object[MAX_DEPTH + 1]; /* by depth */
    bool after_value;              /* a comma may be missing */
} reader;

/* Length of the comment that begins at a place; 0 = none does. */
static size_t comment_length(const char *at)
{
    if (*at == '#' || strncmp(at, "//", 2) == 0)
        return strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *const end = strstr(at + 2, "*/");

        return end != NULL ? (size_t)(end - at) + 2 : strlen(at);
    }
    return 0;
}

/* Blanks, comments and commas up to what comes next; line ends are kept. */
static void skip(reader *r)
{
    for (;;) {
        const size_t comment = comment_length(r->at);
        const size_t n = comment > 0 ? comment : strspn(r->at, " \t\r\n,");

        if (n == 0)
            return;
        for (size_t i = 0; i < n; i++)
            p3d_text_repeat(r->out, '\n', r->at[i] == '\n');
        r->at += n;
    }
}

/* A string in quotes as it is, up to the end of the text where it is not
 * closed. */
static void copy_string(reader *r)
{
    const char *const begin = r->at++;

    while (*r->at != '\0' && *r->at != '"')
        r->at += *r->at == '\\' && r->at[1] != '\0' ? 2 : 1;
    r->at += *r->at == '"';
    p3d_text_append(r->out, begin, (size_t)(r->at - begin));
}

/* n bytes in quotes. */
static void put_quoted(const char *text, size_t n, p3d_text *out)
{
    p3d_text_add(out, "\"");
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            p3d_text_add(out, "\\");
        p3d_text_append(out, &text[i], 1);
    }
    p3d_text_add(out, "\"");
}

static void read_key(reader *r)
{
    const size_t n = strcspn(r->at, " \t\r\n:,{}[]\"");

    if (*r->at == '"')
        copy_string(r);
    else
        put_quoted(r->at, n, r->out);
    r->at += *r->at == '"' ? 0 : n;
    r->at += strspn(r->at, " \t\r\n");
    p3d_text_append(r->out, r->at, *r->at == ':');
    r->at += *r->at == ':';
}

static bool is_literal(const char *text, size_t n)
{
    static const char *const words[] = {"true", "false", "null"};

    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        if (n == strlen(words[i]) && strncmp(text, words[i], n) == 0)
            return true;
    }
    return n > 0 && strspn(text, "+-.0123456789eE") >= n;
}

static size_t without_blanks(const char *text, size_t n)
{
    while (n > 0 && strchr(" \t\r", text[n - 1]) != NULL)
        n--;
    return n;
}

/* A number or word, or else all of the line. */
static void read_bare(reader *r)
{
    size_t n = without_blanks(r->at, strcspn(r->at, ",}]#/\n"));
    const bool literal = is_literal(r->at, n);

    if (!literal)
        n = without_blanks(r->at, strcspn(r->at, "\n"));

    if (literal)
        p3d_text_append(r->out, r->at, n);
    else
        put_quoted(r->at, n, r->out);
    r->at += n;
}

static void open_level(reader *r)
{
    p3d_text_append(r->out, r->at, 1);
    if (r->depth < MAX_DEPTH)
        r->is_object[++r->depth] = *r->at == '{';
    r->at++;
    r->after_value = false;
}

static void close_level(reader *r)
{
    p3d_text_append(r->out, r->at++, 1);
    r->depth -= r->depth > 0;
    r->after_value = true;
}

static void read_value(reader *r)
{
    if (strchr("{[", *r->at) != NULL) {
        open_level(r);
        return;
    }
    if (*r->at == '"')
        copy_string(r);
    else
        read_bare(r);
    r->after_value = true;
}

void exchange_hjson_to_json(const char *text, p3d_text *out)
{
    reader r = {.at = text, .out = out};

    for (skip(&r); *r.at != '\0'; skip(&r)) {
        if (strchr("}]", *r.at) != NULL) {
            close_level(&r);
            continue;
        }
        if (r.after_value)
            p3d_text_add(out, ",");
        if (r.is_object[r.depth]) {
            read_key(&r);
            skip(&r);
        }
        if (*r.at != '\0' && strchr("}]", *r.at) == NULL)
            read_value(&r);
    }
}

enum { MAX_NAME = 512 };

/* The next place that is neither blank nor comment. */
static const char *next_token(const char *at)
{
    for (;;) {
        const size_t n = strspn(at, " \t\r\n");
        const size_t comment = comment_length(at + n);

        if (n + comment == 0)
            return at;
        at += n + comment;
    }
}

/* Comments and last commas become blanks, so that places stay where they
 * are. */
static void blank_out(char *text)
{
    bool in_string = false;

    for (char *p = text; *p != '\0'; p++) {
        const size_t n = in_string ? 0 : comment_length(p);

        if (in_string && *p == '\\' && p[1] != '\0') {
            p++;
        } else if (*p == '"') {
            in_string = !in_string;
        } else if (n > 0) {
            for (size_t i = 0; i < n; i++)
                p[i] = p[i] == '\n' ? '\n' : ' ';
            p += n - 1;
        } else if (*p == ',' && !in_string &&
                   strchr("}]", *next_token(p + 1)) != NULL &&
                   *next_token(p + 1) != '\0') {
            *p = ' ';
        }
    }
}

static bool add(const json_value *value, char name[MAX_NAME], int depth,
        exchange_settings *out, p3d_error *err);

static bool add_members(const json_value *value, char name[MAX_NAME], int depth,
        exchange_settings *out, p3d_error *err)
{
    const size_t used = strlen(name);
    int index = 0;

    for (const json_value *v = json_first(value); v != NULL;
            v = json_next(v), index++) {
        char number[16];
        const char *key = json_key(v);

        snprintf(number, sizeof(number), "%d", index);
        if (json_is_array(value))
            key = number;
        if (snprintf(name + used, MAX_NAME - used, "%s%s", used > 0 ? "." : "",
                    key) >= (int)(MAX_NAME - used))
            return p3d_fail(
                    err, P3D_DATA, "a name longer than %d bytes", MAX_NAME);
        if (!add(v, name, depth + 1, out, err))
            return false;
        name[used] = '\0';
    }
    return true;
}

static bool add(const json_value *value, char name[MAX_NAME], int depth,
        exchange_settings *out, p3d_error *err)
{
    char number[P3D_NUMBER_BUFFER];
    double x = 0;

    if (json_is_object(value) || json_is_array(value))
        return depth < MAX_DEPTH && add_members(value, name, depth, out, err);
    if (json_is_string(value))
        return exchange_settings_add(out, name, json_string(value), 0, err);
    if (!json_number(value, &x))
        return true; /* null: as if it were not there */
    if (json_is_bool(value))
        return exchange_settings_add(
                out, name, x != 0 ? "true" : "false", 0, err);
    p3d_print_shortest(number, sizeof(number), x);
    return exchange_settings_add(out, name, number, 0, err);
}

/* JSON with comments and last commas. */
static bool parse_commented(const char *file, const char *text, size_t length,
        json_doc *doc, p3d_error *err)
{
    char *const copy = malloc(length + 1);
    bool ok;

    if (copy == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(copy, text, length + 1);
    blank_out(copy);
    ok = json_parse(file, copy, length, doc, err);
    free(copy);
    return ok;
}

/* Where both fail, the message is that of JSON, at its place. */
static bool parse(const char *file, const char *text, size_t length,
        json_doc *doc, p3d_error *err)
{
    p3d_error as_json = {0};
    p3d_error as_hjson = {0};
    p3d_text converted = {0};
    bool ok;

    if (parse_commented(file, text, length, doc, &as_json))
        return true;
    exchange_hjson_to_json(text, &converted);
    ok = !converted.failed && json_parse(file, p3d_text_get(&converted),
                                      converted.length, doc, &as_hjson);
    p3d_text_free(&converted);
    if (!ok)
        *err = as_json;
    return ok;
}

bool exchange_read_json(const char *file, const char *text, size_t length,
        exchange_settings *out, p3d_error *err)
{
    char name[MAX_NAME] = "";
    json_doc doc = {.root = NULL};
    const bool ok = parse(file, text, length, &doc, err) &&
                    add(doc.root, name, 0, out, err);

    json_close(&doc);
    return ok;
}
