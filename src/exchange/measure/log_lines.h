/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_lines.h - a log line by line, word by word. */
#ifndef PLAN3D_EXCHANGE_MEASURE_LOG_LINES_H
#define PLAN3D_EXCHANGE_MEASURE_LOG_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

enum { LOG_MAX_WORDS = 40 };

/** A word of a line, not NUL-terminated. */
typedef struct log_word {
    const char *at;
    size_t n;
} log_word;

/** Zero but for file and next to begin. */
typedef struct log_lines {
    const char *file; /* as shown in messages */
    const char *next; /* rest of the text */
    int number;       /* of the line at hand, from 1; counts line feeds */
    const char *line; /* not NUL-terminated */
    size_t n;
    int n_words; /* the first ones of the line */
    log_word words[LOG_MAX_WORDS];
} log_lines;

/** Go to the next line; a carriage return ends one too, as progress does.
 *  @return false after the last */
bool log_next(log_lines *lines);

bool log_word_is(log_word word, const char *text);

/** Where a text begins in the line, or NULL. */
const char *log_find(const log_lines *lines, const char *text);

/** Read a whole word as a number >= 0. @return false when it is none */
bool log_number(log_word word, double *out);
bool log_count(log_word word, int64_t *out);

/** Fail with P3D_DATA at the line at hand. @return false */
bool log_fail(const log_lines *lines, p3d_error *err, const char *fmt, ...)
        P3D_PRINTF(3, 4);

#endif
