/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_mixer.c - layers without attention, gates and indexers, with parameters,
 * bytes and products of one layer worked out by hand; and what of a file is
 * left out. */
#include "problem.h"

#include <stdio.h>
#include <string.h>

#define SIZES                                           \
    "\"hidden_size\": 64, \"num_hidden_layers\": 4, "   \
    "\"num_attention_heads\": 4, \"vocab_size\": 256, " \
    "\"intermediate_size\": 96"

static p3d_model parse(const char *text)
{
    p3d_model model;
    p3d_error err = {0};

    if (!p3d_model_parse("config.json", text, &model, &err))
        fail_msg("%s", err.text);
    return model;
}

static int64_t layer_of(const p3d_model *model, int tp, int kind)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_params one;

    shard.tp = tp;
    one = p3d_block_params(model, NULL, shard, kind);
    return one.dense + one.experts;
}

static p3d_model delta(void)
{
    return parse("{\"model_type\": \"qwen3_5_text\", " SIZES
                 ", \"head_dim\": 16, \"num_key_value_heads\": 2"
                 ", \"linear_num_key_heads\": 2"
                 ", \"linear_num_value_heads\": 4"
                 ", \"linear_key_head_dim\": 8"
                 ", \"linear_value_head_dim\": 8}");
}

static void the_delta_rule_has_these_parameters(void **state)
{
    const p3d_model model = delta();
    /* K = 2 * 8, d = 4 * 8; into it 2 d + 2 K + 2 H = 104 */
    const int64_t mixer = 64 * 104 + (32 + 32) * 4 + 32 * 64 + 2 * 4 + 8;
    /* with two ranks 52 into it, K = 8, d = 16, H = 2 */
    const int64_t half = 64 * 52 + (16 + 16) * 4 + 16 * 64 + 2 * 2 + 8;

    (void)state;
    assert_int_equal(p3d_model_count_layers(&model, P3D_LAYER_MIXER), 3);
    assert_int_equal(model.layer_kind[3], 0);
    assert_int_equal(
            layer_of(&model, 1, P3D_LAYER_MIXER), mixer + 2 * 64 + 3 * 64 * 96);
    assert_int_equal(
            layer_of(&model, 2, P3D_LAYER_MIXER), half + 2 * 64 + 3 * 64 * 48);
}

static void a_gate_is_a_matrix_as_wide_as_the_queries(void **state)
{
    const p3d_model model = delta();
    /* queries and their gate 64 each, keys and values 32 each, norms of 16 */
    const int64_t attention = 64 * (64 + 64 + 32 + 32) + 64 * 64 + 2 * 16;

    (void)state;
    assert_int_equal(layer_of(&model, 1, 0), attention + 2 * 64 + 3 * 64 * 96);
}

static void mamba_2_has_these_parameters(void **state)
{
    const p3d_model model =
            parse("{\"model_type\": \"mamba2\", \"hidden_size\": 64, "
                  "\"num_hidden_layers\": 2, \"vocab_size\": 256, "
                  "\"num_heads\": 8, \"head_dim\": 16, \"n_groups\": 2, "
                  "\"state_size\": 4}");
    /* d = 128, K = 8; into it 2 d + 2 K + H = 280; convolution of 144 */
    const int64_t mixer = 64 * 280 + 144 * (4 + 1) + 128 * 64 + 3 * 8 + 128;

    (void)state;
    assert_int_equal(model.ffn, 0);
    assert_int_equal(layer_of(&model, 1, P3D_LAYER_MIXER), mixer + 64);
}

static void mamba_has_these_parameters(void **state)
{
    const p3d_model model =
            parse("{\"model_type\": \"mamba\", \"hidden_size\": 64, "
                  "\"num_hidden_layers\": 2, \"vocab_size\": 256, "
                  "\"state_size\": 4, \"time_step_rank\": 3}");
    /* d = 128: in, convolution, step sizes with B and C, step sizes, A, D */
    const int64_t mixer = 64 * 256 + 128 * 5 + 128 * (3 + 8) + 3 * 128 + 128 +
                          128 * 4 + 128 + 128 * 64;

    (void)state;
    assert_int_equal(layer_of(&model, 1, P3D_LAYER_MIXER), mixer + 64);
}

