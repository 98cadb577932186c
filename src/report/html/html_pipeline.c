/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_pipeline.c - the simulated step in time, a row for each pipeline
 * rank. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/util.h"
#include "report/html/html.h"
#include "report/text/text.h"
#include "report/trace/trace.h"

/* Passes that are drawn, about, and rows at most. */
enum { MOST_PASSES = 480, MOST_ROWS = 12, ROW = 26, BAR = 20 };

/* Widths of the drawing: all of it, and each end where the middle is left
 * out. */
static const double WIDTH = 100000, END_WIDTH = 49000;

/** What of the step is drawn: all, or as much of its begin as of its end. */
typedef struct window {
    double all_s;
    double end_s; /* of each end; 0 = all is drawn */
} window;

/** The drawing. */
typedef struct gantt {
    const trace_step *step;
    const report_answer *answer;
    window window;
    report_clock clock;
    p3d_text *out;
} gantt;

static bool is_drawn(const gantt *g, int rank)
{
    const int n = g->step->parts.pipeline.p;
    const int each = (n + MOST_ROWS - 1) / MOST_ROWS;

    return rank % each == 0 || rank == n - 1;
}

static int n_drawn(const gantt *g)
{
    int n = 0;

    for (int i = 0; i < g->step->parts.pipeline.p; i++)
        n += is_drawn(g, i);
    return n;
}

static window choose_window(const gantt *g)
{
    window w = {.all_s = trace_step_end_s(g->step)};
    int64_t n_passes = 0;

    for (int i = 0; i < g->step->parts.pipeline.p; i++)
        n_passes += is_drawn(g, i) ? g->step->line.n_spans[i] : 0;
    if (n_passes > MOST_PASSES)
        w.end_s = w.all_s * MOST_PASSES / (double)n_passes / 2;
    return w;
}

static double place(const window *w, double at_s)
{
    if (w->end_s == 0)
        return WIDTH * at_s / w->all_s;
    if (at_s <= w->end_s)
        return END_WIDTH * at_s / w->end_s;
    if (at_s >= w->all_s - w->end_s)
        return WIDTH - END_WIDTH * (w->all_s - at_s) / w->end_s;
    return at_s < w->all_s / 2 ? END_WIDTH : WIDTH - END_WIDTH;
}

/** A bar: its colour, from when to when, and what it is. */
typedef struct bar {
    html_colour colour;
    double start_s;
    double end_s;
    const char *words;
} bar;

static void put_bar(const gantt *g, int y, const bar *b)
{
    const double from = place(&g->window, b->start_s);
    const double to = place(&g->window, b->end_s);

    if (to - from < 1)
        return;
    html_add(g->out,
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" "
            "height=\"%d\"><title>%s, %s to %s %s</title></rect>\n",
            html_class(b->colour), (int)from, y, (int)(to - from), BAR,
            b->words,
            html_number(g->clock.digits, b->start_s / g->clock.unit_s).text,
            html_number(g->clock.digits, b->end_s / g->clock.unit_s).text,
            g->clock.word);
}

/* Colours, and words for a pass of a micro-batch. */
static const struct {
    html_colour colour;
    const char *words;
} kinds[] = {[COST_FORWARD] = {HTML_COMPUTING, "forward"},
        [COST_BACKWARD] = {HTML_BACKWARD, "backward"},
        [COST_BACKWARD_INPUT] = {HTML_BACKWARD, "backward of inputs"},
        [COST_BACKWARD_WEIGHT] = {HTML_WEIGHTS_BACK, "backward of weights"}};

static void put_pass(const gantt *g, int y, const cost_span *span)
{
    const cost_task *const t = &span->task;
    char words[HTML_CELL];

    if (g->step->parts.pipeline.v > 1)
        snprintf(words, sizeof(words),
                report_say(g->out->style, "%s of micro-batch %d, chunk %d"),
                report_say(g->out->style, kinds[t->kind].words), t->micro_batch,
                t->chunk);
    else
        snprintf(words, sizeof(words),
                report_say(g->out->style, "%s of micro-batch %d"),
                report_say(g->out->style, kinds[t->kind].words),
                t->micro_batch);
    put_bar(g, y,
            &(bar){kinds[t->kind].colour, span->start_s, span->end_s, words});
}

