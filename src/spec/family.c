/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family.c - the table of families of decoders with attention in each layer.
 *
 * Source: huggingface/transformers src/transformers/models/<family>/
 * configuration_<family>.py and modeling_<family>.py, v4.4x to v5 (commit
 * 008e5743); kimi_k2 is deepseek_v3 with the sizes of its own config.json;
 * grok-1: xai-org/grok-1@11b95e7a run.py, model.py. */
#include "spec/family_rows.h"

/* clang-format off */
static const spec_family rows[] = {
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
 .keys = HEAD_DIM | SWITCH_AT | QWEN_MOE | P3D_KEYS_QKV_BIAS_ALONE |
    P3D_KEYS_SHARED_FFN,
 .defaults = {.window_first = 28, .moe_period = 1, .model =
    {SHAPE(2048, 5632, 24, 16, 16, 151936, 32768),
    GATED, RMS_NORM(2), .qkv_bias = true, .window = 4096,
    .n_experts = 60, .top_k = 4, .expert_ffn = 1408,
    .shared_ffn = 5632, .shared_gate = true, KEEPS_SCORES}}},

{.model_type = "qwen3_moe",
 .keys = HEAD_DIM | QKVO_BIAS | SWITCH | QWEN_MOE,
 .defaults = {.moe_period = 1, .model =
    {SHAPE(2048, 6144, 24, 32, 4, 151936, 32768),
    GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .window = 4096,
    .n_experts = 128, .top_k = 8, .expert_ffn = 768, KEEPS_SCORES}}},

{.model_type = "deepseek_v2",
 .keys = DEEPSEEK | P3D_KEYS_MLP_BIAS,
 .defaults = {.n_shared = 2, .model =
    {SHAPE(4096, 11008, 32, 32, 0, 32000, 2048),
    GATED, RMS_NORM(2), MLA(1536),
    .n_experts = 64, .top_k = 6, .expert_ffn = 1407, KEEPS_SCORES}}},

{.model_type = "deepseek_v3",
 .keys = DEEPSEEK,
 .defaults = {.n_shared = 1, .first_dense = 3, .model =
    {SHAPE(7168, 18432, 61, 128, 128, 129280, 4096),
    GATED, RMS_NORM(2), MLA(1536), .router_correction = true,
    .n_experts = 256, .top_k = 8, .expert_ffn = 2048, .router.scale = 2.5}}},

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
    LAYER_NORM(2), ALL_BIASES, .rotary.share = 0.25}},

{.model_type = "gptj",
 .defaults.model = {SHAPE(4096, 0, 28, 16, 0, 50400, 2048),
    LAYER_NORM(1), .mlp_bias = true, .head_bias = true,
    .parallel_block = true}},

{.model_type = "opt", .finish = spec_finish_opt,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_OPT,
 .defaults = {.extra_positions = 2, .norm_affine = true, .model =
    {SHAPE(768, 3072, 12, 12, 0, 50272, 2048),
    LAYER_NORM(2), ALL_BIASES, TIED, .activation = P3D_ACTIVATION_RELU}}},

{.model_type = "bloom",
 .defaults.model = {SHAPE(64, 0, 2, 8, 0, 250880, 2048),
    LAYER_NORM(2), ALL_BIASES, TIED, .embedding_norm = true}},

{.model_type = "falcon", .finish = spec_finish_falcon,
 .keys = KV | P3D_KEYS_FALCON,
 .defaults = {.multi_query = true, .parallel = true, .n_parallel_norms = 2,
    .model = {SHAPE(4544, 0, 32, 71, 0, 65024, 2048), LAYER_NORM(1), TIED}}},

{.model_type = "mpt", .finish = spec_finish_mpt,
 .keys = P3D_KEYS_MPT,
 .defaults.model = {SHAPE(2048, 0, 24, 16, 0, 50368, 2048),
    LAYER_NORM(2), TIED}},

{.model_type = "dbrx", .finish = spec_finish_dbrx,
 .keys = P3D_KEYS_DBRX,
 .defaults.model = {SHAPE(2048, 3584, 24, 16, 0, 32000, 2048),
    GATED, LAYER_NORM(2), .n_experts = 4, .top_k = 1}},

{.model_type = "phi", .finish = spec_finish_qk_norm,
 .keys = HEAD_DIM | P3D_KEYS_QK_NORM,
 .defaults.model = {SHAPE(2048, 8192, 24, 32, 0, 51200, 2048),
    LAYER_NORM(1), ALL_BIASES, .head_bias = true, .parallel_block = true,
    .rotary.share = 0.5}},

{.model_type = "phi3",
 .keys = HEAD_DIM | WINDOW,
 .defaults.model = {SHAPE(3072, 8192, 32, 32, 0, 32064, 4096),
    GATED, RMS_NORM(2)}},

/* huggingface.co/microsoft/Phi-3-small-8k-instruct
 * configuration_phi3_small.py, modeling_phi3_small.py. */
{.model_type = "phi3small",
 .keys = KV | P3D_KEYS_SEEN_BLOCKS,
 .defaults = {.window_period = 2, .model = {OWN, SHAPE(4096, 14336, 32, 32, 8,
    100352, 8192), GATED, LAYER_NORM(2), ALL_BIASES, TIED, .sparse = {
    P3D_SPARSE_STRIDED, 64, 16, 8, 0, 0}}}},

