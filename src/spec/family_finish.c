/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_finish.c - what the table of families cannot say about some of them:
 * how switches of a config.json change the layers; and which families are known
 * and not planned, for the part of theirs that plan3d does not have.
 *
 * Source: the classes that src/spec/family.c names; transformers@v5.23
 * src/transformers/models, modeling_<family>.py. */
#include "spec/family.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "spec/sizes.h"

/* Positions start at row 2; the output of the 350m shape, with norms after
 * the blocks, is not normalized again; its embedding is narrower. */
bool spec_finish_opt(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    if (model->embedding_width == model->hidden)
        model->embedding_width = 0;
    if (draft->remove_final_norm)
        model->final_norm = false;
    if (!draft->norm_affine)
        model->norm_weights = 0;
    return true;
}

/* Channels in heads of 64, as other code has them, where they are so many;
 * Mamba itself has none. */
static void deal_channels(int channels, p3d_mixer *mixer)
{
    mixer->value_dim = channels % 64 == 0 ? 64 : channels;
    mixer->heads = channels / mixer->value_dim;
}

/* Source: transformers@v5 modeling_mamba.py, configuration_mamba.py (rank). */
static void settle_mamba(spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    deal_channels(draft->expand * model->hidden, &model->mixer);
    model->mixer.key_heads = 1;
    if (model->mixer.rank == 0)
        model->mixer.rank = (model->hidden + 15) / 16;
}

bool spec_finish_mamba(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    settle_mamba(draft);
    model->ffn = 0;
    model->n_heads = model->n_kv_heads = model->mixer.heads;
    model->head_dim = model->mixer.value_dim;
    return true;
}

bool spec_finish_jamba(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    settle_mamba(draft);
    return true;
}

bool spec_finish_mamba2(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    model->ffn = 0;
    model->n_heads = model->n_kv_heads = model->mixer.heads;
    model->head_dim = model->mixer.value_dim;
    return true;
}

bool spec_finish_full_kda(const spec_reader *reader, spec_draft *draft)
{
    p3d_mixer *const mixer = &draft->model.mixer;

    (void)reader;
    mixer->key_heads = mixer->heads;
    mixer->key_dim = mixer->value_dim;
    return true;
}

spec_reader spec_reader_inside(const spec_reader *reader, const char *key)
{
    spec_reader inner = *reader;
    const size_t used = strlen(reader->pointer);

    inner.object = json_get(reader->object, key);
    snprintf(inner.pointer + used, sizeof(inner.pointer) - used, "/%s", key);
    return inner;
}

/* Sizes of the object that published files of Kimi Linear have. Source:
 * transformers@v5.23 configuration_kimi_linear.py (__post_init__). */
/* clang-format off */
static const json_field kda_fields[] = {
    {"head_dim", JSON_INT, false,
     offsetof(p3d_mixer, value_dim), 1, P3D_MAX_HEAD_DIM, "size of a head"},
    {"num_heads", JSON_INT, false,
     offsetof(p3d_mixer, heads), 1, P3D_MAX_HEADS, "number of heads"},
    {"short_conv_kernel_size", JSON_INT, false,
     offsetof(p3d_mixer, taps), 1, 1024, "taps of the convolution"},
};
/* clang-format on */

bool spec_finish_kda(const spec_reader *reader, spec_draft *draft)
{
    const spec_reader inner = spec_reader_inside(reader, "linear_attn_config");

    if (json_is_object(inner.object) &&
            !json_read_known_fields(
                    (json_place){inner.doc, inner.object, inner.pointer},
                    JSON_FIELDS(kda_fields), &draft->model.mixer, reader->err))
        return false;
    draft->model.mixer.rank = draft->model.mixer.value_dim;
    return spec_finish_full_kda(reader, draft);
}

bool spec_finish_lightning(const spec_reader *reader, spec_draft *draft)
{
    p3d_mixer *const mixer = &draft->model.mixer;

    (void)reader;
    mixer->heads = mixer->key_heads = draft->model.n_heads;
    mixer->key_dim = mixer->value_dim = draft->model.head_dim;
    return true;
}

