/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model.c - config.json of real models, and what families mean. */
#include "model_files.h"

#include "plan3d/workload.h"

static void check_total(const p3d_model *model, int64_t want)
{
    const int64_t got = p3d_total_params(model);

    if (got != want)
        fail_msg("%lld instead of %lld", (long long)got, (long long)want);
}

static bool is_windowed(const p3d_model *model, int layer)
{
    return (model->layer_kind[layer] & P3D_LAYER_WINDOWED) != 0;
}

/* clang-format off */

/* Files as they lie on the Hugging Face Hub. */
static const char llama_3_1_8b[] =
"{\n"
"  \"architectures\": [\"LlamaForCausalLM\"],\n"
"  \"attention_bias\": false,\n"
"  \"attention_dropout\": 0.0,\n"
"  \"bos_token_id\": 128000,\n"
"  \"eos_token_id\": 128001,\n"
"  \"hidden_act\": \"silu\",\n"
"  \"hidden_size\": 4096,\n"
"  \"initializer_range\": 0.02,\n"
"  \"intermediate_size\": 14336,\n"
"  \"max_position_embeddings\": 131072,\n"
"  \"mlp_bias\": false,\n"
"  \"model_type\": \"llama\",\n"
"  \"num_attention_heads\": 32,\n"
"  \"num_hidden_layers\": 32,\n"
"  \"num_key_value_heads\": 8,\n"
"  \"pretraining_tp\": 1,\n"
"  \"rms_norm_eps\": 1e-05,\n"
"  \"rope_scaling\": {\n"
"    \"factor\": 8.0,\n"
"    \"low_freq_factor\": 1.0,\n"
"    \"high_freq_factor\": 4.0,\n"
"    \"original_max_position_embeddings\": 8192,\n"
"    \"rope_type\": \"llama3\"\n"
"  },\n"
"  \"rope_theta\": 500000.0,\n"
"  \"tie_word_embeddings\": false,\n"
"  \"torch_dtype\": \"bfloat16\",\n"
"  \"transformers_version\": \"4.43.0.dev0\",\n"
"  \"use_cache\": true,\n"
"  \"vocab_size\": 128256\n"
"}\n";

/* The same as transformers v5 writes it. */
static const char llama_3_1_8b_v5[] =
"{\"architectures\": [\"LlamaForCausalLM\"], \"attention_bias\": false,"
" \"attention_dropout\": 0.0, \"bos_token_id\": 128000,"
" \"dtype\": \"bfloat16\","
" \"eos_token_id\": 128001, \"head_dim\": 128, \"hidden_act\": \"silu\","
" \"hidden_size\": 4096, \"initializer_range\": 0.02,"
" \"intermediate_size\": 14336, \"max_position_embeddings\": 131072,"
" \"mlp_bias\": false, \"model_type\": \"llama\", \"num_attention_heads\": 32,"
" \"num_hidden_layers\": 32, \"num_key_value_heads\": 8,"
" \"pad_token_id\": null, \"pretraining_tp\": 1, \"rms_norm_eps\": 1e-05,"
" \"rope_parameters\": {\"factor\": 8.0, \"high_freq_factor\": 4.0,"
" \"low_freq_factor\": 1.0, \"original_max_position_embeddings\": 8192,"
" \"rope_theta\": 500000.0, \"rope_type\": \"llama3\"},"
" \"tie_word_embeddings\": false, \"transformers_version\": \"5.0.0\","
" \"use_cache\": true, \"vocab_size\": 128256}\n";

