/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stages.c - what a stage of a replica costs on its pool: the formulas of cost/
 * asked with the GPU, the node and the network of that pool. */
#include "search/pools/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cost/time/step_time.h"
#include "plan3d/own_runs.h"
#include "spec/given.h"

search_pool_place search_pool_place_of(int stage, int n_stages)
{
    if (n_stages == 1)
        return SEARCH_POOL_ONLY;
    if (stage == 0)
        return SEARCH_POOL_FIRST;
    return stage == n_stages - 1 ? SEARCH_POOL_LAST : SEARCH_POOL_MIDDLE;
}

/* The plan of a replica as its stage sees it. */
static p3d_plan plan_of(
        const search_pool_shard *shard, int n_stages, int n_replicas, int zero)
{
    return (p3d_plan){.tp = shard->tp,
            .pp = n_stages,
            .dp = n_replicas,
            .cp = 1,
            .ep = 1,
            .etp = shard->tp,
            .vp = 1,
            .micro_batch = shard->micro_batch,
            .zero = zero,
            .sequence_parallel = shard->tp > 1,
            .recompute = shard->recompute,
            .schedule = P3D_1F1B,
            .order = P3D_ORDER_PP_DP};
}

/* The layers of one stage; the others are not asked about. */
static const cost_layout *layout_of(
        search_pool_world *w, const search_pool_stage *s)
{
    short *const count = w->layout.count[s->stage];

    w->layout.n_chunks = s->n_stages;
    w->layout.n_kinds = w->layer_kind + 1;
    memset(count, 0, sizeof(w->layout.count[0]));
    count[w->layer_kind] = (short)s->n_layers;
    w->layout.first[s->stage] = 0;
    return &w->layout;
}

/* Its problem, with so large a batch that the pipeline is full. */
static const p3d_problem *problem_of(
        search_pool_world *w, const p3d_plan *plan, int pool)
{
    const int64_t full = plan->pp > 2 ? plan->pp : 2;

    w->on[pool].job.global_batch = full * plan->dp * plan->micro_batch;
    return &w->on[pool];
}

static double anchor_of(const search_pool_world *w, int pool)
{
    return p3d_anchor_step_factor(&w->on[pool].job.anchor);
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
    const p3d_plan plan = plan_of(shard, s->n_stages, 1, 0);
    const cost_case of = {problem_of(w, &plan, shard->pool), &plan,
            shard->blocks, layout_of(w, s)};
    const cost_rank_time t = cost_time_rank(&of, s->stage, NULL);

    return anchor_of(w, shard->pool) *
           (t.total_s + spread_of(w, shard->pool) * t.compute_s);
}

/* The cluster with network cards no faster than these of its node, and a
 * latency no smaller. */
static p3d_cluster with_link(
        p3d_cluster cluster, double bytes_per_s, double latency_s)
{
    p3d_fabric *const f = &cluster.fabric;

    f->nic_bytes_per_s_one_way = fmin(f->nic_bytes_per_s_one_way,
            bytes_per_s / cluster.node.nics_per_node);
    f->latency_s = fmax(f->latency_s, latency_s);
    return cluster;
}

/* The problem of a pool as an exchange of gradients sees it: with the slowest
 * link of the setting's pools, beside nothing. */
static void set_exchange(search_pool_world *w, int pool)
{
    const p3d_pools *const pools = &w->problem->pools;
    p3d_cluster cluster = pools->clusters[pool];

    w->exchange[pool].job.dp_overlap = P3D_OVERLAP_OFF;
    for (int i = 0; i < pools->n_links; i++) {
        const p3d_pool_link *const link = &pools->links[i];

        if ((w->setting.pools >> link->pool & 1) != 0 &&
                (w->setting.pools >> link->other & 1) != 0)
            cluster = with_link(
                    cluster, link->bytes_per_s_one_way, link->latency_s);
    }
    w->exchange[pool].cluster = cluster;
}

/* Pipeline ranks that fill a node, and one: the next axis joins nodes. */
static int ranks_of_node(const p3d_cluster *cluster, int tp)
{
    const p3d_node *const node = &cluster->node;
    const int domain = node->gpus_per_nvlink_domain > node->gpus_per_node
                               ? node->gpus_per_nvlink_domain
                               : node->gpus_per_node;

    return domain / tp + 1;
}

