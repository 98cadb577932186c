/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_workspaces.c - what libraries, pipelines and the process take. */
#include "base/util.h"
#include "cost/memory.h"
#include "plan3d/units.h"

#define MIB 1048576.0

/* Workspace of one cuBLAS handle and of Transformer Engine's products. */
static const char CUBLAS_SOURCE[] =
        "pytorch aten/src/ATen/cuda/CublasHandlePool.cpp";
static const char TE_SOURCE[] = "TransformerEngine@d0067d0d transformer_engine/"
                                "pytorch/cpp_extensions/gemm.py:40-67";
static const double CUBLAS_BYTES_SM90 = 32 * MIB;
static const double CUBLAS_BYTES = 8.125 * MIB;
static const double TE_GEMM_BYTES_SM90 = 32 * MIB;
static const double TE_GEMM_BYTES = 4 * MIB;
enum { N_GROUPED_WORKSPACES = 4, N_OVERLAP_WORKSPACES = 3 };

/* Weights in fp8 beside the 16-bit ones, in both layouts, per parameter of the
 * layers; with weights in fp8 alone Hopper needs the second layout. */
static const char FP8_SOURCE[] =
        "TransformerEngine@d0067d0d transformer_engine"
        "/pytorch/module/base.py (get_weight_workspace)";
static const double FP8_COPY_BYTES = 2;
static const double FP8_TRANSPOSE_BYTES = 1;

/* Tensors of the boundary's size at a peak, beside those that are inputs of
 * layers: received and to be sent, forward and backward; and between steps the
 * input of each chunk with its gradient. */
static const char BOUNDARY_SOURCE[] =
        "Megatron-LM@d98e8a64 megatron/core/pipeline_parallel/schedules.py:561,"
        " transformer/transformer_block.py:463";
enum { BOUNDARY_TENSORS = 4, BOUNDARY_TENSORS_OF_CHUNK = 2 };

/* The process's own: CUDA context and loaded kernels (0.5 to 1.3 GiB seen),
 * and buffers of each NCCL communicator. Assumes: A7. Source of the second:
 * ai-dynamo/aiconfigurator@095f58a5 (392 MB with 4 or 8 GPUs). */
static const double CONTEXT_BYTES = 0.75 * P3D_GIB;
static const double COMMUNICATOR_BYTES = 392e6;

static double params_of(const cost_rank *r, int block)
{
    const p3d_params *params = &r->of.blocks->block[block].params;

    return (double)(params->dense + params->experts);
}

/** Parameters of the layers on a rank, one weight of every shape: windows
 *  change no shape, and the experts of a rank have one in common. */
static double distinct_params(const cost_rank *r)
{
    double sum = 0;

    for (int mlp = 0; mlp <= P3D_LAYER_MOE; mlp++) {
        const int kind = r->seen[mlp] ? mlp : mlp | P3D_LAYER_WINDOWED;
        const p3d_params *params = &r->of.blocks->block[kind].params;

        if (!r->seen[kind])
            continue;
        sum += (double)params->dense;
        if (mlp == P3D_LAYER_MOE)
            sum += (double)params->experts /
                   (double)p3d_ceil_div(
                           r->of.problem->model.n_experts, r->of.plan->ep);
    }
    return sum + (r->has_head ? params_of(r, P3D_BLOCK_HEAD) : 0);
}

