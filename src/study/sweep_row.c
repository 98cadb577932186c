/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_row.c - one combination of a sweep: its place on the axes, problem,
 * search and row. */
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tasks.h"
#include "base/util.h"
#include "calibrate/training.h"
#include "plan3d/best_framework.h"
#include "plan3d/range.h"
#include "plan3d/training.h"
#include "spec/hardware.h"

static const double s_per_h = 3600;

int64_t study_axes_n_jobs(const study_axes *axes)
{
    return (int64_t)axes->n_clusters * axes->n_frameworks * axes->seq_lens.n *
           axes->batches.n;
}

const study_cluster *study_axes_cluster(const study_axes *axes, int64_t i)
{
    return &axes->clusters[i / axes->batches.n / axes->seq_lens.n /
                           axes->n_frameworks];
}

/* The last axis changes first. */
p3d_sweep_point study_axes_job(const study_axes *axes, int64_t i)
{
    const int64_t batch = i % axes->batches.n;
    const int64_t seq = i / axes->batches.n % axes->seq_lens.n;
    const int64_t rest = i / axes->batches.n / axes->seq_lens.n;

    return (p3d_sweep_point){
            .cluster = study_axes_cluster(axes, i)->of,
            .framework = axes->frameworks[rest % axes->n_frameworks],
            .seq_len = axes->seq_lens.at[seq],
            .global_batch = axes->batches.at[batch],
    };
}

double study_sweep_cost(const p3d_sweep_row *row)
{
    return row->training_usd > 0 ? row->training_usd : row->training_gpu_h;
}

/* "64xH100" */
static void print_cluster(
        const p3d_sweep_point *point, char word[P3D_SWEEP_WORD])
{
    if (point->n_gpus == 0)
        (void)p3d_copy(word, P3D_SWEEP_WORD, point->cluster->word);
    else
        (void)spec_cluster_print(point->cluster->word, (int)point->n_gpus,
                point->cluster->unit, word, P3D_SWEEP_WORD);
}

bool study_sweep_next(const study_sweep *sweep, int64_t i, int64_t n,
        const p3d_sweep_point *point)
{
    const p3d_sweep_options *const options = sweep->options;
    char word[P3D_SWEEP_WORD];

    print_cluster(point, word);
    return options->next == NULL || options->next(options->context, i, n, word);
}

static bool is_any(const p3d_sweep_point *point)
{
    return p3d_same_word(point->framework, P3D_ANY_FRAMEWORK);
}

/* The job of all rows, for one of them. */
static bool complete_job(const p3d_job *shared, const p3d_sweep_point *point,
        p3d_problem *out, p3d_error *err)
{
    p3d_job job = *shared;
    p3d_refusal refusal = {0};

    if (point->seq_len > 0)
        job.seq_len = (int)point->seq_len;
    if (point->global_batch > 0)
        job.global_batch = point->global_batch;
    job.usd_per_gpu_h = point->cluster->usd_per_gpu_h;
    if (is_any(point)) /* a stand-in until another is chosen */
        job.framework = NULL;
    else if (point->framework[0] != '\0') {
        job.framework = p3d_framework_find(point->framework);
        if (job.framework == NULL)
            return p3d_fail(err, P3D_USAGE, "unknown framework '%.60s'",
                    point->framework);
    }
    p3d_job_default(&job, &out->model, &out->cluster);
    out->job = job;
    return is_any(point) ||
           p3d_job_runs(&out->model, &out->cluster, &out->job, &refusal) ||
           p3d_fail(err, P3D_DATA, "%s", refusal.reason);
}

static bool complete(study_sweep *sweep, const p3d_sweep_point *point,
        p3d_problem *out, p3d_error *err)
{
    const p3d_sweep_options *const options = sweep->options;
    bool ok;

    if (options->complete == NULL)
        return complete_job(&options->job, point, out, err);
    (void)pthread_mutex_lock(&sweep->completing);
    ok = options->complete(options->context, point, out, err);
    (void)pthread_mutex_unlock(&sweep->completing);
    return ok;
}

bool study_sweep_problem(study_sweep *sweep, const p3d_sweep_point *point,
        p3d_problem *out, p3d_error *err)
{
    *out = (p3d_problem){.model = *sweep->options->model,
            .cluster = point->cluster->cluster};
    if (point->n_gpus > 0 &&
            !p3d_cluster_resize(&out->cluster, (int)point->n_gpus, err))
        return false;
    return complete(sweep, point, out, err);
}

static const p3d_pins *pins_of(
        const study_sweep *sweep, const p3d_sweep_point *point)
{
    const p3d_pins *const own = point->cluster->pins;

    return own != NULL ? own : &sweep->pins;
}

