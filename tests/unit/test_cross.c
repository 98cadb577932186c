/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cross.c - decoders whose layers attend to an encoder, embeddings and
 * heads of other widths, a mixer beside the attention and a norm behind the
 * experts: parameters, bytes and products worked out by hand. */
#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "cost/cost.h"

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

/* 16 tokens of a model on one GPU, as its own class trains it. */
static p3d_problem problem_with(const p3d_model *model)
{
    p3d_problem problem = problem_of("llama-2-7b", "8xA100", "fsdp2-hf", 16, 8);

    problem.model = *model;
    problem.job.dropout = false;
    return problem;
}

#define SIZES                                                                  \
    "\"d_model\": 64, \"decoder_layers\": 2, \"decoder_attention_heads\": 4, " \
    "\"decoder_ffn_dim\": 96, \"vocab_size\": 256"

static void cross_attention_has_these_parameters(void **state)
{
    const p3d_model bart = parse(
            "{\"model_type\": \"bart\", " SIZES ", \"encoder_layers\": 9}");
    const p3d_model seen = parse("{\"model_type\": \"trocr\", " SIZES
                                 ", \"cross_attention_hidden_size\": 40}");
    const p3d_model heard = parse("{\"model_type\": \"whisper\", " SIZES
                                  ", \"max_source_positions\": 50}");
    const int64_t mlp = 2 * 64 * 96 + 96 + 64, norms = 3 * 2 * 64;
    const int64_t one = 4 * 64 * 64 + 4 * 64;

    (void)state;
    assert_int_equal(bart.n_layers, 2);
    assert_int_equal(bart.cross_width, 64);
    assert_string_equal(bart.not_counted, "its encoder");
    assert_string_equal(bart.unread_keys, "");
    assert_int_equal(layer_of(&bart, 1, 0), 2 * one + mlp + norms);
    /* Halves of the matrices and of their biases; whole biases behind. */
    assert_int_equal(layer_of(&bart, 2, 0),
            2 * (4 * 64 * 32 + 3 * 32 + 64) + 2 * 64 * 48 + 48 + 64 + norms);
    /* Keys and values of 40 channels. */
    assert_int_equal(
            layer_of(&seen, 1, 0), 2 * one - 2 * 24 * 64 + mlp + norms);
    /* Keys have no bias, in both attentions. */
    assert_int_equal(heard.cross_tokens, 50);
    assert_int_equal(layer_of(&heard, 1, 0), 2 * (one - 64) + mlp + norms);
}

/* 16 tokens that attend to 50 of an encoder, 64 channels in 4 heads. */
static void cross_attention_keeps_these_bytes(void **state)
{
    const p3d_model model = parse("{\"model_type\": \"whisper\", " SIZES
                                  ", \"max_source_positions\": 50}");
    const p3d_problem problem = problem_with(&model);
    p3d_workload layer, ends;

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, p3d_shard_whole(), 0, &layer);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_EMBEDDING, &ends);
    assert_true(
            flop_of(&layer, "cross attention queries") == 2.0 * 16 * 64 * 64);
    assert_true(flop_of(&layer, "keys and values of the encoder's output") ==
                2.0 * 50 * 64 * 128);
    /* Every query sees all of them: scores, and values. */
    assert_true(
            flop_of(&layer, "cross attention core") == 2 * 2.0 * 16 * 50 * 64);
    assert_true(flop_of(&layer, "cross attention output projection") ==
                2.0 * 16 * 64 * 64);
    assert_int_equal(kept_of(&layer, "input of the cross attention's queries"),
            16 * 64 * 2);
    assert_int_equal(
            kept_of(&layer, "queries of the cross attention"), 16 * 64 * 2);
    assert_int_equal(kept_of(&layer, "keys and values of the encoder's output"),
            50 * 128 * 2);
    assert_int_equal(
            kept_of(&layer, "output of the cross attention"), 16 * 64 * 2);
    assert_int_equal(kept_of(&layer, "log-sum-exp of the scores"),
            2 * 16 * 4 * 4); /* of both attentions */
    assert_int_equal(kept_of(&layer, "input of a third norm"), 16 * 64 * 2);
    /* The encoder's output is there once, its gradient in backward passes. */
    assert_int_equal(kept_of(&ends, "output of the encoder"), 50 * 64 * 2);
    assert_int_equal(
            kept_of(&layer, "gradient of the encoder's output"), 50 * 64 * 2);
}

