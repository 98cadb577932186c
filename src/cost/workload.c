/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.c - the operations of a block: layers, embedding and head. */
#include "plan3d/workload.h"

#include <string.h>

#include "base/util.h"
#include "cost/workload_list.h"

/* Share of the second gather of a sequence-parallel linear's input that its
 * weight gradient cannot hide behind the data gradient.
 * Assumes: A12. Source: Megatron-LM@d98e8a64
 * megatron/core/tensor_parallel/layers.py (asynchronous gather in backward).*/
static const double REGATHER_EXPOSED_FRAC = 0.5;

/* Passes per element of the embedding (forward, backward) and of the cross
 * entropy per logit. Source: megatron/core/tensor_parallel/cross_entropy.py. */
static const double EMBEDDING_PASS_BYTES[2] = {6, 8};
static const double CROSS_ENTROPY_PASS_BYTES[2] = {10, 8};

/* Launches of a layer's passes beside norms and residual stream (positions and
 * layout, activation), forward and backward. */
static const int OTHER_KERNELS[2] = {3, 6};

p3d_shard p3d_plan_shard(const p3d_plan *plan)
{
    return (p3d_shard){.tp = plan->tp,
            .cp = plan->cp,
            .ep = plan->ep,
            .etp = plan->etp,
            .micro_batch = plan->micro_batch,
            .sequence_parallel = plan->sequence_parallel};
}

p3d_shard p3d_shard_whole(void)
{
    return (p3d_shard){.tp = 1, .cp = 1, .ep = 1, .etp = 1, .micro_batch = 1};
}

/** Bytes of the residual stream of a whole context-parallel rank. */
static int64_t stream_bytes(const list_context *c)
{
    return c->bytes * c->tokens * c->model->hidden;
}

/**
 * Communication of a tensor-parallel pair of linears (column, then row).
 *
 *     without sequence parallelism   all-reduce forward and backward
 *     with it                        all-gather and reduce-scatter, and in
 *                                    backward a second gather of the input
 *
 * Source: arXiv:1909.08053 section 3; arXiv:2205.05198 section 4.2.2.
 */
static void list_tensor_parallel(list_context *c, const char *name)
{
    const double payload = (double)stream_bytes(c);

    for (int phase = P3D_FORWARD; phase <= P3D_BACKWARD; phase++) {
        if (!c->shard.sequence_parallel) {
            list_collective(c, name, (p3d_phase)phase, P3D_ALL_REDUCE,
                    P3D_AXIS_TP, payload, 1);
            continue;
        }
        list_collective(c, name, (p3d_phase)phase, P3D_ALL_GATHER, P3D_AXIS_TP,
                payload, 1);
        list_collective(c, name, (p3d_phase)phase, P3D_REDUCE_SCATTER,
                P3D_AXIS_TP, payload, 1);
    }
    if (c->shard.sequence_parallel)
        list_collective(c, name, P3D_BACKWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                payload, REGATHER_EXPOSED_FRAC);
}

/** Norms, residual additions and hidden dropout of a layer. Each norm keeps
 *  its input, each pair of linears its own input (gathered, where the framework
 *  does not gather it again); dropout two 1-byte masks. */
static void list_residual(list_context *c)
{
    const p3d_model *m = c->model;
    const p3d_pass_bytes *pass = list_pass_bytes(c);
    const int64_t elements = c->resident * m->hidden;
    const double factor = (double)c->bytes / 2 * (m->n_norms >= 4 ? 1.5 : 1);
    const int norms = m->parallel_block ? 1 : m->n_norms;
    const int linears = m->parallel_block && m->n_norms == 1 ? 1 : 2;
    const int64_t linear_elements = c->job->framework->keeps_gathered_input
                                            ? c->tokens * m->hidden
                                            : elements;

    list_pass(c, "norms and residual",
            pass->residual[0] * factor * (double)elements,
            pass->residual[1] * factor * (double)elements,
            pass->n_kernels[0] - OTHER_KERNELS[0],
            pass->n_kernels[1] - OTHER_KERNELS[1],
            elements * (c->bytes * norms + (c->job->dropout ? 2 : 0)) +
                    linear_elements * c->input_bytes * linears);
}

/** Bytes alive beside the saved tensors while a layer's backward runs: the
 *  gradients around the widest pair of linears and of the residual stream.
 *  Source: tensors of the backward pass in the order autograd frees them. */
