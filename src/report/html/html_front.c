/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_front.c - plans that fit: step time against free memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "report/html/html.h"
#include "report/text/text.h"

enum { HEIGHT = 320, TOP = 28, BOTTOM = 52, N_LINES = 4, MOST_ROWS = 40 };

/* Plans that take longer than so many times the fastest are not drawn. */
static const double MOST_TIMES = 1.12;

/** What is drawn: the corners of the plane. */
typedef struct plane {
    const report_page *page;
    double first_s, last_s;
    double top_gib;
} plane;

static const report_point *point_at(const report_page *page, int i)
{
    return (const report_point *)page->points.items + i;
}

/* The step that is drawn last: with the plan of the page, whatever it takes. */
static double most_s(const report_page *page)
{
    const report_answer *const own = page->document->estimate;
    const double usual_s = MOST_TIMES * point_at(page, 0)->step_s;

    return own->found.fits ? fmax(usual_s, own->step_s) : usual_s;
}

/* The points are sorted by step time. */
static int n_drawn(const report_page *page)
{
    const double last_s = most_s(page);
    int n = 0;

    while (n < page->points.n && point_at(page, n)->step_s <= last_s)
        n++;
    return n;
}

static plane plane_of(const report_page *page)
{
    const int n = n_drawn(page);
    plane p = {.page = page,
            .first_s = point_at(page, 0)->step_s,
            .last_s = point_at(page, n - 1)->step_s,
            .top_gib = 1};

    for (int i = 0; i < n; i++)
        p.top_gib =
                fmax(p.top_gib, report_gib(point_at(page, i)->margin_bytes));
    if (p.last_s < 1.01 * p.first_s)
        p.last_s = 1.01 * p.first_s;
    return p;
}

/* Percent from the left, pixels from the top. */
static double x_of(const plane *p, double step_s)
{
    return 3 + 80 * (step_s - p->first_s) / (p->last_s - p->first_s);
}

static double y_of(const plane *p, double margin_gib)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * margin_gib / p->top_gib;
}

static void put_axes(const plane *p, p3d_text *out)
{
    for (int i = 0; i < N_LINES; i++) {
        const double at_gib = p->top_gib * i / (N_LINES - 1);
        const double y = y_of(p, at_gib);

        html_add(out,
                "<line class=\"grid\" x2=\"100%%\" y1=\"%g\" y2=\"%g\"/>"
                "<text class=\"quiet end\" x=\"100%%\" y=\"%g\">%s GiB</text>"
                "\n",
                y, y, y - 4, html_number(1, at_gib).text);
    }
    html_add(out, "<text class=\"quiet\" x=\"3%%\" y=\"%d\">%s</text>\n",
            HEIGHT - 10, report_step_words(p->first_s).text);
    html_add(out,
            "<text class=\"quiet end\" x=\"83%%\" y=\"%d\">%s per step</text>"
            "\n",
            HEIGHT - 10, report_step_words(p->last_s).text);
}

static bool is_own(const plane *p, const report_point *point)
{
    return strcmp(point->words, p->page->document->estimate->words) == 0;
}

static void put_point(const plane *p, const report_point *point, p3d_text *out)
{
    html_add(out,
            "<circle class=\"%s\" cx=\"%g%%\" cy=\"%g\" r=\"%d\"><title>%s: "
            "%s, %s GiB free</title></circle>\n",
            is_own(p, point)  ? "own"
            : point->on_front ? "front"
                              : "dot",
            x_of(p, point->step_s), y_of(p, report_gib(point->margin_bytes)),
            is_own(p, point) ? 7 : 5, point->words,
            report_step_words(point->step_s).text,
            html_gib(point->margin_bytes).text);
}

/* What the two ends of the front are, beside them. */
static void put_label(
        const plane *p, const report_point *point, int above, p3d_text *out)
{
    const double x = x_of(p, point->step_s);

    html_add(out,
            "<text class=\"%s strong halo\" x=\"%g%%\" y=\"%g\" dx=\"%d\">"
            "%s, %s GiB</text>\n",
            x > 50 ? "end" : "start", x,
            y_of(p, report_gib(point->margin_bytes)) - above, 0,
            report_step_words(point->step_s).text,
            html_gib(point->margin_bytes).text);
}

