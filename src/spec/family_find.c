/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_find.c - the family of a model_type, and what is said of one that none
 * has. */
#include <string.h>

#include "base/text.h"
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
        {"paddleocr_vl_text", "ernie4_5"},
        {"phi4_multimodal", "phi3"},
        {"qwen2_5_omni_text", "qwen2"},
        {"qwen2_5_vl", "qwen2"},
        {"qwen2_5_vl_text", "qwen2"},
        {"qwen2_vl", "qwen2"},
        {"qwen2_vl_text", "qwen2"},
        {"qwen3_omni_moe_text", "qwen3_moe"},
        {"qwen3_vl_moe_text", "qwen3_moe"},
        {"qwen3_vl_text", "qwen3"},
        {"roberta", "bert"},
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

const spec_family *spec_family_find(const char *model_type)
{
    const family_alias *const alias = find_alias(model_type);
    const char *const name = alias != NULL ? alias->like : model_type;
    int n;
    const spec_family *const families = spec_families(&n);

    for (int i = 0; i < n; i++) {
        if (strcmp(families[i].model_type, name) == 0)
            return &families[i];
    }
    return NULL;
}

const spec_family *spec_family_of_wrapper(const char *model_type)
{
    int n;
    const spec_family *const families = spec_families(&n);

    for (int i = 0; i < n; i++) {
        const char *const wrapper = families[i].wrapper;

        if (wrapper != NULL && strcmp(wrapper, model_type) == 0)
            return &families[i];
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
     " bart bigbird_pegasus blenderbot blenderbot-small blip_text_model evolla "
     "diffusion_gemma_text florence2 git marian mbart moshi musicgen "
     "musicgen_melody mvp pegasus pix2struct_text_model plbart "
     "pp_formulanet_text prophetnet t5gemma2 "
     "trocr udop vision-encoder-decoder whisper "},
    {"the layers of an encoder with a head of its own",
     " big_bird cpmant electra "
     "modernbert-decoder reformer rembert "
     "roc_bert roformer "
     "xlnet xmod "},
    {"cross-attention to images in some layers",
     " idefics mllama mllama_text_model kosmos_2_text_model "
     "kosmos_2_5_text_model "},
    {"heads that differ by layer, or keys and values of another model",
     " gemma4_assistant gemma4_unified_assistant mimo_v2_flash "},
    {"several residual streams",
     " gemma3n gemma3n_text deepseek_v4 hy_v4 glm5_next_text inkling_text "
     "inkling2_text "
     "qwen4_exp qwen4_exp_text mistral_large4_text dots3_note_text "},
    {"attention and Mamba side by side in a layer", " falcon_h1 "},
    {"a block that layers share", " zamba zamba2 "},
    {"a recurrence of its own",
     " rwkv xlstm recurrent_gemma hrm_text blt "},
    {"two attentions and experts that do nothing in a layer",
     " longcat_flash "},
    {"experts of the attention, or a router of several layers",
     " jetmoe zaya doge axk1 axk2 muse_spark_text "
     "hunyuan_v1_moe ernie4_5_vl_moe_text dbrx "},
    {"experts, gates or norms of a class of its own",
     " gpt_neox_japanese chameleon "
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
    p3d_text list = {0};
    int n;
    const spec_family *const families = spec_families(&n);

    for (int i = 0; i < P3D_COUNT_OF(missing); i++) {
        if (has_word(missing[i].families, model_type))
            return spec_fail_at(reader, "model_type",
                    "model_type '%.60s' is not supported: it has %s, which "
                    "plan3d does not plan; write another model",
                    model_type, missing[i].part);
    }
    for (int i = 0; i < n; i++) {
        p3d_nearest_offer(&nearest, families[i].model_type);
        p3d_text_add(&list, "%s%s", i == 0 ? "" : ", ", families[i].model_type);
    }
    spec_fail_at(reader, "model_type",
            "model_type '%.60s' is not supported%s; write %s", model_type,
            p3d_did_you_mean(&nearest, ""), p3d_text_get(&list));
    p3d_text_free(&list);
    return false;
}
