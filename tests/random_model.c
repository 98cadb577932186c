/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_model.c - see random_model.h. */
#include "random_model.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/** Layers with experts and with windows, anywhere. */
static void make_layers(random_source *r, p3d_model *m)
{
    const bool windows = one_in(r, 6);
    const bool mixed = one_in(r, 2);

    m->window = windows ? 1024 : 0;
    for (int i = 0; i < m->n_layers; i++) {
        const bool moe = m->n_experts > 0 && !(mixed && one_in(r, 2));
        const bool window = windows && one_in(r, 2);

        m->layer_kind[i] = (uint8_t)((moe ? P3D_LAYER_MOE : 0) |
                                     (window ? P3D_LAYER_WINDOWED : 0));
    }
}

static void make_experts(random_source *r, p3d_model *m)
{
    static const int numbers[] = {2, 4, 6, 8};

    m->n_experts = PICK(r, numbers);
    m->top_k = 1 + random_below(r, 2);
    m->expert_ffn = m->hidden / (1 + random_below(r, 3)) / 8 * 8;
    m->shared_ffn = one_in(r, 3) ? m->expert_ffn : 0;
}

static void make_latent(p3d_model *m)
{
    m->kv_lora_rank = 256;
    m->qk_nope_dim = 64;
    m->qk_rope_dim = 32;
    m->v_head_dim = 64;
    m->head_dim = m->qk_nope_dim + m->qk_rope_dim;
    m->n_kv_heads = m->n_heads;
}

/* Some layers without attention, without a draw that others would have made. */
static void make_mixer(random_source r, p3d_model *m)
{
    if (!one_in(&r, 5))
        return;
    m->mixer = (p3d_mixer){
            .kind = one_in(&r, 2) ? P3D_MIXER_DELTA : P3D_MIXER_MAMBA2,
            .heads = m->hidden / 64,
            .key_heads = m->hidden / 128,
            .key_dim = 64,
            .value_dim = 64,
            .taps = 4,
            .chunk = 64,
            .norm = true};
    for (int i = 0; i < m->n_layers; i++)
        if (one_in(&r, 2))
            m->layer_kind[i] = (uint8_t)((m->layer_kind[i] & P3D_LAYER_MOE) |
                                         P3D_LAYER_MIXER);
}

/* Layers of one part each in some, as in Nemotron-H; also of a copy. */
static void make_parts(random_source r, p3d_model *m)
{
    (void)random_below(&r, 7);
    if (!one_in(&r, 8) || m->parallel_block)
        return;
    m->n_norms = 1;
    for (int i = 0; i < m->n_layers; i++) {
        const int kind = m->layer_kind[i];

        m->layer_kind[i] =
                (uint8_t)(one_in(&r, 2)
                                  ? P3D_LAYER_NO_MIXING | (kind & P3D_LAYER_MOE)
                                  : P3D_LAYER_NO_MLP |
                                            (kind & P3D_LAYER_NO_MIXING));
    }
}

/* True where a layer before the first that shares makes keys and values as
 * layer i needs them. */
static bool has_maker(const p3d_model *m, int first, int i)
{
    const int mixing = m->layer_kind[i] & P3D_LAYER_NO_MIXING;

    for (int k = 0; k < first; k++)
        if (m->layer_kind[k] == m->layer_kind[i])
            return (mixing & P3D_LAYER_MIXER) == 0;
    return false;
}

/* Last layers that use keys and values of others in some, with an MLP of their
 * own width, or an encoder that all layers attend to; also of a copy. */
static void make_taken(random_source r, p3d_model *m)
{
    const int first = 1 + random_below(&r, 11) % m->n_layers;
    uint8_t kind[P3D_MAX_LAYERS];

    if (one_in(&r, 8) && !m->parallel_block && m->kv_lora_rank == 0) {
        m->cross_width = m->hidden / 2;
        m->cross_tokens = one_in(&r, 2) ? 256 : 0;
    }
    if (!one_in(&r, 4) || m->kv_lora_rank > 0)
        return;
    memcpy(kind, m->layer_kind, sizeof(kind));
    for (int i = first; i < m->n_layers; i++)
        if (has_maker(m, first, i))
            kind[i] |= P3D_LAYER_SHARES_KV;
    memcpy(m->layer_kind, kind, sizeof(kind));
    m->sharing_ffn = one_in(&r, 2) ? 2 * m->ffn : 0;
}

