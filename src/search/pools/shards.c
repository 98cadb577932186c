/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shards.c - what a stage is of its pipeline, and of its pool. */
#include "plan3d/own_runs.h"
#include "search/pools/stages.h"

search_pool_place search_pool_place_of(int stage, int n_stages)
{
    if (n_stages == 1)
        return SEARCH_POOL_ONLY;
    if (stage == 0)
        return SEARCH_POOL_FIRST;
    return stage == n_stages - 1 ? SEARCH_POOL_LAST : SEARCH_POOL_MIDDLE;
}

int search_pool_exponent(int n)
{
    int e = 0;

    while (n > 1) {
        n /= 2;
        e++;
    }
    return e;
}

/* The plan of a replica as its stage sees it. */
p3d_plan search_pool_plan_of(
        const search_pool_shard *shard, int n_stages, int n_replicas, int zero)
{
    return (p3d_plan){.tp = shard->tp,
            .pp = n_stages,
            .dp = n_replicas,
            .cp = 1,
            .ep = 1,
            .etp = shard->tp,
            .vp = shard->vp,
            .micro_batch = shard->micro_batch,
            .zero = zero,
            .sequence_parallel = shard->tp > 1,
            .recompute = shard->recompute,
            .schedule = shard->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B,
            .order = P3D_ORDER_PP_DP};
}

double search_pool_anchor(const search_pool_world *w, int pool)
{
    return p3d_anchor_step_factor(&w->on[pool].job.anchor);
}
