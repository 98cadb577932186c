/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_deadline.c - the fewest and the cheapest GPUs that train in time. */
#include <math.h>
#include <stdlib.h>

#include "base/stop.h"
#include "base/util.h"
#include "cli/sweep.h"
#include "plan3d/deadline.h"

/* The largest training run whose cluster is described: Llama 3 405B, "up to
 * 16K H100 GPUs" (arXiv:2407.21783, section 3.3.1). */
enum { USUAL_MAX_GPUS = 16384 };

static const double s_per_h = 3600;

/* What the scan of one job needs. */
typedef struct scan {
    cli_sweep_work *sweep;
    cli_sweep_point job; /* of any number of GPUs */
    p3d_error error;     /* why it stopped; none when interrupted */
} scan;

static cli_sweep_point with_gpus(const scan *s, int64_t n_gpus)
{
    cli_sweep_point point = s->job;

    if (!point.cluster->sized)
        point.n_gpus = n_gpus;
    return point;
}

static double n_steps(const p3d_problem *p)
{
    return p->job.n_tokens / ((double)p->job.global_batch * p->job.seq_len);
}

/* 0 where the problem is not one, so that it is looked at and refused. */
static double bound_s(void *context, int64_t n_gpus)
{
    const scan *s = context;
    const cli_sweep_point point = with_gpus(s, n_gpus);
    p3d_problem p;

    if (!cli_sweep_problem(s->sweep, &point, &p, NULL))
        return 0;
    return n_steps(&p) * cli_sweep_peak_step_s(&p);
}

/* A training takes at least its steps: a limit of one is a limit of a step. */
static double step_limit_s(const p3d_problem *p, double training_s)
{
    return isfinite(training_s) ? training_s / n_steps(p) : 0;
}

static bool train(
        void *context, int64_t n_gpus, double limit_s, p3d_training_point *out)
{
    scan *s = context;
    const cli_sweep_point point = with_gpus(s, n_gpus);
    p3d_search_result *const result = s->sweep->result;
    report_sweep_row row = {.n_gpus = (int)n_gpus};
    p3d_search_options options = {.n_top = 1, .cache = s->sweep->cache};
    char word[CLI_CLUSTER_WORD];
    p3d_error cause = {.code = P3D_OK};
    p3d_problem p;

    cli_sweep_cluster_word(&point, word);
    if (!cli_progress_next(&s->sweep->progress, word))
        return false;
    if (!cli_sweep_problem(s->sweep, &point, &p, NULL))
        return true;
    options.limit_s = step_limit_s(&p, limit_s);
    if (!cli_sweep_choose(s->sweep, &point, options.limit_s, &p, &cause))
        return cause.code == P3D_DATA ||
               p3d_fail(&s->error, cause.code, "%s", cause.text);
    if (!p3d_search_with(&p, &s->sweep->pins, &options, result, &s->error))
        return false;
    if (p3d_stopped())
        return false;
    if (result->n_top == 0)
        return true;
    if (!cli_sweep_train(&p, &result->top[0], &row, &s->error))
        return false;
    if (row.never_ends)
        return true;
    *out = (p3d_training_point){.possible = true,
            .training_s = row.training_s,
            .cost = report_sweep_cost(&row)};
    return true;
}

/* Every number of whole nodes, or the numbers that were asked for. */
static bool list_counts(const cli_sweep_work *sweep,
        const cli_sweep_cluster *cluster, p3d_numbers *out, p3d_error *err)
{
    const int64_t max =
            sweep->args->max_gpus > 0 ? sweep->args->max_gpus : USUAL_MAX_GPUS;
    const int64_t step = cluster->cluster.node.gpus_per_node;

    if (cluster->sized)
        return p3d_numbers_add(out, cluster->cluster.n_gpus, err);
    for (int i = 0; i < cluster->counts.n; i++)
        if (!p3d_numbers_add(out, cluster->counts.at[i], err))
            return false;
    for (int64_t n = step; cluster->counts.n == 0 && n <= max; n += step)
        if (!p3d_numbers_add(out, n, err))
            return false;
    p3d_numbers_sort(out);
    return out->n > 0 || p3d_fail(err, P3D_USAGE,
                                 "--max-gpus: a node of %s has %lld GPUs "
                                 "already; write a larger number",
                                 cluster->word, (long long)step);
}

