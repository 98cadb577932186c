/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_flop.c - model FLOPs of a training step: what the mathematics of the
 * model needs, whatever a plan runs beside it. */
#include "cost/cost.h"
#include "spec/given.h"
#include "spec/params.h"

/** Operations of both passes, attention's backward as twice its forward; what
 *  DoRA takes norms of left out. */
static double list_flop(const p3d_workload *list)
{
    double flop = 0;

    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *const op = &list->ops[i];

        if (op->kind == P3D_OP_GEMM && !op->weight_norm)
            flop += p3d_op_flop(op);
        if (op->kind == P3D_OP_ATTENTION && op->phase == P3D_FORWARD)
            flop += 3 * p3d_op_flop(op);
    }
    return flop;
}

/** Operations of one block per token of a whole sequence, forward and backward:
 *  as many sequences as experts, so that each expert gets a whole number of
 *  rows. */
static double pass_flop(const p3d_model *model, const p3d_job *job, int block)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_workload list;

    if (model->n_experts > 0)
        shard.micro_batch = model->n_experts;
    p3d_workload_build(model, job, shard, block, &list);
    return list_flop(&list) / ((double)shard.micro_batch * job->seq_len);
}

/**
 * Model FLOPs of the tower for a sequence: its layers forward, and backward
 * where they are trained; all patches see each other.
 */
double cost_tower_flop(const p3d_model *model, const p3d_job *job)
{
    double flop = 0;
    p3d_workload list;

    for (int block = P3D_N_BLOCKS; block < P3D_N_ALL_BLOCKS; block++) {
        const int n = p3d_tower_blocks(model, block);
        bool back = false;

        if (n == 0)
            continue;
        p3d_workload_build(model, job, p3d_shard_whole(), block, &list);
        for (int i = 0; i < list.n_ops; i++) {
            const p3d_op *const op = &list.ops[i];

            back = back || op->phase == P3D_BACKWARD;
        }
        for (int i = 0; i < list.n_ops; i++) {
            const p3d_op *const op = &list.ops[i];

            if (op->kind == P3D_OP_GEMM)
                flop += n * p3d_op_flop(op);
            if (op->kind == P3D_OP_ATTENTION && op->phase == P3D_FORWARD)
                flop += n * (back ? 3 : 1) * p3d_op_flop(op);
        }
    }
    return flop;
}

/** FLOPs of a block's forward pass for one token, in as many sequences as
 *  experts: each gets a whole number of rows. */
static double forward_flop(
        const p3d_model *model, const p3d_job *job, int block)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_workload list;

    if (model->n_experts > 0)
        shard.micro_batch = model->n_experts;
    p3d_workload_build(model, job, shard, block, &list);
    return cost_forward_flop(&list) /
           ((double)shard.micro_batch * job->seq_len);
}

static double companion_flop(const p3d_model *model, const p3d_job *job)
{
    const p3d_model *const frozen = p3d_companion_of(job, model);
    double flop;
    p3d_job own;

    if (frozen == NULL)
        return 0;
    own = cost_companion_job(job);
    own.attention = P3D_FLASH; /* eager computes both halves, needs one */
    own.lengths.filling = spec_useful_filling(job);
    flop = forward_flop(frozen, &own, P3D_BLOCK_HEAD) +
           forward_flop(frozen, &own, P3D_BLOCK_EMBEDDING) +
           cost_tower_flop(frozen, &own) / own.seq_len;
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const int n = p3d_model_count_layers(frozen, kind);

        if (n > 0)
            flop += n * forward_flop(frozen, &own, kind);
    }
    return p3d_companion_passes(job) * flop;
}

/**
 * Model FLOPs per token of a training step.
 *
 *     sum over layers of 3 (forward GEMMs and causal attention) + 3 logits
 *       + 3 forward GEMMs of the embedding
 *       - 2 P_frozen
 *
 *       + of the tower, for the images of a sequence
 *       + forward alone, of a frozen model beside the trained one
 *
 * with the layer and the logits of each block of multi-token prediction, and
 * with those of adapters; a frozen matrix of P weights has no gradient. That
 * the first layer's input needs no gradient either where nothing below it is
 * trained is not counted.
 *
 * Of texts in padded sequences the pairs that attention needs are those of
 * packed ones.
 *
 * Recomputation and the padded vocabulary's share are not model FLOPs in the
 * strict sense; the padding (below 1 %) is kept, recomputation is not, nor are
 * norms of DoRA.
 *
 * Source: arXiv:2204.02311 appendix B (MFU), with the causal half of the
 * attention instead of the whole square; arXiv:2106.09685 section 4.1.
 * Tested: tests/unit/test_adapters.c
 */
double p3d_model_flop_per_token(const p3d_model *model, const p3d_job *job)
{
    if (!spec_model_given(model) || !spec_job_given(job))
        return 0;

    p3d_job fused = *job;
    const int last = model->layer_kind[model->n_layers - 1];
    double flop =
            (1 + job->n_mtp_layers) * pass_flop(model, job, P3D_BLOCK_HEAD) +
            pass_flop(model, job, P3D_BLOCK_EMBEDDING);

    fused.attention = P3D_FLASH; /* eager computes both halves, needs one */
    fused.lengths.filling = spec_useful_filling(job);
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const int n = p3d_model_count_layers(model, kind) +
                      (kind == last ? job->n_mtp_layers : 0);

        if (n > 0)
            flop += n * pass_flop(model, &fused, kind);
    }
    return flop + cost_tower_flop(model, job) / job->seq_len +
           companion_flop(model, job);
}
