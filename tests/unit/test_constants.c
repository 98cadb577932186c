/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_constants.c - the constants that a step time rests on. */
#include "problem.h"

#include <math.h>

#include "plan3d/constants.h"

static double step_s(const p3d_problem *problem, const char *words)
{
    const p3d_estimate e = problem_estimate(problem, words);

    return p3d_time_step_s(&e.time);
}

/** Step time with one constant changed. */
static double step_with_s(const p3d_problem *problem, const char *words,
        p3d_constant constant, double factor)
{
    p3d_factors factors = p3d_factors_one();
    p3d_problem scaled;

    factors.of[constant] = factor;
    scaled = p3d_problem_scaled(problem, &factors);
    return step_s(&scaled, words);
}

/** Step time with all constants that are times changed. */
static double all_times_s(
        const p3d_problem *problem, const char *words, double factor)
{
    p3d_factors factors = p3d_factors_one();
    p3d_problem scaled;

    for (int i = 0; i < P3D_N_CONSTANTS; i++)
        if (p3d_constant_of((p3d_constant)i)->is_time)
            factors.of[i] = factor;
    scaled = p3d_problem_scaled(problem, &factors);
    return step_s(&scaled, words);
}

typedef struct case_row {
    const char *model, *cluster, *framework, *words;
} case_row;

/* No pipeline, all-to-all or dispatch kernel: nothing has a start in the code.
 */
static const case_row without_starts[] = {
        {"llama-3-8b", "8xH100", "megatron-core", "tp=2,zero=1,sp"},
        {"llama-3-8b", "64xA800", "megatron-core", "tp=8,cp=2,zero=1,sp"},
        {"llama-3-8b", "64xA100", "fsdp2", "zero=3,recompute=full"},
        {"llama-2-7b", "1xH100", "megatron-core",
                "zero=1,recompute=full,offload=optimizer"},
        {"llama-2-7b", "4xL40S", "megatron-core", "tp=4,zero=1,nosp"},
};

/* Every second of such a step belongs to one of the constants: twice as much of
 * all is twice the step, whatever overlaps. */
static void a_step_is_as_long_as_its_constants(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof(without_starts) / sizeof(case_row); i++) {
        const case_row *r = &without_starts[i];
        const p3d_problem p =
                problem_of(r->model, r->cluster, r->framework, 2048, 64);
        const double T = step_s(&p, r->words);

        CHECK_REL(all_times_s(&p, r->words, 2), 2 * T, 1e-12);
        CHECK_REL(all_times_s(&p, r->words, 0.5), T / 2, 1e-12);
    }
}

/* Sends between stages start in 10 us on a node (A18's code, collective.c): the
 * share that no constant moves is small and above 0. */
static void starts_of_copies_are_fixed(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 2048, 64);
    const char *const words = "tp=2,pp=4,zero=1,sp";
    const double T = step_s(&p, words);
    const double fixed_s = 2 * T - all_times_s(&p, words, 2);

    (void)state;
    assert_true(fixed_s > 10e-6);
    assert_true(fixed_s < 0.01 * T);
}

static void constants_that_are_not_used_do_not_matter(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 2048, 64);
    const char *const words = "tp=2,zero=1,sp";
    static const p3d_constant unused[] = {P3D_CONSTANT_NETWORK,
            P3D_CONSTANT_NETWORK_START, P3D_CONSTANT_OFFLOAD};
    static const p3d_constant used[] = {P3D_CONSTANT_GEMM, P3D_CONSTANT_POWER,
            P3D_CONSTANT_ATTENTION, P3D_CONSTANT_PASS, P3D_CONSTANT_LINK,
            P3D_CONSTANT_LINK_START, P3D_CONSTANT_LEAK, P3D_CONSTANT_SPREAD,
            P3D_CONSTANT_FIXED};
    const double T = step_s(&p, words);

    (void)state;
    for (unsigned i = 0; i < sizeof(unused) / sizeof(*unused); i++)
        CHECK_REL(step_with_s(&p, words, unused[i], 4), T, 0);
    for (unsigned i = 0; i < sizeof(used) / sizeof(*used); i++) {
        assert_true(step_with_s(&p, words, used[i], 4) > T);
        assert_true(step_with_s(&p, words, used[i], 0.25) < T);
    }
}

