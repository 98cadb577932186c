/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_partition.c - inputs of recomputed layers that tensor-parallel ranks
 * share out: bytes, seconds and rules. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>

#include "cost/cost.h"
#include "plan3d/search.h"

/* LLaMA-2-7B, 4,096 tokens: T h 2 B = 4096 x 4096 x 2. */
enum { INPUT_BYTES = 33554432, N_LAYERS = 32, BATCH = 16 };

/** A100s, all-gathers of round numbers: 0.5 x 300 GB/s, 10 us and 1 us a step,
 *  1e-8 s for the root of a byte. */
static p3d_problem usual(bool partition)
{
    p3d_problem p =
            problem_of("llama-2-7b", "8xA100", "deepspeed", 4096, BATCH);

    p.cluster.calibration.collective[P3D_ALL_GATHER] =
            (p3d_collective_fit){.launch_s = 10e-6,
                    .step_s = 1e-6,
                    .link_frac = 0.5,
                    .ramp_s_per_sqrt_byte = 1e-8};
    p.job.partition_activations = partition;
    return p;
}

static p3d_block layer_of(bool partition, const char *words)
{
    const p3d_problem p = usual(partition);
    const p3d_plan plan = problem_plan(&p, words);
    p3d_blocks blocks;

    p3d_blocks_build(&p, p3d_plan_shard(&plan), &blocks);
    return blocks.block[0];
}

/* 7/8 of 33,554,432 B come from 7 others, in 7 steps. */
static double gather_s(void)
{
    return 10e-6 + 7e-6 + 29360128 / 150e9 + 1e-8 * sqrt(29360128);
}

static void an_eighth_is_kept_and_the_rest_gathered(void **state)
{
    static const char plan[] = "tp=8,nosp,recompute=full";
    const p3d_block whole = layer_of(false, plan);
    const p3d_block shared = layer_of(true, plan);

    (void)state;
    assert_int_equal(whole.saved_bytes[P3D_RECOMPUTE_FULL], INPUT_BYTES);
    assert_int_equal(shared.saved_bytes[P3D_RECOMPUTE_FULL], INPUT_BYTES / 8);
    CHECK_REL(shared.replay_s[P3D_RECOMPUTE_FULL] -
                      whole.replay_s[P3D_RECOMPUTE_FULL],
            gather_s(), 1e-9);
    CHECK_REL(whole.replay_s[P3D_RECOMPUTE_FULL], whole.forward_s, 1e-12);
    /* What comes back for the backward pass is whole. */
    assert_int_equal(shared.replay_bytes[P3D_RECOMPUTE_FULL],
            whole.replay_bytes[P3D_RECOMPUTE_FULL]);
    assert_int_equal(shared.saved_bytes[P3D_RECOMPUTE_NONE],
            whole.saved_bytes[P3D_RECOMPUTE_NONE]);
}

/* Sequence parallelism has shared them out. */
static void shares_are_not_shared_again(void **state)
{
    const p3d_block layer = layer_of(true, "tp=8,sp,recompute=full");

    (void)state;
    assert_int_equal(layer.saved_bytes[P3D_RECOMPUTE_FULL], INPUT_BYTES / 8);
    CHECK_REL(layer.replay_s[P3D_RECOMPUTE_FULL], layer.forward_s, 1e-12);
}

static void a_step_gathers_for_each_layer_and_micro_batch(void **state)
{
    static const char plan[] = "tp=8,mbs=1,nosp,recompute=full";
    const p3d_problem whole = usual(false), shared = usual(true);
    const double more_s = problem_estimate(&shared, plan).time.recompute_s -
                          problem_estimate(&whole, plan).time.recompute_s;
    const p3d_plan p = problem_plan(&shared, plan);
    p3d_recomputed again;

    (void)state;
    CHECK_REL(more_s, BATCH * N_LAYERS * gather_s(), 1e-9);
    p3d_estimate_recomputed(&shared, &p, &again);
    CHECK_REL(p3d_time_step_s(&again.time),
            problem_estimate(&shared, plan).time.recompute_s, 1e-9);
}

static void refused(const p3d_problem *p, const char *words, const char *rule)
{
    const p3d_plan plan = problem_plan(p, words);
    p3d_refusal refusal = {.rule = NULL};

    assert_false(
            p3d_plan_legal(&p->model, &p->cluster, &p->job, &plan, &refusal));
    assert_string_equal(refusal.rule, rule);
}

static void rules_want_ranks_that_have_the_same(void **state)
{
    p3d_framework other = *p3d_framework_find("deepspeed");
    p3d_problem p = usual(true);

    (void)state;
    refused(&p, "tp=1,recompute=full", "S16");
    refused(&p, "tp=8,sp,recompute=full", "S16");
    refused(&p, "tp=8,nosp", "F3");
    other.partition_activations = false;
    p.job.framework = &other;
    refused(&p, "tp=8,nosp,recompute=full", "S16");
}

/* A search looks at nothing else. */
static void a_search_recomputes_in_full_without_sp(void **state)
{
    const p3d_problem p = usual(true);
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *const best = calloc(1, sizeof(*best));
    p3d_error err = {.code = P3D_OK};

    (void)state;
    assert_true(p3d_search(&p, &pins, 1, best, &err));
    assert_true(best->n_top == 1);
    assert_true(best->top[0].plan.tp > 1);
    assert_false(best->top[0].plan.sequence_parallel);
    assert_int_equal(best->top[0].plan.recompute, P3D_RECOMPUTE_FULL);
    free(best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_eighth_is_kept_and_the_rest_gathered),
            cmocka_unit_test(shares_are_not_shared_again),
            cmocka_unit_test(a_step_gathers_for_each_layer_and_micro_batch),
            cmocka_unit_test(rules_want_ranks_that_have_the_same),
            cmocka_unit_test(a_search_recomputes_in_full_without_sp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