/* From each point of the front to the next one: free memory grows in steps. */
static void put_front(const plane *p, int n, p3d_text *out)
{
    const report_point *last = NULL;

    for (int i = 0; i < n; i++) {
        const report_point *const at = point_at(p->page, i);

        if (!at->on_front)
            continue;
        if (last != NULL)
            html_add(out,
                    "<line class=\"frontier\" x1=\"%g%%\" y1=\"%g\" "
                    "x2=\"%g%%\" y2=\"%g\"/>"
                    "<line class=\"frontier\" x1=\"%g%%\" y1=\"%g\" "
                    "x2=\"%g%%\" y2=\"%g\"/>\n",
                    x_of(p, last->step_s),
                    y_of(p, report_gib(last->margin_bytes)),
                    x_of(p, at->step_s),
                    y_of(p, report_gib(last->margin_bytes)),
                    x_of(p, at->step_s),
                    y_of(p, report_gib(last->margin_bytes)),
                    x_of(p, at->step_s), y_of(p, report_gib(at->margin_bytes)));
        last = at;
    }
}

/* The plan that leaves the most memory, of those that are drawn. */
static const report_point *roomiest(const report_page *page)
{
    const report_point *best = point_at(page, 0);

    for (int i = 1; i < n_drawn(page); i++)
        if (point_at(page, i)->margin_bytes > best->margin_bytes)
            best = point_at(page, i);
    return best;
}

static void put_figure(const report_page *page, p3d_text *out)
{
    const plane p = plane_of(page);
    const int n = n_drawn(page);

    html_svg(out, "front", HEIGHT,
            "Each point is a plan that fits: to the left the faster ones, "
            "above those that leave more memory free. The line joins the plans "
            "that no other one beats in both. The table below has the "
            "numbers.");
    put_axes(&p, out);
    put_front(&p, n, out);
    for (int i = n - 1; i >= 0; i--)
        put_point(&p, point_at(page, i), out);
    put_label(&p, point_at(page, 0), -20, out);
    if (roomiest(page) != point_at(page, 0))
        put_label(&p, roomiest(page), 6, out);
    html_svg_end(out);
}

static void put_table(const report_page *page, p3d_text *out)
{
    html_table(out, "Plans on the front", "<plan|step|GiB free");
    for (int i = 0, n = 0; i < page->points.n && n < MOST_ROWS; i++) {
        const report_point *const p = point_at(page, i);

        if (!p->on_front)
            continue;
        html_row(out, (const char *const[]){p->words,
                              report_step_words(p->step_s).text,
                              html_gib(p->margin_bytes).text, NULL});
        n++;
    }
    html_table_end(out);
}

void html_front(const report_page *page, p3d_text *out)
{
    char title[4 * HTML_CELL];
    const report_point *fastest, *most_free;

    if (page->points.n < 2)
        return;
    fastest = point_at(page, 0);
    most_free = roomiest(page);
    snprintf(title, sizeof(title),
            most_free == fastest
                    ? "The fastest plan also leaves the most memory, %s GiB"
                    : "The fastest sure plan leaves %s GiB free; %s GiB take "
                      "%s "
                      "longer",
            html_gib(fastest->margin_bytes).text,
            html_gib(most_free->margin_bytes).text,
            html_percent(most_free->step_s / fastest->step_s - 1).text);
    html_section(out, "front", "Speed against free memory", title);
    put_figure(page, out);
    html_add(out,
            "<ul class=\"key\"><li><span class=\"swatch b1\"></span>the plan "
            "of this page</li><li><span class=\"swatch b4\"></span>no other is "
            "as fast with as much free</li></ul>\n<p class=\"quiet\">The "
            "fastest plans of the search, and the best of each pair of tensor "
            "and pipeline ranks; %d of %d are drawn, the others are "
            "slower.</p>\n",
            n_drawn(page), page->points.n);
    put_table(page, out);
    html_section_end(out);
}
