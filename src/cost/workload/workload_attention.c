/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_attention.c - the operations of self-attention on one rank. */
#include <math.h>

#include "base/util.h"
#include "cost/workload/workload_list.h"
#include "spec/given.h"
#include "spec/params.h"

/* Source of the attention to an encoder's output. */
#define LIST_CROSS "transformers@v5.23 modeling_bart.py"

/* Bytes per score of unfused attention, forward and backward: fused scaled
 * softmax reads and writes 16-bit scores (4, 6), attention dropout reads them,
 * writes them and a mask (5, 5).
 * Source: Megatron-LM@d98e8a64 megatron/core/fusions/fused_softmax.py;
 * arXiv:2205.05198 section 4 (what is kept). */
static const p3d_softmax SOFTMAX_FUSED = {{4, 6}, {1, 1}, false};

/* The same in fp32, which the fused kernel does not take (is_kernel_available):
 * masking in place and PyTorch's softmax (8 + 8). Backward that of the softmax
 * (12); and as the masked scores are a view of the product, which was changed
 * through it: zeros (4), the gradient copied into them (8), into the product's
 * (8), cloned (8), masked in a copy of its own (8 + 8) and copied back (8).
 * Source: pytorch@00ee651 torch/csrc/autograd/functions/tensor.cpp
 * (CopySlices), FunctionsManual.cpp (as_strided_backward), aten/src/ATen/
 * native/TensorAdvancedIndexing.cpp (masked_fill); Megatron-LM@core_v0.6.0
 * megatron/model/transformer.py (matmul_result.view), utils.py
 * (attention_mask_func). */
static const p3d_softmax SOFTMAX_FP32 = {{16, 64}, {2, 8}, false};

static const double DROPOUT_PASS_BYTES = 5;

/* Bytes of a probability where the softmax runs in fp32. */
static const double SOFTMAX_WIDE_BYTES = 4;

/* Bytes of the log-sum-exp that fused attention keeps per query and head. */
enum { LOG_SUM_EXP_BYTES = 4 };

/* Bytes per channel of a gate of the output: both read, the product written;
 * backward reads three and writes two. */
static const double GATE_PASS_BYTES[2] = {6, 10};

/* Positions of latent attention as single operations: bytes per channel of a
 * query's heads, and per channel of the position that all heads of a key share
 * (its sines and cosines, in fp32, are made for queries and for keys); and
 * their kernels. Channels put in order, turned, both products and their sum,
 * queries and keys joined of their parts, values copied; backward each part is
 * put into zeros. Source: the operations that Megatron-LM@24bad8e6
 * megatron/core/transformer/multi_latent_attention.py
 * (qkv_up_proj_and_rope_apply) and models/common/embeddings/rope_utils.py
 * (_apply_rotary_pos_emb_bshd) send to PyTorch, for 128 channels without and 64
 * with positions. */
static const double LATENT_PASS_BYTES[2] = {20, 25};
static const double LATENT_KEY_BYTES[2] = {124, 50};
static const int LATENT_KERNELS[2] = {29, 29};

typedef struct attention_shape {
    int64_t heads;    /* on this rank */
    int64_t kv_heads; /* on this rank; replicated where tp exceeds them */
    int64_t q;        /* width of the queries */
    int64_t kv;      /* width of the keys; the values have kv too, but in MLA */
    int64_t v;       /* width of the values */
    int64_t out;     /* width of the attention output */
    int64_t made_kv; /* of the keys that the layer itself makes, and ... */
    int64_t made_v;  /* ... of the values: 0 where they are another layer's */
    int64_t gate;    /* channels of its gate */
    int64_t seen; /* tokens of another sequence that it attends to; 0: its own
                        sequence's */
} attention_shape;

static attention_shape shape_of(const list_context *c, bool shares_kv)
{
    const p3d_model *m = c->model;
    attention_shape s = {0};

    s.heads = m->n_heads / c->shard.tp;
    s.gate = spec_gate_width(m, c->shard.tp);
    if (p3d_model_is_mla(m)) {
        s.kv_heads = s.heads;
        s.q = s.kv = s.heads * (m->qk_nope_dim + m->qk_rope_dim);
        s.v = s.made_v = s.out = s.heads * m->v_head_dim;
        s.made_kv = s.kv;
        return s;
    }
    s.kv_heads = m->n_kv_heads / spec_kv_ranks(m, c->shard.tp);
    s.q = s.out = s.heads * m->head_dim;
    s.kv = s.v = s.kv_heads * m->head_dim;
    s.made_kv = s.made_v = shares_kv ? 0 : s.kv;
    return s;
}

