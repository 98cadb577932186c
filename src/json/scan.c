/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c - the strict grammar of JSON (RFC 8259), with helpful refusals. */
#include "json/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "base/util.h"
#include "json/locate.h"

static bool scan_value(json_scanner *s, const char *after);

bool json_refuse(json_scanner *s, const char *where, const char *fmt, ...)
{
    char text[sizeof(s->err->text)];
    va_list args;

    if (s->err == NULL || s->err->code != P3D_OK)
        return false;
    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    p3d_show(s->err->file, sizeof(s->err->file), s->file);
    json_line_column(
            s->text, (size_t)(where - s->text), &s->err->line, &s->err->column);
    return p3d_fail(s->err, P3D_DATA, "%s", text);
}

static void skip_space(json_scanner *s)
{
    s->at += strspn(s->at, " \t\r\n");
}

const char *json_show_here(
        const json_scanner *s, const char *at, char *buffer, size_t n)
{
    char raw[40];
    size_t length = 0;

    while (length < sizeof(raw) - 1 && p3d_is_word(at[length]))
        length++;
    if (length == 0)
        length = (size_t)p3d_utf8_length(at, (size_t)(s->end - at));
    if (length == 0)
        length = 1;
    memcpy(raw, at, length);
    raw[length] = '\0';
    p3d_show(buffer, n, raw);
    return buffer;
}

static int line_of(const json_scanner *s, const char *where)
{
    int line;
    int column;

    json_line_column(s->text, (size_t)(where - s->text), &line, &column);
    return line;
}

/* What stands at s->at is wrong; `wanted` ends the message. */
static bool refuse_here(json_scanner *s, const char *wanted)
{
    char shown[48];

    json_show_here(s, s->at, shown, sizeof(shown));
    if (*s->at == '/' || *s->at == '#')
        return json_refuse(
                s, s->at, "'%s': JSON has no comments; remove it", shown);
    return json_refuse(s, s->at, "unexpected '%s'%s", shown, wanted);
}

/* Names the mistakes that people make where a value should be. `after` is what
 * stands before it, or NULL at the beginning. */
static bool refuse_value(json_scanner *s, const char *after)
{
    char shown[48];

    if (s->at == s->end && after == NULL)
        return json_refuse(s, s->at, "the document is empty");
    if (s->at == s->end)
        return json_refuse(
                s, s->at, "the document ends where a value should be");
    if (*s->at == '\'')
        return json_refuse(s, s->at, "a string needs double quotes");
    if ((*s->at == ']' || *s->at == '}') && after != NULL && *after == ',')
        return json_refuse(
                s, after, "unexpected ',' before '%c'; remove it", *s->at);
    if (p3d_is_word(*s->at))
        return json_refuse(s, s->at,
                "unknown word '%s'; write a string in double quotes, a number, "
                "true, false or null",
                json_show_here(s, s->at, shown, sizeof(shown)));
    return refuse_here(s, " where a value should be");
}

static bool refuse_end(json_scanner *s, const char *begin, char closing)
{
    return json_refuse(s, s->at,
            "the document ends inside the '%c' of line %d; add '%c'", *begin,
            line_of(s, begin), closing);
}

/* After an element: true when another one follows, *more says so. */
static bool scan_separator(
        json_scanner *s, const char *begin, char closing, bool *more)
{
    const char *const wanted =
            closing == '}' ? "; write ',' or '}'" : "; write ',' or ']'";

    skip_space(s);
    *more = *s->at == ',';
    if (*s->at == ',' || *s->at == closing) {
        s->at++;
        return true;
    }
    if (s->at == s->end)
        return refuse_end(s, begin, closing);
    return refuse_here(s, wanted);
}

/* A key and its colon. `after` is the '{' or ',' before it. */
static bool scan_key(json_scanner *s, const char *begin, const char *after)
{
    if (s->at == s->end)
        return refuse_end(s, begin, '}');
    if (*s->at == '"') {
        if (!json_scan_string(s))
            return false;
        skip_space(s);
        if (*s->at == ':') {
            s->at++;
            return true;
        }
        if (s->at == s->end)
            return refuse_end(s, begin, '}');
        return refuse_here(s, " after a key; write ':'");
    }
    if (*s->at == '}')
        return json_refuse(s, after, "unexpected ',' before '}'; remove it");
    return refuse_here(s, " where a key should be; write it in double quotes");
}

static bool scan_container(json_scanner *s)
{
    const char *const begin = s->at;
    const char *after = s->at;
    const char closing = *begin == '{' ? '}' : ']';
    bool more = true;

    if (s->depth == JSON_MAX_DEPTH)
        return json_refuse(
                s, s->at, "more than %d levels deep", JSON_MAX_DEPTH);
    s->depth++;
    s->at++;
    skip_space(s);
    if (*s->at == closing) {
        s->at++;
        more = false;
    }
    while (more) {
        skip_space(s);
        if (closing == '}') {
            if (!scan_key(s, begin, after))
                return false;
            after = s->at - 1;
            skip_space(s);
        } else if (s->at == s->end) {
            return refuse_end(s, begin, closing);
        }
        if (!scan_value(s, after) || !scan_separator(s, begin, closing, &more))
            return false;
        after = s->at - 1;
    }
    s->depth--;
    return true;
}

static bool scan_literal(json_scanner *s, const char *after)
{
    static const char *const words[] = {"true", "false", "null"};

    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        const size_t length = strlen(words[i]);

        if (strncmp(s->at, words[i], length) == 0 &&
                !p3d_is_word(s->at[length])) {
            s->at += length;
            return true;
        }
    }
    return refuse_value(s, after);
}

/* Recursion ends at JSON_MAX_DEPTH. */
static bool scan_value(json_scanner *s, const char *after)
{
    switch (*s->at) {
    case '{':
    case '[': return scan_container(s);
    case '"': return json_scan_string(s);
    default: break;
    }
    if (*s->at == '-' || p3d_is_digit(*s->at))
        return json_scan_number(s);
    return scan_literal(s, after);
}

/* What is no text at all: NUL bytes, UTF-16, a byte order mark. */
static bool scan_encoding(json_scanner *s)
{
    const char *const nul = memchr(s->text, '\0', (size_t)(s->end - s->text));

    if (strncmp(s->text, "\xff\xfe", 2) == 0 ||
            strncmp(s->text, "\xfe\xff", 2) == 0)
        return json_refuse(s, s->text, "the file is UTF-16; save it as UTF-8");
    if (nul != NULL)
        return json_refuse(s, nul,
                "NUL byte; this is a binary or UTF-16 file, not JSON text");
    if (strncmp(s->text, "\xef\xbb\xbf", 3) == 0)
        return json_refuse(s, s->text,
                "the file begins with a byte order mark; save it as UTF-8 "
                "without one");
    return true;
}

bool json_scan(
        const char *file, const char *text, size_t length, p3d_error *err)
{
    json_scanner s = {file, text, text, text + length, 0, err};

    if (!scan_encoding(&s))
        return false;
    skip_space(&s);
    if (!scan_value(&s, NULL))
        return false;
    skip_space(&s);
    if (s.at == s.end)
        return true;
    return refuse_here(&s, " after the document; remove it");
}
