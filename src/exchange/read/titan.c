/* SPDX-License-Identifier: GPL-3.0-or-later */
/* titan.c - torchtitan's flavors as models of plan3d, and the few that it alone
 * has.
 *
 * torchtitan@238fa9953 torchtitan/models/{llama3,llama4,deepseek_v3,qwen3,
 * gpt_oss}/__init__.py (the last with TOML), @b5bcd76c the same (1B and 3B of
 * llama3, moonlight), @c48ae39f4 torchtitan/models/llama/__init__.py (llama2),
 * @9dec370 the same (llama3's debug model of 2024, whose vocabulary is that of
 * tests/assets/test_tiktoken.model). */
#include "exchange/read/titan.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"

enum { MAX_NAME = 80 };

/* clang-format off */
static const struct {
    const char *family;
    const char *flavor;
    const char *model; /* of plan3d, or of the table below */
} flavors[] = {
    {"llama2", "debugmodel", "torchtitan-llama2-debugmodel"},
    {"llama2", "271M", "torchtitan-llama2-271M"},
    {"llama2", "1B", "torchtitan-llama2-1B"},
    {"llama2", "7B", "llama-2-7b"},
    {"llama2", "13B", "llama-2-13b"},
    {"llama2", "26B", "torchtitan-llama2-26B"},
    {"llama2", "70B", "llama-2-70b"},
    {"llama3", "debugmodel", "torchtitan-llama3-debugmodel"},
    {"llama3", "debugmodel_2024", "torchtitan-llama3-debugmodel-2024"},
    {"llama3", "1B", "llama-3.2-1b"},
    {"llama3", "3B", "llama-3.2-3b"},
    {"llama3", "8B", "llama-3.1-8b"},
    {"llama3", "70B", "llama-3.1-70b"},
    {"llama3", "405B", "llama-3.1-405b"},
    {"llama4", "17bx16e", "llama-4-scout"},
    {"llama4", "17bx128e", "llama-4-maverick"},
    {"deepseek_v3", "debugmodel", "torchtitan-deepseek_v3-debugmodel"},
    {"deepseek_v3", "16B", "deepseek-v2-lite"},
    {"deepseek_v3", "236B", "deepseek-v2"},
    {"deepseek_v3", "671B", "deepseek-v3"},
    {"qwen3", "debugmodel", "torchtitan-qwen3-debugmodel"},
    {"qwen3", "debugmodel_moe", "torchtitan-qwen3-debugmodel_moe"},
    {"qwen3", "0.6B", "qwen3-0.6b"},
    {"qwen3", "1.7B", "qwen3-1.7b"},
    {"qwen3", "4B", "qwen3-4b"},
    {"qwen3", "8B", "qwen3-8b"},
    {"qwen3", "14B", "qwen3-14b"},
    {"qwen3", "32B", "qwen3-32b"},
    {"qwen3", "30B-A3B", "qwen3-30b-a3b"},
    {"qwen3", "235B-A22B", "qwen3-235b-a22b"},
    {"gpt_oss", "20b", "gpt-oss-20b"},
    {"gpt_oss", "120b", "gpt-oss-120b"},
    {"kimi_k2_7", "moonlight-16B-A3B", "moonlight-16b-a3b"},
};

/* Sizes as config.json has them: compute_ffn_hidden_dim() of models/common
 * rounds 8/3 of the width up to 256. */
