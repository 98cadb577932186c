/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - what one pipeline rank holds at its peak. */
#include <math.h>

#include "base/util.h"
#include "cost/cost.h"
#include "cost/states.h"
#include "plan3d/units.h"

/* Workspace of one cuBLAS handle and of Transformer Engine's GEMMs.
 * Source: pytorch aten/src/ATen/cuda/CublasHandlePool.cpp;
 * TransformerEngine@d0067d0d transformer_engine/pytorch/cpp_extensions/gemm.py
 */
static const double CUBLAS_BYTES_SM90 = 32 * 1048576.0;
static const double CUBLAS_BYTES = 8.125 * 1048576.0;
static const double TE_GEMM_BYTES_SM90 = 32 * 1048576.0;
static const double TE_GEMM_BYTES = 4 * 1048576.0;
enum { N_GROUPED_WORKSPACES = 4 };

/* Weights in fp8 beside the 16-bit ones, in both layouts, per parameter of the
 * layers. Source: TransformerEngine@d0067d0d transformer_engine/pytorch/module/
 * base.py (get_weight_workspace). */
static const double FP8_COPY_BYTES = 2;

/* Reserved over allocated memory by kind of rank, medians of published pairs.
 * Source: MooreThreads/SimuMax@4dcaae51 docs/b200, 23 stages, 1.017 to 1.093.
 */
static const double RESERVED_ONE_STAGE = 1.032;
static const double RESERVED_FIRST_STAGE = 1.065;
static const double RESERVED_LAST_STAGE = 1.019;
static const double RESERVED_MOE = 1.054;
static const double RESERVED_LONG_CONTEXT = 1.077;
enum { LONG_CONTEXT_TOKENS = 32768 };

/* Lost to the CUDA context and loaded kernels (0.5 to 1.3 GiB seen), and per
 * NCCL communicator. Assumes: A7. Source of the second:
 * ai-dynamo/aiconfigurator@095f58a5 (392 MB with 4 or 8 GPUs). */
static const double CONTEXT_BYTES = 0.75 * P3D_GIB;
static const double COMMUNICATOR_BYTES = 392e6;

/** Sum over the chunks of a rank. */
typedef struct rank_sum {
    double saved_bytes;     /* activations at the peak */
    double replay_bytes;    /* one recomputed layer's tensors, largest */
    double working_bytes;   /* one layer's backward, largest */
    double layer_params;    /* of the largest layer */
    double layers_params;   /* of all layers */
    double distinct_params; /* one weight of every shape */
    int n_layers;
    double in_flight; /* micro-batches, weighted by layers */
} rank_sum;

static void add_kind(const p3d_plan *plan, const p3d_block *block, int before,
        int n, double alive, rank_sum *sum)
{
    const int full = cost_recomputed(plan, before, n);
    const p3d_recompute rest = plan->recompute == P3D_RECOMPUTE_FULL
                                       ? P3D_RECOMPUTE_NONE
                                       : plan->recompute;
    const double params = (double)(block->params.dense + block->params.experts);

    sum->saved_bytes +=
            alive *
            ((double)full * (double)block->saved_bytes[P3D_RECOMPUTE_FULL] +
                    (n - full) * (double)block->saved_bytes[rest]);
    if (full > 0)
        sum->replay_bytes = fmax(sum->replay_bytes,
                (double)block->saved_bytes[P3D_RECOMPUTE_NONE]);
    else if (rest == P3D_RECOMPUTE_SELECTIVE)
        sum->replay_bytes = fmax(sum->replay_bytes,
                (double)(block->saved_bytes[P3D_RECOMPUTE_NONE] -
                         block->saved_bytes[rest]));
    sum->working_bytes = fmax(sum->working_bytes, (double)block->working_bytes);
    sum->layer_params = fmax(sum->layer_params, params);
    sum->layers_params += n * params;
}

/** Parameters of the layers on a rank, one weight of every shape: windows
 *  change no shape, and the experts of a rank have one in common. */
static double distinct_params(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const bool seen[P3D_N_LAYER_KINDS])
{
    double sum = 0;

    for (int mlp = 0; mlp <= P3D_LAYER_MOE; mlp++) {
        const int kind = seen[mlp] ? mlp : mlp | P3D_LAYER_WINDOWED;
        const p3d_params *params = &blocks->block[kind].params;

        if (!seen[kind])
            continue;
        sum += (double)params->dense;
        if (mlp == P3D_LAYER_MOE)
            sum += (double)params->experts /
                   (double)p3d_ceil_div(problem->model.n_experts, plan->ep);
    }
    return sum;
}

