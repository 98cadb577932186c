/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_write.c - what is written is exact and can be read again. */
#include "test.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "json/json.h"

static void a_document_is_indented_by_two_spaces(void **state)
{
    p3d_text text = {0};
    json_writer w = {.out = &text};

    (void)state;
    json_begin(&w, NULL, '{');
    json_put_int(&w, "schema", 1);
    json_begin(&w, "list", '[');
    json_put_double(&w, NULL, 0.5);
    json_put_bool(&w, NULL, true);
    json_begin(&w, NULL, '{');
    json_put_bool(&w, "b", false);
    json_end(&w, '}');
    json_end(&w, ']');
    json_begin(&w, "none", '{');
    json_end(&w, '}');
    json_begin(&w, "empty", '[');
    json_end(&w, ']');
    json_put_string(&w, "s", "x");
    json_end(&w, '}');
    assert_string_equal(p3d_text_get(&text), "{\n"
                                             "  \"schema\": 1,\n"
                                             "  \"list\": [\n"
                                             "    0.5,\n"
                                             "    true,\n"
                                             "    {\n"
                                             "      \"b\": false\n"
                                             "    }\n"
                                             "  ],\n"
                                             "  \"none\": {},\n"
                                             "  \"empty\": [],\n"
                                             "  \"s\": \"x\"\n"
                                             "}");
    p3d_text_free(&text);
}

static void an_empty_document_is_one_line(void **state)
{
    p3d_text text = {0};
    json_writer w = {.out = &text};

    (void)state;
    json_begin(&w, NULL, '[');
    json_end(&w, ']');
    assert_string_equal(p3d_text_get(&text), "[]");
    p3d_text_free(&text);
}

static void check_double(double value, const char *want)
{
    p3d_text text = {0};
    json_writer w = {.out = &text};

    json_put_double(&w, NULL, value);
    assert_string_equal(p3d_text_get(&text), want);
    p3d_text_free(&text);
}

static void doubles_are_as_short_as_exactness_allows(void **state)
{
    (void)state;
    check_double(0, "0");
    check_double(0.1, "0.1");
    check_double(80, "80");
    check_double(-2.5e-9, "-2.5e-09");
    check_double(9007199254740992., "9007199254740992");
    check_double(70553706496., "70553706496");
    check_double(1. / 3, "0.3333333333333333");
    check_double(0.1 + 0.2, "0.30000000000000004");
    check_double(1e300, "1e+300");
    check_double(DBL_MAX, "1.7976931348623157e+308");
    check_double(DBL_MIN, "2.2250738585072014e-308");
}

static void check_points(void)
{
    check_double(0.5, "0.5");
    check_double(1. / 3, "0.3333333333333333");
}

static void doubles_have_a_point_in_every_locale(void **state)
{
    (void)state;
    test_every_locale(check_points);
}

static void integers_are_exact(void **state)
{
    p3d_text text = {0};
    json_writer w = {.out = &text};

    (void)state;
    json_begin(&w, NULL, '[');
    json_put_int(&w, NULL, INT64_MAX);
    json_put_int(&w, NULL, INT64_MIN);
    json_put_int(&w, NULL, 9007199254740993);
    json_end(&w, ']');
    assert_string_equal(p3d_text_get(&text),
            "[\n  9223372036854775807,\n  -9223372036854775808,\n"
            "  9007199254740993\n]");
    p3d_text_free(&text);
}

static void check_string(const char *value, const char *want)
{
    p3d_text text = {0};
    json_writer w = {.out = &text};

    json_put_string(&w, NULL, value);
    assert_string_equal(p3d_text_get(&text), want);
    p3d_text_free(&text);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    check_string("", "\"\"");
    check_string("plain", "\"plain\"");
    check_string("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    check_string("\b\f\n\r\t\x01\x1f\x7f",
            "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"");
    check_string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
            "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    check_string("\xc2\x85\xe2\x80\xa8\xe2\x80\xae\xf3\xa0\x80\x81",
            "\"\\u0085\\u2028\\u202e\\udb40\\udc01\"");
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
    (void)state;
    check_string("a\xff"
                 "b\xc3",
            "\"a\xef\xbf\xbd"
            "b\xef\xbf\xbd\"");
}

static void keys_are_escaped_too(void **state)
{
    p3d_text text = {0};
    json_writer w = {.out = &text};

    (void)state;
    json_begin(&w, NULL, '{');
    json_put_int(&w, "a\"\n", 1);
    json_end(&w, '}');
    assert_string_equal(p3d_text_get(&text), "{\n  \"a\\\"\\n\": 1\n}");
    p3d_text_free(&text);
}

/* Every exponent, with mantissas that need 15 to 17 digits. */
static void doubles_are_read_back_equal(void **state)
{
    p3d_text text = {0};
    json_writer w = {.out = &text};
    json_doc doc = {0};
    const json_value *element;
    const double mantissas[] = {1, 1. / 3, 1.1, -0.7, 0.9999999999999999};

    (void)state;
    json_begin(&w, NULL, '[');
    for (int e = -1074; e < 1024; e++) {
        for (int i = 0; i < P3D_COUNT_OF(mantissas); i++)
            json_put_double(&w, NULL, ldexp(mantissas[i], e));
    }
    json_end(&w, ']');
    assert_true(json_parse("x", p3d_text_get(&text), text.length, &doc, NULL));
    element = json_first(doc.root);
    for (int e = -1074; e < 1024; e++) {
        for (int i = 0; i < P3D_COUNT_OF(mantissas); i++) {
            double number = 0;

            assert_true(json_number(element, &number));
            CHECK_REL(number, ldexp(mantissas[i], e), 0);
            element = json_next(element);
        }
    }
    assert_null(element);
    json_close(&doc);
    p3d_text_free(&text);
}

static void a_number_that_is_not_finite_is_a_bug(void **state)
{
    const double values[] = {HUGE_VAL, -HUGE_VAL, nan("")};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(values); i++) {
        const pid_t child = fork();
        int status = 0;

        assert_true(child >= 0);
        if (child == 0) {
            p3d_text text = {0};
            json_writer w = {.out = &text};

            signal(SIGABRT, SIG_DFL);
            fclose(stderr);
            json_put_double(&w, NULL, values[i]);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_document_is_indented_by_two_spaces),
            cmocka_unit_test(an_empty_document_is_one_line),
            cmocka_unit_test(doubles_are_as_short_as_exactness_allows),
            cmocka_unit_test(doubles_have_a_point_in_every_locale),
            cmocka_unit_test(integers_are_exact),
            cmocka_unit_test(strings_are_escaped),
            cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
            cmocka_unit_test(keys_are_escaped_too),
            cmocka_unit_test(doubles_are_read_back_equal),
            cmocka_unit_test(a_number_that_is_not_finite_is_a_bug),
    };

    return cmocka_run_group_tests_name("json_write", tests, NULL, NULL);
}
