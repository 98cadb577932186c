/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_own_runs.c - what measured runs of the user's own say of the next. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan3d/own_runs.h"
#include "plan3d/range.h"
#include "problem.h"
#include "test.h"

static p3d_own_run run_of(int64_t n_params, double measured, double predicted)
{
    return (p3d_own_run){.framework = "megatron-core",
            .n_params = n_params,
            .measured_step_s = measured,
            .predicted_step_s = predicted};
}

static p3d_own_runs runs_of(const p3d_own_run *at, int n)
{
    p3d_own_runs runs = {.n = n};

    memcpy(runs.at, at, (size_t)n * sizeof(*at));
    return runs;
}

/* One run counts half of its logarithm, three count three quarters. */
static void the_mean_is_shrunk(void **state)
{
    const p3d_own_run asked = run_of(7, 0, 0);
    const p3d_own_run one[] = {run_of(7, 12.1, 10)};
    const p3d_own_run three[] = {
            run_of(7, 11, 10), run_of(7, 12, 10), run_of(7, 30, 25)};
    const p3d_own_runs a = runs_of(one, 1);
    const p3d_own_runs b = runs_of(three, 3);
    const p3d_anchor first = p3d_anchor_of(&a, &asked);
    const p3d_anchor second = p3d_anchor_of(&b, &asked);

    (void)state;
    CHECK_REL(first.step_factor, 1.1, 1e-12);
    assert_int_equal(first.n_steps, 1);
    assert_true(first.same_model);
    CHECK_REL(second.step_factor, pow(1.1 * 1.2 * 1.2, 1.0 / 4), 1e-12);
}

static void another_model_says_less(void **state)
{
    const p3d_own_run asked = run_of(7, 0, 0);
    const p3d_own_run other[] = {run_of(8, 20, 10)};
    const p3d_own_run both[] = {run_of(8, 20, 10), run_of(7, 10, 10)};
    p3d_own_run experts = other[0];
    p3d_own_run else_where = other[0];
    p3d_own_runs a = runs_of(other, 1);
    const p3d_own_runs b = runs_of(both, 2);

    (void)state;
    CHECK_REL(p3d_anchor_of(&a, &asked).step_factor, pow(2, 1.0 / 5), 1e-12);
    assert_false(p3d_anchor_of(&a, &asked).same_model);
    CHECK_REL(p3d_anchor_of(&b, &asked).step_factor, 1, 1e-12);
    experts.experts = true;
    a = runs_of(&experts, 1);
    assert_int_equal(p3d_anchor_of(&a, &asked).n_steps, 0);
    (void)snprintf(
            else_where.framework, sizeof(else_where.framework), "deepspeed");
    else_where.n_params = 7;
    a = runs_of(&else_where, 1);
    assert_int_equal(p3d_anchor_of(&a, &asked).n_steps, 0);
    CHECK_REL(p3d_anchor_step_factor(&(p3d_anchor){.n_steps = 0}), 1, 0);
}

static p3d_own_run run_on(const char *network, double measured)
{
    p3d_own_run run = run_of(7, measured, 10);

    (void)snprintf(run.network, sizeof(run.network), "%s", network);
    return run;
}

/* Of the same model it counts as one of another, and not beside one of the same
 * network; a network that is not known is any. */
static void another_network_says_less(void **state)
{
    const p3d_own_run asked = run_on("ib-ndr-400", 0);
    const p3d_own_run other[] = {run_on("ethernet-100", 20)};
    const p3d_own_run both[] = {
            run_on("ethernet-100", 20), run_on("ib-ndr-400", 10)};
    const p3d_own_run unknown[] = {run_on("", 20)};
    const p3d_own_runs a = runs_of(other, 1);
    const p3d_own_runs b = runs_of(both, 2);
    const p3d_own_runs c = runs_of(unknown, 1);

    (void)state;
    CHECK_REL(p3d_anchor_of(&a, &asked).step_factor, pow(2, 1.0 / 5), 1e-12);
    assert_false(p3d_anchor_of(&a, &asked).same_model);
    CHECK_REL(p3d_anchor_of(&b, &asked).step_factor, 1, 1e-12);
    assert_int_equal(p3d_anchor_of(&b, &asked).n_steps, 1);
    CHECK_REL(p3d_anchor_of(&c, &asked).step_factor, sqrt(2), 1e-12);
    assert_true(p3d_anchor_of(&c, &asked).same_model);
}

