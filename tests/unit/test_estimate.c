/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_estimate.c - one plan's answer: fit, margins, host memory, refusals. */
#include "problem.h"

#include <string.h>

static p3d_problem usual(void)
{
    return problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 64);
}

static void an_illegal_plan_is_refused_and_the_answer_untouched(void **state)
{
    const p3d_problem problem = usual();
    p3d_plan plan = problem_plan(&problem, "tp=8");
    p3d_estimate e, before;
    p3d_refusal refusal;

    (void)state;
    memset(&e, 0x5a, sizeof(e));
    before = e;
    plan.tp = 3;
    assert_false(p3d_estimate_plan(&problem, &plan, &e, &refusal));
    assert_non_null(refusal.rule);
    assert_true(refusal.reason[0] != '\0');
    assert_memory_equal(&e, &before, sizeof(e));
    assert_false(p3d_estimate_plan(&problem, &plan, &e, NULL));
}

static void usable_memory_is_what_the_driver_shows_less_a_reserve(void **state)
{
    p3d_problem problem = usual();
    p3d_estimate e;

    (void)state;
    problem.job.reserve_bytes = 1000000000;
    e = problem_estimate(&problem, "tp=8,zero=1");
    assert_int_equal(e.usable_bytes,
            problem.cluster.gpu.visible_memory_bytes - 1000000000);
    assert_int_equal(p3d_estimate_margin_bytes(&e),
            e.usable_bytes - p3d_memory_device_bytes(&e.memory));
    assert_true(e.fits);
}

static void a_plan_fits_to_the_last_byte(void **state)
{
    p3d_problem problem = usual();
    const p3d_estimate e = problem_estimate(&problem, "tp=2,pp=2,zero=1");
    const int64_t need = p3d_memory_device_bytes(&e.memory);

    (void)state;
    problem.job.sure_reserve_bytes = 0;
    problem.cluster.gpu.visible_memory_bytes = need;
    assert_true(problem_estimate(&problem, "tp=2,pp=2,zero=1").fits);
    problem.cluster.gpu.visible_memory_bytes = need - 1;
    assert_false(problem_estimate(&problem, "tp=2,pp=2,zero=1").fits);
}

static void the_answer_is_of_the_tightest_rank(void **state)
{
    const p3d_problem problem = usual();
    const p3d_estimate e = problem_estimate(&problem, "pp=8,zero=1");

    (void)state;
    for (int rank = 0; rank < 8; rank++) {
        const p3d_stage s = problem_stage(&problem, &e.plan, rank);
        const int64_t bytes = p3d_memory_device_bytes(&s.memory);

        assert_true(bytes <= p3d_memory_device_bytes(&e.memory));
        if (rank == e.tight_stage)
            assert_memory_equal(&s.memory, &e.memory, sizeof(s.memory));
    }
}

/* Llama-2-7B, ZeRO-3 over 8 ranks of one node, 6,738,415,616 parameters: fp32
 * weights, gradients and two moments, and 16-bit gradients as they come, 18 B
 * each in all. */
static void offloaded_states_need_the_host(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "deepspeed", 4096, 64);
    const char *const words = "zero=3,offload=optimizer,recompute=full";
    p3d_estimate e = problem_estimate(&problem, words);
    const double need = 18 * 6738415616.0;

    (void)state;
    CHECK_REL((double)e.host_bytes_per_node, need, 1e-9);
    assert_int_equal(e.pinned_bytes_per_node, e.host_bytes_per_node);
    assert_int_equal(e.nvme_bytes_per_node, 0);
    assert_true(e.fits);
    /* 0.9 of the host's memory may be taken. */
    problem.cluster.node.host_memory_bytes = (int64_t)(need / 0.9) + 10;
    assert_true(problem_estimate(&problem, words).fits);
    problem.cluster.node.host_memory_bytes = (int64_t)(need / 0.9) - 10;
    assert_false(problem_estimate(&problem, words).fits);
    e = problem_estimate(&problem, "zero=3,recompute=full");
    assert_int_equal(e.host_bytes_per_node, 0);
}

/* FSDP2's fp32 weights are what the optimizer updates: with their gradients and
 * two moments 16 B each, and nothing of them on the device. */
static void fsdp2_offloads_whole(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "fsdp2", 4096, 64);
    const p3d_estimate e = problem_estimate(
            &problem, "zero=3,offload=optimizer+parameters,recompute=full");

    (void)state;
    CHECK_REL((double)e.host_bytes_per_node, 16 * 6738415616.0, 1e-9);
    assert_int_equal(e.memory.weights_bytes, 0);
    assert_int_equal(e.memory.gradients_bytes, 0);
    assert_int_equal(e.memory.optimizer_bytes, 0);
}

/* 6,738,415,616 parameters: 6P + attention at 100 % of 8 x 312e12. */
static void rates_follow_from_the_step(void **state)
{
    const p3d_problem problem = usual();
    const p3d_estimate e =
            problem_estimate(&problem, "tp=8,zero=1,recompute=full");
    const double step = p3d_time_step_s(&e.time);

    (void)state;
    CHECK_REL(e.tokens_per_s, 64 * 4096 / step, 1e-12);
    assert_true(e.mfu_frac > 0.1 && e.mfu_frac < 0.7);
    assert_true(e.hfu_frac > e.mfu_frac && e.hfu_frac < 4.0 / 3 * e.mfu_frac);
    assert_int_equal(e.n_micro_batches, 64);
}

static void built_blocks_give_the_same_answer(void **state)
{
    const p3d_problem problem = usual();
    const p3d_estimate e = problem_estimate(&problem, "tp=4,zero=1");
    p3d_estimate other;
    p3d_blocks blocks;

    (void)state;
    p3d_blocks_build(&problem, p3d_plan_shard(&e.plan), &blocks);
    p3d_estimate_blocks(&problem, &e.plan, &blocks, &other);
    assert_true(p3d_time_step_s(&e.time) == p3d_time_step_s(&other.time));
    assert_memory_equal(&e.memory, &other.memory, sizeof(e.memory));
}

static void mixtures_are_less_certain(void **state)
{
    const p3d_problem moe =
            problem_of("mixtral-8x7b", "8xA100", "megatron-core", 4096, 8);
    const p3d_problem dense = usual();
    const p3d_estimate a = problem_estimate(&moe, "ep=8,zero=1");
    const p3d_estimate b = problem_estimate(&dense, "tp=8,zero=1");

    (void)state;
    CHECK_REL(b.memory_error_frac, 0.03, 1e-12);
    CHECK_REL(a.memory_error_frac, 0.06, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(
                    an_illegal_plan_is_refused_and_the_answer_untouched),
            cmocka_unit_test(
                    usable_memory_is_what_the_driver_shows_less_a_reserve),
            cmocka_unit_test(a_plan_fits_to_the_last_byte),
            cmocka_unit_test(the_answer_is_of_the_tightest_rank),
            cmocka_unit_test(offloaded_states_need_the_host),
            cmocka_unit_test(fsdp2_offloads_whole),
            cmocka_unit_test(rates_follow_from_the_step),
            cmocka_unit_test(built_blocks_give_the_same_answer),
            cmocka_unit_test(mixtures_are_less_certain),
    };

    return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
