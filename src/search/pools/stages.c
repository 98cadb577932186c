/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stages.c - what a stage of a replica costs on its pool: the formulas of cost/
 * asked with the GPU, the node and the network of that pool. */
#include "search/pools/stages.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cost/time/step_time.h"
#include "plan3d/own_runs.h"
#include "search/pools/wires.h"
#include "spec/given.h"

/* The layers of one stage, as many in each chunk; the others are not asked
 * about. */
static const cost_layout *layout_of(
        search_pool_world *w, const search_pool_stage *s)
{
    const int vp = s->shard->vp;

    w->layout.n_chunks = s->n_stages * vp;
    w->layout.n_kinds = w->layer_kind + 1;
    for (int j = 0; j < vp; j++) {
        const int chunk = j * s->n_stages + s->stage;

        memset(w->layout.count[chunk], 0, sizeof(w->layout.count[chunk]));
        w->layout.count[chunk][w->layer_kind] = (short)(s->n_layers / vp);
        w->layout.first[chunk] = w->layout.like[chunk] = 0;
    }
    return &w->layout;
}

/* Its problem, with so large a batch that the pipeline is full. */
static const p3d_problem *problem_of(
        search_pool_world *w, const p3d_plan *plan, int pool)
{
    const int64_t rounds = plan->vp > 1 ? 2 : 1;
    const int64_t full = plan->pp > 2 ? plan->pp : 2;

    w->on[pool].job.global_batch = rounds * full * plan->dp * plan->micro_batch;
    return &w->on[pool];
}

/* GPUs of the setting's pools. */
static double n_gpus_of(const search_pool_world *w)
{
    double n = 0;

    for (int k = 0; k < w->problem->pools.n_pools; k++)
        if ((w->setting.pools >> k & 1) != 0)
            n += w->problem->pools.clusters[k].n_gpus;
    return n;
}

/* Of what the slowest of all GPUs takes more. */
static double spread_of(const search_pool_world *w, int pool)
{
    return w->on[pool].cluster.calibration.assumed.gpu_spread_frac *
           cost_largest_of(n_gpus_of(w));
}

double search_pool_pass_s(search_pool_world *w, const search_pool_stage *s)
{
    const search_pool_shard *const shard = s->shard;
    const p3d_plan plan = search_pool_plan_of(shard, s->n_stages, 1, 0);
    const cost_case of = {problem_of(w, &plan, shard->pool), &plan,
            shard->blocks, layout_of(w, s)};
    const cost_rank_time t = cost_time_rank(&of, s->stage, NULL);

    return search_pool_anchor(w, shard->pool) *
           (t.total_s + spread_of(w, shard->pool) * t.compute_s);
}

double search_pool_trained(search_pool_world *w, const search_pool_stage *s)
{
    const p3d_plan plan = search_pool_plan_of(s->shard, s->n_stages, 1, 0);
    const cost_case of = {
            &w->on[s->shard->pool], &plan, s->shard->blocks, layout_of(w, s)};
    const p3d_params n = cost_rank_shared(&of, s->stage).trained;

    return (double)n.dense + (double)n.experts;
}

/* The replicas of a pipeline lie on nodes of their own; those of one stage are
 * neighbours. */
double search_pool_once_s(search_pool_world *w, const search_pool_stage *s)
{
    const search_pool_setting *const set = &w->setting;
    const int pool = s->shard->pool;
    p3d_plan plan = search_pool_plan_of(
            s->shard, s->n_stages, set->least_replicas, set->zero);
    p3d_problem *const on = &w->on[pool];
    const cost_case of = {on, &plan, s->shard->blocks, layout_of(w, s)};
    const cost_shared params = cost_rank_shared(&of, s->stage);
    const double n_params =
            (double)params.trained.dense + (double)params.trained.experts;
    double once_s = on->cluster.calibration.assumed.fixed_step_s;

    if (s->n_stages > 1)
        plan.pp = search_pool_ranks_of_node(&on->cluster, plan.tp);
    once_s += cost_dp_exposed_s(search_pool_exchange(w, s, n_params), &plan,
            params, (cost_pass_time){0, 0}, 1);
    plan.dp = set->most_replicas;
    once_s += cost_optimizer_s(on, &plan, params.trained);
    return once_s * search_pool_anchor(w, pool);
}

