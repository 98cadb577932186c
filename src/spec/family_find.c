/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_find.c - the family of a model_type, and what is said of one that none
 * has. */
#include <string.h>

#include "base/util.h"
#include "spec/family.h"

/* A class that has the layers of another's, and sizes of its own. */
typedef struct family_alias {
    const char *model_type;
    const char *like;
} family_alias;

static const family_alias aliases[] = {
        {"camembert", "bert"},
        {"cohere_compass_text", "cohere2"},
        {"cosmos3_edge_text", "arcee"},
        {"data2vec-text", "bert"},
        {"ernie", "bert"},
        {"gpt-sw3", "gpt2"},
        {"glm4v_moe_text", "glm4_moe"},
        {"granite4_vision_text", "granite"},
        {"granite_docling_text", "granite"},
        {"hunyuan_vl_text", "hunyuan_v1_dense"},
        {"minimax_m3", "minimax_m3_vl_text"},
        {"paddleocr_vl_text", "ernie4_5"},
        {"phi4_multimodal", "phi3"},
        {"qwen2_5_omni_text", "qwen2"},
        {"qwen2_5_vl", "qwen2"},
        {"qwen2_5_vl_text", "qwen2"},
        {"qwen2_vl", "qwen2"},
        {"qwen2_vl_text", "qwen2"},
        {"qwen3_vl_moe_text", "qwen3_moe"},
        {"qwen3_vl_text", "qwen3"},
        {"roberta", "bert"},
        {"sarvam_mla", "deepseek_v3"},
        {"sarvam_moe", "glm4_moe"},
        {"xlm-roberta", "bert"},
        {"xlm-roberta-xl", "megatron-bert"},
};

static const family_alias *find_alias(const char *model_type)
{
    for (int i = 0; i < P3D_COUNT_OF(aliases); i++) {
        if (strcmp(aliases[i].model_type, model_type) == 0)
            return &aliases[i];
    }
    return NULL;
}

bool spec_family_is_alias(const char *model_type)
{
    return find_alias(model_type) != NULL;
}

const spec_family *spec_family_at(int i)
{
    static const spec_family_table *const tables[] = {&spec_attention_families,
            &spec_mixer_families, &spec_encoder_families};

    for (int k = 0; k < P3D_COUNT_OF(tables); k++) {
        if (i < tables[k]->n)
            return &tables[k]->rows[i];
        i -= tables[k]->n;
    }
    return NULL;
}

const spec_family *spec_family_find(const char *model_type)
{
    const family_alias *const alias = find_alias(model_type);
    const char *const name = alias != NULL ? alias->like : model_type;
    const spec_family *row;

    for (int i = 0; (row = spec_family_at(i)) != NULL; i++) {
        if (strcmp(row->model_type, name) == 0)
            return row;
    }
    return NULL;
}

const spec_family *spec_family_of_wrapper(const char *model_type)
{
    const spec_family *row;

    for (int i = 0; (row = spec_family_at(i)) != NULL; i++) {
        if (row->wrapper != NULL && strcmp(row->wrapper, model_type) == 0)
            return row;
    }
    return NULL;
}

/* A part, and the families that have it, between blanks. */
typedef struct missing_part {
    const char *part;
    const char *families;
} missing_part;

/* clang-format off */
static const missing_part missing[] = {
    {"an encoder, or layers that attend to one",
     " blip_text_model evolla diffusion_gemma_text florence2 git musicgen "
     "musicgen_melody pix2struct_text_model pp_formulanet_text prophetnet "
     "t5gemma2 udop vision-encoder-decoder "},
    {"the layers of an encoder with a head of its own",
     " cpmant reformer roc_bert xlnet xmod "},
    {"cross-attention to images in some layers",
     " idefics mllama mllama_text_model kosmos_2_text_model "
     "kosmos_2_5_text_model "},
    {"heads that differ by layer, or keys and values of another model",
     " gemma4_assistant gemma4_unified_assistant mimo_v2_flash "},
    {"several residual streams",
     " deepseek_v4 hy_v4 glm5_next_text inkling_text "
     "inkling2_text "
     "qwen4_exp qwen4_exp_text mistral_large4_text dots3_note_text "},
    {"a block that layers share", " zamba zamba2 "},
    {"a recurrence of its own",
     " rwkv xlstm recurrent_gemma hrm_text blt "},
    {"two attentions and experts that do nothing in a layer",
     " longcat_flash "},
    {"experts of the attention, or a router of several layers",
     " jetmoe zaya doge axk2 muse_spark_text ernie4_5_vl_moe_text "},
    {"experts, gates or norms of a class of its own",
     " chameleon "
     "molmo2_text deepseek_ocr2_text pi0 "},
};
/* clang-format on */

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = strstr(list, word); n > 0 && at != NULL;
            at = strstr(at + 1, word)) {
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    }
    return false;
}

bool spec_fail_family(const spec_reader *reader, const char *model_type)
{
    p3d_nearest nearest = {.word = model_type};
    const spec_family *row;

    for (int i = 0; i < P3D_COUNT_OF(missing); i++) {
        if (has_word(missing[i].families, model_type))
            return spec_fail_at(reader, "model_type",
                    "model_type '%.60s' is not supported: it has %s, which "
                    "plan3d does not plan; write another model",
                    model_type, missing[i].part);
    }
    for (int i = 0; (row = spec_family_at(i)) != NULL; i++)
        p3d_nearest_offer(&nearest, row->model_type);
    return spec_fail_at(reader, "model_type",
            "model_type '%.60s' is not supported%s", model_type,
            p3d_did_you_mean(&nearest,
                    "; write llama, or that of a model of 'plan3d list "
                    "models'"));
}
