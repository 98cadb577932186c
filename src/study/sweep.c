/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - the best plan of many clusters and jobs. */
#include "study/sweep.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/util.h"
#include "spec/given.h"
#include "spec/job_sizes.h"

/* A misspelt framework is found before the first search. */
static bool check_frameworks(const study_sweep *s, p3d_error *err)
{
    for (int i = 0; i < s->axes.n_frameworks; i++) {
        p3d_sweep_point point = study_axes_job(&s->axes, 0);
        p3d_error cause = {0};
        p3d_problem problem;

        point.framework = s->axes.frameworks[i];
        if (!study_sweep_problem(s, &point, &problem, &cause) &&
                cause.code != P3D_DATA)
            return p3d_fail(err, cause.code, "%s", cause.text);
    }
    return true;
}

/* Rows of one job: a row for each number of GPUs. */
static bool add_job(
        study_sweep *s, int64_t job, int64_t *n_begun, p3d_error *err)
{
    const p3d_numbers *counts = &study_axes_cluster(&s->axes, job)->counts;
    p3d_sweep_point point = study_axes_job(&s->axes, job);

    for (int i = 0; i < (counts->n > 0 ? counts->n : 1); i++) {
        bool goes_on;

        if (counts->n > 0)
            point.n_gpus = counts->at[i];
        goes_on = study_sweep_next(s, ++*n_begun, s->out.n_asked, &point);
        if (goes_on && !study_sweep_add_row(s, &point, err))
            return false;
        if (!goes_on || p3d_stopped()) { /* a row that was begun is not in */
            s->out.complete = false;
            return true;
        }
    }
    return true;
}

static int64_t count_rows(const study_axes *axes)
{
    int64_t n = 0;

    for (int64_t i = 0; i < study_axes_n_jobs(axes); i++) {
        const int counts = study_axes_cluster(axes, i)->counts.n;

        n += counts > 0 ? counts : 1;
    }
    return n;
}

static bool add_all(study_sweep *s, p3d_error *err)
{
    const int64_t n_jobs = study_axes_n_jobs(&s->axes);
    int64_t n_begun = 0;
    bool ok = true;

    for (int64_t i = 0; i < n_jobs && ok && s->out.complete; i++)
        ok = add_job(s, i, &n_begun, err);
    return ok;
}

static bool find(study_sweep *s, p3d_error *err)
{
    const double start_s = p3d_now_s();
    const bool scans = s->options->deadline_s > 0;
    const int64_t n_jobs = study_axes_n_jobs(&s->axes);
    const int64_t n_rows =
            scans ? n_jobs * STUDY_SCAN_ROWS : count_rows(&s->axes);
    bool ok;

    s->cache = p3d_search_cache_create(err);
    s->result = malloc(sizeof(*s->result));
    s->out.rows = calloc((size_t)n_rows, sizeof(*s->out.rows));
    s->out.scans = calloc((size_t)n_jobs, sizeof(*s->out.scans));
    if (s->cache == NULL || s->result == NULL || s->out.rows == NULL ||
            s->out.scans == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    s->out.complete = true;
    s->out.n_asked = scans ? 0 : n_rows;
    ok = scans ? study_sweep_deadline(s, err) : add_all(s, err);
    s->out.seconds = p3d_now_s() - start_s;
    return ok && study_sweep_mark_front(&s->out, err);
}

/* When nothing at all is legal, the question is wrong. */
static bool check_legal(const p3d_sweep *sweep, p3d_error *err)
{
    for (int i = 0; i < sweep->n_rows; i++)
        if (sweep->rows[i].legal)
            return true;
    return sweep->n_rows == 0 ||
           p3d_fail(err, P3D_DATA, "%s: %.400s", sweep->rows[0].cluster,
                   sweep->rows[0].refusal_words);
}

static bool are_numbers(const int64_t *at, int n, int64_t most)
{
    if (n < 0 || (n > 0 && at == NULL))
        return false;
    for (int i = 0; i < n; i++)
        if (at[i] < 1 || at[i] > most)
            return false;
    return true;
}

static bool is_cluster(const p3d_sweep_cluster *c)
{
    return spec_cluster_given(&c->cluster) &&
           are_numbers(c->counts, c->n_counts, P3D_MAX_GPUS) &&
           c->usd_per_gpu_h >= 0;
}

static bool are_lists(const p3d_sweep_options *o)
{
    if (o->n_clusters < 1 || o->clusters == NULL || o->n_frameworks < 0 ||
            (o->n_frameworks > 0 && o->frameworks == NULL))
        return false;
    for (int i = 0; i < o->n_clusters; i++)
        if (!is_cluster(&o->clusters[i]))
            return false;
    for (int i = 0; i < o->n_frameworks; i++)
        if (o->frameworks[i] == NULL)
            return false;
    return are_numbers(o->seq_lens, o->n_seq_lens, P3D_MAX_SEQ_LEN) &&
           are_numbers(o->batches, o->n_batches, P3D_MAX_BATCH);
}

/* A deadline is one of a training, whose length somebody says. */
static bool is_deadline(const p3d_sweep_options *o)
{
    const bool trains = o->complete != NULL || o->job.n_tokens > 0;

    return o->deadline_s >= 0 && (o->deadline_s == 0 || trains) &&
           o->max_gpus >= 0 && o->max_gpus <= P3D_MAX_GPUS;
}

static bool is_given(const p3d_sweep_options *o)
{
    return o != NULL && spec_model_given(o->model) && are_lists(o) &&
           (o->pins == NULL || spec_pins_given(o->pins)) && is_deadline(o);
}

bool p3d_sweep_run(
        const p3d_sweep_options *options, p3d_sweep *out, p3d_error *err)
{
    study_sweep s = {.options = options};
    bool ok;

    if (!is_given(options) || out == NULL)
        return p3d_misuse(err, __func__);
    s.pins = options->pins != NULL ? *options->pins : p3d_pins_free();
    ok = study_axes_build(options, &s.axes, err) && check_frameworks(&s, err) &&
         find(&s, err) && check_legal(&s.out, err);
    study_axes_free(&s.axes);
    p3d_search_cache_destroy(s.cache);
    free(s.result);
    if (!ok) {
        p3d_sweep_free(&s.out);
        return false;
    }
    study_sweep_sum_up(options, &s.out);
    *out = s.out;
    return true;
}

void p3d_sweep_free(p3d_sweep *sweep)
{
    if (sweep == NULL)
        return;
    free(sweep->rows);
    free(sweep->scans);
    *sweep = (p3d_sweep){.rows = NULL};
}