static rank_sum sum_rank(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const cost_layout *layout, int rank)
{
    const int64_t m = p3d_plan_n_micro_batches(plan, &problem->job);
    bool seen[P3D_N_LAYER_KINDS] = {false};
    rank_sum sum = {.n_layers = 0};

    for (int j = 0; j < plan->vp; j++) {
        const short *count = layout->count[cost_stage_of(plan, rank, j)];
        const double alive = (double)cost_in_flight(plan, rank, j, m);
        int before = 0;

        for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
            if (count[kind] == 0)
                continue;
            add_kind(plan, &blocks->block[kind], before, count[kind], alive,
                    &sum);
            before += count[kind];
            seen[kind] = true;
        }
        sum.n_layers += before;
        sum.in_flight += alive * before;
        if (plan->pp > 1)
            sum.saved_bytes += alive *
                               problem->job.framework->pipeline_tensors *
                               cost_boundary_bytes(problem, plan);
        if (rank == 0 && j == 0)
            sum.saved_bytes +=
                    alive * (double)blocks->block[P3D_BLOCK_EMBEDDING]
                                    .saved_bytes[P3D_RECOMPUTE_NONE];
    }
    sum.distinct_params = distinct_params(problem, plan, blocks, seen);
    sum.in_flight /= sum.n_layers > 0 ? sum.n_layers : 1;
    return sum;
}

/**
 * Working set at the peak: the larger of the loss (last rank) and the backward
 * pass of one layer with what it recomputes.
 */
static double working_bytes(const p3d_plan *plan, const p3d_blocks *blocks,
        const rank_sum *sum, int rank, double *head_saved)
{
    const p3d_block *head = &blocks->block[P3D_BLOCK_HEAD];
    const double backward = sum->working_bytes + sum->replay_bytes;
    double loss;

    *head_saved = 0;
    if (!cost_has_head(plan, rank))
        return backward;
    *head_saved = (double)head->saved_bytes[P3D_RECOMPUTE_NONE];
    loss = (double)head->working_bytes;
    return fmax(loss, backward);
}

/**
 * Buffers that sharing of weights or gradients needs: the weights of the
 * current and the next layer, one layer's whole gradient; and the gathered
 * input of sequence-parallel linears on the rank with the logits.
 *
 * Source: torchtitan@b5bcd76c distributed/fsdp.py (prefetch of one block; the
 * root group of embedding and head is not resharded); Megatron-LM@d98e8a64
 * megatron/core/tensor_parallel/layers.py:627.
 */
static double buffer_bytes(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const rank_sum *sum, int rank)
{
    const double E = p3d_dtype_bytes(problem->job.dtype);
    const double stream = E * plan->micro_batch * problem->job.seq_len /
                          plan->cp * problem->model.hidden;
    const bool last = cost_has_head(plan, rank);
    double bytes = 0;

    if (plan->zero == 3) {
        bytes += 2 * E * sum->layer_params;
        if (rank == 0)
            bytes +=
                    E * (double)blocks->block[P3D_BLOCK_EMBEDDING].params.dense;
        if (last)
            bytes += E * (double)blocks->block[P3D_BLOCK_HEAD].params.dense;
    }
    if (plan->zero >= 2)
        bytes += 4 * sum->layer_params;
    if (plan->sequence_parallel && last)
        bytes += stream;
    return bytes;
}

/** Workspaces of libraries, dummy weight gradients of fused accumulation, and
 *  the boundary tensors that a pipeline keeps between steps.
 *  Source: TransformerEngine@d0067d0d transformer_engine/pytorch/module/
 *  base.py:86; the boundary tensors were observed, 2 to 3 (v = 1), 16 to 20
 *  (v = 8). Assumes: A9. */
static double workspace_bytes(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const rank_sum *sum, int rank)
{
    const bool new_gpu = cost_sm(&problem->cluster.gpu) >= 90;
    const double E = p3d_dtype_bytes(problem->job.dtype);
    const double te = new_gpu ? TE_GEMM_BYTES_SM90 : TE_GEMM_BYTES;
    const p3d_framework *fw = problem->job.framework;
    double bytes = fw->n_cublas_workspaces *
                   (new_gpu ? CUBLAS_BYTES_SM90 : CUBLAS_BYTES);

    if (fw->transformer_engine)
        bytes += te *
                 (problem->model.n_experts > 0 ? 1 + N_GROUPED_WORKSPACES : 1);
    if (fw->transformer_engine && plan->zero < 2) {
        bytes += E * sum->distinct_params;
        if (cost_has_head(plan, rank))
            bytes += E * (double)blocks->block[P3D_BLOCK_HEAD].params.dense;
    } else if (fw->wgrad_pass_bytes > 0 || plan->zero >= 2) {
        bytes += E * sum->layer_params;
    }
    if (problem->job.dtype == P3D_FP8 && fw->transformer_engine)
        bytes += FP8_COPY_BYTES * sum->layers_params;
    if (plan->pp > 1)
        bytes += (2 * plan->vp + 1) * cost_boundary_bytes(problem, plan);
    return bytes;
}

