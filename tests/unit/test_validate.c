/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_validate.c - validations called from C, of measurements that are given:
 * on products that are a tenth slower. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/validate.h"

#define MEASURED "tests/data/measured/h100-slow-products.json"

static p3d_problem problem;
static p3d_estimate estimate;
static p3d_measurements measured;
static p3d_validate_options options;
static p3d_validated *validated;
static p3d_error err;

static int begin(void **state)
{
    (void)state;
    err = (p3d_error){.code = P3D_OK};
    problem = problem_of("llama-3-8b", "8xH100", "megatron-core", 0, 0);
    estimate = problem_estimate(&problem, "tp=1,zero=3");
    validated = calloc(1, sizeof(*validated));
    assert_non_null(validated);
    assert_true(p3d_measurements_open(MEASURED, &measured, &err));
    options = (p3d_validate_options){.problem = &problem,
            .estimate = &estimate,
            .files = &measured,
            .n_files = 1,
            .tolerance_frac = 0.1};
    return 0;
}

static int end(void **state)
{
    (void)state;
    p3d_measurements_free(&measured);
    free(validated);
    return 0;
}

static void slow_products_speak_against_a_plan(void **state)
{
    const p3d_comparison *gemm;

    (void)state;
    assert_true(p3d_validate_run(&options, validated, &err));
    gemm = &validated->compared.kinds[P3D_COMPARED_GEMM];
    assert_true(gemm->n_found > 0 && gemm->median_ratio > 1.1);
    assert_false(validated->holds);
    assert_true(validated->reasons.n > 0);
    assert_non_null(strstr(validated->reasons.at[0], " slower than predicted"));
    assert_true(
            validated->covered_frac == p3d_covered_frac(&validated->compared));
}

/* The step by the fitted constants is that of p3d_estimate_plan(). */
static void the_step_is_estimated_again(void **state)
{
    const p3d_step_check *const step = &validated->step;
    p3d_problem other = problem;
    p3d_estimate again;

    (void)state;
    assert_true(p3d_validate_run(&options, validated, &err));
    assert_true(validated->calibrated.n_fitted > 0);
    assert_true(step->predicted_s == p3d_time_step_s(&estimate.time));
    other.cluster.calibration = validated->calibrated.constants;
    assert_true(p3d_estimate_plan(&other, &estimate.plan, &again, NULL));
    assert_true(step->calibrated_s == p3d_time_step_s(&again.time));
    assert_true(step->best_s > 0 && step->best_s <= step->calibrated_s);
    assert_ptr_equal(step->best_plan, step->best_words);
}

static void the_fastest_plan_is_the_best(void **state)
{
    (void)state;
    assert_true(p3d_validate_run(&options, validated, &err));
    estimate = problem_estimate(&problem, validated->step.best_plan);
    options.searched = true;
    assert_true(p3d_validate_run(&options, validated, &err));
    assert_true(validated->step.is_best);
    assert_true(fabs(validated->step.regret_frac) < 1e-12);
}

static bool stop(void *context, double seconds, int64_t n_plans)
{
    (void)context;
    (void)seconds;
    (void)n_plans;
    return false;
}

static void it_ends_when_somebody_asks(void **state)
{
    const p3d_watch watch = {stop, NULL};

    (void)state;
    options.watch = &watch;
    assert_false(p3d_validate_run(&options, validated, &err));
    test_check_error(&err, P3D_INTERRUPTED, "interrupted");
    assert_null(validated->step.best_plan);
}

static void another_device_is_refused(void **state)
{
    (void)state;
    problem = problem_of("llama-3-8b", "8xA100", "megatron-core", 0, 0);
    estimate = problem_estimate(&problem, "tp=1,zero=3");
    assert_false(p3d_validate_run(&options, validated, &err));
    test_check_error(&err, P3D_DATA, "the cluster has A100-SXM4-80GB");
}

/* Products, attention, passes and what a GPU holds, each once for the plan and
 * where fits need more points again; and collectives of the plan. */
static void a_plan_needs_its_runs(void **state)
{
    p3d_request request = {.command = ""};
    p3d_benches benches;
    int64_t n = 0;

    (void)state;
    assert_true(p3d_request_build(&problem, &estimate, &request, &err));
    p3d_benches_list(&problem, &request, false, &benches);
    assert_string_equal(benches.at[0].command, "gemm");
    assert_string_equal(benches.at[benches.n - 1].command, "capacity");
    for (int i = 0; i < benches.n; i++)
        n += benches.at[i].n_measurements;
    assert_int_equal(n, benches.n_measurements);
    assert_int_equal(benches.n, 8);
    p3d_request_free(&request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
            TEST(slow_products_speak_against_a_plan),
            TEST(the_step_is_estimated_again),
            TEST(the_fastest_plan_is_the_best),
            TEST(it_ends_when_somebody_asks),
            TEST(another_device_is_refused),
            TEST(a_plan_needs_its_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
