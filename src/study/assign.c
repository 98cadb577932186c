/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign.c - several trainings at the same time on the pools of a fleet: the
 * time of each on every number of nodes, searched, and what was chosen. */
#include "study/assign.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/util.h"
#include "plan3d/recommend.h"
#include "plan3d/training.h"
#include "spec/given.h"
#include "study/sweep.h"

/* States beyond which nodes are taken by more than one. */
enum { MOST_STATES = 262144 };

const char *p3d_assign_objective_word(int i)
{
    static const char *const words[P3D_N_ASSIGN_OBJECTIVES] = {
            "end", "mean", "cost"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

const char *p3d_assign_verdict_word(int i)
{
    static const char *const words[P3D_N_ASSIGN_VERDICTS] = {
            "assigned", "no_room", "late", "no_plan", "refused"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* One job on one pool, by one thread. */
typedef struct look_up {
    const p3d_problem *whole;
    study_places places;
    int n_points;
    int n_skipped;
    bool is_whole; /* nobody asked to stop meanwhile */
    p3d_error error;
} look_up;

typedef struct assign_work {
    const p3d_assign_options *options;
    look_up *look_ups; /* of each job and pool */
    study_places *places;
    int unit_nodes[P3D_MAX_POOLS];
    bool stopped;
} assign_work;

/* What a thread looks one number of nodes up with. */
typedef struct assign_bench {
    p3d_search_cache *cache;
    p3d_search_result *result;
    p3d_problem problem;
} assign_bench;

/* The same job on so many nodes. @return whether there is such a cluster */
static bool take_nodes(const p3d_problem *whole, int n_nodes, p3d_problem *out)
{
    const p3d_cluster *const c = &whole->cluster;

    *out = *whole;
    return n_nodes == c->n_nodes ||
           p3d_cluster_resize(
                   &out->cluster, n_nodes * c->node.gpus_per_node, NULL);
}

/* The fastest plan that is sure to fit; one that ends after limit_s may be left
 * out. @return false with P3D_SYSTEM */
static bool search(assign_bench *b, double limit_s, p3d_error *err)
{
    const p3d_recommend_options options = {
            .search = {.n_top = 1,
                    .limit_s =
                            study_sweep_real_step_limit_s(&b->problem, limit_s),
                    .cache = b->cache},
            .objective = P3D_OBJECTIVE_CHEAPEST,
            .alone = true,
            .only_sure = true};
    p3d_recommendation found;

    return p3d_recommend(&b->problem, &options, b->result, &found, err);
}

/* The training of what was found. @return false with P3D_SYSTEM */
static bool train(const assign_bench *b, p3d_assign_point *out, p3d_error *err)
{
    const p3d_estimate *const e = &b->result->top[0];
    p3d_training t;

    if (!p3d_training_find(&b->problem, e, &t, err))
        return false;
    *out = (p3d_assign_point){.n_nodes = b->problem.cluster.n_nodes,
            .n_gpus = b->problem.cluster.n_gpus,
            .plan = e->plan,
            .step_s = p3d_time_step_s(&e->time),
            .end_s = t.progresses ? t.real_s : HUGE_VAL,
            .goodput_frac = t.goodput_frac,
            .gpu_h = t.gpu_h,
            .usd = t.total_usd};
    return true;
}

/* True when no plan can end before the limit: all FLOPs at the peak. */
static bool is_hopeless(const p3d_problem *problem, double limit_s)
{
    const double step_s = study_sweep_real_step_limit_s(problem, limit_s);

    return step_s > 0 && study_sweep_peak_step_s(problem) > step_s;
}

/* Look one number of nodes up; it is a place where it is faster than all
 * smaller ones. */
static bool look_at(assign_bench *b, int n_units, look_up *l, p3d_error *err)
{
    const double best_s =
            l->places.n > 0 ? l->places.at[l->places.n - 1].point.end_s : 0;
    p3d_assign_point point;

    l->n_points++;
    if (is_hopeless(&b->problem, best_s)) {
        l->n_skipped++;
        return true;
    }
    if (!search(b, best_s, err))
        return false;
    if (b->result->n_top == 0 || p3d_stopped())
        return true;
    if (!train(b, &point, err))
        return false;
    if (isfinite(point.end_s) && (best_s == 0 || point.end_s < best_s))
        l->places.at[l->places.n++] = (study_place){point, n_units};
    return true;
}

static bool look_up_all(
        assign_bench *b, int unit_nodes, look_up *l, p3d_error *err)
{
    const int n = l->whole->cluster.n_nodes / unit_nodes;

    if (b->cache == NULL)
        return false;
    l->places.at = malloc((size_t)n * sizeof(*l->places.at));
    b->result = malloc(sizeof(*b->result));
    if (l->places.at == NULL || b->result == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 1; i <= n && !p3d_stopped(); i++)
        if (take_nodes(l->whole, i * unit_nodes, &b->problem) &&
                !look_at(b, i, l, err))
            return false;
    l->is_whole = !p3d_stopped();
    return true;
}

/* The tasks: each job on each pool. */
static const p3d_assign_job *job_of(const assign_work *w, int64_t task)
{
    return &w->options->jobs[task / w->options->n_pools];
}

static int pool_of(const assign_work *w, int64_t task)
{
    return (int)(task % w->options->n_pools);
}

static int64_t n_tasks(const p3d_assign_options *o)
{
    return (int64_t)o->n_jobs * o->n_pools;
}

static bool begin(void *context, int64_t task)
{
    assign_work *const w = context;
    const p3d_assign_options *const o = w->options;

    if (o->next == NULL || o->next(o->context, task + 1, n_tasks(o),
                                   (int)(task / o->n_pools), pool_of(w, task)))
        return true;
    w->stopped = true;
    return false;
}

static void work(void *context, int64_t task, int thread)
{
    assign_work *const w = context;
    const int k = pool_of(w, task);
    look_up *const l = &w->look_ups[task];
    assign_bench *b;

    (void)thread;
    if (job_of(w, task)->refused[k]) {
        l->is_whole = true;
        return;
    }
    b = calloc(1, sizeof(*b));
    if (b == NULL) {
        p3d_record(&l->error, P3D_SYSTEM, "out of memory");
        return;
    }
    b->cache = p3d_search_cache_create(&l->error);
    (void)look_up_all(b, w->unit_nodes[k], l, &l->error);
    p3d_search_cache_destroy(b->cache);
    free(b->result);
    free(b);
}

static bool take(void *context, int64_t task)
{
    assign_work *const w = context;
    const look_up *const l = &w->look_ups[task];

    w->places[task] = l->places;
    w->stopped = w->stopped || (!l->is_whole && l->error.code == P3D_OK);
    return l->error.code == P3D_OK;
}

/* A pool whose nodes are the most units has units of twice as many until the
 * states are few enough. */
static void set_units(
        const p3d_assign_options *o, int *unit_nodes, int *n_units)
{
    for (int k = 0; k < o->n_pools; k++) {
        const int n = o->jobs[0].on[k].cluster.n_nodes;

        unit_nodes[k] = o->whole_pools ? n : 1;
        n_units[k] = n / unit_nodes[k];
    }
    while (study_n_states(n_units, o->n_pools) > MOST_STATES) {
        int most = 0;

        for (int k = 1; k < o->n_pools; k++)
            if (n_units[k] > n_units[most])
                most = k;
        unit_nodes[most] *= 2;
        n_units[most] /= 2;
    }
}

/* The place where a job ends first, without the others; NULL = none. */
static const study_place *first_end(const study_choice *c, int j)
{
    const study_place *best = NULL;

    for (int k = 0; k < c->options->n_pools; k++) {
        const study_places *const p = &c->places[j * c->options->n_pools + k];

        if (p->n > 0 && (best == NULL || p->at[p->n - 1].point.end_s <
                                                 best->point.end_s))
            best = &p->at[p->n - 1];
    }
    return best;
}

/* The fewest nodes of a pool that do; 0 = no number does. */
static int least_nodes(const p3d_assign_job *job, const study_places *places)
{
    for (int i = 0; i < places->n; i++)
        if (study_place_in_time(job, &places->at[i].point))
            return places->at[i].point.n_nodes;
    return 0;
}

static p3d_assign_verdict verdict_of(
        const study_choice *c, int j, const p3d_assign_row *row)
{
    const p3d_assign_job *const job = &c->options->jobs[j];
    bool runs = false;

    for (int k = 0; k < c->options->n_pools; k++)
        runs = runs || !job->refused[k];
    return c->chosen[j] != NULL                     ? P3D_ASSIGNED
           : !runs                                  ? P3D_ASSIGN_REFUSED
           : row->alone.pool < 0                    ? P3D_ASSIGN_NO_PLAN
           : !study_place_in_time(job, &row->alone) ? P3D_ASSIGN_LATE
                                                    : P3D_ASSIGN_NO_ROOM;
}

static void fill_row(const study_choice *c, int j, p3d_assign_row *row)
{
    const p3d_assign_options *const o = c->options;
    const study_place *const alone = first_end(c, j);

    row->at.pool = row->alone.pool = -1;
    if (alone != NULL)
        row->alone = alone->point;
    if (c->chosen[j] != NULL)
        row->at = c->chosen[j]->point;
    for (int k = 0; k < o->n_pools; k++)
        row->least_nodes[k] =
                least_nodes(&o->jobs[j], &c->places[j * o->n_pools + k]);
    row->verdict = verdict_of(c, j, row);
}

static void add_row(const p3d_assign_job *job, const p3d_assign_row *row,
        p3d_assignment *out)
{
    const p3d_assign_point *const at = &row->at;

    if (row->verdict != P3D_ASSIGNED)
        return;
    out->n_assigned++;
    out->end_s = fmax(out->end_s, at->end_s);
    out->floor_s = fmax(out->floor_s, row->alone.end_s);
    out->mean_s += job->weight * at->end_s;
    out->gpu_h += at->gpu_h;
    out->usd += at->usd;
    out->n_nodes[at->pool] += at->n_nodes;
}

static void sum_up(const study_choice *c, p3d_assignment *out)
{
    double weights = 0;

    out->n_jobs = c->options->n_jobs;
    out->by_price = c->by_price;
    out->n_states = c->n_states;
    for (int j = 0; j < out->n_jobs; j++) {
        fill_row(c, j, &out->rows[j]);
        add_row(&c->options->jobs[j], &out->rows[j], out);
        if (c->chosen[j] != NULL)
            weights += c->options->jobs[j].weight;
    }
    if (weights > 0)
        out->mean_s /= weights;
}

static const p3d_error *first_error(const assign_work *w)
{
    for (int64_t i = 0; i < n_tasks(w->options); i++)
        if (w->look_ups[i].error.code != P3D_OK)
            return &w->look_ups[i].error;
    return NULL;
}

/* Cost is money where every place has a price. */
static bool has_prices(const study_choice *c)
{
    for (int64_t i = 0; i < n_tasks(c->options); i++)
        for (int p = 0; p < c->places[i].n; p++)
            if (!(c->places[i].at[p].point.usd > 0))
                return false;
    return true;
}

/* The times of all jobs, by all threads. */
static bool look_everywhere(assign_work *w, p3d_error *err)
{
    const p3d_assign_options *const o = w->options;
    const p3d_error *cause;

    for (int64_t i = 0; i < n_tasks(o); i++)
        w->look_ups[i].whole = &job_of(w, i)->on[pool_of(w, i)];
    p3d_tasks_run(&(p3d_tasks){.n = n_tasks(o),
            .n_threads = p3d_threads_for(n_tasks(o)),
            .context = w,
            .begin = begin,
            .work = work,
            .take = take});
    cause = first_error(w);
    return cause == NULL || p3d_fail(err, cause->code, "%s", cause->text);
}

static void set_pools(const assign_work *w)
{
    for (int64_t i = 0; i < n_tasks(w->options); i++)
        for (int p = 0; p < w->places[i].n; p++)
            w->places[i].at[p].point.pool = pool_of(w, i);
}

static void count(const assign_work *w, p3d_assignment *out)
{
    for (int64_t i = 0; i < n_tasks(w->options); i++) {
        out->n_look_ups += w->look_ups[i].n_points;
        out->n_skipped += w->look_ups[i].n_skipped;
        out->n_choices += w->places[i].n;
    }
    out->complete = !w->stopped && !p3d_stopped();
}

static bool assign(assign_work *w, p3d_assignment *out, p3d_error *err)
{
    study_choice c = {.options = w->options, .places = w->places};

    out->rows = calloc((size_t)w->options->n_jobs, sizeof(*out->rows));
    if (out->rows == NULL || w->look_ups == NULL || w->places == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    set_units(w->options, w->unit_nodes, c.n_units);
    if (!look_everywhere(w, err))
        return false;
    set_pools(w);
    count(w, out);
    c.by_price = has_prices(&c);
    if (!study_choose(&c, err))
        return false;
    for (int k = 0; k < w->options->n_pools; k++)
        out->unit_nodes[k] = w->unit_nodes[k];
    sum_up(&c, out);
    return true;
}

static bool is_job(const p3d_assign_job *job, int n_pools)
{
    if (job->name == NULL || job->on == NULL || job->weight < 1 ||
            job->weight > P3D_MAX_JOB_WEIGHT || !(job->deadline_s >= 0))
        return false;
    for (int k = 0; k < n_pools; k++)
        if (!spec_cluster_given(&job->on[k].cluster) ||
                (!job->refused[k] && (!spec_problem_given(&job->on[k]) ||
                                             job->on[k].job.n_tokens == 0)))
            return false;
    return true;
}

static bool is_given(const p3d_assign_options *o)
{
    if (o == NULL || o->jobs == NULL || o->n_jobs < 1 ||
            o->n_jobs > P3D_MAX_ASSIGNED || o->n_pools < 1 ||
            o->n_pools > P3D_MAX_POOLS || (int)o->objective < 0 ||
            o->objective >= P3D_N_ASSIGN_OBJECTIVES)
        return false;
    for (int j = 0; j < o->n_jobs; j++)
        if (!is_job(&o->jobs[j], o->n_pools))
            return false;
    return true;
}

bool p3d_assign(
        const p3d_assign_options *options, p3d_assignment *out, p3d_error *err)
{
    if (!is_given(options) || out == NULL)
        return p3d_misuse(err, __func__);

    const double start_s = p3d_now_s();
    const size_t n = (size_t)n_tasks(options);
    p3d_assignment got = {.rows = NULL};
    assign_work w = {.options = options,
            .look_ups = calloc(n, sizeof(*w.look_ups)),
            .places = calloc(n, sizeof(*w.places))};
    const bool ok = assign(&w, &got, err);

    for (size_t i = 0; i < n && w.look_ups != NULL; i++)
        free(w.look_ups[i].places.at);
    free(w.look_ups);
    free(w.places);
    got.seconds = p3d_now_s() - start_s;
    if (ok)
        *out = got;
    else
        free(got.rows);
    return ok;
}

void p3d_assignment_free(p3d_assignment *assignment)
{
    if (assignment == NULL)
        return;
    free(assignment->rows);
    *assignment = (p3d_assignment){.rows = NULL};
}
