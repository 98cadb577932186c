/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_random.c - numbers that are drawn the same way on every machine. */
#include "test.h"

#include <math.h>

#include "search/advice/draws.h"

/* The first numbers of splitmix64 from 0, as the reference code at
 * prng.di.unimi.it/splitmix64.c gives them. */
static void bits_are_those_of_splitmix64(void **state)
{
    (void)state;
    assert_true(random_bits(0, 0) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random_bits(0, 1) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(random_bits(0, 2) == UINT64_C(0x06c45d188009454f));
}

static void a_uniform_number_is_between_its_ends(void **state)
{
    double sum = 0;

    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        const double u = random_uniform(7, i);

        assert_true(u > 0 && u < 1);
        sum += u;
    }
    /* Standard error of the mean: sqrt(1/12 / 10000) = 0.003. */
    assert_true(fabs(sum / 10000 - 0.5) < 0.012);
}

/* Mean 0, variance 1, and a tenth below -1.2816; within 4 standard errors. */
static void a_normal_number_has_the_moments_of_the_normal_law(void **state)
{
    double sum = 0, squares = 0;
    int n_low = 0;

    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        const double z = random_normal(7, i);

        sum += z;
        squares += z * z;
        n_low += z < -1.2815515655446004;
    }
    assert_true(fabs(sum / 10000) < 0.04);
    assert_true(fabs(squares / 10000 - 1) < 0.057);
    assert_true(fabs(n_low / 10000.0 - 0.1) < 0.012);
}

static void seeds_differ(void **state)
{
    (void)state;
    assert_true(random_normal(1, 0) != random_normal(2, 0));
    assert_true(random_normal(1, 0) != random_normal(1, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(bits_are_those_of_splitmix64),
            cmocka_unit_test(a_uniform_number_is_between_its_ends),
            cmocka_unit_test(a_normal_number_has_the_moments_of_the_normal_law),
            cmocka_unit_test(seeds_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
