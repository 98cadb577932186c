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

enum { MAX_DEPTH = 64, MOST_LOCATED = 16 << 10 };

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

/* The members of a document on their way to the settings. */
typedef struct adding {
    const json_doc *doc;
    bool has_columns; /* they are those of the file */
    exchange_settings *out;
    p3d_error *err;
    char name[MAX_NAME]; /* of the value, by its keys */
    p3d_text pointer;    /* to it */
} adding;

static bool add(adding *a, const json_value *value, int depth);

static bool add_members(adding *a, const json_value *value, int depth)
{
    const size_t used = strlen(a->name), pointed = a->pointer.length;
    int index = 0;

    for (const json_value *v = json_first(value); v != NULL;
            v = json_next(v), index++) {
        char number[16];
        const char *key = json_key(v);

        snprintf(number, sizeof(number), "%d", index);
        if (json_is_array(value))
            key = number;
        if (snprintf(a->name + used, MAX_NAME - used, "%s%s",
                    used > 0 ? "." : "", key) >= (int)(MAX_NAME - used))
            return p3d_fail(
                    a->err, P3D_DATA, "a name longer than %d bytes", MAX_NAME);
        p3d_text_add(&a->pointer, "/%s", key);
        if (!add(a, v, depth + 1))
            return false;
        a->name[used] = '\0';
        p3d_text_cut(&a->pointer, pointed);
    }
    return true;
}

/* Places are searched from the beginning: not in what is longer than any
 * configuration. */
static bool put(adding *a, const char *value)
{
    p3d_error place = {0};

    if (!exchange_settings_add(a->out, a->name, value, 0, a->err))
        return false;
    if (a->doc->length > MOST_LOCATED || a->pointer.failed)
        return true;
    (void)json_fail(a->doc, p3d_text_get(&a->pointer), &place, "here");
    a->out->at[a->out->n - 1].line = place.line;
    a->out->at[a->out->n - 1].column = a->has_columns ? place.column : 0;
    return true;
}

static bool add(adding *a, const json_value *value, int depth)
{
    char number[P3D_NUMBER_BUFFER];
    double x = 0;

    if (json_is_object(value) || json_is_array(value))
        return depth < MAX_DEPTH && add_members(a, value, depth);
    if (json_is_string(value))
        return put(a, json_string(value));
    if (!json_number(value, &x))
        return true; /* null: as if it were not there */
    if (json_is_bool(value))
        return put(a, x != 0 ? "true" : "false");
    p3d_print_shortest(number, sizeof(number), x);
    return put(a, number);
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

/* Where both fail, the message is that of JSON, at its place.
 * @param is_json  false: Hjson, whose columns are not those of the file */
static bool parse(
        exchange_text from, json_doc *doc, bool *is_json, p3d_error *err)
{
    p3d_error as_json = {0};
    p3d_error as_hjson = {0};
    p3d_text converted = {0};
    bool ok;

    *is_json =
            parse_commented(from.path, from.text, from.length, doc, &as_json);
    if (*is_json)
        return true;
    exchange_hjson_to_json(from.text, &converted);
    ok = !converted.failed && json_parse(from.path, p3d_text_get(&converted),
                                      converted.length, doc, &as_hjson);
    p3d_text_free(&converted);
    if (!ok)
        *err = as_json;
    return ok;
}

/* Hjson makes a text of what is no JSON at all. */
static bool check_root(const json_doc *doc, p3d_error *err)
{
    return json_is_object(doc->root) ||
           json_fail(doc, "", err, "a configuration is an object, { ... }");
}

bool exchange_read_json(const char *file, const char *text, size_t length,
        exchange_settings *out, p3d_error *err)
{
    json_doc doc = {.root = NULL};
    adding a = {.doc = &doc, .out = out, .err = err};
    bool ok = parse(
            (exchange_text){file, text, length}, &doc, &a.has_columns, err);

    ok = ok && check_root(&doc, err) && add(&a, doc.root, 0);
    p3d_text_free(&a.pointer);
    json_close(&doc);
    return ok;
}
