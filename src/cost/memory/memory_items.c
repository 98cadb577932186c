/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_items.c - what a rank holds beside the tensors of its layers: states,
 * buffers, workspaces of libraries and the process itself. */
#include "cost/memory/memory.h"

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "cost/workload/precision.h"
#include "plan3d/units.h"
#include "spec/params.h"

static void put(cost_items *items, cost_item item)
{
    if (item.bytes < 1)
        return;
    P3D_ASSERT(items->n < COST_MAX_ITEMS);
    items->at[items->n++] = item;
}

/* Workspaces of libraries. */

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

/* Weights in fp8 beside the 16-bit ones, per parameter of the layers, and the
 * second layout where products need one, which stays until the next step;
 * Megatron-FSDP drops it with each layer that it gathered (Megatron-LM@d98e8a64
 * megatron/core/distributed/fsdp/src/megatron_fsdp/megatron_fsdp.py:627,
 * keep_fp8_transpose_cache). */
static const char FP8_SOURCE[] =
        "TransformerEngine@d0067d0d transformer_engine"
        "/pytorch/module/base.py:792-866 (quantize_weight)";

/* Tensors of the boundary's size at a peak, beside those that are inputs of
 * layers: received and to be sent, forward and backward; and between steps the
 * input of each chunk with its gradient. */
static const char BOUNDARY_SOURCE[] =
        "Megatron-LM@d98e8a64 megatron/core/pipeline_parallel/schedules.py:561,"
        " transformer/transformer_block.py:463";
enum { BOUNDARY_TENSORS = 4, BOUNDARY_TENSORS_OF_CHUNK = 2 };

static double trained_of(const cost_rank *r, int block)
{
    const p3d_block *const b = &r->of.blocks->block[block];

    return cost_all_params(b->trained) -
           cost_all_params(b->tower_layers_trained);
}

/** Trained parameters of the layers on a rank, one weight of every shape:
 *  windows change no shape, and the experts of a rank have one in common. */
static double distinct_params(const cost_rank *r)
{
    double sum = 0;

    for (int i = 0; i < P3D_N_LAYER_KINDS; i++) {
        const spec_layer has = spec_layer_of(i);
        const p3d_params *params = &r->of.blocks->block[i].trained;

        if (!r->seen[i] || (has.windowed && r->seen[i & ~P3D_LAYER_WINDOWED]))
            continue;
        sum += (double)params->dense;
        if (has.experts)
            sum += (double)params->experts /
                   (double)p3d_ceil_div(
                           r->of.problem->model.n_experts, r->of.plan->ep);
    }
    return sum + (r->has_head ? trained_of(r, P3D_BLOCK_HEAD) : 0);
}

/** Bytes per parameter in fp8 beside the weights themselves. */
static double fp8_bytes(const cost_rank *r)
{
    const p3d_job *job = &r->of.problem->job;
    const p3d_precision *const p = p3d_precision_of(job);
    double all;

    if (p == NULL)
        return 0;
    all = cost_layouts(job) * cost_layout_bytes(job);
    if (!cost_has_fp8_weights(job, r->of.plan))
        return all;
    return r->of.plan->zero < 2 ? all - p->data_bytes : 0;
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
    const double in_fp8 = (double)(r->parameters.matrices.dense +
                                   r->parameters.matrices.experts);

    put(items, (cost_item){P3D_TERM_workspace, COST_ALWAYS,
                       "workspaces of Transformer Engine", "GEMMs", TE_SOURCE,
                       n, n * one, false});
    put(items,
            (cost_item){P3D_TERM_workspace, COST_ALWAYS,
                    "dummy gradients, one of each shape",
                    "the product adds to the real ones itself",
                    "TransformerEngine@d0067d0d transformer_engine/pytorch/"
                    "module/base.py:86",
                    distinct, p3d_dtype_bytes(job->dtype) * distinct, false});
    put(items, (cost_item){P3D_TERM_workspace, COST_ALWAYS,
                       job->dtype == P3D_NVFP4 ? "weights in nvfp4"
                                               : "weights in fp8",
                       "inputs of the products", FP8_SOURCE, in_fp8,
                       fp8_bytes(r) * in_fp8, false});
}