/** Members that are true in every so many models, whatever the rest is. */
static const size_t plain_flags[] = {offsetof(p3d_model, embedding_norm),
        offsetof(p3d_model, qkv_bias), offsetof(p3d_model, no_key_bias),
        offsetof(p3d_model, o_bias), offsetof(p3d_model, mlp_bias),
        offsetof(p3d_model, head_bias), offsetof(p3d_model, attention_sinks),
        offsetof(p3d_model, sees_all), offsetof(p3d_model, head_transform),
        offsetof(p3d_model, head_plain), offsetof(p3d_model, has_pooler),
        offsetof(p3d_model, own_code)};

/** The same of models with experts. */
static const size_t expert_flags[] = {offsetof(p3d_model, expert_norm),
        offsetof(p3d_model, shared_gate), offsetof(p3d_model, router_bias),
        offsetof(p3d_model, router_correction),
        offsetof(p3d_model, expert_bias), offsetof(p3d_model, clamped_experts)};

static void draw_flags(
        random_source *r, const size_t *offsets, size_t n, p3d_model *m)
{
    for (size_t i = 0; i < n; i++)
        if (one_in(r, 4))
            *(bool *)((char *)m + offsets[i]) = true;
}

/* Norms, biases and gates in a third of them; also of a copy. */
static void make_trimmings(random_source r, p3d_model *m)
{
    (void)random_below(&r, 17);
    if (!one_in(&r, 3))
        return;
    draw_flags(&r, plain_flags, P3D_COUNT_OF(plain_flags), m);
    if (m->n_experts > 0)
        draw_flags(&r, expert_flags, P3D_COUNT_OF(expert_flags), m);
    m->shared_gate = m->shared_gate && m->shared_ffn > 0;
    m->attention_gate = (p3d_attention_gate)random_below(&r, 3);
    m->layer_scales = one_in(&r, 4) ? 2 * m->hidden : 0;
    if (m->kv_lora_rank == 0)
        m->qk_norm = (p3d_qk_norm)random_below(&r, 4);
    if (m->n_norms == 2)
        m->n_norms = 1 + random_below(&r, 4);
    m->parallel_block = m->n_norms == 1 && m->cross_width == 0 &&
                        p3d_model_count_with(m, P3D_LAYER_NO_MLP) == 0 &&
                        p3d_model_count_with(m, P3D_LAYER_NO_MIXING) == 0;
    if (one_in(&r, 4))
        m->learned_positions = m->max_positions = 1 << 16;
}

/* Embeddings and heads that are not as wide as the layers, embeddings of each
 * layer, further streams; also of a copy. */
static void make_streams(random_source r, p3d_model *m)
{
    (void)random_below(&r, 19);
    if (one_in(&r, 8)) {
        m->embedding_width = m->hidden / 2;
        m->narrow_tables = one_in(&r, 2);
        m->extra_embeddings = random_below(&r, 3);
        m->head_width = m->narrow_tables ? m->embedding_width : 0;
    }
    if (one_in(&r, 12)) {
        m->layer_embedding = 128;
        m->layer_vocab = m->vocab;
    }
    if (one_in(&r, 12) && m->kv_lora_rank == 0) {
        m->side_streams = 1 + random_below(&r, 3);
        m->bypass_rank = one_in(&r, 2) ? 64 : 0;
    }
    m->n_mtp_layers = one_in(&r, 6);
}

/* Another attention in layers without a window, an indexer of a latent one,
 * experts of groups or of their own width; also of a copy. */