/* Source: transformers@v5 modeling_lfm2.py (Lfm2MLP, Lfm2ShortConv). */
bool spec_finish_conv(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;
    const int multiple = draft->ffn_multiple;

    (void)reader;
    if (draft->adjusts_ffn) {
        model->ffn = 2 * model->ffn / 3;
        if (draft->ffn_factor > 0)
            model->ffn = (int)(draft->ffn_factor * model->ffn);
        model->ffn = (model->ffn + multiple - 1) / multiple * multiple;
    }
    deal_channels(model->hidden, &model->mixer);
    model->mixer.key_heads = model->mixer.heads;
    model->mixer.proj_bias = model->mixer.taps_bias;
    if (draft->has_gate)
        model->attention_gate = P3D_GATE_HEAD;
    return spec_finish_post_norm(reader, draft);
}

/* Items of a list that are a word; of any where that is NULL. */
static int count_items(const json_value *list, const char *word)
{
    int n = 0;

    for (const json_value *item = json_first(list); item != NULL;
            item = json_next(item))
        n += word == NULL || strcmp(json_string(item), word) == 0;
    return n;
}

/* As many layers as parts; a model without dense layers, or without experts,
 * has no width of theirs. Source: transformers@v5.24 modeling_nemotron_h.py. */
bool spec_finish_blocks(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;
    const json_value *const list =
            json_get(reader->object, "layers_block_type");
    const char *const letters =
            json_string(json_get(reader->object, "hybrid_override_pattern"));
    const size_t n = json_is_array(list) ? (size_t)count_items(list, NULL)
                                         : strlen(letters);

    if (n < 1 || n > P3D_MAX_LAYERS)
        return spec_fail_at(reader, "",
                "'layers_block_type' is missing, so that the parts of the "
                "layers are not known; write one word for each layer");
    model->n_layers = (int)n;
    if (count_items(list, "mlp") == 0 && strchr(letters, '-') == NULL)
        model->ffn = 0;
    if (count_items(list, "moe") == 0 && strchr(letters, 'E') == NULL)
        model->n_experts = model->expert_latent = 0;
    return true;
}

/* Seven norms: four, and one each behind the layer's embedding, behind what
 * goes beside the attention and before the router of the streams. The first
 * stream is scaled. Activations are planned as if none were left out. Source:
 * transformers@v5.23 modeling_gemma3n.py. */
bool spec_finish_gemma3n(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    model->side_streams = draft->n_streams - 1;
    model->layer_scales = model->hidden;
    if (model->layer_embedding == 0) {
        model->layer_vocab = 0;
        model->n_norms--;
    }
    return true;
}

/* The MLP stands beside the experts, as a shared one; three more norms, a scale
 * of the router's input, one of each expert. An embedding for each layer has a
 * norm behind it. Heads of all layers are as those
 * of the windowed ones where the keys are not the values. Source:
 * transformers@v5.24 modeling_gemma4.py, configuration_gemma4.py. */
bool spec_finish_gemma4(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    if (model->layer_embedding > 0)
        model->n_norms++;
    else
        model->layer_vocab = 0;
    if (draft->doubles_ffn && draft->n_sharing > 0)
        model->sharing_ffn = 2 * model->ffn;
    if (model->full_kv_heads == 0 || !model->full_shares)
        model->full_kv_heads = model->n_kv_heads;
    if (!draft->has_experts)
        model->n_experts = 0;
    if (model->n_experts == 0)
        return true;
    model->shared_ffn = model->ffn;
    model->ffn = 0;
    model->n_norms += 3;
    model->layer_scales = model->hidden;
    model->router_bias = true;
    draft->first_dense = 0;
    return true;
}

/* A scalar of each head beside a gate of each channel. Source:
 * transformers@v5.23 modeling_beam.py (gate_bias). */
bool spec_finish_head_scales(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    draft->model.layer_scales = draft->model.n_heads;
    return true;
}

/* Windowed layers with another number of heads are another part. Source:
 * transformers@v5.23 configuration_step3p7.py. */
bool spec_finish_step(const spec_reader *reader, spec_draft *draft)
{
    static const char key[] = "num_sliding_attention_heads";
    double n = draft->model.n_heads;

    (void)json_number(json_get(reader->object, key), &n);
    return n == draft->model.n_heads ||
           spec_fail_at(reader, key,
                   "layers with different numbers of heads are not planned; "
                   "write %d for each",
                   draft->model.n_heads);
}

/* A gate a head, or one a channel; layers that differ in their heads are
 * another part. Source: transformers@v5 modeling_laguna.py. */
