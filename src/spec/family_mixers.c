/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_mixers.c - the table of families with layers that mix tokens without
 * attention.
 *
 * Source: huggingface/transformers@v5 src/transformers/models/<family>/
 * configuration_<family>.py and modeling_<family>.py. */
#include "spec/family_rows.h"

/* clang-format off */
static const spec_family rows[] = {
{.model_type = "qwen3_next",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_LINEAR | P3D_KEYS_MIXED | QWEN_MOE |
 P3D_KEYS_SHARED_FFN,
 .defaults = {.moe_period = 1, EVERY_FOURTH, .model = {SHAPE(2048, 5632, 48,
    16, 2, 151936, 32768), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD,
    .attention_gate = P3D_GATE_CHANNEL, DELTA_RULE(32, 16, 128, 128),
    .n_experts = 512, .top_k = 10, .expert_ffn = 512, .shared_ffn = 512,
    .shared_gate = true, .head_dim = 256}}},

{.model_type = "qwen3_5_text",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_LINEAR | P3D_KEYS_MIXED,
 .defaults = {EVERY_FOURTH, .model = {SHAPE(4096, 12288, 32, 16, 4, 248320,
    32768), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD,
    .attention_gate = P3D_GATE_CHANNEL, DELTA_RULE(32, 16, 128, 128)}}},

{.model_type = "qwen3_5_moe_text",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_LINEAR | P3D_KEYS_MIXED | MOE |
 P3D_KEYS_EXPERT_FFN | P3D_KEYS_SHARED_FFN,
 .defaults = {EVERY_FOURTH, .model = {OWN, SHAPE(2048, 0, 40, 16, 2, 248320,
    32768), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD,
    .attention_gate = P3D_GATE_CHANNEL, DELTA_RULE(32, 16, 128, 128),
    .n_experts = 256, .top_k = 8, .expert_ffn = 512, .shared_ffn = 512,
    .shared_gate = true, .head_dim = 256}}},

{.model_type = "olmo_hybrid",
 .keys = KV | QKVO_BIAS | P3D_KEYS_LINEAR,
 .defaults = {EVERY_FOURTH, .model = {OWN, SHAPE(3840, 11008, 32, 30, 0,
    100352, 65536), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_FULL,
    DELTA_RULE(30, 30, 96, 192)}}},

{.model_type = "kimi_linear", .finish = spec_finish_kda,
 .keys = DEEPSEEK | P3D_KEYS_LINEAR | P3D_KEYS_LENGTH,
 .defaults = {.n_shared = 1, .first_dense = 1, .needs_layers = true,
    .model = {OWN, SHAPE(2304, 9216, 27, 32, 0, 163840, 2048), GATED,
    RMS_NORM(2), MLA(0), .router_correction = true,
    .mixer = {.kind = P3D_MIXER_KDA, .heads = 32, .value_dim = 128, .taps = 4,
    .chunk = 64}, .n_experts = 256, .top_k = 8, .expert_ffn = 1024,
    .head_dim = 64}}},

{.model_type = "bailing_hybrid", .finish = spec_finish_full_kda,
 .keys = DEEPSEEK | P3D_KEYS_LINEAR | P3D_KEYS_MIXED,
 .defaults = {.n_shared = 1, .first_dense = 2, .attention_period = 6,
    .attention_offset = -1, .model = {OWN, SHAPE(2560, 6144, 42, 32, 0, 157184,
    131072), GATED, RMS_NORM(2), MLA(0), .router_correction = true,
    .attention_gate = P3D_GATE_HEAD, .mixer = {.kind = P3D_MIXER_KDA,
    .heads = 32, .value_dim = 128, .taps = 4, .chunk = 64}, .n_experts = 512,
    .top_k = 8, .expert_ffn = 768, .head_dim = 64}}},

{.model_type = "minimax", .finish = spec_finish_lightning,
 .keys = HEAD_DIM | MOE,
 .defaults = {.attention_period = 2, .model = {OWN, SHAPE(4096, 14336, 32, 32,
    8, 32000, 131072), GATED, RMS_NORM(2), .mixer = {
    .kind = P3D_MIXER_LIGHTNING, .chunk = 256}, .n_experts = 8, .top_k = 2}}},

{.model_type = "lfm2", .finish = spec_finish_conv,
 .keys = KV | P3D_KEYS_CONV,
 .defaults = {.attention_period = 1, .adjusts_ffn = true, .ffn_multiple = 256,
    .model = {OWN, SHAPE(2560, 12288, 32, 32, 8, 65536, 128000), GATED,
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .mixer = {.kind = P3D_MIXER_CONV,
    .taps = 3, .key_dim = 1}, TIED}}},

{.model_type = "lfm2_moe", .finish = spec_finish_conv,
 .keys = KV | SHARED_MOE | P3D_KEYS_CONV,
 .defaults = {.first_dense = 2, .needs_layers = true, .model = {OWN,
    SHAPE(2048, 7168, 32, 32, 8, 65536, 128000), GATED, RMS_NORM(2),
    .qk_norm = P3D_QK_NORM_HEAD, .router_correction = true,
    .mixer = {.kind = P3D_MIXER_CONV, .taps = 3, .key_dim = 1}, .n_experts = 32,
    .top_k = 4, .expert_ffn = 1792, TIED}}},

{.model_type = "lfm3", .finish = spec_finish_conv,
 .keys = HEAD_DIM | WINDOW | P3D_KEYS_GATE | P3D_KEYS_POST_NORM | P3D_KEYS_CONV,
 .defaults = {.needs_layers = true, .has_gate = true, .use_post_norm = true,
    .model = {OWN, SHAPE(2048, 7680, 24, 16, 4, 128000, 128000), GATED,
    RMS_NORM(2),
    .qk_norm = P3D_QK_NORM_HEAD, .window = 256,
    .mixer = {.kind = P3D_MIXER_CONV,
    .taps = 7, .key_dim = 1}, TIED}}},

{.model_type = "mamba2", .finish = spec_finish_mamba2,
 .keys = P3D_KEYS_STATE | P3D_KEYS_NO_HEADS,
 .defaults = {.expand = 2, .floor_head_dim = true, .model =
    {OWN, SHAPE(4096, 0, 64, 128, 0, 32768,
    2048), .norm_weights = 1, .n_norms = 1, .final_norm = true,
    .mixer = {.kind = P3D_MIXER_MAMBA2, .heads = 128, .key_heads = 8,
    .key_dim = 128, .value_dim = 64, .taps = 4, .chunk = 256, .taps_bias = true,
    .norm = true}}}},

{.model_type = "mamba", .finish = spec_finish_mamba,
 .keys = P3D_KEYS_STATE | P3D_KEYS_NO_HEADS,
 .defaults = {.expand = 2, .floor_head_dim = true, .model =
    {OWN, SHAPE(768, 0, 32, 1, 0, 50280,
    2048), RMS_NORM(1), .mixer = {.kind = P3D_MIXER_MAMBA, .key_dim = 16,
    .taps = 4, .taps_bias = true}, TIED}}},

{.model_type = "falcon_mamba", .finish = spec_finish_mamba,
 .keys = P3D_KEYS_STATE | P3D_KEYS_NO_HEADS,
 .defaults = {.expand = 2, .floor_head_dim = true, .model =
    {OWN, SHAPE(768, 0, 32, 1, 0, 50280,
    2048), RMS_NORM(1), .mixer = {.kind = P3D_MIXER_MAMBA, .key_dim = 16,
    .taps = 4, .taps_bias = true}, TIED}}},

{.model_type = "jamba", .finish = spec_finish_jamba,
 .keys = KV | MOE | P3D_KEYS_MAMBA | P3D_KEYS_JAMBA,
 .defaults = {.expand = 2, .attention_period = 8, .attention_offset = 4,
    .moe_stride = 2, .moe_offset = 1, .model = {OWN, SHAPE(4096, 14336, 32, 32,
    8, 65536, 262144), GATED, RMS_NORM(2), .mixer = {.kind = P3D_MIXER_MAMBA,
    .key_dim = 16, .taps = 4, .rank = 256, .taps_bias = true, .norm = true},
    .n_experts = 16, .top_k = 2}}},

{.model_type = "nemotron_h", .finish = spec_finish_blocks,
 .keys = HEAD_DIM | P3D_KEYS_MLP_BIAS | MOE | P3D_KEYS_EXPERT_FFN |
 P3D_KEYS_SHARED_FFN | P3D_KEYS_MAMBA | P3D_KEYS_BLOCKS,
 .defaults.model = {OWN, SHAPE(4096, 21504, 4, 32, 8, 131072, 4096),
    RMS_NORM(1), .mixer = {.kind = P3D_MIXER_MAMBA2, .heads = 128,
    .key_heads = 8, .key_dim = 128, .value_dim = 64, .taps = 4, .chunk = 128,
    .taps_bias = true, .norm = true}, .router_correction = true,
    .n_experts = 8, .top_k = 2, .expert_ffn = 7688, .shared_ffn = 7688,
    .head_dim = 128}},

{.model_type = "falcon_h1", .finish = spec_finish_beside,
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | P3D_KEYS_MAMBA,
 .defaults = {.attention_period = 1, .model = {OWN, SHAPE(4096, 14336, 32, 32,
    8, 128000, 8192), GATED, RMS_NORM(2), .mixer = {.kind = P3D_MIXER_MAMBA2,
    .heads = 128, .key_heads = 1, .key_dim = 256, .value_dim = 8, .taps = 4,
    .chunk = 256, .taps_bias = true}}}},

{.model_type = "bamba",
 .keys = KV | QKVO_BIAS | P3D_KEYS_MLP_BIAS | P3D_KEYS_MAMBA,
 .defaults.model = {OWN, SHAPE(4096, 14336, 32, 32, 8, 128000, 262144), GATED,
    RMS_NORM(2), .mixer = {.kind = P3D_MIXER_MAMBA2, .heads = 128,
    .key_heads = 1, .key_dim = 256, .value_dim = 64, .taps = 4, .chunk = 256,
    .taps_bias = true, .norm = true}}},

{.model_type = "granitemoehybrid",
 .keys = KV | QKVO_BIAS | MOE | P3D_KEYS_SHARED_FFN | P3D_KEYS_MAMBA,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 32000, 2048), GATED,
    RMS_NORM(2), .mixer = {.kind = P3D_MIXER_MAMBA2, .heads = 128,
    .key_heads = 1, .key_dim = 256, .value_dim = 64, .taps = 4, .chunk = 256,
    .taps_bias = true, .norm = true}, .n_experts = 8, .top_k = 2,
    .shared_ffn = 1024}},
};
/* clang-format on */

const spec_family_table spec_mixer_families = {rows, P3D_COUNT_OF(rows)};