static void put_transformer_engine(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const bool new_gpu = p3d_gpu_sm(&r->of.problem->cluster.gpu) >= 90;
    const double one = new_gpu ? TE_GEMM_BYTES_SM90 : TE_GEMM_BYTES;
    const bool grouped =
            r->of.problem->model.n_experts > 0 && !job->separate_experts;
    const double n = 1 + (grouped ? N_GROUPED_WORKSPACES : 0) +
                     (job->tp_overlap ? N_OVERLAP_WORKSPACES : 0);
    const bool dummies = r->of.plan->zero < 2 && !job->separate_gradients;
    const double distinct = dummies ? distinct_params(r) : 0;
    const double fp8 = job->dtype != P3D_FP8 ? 0
                       : !job->fp8_weights   ? FP8_COPY_BYTES
                       : p3d_gpu_sm(&r->of.problem->cluster.gpu) < 100
                               ? FP8_TRANSPOSE_BYTES
                               : 0;
    const double in_fp8 = (double)(r->parameters.matrices.dense +
                                   r->parameters.matrices.experts);

    cost_items_put(
            items, (cost_item){P3D_TERM_workspace, COST_ALWAYS,
                           "workspaces of Transformer Engine",
                           "matrix products", TE_SOURCE, n, n * one, false});
    cost_items_put(items,
            (cost_item){P3D_TERM_workspace, COST_ALWAYS,
                    "dummy gradients, one of each shape",
                    "the product adds to the real ones itself",
                    "TransformerEngine@d0067d0d transformer_engine/pytorch/"
                    "module/base.py:86",
                    distinct, p3d_dtype_bytes(job->dtype) * distinct, false});
    cost_items_put(items, (cost_item){P3D_TERM_workspace, COST_ALWAYS,
                                  "weights in fp8", "inputs of the products",
                                  FP8_SOURCE, in_fp8, fp8 * in_fp8, false});
}

/** Workspaces of libraries, and what a pipeline keeps. */
static void put_workspaces(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const p3d_framework *fw = job->framework;
    const double n = fw->n_cublas_workspaces;
    const double one = job->cublas_bytes > 0 ? (double)job->cublas_bytes
                       : p3d_gpu_sm(&r->of.problem->cluster.gpu) >= 90
                               ? CUBLAS_BYTES_SM90
                               : CUBLAS_BYTES;
    const double boundary = cost_boundary_bytes(r->of.problem, r->of.plan);
    const double kept = r->of.plan->pp == 1 ? 0 : BOUNDARY_TENSORS;
    const double after = r->of.plan->pp == 1
                                 ? 0
                                 : BOUNDARY_TENSORS_OF_CHUNK *
                                           (r->of.plan->vp - (r->rank == 0));

    cost_items_put(items,
            (cost_item){P3D_TERM_workspace, COST_ALWAYS, "workspaces of cuBLAS",
                    "matrix products", CUBLAS_SOURCE, n, n * one, false});
    if (fw->transformer_engine)
        put_transformer_engine(r, items);
    cost_items_put(
            items, (cost_item){P3D_TERM_workspace, COST_IN_PASSES,
                           "tensors being sent and received", "pipeline",
                           BOUNDARY_SOURCE, kept, kept * boundary, false});
    cost_items_put(items, (cost_item){P3D_TERM_workspace, COST_AT_STEP,
                                  "inputs of the chunks and their gradients",
                                  "held until the next step", BOUNDARY_SOURCE,
                                  after, after * boundary, false});
}

int cost_n_communicators(const p3d_plan *plan)
{
    return (plan->tp > 1) + (plan->cp > 1) + (plan->ep > 1) + (plan->pp > 1) +
           (cost_dense_replicas(plan) > 1);
}

static void put_process(const cost_rank *r, cost_items *items)
{
    const int groups = cost_n_communicators(r->of.plan);

    cost_items_put(
            items, (cost_item){P3D_TERM_context, COST_ALWAYS,
                           "CUDA context and loaded kernels", "the process",
                           "assumption A7", 1, CONTEXT_BYTES, false});
    cost_items_put(
            items, (cost_item){P3D_TERM_context, COST_ALWAYS,
                           "buffers of NCCL communicators", "one for each axis",
                           "ai-dynamo/aiconfigurator@095f58a5", groups,
                           COMMUNICATOR_BYTES * groups, false});
}

void cost_workspaces_put(const cost_rank *rank, cost_items *items)
{
    put_workspaces(rank, items);
    put_process(rank, items);
}