static int64_t kept_bytes(const p3d_workload *list, const char *name)
{
    for (int i = 0; i < list->n_tensors; i++) {
        if (strcmp(list->tensors[i].name, name) == 0)
            return list->tensors[i].bytes;
    }
    fail_msg("no '%s'", name);
    return 0;
}

static void the_delta_rule_keeps_these_bytes(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 16, 8);
    p3d_workload list;
    double update_flop = 0;

    (void)state;
    problem.model = delta();
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_LAYER_MIXER, &list);
    /* 16 tokens are one chunk; 2 bytes an element, 4 of a state */
    assert_int_equal(
            kept_bytes(&list, "projections of the mixer"), 16 * 104 * 2);
    assert_int_equal(
            kept_bytes(&list, "output of the convolution"), 16 * 64 * 2);
    assert_int_equal(kept_bytes(&list, "states between chunks"), 4 * 8 * 8 * 4);
    assert_int_equal(kept_bytes(&list, "inverses of chunks"), 4 * 16 * 16 * 2);
    for (int i = 0; i < list.n_ops; i++) {
        const p3d_op *const op = &list.ops[i];

        assert_true(op->kind != P3D_OP_ATTENTION);
        if (strcmp(op->name, "update of the state") == 0 &&
                op->phase == P3D_FORWARD)
            update_flop += p3d_op_flop(op);
    }
    assert_true(update_flop == 2.0 * 8 * 8 * 16 * 4);
}

static void an_indexer_adds_its_projections(void **state)
{
    const char *const shape =
            "{\"model_type\": \"%s\", \"hidden_size\": 64, "
            "\"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
            "\"vocab_size\": 256, \"q_lora_rank\": 24, "
            "\"kv_lora_rank\": 16%s}";
    char with[512], without[512];
    p3d_model sparse, dense;

    (void)state;
    snprintf(with, sizeof(with), shape, "deepseek_v32",
            ", \"index_n_heads\": 3, \"index_head_dim\": 8");
    snprintf(without, sizeof(without), shape, "deepseek_v3", "");
    sparse = parse(with);
    dense = parse(without);
    assert_int_equal(layer_of(&sparse, 1, 0) - layer_of(&dense, 1, 0),
            24 * 3 * 8 + 64 * 8 + 2 * 8 + 64 * 3);
}

/* Of blocks, in the layers that the list says: queries 64 x 3 x 8, keys 64 x 8,
 * two norms of 8. Layer 1 is a mixture, layer 0 not. */
static void an_indexer_of_blocks_is_in_the_layers_of_the_list(void **state)
{
    const char *const text =
            "{\"model_type\": \"minimax_m3\", \"hidden_size\": 64, "
            "\"num_hidden_layers\": 3, \"num_attention_heads\": 4, "
            "\"num_key_value_heads\": 2, \"head_dim\": 16, "
            "\"intermediate_size\": 32, \"dense_intermediate_size\": 128, "
            "\"vocab_size\": 256, \"num_local_experts\": 4, "
            "\"moe_layer_freq\": [0, 1, 1], "
            "\"sparse_attention_config\": {\"sparse_num_index_heads\": 3, "
            "\"sparse_index_dim\": 8, \"sparse_block_size\": 32, "
            "\"sparse_topk_blocks\": 2, "
            "\"sparse_attention_freq\": [0, 0, 1]}}";
    const p3d_model m = parse(text);

    (void)state;
    assert_int_equal(m.layer_kind[0], 0);
    assert_int_equal(m.layer_kind[1], P3D_LAYER_MOE);
    assert_int_equal(m.layer_kind[2], P3D_LAYER_MOE | P3D_LAYER_WINDOWED);
    assert_int_equal(
            layer_of(&m, 1, m.layer_kind[2]) - layer_of(&m, 1, m.layer_kind[1]),
            64 * 3 * 8 + 64 * 8 + 2 * 8);
    /* Blocks of 32, two of them for each row: 1 + 2 + 2 + 2. */
    CHECK_REL(p3d_sparse_pairs(&m.sparse, 128), 32.0 * 32 * 7, 1e-12);
}