static void make_kinds(random_source r, p3d_model *m)
{
    (void)random_below(&r, 23);
    if (m->window > 0 && m->kv_lora_rank == 0 && one_in(&r, 2)) {
        m->full_head_dim = 2 * m->head_dim;
        m->full_kv_heads = one_in(&r, 2) ? m->n_kv_heads : 1;
        m->full_shares = one_in(&r, 3);
    }
    if (m->kv_lora_rank > 0 && one_in(&r, 2))
        m->q_lora_rank = 384;
    if (m->kv_lora_rank > 0 && one_in(&r, 2)) {
        m->index_heads = 8;
        m->index_dim = 64;
        m->index_topk = 512;
    }
    if (m->n_experts > 2 && one_in(&r, 3)) {
        m->expert_groups = 2;
        m->routed_groups = 1;
    }
    if (m->n_experts > 0 && one_in(&r, 4))
        m->expert_latent = m->hidden / 2;
}

/* Any mixer in place of the one that is there, or one beside the attention;
 * also of a copy. */
static void make_any_mixer(random_source r, p3d_model *m)
{
    p3d_mixer *const mixer = &m->mixer;
    const bool beside = one_in(&r, 16) && mixer->kind == P3D_MIXER_NONE &&
                        p3d_model_count_with(m, P3D_LAYER_NO_MLP) == 0 &&
                        p3d_model_count_with(m, P3D_LAYER_NO_MIXING) == 0;

    if (!beside && (mixer->kind == P3D_MIXER_NONE || one_in(&r, 2)))
        return;
    mixer->kind = (p3d_mixer_kind)(1 + random_below(&r, P3D_N_MIXER_KINDS - 1));
    mixer->heads = m->hidden / 64;
    mixer->key_heads = one_in(&r, 2) ? mixer->heads : mixer->heads / 2;
    mixer->key_dim = mixer->value_dim = 64;
    mixer->taps = 4;
    mixer->rank = one_in(&r, 2) ? 64 : 0;
    mixer->chunk = 64;
    mixer->proj_bias = one_in(&r, 3);
    mixer->taps_bias = one_in(&r, 3);
    mixer->norm = one_in(&r, 2);
    if (mixer->kind == P3D_MIXER_MAMBA)
        mixer->key_heads = 1;
    if (mixer->kind == P3D_MIXER_MAMBA)
        mixer->rank = 64;
    m->mixer_beside = beside;
}

void random_model_of(random_source *r, p3d_model *m)
{
    static const int widths[] = {512, 1024, 1536, 2048};
    static const int vocabularies[] = {512, 512, 8000, 32000, 50257, 128256};
    static const int heads_per_group[] = {1, 1, 2, 4};

    memset(m, 0, sizeof(*m));
    snprintf(m->name, sizeof(m->name), "random");
    m->hidden = PICK(r, widths);
    m->n_layers = 1 + random_below(r, 8);
    m->head_dim = one_in(r, 2) ? 64 : 128;
    m->n_heads = m->hidden / m->head_dim;
    m->n_kv_heads = m->n_heads / PICK(r, heads_per_group);
    m->ffn = m->hidden * (2 + random_below(r, 3));
    m->gated_mlp = !one_in(r, 3);
    m->vocab = PICK(r, vocabularies);
    m->max_positions = 1 << 20;
    m->norm_weights = 1 + random_below(r, 2);
    m->n_norms = 2;
    m->final_norm = true;
    m->tied_embeddings = one_in(r, 3);
    if (m->n_kv_heads < 1 || m->n_heads % m->n_kv_heads != 0)
        m->n_kv_heads = m->n_heads;
    if (one_in(r, 3))
        make_experts(r, m);
    if (one_in(r, 6))
        make_latent(m);
    make_layers(r, m);
    make_mixer(*r, m);
    make_parts(*r, m);
    make_taken(*r, m);
    make_trimmings(*r, m);
    make_streams(*r, m);
    make_kinds(*r, m);
    make_any_mixer(*r, m);
}