/* Of cuBLAS, or of hipBLAS by the same code of PyTorch; NPUs, HPUs and TPUs
 * have neither. */
static void put_blas(const cost_rank *r, cost_items *items)
{
    const p3d_gpu *gpu = &r->of.problem->cluster.gpu;
    const p3d_job *job = &r->of.problem->job;
    const int sm = p3d_gpu_sm(gpu);
    const double n = job->framework->n_cublas_workspaces;
    const double one = job->cublas_bytes > 0 ? (double)job->cublas_bytes
                       : sm >= 90            ? CUBLAS_BYTES_SM90
                                             : CUBLAS_BYTES;

    /* Searches come here often: the words last. */
    if (sm > 0 || strcmp(p3d_gpu_noun(gpu), "GPU") == 0)
        put(items, (cost_item){P3D_TERM_workspace, COST_ALWAYS,
                           sm > 0 ? "workspaces of cuBLAS"
                                  : "workspaces of hipBLAS",
                           "GEMMs", CUBLAS_SOURCE, n, n * one, false});
}

/** Workspaces of libraries, and what a pipeline keeps. */
static void put_workspaces(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const p3d_framework *fw = job->framework;
    const double boundary = cost_boundary_bytes(r->of.problem, r->of.plan);
    const double kept = r->of.plan->pp == 1 ? 0 : BOUNDARY_TENSORS;
    const double after = r->of.plan->pp == 1
                                 ? 0
                                 : BOUNDARY_TENSORS_OF_CHUNK *
                                           (r->of.plan->vp - (r->rank == 0));

    put_blas(r, items);
    if (fw->transformer_engine)
        put_transformer_engine(r, items);
    if (job->adapters.base != P3D_BASE_16)
        put(items, (cost_item){P3D_TERM_workspace, COST_IN_PASSES,
                           "de-quantized weights", "the matrix at hand",
                           "arXiv:2305.14314 section 3", r->largest_matrix,
                           p3d_dtype_bytes(job->dtype) * r->largest_matrix,
                           false});
    put(items, (cost_item){P3D_TERM_workspace, COST_IN_PASSES,
                       "tensors being sent and received", "pipeline",
                       BOUNDARY_SOURCE, kept, kept * boundary, false});
    put(items, (cost_item){P3D_TERM_workspace, COST_AT_STEP,
                       "inputs of the chunks and their gradients",
                       "held until the next step", BOUNDARY_SOURCE, after,
                       after * boundary, false});
}

/** Passes in which the gradients are alive: all, or with one micro-batch only
 *  from the backward on, where a framework frees them after the step; buckets
 *  of a reduction stay. */
static unsigned when_gradients(const cost_rank *r)
{
    const p3d_job *job = &r->of.problem->job;

    return job->framework->frees_gradients && cost_micro_batches(&r->of) == 1 &&
                           (job->framework->bucket_copy_bytes <= 0 ||
                                   r->of.plan->dp == 1)
                   ? COST_AT_END | COST_AT_STEP
                   : COST_ALWAYS;
}

/** Versions of the weights that PipeDream's rank keeps: one for each of its
 *  micro-batches in flight. Source: arXiv:1806.03377 section 3.3 (weight
 *  stashing). */
static double stashed_versions(const cost_rank *r)
{
    return r->of.plan->schedule == P3D_PIPEDREAM ? r->of.plan->pp - r->rank : 1;
}

