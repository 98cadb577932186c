/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_time.c - what a pipeline rank does for a micro-batch, in seconds. */
#include "cost/time/rank_time.h"

#include <math.h>

#include "cost/memory/memory.h"

void cost_add_terms(p3d_time *sum, const p3d_time *term, double times)
{
#define P3D_ADD(field, words) sum->field##_s += times * term->field##_s;
    P3D_TIME_TERMS(P3D_ADD)
#undef P3D_ADD
}

/** Add n blocks, and what is run again of them. */
static void add_block(
        cost_rank_time *rank, const p3d_block *block, double n, double replay_s)
{
    rank->forward_s += n * block->forward_s;
    rank->backward_s += n * block->backward_s + replay_s;
    rank->compute_s += n * block->compute_s + replay_s;
    rank->weight_s += n * block->weight_s;
    rank->paired_s += n * block->paired_s;
    rank->recompute_s += replay_s;
}

/** Share of a rank's passes that run beside one in the other direction: all but
 *  warm-up and cool-down. Source: Megatron-LM@d98e8a64 megatron/core/
 *  pipeline_parallel/schedules.py:954-1012. */
static double paired_frac(const p3d_plan *plan, int64_t m)
{
    const int group = plan->group > 0 ? plan->group : plan->pp;
    const double passes = (double)m * plan->vp;
    const double warm =
            plan->pp == 1 ? 1 : 2 * (plan->pp - 1) + (plan->vp - 1) * group + 1;

    return fmax(0, passes - warm) / passes;
}

/** Take what pairs save from a rank's exchange of experts. */
static void save_pairs(cost_rank_time *rank, const p3d_plan *plan, int64_t m)
{
    rank->paired_s *= paired_frac(plan, m);
    rank->backward_s -= rank->paired_s;
}

static double replay_s(
        const p3d_block *block, const cost_replay *replay, int kind, int n)
{
    return replay->full[kind] * block->replay_s[P3D_RECOMPUTE_FULL] +
           (n - replay->full[kind]) * block->replay_s[replay->rest];
}

/**
 * Seconds that copying activations to the host and back adds to a step.
 *
 *     m (max(0, c - forward) + max(0, c - backward)),  c = bytes / PCIe
 *
 * for what is offloaded of one micro-batch: the copies run beside the passes.
 *
 * Source: kwai/Megatron-Kwai@b2646e4 megatron/core/pipeline_parallel/
 * offload.py; torchtune's offloading streams the same way.
 */
static double activation_copies_s(
        const cost_case *of, int rank, const cost_rank_time *t)
{
    const int64_t m = p3d_plan_n_micro_batches(of->plan, &of->problem->job);
    double bytes = 0;
    cost_rank r;
    double copy_s;

    if (of->plan->activation_offload_frac <= 0)
        return 0;
    cost_rank_build(of, rank, &r);
    for (int j = 0; j < of->plan->vp; j++)
        bytes += of->plan->activation_offload_frac * r.chunks[j].saved_bytes;
    copy_s = bytes / of->problem->cluster.gpu.pcie_bytes_per_s_one_way;
    return (double)m *
           (fmax(0, copy_s - t->forward_s) + fmax(0, copy_s - t->backward_s));
}

/* Bytes of adding an fp16 gradient to those of the micro-batches before: reads
 * both, writes one. Source: pytorch@02eef6b8 torch/csrc/autograd/functions/
 * accumulate_grad.h (in place, in the type of the weights). */
static const double FP16_WGRAD_PASS_BYTES = 6;

/** Bytes per parameter of adding up gradients by a kernel of its own. */
static double wgrad_bytes(const p3d_job *job)
{
    const double wide = job->framework->wgrad_pass_bytes;

    return job->dtype == P3D_FP16 ? fmin(wide, FP16_WGRAD_PASS_BYTES) : wide;
}

/** Passes over the weights that some frameworks add per micro-batch: gradients
 *  accumulated by a kernel of their own, gathered weights copied. */
