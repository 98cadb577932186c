/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_scan.c - the scan of many clusters for the fewest and the cheapest GPUs
 * that train in time. */
#include <math.h>
#include <stdlib.h>

#include "base/tasks.h"
#include "base/util.h"
#include "calibrate/training.h"
#include "plan3d/deadline.h"
#include "study/sweep.h"

static const double s_per_h = 3600;

/* Numbers of GPUs that each thread looks at before they are asked for. */
enum { AHEAD = 4 };

/* The fastest training on a number of GPUs, of those within a limit. */
typedef struct trained {
    double limit_s; /* 0 = nobody has looked */
    p3d_training_point point;
    p3d_error error; /* why there is no answer; none when interrupted */
} trained;

/* What the scan of one job needs. */
typedef struct scan {
    study_sweep *sweep;
    const p3d_numbers *counts; /* of GPUs */
    int64_t n_asked;           /* of them */
    p3d_sweep_point job;       /* of any number of GPUs */
    p3d_error error;           /* why it stopped; none when interrupted */
    trained *ahead;            /* of counts that follow each other, */
    int n_ahead;
    int first;    /* the first of them, */
    int room;     /* and how many there may be */
    int last;     /* count that was asked for the last time */
    double ask_s; /* limit on the first */
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
    return p->job.n_tokens / p3d_job_tokens(&p->job);
}

/* 0 where the problem is not one, so that it is looked at and refused. */
static double bound_s(void *context, int64_t n_gpus)
{
    const scan *s = context;
    const p3d_sweep_point point = with_gpus(s, n_gpus);
    p3d_problem p;

    if (!study_sweep_problem(s->sweep, &point, &p, NULL))
        return 0;
    return n_steps(&p) * study_sweep_peak_step_s(&p) *
           calibrate_least_stretch(&p);
}

/* Find the fastest training of a problem within a limit; out stays zero where
 * there is none. */
static bool find_fastest(const study_bench *bench, const p3d_sweep_point *point,
        p3d_problem *p, trained *out)
{
    const double most_s = study_sweep_real_step_limit_s(p, out->limit_s);
    p3d_sweep_row row = {.n_gpus = p->cluster.n_gpus};
    p3d_error cause = {.code = P3D_OK};

    if (!study_sweep_choose_framework(bench->sweep, point, most_s, p, &cause))
        return cause.code == P3D_DATA ||
               p3d_fail(&out->error, cause.code, "%s", cause.text);
    if (!study_sweep_choose_plan(
                bench, (study_ask){point, p, most_s}, NULL, &out->error))
        return false;
    if (p3d_stopped() || bench->result->n_top == 0)
        return true;
    if (!study_sweep_train(p, &bench->result->top[0], &row, &out->error))
        return false;
    if (!row.never_ends)
        out->point = (p3d_training_point){.possible = true,
                .training_s = row.training_s,
                .cost = study_sweep_cost(&row)};
    return true;
}

/* The limit that will be asked for with a count, or more: what is cheaper than
 * the cheapest so far takes the shorter the more GPUs there are. */
static double later_limit_s(const scan *s, int i)
{
    static const double rounding = 1e-12;
    const double n = (double)s->counts->at[s->first];

    if (s->ask_s >= s->sweep->options->deadline_s)
        return s->ask_s;
    return s->ask_s * n / (double)s->counts->at[i] * (1 + rounding);
}

static void look(void *context, int64_t task, int thread)
{
    scan *const s = context;
    const int i = s->first + (int)task;
    trained *const t = &s->ahead[task];
    const p3d_sweep_point point = with_gpus(s, s->counts->at[i]);
    const double limit_s = task == 0 ? s->ask_s : later_limit_s(s, i);
    p3d_problem p;

    *t = (trained){.limit_s = 0};
    if (task > 0 && bound_s(s, s->counts->at[i]) > limit_s)
        return; /* nobody will ask */
    t->limit_s = limit_s;
    if (study_sweep_problem(s->sweep, &point, &p, NULL))
        (void)find_fastest(&s->sweep->benches[thread], &point, &p, t);
}