/** Projections to queries, keys and values: one product, or through the latent
 *  vectors of MLA (arXiv:2405.04434 section 2.1). */
static void list_projections(list_context *c, attention_shape s)
{
    const p3d_model *m = c->model;
    const int64_t T = c->tokens, h = m->hidden;
    const int64_t latent = m->kv_lora_rank + m->qk_rope_dim;

    if (!p3d_model_is_mla(m)) {
        c->linear = (list_linear){.part = P3D_PART_ATTENTION,
                .n = s.made_kv > 0 ? 3 : 1,
                .of = {{P3D_TARGET_Q, s.q + s.gate}, {P3D_TARGET_K, s.made_kv},
                        {P3D_TARGET_V, s.made_v}}};
        list_gemm_casting(c, "qkv projection",
                (cost_product){T,
                        s.q + s.made_kv + (m->full_shares ? 0 : s.made_v) +
                                s.gate,
                        h, 1},
                LIST_CAST_AFTER_NORM);
        return;
    }
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_Q, false);
    if (s.gate > 0)
        list_gemm(c, "gate projection", (cost_product){T, s.gate, h, 1});
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_K, false);
    list_gemm(c, "latent down-projection", (cost_product){T, latent, h, 1});
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_Q, false);
    if (m->q_lora_rank > 0)
        list_gemm(c, "query down-projection",
                (cost_product){T, m->q_lora_rank, h, 1});
    c->modules = P3D_MODULE_LATENT_UP;
    if (m->q_lora_rank > 0)
        list_gemm(c, "query up-projection",
                (cost_product){T, s.q, m->q_lora_rank, 1});
    else
        list_gemm(c, "query projection", (cost_product){T, s.q, h, 1});
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_V, false);
    list_gemm(c, "latent up-projection",
            (cost_product){T, s.heads * (m->qk_nope_dim + m->v_head_dim),
                    m->kv_lora_rank, 1});
    c->modules = 0;
}

/** What the attention keeps for its backward pass beside its own core. Keys and
 *  values of another layer are kept there, unless each layer has a copy of them
 *  for every head. */
static void keep_attention(list_context *c, attention_shape s)
{
    static const char source[] = "arXiv:2205.05198 section 4.1; "
                                 "arXiv:2405.04434 section 2.1";
    const p3d_model *m = c->model;
    const p3d_framework *fw = c->job->framework;
    const double E = (double)c->bytes;
    const bool own = s.made_kv > 0 || fw->expands_keys_values;
    const int64_t all_keys = fw->expands_keys_values ? s.q : s.kv;
    const int64_t keys = own ? all_keys : 0;
    const unsigned up = p3d_model_is_mla(m) ? P3D_MODULE_LATENT_UP : 0;
    const int up_q = list_keeps_input(c, P3D_PART_ATTENTION, P3D_TARGET_Q);
    const int up_kv = list_keeps_input(c, P3D_PART_ATTENTION, P3D_TARGET_V);
    const list_tensor kept[] = {
            {"latent queries, before and after their norm",
                    "backward of the norm and the up-projection", source,
                    c->resident,
                    p3d_model_is_mla(m) ? (1 + up_q) * m->q_lora_rank : 0, E,
                    P3D_MODULE_PER_OP, 0, false},
            {"latent keys and values, before and after their norm",
                    "backward of the norm and the up-projection", source,
                    c->resident,
                    p3d_model_is_mla(m)
                            ? (1 + up_kv) * m->kv_lora_rank + m->qk_rope_dim
                            : 0,
                    E, P3D_MODULE_PER_OP, 0, false},
            {"queries and keys before their norm", "backward of the norm",
                    source, c->tokens,
                    m->qk_norm != P3D_QK_NORM_NONE ? s.q + s.made_kv : 0, E,
                    P3D_MODULE_PER_OP, 0, false},
            {"queries", "backward of the attention core", source, c->tokens,
                    s.q, E, up, 0, false},
            {"keys", "backward of the attention core", source, c->tokens, keys,
                    E, up | P3D_MODULE_PER_OP, 0, false},
            {"values", "backward of the attention core", source, c->tokens,
                    own ? s.v : 0, E, up, 0, false},
            {"values for every head of the queries",
                    "backward of the attention core", fw->versions, c->tokens,
                    own ? keys - s.kv : 0, E, P3D_MODULE_PER_OP, 0, false},
            {"keys and values packed for the kernel",
                    "backward of the attention core", fw->versions, c->tokens,
                    fw->copies_keys_values ? s.kv + s.v : 0, E,
                    P3D_MODULE_PER_OP, 0, false}};

    for (int i = 0; i < P3D_COUNT_OF(kept); i++)
        list_keep(c, kept[i]);
}

