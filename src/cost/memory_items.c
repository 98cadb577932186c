/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_items.c - what a rank holds beside the tensors of its layers. */
#include <math.h>

#include "base/util.h"
#include "cost/memory.h"

void cost_items_put(cost_items *items, cost_item item)
{
    if (item.bytes < 1)
        return;
    P3D_ASSERT(items->n < COST_MAX_ITEMS);
    items->at[items->n++] = item;
}

static double sum_of(p3d_params params)
{
    return (double)(params.dense + params.experts);
}

/** Passes in which the gradients are alive: all, or with one micro-batch only
 *  from the backward on, where a framework frees them after the step. */
static unsigned when_gradients(const cost_rank *r)
{
    const p3d_job *job = &r->of.problem->job;

    return job->framework->frees_gradients &&
                           p3d_plan_n_micro_batches(r->of.plan, job) == 1
                   ? COST_AT_END | COST_AT_STEP
                   : COST_ALWAYS;
}

static void put_states(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const p3d_framework *fw = job->framework;
    const cost_state_sum s = cost_states(job, r->of.plan, &r->parameters);
    const double n = sum_of(r->parameters.all);
    const double owned = cost_owned_params(r->of.plan, r->parameters.all);
    const p3d_optimizer_facts *o = p3d_optimizer_of(job->optimizer);
    const cost_item states[] = {
            {P3D_TERM_weights, COST_ALWAYS, "weights", "forward and backward",
                    fw->versions, n, s.weights_bytes, false},
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
        cost_items_put(items, states[i]);
}

static double params_of(const cost_rank *r, int block)
{
    return sum_of(r->of.blocks->block[block].params);
}

/** Parameters of the ends of the model that a rank has. */
typedef struct rank_ends {
    double embedding;
    double head;
} rank_ends;

static rank_ends ends_of(const cost_rank *r)
{
    return (rank_ends){
            .embedding = r->rank == 0 ? params_of(r, P3D_BLOCK_EMBEDDING) : 0,
            .head = r->has_head ? params_of(r, P3D_BLOCK_HEAD) : 0};
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
    const rank_ends ends = ends_of(r);
    const double root = ends.head + (fw->keeps_last_layer ? ends.embedding : 0);
    const double held = fw->holds_gathered_weights ? r->kept_params : 0;
    const bool keeps_last =
            fw->keeps_last_layer || (fw->holds_gathered_weights && held <= 0);
    const double last = keeps_last ? r->last_params : 0;

    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                    "gathered weights of a layer", "the one at hand",
                    fw->versions, r->layer_params, E * r->layer_params, false});
    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_LOSS,
                    "gathered weights of the last layer", "the one at hand",
                    fw->versions, last, E * last, false});
    cost_items_put(
            items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES | COST_AT_END,
                           "gathered weights of the ends of the model",
                           "kept between forward and backward", fw->versions,
                           root, E * root, false});
    cost_items_put(items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                                  "gathered weights held by autograd",
                                  "until the backward of their layer",
                                  fw->versions, held, E * held, false});
}

/* What runs in streams of its own, each with a pool of segments: gathering the
 * next layer, and before that the ends. Source: pytorch@2.6.0 torch/
 * distributed/fsdp/_fully_shard/_fsdp_collectives.py:138-162, 223. */
static void put_pools(const cost_rank *r, cost_items *items)
{
    static const char source[] = "pytorch@2.6.0 torch/distributed/fsdp/"
                                 "_fully_shard/_fsdp_collectives.py:138-223";
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const rank_ends ends = ends_of(r);
    const double root = (ends.embedding + ends.head) *
                        (1 + 1 / cost_dense_shards(r->of.plan));

    cost_items_put(
            items, (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                           "gathered weights of the next layer", "prefetched",
                           source, r->layer_params, E * r->layer_params, true});
    cost_items_put(items, (cost_item){P3D_TERM_buffers, 0,
                                  "buffers of the gathered ends of the model",
                                  "in the pool of the stream that gathers",
                                  source, root, E * root, true});
}

/* Whole gradients on their way to be shared out, in the data type of the
 * backward pass and in fp32: of a layer, and at last of the ends. Source:
 * pytorch@2.6.0 torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py:371.*/
static void put_reduced(const cost_rank *r, cost_items *items)
{
    const p3d_framework *fw = r->of.problem->job.framework;
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const rank_ends ends = ends_of(r);
    const double root = ends.embedding + ends.head;

    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                    "gradients of a layer", "before they are reduced",
                    fw->versions, r->layer_params, E * r->layer_params, false});
    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                    "gradients of a layer in fp32", "being reduced",
                    fw->versions, r->layer_params, 4 * r->layer_params, false});
    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_BACKWARD,
                    "gradient of the output matrix", "before it is reduced",
                    fw->versions, ends.head, E * ends.head, false});
    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_END,
                    "gradients of the ends of the model", "being reduced",
                    fw->versions, root, (4 + E) * root, false});
}

/* Flat copies around the step of ZeRO-1: gradients to be reduced, then weights
 * to be gathered, where that is more than the gradients' copies left. Source:
 * bigscience DeepSpeed@c7f3bc51 deepspeed/runtime/zero/stage2.py:1600-1628. */
