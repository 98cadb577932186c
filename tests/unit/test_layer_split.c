/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_layer_split.c - stages by their share of the work, and stages whose
 * layers are said. */
#include "problem.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))

/* The 1B model of huggingface/bench_cluster@f55b5e5: a layer costs
 * 4 x 32 x 64 x 2048 + 3 x 2048 x 4096 = 41,943,040, the head 50257 x 2048 =
 * 102,926,336, 2.45 layers; all together 26.45 layers. */
static p3d_model example(void)
{
    return (p3d_model){.name = "example",
            .hidden = 2048,
            .n_layers = 24,
            .n_heads = 32,
            .n_kv_heads = 32,
            .head_dim = 64,
            .ffn = 4096,
            .gated_mlp = true,
            .vocab = 50257};
}

static bool split(const p3d_model *model, const char *framework,
        const p3d_plan *plan, int layers[P3D_MAX_LAYERS])
{
    const p3d_job job = {.framework = p3d_framework_find(framework)};

    assert_non_null(job.framework);
    return p3d_plan_split_layers(model, &job, plan, layers);
}

/* A stage ends when the layers so far pass its share of 26.45 / pp:
 *   16 x 1.65: 2 pass 1.65, 4 pass 3.31, 5 pass 4.96, 7, 9, 10, 12, 14, 15,
 *              17, 19, 20, 22, 24 (23.15), none
 *   8 x 3.31:  4, 7, 10, 14, 17, 20, 24 (23.15), none
 *   4 x 6.61:  7, 14, 20, 24
 *   2 x 13.2:  14, 24 */
static const struct {
    int pp;
    int layers[16];
} stages[] = {{1, {24}}, {2, {14, 10}}, {4, {7, 7, 6, 4}},
        {8, {4, 3, 3, 4, 3, 3, 4, 0}},
        {16, {2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 0, 0}}};

static void a_stage_ends_when_its_share_of_the_work_is_passed(void **state)
{
    const p3d_model model = example();

    (void)state;
    for (int i = 0; i < N_ROWS(stages); i++) {
        const p3d_plan plan = {.pp = stages[i].pp, .vp = 1};
        const char *const names[] = {"nanotron", "nanotron-2024"};
        int layers[P3D_MAX_LAYERS];

        for (int f = 0; f < 2; f++) {
            assert_true(split(&model, names[f], &plan, layers));
            for (int s = 0; s < stages[i].pp; s++)
                assert_int_equal(layers[s], stages[i].layers[s]);
        }
    }
}

/* With no vocabulary the layers are all the work: 6 of 24 are a fourth, but do
 * not pass it, so the first stage takes 7. */
static void layers_of_equal_cost_pass_their_share_late(void **state)
{
    const p3d_plan plan = {.pp = 4, .vp = 1};
    p3d_model model = example();
    int layers[P3D_MAX_LAYERS];

    (void)state;
    model.vocab = 0;
    assert_true(split(&model, "nanotron", &plan, layers));
    assert_int_equal(layers[0], 7);
    assert_int_equal(layers[1], 6);
    assert_int_equal(layers[2], 6);
    assert_int_equal(layers[3], 5);
}

/* Nothing is lost, and no stage before the last layer's is empty. */
static void every_layer_has_a_stage(void **state)
{
    (void)state;
    for (int n = 1; n <= 100; n++) {
        for (int pp = 1; pp <= n && pp <= 64; pp++) {
            const p3d_plan plan = {.pp = pp, .vp = 1};
            p3d_model model = example();
            int layers[P3D_MAX_LAYERS];
            int sum = 0;

            model.n_layers = n;
            assert_true(split(&model, "nanotron", &plan, layers));
            for (int s = 0; s < pp; s++) {
                assert_true(sum == n || layers[s] > 0);
                sum += layers[s];
            }
            assert_int_equal(sum, n);
        }
    }
}

static void work_is_not_shared_among_chunks(void **state)
{
    const p3d_plan plan = {.pp = 4, .vp = 2};
    const p3d_model model = example();
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_false(split(&model, "nanotron", &plan, layers));
}

