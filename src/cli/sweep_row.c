/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_row.c - one combination of a sweep: its problem, search and row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "base/util.h"
#include "cli/question.h"
#include "cli/sweep.h"

static const double s_per_h = 3600;

void cli_sweep_cluster_word(
        const cli_sweep_point *point, char word[CLI_CLUSTER_WORD])
{
    if (point->n_gpus == 0)
        (void)p3d_copy(word, CLI_CLUSTER_WORD, point->cluster->word);
    else
        snprintf(word, CLI_CLUSTER_WORD, "%lldx%.70s", (long long)point->n_gpus,
                point->cluster->word);
}

bool cli_sweep_problem(const cli_sweep_work *sweep,
        const cli_sweep_point *point, p3d_problem *out, p3d_error *err)
{
    cli_args args = *sweep->args;

    *out = (p3d_problem){
            .model = sweep->axes.model, .cluster = point->cluster->cluster};
    args.seq_len = point->seq_len;
    args.global_batch = point->global_batch;
    args.framework = point->framework[0] != '\0' ? point->framework : NULL;
    args.usd_per_gpu_h = point->cluster->usd_per_gpu_h;
    if (point->n_gpus > 0 &&
            !p3d_cluster_resize(&out->cluster, (int)point->n_gpus, err))
        return false;
    return cli_job_begin(&args, out, err);
}

bool cli_sweep_choose(const cli_sweep_work *sweep, const cli_sweep_point *point,
        double limit_s, p3d_problem *problem, p3d_error *err)
{
    const p3d_framework_list among = p3d_frameworks_current();
    const p3d_search_options options = {
            .n_top = 1, .limit_s = limit_s > 0 ? limit_s : HUGE_VAL};
    p3d_framework_ranking ranking;

    return !cli_is_any_framework(point->framework) ||
           (p3d_rank_frameworks(
                    problem, &sweep->pins, &among, &options, &ranking, err) &&
                   p3d_take_first_framework(&ranking, problem, err));
}

bool cli_sweep_train(const p3d_problem *problem, const p3d_estimate *estimate,
        report_sweep_row *row, p3d_error *err)
{
    const p3d_cluster *cluster = &problem->cluster;
    p3d_training t;
    int n_gpus;

    row->billion_tokens_usd = report_billion_tokens_usd(problem, estimate);
    if (problem->job.n_tokens == 0)
        return true;
    if (!p3d_training_find(problem, estimate, &t, err))
        return false;
    row->never_ends = !t.progresses;
    if (row->never_ends)
        return true;
    n_gpus = cluster->n_gpus + t.n_spare_nodes * cluster->node.gpus_per_node;
    row->training_s = t.real_s;
    row->goodput_frac = t.goodput_frac;
    row->training_gpu_h = t.real_s * n_gpus / s_per_h;
    row->training_usd = t.rent_usd + t.energy_usd + t.purchase_usd;
    row->training_kwh = t.energy_kwh;
    return true;
}

static void set_plan(const p3d_estimate *estimate, report_sweep_row *row)
{
    row->best = estimate->plan;
    p3d_plan_print(&estimate->plan, row->plan_words, sizeof(row->plan_words));
    row->peak_bytes = p3d_memory_device_bytes(&estimate->memory);
    row->usable_bytes = estimate->usable_bytes;
    row->margin_bytes = p3d_estimate_margin_bytes(estimate);
    row->missing_bytes = report_missing_bytes(estimate);
}

/* All GPUs are paid for, those that wait too. */
static bool set_rates(const p3d_problem *problem, const cli_sweep_found *found,
        report_sweep_row *row, p3d_error *err)
{
    const p3d_estimate *estimate = &found->estimate;
    const int n_gpus = problem->cluster.n_gpus;

    row->fits = true;
    row->legal = true;
    row->idle_gpus = n_gpus - found->n_gpus;
    row->step_s = p3d_time_step_s(&estimate->time);
    row->tokens_per_s = estimate->tokens_per_s;
    row->tokens_per_s_per_gpu = estimate->tokens_per_s / n_gpus;
    row->mfu_frac = estimate->mfu_frac * found->n_gpus / n_gpus;
    return cli_sweep_train(problem, estimate, row, err);
}

