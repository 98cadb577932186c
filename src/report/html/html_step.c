/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_step.c - the time of a step, term behind term. */
#include <stdio.h>

#include "base/number.h"
#include "report/html/html.h"
#include "report/terms.h"
#include "report/text/text.h"

enum { ROW = 36, BAR = 14 };

/* Terms below this share of the step are drawn together. */
static const double least_frac = 0.0005;

/* Colours of c1, c5 and c6. */
typedef enum kind { COMPUTE = 1, SEND = 5, WAIT = 6 } kind;

static const kind kinds[REPORT_N_TIME_TERMS] = {
        [REPORT_TIME_gemm] = COMPUTE,
        [REPORT_TIME_attention] = COMPUTE,
        [REPORT_TIME_memory_pass] = COMPUTE,
        [REPORT_TIME_recompute] = COMPUTE,
        [REPORT_TIME_host] = WAIT,
        [REPORT_TIME_tp_comm] = SEND,
        [REPORT_TIME_cp_comm] = SEND,
        [REPORT_TIME_ep_comm] = SEND,
        [REPORT_TIME_pp_bubble] = WAIT,
        [REPORT_TIME_pp_comm] = SEND,
        [REPORT_TIME_dp_comm] = SEND,
        [REPORT_TIME_optimizer] = COMPUTE,
        [REPORT_TIME_offload] = SEND,
        [REPORT_TIME_straggler] = WAIT,
        [REPORT_TIME_fixed] = WAIT,
};

/** A bar of the waterfall. */
typedef struct bar {
    const char *words;
    kind kind;
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
    waterfall w = {.width_s = a->range.high_s > a->step_s ? a->range.high_s
                                                          : a->step_s};
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
        w.bars[w.n++] = (bar){"all the rest", WAIT, from_s, small_s};
    return w;
}

static void put_labels(
        const char *words, double term_s, double step_s, int y, p3d_text *out)
{
    char number[HTML_CELL], share[HTML_CELL];

    html_add(out,
            "<text y=\"%d\">%s</text><text class=\"end\" x=\"100%%\" "
            "y=\"%d\"><tspan class=\"strong\">%s</tspan><tspan "
            "class=\"share\">, %s</tspan></text>\n",
            y, words, y, report_step_words(number, sizeof(number), term_s),
            html_percent(share, term_s / step_s));
}

static void put_bar(
        const waterfall *w, const bar *b, double step_s, int y, p3d_text *out)
{
    put_labels(b->words, b->term_s, step_s, y + 12, out);
    html_add(out,
            "<rect class=\"track\" y=\"%d\" width=\"100%%\" height=\"%d\"/>"
            "<rect class=\"c%d\" x=\"%g%%\" y=\"%d\" width=\"%g%%\" "
            "height=\"%d\"/>\n",
            y + 17, BAR, (int)b->kind, 100 * b->from_s / w->width_s, y + 17,
            100 * b->term_s / w->width_s, BAR);
}

/* The whole step, and the span that most runs lie in. */
static void put_sum(
        const waterfall *w, const report_answer *a, int y, p3d_text *out)
{
    const double low = 100 * a->range.low_s / w->width_s;
    const double high = 100 * a->range.high_s / w->width_s;

    put_labels("one step", a->step_s, a->step_s, y + 12, out);
    html_add(out,
            "<rect class=\"sum\" y=\"%d\" width=\"%g%%\" height=\"%d\"/>\n"
            "<line class=\"range\" x1=\"%g%%\" x2=\"%g%%\" y1=\"%d\" "
            "y2=\"%d\"/>\n"
            "<line class=\"range\" x1=\"%g%%\" x2=\"%g%%\" y1=\"%d\" "
            "y2=\"%d\"/>\n"
            "<line class=\"range\" x1=\"%g%%\" x2=\"%g%%\" y1=\"%d\" "
            "y2=\"%d\"/>\n",
            y + 17, 100 * a->step_s / w->width_s, BAR, low, high, y + 40,
            y + 40, low, low, y + 36, y + 44, high, high, y + 36, y + 44);
}

static void put_table(const report_answer *a, p3d_text *out)
{
    const double step_s = a->step_s;

    html_table(out, "Every term of the step", "<term|time|of the step");
    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        const double term_s = report_time_term_s(&a->found.time, i);
        char number[HTML_CELL], share[HTML_CELL];

        html_row(out, (const char *const[]){report_time_terms[i].words,
                              report_step_words(number, sizeof(number), term_s),
                              html_percent(share, term_s / step_s), NULL});
    }
    html_table_end(out);
}

static double sum_of(const waterfall *w, kind which)
{
    double sum_s = 0;

    for (int i = 0; i < w->n; i++)
        sum_s += w->bars[i].kind == which ? w->bars[i].term_s : 0;
    return sum_s;
}

static void put_notes(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    char low[HTML_CELL], high[HTML_CELL], share[HTML_CELL];

    p3d_print_double(
            low, sizeof(low), 'f', unit.digits, a->range.low_s / unit.unit_s);
    p3d_print_double(high, sizeof(high), 'f', unit.digits,
            a->range.high_s / unit.unit_s);
    html_add(out,
            "<ul class=\"key\"><li><span class=\"swatch b1\"></span>computing"
            "</li><li><span class=\"swatch b5\"></span>communication that "
            "shows</li><li><span class=\"swatch b6\"></span>waiting</li></ul>\n"
            "<p class=\"quiet\">%d %% of runs should have steps of %s to %s %s "
            "(the thin line); of the constants the %s is the least sure, %s of "
            "the step.</p>\n",
            (int)(100 * a->range.confidence_frac + 0.5), low, high, unit.word,
            a->range.constants,
            html_percent(share, a->range.constants_error_frac));
}

void html_step(const report_page *page, p3d_text *out)
{
    const report_answer *const a = page->document->estimate;
    const waterfall w = collect(a);
    char computing[HTML_CELL], sending[HTML_CELL], waiting[HTML_CELL];
    char title[4 * HTML_CELL];

    html_percent(computing, sum_of(&w, COMPUTE) / a->step_s);
    html_percent(sending, sum_of(&w, SEND) / a->step_s);
    html_percent(waiting, sum_of(&w, WAIT) / a->step_s);
    snprintf(title, sizeof(title),
            "Computing takes %s of a step, communication %s, waiting %s",
            computing, sending, waiting);
    html_section(out, "step", "Time of a step", title);
    html_svg(out, "step", w.n * ROW + 50,
            "The terms of a step one behind the other, from the left to the "
            "right; the last bar is the whole step with the range of its "
            "error. The table below has the numbers.");
    for (int i = 0; i < w.n; i++)
        put_bar(&w, &w.bars[i], a->step_s, i * ROW, out);
    put_sum(&w, a, w.n * ROW, out);
    html_svg_end(out);
    put_notes(a, out);
    put_table(a, out);
    html_section_end(out);
}
