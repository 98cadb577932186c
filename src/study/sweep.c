/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - the best plan of many clusters and jobs: what is combined, a row
 * for each, and what follows from all of them. */
#include "study/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/util.h"
#include "plan3d/pareto.h"
#include "spec/given.h"
#include "spec/hardware.h"
#include "spec/sizes.h"

static bool has(const p3d_numbers *numbers, int64_t number)
{
    for (int i = 0; i < numbers->n; i++) {
        if (numbers->at[i] == number)
            return true;
    }
    return false;
}

/* Numbers, each once; 0 alone where there are none. */
static bool add_numbers(
        const int64_t *at, int n, p3d_numbers *out, p3d_error *err)
{
    if (n == 0)
        return p3d_numbers_add(out, 0, err);
    for (int i = 0; i < n; i++) {
        if (!has(out, at[i]) && !p3d_numbers_add(out, at[i], err))
            return false;
    }
    return true;
}

/* "torchtitan" is "fsdp2". A word that is neither is refused later. */
static bool is_same_framework(const char *a, const char *b)
{
    const p3d_framework *const found = p3d_framework_find(a);

    if (found == NULL)
        return p3d_same_word(a, b);
    return found == p3d_framework_find(b);
}

static void add_framework(const char *word, study_axes *out)
{
    for (int i = 0; i < out->n_frameworks; i++) {
        if (is_same_framework(out->frameworks[i], word))
            return;
    }
    out->frameworks[out->n_frameworks++] = word;
}

/* All but the number of GPUs. */
static bool is_same_type(const p3d_sweep_cluster *a, const p3d_sweep_cluster *b)
{
    if (a->usd_per_gpu_h != b->usd_per_gpu_h ||
            (a->beside == NULL) != (b->beside == NULL) ||
            (a->beside != NULL && strcmp(a->beside, b->beside) != 0))
        return false;
    if (spec_cluster_is_file(a->word) || spec_cluster_is_file(b->word))
        return strcmp(a->word, b->word) == 0;
    return strcmp(a->cluster.gpu.name, b->cluster.gpu.name) == 0 &&
           strcmp(a->cluster.node.name, b->cluster.node.name) == 0 &&
           a->cluster.node.gpus_per_node == b->cluster.node.gpus_per_node;
}

/* Whether so many GPUs are asked for; 0 = any number of them. */
static bool has_count(const study_cluster *cluster, int64_t n_gpus)
{
    if (cluster->of->sized)
        return cluster->of->cluster.n_gpus == n_gpus;
    return n_gpus == 0 ? cluster->counts.n == 0 : has(&cluster->counts, n_gpus);
}

/* Whether no cluster before has that. */
static bool is_new(
        const study_axes *axes, const p3d_sweep_cluster *of, int64_t n_gpus)
{
    for (int i = 0; i < axes->n_clusters; i++) {
        if (is_same_type(axes->clusters[i].of, of) &&
                has_count(&axes->clusters[i], n_gpus))
            return false;
    }
    return true;
}

static bool add_cluster(
        const p3d_sweep_cluster *of, study_axes *out, p3d_error *err)
{
    study_cluster *const cluster = &out->clusters[out->n_clusters];
    const bool counted = !of->sized && of->n_counts > 0;
    bool ok = true;

    cluster->of = of;
    for (int i = 0; counted && i < of->n_counts && ok; i++) {
        if (is_new(out, of, of->counts[i]) &&
                !has(&cluster->counts, of->counts[i]))
            ok = p3d_numbers_add(&cluster->counts, of->counts[i], err);
    }
    if (counted ? cluster->counts.n > 0
                : is_new(out, of, of->sized ? of->cluster.n_gpus : 0))
        out->n_clusters++; /* what it holds is released with the others */
    return ok;
}

