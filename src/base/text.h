/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - a growing string; an answer is built whole before it is printed. */
#ifndef PLAN3D_BASE_TEXT_H
#define PLAN3D_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "plan3d/error.h"

/** The language of an answer's words. */
typedef enum p3d_lang { P3D_ENGLISH, P3D_CHINESE, P3D_N_LANGS } p3d_lang;

/** What the reader's side can show, and the language that it reads. Zero is
 *  plain ASCII in English, as in a file. */
typedef struct p3d_style {
    bool color;
    bool utf8;
    bool markdown;
    p3d_lang lang;
    const char *lang_option; /* " --lang zh" where commands need it, or NULL */
    int columns;             /* of the terminal; 0 = as many as a line needs */
    unsigned parts; /* of an answer that are asked for, a bit each; 0 = all */
} p3d_style;

/** Zero is an empty text. `failed` sticks once memory ran out. */
typedef struct p3d_text {
    char *data; /* NUL-terminated, or NULL while empty */
    size_t length;
    size_t capacity;
    bool failed;
    p3d_style style; /* for who appends to it */
} p3d_text;

/** Append formatted text. */
void p3d_text_add(p3d_text *text, const char *fmt, ...) P3D_PRINTF(2, 3);

/** The same with the arguments of another function. */
void p3d_text_vadd(p3d_text *text, const char *fmt, va_list args)
        P3D_PRINTF(2, 0);

/** Append n bytes as they are. */
void p3d_text_append(p3d_text *text, const char *data, size_t n);

/** Append n bytes so that all of them print, as p3d_show() does. @param kept
 *  control characters that go out as they are, such as "\n\t" */
void p3d_text_show(
        p3d_text *text, const char *data, size_t n, const char *kept);

/** Append one byte n times. */
void p3d_text_repeat(p3d_text *text, char byte, int n);

/** Keep the first n bytes; the storage stays. */
void p3d_text_cut(p3d_text *text, size_t n);

/** The text so far, never NULL. Valid until the next change. */
const char *p3d_text_get(const p3d_text *text);

/** Free the storage; the text is empty again. */
void p3d_text_free(p3d_text *text);

#endif