/* Chunks of micro-batches that a stage keeps when its pipeline is full: with
 * one chunk, a micro-batch for each stage from it on; interleaved, those of
 * warm-up and one. Source: arXiv:2104.04473 section 2.2; Megatron-LM@d98e8a64
 * megatron/core/pipeline_parallel/schedules.py:954-1012. */
static int alive_of(int vp, int n_stages, int stage)
{
    const int behind = n_stages - stage - 1;

    return vp == 1 ? behind + 1 : 2 * behind + (vp - 1) * n_stages + 1;
}

/* Note which middle stages keep how much, the longest pipelines first. */
static void set_middles(search_pool_world *w)
{
    for (int v = 0; v < SEARCH_POOL_CHUNKS; v++)
        for (int p = P3D_MAX_POOL_STAGES; p >= 3; p--)
            for (int stage = 1; stage < p - 1; stage++)
                w->middles[v][alive_of(1 << v, p, stage)] =
                        (search_pool_middle){p, stage};
}

/* A middle stage that keeps so many. @return false where there is none */
static bool middle_of(const search_pool_world *w,
        const search_pool_shard *shard, int alive, search_pool_stage *out)
{
    const search_pool_middle *const m =
            &w->middles[search_pool_exponent(shard->vp)][alive];

    *out = (search_pool_stage){shard, m->n_stages, m->stage, 0};
    return m->n_stages > 0;
}

static int alive_at(const search_pool_stage *s)
{
    return alive_of(s->shard->vp, s->n_stages, s->stage);
}

/* A stage that costs as much: a middle one of the shortest pipeline in which
 * one keeps as much, else the stage itself. */
static search_pool_stage plain_stage(
        const search_pool_world *w, const search_pool_stage *s)
{
    search_pool_stage plain = *s;

    if (search_pool_place_of(s->stage, s->n_stages) == SEARCH_POOL_MIDDLE &&
            middle_of(w, s->shard, alive_at(s), &plain))
        plain.n_layers = s->n_layers;
    return plain;
}

/* Most layers of a stage that takes no more than so long once a step. */
static int find_within(
        search_pool_world *w, const search_pool_stage *s, double limit_s)
{
    search_pool_stage each = plain_stage(w, s);
    int low = 0, high = w->n_layers + 1;

    while (high - low > 1) {
        each.n_layers = (low + high) / 2;
        if (search_pool_once_s(w, &each) > limit_s)
            high = each.n_layers;
        else
            low = each.n_layers;
    }
    return low;
}

/* Most layers within the limit: micro-batch and recomputation do not matter. */
static int within_of(search_pool_world *w, const search_pool_stage *s)
{
    const search_pool_stage first = {
            &w->shards[s->shard->alike], s->n_stages, s->stage, s->n_layers};
    search_pool_within *const within =
            &w->within[s->shard->alike]
                      [search_pool_place_of(s->stage, s->n_stages)];

    if (within->limit != w->n_limits) {
        within->layers = find_within(w, &first, w->limit_s);
        within->limit = w->n_limits;
    }
    return within->layers;
}

void search_pool_limit(search_pool_world *w, double once_s)
{
    w->limit_s = once_s;
    w->n_limits++;
}

static bool exceeds(search_pool_world *w, const search_pool_stage *s)
{
    const p3d_plan plan = search_pool_plan_of(
            s->shard, s->n_stages, w->setting.most_replicas, w->setting.zero);
    const cost_case of = {problem_of(w, &plan, s->shard->pool), &plan,
            s->shard->blocks, layout_of(w, s)};

    return cost_rank_exceeds(&of, s->stage, p3d_sure_bytes(of.problem));
}

