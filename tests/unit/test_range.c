/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_range.c - how far a step time may be from its estimate. */
#include "test.h"

#include <math.h>

#include "base/util.h"
#include "calibrate/range.h"
#include "plan3d/faster.h"
#include "plan3d/plan3d.h"

/* The 90 % quantile of the normal law, NIST tables. */
static const double Z = 1.2815515655446004;

/* A problem whose constants are exact, and a step of 10 s of products. */
static p3d_problem exact(void)
{
    return (p3d_problem){.model = {.hidden = 1}};
}

static p3d_estimate ten_seconds(void)
{
    return (p3d_estimate){.time = {.gemm_s = 10}};
}

/* Where a standard error of the step takes the upper end of its range, by the
 * end that exact constants have. */
static double high_with(double sigma)
{
    const p3d_problem problem = exact();
    const p3d_estimate e = ten_seconds();
    const double alone = p3d_step_range(&problem, &e).high_s;

    return 10 * exp(fmax(log(alone / 10), Z * sigma));
}

/* Of published runs more than 80 % take between 0.9 and 1.8 times as long as
 * estimated, and more are slower than faster. */
static void exact_constants_leave_what_runs_show(void **state)
{
    const p3d_problem problem = exact();
    const p3d_estimate e = ten_seconds();
    const p3d_range r = p3d_step_range(&problem, &e);

    (void)state;
    assert_true(r.confidence_frac == 0.8);
    assert_true(8.5 < r.low_s && r.low_s < 10);
    assert_true(12 < r.high_s && r.high_s < 20);
    assert_true(r.high_s / 10 > 10 / r.low_s);
}

/* A step has the range of the runs that are like it. */
static void runs_that_are_alike_decide(void **state)
{
    p3d_problem problem = exact();
    const p3d_estimate e = ten_seconds();
    const p3d_estimate waits = {.time = {.gemm_s = 8.9, .host_s = 1.1}};
    double usual_s;

    (void)state;
    problem.job.framework = p3d_framework_find("megatron-zero-bubble");
    problem.cluster.n_nodes = 4;
    usual_s = p3d_step_range(&problem, &e).high_s;
    assert_true(usual_s < high_with(0));
    assert_false(calibrate_is_host_bound(&e));
    assert_true(calibrate_is_host_bound(&waits));
    assert_true(
            calibrate_step_range(&problem, &e, "zero-bubble").high_s > usual_s);
    assert_true(
            calibrate_step_range(&problem, &e, "no such").high_s == usual_s);
}

/* What few runs have widens the range, and half of the runs are above its
 * median. */
static void what_is_rare_widens(void **state)
{
    p3d_problem problem = exact();
    const p3d_estimate e = ten_seconds();
    p3d_range usual, rare;

    (void)state;
    problem.job.framework = p3d_framework_find("megatron-kwai");
    problem.cluster.n_nodes = 128;
    problem.cluster.n_gpus = 1024;
    usual = p3d_step_range(&problem, &e);
    assert_true(usual.low_s < usual.median_s && usual.median_s < usual.high_s);
    problem.cluster.n_gpus = 1025;
    rare = p3d_step_range(&problem, &e);
    assert_true(rare.low_s <= usual.low_s && rare.high_s >= usual.high_s);
    assert_true(rare.median_s == usual.median_s);
    problem.model.n_experts = 8;
    rare = p3d_step_range(&problem, &e);
    assert_true(rare.high_s > 1.2 * usual.high_s);
}

/* A Llama of 7 billion parameters on 128 A100, as llm-foundry measured it. */
static p3d_problem measured(void)
{
    p3d_problem problem = {0};
    p3d_error err;

    assert_true(p3d_model_find("llama-2-7b", &problem.model, &err));
    assert_true(p3d_cluster_find("128xA100", &problem.cluster, &err));
    problem.cluster.calibration = (p3d_calibration){0};
    problem.job.framework = p3d_framework_find("llm-foundry");
    problem.job.seq_len = 2048;
    problem.job.dtype = P3D_BF16;
    return problem;
}