static bool check_n_rows(const study_axes *axes, p3d_error *err)
{
    int64_t n_clusters = 0;

    for (int i = 0; i < axes->n_clusters; i++)
        n_clusters += axes->clusters[i].counts.n + 1;
    if (p3d_mul(n_clusters,
                p3d_mul(axes->n_frameworks,
                        p3d_mul(axes->seq_lens.n, axes->batches.n))) >
            P3D_MAX_SWEEP_ROWS)
        return p3d_fail(err, P3D_USAGE,
                "more than %d combinations; write larger steps, or ranges that "
                "double, such as 8..1024",
                (int)P3D_MAX_SWEEP_ROWS);
    return true;
}

static bool reserve(
        const p3d_sweep_options *options, study_axes *out, p3d_error *err)
{
    out->clusters = calloc((size_t)options->n_clusters, sizeof(*out->clusters));
    out->frameworks =
            calloc((size_t)options->n_frameworks + 1, sizeof(*out->frameworks));
    return (out->clusters != NULL && out->frameworks != NULL) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}

/* What is given twice counts once.
 * @param out  zero; release with free_axes(), also after a failure
 * @return false with P3D_USAGE or P3D_SYSTEM */
static bool build_axes(
        const p3d_sweep_options *options, study_axes *out, p3d_error *err)
{
    if (!reserve(options, out, err))
        return false;
    for (int i = 0; i < options->n_clusters; i++) {
        if (!add_cluster(&options->clusters[i], out, err))
            return false;
    }
    if (options->n_frameworks == 0)
        add_framework("", out);
    for (int i = 0; i < options->n_frameworks; i++)
        add_framework(options->frameworks[i], out);
    return add_numbers(options->seq_lens, options->n_seq_lens, &out->seq_lens,
                   err) &&
           add_numbers(
                   options->batches, options->n_batches, &out->batches, err) &&
           check_n_rows(out, err);
}

static void free_axes(study_axes *axes)
{
    for (int i = 0; i < axes->n_clusters; i++)
        p3d_numbers_free(&axes->clusters[i].counts);
    free(axes->clusters);
    free(axes->frameworks);
    p3d_numbers_free(&axes->seq_lens);
    p3d_numbers_free(&axes->batches);
}

/* What a row is judged by; less is better. */
static double gpus_of(const p3d_sweep_row *row)
{
    return row->n_gpus;
}

/* Steps of different batches cannot be compared, tokens can. */
static double time_of(const p3d_sweep_row *row)
{
    return row->training_s > 0 ? row->training_s : 1 / row->tokens_per_s;
}

/* 0 where no price is given: then no row is cheaper. */
static double cost_of(const p3d_sweep_row *row)
{
    return row->training_usd > 0 ? row->training_usd : row->billion_tokens_usd;
}

/* 0 where it is not known. */
static double energy_of(const p3d_sweep_row *row)
{
    return row->training_kwh;
}

static double tightness_of(const p3d_sweep_row *row)
{
    return -(double)row->margin_bytes;
}

static double (*const objectives[])(const p3d_sweep_row *) = {
        gpus_of, time_of, cost_of, energy_of, tightness_of};

enum { N_OBJECTIVES = sizeof(objectives) / sizeof(objectives[0]) };

/* Room for the rows of one sequence length. */
typedef struct group {
    int n;
    int *rows; /* which they are */
    double *values;
    bool *on_front;
} group;

static void collect(const p3d_sweep *sweep, int seq_len, group *g)
{
    g->n = 0;
    for (int i = 0; i < sweep->n_rows; i++) {
        const p3d_sweep_row *row = &sweep->rows[i];

        if (!row->fits || row->never_ends || row->seq_len != seq_len)
            continue;
        for (int o = 0; o < N_OBJECTIVES; o++)
            g->values[g->n * N_OBJECTIVES + o] = objectives[o](row);
        g->rows[g->n++] = i;
    }
}

static bool mark_group(p3d_sweep *sweep, group *g, p3d_error *err)
{
    if (!p3d_pareto_front(g->n, N_OBJECTIVES, g->values, g->on_front, err))
        return false;
    for (int i = 0; i < g->n; i++)
        sweep->rows[g->rows[i]].on_front = g->on_front[i];
    return true;
}