/** The same of its output, for the core and for the gradient of the output
 *  projection. */
static void keep_output(list_context *c, attention_shape s)
{
    static const char source[] = "arXiv:2205.05198 section 4.1; "
                                 "arXiv:2405.04434 section 2.1";
    const p3d_framework *fw = c->job->framework;
    const double E = (double)c->bytes;
    const bool out = list_keeps_input(c, P3D_PART_ATTENTION, P3D_TARGET_O);
    const bool needed = out || s.gate > 0 || c->job->attention != P3D_EAGER;
    const list_tensor kept[] = {
            {"attention output in the projection's layout",
                    "gradient of the output projection", fw->versions,
                    c->tokens,
                    out && fw->copies_output && c->shard.micro_batch > 1 ? s.out
                                                                         : 0,
                    E, P3D_MODULE_PER_OP, 0, false},
            {"attention output", "its core and the output projection", source,
                    c->tokens, needed ? s.out : 0, E, 0, 0, false},
            {"gate of the attention output", "backward of the gate", source,
                    c->tokens, s.gate, E, 0, 0, false},
            {"attention output after its gate",
                    "gradient of the output projection", source, c->tokens,
                    out && s.gate > 0 ? s.out : 0, E, P3D_MODULE_PER_OP, 0,
                    false},
            {c->job->dtype == P3D_NVFP4 ? "attention output in nvfp4"
                                        : "attention output in fp8",
                    "gradient of the output projection", source, c->tokens,
                    list_trains(c, P3D_PART_ATTENTION) &&
                                    c->input_bytes < (double)c->bytes
                            ? s.out
                            : 0,
                    c->input_bytes, P3D_MODULE_PER_OP, 0, false}};

    for (int i = 0; i < P3D_COUNT_OF(kept); i++)
        list_keep(c, kept[i]);
}

/** How the context-parallel ranks split the attention: `heads` of them exchange
 *  heads for tokens, and `ring` of them hand keys and values on. */
typedef struct context_split {
    int heads, ring;
    p3d_axis heads_axis, ring_axis;
} context_split;

static context_split split_of(const list_context *c)
{
    const int heads = spec_head_ranks(c->job, c->shard.cp, c->shard.ulysses);
    const int ring = c->shard.cp / heads;
    const bool both = heads > 1 && ring > 1;

    return (context_split){heads, ring, both ? P3D_AXIS_HEADS : P3D_AXIS_CP,
            both ? P3D_AXIS_RING : P3D_AXIS_CP};
}

/** Fused kernels compute the pairs inside of texts alone. */
static double packed_tokens(const p3d_job *job)
{
    return job->lengths.filling == P3D_FILLING_PACKED ? p3d_text_tokens(job)
                                                      : 0;
}

/** Share of the pairs of all queries and keys that a layer's kernel computes;
 *  0 = by its window. */
static double seen_frac(const list_context *c, bool windowed)
{
    const double seq = (double)c->job->seq_len;
    const double pairs =
            windowed ? p3d_sparse_pairs(&c->model->sparse, c->job->seq_len) : 0;

    return pairs < seq * seq / 2 ? pairs / (seq * seq) : 0.5;
}

