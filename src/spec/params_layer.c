/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params_layer.c - how many parameters a decoder layer has on one rank. */
#include "base/util.h"
#include "spec/params.h"

p3d_shard p3d_shard_whole(void)
{
    return (p3d_shard){
#define AS_WHOLE(type, member, of, whole) .member = (whole),
            P3D_SHARD_FIELDS(AS_WHOLE)
#undef AS_WHOLE
    };
}

int64_t spec_kv_ranks(const p3d_model *model, int tp)
{
    return tp < model->n_kv_heads ? tp : model->n_kv_heads;
}

int64_t spec_gate_width(const p3d_model *model, int tp)
{
    const int64_t heads = p3d_ceil_div(model->n_heads, tp);

    if (model->attention_gate == P3D_GATE_NONE)
        return 0;
    if (model->attention_gate == P3D_GATE_HEAD)
        return heads;
    return heads *
           (p3d_model_is_mla(model) ? model->v_head_dim : model->head_dim);
}

/* The matrix that a gate of the attention's output comes from. Source:
 * transformers@v5 modeling_qwen3_next.py (half of q_proj). */
static int64_t gate_params(const p3d_model *model, p3d_shard shard)
{
    const int64_t width = spec_gate_width(model, shard.tp);

    return model->hidden * width +
           (model->qkv_bias && !p3d_model_is_mla(model) ? width : 0);
}

/**
 * Parameters of the indexer of sparse attention, on every rank.
 *
 *     P = r_q a d + h d + 2 d + h a    of latent attention
 *         h a d + h d + 2 d            of blocks, by their largest score
 *
 * h  hidden   r_q  q_lora_rank   a  index_heads   d  index_dim
 *
 * Source: arXiv:2512.02556 section 2.1; transformers@v5
 *         modeling_deepseek_v32.py; transformers@v5.23
 *         modeling_minimax_m3_vl.py (MiniMaxM3VLIndexer).
 * Tested: tests/unit/test_mixer.c
 */
static int64_t indexer_params(const p3d_model *model)
{
    const int64_t h = model->hidden;
    const int64_t a = model->index_heads;
    const int64_t d = model->index_dim;

    if (a == 0)
        return 0;
    return p3d_model_is_mla(model)
                   ? model->q_lora_rank * a * d + h * d + 2 * d + h * a
                   : h * a * d + h * d + 2 * d;
}

/**
 * Parameters of the attention of one layer on one rank, without MLA.
 *
 *     P = h q / t + 2 h w / t_kv + q h / t                 matrices; w once
 *                                          where values come out of the keys'
 *       + [qkv bias] (q / t + 2 w / t_kv)    values' alone where keys have none
 *       + [o bias] h
 *       + [norm per head] 2 d n  + [norm of all heads] (q + w) n
 *       + [norm of each head] q / t + w / t_kv
 *       + [sinks] a / t
 *
 * h  hidden       a  n_heads       d  head_dim       q = a d
 * w = n_kv_heads d                 n  norm_weights   t  shard.tp
 *
 * With keys and values of another layer w = 0, and one norm per head.
 *
 * Source: transformers modeling_llama.py, modeling_qwen3.py, modeling_olmo2.py,
 *         modeling_gpt_oss.py, modeling_gemma4.py; division by t:
 *         Megatron-LM@d98e8a64 megatron/core/transformer/attention.py
 *         (column- and row-parallel linears; the bias of a row-parallel one and
 *         norms are not divided).
 * Tested: tests/unit/test_params.c
 */
static int64_t attention_params(
        const p3d_model *model, p3d_shard shard, bool shares_kv)
{
    const int64_t h = model->hidden;
    const int64_t d = model->head_dim;
    const int64_t q = model->n_heads * d;
    const int64_t w = shares_kv ? 0 : model->n_kv_heads * d;
    const int64_t n = model->norm_weights;
    const int64_t t = shard.tp;
    const int64_t q_own = p3d_ceil_div(q, t);
    const int64_t w_own = p3d_ceil_div(w, spec_kv_ranks(model, shard.tp));
    const int64_t n_kv = model->full_shares ? 1 : 2;
    int64_t P = 2 * h * q_own + n_kv * h * w_own;

    if (model->qkv_bias)
        P += q_own + (n_kv - (model->no_key_bias ? 1 : 0)) * w_own;
    if (model->o_bias)
        P += h;
    if (model->qk_norm == P3D_QK_NORM_HEAD)
        P += (shares_kv ? 1 : 2) * d * n;
    if (model->qk_norm == P3D_QK_NORM_FULL)
        P += (q + w) * n;
    if (model->qk_norm == P3D_QK_NORM_EACH)
        P += q_own + w_own;
    if (model->attention_sinks)
        P += p3d_ceil_div(model->n_heads, t);
    return P + indexer_params(model) + gate_params(model, shard);
}