/* Where no run is near, the answer says so; the range is no wider, as runs that
 * have no near one lie in it no less often than others. */
static void what_nobody_measured_is_said(void **state)
{
    p3d_problem problem = measured();
    const p3d_estimate e = {.plan = {.tp = 1,
                                    .pp = 1,
                                    .cp = 1,
                                    .ep = 1,
                                    .recompute = P3D_RECOMPUTE_FULL},
            .time = {.gemm_s = 10}};
    p3d_range near, far;

    (void)state;
    near = p3d_step_range(&problem, &e);
    assert_true(near.near);
    problem.job.seq_len = 1 << 20;
    far = p3d_step_range(&problem, &e);
    assert_false(far.near);
    assert_true(far.high_s == near.high_s);
    assert_true(far.low_s == near.low_s);
    assert_true(far.median_s == near.median_s);
}

/* However many runs of one's own there are, of whatever framework. */
static void own_runs_widen_no_range(void **state)
{
    static const char *const names[] = {
            "llm-foundry", "megatron-core", "fsdp2", "deepspeed", "generic"};
    const p3d_estimate e = {.plan = {.tp = 1,
                                    .pp = 1,
                                    .cp = 1,
                                    .ep = 1,
                                    .recompute = P3D_RECOMPUTE_FULL},
            .time = {.gemm_s = 10}};
    p3d_problem problem = measured();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        p3d_range without;

        problem.job.framework = p3d_framework_find(names[i]);
        problem.job.anchor = (p3d_anchor){.step_factor = 0};
        without = p3d_step_range(&problem, &e);
        for (int n = 1; n <= 5; n++) {
            p3d_range range;

            problem.job.anchor = (p3d_anchor){
                    .step_factor = 1, .n_steps = n, .same_model = true};
            range = p3d_step_range(&problem, &e);
            assert_true(range.high_s / range.low_s <=
                        without.high_s / without.low_s + 1e-9);
        }
    }
}

/* The nearer two answers are, the less sure is their order; the farther apart
 * in kind, the less, too. At a ratio of 1 nobody knows. */
static void the_order_of_two_is_surer_the_farther_they_are(void **state)
{
    static const double times[] = {1, 1.01, 1.05, 1.2, 1.5, 3};

    (void)state;
    for (int k = 0; k < P3D_N_APART; k++) {
        double before = 0;

        for (int i = 0; i < P3D_COUNT_OF(times); i++) {
            const double sure =
                    p3d_faster_probability_frac((p3d_apart)k, times[i]);

            assert_true(sure > before && sure <= 1);
            before = sure;
        }
        CHECK_REL(p3d_faster_probability_frac((p3d_apart)k, 1), 0.5, 1e-9);
        assert_true(before > 0.97);
        assert_true(p3d_faster_pairs((p3d_apart)k) > 1000);
    }
    assert_true(p3d_faster_probability_frac(P3D_APART_PLANS, 1.1) >
                p3d_faster_probability_frac(P3D_APART_FRAMEWORKS, 1.1));
    assert_true(p3d_faster_probability_frac(P3D_APART_PLANS, 0.99) == 0);
    assert_true(p3d_faster_probability_frac(P3D_N_APART, 2) == 0);
    assert_true(p3d_faster_probability_frac(P3D_APART_PLANS, (double)NAN) == 0);
    assert_int_equal(p3d_faster_pairs(P3D_N_APART), 0);
}

/* A mean absolute error of 10 % is a standard deviation of 0.1 sqrt(pi / 2) =
 * 12.533 %. */
static void errors_of_constants_add_in_squares(void **state)
{
    p3d_problem problem = exact();
    const p3d_estimate e = ten_seconds();

    (void)state;
    problem.cluster.calibration.gemm.error_frac = 0.1;
    CHECK_REL(p3d_step_range(&problem, &e).high_s, high_with(0.125331413731550),
            1e-9);
}

