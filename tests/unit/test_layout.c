/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_layout.c - which rank holds which layers, and who shares them. */
#include "problem.h"

#include <string.h>

#include "cost/cost.h"

static void layers_go_to_the_chunks_in_turn(void **state)
{
    const p3d_problem problem =
            problem_of("deepseek-v3", "64xH100", "generic", 4096, 64);
    const p3d_plan plan = problem_plan(&problem, "pp=1,ep=8");
    cost_layout layout;

    (void)state;
    assert_true(cost_layout_build(&problem, &plan, &layout));
    assert_int_equal(layout.n_chunks, 1);
    /* 61 layers, of which the first 3 are dense. */
    assert_int_equal(layout.count[0][0], 3);
    assert_int_equal(layout.count[0][P3D_LAYER_MOE], 58);
}

/* Chunk j of rank r is stage j p + r: with 8 layers on 2 ranks of 2 chunks,
 * rank 0 has layers 0, 1, 4, 5. */
static void chunk_j_of_rank_r_is_stage_jp_plus_r(void **state)
{
    p3d_problem problem =
            problem_of("mixtral-8x7b", "2xA100", "generic", 4096, 8);
    const p3d_plan plan = problem_plan(&problem, "pp=2,vp=2");
    cost_layout layout;

    (void)state;
    problem.model.n_layers = 8;
    for (int i = 0; i < 8; i++)
        problem.model.layer_kind[i] = i < 5 ? 0 : P3D_LAYER_MOE;
    assert_true(cost_layout_build(&problem, &plan, &layout));
    assert_int_equal(layout.count[0][0], 2);
    assert_int_equal(layout.count[2][0], 1);
    assert_int_equal(layout.count[2][P3D_LAYER_MOE], 1);
    assert_int_equal(layout.count[3][P3D_LAYER_MOE], 2);
}

/* Layers 0..4 are dense, 5..7 have experts; chunks of 4: D D D D, D E E E. */
static void recomputed_layers_are_the_first_of_a_chunk(void **state)
{
    static const struct {
        const char *words;
        int dense[2], moe[2]; /* layers, inputs that are kept; second chunk */
    } cases[] = {{"pp=2", {0, 0}, {0, 0}},
            {"pp=2,recompute=selective", {0, 0}, {0, 0}},
            {"pp=2,recompute=full", {1, 1}, {3, 3}},
            {"pp=2,recompute=full:1", {1, 1}, {0, 0}},
            {"pp=2,recompute=full:3", {1, 1}, {2, 2}},
            {"pp=2,recompute=uniform:2", {1, 1}, {3, 1}},
            {"pp=2,recompute=uniform:3", {1, 1}, {3, 1}}};
    p3d_problem problem =
            problem_of("mixtral-8x7b", "2xA100", "generic", 4096, 8);

    (void)state;
    problem.model.n_layers = 8;
    for (int i = 0; i < 8; i++)
        problem.model.layer_kind[i] = i < 5 ? 0 : P3D_LAYER_MOE;
    for (int i = 0; i < (int)(sizeof(cases) / sizeof(*cases)); i++) {
        const p3d_plan plan = problem_plan(&problem, cases[i].words);
        cost_layout layout;
        cost_replay r;

        assert_true(cost_layout_build(&problem, &plan, &layout));
        r = cost_replay_of(
                &(cost_case){
                        .problem = &problem, .plan = &plan, .layout = &layout},
                1);
        assert_int_equal(r.full[0], cases[i].dense[0]);
        assert_int_equal(r.kept_inputs[0], cases[i].dense[1]);
        assert_int_equal(r.full[P3D_LAYER_MOE], cases[i].moe[0]);
        assert_int_equal(r.kept_inputs[P3D_LAYER_MOE], cases[i].moe[1]);
    }
}

static void replicas_are_what_shares_a_weight(void **state)
{
    p3d_plan plan = {
            .tp = 4, .pp = 2, .dp = 8, .cp = 2, .ep = 8, .etp = 1, .vp = 1};

    (void)state;
    assert_int_equal(cost_dense_replicas(&plan), 16);
    assert_int_equal(cost_expert_replicas(&plan), 8); /* 4 x 2 x 8 / 8 */
    plan.etp = 4;
    assert_int_equal(cost_expert_replicas(&plan), 2);
}

/* Ranks 1 and 2 of 4 have a dense layer and one with experts each, in another
 * order: what is recomputed of them, the first, is not the same. */
static void ranks_with_layers_in_another_order_differ(void **state)
{
    static const uint8_t kinds[8] = {
            0, 0, 0, P3D_LAYER_MOE, P3D_LAYER_MOE, 0, 0, P3D_LAYER_MOE};
    p3d_problem problem =
            problem_of("mixtral-8x7b", "4xA100", "generic", 4096, 8);
    const p3d_plan plan = problem_plan(&problem, "pp=4,recompute=full:1");
    cost_layout layout;
    const cost_case of = {
            .problem = &problem, .plan = &plan, .layout = &layout};
    p3d_stage one, two;

    (void)state;
    problem.model.n_layers = 8;
    memcpy(problem.model.layer_kind, kinds, sizeof(kinds));
    assert_true(cost_layout_build(&problem, &plan, &layout));
    assert_false(cost_same_as_before(&of, 2));
    one = problem_stage(&problem, &plan, 1);
    two = problem_stage(&problem, &plan, 2);
    assert_true(p3d_memory_device_bytes(&one.memory) !=
                p3d_memory_device_bytes(&two.memory));
    problem.model.layer_kind[4] = 0;
    problem.model.layer_kind[5] = P3D_LAYER_MOE;
    assert_true(cost_layout_build(&problem, &plan, &layout));
    assert_true(cost_same_as_before(&of, 2));
    assert_false(cost_same_as_before(&of, 1));
    assert_false(cost_same_as_before(&of, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(layers_go_to_the_chunks_in_turn),
            cmocka_unit_test(chunk_j_of_rank_r_is_stage_jp_plus_r),
            cmocka_unit_test(recomputed_layers_are_the_first_of_a_chunk),
            cmocka_unit_test(replicas_are_what_shares_a_weight),
            cmocka_unit_test(ranks_with_layers_in_another_order_differ),
    };

    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
