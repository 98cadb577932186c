/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_budget.c - errors of terms by hand: fitted to made-up runs, and what
 * they say of a step. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/budget.h"
#include "plan3d/constants.h"

enum { N_RUNS = 200 };

static calibrate_run runs[N_RUNS];
static calibrate_errors errors;

static const p3d_time products = {.gemm_s = 3};
static const p3d_time attention = {.attention_s = 2};

/* Runs of one kind of step, as far off to either side. */
static void fill(int first, int n, const p3d_time *time, double off)
{
    for (int i = first; i < first + n; i++)
        runs[i] = calibrate_run_of(time, i % 2 == 0 ? off : -off, 1);
}

/* 1 / (1 + 4) and 1 / (12 + 4): a source weighs n / (n + 4). */
static void a_large_source_weighs_hardly_more(void **state)
{
    (void)state;
    CHECK_REL(calibrate_run_weight(1), 0.2, 1e-12);
    CHECK_REL(calibrate_run_weight(12), 1 / 16.0, 1e-12);
}

/* 0.6^2, 0.3^2 and 0.1^2, times 0.01, 0.04 and 0.09; and 0.0025. */
static void shares_are_squared(void **state)
{
    const p3d_time time = {.gemm_s = 6, .attention_s = 3, .host_s = 1};
    const calibrate_run run = calibrate_run_of(&time, 0.5, 1);
    const calibrate_errors of = {.squared = {[P3D_ERROR_gemm] = 0.01,
                                         [P3D_ERROR_attention] = 0.04,
                                         [P3D_ERROR_host] = 0.09,
                                         [P3D_ERROR_UNEXPLAINED] = 0.0025}};

    (void)state;
    CHECK_REL(run.squared_share[P3D_ERROR_attention], 0.09, 1e-12);
    CHECK_REL(run.squared_share[P3D_ERROR_UNEXPLAINED], 1, 1e-12);
    CHECK_REL(calibrate_run_squared(&run, &of), 0.0106, 1e-12);
}

/* -ln 0.2 - 2.5 ln(1 + 1 / 4). */
static void likelihood_is_of_students_t(void **state)
{
    const calibrate_run run = calibrate_run_of(&products, 0.2, 1);

    (void)state;
    CHECK_REL(calibrate_run_likelihood(&run, 0.04),
            1.6094379124341003 - 2.5 * 0.22314355131420976, 1e-12);
}

/* All equally far off: 5 y^2 / (4 + y^2 / s) = s where s = y^2. */
static void equal_errors_are_the_scale(void **state)
{
    (void)state;
    fill(0, N_RUNS, &products, 0.1);
    CHECK_REL(calibrate_flat_fit(runs, N_RUNS), 0.01, 1e-6);
    assert_true(calibrate_flat_fit(runs, 0) == 0);
}

/* One of 200 at 30 times the others moves the scale by less than 3 %. */
static void a_run_far_off_hardly_counts(void **state)
{
    (void)state;
    fill(0, N_RUNS, &products, 0.1);
    runs[7].residual = 3;
    assert_true(sqrt(calibrate_flat_fit(runs, N_RUNS)) < 0.103);
    assert_true(sqrt(calibrate_flat_fit(runs, N_RUNS)) > 0.1);
}

/* Steps of nothing else tell each term's own error. */
static void terms_are_told_apart(void **state)
{
    (void)state;
    fill(0, 100, &products, 0.1);
    fill(100, 100, &attention, 0.3);
    calibrate_errors_fit(runs, N_RUNS, &errors);
    CHECK_REL(sqrt(errors.squared[P3D_ERROR_gemm] +
                      errors.squared[P3D_ERROR_UNEXPLAINED]),
            0.1, 0.02);
    CHECK_REL(sqrt(errors.squared[P3D_ERROR_attention] +
                      errors.squared[P3D_ERROR_UNEXPLAINED]),
            0.3, 0.02);
}

/* What no run shows is as wrong as all that they show: here 0.1. */
static void what_is_not_shown_is_as_the_rest(void **state)
{
    (void)state;
    fill(0, N_RUNS, &products, 0.1);
    calibrate_errors_fit(runs, N_RUNS, &errors);
    CHECK_REL(sqrt(errors.squared[P3D_ERROR_offload]), 0.1, 1e-4);
    fill(0, N_RUNS, &products, 0);
    calibrate_errors_fit(runs, N_RUNS, &errors);
    assert_true(errors.flat == 0);
    assert_true(errors.squared[P3D_ERROR_offload] == 0);
}

/* An error that does not shrink where the terms share the step is none of
 * theirs: halves of it would be off by 0.1 / sqrt(2). */
static void what_follows_no_term_is_unexplained(void **state)
{
    static const p3d_time kinds[] = {{.gemm_s = 1}, {.attention_s = 1},
            {.gemm_s = 1, .attention_s = 1}, {.gemm_s = 1, .host_s = 3}};

    (void)state;
    for (int i = 0; i < 4; i++)
        fill(50 * i, 50, &kinds[i], 0.1);
    for (int i = 0; i < N_RUNS; i++)
        runs[i].weight = 1000; /* beside which the prior is nothing */
    calibrate_errors_fit(runs, N_RUNS, &errors);
    assert_true(sqrt(errors.squared[P3D_ERROR_UNEXPLAINED]) > 0.095);
    assert_true(sqrt(errors.squared[P3D_ERROR_UNEXPLAINED]) < 0.1);
}