static const char deepseek_v3[] =
"{\"architectures\": [\"DeepseekV3ForCausalLM\"], \"attention_bias\": false,"
" \"attention_dropout\": 0.0, \"auto_map\": {\"AutoConfig\":"
" \"configuration_deepseek.DeepseekV3Config\"}, \"bos_token_id\": 0,"
" \"eos_token_id\": 1, \"ep_size\": 1, \"first_k_dense_replace\": 3,"
" \"hidden_act\": \"silu\", \"hidden_size\": 7168,"
" \"initializer_range\": 0.02, \"intermediate_size\": 18432,"
" \"kv_lora_rank\": 512, \"max_position_embeddings\": 163840,"
" \"model_type\": \"deepseek_v3\", \"moe_intermediate_size\": 2048,"
" \"moe_layer_freq\": 1, \"n_group\": 8, \"n_routed_experts\": 256,"
" \"n_shared_experts\": 1, \"norm_topk_prob\": true,"
" \"num_attention_heads\": 128, \"num_experts_per_tok\": 8,"
" \"num_hidden_layers\": 61, \"num_key_value_heads\": 128,"
" \"num_nextn_predict_layers\": 1, \"q_lora_rank\": 1536,"
" \"qk_nope_head_dim\": 128, \"qk_rope_head_dim\": 64,"
" \"quantization_config\": {\"activation_scheme\": \"dynamic\","
" \"fmt\": \"e4m3\", \"quant_method\": \"fp8\","
" \"weight_block_size\": [128, 128]}, \"rms_norm_eps\": 1e-06,"
" \"rope_scaling\": {\"beta_fast\": 32, \"beta_slow\": 1, \"factor\": 40,"
" \"mscale\": 1.0, \"mscale_all_dim\": 1.0,"
" \"original_max_position_embeddings\": 4096, \"type\": \"yarn\"},"
" \"rope_theta\": 10000, \"routed_scaling_factor\": 2.5,"
" \"scoring_func\": \"sigmoid\", \"tie_word_embeddings\": false,"
" \"topk_group\": 4, \"topk_method\": \"noaux_tc\","
" \"torch_dtype\": \"bfloat16\", \"transformers_version\": \"4.33.1\","
" \"use_cache\": true, \"v_head_dim\": 128, \"vocab_size\": 129280}\n";

static const char qwen2_7b[] =
"{\"architectures\": [\"Qwen2ForCausalLM\"], \"attention_dropout\": 0.0,"
" \"_name_or_path\": \"/data/checkpoints/Qwen2-7B/\","
" \"bos_token_id\": 151643, \"eos_token_id\": 151643,"
" \"hidden_act\": \"silu\", \"hidden_size\": 3584,"
" \"initializer_range\": 0.02, \"intermediate_size\": 18944,"
" \"max_position_embeddings\": 131072, \"max_window_layers\": 28,"
" \"model_type\": \"qwen2\", \"num_attention_heads\": 28,"
" \"num_hidden_layers\": 28, \"num_key_value_heads\": 4,"
" \"rms_norm_eps\": 1e-06, \"rope_theta\": 1000000.0,"
" \"sliding_window\": null, \"tie_word_embeddings\": false,"
" \"torch_dtype\": \"bfloat16\", \"use_sliding_window\": false,"
" \"vocab_size\": 152064}\n";

/* Its text_config holds only what differs from the class. */
static const char gemma_3_4b[] =
"{\"architectures\": [\"Gemma3ForConditionalGeneration\"],"
" \"boi_token_index\": 255999, \"eoi_token_index\": 256000,"
" \"model_type\": \"gemma3\", \"mm_tokens_per_image\": 256,"
" \"text_config\": {\"hidden_size\": 2560, \"intermediate_size\": 10240,"
" \"model_type\": \"gemma3_text\", \"num_hidden_layers\": 34,"
" \"rope_scaling\": {\"factor\": 8.0, \"rope_type\": \"linear\"},"
" \"sliding_window\": 1024}, \"torch_dtype\": \"bfloat16\","
" \"vision_config\": {\"hidden_size\": 1152, \"num_hidden_layers\": 27}}\n";

/* clang-format on */