static void set_core(
        p3d_op *op, const list_context *c, attention_shape s, bool windowed)
{
    const int spread = split_of(c).heads;
    const int steps = split_of(c).ring;

    op->count = steps;
    op->n_kernels = steps;
    op->batch = c->shard.micro_batch;
    op->heads = s.heads / spread;
    op->kv_heads = s.kv_heads > spread ? s.kv_heads / spread : 1;
    op->seq_q = c->job->seq_len / steps;
    op->seq_kv = (int)(s.seen > 0 ? s.seen : c->job->seq_len);
    op->text_tokens = s.seen > 0 ? 0 : packed_tokens(c->job);
    op->not_causal = s.seen > 0 || c->model->sees_all;
    op->qk_dim = s.q / s.heads;
    op->v_dim = s.out / s.heads;
    op->kernel = c->job->attention;
    op->window = windowed ? c->model->window : c->model->index_topk;
    op->seen_frac = seen_frac(c, windowed && s.seen == 0);
    if (s.seen > 0)
        op->window = 0;
}

void list_attention_parallel(list_context *c, bool shares_kv)
{
    const p3d_model *m = c->model;
    const attention_shape s = shape_of(c, shares_kv);
    const bool both = m->parallel_block;
    const int64_t f = both ? m->ffn / c->shard.tp : 0;

    list_tensor_parallel(c, "attention tensor parallelism",
            s.q + s.made_kv + s.made_v + s.gate + (m->gated_mlp ? 2 : 1) * f,
            s.out + f);
}

/** Fused attention: keeps q, k, v and the output for backward, and the
 *  log-sum-exp of each row; the output once more where the caller wants it in
 *  another layout. Source: arXiv:2205.14135 algorithm 4. */
static void list_flash(list_context *c, attention_shape s, bool windowed)
{
    const bool copies = c->job->flash_copies_output &&
                        c->shard.micro_batch > 1 && c->shard.cp == 1;

    const char *const name =
            s.seen > 0 ? "cross attention core" : "attention core";

    set_core(list_add(c, name, P3D_OP_ATTENTION, P3D_FORWARD), c, s, windowed);
    set_core(list_add(c, name, P3D_OP_ATTENTION, P3D_BACKWARD), c, s, windowed);
    list_keep(c, (list_tensor){"log-sum-exp of the scores",
                         "backward of the attention core",
                         "arXiv:2205.14135 algorithm 4", c->tokens, s.heads,
                         LOG_SUM_EXP_BYTES, 0, 0, false});
    list_keep(c, (list_tensor){"attention output in the kernel's layout",
                         "backward of the attention core",
                         "TransformerEngine@d0067d0d dot_product_attention/"
                         "backends.py:942",
                         c->tokens, copies ? s.out : 0, (double)c->bytes,
                         P3D_MODULE_PER_OP, 0, false});
}

/* What the fused kernel takes: its blocks are of four rows of as many groups of
 * scores, and a row is in the registers of a warp.
 * Source: Megatron-LM@d98e8a64 megatron/core/fusions/fused_softmax.py
 * (is_kernel_available). */
static bool is_fused(const p3d_framework *fw, int64_t groups, int64_t keys)
{
    enum { ROWS = 4, LEAST_KEYS = 17 };

    return !(fw->softmax_apart.bytes[0] > 0) ||
           (groups % ROWS == 0 && keys % ROWS == 0 && keys >= LEAST_KEYS &&
                   keys <= fw->softmax_most_keys);
}

/** The softmax of groups of scores, one for each sample and head. */
static p3d_softmax softmax_of(
        const list_context *c, int64_t groups, int64_t keys)
{
    const p3d_framework *const fw = c->job->framework;
    const bool fp32 = c->job->dtype == P3D_FP32;
    p3d_softmax fused = SOFTMAX_FUSED;

    if (fw->softmax[fp32 ? 1 : 0].bytes[0] > 0)
        return fw->softmax[fp32 ? 1 : 0];
    if (fp32 && !fw->compiles)
        return SOFTMAX_FP32;
    if (!fp32 && !is_fused(fw, groups, keys))
        return fw->softmax_apart;
    for (int i = 0; i < 2; i++)
        fused.bytes[i] *= (double)c->bytes / 2;
    return fused;
}

/** Kernels and bytes of the softmax of so many scores, and of its dropout. */
static list_work softmax_work(
        const list_context *c, const p3d_softmax *softmax, double scores)
{
    list_work work;

    for (int i = 0; i < 2; i++) {
        work.bytes[i] = softmax->bytes[i] * scores;
        work.n_kernels[i] = softmax->n_kernels[i];
        if (c->job->dropout) {
            work.bytes[i] += DROPOUT_PASS_BYTES * (double)c->bytes / 2 * scores;
            work.n_kernels[i]++;
        }
    }
    return work;
}

