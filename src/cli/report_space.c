/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_space.c - the plans around that of a page: the best for each number
 * of tensor-parallel and pipeline ranks, and which are on the front. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "plan3d/pareto.h"

/* Numbers of ranks that are worth a row or a column. */
static bool is_usual(int n, int least)
{
    return n <= least || (n & (n - 1)) == 0;
}

/* Numbers of ranks of one kind that are shown. */
typedef struct ranks {
    int most;  /* of them */
    int least; /* up to here, each number is worth it */
    int own;   /* of the plan, whatever it is */
    int room;  /* for so many numbers */
} ranks;

/* Divisors of the GPUs up to the most, and the plan's own. */
static int list_ranks(int n_gpus, ranks of, int *out)
{
    int n = 0;

    for (int i = 1; i <= n_gpus && n < of.room; i++) {
        if (i == of.own ||
                (n_gpus % i == 0 && i <= of.most && is_usual(i, of.least)))
            out[n++] = i;
    }
    return n;
}

static void set_cell(const p3d_search_result *found, report_cell *cell)
{
    const p3d_estimate *const best = cli_best_or_closest(found);

    cell->legal = found->n_plans > 0;
    cell->fits = found->n_top > 0;
    if (!cell->legal) {
        if (found->empty.rule != NULL)
            p3d_copy(cell->rule, sizeof(cell->rule), found->empty.rule);
        p3d_copy(cell->reason, sizeof(cell->reason), found->empty.reason);
        return;
    }
    p3d_plan_print(&best->plan, cell->words, sizeof(cell->words));
    cell->step_s = cell->fits ? p3d_time_step_s(&best->time) : 0;
    cell->missing_bytes = report_missing_bytes(best);
}

static void add_point(
        cli_page *page, const char *words, double step_s, int64_t margin_bytes)
{
    report_point *const points = page->points;
    int *const n = &page->page.points.n;

    for (int i = 0; i < *n; i++)
        if (strcmp(points[i].words, words) == 0)
            return;
    points[*n] = (report_point){.step_s = step_s, .margin_bytes = margin_bytes};
    p3d_copy(points[(*n)++].words, REPORT_PLAN, words);
}

static void add_estimate(cli_page *page, const p3d_estimate *estimate)
{
    char words[REPORT_PLAN];

    p3d_plan_print(&estimate->plan, words, sizeof(words));
    add_point(page, words, p3d_time_step_s(&estimate->time),
            p3d_estimate_margin_bytes(estimate));
}

static bool add_cell(cli_page *page, int tp, int pp, p3d_error *err)
{
    const p3d_search_options options = {.n_top = 1, .cache = page->cache};
    report_cell *const cell = &page->cells[page->page.cells.n];
    p3d_pins pins = p3d_pins_free();

    pins.tp = tp;
    pins.pp = pp;
    if (!p3d_search_with(&page->question->question.problem, &pins, &options,
                page->other, err) ||
            !cli_goes_on("before the page was made", err))
        return false;
    *cell = (report_cell){.tp = tp, .pp = pp};
    set_cell(page->other, cell);
    page->page.cells.n++;
    if (cell->fits)
        add_estimate(page, &page->other->top[0]);
    return true;
}

static bool add_cells(cli_page *page, p3d_error *err)
{
    const p3d_problem *const problem = &page->question->question.problem;
    const p3d_plan *const plan = &page->estimate.plan;
    const int n_gpus = problem->cluster.n_gpus;
    int tps[CLI_MOST_TP], pps[CLI_MOST_PP];
    const ranks of_tp = {.most = 2 * problem->cluster.node.gpus_per_node,
            .least = 8,
            .own = plan->tp,
            .room = CLI_MOST_TP};
    const ranks of_pp = {.most = problem->model.n_layers,
            .least = 12,
            .own = plan->pp,
            .room = CLI_MOST_PP};
    const int n_tps = list_ranks(n_gpus, of_tp, tps);
    const int n_pps = list_ranks(n_gpus, of_pp, pps);

    page->page.cells.items = page->cells;
    for (int i = 0; i < n_tps; i++)
        for (int k = 0; k < n_pps; k++)
            if (!add_cell(page, tps[i], pps[k], err))
                return false;
    return true;
}

static int compare_points(const void *a, const void *b)
{
    const report_point *const x = a, *const y = b;

    if (x->step_s != y->step_s)
        return x->step_s < y->step_s ? -1 : 1;
    if (x->margin_bytes != y->margin_bytes)
        return x->margin_bytes > y->margin_bytes ? -1 : 1;
    return strcmp(x->words, y->words);
}

static bool mark_front(report_point *points, int n, p3d_error *err)
{
    double values[2 * P3D_COUNT_OF(((cli_page *)NULL)->points)] = {0};
    bool on_front[P3D_COUNT_OF(((cli_page *)NULL)->points)];

    for (int i = 0; i < n; i++) {
        values[2 * i] = points[i].step_s;
        values[2 * i + 1] = -(double)points[i].margin_bytes;
    }
    if (!p3d_pareto_front(n, 2, values, on_front, err))
        return false;
    for (int i = 0; i < n; i++)
        points[i].on_front = on_front[i];
    return true;
}

bool cli_page_space(cli_page *page, p3d_error *err)
{
    page->page.points.items = page->points;
    if (page->estimate.fits)
        add_estimate(page, &page->estimate);
    for (int i = 0; i < page->search->n_top; i++)
        add_estimate(page, &page->search->top[i]);
    if (!add_cells(page, err))
        return false;
    qsort(page->points, (size_t)page->page.points.n, sizeof(page->points[0]),
            compare_points);
    return page->page.points.n == 0 ||
           mark_front(page->points, page->page.points.n, err);
}