static void a_config_of_llama_3_1_loads(void **state)
{
    const p3d_model model = load(llama_3_1_8b);

    (void)state;
    check_total(&model, INT64_C(8030261248));
    assert_string_equal(model.family, "llama");
    assert_int_equal(model.head_dim, 128);
    assert_int_equal(model.max_positions, 131072);
    assert_int_equal(model.learned_positions, 0);
    assert_int_equal(p3d_model_count_layers(&model, 0), 32);
    assert_false(p3d_model_is_mla(&model));
    CHECK_REL(model.rotary.base, 500000, 1e-15);
    CHECK_REL(model.rotary.factor, 8, 1e-15);
    CHECK_REL(model.norm_epsilon, 1e-5, 1e-15);
}

static void a_config_in_the_form_of_version_5_loads(void **state)
{
    const p3d_model model = load(llama_3_1_8b_v5);

    (void)state;
    check_total(&model, INT64_C(8030261248));
    assert_int_equal(model.n_kv_heads, 8);
    CHECK_REL(model.rotary.base, 500000, 1e-15);
    CHECK_REL(model.rotary.factor, 8, 1e-15);
}

static void a_config_of_deepseek_v3_loads(void **state)
{
    const p3d_model model = load(deepseek_v3);

    (void)state;
    check_total(&model, INT64_C(671026419200));
    assert_true(p3d_model_is_mla(&model));
    assert_int_equal(model.head_dim, 192);
    assert_int_equal(model.v_head_dim, 128);
    assert_int_equal(model.n_kv_heads, 128);
    assert_int_equal(model.shared_ffn, 2048);
    assert_int_equal(model.n_mtp_layers, 1);
    assert_int_equal(p3d_model_count_layers(&model, 0), 3);
    assert_int_equal(p3d_model_count_layers(&model, P3D_LAYER_MOE), 58);
    assert_int_equal(model.layer_kind[2], 0);
    assert_int_equal(model.layer_kind[3], P3D_LAYER_MOE);
    assert_int_equal(model.router.score, P3D_SCORE_SIGMOID);
    assert_false(model.router.keeps_scores);
    CHECK_REL(model.router.scale, 2.5, 1e-15);
    assert_int_equal(model.expert_groups, 8);
    assert_int_equal(model.routed_groups, 4);
    assert_int_equal(model.rotary.kind, P3D_ROTARY_YARN);
    CHECK_REL(model.rotary.factor, 40, 1e-15);
    CHECK_REL(model.rotary.mscale_all_dim, 1, 1e-15);
    assert_int_equal(model.rotary.first_positions, 4096);
}

static void a_config_of_qwen2_has_biases_and_no_window(void **state)
{
    const p3d_model model = load(qwen2_7b);

    (void)state;
    check_total(&model, INT64_C(7615616512));
    assert_true(model.qkv_bias);
    assert_false(model.o_bias);
    assert_int_equal(model.window, 0);
    assert_string_equal(model.name, "Qwen2-7B");
}

static void a_nested_config_takes_the_rest_from_its_class(void **state)
{
    const p3d_model model = load(gemma_3_4b);

    (void)state;
    check_total(&model, INT64_C(3880263168));
    assert_string_equal(model.family, "gemma3_text");
    assert_true(model.tied_embeddings);
    assert_int_equal(model.vocab, 262208);
    assert_int_equal(model.window, 1024);
    assert_int_equal(
            p3d_model_count_layers(&model, P3D_LAYER_WINDOWED), 34 - 34 / 6);
    assert_true(is_windowed(&model, 4));
    assert_false(is_windowed(&model, 5));
}

static void a_wrapper_that_is_not_known_may_nest_a_known_decoder(void **state)
{
    const p3d_model model = load("{\"model_type\": \"llava\", \"text_config\":"
                                 " {\"model_type\": \"llama\"," SHAPE "}}\n");

    (void)state;
    assert_string_equal(model.family, "llama");
}