static double reserved_factor(
        const p3d_problem *problem, const p3d_plan *plan, int rank)
{
    if (problem->job.seq_len >= LONG_CONTEXT_TOKENS)
        return RESERVED_LONG_CONTEXT;
    if (problem->model.n_experts > 0)
        return RESERVED_MOE;
    if (plan->pp == 1)
        return RESERVED_ONE_STAGE;
    return rank > 0 && cost_has_head(plan, rank) ? RESERVED_LAST_STAGE
                                                 : RESERVED_FIRST_STAGE;
}

static double context_bytes(const p3d_plan *plan)
{
    const int groups = (plan->tp > 1) + (plan->cp > 1) + (plan->ep > 1) +
                       (plan->pp > 1) + (cost_dense_replicas(plan) > 1);

    return CONTEXT_BYTES + COMMUNICATOR_BYTES * groups;
}

/**
 * Memory of one pipeline rank at its peak.
 *
 *     peak = states + saved activations + working set + buffers + workspaces
 *
 * then what the caching allocator wastes, and what the process takes outside
 * of it. The terms are those of P3D_MEMORY_TERMS.
 *
 * Tested: tests/unit/test_memory.c
 */
void cost_stage_memory(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const cost_layout *layout, int rank,
        p3d_stage *out)
{
    const rank_sum sum = sum_rank(problem, plan, blocks, layout, rank);
    const p3d_params params =
            cost_rank_params(problem, plan, blocks, layout, rank);
    const cost_state_sum states = cost_states(&problem->job, plan, params);
    double head_saved;
    const double working = working_bytes(plan, blocks, &sum, rank, &head_saved);
    p3d_memory *m = &out->memory;

    *m = (p3d_memory){.weights_bytes = (int64_t)states.weights_bytes,
            .gradients_bytes = (int64_t)states.gradients_bytes,
            .optimizer_bytes = (int64_t)states.optimizer_bytes,
            .activations_bytes = (int64_t)(sum.saved_bytes + head_saved),
            .working_bytes = (int64_t)working,
            .buffers_bytes =
                    (int64_t)buffer_bytes(problem, plan, blocks, &sum, rank),
            .workspace_bytes =
                    (int64_t)workspace_bytes(problem, plan, blocks, &sum, rank),
            .context_bytes = (int64_t)context_bytes(plan)};
    m->fragmentation_bytes =
            (int64_t)((reserved_factor(problem, plan, rank) - 1) *
                      (double)p3d_memory_allocated_bytes(m));
    out->n_layers = sum.n_layers;
    out->in_flight = sum.in_flight;
    out->params = params;
}

int cost_peak_memory(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const cost_layout *layout, p3d_memory *out)
{
    int tight = 0;

    for (int rank = 0; rank < plan->pp; rank++) {
        p3d_stage stage;

        /* With the same layers, a later rank has no more in flight. */
        if (cost_same_as_before(plan, layout, rank))
            continue;
        cost_stage_memory(problem, plan, blocks, layout, rank, &stage);
        if (rank == 0 || p3d_memory_device_bytes(&stage.memory) >
                                 p3d_memory_device_bytes(out)) {
            *out = stage.memory;
            tight = rank;
        }
    }
    return tight;
}

int64_t p3d_memory_allocated_bytes(const p3d_memory *memory)
{
    return p3d_memory_device_bytes(memory) - memory->fragmentation_bytes -
           memory->context_bytes;
}

int64_t p3d_memory_reserved_bytes(const p3d_memory *memory)
{
    return p3d_memory_device_bytes(memory) - memory->context_bytes;
}

int64_t p3d_memory_device_bytes(const p3d_memory *memory)
{
    int64_t sum = 0;

#define P3D_ADD(field, words) sum = p3d_add(sum, memory->field##_bytes);
    P3D_MEMORY_TERMS(P3D_ADD)
#undef P3D_ADD
    return sum;
}