/* Longer than what is kept of it: the end may be cut. */
static void set_refusal(const p3d_refusal *empty, report_sweep_row *row)
{
    char words[2 * REPORT_LINE];

    if (empty->rule == NULL)
        snprintf(words, sizeof(words),
                "no plan divides this model, batch and number of GPUs (with "
                "the values of --pin, if any)");
    else
        snprintf(words, sizeof(words), "%s: %s", empty->rule, empty->reason);
    (void)p3d_copy(row->refusal_words, sizeof(row->refusal_words), words);
}

/* Search the whole cluster. */
static bool find_in_all(cli_sweep_work *sweep, const p3d_problem *problem,
        cli_sweep_found *best, report_sweep_row *row, p3d_error *err)
{
    p3d_search_result *const result = sweep->result;
    const p3d_search_options options = {.n_top = 1, .cache = sweep->cache};

    if (!p3d_search_with(problem, &sweep->pins, &options, result, err))
        return false;
    *best = (cli_sweep_found){.fits = result->n_top > 0,
            .n_gpus = problem->cluster.n_gpus,
            .n_plans = result->n_plans,
            .framework = problem->job.framework,
            .estimate = *cli_best_or_closest(result)};
    row->legal = result->n_plans > 0;
    row->framework = problem->job.framework->name;
    if (!row->legal)
        set_refusal(&result->empty, row);
    if (best->fits || result->have_closest)
        set_plan(&best->estimate, row);
    return true;
}

/* What refuses every framework is as a rule that empties the space. */
static bool find_any_in_all(cli_sweep_work *sweep, const cli_sweep_point *point,
        p3d_problem *problem, cli_sweep_found *best, report_sweep_row *row,
        p3d_error *err)
{
    p3d_error cause = {.code = P3D_OK};

    if (cli_sweep_choose(sweep, point, 0, problem, &cause))
        return find_in_all(sweep, problem, best, row, err);
    if (cause.code != P3D_DATA)
        return p3d_fail(err, cause.code, "%s", cause.text);
    (void)p3d_copy(row->refusal_words, sizeof(row->refusal_words), cause.text);
    return true;
}

/* Search the cluster and, with --idle, what is smaller than it. */
static bool find(cli_sweep_work *sweep, const cli_sweep_point *point,
        p3d_problem *problem, report_sweep_row *row, p3d_error *err)
{
    cli_sweep_found best = {.fits = false};

    if (!find_any_in_all(sweep, point, problem, &best, row, err))
        return false;
    if (sweep->args->idle &&
            !cli_sweep_leave_idle(sweep, point, problem, &best, err))
        return false;
    row->n_plans = best.n_plans;
    if (!best.fits)
        return true;
    row->refusal_words[0] = '\0';
    row->framework = best.framework->name;
    p3d_job_use(
            &problem->job, best.framework, &problem->model, &problem->cluster);
    set_plan(&best.estimate, row);
    return set_rates(problem, &best, row, err);
}

/* What is known before the search. */
static report_sweep_row begin_row(
        const cli_sweep_point *point, const p3d_problem *problem)
{
    report_sweep_row row = {
            .type = point->cluster->word,
            .gpu = point->cluster->cluster.gpu.name,
            .n_gpus = point->n_gpus > 0 ? (int)point->n_gpus
                                        : problem->cluster.n_gpus,
            .seq_len = (int)point->seq_len,
            .global_batch = point->global_batch,
            .any_framework = cli_is_any_framework(point->framework),
            .usd_per_gpu_h = point->cluster->usd_per_gpu_h,
    };

    if (problem->job.framework != NULL) {
        row.n_nodes = problem->cluster.n_nodes;
        row.seq_len = problem->job.seq_len;
        row.global_batch = problem->job.global_batch;
        row.framework = cli_is_any_framework(point->framework)
                                ? point->framework
                                : problem->job.framework->name;
    }
    cli_sweep_cluster_word(point, row.cluster);
    return row;
}

bool cli_sweep_add_row(
        cli_sweep_work *sweep, const cli_sweep_point *point, p3d_error *err)
{
    p3d_problem problem;
    p3d_error cause = {0};
    const bool legal = cli_sweep_problem(sweep, point, &problem, &cause);
    report_sweep_row row = begin_row(point, &problem);

    if (!legal && cause.code != P3D_DATA)
        return p3d_fail(err, cause.code, "%s", cause.text);
    if (!legal)
        (void)p3d_copy(
                row.refusal_words, sizeof(row.refusal_words), cause.text);
    else if (!find(sweep, point, &problem, &row, err))
        return false;
    if (!p3d_stopped())
        sweep->rows[sweep->n_rows++] = row;
    return true;
}