int64_t search_pool_peak_bytes(search_pool_world *w, const search_pool_stage *s)
{
    const p3d_plan plan = search_pool_plan_of(
            s->shard, s->n_stages, w->setting.most_replicas, w->setting.zero);
    const cost_case of = {problem_of(w, &plan, s->shard->pool), &plan,
            s->shard->blocks, layout_of(w, s)};
    p3d_stage stage = {.n_layers = 0};

    cost_stage_memory(&of, s->stage, &stage);
    return p3d_memory_device_bytes(&stage.memory);
}

/* Units of layers that a stage holds, and one more that it does not: within a
 * step of `near` that doubles until they are found. */
static int find_units(
        search_pool_world *w, const search_pool_stage *s, int near)
{
    const int vp = s->shard->vp;
    search_pool_stage each = plain_stage(w, s);
    int low = 0, high = w->n_layers / vp + 1; /* holds, does not */
    int step = near > 0 ? 1 : high;
    int n = near > 0 ? near : high / 2;

    while (high - low > 1) {
        each.n_layers = n * vp;
        if (exceeds(w, &each))
            high = n;
        else
            low = n;
        n = n == high ? high - step : low + step;
        step *= 2;
        if (n <= low || n >= high)
            n = (low + high) / 2;
    }
    return low;
}

int search_pool_room(search_pool_world *w, const search_pool_stage *s)
{
    const int vp = s->shard->vp;
    const search_pool_place place = search_pool_place_of(s->stage, s->n_stages);
    search_pool_fit *const fit =
            &w->now->fits[s->shard - w->shards][place][alive_at(s)];
    const int within = within_of(w, s);

    if (fit->states != w->now->number) {
        /* What it held before is near, or what one does that keeps less. */
        const int near = fit->states > 0 || alive_at(s) < 2 ? fit->layers
                                                            : fit[-2].layers;

        fit->layers = (short)(find_units(w, s, near / vp) * vp);
        fit->states = w->now->number;
    }
    return fit->layers < within ? fit->layers : within - within % vp;
}

static int room_at(search_pool_world *w, const search_pool_shard *shard,
        int n_stages, int stage)
{
    const search_pool_stage s = {shard, n_stages, stage, 0};

    return search_pool_room(w, &s);
}

/* What is known of a shard within the limit. */
static search_pool_sums *sums_of(
        search_pool_world *w, const search_pool_shard *shard)
{
    search_pool_sums *const sums = &w->sums[shard - w->shards];

    if (sums->limit != w->n_limits) {
        sums->limit = w->n_limits;
        sums->layers[0] = sums->layers[1] = 0;
        sums->n = 2;
        memset(sums->bounds, 0, sizeof(sums->bounds));
    }
    return sums;
}

/* Layers of the middle stages of one chunk with 2 to d stages from there to the
 * last. */
static int sum_of_middles(
        search_pool_world *w, const search_pool_shard *shard, int d)
{
    search_pool_sums *const sums = sums_of(w, shard);

    for (; sums->n <= d; sums->n++)
        sums->layers[sums->n] =
                sums->layers[sums->n - 1] + room_at(w, shard, sums->n + 1, 1);
    return sums->layers[d];
}

/* Layers of n neighbouring middle stages from one on. */
static int room_of_middles(search_pool_world *w, const search_pool_shard *shard,
        int n_stages, int first, int n)
{
    int room = 0;

    if (shard->vp == 1)
        return sum_of_middles(w, shard, n_stages - first) -
               sum_of_middles(w, shard, n_stages - first - n);
    for (int i = 0; i < n; i++)
        room += room_at(w, shard, n_stages, first + i);
    return room;
}

