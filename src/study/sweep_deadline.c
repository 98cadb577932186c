/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_deadline.c - the fewest and the cheapest GPUs that train in time. */
#include <math.h>

#include "base/stop.h"
#include "base/util.h"
#include "plan3d/deadline.h"
#include "study/sweep.h"

static const double s_per_h = 3600;

/* What the scan of one job needs. */
typedef struct scan {
    study_sweep *sweep;
    const p3d_numbers *counts; /* of GPUs */
    int64_t n_asked;           /* of them */
    p3d_sweep_point job;       /* of any number of GPUs */
    p3d_error error;           /* why it stopped; none when interrupted */
} scan;

static p3d_sweep_point with_gpus(const scan *s, int64_t n_gpus)
{
    p3d_sweep_point point = s->job;

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
    const p3d_sweep_point point = with_gpus(s, n_gpus);
    p3d_problem p;

    if (!study_sweep_problem(s->sweep, &point, &p, NULL))
        return 0;
    return n_steps(&p) * study_peak_step_s(&p);
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
    const p3d_sweep_point point = with_gpus(s, n_gpus);
    p3d_search_result *const result = s->sweep->result;
    p3d_sweep_row row = {.n_gpus = (int)n_gpus};
    p3d_search_options options = {.n_top = 1, .cache = s->sweep->cache};
    p3d_error cause = {.code = P3D_OK};
    p3d_problem p;

    if (!study_sweep_next(s->sweep, ++s->n_asked, s->counts->n, &point))
        return false;
    if (!study_sweep_problem(s->sweep, &point, &p, NULL))
        return true;
    options.limit_s = step_limit_s(&p, limit_s);
    if (!study_sweep_choose(s->sweep, &point, options.limit_s, &p, &cause))
        return cause.code == P3D_DATA ||
               p3d_fail(&s->error, cause.code, "%s", cause.text);
    if (!p3d_search_with(&p, &s->sweep->pins, &options, result, &s->error))
        return false;
    if (p3d_stopped())
        return false;
    if (result->n_top == 0)
        return true;
    if (!study_sweep_train(&p, &result->top[0], &row, &s->error))
        return false;
    if (row.never_ends)
        return true;
    *out = (p3d_training_point){.possible = true,
            .training_s = row.training_s,
            .cost = study_sweep_cost(&row)};
    return true;
}

/* Every number of whole nodes, or the numbers that were asked for. */
static bool list_counts(const study_sweep *sweep, const study_cluster *cluster,
        p3d_numbers *out, p3d_error *err)
{
    const p3d_sweep_cluster *const of = cluster->of;
    const int64_t asked = sweep->options->max_gpus;
    const int64_t max = asked > 0 ? asked : P3D_SWEEP_MAX_GPUS;
    const int64_t step = of->cluster.node.gpus_per_node;

    if (of->sized)
        return p3d_numbers_add(out, of->cluster.n_gpus, err);
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
                                 of->word, (long long)step);
}

/* Rows of what a scan found; one row for what is smallest and cheapest. Where
 * nothing fits, the largest says what is missing. */
static bool add_rows(scan *s, const p3d_deadline_answer *answer, p3d_error *err)
{
    p3d_sweep *const out = &s->sweep->out;
    const bool both = answer->smallest == answer->cheapest;
    const bool nothing =
            out->complete && answer->smallest < 0 && answer->closest < 0;
    const struct {
        int at;
        const char *role;
    } found[STUDY_SCAN_ROWS] = {
            {answer->smallest, both ? "smallest and cheapest" : "smallest"},
            {both ? -1 : answer->cheapest, "cheapest"},
            {nothing ? s->counts->n - 1 : answer->closest,
                    nothing ? "largest" : "closest"}};

    for (int i = 0; i < P3D_COUNT_OF(found); i++) {
        p3d_sweep_point point;

        if (found[i].at < 0)
            continue;
        point = with_gpus(s, s->counts->at[found[i].at]);
        if (!study_sweep_add_row(s->sweep, &point, err))
            return false;
        if (p3d_stopped())
            return true;
        out->rows[out->n_rows - 1].role = found[i].role;
    }
    return true;
}

/* What is said of a scan beside its rows. */
static p3d_sweep_scan sum_up(
        const scan *s, const p3d_deadline_answer *answer, bool done)
{
    const p3d_sweep_point *const job = &s->job;

    return (p3d_sweep_scan){
            .type = job->cluster->word,
            .seq_len = (int)job->seq_len,
            .global_batch = job->global_batch,
            .framework = job->framework[0] != '\0' ? job->framework : NULL,
            .met = answer->smallest >= 0,
            .complete = done,
            .least_gpus = s->counts->at[0],
            .most_gpus = s->counts->at[s->counts->n - 1],
            .n_counts = s->counts->n,
            .n_searched = answer->n_searched,
            .n_skipped = answer->n_skipped,
    };
}

static bool scan_job(scan *s, p3d_error *err)
{
    p3d_sweep *const out = &s->sweep->out;
    const double usd_per_gpu_h = s->job.cluster->usd_per_gpu_h;
    const p3d_deadline_question question = {
            .deadline_s = s->sweep->options->deadline_s,
            .n_gpus = s->counts->at,
            .n_counts = s->counts->n,
            .gpu_s_cost = (usd_per_gpu_h > 0 ? usd_per_gpu_h : 1) / s_per_h,
            .context = s,
            .bound_s = bound_s,
            .train = train};
    p3d_deadline_answer answer;
    const bool done = p3d_deadline_scan(&question, &answer);

    if (s->error.code != P3D_OK)
        return p3d_fail(err, s->error.code, "%s", s->error.text);
    out->complete = out->complete && done;
    out->scans[out->n_scans++] = sum_up(s, &answer, done);
    return add_rows(s, &answer, err);
}

bool study_sweep_deadline(study_sweep *sweep, p3d_error *err)
{
    const int64_t n_jobs = study_axes_n_jobs(&sweep->axes);
    bool ok = true;

    for (int64_t i = 0; i < n_jobs && ok && sweep->out.complete; i++) {
        p3d_numbers counts = {0};
        scan s = {.sweep = sweep,
                .counts = &counts,
                .job = study_axes_job(&sweep->axes, i)};

        ok = list_counts(
                sweep, study_axes_cluster(&sweep->axes, i), &counts, err);
        if (ok) {
            sweep->out.n_asked += counts.n;
            ok = scan_job(&s, err);
        }
        p3d_numbers_free(&counts);
    }
    return ok;
}