static void a_wrapper_may_tie_the_embedding_of_its_decoder(void **state)
{
    const p3d_model tied =
            load("{\"model_type\": \"mistral3\", \"tie_word_embeddings\": true,"
                 " \"text_config\": {" SHAPE "}}\n");
    const p3d_model both = load(
            "{\"model_type\": \"mistral3\", \"tie_word_embeddings\": true,"
            " \"text_config\": {\"tie_word_embeddings\": false," SHAPE "}}\n");
    const p3d_model parted = load(
            "{\"model_type\": \"mistral3\", \"tie_word_embeddings\": false,"
            " \"text_config\": {\"tie_word_embeddings\": true," SHAPE "}}\n");
    const p3d_model inner =
            load("{\"model_type\": \"mistral3\", \"text_config\": "
                 "{\"tie_word_embeddings\": true," SHAPE "}}\n");

    (void)state;
    assert_true(tied.tied_embeddings);
    assert_true(both.tied_embeddings);
    assert_false(parted.tied_embeddings);
    assert_true(inner.tied_embeddings);
}

static void keys_that_are_not_known_are_ignored_in_a_config(void **state)
{
    const p3d_model model =
            load(LLAMA(", \"Hidden_Size\": 7, \"mystery\": {}"));

    (void)state;
    assert_int_equal(model.hidden, 1024);
}

static void null_counts_as_absent(void **state)
{
    const p3d_model model = load(LLAMA(", \"num_key_value_heads\": null,"
                                       " \"head_dim\": null"));

    (void)state;
    assert_int_equal(model.n_kv_heads, 16);
    assert_int_equal(model.head_dim, 64);
    assert_int_equal(model.ffn, 11008);
}

static void null_takes_away_a_window_and_a_latent_query(void **state)
{
    const p3d_model absent = load("{\"model_type\": \"mistral\"," SHAPE "}\n");
    const p3d_model none = load("{\"model_type\": \"mistral\","
                                " \"sliding_window\": null," SHAPE "}\n");
    const p3d_model plain = load("{\"model_type\": \"deepseek_v2\","
                                 " \"q_lora_rank\": null," SHAPE "}\n");

    (void)state;
    assert_int_equal(absent.window, 4096);
    assert_true(is_windowed(&absent, 0));
    assert_int_equal(none.window, 0);
    assert_false(is_windowed(&none, 0));
    assert_int_equal(plain.q_lora_rank, 0);
}

static void a_window_as_long_as_the_model_is_none(void **state)
{
    const p3d_model model = load("{\"model_type\": \"phi3\","
                                 " \"max_position_embeddings\": 4096,"
                                 " \"sliding_window\": 4096," SHAPE "}\n");

    (void)state;
    assert_int_equal(model.window, 0);
    assert_int_equal(p3d_model_count_layers(&model, 0), 4);
}

static void the_window_of_qwen_begins_at_a_layer(void **state)
{
    const p3d_model model = load(
            "{\"model_type\": \"qwen2\", \"use_sliding_window\": true,"
            " \"sliding_window\": 512, \"max_window_layers\": 3," SHAPE "}\n");

    (void)state;
    assert_int_equal(model.window, 512);
    assert_false(is_windowed(&model, 2));
    assert_true(is_windowed(&model, 3));
}

static void even_layers_of_gemma_2_are_windowed(void **state)
{
    const p3d_model model = load("{\"model_type\": \"gemma2\"," SHAPE "}\n");

    (void)state;
    assert_true(is_windowed(&model, 0));
    assert_false(is_windowed(&model, 1));
    assert_true(is_windowed(&model, 2));
    assert_int_equal(model.n_norms, 4);
}

static void a_list_of_layer_types_wins(void **state)
{
    const p3d_model model = load("{\"model_type\": \"gemma2\","
                                 " \"layer_types\": [\"full_attention\","
                                 " \"full_attention\", \"full_attention\","
                                 " \"sliding_attention\"]," SHAPE "}\n");

    (void)state;
    assert_int_equal(p3d_model_count_layers(&model, P3D_LAYER_WINDOWED), 1);
    assert_true(is_windowed(&model, 3));
}

