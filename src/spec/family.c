/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family.c - the table of model families: one row, one model_type.
 *
 * A row holds what the class of the family in Hugging Face transformers takes
 * for a key that a config.json leaves out, and what it hard-codes; what the
 * table cannot say about a few of them is in a function.
 *
 * Source: huggingface/transformers src/transformers/models/<family>/
 * configuration_<family>.py and modeling_<family>.py, v4.4x to v5 (commit
 * 008e5743); kimi_k2 is deepseek_v3 with the sizes of its own config.json. */
#include "spec/family.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "spec/sizes.h"

/* Positions start at row 2; the output of the 350m shape, with norms after
 * the blocks, is not normalized again; its embedding is narrower. */
static bool finish_opt(const spec_reader *reader, spec_draft *draft)
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
static bool finish_falcon(const spec_reader *reader, spec_draft *draft)
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
static bool finish_qk_norm(const spec_reader *reader, spec_draft *draft)
{
    (void)reader;
    if (draft->use_qk_norm)
        draft->model.qk_norm = P3D_QK_NORM_HEAD;
    return true;
}

/* intermediate_size is the width of an expert, and of the one shared expert;
 * dense layers have a key of their own. */
static bool finish_llama4(const spec_reader *reader, spec_draft *draft)
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
    char pointer[64];

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
static bool finish_mpt(const spec_reader *reader, spec_draft *draft)
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

/* clang-format off */
#define SHAPE(h, f, l, a, k, v, positions) \
    .hidden = h, .ffn = f, .n_layers = l, .n_heads = a, .n_kv_heads = k, \
    .vocab = v, .max_positions = positions
#define RMS_NORM(n)   .norm_weights = 1, .n_norms = n, .final_norm = true
#define LAYER_NORM(n) .norm_weights = 2, .n_norms = n, .final_norm = true
#define ALL_BIASES    .qkv_bias = true, .o_bias = true, .mlp_bias = true
#define GATED         .gated_mlp = true
#define TIED          .tied_embeddings = true
#define MLA(q) \
    .q_lora_rank = q, .kv_lora_rank = 512, .qk_nope_dim = 128, \
    .qk_rope_dim = 64, .v_head_dim = 128

#define KV         P3D_KEYS_KV
#define HEAD_DIM   (P3D_KEYS_KV | P3D_KEYS_HEAD_DIM)
#define QKVO_BIAS  (P3D_KEYS_QKV_BIAS | P3D_KEYS_O_BIAS)
#define QKV_BIAS   P3D_KEYS_QKV_BIAS
#define MOE        P3D_KEYS_MOE
#define WINDOW     P3D_KEYS_WINDOW
#define PERIOD     (P3D_KEYS_WINDOW | P3D_KEYS_WINDOW_PERIOD)
#define SWITCH     (P3D_KEYS_WINDOW | P3D_KEYS_USE_WINDOW)
#define SWITCH_AT  (SWITCH | P3D_KEYS_WINDOW_FIRST)
#define QWEN_MOE   (MOE | P3D_KEYS_EXPERT_FFN | P3D_KEYS_SPARSE_STEP)
#define DEEPSEEK   (MOE | P3D_KEYS_EXPERT_FFN | P3D_KEYS_SHARED | \
                    P3D_KEYS_MLA | P3D_KEYS_MTP | QKVO_BIAS)
#define GLM_MOE    (MOE | P3D_KEYS_EXPERT_FFN | P3D_KEYS_SHARED | \
                    P3D_KEYS_MTP | P3D_KEYS_QK_NORM | QKV_BIAS | HEAD_DIM)

/* A width of 0 is 4 * hidden; 0 key/value heads are as many as query heads;
 * a head size of 0 is hidden / heads; an expert width of 0 is the MLP's. */
