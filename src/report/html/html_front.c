/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_front.c - plans that fit: step time against free memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "report/html/html.h"
#include "report/text/text.h"

enum { HEIGHT = 300, TOP = 28, BOTTOM = 46, N_LINES = 4, MOST_ROWS = 40 };

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

/* What stays free of what a program sees, as everywhere on the page: with what
 * --reserve keeps. */
static int64_t free_bytes(const report_page *page, const report_point *point)
{
    const report_document *const d = page->document;

    return point->margin_bytes + d->cluster->gpu.visible_memory_bytes -
           d->estimate->found.usable_bytes;
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
        p.top_gib = fmax(
                p.top_gib, report_gib(free_bytes(page, point_at(page, i))));
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

static double height_of(const plane *p, const report_point *point)
{
    return y_of(p, report_gib(free_bytes(p->page, point)));
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
            HEIGHT - 22, report_step_words(p->first_s).text);
    html_add(out,
            "<text class=\"quiet end\" x=\"83%%\" y=\"%d\">%s per step</text>"
            "\n",
            HEIGHT - 22, report_step_words(p->last_s).text);
}

static bool is_own(const plane *p, const report_point *point)
{
    return strcmp(point->words, p->page->document->estimate->words) == 0;
}

/* One of the plans to choose from; NULL = none of them. */
static const char *role_of(const plane *p, const report_point *point)
{
    const report_document *const d = p->page->document;

    if (d->recommended == NULL)
        return NULL;
    if (strcmp(point->words, d->recommended->words) == 0)
        return "recommended";
    if (strcmp(point->words, d->fastest->words) == 0)
        return "fastest";
    return strcmp(point->words, d->roomiest->words) == 0 ? "roomiest" : NULL;
}

/* Classes are on two things: the front, and how sure a plan is to fit. */
static void put_point(const plane *p, const report_point *point, p3d_text *out)
{
    const report_words numbers = REPORT_WORDS(
            report_say(out->style, "%s, %s GiB free, %s"),
            report_step_words(point->step_s).text,
            html_gib(free_bytes(p->page, point)).text,
            report_sure_words(point->fit_probability_frac, out->style).text);
    char words[REPORT_PLAN + 2 * HTML_CELL];

    snprintf(words, sizeof(words), "%s: %s", numbers.text, point->words);
    html_tip(out, point->on_front, words);
    html_add(out, "<circle class=\"%s%s\" cx=\"%g%%\" cy=\"%g\" r=\"%d\"/>",
            is_own(p, point)  ? "own"
            : point->on_front ? "front"
                              : "dot",
            point->sure ? "" : " unsure", x_of(p, point->step_s),
            height_of(p, point), is_own(p, point) ? 7 : 5);
    html_tip_end(out, HEIGHT, words);
}

/* The name of a plan to choose from, beside it. */
static void put_label(const plane *p, const report_point *point, p3d_text *out)
{
    const char *const role = role_of(p, point);
    const double x = x_of(p, point->step_s);
    const double y = height_of(p, point);

    if (role != NULL)
        html_add(out,
                "<text class=\"%s strong halo\" x=\"%g%%\" y=\"%g\" "
                "dx=\"%d\">%s</text>\n",
                x > 50 ? "end" : "start", x, y + 5, x > 50 ? -11 : 11,
                report_say(out->style, role));
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
                    x_of(p, last->step_s), height_of(p, last),
                    x_of(p, at->step_s), height_of(p, last),
                    x_of(p, at->step_s), height_of(p, last),
                    x_of(p, at->step_s), height_of(p, at));
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

    html_svg(out, "front", HEIGHT + HTML_HINT,
            "Each point is a plan that fits: to the left the faster ones, "
            "above those that leave more memory free. The line joins the plans "
            "that no other point beats in both. The table below has the "
            "numbers.");
    html_hint(out, HEIGHT, "Point at a plan, or touch it.");
    put_axes(&p, out);
    put_front(&p, n, out);
    for (int i = n - 1; i >= 0; i--)
        put_point(&p, point_at(page, i), out);
    for (int i = 0; i < n; i++)
        put_label(&p, point_at(page, i), out);
    html_svg_end(out);
}

static void put_table(const report_page *page, p3d_text *out)
{
    html_table(out, "Pareto-optimal plans", "step|GiB free|<to fit|<plan");
    for (int i = 0, n = 0; i < page->points.n && n < MOST_ROWS; i++) {
        const report_point *const p = point_at(page, i);

        if (!p->on_front)
            continue;
        html_row(out,
                (const char *const[]){report_step_words(p->step_s).text,
                        html_gib(free_bytes(page, p)).text,
                        report_sure_words(p->fit_probability_frac, out->style)
                                .text,
                        p->words, NULL});
        n++;
    }
    html_table_end(out);
}

static bool has_unsure(const report_page *page)
{
    for (int i = 0; i < n_drawn(page); i++)
        if (!point_at(page, i)->sure)
            return true;
    return false;
}

static void put_key(const report_page *page, p3d_text *out)
{
    html_add(out,
            "<ul class=\"key\"><li><span class=\"swatch round own\"></span>"
            "the plan of this page</li>\n<li><span class=\"swatch round "
            "front\"></span>Pareto-optimal: no other point is faster with as "
            "much free, or as fast with more</li>\n");
    if (has_unsure(page))
        html_add(out, "<li><span class=\"swatch round front unsure\"></span>"
                      "less sure to fit than was asked for</li>\n");
    html_add(out,
            "</ul>\n<p class=\"quiet\">The fastest sure plans, the best of "
            "each pair of tensor and pipeline ranks, and the plans to choose "
            "from.</p>\n");
    if (n_drawn(page) < page->points.n)
        html_add(out,
                "<p class=\"quiet\">%d of %d plans are drawn, the others are "
                "slower.</p>\n",
                n_drawn(page), page->points.n);
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
            report_say(out->style,
                    most_free == fastest
                            ? "The fastest plan also leaves the most memory, "
                              "%s GiB"
                            : "The fastest plan leaves %s GiB free; %s GiB "
                              "take %s longer"),
            html_number(1, report_gib(free_bytes(page, fastest))).text,
            html_number(1, report_gib(free_bytes(page, most_free))).text,
            html_percent(out->style, most_free->step_s / fastest->step_s - 1)
                    .text);
    html_section(out, "front", "Speed against free memory", title);
    put_figure(page, out);
    put_key(page, out);
    put_table(page, out);
    html_section_end(out);
}