/* Each is judged by the others: of two alike ones what is left is half. */
static void runs_are_judged_by_the_others(void **state)
{
    const p3d_own_run two[] = {run_of(7, 12, 10), run_of(7, 12, 10)};
    const p3d_own_runs runs = runs_of(two, 2);
    const p3d_own_runs alone = runs_of(two, 1);
    p3d_own_score scores[2];

    (void)state;
    p3d_own_runs_judge(&runs, scores);
    for (int i = 0; i < 2; i++) {
        CHECK_REL(scores[i].error_frac, 10.0 / 12 - 1, 1e-12);
        CHECK_REL(scores[i].held_error_frac, 10 * sqrt(1.2) / 12 - 1, 1e-12);
        assert_true(isnan(scores[i].peak_error_frac));
    }
    p3d_own_runs_judge(&alone, scores);
    assert_true(isnan(scores[0].held_error_frac));
}

static p3d_problem anchored(double step_ratio, double peak_ratio)
{
    p3d_problem p = problem_of("llama-2-7b", "16xA800", "megatron-core", 0, 0);
    p3d_own_run run = run_of(p3d_total_params(&p.model), step_ratio, 1);

    run.measured_peak_bytes = peak_ratio * 1e10;
    run.predicted_peak_bytes = 1e10;
    p.cluster.calibration.runs = runs_of(&run, 1);
    p3d_job_use(&p.job, p.job.framework, &p.model, &p.cluster);
    return p;
}

/* Every term, the rates and the range follow; the plan stays. */
static void the_answer_follows_the_runs(void **state)
{
    const p3d_problem plain =
            problem_of("llama-2-7b", "16xA800", "megatron-core", 0, 0);
    const p3d_problem slower = anchored(1.44, 1);
    const p3d_plan plan = problem_plan(&plain, "tp=2,pp=4,mbs=1,zero=1,sp");
    p3d_estimate a, b;

    (void)state;
    assert_true(p3d_estimate_plan(&plain, &plan, &a, NULL));
    assert_true(p3d_estimate_plan(&slower, &plan, &b, NULL));
    CHECK_REL(b.time.gemm_s, 1.2 * a.time.gemm_s, 1e-9);
    CHECK_REL(b.time.pp_bubble_s, 1.2 * a.time.pp_bubble_s, 1e-9);
    CHECK_REL(p3d_time_step_s(&b.time) / p3d_time_step_s(&a.time), 1.2, 1e-9);
    CHECK_REL(a.tokens_per_s / b.tokens_per_s, 1.2, 1e-9);
    assert_true(p3d_step_range(&slower, &b).low_s >
                p3d_step_range(&plain, &a).low_s);
}

/* Peaks above their predictions make a plan less sure to fit. */
static void own_peaks_move_the_probability(void **state)
{
    const p3d_problem plain =
            problem_of("llama-2-7b", "16xA800", "megatron-core", 0, 0);
    const p3d_problem larger = anchored(1, 1.2);
    const p3d_problem smaller = anchored(1, 1 / 1.2);
    const int64_t peak = plain.cluster.gpu.visible_memory_bytes / 100 * 93;

    (void)state;
    assert_true(p3d_peak_probability_frac(&larger, peak) <
                p3d_peak_probability_frac(&plain, peak));
    assert_true(p3d_peak_probability_frac(&smaller, peak) >
                p3d_peak_probability_frac(&plain, peak));
    assert_true(p3d_sure_bytes(&larger) < p3d_sure_bytes(&plain));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_mean_is_shrunk),
            cmocka_unit_test(another_model_says_less),
            cmocka_unit_test(another_network_says_less),
            cmocka_unit_test(runs_are_judged_by_the_others),
            cmocka_unit_test(the_answer_follows_the_runs),
            cmocka_unit_test(own_peaks_move_the_probability),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