bool study_sweep_choose_framework(const study_sweep *sweep,
        const p3d_sweep_point *point, double limit_s, p3d_problem *problem,
        p3d_error *err)
{
    const p3d_framework_list among =
            p3d_frameworks_current(&problem->cluster.gpu);
    const p3d_ranking_options options = {
            .among = &among, .limit_s = limit_s > 0 ? limit_s : HUGE_VAL};
    p3d_framework_ranking ranking;

    return !is_any(point) ||
           (p3d_rank_frameworks(
                    problem, pins_of(sweep, point), &options, &ranking, err) &&
                   p3d_take_first_framework(&ranking, problem, err));
}

/* If nothing fails. All GPUs of the cluster are paid for. */
static double billion_tokens_usd(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    return 1e9 / estimate->tokens_per_s * problem->job.usd_per_gpu_h *
           problem->cluster.n_gpus / s_per_h;
}

/* One end of the ranges; the job's days where it has tokens. */
static bool set_end(const p3d_problem *problem, const p3d_estimate *estimate,
        double step_s, p3d_sweep_end *out, p3d_error *err)
{
    p3d_training t = {.progresses = false};

    if (problem->job.n_tokens > 0 &&
            !p3d_training_at(problem, estimate, step_s, &t, err))
        return false;
    *out = (p3d_sweep_end){.step_s = step_s,
            .training_s = t.real_s,
            .training_kwh = t.energy_kwh,
            .training_gpu_h = t.gpu_h,
            .training_usd = t.total_usd,
            .billion_tokens_usd = t.billion_tokens_usd};
    return true;
}

/* Rates where steps take so many times as long. */
static void set_rates_at(
        const p3d_sweep_row *row, double slower, p3d_sweep_end *out)
{
    out->tokens_per_s = row->tokens_per_s / slower;
    out->tokens_per_s_per_gpu = row->tokens_per_s_per_gpu / slower;
    out->mfu_frac = row->mfu_frac / slower;
}

static bool set_ends(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_row *row, p3d_error *err)
{
    const p3d_range range = p3d_step_range(problem, estimate);
    const double slow = range.high_s / row->step_s;
    const double fast = range.low_s / row->step_s;

    if (!set_end(problem, estimate, range.low_s, &row->low, err) ||
            !set_end(problem, estimate, range.median_s, &row->median, err) ||
            !set_end(problem, estimate, range.high_s, &row->high, err))
        return false;
    set_rates_at(row, slow, &row->low);
    set_rates_at(row, range.median_s / row->step_s, &row->median);
    set_rates_at(row, fast, &row->high);
    if (problem->job.n_tokens == 0) {
        row->low.billion_tokens_usd = row->billion_tokens_usd * fast;
        row->high.billion_tokens_usd = row->billion_tokens_usd * slow;
    }
    return true;
}

bool study_sweep_train(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_row *row, p3d_error *err)
{
    p3d_training t;

    row->billion_tokens_usd = billion_tokens_usd(problem, estimate);
    row->n_tokens = problem->job.n_tokens;
    if (problem->job.n_tokens == 0)
        return true;
    if (!p3d_training_find(problem, estimate, &t, err))
        return false;
    row->billion_tokens_usd = t.billion_tokens_usd;
    row->never_ends = !t.progresses;
    if (row->never_ends)
        return true;
    row->training_s = t.real_s;
    row->goodput_frac = t.goodput_frac;
    row->training_gpu_h = t.gpu_h;
    row->training_usd = t.total_usd;
    row->training_kwh = t.energy_kwh;
    return true;
}

double study_sweep_peak_step_s(const p3d_problem *problem)
{
    const p3d_job *job = &problem->job;
    const p3d_cluster *cluster = &problem->cluster;

    return p3d_model_flop_per_token(&problem->model, job) *
           p3d_job_tokens(job) /
           (p3d_gpu_peak_flop_per_s(&cluster->gpu, job->dtype) *
                   (double)cluster->n_gpus) *
           fmin(1, p3d_anchor_step_factor(&job->anchor));
}

/* The best plan that was found for a point. */
typedef struct found {
    bool fits;
    int n_gpus; /* that it uses */
    int64_t n_plans;
    const p3d_framework *framework;
    p3d_estimate estimate;
    p3d_recommendation choices; /* where it fits */
} found;

/* The search of one point. */
typedef struct attempt {
    const study_bench *bench;
    const p3d_sweep_point *point;
    p3d_problem problem; /* of the whole cluster */
    found best;
    p3d_sweep_row row;
} attempt;

