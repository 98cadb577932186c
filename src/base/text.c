/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - a string that doubles its storage as it grows. */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Room for n more bytes and the NUL, or failed. */
static bool reserve(p3d_text *text, size_t n)
{
    size_t capacity = text->capacity < 64 ? 64 : text->capacity;
    char *data;

    if (text->failed || n >= SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    if (text->length + n < text->capacity)
        return true;
    while (capacity <= text->length + n)
        capacity *= 2;
    data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    text->data[text->length] = '\0';
    return true;
}

void p3d_text_vadd(p3d_text *text, const char *fmt, va_list args)
{
    va_list again;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0 || !reserve(text, (size_t)n)) {
        text->failed = true;
        return;
    }
    vsnprintf(text->data + text->length, (size_t)n + 1, fmt, args);
    text->length += (size_t)n;
}

void p3d_text_add(p3d_text *text, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    p3d_text_vadd(text, fmt, args);
    va_end(args);
}

void p3d_text_append(p3d_text *text, const char *data, size_t n)
{
    if (n == 0 || !reserve(text, n))
        return;
    memcpy(text->data + text->length, data, n);
    text->length += n;
    text->data[text->length] = '\0';
}

/* Runs of what prints go out in one piece. */
void p3d_text_show(p3d_text *text, const char *data, size_t n, const char *kept)
{
    size_t begin = 0;
    size_t at = 0;

    while (at < n) {
        const int length = p3d_utf8_printable(data + at, n - at);
        char piece[P3D_SHOWN];

        if (length > 0 ||
                (data[at] != '\0' && strchr(kept, data[at]) != NULL)) {
            at += length > 0 ? (size_t)length : 1;
            continue;
        }
        p3d_text_append(text, data + begin, at - begin);
        at += p3d_show_one(data + at, n - at, piece);
        p3d_text_append(text, piece, strlen(piece));
        begin = at;
    }
    p3d_text_append(text, data + begin, n - begin);
}

void p3d_text_repeat(p3d_text *text, char byte, int n)
{
    if (n <= 0 || !reserve(text, (size_t)n))
        return;
    memset(text->data + text->length, byte, (size_t)n);
    text->length += (size_t)n;
    text->data[text->length] = '\0';
}

void p3d_text_cut(p3d_text *text, size_t n)
{
    if (n >= text->length)
        return;
    text->length = n;
    text->data[n] = '\0';
}

const char *p3d_text_get(const p3d_text *text)
{
    return text->data == NULL ? "" : text->data;
}

void p3d_text_free(p3d_text *text)
{
    free(text->data);
    *text = (p3d_text){0};
}
