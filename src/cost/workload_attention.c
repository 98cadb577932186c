/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_attention.c - the operations of self-attention on one rank. */
#include "base/util.h"
#include "cost/workload_list.h"

/* Bytes per score of unfused attention, forward and backward: fused scaled
 * softmax reads and writes 16-bit scores (4, 6), attention dropout reads them,
 * writes them and a mask (5, 5).
 * Source: Megatron-LM@d98e8a64 megatron/core/fusions/fused_softmax.py;
 * arXiv:2205.05198 section 4 (what is kept). */
static const double SOFTMAX_PASS_BYTES[2] = {4, 6};
static const double DROPOUT_PASS_BYTES = 5;

/* Bytes of the log-sum-exp that fused attention keeps per query and head. */
enum { LOG_SUM_EXP_BYTES = 4 };

typedef struct attention_shape {
    int64_t heads;    /* on this rank */
    int64_t kv_heads; /* on this rank; replicated where tp exceeds them */
    int64_t q;        /* width of the queries */
    int64_t kv;  /* width of the keys; the values have kv too, but in MLA */
    int64_t v;   /* width of the values */
    int64_t out; /* width of the attention output */
} attention_shape;

static attention_shape shape_of(const list_context *c)
{
    const p3d_model *m = c->model;
    attention_shape s;

    s.heads = m->n_heads / c->shard.tp;
    if (p3d_model_is_mla(m)) {
        s.kv_heads = s.heads;
        s.q = s.kv = s.heads * (m->qk_nope_dim + m->qk_rope_dim);
        s.v = s.out = s.heads * m->v_head_dim;
        return s;
    }
    s.kv_heads = m->n_kv_heads >= c->shard.tp ? m->n_kv_heads / c->shard.tp : 1;
    s.q = s.out = s.heads * m->head_dim;
    s.kv = s.v = s.kv_heads * m->head_dim;
    return s;
}

/** Projections to queries, keys and values: one product, or through the latent
 *  vectors of MLA (arXiv:2405.04434 section 2.1), which are kept too. */
static int64_t list_projections(list_context *c, attention_shape s)
{
    const p3d_model *m = c->model;
    const int64_t T = c->tokens, h = m->hidden;
    const int64_t latent = m->kv_lora_rank + m->qk_rope_dim;

    if (!p3d_model_is_mla(m)) {
        list_gemm(c, "qkv projection", T, s.q + s.kv + s.v, h, 1);
        return 0;
    }
    if (m->q_lora_rank > 0) {
        list_gemm(c, "query down-projection", T, m->q_lora_rank, h, 1);
        list_gemm(c, "query up-projection", T, s.q, m->q_lora_rank, 1);
    } else {
        list_gemm(c, "query projection", T, s.q, h, 1);
    }
    list_gemm(c, "latent down-projection", T, latent, h, 1);
    list_gemm(c, "latent up-projection", T,
            s.heads * (m->qk_nope_dim + m->v_head_dim), m->kv_lora_rank, 1);
    return c->bytes * c->resident *
           (2 * m->q_lora_rank + 2 * m->kv_lora_rank + m->qk_rope_dim);
}

static void set_core(
        p3d_op *op, const list_context *c, attention_shape s, bool windowed)
{
    op->core = true;
    op->count = c->shard.cp;
    op->n_kernels = c->shard.cp;
    op->batch = c->shard.micro_batch;
    op->heads = s.heads;
    op->kv_heads = s.kv_heads;
    op->seq_q = c->job->seq_len / c->shard.cp;
    op->seq_kv = c->job->seq_len;
    op->qk_dim = s.q / s.heads;
    op->v_dim = s.out / s.heads;
    op->window = windowed ? c->model->window : 0;
}

/** Fused attention: keeps q, k, v and the output for backward, and the
 *  log-sum-exp of each row; the output once more where the caller wants it in
 *  another layout. Source: arXiv:2205.14135 algorithm 4. */
static void list_flash(list_context *c, attention_shape s, bool windowed)
{
    p3d_op *op = list_add(c, "attention core", P3D_OP_ATTENTION, P3D_FORWARD);

    set_core(op, c, s, windowed);
    op->saved_bytes = LOG_SUM_EXP_BYTES * c->tokens * s.heads;
    if (c->job->flash_copies_output && c->shard.micro_batch > 1 &&
            c->shard.cp == 1)
        op->saved_bytes += c->bytes * c->tokens * s.out;
    set_core(list_add(c, "attention core", P3D_OP_ATTENTION, P3D_BACKWARD), c,
            s, windowed);
}