static void put_states(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const p3d_framework *fw = job->framework;
    const cost_state_sum s = cost_states(job, r->of.plan, &r->parameters);
    const double beside = cost_all_params(r->parameters.companion);
    const double all = cost_all_params(r->parameters.all) - beside;
    const double n = cost_all_params(r->parameters.trained);
    const double owned = cost_owned_params(r->of.plan, r->parameters.trained);
    const p3d_optimizer_facts *o = p3d_optimizer_of(job->optimizer);
    const cost_item states[] = {
            {P3D_TERM_weights, COST_ALWAYS, "weights", "forward and backward",
                    fw->versions, all, stashed_versions(r) * s.weights_bytes,
                    false},
            {P3D_TERM_weights, COST_ALWAYS,
                    job->companion.teacher.n_layers > 0
                            ? "weights of the teacher"
                            : "weights of the reference",
                    "its forward pass", fw->versions, beside, s.companion_bytes,
                    false},
            {P3D_TERM_gradients, when_gradients(r), "gradients",
                    "added up until the optimizer runs", fw->versions, n,
                    job->optimizer_in_backward ? 0 : s.gradients_bytes,
                    fw->stream_pools},
            {P3D_TERM_optimizer, COST_ALWAYS, "master weights",
                    "what the optimizer updates", fw->versions, owned,
                    s.master_bytes, false},
            {P3D_TERM_optimizer, COST_ALWAYS, "moments of the optimizer",
                    o->title, o->source, owned, s.moments_bytes, false},
            {P3D_TERM_gradients, COST_AT_STEP, "copies of the gradients",
                    "while the optimizer runs", fw->versions, owned,
                    s.step_bytes, fw->step_in_own_segments}};

    for (int i = 0; i < P3D_COUNT_OF(states); i++)
        put(items, states[i]);
}

/** Parameters of the ends of the model that a rank has. */
typedef struct rank_ends {
    double embedding;
    double head;
} rank_ends;

/** The same of those that are trained. */
static rank_ends trained_ends_of(const cost_rank *r)
{
    return (rank_ends){
            .embedding = r->rank == 0 ? trained_of(r, P3D_BLOCK_EMBEDDING) : 0,
            .head = r->has_head ? trained_of(r, P3D_BLOCK_HEAD) : 0};
}

static rank_ends ends_of(const cost_rank *r)
{
    return (rank_ends){.embedding = r->rank == 0 ? cost_block_params(r,
                                                           P3D_BLOCK_EMBEDDING)
                                                 : 0,
            .head = r->has_head ? cost_block_params(r, P3D_BLOCK_HEAD) : 0};
}

/** Bytes per parameter of a layer that is gathered, with its second layout. */
static double gathered_bytes(const cost_rank *r)
{
    const p3d_job *job = &r->of.problem->job;

    if (job->adapters.base != P3D_BASE_16)
        return p3d_base_bytes(job->adapters.base, 0);
    return cost_has_fp8_weights(job, r->of.plan)
                   ? cost_layouts(job) * cost_layout_bytes(job)
                   : cost_gather_bytes(job, r->of.plan);
}

/* Weights that ZeRO-3 gathers: those of the layer at hand; of the last layer,
 * of embedding and head, which some do not give back between forward and
 * backward; all that autograd holds, where a framework lets it. Source:
 * torchtitan@9dec370 torchtitan/parallelisms/parallelize_llama.py:325-339;
 * DeepSpeed@5f631abc deepspeed/runtime/zero/partition_parameters.py:548. */
static void put_gathered(const cost_rank *r, cost_items *items)
{
    const p3d_framework *fw = r->of.problem->job.framework;
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const double layer = gathered_bytes(r);
    const rank_ends ends = ends_of(r);
    const double root = ends.head + (fw->keeps_last_layer ? ends.embedding : 0);
    const double held = fw->holds_gathered_weights ? r->layers.kept_params : 0;
    const bool keeps_last =
            fw->keeps_last_layer || (fw->holds_gathered_weights && held <= 0);
    const double last = keeps_last ? r->last_params : 0;

    put(items, (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                       "gathered weights of a layer", "the one at hand",
                       fw->versions, r->layer_params, layer * r->layer_params,
                       false});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_LOSS,
                       "gathered weights of the last layer", "the one at hand",
                       fw->versions, last, layer * last, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES | COST_AT_END,
                       "gathered weights of the ends of the model",
                       "kept between forward and backward", fw->versions, root,
                       E * root, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                       "gathered weights held by autograd",
                       "until the backward of their layer", fw->versions, held,
                       E * held, false});
}

