/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alike.c - the fastest plan whose replicas are all alike, as frameworks run
 * them: every shape of a replica, every number of them, the best split of each,
 * by bounds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/util.h"
#include "search/pools/seek.h"

/* What a plan must be faster by to be looked for: much at first. */
static const double gains[] = {0.02, 1e-10};

typedef struct seeker {
    search_pool_world *world, *judge;
    const p3d_watch *watch;
    p3d_pools_result *out;
    p3d_pools_plan *trial;
    bool tied; /* the ends of a pipeline share a matrix: as many ranks of it */
    double start_s;
    double best_s; /* HUGE_VAL = none yet */
    double gain;
    /* At work: pools, a bit each, replicas, GPUs of each pool for one. */
    search_pool_setting setting;
    int n_gpus[P3D_MAX_POOLS];
    int64_t m; /* micro-batches of a replica */
    int micro_batch;
    p3d_recompute recompute;
    double rest[P3D_MAX_POOLS + 1]; /* layers a second of the pools from one on,
                                       at best */
    double least_once_s;
} seeker;

static bool stopped(seeker *s)
{
    p3d_pools_result *const out = s->out;

    out->interrupted = out->interrupted || p3d_stopped();
    if (s->watch != NULL && !out->interrupted)
        out->interrupted = !s->watch->tick(s->watch->context,
                p3d_now_s() - s->start_s, out->n_classes + out->n_cut);
    return out->interrupted;
}

static double asked_s(const seeker *s)
{
    return s->best_s * (1 - s->gain);
}

/* What is known within the limit at hand stays where it is the same. */
static void set_limit(seeker *s, double once_s)
{
    if (s->world->limit_s != once_s)
        search_pool_limit(s->world, once_s);
}

/* The plan of a shape and a split: keep it if it is the best so far.
 * @return seconds of it once a step, in the setting at hand */
static double take(seeker *s, const search_pool_shape *shape,
        const search_pool_split *split)
{
    search_pool_stage stages[P3D_MAX_POOL_STAGES];
    p3d_replica_class *const class = &s->trial->classes[0];
    double once_s = 0;

    memset(s->trial, 0, sizeof(*s->trial));
    s->trial->zero = s->setting.zero;
    s->trial->n_classes = 1;
    class->n_replicas = s->setting.most_replicas;
    class->n_segments = shape->n_segments;
    class->n_stages = search_pool_stages_of(shape, stages);
    class->micro_batch = s->micro_batch;
    class->n_micro_batches = s->m;
    class->recompute = s->recompute;
    for (int i = 0; i < shape->n_segments; i++)
        class->segments[i] = (p3d_segment){shape->shards[i]->pool,
                shape->shards[i]->tp, shape->n_stages[i]};
    for (int i = 0; i < class->n_stages; i++) {
        stages[i].n_layers = class->layers[i] = split->layers[i];
        once_s = fmax(once_s, search_pool_once_s(s->world, &stages[i]));
    }
    if (search_pool_judge(s->judge, s->trial) && s->trial->step_s < s->best_s) {
        s->best_s = s->trial->step_s;
        s->out->plan = *s->trial;
        s->out->fits = true;
    }
    return once_s;
}

/**
 * The best split of a shape's layers whose stages take a time once a step that
 * is between two.
 *
 * No stage may take more than the most, and the pipeline has what the least
 * leaves. Where that holds and no better plan comes of it, the two are brought
 * together.
 */
static void split(seeker *s, const search_pool_shape *shape, double least_s,
        double most_s)
{
    search_pool_split found;
    double before_s, once_s;

    do {
        before_s = s->best_s;
        set_limit(s, most_s);
        if (search_pool_most(
                    s->world, shape, asked_s(s) - least_s, s->m, &found) < s->m)
            return;
        once_s = take(s, shape, &found);
    } while (s->best_s < before_s);
    most_s = fmin(most_s, s->best_s);
    if (s->best_s >= HUGE_VAL || s->gain > gains[1] ||
            most_s - least_s < 1e-13 * s->best_s || stopped(s))
        return;
    once_s = once_s > least_s && once_s < (least_s + most_s) / 2
                     ? once_s
                     : (least_s + most_s) / 2;
    split(s, shape, once_s, most_s);
    split(s, shape, least_s, once_s * (1 - 1e-14));
}