/* Mamba-2, an MLP, attention, and experts, each alone with its norm. */
#define PARTS(layers)                                                  \
    "{\"model_type\": \"nemotron_h\", \"hidden_size\": 64, "           \
    "\"vocab_size\": 256, \"num_attention_heads\": 4, "                \
    "\"num_key_value_heads\": 2, \"head_dim\": 16, "                   \
    "\"intermediate_size\": 96, \"mamba_num_heads\": 8, "              \
    "\"mamba_head_dim\": 16, \"ssm_state_size\": 4, \"n_groups\": 2, " \
    "\"n_routed_experts\": 4, \"num_experts_per_tok\": 2, "            \
    "\"moe_intermediate_size\": 32, "                                  \
    "\"moe_shared_expert_intermediate_size\": 48, " layers "}"
enum {
    MAMBA_ALONE = P3D_LAYER_MIXER | P3D_LAYER_NO_MLP,
    ATTENTION_ALONE = P3D_LAYER_NO_MLP,
    MLP_ALONE = P3D_LAYER_NO_MIXING,
    EXPERTS_ALONE = P3D_LAYER_NO_MIXING | P3D_LAYER_MOE
};

static void layers_of_one_part_have_these_parameters(void **state)
{
    const p3d_model model =
            parse(PARTS("\"hybrid_override_pattern\": \"M-*E\""));
    const p3d_model words =
            parse(PARTS("\"layers_block_type\": [\"mamba\", \"mlp\", "
                        "\"full_attention\", \"moe\"]"));
    /* as in mamba_2_has_these_parameters(), whose sizes these are */
    const int64_t mamba = 64 * 280 + 144 * (4 + 1) + 128 * 64 + 3 * 8 + 128;

    (void)state;
    assert_int_equal(model.n_layers, 4);
    assert_memory_equal(model.layer_kind, words.layer_kind, 4);
    assert_int_equal(layer_of(&model, 1, MAMBA_ALONE), mamba + 64);
    assert_int_equal(layer_of(&model, 1, MLP_ALONE), 2 * 64 * 96 + 64);
    assert_int_equal(layer_of(&model, 1, ATTENTION_ALONE),
            64 * (64 + 32 + 32) + 64 * 64 + 64);
    assert_int_equal(layer_of(&model, 2, ATTENTION_ALONE),
            64 * (32 + 16 + 16) + 32 * 64 + 64);
    assert_int_equal(layer_of(&model, 1, EXPERTS_ALONE),
            4 * 2 * 64 * 32 + 2 * 64 * 48 + 64 * 4 + 4 + 64);
    assert_int_equal(p3d_active_params(&model),
            p3d_total_params(&model) - 2 * 2 * 64 * 32);
}

/* A matrix of 64 by 16 before the experts and one behind them. */
static void latent_experts_have_these_parameters(void **state)
{
    const p3d_model model =
            parse(PARTS("\"moe_latent_size\": 16, "
                        "\"hybrid_override_pattern\": \"M-*E\""));
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 16, 8);
    p3d_workload list;
    double flop = 0, sent = 0;

    (void)state;
    assert_int_equal(layer_of(&model, 1, EXPERTS_ALONE),
            4 * 2 * 16 * 32 + 2 * 64 * 48 + 64 * 4 + 4 + 64 + 2 * 64 * 16);
    problem.model = model;
    p3d_workload_build(&problem.model, &problem.job,
            (p3d_shard){.tp = 1, .cp = 1, .ep = 2, .etp = 1, .micro_batch = 1},
            EXPERTS_ALONE, &list);
    for (int i = 0; i < list.n_ops; i++) {
        const p3d_op *const op = &list.ops[i];

        if (op->phase != P3D_FORWARD)
            continue;
        if (strstr(op->name, "put projection") != NULL)
            flop += p3d_op_flop(op);
        if (strcmp(op->name, "dispatch to experts") == 0)
            sent += op->bytes;
    }
    /* 16 tokens, each to 2 experts of 4, in 16 bit */
    assert_true(flop == 2.0 * 16 * 2 * 64 * 16);
    assert_true(sent == 2.0 * 16 * 2 * 16);
}

