/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_swings.c - what errors of constants do to the step of the plan. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/util.h"
#include "report/html/html.h"
#include "report/text/text.h"

enum { ROW = 38, BAR = 14, MOST_BARS = 8 };

/* Swings below this share of the step are not drawn. */
static const double least_frac = 0.0005;

static const report_swing *swing_at(const report_page *page, int i)
{
    return (const report_swing *)page->swings.items + i;
}

static int n_drawn(const report_page *page)
{
    const double step_s = page->document->estimate->step_s;
    int n = 0;

    while (n < page->swings.n && n < MOST_BARS &&
            swing_at(page, n)->high_s - swing_at(page, n)->low_s >
                    least_frac * step_s)
        n++;
    return n;
}

/* "-2.1 %" */
static const char *change(char cell[HTML_CELL], double at_s, double step_s)
{
    char digits[HTML_CELL - 8];
    const double percent = 100 * (at_s / step_s - 1);

    p3d_print_double(digits, sizeof(digits), 'f', 2, fabs(percent));
    snprintf(cell, HTML_CELL, "%s%s %%", percent < 0 ? "-" : "+", digits);
    return cell;
}

/* The largest change, up or down. */
static double widest_s(const report_page *page, double step_s)
{
    double most_s = 0;

    for (int i = 0; i < n_drawn(page); i++)
        most_s = fmax(most_s, fmax(step_s - swing_at(page, i)->low_s,
                                      swing_at(page, i)->high_s - step_s));
    return most_s;
}

static void put_bar(const report_swing *s, double step_s, double most_s, int y,
        p3d_text *out)
{
    const double low = 50 + 50 * (s->low_s - step_s) / most_s;
    const double high = 50 + 50 * (s->high_s - step_s) / most_s;
    char down[HTML_CELL], up[HTML_CELL];

    html_add(out,
            "<text y=\"%d\">%s</text><text class=\"end quiet\" x=\"100%%\" "
            "y=\"%d\">%s, %s</text>\n"
            "<rect class=\"track\" y=\"%d\" width=\"100%%\" height=\"%d\"/>\n"
            "<rect class=\"c4\" x=\"%g%%\" y=\"%d\" width=\"%g%%\" "
            "height=\"%d\"/>"
            "<rect class=\"c5\" x=\"50%%\" y=\"%d\" width=\"%g%%\" "
            "height=\"%d\"/>\n",
            y + 12, s->name, y + 12, change(down, s->low_s, step_s),
            change(up, s->high_s, step_s), y + 17, BAR, low, y + 17, 50 - low,
            BAR, y + 17, high - 50, BAR);
}

static void put_figure(const report_page *page, p3d_text *out)
{
    const double step_s = page->document->estimate->step_s;
    const double most_s = widest_s(page, step_s);
    const int n = n_drawn(page);

    html_svg(out, "swings", n * ROW + 4,
            "A bar for each group of constants: how much shorter and longer "
            "the step is when they are wrong by their standard error. The "
            "table below has the numbers.");
    for (int i = 0; i < n; i++)
        put_bar(swing_at(page, i), step_s, most_s, i * ROW, out);
    html_add(out,
            "<line class=\"limit\" x1=\"50%%\" x2=\"50%%\" y1=\"15\" "
            "y2=\"%d\"/>\n",
            n * ROW);
    html_svg_end(out);
}

static void put_table(const report_page *page, p3d_text *out)
{
    const double step_s = page->document->estimate->step_s;

    html_table(out, "Every group of constants, and how to measure it",
            "<constants|error|step, lower|step, higher|<to know them");
    for (int i = 0; i < page->swings.n; i++) {
        const report_swing *const s = swing_at(page, i);
        char error[HTML_CELL], down[HTML_CELL], up[HTML_CELL];

        html_row(out,
                (const char *const[]){s->name, html_percent(error, s->sigma),
                        change(down, s->low_s, step_s),
                        change(up, s->high_s, step_s), s->measure, NULL});
    }
    html_table_end(out);
}

void html_swings(const report_page *page, p3d_text *out)
{
    const double step_s = page->document->estimate->step_s;
    char title[4 * HTML_CELL], up[HTML_CELL], down[HTML_CELL];

    if (page->swings.n == 0 || n_drawn(page) == 0)
        return;
    snprintf(title, sizeof(title),
            "The largest error: %s, %s to %s of the step",
            swing_at(page, 0)->name,
            change(down, swing_at(page, 0)->low_s, step_s),
            change(up, swing_at(page, 0)->high_s, step_s));
    html_section(out, "swings", "How sure the step is", title);
    put_figure(page, out);
    html_add(out, "<p class=\"quiet\">The step of this plan when one group of "
                  "constants is lower or higher by its standard error. Whether "
                  "another plan is then the fastest, <code>plan3d explain ... "
                  "sensitivity</code> says; it takes longer.</p>\n");
    put_table(page, out);
    html_section_end(out);
}
