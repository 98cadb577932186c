/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_parse.c - what strict parsing takes, and how it refuses. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "json/json.h"

/* A refused document: where, and why. */
typedef struct refusal {
    const char *text;
    int line;
    int column;
    const char *message;
} refusal;

static void check_refused(
        const char *text, size_t length, const refusal *expected)
{
    p3d_error err = {0};
    json_doc doc = {.length = 77};

    if (json_parse("a.json", text, length, &doc, &err)) {
        print_error("'%s' was accepted\n", text);
        fail();
    }
    if (strcmp(err.text, expected->message) != 0 ||
            err.line != expected->line || err.column != expected->column) {
        print_error("'%s': %d:%d: %s\n", text, err.line, err.column, err.text);
        fail();
    }
    assert_int_equal(err.code, P3D_DATA);
    assert_string_equal(err.file, "a.json");
    assert_true(doc.length == 77 && doc.root == NULL && doc.text == NULL);
    assert_false(json_parse("a.json", text, length, &doc, NULL));
}

static void check_refusals(const refusal *rows, int n)
{
    for (int i = 0; i < n; i++)
        check_refused(rows[i].text, strlen(rows[i].text), &rows[i]);
}

static json_doc parse(const char *text)
{
    json_doc doc = {0};
    p3d_error err = {0};

    if (!json_parse("a.json", text, strlen(text), &doc, &err)) {
        print_error("'%s': %d:%d: %s\n", text, err.line, err.column, err.text);
        fail();
    }
    return doc;
}

static void every_kind_of_value_is_read(void **state)
{
    json_doc doc = parse("{\"o\": {}, \"a\": [1, -2.5e-1, 0], \"s\": \"x\","
                         " \"t\": true, \"f\": false, \"n\": null}\r\n");
    const json_value *a = json_get(doc.root, "a");
    double number = -77;

    (void)state;
    assert_string_equal(doc.file, "a.json");
    assert_true(json_is_object(doc.root));
    assert_true(json_is_object(json_get(doc.root, "o")));
    assert_null(json_first(json_get(doc.root, "o")));
    assert_true(json_is_array(a));
    assert_true(json_number(json_next(json_first(a)), &number));
    CHECK_REL(number, -0.25, 0);
    assert_string_equal(json_string(json_get(doc.root, "s")), "x");
    assert_true(json_is_string(json_get(doc.root, "s")));
    assert_true(json_number(json_get(doc.root, "t"), &number));
    CHECK_REL(number, 1, 0);
    assert_true(json_number(json_get(doc.root, "f"), &number));
    CHECK_REL(number, 0, 0);
    assert_null(json_get(doc.root, "n"));
    json_close(&doc);
    json_close(&doc);
}

static void looking_at_the_wrong_kind_gives_nothing(void **state)
{
    json_doc doc = parse("[\"1\", null]");
    double number = -77;

    (void)state;
    assert_null(json_get(doc.root, "a"));
    assert_null(json_get(NULL, "a"));
    assert_null(json_first(NULL));
    assert_null(json_next(NULL));
    assert_false(json_is_object(NULL) || json_is_array(NULL));
    assert_string_equal(json_key(NULL), "");
    assert_string_equal(json_key(json_first(doc.root)), "");
    assert_string_equal(json_string(doc.root), "");
    assert_string_equal(json_string(NULL), "");
    assert_false(json_number(json_first(doc.root), &number));
    assert_false(json_number(NULL, &number));
    CHECK_REL(number, -77, 0);
    json_close(&doc);
}

static void keys_are_case_sensitive_and_in_order(void **state)
{
    json_doc doc = parse("{\"b\": 1, \"B\": 2, \"a\": 3}");
    const json_value *member = json_first(doc.root);
    double number = 0;

    (void)state;
    assert_true(json_number(json_get(doc.root, "B"), &number));
    CHECK_REL(number, 2, 0);
    assert_null(json_get(doc.root, "A"));
    assert_string_equal(json_key(member), "b");
    assert_string_equal(json_key(json_next(member)), "B");
    assert_string_equal(json_key(json_next(json_next(member))), "a");
    assert_null(json_next(json_next(json_next(member))));
    json_close(&doc);
}

