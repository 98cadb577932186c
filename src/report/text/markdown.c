/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.c - the text around tables, as Markdown. */
#include <string.h>

#include "report/data/format.h"

/* What the lines so far are in. */
typedef enum place { START, BETWEEN, FENCE, TABLE } place;

static void put_line(const char *line, size_t n, p3d_text *out)
{
    p3d_text_append(out, line, n);
    p3d_text_add(out, "\n");
}

/* The first line: what was found. */
static void put_headline(const char *line, size_t n, p3d_text *out)
{
    p3d_text_add(out, "**");
    for (size_t i = 0; i < n; i++) {
        if (strchr("*_<\\`", line[i]) != NULL)
            p3d_text_add(out, "\\");
        p3d_text_append(out, line + i, 1);
    }
    p3d_text_add(out, "**\n");
}

/* One line. Blank lines end a table; those at the ends of a fence go. */
static place add_line(
        const char *line, size_t n, place at, int *n_blank, p3d_text *out)
{
    const place to = n == 0 ? at : line[0] == '|' ? TABLE : FENCE;

    if (n == 0) {
        (*n_blank)++;
        return at == START ? START : at == TABLE ? BETWEEN : at;
    }
    if (at == START && to == FENCE) {
        put_headline(line, n, out);
        return BETWEEN;
    }
    if (at == FENCE && to == TABLE)
        p3d_text_add(out, "```\n");
    if (at == FENCE && to == FENCE)
        for (int i = 0; i < *n_blank; i++)
            p3d_text_add(out, "\n");
    if (at != START && at != to)
        p3d_text_add(out, "\n");
    if (at != FENCE && to == FENCE)
        p3d_text_add(out, "```text\n");
    put_line(line, n, out);
    *n_blank = 0;
    return to;
}

void report_markdown(p3d_text *text)
{
    p3d_text made = {.style = text->style, .failed = text->failed};
    const char *line = p3d_text_get(text);
    place at = START;
    int n_blank = 0;

    while (*line != '\0') {
        const size_t n = strcspn(line, "\n");

        at = add_line(line, n, at, &n_blank, &made);
        line += n + (line[n] == '\n');
    }
    if (at == FENCE)
        p3d_text_add(&made, "```\n");
    p3d_text_free(text);
    *text = made;
}
