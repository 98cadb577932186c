/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_step.c - the time of a step, term behind term; what errors of constants
 * do to it. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/util.h"
#include "report/answer.h"
#include "report/html/html.h"
#include "report/text/spans.h"
#include "report/text/text.h"

enum { ROW = 36, BAR = 14 };

/* Terms below this share of the step are drawn together; swings below it are
 * not drawn. */
static const double least_frac = 0.0005;

/* A range that goes on beyond so many times the step is cut at the edge. */
static const double MOST_TIMES = 1.3;

static const html_colour kinds[REPORT_N_TIME_TERMS] = {
        [REPORT_TIME_gemm] = HTML_COMPUTING,
        [REPORT_TIME_attention] = HTML_COMPUTING,
        [REPORT_TIME_memory_pass] = HTML_COMPUTING,
        [REPORT_TIME_recompute] = HTML_COMPUTING,
        [REPORT_TIME_host] = HTML_WAITING,
        [REPORT_TIME_tp_comm] = HTML_COMMUNICATION,
        [REPORT_TIME_cp_comm] = HTML_COMMUNICATION,
        [REPORT_TIME_ep_comm] = HTML_COMMUNICATION,
        [REPORT_TIME_pp_bubble] = HTML_WAITING,
        [REPORT_TIME_pp_comm] = HTML_COMMUNICATION,
        [REPORT_TIME_dp_comm] = HTML_COMMUNICATION,
        [REPORT_TIME_optimizer] = HTML_OPTIMIZER,
        [REPORT_TIME_offload] = HTML_COMMUNICATION,
        [REPORT_TIME_straggler] = HTML_WAITING,
        [REPORT_TIME_fixed] = HTML_WAITING,
};

/** A bar of the waterfall. */
typedef struct bar {
    const char *words;
    html_colour kind;
    double from_s;
    double term_s;
} bar;

/** The drawing: its bars, and the seconds of its whole width. */
typedef struct waterfall {
    int n;
    bar bars[REPORT_N_TIME_TERMS + 1];
    double width_s;
} waterfall;

static waterfall collect(const report_answer *a)
{
    waterfall w = {.width_s = fmax(a->step_s,
                           fmin(a->range.high_s, MOST_TIMES * a->step_s))};
    double from_s = 0, small_s = 0;

    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        const double term_s = report_time_term_s(&a->found.time, i);

        if (term_s <= least_frac * a->step_s) {
            small_s += term_s;
            continue;
        }
        w.bars[w.n++] =
                (bar){report_time_terms[i].words, kinds[i], from_s, term_s};
        from_s += term_s;
    }
    if (small_s > 0)
        w.bars[w.n++] = (bar){"all the rest", HTML_WAITING, from_s, small_s};
    return w;
}

static void put_labels(
        const char *words, double term_s, double step_s, int y, p3d_text *out)
{
    html_add(out,
            "<text y=\"%d\">%s</text><text class=\"end\" x=\"100%%\" "
            "y=\"%d\"><tspan class=\"strong\">%s</tspan><tspan "
            "class=\"share\">, %s</tspan></text>\n",
            y, report_say(out->style, words), y, report_step_words(term_s).text,
            html_percent(out->style, term_s / step_s).text);
}

static void put_bar(
        const waterfall *w, const bar *b, double step_s, int y, p3d_text *out)
{
    put_labels(b->words, b->term_s, step_s, y + 12, out);
    html_add(out,
            "<rect class=\"track\" y=\"%d\" width=\"100%%\" height=\"%d\"/>"
            "<rect class=\"%s\" x=\"%g%%\" y=\"%d\" width=\"%g%%\" "
            "height=\"%d\"/>\n",
            y + 17, BAR, html_class(b->kind), 100 * b->from_s / w->width_s,
            y + 17, 100 * b->term_s / w->width_s, BAR);
}