/* Half of the step: half of the error. */
static void a_term_counts_by_its_share(void **state)
{
    p3d_problem problem = exact();
    const p3d_estimate e = {.time = {.gemm_s = 5, .attention_s = 5}};

    (void)state;
    problem.cluster.calibration.attention[P3D_FLASH_2].error_frac = 0.1;
    CHECK_REL(p3d_step_range(&problem, &e).high_s,
            high_with(0.125331413731550 / 2), 1e-9);
}

/* The optimizer is a pass; all communication has one error. */
static void passes_and_collectives_have_errors_of_their_own(void **state)
{
    p3d_problem problem = exact();
    const p3d_estimate passes = {
            .time = {.gemm_s = 5, .memory_pass_s = 3, .optimizer_s = 2}};
    const p3d_estimate talks = {.time = {.gemm_s = 5,
                                        .tp_comm_s = 1,
                                        .cp_comm_s = 1,
                                        .ep_comm_s = 1,
                                        .pp_comm_s = 1,
                                        .dp_comm_s = 1}};
    const double half = high_with(0.125331413731550 / 2);

    (void)state;
    problem.cluster.calibration.pass.error_frac = 0.1;
    CHECK_REL(p3d_step_range(&problem, &passes).high_s, half, 1e-9);
    problem.cluster.calibration.collective_error_frac = 0.1;
    CHECK_REL(p3d_step_range(&problem, &talks).high_s, half, 1e-9);
}

/* Launches of the host are guesses: a standard deviation of half. */
static void guesses_are_half_as_large_as_themselves(void **state)
{
    const p3d_problem problem = exact();
    const p3d_estimate e = {.time = {.gemm_s = 9.5, .host_s = 0.5}};

    (void)state;
    CHECK_REL(p3d_step_range(&problem, &e).high_s, high_with(0.5 * 0.5 / 10),
            1e-9);
}

/* 10 % of 4 s of attention (0.5 s by sigma) weighs more than 5 % of 6 s of
 * products. */
static void the_least_sure_constants_are_named(void **state)
{
    p3d_problem problem = exact();
    const p3d_estimate e = {.time = {.gemm_s = 6, .attention_s = 4}};
    p3d_range r;

    (void)state;
    problem.cluster.calibration.gemm.error_frac = 0.05;
    problem.cluster.calibration.attention[P3D_FLASH_2].error_frac = 0.1;
    r = p3d_step_range(&problem, &e);
    assert_string_equal(r.constants, "rate of attention");
    CHECK_REL(r.constants_error_frac, 0.4 * 0.125331413731550, 1e-9);
}

static void the_step_lies_inside(void **state)
{
    p3d_problem problem = exact();
    p3d_estimate e = {.time = {.tp_comm_s = 1, .dp_comm_s = 2, .offload_s = 3}};

    (void)state;
    problem.cluster.calibration.collective_error_frac = 0.3;
    for (int i = 0; i < 20; i++) {
        const p3d_range r = p3d_step_range(&problem, &e);
        const double T = p3d_time_step_s(&e.time);

        assert_true(0 < r.low_s && r.low_s < T && T < r.high_s);
        e.time.dp_comm_s *= 2;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(exact_constants_leave_what_runs_show),
            cmocka_unit_test(runs_that_are_alike_decide),
            cmocka_unit_test(what_is_rare_widens),
            cmocka_unit_test(what_nobody_measured_is_said),
            cmocka_unit_test(the_order_of_two_is_surer_the_farther_they_are),
            cmocka_unit_test(errors_of_constants_add_in_squares),
            cmocka_unit_test(a_term_counts_by_its_share),
            cmocka_unit_test(passes_and_collectives_have_errors_of_their_own),
            cmocka_unit_test(own_runs_widen_no_range),
            cmocka_unit_test(guesses_are_half_as_large_as_themselves),
            cmocka_unit_test(the_least_sure_constants_are_named),
            cmocka_unit_test(the_step_lies_inside),
    };

    return cmocka_run_group_tests_name("range", tests, NULL, NULL);
}