/**
 * Unfused attention: two batched products around a softmax, all of it on the
 * whole square of scores; keeps the softmax output (2 B per score), with
 * dropout also the mask and the dropped scores (3 B).
 *
 * Source: arXiv:2205.05198 section 4.1 (5 a s^2 b with dropout).
 */
static void list_eager(list_context *c, attention_shape s)
{
    const int64_t b = c->shard.micro_batch;
    const int64_t sq = c->job->seq_len / c->shard.cp;
    const int64_t skv = c->job->seq_len;
    const int64_t scores = b * s.heads * sq * skv;
    const bool drop = c->job->dropout;
    const double factor = (double)c->bytes / 2; /* wider with fp32 */
    const double pass[2] = {
            SOFTMAX_PASS_BYTES[0] + (drop ? DROPOUT_PASS_BYTES : 0),
            SOFTMAX_PASS_BYTES[1] + (drop ? DROPOUT_PASS_BYTES : 0)};

    list_core_gemm(c, "attention scores", sq, skv, s.q / s.heads, b * s.heads);
    list_pass(c, "softmax", pass[0] * factor * (double)scores,
            pass[1] * factor * (double)scores, drop ? 2 : 1, drop ? 2 : 1,
            scores * (c->bytes + (drop ? c->bytes + 1 : 0)));
    c->out->ops[c->out->n_ops - 2].core = true;
    c->out->ops[c->out->n_ops - 1].core = true;
    list_core_gemm(
            c, "attention over values", sq, s.out / s.heads, skv, b * s.heads);
}

/* Bytes per output element of adding one ring step's result to the running
 * one: read the new (2) and the running output (4), write it back (4).
 * Source: TransformerEngine@d0067d0d transformer_engine/pytorch/attention/
 * dot_product_attention/context_parallel.py (corrections in fp32). */
static const double RING_MERGE_PASS_BYTES = 10;

/** Exchange of keys and values between the context-parallel ranks: a ring
 *  forward, and twice the bytes backward (keys and values again, and their
 *  gradients). Source: arXiv:2310.01889; Transformer Engine's p2p variant. */
static void list_ring(list_context *c, attention_shape s)
{
    const double payload = (double)(c->bytes * c->shard.micro_batch *
                                    c->job->seq_len * (s.kv + s.v));

    list_collective(c, "keys and values", P3D_FORWARD, P3D_ALL_GATHER,
            P3D_AXIS_CP, payload, 1);
    list_collective(c, "keys and values", P3D_BACKWARD, P3D_ALL_GATHER,
            P3D_AXIS_CP, payload, 1);
    list_collective(c, "gradients of keys and values", P3D_BACKWARD,
            P3D_REDUCE_SCATTER, P3D_AXIS_CP, payload, 1);
    if (c->shard.cp > 1) {
        const double merged = RING_MERGE_PASS_BYTES * (c->shard.cp - 1) *
                              (double)(c->tokens * s.out);

        list_pass(c, "merging of ring steps", merged, merged,
                2 * (c->shard.cp - 1), 2 * (c->shard.cp - 1), 0);
    }
}

void list_attention(list_context *c, bool windowed)
{
    const attention_shape s = shape_of(c);
    const p3d_pass_bytes *pass = list_pass_bytes(c);
    const double elements = (double)(c->tokens * s.q);
    const double factor = (double)c->bytes / 2;
    const int64_t latent = list_projections(c, s);
    int64_t saved = latent + c->bytes * c->tokens * (s.q + s.kv + s.v + s.out);

    if (c->input_bytes < c->bytes) /* the output projection's own fp8 copy */
        saved += c->input_bytes * c->tokens * s.out;
    if (c->model->qk_norm != P3D_QK_NORM_NONE)
        saved += c->bytes * c->tokens * (s.q + s.kv);
    list_pass(c, "positions and layout", pass->attention[0] * factor * elements,
            pass->attention[1] * factor * elements, 2, 4, saved);
    list_ring(c, s);
    if (c->job->attention == P3D_FLASH)
        list_flash(c, s, windowed);
    else
        list_eager(c, s);
    list_gemm(c, "output projection", c->tokens, c->model->hidden, s.out, 1);
}