int search_pool_room_of(search_pool_world *w, const search_pool_shard *shard,
        int n_stages, int first, int n)
{
    const bool has_first = first == 0, has_last = first + n == n_stages;
    const int n_middles = n - has_first - has_last;
    const int middle = first + has_first;
    int room = 0;

    if (n_stages == 1)
        return room_at(w, shard, 1, 0);
    if (has_first) {
        room = room_at(w, shard, n_stages, 0);
        if (room < 1)
            return 0;
    }
    if (has_last) {
        const int last = room_at(w, shard, n_stages, n_stages - 1);

        if (last < 1)
            return 0;
        room += last;
    }
    if (n_middles < 1)
        return room;
    /* The first of them holds the least. */
    if (room_at(w, shard, n_stages, middle) < 1)
        return 0;
    return room + room_of_middles(w, shard, n_stages, middle, n_middles);
}

/* Most layers of a stage of a pipeline: one of the last two, or the first. */
static int most_at(
        search_pool_world *w, const search_pool_shard *shard, int n_stages)
{
    int most = room_at(w, shard, n_stages, 0);

    for (int s = n_stages - 1; s > 0 && s >= n_stages - 2; s--) {
        const int room = room_at(w, shard, n_stages, s);

        most = room > most ? room : most;
    }
    return most;
}

/* Most layers of any n neighbours with one chunk: the number of stages behind
 * one says what it keeps, so that the last ones hold the most, and those of the
 * shortest pipelines no less than others. */
static int plain_bound(
        search_pool_world *w, const search_pool_shard *shard, int n)
{
    int *const bound = &sums_of(w, shard)->bounds[n];

    if (*bound == 0) {
        const int two = most_at(w, shard, 2), three = most_at(w, shard, 3);
        const int end = two > three ? two : three;

        *bound = 1 +
                 (n <= 2 ? n * end : 2 * end + sum_of_middles(w, shard, n - 1));
    }
    return *bound - 1;
}

int search_pool_room_bound(search_pool_world *w, const search_pool_shard *shard,
        int n_stages, int n)
{
    if (n_stages == 1)
        return room_at(w, shard, 1, 0);
    return shard->vp == 1 ? plain_bound(w, shard, n)
                          : n * most_at(w, shard, n_stages);
}

/* Shards. */

/* The line through a stage's seconds, by layers. */
static void set_line(search_pool_world *w, search_pool_shard *shard)
{
    static const struct {
        int n_stages, stage;
    } places[SEARCH_POOL_PLACES] = {
            [SEARCH_POOL_ONLY] = {1, 0},
            [SEARCH_POOL_FIRST] = {3, 0},
            [SEARCH_POOL_MIDDLE] = {3, 1},
            [SEARCH_POOL_LAST] = {3, 2},
    };

    for (int i = 0; i < SEARCH_POOL_PLACES; i++) {
        search_pool_stage s = {shard, places[i].n_stages, places[i].stage, 0};

        shard->base_s[i] = search_pool_pass_s(w, &s);
        s.n_layers = w->n_layers;
        shard->layer_s =
                (search_pool_pass_s(w, &s) - shard->base_s[i]) / w->n_layers;
        shard->unit_s = shard->vp * shard->layer_s;
    }
}

/* Whether the rules let a framework run such a stage: asked of one that is a
 * replica by itself, on as many GPUs of one node. */
static bool is_legal(const search_pool_world *w, const search_pool_shard *shard)
{
    const p3d_cluster *const pool = &w->problem->pools.clusters[shard->pool];
    p3d_cluster node = *pool;
    p3d_job job = w->problem->on[shard->pool].job;
    const search_pool_shard whole = {.tp = shard->tp,
            .micro_batch = shard->micro_batch,
            .recompute = shard->recompute,
            .vp = 1};
    const p3d_plan plan = search_pool_plan_of(&whole, 1, 1, 0);

    if (shard->micro_batch > w->global_batch ||
            shard->tp > pool->node.gpus_per_node ||
            pool->node.gpus_per_node % shard->tp != 0)
        return false;
    node.n_gpus = node.node.gpus_per_node = shard->tp;
    node.n_nodes = 1;
    if (node.node.gpus_per_nvlink_domain > shard->tp)
        node.node.gpus_per_nvlink_domain = shard->tp;
    job.global_batch = shard->micro_batch;
    return p3d_plan_legal(&w->problem->on[0].model, &node, &job, &plan, NULL);
}