/* The shape's segments are all there, in this order. */
static void try_order(seeker *s, const search_pool_shape *shape)
{
    const int last = shape->n_segments - 1;

    if (s->tied && shape->shards[0]->tp != shape->shards[last]->tp)
        return;
    s->out->n_classes++;
    split(s, shape, s->least_once_s, HUGE_VAL);
}

/* All orders of the segments from the i-th on. */
static void try_orders(seeker *s, const search_pool_shape *shape, int i)
{
    if (i == shape->n_segments)
        try_order(s, shape);
    for (int j = i; j < shape->n_segments; j++) {
        const search_pool_shape next = search_pool_swapped(shape, i, j);

        try_orders(s, &next, i + 1);
    }
}

/* Whether bounds let a shape be of use, in some order. */
static bool may_help(seeker *s, const search_pool_shape *shape)
{
    const int n_stages = search_pool_n_stages(shape);
    search_pool_line bound;

    if (n_stages > P3D_MAX_POOL_STAGES || n_stages > s->world->n_layers)
        return false;
    set_limit(s, HUGE_VAL);
    if (search_pool_bound_anywhere(s->world, shape, &bound) &&
            search_pool_line_most(&bound, asked_s(s) - s->least_once_s, s->m) >=
                    s->m)
        return true;
    s->out->n_cut++;
    return false;
}

/* Whether segments with so many layers a second, and pools from the k-th on at
 * best, do all micro-batches in time. */
static bool is_in_time(const seeker *s, double rate, int k)
{
    const double budget_s = (asked_s(s) - s->least_once_s) * (1 + 1e-12);

    return (double)(s->m - 1) * s->world->n_layers <=
           budget_s * (rate + s->rest[k]);
}

static bool is_used(const seeker *s, int pool)
{
    return (s->setting.pools >> pool & 1) != 0;
}

/* Whether segments in a pool may be of a shard. */
static bool is_asked(const seeker *s, const search_pool_shard *shard, int pool)
{
    return shard->pool == pool && shard->vp == 1 &&
           shard->micro_batch == s->micro_batch &&
           shard->recompute == s->recompute;
}

/* All segments in the pools from the k-th on, the longest first. */
static void try_pools(seeker *s, search_pool_shape *shape, double rate, int k)
{
    const search_pool_world *const w = s->world;
    const int i = shape->n_segments;

    if (!is_in_time(s, rate, k) || s->out->interrupted)
        return;
    if (k == w->problem->pools.n_pools) {
        if (may_help(s, shape))
            try_orders(s, shape, 0);
        return;
    }
    if (!is_used(s, k)) {
        try_pools(s, shape, rate, k + 1);
        return;
    }
    for (int j = 0; j < w->n_shards; j++) {
        const search_pool_shard *const shard = &w->shards[j];

        if (!is_asked(s, shard, k))
            continue;
        shape->shards[i] = shard;
        shape->n_segments = i + 1;
        for (int n = s->n_gpus[k] / shard->tp; n > 0; n--) {
            const double more = n / shard->layer_s;

            if (!is_in_time(s, rate + more, k + 1))
                break;
            shape->n_stages[i] = n;
            try_pools(s, shape, rate + more, k + 1);
        }
        shape->n_segments = i;
    }
}

/* What the pools do at best, with the micro-batch and recomputation at hand. */
static void set_rest(seeker *s)
{
    const search_pool_world *const w = s->world;
    const int n_pools = w->problem->pools.n_pools;

    s->rest[n_pools] = 0;
    for (int k = n_pools - 1; k >= 0; k--) {
        double best = 0; /* layers a second and GPU */

        for (int j = 0; j < w->n_shards; j++) {
            const search_pool_shard *const shard = &w->shards[j];

            if (is_asked(s, shard, k))
                best = fmax(best, 1 / (shard->tp * shard->layer_s));
        }
        s->rest[k] = s->rest[k + 1] +
                     (is_used(s, k) ? best * s->n_gpus[k] : 0) * (1 + 1e-12);
    }
}