/* What runs in streams of its own, each with a pool of segments: gathering the
 * next layer of a chunk, and before that the ends. Source: pytorch@2.6.0 torch/
 * distributed/fsdp/_fully_shard/_fsdp_collectives.py:138-162, 223. */
static void put_pools(const cost_rank *r, cost_items *items)
{
    static const char source[] = "pytorch@2.6.0 torch/distributed/fsdp/"
                                 "_fully_shard/_fsdp_collectives.py:138-223";
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const rank_ends ends = ends_of(r);
    const double root = (ends.embedding + ends.head) *
                        (1 + 1 / cost_dense_shards(r->of.plan));

    put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                    "gathered weights of the next layer", "prefetched", source,
                    r->next_params, gathered_bytes(r) * r->next_params, true});
    put(items, (cost_item){P3D_TERM_buffers, 0,
                       "buffers of the gathered ends of the model",
                       "in the pool of the stream that gathers", source, root,
                       E * root, true});
}

/* Whole gradients on their way to be shared out, in the data type of the
 * backward pass and in fp32: of a layer, and at last of the ends. Source:
 * pytorch@2.6.0 torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py:371.*/
static void put_reduced(const cost_rank *r, cost_items *items)
{
    const p3d_framework *fw = r->of.problem->job.framework;
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const rank_ends ends = trained_ends_of(r);
    const double root = ends.embedding + ends.head;
    const double n = r->layer_trained;
    const double wide = fw->one_program ? 0 : 4; /* XLA reduces as they are */

    put(items, (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                       "gradients of a layer", "before they are reduced",
                       fw->versions, n, E * n, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                       "gradients of a layer in fp32", "being reduced",
                       fw->versions, n, wide * n, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                       "gradient of the output matrix", "before it is reduced",
                       fw->versions, ends.head, E * ends.head, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_END,
                       "gradients of the ends of the model", "being reduced",
                       fw->versions, root, (wide + E) * root, false});
}

/* The same where FSDP1 wraps modules by size, or none: of the largest unit at
 * its turn, of the one around all of them in both passes. */
static void put_units(const cost_rank *r, cost_items *items)
{
    const p3d_problem *of = r->of.problem;
    const p3d_framework *fw = of->job.framework;
    const double E = p3d_dtype_bytes(of->job.dtype), wide = E + 4;
    const cost_parameters *all = &r->parameters;
    const double around = cost_params_around(
            of, cost_all_params(cost_less_params(all->all, all->companion)));
    const double taught = cost_params_around(of, cost_all_params(all->trained));
    const cost_wrapping units = cost_wrap_job(of);
    const bool ends_alone = units.wraps_ends;
    const double n = r->of.plan->zero == 3 ? gathered_bytes(r) : 0;
    const double head = ends_alone ? ends_of(r).head : 0;
    const double first = ends_alone ? trained_ends_of(r).embedding : 0;

    put(items, (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                       "gathered weights of a unit", "the one at hand",
                       fw->versions, units.largest, n * units.largest, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                       "gathered weights of the unit around the others",
                       "kept between forward and backward", fw->versions,
                       around, n * around, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_LOSS,
                       "gathered weights of the output matrix",
                       "the one at hand", fw->versions, head, n * head, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                       "gradients of a unit", "being reduced", fw->versions,
                       units.largest, wide * units.largest, false});
    put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_END,
                    "gradients of the unit around the others", "being reduced",
                    fw->versions, taught, wide * taught, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_END,
                       "gradient of the embedding", "before it is reduced",
                       fw->versions, first, E * first, false});
}

