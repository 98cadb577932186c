/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap.c - lines of text that end before the right edge. */
#include "report/text/wrap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/text/paint.h"

enum { LABEL = 9, LONGEST = 1024 };

/* Bytes up to a blank where a line may end: not before the % of a number. */
static int unit_length(const char *text)
{
    size_t n = strcspn(text, " ");

    while (strncmp(text + n, " %", 2) == 0)
        n += 1 + strcspn(text + n + 1, " ");
    return (int)n;
}

void report_wrap(const char *text, int column, int width, p3d_text *out)
{
    int at = column;

    while (*text != '\0') {
        const int n = unit_length(text);

        if (at > column && at + 1 + n > width) {
            p3d_text_add(out, "\n");
            p3d_text_repeat(out, ' ', column);
            at = column;
        } else if (at > column) {
            p3d_text_add(out, " ");
            at++;
        }
        p3d_text_append(out, text, (size_t)n);
        at += n;
        text += n;
        text += strspn(text, " ");
    }
    p3d_text_add(out, "\n");
}

/* Bytes up to the next option, or to the end. */
static int argument_length(const char *command)
{
    bool quoted = false;
    int n = 0;

    while (command[n] != '\0') {
        quoted = quoted != (command[n] == '\'');
        n++;
        if (!quoted && command[n - 1] == ' ' &&
                strncmp(command + n, "--", 2) == 0)
            return n;
    }
    return n;
}

void report_wrap_command(const char *command, int column, p3d_text *out)
{
    const int next = column + 2;
    int at = column;

    while (*command != '\0') {
        const int n = argument_length(command);

        if (at > next && at + n > REPORT_WIDTH - 2) {
            p3d_text_add(out, "\\\n");
            p3d_text_repeat(out, ' ', next);
            at = next;
        }
        p3d_text_append(out, command, (size_t)n);
        at += n;
        command += n;
    }
    p3d_text_add(out, "\n");
}

void report_wrap_labelled(
        const char *label, p3d_text *out, const char *fmt, ...)
{
    char text[LONGEST];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    report_paint_words(REPORT_HEAD, label, out);
    p3d_text_repeat(out, ' ', LABEL - (int)strlen(label));
    report_wrap(text, LABEL, REPORT_WIDTH, out);
}