{.model_type = "gemma",
 .keys = HEAD_DIM | QKVO_BIAS,
 .defaults.model = {SHAPE(3072, 24576, 28, 16, 16, 256000, 8192),
    .head_dim = 256, GATED, GELU_GATE, RMS_NORM(2), TIED,
    .centered_norms = true}},

{.model_type = "gemma2",
 .keys = HEAD_DIM | QKVO_BIAS | PERIOD,
 .defaults = {.window_period = 2, .model =
    {SHAPE(2304, 9216, 26, 8, 4, 256000, 8192),
    .head_dim = 256, GATED, GELU_GATE, RMS_NORM(4), TIED, .window = 4096,
    .centered_norms = true}}},

{.model_type = "gemma3_text", .wrapper = "gemma3",
 .keys = HEAD_DIM | QKVO_BIAS | PERIOD,
 .defaults = {.window_period = 6, .model = {SHAPE(2304, 9216, 26, 8, 4, 262208,
    131072), .head_dim = 256, GATED, GELU_GATE, RMS_NORM(4), TIED,
    .window = 4096, .centered_norms = true, .qk_norm = P3D_QK_NORM_HEAD}}},

{.model_type = "gemma3n_text", .wrapper = "gemma3n",
 .finish = spec_finish_gemma3n,
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | P3D_KEYS_STREAMS,
 .defaults = {.window_period = 5, .n_sharing = 15, .n_streams = 4,
    .model = {OWN,
    SHAPE(2048, 16384, 35, 8, 2, 262400, 32768), .head_dim = 256, GATED,
    RMS_NORM(7), TIED, .window = 512, .qk_norm = P3D_QK_NORM_HEAD,
    .layer_embedding = 256, .layer_vocab = 262144, .bypass_rank = 64}}},

{.model_type = "gemma4_text", .wrapper = "gemma4",
 .finish = spec_finish_gemma4,
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | MOE | P3D_KEYS_EXPERT_FFN |
    P3D_KEYS_GLOBAL,
 .defaults = {.window_period = 6, .model = {OWN, SHAPE(2304, 9216, 30, 8, 4,
    262144, 131072), .head_dim = 256, .full_head_dim = 512, GATED, RMS_NORM(4),
    TIED, .window = 512, .qk_norm = P3D_QK_NORM_HEAD, .layer_embedding = 256,
    .layer_vocab = 262144}}},

{.model_type = "gpt_oss",
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | MOE,
 .defaults = {.window_period = 2, .model = {SHAPE(2880, 2880, 36, 64, 8,
    201088, 131072), .head_dim = 64, GATED, RMS_NORM(2), .window = 128,
    .qkv_bias = true, .o_bias = true, .attention_sinks = true, .n_experts = 128,
    .top_k = 4, .router_bias = true, .expert_bias = true,
    .clamped_experts = true}}},

{.model_type = "glm4",
 .keys = HEAD_DIM | QKV_BIAS,
 .defaults.model = {SHAPE(4096, 13696, 40, 32, 2, 151552, 131072),
    .head_dim = 128, GATED, RMS_NORM(4), .qkv_bias = true}},

{.model_type = "glm4v_text",
 .keys = HEAD_DIM | QKV_BIAS,
 .defaults.model = {SHAPE(4096, 13696, 40, 32, 2, 151552, 32768),
    GATED, RMS_NORM(4), .qkv_bias = true}},

{.model_type = "glm_ocr_text",
 .keys = HEAD_DIM | QKV_BIAS,
 .defaults.model = {SHAPE(1024, 4096, 16, 16, 8, 59392, 131072),
    GATED, RMS_NORM(4)}},

{.model_type = "glm4_moe", .finish = spec_finish_qk_norm,
 .keys = GLM_MOE,
 .defaults = {.floor_head_dim = true, .n_shared = 1, .first_dense = 1, .model =
    {SHAPE(4096, 10944, 46, 96, 8, 151552, 131072),
    GATED, RMS_NORM(2), .router_correction = true,
    .n_experts = 128, .top_k = 8, .expert_ffn = 1408, .rotary.share = 0.5}}},

{.model_type = "llama4_text", .wrapper = "llama4", .finish = spec_finish_llama4,
 .keys = HEAD_DIM | QKVO_BIAS | MOE | P3D_KEYS_LLAMA4,
 .defaults = {.moe_period = 1, .window_period = 4, .wide_ffn = 16384, .model =
    {SHAPE(5120, 8192, 48, 40, 8, 202048, 131072),
    .head_dim = 128, GATED, RMS_NORM(2), .window = 8192,
    .n_experts = 16, .top_k = 1,
    .router = {.score = P3D_SCORE_SIGMOID, .keeps_scores = true}}}},

{.model_type = "olmo2",
 .keys = HEAD_DIM | QKVO_BIAS,
 .defaults.model = {SHAPE(4096, 11008, 32, 32, 0, 50304, 2048),
    GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_FULL}},