/* Flat copies around the step of ZeRO-1: gradients to be reduced, then weights
 * to be gathered, where that is more than the gradients' copies left. Source:
 * bigscience DeepSpeed@c7f3bc51 deepspeed/runtime/zero/stage2.py:1600-1628. */
static void put_flat(const cost_rank *r, cost_items *items)
{
    const p3d_framework *fw = r->of.problem->job.framework;
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const double n = cost_all_params(r->parameters.trained);
    const double bucket = n < fw->step_bucket ? n : fw->step_bucket;
    const double parts = n < fw->step_bucket ? 1 : floor(n / fw->step_bucket);
    double copies;
    /* Gradients that are kept in fp32 beside 16-bit ones are reduced in it:
     * DeepSpeed@edaa7221 deepspeed/runtime/pipe/engine.py _bf16_reduce_grads.*/
    const bool wide =
            r->of.plan->pp > 1 && r->of.problem->job.dtype == P3D_BF16;

    if (r->of.plan->zero != 1 || fw->step_bucket <= 0 ||
            cost_dense_replicas(r->of.plan) == 1)
        return;
    copies = cost_states(&r->of.problem->job, r->of.plan, &r->parameters)
                     .step_bytes;
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_STEP,
                       "gradients flattened to be reduced", "a bucket of them",
                       fw->versions, bucket,
                       (fw->reduced_bytes > 0 ? fw->reduced_bytes
                               : wide         ? 4
                                              : E) *
                               bucket,
                       fw->step_in_own_segments});
    put(items, (cost_item){P3D_TERM_buffers, COST_AT_STEP,
                       "weights flattened to be gathered", "a part of them",
                       fw->versions, n / parts, E * n / parts - copies,
                       fw->step_in_own_segments});
}

static int64_t gcd(int64_t a, int64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* The distributed optimizer's buffers: a bucket of 40e6 parameters, or 1e6 for
 * each rank if that is more, ends on a multiple of lcm(ranks, 128); half of
 * that is wasted on average, in weights and gradients. Source:
 * Megatron-LM@d98e8a64 megatron/core/optimizer/param_layout.py:24-42,
 * megatron/core/distributed/distributed_data_parallel.py:134. */
static void put_padding(const cost_rank *r, cost_items *items)
{
    const int64_t D = cost_dense_replicas(r->of.plan);
    const double bucket = fmax(40e6, 1e6 * (double)D);
    const double n = ceil(cost_all_params(r->parameters.trained) / bucket);
    const double multiple = (double)(D / gcd(D, 128) * 128);
    const p3d_states *row =
            &r->of.problem->job.framework->states[P3D_STATE_BF16][1];
    const double wide = row->weights.replicated + row->gradients.replicated;

    if (r->of.plan->zero == 1 && r->of.problem->job.framework->pads_buckets)
        put(items,
                (cost_item){P3D_TERM_gradients, COST_ALWAYS,
                        "padding of the buckets", "to a multiple of the ranks",
                        "Megatron-LM@d98e8a64 megatron/core/optimizer/"
                        "param_layout.py:24-42",
                        n * multiple / 2, wide * n * multiple / 2, false});
}

static void put_sharing(const cost_rank *r, cost_items *items)
{
    const p3d_framework *fw = r->of.problem->job.framework;
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const int zero = r->of.plan->zero;

    if (r->of.problem->job.unit_params > 0) {
        put_units(r, items);
        return;
    }
    if (zero == 3)
        put_gathered(r, items);
    if (zero == 3 && fw->stream_pools)
        put_pools(r, items);
    if (fw->bucket_bytes <= 0 && zero >= 2)
        put_reduced(r, items);
    /* Copied whole to be shared out, in a stream of its own: DeepSpeed@edaa7221
     * deepspeed/runtime/zero/stage3.py:1594-1600, 1813, runtime/comm/
     * coalesced_collectives.py (reduce_scatter_coalesced). */
    if (fw->bucket_bytes > 0 && zero == 3)
        put(items,
                (cost_item){P3D_TERM_buffers, 0,
                        "copy of the bucket of gradients",
                        "in the pool of the stream that reduces", fw->versions,
                        fw->bucket_bytes / E, fw->bucket_bytes, true});
    if (fw->bucket_bytes > 0 && zero >= fw->bucket_zero)
        put(items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                           "bucket of gradients", "to be reduced", fw->versions,
                           fw->bucket_bytes / E, fw->bucket_bytes, false});
}