/* The whole step, and the span that most runs lie in. */
static void put_sum(
        const waterfall *w, const report_answer *a, int y, p3d_text *out)
{
    const double low = 100 * a->range.low_s / w->width_s;
    const double high = fmin(100, 100 * a->range.high_s / w->width_s);
    const bool is_cut = a->range.high_s > w->width_s;

    put_labels("one step", a->step_s, a->step_s, y + 12, out);
    html_add(out,
            "<rect class=\"sum\" y=\"%d\" width=\"%g%%\" height=\"%d\"/>\n"
            "<line class=\"range\" x1=\"%g%%\" x2=\"%g%%\" y1=\"%d\" "
            "y2=\"%d\"/>\n"
            "<line class=\"range\" x1=\"%g%%\" x2=\"%g%%\" y1=\"%d\" "
            "y2=\"%d\"/>\n",
            y + 17, 100 * a->step_s / w->width_s, BAR, low, high, y + 40,
            y + 40, low, low, y + 36, y + 44);
    if (!is_cut)
        html_add(out,
                "<line class=\"range\" x1=\"%g%%\" x2=\"%g%%\" y1=\"%d\" "
                "y2=\"%d\"/>\n",
                high, high, y + 36, y + 44);
}

static void put_table(const report_answer *a, p3d_text *out)
{
    const double step_s = a->step_s;

    html_table(out, "Every term of the step", "<term|time|of the step");
    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        const double term_s = report_time_term_s(&a->found.time, i);

        html_row(out,
                (const char *const[]){report_time_terms[i].words,
                        report_step_words(term_s).text,
                        html_percent(out->style, term_s / step_s).text, NULL});
    }
    html_table_end(out);
}

static double sum_of(const waterfall *w, html_colour which)
{
    double sum_s = 0;

    for (int i = 0; i < w->n; i++)
        sum_s += w->bars[i].kind == which ? w->bars[i].term_s : 0;
    return sum_s;
}

static void put_notes(const waterfall *w, const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    const report_span step = report_step_span(a);

    html_add(out, "<ul class=\"key\">\n");
    html_key(out, HTML_COMPUTING, "computing");
    if (sum_of(w, HTML_OPTIMIZER) > 0)
        html_key(out, HTML_OPTIMIZER, "optimizer");
    html_key(out, HTML_COMMUNICATION, "exposed communication");
    html_key(out, HTML_WAITING, "waiting");
    html_add(out,
            "</ul>\n<p class=\"quiet\">The thin line: steps of %s to %s %s in "
            "%s of runs. Of the constants the %s is the least sure, %s of "
            "the step.</p>\n",
            step.low.text, step.high.text, unit.word,
            REPORT_WORDS("%.0f %%", 100 * a->range.confidence_frac).text,
            report_say(out->style, a->range.constants),
            html_percent(out->style, a->range.constants_error_frac).text);
}

void html_step(const report_page *page, p3d_text *out)
{
    const report_answer *const a = page->document->estimate;
    const waterfall w = collect(a);
    char title[4 * HTML_CELL];

    snprintf(title, sizeof(title),
            report_say(out->style, "Computing takes %s of a step, "
                                   "communication %s, waiting %s"),
            html_percent(out->style,
                    (sum_of(&w, HTML_COMPUTING) + sum_of(&w, HTML_OPTIMIZER)) /
                            a->step_s)
                    .text,
            html_percent(out->style, sum_of(&w, HTML_COMMUNICATION) / a->step_s)
                    .text,
            html_percent(out->style, sum_of(&w, HTML_WAITING) / a->step_s)
                    .text);
    html_section(out, "step", "Time of a step", title);
    html_svg(out, "step", w.n * ROW + 50,
            "The terms of a step one behind the other, from the left to the "
            "right; the last bar is the whole step with the range of its "
            "error. The table below has the numbers.");
    for (int i = 0; i < w.n; i++)
        put_bar(&w, &w.bars[i], a->step_s, i * ROW, out);
    put_sum(&w, a, w.n * ROW, out);
    html_svg_end(out);
    put_notes(&w, a, out);
    put_table(a, out);
    html_section_end(out);
}