/**
 * Unfused attention: two batched products around a softmax, all of it on the
 * whole square of scores; keeps the softmax output (2 B per score; 4 B where
 * the framework has it in fp32, and 2 B of its cast), with dropout also the
 * mask and the dropped scores (3 B). In an fp32 run nothing is cast: 4 B.
 *
 * Source: arXiv:2205.05198 section 4.1 (5 a s^2 b with dropout).
 */
static void list_eager(list_context *c, attention_shape s)
{
    static const char source[] = "arXiv:2205.05198 section 4.1";
    const int64_t b = c->shard.micro_batch;
    const int64_t sq = c->job->seq_len / c->shard.cp;
    const int64_t skv = s.seen > 0 ? s.seen : c->job->seq_len;
    const int64_t scores = b * s.heads * sq * skv;
    const bool drop = c->job->dropout;
    const bool fp32 = c->job->dtype == P3D_FP32;
    const p3d_softmax softmax = softmax_of(c, b * s.heads, skv);

    list_core_gemm(c, "attention scores",
            (cost_product){sq, skv, s.q / s.heads, b * s.heads});
    list_rows(c, "softmax", softmax_work(c, &softmax, (double)scores));
    list_core_gemm(c, "attention over values",
            (cost_product){sq, s.out / s.heads, skv, b * s.heads});
    list_keep(c,
            (list_tensor){"probabilities", "backward of the softmax", source,
                    b * s.heads * sq, skv,
                    softmax.keeps_fp32 ? SOFTMAX_WIDE_BYTES : (double)c->bytes,
                    P3D_MODULE_PER_OP, 0, false});
    list_keep(c, (list_tensor){"probabilities in the type of the values",
                         "gradient of the values", c->job->framework->versions,
                         b * s.heads * sq,
                         softmax.keeps_fp32 && !fp32 && !drop ? skv : 0,
                         (double)c->bytes, P3D_MODULE_PER_OP, 0, false});
    list_keep(c, (list_tensor){"probabilities after dropout, and its mask",
                         "gradient of the values", source, b * s.heads * sq,
                         drop ? skv : 0, (double)c->bytes + 1,
                         P3D_MODULE_PER_OP, 0, false});
}

/* Tokens that a product of blocks has at most on a side, of blocks of 16 and of
 * larger ones: neighbouring blocks are one. Source: DeepSpeed@38327e07
 * deepspeed/ops/sparse_attention/matmul.py (start_width). */
enum { SMALL_BLOCK = 16, SMALL_TILE = 32, LARGE_TILE = 128 };

/**
 * Attention over blocks by DeepSpeed's Triton kernels: the scores of the blocks
 * that are seen, as products of tiles; a softmax in place; the values, a
 * product for each row of blocks. Keeps a probability of 2 B for each score.
 * Each tile reads its own operands: that some are in a cache is not counted.
 *
 * Source: DeepSpeed@38327e07 deepspeed/ops/sparse_attention/
 * sparse_self_attention.py, matmul.py, softmax.py.
 */
static void list_block_sparse(list_context *c, attention_shape s)
{
    const p3d_block_sparse *const sparse = &c->job->sparse;
    const int64_t groups = c->shard.micro_batch * s.heads;
    const int64_t rows = (c->job->seq_len + sparse->block - 1) / sparse->block;
    const double pairs = p3d_sparse_pairs(sparse, c->job->seq_len);
    const int64_t joined = (int64_t)sparse->local * sparse->block;
    const int64_t most = sparse->block > SMALL_BLOCK ? LARGE_TILE : SMALL_TILE;
    const int64_t tile = joined < most ? joined : most;
    const int64_t tiles = (int64_t)ceil(pairs / (double)(tile * tile));
    const int64_t seen = (int64_t)ceil(pairs / (double)(rows * sparse->block));
    const double scores = (double)groups * pairs;

    list_core_gemm(c, "attention scores",
            (cost_product){tile, tile, s.q / s.heads, groups * tiles});
    list_rows(c, "softmax", softmax_work(c, &SOFTMAX_FUSED, scores));
    list_core_gemm(c, "attention over values",
            (cost_product){
                    sparse->block, s.out / s.heads, seen, groups * rows});
    list_keep(c, (list_tensor){"probabilities of the blocks",
                         "backward of the softmax",
                         "DeepSpeed@38327e07 deepspeed/ops/sparse_attention/"
                         "softmax.py",
                         groups * rows * sparse->block, seen, (double)c->bytes,
                         P3D_MODULE_PER_OP, 0, false});
}