/** At the end of the backward pass with all gradients: those of the embedding,
 *  a second time where they join the output matrix's, and of its output. */
static void put_end(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const double E = cost_autocasts(job) ? 4 : p3d_dtype_bytes(job->dtype);
    const bool below = trained_of(r, P3D_BLOCK_EMBEDDING) > 0;
    const double stream = below ? cost_rank_tokens(r->of.problem, r->of.plan) *
                                          r->of.problem->model.hidden
                                : 0;
    const p3d_block *const b = &r->of.blocks->block[P3D_BLOCK_EMBEDDING];
    const double tied = r->of.problem->model.tied_embeddings && r->rank == 0
                                ? trained_of(r, P3D_BLOCK_EMBEDDING) -
                                          cost_all_params(b->tower_ends_trained)
                                : 0;

    if (!job->framework->frees_gradients || r->of.plan->zero >= 2 ||
            job->optimizer_in_backward)
        return;
    put(items, (cost_item){P3D_TERM_working, COST_AT_END,
                       "gradient of the embedding",
                       "before it joins that of the output matrix",
                       job->framework->versions, tied, E * tied, false});
    put(items, (cost_item){P3D_TERM_working, COST_AT_END,
                       "gradient of the residual stream",
                       "backward of the embedding", job->framework->versions,
                       stream, E * stream, false});
}

/** Part of the logits' memory that their gradients do not fit into, or that
 *  smaller tensors have split before the next loss. */
/** Gradients of BF16_Optimizer are cast one by one: the fp32 copy of the
 *  largest, which an embedding mostly is, has a segment of its own. */
static void put_cast(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    double largest = fmin(r->largest_matrix, r->layer_trained);

    if (!cost_casts_gradients(job, r->of.plan))
        return;
    if (r->rank == 0)
        largest = fmax(largest, trained_of(r, P3D_BLOCK_EMBEDDING));
    if (r->has_head)
        largest = fmax(largest, trained_of(r, P3D_BLOCK_HEAD));
    put(items, (cost_item){P3D_TERM_fragmentation, 0,
                       "copy of the largest gradient in fp32",
                       "before it joins those of other micro-batches",
                       "DeepSpeed@06e39a5 runtime/bf16_optimizer.py", largest,
                       4 * largest, true});
}

static void put_hole(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const p3d_framework *fw = job->framework;
    const double split = fw->logits_hole_bytes;
    const double per_logit =
            split > 0 ? split
                      : p3d_loss_hole_bytes(p3d_job_loss(job), job->dtype);
    const double logits = cost_rank_logits(r);

    if (r->has_head && (fw->stream_pools || split > 0))
        put(items, (cost_item){P3D_TERM_fragmentation, 0,
                           split > 0 ? "segments of logits, split by others"
                                     : "hole that the 16-bit logits leave",
                           "smaller than a gradient in fp32",
                           "order of allocation", logits, per_logit * logits,
                           true});
}

/** Micro-batches whose logits buffers of the pipeline hold beside those that
 *  the loss reads. Those at hand are the loss's own where it needs no cast.
 *  DeepSpeed runs a single stage without its pipeline engine
 *  (--no-pipeline-parallel), but where stages are typed. */
static int64_t held_logits(const cost_rank *r)
{
    const p3d_job *job = &r->of.problem->job;
    const p3d_framework *fw = job->framework;
    const int64_t m = cost_micro_batches(&r->of);
    const int64_t held = fw->held_logits < m ? fw->held_logits : m;
    const bool has_engine =
            !fw->opens_groups || fw->typed_layers || r->of.plan->pp > 1;

    return held > 0 && has_engine ? held - (job->dtype == P3D_FP32) : 0;
}

