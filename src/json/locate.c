/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locate.c - walks a JSON text along a pointer; runs only for a message. */
#include "json/locate.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "json/scan.h"

/* A place in a valid document; `at` never passes `end`. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static char here(const cursor *c)
{
    return c->at < c->end ? *c->at : '\0';
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && here(c) != '\0' &&
            strchr(" \t\r\n", here(c)) != NULL)
        c->at++;
}

static void skip_string(cursor *c)
{
    c->at++;
    while (c->at < c->end && *c->at != '"')
        c->at += *c->at == '\\' && c->end - c->at > 1 ? 2 : 1;
    if (c->at < c->end)
        c->at++;
}

/* Counts brackets instead of recursing. */
static void skip_value(cursor *c)
{
    int depth = 0;

    do {
        switch (here(c)) {
        case '"': skip_string(c); continue;
        case '{':
        case '[': depth++; break;
        case '}':
        case ']': depth--; break;
        case ',':
            if (depth == 0)
                return;
            break;
        default: break;
        }
        if (depth < 0)
            return;
        c->at++;
    } while (c->at < c->end);
}

/* Does the key that begins at `at` equal one part of a pointer? Both are
 * escaped, each in its own way. */
static bool is_key(const char *at, const char *part, size_t length)
{
    const char *const end = part + length;

    at++;
    while (*at != '"' && *at != '\0') {
        char bytes[4];
        const int n = json_unescape(&at, bytes);

        for (int i = 0; i < n; i++) {
            char wanted;

            if (part == end)
                return false;
            wanted = *part++;
            if (wanted == '~' && part < end)
                wanted = *part++ == '0' ? '~' : '/';
            if (bytes[i] != wanted)
                return false;
        }
    }
    return part == end;
}

/* From the object at *c to the value of one of its members. */
static bool enter_object(
        cursor *c, const char *part, size_t length, int nth, const char **place)
{
    for (;;) {
        const char *key;

        c->at++; /* '{' or ',' */
        skip_space(c);
        if (here(c) != '"')
            return false;
        key = c->at;
        skip_string(c);
        skip_space(c);
        if (here(c) != ':')
            return false;
        c->at++;
        if (is_key(key, part, length) && --nth == 0) {
            skip_space(c);
            *place = key;
            return true;
        }
        skip_value(c);
        if (here(c) != ',')
            return false;
    }
}

/* An index of RFC 6901: digits without a leading zero; -1 for no index. */
static long index_of(const char *part, size_t length)
{
    long index = 0;

    if (length == 0 || length > 9 || (part[0] == '0' && length > 1))
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (!p3d_is_digit(part[i]))
            return -1;
        index = 10 * index + (part[i] - '0');
    }
    return index;
}

/* From the array at *c to one of its elements. */
static bool enter_array(
        cursor *c, const char *part, size_t length, const char **place)
{
    const long index = index_of(part, length);

    if (index < 0)
        return false;
    for (long i = 0;; i++) {
        c->at++; /* '[' or ',' */
        skip_space(c);
        if (here(c) == ']' || here(c) == '\0')
            return false;
        if (i == index) {
            *place = c->at;
            return true;
        }
        skip_value(c);
        if (here(c) != ',')
            return false;
    }
}

bool json_locate(const char *text, size_t length, const char *pointer, int nth,
        size_t *offset)
{
    cursor c = {text, text + length};
    const char *place;
    bool found = true;

    skip_space(&c);
    place = c.at;
    while (found && *pointer == '/') {
        const char *const part = pointer + 1;
        const size_t n = strcspn(part, "/");

        pointer = part + n;
        if (here(&c) == '{')
            found = enter_object(
                    &c, part, n, *pointer == '\0' ? nth : 1, &place);
        else
            found = here(&c) == '[' && enter_array(&c, part, n, &place);
    }
    *offset = (size_t)(place - text);
    return found && *pointer == '\0';
}

void json_line_column(const char *text, size_t offset, int *line, int *column)
{
    size_t lines = 1;
    size_t begin = 0;

    for (size_t i = 0; i < offset; i++) {
        if (text[i] == '\n') {
            lines++;
            begin = i + 1;
        }
    }
    *line = lines > INT_MAX ? INT_MAX : (int)lines;
    *column = offset - begin >= INT_MAX ? INT_MAX : (int)(offset - begin) + 1;
}

void json_pointer_add(p3d_text *pointer, const char *key)
{
    p3d_text_append(pointer, "/", 1);
    for (; *key != '\0'; key++) {
        if (*key == '~')
            p3d_text_append(pointer, "~0", 2);
        else if (*key == '/')
            p3d_text_append(pointer, "~1", 2);
        else
            p3d_text_append(pointer, key, 1);
    }
}

bool json_fail_nth(const json_doc *doc, const char *pointer, int nth,
        p3d_error *err, const char *text)
{
    size_t offset;

    if (err == NULL || err->code != P3D_OK)
        return false;
    p3d_show(err->file, sizeof(err->file), doc->file);
    p3d_show(err->pointer, sizeof(err->pointer), pointer);
    if (doc->text != NULL) {
        json_locate(doc->text, doc->length, pointer, nth, &offset);
        json_line_column(doc->text, offset, &err->line, &err->column);
    }
    return p3d_fail(err, P3D_DATA, "%s", text);
}

bool json_fail(const json_doc *doc, const char *pointer, p3d_error *err,
        const char *fmt, ...)
{
    char text[sizeof(err->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return json_fail_nth(doc, pointer, 1, err, text);
}