/* Bytes per output element of adding one ring step's result to the running
 * one: read the new (2) and the running output (4), write it back (4).
 * Source: TransformerEngine@d0067d0d transformer_engine/pytorch/attention/
 * dot_product_attention/context_parallel.py (corrections in fp32). */
static const double RING_MERGE_PASS_BYTES = 10;

/** Exchange of keys and values between the context-parallel ranks: a ring
 *  forward, and twice the bytes backward (keys and values again, and their
 *  gradients); of the heads that are left to a rank. Source: arXiv:2310.01889;
 *  Transformer Engine's p2p variant; arXiv:2405.07719 section 3. */
static void list_ring(list_context *c, attention_shape s, context_split split)
{
    const int n_merged = split.ring - 1;
    const double payload = (double)(c->bytes * c->shard.micro_batch *
                                    c->job->seq_len * (s.kv + s.v)) /
                           split.heads;
    const double merged =
            RING_MERGE_PASS_BYTES * n_merged * (double)(c->tokens * s.out);

    if (n_merged == 0)
        return;
    (void)list_collective(c, "keys and values",
            (list_transfer){
                    P3D_FORWARD, P3D_ALL_GATHER, split.ring_axis, payload});
    (void)list_collective(c, "keys and values",
            (list_transfer){
                    P3D_BACKWARD, P3D_ALL_GATHER, split.ring_axis, payload});
    (void)list_collective(c, "gradients of keys and values",
            (list_transfer){P3D_BACKWARD, P3D_REDUCE_SCATTER, split.ring_axis,
                    payload});
    list_pass(c, "merging of ring steps",
            (list_work){{merged, merged}, {2 * n_merged, 2 * n_merged}});
}

/** All-to-all of queries, keys and values before the attention and of its
 *  output after it; backward the other way round. The output is kept on both
 *  sides. Source: arXiv:2309.14509; TransformerEngine@d0067d0d transformer_
 *  engine/pytorch/attention/dot_product_attention/context_parallel.py:4476. */
static void list_trade(list_context *c, attention_shape s, p3d_axis axis)
{
    const double element = (double)(c->bytes * c->tokens);

    for (int phase = P3D_FORWARD; phase <= P3D_BACKWARD; phase++) {
        (void)list_collective(c, "heads against tokens",
                (list_transfer){(p3d_phase)phase, P3D_ALL_TO_ALL, axis,
                        element * (double)(s.q + s.kv + s.v)});
        (void)list_collective(c, "tokens against heads",
                (list_transfer){(p3d_phase)phase, P3D_ALL_TO_ALL, axis,
                        element * (double)s.out});
    }
    list_keep(c, (list_tensor){"attention output before its exchange",
                         "backward of the attention core",
                         "TransformerEngine@d0067d0d dot_product_attention/"
                         "context_parallel.py:4476",
                         c->tokens, s.out, (double)c->bytes, P3D_MODULE_PER_OP,
                         0, false});
}

/** The indexer of sparse attention: it scores all earlier tokens for the few
 *  that the attention then sees. It is on every tensor-parallel rank, and is
 *  trained on its own (here as dense attention of its heads without values).
 *  Source: arXiv:2512.02556 section 2.1. Of blocks it has no weights:
 *  transformers@v5.23 modeling_minimax_m3_vl.py. */