static void escapes_and_utf8_are_decoded(void **state)
{
    json_doc doc = parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC"
                         "\\ud83d\\ude00\xf0\x9f\x98\x80\x7f\"]");

    (void)state;
    assert_string_equal(json_string(json_first(doc.root)),
            "\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
            "\xf0\x9f\x98\x80\x7f");
    json_close(&doc);
}

static void a_document_may_be_any_value(void **state)
{
    static const char *const texts[] = {"0", "-0", " \"x\" ", "true", "null\n",
            "[]", "1E5", "-0.0e-0", "1e-999", "[ ]", "{ }"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(texts); i++) {
        json_doc doc = parse(texts[i]);

        json_close(&doc);
    }
}

static void large_integers_are_not_saturated(void **state)
{
    json_doc doc = parse("[70553706496, 9007199254740991]");
    double number = 0;

    (void)state;
    assert_true(json_number(json_first(doc.root), &number));
    CHECK_REL(number, 70553706496., 0);
    assert_true(json_number(json_next(json_first(doc.root)), &number));
    CHECK_REL(number, 9007199254740991., 0);
    json_close(&doc);
}

static void wrong_structure_is_refused(void **state)
{
    static const refusal rows[] = {
            {"", 1, 1, "the document is empty"},
            {" \n ", 2, 2, "the document is empty"},
            {"{} x", 1, 4, "unexpected 'x' after the document; remove it"},
            {"{}\n{}", 2, 1, "unexpected '{' after the document; remove it"},
            {"[1]]", 1, 4, "unexpected ']' after the document; remove it"},
            {"]", 1, 1, "unexpected ']' where a value should be"},
            {"[1,\n 2,]", 2, 3, "unexpected ',' before ']'; remove it"},
            {"{\"a\": 1,\n}", 1, 8, "unexpected ',' before '}'; remove it"},
            {"[1,}", 1, 3, "unexpected ',' before '}'; remove it"},
            {"[,1]", 1, 2, "unexpected ',' where a value should be"},
            {"[1 2]", 1, 4, "unexpected '2'; write ',' or ']'"},
            {"[1}", 1, 3, "unexpected '}'; write ',' or ']'"},
            {"{\"a\": 1 \"b\": 2}", 1, 9, "unexpected '\"'; write ',' or '}'"},
            {"{\"a\" 1}", 1, 6, "unexpected '1' after a key; write ':'"},
            {"{\"a\": }", 1, 7, "unexpected '}' where a value should be"},
            {"{\"a\":: 1}", 1, 6, "unexpected ':' where a value should be"},
            {"{a: 1}", 1, 2,
                    "unexpected 'a' where a key should be; write it in double "
                    "quotes"},
            {"{1: 1}", 1, 2,
                    "unexpected '1' where a key should be; write it in double "
                    "quotes"},
            {"{]", 1, 2,
                    "unexpected ']' where a key should be; write it in double "
                    "quotes"},
            {"[\v1]", 1, 2, "unexpected '\\x0b' where a value should be"},
            {"[\xff]", 1, 2, "unexpected '\\xff' where a value should be"},
            {"[\xc3\xa9]", 1, 2,
                    "unexpected '\xc3\xa9' where a value should be"},
    };

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void a_document_that_ends_too_early_is_refused(void **state)
{
    static const refusal rows[] = {
            {"[1,\n2", 2, 2,
                    "the document ends inside the '[' of line 1; add ']'"},
            {"[1,", 1, 4,
                    "the document ends inside the '[' of line 1; add ']'"},
            {"[", 1, 2, "the document ends inside the '[' of line 1; add ']'"},
            {"[\n{", 2, 2,
                    "the document ends inside the '{' of line 2; add '}'"},
            {"{\"a\"", 1, 5,
                    "the document ends inside the '{' of line 1; add '}'"},
            {"{\"a\":", 1, 6, "the document ends where a value should be"},
            {"{\"a\": 1", 1, 8,
                    "the document ends inside the '{' of line 1; add '}'"},
            {"{\"a\": 1,", 1, 9,
                    "the document ends inside the '{' of line 1; add '}'"},
            {"[\"a", 1, 2, "the string is not closed; add '\"'"},
            {"[\"a\\", 1, 4, "the document ends inside a string"},
    };

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void what_other_languages_write_is_refused(void **state)
{
    static const refusal rows[] = {
            {"[NaN]", 1, 2,
                    "unknown word 'NaN'; write a string in double quotes, a "
                    "number, true, false or null"},
            {"[-Infinity]", 1, 2, "a digit is missing after '-'"},
            {"[True]", 1, 2,
                    "unknown word 'True'; write a string in double quotes, a "
                    "number, true, false or null"},
            {"[nullx]", 1, 2,
                    "unknown word 'nullx'; write a string in double quotes, a "
                    "number, true, false or null"},
            {"['a']", 1, 2, "a string needs double quotes"},
            {"[1, // one\n2]", 1, 5, "'/': JSON has no comments; remove it"},
            {"[1 /* one */]", 1, 4, "'/': JSON has no comments; remove it"},
            {"{# one\n}", 1, 2, "'#': JSON has no comments; remove it"},
    };

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void wrong_numbers_are_refused(void **state)
{
    static const refusal rows[] = {
            {"[01]", 1, 2, "a number must not begin with 0"},
            {"[-00]", 1, 2, "a number must not begin with 0"},
            {"[+1]", 1, 2, "unexpected '+' where a value should be"},
            {"[.5]", 1, 2, "unexpected '.' where a value should be"},
            {"[5.]", 1, 2, "a digit is missing after '.'"},
            {"[5.e1]", 1, 2, "a digit is missing after '.'"},
            {"[-]", 1, 2, "a digit is missing after '-'"},
            {"[1e]", 1, 2, "a digit is missing in the exponent"},
            {"[1e+]", 1, 2, "a digit is missing in the exponent"},
            {"[80GB]", 1, 2, "'80GB' is not a number; write it without a unit"},
            {"[0x10]", 1, 2, "'0x10' is not a number; write it without a unit"},
            {"[1_000]", 1, 2,
                    "'1_000' is not a number; write it without a unit"},
            {"[1.5.2]", 1, 5, "unexpected '.'; write ',' or ']'"},
            {"[0,\n1e999]", 2, 1, "'1e999' is too large for a number"},
            {"[-1e309]", 1, 2, "'-1e309' is too large for a number"},
            {"[10000000000000000000000000000000000000000000000000000000000000"
             "00]",
                    1, 2, "the number is longer than 63 characters"},
    };

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void a_number_of_63_characters_is_read(void **state)
{
    char text[66] = "[0.1";
    double number = 0;
    json_doc doc;

    (void)state;
    memset(text + 4, '0', 60);
    text[64] = ']';
    doc = parse(text);
    assert_true(json_number(json_first(doc.root), &number));
    CHECK_REL(number, 0.1, 0);
    json_close(&doc);
}

static void wrong_strings_are_refused(void **state)
{
    static const refusal rows[] = {
            {"[\"a\x01\"]", 1, 4,
                    "control character 0x01 in a string; write '\\u0001'"},
            {"[\"a\tb\"]", 1, 4,
                    "control character 0x09 in a string; write '\\u0009'"},
            {"[\n \"a\nb\"]", 2, 2,
                    "the string is not closed on its line; add '\"', or write "
                    "'\\n' for a new line"},
            {"[\"\\q\"]", 1, 3,
                    "'\\q' is not an escape of JSON; write '\\\\' for a "
                    "backslash"},
            {"[\"C:\\\xc3\xa9\"]", 1, 5,
                    "'\\\xc3\xa9' is not an escape of JSON; write '\\\\' for a "
                    "backslash"},
            {"[\"\\\n\"]", 1, 3,
                    "'\\\\n' is not an escape of JSON; write '\\\\' for a "
                    "backslash"},
            {"[\"\\u12g4\"]", 1, 3, "'\\u' needs four hexadecimal digits"},
            {"[\"\\u12", 1, 3, "'\\u' needs four hexadecimal digits"},
            {"[\"\\u0000\"]", 1, 3, "'\\u0000' in a string is not supported"},
            {"[\"\\ud800\"]", 1, 3, "'\\ud800' is half of a surrogate pair"},
            {"[\"\\uD83D\\u0041\"]", 1, 3,
                    "'\\uD83D' is half of a surrogate pair"},
            {"[\"\\udc00\\ud800\"]", 1, 3,
                    "'\\udc00' is half of a surrogate pair"},
            {"[\"\\ud800\\u", 1, 3, "'\\ud800' is half of a surrogate pair"},
            {"[\"\xff\"]", 1, 3,
                    "byte 0xff is not valid UTF-8; save the file as UTF-8"},
            {"[\"\xc0\x80\"]", 1, 3,
                    "byte 0xc0 is not valid UTF-8; save the file as UTF-8"},
            {"[\"\xed\xa0\x80\"]", 1, 3,
                    "byte 0xed is not valid UTF-8; save the file as UTF-8"},
            {"[\"\xe2\x82\"]", 1, 3,
                    "byte 0xe2 is not valid UTF-8; save the file as UTF-8"},
            {"{\"\xe9\": 1}", 1, 3,
                    "byte 0xe9 is not valid UTF-8; save the file as UTF-8"},
    };

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
}

static void binary_and_other_encodings_are_refused(void **state)
{
    static const refusal nul = {"", 2, 1,
            "NUL byte; this is a binary or UTF-16 file, not JSON text"};
    static const refusal utf16 = {
            "", 1, 1, "the file is UTF-16; save it as UTF-8"};
    static const refusal bom = {"", 1, 1,
            "the file begins with a byte order mark; save it as UTF-8 without "
            "one"};

    (void)state;
    check_refused("[\n\0]", 4, &nul);
    check_refused("{}\n\0", 4, &nul);
    check_refused("\xff\xfe{\0}\0", 6, &utf16);
    check_refused("\xfe\xff\0{\0}", 6, &utf16);
    check_refused("\xef\xbb\xbf{}", 5, &bom);
}

static void duplicate_keys_are_refused_at_the_second_one(void **state)
{
    static const refusal rows[] = {
            {"{\"a\": 1,\n \"a\": 2}", 2, 2,
                    "key 'a' appears twice, first on line 1; remove one of the "
                    "two"},
            {"{\"a\": 1, \"b\": 2,\n \"\\u0061\": 3, \"a\": 4}", 2, 2,
                    "key 'a' appears twice, first on line 1; remove one of the "
                    "two"},
            {"[1, {\"b/c\": [{\"x~\\n\": {},\n \"z\": 1, \"x~\\u000a\": 1}]}]",
                    2, 10,
                    "key 'x~\\n' appears twice, first on line 1; remove one of "
                    "the two"},
            {"{\"b\": 1, \"a\": 1, \"b\": 2, \"a\": 2}", 1, 18,
                    "key 'b' appears twice, first on line 1; remove one of the "
                    "two"},
            {"{\"\": 1, \"\": 2}", 1, 9,
                    "key '' appears twice, first on line 1; remove one of the "
                    "two"},
    };
    p3d_error err = {0};
    json_doc doc = {0};

    (void)state;
    check_refusals(rows, P3D_COUNT_OF(rows));
    assert_false(
            json_parse("a", rows[2].text, strlen(rows[2].text), &doc, &err));
    assert_string_equal(err.pointer, "/1/b~1c/0/x~0\\n");
}

static void the_same_key_in_different_objects_is_fine(void **state)
{
    json_doc doc =
            parse("{\"a\": {\"a\": [{\"a\": 1}, {\"a\": 2}]}, \"A\": 1}");

    (void)state;
    json_close(&doc);
}

static void sixty_four_levels_are_read_and_no_more(void **state)
{
    static const refusal deep = {"", 1, 65, "more than 64 levels deep"};
    char text[2 * 65 + 1];
    json_doc doc;

    (void)state;
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    text[128] = '\0';
    doc = parse(text);
    json_close(&doc);
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    check_refused(text, 130, &deep);
}

static void more_than_8_mib_is_refused(void **state)
{
    static const size_t n = (8 << 20) + 1;
    char *const text = malloc(n);
    p3d_error err = {0};
    json_doc doc = {0};

    (void)state;
    assert_non_null(text);
    memset(text, ' ', n);
    text[0] = '1';
    assert_false(json_parse("a.json", text, n, &doc, &err));
    assert_string_equal(err.text, "the document is longer than 8388608 bytes");
    assert_int_equal(err.line, 0);
    assert_true(json_parse("a.json", text, n - 1, &doc, NULL));
    json_close(&doc);
    free(text);
}

static void an_earlier_error_is_kept(void **state)
{
    p3d_error err = {.code = P3D_USAGE, .file = "first", .text = "first"};
    json_doc doc = {0};

    (void)state;
    assert_false(json_parse("a.json", "[", 1, &doc, &err));
    assert_false(json_parse("a.json", "{\"a\":1,\"a\":1}", 13, &doc, &err));
    assert_string_equal(err.text, "first");
    assert_string_equal(err.file, "first");
    assert_int_equal(err.line, 0);
}

static void a_strange_file_name_is_shown_on_one_line(void **state)
{
    p3d_error err = {0};
    json_doc doc = {0};

    (void)state;
    assert_false(json_parse("a\nb.json", "[", 1, &doc, &err));
    assert_string_equal(err.file, "a\\nb.json");
}

static void open_reads_a_file_and_names_it(void **state)
{
    char path[] = "/tmp/plan3d-json-XXXXXX";
    const int fd = mkstemp(path);
    p3d_error err = {0};
    json_doc doc = {0};

    (void)state;
    assert_true(fd >= 0);
    assert_true(write(fd, "{\"a\": 1}", 8) == 8);
    assert_true(json_open(path, &doc, &err));
    assert_string_equal(doc.file, path);
    assert_int_equal(doc.length, 8);
    json_close(&doc);
    assert_true(write(fd, "]", 1) == 1);
    close(fd);
    assert_false(json_open(path, &doc, &err));
    assert_string_equal(err.file, path);
    assert_string_equal(
            err.text, "unexpected ']' after the document; remove it");
    assert_int_equal(err.column, 9);
    unlink(path);
}

static void open_passes_on_why_a_file_cannot_be_read(void **state)
{
    p3d_error err = {0};
    json_doc doc = {0};

    (void)state;
    assert_false(json_open("/nonexistent.json", &doc, &err));
    test_check_error(&err, P3D_DATA, "no such file");
    assert_string_equal(err.file, "/nonexistent.json");
}

static void check_number(void)
{
    json_doc doc = parse("[1.5]");
    double number = 0;

    assert_true(json_number(json_first(doc.root), &number));
    CHECK_REL(number, 1.5, 0);
    json_close(&doc);
}

static void numbers_are_read_alike_in_every_locale(void **state)
{
    (void)state;
    test_every_locale(check_number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_kind_of_value_is_read),
            cmocka_unit_test(looking_at_the_wrong_kind_gives_nothing),
            cmocka_unit_test(keys_are_case_sensitive_and_in_order),
            cmocka_unit_test(escapes_and_utf8_are_decoded),
            cmocka_unit_test(a_document_may_be_any_value),
            cmocka_unit_test(large_integers_are_not_saturated),
            cmocka_unit_test(wrong_structure_is_refused),
            cmocka_unit_test(a_document_that_ends_too_early_is_refused),
            cmocka_unit_test(what_other_languages_write_is_refused),
            cmocka_unit_test(wrong_numbers_are_refused),
            cmocka_unit_test(a_number_of_63_characters_is_read),
            cmocka_unit_test(wrong_strings_are_refused),
            cmocka_unit_test(binary_and_other_encodings_are_refused),
            cmocka_unit_test(duplicate_keys_are_refused_at_the_second_one),
            cmocka_unit_test(the_same_key_in_different_objects_is_fine),
            cmocka_unit_test(sixty_four_levels_are_read_and_no_more),
            cmocka_unit_test(more_than_8_mib_is_refused),
            cmocka_unit_test(an_earlier_error_is_kept),
            cmocka_unit_test(a_strange_file_name_is_shown_on_one_line),
            cmocka_unit_test(open_reads_a_file_and_names_it),
            cmocka_unit_test(open_passes_on_why_a_file_cannot_be_read),
            cmocka_unit_test(numbers_are_read_alike_in_every_locale),
    };

    return cmocka_run_group_tests_name("json_parse", tests, NULL, NULL);
}