/* Lengths repeat themselves in the order of the rows: none is done twice. */
static bool is_first_of_length(const p3d_sweep *sweep, int i)
{
    for (int earlier = 0; earlier < i; earlier++)
        if (sweep->rows[earlier].seq_len == sweep->rows[i].seq_len)
            return false;
    return true;
}

/* Mark the rows on the front of GPUs, time, money, energy and memory margin,
 * among those of one sequence length. */
static bool mark_front(p3d_sweep *sweep, p3d_error *err)
{
    const size_t n = (size_t)sweep->n_rows + 1;
    group g = {.rows = malloc(n * sizeof(*g.rows)),
            .values = malloc(n * N_OBJECTIVES * sizeof(*g.values)),
            .on_front = malloc(n * sizeof(*g.on_front))};
    bool ok = g.rows != NULL && g.values != NULL && g.on_front != NULL;

    if (!ok)
        (void)p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < sweep->n_rows && ok; i++) {
        if (is_first_of_length(sweep, i)) {
            collect(sweep, sweep->rows[i].seq_len, &g);
            ok = mark_group(sweep, &g, err);
        }
    }
    free(g.rows);
    free(g.values);
    free(g.on_front);
    return ok;
}

static bool has_role(const p3d_sweep_row *row, const char *word)
{
    return row->role != NULL && strstr(row->role, word) != NULL;
}

/* Keep the better of two rows of a role; the first of equal ones. */
static void take_best(p3d_sweep *sweep, const p3d_sweep_row *row)
{
    if (has_role(row, "smallest") &&
            (sweep->smallest == NULL || row->n_gpus < sweep->smallest->n_gpus))
        sweep->smallest = row;
    if (has_role(row, "cheapest") &&
            (sweep->cheapest == NULL ||
                    study_sweep_cost(row) < study_sweep_cost(sweep->cheapest)))
        sweep->cheapest = row;
    if (has_role(row, "closest") &&
            (sweep->closest == NULL ||
                    row->training_s < sweep->closest->training_s))
        sweep->closest = row;
}

static const char *own_words(const char *words)
{
    return words[0] != '\0' ? words : NULL;
}

static void point_to_own_words(p3d_sweep_row *row)
{
    row->plan = own_words(row->plan_words);
    row->refusal = own_words(row->refusal_words);
    row->fastest.plan = own_words(row->fastest.plan_words);
    row->roomiest.plan = own_words(row->roomiest.plan_words);
}

static void count(p3d_sweep *sweep, const p3d_sweep_row *row)
{
    sweep->n_found++;
    sweep->n_fit += row->fits;
    sweep->n_illegal += !row->legal;
    sweep->n_front += row->on_front;
}

/* Fill everything that follows from the rows: what they point to, counts, the
 * best of all scans. */
static void sum_up(const p3d_sweep_options *options, p3d_sweep *sweep)
{
    int n = 0;

    for (int i = 0; i < sweep->n_rows; i++) {
        count(sweep, &sweep->rows[i]);
        if (!options->only_front || sweep->rows[i].on_front)
            sweep->rows[n++] = sweep->rows[i];
    }
    sweep->n_rows = n;
    for (int i = 0; i < n; i++) {
        point_to_own_words(&sweep->rows[i]);
        take_best(sweep, &sweep->rows[i]);
    }
    if (sweep->smallest != NULL)
        sweep->closest = NULL;
    sweep->fits = options->deadline_s > 0 ? sweep->smallest != NULL
                                          : sweep->n_fit > 0;
}

/* A misspelt framework is found before the first search. */
static bool check_frameworks(study_sweep *s, p3d_error *err)
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

/* The rows of all jobs, one for each number of GPUs. */
typedef struct row_tasks {
    study_sweep *s;
    p3d_sweep_point *points;
    bool *is_whole;     /* of the rows: nobody asked to stop meanwhile */
    p3d_error *errors;  /* the first of each thread, */
    int64_t *failed_at; /* and its row; -1 = none */
} row_tasks;