{.model_type = "arcee",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS,
 .defaults.model = {OWN, SHAPE(2560, 18432, 32, 32, 0, 32000, 4096),
    RMS_NORM(2)}},

{.model_type = "aria_text",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | MOE | P3D_KEYS_SHARED,
 .defaults = {.n_shared = 2, .model = {OWN, SHAPE(4096, 4096, 32, 32, 0,
    32000, 2048), GATED, RMS_NORM(2), .n_experts = 8, .top_k = 2}}},

{.model_type = "cohere", .finish = spec_finish_full_qk_norm,
 .keys = KV | QKVO_BIAS | P3D_KEYS_QK_NORM,
 .defaults.model = {OWN, SHAPE(8192, 22528, 40, 64, 0, 256000, 8192), GATED,
    RMS_NORM(1), .parallel_block = true, TIED}},

{.model_type = "cohere2",
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW,
 .defaults = {.window_period = 4, .model = {OWN, SHAPE(8192, 22528, 40, 64, 0,
    256000, 8192), GATED, RMS_NORM(1), .parallel_block = true, .window = 4096,
    TIED}}},

{.model_type = "cohere2_moe",
 .keys = HEAD_DIM | QKVO_BIAS | PERIOD | MOE | P3D_KEYS_SHARED,
 .defaults = {.window_period = 4, .model = {OWN, SHAPE(8192, 22528, 40, 64, 0,
    256000, 8192), GATED, RMS_NORM(1), .parallel_block = true, .window = 4096,
    .n_experts = 8, .top_k = 2, TIED}}},

{.model_type = "cwm",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | WINDOW,
 .defaults = {.window_period = 4, .model = {OWN, SHAPE(6144, 21504, 64, 48, 8,
    128256, 131072), GATED, RMS_NORM(2), .window = 8192}}},

{.model_type = "ernie4_5",
 .keys = HEAD_DIM | P3D_KEYS_USE_BIAS,
 .defaults.model = {OWN, SHAPE(1024, 3072, 18, 16, 2, 103424, 131072), GATED,
    RMS_NORM(2), .head_dim = 128, TIED}},

{.model_type = "ernie4_5_moe",
 .keys = HEAD_DIM | P3D_KEYS_USE_BIAS | SHARED_MOE | P3D_KEYS_ERNIE,
 .defaults = {.n_shared = 2, .first_dense = 1, .model = {OWN, SHAPE(2560,
    12288, 28, 20, 4, 103424, 131072), GATED, RMS_NORM(2),
    .router_correction = true, .n_experts = 64, .top_k = 6, .expert_ffn = 1536,
    TIED}}},

{.model_type = "exaone4",
 .keys = HEAD_DIM | PERIOD,
 .defaults = {.window_period = 4, .model = {OWN, SHAPE(4096, 16384, 32, 32, 0,
    102400, 2048), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD,
    .window = 4096}}},

{.model_type = "exaone_moe",
 .keys = HEAD_DIM | PERIOD | SHARED_MOE | P3D_KEYS_MTP,
 .defaults = {.n_shared = 1, .first_dense = 1, .window_period = 4,
    .model = {OWN, SHAPE(4096, 16384, 32, 32, 0, 102400, 2048), GATED,
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .window = 4096,
    .router_correction = true, .n_experts = 64, .top_k = 8,
    .expert_ffn = 1024}}},

{.model_type = "flex_olmo",
 .keys = KV | QKVO_BIAS | MOE,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 100352, 4096), GATED,
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_FULL, .n_experts = 7, .top_k = 5}},

{.model_type = "flint",
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | QWEN_MOE | P3D_KEYS_SHARED_FFN,
 .defaults = {.moe_period = 1, .first_dense = 2, .model = {OWN, SHAPE(2048,
    6144, 49, 32, 4, 150144, 262144), GATED, RMS_NORM(2),
    .attention_sinks = true, .qk_norm = P3D_QK_NORM_HEAD, .window = 513,
    .n_experts = 256, .top_k = 6, .expert_ffn = 512, .shared_ffn = 1024,
    .head_dim = 128}}},

{.model_type = "glm",
 .keys = HEAD_DIM | QKV_BIAS,
 .defaults.model = {OWN, SHAPE(4096, 13696, 40, 32, 2, 151552, 131072), GATED,
    RMS_NORM(2), .qkv_bias = true, .head_dim = 128}},

{.model_type = "glm4_moe_lite",
 .keys = DEEPSEEK,
 .defaults = {.n_shared = 1, .first_dense = 1, .model = {SHAPE(2048, 10240,
    47, 20, 0, 154880, 202752), GATED, RMS_NORM(2), .q_lora_rank = 768,
    .kv_lora_rank = 512, .qk_nope_dim = 192, .qk_rope_dim = 64,
    .v_head_dim = 256, .router_correction = true, .n_experts = 64, .top_k = 4,
    .expert_ffn = 1536, .router.scale = 1.8}}},