static void list_indexer(list_context *c)
{
    const p3d_model *const m = c->model;
    const int64_t T = c->tokens, h = m->hidden;
    const int64_t width = (int64_t)m->index_heads * m->index_dim;
    const bool latent = p3d_model_is_mla(m);
    const int64_t keys = m->index_dim + (latent ? m->index_heads : 0);

    if (width == 0)
        return;
    list_matrix_of(c, P3D_PART_ATTENTION, 0, false);
    list_gemm(c, "indexer queries",
            (cost_product){T, width, latent ? m->q_lora_rank : h, 1});
    list_gemm(c, "indexer keys and weights", (cost_product){T, keys, h, 1});
    for (int phase = P3D_FORWARD; phase <= P3D_BACKWARD; phase++) {
        p3d_op *const op = list_add(
                c, "indexer scores", P3D_OP_ATTENTION, (p3d_phase)phase);

        op->count = op->n_kernels = 1;
        op->batch = c->shard.micro_batch;
        op->heads = m->index_heads;
        op->kv_heads = 1;
        op->seq_q = c->job->seq_len / c->shard.cp;
        op->seq_kv = c->job->seq_len;
        op->text_tokens = packed_tokens(c->job);
        op->qk_dim = m->index_dim;
        op->kernel = c->job->attention;
    }
    list_keep(c, (list_tensor){"queries, keys and weights of the indexer",
                         "backward of the indexer", "arXiv:2512.02556", T,
                         width + keys, (double)c->bytes, P3D_MODULE_PER_OP, 0,
                         false});
}

/** Norms of queries and keys. The residual stream's bytes are two norms and two
 *  additions, of which a norm is about two fifths: 36 of 84 and 72 of 162
 *  (backward) in transformers@0022728. */
static void list_qk_norms(list_context *c, attention_shape s)
{
    const double share = 2.0 / 5;
    const p3d_pass_bytes *const pass = list_pass_bytes(c);

    if (c->model->qk_norm != P3D_QK_NORM_NONE)
        list_rows_over(c, "norms of queries and keys",
                (double)(c->tokens * (s.q + s.made_kv)),
                (list_work){
                        {share * pass->residual[0], share * pass->residual[1]},
                        {2, 4}});
}

/** Whether positions of latent attention are single operations. Source:
 *  Megatron-LM@24bad8e6 megatron/core/transformer/transformer_config.py:3025
 *  (the fused kernels are for YaRN alone). */
static bool has_plain_latent(const list_context *c)
{
    return c->job->framework->fuses_yarn && p3d_model_is_mla(c->model) &&
           c->model->rotary.kind != P3D_ROTARY_YARN;
}

/** Positions of queries and keys, and the layout that the core wants. */
static void list_positions(list_context *c, attention_shape s)
{
    static const char name[] = "positions and layout";
    const p3d_pass_bytes *const pass = list_pass_bytes(c);
    const double keys = (double)s.made_kv / (double)s.q;
    const double shared = (double)c->model->qk_rope_dim / (double)s.q;
    list_work each = {{0}, {2, 4}};

    if (!has_plain_latent(c)) {
        for (int i = 0; i < 2; i++)
            each.bytes[i] = pass->attention[i] + pass->keys[i] * keys;
        list_pass_over(c, name, (double)(c->tokens * s.q), each);
        return;
    }
    for (int i = 0; i < 2; i++) {
        each.bytes[i] = LATENT_PASS_BYTES[i] + LATENT_KEY_BYTES[i] * shared;
        each.n_kernels[i] = LATENT_KERNELS[i];
    }
    c->modules = P3D_MODULE_LATENT_UP;
    list_pass_over(c, name, (double)(c->tokens * s.q), each);
    c->modules = 0;
}

/* Models that have such layers bring a fused kernel with them. */
static bool sees_blocks(const list_context *c, spec_layer layer)
{
    return layer.windowed && c->model->sparse.layout != P3D_SPARSE_NONE;
}

void list_attention(list_context *c, spec_layer layer)
{
    const attention_shape s = shape_of(c, layer.shares_kv);
    const context_split split = split_of(c);

    list_projections(c, s);
    list_qk_norms(c, s);
    list_positions(c, s);
    if (split.heads > 1)
        list_trade(c, s, split.heads_axis);
    list_ring(c, s, split);
    keep_attention(c, s);
    keep_output(c, s);
    list_indexer(c);
    c->modules = P3D_MODULE_CORE_ATTENTION;
    if (c->job->sparse.layout != P3D_SPARSE_NONE)
        list_block_sparse(c, s);
    else if (c->job->attention == P3D_EAGER && !sees_blocks(c, layer))
        list_eager(c, s);
    else
        list_flash(c, s, layer.windowed);
    c->modules = 0;
    if (s.gate > 0)
        list_pass_over(c, "gate of the attention output",
                (double)(c->tokens * s.out),
                (list_work){{GATE_PASS_BYTES[0], GATE_PASS_BYTES[1]}, {1, 2}});
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_O, true);
    list_gemm(c, "output projection",
            (cost_product){c->tokens, c->model->hidden, s.out, 1});
}