/* Rows of what a scan found; one row for what is smallest and cheapest. Where
 * nothing fits, the largest says what is missing. */
static bool add_rows(scan *s, const p3d_numbers *counts,
        const p3d_deadline_answer *answer, p3d_error *err)
{
    const bool both = answer->smallest == answer->cheapest;
    const bool nothing = s->sweep->report.complete && answer->smallest < 0 &&
                         answer->closest < 0;
    const struct {
        int at;
        const char *role;
    } found[CLI_SCAN_ROWS] = {
            {answer->smallest, both ? "smallest and cheapest" : "smallest"},
            {both ? -1 : answer->cheapest, "cheapest"},
            {nothing ? counts->n - 1 : answer->closest,
                    nothing ? "largest" : "closest"}};

    for (int i = 0; i < P3D_COUNT_OF(found); i++) {
        cli_sweep_point point;

        if (found[i].at < 0)
            continue;
        point = with_gpus(s, counts->at[found[i].at]);
        if (!cli_sweep_add_row(s->sweep, &point, err))
            return false;
        if (p3d_stopped())
            return true;
        s->sweep->rows[s->sweep->n_rows - 1].role = found[i].role;
    }
    return true;
}

static bool scan_job(scan *s, const p3d_numbers *counts, p3d_error *err)
{
    cli_sweep_work *sweep = s->sweep;
    const p3d_deadline_question question = {.deadline_s = sweep->deadline_s,
            .n_gpus = counts->at,
            .n_counts = counts->n,
            .gpu_s_cost = (s->job.cluster->usd_per_gpu_h > 0
                                          ? s->job.cluster->usd_per_gpu_h
                                          : 1) /
                          s_per_h,
            .context = s,
            .bound_s = bound_s,
            .train = train};
    p3d_deadline_answer answer;
    const bool done = p3d_deadline_scan(&question, &answer);

    if (s->error.code != P3D_OK)
        return p3d_fail(err, s->error.code, "%s", s->error.text);
    sweep->report.complete = sweep->report.complete && done;
    sweep->scans[sweep->n_scans++] = (report_sweep_scan){
            .type = s->job.cluster->word,
            .seq_len = (int)s->job.seq_len,
            .global_batch = s->job.global_batch,
            .framework = s->job.framework[0] != '\0' ? s->job.framework : NULL,
            .met = answer.smallest >= 0,
            .complete = done,
            .least_gpus = counts->at[0],
            .most_gpus = counts->at[counts->n - 1],
            .n_counts = counts->n,
            .n_searched = answer.n_searched,
            .n_skipped = answer.n_skipped,
    };
    return add_rows(s, counts, &answer, err);
}

bool cli_sweep_deadline(cli_sweep_work *sweep, p3d_error *err)
{
    const int64_t n_jobs = cli_sweep_n_jobs(&sweep->axes);
    bool ok = true;

    for (int64_t i = 0; i < n_jobs && ok && sweep->report.complete; i++) {
        scan s = {.sweep = sweep, .job = cli_sweep_job(&sweep->axes, i)};
        p3d_numbers counts = {0};

        ok = list_counts(sweep, s.job.cluster, &counts, err);
        if (ok) {
            sweep->report.n_asked += counts.n;
            cli_progress_begin(&sweep->progress, "", counts.n);
            ok = scan_job(&s, &counts, err);
            cli_progress_end(&sweep->progress);
        }
        p3d_numbers_free(&counts);
    }
    return ok;
}