static int64_t adapters_of(const p3d_problem *problem, p3d_workload *list)
{
    p3d_workload_build(
            &problem->model, &problem->job, p3d_shard_whole(), 0, list);
    return cost_adapter_params(list, &problem->job).dense;
}

/* Adapters of 8 rows beside queries and output, 64 x 64, and keys and values,
 * 64 x 64 of 50 tokens, as beside those of the attention itself; both MLP
 * matrices 64 x 96. Of queries alone: the encoder's output is not kept. */
static void cross_attention_is_adapted(void **state)
{
    const p3d_model model = parse("{\"model_type\": \"whisper\", " SIZES
                                  ", \"max_source_positions\": 50}");
    p3d_problem problem = problem_with(&model);
    p3d_workload list;

    (void)state;
    problem.job.adapters.rank = 8;
    assert_int_equal(adapters_of(&problem, &list),
            8 * (2 * 4 * (64 + 64) + 2 * (64 + 96)));
    /* Results of A: 4 beside its own attention, 2 of the MLP, 4 across. */
    assert_int_equal(kept_of(&list, "results of the adapters' A"),
            2 * 8 * (16 * (4 + 2 + 2) + 50 * 2));
    assert_int_equal(
            kept_of(&list, "input of the cross attention's queries"), 16 * 128);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_EMBEDDING, &list);
    assert_int_equal(kept_of(&list, "output of the encoder"), 50 * 128);

    problem.job.adapters.targets = P3D_TARGET_Q;
    assert_int_equal(adapters_of(&problem, &list), 8 * 2 * (64 + 64));
    assert_int_equal(
            kept_of(&list, "input of the cross attention's queries"), 16 * 128);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_EMBEDDING, &list);
    assert_int_equal(kept_of(&list, "output of the encoder"), 0);
}

/* The encoder's output goes to all layers: neither a pipeline nor parts of the
 * sequence have it. */
static void cross_attention_is_not_divided(void **state)
{
    const p3d_model model = parse("{\"model_type\": \"bart\", " SIZES "}");
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 16, 8);
    p3d_plan pipeline, parts;
    p3d_refusal refusal = {.rule = NULL};

    (void)state;
    problem.model = model;
    pipeline = problem_plan(&problem, "pp=2");
    parts = problem_plan(&problem, "cp=2");
    assert_false(p3d_plan_legal(&problem.model, &problem.cluster, &problem.job,
            &pipeline, &refusal));
    assert_non_null(strstr(refusal.reason, "; try pp=1"));
    assert_false(p3d_plan_legal(
            &problem.model, &problem.cluster, &problem.job, &parts, &refusal));
    assert_non_null(strstr(refusal.reason, "; try cp=1"));
}

#define SHAPE                                           \
    "\"hidden_size\": 64, \"num_hidden_layers\": 2, "   \
    "\"num_attention_heads\": 4, \"vocab_size\": 256, " \
    "\"intermediate_size\": 96, \"max_position_embeddings\": 32"

static void tables_may_be_narrower_than_the_model(void **state)
{
    const p3d_model electra = parse(
            "{\"model_type\": \"electra\", " SHAPE ", \"embedding_size\": 16}");
    const p3d_model rembert = parse(
            "{\"model_type\": \"rembert\", " SHAPE
            ", \"input_embedding_size\": 16, \"output_embedding_size\": 80}");
    const p3d_problem problem = problem_with(&rembert);
    const int64_t tables = (256 + 32 + 2 + 2) * 16 + (16 + 1) * 64;
    p3d_workload head, ends;

    (void)state;
    assert_int_equal(layer_of(&electra, 1, P3D_BLOCK_EMBEDDING), tables);
    assert_int_equal(
            layer_of(&electra, 1, P3D_BLOCK_HEAD), 16 * (64 + 3) + 256);
    assert_int_equal(layer_of(&rembert, 1, P3D_BLOCK_EMBEDDING), tables);
    assert_int_equal(layer_of(&rembert, 1, P3D_BLOCK_HEAD),
            80 * (64 + 3) + 256 * 80 + 256);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_HEAD, &head);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_EMBEDDING, &ends);
    assert_true(flop_of(&ends, "projection of the embedding") ==
                2.0 * 16 * 16 * 64);
    assert_int_equal(
            kept_of(&ends, "embedding before its projection"), 16 * 16 * 2);
    assert_true(flop_of(&head, "transform of the head") == 2.0 * 16 * 64 * 80);
    assert_true(flop_of(&head, "logits") == 2.0 * 16 * 80 * 256);
    assert_int_equal(kept_of(&head, "input of the output matrix"), 16 * 80 * 2);
}

