/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paint.c - codes of ECMA-48 (select graphic rendition) around words. */
#include "report/text/paint.h"

#include <string.h>

#include "base/utf8.h"
#include "base/util.h"

/* By report_paint, then the one that ends them all. */
static const char *const codes[] = {
        "\033[1m", "\033[32m", "\033[31m", "\033[33m", "\033[0m"};

void report_paint_words(report_paint paint, const char *words, p3d_text *out)
{
    if (out->style.color)
        p3d_text_add(out, "%s%s%s", codes[paint], words, codes[4]);
    else
        p3d_text_add(out, "%s", words);
}

void report_paint_line(report_paint paint, const char *words, p3d_text *out)
{
    report_paint_words(paint, words, out);
    p3d_text_add(out, "\n");
}

int report_paint_length(const char *at)
{
    for (int i = 0; i < P3D_COUNT_OF(codes); i++) {
        const size_t n = strlen(codes[i]);

        if (strncmp(at, codes[i], n) == 0)
            return (int)n;
    }
    return 0;
}

int report_paint_columns(const char *text)
{
    int n = p3d_utf8_count(text);

    for (; *text != '\0'; text++)
        n -= report_paint_length(text);
    return n;
}