{.model_type = "gpt_bigcode", .finish = spec_finish_bigcode,
 .keys = KV | P3D_KEYS_POSITIONS | P3D_KEYS_FALCON,
 .defaults = {.multi_query = true, .model = {SHAPE(768, 0, 12, 12, 1, 50257,
    1024), LAYER_NORM(2), ALL_BIASES, TIED}}},

{.model_type = "gpt_neo",
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_GPT_NEO,
 .defaults = {.window_period = 2, .model = {OWN, SHAPE(2048, 0, 24, 16, 0,
    50257, 2048), LAYER_NORM(2), .o_bias = true, .mlp_bias = true,
    .window = 256,
    TIED}}},

{.model_type = "granite",
 .keys = KV | QKVO_BIAS | P3D_KEYS_MLP_BIAS | HEAD_DIM,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 32000, 2048), GATED,
    RMS_NORM(2)}},

{.model_type = "granite_swa",
 .keys = KV | QKVO_BIAS | P3D_KEYS_MLP_BIAS | HEAD_DIM | WINDOW,
 .defaults.model = {OWN, SHAPE(2560, 8192, 24, 20, 4, 100352, 8192), GATED,
    RMS_NORM(2), .attention_sinks = true, .window = 128, TIED}},

{.model_type = "granitemoe",
 .keys = KV | QKVO_BIAS | MOE,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 32000, 2048), GATED,
    RMS_NORM(2), .n_experts = 8, .top_k = 2}},

{.model_type = "granitemoe_swa",
 .keys = KV | QKVO_BIAS | MOE | P3D_KEYS_SHARED_FFN | WINDOW,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 32000, 2048), GATED,
    RMS_NORM(2), .attention_sinks = true, .window = 128, .n_experts = 8,
    .top_k = 2}},

{.model_type = "granitemoeshared",
 .keys = KV | QKVO_BIAS | MOE | P3D_KEYS_SHARED_FFN,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 32000, 2048), GATED,
    RMS_NORM(2), .n_experts = 8, .top_k = 2}},

{.model_type = "helium",
 .keys = HEAD_DIM | QKV_BIAS | P3D_KEYS_MLP_BIAS,
 .defaults.model = {OWN, SHAPE(2560, 7040, 24, 20, 0, 48000, 4096), GATED,
    RMS_NORM(2)}},

{.model_type = "hunyuan_v1_dense",
 .keys = HEAD_DIM | QKVO_BIAS,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 290943, 2048), GATED,
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD}},

{.model_type = "hy_v3",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | SHARED_MOE,
 .defaults = {.n_shared = 1, .first_dense = 1, .model = {OWN, SHAPE(4096,
    13312, 80, 64, 8, 120832, 131072), GATED, RMS_NORM(2),
    .qk_norm = P3D_QK_NORM_HEAD, .router_correction = true, .n_experts = 192,
    .top_k = 8, .expert_ffn = 1536, .head_dim = 128}}},

{.model_type = "hyperclovax", .finish = spec_finish_post_norm,
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | P3D_KEYS_POST_NORM,
 .defaults = {.use_post_norm = true, .model = {OWN, SHAPE(4096, 11008, 32, 32,
    0, 32000, 2048), GATED, RMS_NORM(2)}}},

{.model_type = "internlm3",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | P3D_KEYS_QKV_BIAS_ALONE,
 .defaults.model = {SHAPE(4096, 10240, 48, 32, 2, 128512, 32768), GATED,
    RMS_NORM(2)}},

{.model_type = "iquestcoder",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS,
 .defaults.model = {SHAPE(5120, 27648, 80, 40, 8, 76800, 131072), GATED,
    RMS_NORM(2)}},

{.model_type = "jais2",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS,
 .defaults.model = {OWN, SHAPE(3328, 26624, 32, 26, 0, 150272, 8192),
    LAYER_NORM(2), ALL_BIASES}},

{.model_type = "kolibri1",
 .keys = HEAD_DIM | WINDOW | MOE | P3D_KEYS_EXPERT_FFN | P3D_KEYS_SHARED_FFN,
 .defaults = {.window_period = 4, .model = {OWN, SHAPE(2560, 0, 50, 48, 4,
    128000, 262144), GATED, RMS_NORM(4), .router_correction = true,
    .qk_norm = P3D_QK_NORM_HEAD, .window = 513, .n_experts = 384, .top_k = 6,
    .expert_ffn = 512, .shared_ffn = 512, .head_dim = 128}}},

{.model_type = "mellum",
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | MOE | P3D_KEYS_EXPERT_FFN,
 .defaults.model = {SHAPE(2304, 7168, 28, 32, 4, 98304, 131072), GATED,
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .window = 1024, .n_experts = 64,
    .top_k = 8, .expert_ffn = 896, .head_dim = 128}},

{.model_type = "grok-1",
 .keys = KV | MOE,
 .defaults.model = {OWN, SHAPE(6144, 32768, 64, 48, 8, 131072, 8192), GATED,
    RMS_NORM(4), .n_experts = 8, .top_k = 2, TIED}},