static void put_flat(const cost_rank *r, cost_items *items)
{
    const p3d_framework *fw = r->of.problem->job.framework;
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    const double n = sum_of(r->parameters.all);
    const double bucket = n < fw->step_bucket ? n : fw->step_bucket;
    const double parts = n < fw->step_bucket ? 1 : floor(n / fw->step_bucket);
    const double copies =
            cost_states(&r->of.problem->job, r->of.plan, &r->parameters)
                    .step_bytes;
    const double gathered = E * n / parts - copies;
    /* Gradients that are kept in fp32 beside 16-bit ones are reduced in it:
     * DeepSpeed@edaa7221 deepspeed/runtime/pipe/engine.py _bf16_reduce_grads.*/
    const bool wide =
            r->of.plan->pp > 1 && r->of.problem->job.dtype == P3D_BF16;

    if (r->of.plan->zero != 1 || fw->step_bucket <= 0 ||
            cost_dense_replicas(r->of.plan) == 1)
        return;
    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_AT_STEP,
                    "gradients flattened to be reduced", "a bucket of them",
                    fw->versions, bucket, (wide ? 4 : E) * bucket, true});
    cost_items_put(
            items, (cost_item){P3D_TERM_buffers, COST_AT_STEP,
                           "weights flattened to be gathered", "a part of them",
                           fw->versions, n / parts, gathered, true});
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
    const double n = ceil(sum_of(r->parameters.all) / bucket);
    const double multiple = (double)(D / gcd(D, 128) * 128);
    const p3d_states *row =
            &r->of.problem->job.framework->states[P3D_STATE_BF16][1];
    const double wide = row->weights.replicated + row->gradients.replicated;

    if (r->of.plan->zero == 1 && r->of.problem->job.framework->pads_buckets)
        cost_items_put(items,
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

    if (zero == 3)
        put_gathered(r, items);
    if (zero == 3 && fw->stream_pools)
        put_pools(r, items);
    if (fw->bucket_bytes <= 0 && zero >= 2)
        put_reduced(r, items);
    if (fw->bucket_bytes > 0 && zero >= fw->bucket_zero)
        cost_items_put(items,
                (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                        "bucket of gradients", "to be reduced", fw->versions,
                        fw->bucket_bytes / E, fw->bucket_bytes, false});
}

/** At the end of the backward pass with all gradients: those of the embedding,
 *  a second time where they join the output matrix's, and of its output. */
static void put_end(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const double E = p3d_dtype_bytes(job->dtype);
    const double stream = (double)r->of.plan->micro_batch * job->seq_len /
                          r->of.plan->cp * r->of.problem->model.hidden;
    const double tied = r->of.problem->model.tied_embeddings && r->rank == 0
                                ? params_of(r, P3D_BLOCK_EMBEDDING)
                                : 0;

    if (!job->framework->frees_gradients || r->of.plan->zero >= 2 ||
            job->optimizer_in_backward)
        return;
    cost_items_put(
            items, (cost_item){P3D_TERM_working, COST_AT_END,
                           "gradient of the embedding",
                           "before it joins that of the output matrix",
                           job->framework->versions, tied, E * tied, false});
    cost_items_put(items,
            (cost_item){P3D_TERM_working, COST_AT_END,
                    "gradient of the residual stream",
                    "backward of the embedding", job->framework->versions,
                    stream, E * stream, false});
}

/** Part of the logits' memory that their gradients do not fit into. */
static void put_hole(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const double per_logit = p3d_loss_hole_bytes(p3d_job_loss(job));
    const double logits = (double)r->of.plan->micro_batch * job->seq_len /
                          r->of.plan->cp *
                          (double)p3d_padded_vocab(&r->of.problem->model,
                                  job->framework, r->of.plan->tp) /
                          r->of.plan->tp;

    if (r->has_head && job->framework->stream_pools)
        cost_items_put(items, (cost_item){P3D_TERM_fragmentation, 0,
                                      "hole that the 16-bit logits leave",
                                      "smaller than a gradient in fp32",
                                      "order of allocation", logits,
                                      per_logit * logits, true});
}

static void put_stream(const cost_rank *r, cost_items *items)
{
    const p3d_job *job = &r->of.problem->job;
    const double E = p3d_dtype_bytes(job->dtype);
    const int64_t m = p3d_plan_n_micro_batches(r->of.plan, job);
    const double deferred =
            (double)(job->deferred_logits < m ? job->deferred_logits : m);
    const double tokens =
            (double)r->of.plan->micro_batch * job->seq_len / r->of.plan->cp;
    const double stream = tokens * r->of.problem->model.hidden;
    const double logits = tokens *
                          (double)p3d_padded_vocab(&r->of.problem->model,
                                  job->framework, r->of.plan->tp) /
                          r->of.plan->tp;
    const double input =
            stream / (r->of.plan->sequence_parallel ? r->of.plan->tp : 1);

    if (!r->has_head)
        return;
    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_ALWAYS,
                    "buffer for gathered inputs", "of the output matrix",
                    "Megatron-LM@d98e8a64 megatron/core/tensor_parallel/"
                    "layers.py:627",
                    stream, r->of.plan->sequence_parallel ? E * stream : 0,
                    false});
    cost_items_put(items,
            (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
                    "logits of the main head",
                    "while multi-token prediction runs",
                    "arXiv:2412.19437 section 2.2", job->n_mtp_layers * logits,
                    2 * E * job->n_mtp_layers * logits, false});
    cost_items_put(
            items, (cost_item){P3D_TERM_buffers, COST_IN_PASSES,
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
        cost_items_put(
                items, (cost_item){P3D_TERM_buffers, passes[i].when,
                               "activations on their way to the host and back",
                               "chunks that are there as a whole", fw->versions,
                               fw->offload_chunks, passes[i].bytes, false});
}

void cost_items_build(const cost_rank *rank, cost_items *out)
{
    out->n = 0;
    put_states(rank, out);
    put_sharing(rank, out);
    put_flat(rank, out);
    put_padding(rank, out);
    put_end(rank, out);
    put_hole(rank, out);
    put_stream(rank, out);
    cost_workspaces_put(rank, out);
    cost_dispatcher_put(rank, out);
}