bool spec_finish_head_gate(const spec_reader *reader, spec_draft *draft)
{
    static const char key[] = "num_attention_heads_per_layer";
    p3d_model *const model = &draft->model;

    model->attention_gate = draft->has_gate ? P3D_GATE_HEAD : P3D_GATE_CHANNEL;
    for (const json_value *item = json_first(json_get(reader->object, key));
            item != NULL; item = json_next(item)) {
        double n;

        if (!json_number(item, &n) || n != model->n_heads)
            return spec_fail_at(reader, key,
                    "layers with different numbers of heads are not planned; "
                    "write %d for each",
                    model->n_heads);
    }
    return true;
}

/* An indexer that layers share is another part. */
bool spec_finish_indexer(const spec_reader *reader, spec_draft *draft)
{
    const json_value *const types = json_get(reader->object, "indexer_types");

    (void)draft;
    for (const json_value *item = json_first(types); item != NULL;
            item = json_next(item)) {
        if (strcmp(json_string(item), "full") != 0)
            return spec_fail_at(reader, "indexer_types",
                    "'%.60s' is an indexer that plan3d cannot plan; write full",
                    json_string(item));
    }
    return true;
}

/* Sizes of the object that published files of MiniMax-M3 have. Source:
 * transformers@v5.23 configuration_minimax_m3_vl.py (__post_init__). */
/* clang-format off */
static const json_field chosen_fields[] = {
    {"sparse_num_index_heads", JSON_INT, false,
     offsetof(p3d_model, index_heads), 1, P3D_MAX_HEADS,
     "heads of the indexer"},
    {"sparse_index_dim", JSON_INT, false,
     offsetof(p3d_model, index_dim), 1, P3D_MAX_HEAD_DIM,
     "size of a head of the indexer"},
    {"sparse_block_size", JSON_INT, false,
     offsetof(p3d_model, sparse.block), 1, P3D_MAX_POSITIONS,
     "tokens of a block"},
    {"sparse_topk_blocks", JSON_INT, false,
     offsetof(p3d_model, sparse.local), 1, P3D_MAX_POSITIONS,
     "blocks that the indexer chooses"},
};
/* clang-format on */

bool spec_finish_chosen_blocks(const spec_reader *reader, spec_draft *draft)
{
    const spec_reader inner =
            spec_reader_inside(reader, "sparse_attention_config");
    const int shared = draft->model.shared_ffn;

    if (!spec_finish_llama4(reader, draft))
        return false;
    if (shared > 0)
        draft->model.shared_ffn = shared;
    return !json_is_object(inner.object) ||
           json_read_known_fields(
                   (json_place){inner.doc, inner.object, inner.pointer},
                   JSON_FIELDS(chosen_fields), &draft->model, reader->err);
}

/* 7B: one key/value head and one norm for attention and MLP; 40B and 180B:
 * the new architecture, with grouped heads and a norm for each of the two. */
bool spec_finish_falcon(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    if (draft->new_architecture) {
        model->n_norms = draft->n_parallel_norms;
    } else {
        model->n_kv_heads = draft->multi_query ? 1 : model->n_heads;
        model->n_norms = draft->parallel ? 1 : 2;
    }
    model->parallel_block = model->n_norms == 1;
    return true;
}

/* A norm without weights exists too (Llama 4); this switch means weights. */
bool spec_finish_qk_norm(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    if (draft->use_qk_norm)
        draft->model.qk_norm = P3D_QK_NORM_HEAD;
    return true;
}

/* intermediate_size is the width of an expert, and of the one shared expert;
 * dense layers have a key of their own. */
bool spec_finish_llama4(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    model->expert_ffn = model->ffn;
    model->shared_ffn = model->ffn;
    model->ffn = draft->wide_ffn;
    return true;
}

/* The keys of MPT that the table does not hold, with their defaults. */
typedef struct mpt_keys {
    double expansion_ratio;
    bool no_bias;
    bool learned_pos_emb;
    bool alibi;
    bool qk_ln;
    int kv_n_heads;
    char attn_type[32];
} mpt_keys;

/* clang-format off */
static const json_field mpt_fields[] = {
    {"expansion_ratio", JSON_DOUBLE, false,
     offsetof(mpt_keys, expansion_ratio), 0.0625, 64, "MLP width / hidden"},
    {"no_bias", JSON_BOOL, false,
     offsetof(mpt_keys, no_bias), 0, 0, "no bias anywhere"},
    {"learned_pos_emb", JSON_BOOL, false,
     offsetof(mpt_keys, learned_pos_emb), 0, 0, "position table"},
};

