/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_families.c - the parameters of families with the sizes of their classes,
 * as transformers 5.23.0 counts them on the meta device (tests/frameworks/
 * check_configurations.py). */
#include "test.h"

#include "base/util.h"
#include "plan3d/model.h"
#include "plan3d/workload.h"

typedef struct counted {
    const char *config;
    int64_t parameters;
} counted;

/* clang-format off */
static const counted families[] = {
    /* 5.24.0 */
    {"{\"model_type\": \"sarvam_moe\", \"hidden_size\": 4096, "
     "\"intermediate_size\": 8192, \"num_hidden_layers\": 19, "
     "\"num_attention_heads\": 64, \"num_key_value_heads\": 4, "
     "\"vocab_size\": 262144, \"first_k_dense_replace\": 1, "
     "\"moe_intermediate_size\": 1024, \"n_routed_experts\": 128, "
     "\"n_shared_experts\": 1, \"num_experts_per_tok\": 6, "
     "\"head_dim\": 64, \"use_qk_norm\": true}",
     INT64_C(32152650368)},
    {"{\"model_type\": \"sarvam_mla\", \"hidden_size\": 4096, "
     "\"intermediate_size\": 16384, \"num_hidden_layers\": 32, "
     "\"num_attention_heads\": 64, \"num_key_value_heads\": 64, "
     "\"vocab_size\": 262144, \"first_k_dense_replace\": 1, "
     "\"moe_intermediate_size\": 2048, \"n_routed_experts\": 128, "
     "\"n_shared_experts\": 1, \"num_experts_per_tok\": 8, "
     "\"kv_lora_rank\": 512, \"q_lora_rank\": null, "
     "\"qk_nope_head_dim\": 128, \"qk_rope_head_dim\": 64, "
     "\"v_head_dim\": 128}",
     INT64_C(106031767424)},
    {"{\"model_type\": \"arcee\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(4022766080)},
    {"{\"model_type\": \"aria_text\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(18517069824)},
    {"{\"model_type\": \"cohere\", \"hidden_size\": 8192, "
     "\"num_hidden_layers\": 40, \"num_attention_heads\": 64, "
     "\"vocab_size\": 256000}",
     INT64_C(34980831232)},
    {"{\"model_type\": \"cohere2\", \"hidden_size\": 8192, "
     "\"num_hidden_layers\": 40, \"num_attention_heads\": 64, "
     "\"vocab_size\": 256000}",
     INT64_C(34980831232)},
    {"{\"model_type\": \"cohere2_moe\", \"hidden_size\": 8192, "
     "\"num_hidden_layers\": 40, \"num_attention_heads\": 64, "
     "\"vocab_size\": 256000}",
     INT64_C(190004928512)},
    {"{\"model_type\": \"cwm\", \"hidden_size\": 6144, "
     "\"num_hidden_layers\": 64, \"num_attention_heads\": 48, "
     "\"vocab_size\": 128256}",
     INT64_C(32581097472)},
    {"{\"model_type\": \"ernie4_5\", \"hidden_size\": 1024, "
     "\"num_hidden_layers\": 18, \"num_attention_heads\": 16, "
     "\"vocab_size\": 103424}",
     INT64_C(360748032)},
    {"{\"model_type\": \"ernie4_5_moe\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 28, \"num_attention_heads\": 20, "
     "\"vocab_size\": 103424}",
     INT64_C(21825437888)},
    {"{\"model_type\": \"exaone4\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 102400}",
     INT64_C(9429069824)},
    {"{\"model_type\": \"exaone_moe\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 102400}",
     INT64_C(28550641600)},
    {"{\"model_type\": \"flex_olmo\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 100352}",
     INT64_C(33270665216)},
    {"{\"model_type\": \"flint\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 49, \"num_attention_heads\": 32, "
     "\"vocab_size\": 150144}",
     INT64_C(39785287456)},
    {"{\"model_type\": \"glm\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 40, \"num_attention_heads\": 32, "
     "\"vocab_size\": 151552}",
     INT64_C(9399951360)},
    {"{\"model_type\": \"glm4_moe_lite\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 47, \"num_attention_heads\": 20, "
     "\"vocab_size\": 154880}",
     INT64_C(29943393920)},
    {"{\"model_type\": \"gpt_bigcode\", \"n_embd\": 768, "
     "\"n_layer\": 12, \"n_head\": 12, \"vocab_size\": 50257}",
     INT64_C(111446784)},
    {"{\"model_type\": \"gpt_neo\", \"hidden_size\": 2048, "
     "\"num_layers\": 24, \"num_heads\": 16, \"vocab_size\": 50257}",
     INT64_C(1315575808)},
    {"{\"model_type\": \"granite\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(6738415616)},
    {"{\"model_type\": \"granite_swa\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 24, \"num_attention_heads\": 20, "
     "\"vocab_size\": 100352}",
     INT64_C(2144463840)},
    {"{\"model_type\": \"granitemoe\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(37039116288)},
    {"{\"model_type\": \"granitemoe_swa\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(37039117312)},
    {"{\"model_type\": \"granitemoeshared\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(37039116288)},
    {"{\"model_type\": \"helium\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 24, \"num_attention_heads\": 20, "
     "\"vocab_size\": 48000}",
     INT64_C(2172643840)},
    {"{\"model_type\": \"hy_v3\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 80, \"num_attention_heads\": 64, "
     "\"vocab_size\": 120832}",
     INT64_C(295033543488)},
    {"{\"model_type\": \"hyperclovax\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(6738677760)},
    {"{\"model_type\": \"internlm3\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 48, \"num_attention_heads\": 32, "
     "\"vocab_size\": 128512}",
     INT64_C(8804241408)},
    {"{\"model_type\": \"iquestcoder\", \"hidden_size\": 5120, "
     "\"num_hidden_layers\": 80, \"num_attention_heads\": 40, "
     "\"vocab_size\": 76800}",
     INT64_C(39794283520)},
    {"{\"model_type\": \"jais2\", \"hidden_size\": 3328, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 26, "
     "\"vocab_size\": 150272}",
     INT64_C(8090401280)},
    {"{\"model_type\": \"kolibri1\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 50, \"num_attention_heads\": 48, "
     "\"vocab_size\": 128000}",
     INT64_C(78103074560)},
    {"{\"model_type\": \"mellum\", \"hidden_size\": 2304, "
     "\"num_hidden_layers\": 28, \"num_attention_heads\": 32, "
     "\"vocab_size\": 98304}",
     INT64_C(12149923072)},
    {"{\"model_type\": \"grok-1\", \"hidden_size\": 6144, "
     "\"num_hidden_layers\": 64, \"num_attention_heads\": 48, "
     "\"vocab_size\": 131072}",
     INT64_C(315684820992)},
    {"{\"model_type\": \"minicpm3\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 62, \"num_attention_heads\": 40, "
     "\"vocab_size\": 73448}",
     INT64_C(4073875968)},
    {"{\"model_type\": \"minimax_m2\", \"hidden_size\": 3072, "
     "\"num_hidden_layers\": 62, \"num_attention_heads\": 48, "
     "\"vocab_size\": 200064}",
     INT64_C(228689764864)},
    {"{\"model_type\": \"ministral3\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 34, \"num_attention_heads\": 32, "
     "\"vocab_size\": 131072}",
     INT64_C(8489553920)},
    {"{\"model_type\": \"nanochat\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 12, \"num_attention_heads\": 6, "
     "\"vocab_size\": 50304}",
     INT64_C(256573440)},
    {"{\"model_type\": \"olmo\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 50304}",
     INT64_C(6888095744)},
    {"{\"model_type\": \"olmo3\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 50304}",
     INT64_C(6888624128)},
    {"{\"model_type\": \"olmoe\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 16, \"num_attention_heads\": 16, "
     "\"vocab_size\": 50304}",
     INT64_C(13361612800)},
    {"{\"model_type\": \"openai-gpt\", \"n_embd\": 768, "
     "\"n_layer\": 12, \"n_head\": 12, \"vocab_size\": 40478}",
     INT64_C(116534784)},
    {"{\"model_type\": \"persimmon\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 36, \"num_attention_heads\": 64, "
     "\"vocab_size\": 262144}",
     INT64_C(9397175296)},
    {"{\"model_type\": \"phimoe\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32064}",
     INT64_C(41872793600)},
    {"{\"model_type\": \"seed_oss\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 64, \"num_attention_heads\": 80, "
     "\"vocab_size\": 155136}",
     INT64_C(28921040896)},
    {"{\"model_type\": \"smollm3\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 36, \"num_attention_heads\": 16, "
     "\"vocab_size\": 128256}",
     INT64_C(3075098624)},
    {"{\"model_type\": \"solar_open\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 48, \"num_attention_heads\": 64, "
     "\"vocab_size\": 196608}",
     INT64_C(102651799552)},
    {"{\"model_type\": \"stablelm\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 50304}",
     INT64_C(2795443200)},
    {"{\"model_type\": \"starcoder2\", \"hidden_size\": 3072, "
     "\"num_hidden_layers\": 30, \"num_attention_heads\": 24, "
     "\"vocab_size\": 49152}",
     INT64_C(3030371328)},
    {"{\"model_type\": \"vaultgemma\", \"hidden_size\": 2304, "
     "\"num_hidden_layers\": 26, \"num_attention_heads\": 8, "
     "\"vocab_size\": 256000}",
     INT64_C(2614222080)},
    {"{\"model_type\": \"xglm\", \"d_model\": 1024, \"num_layers\": 24, "
     "\"attention_heads\": 16, \"vocab_size\": 256008}",
     INT64_C(564463616)},
    {"{\"model_type\": \"youtu\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 16, "
     "\"vocab_size\": 128256}",
     INT64_C(1961560064)},
    {"{\"model_type\": \"bitnet\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 30, \"num_attention_heads\": 20, "
     "\"vocab_size\": 128256}",
     INT64_C(2741155840)},
    {"{\"model_type\": \"codegen\", \"n_embd\": 4096, \"n_layer\": 28, "
     "\"n_head\": 16, \"vocab_size\": 50400}",
     INT64_C(6050882784)},
    {"{\"model_type\": \"ctrl\", \"n_embd\": 1280, \"n_layer\": 48, "
     "\"n_head\": 16, \"vocab_size\": 246534}",
     INT64_C(1637964550)},
    {"{\"model_type\": \"biogpt\", \"hidden_size\": 1024, "
     "\"num_hidden_layers\": 24, \"num_attention_heads\": 16, "
     "\"vocab_size\": 42384}",
     INT64_C(346763264)},
    {"{\"model_type\": \"apertus\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 131072}",
     INT64_C(6979596352)},
    {"{\"model_type\": \"diffllama\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 16, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(1204885504)},
    {"{\"model_type\": \"qwen3_next\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 48, \"num_attention_heads\": 16, "
     "\"vocab_size\": 151936}",
     INT64_C(79674391296)},
    {"{\"model_type\": \"qwen3_5_text\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 16, "
     "\"vocab_size\": 248320}",
     INT64_C(8953803264)},
    {"{\"model_type\": \"qwen3_5_moe_text\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 40, \"num_attention_heads\": 16, "
     "\"vocab_size\": 248320}",
     INT64_C(34660610688)},
    {"{\"model_type\": \"olmo_hybrid\", \"hidden_size\": 3840, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 30, "
     "\"vocab_size\": 100352}",
     INT64_C(7430870688)},
    {"{\"model_type\": \"bailing_hybrid\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 42, \"num_attention_heads\": 32, "
     "\"vocab_size\": 157184}",
     INT64_C(124414211552)},
    {"{\"model_type\": \"minimax\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(47373946880)},
    {"{\"model_type\": \"lfm2\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 65536}",
     INT64_C(2705497600)},
    {"{\"model_type\": \"mamba2\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 64, \"num_heads\": 128, "
     "\"vocab_size\": 32768}",
     INT64_C(7285403648)},
    {"{\"model_type\": \"mamba\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 32, \"vocab_size\": 50280}",
     INT64_C(159308544)},
    {"{\"model_type\": \"falcon_mamba\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 32, \"vocab_size\": 50280}",
     INT64_C(159308544)},
    {"{\"model_type\": \"jamba\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 65536}",
     INT64_C(51570323328)},
    {"{\"model_type\": \"bamba\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 128000}",
     INT64_C(9992765440)},
    {"{\"model_type\": \"granitemoehybrid\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(38601064448)},
    {"{\"model_type\": \"afmoe\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 16, "
     "\"vocab_size\": 200192}",
     INT64_C(19232600000)},
    {"{\"model_type\": \"laguna\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 40, \"num_attention_heads\": 48, "
     "\"vocab_size\": 100352}",
     INT64_C(33189975808)},
    {"{\"model_type\": \"deepseek_v32\", \"hidden_size\": 7168, "
     "\"num_hidden_layers\": 61, \"num_attention_heads\": 128, "
     "\"vocab_size\": 129280}",
     INT64_C(671877944064)},
    {"{\"model_type\": \"glm_moe_dsa\", \"hidden_size\": 6144, "
     "\"num_hidden_layers\": 78, \"num_attention_heads\": 64, "
     "\"vocab_size\": 154880}",
     INT64_C(743911218432)},
    {"{\"model_type\": \"bert\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 12, \"num_attention_heads\": 12, "
     "\"vocab_size\": 30522}",
     INT64_C(109514298)},
    {"{\"model_type\": \"bert-generation\", \"hidden_size\": 1024, "
     "\"num_hidden_layers\": 24, \"num_attention_heads\": 16, "
     "\"vocab_size\": 50358}",
     INT64_C(354452662)},
    {"{\"model_type\": \"megatron-bert\", \"hidden_size\": 1024, "
     "\"num_hidden_layers\": 24, \"num_attention_heads\": 16, "
     "\"vocab_size\": 29056}",
     INT64_C(333671808)},
    {"{\"model_type\": \"roberta-prelayernorm\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 12, \"num_attention_heads\": 12, "
     "\"vocab_size\": 50265}",
     INT64_C(124698201)},
    {"{\"model_type\": \"xlm\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 12, \"num_attention_heads\": 16, "
     "\"vocab_size\": 30145}",
     INT64_C(667119041)},
    {"{\"model_type\": \"emu3_text_model\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 184622}",
     INT64_C(8492011520)},
    {"{\"model_type\": \"gemma4_unified_text\", \"hidden_size\": 2304, "
     "\"num_hidden_layers\": 30, \"num_attention_heads\": 8, "
     "\"vocab_size\": 262144}",
     INT64_C(3010758400)},
    {"{\"model_type\": \"gemma4_text\", \"hidden_size\": 2304, "
     "\"num_hidden_layers\": 30, \"num_attention_heads\": 8, "
     "\"vocab_size\": 262144}",
     INT64_C(5077177856)},
    {"{\"model_type\": \"beam\", \"hidden_size\": 5120, "
     "\"num_hidden_layers\": 52, \"num_attention_heads\": 48, "
     "\"vocab_size\": 151936}",
     INT64_C(501267612352)},
    {"{\"model_type\": \"step3p5\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 45, \"num_attention_heads\": 64, "
     "\"vocab_size\": 128815}",
     INT64_C(195843845184)},
    {"{\"model_type\": \"minimax_m3_vl_text\", \"hidden_size\": 6144, "
     "\"num_hidden_layers\": 60, \"num_attention_heads\": 64, "
     "\"vocab_size\": 200064}",
     INT64_C(447186448896)},
    {"{\"model_type\": \"electra\", \"hidden_size\": 256, "
     "\"num_hidden_layers\": 12, \"num_attention_heads\": 4, "
     "\"vocab_size\": 30522}",
     INT64_C(13546682)},
    {"{\"model_type\": \"big_bird\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 12, \"num_attention_heads\": 12, "
     "\"vocab_size\": 50358}",
     INT64_C(128111286)},
    {"{\"model_type\": \"roformer\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 12, \"num_attention_heads\": 12, "
     "\"vocab_size\": 50000}",
     INT64_C(124197968)},
    {"{\"model_type\": \"rembert\", \"hidden_size\": 1152, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 18, "
     "\"vocab_size\": 250300}",
     INT64_C(993263548)},
    {"{\"model_type\": \"modernbert-decoder\", \"hidden_size\": 768, "
     "\"num_hidden_layers\": 22, \"num_attention_heads\": 12, "
     "\"vocab_size\": 50368}",
     INT64_C(149655232)},
    {"{\"model_type\": \"gpt_neox_japanese\", \"hidden_size\": 2560, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(2598837760)},
    {"{\"model_type\": \"bart\", \"d_model\": 1024, "
     "\"decoder_layers\": 12, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 50265}",
     INT64_C(254084096)},
    {"{\"model_type\": \"bigbird_pegasus\", \"d_model\": 1024, "
     "\"decoder_layers\": 16, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 96103}",
     INT64_C(469630976)},
    {"{\"model_type\": \"blenderbot\", \"d_model\": 2560, "
     "\"decoder_layers\": 24, \"decoder_attention_heads\": 32, "
     "\"vocab_size\": 8008}",
     INT64_C(2538583040)},
    {"{\"model_type\": \"blenderbot-small\", \"d_model\": 512, "
     "\"decoder_layers\": 8, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 50265}",
     INT64_C(59631104)},
    {"{\"model_type\": \"marian\", \"d_model\": 1024, "
     "\"decoder_layers\": 12, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 58101}",
     INT64_C(262104064)},
    {"{\"model_type\": \"mbart\", \"d_model\": 1024, "
     "\"decoder_layers\": 12, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 50265}",
     INT64_C(254086144)},
    {"{\"model_type\": \"mvp\", \"d_model\": 1024, "
     "\"decoder_layers\": 12, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 50267}",
     INT64_C(254086144)},
    {"{\"model_type\": \"pegasus\", \"d_model\": 1024, "
     "\"decoder_layers\": 12, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 50265}",
     INT64_C(254082048)},
    {"{\"model_type\": \"plbart\", \"d_model\": 768, "
     "\"decoder_layers\": 6, \"decoder_attention_heads\": 12, "
     "\"vocab_size\": 50005}",
     INT64_C(95904000)},
    {"{\"model_type\": \"trocr\", \"d_model\": 1024, "
     "\"decoder_layers\": 12, \"decoder_attention_heads\": 16, "
     "\"vocab_size\": 50265}",
     INT64_C(253559808)},
    {"{\"model_type\": \"whisper\", \"d_model\": 384, "
     "\"decoder_layers\": 4, \"decoder_attention_heads\": 6, "
     "\"vocab_size\": 51865}",
     INT64_C(29552256)},
    {"{\"model_type\": \"moshi\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 32000}",
     INT64_C(6839083008)},
    {"{\"model_type\": \"falcon_h1\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 128000}",
     INT64_C(8514961408)},
    {"{\"model_type\": \"hunyuan_v1_moe\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 290943}",
     INT64_C(13188337664)},
    {"{\"model_type\": \"axk1\", \"hidden_size\": 7168, "
     "\"num_hidden_layers\": 61, \"num_attention_heads\": 64, "
     "\"vocab_size\": 163840}",
     INT64_C(518983063808)},
    {"{\"model_type\": \"gemma3n_text\", \"hidden_size\": 2048, "
     "\"num_hidden_layers\": 35, \"num_attention_heads\": 8, "
     "\"vocab_size\": 262400}",
     INT64_C(6835235568)},
    /* By hand from the shapes of classes that are not in transformers. */
    {"{\"model_type\": \"minicpm\", \"hidden_size\": 4096, "
     "\"intermediate_size\": 16384, \"num_hidden_layers\": 32, "
     "\"num_attention_heads\": 32, \"num_key_value_heads\": 2, "
     "\"tie_word_embeddings\": false, \"vocab_size\": 73448}",
     INT64_C(8185253888)},
    {"{\"model_type\": \"baichuan\", \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 64000}",
     INT64_C(7000559616)},
    {"{\"model_type\": \"internlm\", \"bias\": true, \"hidden_size\": 4096, "
     "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
     "\"vocab_size\": 103168}",
     INT64_C(7321948160)},
    /* 64 x 3 x 64 + 3 x 64; 64 x 64 + 64; 3 x 64 x 48 + 2 x 48 + 64. */
    {"{\"model_type\": \"qwen\", \"no_bias\": false, \"hidden_size\": 64, "
     "\"intermediate_size\": 96, \"kv_channels\": 16, "
     "\"num_hidden_layers\": 1, \"num_attention_heads\": 4, "
     "\"vocab_size\": 100}",
     2 * 6400 + 12288 + 192 + 4160 + 9216 + 160 + 3 * 64},
    /* 4 x 64 x 64 + 4 x 64; 3 x 64 x 96 + 2 x 96 + 64; LayerNorm, two of it. */
    {"{\"model_type\": \"chatglm\", \"add_bias_linear\": true, "
     "\"rmsnorm\": false, \"post_layer_norm\": false, \"hidden_size\": 64, "
     "\"ffn_hidden_size\": 96, \"kv_channels\": 16, \"num_layers\": 1, "
     "\"num_attention_heads\": 4, \"padded_vocab_size\": 100}",
     2 * 6400 + 16384 + 256 + 18432 + 256 + 2 * 2 * 64},
};
/* clang-format on */

static void classes_have_the_parameters_that_transformers_counts(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(families); i++) {
        p3d_model model;
        p3d_error err = {0};

        if (!p3d_model_parse("config.json", families[i].config, &model, &err))
            fail_msg("%s: %s", families[i].config, err.text);
        if (p3d_total_params(&model) != families[i].parameters)
            fail_msg("%s: %lld instead of %lld", families[i].config,
                    (long long)p3d_total_params(&model),
                    (long long)families[i].parameters);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(
                    classes_have_the_parameters_that_transformers_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
