/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_scale.c - other numbers of GPUs, and other values of constants. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "study/sweep.h"

/* Days and cost as a sweep has them. */
static bool train(const p3d_problem *problem, const p3d_estimate *best,
        report_scale *to, p3d_error *err)
{
    p3d_sweep_row row = {.n_gpus = problem->cluster.n_gpus};

    if (!study_sweep_train(problem, best, &row, err))
        return false;
    to->billion_tokens_usd = row.billion_tokens_usd;
    to->training_s = row.training_s;
    to->training_usd = row.training_usd;
    return true;
}

static bool set_scale(const p3d_problem *problem,
        const p3d_search_result *found, report_scale *to, p3d_error *err)
{
    const p3d_estimate *const best = cli_best_or_closest(found);

    to->legal = found->n_plans > 0;
    to->fits = found->n_top > 0;
    if (!to->legal) {
        p3d_copy(to->reason, sizeof(to->reason), found->empty.reason);
        return true;
    }
    p3d_plan_print(&best->plan, to->words, sizeof(to->words));
    to->missing_bytes = report_missing_bytes(best);
    if (!to->fits)
        return true;
    to->step_s = p3d_time_step_s(&best->time);
    to->tokens_per_s = best->tokens_per_s;
    return train(problem, best, to, err);
}

/* A number of GPUs that fills no nodes is left out. */
static bool add_scale(cli_page *page, int n_gpus, p3d_error *err)
{
    const p3d_search_options options = {.n_top = 1, .cache = page->cache};
    const p3d_pins pins = p3d_pins_free();
    p3d_problem problem = page->question->question.problem;
    report_scale *const to = &page->scales[page->page.scales.n];

    const bool is_asked = n_gpus == problem.cluster.n_gpus;

    if (!is_asked && !p3d_cluster_resize(&problem.cluster, n_gpus, NULL))
        return true;
    *to = (report_scale){.n_gpus = n_gpus};
    page->page.scales.n++;
    if (is_asked)
        return set_scale(&problem, page->search, to, err);
    return p3d_search_with(&problem, &pins, &options, page->other, err) &&
           cli_goes_on("before the page was made", err) &&
           set_scale(&problem, page->other, to, err);
}

/* Against the speed of a GPU of the asked cluster or, where nothing fits
 * there, of the smallest on which something does. */
static void set_efficiency(report_scale *scales, int n, int asked)
{
    double usual = 0;

    for (int i = n - 1; i >= 0; i--)
        if (scales[i].fits && (usual == 0 || scales[i].n_gpus >= asked))
            usual = scales[i].tokens_per_s / scales[i].n_gpus;
    for (int i = 0; i < n; i++)
        if (scales[i].fits)
            scales[i].efficiency_frac =
                    scales[i].tokens_per_s / scales[i].n_gpus / usual;
}

bool cli_page_scales(cli_page *page, p3d_error *err)
{
    static const double factors[CLI_N_SCALES] = {0.25, 0.5, 1, 2, 4};
    const int asked = page->question->question.problem.cluster.n_gpus;

    page->page.scales.items = page->scales;
    for (int i = 0; i < CLI_N_SCALES; i++) {
        const double n_gpus = factors[i] * asked;

        if (n_gpus == floor(n_gpus) && n_gpus <= P3D_MAX_GPUS &&
                !add_scale(page, (int)n_gpus, err))
            return false;
    }
    set_efficiency(page->scales, page->page.scales.n, asked);
    return true;
}

static double step_with(
        const cli_page *page, p3d_constant constant, double factor)
{
    p3d_factors factors = p3d_factors_one();
    p3d_problem problem;
    p3d_estimate estimate;

    factors.of[constant] = factor;
    problem = p3d_problem_scaled(&page->question->question.problem, &factors);
    if (!p3d_estimate_plan(&problem, &page->estimate.plan, &estimate, NULL))
        return p3d_time_step_s(&page->estimate.time);
    return p3d_time_step_s(&estimate.time);
}

static int compare_swings(const void *a, const void *b)
{
    const report_swing *const x = a, *const y = b;
    const double more = (y->high_s - y->low_s) - (x->high_s - x->low_s);

    return more > 0 ? 1 : more < 0 ? -1 : strcmp(x->name, y->name);
}

void cli_page_swings(cli_page *page)
{
    const p3d_problem *const problem = &page->question->question.problem;

    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        const p3d_constant constant = (p3d_constant)i;
        const double sigma = p3d_constant_sigma(problem, constant);

        page->swings[i] =
                (report_swing){.name = p3d_constant_of(constant)->name,
                        .measure = p3d_constant_of(constant)->measure,
                        .sigma = sigma,
                        .low_s = step_with(page, constant, exp(-sigma)),
                        .high_s = step_with(page, constant, exp(sigma))};
    }
    qsort(page->swings, P3D_N_CONSTANTS, sizeof(page->swings[0]),
            compare_swings);
    page->page.swings = (report_list){page->swings, P3D_N_CONSTANTS};
}