static const json_field mpt_attention_fields[] = {
    {"alibi", JSON_BOOL, false,
     offsetof(mpt_keys, alibi), 0, 0, "biases instead of positions"},
    {"qk_ln", JSON_BOOL, false,
     offsetof(mpt_keys, qk_ln), 0, 0, "queries and keys are normalized"},
    {"kv_n_heads", JSON_INT, false,
     offsetof(mpt_keys, kv_n_heads), 1, 4096, "number of key/value heads"},
    {"attn_type", JSON_STRING, false, offsetof(mpt_keys, attn_type),
     0, sizeof(((mpt_keys *)NULL)->attn_type), "kind of attention"},
};
/* clang-format on */

static bool read_mpt(const spec_reader *reader, mpt_keys *out)
{
    const json_value *const attention = json_get(reader->object, "attn_config");
    char pointer[sizeof(reader->pointer) + sizeof("/attn_config")];

    if (!json_read_known_fields(
                (json_place){reader->doc, reader->object, reader->pointer},
                JSON_FIELDS(mpt_fields), out, reader->err))
        return false;
    if (attention == NULL)
        return true;
    if (!json_is_object(attention))
        return spec_fail_at(reader, "attn_config",
                "'attn_config' is not an object; write {\"alibi\": true}");
    snprintf(pointer, sizeof(pointer), "%s/attn_config", reader->pointer);
    return json_read_known_fields((json_place){reader->doc, attention, pointer},
            JSON_FIELDS(mpt_attention_fields), out, reader->err);
}

/* Source: mosaicml/llm-foundry llmfoundry/models/mpt/configuration_mpt.py and
 * transformers configuration_mpt.py, whose default for alibi is true. */
bool spec_finish_mpt(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;
    mpt_keys keys = {.expansion_ratio = 4,
            .no_bias = true,
            .learned_pos_emb = true,
            .alibi = true};
    char ratio[P3D_NUMBER_BUFFER];
    double width;

    if (!read_mpt(reader, &keys))
        return false;
    width = keys.expansion_ratio * model->hidden;
    if (width < 1 || width > P3D_MAX_FFN)
        return spec_fail_at(reader, "expansion_ratio",
                "%s times the hidden size %d is no width; write a ratio such "
                "as 4",
                p3d_print_shortest(ratio, sizeof(ratio), keys.expansion_ratio),
                model->hidden);
    model->ffn = (int)width;
    model->norm_weights = keys.no_bias ? 1 : 2;
    model->qkv_bias = model->o_bias = model->mlp_bias = !keys.no_bias;
    if (strcmp(keys.attn_type, "multiquery_attention") == 0)
        model->n_kv_heads = 1;
    else if (keys.kv_n_heads > 0)
        model->n_kv_heads = keys.kv_n_heads;
    if (keys.qk_ln)
        model->qk_norm = P3D_QK_NORM_FULL;
    if (!keys.alibi && keys.learned_pos_emb)
        model->learned_positions = model->max_positions;
    return true;
}

/* What DBRX keeps in objects of its own. */
typedef struct dbrx_keys {
    int kv_n_heads;
    double rope_theta;
    int ffn, n_experts, top_k;
    double norm; /* of a token's weights, the kind; 0 = none */
} dbrx_keys;

/* clang-format off */
static const json_field dbrx_attention_fields[] = {
    {"kv_n_heads", JSON_INT, false,
     offsetof(dbrx_keys, kv_n_heads), 1, P3D_MAX_HEADS,
     "number of key/value heads"},
    {"rope_theta", JSON_DOUBLE, false,
     offsetof(dbrx_keys, rope_theta), 0, 1e12, "base of rotary positions"},
};

static const json_field dbrx_expert_fields[] = {
    {"ffn_hidden_size", JSON_INT, false,
     offsetof(dbrx_keys, ffn), 1, P3D_MAX_FFN, "width of an expert"},
    {"moe_num_experts", JSON_INT, false,
     offsetof(dbrx_keys, n_experts), 1, P3D_MAX_EXPERTS, "number of experts"},
    {"moe_top_k", JSON_INT, false,
     offsetof(dbrx_keys, top_k), 1, P3D_MAX_EXPERTS, "experts of a token"},
    {"moe_normalize_expert_weights", JSON_DOUBLE, false,
     offsetof(dbrx_keys, norm), 0, 16, "norm of a token's weights"},
};
/* clang-format on */