/* The fixed cost is 3 ms of every step (A8). */
static void the_fixed_cost_is_added_once(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 2048, 64);
    const char *const words = "tp=2,zero=1,sp";

    (void)state;
    CHECK_REL(step_with_s(&p, words, P3D_CONSTANT_FIXED, 3) - step_s(&p, words),
            2 * 3e-3, 1e-9);
}

static void the_network_matters_between_nodes(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "64xH100", "fsdp2", 2048, 64);
    const double T = step_s(&p, "zero=3");

    (void)state;
    assert_true(step_with_s(&p, "zero=3", P3D_CONSTANT_NETWORK, 2) > T);
    assert_true(step_with_s(&p, "zero=3", P3D_CONSTANT_NETWORK_START, 2) > T);
}

/* All of a transfer shows at most: with 0.5, beyond twice as much no more. */
static void no_more_than_everything_shows(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "64xH100", "fsdp2", 2048, 64);

    (void)state;
    CHECK_REL(step_with_s(&p, "zero=3", P3D_CONSTANT_LEAK, 2),
            step_with_s(&p, "zero=3", P3D_CONSTANT_LEAK, 70), 0);
}

/* A limit below 1 is eased up to 1; one that is not there stays away. */
static void a_power_limit_never_speeds_up(void **state)
{
    p3d_problem p =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 2048, 64);
    const char *const words = "tp=2,zero=1,sp";
    double free_s;

    (void)state;
    free_s = step_with_s(&p, words, P3D_CONSTANT_POWER, 0.01);
    p.cluster.calibration.sustained_frac = 1;
    p.cluster.calibration.gemm.sustained_frac = 1;
    CHECK_REL(step_s(&p, words), free_s, 0);
    CHECK_REL(step_with_s(&p, words, P3D_CONSTANT_POWER, 4), free_s, 0);
}

/* sqrt(pi / 2) times the mean absolute error is the standard deviation of a
 * normal law: 1.2533 x 0.1 = 0.12533. */
static void errors_are_those_of_the_calibration(void **state)
{
    p3d_problem p =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 2048, 64);
    p3d_calibration *c = &p.cluster.calibration;

    (void)state;
    c->gemm.error_frac = 0.1;
    c->gemm_fp8.error_frac = 0.2;
    c->pass.error_frac = 0.3;
    c->collective_error_frac = 0.4;
    CHECK_REL(p3d_constant_sigma(&p, P3D_CONSTANT_GEMM), 0.1253314, 1e-6);
    CHECK_REL(p3d_constant_sigma(&p, P3D_CONSTANT_PASS), 0.3759942, 1e-6);
    CHECK_REL(p3d_constant_sigma(&p, P3D_CONSTANT_LINK), 0.5013257, 1e-6);
    CHECK_REL(p3d_constant_sigma(&p, P3D_CONSTANT_HOST), 0.5, 0);
    p.job.dtype = P3D_FP8;
    CHECK_REL(p3d_constant_sigma(&p, P3D_CONSTANT_GEMM), 0.2506628, 1e-6);
}

static void every_constant_says_what_to_measure(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        const p3d_constant_info *info = p3d_constant_of((p3d_constant)i);

        assert_non_null(info->name);
        assert_non_null(info->measure);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_step_is_as_long_as_its_constants),
            cmocka_unit_test(starts_of_copies_are_fixed),
            cmocka_unit_test(constants_that_are_not_used_do_not_matter),
            cmocka_unit_test(the_fixed_cost_is_added_once),
            cmocka_unit_test(the_network_matters_between_nodes),
            cmocka_unit_test(no_more_than_everything_shows),
            cmocka_unit_test(a_power_limit_never_speeds_up),
            cmocka_unit_test(errors_are_those_of_the_calibration),
            cmocka_unit_test(every_constant_says_what_to_measure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
