/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hjson.c - Hjson, JSON as people write it, as JSON. */
#include "exchange/read/hjson.h"

#include <string.h>

#include "base/util.h"

enum { MAX_DEPTH = 64 };

typedef struct reader {
    const char *at;
    p3d_text *out;
    int depth;
    bool is_object[MAX_DEPTH + 1]; /* by depth */
    bool after_value;              /* a comma may be missing */
} reader;

size_t exchange_hjson_comment(const char *at)
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
        const size_t comment = exchange_hjson_comment(r->at);
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