/**
 * Parameters of the attention to an encoder's output of one layer on one rank.
 *
 *     P = 2 h q / t + 2 c w / t_kv
 *       + [qkv bias] (q / t + 2 w / t_kv)    values' alone where keys have none
 *       + [o bias] h
 *
 * c  cross_width   other symbols as for attention_params()
 *
 * Source: transformers@v5.23 modeling_bart.py (BartDecoderLayer.encoder_attn),
 *         modeling_whisper.py, modeling_trocr.py (kdim, vdim).
 * Tested: tests/unit/test_cross.c
 */
static int64_t cross_params(const p3d_model *model, p3d_shard shard)
{
    const int64_t d = model->head_dim;
    const int64_t q = p3d_ceil_div(model->n_heads * d, shard.tp);
    const int64_t w =
            p3d_ceil_div(model->n_kv_heads * d, spec_kv_ranks(model, shard.tp));
    int64_t P = 2 * model->hidden * q + 2 * model->cross_width * w;

    if (model->cross_width == 0)
        return 0;
    if (model->qkv_bias)
        P += q + (model->no_key_bias ? 1 : 2) * w;
    return P + (model->o_bias ? model->hidden : 0);
}

/**
 * Parameters of multi-head latent attention of one layer on one rank.
 *
 *     P = h r_q + r_q + r_q a (n + r) / t     latent query, its norm, up
 *         or h a (n + r) / t                  when r_q = 0: plain query
 *       + h (r_kv + r) + r_kv                 latent key/value, its norm
 *       + r_kv a (n + v) / t                  up
 *       + a v h / t                           output
 *       + [qkv bias] r_q + r_kv + r  + [o bias] h
 *
 * h  hidden        a  n_heads       r_q  q_lora_rank    r_kv  kv_lora_rank
 * n  qk_nope_dim   r  qk_rope_dim   v  v_head_dim       t  shard.tp
 *
 * Source: transformers modeling_deepseek_v3.py; arXiv:2412.19437 section 2.1;
 *         division by t: Megatron-LM@d98e8a64
 *         megatron/core/transformer/multi_latent_attention.py (down-projections
 *         are duplicated).
 * Tested: tests/unit/test_params.c
 */
static int64_t latent_attention_params(const p3d_model *model, p3d_shard shard)
{
    const int64_t h = model->hidden;
    const int64_t a = p3d_ceil_div(model->n_heads, shard.tp);
    const int64_t r_q = model->q_lora_rank;
    const int64_t r_kv = model->kv_lora_rank;
    const int64_t n = model->qk_nope_dim;
    const int64_t r = model->qk_rope_dim;
    const int64_t v = model->v_head_dim;
    int64_t P = r_q > 0 ? h * r_q + r_q + r_q * a * (n + r) : h * a * (n + r);

    P += h * (r_kv + r) + r_kv + r_kv * a * (n + v) + a * v * h;
    P += indexer_params(model);
    if (model->qkv_bias)
        P += r_q + r_kv + r;
    if (model->o_bias)
        P += h;
    return P + gate_params(model, shard);
}

/**
 * Widths of a mixer's tensors on one rank.
 *
 *     in      Mamba 2 d    Mamba-2 2 d + 2 K + H    delta 2 d + 2 K + 2 H
 *             KDA 2 K + d + H + [full rank] 2 d    lightning 4 d    conv 3 d
 *     taps    Mamba d      Mamba-2, delta, KDA  d + 2 K      conv d
 *
 * d = H v / t   K = key_heads N / t   H heads / t   N key_dim   v value_dim
 *
 * Source: as for mixer_params().
 * Tested: tests/unit/test_mixer.c
 */
spec_mixer spec_mixer_widths(const p3d_model *model, int tp)
{
    const p3d_mixer *const x = &model->mixer;
    const int64_t H = p3d_ceil_div(x->heads, tp);
    const int64_t d = H * x->value_dim;
    const int64_t K = p3d_ceil_div(x->key_heads, tp) * (int64_t)x->key_dim;
    spec_mixer w = {.heads = H, .out = d, .keys = K};

    switch (x->kind) {
    case P3D_MIXER_MAMBA:
        w.in = 2 * d;
        w.taps = d;
        break;
    case P3D_MIXER_MAMBA2:
        w.in = 2 * d + 2 * K + H;
        w.taps = d + 2 * K;
        break;
    case P3D_MIXER_DELTA:
        w.in = 2 * d + 2 * K + 2 * H;
        w.taps = d + 2 * K;
        break;
    case P3D_MIXER_KDA:
        w.in = 2 * K + d + H + (x->rank == 0 ? 2 * d : 0);
        w.taps = d + 2 * K;
        break;
    case P3D_MIXER_LIGHTNING: w.in = 4 * d; break;
    case P3D_MIXER_CONV:
        w.in = 3 * d;
        w.taps = d;
        break;
    case P3D_MIXER_NONE:
    case P3D_N_MIXER_KINDS: break;
    }
    return w;
}