static const spec_family families[] = {
{.model_type = "llama",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS,
 .defaults.model = {SHAPE(4096, 11008, 32, 32, 0, 32000, 2048),
    GATED, RMS_NORM(2)}},

{.model_type = "mistral", .wrapper = "mistral3",
 .keys = HEAD_DIM | WINDOW,
 .defaults.model = {SHAPE(4096, 14336, 32, 32, 8, 32000, 131072),
    GATED, RMS_NORM(2), .window = 4096}},

{.model_type = "mixtral",
 .keys = HEAD_DIM | WINDOW | MOE,
 .defaults.model = {SHAPE(4096, 14336, 32, 32, 8, 32000, 131072),
    GATED, RMS_NORM(2), .n_experts = 8, .top_k = 2}},

{.model_type = "qwen2",
 .keys = HEAD_DIM | SWITCH_AT,
 .defaults = {.window_first = 28, .model =
    {SHAPE(4096, 22016, 32, 32, 32, 151936, 32768),
    GATED, RMS_NORM(2), .qkv_bias = true, .window = 4096}}},

{.model_type = "qwen3",
 .keys = HEAD_DIM | QKVO_BIAS | SWITCH_AT,
 .defaults = {.window_first = 28, .model =
    {SHAPE(4096, 22016, 32, 32, 32, 151936, 32768), .head_dim = 128,
    GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .window = 4096}}},

{.model_type = "qwen2_moe",
 .keys = HEAD_DIM | SWITCH_AT | QWEN_MOE | P3D_KEYS_QWEN2_MOE,
 .defaults = {.window_first = 28, .moe_period = 1, .model =
    {SHAPE(2048, 5632, 24, 16, 16, 151936, 32768),
    GATED, RMS_NORM(2), .qkv_bias = true, .window = 4096,
    .n_experts = 60, .top_k = 4, .expert_ffn = 1408,
    .shared_ffn = 5632, .shared_gate = true}}},

{.model_type = "qwen3_moe",
 .keys = HEAD_DIM | QKVO_BIAS | SWITCH | QWEN_MOE,
 .defaults = {.moe_period = 1, .model =
    {SHAPE(2048, 6144, 24, 32, 4, 151936, 32768),
    GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .window = 4096,
    .n_experts = 128, .top_k = 8, .expert_ffn = 768}}},

{.model_type = "deepseek_v2",
 .keys = DEEPSEEK,
 .defaults = {.n_shared = 2, .model =
    {SHAPE(4096, 11008, 32, 32, 0, 32000, 2048),
    GATED, RMS_NORM(2), MLA(1536),
    .n_experts = 64, .top_k = 6, .expert_ffn = 1407}}},

{.model_type = "deepseek_v3",
 .keys = DEEPSEEK,
 .defaults = {.n_shared = 1, .first_dense = 3, .model =
    {SHAPE(7168, 18432, 61, 128, 128, 129280, 4096),
    GATED, RMS_NORM(2), MLA(1536), .router_correction = true,
    .n_experts = 256, .top_k = 8, .expert_ffn = 2048}}},

{.model_type = "kimi_k2",
 .keys = DEEPSEEK,
 .defaults = {.n_shared = 1, .first_dense = 1, .model =
    {SHAPE(7168, 18432, 61, 64, 64, 163840, 131072),
    GATED, RMS_NORM(2), MLA(1536), .router_correction = true,
    .n_experts = 384, .top_k = 8, .expert_ffn = 2048}}},

{.model_type = "gpt2",
 .keys = P3D_KEYS_POSITIONS,
 .defaults.model = {SHAPE(768, 0, 12, 12, 0, 50257, 1024),
    LAYER_NORM(2), ALL_BIASES, TIED}},

{.model_type = "gpt_neox",
 .keys = QKVO_BIAS,
 .defaults.model = {SHAPE(6144, 24576, 44, 64, 0, 50432, 2048),
    LAYER_NORM(2), ALL_BIASES}},

{.model_type = "gptj",
 .defaults.model = {SHAPE(4096, 0, 28, 16, 0, 50400, 2048),
    LAYER_NORM(1), .mlp_bias = true, .head_bias = true,
    .parallel_block = true}},

{.model_type = "opt", .finish = finish_opt,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_OPT,
 .defaults = {.extra_positions = 2, .norm_affine = true, .model =
    {SHAPE(768, 3072, 12, 12, 0, 50272, 2048),
    LAYER_NORM(2), ALL_BIASES, TIED}}},

{.model_type = "bloom",
 .defaults.model = {SHAPE(64, 0, 2, 8, 0, 250880, 2048),
    LAYER_NORM(2), ALL_BIASES, TIED, .embedding_norm = true}},

{.model_type = "falcon", .finish = finish_falcon,
 .keys = KV | P3D_KEYS_FALCON,
 .defaults = {.multi_query = true, .parallel = true, .n_parallel_norms = 2,
    .model = {SHAPE(4544, 0, 32, 71, 0, 65024, 2048), LAYER_NORM(1), TIED}}},

{.model_type = "mpt", .finish = finish_mpt,
 .keys = P3D_KEYS_MPT,
 .defaults.model = {SHAPE(2048, 0, 24, 16, 0, 50368, 2048),
    LAYER_NORM(2), TIED}},

{.model_type = "phi", .finish = finish_qk_norm,
 .keys = HEAD_DIM | P3D_KEYS_QK_NORM,
 .defaults.model = {SHAPE(2048, 8192, 24, 32, 0, 51200, 2048),
    LAYER_NORM(1), ALL_BIASES, .head_bias = true, .parallel_block = true}},

{.model_type = "phi3",
 .keys = HEAD_DIM | WINDOW,
 .defaults.model = {SHAPE(3072, 8192, 32, 32, 0, 32064, 4096),
    GATED, RMS_NORM(2)}},

{.model_type = "gemma",
 .keys = HEAD_DIM | QKVO_BIAS,
 .defaults.model = {SHAPE(3072, 24576, 28, 16, 16, 256000, 8192),
    .head_dim = 256, GATED, RMS_NORM(2), TIED}},

{.model_type = "gemma2",
 .keys = HEAD_DIM | QKVO_BIAS | PERIOD,
 .defaults = {.window_period = 2, .model =
    {SHAPE(2304, 9216, 26, 8, 4, 256000, 8192),
    .head_dim = 256, GATED, RMS_NORM(4), TIED, .window = 4096}}},

{.model_type = "gemma3_text", .wrapper = "gemma3",
 .keys = HEAD_DIM | QKVO_BIAS | PERIOD,
 .defaults = {.window_period = 6, .model =
    {SHAPE(2304, 9216, 26, 8, 4, 262208, 131072),
    .head_dim = 256, GATED, RMS_NORM(4), TIED, .window = 4096,
    .qk_norm = P3D_QK_NORM_HEAD}}},

{.model_type = "gpt_oss",
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | MOE,
 .defaults = {.window_period = 2, .model =
    {SHAPE(2880, 2880, 36, 64, 8, 201088, 131072),
    .head_dim = 64, GATED, RMS_NORM(2), .window = 128,
    .qkv_bias = true, .o_bias = true, .attention_sinks = true,
    .n_experts = 128, .top_k = 4, .router_bias = true,
    .expert_bias = true}}},

{.model_type = "glm4",
 .keys = HEAD_DIM | QKV_BIAS,
 .defaults.model = {SHAPE(4096, 13696, 40, 32, 2, 151552, 131072),
    .head_dim = 128, GATED, RMS_NORM(4), .qkv_bias = true}},

{.model_type = "glm4_moe", .finish = finish_qk_norm,
 .keys = GLM_MOE,
 .defaults = {.n_shared = 1, .first_dense = 1, .model =
    {SHAPE(4096, 10944, 46, 96, 8, 151552, 131072),
    .head_dim = 128, GATED, RMS_NORM(2), .router_correction = true,
    .n_experts = 128, .top_k = 8, .expert_ffn = 1408}}},

{.model_type = "llama4_text", .wrapper = "llama4", .finish = finish_llama4,
 .keys = HEAD_DIM | QKVO_BIAS | MOE | P3D_KEYS_LLAMA4,
 .defaults = {.moe_period = 1, .window_period = 4, .wide_ffn = 16384, .model =
    {SHAPE(5120, 8192, 48, 40, 8, 202048, 131072),
    .head_dim = 128, GATED, RMS_NORM(2), .window = 8192,
    .n_experts = 16, .top_k = 1}}},

{.model_type = "olmo2",
 .keys = HEAD_DIM | QKVO_BIAS,
 .defaults.model = {SHAPE(4096, 11008, 32, 32, 0, 50304, 2048),
    GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_FULL}},
};
/* clang-format on */

const spec_family *spec_families(int *n)
{
    *n = P3D_COUNT_OF(families);
    return families;
}

const spec_family *spec_family_find(const char *model_type)
{
    for (int i = 0; i < P3D_COUNT_OF(families); i++) {
        if (strcmp(families[i].model_type, model_type) == 0)
            return &families[i];
    }
    return NULL;
}

const spec_family *spec_family_of_wrapper(const char *model_type)
{
    for (int i = 0; i < P3D_COUNT_OF(families); i++) {
        const char *const wrapper = families[i].wrapper;

        if (wrapper != NULL && strcmp(wrapper, model_type) == 0)
            return &families[i];
    }
    return NULL;
}
