/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paint.h - colours, for the few words that are to be seen first. */
#ifndef PLAN3D_REPORT_TEXT_PAINT_H
#define PLAN3D_REPORT_TEXT_PAINT_H

#include "base/text.h"

typedef enum report_paint {
    REPORT_HEAD, /* bold */
    REPORT_GOOD, /* green */
    REPORT_BAD,  /* red */
    REPORT_CARE, /* yellow */
    REPORT_N_PAINTS
} report_paint;

/** Append words, in colour where the text's style has colours. */
void report_paint_words(report_paint paint, const char *words, p3d_text *out);

/** The same, and a line end. */
void report_paint_line(report_paint paint, const char *words, p3d_text *out);

/** Bytes of the terminal code that begins at `at`, if it is one of those that
 *  report_paint_words() writes; else 0. */
int report_paint_length(const char *at);

/** Characters of a text as it is seen: without the codes. */
int report_paint_columns(const char *text);

#endif