static const struct {
    const char *name;
    const char *config;
} own[] = {
    {"torchtitan-llama2-debugmodel",
     "{\"model_type\":\"llama\",\"hidden_size\":256,"
     "\"intermediate_size\":768,\"num_hidden_layers\":8,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,"
     "\"vocab_size\":32000,\"max_position_embeddings\":2048}"},
    {"torchtitan-llama2-271M",
     "{\"model_type\":\"llama\",\"hidden_size\":1024,"
     "\"intermediate_size\":2816,\"num_hidden_layers\":16,"
     "\"num_attention_heads\":8,\"num_key_value_heads\":8,"
     "\"vocab_size\":32000,\"max_position_embeddings\":2048}"},
    {"torchtitan-llama2-1B",
     "{\"model_type\":\"llama\",\"hidden_size\":2048,"
     "\"intermediate_size\":5632,\"num_hidden_layers\":18,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,"
     "\"vocab_size\":32000,\"max_position_embeddings\":2048}"},
    {"torchtitan-llama2-26B",
     "{\"model_type\":\"llama\",\"hidden_size\":5120,"
     "\"intermediate_size\":13824,\"num_hidden_layers\":80,"
     "\"num_attention_heads\":40,\"num_key_value_heads\":40,"
     "\"vocab_size\":32000,\"max_position_embeddings\":2048}"},
    {"torchtitan-llama3-debugmodel",
     "{\"model_type\":\"llama\",\"hidden_size\":256,"
     "\"intermediate_size\":768,\"num_hidden_layers\":6,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,"
     "\"vocab_size\":2048,\"max_position_embeddings\":131072}"},
    {"torchtitan-llama3-debugmodel-2024",
     "{\"model_type\":\"llama\",\"hidden_size\":256,"
     "\"intermediate_size\":768,\"num_hidden_layers\":8,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,"
     "\"vocab_size\":2256,\"max_position_embeddings\":2048}"},
    {"torchtitan-qwen3-debugmodel",
     "{\"model_type\":\"qwen3\",\"hidden_size\":256,"
     "\"intermediate_size\":3072,\"num_hidden_layers\":8,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"tie_word_embeddings\":true,"
     "\"vocab_size\":2048,\"max_position_embeddings\":4096}"},
    {"torchtitan-qwen3-debugmodel_moe",
     "{\"model_type\":\"qwen3_moe\",\"hidden_size\":256,"
     "\"intermediate_size\":3072,\"num_hidden_layers\":8,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":8,\"head_dim\":128,"
     "\"num_experts\":64,\"num_experts_per_tok\":8,"
     "\"moe_intermediate_size\":768,\"tie_word_embeddings\":false,"
     "\"vocab_size\":2048,\"max_position_embeddings\":4096}"},
    {"torchtitan-deepseek_v3-debugmodel",
     "{\"model_type\":\"deepseek_v2\",\"hidden_size\":256,"
     "\"intermediate_size\":1024,\"moe_intermediate_size\":256,"
     "\"num_hidden_layers\":6,\"first_k_dense_replace\":1,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,"
     "\"n_routed_experts\":8,\"n_shared_experts\":2,"
     "\"num_experts_per_tok\":3,\"q_lora_rank\":null,\"kv_lora_rank\":512,"
     "\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"v_head_dim\":128,"
     "\"vocab_size\":2048,\"max_position_embeddings\":4096}"},
};
/* clang-format on */

/* Forms of attention that are no part of the sizes. */
static size_t flavor_length(const char *flavor)
{
    static const char *const endings[] = {
            "_flex_attn", "_varlen_attn", "_irope", "_flex", "_varlen"};
    const size_t n = strlen(flavor);

    for (int i = 0; i < P3D_COUNT_OF(endings); i++) {
        const size_t length = strlen(endings[i]);

        if (n > length && strcmp(flavor + n - length, endings[i]) == 0)
            return n - length;
    }
    return n;
}

static const char *find_flavor(const char *family, const char *flavor)
{
    const size_t n = flavor_length(flavor);

    for (int i = 0; i < P3D_COUNT_OF(flavors); i++)
        if (strcmp(flavors[i].family, family) == 0 &&
                strlen(flavors[i].flavor) == n &&
                strncmp(flavors[i].flavor, flavor, n) == 0)
            return flavors[i].model;
    return NULL;
}

bool exchange_titan_find(const char *name, p3d_model *out)
{
    p3d_error none = {0};

    for (int i = 0; i < P3D_COUNT_OF(own); i++)
        if (strcmp(own[i].name, name) == 0)
            return p3d_model_parse(name, own[i].config, out, &none);
    return false;
}

/* The family that a function of a registry is of: "llama3_8b". */
static const char *family_of_function(const char *function)
{
    for (int i = 0; function != NULL && i < P3D_COUNT_OF(flavors); i++) {
        const size_t n = strlen(flavors[i].family);

        if (strncmp(function, flavors[i].family, n) == 0 && function[n] == '_')
            return flavors[i].family;
    }
    return NULL;
}

static const char *value_of(const exchange_settings *settings, const char *name)
{
    const exchange_setting *const said =
            exchange_settings_find(settings, name, true);

    return said != NULL ? said->value : NULL;
}

bool exchange_titan_add(exchange_settings *settings, p3d_error *err)
{
    const char *const flavor = value_of(settings, "model.flavor");
    const char *family = value_of(settings, "model.name");
    const char *model;
    char unknown[MAX_NAME];

    if (family == NULL)
        family = family_of_function(settings->function);
    if (flavor == NULL || family == NULL || strchr(flavor, '$') != NULL ||
            value_of(settings, "model") != NULL)
        return true;
    model = find_flavor(family, flavor);
    if (model == NULL) {
        snprintf(unknown, sizeof(unknown), "%.30s-%.40s", family, flavor);
        model = unknown;
    }
    exchange_settings_use(settings, "model.name", true);
    exchange_settings_use(settings, "model.flavor", true);
    return exchange_settings_add(
            settings, "model", model, EXCHANGE_PRESET, err);
}
