/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_score.c - the statistics of backtest, by hand. */
#include "test.h"

#include <math.h>

#include "base/util.h"
#include "plan3d/score.h"

static const double exactly = 1e-12;

static p3d_score score(const p3d_residual *residuals, int n)
{
    p3d_score out;
    p3d_error err = {0};

    assert_true(p3d_score_residuals(residuals, n, &out, &err));
    return out;
}

static p3d_set_score score_set(const p3d_ranked_run *runs, int n)
{
    p3d_set_score out;
    p3d_error err = {0};

    assert_true(p3d_score_set(runs, n, &out, &err));
    return out;
}

static void no_rows_have_no_error(void **state)
{
    const p3d_score s = score(NULL, 0);

    (void)state;
    assert_int_equal(s.n_rows, 0);
    assert_true(isnan(s.median_abs_error_frac));
    assert_true(isnan(s.mean_abs_error_frac));
    assert_true(isnan(s.p90_abs_error_frac));
    assert_true(isnan(s.mean_signed_error_frac));
    assert_true(isnan(s.macro_median_abs_error_frac));
}

/* |e| sorted: 0.1 0.2 0.3 0.4 0.5; p90 at rank 0.9 * 4 = 3.6. */
static void errors_are_summed_up(void **state)
{
    static const p3d_residual residuals[] = {
            {-0.3, 0}, {0.1, 0}, {-0.5, 0}, {0.2, 0}, {0.4, 0}};
    const p3d_score s = score(residuals, 5);

    (void)state;
    assert_int_equal(s.n_rows, 5);
    CHECK_REL(s.median_abs_error_frac, 0.3, exactly);
    CHECK_REL(s.mean_abs_error_frac, 0.3, exactly);
    CHECK_REL(s.p90_abs_error_frac, 0.46, exactly);
    CHECK_REL(s.mean_signed_error_frac, -0.02, exactly);
    CHECK_REL(s.macro_median_abs_error_frac, 0.3, exactly);
}

static void an_even_number_has_the_mean_of_the_middle_two(void **state)
{
    static const p3d_residual residuals[] = {{0.1, 0}, {-0.3, 0}};

    (void)state;
    CHECK_REL(score(residuals, 2).median_abs_error_frac, 0.2, exactly);
}

/* Source 0: median 0.1; source 2: median 0.3; source 1 has four rows only. */
static void sources_have_equal_weight_from_five_rows_on(void **state)
{
    p3d_residual residuals[7 + 4 + 5];
    int n = 0;

    (void)state;
    for (int i = 0; i < 7; i++)
        residuals[n++] = (p3d_residual){i % 2 == 0 ? 0.1 : -0.1, 0};
    for (int i = 0; i < 4; i++)
        residuals[n++] = (p3d_residual){9, 1};
    for (int i = 0; i < 5; i++)
        residuals[n++] = (p3d_residual){-0.1 * (i + 1), 2};
    CHECK_REL(score(residuals, n).macro_median_abs_error_frac, 0.2, exactly);
    assert_true(isnan(score(residuals + 7, 4).macro_median_abs_error_frac));
}

static void the_right_order_has_no_regret_and_tau_one(void **state)
{
    static const p3d_ranked_run runs[] = {{3, 30, 0}, {1, 10, 1}, {2, 20, 2}};
    const p3d_set_score s = score_set(runs, 3);

    (void)state;
    assert_int_equal(s.n_plans, 3);
    assert_true(s.regret_frac == 0);
    CHECK_REL(s.kendall_tau, 1, exactly);
}

/* Predicted order 3 1 2: two of three pairs are wrong. */
static void the_wrong_first_choice_is_regretted(void **state)
{
    static const p3d_ranked_run runs[] = {{1, 2, 0}, {1.5, 3, 1}, {4, 1, 2}};
    const p3d_set_score s = score_set(runs, 3);

    (void)state;
    CHECK_REL(s.regret_frac, 3, exactly);
    CHECK_REL(s.kendall_tau, -1.0 / 3, exactly);
}

/* Plan 0 was measured at 1, 2 and 9: median 2, no longer the fastest. */
static void repeats_count_as_one_plan_with_their_median(void **state)
{
    static const p3d_ranked_run runs[] = {
            {9, 5, 0}, {1, 5, 0}, {1.6, 6, 1}, {2, 5, 0}};
    const p3d_set_score s = score_set(runs, 4);

    (void)state;
    assert_int_equal(s.n_plans, 2);
    CHECK_REL(s.regret_frac, 0.25, exactly);
    CHECK_REL(s.kendall_tau, -1, exactly);
}

/* All alike: mean time 2 over the fastest, 1; no pair is in any order. */
static void plans_predicted_alike_are_chosen_at_random(void **state)
{
    static const p3d_ranked_run runs[] = {{1, 7, 0}, {2, 7, 1}, {3, 7, 2}};
    const p3d_set_score s = score_set(runs, 3);

    (void)state;
    CHECK_REL(s.regret_frac, 1, exactly);
    assert_true(s.kendall_tau == 0);
}

static void one_plan_has_no_order(void **state)
{
    static const p3d_ranked_run runs[] = {{1, 7, 4}, {2, 7, 4}};
    const p3d_set_score s = score_set(runs, 2);

    (void)state;
    assert_int_equal(s.n_plans, 1);
    assert_true(isnan(s.kendall_tau));
}

/* Source 0 has regrets 0 and 0.2, source 1 has 0.5: macro 0.3. */
static void sets_are_averaged_by_source(void **state)
{
    static const p3d_set_result sets[] = {
            {{3, 0, 1}, 0}, {{3, 0.5, 0}, 1}, {{3, 0.2, 0.5}, 0}};
    p3d_rank_score s;
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_score_ranks(sets, 3, &s, &err));
    assert_int_equal(s.n_sets, 3);
    CHECK_REL(s.median_regret_frac, 0.2, exactly);
    CHECK_REL(s.mean_regret_frac, 0.7 / 3, exactly);
    CHECK_REL(s.mean_kendall_tau, 0.5, exactly);
    CHECK_REL(s.macro_mean_regret_frac, 0.3, exactly);
    assert_true(p3d_score_ranks(sets, 0, &s, &err));
    assert_int_equal(s.n_sets, 0);
    assert_true(isnan(s.mean_regret_frac));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(no_rows_have_no_error),
            cmocka_unit_test(errors_are_summed_up),
            cmocka_unit_test(an_even_number_has_the_mean_of_the_middle_two),
            cmocka_unit_test(sources_have_equal_weight_from_five_rows_on),
            cmocka_unit_test(the_right_order_has_no_regret_and_tau_one),
            cmocka_unit_test(the_wrong_first_choice_is_regretted),
            cmocka_unit_test(repeats_count_as_one_plan_with_their_median),
            cmocka_unit_test(plans_predicted_alike_are_chosen_at_random),
            cmocka_unit_test(one_plan_has_no_order),
            cmocka_unit_test(sets_are_averaged_by_source),
    };

    return cmocka_run_group_tests_name("score", tests, NULL, NULL);
}