static void runs_left_out_do_not_count(void **state)
{
    (void)state;
    fill(0, N_RUNS, &products, 0.1);
    fill(100, 100, &products, 0.7);
    for (int i = 100; i < N_RUNS; i++)
        runs[i].weight = 0;
    calibrate_errors_fit(runs, N_RUNS, &errors);
    CHECK_REL(errors.flat, 0.01, 1e-6);
}

static const calibrate_shown shown = {.n_runs = 50,
        .n_sources = 9,
        .n_better = 5,
        .flat_scale = 0.2,
        .own = {0.05, 0.05, 0.05, 40, 8},
        .terms = {[P3D_ERROR_gemm] = {0.1, 0.09, 0.2, 50, 9},
                [P3D_ERROR_attention] = {0.2, 0.1, 0.3, 30, 7},
                [P3D_ERROR_offload] = {0.01, 0.01, 0.01, 2, 1},
                [P3D_ERROR_UNEXPLAINED] = {0.05, 0, 0.1, 50, 9}}};

static p3d_cure cure_named(const p3d_error_budget *b, const char *name)
{
    int i = 0;

    while (i < P3D_N_CURES && strcmp(b->cures[i].name, name) != 0)
        i++;
    assert_in_range(i, 0, P3D_N_CURES - 1);
    return b->cures[i];
}

/* 0.6 x 0.1, 0.3 x 0.2, 0.1 x 0.01, 0.05: squares 0.0036, 0.0036, 0.000001 and
 * 0.0025, in all 0.009701. A step of one's own leaves 0.05. */
static void a_step_by_hand(void **state)
{
    const p3d_time time = {.gemm_s = 6, .attention_s = 3, .offload_s = 1};
    const p3d_problem problem =
            problem_of("gpt2", "16xA100", "megatron-core", 1024, 64);
    const p3d_error_budget b = calibrate_budget(&shown, &problem, &time);
    const double known =
            fmin(0.2, p3d_constant_sigma(&problem, P3D_CONSTANT_ATTENTION));
    p3d_cure cure = cure_named(&b, "attention");
    double sum = 0;

    (void)state;
    CHECK_REL(b.scale, sqrt(0.009701), 1e-12);
    CHECK_REL(b.terms[0].variance_frac, 0.0036 / 0.009701, 1e-12);
    CHECK_REL(b.terms[1].variance_frac, 0.0036 / 0.009701, 1e-12);
    assert_string_equal(b.terms[2].name, "unexplained");
    CHECK_REL(b.terms[2].step_frac, 1, 1e-12);
    CHECK_REL(b.terms[2].variance_frac, 0.0025 / 0.009701, 1e-12);
    assert_string_equal(b.terms[3].name, "exposed CPU offload");
    assert_int_equal(b.terms[3].n_sources, 1);
    for (int k = 0; k < P3D_N_ERRORS; k++)
        sum += b.terms[k].variance_frac;
    CHECK_REL(sum, 1, 1e-12);
    CHECK_REL(
            cure.left_scale, sqrt(0.009701 - 0.3 * 0.3 * known * known), 1e-12);
    assert_int_equal(cure.n_runs, 0);
    cure = cure_named(&b, "one step of the job");
    CHECK_REL(cure.variance_frac, 1 - 0.0025 / 0.009701, 1e-12);
    CHECK_REL(cure.left_scale, 0.05, 1e-12);
    assert_int_equal(cure.n_sources, 8);
    assert_string_equal(b.cures[0].name, cure.name);
    assert_int_equal(b.n_better, 5);
}

/* The table of the program: what it says of a step adds up. */
static void a_step_of_the_program(void **state)
{
    const p3d_problem problem =
            problem_of("gpt2", "16xA100", "megatron-core", 1024, 64);
    const p3d_estimate estimate =
            problem_estimate(&problem, "tp=2,pp=2,dp=4,mbs=1");
    const p3d_error_budget b = p3d_error_budget_of(&problem, &estimate);
    double sum = 0;

    (void)state;
    assert_true(b.n_runs > 1000);
    assert_true(b.n_sources > 20);
    assert_true(b.scale > 0.01 && b.scale < 1);
    for (int k = 0; k < P3D_N_ERRORS; k++) {
        sum += b.terms[k].variance_frac;
        assert_true(b.terms[k].least_scale <= b.terms[k].scale);
        assert_true(b.terms[k].most_scale >= b.terms[k].scale);
    }
    CHECK_REL(sum, 1, 1e-9);
    for (int i = 0; i < P3D_N_CURES; i++)
        assert_true(b.cures[i].left_scale <= b.scale);
    assert_int_equal(p3d_error_budget_of(&problem, NULL).n_runs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_large_source_weighs_hardly_more),
            cmocka_unit_test(shares_are_squared),
            cmocka_unit_test(likelihood_is_of_students_t),
            cmocka_unit_test(equal_errors_are_the_scale),
            cmocka_unit_test(a_run_far_off_hardly_counts),
            cmocka_unit_test(terms_are_told_apart),
            cmocka_unit_test(what_is_not_shown_is_as_the_rest),
            cmocka_unit_test(what_follows_no_term_is_unexplained),
            cmocka_unit_test(runs_left_out_do_not_count),
            cmocka_unit_test(a_step_by_hand),
            cmocka_unit_test(a_step_of_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