/* The replicas of a pipeline lie on nodes of their own; those of one stage are
 * neighbours. */
double search_pool_once_s(search_pool_world *w, const search_pool_stage *s)
{
    const search_pool_setting *const set = &w->setting;
    const int pool = s->shard->pool;
    p3d_plan plan =
            plan_of(s->shard, s->n_stages, set->least_replicas, set->zero);
    p3d_problem *const on = &w->on[pool];
    const cost_case of = {on, &plan, s->shard->blocks, layout_of(w, s)};
    const cost_shared params = {cost_rank_params(&of, s->stage),
            cost_rank_trained(&of, s->stage),
            cost_rank_companion(&of, s->stage)};
    double once_s = on->cluster.calibration.assumed.fixed_step_s;

    if (s->n_stages > 1)
        plan.pp = ranks_of_node(&on->cluster, plan.tp);
    once_s += cost_dp_exposed_s(
            &w->exchange[pool], &plan, params, (cost_pass_time){0, 0}, 1);
    plan.dp = set->most_replicas;
    once_s += cost_optimizer_s(on, &plan, params.trained);
    return once_s * anchor_of(w, pool);
}

static search_pool_table *table_of(
        search_pool_world *w, const search_pool_stage *s)
{
    return &w->tables[s->shard - w->shards]
                     [search_pool_place_of(s->stage, s->n_stages)];
}

/* A stage at the same place of the shortest pipeline that has it. */
static search_pool_stage plain_stage(const search_pool_stage *s)
{
    const int rest = s->n_stages - s->stage;

    switch (search_pool_place_of(s->stage, s->n_stages)) {
    case SEARCH_POOL_MIDDLE:
        return (search_pool_stage){s->shard, rest + 1, 1, s->n_layers};
    case SEARCH_POOL_LAST:
        return (search_pool_stage){s->shard, 2, 1, s->n_layers};
    case SEARCH_POOL_ONLY:
    case SEARCH_POOL_FIRST:
    case SEARCH_POOL_PLACES: break;
    }
    return *s;
}

/* Most layers of a stage that takes no more than so long once a step. */
static int find_within(
        search_pool_world *w, const search_pool_stage *s, double limit_s)
{
    search_pool_stage each = plain_stage(s);
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
    search_pool_table *const table = table_of(w, &first);

    if (table->within < 0)
        table->within = (short)find_within(w, &first, w->limit_s);
    return table->within;
}

static void forget_limit(search_pool_table *table)
{
    table->within = -1;
    table->n_sums = 0;
    memset(table->bounds, 0, sizeof(table->bounds));
}

/* What is known stays as where to look first. */
static void forget_rooms(search_pool_table *table)
{
    for (int i = 0; i <= P3D_MAX_POOL_STAGES; i++)
        table->near[i] = table->room[i] > 0 ? table->room[i] : table->near[i];
    memset(table->room, 0, sizeof(table->room));
}

void search_pool_limit(search_pool_world *w, double once_s)
{
    w->limit_s = once_s;
    for (int i = 0; i < w->n_shards; i++)
        for (int k = 0; k < SEARCH_POOL_PLACES; k++)
            forget_limit(&w->tables[i][k]);
}

static bool exceeds(search_pool_world *w, const search_pool_stage *s)
{
    const p3d_plan plan = plan_of(
            s->shard, s->n_stages, w->setting.most_replicas, w->setting.zero);
    const cost_case of = {problem_of(w, &plan, s->shard->pool), &plan,
            s->shard->blocks, layout_of(w, s)};

    return cost_rank_exceeds(&of, s->stage, p3d_sure_bytes(of.problem));
}

int64_t search_pool_peak_bytes(search_pool_world *w, const search_pool_stage *s)
{
    const p3d_plan plan = plan_of(
            s->shard, s->n_stages, w->setting.most_replicas, w->setting.zero);
    const cost_case of = {problem_of(w, &plan, s->shard->pool), &plan,
            s->shard->blocks, layout_of(w, s)};
    p3d_stage stage = {.n_layers = 0};

    cost_stage_memory(&of, s->stage, &stage);
    return p3d_memory_device_bytes(&stage.memory);
}

/* Layers that a stage holds, and one more that it does not: within a step of
 * `near` that doubles until they are found. */
