/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pareto.c - the front against comparing all pairs, on random choices. */
#include "test.h"

#include "plan3d/pareto.h"
#include "random_plan.h"

enum { MAX_CHOICES = 60, MAX_OBJECTIVES = 5, N_TRIALS = 3000 };

static bool dominates(const double *a, const double *b, int n)
{
    bool better = false;

    for (int i = 0; i < n; i++) {
        if (a[i] > b[i])
            return false;
        better = better || a[i] < b[i];
    }
    return better;
}

/* What the definition says. */
static bool dominated(const double *values, int n, int width, int i)
{
    for (int other = 0; other < n; other++)
        if (dominates(values + other * width, values + i * width, width))
            return true;
    return false;
}

static void the_front_is_what_no_pair_rules_out(void **state)
{
    random_source source = {20261121};

    (void)state;
    for (int trial = 0; trial < N_TRIALS; trial++) {
        const int n = random_below(&source, MAX_CHOICES);
        const int width = 1 + random_below(&source, MAX_OBJECTIVES);
        /* Few values: many choices are equal in some or all objectives. */
        const int n_values = 2 + random_below(&source, 9);
        double values[MAX_CHOICES * MAX_OBJECTIVES];
        bool on_front[MAX_CHOICES];
        p3d_error err = {0};

        for (int i = 0; i < n * width; i++)
            values[i] = random_below(&source, n_values) - 1;
        assert_true(p3d_pareto_front(n, width, values, on_front, &err));
        for (int i = 0; i < n; i++)
            assert_int_equal(on_front[i], !dominated(values, n, width, i));
    }
}

static void equal_choices_are_on_the_front_together(void **state)
{
    const double values[] = {1, 2, 1, 2, 2, 2};
    bool on_front[3];
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_pareto_front(3, 2, values, on_front, &err));
    assert_true(on_front[0]);
    assert_true(on_front[1]);
    assert_false(on_front[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_front_is_what_no_pair_rules_out),
            cmocka_unit_test(equal_choices_are_on_the_front_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