{.model_type = "minicpm3",
 .keys = P3D_KEYS_MLA | QKVO_BIAS | P3D_KEYS_MLP_BIAS,
 .defaults.model = {OWN, SHAPE(2560, 6400, 62, 40, 0, 73448, 32768), GATED,
    RMS_NORM(2), .q_lora_rank = 768, .kv_lora_rank = 256, .qk_nope_dim = 64,
    .qk_rope_dim = 32, .v_head_dim = 64, .head_dim = 32, TIED}},

{.model_type = "minimax_m2",
 .keys = HEAD_DIM | MOE,
 .defaults.model = {OWN, SHAPE(3072, 1536, 62, 48, 8, 200064, 196608), GATED,
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_FULL, .router_correction = true,
    .n_experts = 256, .top_k = 8, .head_dim = 128}},

{.model_type = "ministral",
 .keys = HEAD_DIM | WINDOW,
 .defaults.model = {SHAPE(4096, 14336, 32, 32, 8, 32000, 131072), GATED,
    RMS_NORM(2), .window = 4096}},

{.model_type = "ministral3",
 .keys = HEAD_DIM | WINDOW,
 .defaults.model = {OWN, SHAPE(4096, 14336, 34, 32, 8, 131072, 262144), GATED,
    RMS_NORM(2)}},

{.model_type = "nanochat",
 .keys = KV | QKVO_BIAS,
 .defaults.model = {OWN, SHAPE(768, 8192, 12, 6, 0, 50304, 2048),
    .final_norm = true}},

{.model_type = "nemotron",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS,
 .defaults.model = {SHAPE(6144, 24576, 32, 48, 0, 256000, 4096),
    LAYER_NORM(2), .centered_norms = true,
    .activation = P3D_ACTIVATION_SQUARED_RELU, .rotary.share = 0.5}},

{.model_type = "olmo",
 .keys = KV | QKVO_BIAS,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 50304, 2048), GATED}},

{.model_type = "olmo3",
 .keys = KV | QKVO_BIAS | WINDOW,
 .defaults = {.window_period = 4, .model = {SHAPE(4096, 11008, 32, 32, 0,
    50304, 2048), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_FULL,
    .window = 4096}}},

{.model_type = "olmoe",
 .keys = KV | QKVO_BIAS | MOE,
 .defaults.model = {SHAPE(2048, 2048, 16, 16, 0, 50304, 4096), GATED,
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_FULL, .n_experts = 64, .top_k = 8,
    KEEPS_SCORES}},

{.model_type = "openai-gpt", .finish = spec_finish_no_final_norm,
 .keys = P3D_KEYS_POSITIONS,
 .defaults.model = {OWN, SHAPE(768, 0, 12, 12, 0, 40478, 512), LAYER_NORM(2),
    ALL_BIASES, TIED}},

{.model_type = "persimmon", .finish = spec_finish_qk_norm,
 .keys = P3D_KEYS_QK_NORM,
 .defaults = {.use_qk_norm = true, .model = {OWN, SHAPE(4096, 16384, 36, 64,
    0, 262144, 16384), LAYER_NORM(2), ALL_BIASES}}},

{.model_type = "phimoe",
 .keys = KV | QKVO_BIAS | HEAD_DIM | WINDOW | MOE | P3D_KEYS_HEAD_BIAS,
 .defaults.model = {OWN, SHAPE(4096, 6400, 32, 32, 8, 32064, 131072), GATED,
    LAYER_NORM(2), .n_experts = 16, .top_k = 2}},

{.model_type = "seed_oss",
 .keys = HEAD_DIM | QKV_BIAS | P3D_KEYS_MLP_BIAS | P3D_KEYS_OUT_BIAS,
 .defaults.model = {SHAPE(4096, 27648, 64, 80, 8, 155136, 524288), GATED,
    RMS_NORM(2), .qkv_bias = true, .head_dim = 128}},

{.model_type = "smollm3",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | SWITCH,
 .defaults.model = {OWN, SHAPE(2048, 11008, 36, 16, 4, 128256, 32768), GATED,
    RMS_NORM(2), TIED}},

{.model_type = "solar_open",
 .keys = HEAD_DIM | QKV_BIAS | SHARED_MOE,
 .defaults = {.n_shared = 1, .model = {OWN, SHAPE(4096, 0, 48, 64, 8, 196608,
    131072), GATED, RMS_NORM(2), .router_correction = true, .n_experts = 128,
    .top_k = 8, .expert_ffn = 1280, .head_dim = 128}}},

{.model_type = "stablelm", .finish = spec_finish_parallel,
 .keys = KV | P3D_KEYS_PARALLEL | P3D_KEYS_QK_NORM | P3D_KEYS_QKV_BIAS_ALONE,
 .defaults.model = {OWN, SHAPE(2560, 6912, 32, 32, 0, 50304, 4096), GATED,
    LAYER_NORM(2)}},

{.model_type = "starcoder2",
 .keys = KV | WINDOW | P3D_KEYS_USE_BIAS,
 .defaults.model = {SHAPE(3072, 12288, 30, 24, 2, 49152, 4096), LAYER_NORM(2),
    ALL_BIASES, TIED}},

{.model_type = "vaultgemma",
 .keys = HEAD_DIM | QKVO_BIAS | PERIOD,
 .defaults = {.window_period = 2, .model = {OWN, SHAPE(2304, 9216, 26, 8, 4,
    256000, 8192), GATED, RMS_NORM(2), .window = 4096, .head_dim = 256, TIED}}},