static bool read_inside(const spec_reader *reader, const char *key,
        const json_shape *shape, dbrx_keys *out)
{
    const json_value *const inside = json_get(reader->object, key);
    char pointer[sizeof(reader->pointer) + 16];

    if (inside == NULL)
        return true;
    if (!json_is_object(inside))
        return spec_fail_at(
                reader, key, "'%s' is not an object; write {...}", key);
    snprintf(pointer, sizeof(pointer), "%s/%s", reader->pointer, key);
    return json_read_known_fields((json_place){reader->doc, inside, pointer},
            shape, out, reader->err);
}

/* Source: transformers@v5.23.0 models/dbrx/configuration_dbrx.py,
 * modeling_dbrx.py (its norms have no bias). */
bool spec_finish_dbrx(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;
    dbrx_keys keys = {.kv_n_heads = 1,
            .ffn = model->ffn,
            .n_experts = model->n_experts,
            .top_k = model->top_k,
            .norm = 1};

    if (!read_inside(reader, "attn_config", JSON_FIELDS(dbrx_attention_fields),
                &keys) ||
            !read_inside(reader, "ffn_config", JSON_FIELDS(dbrx_expert_fields),
                    &keys))
        return false;
    model->n_kv_heads = keys.kv_n_heads;
    model->norm_weights = 1;
    model->ffn = keys.ffn;
    model->expert_ffn = keys.ffn;
    model->n_experts = keys.n_experts;
    model->top_k = keys.top_k;
    model->router.keeps_scores = keys.norm <= 0;
    if (keys.rope_theta > 0)
        model->rotary.base = keys.rope_theta;
    return true;
}

bool spec_finish_full_qk_norm(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    if (draft->use_qk_norm)
        draft->model.qk_norm = P3D_QK_NORM_FULL;
    return true;
}

/* One key/value head for all, or one for each. */
bool spec_finish_bigcode(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    model->n_kv_heads = draft->multi_query ? 1 : model->n_heads;
    return true;
}

bool spec_finish_post_norm(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    if (draft->use_post_norm)
        draft->model.n_norms = 4;
    return true;
}

/* Norms stand after attention and MLP, so that none is at the end. */
bool spec_finish_no_final_norm(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    draft->model.final_norm = false;
    return true;
}

/* Where attention and MLP are parallel they share their norm. */
bool spec_finish_parallel(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    if (draft->parallel)
        model->n_norms = 1;
    model->parallel_block = draft->parallel;
    if (draft->use_qk_norm)
        model->qk_norm = P3D_QK_NORM_EACH;
    return true;
}

/* Norms before the output projection and before the MLP's last product. */
bool spec_finish_sub_norms(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    model->layer_scales = model->n_heads * model->head_dim + model->ffn;
    return true;
}

/* Four vectors of a head weigh the two halves of the differential attention. */
bool spec_finish_diffllama(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    draft->model.layer_scales = 4 * draft->model.head_dim;
    return true;
}

/* An embedding as wide as the model has no matrix behind it. */
bool spec_finish_narrow(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    (void)reader;
    model->narrow_tables = model->embedding_width != model->hidden;
    if (model->head_width == 0)
        model->head_width = model->embedding_width;
    if (!model->narrow_tables)
        model->embedding_width = 0;
    return true;
}

/* A query sees its block, those beside it, the first and the last one and some
 * that are drawn. Source: transformers@v5.23 modeling_big_bird.py
 * (BigBirdBlockSparseAttention). */
bool spec_finish_sparse(const spec_reader *reader, spec_draft *draft)
{
    const char *const type =
            json_string(json_get(reader->object, "attention_type"));
    double block = 64;
    double drawn = 3;

    (void)json_number(json_get(reader->object, "block_size"), &block);
    (void)json_number(json_get(reader->object, "num_random_blocks"), &drawn);
    if (strcmp(type, "original_full") != 0 && block >= 1 && drawn >= 0 &&
            block * (5 + drawn) < draft->model.max_positions)
        draft->model.index_topk = (int)(block * (5 + drawn));
    return true;
}

/* Rotary positions, whose sines are a table of the class: one head wide. */
bool spec_finish_rotated(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;
    const int width = model->embedding_width;

    if (width == 0)
        model->embedding_width = model->hidden;
    if (!spec_finish_narrow(reader, draft))
        return false;
    model->head_width = width == model->hidden ? 0 : width;
    model->learned_positions =
            (model->max_positions + model->n_heads - 1) / model->n_heads;
    return true;
}