static void llama_4_attends_in_chunks_but_for_every_fourth_layer(void **state)
{
    const p3d_model model = find("llama-4-maverick");

    (void)state;
    assert_int_equal(model.window, 8192);
    assert_true(is_windowed(&model, 2));
    assert_false(is_windowed(&model, 3));
    assert_int_equal(model.layer_kind[0], P3D_LAYER_WINDOWED);
    assert_int_equal(model.layer_kind[1], P3D_LAYER_WINDOWED | P3D_LAYER_MOE);
    assert_int_equal(model.ffn, 16384);
    assert_int_equal(model.expert_ffn, 8192);
    assert_int_equal(model.shared_ffn, 8192);
}

static void llama_4_may_list_its_layers(void **state)
{
    const p3d_model model = load(
            "{\"model_type\": \"llama4_text\", \"moe_layers\": [0, 3],"
            " \"attention_chunk_size\": 64, \"no_rope_layers\": [0, 1, 0, 1],"
            " \"num_local_experts\": 4," SHAPE "}\n");

    (void)state;
    assert_int_equal(model.layer_kind[0], P3D_LAYER_MOE);
    assert_int_equal(model.layer_kind[1], P3D_LAYER_WINDOWED);
    assert_int_equal(model.layer_kind[2], 0);
    assert_int_equal(model.layer_kind[3], P3D_LAYER_WINDOWED | P3D_LAYER_MOE);
}

static void qwen_moe_mixes_every_nth_layer_but_those_of_a_list(void **state)
{
    const p3d_model model =
            load("{\"model_type\": \"qwen3_moe\", \"decoder_sparse_step\": 2,"
                 " \"mlp_only_layers\": [3], \"num_experts\": 8,"
                 " \"num_experts_per_tok\": 2, \"head_dim\": 128," SHAPE "}\n");

    (void)state;
    assert_int_equal(model.layer_kind[0], 0);
    assert_int_equal(model.layer_kind[1], P3D_LAYER_MOE);
    assert_int_equal(model.layer_kind[3], 0);
    assert_int_equal(model.head_dim, 128);
    assert_int_equal(model.qk_norm, P3D_QK_NORM_HEAD);
}

static void a_list_of_mlp_layer_types_wins(void **state)
{
    const p3d_model model = load(
            "{\"model_type\": \"glm4_moe\", \"mlp_layer_types\":"
            " [\"sparse\", \"dense\", \"sparse\", \"dense\"]," SHAPE "}\n");

    (void)state;
    assert_int_equal(model.layer_kind[0], P3D_LAYER_MOE);
    assert_int_equal(model.layer_kind[1], 0);
}

static void no_experts_is_a_dense_model(void **state)
{
    const p3d_model model = load("{\"model_type\": \"qwen2_moe\","
                                 " \"num_experts\": 0," SHAPE "}\n");

    (void)state;
    assert_int_equal(p3d_model_count_layers(&model, 0), 4);
    assert_int_equal(model.top_k, 0);
    assert_int_equal(model.shared_ffn, 0);
    assert_false(model.shared_gate);
}

static void experts_are_counted_by_any_of_their_names(void **state)
{
    const p3d_model newer = load(
            "{\"model_type\": \"glm4_moe\", \"n_routed_experts\": 16," SHAPE
            "}\n");
    const p3d_model older = load(
            "{\"model_type\": \"glm4_moe\", \"num_experts\": 24," SHAPE "}\n");

    (void)state;
    assert_int_equal(newer.n_experts, 16);
    assert_int_equal(older.n_experts, 24);
    assert_true(older.router_correction);
}

static void opt_has_two_more_positions_and_a_narrow_embedding(void **state)
{
    const p3d_model model = find("opt-350m");

    (void)state;
    assert_int_equal(model.max_positions, 2048);
    assert_int_equal(model.learned_positions, 2050);
    assert_int_equal(model.embedding_width, 512);
    assert_false(model.final_norm);
    assert_int_equal(find("opt-125m").embedding_width, 0);
}

