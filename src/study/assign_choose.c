/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign_choose.c - chooses the places of jobs on pools that are cut by nodes:
 * a knapsack with a size for each pool, job after job, exactly. */
#include "study/assign.h"

#include <math.h>
#include <stdlib.h>

#include "base/util.h"

/* What is added up over jobs; the first that differs decides. */
typedef struct total {
    int64_t left_out; /* weight of the jobs without a place */
    double first, second;
} total;

static bool is_less(const total *a, const total *b)
{
    if (a->left_out != b->left_out)
        return a->left_out < b->left_out;
    if (a->first != b->first)
        return a->first < b->first;
    return a->second < b->second;
}

static total sum_of(const total *a, const total *b)
{
    return (total){a->left_out + b->left_out, a->first + b->first,
            a->second + b->second};
}

/* A place that a job may take in a question, or none at all. */
typedef struct option {
    const study_place *place; /* NULL = none */
    int64_t below;            /* the state is so much lower without it */
    int pool;
    int n_units;
    total worth;
} option;

/* The options of one job. */
typedef struct option_list {
    option *at; /* owned */
    int n;
} option_list;

/* One question: which options are there, and what is least. */
typedef struct knapsack {
    const study_choice *of;
    double limit_s; /* no job ends later */
    bool by_cost;   /* then: cost before the ends */
    bool only_room; /* whether all have one is all that is asked */
    int64_t stride[P3D_MAX_POOLS];
    int64_t n_states;
    option_list lists[P3D_MAX_ASSIGNED];
    total *before, *after; /* of each state: the jobs so far, at their best */
    short *taken;          /* of each job and state */
} knapsack;

double study_place_cost(const study_choice *choice, const p3d_assign_point *at)
{
    return choice->by_price ? at->usd : at->gpu_h;
}

bool study_place_in_time(const p3d_assign_job *job, const p3d_assign_point *at)
{
    return job->deadline_s == 0 || at->end_s <= job->deadline_s;
}

int64_t study_n_states(const int *n_units, int n_pools)
{
    int64_t n = 1;

    for (int k = 0; k < n_pools; k++)
        n = p3d_mul(n, n_units[k] + 1);
    return n;
}

static total worth_of(
        const knapsack *s, const p3d_assign_job *job, const study_place *place)
{
    const double end = job->weight * place->point.end_s;
    const double cost = study_place_cost(s->of, &place->point);

    if (s->only_room)
        return (total){.left_out = 0};
    return s->by_cost ? (total){0, cost, end} : (total){0, end, cost};
}

static void add_option(knapsack *s, int j, int pool, const study_place *place)
{
    option_list *const list = &s->lists[j];
    const p3d_assign_job *const job = &s->of->options->jobs[j];

    list->at[list->n++] = (option){.place = place,
            .pool = pool,
            .n_units = place->n_units,
            .below = place->n_units * s->stride[pool],
            .worth = worth_of(s, job, place)};
}

/* Where room alone is asked for, the first place in time has the fewest
 * nodes. */
static void add_options(knapsack *s, int j)
{
    const p3d_assign_options *const o = s->of->options;
    const p3d_assign_job *const job = &o->jobs[j];

    s->lists[j].n = 0;
    for (int k = 0; k < o->n_pools; k++) {
        const study_places *const places = &s->of->places[j * o->n_pools + k];
        bool more = true;

        for (int i = 0; i < places->n && more; i++) {
            const p3d_assign_point *const at = &places->at[i].point;

            if (at->end_s > s->limit_s || !study_place_in_time(job, at))
                continue;
            add_option(s, j, k, &places->at[i]);
            more = !s->only_room;
        }
    }
    s->lists[j].at[s->lists[j].n++] =
            (option){.worth = {.left_out = job->weight}};
}

/* The best that the jobs up to the j-th do with the units of a state. */
static void settle(knapsack *s, int j, int64_t state)
{
    const option_list *const list = &s->lists[j];
    total best = {.left_out = INT64_MAX};
    int64_t units[P3D_MAX_POOLS] = {0}; /* of each pool */

    for (int k = 0; k < s->of->options->n_pools; k++)
        units[k] = state / s->stride[k] % (s->of->n_units[k] + 1);

    for (int i = 0; i < list->n; i++) {
        const option *const o = &list->at[i];
        total got;

        if (units[o->pool] < o->n_units)
            continue;
        got = sum_of(&s->before[state - o->below], &o->worth);
        if (is_less(&got, &best)) {
            best = got;
            s->taken[j * s->n_states + state] = (short)i;
        }
    }
    s->after[state] = best;
}

