/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline.c - who holds which layers, and how many micro-batches at once. */
#include "base/util.h"
#include "cost/cost.h"
#include "cost/schedule.h"

int cost_dense_replicas(const p3d_plan *plan)
{
    return plan->dp * plan->cp;
}

int cost_expert_replicas(const p3d_plan *plan)
{
    const int world = plan->tp * plan->cp * plan->dp;

    return world / (plan->etp * plan->ep);
}

bool cost_layout_build(
        const p3d_problem *problem, const p3d_plan *plan, cost_layout *out)
{
    int layers[P3D_MAX_LAYERS];
    int next = 0;

    if (plan->pp > P3D_MAX_LAYERS / plan->vp ||
            !p3d_plan_split_layers(
                    &problem->model, &problem->job, plan, layers))
        return false;
    out->n_chunks = plan->pp * plan->vp;
    for (int chunk = 0; chunk < out->n_chunks; chunk++) {
        short *count = out->count[chunk];

        count[0] = count[1] = count[2] = count[3] = 0;
        for (int i = 0; i < layers[chunk]; i++)
            count[problem->model.layer_kind[next++]]++;
    }
    return true;
}

double cost_boundary_bytes(const p3d_problem *problem, const p3d_plan *plan)
{
    return (double)p3d_dtype_bytes(problem->job.dtype) * plan->micro_batch *
           problem->job.seq_len / plan->cp * problem->model.hidden /
           (plan->sequence_parallel ? plan->tp : 1);
}

int cost_stage_of(const p3d_plan *plan, int rank, int chunk)
{
    const cost_pipeline pipeline = {
            .order = plan->schedule, .p = plan->pp, .v = plan->vp};

    return cost_schedule_stage(&pipeline, rank, chunk);
}

bool cost_has_head(const p3d_plan *plan, int rank)
{
    return cost_stage_of(plan, rank, plan->vp - 1) == plan->pp * plan->vp - 1;
}

bool cost_same_as_before(
        const p3d_plan *plan, const cost_layout *layout, int rank)
{
    if (rank < 2 || rank == plan->pp - 1)
        return false;
    for (int j = 0; j < plan->vp; j++) {
        const short *here = layout->count[cost_stage_of(plan, rank, j)];
        const short *before = layout->count[cost_stage_of(plan, rank - 1, j)];

        for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
            if (here[kind] != before[kind])
                return false;
        }
    }
    return true;
}

/** The passes that are in flight, dealt out in rounds of p micro-batches. */
static int64_t interleaved_in_flight(const p3d_plan *plan, int rank, int chunk)
{
    const int p = plan->pp;
    const int64_t round = (int64_t)plan->vp * p;
    const int64_t passes = 2 * (p - 1 - rank) + (int64_t)(plan->vp - 1) * p + 1;
    const int64_t rest = passes % round - (int64_t)chunk * p;

    return passes / round * p + (rest < 0 ? 0 : rest > p ? p : rest);
}

/**
 * Micro-batches whose activations of one chunk are alive at a rank's peak.
 *
 *     GPipe        m
 *     1F1B         min(p - r, m)
 *     interleaved  N = 2 (p-1-r) + (v-1) p + 1 chunk passes, dealt out to the
 *                  chunks in rounds of p micro-batches, at most m each
 *     ZB-H1, H2    p, 2p - 1 (until the gradients of the weights)
 *     ZB-V         2p - 1 - r of the first chunk, r + 1 of the second
 *     DualPipeV    2p - r and r + 1
 *
 * p ranks, r rank, v chunks per rank, m micro-batches. With N summed over the
 * chunks of the first rank this is p (1 + (p-1)/(p v)) rank activations.
 *
 * Source: arXiv:2104.04473 sections 2.2; Megatron-LM@d98e8a64
 * megatron/core/pipeline_parallel/schedules.py:954-970; the others are prefix
 * maxima of the orders in schedule.c.
 * Tested: tests/unit/test_pipeline.c, tests/unit/test_schedule.c
 */
int64_t cost_in_flight(
        const p3d_plan *plan, int rank, int chunk, int64_t n_micro_batches)
{
    const int p = plan->pp;
    const int64_t m = n_micro_batches;
    int64_t alive = m;

    switch (plan->schedule) {
    case P3D_GPIPE:
    case P3D_N_SCHEDULES: break;
    case P3D_1F1B: alive = p - rank; break;
    case P3D_INTERLEAVED:
        alive = interleaved_in_flight(plan, rank, chunk);
        break;
    case P3D_ZB_H1: alive = p; break;
    case P3D_ZB_H2: alive = 2 * p - 1; break;
    case P3D_ZB_V: alive = chunk == 0 ? 2 * p - 1 - rank : rank + 1; break;
    case P3D_DUALPIPE_V: alive = chunk == 0 ? 2 * p - rank : rank + 1; break;
    }
    return alive < m ? alive : m;
}

int cost_recomputed(const p3d_plan *plan, int n_layers_before, int n_layers)
{
    int left;

    if (plan->recompute != P3D_RECOMPUTE_FULL)
        return 0;
    if (plan->recompute_layers == 0)
        return n_layers;
    left = plan->recompute_layers - n_layers_before;
    return left < 0 ? 0 : left > n_layers ? n_layers : left;
}

p3d_params cost_rank_params(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const cost_layout *layout, int rank)
{
    const p3d_model *model = &problem->model;
    p3d_params sum = {0, 0};
    const p3d_params *embedding = &blocks->block[P3D_BLOCK_EMBEDDING].params;
    const p3d_params *head = &blocks->block[P3D_BLOCK_HEAD].params;

    for (int j = 0; j < plan->vp; j++) {
        const int chunk = cost_stage_of(plan, rank, j);

        for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
            const p3d_params *p = &blocks->block[kind].params;

            sum.dense += layout->count[chunk][kind] * p->dense;
            sum.experts += layout->count[chunk][kind] * p->experts;
        }
    }
    if (rank == 0)
        sum.dense += embedding->dense;
    if (cost_has_head(plan, rank)) {
        sum.dense += head->dense;
        /* A tied output matrix on another rank is a copy. Source:
         * Megatron-LM megatron/core/models/common/language_module. */
        if (model->tied_embeddings && rank != 0)
            sum.dense +=
                    p3d_padded_vocab(model, problem->job.framework, plan->tp) /
                    plan->tp *
                    (model->embedding_width > 0 ? model->embedding_width
                                                : model->hidden);
    }
    return sum;
}