/** Tokens of an encoder's output that a micro-batch attends to. */
static int64_t encoder_tokens(const list_context *c)
{
    const int n = c->model->cross_tokens;

    return (int64_t)c->shard.micro_batch * (n > 0 ? n : c->job->seq_len);
}

void list_encoder_output(list_context *c)
{
    const int64_t width = c->model->cross_width;
    const bool kept = list_keeps_input(
            c, P3D_PART_ATTENTION, P3D_TARGET_K | P3D_TARGET_V);

    if (width == 0)
        return;
    list_keep(c, (list_tensor){"output of the encoder",
                         "gradient of the weights for keys and values",
                         LIST_CROSS, encoder_tokens(c), kept ? width : 0,
                         (double)c->bytes, 0, 0, true});
}

/** What the attention to an encoder's output keeps beside its core. */
static void keep_cross(list_context *c, attention_shape s)
{
    const int64_t S = encoder_tokens(c), h = c->model->hidden;
    const double E = (double)c->bytes;
    const bool in = list_keeps_input(c, P3D_PART_ATTENTION, P3D_TARGET_Q);
    const bool out = list_keeps_input(c, P3D_PART_ATTENTION, P3D_TARGET_O);
    const bool needed = out || c->job->attention != P3D_EAGER;
    const list_tensor kept[] = {
            {"input of the cross attention's queries",
                    "gradient of the weights", LIST_CROSS, c->tokens,
                    in ? h : 0, E, P3D_MODULE_NORMS | P3D_MODULE_PER_OP, 0,
                    false},
            {"queries of the cross attention", "backward of the attention core",
                    LIST_CROSS, c->tokens, s.q, E, 0, 0, false},
            {"keys and values of the encoder's output",
                    "backward of the attention core", LIST_CROSS, S, s.kv + s.v,
                    E, 0, 0, false},
            {"output of the cross attention",
                    "its core and the output projection", LIST_CROSS, c->tokens,
                    needed ? s.out : 0, E, 0, 0, false}};

    for (int i = 0; i < P3D_COUNT_OF(kept); i++)
        list_keep(c, kept[i]);
    list_hold(c, "gradient of the encoder's output", "sum over the layers",
            (list_held){S, c->model->cross_width,
                    P3D_AT_MLP_ACTIVATION | P3D_AT_MLP_INPUT |
                            P3D_AT_ATTENTION});
}

void list_cross_attention(list_context *c)
{
    const int64_t S = encoder_tokens(c), h = c->model->hidden;
    attention_shape s = shape_of(c, false);
    const p3d_pass_bytes *const pass = list_pass_bytes(c);

    if (c->model->cross_width == 0)
        return;
    s.seen = S / c->shard.micro_batch;
    list_tensor_parallel(c, "cross attention tensor parallelism", s.q, s.out);
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_Q, false);
    list_gemm(
            c, "cross attention queries", (cost_product){c->tokens, s.q, h, 1});
    c->linear = (list_linear){.part = P3D_PART_ATTENTION,
            .n = 2,
            .of = {{P3D_TARGET_K, s.kv}, {P3D_TARGET_V, s.v}}};
    list_gemm(c, "keys and values of the encoder's output",
            (cost_product){S, s.kv + s.v, c->model->cross_width, 1});
    list_pass_over(c, "layout of the cross attention",
            (double)(c->tokens * s.q),
            (list_work){{pass->attention[0], pass->attention[1]}, {2, 4}});
    keep_cross(c, s);
    c->modules = P3D_MODULE_CORE_ATTENTION;
    if (c->job->attention == P3D_EAGER)
        list_eager(c, s);
    else
        list_flash(c, s, false);
    c->modules = 0;
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_O, true);
    list_gemm(c, "cross attention output projection",
            (cost_product){c->tokens, h, s.out, 1});
}