/* Look at a count and, where the scan goes upwards, at those that follow. */
static void look_ahead(scan *s, int i, double limit_s)
{
    const int left = s->counts->n - i;
    p3d_tasks tasks = {
            .n_threads = s->sweep->n_threads, .context = s, .work = look};

    s->first = i;
    s->ask_s = limit_s;
    s->n_ahead = i < s->last ? 1 : left < s->room ? left : s->room;
    tasks.n = s->n_ahead;
    p3d_tasks_run(&tasks);
}

static bool is_ahead(const scan *s, int i, double limit_s)
{
    return i >= s->first && i < s->first + s->n_ahead &&
           limit_s <= s->ahead[i - s->first].limit_s;
}

/* Place of a number of GPUs, which are in order. */
static int place_of(const p3d_numbers *counts, int64_t n_gpus)
{
    int low = 0, end = counts->n - 1;

    while (low < end) {
        const int middle = (low + end) / 2;

        if (counts->at[middle] < n_gpus)
            low = middle + 1;
        else
            end = middle;
    }
    return low;
}

static bool train(
        void *context, int64_t n_gpus, double limit_s, p3d_training_point *out)
{
    scan *const s = context;
    const int i = place_of(s->counts, n_gpus);
    const p3d_sweep_point point = with_gpus(s, n_gpus);
    const trained *found;

    if (!study_sweep_next(s->sweep, ++s->n_asked, s->counts->n, &point))
        return false;
    if (!is_ahead(s, i, limit_s))
        look_ahead(s, i, limit_s);
    s->last = i;
    found = &s->ahead[i - s->first];
    s->error = found->error;
    if (found->error.code != P3D_OK || p3d_stopped())
        return false;
    *out = found->point;
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
    } roles[STUDY_SCAN_ROWS] = {
            {answer->smallest, both ? "smallest and cheapest" : "smallest"},
            {both ? -1 : answer->cheapest, "cheapest"},
            {nothing ? s->counts->n - 1 : answer->closest,
                    nothing ? "largest" : "closest"}};

    for (int i = 0; i < P3D_COUNT_OF(roles); i++) {
        p3d_sweep_row *const row = &out->rows[out->n_rows];
        p3d_sweep_point point;

        if (roles[i].at < 0)
            continue;
        point = with_gpus(s, s->counts->at[roles[i].at]);
        if (!study_sweep_find_row(&s->sweep->benches[0], &point, row, err))
            return false;
        if (p3d_stopped())
            return true;
        row->role = roles[i].role;
        out->n_rows++;
    }
    return true;
}

/* What is said of a scan beside its rows. */
static p3d_sweep_scan sum_up(
        const scan *s, const p3d_deadline_answer *answer, bool done)
{
    const p3d_sweep_point *const job = &s->job;
    const bool ended =
            s->sweep->options->only_smallest && answer->smallest >= 0;
    const int n = ended ? answer->smallest + 1 : s->counts->n;

    return (p3d_sweep_scan){
            .type = job->cluster->word,
            .seq_len = (int)job->seq_len,
            .global_batch = job->global_batch,
            .framework = job->framework[0] != '\0' ? job->framework : NULL,
            .met = answer->smallest >= 0,
            .complete = done,
            .least_gpus = s->counts->at[0],
            .most_gpus = s->counts->at[n - 1],
            .n_counts = n,
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
            .only_smallest = s->sweep->options->only_smallest,
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

static bool prepare(scan *s, p3d_error *err)
{
    s->ahead = calloc((size_t)s->room, sizeof(*s->ahead));
    return s->ahead != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

bool study_sweep_deadline(study_sweep *sweep, p3d_error *err)
{
    const int64_t n_jobs = study_axes_n_jobs(&sweep->axes);
    bool ok = true;

    for (int64_t i = 0; i < n_jobs && ok && sweep->out.complete; i++) {
        p3d_numbers counts = {0};
        scan s = {.sweep = sweep,
                .counts = &counts,
                .job = study_axes_job(&sweep->axes, i),
                .room = sweep->n_threads > 1 ? AHEAD * sweep->n_threads : 1};

        ok = list_counts(sweep, study_axes_cluster(&sweep->axes, i), &counts,
                     err) &&
             prepare(&s, err);
        if (ok) {
            sweep->out.n_asked += counts.n;
            ok = scan_job(&s, err);
        }
        free(s.ahead);
        p3d_numbers_free(&counts);
    }
    return ok;
}