/* Fill the knapsack. @return the total of all jobs with all units */
static total fill(knapsack *s)
{
    const int n_jobs = s->of->options->n_jobs;

    for (int64_t x = 0; x < s->n_states; x++)
        s->before[x] = (total){.left_out = 0};
    for (int j = 0; j < n_jobs; j++) {
        total *const settled = s->after;

        add_options(s, j);
        for (int64_t x = 0; x < s->n_states; x++)
            settle(s, j, x);
        s->after = s->before;
        s->before = settled;
    }
    return s->before[s->n_states - 1];
}

static void trace_back(const knapsack *s, study_choice *out)
{
    int64_t state = s->n_states - 1;

    for (int j = s->of->options->n_jobs - 1; j >= 0; j--) {
        const option *const o =
                &s->lists[j].at[s->taken[j * s->n_states + state]];

        out->chosen[j] = o->place;
        state -= o->below;
    }
}

static int compare_ends(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static int n_places(const study_choice *c)
{
    int n = 0;

    for (int i = 0; i < c->options->n_jobs * c->options->n_pools; i++)
        n += c->places[i].n;
    return n;
}

static void list_ends(const study_choice *c, double *ends)
{
    int n = 0;

    for (int i = 0; i < c->options->n_jobs * c->options->n_pools; i++)
        for (int p = 0; p < c->places[i].n; p++)
            ends[n++] = c->places[i].at[p].point.end_s;
    qsort(ends, (size_t)n, sizeof(*ends), compare_ends);
}

/* The least end of all for which as many jobs have a place as without one: what
 * is left out grows as it falls. */
static void limit_end(knapsack *s, const double *ends, int n)
{
    int low = 0, high = n - 1;
    int64_t least;

    s->only_room = true;
    least = fill(s).left_out;
    while (low < high) {
        const int middle = low + (high - low) / 2;

        s->limit_s = ends[middle];
        if (fill(s).left_out == least)
            high = middle;
        else
            low = middle + 1;
    }
    s->only_room = false;
    s->limit_s = n > 0 ? ends[high] : HUGE_VAL;
}

static bool allocate(knapsack *s, p3d_error *err)
{
    const size_t n = (size_t)s->n_states;
    const int n_options = n_places(s->of) + 1;
    bool ok;

    s->before = malloc(n * sizeof(*s->before));
    s->after = malloc(n * sizeof(*s->after));
    s->taken = malloc(n * (size_t)s->of->options->n_jobs * sizeof(*s->taken));
    ok = s->before != NULL && s->after != NULL && s->taken != NULL;
    for (int j = 0; j < s->of->options->n_jobs && ok; j++) {
        s->lists[j].at = malloc((size_t)n_options * sizeof(option));
        ok = s->lists[j].at != NULL;
    }
    return ok || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

static void release(knapsack *s)
{
    free(s->before);
    free(s->after);
    free(s->taken);
    for (int j = 0; j < P3D_MAX_ASSIGNED; j++)
        free(s->lists[j].at);
}

static bool choose(knapsack *s, double *ends, p3d_error *err)
{
    const p3d_assign_objective objective = s->of->options->objective;

    if (ends == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!allocate(s, err))
        return false;
    list_ends(s->of, ends);
    s->by_cost = objective != P3D_ASSIGN_MEAN;
    if (objective == P3D_ASSIGN_END)
        limit_end(s, ends, n_places(s->of));
    (void)fill(s);
    return true;
}

bool study_choose(study_choice *choice, p3d_error *err)
{
    const int n_pools = choice->options->n_pools;
    knapsack s = {.of = choice,
            .limit_s = HUGE_VAL,
            .n_states = study_n_states(choice->n_units, n_pools)};
    double *const ends = malloc(((size_t)n_places(choice) + 1) * sizeof(*ends));
    bool ok;

    for (int k = 0; k < n_pools; k++)
        s.stride[k] = study_n_states(choice->n_units, k);
    ok = choose(&s, ends, err);
    if (ok)
        trace_back(&s, choice);
    choice->n_states = s.n_states;
    release(&s);
    free(ends);
    return ok;
}