static void set_plan(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_row *row)
{
    const int64_t margin_bytes = p3d_estimate_margin_bytes(estimate);

    row->best = estimate->plan;
    p3d_plan_print(&estimate->plan, row->plan_words, sizeof(row->plan_words));
    row->peak_bytes = p3d_memory_device_bytes(&estimate->memory);
    row->usable_bytes = estimate->usable_bytes;
    row->margin_bytes = margin_bytes;
    row->missing_bytes = margin_bytes < 0 ? -margin_bytes : 0;
    row->verdict = p3d_estimate_verdict(estimate);
    row->fit_probability_frac =
            p3d_peak_probability_frac(problem, row->peak_bytes);
}

static void set_choice(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_choice *out)
{
    out->found = estimate->plan;
    p3d_plan_print(&estimate->plan, out->plan_words, sizeof(out->plan_words));
    out->step_s = p3d_time_step_s(&estimate->time);
    out->margin_bytes = p3d_estimate_margin_bytes(estimate);
    out->fit_probability_frac = p3d_peak_probability_frac(
            problem, p3d_memory_device_bytes(&estimate->memory));
}

/* All GPUs are paid for, those that wait too. */
static bool set_rates(attempt *a, p3d_error *err)
{
    const p3d_estimate *estimate = &a->best.estimate;
    const int n_gpus = a->problem.cluster.n_gpus;
    p3d_sweep_row *const row = &a->row;

    row->fits = true;
    row->legal = true;
    row->idle_gpus = n_gpus - a->best.n_gpus;
    row->step_s = p3d_time_step_s(&estimate->time);
    row->tokens_per_s = estimate->tokens_per_s;
    row->tokens_per_s_per_gpu = estimate->tokens_per_s / n_gpus;
    row->mfu_frac = estimate->mfu_frac * a->best.n_gpus / n_gpus;
    return study_sweep_train(&a->problem, estimate, row, err) &&
           set_ends(&a->problem, estimate, row, err);
}

/* Longer than what is kept of it: the end may be cut. */
static void set_refusal(const p3d_refusal *empty, p3d_sweep_row *row)
{
    (void)p3d_copy(row->refusal_words, sizeof(row->refusal_words),
            empty->rule != NULL
                    ? empty->reason
                    : "no plan divides this model, batch and number of GPUs "
                      "(with the values of --pin, if any)");
}

double study_sweep_step_limit_s(const p3d_problem *p, double training_s)
{
    return training_s > 0 && isfinite(training_s)
                   ? training_s * p3d_job_tokens(&p->job) / p->job.n_tokens
                   : 0;
}

double study_sweep_real_step_limit_s(const p3d_problem *p, double training_s)
{
    return study_sweep_step_limit_s(p, training_s) / calibrate_least_stretch(p);
}

bool study_sweep_choose_plan(const study_bench *bench, study_ask ask,
        p3d_recommendation *choices, p3d_error *err)
{
    const study_sweep *const sweep = bench->sweep;
    const p3d_recommend_options options = {.pins = pins_of(sweep, ask.point),
            .search = {.n_top = 1,
                    .limit_s = ask.limit_s,
                    .cache = bench->cache},
            .chosen_limit_s = study_sweep_step_limit_s(
                    ask.problem, sweep->options->deadline_s),
            .within_frac = sweep->options->within_frac,
            .objective = sweep->options->objective,
            .alone = choices == NULL,
            .only_sure = ask.limit_s > 0};
    p3d_recommendation own;

    return p3d_recommend(ask.problem, &options, bench->result,
            choices != NULL ? choices : &own, err);
}

/* Search the whole cluster. */
static bool search_all(attempt *a, p3d_error *err)
{
    p3d_search_result *const result = a->bench->result;
    const p3d_framework *const framework = a->problem.job.framework;
    p3d_recommendation choices;

    if (!study_sweep_choose_plan(a->bench,
                (study_ask){.point = a->point, .problem = &a->problem},
                &choices, err))
        return false;
    a->best = (found){.fits = result->n_top > 0,
            .n_gpus = a->problem.cluster.n_gpus,
            .n_plans = result->n_plans,
            .framework = framework,
            .estimate = result->n_top > 0 ? result->top[0] : result->closest,
            .choices = choices};
    a->row.legal = result->n_plans > 0;
    a->row.framework = framework->name;
    if (!a->row.legal)
        set_refusal(&result->empty, &a->row);
    if (a->best.fits || result->have_closest)
        set_plan(&a->problem, &a->best.estimate, &a->row);
    return true;
}

/* What refuses every framework is as a rule that empties the space. */
static bool choose_and_search(attempt *a, p3d_error *err)
{
    p3d_error cause = {.code = P3D_OK};

    if (study_sweep_choose_framework(
                a->bench->sweep, a->point, 0, &a->problem, &cause))
        return search_all(a, err);
    if (cause.code != P3D_DATA)
        return p3d_fail(err, cause.code, "%s", cause.text);
    (void)p3d_copy(
            a->row.refusal_words, sizeof(a->row.refusal_words), cause.text);
    return true;
}