static double weight_passes_s(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    const p3d_framework *fw = problem->job.framework;
    const double bytes = wgrad_bytes(&problem->job) +
                         (plan->zero == 3 ? 2 * fw->gather_pass_bytes : 0);

    return bytes <= 0 ? 0
                      : cost_pass_s(&problem->cluster,
                                bytes * (double)(params.dense + params.experts),
                                1);
}

/** Add the layers of a stage, the embedding before the first and the head
 *  behind the last. */
static void add_stage(const cost_case *of, int stage, cost_rank_time *sum)
{
    const short *count = of->layout->count[stage];
    const cost_replay replay = cost_replay_of(of, stage);

    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const p3d_block *block = &of->blocks->block[kind];

        if (count[kind] > 0)
            add_block(sum, block, count[kind],
                    replay_s(block, &replay, kind, count[kind]));
    }
    if (stage == 0)
        add_block(sum, &of->blocks->block[P3D_BLOCK_EMBEDDING], 1, 0);
    if (stage == of->layout->n_chunks - 1)
        add_block(sum, &of->blocks->block[P3D_BLOCK_HEAD],
                1 + of->problem->job.n_mtp_layers, 0);
}

cost_rank_time cost_time_rank(const cost_case *of, int rank)
{
    const int64_t m = p3d_plan_n_micro_batches(of->plan, &of->problem->job);
    const p3d_params params = cost_rank_params(of, rank);
    cost_rank_time sum = {.forward_s = 0};

    for (int j = 0; j < of->plan->vp; j++)
        add_stage(of, cost_stage_of(of->plan, rank, j), &sum);
    sum.weights_s = weight_passes_s(of->problem, of->plan, params);
    sum.backward_s += sum.weights_s;
    save_pairs(&sum, of->plan, m);
    sum.total_s = sum.forward_s + sum.backward_s;
    sum.dp_s = cost_dp_exposed_s(of->problem, of->plan, params,
            (cost_pass_time){sum.forward_s, sum.backward_s}, m);
    sum.optimizer_s = cost_optimizer_s(of->problem, of->plan, params);
    sum.offload_s = cost_offload_s(of->problem, of->plan, params, m) +
                    activation_copies_s(of, rank, &sum);
    return sum;
}

void cost_rank_terms(const cost_case *of, int rank, const cost_rank_time *time,
        p3d_time *out)
{
    int count[P3D_N_BLOCKS] = {0};

    for (int j = 0; j < of->plan->vp; j++) {
        const int stage = cost_stage_of(of->plan, rank, j);

        for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++)
            count[kind] += of->layout->count[stage][kind];
        count[P3D_BLOCK_EMBEDDING] += stage == 0;
        if (stage == of->layout->n_chunks - 1)
            count[P3D_BLOCK_HEAD] += 1 + of->problem->job.n_mtp_layers;
    }
    *out = (p3d_time){.memory_pass_s = time->weights_s,
            .recompute_s = time->recompute_s,
            .ep_comm_s = -time->paired_s};
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        cost_add_terms(out, &of->blocks->block[i].forward, count[i]);
        cost_add_terms(out, &of->blocks->block[i].backward, count[i]);
    }
}

void cost_time_stages(const cost_case *of, int rank, const cost_rank_time *time,
        cost_pass_time *stages)
{
    double more_s = time->backward_s;

    for (int j = 0; j < of->plan->vp; j++) {
        const int stage = cost_stage_of(of->plan, rank, j);
        cost_rank_time one = {.forward_s = 0};

        add_stage(of, stage, &one);
        stages[stage] = (cost_pass_time){one.forward_s, one.backward_s};
        more_s -= one.backward_s;
    }
    for (int j = 0; j < of->plan->vp; j++)
        stages[cost_stage_of(of->plan, rank, j)].backward_s +=
                more_s / of->plan->vp;
}

double cost_stage_weight_s(const cost_case *of, int stage)
{
    cost_rank_time one = {.forward_s = 0};

    add_stage(of, stage, &one);
    return one.weight_s;
}