static int find_room(search_pool_world *w, const search_pool_stage *s, int near)
{
    search_pool_stage each = plain_stage(s);
    int low = 0, high = w->n_layers + 1; /* holds, does not */
    int step = near > 0 ? 1 : high;

    each.n_layers = near > 0 ? near : high / 2;
    while (high - low > 1) {
        if (exceeds(w, &each))
            high = each.n_layers;
        else
            low = each.n_layers;
        each.n_layers = each.n_layers == high ? high - step : low + step;
        step *= 2;
        if (each.n_layers <= low || each.n_layers >= high)
            each.n_layers = (low + high) / 2;
    }
    return low;
}

int search_pool_room(search_pool_world *w, const search_pool_stage *s)
{
    search_pool_table *const table = table_of(w, s);
    const int rest = s->n_stages - s->stage;
    const int within = within_of(w, s);

    if (table->room[rest] == 0)
        table->room[rest] = (short)(1 + find_room(w, s, table->near[rest] - 1));
    return table->room[rest] - 1 < within ? table->room[rest] - 1 : within;
}

/* Layers of the middle stages with 2 to d stages from there to the last. */
static int sum_of_middles(
        search_pool_world *w, const search_pool_shard *shard, int d)
{
    search_pool_table *const table =
            &w->tables[shard - w->shards][SEARCH_POOL_MIDDLE];

    if (table->n_sums == 0) {
        table->sums[0] = table->sums[1] = 0;
        table->n_sums = 2;
    }
    for (int i = table->n_sums; i <= d; i++) {
        const search_pool_stage s = {shard, i + 1, 1, 0};

        table->sums[i] = table->sums[i - 1] + search_pool_room(w, &s);
        table->n_sums = i + 1;
    }
    return table->sums[d];
}

static int room_at(search_pool_world *w, const search_pool_shard *shard,
        int n_stages, int stage)
{
    const search_pool_stage s = {shard, n_stages, stage, 0};

    return search_pool_room(w, &s);
}

int search_pool_room_of(search_pool_world *w, const search_pool_shard *shard,
        int n_stages, int first, int n)
{
    const bool has_first = first == 0, has_last = first + n == n_stages;
    const int deepest = n_stages - first - has_first;
    const int next = n_stages - first - n + (has_last ? 1 : 0);
    int room = 0, first_room = 1, last_room = 1;

    if (n_stages == 1)
        return room_at(w, shard, 1, 0);
    if (has_first)
        first_room = room_at(w, shard, n_stages, 0);
    if (has_last)
        last_room = room_at(w, shard, n_stages, n_stages - 1);
    if (deepest > next)
        room = sum_of_middles(w, shard, deepest) -
               sum_of_middles(w, shard, next);
    if (first_room < 1 || last_room < 1 ||
            (deepest > next && room_at(w, shard, deepest + 1, 1) < 1))
        return 0;
    return room + has_first * first_room + has_last * last_room;
}

static int find_bound(
        search_pool_world *w, const search_pool_shard *shard, int n)
{
    static const struct {
        int n_stages, stage;
    } roomy[] = {{2, 0}, {2, 1}, {3, 1}};
    int end = 0;

    for (int i = 0; i < P3D_COUNT_OF(roomy); i++) {
        const int room = room_at(w, shard, roomy[i].n_stages, roomy[i].stage);

        end = room > end ? room : end;
    }
    return n <= 2 ? n * end : 2 * end + sum_of_middles(w, shard, n - 1);
}

int search_pool_room_bound(search_pool_world *w, const search_pool_shard *shard,
        int n_stages, int n)
{
    int *const bound =
            &w->tables[shard - w->shards][SEARCH_POOL_MIDDLE].bounds[n];

    if (n_stages == 1)
        return room_at(w, shard, 1, 0);
    if (*bound == 0)
        *bound = 1 + find_bound(w, shard, n);
    return *bound - 1;
}

/* Crossings between stages. */

static double crossing_s(search_pool_world *w, const search_pool_shard *shard,
        int n_ranks, const p3d_cluster *cluster)
{
    p3d_plan plan = plan_of(shard, n_ranks, 1, 0);
    p3d_problem *const on = &w->on[shard->pool];
    const p3d_cluster own = on->cluster;
    double seconds;

    on->cluster = *cluster;
    seconds = cost_crossing_s(on, &plan);
    on->cluster = own;
    return seconds * anchor_of(w, shard->pool);
}