static double best_step_s(const attempt *a)
{
    return p3d_time_step_s(&a->best.estimate.time);
}

/* Search one smaller cluster, for what is faster than the best so far. */
static bool try_smaller(attempt *a, const p3d_sweep_point *point,
        p3d_problem *smaller, p3d_error *err)
{
    const p3d_search_result *const result = a->bench->result;
    const double limit_s = a->best.fits ? best_step_s(a) : 0;
    p3d_error cause = {.code = P3D_OK};
    p3d_recommendation choices;

    if (!study_sweep_choose_framework(
                a->bench->sweep, point, limit_s, smaller, &cause))
        return cause.code == P3D_DATA ||
               p3d_fail(err, cause.code, "%s", cause.text);
    if (!study_sweep_choose_plan(
                a->bench, (study_ask){point, smaller, limit_s}, &choices, err))
        return false;
    a->best.n_plans += result->n_plans;
    if (result->n_top > 0 &&
            (!a->best.fits ||
                    p3d_time_step_s(&result->top[0].time) < best_step_s(a)))
        a->best = (found){.fits = true,
                .n_gpus = smaller->cluster.n_gpus,
                .n_plans = a->best.n_plans,
                .framework = smaller->job.framework,
                .estimate = result->top[0],
                .choices = choices};
    return true;
}

/* Look for a faster plan that uses fewer nodes, for the same job: some numbers
 * of GPUs have poor divisors. */
static bool leave_idle(attempt *a, p3d_error *err)
{
    const int node = a->problem.cluster.node.gpus_per_node;
    p3d_sweep_point smaller = *a->point;

    smaller.global_batch = a->problem.job.global_batch;
    for (int n = a->problem.cluster.n_gpus - node; n > 0; n -= node) {
        p3d_problem p;

        smaller.n_gpus = n;
        if (!study_sweep_problem(a->bench->sweep, &smaller, &p, err))
            return false;
        if (a->best.fits && study_sweep_peak_step_s(&p) >= best_step_s(a))
            break; /* fewer GPUs need longer still */
        if (!try_smaller(a, &smaller, &p, err))
            return false;
    }
    return true;
}

/* Search the cluster and, where nodes may be idle, what is smaller than it. */
static bool search(attempt *a, p3d_error *err)
{
    p3d_problem *const p = &a->problem;

    if (!choose_and_search(a, err) ||
            (a->bench->sweep->options->idle && !leave_idle(a, err)))
        return false;
    a->row.n_plans = a->best.n_plans;
    if (!a->best.fits)
        return true;
    a->row.refusal_words[0] = '\0';
    a->row.framework = a->best.framework->name;
    p3d_job_use(&p->job, a->best.framework, &p->model, &p->cluster);
    set_plan(&a->problem, &a->best.estimate, &a->row);
    set_choice(&a->problem, &a->best.choices.fastest, &a->row.fastest);
    set_choice(&a->problem, &a->best.choices.roomiest, &a->row.roomiest);
    return set_rates(a, err);
}

/* What is known before the search. */
static void begin_row(attempt *a)
{
    const p3d_sweep_point *const point = a->point;
    const p3d_problem *const problem = &a->problem;
    p3d_sweep_row *const row = &a->row;

    *row = (p3d_sweep_row){
            .type = point->cluster->word,
            .beside = point->cluster->beside,
            .gpu = point->cluster->cluster.gpu.name,
            .n_gpus = point->n_gpus > 0 ? (int)point->n_gpus
                                        : problem->cluster.n_gpus,
            .seq_len = (int)point->seq_len,
            .global_batch = point->global_batch,
            .any_framework = is_any(point),
            .usd_per_gpu_h = point->cluster->usd_per_gpu_h,
    };
    if (problem->job.framework != NULL) {
        row->n_nodes = problem->cluster.n_nodes;
        row->seq_len = problem->job.seq_len;
        row->global_batch = problem->job.global_batch;
        row->framework =
                is_any(point) ? point->framework : problem->job.framework->name;
    }
    print_cluster(point, row->cluster);
}

bool study_sweep_find_row(const study_bench *bench,
        const p3d_sweep_point *point, p3d_sweep_row *out, p3d_error *err)
{
    attempt a = {.bench = bench, .point = point};
    p3d_error cause = {0};
    const bool legal =
            study_sweep_problem(bench->sweep, point, &a.problem, &cause);

    begin_row(&a);
    if (!legal && cause.code != P3D_DATA)
        return p3d_fail(err, cause.code, "%s", cause.text);
    if (!legal)
        (void)p3d_copy(
                a.row.refusal_words, sizeof(a.row.refusal_words), cause.text);
    else if (!search(&a, err))
        return false;
    *out = a.row;
    return true;
}