/* What a switch says, or what its absence means. */
static bool is_on(const spec_reader *reader, const char *key, bool otherwise)
{
    double on = otherwise;

    (void)json_number(json_get(reader->object, key), &on);
    return on != 0;
}

/* The first layer has no norm before its attention: the embedding's is it.
 * Source: transformers@v5.23 modeling_modernbert_decoder.py. */
bool spec_finish_modern(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (is_on(reader, "norm_bias", false))
        model->norm_weights = 2;
    model->head_plain = !is_on(reader, "classifier_bias", false);
    return true;
}

/* The encoder's output is as wide as the decoder, unless the file says
 * otherwise; positions that are not learned are no table. What nests a decoder
 * beside an encoder trains both. */
bool spec_finish_cross(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (reader->nested)
        return spec_fail_family(
                reader, json_string(json_get(reader->doc->root, "model_type")));
    if (model->cross_width == 0)
        model->cross_width = model->hidden;
    if (!is_on(reader, "use_learned_position_embeddings", true))
        draft->extra_positions = -model->max_positions;
    return true;
}

/* The class of the decoder alone does not tie its output matrix. Source:
 * transformers@v5.23 modeling_bigbird_pegasus.py. */
bool spec_finish_untied_cross(const spec_reader *reader, spec_draft *draft)
{
    draft->model.tied_embeddings = false;
    return spec_finish_cross(reader, draft);
}

/* The key is the width of both matrices into the MLP; "no_bias" speaks of all
 * but the projection to queries, keys and values. Source:
 * QwenLM/Qwen modeling_qwen.py (QWenAttention, QWenMLP). */
bool spec_finish_qwen(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    model->o_bias = model->mlp_bias = !is_on(reader, "no_bias", true);
    return spec_finish_halved(reader, draft);
}

/* ChatGLM2, ChatGLM3 and GLM-4 have groups of keys and values where a switch
 * says so. Source: THUDM/chatglm3-6b modeling_chatglm.py (SelfAttention, MLP,
 * GLMTransformer). */
bool spec_finish_chatglm(const spec_reader *reader, spec_draft *draft)
{
    static const char first[] = "inner_hidden_size";
    p3d_model *const model = &draft->model;

    if (json_get(reader->object, first) != NULL)
        return spec_fail_at(reader, first,
                "the first ChatGLM, which sees its prompt both ways, is not "
                "planned; write another model");
    if (!is_on(reader, "multi_query_attention", false))
        model->n_kv_heads = model->n_heads;
    if (is_on(reader, "add_bias_linear", false))
        model->qkv_bias = model->o_bias = model->mlp_bias = true;
    if (!is_on(reader, "rmsnorm", true))
        model->norm_weights = 2;
    model->final_norm = is_on(reader, "post_layer_norm", true);
    return true;
}

/* Source: inclusionAI/Ling-V2 modeling_bailing_moe_v2.py. */
bool spec_finish_bailing(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (is_on(reader, "use_bias", false))
        model->qkv_bias = model->o_bias = model->mlp_bias = true;
    return spec_finish_qk_norm(reader, draft);
}

/* The key says the width of both matrices into a gated MLP. Source:
 * transformers@v5.23 modeling_moshi.py (MoshiGatingMLP). */
bool spec_finish_halved(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    draft->model.ffn /= 2;
    return true;
}

/* The one bias, of the last layer's attention, is counted beside the embedding.
 * Source: transformers@v5.23 modeling_gpt_neox_japanese.py. */
bool spec_finish_japanese(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;
    double factor = 4;

    (void)json_number(
            json_get(reader->object, "intermediate_multiple_size"), &factor);
    if (factor < 1 || factor * model->hidden > P3D_MAX_FFN)
        return spec_fail_at(reader, "intermediate_multiple_size",
                "an MLP %g times as wide as the model is out of range; write 4",
                factor);
    model->ffn = (int)(factor * model->hidden);
    return true;
}

/* Every layer has attention, and the mixer beside it. */
bool spec_finish_beside(const spec_reader *reader, spec_draft *draft)
{
    draft->model.mixer_beside = true;
    draft->model.mixer.norm = is_on(reader, "mamba_rms_norm", false);
    return true;
}
