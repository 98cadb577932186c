/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.c - what two texts differ in, as "diff -u" writes it. */
#include <string.h>

#include "exchange/rewrite/rewrite.h"

enum { LOOK_AHEAD = 200 /* lines until both are the same again */ };

/** A text and the line where it is. */
typedef struct side {
    const char *at;
    int line; /* from 1 */
} side;

static size_t line_length(const char *at)
{
    const size_t n = strcspn(at, "\n");

    return n + (at[n] == '\n');
}

static void step(side *s)
{
    s->at += line_length(s->at);
    s->line++;
}

static bool is_same(const char *a, const char *b)
{
    const size_t n = line_length(a);

    return n == line_length(b) && memcmp(a, b, n) == 0;
}

static const char *ahead(const char *at, int n)
{
    while (n-- > 0)
        at += line_length(at);
    return at;
}

/* The same from so many lines on: one that is not empty, or two. */
static bool is_end(const char *a, const char *b, int n_a, int n_b)
{
    const char *const x = ahead(a, n_a);
    const char *const y = ahead(b, n_b);

    return is_same(x, y) &&
           (*x == '\0' || x[0] != '\n' || is_same(ahead(x, 1), ahead(y, 1)));
}

/* How many lines differ on both sides until they are the same, the fewest
 * together. */
static void find_end(side a, side b, int *n_a, int *n_b)
{
    for (int sum = 1; sum < 2 * LOOK_AHEAD; sum++) {
        for (int k = 0; k <= sum; k++) { /* as many on both sides, if it can */
            const int i = sum / 2 + (k % 2 == 0 ? -(k / 2) : k / 2 + 1);

            if (i >= 0 && i <= sum && is_end(a.at, b.at, i, sum - i)) {
                *n_a = i;
                *n_b = sum - i;
                return;
            }
        }
    }
    *n_a = *n_b = LOOK_AHEAD;
}

static void put_lines(char mark, side *s, int n, p3d_text *out)
{
    for (; n > 0 && *s->at != '\0'; n--) {
        const size_t length = strcspn(s->at, "\n");

        p3d_text_append(out, &mark, 1);
        p3d_text_append(out, s->at, length);
        p3d_text_append(out, "\n", 1);
        if (s->at[length] == '\0')
            p3d_text_add(out, "\\ No newline at end of file\n");
        step(s);
    }
}

/** A run of lines that is shown. */
typedef struct hunk {
    p3d_text lines;
    side a, b; /* where it begins */
} hunk;

static void close_hunk(hunk *h, const side *a, const side *b, p3d_text *out)
{
    const int n_a = a->line - h->a.line, n_b = b->line - h->b.line;

    if (h->lines.length > 0) {
        p3d_text_add(out, "@@ -%d,%d +%d,%d @@\n",
                n_a > 0 ? h->a.line : h->a.line - 1, n_a,
                n_b > 0 ? h->b.line : h->b.line - 1, n_b);
        p3d_text_append(out, p3d_text_get(&h->lines), h->lines.length);
    }
    out->failed = out->failed || h->lines.failed;
    p3d_text_free(&h->lines);
}

/* Lines that are the same up to the next change; the end where none is. */
static int count_same(side a, side b)
{
    int n = 0;

    while (*a.at != '\0' && *b.at != '\0' && is_same(a.at, b.at)) {
        step(&a);
        step(&b);
        n++;
    }
    return n;
}

static void step_both(side *a, side *b, int n)
{
    for (; n > 0; n--) {
        step(a);
        step(b);
    }
}

void exchange_diff(const char *name, const char *before, const char *after,
        int n_context, p3d_text *out)
{
    side a = {before, 1}, b = {after, 1};
    hunk h = {.lines = {0}};

    p3d_text_add(out, "--- %s\n+++ %s\n", name, name);
    for (;;) {
        const int n = count_same(a, b);
        const bool ends = *ahead(a.at, n) == '\0' && *ahead(b.at, n) == '\0';
        const bool goes_on = h.lines.length > 0;
        int n_a, n_b;

        if (ends || !goes_on || n > 2 * n_context) {
            const int shown = n < n_context ? n : n_context;

            if (goes_on) {
                put_lines(' ', &a, shown, &h.lines);
                for (int i = 0; i < shown; i++)
                    step(&b);
                close_hunk(&h, &a, &b, out);
            }
            if (ends)
                return;
            step_both(&a, &b, count_same(a, b) - n_context);
            h.a = a;
            h.b = b;
        }
        for (int i = count_same(a, b); i > 0; i--) {
            put_lines(' ', &a, 1, &h.lines);
            step(&b);
        }
        find_end(a, b, &n_a, &n_b);
        put_lines('-', &a, n_a, &h.lines);
        put_lines('+', &b, n_b, &h.lines);
    }
}