/* Tensors of a layer, and whether it has attention and a router. */
static void check_part(int kind, int n_norms, bool attends, bool routes)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 16, 8);
    p3d_workload list;
    int attention = 0, norms = 0, routers = 0;

    problem.model = parse(PARTS("\"hybrid_override_pattern\": \"M-*E\""));
    p3d_workload_build(
            &problem.model, &problem.job, p3d_shard_whole(), kind, &list);
    for (int i = 0; i < list.n_ops; i++) {
        attention += list.ops[i].kind == P3D_OP_ATTENTION;
        routers += strcmp(list.ops[i].name, "router") == 0;
    }
    for (int i = 0; i < list.n_tensors; i++)
        norms += strstr(list.tensors[i].name, "norm") != NULL ||
                 strcmp(list.tensors[i].name, "input of the layer") == 0;
    assert_int_equal(attention > 0, attends);
    assert_int_equal(routers > 0, routes);
    assert_int_equal(norms, n_norms);
    /* 16 tokens of 64 channels in 16 bit */
    assert_int_equal(kept_bytes(&list, "input of the layer"), 16 * 64 * 2);
    assert_int_equal(kept_bytes(&list, attends || kind == MAMBA_ALONE
                                               ? "input of the QKV projection"
                                               : "input of the MLP"),
            16 * 64 * 2);
}

static void layers_of_one_part_keep_one_input(void **state)
{
    (void)state;
    check_part(ATTENTION_ALONE, 1, true, false);
    check_part(MAMBA_ALONE, 1, false, false);
    check_part(MLP_ALONE, 1, false, false);
    check_part(EXPERTS_ALONE, 1, false, true);
}

static void refused(const char *text, const char *words)
{
    p3d_model model;
    p3d_error err = {0};

    assert_false(p3d_model_parse("config.json", text, &model, &err));
    if (strstr(err.text, words) == NULL)
        fail_msg("%s: no '%s'", err.text, words);
}

/* Gemma 4: layers that see all tokens have wider heads, fewer of keys, and no
 * projection of values; the MLP stands beside the experts. */
static void layers_that_see_all_have_heads_of_their_own(void **state)
{
    const char *const shape =
            "{\"model_type\": \"gemma4_text\", " SIZES
            ", \"head_dim\": 16, \"num_key_value_heads\": 2, "
            "\"global_head_dim\": 32, \"num_global_key_value_heads\": 1, "
            "\"attention_k_eq_v\": true, \"hidden_size_per_layer_input\": %s, "
            "\"enable_moe_block\": %s, \"num_experts\": 4, "
            "\"top_k_experts\": 2, \"moe_intermediate_size\": 8, "
            "\"layer_types\": [\"sliding_attention\", \"sliding_attention\", "
            "\"sliding_attention\", \"full_attention\"]}";
    const int all = 0, windowed = P3D_LAYER_WINDOWED;
    char text[1024];
    p3d_model dense, sparse;

    (void)state;
    snprintf(text, sizeof(text), shape, "0", "false");
    dense = parse(text);
    snprintf(text, sizeof(text), shape, "0", "true");
    sparse = parse(text);
    assert_int_equal(layer_of(&dense, 1, windowed),
            64 * (64 + 2 * 32) + 64 * 64 + 2 * 16 + 3 * 64 * 96 + 4 * 64);
    assert_int_equal(layer_of(&dense, 1, all),
            64 * (128 + 32) + 128 * 64 + 2 * 32 + 3 * 64 * 96 + 4 * 64);
    assert_int_equal(layer_of(&sparse, 1, windowed | P3D_LAYER_MOE) -
                             layer_of(&dense, 1, windowed),
            4 * 3 * 64 * 8 + 64 * 4 + 4 + 3 * 64 + 64);
}