static p3d_blocks *blocks_at(search_pool_world *w, int pool, int t, int b)
{
    return &w->blocks[(pool * SEARCH_POOL_TPS + t) * SEARCH_POOL_BATCHES + b];
}

/* The first shard like a new one, which is itself where there is none. */
static int first_alike(
        const search_pool_world *w, const search_pool_shard *shard)
{
    int i = 0;

    while (i < w->n_shards &&
            (w->shards[i].pool != shard->pool || w->shards[i].tp != shard->tp))
        i++;
    return i;
}

const search_pool_shard *search_pool_chunked(
        const search_pool_world *w, const search_pool_shard *shard, int chunks)
{
    return &w->shards[w->index[shard->pool][search_pool_exponent(shard->tp)]
                              [search_pool_exponent(shard->micro_batch)]
                              [shard->recompute][chunks]];
}

static void add_shard(search_pool_world *w, const search_pool_shard *shard)
{
    search_pool_shard *const to = &w->shards[w->n_shards];

    *to = *shard;
    to->alike = first_alike(w, to);
    /* Of a stage that is the whole model. */
    to->n_params = to->alike < w->n_shards
                           ? w->shards[to->alike].n_params
                           : search_pool_trained(w, &(search_pool_stage){to, 1,
                                                            0, w->n_layers});
    search_pool_set_crossings(w, to);
    w->n_shards++;
}

/* All shards of a pool with ranks and a micro-batch, given as exponents. */
static void add_shards(search_pool_world *w, int pool, int t, int b)
{
    p3d_blocks *const blocks = blocks_at(w, pool, t, b);
    search_pool_shard shard = {.pool = pool,
            .tp = 1 << t,
            .micro_batch = 1 << b,
            .vp = 1,
            .blocks = blocks};
    const p3d_plan plan = search_pool_plan_of(&shard, 1, 1, 0);
    bool built = false;

    for (int r = 0; r < P3D_N_RECOMPUTES; r++) {
        bool legal;

        shard.recompute = (p3d_recompute)r;
        legal = is_legal(w, &shard);
        if (legal && !built)
            p3d_blocks_build(
                    &w->problem->on[pool], p3d_plan_shard(&plan), blocks);
        built = built || legal;
        for (int v = 0; v < SEARCH_POOL_CHUNKS; v++) {
            shard.vp = 1 << v;
            w->index[pool][t][b][r][v] = -1;
            if (!legal || v > w->most_chunks)
                continue;
            w->index[pool][t][b][r][v] = (short)w->n_shards;
            add_shard(w, &shard);
        }
    }
}

/* What the search does not know how to split or to exchange. */
static bool check(const p3d_pools_problem *problem, p3d_error *err)
{
    const p3d_model *const model = &problem->on[0].model;
    const p3d_job *const job = &problem->on[0].job;

    for (int i = 1; i < model->n_layers; i++)
        if (model->layer_kind[i] != model->layer_kind[0])
            return p3d_fail(err, P3D_DATA,
                    "%s has layers of several kinds; pools of several types "
                    "are planned for models whose layers are alike: name one "
                    "pool",
                    model->name);
    if (job->n_mtp_layers > 0 || p3d_companion_of(job, model) != NULL)
        return p3d_fail(err, P3D_DATA,
                "pools of several types are planned without multi-token "
                "prediction and without a model beside; name one pool");
    for (int k = 1; k < problem->pools.n_pools; k++)
        if (problem->on[k].job.dtype != job->dtype)
            return p3d_fail(err, P3D_DATA,
                    "%s trains in %s, %s in %s; write the --dtype of all pools",
                    problem->pools.names[0], p3d_dtype_name(job->dtype),
                    problem->pools.names[k],
                    p3d_dtype_name(problem->on[k].job.dtype));
    return true;
}

