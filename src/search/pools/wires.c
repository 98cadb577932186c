/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wires.c - what stages of pools send: to the next stage, to the same stage of
 * other replicas; through the switches of a pool, over the links of pools. */
#include "search/pools/wires.h"

#include "cost/time/step_time.h"

#include <math.h>

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

/* The cluster with network cards so much slower as the switches above take
 * longer, and no switches. */
static p3d_cluster behind_switches(
        p3d_cluster cluster, const cost_far_ring *ring)
{
    const double narrowing = cost_far_narrowing(&cluster, ring);

    cluster.tiers.n = 0;
    if (narrowing > 1)
        cluster.fabric.nic_bytes_per_s_one_way /= narrowing;
    return cluster;
}

/* GPUs of the setting's other pools. */
static double n_beyond(const search_pool_world *w, int pool)
{
    double n = 0;

    for (int k = 0; k < w->problem->pools.n_pools; k++)
        if (k != pool && (w->setting.pools >> k & 1) != 0)
            n += w->problem->pools.clusters[k].n_gpus;
    return n;
}

void search_pool_set_exchange(search_pool_world *w, int pool)
{
    const p3d_pools *const pools = &w->problem->pools;
    p3d_cluster cluster = pools->clusters[pool];

    w->exchange[pool].job.dp_overlap = P3D_OVERLAP_OFF;
    cluster.tiers.n = 0;
    for (int i = 0; i < pools->n_links; i++) {
        const p3d_pool_link *const link = &pools->links[i];

        if ((w->setting.pools >> link->pool & 1) != 0 &&
                (w->setting.pools >> link->other & 1) != 0)
            cluster = with_link(
                    cluster, link->bytes_per_s_one_way, link->latency_s);
    }
    w->exchange[pool].cluster = cluster;
    w->link_bytes_per_s[pool] = cluster.fabric.nic_bytes_per_s_one_way;
}

int search_pool_ranks_of_node(const p3d_cluster *cluster, int tp)
{
    return cost_domain(cluster) / tp + 1;
}

cost_far_ring search_pool_ring(
        const search_pool_world *w, const search_pool_stage *s, double n_params)
{
    const int pool = s->shard->pool;
    const p3d_cluster *const own = &w->problem->pools.clusters[pool];

    return (cost_far_ring){
            .stride = s->shard->tp * s->shard->n_params / n_params,
            .n_sending = s->n_stages > 1 ? cost_domain(own) : s->shard->tp,
            .n_beyond = n_beyond(w, pool)};
}

const p3d_problem *search_pool_exchange(
        search_pool_world *w, const search_pool_stage *s, double n_params)
{
    const int pool = s->shard->pool;
    const p3d_cluster *const own = &w->problem->pools.clusters[pool];
    const cost_far_ring ring = search_pool_ring(w, s, n_params);
    double narrowing;

    if (own->tiers.n == 0)
        return &w->exchange[pool];
    narrowing = fmax(1, cost_far_narrowing(own, &ring));
    w->exchange[pool].cluster.fabric.nic_bytes_per_s_one_way =
            fmin(w->link_bytes_per_s[pool],
                    own->fabric.nic_bytes_per_s_one_way / narrowing);
    return &w->exchange[pool];
}

/** What a crossing takes, and what a micro-batch keeps its links busy. */
typedef struct crossing {
    double one_s;
    double busy_s;
} crossing;

static crossing crossing_of(search_pool_world *w,
        const search_pool_shard *shard, int n_ranks, const p3d_cluster *cluster)
{
    const p3d_plan plan = search_pool_plan_of(shard, n_ranks, 1, 0);
    const double anchor = search_pool_anchor(w, shard->pool);
    p3d_problem *const on = &w->on[shard->pool];
    const p3d_cluster own = on->cluster;
    crossing of;

    on->cluster = *cluster;
    of = (crossing){anchor * cost_crossing_s(on, &plan),
            anchor * cost_sends_s(on, &plan)};
    on->cluster = own;
    return of;
}

void search_pool_set_crossings(search_pool_world *w, search_pool_shard *shard)
{
    const p3d_pools *const pools = &w->problem->pools;
    const p3d_cluster *const own = &pools->clusters[shard->pool];
    const int on_others = 2 * search_pool_ranks_of_node(own, shard->tp);
    cost_far_ring ring = {.stride = shard->tp, .n_sending = cost_domain(own)};
    p3d_cluster behind = behind_switches(*own, &ring);
    crossing next;

    shard->stages_in_node = on_others / 2 - 1;
    next = crossing_of(w, shard, on_others, &behind);
    shard->outer_s = next.one_s;
    shard->outer_busy_s = next.busy_s;
    shard->inner_s = shard->stages_in_node > 1
                             ? crossing_of(w, shard, 2, own).one_s
                             : shard->outer_s;
    for (int k = 0; k < pools->n_pools; k++) {
        const p3d_pool_link *const link = p3d_pools_link(pools, shard->pool, k);
        p3d_cluster joined;

        if (link == NULL)
            continue;
        ring.n_beyond = pools->clusters[k].n_gpus;
        behind = behind_switches(*own, &ring);
        joined = with_link(behind, link->bytes_per_s_one_way, link->latency_s);
        next = crossing_of(w, shard, on_others, &joined);
        shard->to_s[k] = next.one_s;
        shard->to_busy_s[k] = next.busy_s / 2;
    }
}
