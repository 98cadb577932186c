/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_lines.c - a log line by line, word by word. */
#include "exchange/measure/log_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"

static const char BLANKS[] = " \t";

static void split(log_lines *lines)
{
    const char *const end = lines->line + lines->n;
    const char *at = lines->line;

    lines->n_words = 0;
    while (lines->n_words < LOG_MAX_WORDS) {
        const char *from;

        while (at < end && strchr(BLANKS, *at) != NULL)
            at++;
        from = at;
        while (at < end && strchr(BLANKS, *at) == NULL)
            at++;
        if (at == from)
            return;
        lines->words[lines->n_words++] = (log_word){from, (size_t)(at - from)};
    }
}

bool log_next(log_lines *lines)
{
    const bool new_line = lines->line == NULL || lines->line[lines->n] == '\n';

    if (*lines->next == '\0')
        return false;
    lines->number += new_line;
    lines->line = lines->next;
    lines->n = strcspn(lines->next, "\r\n");
    lines->next += lines->n + (lines->next[lines->n] != '\0');
    split(lines);
    return true;
}

bool log_word_is(log_word word, const char *text)
{
    return word.n == strlen(text) && memcmp(word.at, text, word.n) == 0;
}

const char *log_find(const log_lines *lines, const char *text)
{
    const size_t n = strlen(text);

    for (size_t i = 0; i + n <= lines->n; i++)
        if (memcmp(lines->line + i, text, n) == 0)
            return lines->line + i;
    return NULL;
}

bool log_number(log_word word, double *out)
{
    p3d_decimal decimal;

    if (word.n == 0 || p3d_scan_decimal(word.at, &decimal) != word.n ||
            decimal.negative)
        return false;
    *out = p3d_decimal_double(&decimal, 0);
    return *out < 1e300;
}

bool log_count(log_word word, int64_t *out)
{
    p3d_decimal decimal;
    bool exact = false;

    return word.n > 0 && p3d_scan_decimal(word.at, &decimal) == word.n &&
           !decimal.negative &&
           p3d_decimal_integer(&decimal, 0, 1, out, &exact) && exact;
}

bool log_fail(const log_lines *lines, p3d_error *err, const char *fmt, ...)
{
    char text[P3D_ERROR_TEXT];
    p3d_error cause = {.line = lines->number, .column = 1};
    va_list args;

    va_start(args, fmt);
    if (vsnprintf(text, sizeof(text), fmt, args) < 0)
        text[0] = '\0';
    va_end(args);
    p3d_record(&cause, P3D_DATA, "%s", text);
    return p3d_fail_file(err, lines->file, &cause);
}
