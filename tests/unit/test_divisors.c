/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_divisors.c - divisors come out complete and ascending. */
#include "test.h"

#include "search/exact/space.h"

static void twelve_has_six_divisors(void **state)
{
    static const int want[] = {1, 2, 3, 4, 6, 12};
    search_divisors d;

    (void)state;
    search_divisors_of(12, &d);
    assert_int_equal(d.n, 6);
    assert_memory_equal(d.at, want, sizeof(want));
}

static void squares_one_and_primes_are_right(void **state)
{
    search_divisors d;

    (void)state;
    search_divisors_of(1, &d);
    assert_int_equal(d.n, 1);
    search_divisors_of(36, &d);
    assert_int_equal(d.n, 9);
    search_divisors_of(131071, &d); /* a Mersenne prime */
    assert_int_equal(d.n, 2);
    assert_int_equal(d.at[1], 131071);
}

/* 2095133040 has the most divisors of all numbers below 2^31: 1536. */
static void the_most_divisible_number_fits(void **state)
{
    search_divisors d;

    (void)state;
    search_divisors_of(2095133040, &d);
    assert_int_equal(d.n, 1536);
    for (int i = 0; i < d.n; i++) {
        assert_int_equal(2095133040 % d.at[i], 0);
        assert_true(i == 0 || d.at[i] > d.at[i - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(twelve_has_six_divisors),
            cmocka_unit_test(squares_one_and_primes_are_right),
            cmocka_unit_test(the_most_divisible_number_fits),
    };

    return cmocka_run_group_tests_name("divisors", tests, NULL, NULL);
}
