/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_residuals.c - a distribution pooled from runs, on a made-up table. */
#include "test.h"

#include <math.h>

#include "base/util.h"
#include "spec/residuals.h"

#define ALL(x)                                                     \
    {                                                              \
        x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x \
    }

/* Sources count 4 / 8 and 12 / 16: 0.5 for a and c, 0.75 for b. */
static const spec_residuals rows[] = {
        {"a", "x-1", 0, 1, ALL(0.1)},
        {"a", "x-1", SPEC_EXPERTS, 3, ALL(0.3)},
        {"b", "x-2", 0, 12, ALL(-0.1)},
        {"c", "y", 0, 4, ALL(0.5)},
};

static spec_belongs *const levels[] = {
        spec_is_any, spec_is_of_family, spec_is_of_framework};

static const spec_pool pool = {
        rows, P3D_COUNT_OF(rows), levels, P3D_COUNT_OF(levels)};

static const spec_asked_run x1 = {.framework = "x-1"};

/* Below 0 lies b alone: 0.75 / 1.75 of all; with one for that, of the family
 * (3 / 7 + 0.75) / 2.25 = 11 / 21, of the framework 11 / 21 / 1.5 = 22 / 63. */
static void levels_are_worth_one_source_to_the_next(void **state)
{
    (void)state;
    CHECK_REL(spec_pool_below_frac(&pool, &x1, 0), 22 / 63.0, 1e-12);
}

/* y has no family in the table but its own: (3 / 7 + 0) / 1.5, twice. */
static void other_families_count_in_the_first_level_alone(void **state)
{
    const spec_asked_run y = {.framework = "y"};

    (void)state;
    CHECK_REL(spec_pool_below_frac(&pool, &y, 0), 3 / 7.0 / 1.5 / 1.5, 1e-12);
}

/* Below 0.2 lie b and a quarter of a: (0.75 + 0.125) / 1.75 = 0.5;
 * (0.5 + 0.875) / 2.25 = 11 / 18; (11 / 18 + 0.125) / 1.5. */
static void rows_of_a_source_share_its_weight(void **state)
{
    (void)state;
    CHECK_REL(spec_pool_below_frac(&pool, &x1, 0.2), (11 / 18.0 + 0.125) / 1.5,
            1e-12);
}

/* Without a: 0.75 / 1.25 = 0.6; (0.6 + 0.75) / 1.75; none of the framework. */
static void a_source_is_left_out(void **state)
{
    const spec_asked_run q = {.framework = "x-1", .source = "a"};
    const spec_asked_run none = {.framework = "x-1", .source = "d"};

    (void)state;
    CHECK_REL(spec_pool_below_frac(&pool, &q, 0), 1.35 / 1.75, 1e-12);
    assert_true(spec_pool_below_frac(&pool, &none, 0) ==
                spec_pool_below_frac(&pool, &x1, 0));
}

/* Repeats of a run differ by 2 %: half of those at 0.1 lie below it. */
static void repeats_of_a_run_differ(void **state)
{
    const spec_pool one = {rows, 1, levels, 1};

    (void)state;
    CHECK_REL(spec_pool_below_frac(&one, &x1, 0.1), 0.5, 1e-12);
    CHECK_REL(spec_pool_below_frac(&one, &x1, 0.11), 0.75, 1e-12);
    assert_true(spec_pool_below_frac(&one, &x1, 0.121) == 1);
    assert_true(spec_pool_below_frac(&one, &x1, 0.079) == 0);
}

static void shares_grow_from_none_to_all(void **state)
{
    double before = 0;

    (void)state;
    assert_true(spec_pool_below_frac(&pool, &x1, -1) == 0);
    for (int i = -100; i <= 100; i++) {
        const double frac = spec_pool_below_frac(&pool, &x1, i / 100.0);

        assert_true(frac >= before);
        before = frac;
    }
    CHECK_REL(before, 1, 1e-12);
}

static void quantiles_are_the_inverse(void **state)
{
    (void)state;
    for (int i = 1; i < 20; i++) {
        const double x = spec_pool_quantile(&pool, &x1, i / 20.0);

        assert_true(spec_pool_below_frac(&pool, &x1, x) >= i / 20.0);
        assert_true(spec_pool_below_frac(&pool, &x1, x - 1e-9) < i / 20.0);
    }
}

static void families_are_first_words(void **state)
{
    const struct {
        const char *of, *asked;
        bool same;
    } some[] = {{"megatron-core", "megatron-2021", true},
            {"megatron-core", "megatron", true}, {"fsdp1", "fsdp2", true},
            {"torchtune", "torchtitan", false}, {"fsdp1", "fs", false}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(some); i++) {
        const spec_residuals of = {.framework = some[i].of};
        const spec_asked_run q = {.framework = some[i].asked};

        assert_true(spec_is_of_family(&of, &q) == some[i].same);
    }
}

static void evidence_counts_sources_and_runs(void **state)
{
    const spec_asked_run without = {.framework = "x-1", .source = "b"};
    spec_evidence of = spec_pool_evidence(&pool, &x1, spec_is_of_family);

    (void)state;
    assert_int_equal(of.n_sources, 2);
    assert_int_equal(of.n_runs, 16);
    of = spec_pool_evidence(&pool, &without, spec_is_any);
    assert_int_equal(of.n_sources, 2);
    assert_int_equal(of.n_runs, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(levels_are_worth_one_source_to_the_next),
            cmocka_unit_test(other_families_count_in_the_first_level_alone),
            cmocka_unit_test(rows_of_a_source_share_its_weight),
            cmocka_unit_test(a_source_is_left_out),
            cmocka_unit_test(repeats_of_a_run_differ),
            cmocka_unit_test(shares_grow_from_none_to_all),
            cmocka_unit_test(quantiles_are_the_inverse),
            cmocka_unit_test(families_are_first_words),
            cmocka_unit_test(evidence_counts_sources_and_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