static void set_crossings(search_pool_world *w, search_pool_shard *shard)
{
    const p3d_pools *const pools = &w->problem->pools;
    const p3d_cluster *const own = &pools->clusters[shard->pool];
    const int on_others = 2 * ranks_of_node(own, shard->tp);

    shard->stages_in_node = on_others / 2 - 1;
    shard->outer_s = crossing_s(w, shard, on_others, own);
    shard->inner_s = shard->stages_in_node > 1 ? crossing_s(w, shard, 2, own)
                                               : shard->outer_s;
    for (int k = 0; k < pools->n_pools; k++) {
        const p3d_pool_link *const link = p3d_pools_link(pools, shard->pool, k);
        p3d_cluster joined;

        if (link == NULL)
            continue;
        joined = with_link(*own, link->bytes_per_s_one_way, link->latency_s);
        shard->to_s[k] = crossing_s(w, shard, on_others, &joined);
    }
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
    }
}

/* Whether the rules let a framework run such a stage: asked of one that is a
 * replica by itself, on as many GPUs of one node. */
static bool is_legal(const search_pool_world *w, const search_pool_shard *shard)
{
    const p3d_cluster *const pool = &w->problem->pools.clusters[shard->pool];
    p3d_cluster node = *pool;
    p3d_job job = w->problem->on[shard->pool].job;
    const p3d_plan plan = plan_of(shard, 1, 1, 0);

    if (shard->tp > pool->node.gpus_per_node ||
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

static void add_shards(search_pool_world *w, int pool, int t, int b)
{
    bool built = false;

    for (int r = 0; r < P3D_N_RECOMPUTES; r++) {
        search_pool_shard *const shard = &w->shards[w->n_shards];
        const p3d_blocks *const blocks = blocks_at(w, pool, t, b);

        *shard = (search_pool_shard){.pool = pool,
                .tp = 1 << t,
                .micro_batch = 1 << b,
                .recompute = (p3d_recompute)r,
                .blocks = blocks};
        w->index[pool][t][b][r] = -1;
        if (shard->micro_batch > w->global_batch || !is_legal(w, shard))
            continue;
        if (!built) {
            const p3d_plan plan = plan_of(shard, 1, 1, 0);

            p3d_blocks_build(&w->problem->on[pool], p3d_plan_shard(&plan),
                    blocks_at(w, pool, t, b));
            built = true;
        }
        shard->alike = first_alike(w, shard);
        w->index[pool][t][b][r] = (short)w->n_shards++;
        set_crossings(w, shard);
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
    if (!check(problem, err))
        return false;
    w->blocks = calloc(
            (size_t)P3D_MAX_POOLS * SEARCH_POOL_TPS * SEARCH_POOL_BATCHES,
            sizeof(*w->blocks));
    if (w->blocks == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int k = 0; k < problem->pools.n_pools; k++)
        for (int t = 0; t < SEARCH_POOL_TPS; t++)
            for (int b = 0; b < SEARCH_POOL_BATCHES; b++)
                add_shards(w, k, t, b);
    return true;
}

void search_pool_close(search_pool_world *w)
{
    free(w->blocks);
    w->blocks = NULL;
}

/* Whether a rank keeps as much of the states: without ZeRO all of them. */
static bool has_same_states(
        const search_pool_setting *a, const search_pool_setting *b)
{
    return a->zero == b->zero &&
           (a->zero == 0 || a->most_replicas == b->most_replicas);
}

void search_pool_set(search_pool_world *w, const search_pool_setting *setting)
{
    const bool new_pools = w->setting.pools != setting->pools;
    const bool new_rooms = !has_same_states(&w->setting, setting);

    w->setting = *setting;
    for (int i = 0; i < w->n_shards && new_rooms; i++)
        for (int k = 0; k < SEARCH_POOL_PLACES; k++)
            forget_rooms(&w->tables[i][k]);
    search_pool_limit(w, HUGE_VAL);
    if (!new_pools)
        return;
    for (int i = 0; i < w->n_shards; i++)
        set_line(w, &w->shards[i]);
    for (int k = 0; k < w->problem->pools.n_pools; k++)
        set_exchange(w, k);
}
