/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_text.c - the growing string. */
#include "test.h"

#include <string.h>

#include "base/text.h"

static void an_empty_text_is_an_empty_string(void **state)
{
    p3d_text text = {0};

    (void)state;
    assert_string_equal(p3d_text_get(&text), "");
    p3d_text_append(&text, "", 0);
    p3d_text_repeat(&text, 'x', 0);
    p3d_text_repeat(&text, 'x', -3);
    assert_string_equal(p3d_text_get(&text), "");
    p3d_text_free(&text);
}

static void add_append_and_repeat_continue_the_text(void **state)
{
    p3d_text text = {0};

    (void)state;
    p3d_text_add(&text, "%s has %d", "tp", 8);
    p3d_text_append(&text, ", yes and no", 5);
    p3d_text_repeat(&text, '!', 3);
    assert_string_equal(p3d_text_get(&text), "tp has 8, yes!!!");
    assert_int_equal(text.length, 16);
    p3d_text_free(&text);
}

static void the_text_grows_to_a_megabyte(void **state)
{
    p3d_text text = {0};

    (void)state;
    for (int i = 0; i < 100000; i++)
        p3d_text_add(&text, "%09d\n", i);
    assert_int_equal(text.length, 1000000);
    assert_false(text.failed);
    assert_memory_equal(p3d_text_get(&text) + 999990, "000099999\n", 11);
    p3d_text_free(&text);
}

static void nul_bytes_are_kept(void **state)
{
    p3d_text text = {0};

    (void)state;
    p3d_text_append(&text, "a\0b", 3);
    p3d_text_append(&text, "c", 1);
    assert_int_equal(text.length, 4);
    assert_memory_equal(p3d_text_get(&text), "a\0bc", 5);
    p3d_text_free(&text);
}

static void a_failure_sticks_and_keeps_the_text(void **state)
{
    p3d_text text = {0};

    (void)state;
    p3d_text_add(&text, "kept");
    p3d_text_append(&text, "x", SIZE_MAX - 8);
    assert_true(text.failed);
    p3d_text_add(&text, "not added");
    p3d_text_repeat(&text, 'x', 1);
    assert_true(text.failed);
    assert_string_equal(p3d_text_get(&text), "kept");
    p3d_text_free(&text);
}

static void free_makes_the_text_empty_again(void **state)
{
    p3d_text text = {0};

    (void)state;
    p3d_text_add(&text, "x");
    p3d_text_free(&text);
    p3d_text_free(&text);
    assert_string_equal(p3d_text_get(&text), "");
    p3d_text_add(&text, "y");
    assert_string_equal(p3d_text_get(&text), "y");
    p3d_text_free(&text);
}

static void a_text_is_cut_to_its_first_bytes(void **state)
{
    p3d_text text = {0};

    (void)state;
    p3d_text_cut(&text, 0);
    assert_string_equal(p3d_text_get(&text), "");
    p3d_text_add(&text, "first and last");
    p3d_text_cut(&text, 100);
    assert_string_equal(p3d_text_get(&text), "first and last");
    p3d_text_cut(&text, 5);
    assert_string_equal(p3d_text_get(&text), "first");
    p3d_text_add(&text, " then");
    assert_string_equal(p3d_text_get(&text), "first then");
    p3d_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_empty_text_is_an_empty_string),
            cmocka_unit_test(add_append_and_repeat_continue_the_text),
            cmocka_unit_test(the_text_grows_to_a_megabyte),
            cmocka_unit_test(nul_bytes_are_kept),
            cmocka_unit_test(a_failure_sticks_and_keeps_the_text),
            cmocka_unit_test(a_text_is_cut_to_its_first_bytes),
            cmocka_unit_test(free_makes_the_text_empty_again),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