static int64_t layer_working_bytes(const list_context *c, bool moe)
{
    const p3d_model *m = c->model;
    const int64_t e = stream_bytes(c);
    const int64_t own = c->bytes * c->resident * m->hidden;
    const int64_t gathered = c->shard.sequence_parallel ? e : 0;
    int64_t mlp;

    if (moe) {
        const int64_t rows = list_expert_rows(c);
        const int64_t in = c->bytes * rows * m->hidden;
        const int64_t mid =
                2 * c->bytes * rows * (m->expert_ffn / c->shard.etp);

        mlp = mid + in > 2 * in ? mid + in : 2 * in;
    } else {
        const int64_t f = c->bytes * c->tokens * (m->ffn / c->shard.tp);
        const int64_t wide = (m->gated_mlp ? 2 : 1) * f;

        mlp = wide > gathered + f ? wide : gathered + f;
    }
    if (c->job->attention == P3D_EAGER) {
        const int64_t scores = 2 * c->bytes * c->shard.micro_batch *
                               (m->n_heads / c->shard.tp) *
                               (c->job->seq_len / c->shard.cp) *
                               (int64_t)c->job->seq_len;

        if (scores + 2 * e > mlp)
            mlp = scores + 2 * e;
    }
    return mlp + own;
}

/**
 * What selective recomputation by operation keeps of a layer: its input, the
 * attention output with its log-sum-exp, and of the matrix products every
 * second one, counted from the first (queries, not keys; values; the output
 * projection not; gate, not up; down).
 *
 * Source: torchtitan@9dec370 torchtitan/parallelisms/parallelize_llama.py:
 * 214-264. Experts: their inputs and every second product of theirs.
 */
static int64_t per_op_bytes(const list_context *c, bool moe)
{
    const p3d_model *m = c->model;
    const int64_t heads = m->n_heads / c->shard.tp;
    const int64_t q = p3d_model_is_mla(m)
                              ? heads * (m->qk_nope_dim + m->qk_rope_dim)
                              : heads * m->head_dim;
    const int64_t kv = p3d_model_is_mla(m) ? q : q * m->n_kv_heads / m->n_heads;
    const int64_t attention =
            c->bytes * c->tokens * (2 * q + kv) + 4 * c->tokens * heads;
    const int64_t stream = 2 * c->bytes * c->resident * m->hidden;
    const int64_t rows = moe ? list_expert_rows(c) : 0;

    if (moe)
        return stream + attention +
               c->bytes * rows * (m->hidden + m->expert_ffn / c->shard.etp) +
               c->bytes * c->tokens * (m->shared_ffn / c->shard.tp);
    return stream + attention + c->bytes * c->tokens * (m->ffn / c->shard.tp);
}

static void build_layer(list_context *c, int kind)
{
    const bool moe = (kind & P3D_LAYER_MOE) != 0;
    const p3d_model *m = c->model;

    list_residual(c);
    list_tensor_parallel(c, "attention tensor parallelism");
    list_attention(c, (kind & P3D_LAYER_WINDOWED) != 0);
    if (!moe) {
        if (!m->parallel_block)
            list_tensor_parallel(c, "MLP tensor parallelism");
        list_dense_mlp(c, m->ffn, "MLP up", "MLP down");
    } else {
        if (m->shared_ffn > 0)
            list_tensor_parallel(c, "shared experts tensor parallelism");
        list_moe_mlp(c);
    }
    c->out->input_bytes = c->bytes * c->resident * m->hidden;
    c->out->per_op_bytes = per_op_bytes(c, moe);
    c->out->working_bytes = layer_working_bytes(c, moe);
}

/** Token (and position) look-up; its output is scattered or reduced over the
 *  tensor-parallel ranks, which share the vocabulary. */
static void build_embedding(list_context *c)
{
    const int64_t elements = c->resident * c->model->hidden;
    const double factor = (double)c->bytes / 2;

    list_pass(c, "embedding",
            EMBEDDING_PASS_BYTES[0] * factor * (double)elements,
            EMBEDDING_PASS_BYTES[1] * factor * (double)elements, 2, 2,
            c->job->dropout ? elements : 0);
    list_collective(c, "embedding tensor parallelism", P3D_FORWARD,
            c->shard.sequence_parallel ? P3D_REDUCE_SCATTER : P3D_ALL_REDUCE,
            P3D_AXIS_TP, (double)stream_bytes(c), 1);
    if (c->shard.sequence_parallel)
        list_collective(c, "embedding tensor parallelism", P3D_BACKWARD,
                P3D_ALL_GATHER, P3D_AXIS_TP, (double)stream_bytes(c), 1);
}