/* What a rank does once, after its passes. */
static void put_once(const gantt *g, int rank, int y)
{
    const cost_rank_time *const t = &g->step->parts.ranks[rank];
    double at_s = cost_timeline_done_s(
            &g->step->line, &g->step->parts.pipeline, rank);
    const struct {
        double duration_s;
        html_colour colour;
        const char *words;
    } rows[] = {{t->dp_s, HTML_COMMUNICATION,
                        "exposed data-parallel communication"},
            {t->optimizer_s, HTML_OPTIMIZER, "optimizer step"},
            {t->offload_s, HTML_COMMUNICATION, "exposed CPU offload"}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const double end_s = at_s + rows[i].duration_s;

        put_bar(g, y,
                &(bar){rows[i].colour, at_s, end_s,
                        report_say(g->out->style, rows[i].words)});
        at_s = end_s;
    }
}

static void put_rank(const gantt *g, int rank, int row)
{
    const cost_span *const spans =
            cost_timeline_rank(&g->step->line, &g->step->parts.pipeline, rank);

    html_add(g->out,
            "<rect class=\"waiting\" y=\"%d\" width=\"100000\" "
            "height=\"%d\"/>\n",
            row * ROW, BAR);
    for (int64_t i = 0; i < g->step->line.n_spans[rank]; i++)
        put_pass(g, row * ROW, &spans[i]);
    put_once(g, rank, row * ROW);
}