{.model_type = "xglm",
 .defaults.model = {OWN, SHAPE(1024, 4096, 24, 16, 0, 256008, 2048),
    LAYER_NORM(2), ALL_BIASES, TIED}},

{.model_type = "youtu",
 .keys = P3D_KEYS_MLA | QKVO_BIAS,
 .defaults.model = {SHAPE(2048, 6144, 32, 16, 0, 128256, 131072), GATED,
    RMS_NORM(2), .q_lora_rank = 1536, .kv_lora_rank = 512, .qk_nope_dim = 128,
    .qk_rope_dim = 64, .v_head_dim = 128, .head_dim = 64, TIED}},

{.model_type = "bitnet", .finish = spec_finish_sub_norms,
 .keys = KV | QKVO_BIAS,
 .defaults.model = {OWN, SHAPE(2560, 6912, 30, 20, 5, 128256, 2048), GATED,
    RMS_NORM(2)}},

{.model_type = "codegen",
 .defaults.model = {SHAPE(4096, 0, 28, 16, 0, 50400, 2048), LAYER_NORM(1),
    .mlp_bias = true, .head_bias = true, .parallel_block = true}},

{.model_type = "ctrl",
 .defaults.model = {OWN, SHAPE(1280, 8192, 48, 16, 0, 246534, 256),
    LAYER_NORM(2), ALL_BIASES, .head_bias = true, TIED}},

{.model_type = "biogpt",
 .keys = P3D_KEYS_POSITIONS,
 .defaults = {.extra_positions = 2, .model = {OWN, SHAPE(1024, 4096, 24, 16,
    0, 42384, 1024), LAYER_NORM(2), ALL_BIASES, TIED}}},

{.model_type = "dots1",
 .keys = KV | QKVO_BIAS | HEAD_DIM | SHARED_MOE | WINDOW,
 .defaults = {.window_first = 62, .model = {SHAPE(4608, 10944, 62, 32, 0,
    152064, 2048), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD,
    .window = 4096, .router_correction = true, .expert_ffn = 1408,
    KEEPS_SCORES}}},

{.model_type = "apertus",
 .keys = KV | QKVO_BIAS,
 .defaults.model = {OWN, SHAPE(4096, 14336, 32, 32, 0, 131072, 65536),
    RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .layer_scales = 2}},

{.model_type = "diffllama", .finish = spec_finish_diffllama,
 .keys = HEAD_DIM | QKVO_BIAS,
 .defaults.model = {OWN, SHAPE(2048, 8192, 16, 32, 0, 32000, 2048), GATED,
    RMS_NORM(2)}},

{.model_type = "mistral4",
 .keys = DEEPSEEK,
 .defaults = {.n_shared = 1, .model = {SHAPE(4096, 12288, 36, 32, 0, 131072,
    1048576), GATED, RMS_NORM(2), .q_lora_rank = 1024, .kv_lora_rank = 256,
    .qk_nope_dim = 64, .qk_rope_dim = 64, .v_head_dim = 128, .n_experts = 128,
    .top_k = 4, .expert_ffn = 2048}}},

{.model_type = "unlimited_ocr_text",
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | SHARED_MOE | WINDOW,
 .defaults = {.n_shared = 2, .first_dense = 1, .model = {SHAPE(1280, 6848, 12,
    10, 0, 129280, 32768), GATED, RMS_NORM(2), .window = 128, .n_experts = 64,
    .top_k = 6, .expert_ffn = 896, KEEPS_SCORES}}},

{.model_type = "afmoe",
 .keys = HEAD_DIM | WINDOW | SHARED_MOE,
 .defaults = {.n_shared = 2, .first_dense = 1, .window_period = 4,
    .model = {OWN, SHAPE(2048, 6144, 32, 16, 0, 200192, 16384), GATED,
    RMS_NORM(4), .qk_norm = P3D_QK_NORM_HEAD,
    .attention_gate = P3D_GATE_CHANNEL,
    .router_correction = true, .window = 1024, .n_experts = 64, .top_k = 6,
    .expert_ffn = 1408}}},

{.model_type = "laguna", .finish = spec_finish_head_gate,
 .keys = HEAD_DIM | WINDOW | MOE | P3D_KEYS_EXPERT_FFN |
 P3D_KEYS_SHARED_FFN | P3D_KEYS_GATE,
 .defaults = {.first_dense = 1, .has_gate = true, .model = {OWN, SHAPE(2048,
    8192, 40, 48, 8, 100352, 131072), GATED, RMS_NORM(2),
    .qk_norm = P3D_QK_NORM_HEAD, .router_correction = true, .n_experts = 256,
    .top_k = 8, .expert_ffn = 512, .shared_ffn = 512, .head_dim = 128}}},

{.model_type = "muse_glimmer_text",
 .keys = HEAD_DIM | WINDOW,
 .defaults = {.window_period = 4, .model = {OWN, SHAPE(6656, 19968, 52, 32, 2,
    202048, 131072), GATED, RMS_NORM(4), .attention_gate = P3D_GATE_CHANNEL,
    .window = 2048, .head_dim = 128}}},

