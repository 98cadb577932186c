/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.c - writes JSON with two spaces of indentation and exact numbers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "json/json.h"

/* cJSON_Print() would turn 2^53 into 9.00719925474099e+15. */

static void new_line(json_writer *w)
{
    if (w->one_line)
        return;
    p3d_text_append(w->out, "\n", 1);
    p3d_text_repeat(w->out, ' ', 2 * w->depth);
}

/* Whoever prints a string of JSON is safe from what acts in it. */
static void put_escaped(p3d_text *out, const char *at, int length)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const uint32_t code = p3d_utf8_code(at, length);
    const char *const found = length == 1 ? strchr(plain, *at) : NULL;

    if (found != NULL)
        p3d_text_add(out, "\\%c", letters[found - plain]);
    else if (code > 0xffff) /* a pair of surrogates */
        p3d_text_add(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)),
                (unsigned)(0xdc00 + (code & 0x3ff)));
    else
        p3d_text_add(out, "\\u%04x", (unsigned)code);
}

/* Runs of ordinary characters go out in one piece. Bytes that are not UTF-8
 * become U+FFFD, so that what is written can always be read. */
static void put_quoted(p3d_text *out, const char *value)
{
    const char *const end = value + strlen(value);
    const char *run = value;
    const char *at = value;

    p3d_text_append(out, "\"", 1);
    while (at < end) {
        const int length = p3d_utf8_length(at, (size_t)(end - at));

        if (*at != '"' && *at != '\\' &&
                p3d_utf8_printable(at, (size_t)(end - at)) > 0) {
            at += length;
            continue;
        }
        p3d_text_append(out, run, (size_t)(at - run));
        if (length > 0)
            put_escaped(out, at, length);
        else
            p3d_text_add(out, "\xef\xbf\xbd");
        at += length > 0 ? length : 1;
        run = at;
    }
    p3d_text_append(out, run, (size_t)(end - run));
    p3d_text_append(out, "\"", 1);
}

/* What stands before every value: comma, new line, key. */
static void begin_value(json_writer *w, const char *key)
{
    if (w->need_comma)
        p3d_text_append(w->out, ",", 1);
    if (w->depth > 0)
        new_line(w);
    if (key != NULL) {
        put_quoted(w->out, key);
        p3d_text_append(w->out, ": ", 2);
    }
    w->need_comma = true;
}

void json_begin(json_writer *w, const char *key, char bracket)
{
    P3D_ASSERT(bracket == '{' || bracket == '[');
    begin_value(w, key);
    p3d_text_append(w->out, &bracket, 1);
    w->depth++;
    w->need_comma = false;
}

void json_end(json_writer *w, char bracket)
{
    P3D_ASSERT(bracket == '}' || bracket == ']');
    P3D_ASSERT(w->depth > 0);
    w->depth--;
    if (w->need_comma)
        new_line(w);
    p3d_text_append(w->out, &bracket, 1);
    w->need_comma = true;
}

void json_put_string(json_writer *w, const char *key, const char *value)
{
    begin_value(w, key);
    put_quoted(w->out, value);
}

void json_put_int(json_writer *w, const char *key, int64_t value)
{
    begin_value(w, key);
    p3d_text_add(w->out, "%" PRId64, value);
}

void json_put_double(json_writer *w, const char *key, double value)
{
    char buffer[P3D_NUMBER_BUFFER];

    P3D_ASSERT(isfinite(value));
    begin_value(w, key);
    p3d_text_add(
            w->out, "%s", p3d_print_shortest(buffer, sizeof(buffer), value));
}

void json_put_null(json_writer *w, const char *key)
{
    begin_value(w, key);
    p3d_text_add(w->out, "null");
}

void json_put_bool(json_writer *w, const char *key, bool value)
{
    begin_value(w, key);
    p3d_text_add(w->out, "%s", value ? "true" : "false");
}