static bool begin_row(void *context, int64_t i)
{
    const row_tasks *const t = context;
    study_sweep *const s = t->s;

    if (study_sweep_next(s, i + 1, s->out.n_asked, &t->points[i]))
        return true;
    s->out.complete = false;
    return false;
}

static void find_row(void *context, int64_t i, int thread)
{
    const row_tasks *const t = context;
    p3d_error cause = {.code = P3D_OK};

    if (study_sweep_find_row(&t->s->benches[thread], &t->points[i],
                &t->s->out.rows[i], &cause)) {
        t->is_whole[i] = !p3d_stopped();
    } else if (t->failed_at[thread] < 0) {
        t->failed_at[thread] = i;
        t->errors[thread] = cause;
    }
}

/* The error of a row; NULL = it has none. */
static const p3d_error *error_of(const row_tasks *t, int64_t i)
{
    for (int k = 0; k < t->s->n_threads; k++) {
        if (t->failed_at[k] == i)
            return &t->errors[k];
    }
    return NULL;
}

static bool take_row(void *context, int64_t i)
{
    const row_tasks *const t = context;
    p3d_sweep *const out = &t->s->out;

    if (error_of(t, i) != NULL)
        return false;
    out->complete = out->complete && !p3d_stopped();
    out->n_rows += t->is_whole[i];
    return t->is_whole[i];
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

/* The rows of a part, or all. */
typedef struct row_range {
    int64_t first, end;
} row_range;

static row_range range_of(const study_sweep *s)
{
    const int64_t n = count_rows(&s->axes);
    const p3d_sweep_options *const o = s->options;

    return o->n_parts == 0 ? (row_range){0, n}
                           : (row_range){(o->part - 1) * n / o->n_parts,
                                     o->part * n / o->n_parts};
}

static void list_points(
        const study_axes *axes, row_range of, p3d_sweep_point *out)
{
    int64_t at = 0;

    for (int64_t i = 0; i < study_axes_n_jobs(axes); i++) {
        const p3d_numbers *const counts = &study_axes_cluster(axes, i)->counts;
        const int n = counts->n > 0 ? counts->n : 1;

        for (int k = 0; k < n; k++, at++) {
            if (at < of.first || at >= of.end)
                continue;
            *out = study_axes_job(axes, i);
            if (counts->n > 0)
                out->n_gpus = counts->at[k];
            out++;
        }
    }
}

static bool run_tasks(row_tasks *t, p3d_error *err)
{
    study_sweep *const s = t->s;
    const p3d_tasks tasks = {.n = s->out.n_asked,
            .n_threads = s->n_threads,
            .context = t,
            .begin = begin_row,
            .work = find_row,
            .take = take_row};
    const p3d_error *cause;

    list_points(&s->axes, range_of(s), t->points);
    for (int i = 0; i < s->n_threads; i++)
        t->failed_at[i] = -1;
    p3d_tasks_run(&tasks);
    cause = error_of(t, s->out.n_rows);
    return cause == NULL || p3d_fail(err, cause->code, "%s", cause->text);
}

static bool add_all(study_sweep *s, p3d_error *err)
{
    const size_t n = (size_t)s->out.n_asked + 1;
    const size_t n_threads = (size_t)s->n_threads;
    row_tasks t = {.s = s,
            .points = calloc(n, sizeof(*t.points)),
            .is_whole = calloc(n, sizeof(*t.is_whole)),
            .errors = calloc(n_threads, sizeof(*t.errors)),
            .failed_at = calloc(n_threads, sizeof(*t.failed_at))};
    const bool ok = t.points != NULL && t.is_whole != NULL &&
                                    t.errors != NULL && t.failed_at != NULL
                            ? run_tasks(&t, err)
                            : p3d_fail(err, P3D_SYSTEM, "out of memory");

    free(t.points);
    free(t.is_whole);
    free(t.errors);
    free(t.failed_at);
    return ok;
}

/* What the threads search with. @return false with P3D_SYSTEM */
static bool create_benches(study_sweep *s, p3d_error *err)
{
    s->benches = calloc((size_t)s->n_threads, sizeof(*s->benches));
    if (s->benches == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < s->n_threads; i++) {
        study_bench *const bench = &s->benches[i];

        bench->sweep = s;
        bench->cache = p3d_search_cache_create(err);
        if (bench->cache == NULL)
            return false;
        bench->result = malloc(sizeof(*bench->result));
        if (bench->result == NULL)
            return p3d_fail(err, P3D_SYSTEM, "out of memory");
    }
    return true;
}

static void free_benches(study_sweep *s)
{
    for (int i = 0; s->benches != NULL && i < s->n_threads; i++) {
        p3d_search_cache_destroy(s->benches[i].cache);
        free(s->benches[i].result);
    }
    free(s->benches);
}

static bool find(study_sweep *s, p3d_error *err)
{
    const double start_s = p3d_now_s();
    const bool scans = s->options->deadline_s > 0;
    const int64_t n_jobs = study_axes_n_jobs(&s->axes);
    const row_range range = range_of(s);
    const int64_t n_rows =
            scans ? n_jobs * STUDY_SCAN_ROWS : range.end - range.first;
    bool ok;

    s->n_threads = p3d_threads_for(scans ? P3D_MAX_THREADS : n_rows);
    if (!create_benches(s, err))
        return false;
    s->out.rows = calloc((size_t)n_rows + 1, sizeof(*s->out.rows));
    s->out.scans = calloc((size_t)n_jobs, sizeof(*s->out.scans));
    if (s->out.rows == NULL || s->out.scans == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    s->out.complete = true;
    s->out.n_asked = scans ? 0 : n_rows;
    ok = scans ? study_sweep_deadline(s, err) : add_all(s, err);
    s->out.seconds = p3d_now_s() - start_s;
    return ok && (s->options->n_parts > 0 || mark_front(&s->out, err));
}

/* When nothing at all is legal, the question is wrong; of a part, that may be
 * so by itself. */
static bool check_legal(const p3d_sweep *sweep, int64_t n_parts, p3d_error *err)
{
    for (int i = 0; i < sweep->n_rows; i++)
        if (sweep->rows[i].legal)
            return true;
    return sweep->n_rows == 0 || n_parts > 0 ||
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
           c->usd_per_gpu_h >= 0 &&
           (c->pins == NULL || spec_pins_given(c->pins));
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

static bool is_part(const p3d_sweep_options *o)
{
    if (o->n_parts == 0)
        return o->part == 0;
    return o->part >= 1 && o->part <= o->n_parts &&
           o->n_parts <= P3D_MAX_SWEEP_PARTS && o->deadline_s == 0 &&
           !o->only_front;
}

static bool is_given(const p3d_sweep_options *o)
{
    return o != NULL && spec_model_given(o->model) && are_lists(o) &&
           is_part(o) && (o->pins == NULL || spec_pins_given(o->pins)) &&
           is_deadline(o);
}

bool p3d_sweep_run(
        const p3d_sweep_options *options, p3d_sweep *out, p3d_error *err)
{
    study_sweep s = {.options = options};
    bool ok;

    if (!is_given(options) || out == NULL)
        return p3d_misuse(err, __func__);
    (void)pthread_mutex_init(&s.completing, NULL);
    s.pins = options->pins != NULL ? *options->pins : p3d_pins_free();
    ok = build_axes(options, &s.axes, err) && check_frameworks(&s, err) &&
         find(&s, err) && check_legal(&s.out, options->n_parts, err);
    free_axes(&s.axes);
    free_benches(&s);
    (void)pthread_mutex_destroy(&s.completing);
    if (!ok) {
        p3d_sweep_free(&s.out);
        return false;
    }
    sum_up(options, &s.out);
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