/* Gemma 4 E2B in small: the last two layers use keys and values of the first
 * two, with MLPs twice as wide; each layer has an embedding of 8 channels. */
static p3d_model sharing(const char *n_sharing)
{
    char text[1024];

    snprintf(text, sizeof(text),
            "{\"model_type\": \"gemma4_text\", " SIZES
            ", \"head_dim\": 16, \"num_key_value_heads\": 2, "
            "\"global_head_dim\": 32, \"hidden_size_per_layer_input\": 8, "
            "\"vocab_size_per_layer_input\": 128, "
            "\"use_double_wide_mlp\": true, \"num_kv_shared_layers\": %s, "
            "\"layer_types\": [\"sliding_attention\", \"full_attention\", "
            "\"sliding_attention\", \"sliding_attention\"]}",
            n_sharing);
    return parse(text);
}

static void layers_use_keys_and_values_of_others(void **state)
{
    const int windowed = P3D_LAYER_WINDOWED, shares = P3D_LAYER_SHARES_KV;
    const int64_t rest = 5 * 64 + 2 * 64 * 8;
    const p3d_model model = sharing("2");

    (void)state;
    assert_int_equal(model.layer_kind[0], windowed);
    assert_int_equal(model.layer_kind[1], 0);
    assert_int_equal(model.layer_kind[2], windowed | shares);
    assert_int_equal(model.layer_kind[3], shares); /* the last sees all */
    assert_int_equal(layer_of(&model, 1, windowed),
            64 * (64 + 2 * 32) + 64 * 64 + 2 * 16 + 3 * 64 * 96 + rest);
    assert_int_equal(layer_of(&model, 1, windowed | shares),
            2 * 64 * 64 + 16 + 3 * 64 * 192 + rest);
    assert_int_equal(layer_of(&model, 1, shares),
            2 * 64 * 128 + 32 + 3 * 64 * 192 + rest);
    assert_int_equal(
            layer_of(&model, 2, shares), 2 * 64 * 64 + 32 + 3 * 64 * 96 + rest);
}

static void each_layer_has_an_embedding(void **state)
{
    const p3d_model model = sharing("0");

    (void)state;
    assert_int_equal(model.sharing_ffn, 0);
    assert_int_equal(layer_of(&model, 1, P3D_BLOCK_EMBEDDING),
            256 * 64 + 128 * 4 * 8 + 64 * 4 * 8 + 8);
    assert_int_equal(layer_of(&model, 2, P3D_BLOCK_EMBEDDING),
            128 * 64 + 64 * 4 * 8 + 64 * 4 * 8 + 8);
}

static void a_layer_like_the_sharing_one_makes_its_keys(void **state)
{
    static const char shape[] =
            "{\"model_type\": \"gemma4_text\", " SIZES
            ", \"num_key_value_heads\": 2, \"num_kv_shared_layers\": %d}";
    char text[512];

    (void)state;
    /* Of four layers three are windowed, and the last is alone. */
    snprintf(text, sizeof(text), shape, 1);
    refused(text, "no layer before the last 1 that makes keys and values");
    snprintf(text, sizeof(text), shape, 4);
    refused(text, "no layer before the last 4 that makes keys and values");
}

static double flop_of(const p3d_workload *list, const char *name)
{
    double flop = 0;

    for (int i = 0; i < list->n_ops; i++)
        if (strcmp(list->ops[i].name, name) == 0 &&
                list->ops[i].phase == P3D_FORWARD)
            flop += p3d_op_flop(&list->ops[i]);
    return flop;
}

static int64_t kept_of(const p3d_workload *list, const char *name)
{
    int64_t bytes = 0;

    for (int i = 0; i < list->n_tensors; i++)
        if (strcmp(list->tensors[i].name, name) == 0)
            bytes += list->tensors[i].bytes;
    return bytes;
}

/* 16 tokens of Gemma 4 E2B: 35 layers of 1,536 channels, 8 heads of 256, one of
 * keys; MLPs of 6,144 and 12,288; embeddings of 256 channels a layer. */
