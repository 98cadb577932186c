/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_legality_said.c - rules F1 and F2: layers that are recomputed, and what
 * a framework's options cannot say. */
#include "problem.h"

#include <string.h>

/* A framework that can do anything, less what the bits say. */
static p3d_framework lacking(unsigned lacks)
{
    p3d_framework framework = *p3d_framework_find("generic");

    framework.lacks = lacks;
    return framework;
}

static bool ask(
        const p3d_problem *problem, const char *words, p3d_refusal *refusal)
{
    const p3d_plan plan = problem_plan(problem, words);

    return p3d_plan_legal(
            &problem->model, &problem->cluster, &problem->job, &plan, refusal);
}

static void each_bit_refuses_its_plans_and_no_others(void **state)
{
    static const struct {
        unsigned bit;
        const char *model, *refused, *legal;
    } rows[] = {
            {P3D_LACKS_LAYER_COUNTS, "llama-2-7b", "recompute=full:4",
                    "recompute=full"},
            {P3D_LACKS_PIPELINE_LAYER_COUNTS, "llama-2-7b",
                    "pp=2,recompute=full:4", "recompute=full:4"},
            {P3D_LACKS_LAYER_GROUPS, "llama-2-7b", "recompute=uniform:2",
                    "recompute=full"},
            {P3D_LACKS_SELECTIVE, "llama-2-7b", "recompute=selective",
                    "recompute=full"},
            {P3D_LACKS_sequence_parallel, "llama-2-7b", "tp=8,sp", "tp=8,nosp"},
            {P3D_LACKS_EXPERT_TENSOR, "mixtral-8x7b", "tp=2,ep=2,etp=2,sp",
                    "tp=2,ep=2,etp=1,sp"},
            {P3D_LACKS_CONTEXT_SHARDS, "llama-2-7b", "cp=4,zero=3,shard=2",
                    "cp=4,zero=3,shard=8"},
            {P3D_LACKS_LONE_SHARDS, "llama-2-7b", "cp=4,zero=3,shard=4",
                    "cp=4,zero=3,shard=8"},
            {P3D_LACKS_UNEVEN_CHUNKS, "llama-2-7b", "pp=2,vp=7,uneven",
                    "pp=4,vp=3,uneven"},
            {P3D_LACKS_ZERO_3_EXPERTS, "mixtral-8x7b", "zero=3", "zero=2"},
            {P3D_LACKS_ODD_GROUPS, "llama-2-7b", "pp=4,recompute=uniform:3",
                    "pp=4,recompute=uniform:4"},
            {P3D_LACKS_MICRO_BATCH_GROUPS, "llama-2-7b", "pp=4,vp=2,group=8",
                    "pp=4,vp=2,group=4"},
            {P3D_LACKS_CHUNK_ENDS, "llama-2-7b", "pp=4,vp=2,first=2,last=6",
                    "pp=4,first=7,last=7"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const p3d_framework all = lacking(0);
        const p3d_framework less = lacking(rows[i].bit);
        p3d_problem problem =
                problem_of(rows[i].model, "64xH100", "generic", 4096, 512);
        p3d_refusal refusal = {.rule = NULL};

        problem.job.framework = &all;
        assert_true(ask(&problem, rows[i].refused, NULL));
        problem.job.framework = &less;
        assert_true(ask(&problem, rows[i].legal, NULL));
        assert_false(ask(&problem, rows[i].refused, &refusal));
        assert_string_equal(refusal.rule, "F2");
        assert_non_null(strstr(refusal.reason, "; try "));
    }
}

static void refused(
        const p3d_problem *problem, const char *words, const char *reason)
{
    p3d_refusal refusal = {.rule = NULL};

    assert_false(ask(problem, words, &refusal));
    assert_string_equal(refusal.rule, "F1");
    assert_string_equal(refusal.reason, reason);
}

static void f1_multi_token_prediction_recomputes_one_by_one(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "64xH100", "generic", 4096, 512);

    (void)state;
    assert_true(ask(&problem, "pp=2,recompute=uniform:2", NULL));
    problem.job.n_mtp_layers = 1;
    refused(&problem, "pp=2,recompute=uniform:2",
            "recompute=uniform:2: with multi-token prediction (--mtp) layers "
            "are recomputed one by one; try recompute=full");
    assert_true(ask(&problem, "pp=2,recompute=full", NULL));
}

static void f1_graphs_of_layers_recompute_none(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "64xH100", "megatron-core", 4096, 512);

    (void)state;
    problem.job.graphs = P3D_GRAPHS_LAYERS;
    refused(&problem, "recompute=full:2",
            "recompute=full: CUDA graphs of layers (--cuda-graphs) replay none "
            "of them; try recompute=selective");
    assert_true(ask(&problem, "recompute=selective", NULL));
    problem.job.graphs = P3D_GRAPHS_STEP;
    assert_true(ask(&problem, "recompute=full:2", NULL));
}

static void f1_numbers_of_layers_are_not_negative(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-7b", "64xH100", "generic", 4096, 512);
    p3d_plan plan = problem_plan(&problem, "tp=8,pp=2,recompute=full");
    p3d_refusal refusal = {.rule = NULL};

    (void)state;
    for (int i = 0; i < 2; i++) {
        plan.recompute_layers = i == 0 ? -1 : 0;
        plan.recompute_group = i == 0 ? 0 : -1;
        assert_false(p3d_plan_legal(&problem.model, &problem.cluster,
                &problem.job, &plan, &refusal));
        assert_string_equal(refusal.rule, "F1");
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(f1_multi_token_prediction_recomputes_one_by_one),
            cmocka_unit_test(f1_graphs_of_layers_recompute_none),
            cmocka_unit_test(f1_numbers_of_layers_are_not_negative),
            cmocka_unit_test(each_bit_refuses_its_plans_and_no_others),
    };

    return cmocka_run_group_tests_name("rules F1 and F2", tests, NULL, NULL);
}