/* Logits that the pipeline's buffers hold until the next ones take their place:
 * those of the micro-batch at hand and of the ones before. */
static void put_held_logits(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const double logits = (double)held_logits(r) * cost_rank_logits(r);

    if (r->has_head)
        put(items, (cost_item){P3D_TERM_buffers, COST_ALWAYS,
                           "logits in the buffers of the pipeline",
                           "until the next ones take their place",
                           job->framework->versions, logits,
                           p3d_dtype_bytes(job->dtype) * logits, false});
}

static void put_stream(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const double E = p3d_dtype_bytes(job->dtype);
    const int64_t m = cost_micro_batches(&r->of);
    const double deferred =
            (double)(job->deferred_logits < m ? job->deferred_logits : m);
    const double stream = cost_rank_tokens(r->of.problem, r->of.plan) *
                          r->of.problem->model.hidden;
    const double logits = cost_rank_logits(r);
    const double input =
            stream / (r->of.plan->sequence_parallel ? r->of.plan->tp : 1);

    if (!r->has_head)
        return;
    put(items, (cost_item){P3D_TERM_buffers, COST_ALWAYS,
                       "buffer for gathered inputs", "of the output matrix",
                       "Megatron-LM@d98e8a64 megatron/core/tensor_parallel/"
                       "layers.py:627",
                       stream, r->of.plan->sequence_parallel ? E * stream : 0,
                       false});
    put(items,
            (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                    "logits of the main head",
                    "while multi-token prediction runs",
                    "arXiv:2412.19437 section 2.2", job->n_mtp_layers * logits,
                    2 * E * job->n_mtp_layers * logits, false});
    put(items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                       "inputs and gradients of deferred logits",
                       "the output matrix's gradient is put off",
                       "Megatron-LM@d98e8a64 megatron/core/tensor_parallel/"
                       "layers.py:661",
                       deferred * (logits + input),
                       E * deferred * (logits + input), false});
}

/* Activations on their way: kwai/Megatron-Kwai@b2646e4 megatron/core/
 * pipeline_parallel/offload.py:181-189 has the chunk that ran last, the one on
 * its way out, and two on their way back as a whole. */
void cost_offload_put(const cost_rank *r, cost_items *items)
{
    const p3d_framework *fw = r->of.problem->job.framework;
    const struct {
        unsigned when;
        double bytes;
    } passes[] = {{COST_AT_LOSS, r->walk.forward.passing_bytes},
            {COST_AT_BACKWARD, r->walk.backward.passing_bytes}};

    for (int i = 0; i < P3D_COUNT_OF(passes); i++)
        put(items, (cost_item){P3D_TERM_buffers, passes[i].when,
                           "activations on their way to the host and back",
                           "chunks that are there as a whole", fw->versions,
                           fw->offload_chunks, passes[i].bytes, false});
}

void cost_items_begin(const cost_rank *rank, cost_items *out)
{
    out->n = 0;
    put_states(rank, out);
}

void cost_items_end(const cost_rank *rank, cost_items *items)
{
    cost_item own[COST_COMPRESSED_ITEMS + COST_CAST_ITEMS + COST_PROCESS_ITEMS];
    int n = cost_compressed_items(rank, own);

    n += cost_cast_items(rank, own + n);
    n += cost_process_items(rank, own + n);
    for (int i = 0; i < n; i++)
        put(items, own[i]);
    put_sharing(rank, items);
    put_flat(rank, items);
    put_padding(rank, items);
    put_end(rank, items);
    put_hole(rank, items);
    put_cast(rank, items);
    put_held_logits(rank, items);
    put_stream(rank, items);
    put_workspaces(rank, items);
}

void cost_items_build(const cost_rank *rank, cost_items *out)
{
    cost_items_begin(rank, out);
    cost_items_end(rank, out);
}