{.model_type = "emu3_text_model",
 .keys = HEAD_DIM,
 .defaults.model = {SHAPE(4096, 14336, 32, 32, 8, 184622, 9216), GATED,
    RMS_NORM(2)}},

{.model_type = "gemma4_unified_text", .finish = spec_finish_gemma4,
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | P3D_KEYS_GLOBAL,
 .defaults = {.window_period = 6, .model = {OWN, SHAPE(2304, 9216, 30, 8, 4,
    262144, 262144), .head_dim = 256, .full_head_dim = 512, GATED, RMS_NORM(4),
    TIED, .window = 1024, .qk_norm = P3D_QK_NORM_HEAD}}},

{.model_type = "beam", .finish = spec_finish_head_scales,
 .keys = HEAD_DIM | QKVO_BIAS | WINDOW | MOE | P3D_KEYS_EXPERT_FFN,
 .defaults = {.first_dense = 3, .window_period = 6, .model = {OWN, SHAPE(5120,
    20480, 52, 48, 8, 151936, 8192), GATED, RMS_NORM(4), .head_dim = 128,
    .qk_norm = P3D_QK_NORM_HEAD, .attention_gate = P3D_GATE_CHANNEL,
    .router_correction = true, .window = 512, .n_experts = 256, .top_k = 8,
    .expert_ffn = 2560}}},

{.model_type = "step3p5", .finish = spec_finish_step,
 .keys = HEAD_DIM | QKVO_BIAS | P3D_KEYS_MLP_BIAS | WINDOW | MOE |
    P3D_KEYS_EXPERT_FFN | P3D_KEYS_SHARED_FFN | P3D_KEYS_MTP | P3D_KEYS_GATE,
 .defaults = {.first_dense = 3, .model = {OWN, SHAPE(4096, 11264, 45, 64, 8,
    128815, 128000), GATED, RMS_NORM(2), .head_dim = 128,
    .qk_norm = P3D_QK_NORM_HEAD, .attention_gate = P3D_GATE_HEAD,
    .router_correction = true, .n_experts = 288, .top_k = 8, .expert_ffn = 1280,
    .shared_ffn = 1280}}},

/* transformers@v5.23 configuration_minimax_m3_vl.py. */
{.model_type = "minimax_m3_vl_text", .wrapper = "minimax_m3_vl",
 .finish = spec_finish_chosen_blocks,
 .keys = HEAD_DIM | WINDOW | MOE | P3D_KEYS_WIDE | P3D_KEYS_CHOSEN_BLOCKS,
 .defaults = {.wide_ffn = 12288, .model = {OWN, SHAPE(6144, 3072, 60, 64, 4,
    200064, 524288), GATED, RMS_NORM(2), .head_dim = 128,
    .qk_norm = P3D_QK_NORM_HEAD, .router_correction = true, .n_experts = 128,
    .top_k = 4, .index_heads = 4, .index_dim = 128, .sparse = {
    P3D_SPARSE_CHOSEN, 128, 16, 0, 0, 0}}}},

{.model_type = "deepseek_v32", .finish = spec_finish_indexer,
 .keys = DEEPSEEK | P3D_KEYS_INDEX,
 .defaults = {.n_shared = 1, .first_dense = 3, .model = {OWN, SHAPE(7168,
    18432, 61, 128, 0, 129280, 163840), GATED, RMS_NORM(2), MLA(1536),
    .index_heads = 64, .index_dim = 128, .index_topk = 2048,
    .router_correction = true, .n_experts = 256, .top_k = 8, .expert_ffn = 2048,
    .head_dim = 64}}},

{.model_type = "glm_moe_dsa", .finish = spec_finish_indexer,
 .keys = DEEPSEEK | P3D_KEYS_INDEX,
 .defaults = {.n_shared = 1, .first_dense = 3, .model = {OWN, SHAPE(6144,
    12288, 78, 64, 0, 154880, 202752), GATED, RMS_NORM(2), .q_lora_rank = 2048,
    .kv_lora_rank = 512, .qk_nope_dim = 192, .qk_rope_dim = 64,
    .v_head_dim = 256, .index_heads = 32, .index_dim = 128, .index_topk = 2048,
    .router_correction = true, .n_experts = 256, .top_k = 8, .expert_ffn = 2048,
    .head_dim = 64}}},

{.model_type = "qwen3_omni_moe_text",
 .keys = HEAD_DIM | QKVO_BIAS | SWITCH | QWEN_MOE,
 .defaults = {.floor_head_dim = true, .moe_period = 1, .model =
    {SHAPE(2048, 18944, 28, 28, 4, 3584, 32768),
    GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD, .window = 4096,
    .n_experts = 128, .top_k = 8, .expert_ffn = 768, KEEPS_SCORES}}},

{.model_type = "hunyuan_v1_moe",
 .keys = HEAD_DIM | QKVO_BIAS | MOE,
 .defaults = {.n_shared = 1, .model = {OWN, SHAPE(4096, 11008, 32, 32, 0,
    290943, 2048), GATED, RMS_NORM(2), .qk_norm = P3D_QK_NORM_HEAD,
    .n_experts = 1, .top_k = 1}}},