/* Exponent of the most chunks that a framework runs and that share out the
 * layers. */
static int most_chunks(const search_pool_world *w)
{
    int v = 0;

    if (!p3d_schedule_offered(P3D_INTERLEAVED, w->problem->on[0].job.framework))
        return 0;
    while (v + 1 < SEARCH_POOL_CHUNKS && w->n_layers % (2 << v) == 0)
        v++;
    return v;
}

bool search_pool_open(
        const p3d_pools_problem *problem, search_pool_world *w, p3d_error *err)
{
    memset(w, 0, sizeof(*w));
    w->problem = problem;
    w->n_layers = problem->on[0].model.n_layers;
    w->layer_kind = problem->on[0].model.layer_kind[0];
    w->global_batch = problem->on[0].job.global_batch;
    memcpy(w->on, problem->on, sizeof(w->on));
    memcpy(w->exchange, problem->on, sizeof(w->exchange));
    for (int k = 0; k < problem->pools.n_pools; k++)
        w->on[k].cluster.tiers.n = 0; /* wires.c knows them */
    if (!check(problem, err))
        return false;
    w->blocks = calloc(
            (size_t)P3D_MAX_POOLS * SEARCH_POOL_TPS * SEARCH_POOL_BATCHES,
            sizeof(*w->blocks));
    w->states = calloc(SEARCH_POOL_STATES, sizeof(*w->states));
    if (w->blocks == NULL || w->states == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    w->most_chunks = most_chunks(w);
    set_middles(w);
    for (int k = 0; k < problem->pools.n_pools; k++)
        for (int t = 0; t < SEARCH_POOL_TPS; t++)
            for (int b = 0; b < SEARCH_POOL_BATCHES; b++)
                add_shards(w, k, t, b);
    return true;
}

void search_pool_close(search_pool_world *w)
{
    free(w->blocks);
    free(w->states);
    w->blocks = NULL;
    w->states = NULL;
}

/* Whether ranks keep as much of the states: without ZeRO all of them. */
static bool is_shared_so(
        const search_pool_states *states, const search_pool_setting *setting)
{
    return states->number > 0 && states->zero == setting->zero &&
           (setting->zero == 0 || states->n_replicas == setting->most_replicas);
}

/* Number the setting's states, in the place of those that were numbered first.
 * Past the last number nothing is known any more. */
static void number_states(
        search_pool_world *w, const search_pool_setting *setting)
{
    if (w->n_states == USHRT_MAX) {
        memset(w->states, 0, SEARCH_POOL_STATES * sizeof(*w->states));
        w->n_states = 0;
    }
    w->now = &w->states[w->n_states % SEARCH_POOL_STATES];
    w->now->number = (unsigned short)++w->n_states;
    w->now->zero = setting->zero;
    w->now->n_replicas = setting->most_replicas;
}

static void set_states(search_pool_world *w, const search_pool_setting *setting)
{
    for (int i = 0; i < SEARCH_POOL_STATES && w->states != NULL; i++)
        if (is_shared_so(&w->states[i], setting)) {
            w->now = &w->states[i];
            return;
        }
    if (w->states != NULL)
        number_states(w, setting);
}

void search_pool_set(search_pool_world *w, const search_pool_setting *setting)
{
    const bool new_pools = w->setting.pools != setting->pools;

    w->setting = *setting;
    set_states(w, setting);
    search_pool_limit(w, HUGE_VAL);
    if (!new_pools)
        return;
    for (int i = 0; i < w->n_shards; i++)
        set_line(w, &w->shards[i]);
    for (int k = 0; k < w->problem->pools.n_pools; k++)
        search_pool_set_exchange(w, k);
}