/* Moments under the drawing: its ends, and those of what is left out. */
static void put_times(const gantt *g, int y)
{
    const window *const w = &g->window;
    const struct {
        const char *anchor;
        double x;
        double at_s;
    } rows[] = {{"start", 0, 0}, {"end", 48.5, w->end_s},
            {"start", 51.5, w->all_s - w->end_s}, {"end", 100, w->all_s}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {

        if (w->end_s == 0 && (i == 1 || i == 2))
            continue;
        html_add(g->out,
                "<text class=\"%s quiet\" x=\"%g%%\" y=\"%d\">%s</text>\n",
                rows[i].anchor, rows[i].x, y,
                rows[i].at_s > 0 ? report_step_words(rows[i].at_s).text
                                 : "0 s");
    }
}

static void put_drawing(const gantt *g)
{
    const int n = n_drawn(g);
    int row = 0;

    html_svg(g->out, "pipeline", n * ROW + 20,
            "Each row is a pipeline rank, the time runs to the right: passes "
            "forward and backward of micro-batches, and where there is "
            "nothing, waiting. The table below has the sums.");
    html_add(g->out,
            "<svg viewBox=\"0 0 100000 %d\" preserveAspectRatio=\"none\" "
            "width=\"100%%\" height=\"%d\">\n",
            n * ROW, n * ROW);
    for (int i = 0; i < g->step->parts.pipeline.p; i++)
        if (is_drawn(g, i))
            put_rank(g, i, row++);
    if (g->window.end_s > 0)
        html_add(g->out,
                "<rect class=\"gap\" x=\"49000\" width=\"2000\" "
                "height=\"%d\"/>\n",
                n * ROW);
    html_add(g->out, "</svg>\n");
    put_times(g, n * ROW + 12);
    html_svg_end(g->out);
}

static void put_figure(const gantt *g)
{
    html_add(g->out,
            "<div class=\"zoom\" role=\"group\" aria-label=\"Zoom\" hidden>"
            "<button type=\"button\" data-zoom=\"0.5\">Zoom out</button>"
            "<button type=\"button\" data-zoom=\"2\">Zoom in</button>"
            "<button type=\"button\" data-zoom=\"0\">Whole</button></div>\n"
            "<div class=\"gantt\"><ul aria-hidden=\"true\">\n");
    for (int i = 0; i < g->step->parts.pipeline.p; i++)
        if (is_drawn(g, i))
            html_add(g->out, "<li>rank %d</li>\n", i);
    html_add(g->out, "</ul>\n<div class=\"pan\" tabindex=\"0\" "
                     "role=\"region\" aria-label=\"The step in time; the arrow "
                     "keys move it when it is zoomed\">\n<div>\n");
    put_drawing(g);
    html_add(g->out, "</div></div></div>\n"
                     "<p class=\"readout\" aria-live=\"polite\" hidden>Point "
                     "at a pass, or touch it.</p>\n");
}

/* Seconds of a rank's passes; two that run as one are one. */
static double busy_s(const gantt *g, int rank)
{
    const cost_span *const spans =
            cost_timeline_rank(&g->step->line, &g->step->parts.pipeline, rank);
    const int64_t n = g->step->line.n_spans[rank];
    double sum_s = 0;

    for (int64_t i = 0; i < n; i++)
        if (i == 0 || !spans[i - 1].task.with_next)
            sum_s += spans[i].end_s - spans[i].start_s;
    return sum_s;
}

static void put_table(const gantt *g)
{
    html_table(g->out, "What every rank does",
            "<rank|passes|in passes|once a step|waiting");
    for (int i = 0; i < g->step->parts.pipeline.p; i++) {
        const double work_s = busy_s(g, i);
        const double once_s = cost_once_s(&g->step->parts.ranks[i]);
        char rank[HTML_CELL], passes[HTML_CELL];

        snprintf(rank, sizeof(rank), report_say(g->out->style, "rank %d"), i);
        snprintf(passes, sizeof(passes), "%lld",
                (long long)g->step->line.n_spans[i]);
        html_row(g->out,
                (const char *const[]){rank, passes,
                        report_step_words(work_s).text,
                        report_step_words(once_s).text,
                        report_step_words(
                                fmax(0, g->window.all_s - work_s - once_s))
                                .text,
                        NULL});
    }
    html_table_end(g->out);
}

/* The colours that are there. */
static void put_key(const gantt *g)
{
    const bool splits =
            p3d_schedule_splits_backward(g->answer->found.plan.schedule);
    const p3d_time *const t = &g->answer->found.time;

    html_add(g->out, "<ul class=\"key\">\n");
    html_key(g->out, HTML_COMPUTING, "computing: forward");
    html_key(g->out, HTML_BACKWARD,
            splits ? "computing: backward of inputs" : "computing: backward");
    if (splits)
        html_key(g->out, HTML_WEIGHTS_BACK, "computing: backward of weights");
    if (t->dp_comm_s > 0 || t->offload_s > 0)
        html_key(g->out, HTML_COMMUNICATION,
                t->offload_s > 0 ? "communication, also with the host"
                                 : "data-parallel communication");
    html_key(g->out, HTML_OPTIMIZER, "optimizer");
    html_key(g->out, HTML_WAITING, "waiting");
    html_add(g->out, "</ul>\n");
}

static void put_section(gantt *g)
{
    const report_answer *const a = g->answer;
    char title[2 * HTML_CELL];

    if (g->answer->found.plan.pp == 1)
        snprintf(title, sizeof(title),
                report_say(g->out->style,
                        "Without a pipeline no GPU waits for another stage"));
    else
        snprintf(title, sizeof(title),
                report_say(g->out->style,
                        "The pipeline of %d ranks is empty for %s of the step"),
                g->answer->found.plan.pp,
                html_percent(
                        g->out->style, a->found.time.pp_bubble_s / a->step_s)
                        .text);
    html_fold(g->out, "pipeline", "The step in time, as simulated", title);
    put_figure(g);
    put_key(g);
    if (g->window.end_s > 0)
        html_add(g->out, "<p class=\"quiet\">The begin and the end of the step "
                         "are drawn; between them it goes on alike.</p>\n");
    if (n_drawn(g) < g->answer->found.plan.pp)
        html_add(g->out,
                "<p class=\"quiet\">%d of %d ranks are drawn; the "
                "table has all.</p>\n",
                n_drawn(g), g->answer->found.plan.pp);
    put_table(g);
    html_fold_end(g->out);
}

/* A step with too many passes to simulate has a line that says so. Memory that
 * runs out fails the page. */
void html_pipeline(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    p3d_error cause = {0};
    gantt g = {.answer = d->estimate,
            .clock = report_clock_for(d->estimate->step_s),
            .out = out};
    trace_step *const step =
            trace_step_create(&d->question.problem, &d->estimate->found.plan,
                    d->estimate->found.n_micro_batches, &cause);

    if (step == NULL) {
        out->failed = out->failed || cause.code == P3D_SYSTEM;
        html_fold(out, "pipeline", "The step in time", "Not simulated");
        html_add(out, "<p>%s</p>\n",
                report_say_made(out->style, cause.text).text);
        html_fold_end(out);
        return;
    }
    g.step = step;
    g.window = choose_window(&g);
    put_section(&g);
    trace_step_destroy(step);
}
