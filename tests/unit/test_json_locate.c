/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_locate.c - from a JSON Pointer to line and column. */
#include "test.h"

#include <string.h>

#include "base/util.h"
#include "json/json.h"
#include "json/text.h"

static const char text[] = "\n"
                           "{\n"
                           "  \"node\": {\"gpu\": {\n"
                           "    \"hbm_bytes\": \"80G,}]\\\"{\",\n"
                           "    \"a/b\": [1, [2, {\"m~n\": 3}], \"x\"],\n"
                           "    \"\": {\"\": 0},\n"
                           "    \"\\u0065\\u0301\\ud83d\\ude00\\n\": 1,\n"
                           "    \"deep\": [[], {}, [[{\"k\": [0, 0, 7]}]]]\n"
                           "  }, \"n\": 8},\n"
                           "  \"last\": true\n"
                           "}\n";

static void values_are_found_by_their_pointer(void **state)
{
    static const struct {
        const char *pointer;
        int line;
        int column;
        bool found;
    } rows[] = {
            {"", 2, 1, true},
            {"/node", 3, 3, true},
            {"/node/gpu", 3, 12, true},
            {"/node/gpu/hbm_bytes", 4, 5, true},
            {"/node/gpu/a~1b", 5, 5, true},
            {"/node/gpu/a~1b/0", 5, 13, true},
            {"/node/gpu/a~1b/1", 5, 16, true},
            {"/node/gpu/a~1b/1/1/m~0n", 5, 21, true},
            {"/node/gpu/a~1b/2", 5, 33, true},
            {"/node/gpu/", 6, 5, true},
            {"/node/gpu//", 6, 10, true},
            {"/node/gpu/e\xcc\x81\xf0\x9f\x98\x80\n", 7, 5, true},
            {"/node/gpu/deep/2/0/0/k/2", 8, 37, true},
            {"/node/n", 9, 6, true},
            {"/last", 10, 3, true},
            /* Where the last part does not exist, its parent. */
            {"/nothing", 2, 1, false},
            {"/node/gpu/nothing", 3, 12, false},
            {"/node/gpu/hbm", 3, 12, false},
            {"/node/gpu/hbm_bytes2", 3, 12, false},
            {"/node/gpu/a~1b/3", 5, 5, false},
            {"/node/gpu/a~1b/00", 5, 5, false},
            {"/node/gpu/a~1b/-", 5, 5, false},
            {"/node/gpu/a~1b/x", 5, 5, false},
            {"/node/gpu/a~1b/99999999999999999999", 5, 5, false},
            {"/node/gpu/deep/0/0", 8, 14, false},
            {"/node/gpu/deep/1/a", 8, 18, false},
            {"/last/x", 10, 3, false},
            {"/nothing/at/all", 2, 1, false},
            {"last", 2, 1, false},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        size_t offset = 0;
        int line = 0;
        int column = 0;
        const bool found =
                json_locate(text, strlen(text), rows[i].pointer, 1, &offset);

        json_line_column(text, offset, &line, &column);
        if (found != rows[i].found || line != rows[i].line ||
                column != rows[i].column) {
            print_error("'%s' is at %d:%d\n", rows[i].pointer, line, column);
            fail();
        }
    }
}

static void fail_names_file_place_and_pointer(void **state)
{
    json_doc doc = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(json_parse("cluster.json", text, strlen(text), &doc, NULL));
    assert_false(json_fail(&doc, "/node/gpu/hbm_bytes", &err,
            "'%s' has no unit; write 80GB or 80GiB", "80G"));
    assert_int_equal(err.code, P3D_DATA);
    assert_string_equal(err.file, "cluster.json");
    assert_int_equal(err.line, 4);
    assert_int_equal(err.column, 5);
    assert_string_equal(err.pointer, "/node/gpu/hbm_bytes");
    assert_string_equal(err.text, "'80G' has no unit; write 80GB or 80GiB");
    assert_false(json_fail(&doc, "/last", &err, "second"));
    assert_int_equal(err.line, 4);
    assert_false(json_fail(&doc, "", NULL, "nobody listens"));
    json_close(&doc);
}

static void fail_works_without_a_text(void **state)
{
    const json_doc doc = {.file = "x.json"};
    p3d_error err = {0};

    (void)state;
    assert_false(json_fail(&doc, "/a", &err, "wrong"));
    assert_int_equal(err.line, 0);
    assert_string_equal(err.pointer, "/a");
}

static void fail_keeps_a_strange_pointer_on_one_line(void **state)
{
    json_doc doc = {0};
    p3d_error err = {0};
    char pointer[400] = "/";

    (void)state;
    assert_true(json_parse("x.json", "{\"a\\nb\": 1}", 11, &doc, NULL));
    assert_false(json_fail(&doc, "/a\nb", &err, "wrong"));
    assert_string_equal(err.pointer, "/a\\nb");
    assert_int_equal(err.column, 2);
    err = (p3d_error){0};
    memset(pointer + 1, 'k', sizeof(pointer) - 2);
    assert_false(json_fail(&doc, pointer, &err, "wrong"));
    assert_string_equal(err.pointer + strlen(err.pointer) - 4, "k...");
    json_close(&doc);
}

static void the_nth_of_equal_keys_is_found(void **state)
{
    static const char twice[] = "{\"a\": 1, \"b\": {\"a\": 2, \"a\": 3}}";
    size_t offset = 0;

    (void)state;
    assert_true(json_locate(twice, strlen(twice), "/b/a", 1, &offset));
    assert_int_equal(offset, 15);
    assert_true(json_locate(twice, strlen(twice), "/b/a", 2, &offset));
    assert_int_equal(offset, 23);
    assert_false(json_locate(twice, strlen(twice), "/b/a", 3, &offset));
    assert_int_equal(offset, 9);
}

static void keys_are_unescaped_before_they_are_compared(void **state)
{
    static const char escaped[] = "{\"\\\"\\\\\\/\\b\": 1, \"x\": 2}";
    size_t offset = 0;

    (void)state;
    assert_true(json_locate(escaped, strlen(escaped), "/\"\\~1\b", 1, &offset));
    assert_int_equal(offset, 1);
    assert_true(json_locate(escaped, strlen(escaped), "/x", 1, &offset));
    assert_int_equal(offset, 16);
}

static void pointer_add_escapes(void **state)
{
    p3d_text pointer = {0};

    (void)state;
    json_pointer_add(&pointer, "a/b");
    json_pointer_add(&pointer, "~");
    json_pointer_add(&pointer, "");
    assert_string_equal(p3d_text_get(&pointer), "/a~1b/~0/");
    p3d_text_free(&pointer);
}

/* Must not read past the end, whatever the text. */
static void broken_documents_are_survived(void **state)
{
    (void)state;
    for (size_t n = 0; n < strlen(text); n++) {
        char part[sizeof(text)] = {0};
        size_t offset = 0;

        memcpy(part, text, n);
        (void)json_locate(part, n, "/node/gpu/deep/2/0/0/k/2", 1, &offset);
        assert_true(offset <= n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(values_are_found_by_their_pointer),
            cmocka_unit_test(fail_names_file_place_and_pointer),
            cmocka_unit_test(fail_works_without_a_text),
            cmocka_unit_test(fail_keeps_a_strange_pointer_on_one_line),
            cmocka_unit_test(the_nth_of_equal_keys_is_found),
            cmocka_unit_test(keys_are_unescaped_before_they_are_compared),
            cmocka_unit_test(pointer_add_escapes),
            cmocka_unit_test(broken_documents_are_survived),
    };

    return cmocka_run_group_tests_name("json_locate", tests, NULL, NULL);
}