/* Errors of constants. */

enum { SWING_ROW = 38, MOST_BARS = 8 };

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
static report_words change(p3d_style style, double at_s, double step_s)
{
    const double percent = 100 * (at_s / step_s - 1);

    return REPORT_WORDS(report_say(style, "%s%s %%"), percent < 0 ? "-" : "+",
            html_number(2, fabs(percent)).text);
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

static void put_swing(const report_swing *s, double step_s, double most_s,
        int y, p3d_text *out)
{
    const double low = 50 + 50 * (s->low_s - step_s) / most_s;
    const double high = 50 + 50 * (s->high_s - step_s) / most_s;

    html_add(out,
            "<text y=\"%d\">%s</text><text class=\"end quiet\" x=\"100%%\" "
            "y=\"%d\">%s, %s</text>\n"
            "<rect class=\"track\" y=\"%d\" width=\"100%%\" height=\"%d\"/>\n"
            "<rect class=\"swing\" x=\"%g%%\" y=\"%d\" width=\"%g%%\" "
            "height=\"%d\"/>"
            "<rect class=\"swing\" x=\"50%%\" y=\"%d\" width=\"%g%%\" "
            "height=\"%d\"/>\n",
            y + 12, report_say(out->style, s->name), y + 12,
            change(out->style, s->low_s, step_s).text,
            change(out->style, s->high_s, step_s).text, y + 17, BAR, low,
            y + 17, 50 - low, BAR, y + 17, high - 50, BAR);
}

static void put_swings(const report_page *page, p3d_text *out)
{
    const double step_s = page->document->estimate->step_s;
    const double most_s = widest_s(page, step_s);
    const int n = n_drawn(page);

    html_svg(out, "swings", n * SWING_ROW + 4,
            "A bar for each group of constants: how much shorter and longer "
            "the step is when they are wrong by their standard error. The "
            "table below has the numbers.");
    for (int i = 0; i < n; i++)
        put_swing(swing_at(page, i), step_s, most_s, i * SWING_ROW, out);
    html_add(out,
            "<line class=\"limit\" x1=\"50%%\" x2=\"50%%\" y1=\"15\" "
            "y2=\"%d\"/>\n",
            n * SWING_ROW);
    html_svg_end(out);
}

static void put_swings_table(const report_page *page, p3d_text *out)
{
    const double step_s = page->document->estimate->step_s;

    html_table(out, "Every group of constants, and how to measure it",
            "<constants|error|step, lower|step, higher|<to know them");
    for (int i = 0; i < page->swings.n; i++) {
        const report_swing *const s = swing_at(page, i);

        html_row(out, (const char *const[]){s->name,
                              html_percent(out->style, s->sigma).text,
                              change(out->style, s->low_s, step_s).text,
                              change(out->style, s->high_s, step_s).text,
                              s->measure, NULL});
    }
    html_table_end(out);
}

void html_swings(const report_page *page, p3d_text *out)
{
    const double step_s = page->document->estimate->step_s;
    char title[4 * HTML_CELL];

    if (page->swings.n == 0 || n_drawn(page) == 0)
        return;
    snprintf(title, sizeof(title),
            report_say(
                    out->style, "The largest error: %s, %s to %s of the step"),
            report_say(out->style, swing_at(page, 0)->name),
            change(out->style, swing_at(page, 0)->low_s, step_s).text,
            change(out->style, swing_at(page, 0)->high_s, step_s).text);
    html_fold(out, "swings", "How sure the step is", title);
    put_swings(page, out);
    html_add(out, "<p class=\"quiet\">The step of this plan when one group of "
                  "constants is lower or higher by its standard error. Whether "
                  "another plan is then the fastest, <code>plan3d explain ... "
                  "sensitivity</code> says; it takes longer.</p>\n");
    put_swings_table(page, out);
    html_fold_end(out);
}
