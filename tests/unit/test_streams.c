/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_streams.c - Gemma 3n in small: residual streams beside the one that
 * attention and MLP read, and products of low rank beside the attention, with
 * parameters, bytes and products worked out by hand. */
#include "problem.h"

#include <stdio.h>
#include <string.h>

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

#define GEMMA(streams)                                                    \
    "{\"model_type\": \"gemma3n_text\", \"hidden_size\": 64, "            \
    "\"num_hidden_layers\": 2, \"num_attention_heads\": 4, "              \
    "\"num_key_value_heads\": 2, \"head_dim\": 16, \"vocab_size\": 256, " \
    "\"intermediate_size\": [96, 96], \"num_kv_shared_layers\": 0, "      \
    "\"hidden_size_per_layer_input\": 0, \"laurel_rank\": 8, "            \
    "\"layer_types\": [\"full_attention\", \"full_attention\"], "         \
    "\"altup_num_inputs\": " streams "}"

static void streams_have_these_parameters(void **state)
{
    const p3d_model model = parse(GEMMA("3"));
    /* Six norms (no embedding of the layer), a scale of the first stream, norms
     * of queries and keys. */
    const int64_t rest = 6 * 64 + 64 + 2 * 16;
    const int64_t mlp = 3 * 64 * 96;

    (void)state;
    assert_int_equal(model.side_streams, 2);
    assert_int_equal(model.bypass_rank, 8);
    /* Router to 3, from them to 3 and to 3 x 3. */
    assert_int_equal(layer_of(&model, 1, 0), 64 * (64 + 2 * 32) + 64 * 64 +
                                                     mlp + rest + 2 * 64 * 8 +
                                                     64 * 3 + 3 * 3 + 3 * 9);
    assert_int_equal(
            layer_of(&model, 1, P3D_BLOCK_EMBEDDING), 256 * 64 + 2 * 64 * 64);
    assert_int_equal(layer_of(&model, 1, P3D_BLOCK_HEAD), 64 + 2 * 64 * 64);
    /* What is beside attention and MLP is on every rank. */
    assert_int_equal(layer_of(&model, 2, 0),
            64 * (32 + 2 * 16) + 32 * 64 + mlp / 2 + rest + 2 * 64 * 8 +
                    64 * 3 + 3 * 3 + 3 * 9);
}

/* 16 tokens of 64 channels, two streams beside the first. */
static void streams_keep_these_bytes(void **state)
{
    const p3d_model model = parse(GEMMA("3"));
    const p3d_problem problem = problem_with(&model);
    const int64_t stream = 16 * 64 * 2;
    p3d_workload layer, first, last;

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, p3d_shard_whole(), 0, &layer);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_EMBEDDING, &first);
    p3d_workload_build(&problem.model, &problem.job, p3d_shard_whole(),
            P3D_BLOCK_HEAD, &last);
    assert_true(flop_of(&layer, "product down beside the attention") ==
                2.0 * 16 * 64 * 8);
    assert_true(flop_of(&layer, "product up beside the attention") ==
                2.0 * 16 * 64 * 8);
    assert_true(
            flop_of(&layer, "router of the streams") == 2 * 2.0 * 16 * 64 * 3);
    assert_true(flop_of(&first, "products to the other streams") ==
                2 * 2.0 * 16 * 64 * 64);
    assert_true(flop_of(&last, "products back from the other streams") ==
                2 * 2.0 * 16 * 64 * 64);
    assert_int_equal(
            kept_of(&layer, "other streams before the layer"), 2 * stream);
    assert_int_equal(kept_of(&layer, "change of each stream"), 3 * stream);
    assert_int_equal(
            kept_of(&layer, "gradients of the other streams"), 2 * stream);
    assert_int_equal(
            kept_of(&layer, "between the products beside the attention"),
            16 * 8 * 2);
    assert_int_equal(kept_of(&first, "streams before and after their scaling"),
            2 * 2 * stream);
    assert_int_equal(
            kept_of(&last, "other streams behind the layers"), 2 * stream);
}

static void streams_stay_on_one_stage(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 16, 8);
    p3d_plan pipeline;
    p3d_refusal refusal = {.rule = NULL};

    (void)state;
    problem.model = parse(GEMMA("3"));
    pipeline = problem_plan(&problem, "pp=2");
    assert_false(p3d_plan_legal(&problem.model, &problem.cluster, &problem.job,
            &pipeline, &refusal));
    assert_non_null(strstr(refusal.reason, "further residual streams"));
}

static void widths_that_differ_are_refused(void **state)
{
    static const char text[] =
            "{\"model_type\": \"gemma3n_text\", \"hidden_size\": 64, "
            "\"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
            "\"vocab_size\": 256, \"intermediate_size\": [96, 80]}";
    p3d_model model;
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_model_parse("config.json", text, &model, &err));
    assert_non_null(strstr(err.text, "'intermediate_size' differs by layer"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(streams_have_these_parameters),
            cmocka_unit_test(streams_keep_these_bytes),
            cmocka_unit_test(streams_stay_on_one_stage),
            cmocka_unit_test(widths_that_differ_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