static void opt_may_do_without_biases_and_norm_weights(void **state)
{
    const p3d_model model =
            load("{\"model_type\": \"opt\", \"enable_bias\": false,"
                 " \"layer_norm_elementwise_affine\": false,"
                 " \"_remove_final_layer_norm\": true," SHAPE "}\n");

    (void)state;
    assert_false(model.qkv_bias || model.o_bias || model.mlp_bias);
    assert_int_equal(model.norm_weights, 0);
    assert_false(model.final_norm);
}

static void falcon_has_one_or_several_key_value_heads(void **state)
{
    const p3d_model small = find("falcon-7b");
    const p3d_model large = find("falcon-180b");
    const p3d_model serial =
            load("{\"model_type\": \"falcon\", \"multi_query\": false,"
                 " \"parallel_attn\": false, \"bias\": true," SHAPE "}\n");

    (void)state;
    assert_int_equal(small.n_kv_heads, 1);
    assert_int_equal(small.n_norms, 1);
    assert_true(small.parallel_block);
    assert_int_equal(large.n_kv_heads, 8);
    assert_int_equal(large.n_norms, 2);
    assert_int_equal(serial.n_kv_heads, 16);
    assert_int_equal(serial.n_norms, 2);
    assert_true(serial.qkv_bias && serial.o_bias && serial.mlp_bias);
}

static void mpt_keeps_attention_in_an_object_of_its_own(void **state)
{
    const p3d_model alibi = find("mpt-7b");
    const p3d_model learned = load(
            "{\"model_type\": \"mpt\", \"d_model\": 1024, \"n_layers\": 4,"
            " \"n_heads\": 16, \"vocab_size\": 32000, \"max_seq_len\": 512,"
            " \"expansion_ratio\": 2, \"no_bias\": false, \"attn_config\":"
            " {\"alibi\": false, \"qk_ln\": true, \"kv_n_heads\": 4}}\n");
    const p3d_model one =
            load("{\"model_type\": \"mpt\", \"d_model\": 1024, \"n_layers\": 4,"
                 " \"n_heads\": 16, \"vocab_size\": 32000, \"attn_config\":"
                 " {\"attn_type\": \"multiquery_attention\"}}\n");

    (void)state;
    assert_int_equal(alibi.learned_positions, 0);
    assert_int_equal(alibi.norm_weights, 1);
    assert_int_equal(learned.learned_positions, 512);
    assert_int_equal(learned.ffn, 2048);
    assert_int_equal(learned.n_kv_heads, 4);
    assert_int_equal(learned.qk_norm, P3D_QK_NORM_FULL);
    assert_true(learned.o_bias);
    assert_int_equal(one.n_kv_heads, 1);
    assert_int_equal(one.learned_positions, 0);
}

/* 40 layers of (6144 + 2 x 1024) x 6144 + 6144^2, two norms without bias, a
 * router of 16 and 16 x 3 x 6144 x 10752; two tables of words, and a norm. */
static void dbrx_keeps_experts_in_an_object_of_its_own(void **state)
{
    const p3d_model dbrx = find("databricks/dbrx-base");
    const p3d_model usual = load(
            "{\"model_type\": \"dbrx\", \"d_model\": 2048,"
            " \"n_layers\": 24, \"n_heads\": 16, \"vocab_size\": 32000}\n");

    (void)state;
    assert_int_equal(dbrx.n_kv_heads, 8);
    assert_int_equal(dbrx.top_k, 4);
    CHECK_REL(dbrx.rotary.base, 5e5, 0);
    CHECK_REL((double)p3d_total_params(&dbrx),
            40.0 * (8192.0 * 6144 + 6144.0 * 6144 + 2 * 6144 + 16 * 6144 +
                           48.0 * 6144 * 10752) +
                    2.0 * 100352 * 6144 + 6144,
            0);
    assert_int_equal(usual.n_experts, 4);
    assert_int_equal(usual.n_kv_heads, 1);
}

