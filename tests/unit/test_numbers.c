/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_numbers.c - lists and ranges of numbers. */
#include "test.h"

#include <string.h>

#include "base/number_list.h"
#include "base/util.h"

static void check(const char *text, const int64_t *want, int n)
{
    p3d_numbers got = {0};
    p3d_error err = {0};

    if (!p3d_numbers_parse(text, strlen(text), (p3d_bounds){1, 1000000, false},
                &got, &err))
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(got.n, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(got.at[i], want[i]);
    p3d_numbers_free(&got);
}

static void a_list_keeps_its_order(void **state)
{
    (void)state;
    check("512", (int64_t[]){512}, 1);
    check("512,64,4K", (int64_t[]){512, 64, 4000}, 3);
}

static void a_range_doubles(void **state)
{
    (void)state;
    check("8..64", (int64_t[]){8, 16, 32, 64}, 4);
    check("8..100", (int64_t[]){8, 16, 32, 64}, 4);
    check("3..3", (int64_t[]){3}, 1);
}

static void a_range_with_a_step_adds_it(void **state)
{
    (void)state;
    check("8..32:8", (int64_t[]){8, 16, 24, 32}, 4);
    check("8..30:8,1", (int64_t[]){8, 16, 24, 1}, 4);
}

static void a_wrong_list_says_what_to_write(void **state)
{
    static const struct {
        const char *text;
        const char *words;
    } rows[] = {{"8-64", "write 8..1024 (doubling)"},
            {"..64", "write 8..1024 (doubling)"},
            {"8..", "write 8..1024 (doubling)"},
            {"64..8", "'64..8' ends before it begins; write 8..64"},
            {"8..64:0", "'0' is out of range"}, {"8..64:", "''"},
            {"8...64", "'.64' is not a whole number"},
            {"0..8", "'0' is out of range"}, {"8,,16", "empty place"},
            {"8,", "empty place"}, {"", "empty place"},
            {"1..1000000:1", "more than 16384 numbers"}, {"eight", "'eight'"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_numbers got = {0};
        p3d_error err = {0};

        assert_false(p3d_numbers_parse(rows[i].text, strlen(rows[i].text),
                (p3d_bounds){1, 1000000, false}, &got, &err));
        test_check_error(&err, P3D_USAGE, rows[i].words);
        p3d_numbers_free(&got);
    }
}

static void sorted_numbers_are_each_there_once(void **state)
{
    static const int64_t mixed[] = {7, 3, 7, 1, 3};
    p3d_numbers numbers = {0};
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(mixed); i++)
        assert_true(p3d_numbers_add(&numbers, mixed[i], &err));
    p3d_numbers_sort(&numbers);
    assert_int_equal(numbers.n, 3);
    assert_int_equal(numbers.at[0], 1);
    assert_int_equal(numbers.at[1], 3);
    assert_int_equal(numbers.at[2], 7);
    p3d_numbers_free(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_list_keeps_its_order),
            cmocka_unit_test(a_range_doubles),
            cmocka_unit_test(a_range_with_a_step_adds_it),
            cmocka_unit_test(a_wrong_list_says_what_to_write),
            cmocka_unit_test(sorted_numbers_are_each_there_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