{.model_type = "axk1",
 .keys = DEEPSEEK,
 .defaults = {.n_shared = 1, .first_dense = 1, .model = {OWN, SHAPE(7168,
    18432, 61, 64, 0, 163840, 32768), GATED, RMS_NORM(2), MLA(1536),
    .expert_norm = true, .router_correction = true, .n_experts = 192,
    .top_k = 8, .expert_ffn = 2048}}},

{.model_type = "moshi", .finish = spec_finish_halved,
 .keys = HEAD_DIM | WINDOW,
 .defaults.model = {OWN, SHAPE(4096, 22528, 32, 32, 0, 32000, 3000), GATED,
    RMS_NORM(2), .window = 3000, .extra_embeddings = 1}},

{.model_type = "gpt_neox_japanese", .finish = spec_finish_japanese,
 .defaults.model = {OWN, SHAPE(2560, 0, 32, 32, 0, 32000, 2048),
    LAYER_NORM(2), .extra_embeddings = 1, TIED}},

/* Classes of published checkpoints' own. Source: the files of the repositories
 * that their names say, modeling_<family>.py. */
{.model_type = "qwen", .finish = spec_finish_qwen,
 .keys = P3D_KEYS_QWEN,
 .defaults.model = {SHAPE(4096, 22016, 32, 32, 0, 151936, 8192), GATED,
    RMS_NORM(2), .qkv_bias = true}},

{.model_type = "baichuan",
 .keys = P3D_KEYS_LENGTH,
 .defaults.model = {SHAPE(4096, 11008, 32, 32, 0, 125696, 4096), GATED,
    RMS_NORM(2)}},

{.model_type = "internlm",
 .keys = P3D_KEYS_BIAS,
 .defaults.model = {SHAPE(4096, 11008, 32, 32, 0, 103168, 2048), GATED,
    RMS_NORM(2), .qkv_bias = true, .o_bias = true}},

{.model_type = "internlm2",
 .keys = KV | P3D_KEYS_BIAS,
 .defaults.model = {SHAPE(4096, 11008, 32, 32, 0, 103168, 2048), GATED,
    RMS_NORM(2), .qkv_bias = true, .o_bias = true}},

{.model_type = "chatglm", .finish = spec_finish_chatglm,
 .keys = P3D_KEYS_CHATGLM,
 .defaults.model = {SHAPE(4096, 13696, 28, 32, 1, 65024, 2048), GATED,
    RMS_NORM(2), .head_dim = 128,
    .rotary = {.share = 0.5, .interleaved = true}}},

{.model_type = "minicpm",
 .keys = KV | QKVO_BIAS | MOE,
 .defaults.model = {OWN, SHAPE(4096, 11008, 32, 32, 0, 32000, 2048), GATED,
    RMS_NORM(2), TIED}},

{.model_type = "deepseek",
 .keys = KV | QKVO_BIAS | SHARED_MOE,
 .defaults.model = {SHAPE(4096, 11008, 30, 32, 0, 102400, 2048), GATED,
    RMS_NORM(2), .expert_ffn = 1407, KEEPS_SCORES}},

{.model_type = "exaone",
 .keys = HEAD_DIM,
 .defaults.model = {SHAPE(2048, 0, 32, 32, 0, 102400, 2048), GATED,
    RMS_NORM(2), TIED}},

{.model_type = "bailing_moe", .finish = spec_finish_bailing,
 .keys = HEAD_DIM | SHARED_MOE | P3D_KEYS_SHARED_FFN | P3D_KEYS_MTP |
    P3D_KEYS_BAILING | P3D_KEYS_QK_NORM,
 .defaults.model = {SHAPE(2048, 5632, 28, 16, 0, 126464, 16384), GATED,
    RMS_NORM(2), .n_experts = 64, .top_k = 6, .expert_ffn = 1408}},

{.model_type = "bailing_moe_v2", .finish = spec_finish_bailing,
 .keys = HEAD_DIM | SHARED_MOE | P3D_KEYS_SHARED_FFN | P3D_KEYS_MTP |
    P3D_KEYS_BAILING | P3D_KEYS_QK_NORM,
 .defaults = {.use_qk_norm = true, .n_shared = 1, .first_dense = 1,
    .model = {SHAPE(2048, 5120, 20, 16, 4, 157184, 32768), GATED, RMS_NORM(2),
    .router_correction = true, .n_experts = 256, .top_k = 8,
    .expert_ffn = 512, .head_dim = 128, .router.scale = 2.5,
    .rotary.share = 0.5}}},

{.model_type = "mimo",
 .keys = HEAD_DIM | SWITCH_AT | QKV_BIAS | P3D_KEYS_MTP,
 .defaults = {.window_first = 28, .model = {SHAPE(4096, 11008, 36, 32, 8,
    151680, 32768), GATED, RMS_NORM(2), .qkv_bias = true, .window = 4096}}},
};
/* clang-format on */

const spec_family_table spec_attention_families = {rows, P3D_COUNT_OF(rows)};