/* Blocks of 2: a query sees 2 (5 + 1) tokens of 16. */
static void attention_may_see_blocks(void **state)
{
    const p3d_model model = parse(
            "{\"model_type\": \"big_bird\", " SHAPE ", \"block_size\": 2, "
            "\"num_random_blocks\": 1}");
    const p3d_model full = parse("{\"model_type\": \"big_bird\", " SHAPE
                                 ", \"attention_type\": \"original_full\"}");
    const p3d_problem problem = problem_with(&model);
    p3d_workload layer;

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, p3d_shard_whole(), 0, &layer);
    assert_int_equal(model.index_topk, 2 * 6);
    assert_int_equal(full.index_topk, 0);
    assert_true(flop_of(&layer, "attention core") == 2 * 2.0 * 16 * 12 * 64);
    assert_int_equal(layer_of(&model, 1, P3D_BLOCK_HEAD),
            64 * 65 + 64 * (64 + 3) + 256); /* with its pooler */
}

/* Mamba-2 of 4 heads of 8 with a state of 16 beside the attention. */
static void a_mixer_stands_beside_the_attention(void **state)
{
    const p3d_model model =
            parse("{\"model_type\": \"falcon_h1\", " SHAPE
                  ", \"num_key_value_heads\": 2, \"mamba_n_heads\": 4, "
                  "\"mamba_d_head\": 8, \"mamba_d_state\": 16, "
                  "\"mamba_n_groups\": 1, "
                  "\"mamba_d_conv\": 4}");
    const p3d_problem problem = problem_with(&model);
    /* Into it 2 d + 2 N + H; its convolution over d + 2 N, with a bias. */
    const int64_t mixer = 64 * (64 + 32 + 4) + (32 + 32) * 5 + 32 * 64 + 3 * 4;
    p3d_workload layer;

    (void)state;
    assert_int_equal(layer_of(&model, 1, 0),
            mixer + 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96 + 2 * 64);
    p3d_workload_build(
            &problem.model, &problem.job, p3d_shard_whole(), 0, &layer);
    assert_true(flop_of(&layer, "qkv projection") == 2.0 * 16 * 64 * 128);
    assert_true(flop_of(&layer, "mixer projection") == 2.0 * 16 * 64 * 100);
    assert_int_equal(kept_of(&layer, "input of the mixer"), 16 * 64 * 2);
}

static void experts_may_have_a_norm_behind_them(void **state)
{
    const p3d_model model = parse(
            "{\"model_type\": \"axk1\", " SHAPE
            ", \"n_routed_experts\": 4, \"num_experts_per_tok\": 2, "
            "\"n_group\": 1, \"topk_group\": 1, \"moe_intermediate_size\": 8}");
    p3d_model bare = model;
    const p3d_problem problem = problem_with(&model);
    p3d_workload layer;

    (void)state;
    bare.expert_norm = false;
    assert_int_equal(layer_of(&model, 1, P3D_LAYER_MOE) -
                             layer_of(&bare, 1, P3D_LAYER_MOE),
            64);
    assert_int_equal(layer_of(&model, 1, 0), layer_of(&bare, 1, 0));
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_LAYER_MOE, &layer);
    assert_int_equal(
            kept_of(&layer, "input of the norm behind the experts"), 16 * 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(cross_attention_has_these_parameters),
            cmocka_unit_test(cross_attention_keeps_these_bytes),
            cmocka_unit_test(cross_attention_is_adapted),
            cmocka_unit_test(cross_attention_is_not_divided),
            cmocka_unit_test(tables_may_be_narrower_than_the_model),
            cmocka_unit_test(attention_may_see_blocks),
            cmocka_unit_test(a_mixer_stands_beside_the_attention),
            cmocka_unit_test(experts_may_have_a_norm_behind_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