/**
 * Final norm, logits, loss. Keeps the norm's input and output; at the loss the
 * logits are alive in as many bytes as the framework's cross entropy needs.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/tensor_parallel/
 * cross_entropy.py:20-95 (6 bytes: 16-bit logits and fp32 in place).
 */
static void build_head(list_context *c)
{
    const p3d_model *m = c->model;
    const p3d_framework *fw = c->job->framework;
    const int64_t V = p3d_padded_vocab(m, fw, c->shard.tp) / c->shard.tp;
    const int64_t elements = c->resident * m->hidden;
    const double factor = (double)c->bytes / 2;
    const double logits = (double)(c->tokens * V);

    list_pass(c, "final norm", 4 * factor * (double)elements,
            8 * factor * (double)elements, 1, 2, 2 * c->bytes * elements);
    list_collective(c, "logits tensor parallelism", P3D_FORWARD, P3D_ALL_GATHER,
            P3D_AXIS_TP,
            c->shard.sequence_parallel ? (double)stream_bytes(c) : 0, 1);
    list_wide_gemm(c, "logits", c->tokens, V, m->hidden, 1);
    list_pass(c, "cross entropy", CROSS_ENTROPY_PASS_BYTES[0] * factor * logits,
            CROSS_ENTROPY_PASS_BYTES[1] * factor * logits, 4, 2, 0);
    list_collective(c, "logits tensor parallelism", P3D_BACKWARD,
            c->shard.sequence_parallel ? P3D_REDUCE_SCATTER : P3D_ALL_REDUCE,
            P3D_AXIS_TP, (double)stream_bytes(c), 1);
    c->out->working_bytes =
            (int64_t)(p3d_loss_bytes_per_logit(p3d_job_loss(c->job)) * factor *
                      logits);
}

/** Bytes per element of an input that a product with weights keeps: Transformer
 *  Engine keeps the fp8 copy, torchao's float8 linear the 16-bit original. */
static int64_t kept_input_bytes(const p3d_job *job)
{
    return job->dtype == P3D_FP8 && job->framework->transformer_engine
                   ? 1
                   : p3d_dtype_bytes(job->dtype);
}

void p3d_workload_build(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, int block, p3d_workload *out)
{
    const int64_t tokens =
            (int64_t)shard.micro_batch * (job->seq_len / shard.cp);
    list_context c = {.model = model,
            .job = job,
            .shard = shard,
            .out = out,
            .tokens = tokens,
            .resident = shard.sequence_parallel ? tokens / shard.tp : tokens,
            .bytes = p3d_dtype_bytes(job->dtype),
            .input_bytes = kept_input_bytes(job),
            .wide = job->dtype == P3D_FP8 ? P3D_BF16 : job->dtype};

    P3D_ASSERT(block >= 0 && block < P3D_N_BLOCKS);
    out->n_ops = 0;
    out->input_bytes = 0;
    out->per_op_bytes = 0;
    out->working_bytes = 0;
    if (block == P3D_BLOCK_EMBEDDING)
        build_embedding(&c);
    else if (block == P3D_BLOCK_HEAD)
        build_head(&c);
    else
        build_layer(&c, block);
}

/** Forward operations of one block per token of a whole sequence: as many
 *  sequences as experts, so that each expert gets a whole number of rows. */
static double forward_flop(
        const p3d_model *model, const p3d_job *job, int block)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_workload list;
    double flop = 0;

    if (model->n_experts > 0)
        shard.micro_batch = model->n_experts;
    p3d_workload_build(model, job, shard, block, &list);
    for (int i = 0; i < list.n_ops; i++) {
        if (list.ops[i].phase == P3D_FORWARD)
            flop += p3d_op_flop(&list.ops[i]);
    }
    return flop / ((double)shard.micro_batch * job->seq_len);
}

/**
 * Model FLOPs per token of a training step.
 *
 *     3 (sum over layers of forward GEMMs and causal attention + logits)
 *
 * Recomputation and the padded vocabulary's share are not model FLOPs in the
 * strict sense; the padding (below 1 %) is kept, recomputation is not.
 *
 * Source: arXiv:2204.02311 appendix B (MFU), with the causal half of the
 * attention instead of the whole square.
 */
double p3d_model_flop_per_token(const p3d_model *model, const p3d_job *job)
{
    p3d_job fused = *job;
    double flop = forward_flop(model, job, P3D_BLOCK_HEAD);

    fused.attention = P3D_FLASH; /* eager computes both halves, needs one */
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const int n = p3d_model_count_layers(model, kind);

        if (n > 0)
            flop += n * forward_flop(model, &fused, kind);
    }
    return 3 * flop;
}