static void what_is_shared_is_made_and_kept_once(void **state)
{
    const p3d_problem problem =
            problem_of("gemma-4-e2b", "8xA100", "megatron-core", 16, 8);
    const p3d_plan pipeline = problem_plan(&problem, "pp=2");
    p3d_refusal refusal = {.rule = NULL};
    p3d_workload own, shares, ends;

    (void)state;
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_LAYER_WINDOWED, &own);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_LAYER_WINDOWED | P3D_LAYER_SHARES_KV, &shares);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_EMBEDDING, &ends);
    assert_true(flop_of(&own, "qkv projection") ==
                2.0 * 16 * 1536 * (8 * 256 + 2 * 256));
    assert_true(flop_of(&shares, "qkv projection") == 2.0 * 16 * 1536 * 2048);
    assert_true(flop_of(&own, "attention core") ==
                flop_of(&shares, "attention core"));
    assert_true(flop_of(&shares, "MLP down") == 2 * flop_of(&own, "MLP down"));
    assert_true(flop_of(&own, "gate of the layer's embedding") ==
                2.0 * 16 * 1536 * 256);
    assert_true(flop_of(&ends, "projection to the layers' embeddings") ==
                2.0 * 16 * 1536 * 35 * 256);
    assert_int_equal(kept_of(&own, "keys"), 16 * 256 * 2);
    assert_int_equal(kept_of(&own, "values"), 16 * 256 * 2);
    assert_int_equal(kept_of(&shares, "keys"), 0);
    assert_int_equal(kept_of(&shares, "values"), 0);
    assert_int_equal(kept_of(&shares, "queries"), kept_of(&own, "queries"));
    assert_int_equal(
            kept_of(&own, "gate of the layer's embedding"), 16 * 256 * 2);
    assert_int_equal(
            kept_of(&ends, "embeddings for each layer"), 16 * 35 * 256 * 2);
    assert_false(p3d_plan_legal(&problem.model, &problem.cluster, &problem.job,
            &pipeline, &refusal));
    assert_string_equal(refusal.rule, "C1");
    assert_non_null(strstr(refusal.reason, "; try pp=1"));
}

/* Queries of 32 heads with keys of 4, or with keys and values of 16. */
static void wider_heads_have_larger_products(void **state)
{
    p3d_problem problem =
            problem_of("gemma-4-31b", "8xA100", "megatron-core", 16, 8);
    p3d_workload of_all, of_window;
    double flop[2] = {0, 0};

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, p3d_shard_whole(), 0, &of_all);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_LAYER_WINDOWED, &of_window);
    for (int i = 0; i < of_all.n_ops; i++)
        if (strcmp(of_all.ops[i].name, "qkv projection") == 0 &&
                of_all.ops[i].phase == P3D_FORWARD)
            flop[0] += p3d_op_flop(&of_all.ops[i]);
    for (int i = 0; i < of_window.n_ops; i++)
        if (strcmp(of_window.ops[i].name, "qkv projection") == 0 &&
                of_window.ops[i].phase == P3D_FORWARD)
            flop[1] += p3d_op_flop(&of_window.ops[i]);
    assert_true(flop[0] == 2.0 * 16 * 5376 * (32 * 512 + 4 * 512));
    assert_true(flop[1] == 2.0 * 16 * 5376 * (32 * 256 + 2 * 16 * 256));
}

static void what_is_left_out_is_named(void **state)
{
    const p3d_model seeing = parse(
            "{\"model_type\": \"vipllava\", \"vision_config\": {\"a\": 1}, "
            "\"text_config\": {\"model_type\": \"llama\", " SIZES
            ", \"mystery\": 7, \"off\": false, \"dtype\": \"float32\"}}");
    const p3d_model flat = parse(
            "{\"model_type\": \"qwen2_vl\", \"vision_config\": {\"a\": 1}, "
            "\"num_key_value_heads\": 4, " SIZES "}");
    const p3d_model plain = parse("{\"model_type\": \"llama\", " SIZES "}");

    (void)state;
    assert_string_equal(seeing.not_counted, "vision_config");
    assert_string_equal(seeing.unread_keys, "mystery");
    assert_string_equal(flat.not_counted, "vision_config");
    assert_string_equal(plain.not_counted, "");
    assert_string_equal(plain.unread_keys, "");
}

