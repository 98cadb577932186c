/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_odd.c - what the tables cannot say about a few families. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "spec/family.h"
#include "spec/model_sizes.h"

/* Positions start at row 2; the output of the 350m shape, with norms after
 * the blocks, is not normalized again; its embedding is narrower. */
bool spec_finish_opt(const p3d_reader *reader, p3d_draft *draft)
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

/* 7B: one key/value head and one norm for attention and MLP; 40B and 180B:
 * the new architecture, with grouped heads and a norm for each of the two. */
bool spec_finish_falcon(const p3d_reader *reader, p3d_draft *draft)
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
bool spec_finish_qk_norm(const p3d_reader *reader, p3d_draft *draft)
{
    (void)reader;
    if (draft->use_qk_norm)
        draft->model.qk_norm = P3D_QK_NORM_HEAD;
    return true;
}

/* intermediate_size is the width of an expert, and of the one shared expert;
 * dense layers have a key of their own. */
bool spec_finish_llama4(const p3d_reader *reader, p3d_draft *draft)
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

static bool read_mpt(const p3d_reader *reader, mpt_keys *out)
{
    const json_value *const attention = json_get(reader->object, "attn_config");
    char pointer[160];

    if (!json_read_known_fields(
                (json_place){reader->doc, reader->object, reader->pointer},
                JSON_FIELDS(mpt_fields), out, reader->err))
        return false;
    if (attention == NULL)
        return true;
    spec_pointer_to(reader, "attn_config", pointer, sizeof(pointer));
    if (!json_is_object(attention))
        return json_fail(reader->doc, pointer, reader->err,
                "'attn_config' is not an object; write {\"alibi\": true}");
    return json_read_known_fields((json_place){reader->doc, attention, pointer},
            JSON_FIELDS(mpt_attention_fields), out, reader->err);
}

/* Source: mosaicml/llm-foundry llmfoundry/models/mpt/configuration_mpt.py and
 * transformers configuration_mpt.py, whose default for alibi is true. */
bool spec_finish_mpt(const p3d_reader *reader, p3d_draft *draft)
{
    p3d_model *const model = &draft->model;
    mpt_keys keys = {.expansion_ratio = 4,
            .no_bias = true,
            .learned_pos_emb = true,
            .alibi = true};
    char pointer[160];
    char ratio[P3D_NUMBER_BUFFER];
    double width;

    if (!read_mpt(reader, &keys))
        return false;
    width = keys.expansion_ratio * model->hidden;
    if (width < 1 || width > P3D_MAX_FFN)
        return json_fail(reader->doc,
                spec_pointer_to(
                        reader, "expansion_ratio", pointer, sizeof(pointer)),
                reader->err,
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