/**
 * Parameters of a mixer of one layer on one rank.
 *
 *     P = h w  + [biases] (w + h)                    into it
 *       + c (taps + [bias] 1)                        its convolution
 *       + d/t h                                      out of it
 *       + Mamba    d/t (r + 2 N) + r d/t + d/t       step sizes, B and C
 *                  + d/t (N + 1) + [norms] (r + 2 N) A and D
 *       + Mamba-2  3 H/t + [norm] d/t                A, D, step sizes
 *       + delta    2 H/t + v                         A, step sizes, norm
 *       + KDA      [low rank] 2 (h r + r d/t) + d/t + H/t + v
 *       + lightning  d/t                             norm
 *
 * h hidden   d = H v   H heads   v value_dim   N key_dim   r rank   t shard.tp
 * w  widths of spec_mixer_widths(): into it   c  and of the convolution
 *
 * Source: transformers@v5 modeling_mamba.py, modeling_jamba.py,
 *         modeling_mamba2.py, modeling_bamba.py, modeling_qwen3_next.py,
 *         modeling_kimi_linear.py, modeling_minimax.py, modeling_lfm2.py;
 *         division by t: Megatron-LM@d98e8a64 megatron/core/ssm/mamba_mixer.py.
 * Tested: tests/unit/test_mixer.c
 */
static int64_t mixer_params(const p3d_model *model, p3d_shard shard)
{
    const p3d_mixer *const x = &model->mixer;
    const spec_mixer w = spec_mixer_widths(model, shard.tp);
    const int64_t h = model->hidden;
    const int64_t r = x->rank;
    const int64_t N = x->key_dim;
    const int64_t d = w.out;
    int64_t P = h * w.in + w.taps * (x->taps + (x->taps_bias ? 1 : 0)) + d * h;

    if (x->proj_bias)
        P += w.in + h;
    switch (x->kind) {
    case P3D_MIXER_MAMBA:
        return P + d * (r + 2 * N) + r * d + d + d * (N + 1) +
               (x->norm ? r + 2 * N : 0);
    case P3D_MIXER_MAMBA2: return P + 3 * w.heads + (x->norm ? d : 0);
    case P3D_MIXER_DELTA: return P + 2 * w.heads + x->value_dim;
    case P3D_MIXER_KDA:
        return P + 2 * (h * r + r * d) + d + w.heads + x->value_dim;
    case P3D_MIXER_LIGHTNING: return P + d;
    case P3D_MIXER_CONV:
    case P3D_MIXER_NONE:
    case P3D_N_MIXER_KINDS: break;
    }
    return P;
}

/**
 * Parameters of one dense MLP, or of one expert, on one rank.
 *
 *     P = (g + 1) h f / t  + [bias] (g f / t + h)
 *
 * h  width that it reads   f  width   t  ranks that share it
 * g  matrices into the width: 2 when gated, else 1
 *
 * Source: transformers modeling_llama.py (gated), modeling_gpt2.py, and
 *         modeling_gpt_oss.py (biases of experts).
 * Tested: tests/unit/test_params.c
 */
static int64_t mlp_params(const p3d_model *model, int64_t h, int64_t width,
        int64_t ranks, bool bias)
{
    const int64_t f = p3d_ceil_div(width, ranks);
    const int64_t g = model->gated_mlp ? 2 : 1;

    return (g + 1) * h * f + (bias ? g * f + h : 0);
}

/**
 * Parameters of the router of one layer, which is not divided.
 *
 *     P = h E + [router bias] E + [correction] E
 *
 * h  hidden   E  n_experts
 *
 * Source: transformers modeling_deepseek_v3.py, modeling_qwen2_moe.py,
 *         modeling_gpt_oss.py; Megatron-LM@d98e8a64
 *         megatron/core/transformer/moe/router.py.
 * Assumes: the correction is a parameter, as in the published checkpoints; in
 *         transformers it is a buffer.
 * Tested: tests/unit/test_params.c
 */
static int64_t router_params(const p3d_model *model)
{
    const int64_t E = model->n_experts;
    int64_t P = model->hidden * E;

    if (model->router_bias)
        P += E;
    if (model->router_correction)
        P += E;
    return P;
}

/* Parameters of the shared experts of one layer on one rank, and of their
 * gate. */
static int64_t shared_params(const p3d_model *model, p3d_shard shard)
{
    int64_t P = 0;

    if (model->shared_ffn > 0)
        P += mlp_params(model, model->hidden, model->shared_ffn, shard.tp,
                model->mlp_bias);
    if (model->shared_gate)
        P += model->hidden;
    return P;
}