static void infinity_is_read_as_nothing(void **state)
{
    const p3d_model model =
            parse("{\"model_type\": \"llama\", \"time_step_limit\": "
                  "[0.0, Infinity, -Infinity], \"_name_or_path\": "
                  "\"Infinity\", " SIZES "}");

    (void)state;
    assert_int_equal(model.hidden, 64);
    assert_string_equal(model.name, "Infinity");
}

/* The published files of Kimi Linear count layers from 1. */
static void kimi_counts_layers_from_one(void **state)
{
    const p3d_model model =
            parse("{\"model_type\": \"kimi_linear\", \"linear_attn_config\": "
                  "{\"full_attn_layers\": [4], \"kda_layers\": [1, 2, 3], "
                  "\"num_heads\": 2, \"head_dim\": 32, "
                  "\"short_conv_kernel_size\": 3}, " SIZES "}");

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(model.layer_kind[i] & P3D_LAYER_MIXER,
                i < 3 ? P3D_LAYER_MIXER : 0);
    assert_int_equal(model.mixer.heads, 2);
    assert_int_equal(model.mixer.value_dim, 32);
    assert_int_equal(model.mixer.taps, 3);
    assert_string_equal(model.unread_keys, "");
    refused("{\"model_type\": \"kimi_linear\", \"linear_attn_config\": "
            "{\"full_attn_layers\": [0]}, " SIZES "}",
            "1 for the first");
}

static void a_part_that_is_missing_is_named(void **state)
{
    (void)state;
    refused("{\"model_type\": \"rwkv\", " SIZES "}", "a recurrence of its own");
    refused("{\"model_type\": \"kimi_linear\", " SIZES "}",
            "'layer_types' is missing");
    refused("{\"model_type\": \"chatglm\", \"inner_hidden_size\": 256, " SIZES
            "}",
            "the first ChatGLM");
    refused("{\"model_type\": \"olmo_hybrid\", \"linear_num_key_heads\": "
            "7, " SIZES "}",
            "do not divide");
    refused("{\"model_type\": \"laguna\", "
            "\"num_attention_heads_per_layer\": [4, 4, 8, 4], " SIZES "}",
            "different numbers of heads");
    refused(PARTS("\"num_hidden_layers\": 4"),
            "'layers_block_type' is missing");
    refused(PARTS("\"hybrid_override_pattern\": \"M-*x\""), "letter 4 of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_delta_rule_has_these_parameters),
            cmocka_unit_test(a_gate_is_a_matrix_as_wide_as_the_queries),
            cmocka_unit_test(mamba_2_has_these_parameters),
            cmocka_unit_test(mamba_has_these_parameters),
            cmocka_unit_test(the_delta_rule_keeps_these_bytes),
            cmocka_unit_test(an_indexer_adds_its_projections),
            cmocka_unit_test(an_indexer_of_blocks_is_in_the_layers_of_the_list),
            cmocka_unit_test(layers_of_one_part_have_these_parameters),
            cmocka_unit_test(latent_experts_have_these_parameters),
            cmocka_unit_test(layers_of_one_part_keep_one_input),
            cmocka_unit_test(layers_that_see_all_have_heads_of_their_own),
            cmocka_unit_test(layers_use_keys_and_values_of_others),
            cmocka_unit_test(each_layer_has_an_embedding),
            cmocka_unit_test(a_layer_like_the_sharing_one_makes_its_keys),
            cmocka_unit_test(what_is_shared_is_made_and_kept_once),
            cmocka_unit_test(wider_heads_have_larger_products),
            cmocka_unit_test(what_is_left_out_is_named),
            cmocka_unit_test(infinity_is_read_as_nothing),
            cmocka_unit_test(kimi_counts_layers_from_one),
            cmocka_unit_test(a_part_that_is_missing_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
