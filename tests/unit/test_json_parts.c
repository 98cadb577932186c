/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_parts.c - a document is taken apart however its bytes come. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "json/parts.h"

static char said[512];

static bool take(void *to, json_slice key, json_slice value, p3d_error *err)
{
    char k[32], v[64];

    (void)to;
    (void)err;
    json_slice_copy(key, k, sizeof(k));
    json_slice_copy(value, v, sizeof(v));
    snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s=%s;", k, v);
    return true;
}

static bool read_parts(const char *text, size_t part, p3d_error *err)
{
    json_parts *const p =
            json_parts_new("list", &(json_part_taker){take, NULL});
    const size_t n = strlen(text);
    bool ok = true;

    assert_non_null(p);
    said[0] = '\0';
    for (size_t i = 0; ok && i < n; i += part)
        ok = json_parts_take(p, text + i, part < n - i ? part : n - i, err);
    ok = ok && json_parts_end(p, err);
    json_parts_free(p);
    return ok;
}

static void check(const char *text, const char *expected)
{
    for (size_t part = 1; part <= strlen(text); part++) {
        p3d_error err = {0};

        assert_true(read_parts(text, part, &err));
        assert_string_equal(said, expected);
    }
}

static void members_and_elements_come_one_by_one(void **state)
{
    (void)state;
    check("{}", "");
    check("[]", "");
    check(" {\"a\" : 1, \"b\":\"x\",\"c\":null}\n", "a=1;b=\"x\";c=null;");
    check("{\"list\": [ {\"k\":1}, {\"k\":[2,{}]} ], \"z\": -1.5e+3}",
            "={\"k\":1};={\"k\":[2,{}]};z=-1.5e+3;");
    check("[{\"k\":1},2]", "={\"k\":1};=2;");
    check("{\"other\":[1,2]}", "other=[1,2];");
    check("{\"a\":{\"list\":[1]}}", "a={\"list\":[1]};");
}

static void brackets_in_strings_are_letters(void **state)
{
    (void)state;
    check("{\"list\":[{\"n\":\"f<{[\\\"}]>\"},\"\\\\\"]}",
            "={\"n\":\"f<{[\\\"}]>\"};=\"\\\\\";");
}

static void what_is_wrong_is_said(void **state)
{
    static const struct {
        const char *text;
        int line;
        const char *message;
    } rows[] = {
            {"x", 1, "byte 0x78 cannot stand here"},
            {"{x", 1, "byte 0x78"},
            {"{\"a\" 1}", 1, "byte 0x31"},
            {"{\"a\":,}", 1, "byte 0x2c"},
            {"{\"a\":1\n;}", 2, "byte 0x3b"},
            {"{}\n\n{}", 3, "byte 0x7b"},
            {"[{\"a\":", 1, "cut short"},
            {"", 1, "cut short"},
            {"[", 1, "cut short"},
            {"{\"a\":\"", 1, "cut short"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        p3d_error err = {0};

        assert_false(read_parts(rows[i].text, 100, &err));
        test_check_error(&err, P3D_DATA, rows[i].message);
        assert_int_equal(err.line, rows[i].line);
    }
}

/* Bytes of a value that is too long to keep: it comes without them. */
static void a_long_value_is_left_out(void **state)
{
    static char text[(2 << 20) + 64];
    p3d_error err = {0};
    size_t n = (size_t)snprintf(text, sizeof(text), "{\"a\":\"");

    (void)state;
    memset(text + n, 'x', 2 << 20);
    n += 2 << 20;
    snprintf(text + n, sizeof(text) - n, "\",\"b\":2}");
    assert_true(read_parts(text, 4096, &err));
    assert_string_equal(said, "a=;b=2;");
}

static json_slice slice_of(const char *text)
{
    return (json_slice){text, strlen(text)};
}

static void values_are_walked(void **state)
{
    json_walk walk =
            json_walk_into(slice_of("{\"a\": [1, \"],\"], \"B c\" :2}"));
    json_slice key, value;

    (void)state;
    assert_true(json_walk_member(&walk, &key, &value));
    assert_true(json_slice_is(key, "A"));
    walk = json_walk_into(value);
    assert_true(json_walk_element(&walk, &value));
    assert_int_equal(json_slice_whole(value, 1000, -1), 1000);
    assert_true(json_walk_element(&walk, &value));
    assert_true(json_slice_is(json_slice_inside(value), "],"));
    assert_false(json_walk_element(&walk, &value));
    assert_int_equal(json_slice_whole(slice_of("\"7\""), 1, -1), 7);
    assert_int_equal(json_slice_whole(slice_of("1.0625"), 1000, -1), 1063);
    assert_int_equal(json_slice_whole(slice_of("x"), 1, -1), -1);
    walk = json_walk_into(slice_of("3"));
    assert_false(json_walk_element(&walk, &value));
    json_parts_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(members_and_elements_come_one_by_one),
            cmocka_unit_test(brackets_in_strings_are_letters),
            cmocka_unit_test(what_is_wrong_is_said),
            cmocka_unit_test(a_long_value_is_left_out),
            cmocka_unit_test(values_are_walked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
