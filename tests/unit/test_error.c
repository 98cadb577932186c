/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_error.c - the first cause is kept, and it is one printable line. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

static void fail_returns_false_and_accepts_no_error(void **state)
{
    (void)state;
    assert_false(p3d_fail(NULL, P3D_DATA, "nobody listens to %d", 1));
}

static void fail_keeps_the_first_cause(void **state)
{
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_fail(&err, P3D_DATA, "key '%s' is missing", "n"));
    assert_false(p3d_fail(&err, P3D_SYSTEM, "second"));
    assert_int_equal(err.code, P3D_DATA);
    assert_string_equal(err.text, "key 'n' is missing");
}

static void fail_leaves_the_place_alone(void **state)
{
    p3d_error err = {.line = 3, .column = 7, .file = "a.json"};

    (void)state;
    p3d_fail(&err, P3D_USAGE, "x");
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 7);
    assert_string_equal(err.file, "a.json");
}

static void fail_cuts_a_long_text_between_characters(void **state)
{
    p3d_error err = {0};
    char text[2000];

    (void)state;
    memset(text, 'a', sizeof(text));
    for (size_t i = 1; i + 2 < sizeof(text); i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[sizeof(text) - 1] = '\0';
    p3d_fail(&err, P3D_DATA, "%s", text);
    assert_true(strlen(err.text) < sizeof(err.text));
    assert_true(strlen(err.text) > sizeof(err.text) - 5);
    assert_string_equal(err.text + strlen(err.text) - 5, "\xc3\xa9...");
    assert_null(strstr(err.text, "\\x"));
}

static void fail_escapes_what_would_break_the_line(void **state)
{
    p3d_error err = {0};

    (void)state;
    p3d_fail(&err, P3D_DATA, "'%s'", "a\nb\tc\rd\x1b[1m\x7f \xff \xc3\xa9");
    assert_string_equal(
            err.text, "'a\\nb\\tc\\rd\\x1b[1m\\x7f \\xff \xc3\xa9'");
}

static void codes_have_their_exit_statuses(void **state)
{
    (void)state;
    assert_int_equal(p3d_exit_status(P3D_OK), 0);
    assert_int_equal(p3d_exit_status(P3D_NO), 1);
    assert_int_equal(p3d_exit_status(P3D_USAGE), 2);
    assert_int_equal(p3d_exit_status(P3D_DATA), 3);
    assert_int_equal(p3d_exit_status(P3D_SYSTEM), 4);
    assert_int_equal(p3d_exit_status(P3D_DEVICE), 5);
    assert_int_equal(p3d_exit_status(P3D_INTERRUPTED), 130);
}

static void an_error_is_one_line_of_what_is_known(void **state)
{
    const p3d_error all = {P3D_DATA, 14, 9, "a.json", "/gpu", "no unit"};
    p3d_error some = {.text = "out of memory"};
    char line[P3D_ERROR_LINE];

    (void)state;
    assert_string_equal(p3d_print_error(line, sizeof(line), &all),
            "a.json:14:9: /gpu: no unit");
    assert_string_equal(
            p3d_print_error(line, sizeof(line), &some), "out of memory");
    snprintf(some.file, sizeof(some.file), "a.csv");
    assert_string_equal(
            p3d_print_error(line, sizeof(line), &some), "a.csv: out of memory");
}

static void the_longest_error_fits_its_line(void **state)
{
    p3d_error longest = {P3D_DATA, 2147483647, 2147483647, "", "", ""};
    char line[P3D_ERROR_LINE];

    (void)state;
    memset(longest.file, 'f', sizeof(longest.file) - 1);
    memset(longest.pointer, 'p', sizeof(longest.pointer) - 1);
    memset(longest.text, 't', sizeof(longest.text) - 1);
    p3d_print_error(line, sizeof(line), &longest);
    assert_int_equal(strspn(strrchr(line, ' ') + 1, "t"), P3D_ERROR_TEXT - 1);
}

static void show_fits_exactly_or_ends_in_dots(void **state)
{
    char buffer[8];

    (void)state;
    assert_true(p3d_show(buffer, sizeof(buffer), "1234567"));
    assert_string_equal(buffer, "1234567");
    assert_false(p3d_show(buffer, sizeof(buffer), "12345678"));
    assert_string_equal(buffer, "1234...");
    assert_false(p3d_show(buffer, sizeof(buffer),
            "123\xc3\xa9"
            "5678"));
    assert_string_equal(buffer, "123...");
    assert_false(p3d_show(buffer, sizeof(buffer), "123\n5678"));
    assert_string_equal(buffer, "123...");
    assert_true(p3d_show(buffer, sizeof(buffer), ""));
    assert_string_equal(buffer, "");
}

static void show_escapes_the_control_characters_of_latin_1(void **state)
{
    char buffer[32];

    (void)state;
    assert_true(p3d_show(buffer, sizeof(buffer), "\xc2\x85|\xc2\x9b|\xc2\xa0"));
    assert_string_equal(buffer, "\\u0085|\\u009b|\xc2\xa0");
}

static void what_acts_and_does_not_show_does_not_print(void **state)
{
    static const uint32_t acts[] = {0, '\n', 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f,
            0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066,
            0x2069, 0xfeff, 0xfff9, 0xfffe, 0xffff, 0xe0001, 0x1fffe, 0x10ffff};
    static const uint32_t shows[] = {' ', '~', 0xa0, 0xe9, 0x61d, 0x200d,
            0x2027, 0x202f, 0x4e2d, 0xfe0f, 0xfffd, 0x1f600, 0xe0100};

    (void)state;
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
        assert_false(p3d_prints(acts[i]));
    for (size_t i = 0; i < sizeof(shows) / sizeof(shows[0]); i++)
        assert_true(p3d_prints(shows[i]));
}

static void show_names_what_does_not_print(void **state)
{
    char buffer[64];

    (void)state;
    assert_true(p3d_show(buffer, sizeof(buffer),
            "a\xe2\x80\xa8\xd8\x9c\xef\xbb\xbf\xf3\xa0\x80\x81z"));
    assert_string_equal(buffer, "a\\u2028\\u061c\\ufeff\\U000e0001z");
}

static void a_text_is_shown_but_for_what_is_kept(void **state)
{
    static const char raw[] = "a\tb\nc\0d\xff\xe2\x80\xae";
    p3d_text text = {0};

    (void)state;
    p3d_text_show(&text, raw, sizeof(raw) - 1, "\n");
    assert_string_equal(p3d_text_get(&text), "a\\tb\nc\\x00d\\xff\\u202e");
    p3d_text_free(&text);
}

static void utf8_length_follows_rfc_3629(void **state)
{
    static const struct {
        const char *text;
        int length;
    } rows[] = {
            {"a", 1},
            {"\x7f", 1},
            {"\x80", 0},
            {"\xc0\x80", 0},
            {"\xc1\xbf", 0},
            {"\xc2\x80", 2},
            {"\xc2", 0},
            {"\xc2\xc0", 0},
            {"\xe0\x9f\xbf", 0},
            {"\xe0\xa0\x80", 3},
            {"\xed\x9f\xbf", 3},
            {"\xed\xa0\x80", 0},
            {"\xee\x80\x80", 3},
            {"\xef\xbf", 0},
            {"\xf0\x8f\xbf\xbf", 0},
            {"\xf0\x90\x80\x80", 4},
            {"\xf4\x8f\xbf\xbf", 4},
            {"\xf4\x90\x80\x80", 0},
            {"\xf5\x80\x80\x80", 0},
            {"\xf0\x90\x80", 0},
            {"\xff", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(p3d_utf8_length(rows[i].text, strlen(rows[i].text)),
                rows[i].length);
    assert_int_equal(p3d_utf8_length("a", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(fail_returns_false_and_accepts_no_error),
            cmocka_unit_test(fail_keeps_the_first_cause),
            cmocka_unit_test(fail_leaves_the_place_alone),
            cmocka_unit_test(fail_cuts_a_long_text_between_characters),
            cmocka_unit_test(fail_escapes_what_would_break_the_line),
            cmocka_unit_test(codes_have_their_exit_statuses),
            cmocka_unit_test(an_error_is_one_line_of_what_is_known),
            cmocka_unit_test(the_longest_error_fits_its_line),
            cmocka_unit_test(show_fits_exactly_or_ends_in_dots),
            cmocka_unit_test(show_escapes_the_control_characters_of_latin_1),
            cmocka_unit_test(what_acts_and_does_not_show_does_not_print),
            cmocka_unit_test(show_names_what_does_not_print),
            cmocka_unit_test(a_text_is_shown_but_for_what_is_kept),
            cmocka_unit_test(utf8_length_follows_rfc_3629),
    };

    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
