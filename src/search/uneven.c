/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uneven.c - bounds on the time of pipelines whose stages differ: their longest
 * path with the passes of the model alone. */
#include "cost/longest_path.h"
#include "search/engine.h"

/** Seconds of a stage's blocks, without recomputation. */
static cost_pass_time stage_time(const search *s, const search_shard *costs,
        const cost_layout *layout, int stage)
{
    int count[P3D_N_BLOCKS] = {0};
    cost_pass_time sum = {0, 0};

    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++)
        count[kind] = layout->count[stage][kind];
    count[P3D_BLOCK_EMBEDDING] = stage == 0;
    if (stage == layout->n_chunks - 1)
        count[P3D_BLOCK_HEAD] = 1 + s->problem->job.n_mtp_layers;
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        sum.forward_s += count[i] * costs->forward_s[i];
        sum.backward_s += count[i] * costs->backward_s[i];
    }
    return sum;
}

/** A bound by the passes of each stage; rounding is allowed for. */
static double bound_s(search *s, const p3d_plan *branch,
        const search_shard *costs,
        double (*path_s)(const cost_pipeline *, const cost_pass_time *))
{
    const int64_t m = p3d_plan_n_micro_batches(branch, &s->problem->job);
    const cost_pipeline pipeline = {.order = branch->schedule,
            .p = branch->pp,
            .v = branch->vp,
            .m = (int)m,
            .group = branch->group};
    const cost_layout *layout = search_layout(s, branch);
    cost_pass_time stages[P3D_MAX_LAYERS];

    if (!cost_is_simulated(branch, m))
        return 0;
    for (int i = 0; i < layout->n_chunks; i++)
        stages[i] = stage_time(s, costs, layout, i);
    return path_s(&pipeline, stages) * (1 - 1e-9);
}

double search_uneven_floor_s(
        search *s, const p3d_plan *branch, const search_shard *costs)
{
    return bound_s(s, branch, costs, cost_longest_path_floor_s);
}

double search_uneven_path_s(
        search *s, const p3d_plan *branch, const search_shard *costs)
{
    return bound_s(s, branch, costs, cost_longest_path_least_s);
}