int64_t spec_expert_width(const p3d_model *model)
{
    return model->expert_latent > 0 ? model->expert_latent : model->hidden;
}

/* Parameters of one expert on the ranks of expert tensor parallelism. */
static int64_t expert_params(const p3d_model *model, int etp)
{
    return mlp_params(model, spec_expert_width(model), model->expert_ffn, etp,
            model->expert_bias);
}

/**
 * Parameters of the matrices around experts that read another width than the
 * model's; they are on every rank.
 *
 *     P = 2 h l  + [MLP bias] (h + l)
 *
 * h  hidden   l  expert_latent
 *
 * Source: transformers@v5.23 modeling_nemotron_h.py (fc1_latent_proj,
 *         fc2_latent_proj); Megatron-LM@d98e8a64
 *         megatron/core/transformer/moe/moe_layer.py (moe_latent_size).
 * Tested: tests/unit/test_params.c
 */
static int64_t latent_params(const p3d_model *model)
{
    const int64_t h = model->hidden;
    const int64_t l = model->expert_latent;

    return l == 0 ? 0 : 2 * h * l + (model->mlp_bias ? h + l : 0);
}

/**
 * Parameters of a layer beside attention and MLP, on every rank.
 *
 *     P = 2 h u                    into its own embedding and back
 *       + 2 h r                    beside the attention
 *       + [S > 1] S (h + S + S^2)  router and coefficients of S streams
 *
 * h  hidden   u  layer_embedding   r  bypass_rank   S  side_streams + 1
 *
 * Source: transformers@v5.23 modeling_gemma4.py, modeling_gemma3n.py
 *         (Gemma3nTextLaurelBlock, Gemma3nTextAltUp).
 * Tested: tests/unit/test_mixer.c, tests/unit/test_streams.c
 */
static int64_t beside_params(const p3d_model *model)
{
    const int64_t h = model->hidden;
    const int64_t S = model->side_streams + 1;

    return 2 * h * (model->layer_embedding + (int64_t)model->bypass_rank) +
           (S > 1 ? S * (h + S + S * S) : 0);
}

/**
 * Parameters of some parts of one decoder layer on one rank.
 *
 *     dense   = (P_attention + P_cross and, or else, P_mixer) + N h n + c
 *               + [norm of experts] h n
 *               + (P_mlp(f, t) or P_router + P_mlp(f_s, t) + [shared gate] h
 *                  + P_latent)
 *               + P_beside
 *     experts = E / ep P_mlp(f_e, etp)             mixtures of experts only
 *
 * A layer of one part has only the first or only the second line's terms and
 * those of its norms.
 *
 * N  n_norms   h  hidden   n  norm_weights   c  layer_scales   f  ffn, or
 * sharing_ffn
 * f_s  shared_ffn
 * t  shard.tp
 * E  n_experts   f_e  expert_ffn
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/transformer/transformer_layer.py,
 *         megatron/core/transformer/moe/experts.py.
 * Tested: tests/unit/test_params.c
 */
p3d_params spec_layer_params(
        const p3d_model *whole, p3d_shard shard, int kind, unsigned parts)
{
    p3d_model room;
    const p3d_model *const model = spec_layer_model(whole, kind, &room);
    const spec_layer has = spec_layer_of(kind);
    p3d_params P = {0};

    if ((parts & P3D_PART_ATTENTION) != 0 && spec_layer_mixes(model, kind))
        P.dense = mixer_params(model, shard);
    if ((parts & P3D_PART_ATTENTION) != 0 && has.attention)
        P.dense += p3d_model_is_mla(model)
                           ? latent_attention_params(model, shard)
                           : attention_params(model, shard, has.shares_kv) +
                                     cross_params(model, shard);
    if ((parts & P3D_PART_NORMS) != 0)
        P.dense +=
                (int64_t)model->n_norms * model->hidden * model->norm_weights +
                (has.experts && model->expert_norm
                                ? (int64_t)model->hidden * model->norm_weights
                                : 0) +
                model->layer_scales;
    if ((parts & P3D_PART_MLP) != 0 && has.experts)
        P.dense += shared_params(model, shard) + latent_params(model);
    else if ((parts & P3D_PART_MLP) != 0 && has.dense && model->ffn > 0)
        P.dense += mlp_params(
                model, model->hidden, model->ffn, shard.tp, model->mlp_bias);
    if ((parts & P3D_PART_MLP) != 0)
        P.dense += beside_params(model);
    if ((parts & P3D_PART_ROUTER) != 0 && has.experts)
        P.dense += router_params(model);
    if ((parts & P3D_PART_EXPERTS) != 0 && has.experts)
        P.experts = p3d_ceil_div(model->n_experts, shard.ep) *
                    expert_params(model, shard.etp);
    return P;
}