static void a_switch_normalizes_queries_and_keys(void **state)
{
    const p3d_model model = load(
            "{\"model_type\": \"phi\", \"qk_layernorm\": true," SHAPE "}\n");

    (void)state;
    assert_int_equal(model.qk_norm, P3D_QK_NORM_HEAD);
    assert_int_equal(find("glm-4.5").qk_norm, P3D_QK_NORM_HEAD);
    assert_int_equal(find("glm-4.5-air").qk_norm, P3D_QK_NORM_NONE);
}

/* A class has its own function where the file names none; Gemma's first key
 * counts, of both; a word that is not known is another function. */
static void an_activation_is_named_or_its_classes(void **state)
{
    static const struct {
        const char *text;
        p3d_activation is;
    } files[] = {
            {"{\"model_type\": \"llama\"," SHAPE "}", P3D_ACTIVATION_USUAL},
            {"{\"model_type\": \"llama\", \"hidden_act\": \"gelu\"," SHAPE "}",
                    P3D_ACTIVATION_OTHER},
            {"{\"model_type\": \"opt\"," SHAPE "}", P3D_ACTIVATION_RELU},
            {"{\"model_type\": \"opt\", \"activation_function\": "
             "\"gelu\"," SHAPE "}",
                    P3D_ACTIVATION_USUAL},
            {"{\"model_type\": \"gpt2\", \"activation_function\": "
             "\"gelu_new\"," SHAPE "}",
                    P3D_ACTIVATION_USUAL},
            {"{\"model_type\": \"gpt2\", \"activation_function\": "
             "\"tanh\"," SHAPE "}",
                    P3D_ACTIVATION_OTHER},
            {"{\"model_type\": \"nemotron\"," SHAPE "}",
                    P3D_ACTIVATION_SQUARED_RELU},
            {"{\"model_type\": \"gemma\"," SHAPE "}", P3D_ACTIVATION_OTHER},
            {"{\"model_type\": \"gemma\", \"hidden_act\": \"silu\", "
             "\"hidden_activation\": \"gelu_pytorch_tanh\"," SHAPE "}",
                    P3D_ACTIVATION_OTHER},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(files); i++)
        assert_int_equal(load(files[i].text).activation, files[i].is);
    assert_true(load("{\"model_type\": \"gemma\"," SHAPE "}").centered_norms);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        TEST(a_config_of_llama_3_1_loads),
        TEST(a_config_in_the_form_of_version_5_loads),
        TEST(a_config_of_deepseek_v3_loads),
        TEST(a_config_of_qwen2_has_biases_and_no_window),
        TEST(a_nested_config_takes_the_rest_from_its_class),
        TEST(a_wrapper_that_is_not_known_may_nest_a_known_decoder),
        TEST(a_wrapper_may_tie_the_embedding_of_its_decoder),
        TEST(keys_that_are_not_known_are_ignored_in_a_config),
        TEST(null_counts_as_absent),
        TEST(null_takes_away_a_window_and_a_latent_query),
        TEST(a_window_as_long_as_the_model_is_none),
        TEST(the_window_of_qwen_begins_at_a_layer),
        TEST(even_layers_of_gemma_2_are_windowed),
        TEST(a_list_of_layer_types_wins),
        TEST(llama_4_attends_in_chunks_but_for_every_fourth_layer),
        TEST(llama_4_may_list_its_layers),
        TEST(qwen_moe_mixes_every_nth_layer_but_those_of_a_list),
        TEST(a_list_of_mlp_layer_types_wins),
        TEST(no_experts_is_a_dense_model),
        TEST(experts_are_counted_by_any_of_their_names),
        TEST(opt_has_two_more_positions_and_a_narrow_embedding),
        TEST(opt_may_do_without_biases_and_norm_weights),
        TEST(falcon_has_one_or_several_key_value_heads),
        TEST(mpt_keeps_attention_in_an_object_of_its_own),
        TEST(dbrx_keeps_experts_in_an_object_of_its_own),
        TEST(an_activation_is_named_or_its_classes),
        TEST(a_switch_normalizes_queries_and_keys),
    };
    /* clang-format on */

    return cmocka_run_group_tests(tests, NULL, NULL);
}