/* Layers that are said, and the rest in equal shares between. */
static const struct {
    int n_layers, pp, vp, first, last;
    int layers[8]; /* of each stage; -1 = cannot be shared out */
} said[] = {{32, 4, 1, 7, 7, {7, 9, 9, 7}}, {32, 4, 1, 5, 0, {5, 9, 9, 9}},
        {32, 4, 1, 0, 2, {10, 10, 10, 2}}, {32, 4, 1, 8, 8, {8, 8, 8, 8}},
        {32, 2, 1, 20, 12, {20, 12}}, {32, 2, 1, 0, 12, {20, 12}},
        {32, 2, 1, 20, 11, {-1}}, {32, 4, 1, 7, 6, {-1}},
        {32, 4, 1, 16, 16, {-1}}, {32, 4, 1, 33, 0, {-1}},
        /* With chunks: of the first and the last one. Two layouts of
         * Megatron-Bridge (recipes/kimi/kimi_k2.py, recipes/moonlight): 61
         * layers as 4 x 15 + 1, 27 as 7 x 3 + 6. */
        {32, 4, 2, 4, 4, {4, 4, 4, 4, 4, 4, 4, 4}}, {32, 4, 2, 4, 5, {-1}},
        {61, 8, 2, 0, 1, {4, 4, 4, 4, 4, 4, 4, 4}},
        {27, 2, 2, 0, 6, {7, 7, 7, 6}}, {30, 2, 2, 8, 2, {8, 10, 10, 2}},
        {61, 16, 1, 3, 2, {3, 4, 4, 4, 4, 4, 4, 4}},
        /* 6 layers over 8 chunks: the embedding and the loss are one each */
        {6, 4, 2, 0, 0, {0, 1, 1, 1, 1, 1, 1, 0}}};

static void layers_lie_where_they_are_said_to(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(said); i++) {
        const p3d_plan plan = {.pp = said[i].pp,
                .vp = said[i].vp,
                .first_layers = said[i].first,
                .last_layers = said[i].last};
        p3d_model model = example();
        int layers[P3D_MAX_LAYERS];
        bool ok;

        model.n_layers = said[i].n_layers;
        ok = split(&model, "megatron-core", &plan, layers);
        assert_int_equal(ok, said[i].layers[0] >= 0);
        for (int s = 0; ok && s < plan.pp * plan.vp && s < 8; s++)
            assert_int_equal(layers[s], said[i].layers[s]);
        if (ok && plan.last_layers > 0)
            assert_int_equal(layers[plan.pp * plan.vp - 1], plan.last_layers);
    }
}

/* The ranks of a plan in words have them. */
static void ranks_hold_the_layers_that_are_said(void **state)
{
    static const int want[] = {7, 9, 9, 7};
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 16);
    const p3d_plan plan = problem_plan(&problem, "pp=4,first=7,last=7,zero=1");

    (void)state;
    for (int rank = 0; rank < 4; rank++)
        assert_int_equal(
                problem_stage(&problem, &plan, rank).n_layers, want[rank]);
}

/* Where a framework shares the layers out by itself, nobody says them. */
static void only_some_frameworks_take_numbers_of_layers(void **state)
{
    static const struct {
        const char *framework;
        bool takes;
    } cases[] = {{"megatron-core", true}, {"generic", true},
            {"nanotron", false}, {"deepspeed", false}, {"fsdp2", false}};

    (void)state;
    for (int i = 0; i < N_ROWS(cases); i++) {
        const p3d_problem problem = problem_of(
                "llama-2-7b", "8xA100", cases[i].framework, 4096, 16);
        const p3d_plan plan = problem_plan(&problem, "pp=4,first=7,last=7");
        p3d_refusal refusal = {.rule = NULL};
        const bool legal = p3d_plan_legal(&problem.model, &problem.cluster,
                &problem.job, &plan, &refusal);

        assert_int_equal(legal, cases[i].takes);
        if (!legal)
            assert_string_equal(refusal.rule, "C2");
    }
}

/* An empty first chunk keeps no layer, but its rank has another. */
static void a_chunk_may_have_no_layers(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 16);
    const p3d_plan plan = problem_plan(&problem, "pp=4,vp=2,zero=1");
    int n = 0;

    (void)state;
    problem.model.n_layers = 6;
    for (int rank = 0; rank < 4; rank++) {
        const p3d_stage s = problem_stage(&problem, &plan, rank);

        assert_int_equal(s.n_layers, rank == 0 || rank == 3 ? 1 : 2);
        n += s.n_layers;
    }
    assert_int_equal(n, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_stage_ends_when_its_share_of_the_work_is_passed),
            cmocka_unit_test(layers_of_equal_cost_pass_their_share_late),
            cmocka_unit_test(every_layer_has_a_stage),
            cmocka_unit_test(work_is_not_shared_among_chunks),
            cmocka_unit_test(layers_lie_where_they_are_said_to),
            cmocka_unit_test(ranks_hold_the_layers_that_are_said),
            cmocka_unit_test(only_some_frameworks_take_numbers_of_layers),
            cmocka_unit_test(a_chunk_may_have_no_layers),
    };

    return cmocka_run_group_tests_name("split of layers", tests, NULL, NULL);
}