/* All plans of a setting. */
static void try_setting(seeker *s)
{
    const int64_t batch = s->world->global_batch;
    const int n = s->setting.most_replicas;
    double floor_s;

    search_pool_set(s->world, &s->setting);
    s->least_once_s = search_pool_least_once_s(s->world);
    floor_s = search_pool_floor_s(s->world, s->setting.pools);
    if (s->least_once_s >= HUGE_VAL || floor_s + s->least_once_s >= s->best_s)
        return;
    for (int b = 0; b < SEARCH_POOL_BATCHES; b++)
        for (int r = 0; r < P3D_N_RECOMPUTES; r++) {
            search_pool_shape shape = {.n_segments = 0};

            s->micro_batch = 1 << b;
            s->recompute = (p3d_recompute)r;
            s->m = batch / n / s->micro_batch;
            if (s->m * s->micro_batch * n != batch || stopped(s))
                continue;
            set_rest(s);
            try_pools(s, &shape, 0, 0);
        }
}

/* All numbers of replicas on these pools, many first. */
static void try_counts(seeker *s)
{
    const p3d_pools *const pools = &s->world->problem->pools;
    int most = 0;

    for (int k = 0; k < pools->n_pools; k++)
        if (is_used(s, k) && (most == 0 || pools->clusters[k].n_gpus < most))
            most = pools->clusters[k].n_gpus;
    for (int n = most; n > 0; n--)
        for (int zero = 1; zero >= (n > 1 ? 0 : 1); zero--) {
            if (s->world->global_batch % n != 0)
                continue;
            s->setting.zero = zero;
            s->setting.least_replicas = s->setting.most_replicas = n;
            for (int k = 0; k < pools->n_pools; k++)
                s->n_gpus[k] = pools->clusters[k].n_gpus / n;
            try_setting(s);
        }
}

static int n_bits(unsigned bits)
{
    int n = 0;

    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

/* All sets of pools; what those of few find saves most of the work on those of
 * many. */
static void try_all(seeker *s)
{
    const int n_pools = s->world->problem->pools.n_pools;
    const unsigned all = 1u << n_pools;

    for (int i = 0; i < P3D_COUNT_OF(gains); i++)
        for (int n = 1; n <= n_pools; n++)
            for (unsigned pools = 1; pools < all; pools++) {
                s->gain = gains[i];
                s->setting.pools = pools;
                if (n_bits(pools) == n)
                    try_counts(s);
            }
    s->setting = (search_pool_setting){0, all - 1, 1, 1};
    search_pool_set(s->world, &s->setting);
    s->out->floor_s = search_pool_floor_s(s->world, all - 1);
    s->out->bound_s =
            s->out->interrupted || !s->out->fits ? s->out->floor_s : asked_s(s);
}

bool search_pools_alike(const p3d_pools_problem *problem,
        const p3d_watch *watch, p3d_pools_result *out, p3d_error *err)
{
    search_pool_world *const worlds = malloc(2 * sizeof(*worlds));
    seeker s = {.watch = watch,
            .out = out,
            .tied = problem->on[0].model.tied_embeddings,
            .best_s = HUGE_VAL,
            .start_s = p3d_now_s(),
            .trial = malloc(sizeof(*s.trial))};
    bool ok = (worlds != NULL && s.trial != NULL) ||
              p3d_fail(err, P3D_SYSTEM, "out of memory");

    s.world = worlds;
    if (ok) {
        s.judge = &worlds[1];
        ok = search_pool_open(problem, s.world, err);
        if (ok) {
            search_pool_twin(s.world, s.judge);
            try_all(&s);
        }
        search_pool_close(s.world);
    }
    out->seconds = p3d_now_s() - s.start_s;
    free(s.trial);
    free(worlds);
    return ok;
}
