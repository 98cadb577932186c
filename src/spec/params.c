/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - how many parameters a model has, and how many a rank holds. */
#include "spec/params.h"

#include "base/util.h"
#include "spec/given.h"

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
    return P + gate_params(model, shard);
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
 * Parameters of the indexer of sparse attention, on every rank.
 *
 *     P = r_q a d + h d + 2 d + h a
 *
 * h  hidden   r_q  q_lora_rank   a  index_heads   d  index_dim
 *
 * Source: arXiv:2512.02556 section 2.1; transformers@v5
 *         modeling_deepseek_v32.py.
 * Tested: tests/unit/test_mixer.c
 */
static int64_t indexer_params(const p3d_model *model)
{
    const int64_t h = model->hidden;
    const int64_t a = model->index_heads;
    const int64_t d = model->index_dim;

    return a == 0 ? 0 : model->q_lora_rank * a * d + h * d + 2 * d + h * a;
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
 * Parameters of some parts of one decoder layer on one rank.
 *
 *     dense   = (P_attention + P_cross and, or else, P_mixer) + N h n + c
 *               + [norm of experts] h n
 *               + (P_mlp(f, t) or P_router + P_mlp(f_s, t) + [shared gate] h
 *                  + P_latent)
 *               + 2 h u                        into its own embedding and back
 *     experts = E / ep P_mlp(f_e, etp)             mixtures of experts only
 *
 * A layer of one part has only the first or only the second line's terms and
 * those of its norms.
 *
 * N  n_norms   h  hidden   n  norm_weights   c  layer_scales   f  ffn, or
 * sharing_ffn   u  layer_embedding
 * f_s  shared_ffn
 * t  shard.tp
 * E  n_experts   f_e  expert_ffn
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/transformer/transformer_layer.py,
 *         megatron/core/transformer/moe/experts.py.
 * Tested: tests/unit/test_params.c
 */
static p3d_params layer_params(
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
        P.dense += 2 * (int64_t)model->hidden * model->layer_embedding;
    if ((parts & P3D_PART_ROUTER) != 0 && has.experts)
        P.dense += router_params(model);
    if ((parts & P3D_PART_EXPERTS) != 0 && has.experts)
        P.experts = p3d_ceil_div(model->n_experts, shard.ep) *
                    expert_params(model, shard.etp);
    return P;
}

/* Width of the embedding: OPT-350m's is narrower than the model. */
static int64_t embedding_width(const p3d_model *model)
{
    return model->embedding_width > 0 ? model->embedding_width : model->hidden;
}

/* The matrix between a narrower embedding and the model, if there is one. */
static int64_t embedding_projection(const p3d_model *model)
{
    const int64_t width = embedding_width(model);

    if (model->narrow_tables)
        return (width + 1) * model->hidden;
    return width == model->hidden ? 0 : width * model->hidden;
}

int64_t spec_head_width(const p3d_model *model)
{
    return model->head_width > 0 ? model->head_width : model->hidden;
}

/* Those of the table of embeddings for each layer, and of what is added. */
static int64_t layer_embeddings(const p3d_model *model, p3d_shard shard)
{
    const int64_t width = (int64_t)model->n_layers * model->layer_embedding;

    return (p3d_ceil_div(model->layer_vocab, shard.tp) + model->hidden) *
                   width +
           (int64_t)model->layer_embedding * model->norm_weights;
}

/**
 * Parameters of the embedding on one rank.
 *
 *     P = V / t e + (X + Y) h + [e != h] e h + [embedding norm] h n
 *         or, with tables as narrow, (V / t + X + Y + n) e + (e + 1) h
 *       + V_u / t L u + h L u + [u > 0] u n        embeddings for each layer:
 *                                                  look-up, projection, norm
 *
 * V  padded vocabulary   e  embedding width, mostly h   X  learned_positions
 * h  hidden   Y  extra_embeddings   n  norm_weights   t  shard.tp
 * u  layer_embedding   V_u  layer_vocab   L  n_layers
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/models/common/embeddings/
 *         language_model_embedding.py (positions are not divided);
 *         transformers modeling_opt.py (project_in), modeling_bloom.py,
 *         modeling_gemma4.py (embed_tokens_per_layer).
 * Tested: tests/unit/test_params.c, tests/unit/test_mixer.c
 */
static int64_t embedding_params(
        const p3d_model *model, int64_t vocab, p3d_shard shard)
{
    const int64_t h =
            model->narrow_tables ? embedding_width(model) : model->hidden;
    int64_t P = p3d_ceil_div(vocab, shard.tp) * embedding_width(model);

    P += (model->learned_positions + (int64_t)model->extra_embeddings) * h +
         embedding_projection(model);
    if (model->embedding_norm)
        P += h * model->norm_weights;
    return P + layer_embeddings(model, shard);
}

/**
 * Parameters of the head on one rank.
 *
 *     P = [final norm] h n + [e != h] h e
 *       + [not tied] V / t e + [head bias] V / t
 *       + [transform] w (h + [bias] 1 + n)       not tied, V / t w
 *       + [pooler] h (h + 1)
 *
 * w  head_width   other symbols as for the embedding.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/models/gpt/gpt_model.py;
 *         transformers modeling_opt.py (project_out), modeling_gptj.py (bias),
 *         modeling_bert.py (BertPredictionHeadTransform, BertPooler),
 *         modeling_electra.py, modeling_rembert.py.
 * Tested: tests/unit/test_params.c
 */
static int64_t head_params(
        const p3d_model *model, int64_t vocab, p3d_shard shard, unsigned parts)
{
    const int64_t V = p3d_ceil_div(vocab, shard.tp);
    int64_t P = 0;

    if (model->final_norm && (parts & P3D_PART_NORMS) != 0)
        P += (int64_t)model->hidden * model->norm_weights;
    if ((parts & P3D_PART_HEAD) == 0)
        return P;
    if (!model->narrow_tables)
        P += embedding_projection(model);
    if (model->head_transform)
        P += spec_head_width(model) * (model->hidden + model->norm_weights +
                                              (model->head_plain ? 0 : 1));
    if (model->has_pooler)
        P += (int64_t)model->hidden * (model->hidden + 1);
    if (!model->tied_embeddings)
        P += V * (model->head_width > 0 ? model->head_width
                                        : embedding_width(model));
    if (model->head_bias)
        P += V;
    return P;
}

/**
 * Vocabulary after padding.
 *
 *     V = ceil(V_0 / (m t)) m t
 *
 * V_0  model.vocab   m  framework.vocab_multiple, 0 = not padded   t  tp >= 1
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/tokenizers/utils/
 *         build_tokenizer.py:133 (make_vocab_size_divisible_by * TP).
 * Tested: tests/unit/test_params.c
 */
int64_t p3d_padded_vocab(
        const p3d_model *model, const p3d_framework *framework, int tp)
{
    if (model == NULL || model->vocab < 0 || tp < 1)
        return 0;
    if (framework == NULL || framework->vocab_multiple <= 0)
        return model->vocab;
    return p3d_round_up(model->vocab, (int64_t)framework->vocab_multiple * tp);
}

/* The layers of a tower are those of a decoder of its sizes. */
void spec_tower_layer(const p3d_tower *t, p3d_model *out)
{
    *out = (p3d_model){.hidden = t->hidden,
            .n_layers = 1,
            .n_heads = t->n_heads,
            .n_kv_heads = t->n_heads,
            .head_dim = t->hidden / t->n_heads,
            .ffn = t->ffn,
            .gated_mlp = t->gated_mlp,
            .vocab = 1,
            .norm_weights = t->norm_weights,
            .n_norms = 2,
            .qk_norm = t->qk_norm ? P3D_QK_NORM_FULL : P3D_QK_NORM_NONE,
            .qkv_bias = t->qkv_bias,
            .o_bias = t->o_bias,
            .mlp_bias = t->mlp_bias,
            .layer_scales = t->layer_scales};
}

int p3d_tower_blocks(const p3d_model *model, int block)
{
    if (!spec_model_given(model) || !p3d_has_tower(model))
        return 0;
    switch (block) {
    case P3D_BLOCK_TOWER:
        return model->tower.n_layers - model->tower.n_windowed;
    case P3D_BLOCK_TOWER_WINDOWED: return model->tower.n_windowed;
    case P3D_BLOCK_TOWER_ENDS: return 1;
    default: return 0;
    }
}

static int64_t linear_params(const p3d_linear *l, int n)
{
    int64_t P = 0;

    for (int i = 0; i < n; i++)
        P += (int64_t)l[i].in * l[i].out + (l[i].bias ? l[i].out : 0);
    return P;
}

static int64_t projector_params(const p3d_projector *p)
{
    return p->norm_params + linear_params(p->linear, p->n_linears);
}

/**
 * Parameters of the ends of a tower.
 *
 *     vision     sum (in out + [bias] out) of the matrices that make patches
 *                + (c + X + N n) h
 *     projector  (1 + deepstack) (norm + sum (in out + [bias] out)) + row end
 *
 * h hidden   c class tokens   X rows of the table of positions   N norms
 * outside of the layers, of n weights a channel; those of inner outputs have
 * norms of their own width.
 *
 * Source: transformers@v5.0 modeling_qwen2_5_vl.py (Qwen2_5_VLPatchMerger),
 * modeling_clip.py (CLIPVisionEmbeddings), modeling_llava.py
 * (LlavaMultiModalProjector), modeling_gemma3.py, modeling_mistral3.py,
 * modeling_internvl.py, modeling_idefics3.py, modeling_qwen2_audio.py.
 * Tested: tests/unit/test_tower.c
 */
static int64_t ends_params(const p3d_model *model, unsigned parts)
{
    const p3d_tower *const t = &model->tower;
    int64_t P = 0;

    if ((parts & p3d_tower_part(model)) != 0)
        P += linear_params(t->stem, t->n_stem) +
             (int64_t)t->hidden *
                     (t->class_tokens + t->learned_positions +
                             (int64_t)t->n_outer_norms * t->norm_weights);
    if ((parts & P3D_PART_PROJECTOR) != 0)
        P += t->row_end + projector_params(&t->projector) +
             (t->n_deepstack > 0
                             ? t->n_deepstack * projector_params(&t->deepstack)
                             : 0);
    return P;
}

/**
 * Parameters of a block of a tower, on each rank of the first stage.
 *
 *     layer  those of a decoder's layer of its sizes  - [keys without bias] h
 *
 * Source: transformers@v5.0 modeling_whisper.py (k_proj without a bias), and as
 * for the ends.
 * Tested: tests/unit/test_tower.c
 */
int64_t spec_tower_params(const p3d_model *model, int block, unsigned parts)
{
    p3d_model layer;

    if (p3d_tower_blocks(model, block) == 0)
        return 0;
    if (block == P3D_BLOCK_TOWER_ENDS)
        return ends_params(model, parts);
    if ((parts & p3d_tower_part(model)) == 0)
        return 0;
    spec_tower_layer(&model->tower, &layer);
    return p3d_block_params(&layer, NULL, p3d_shard_whole(), 0).dense -
           (model->tower.no_key_bias ? model->tower.hidden : 0);
}

int64_t p3d_tower_params(const p3d_model *model)
{
    int64_t P = 0;

    for (int i = P3D_N_BLOCKS; i < P3D_N_ALL_BLOCKS; i++)
        P += p3d_tower_blocks(model, i) *
             spec_tower_params(model, i, P3D_ALL_PARTS);
    return P;
}

/** Parameters of some parts of a block. */
static p3d_params part_params(const p3d_model *model,
        const p3d_framework *framework, p3d_shard shard, int block,
        unsigned parts)
{
    const int64_t vocab = p3d_padded_vocab(model, framework, shard.tp);

    if (block >= P3D_N_BLOCKS)
        return (p3d_params){.dense = spec_tower_params(model, block, parts)};
    if (block == P3D_BLOCK_EMBEDDING)
        return (p3d_params){
                .dense = (parts & P3D_PART_EMBEDDINGS) != 0
                                 ? embedding_params(model, vocab, shard)
                                 : 0};
    if (block == P3D_BLOCK_HEAD)
        return (p3d_params){.dense = head_params(model, vocab, shard, parts)};
    return layer_params(model, shard, block, parts);
}

p3d_params p3d_block_params(const p3d_model *model,
        const p3d_framework *framework, p3d_shard shard, int block)
{
    if (!spec_model_given(model) || !spec_shard_given(&shard) || block < 0 ||
            block >= P3D_N_ALL_BLOCKS)
        return (p3d_params){.dense = 0};
    return part_params(model, framework, shard, block, P3D_ALL_PARTS);
}

p3d_params spec_trained_params(
        const p3d_model *model, const p3d_job *job, p3d_shard shard, int block)
{
    const unsigned frozen = p3d_job_frozen(job, model);

    return part_params(
            model, job->framework, shard, block, P3D_ALL_PARTS & ~frozen);
}

/* Layers of the model that are a block: all of one kind, or one end. */
static int count_block(const p3d_model *model, int block)
{
    if (block >= P3D_N_BLOCKS)
        return p3d_tower_blocks(model, block);
    return block < P3D_N_LAYER_KINDS ? p3d_model_count_layers(model, block) : 1;
}

/**
 * Unique parameters of the whole model.
 *
 *     P = P_embedding + sum over layers P_layer + P_head + P_tower
 *
 * Tied matrices count once, multi-token prediction blocks do not count: so do
 * the published numbers.
 *
 * Source: the published counts in tests/unit/test_params.c.
 * Tested: tests/unit/test_params.c
 */
int64_t p3d_total_params(const p3d_model *model)
{
    if (!spec_model_given(model))
        return 0;

    int64_t P = 0;

    for (int block = 0; block < P3D_N_ALL_BLOCKS; block++) {
        const int n = count_block(model, block);

        if (n > 0) {
            const p3d_params one =
                    p3d_block_params(model, NULL, p3d_shard_whole(), block);

            P += n * (one.dense + one.experts);
        }
    }
    return P;
}

/**
 * Parameters that one token passes through: all but those of the experts that
 * it does not visit. The embedding counts whole, and once.
 *
 *     P_active = P - L_moe (E - K) P_expert
 *
 * L_moe  layers with experts   E  n_experts   K  top_k
 *
 * Source: arXiv:2401.04088 section 2.1 (active parameters of Mixtral).
 * Tested: tests/unit/test_params.c
 */
int64_t p3d_active_params(const p3d_model *model)
{
    if (!spec_model_given(model))
        return 0;

    const int64_t idle = model->n_experts - model->top_k;
    const int64_t moe_layers = p3d_model_count_with(model, P3D_LAYER_MOE);

    if (moe_layers == 0)
        return p3d_total_params(model);
    return p3d_total_params(model) -
           moe_layers * idle * expert_params(model, 1);
}
