/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_fields.c - structs filled from objects by a table. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "json/field.h"

typedef struct model {
    int hidden_size;
    int64_t n_parameters;
    double rope_theta;
    bool tied;
    char name[8];
} model;

/* clang-format off */
static const json_field fields[] = {
    {"hidden_size",  JSON_INT,    true,  offsetof(model, hidden_size),
     1, 65536, "width of the residual stream"},
    {"n_parameters", JSON_INT64,  false, offsetof(model, n_parameters),
     0, 1e18, NULL},
    {"rope_theta",   JSON_DOUBLE, false, offsetof(model, rope_theta),
     0, HUGE_VAL, NULL},
    {"tied",         JSON_BOOL,   false, offsetof(model, tied), 0, 0, NULL},
    {"name",         JSON_STRING, false, offsetof(model, name),
     0, sizeof(((model *)0)->name), NULL},
    {"schema",       JSON_INT,    false, offsetof(model, hidden_size),
     1, 1, NULL},
    {"sources",      JSON_ANY,    false, 0, 0, 0, NULL},
};
/* clang-format on */

static const model before = {1, 2, 3, false, "old"};

static bool read_model(
        const char *text, bool known_only, model *out, p3d_error *err)
{
    json_doc doc = {0};
    bool ok;

    assert_true(json_parse("m.json", text, strlen(text), &doc, err));
    ok = known_only ? json_read_known_fields((json_place){&doc, doc.root, ""},
                              JSON_FIELDS(fields), out, err)
                    : json_read_fields((json_place){&doc, doc.root, ""},
                              JSON_FIELDS(fields), out, err);
    json_close(&doc);
    return ok;
}

static void refuse(
        const char *text, int column, const char *pointer, const char *message)
{
    p3d_error err = {0};
    model got = before;

    assert_false(read_model(text, false, &got, &err));
    assert_string_equal(err.text, message);
    assert_int_equal(err.code, P3D_DATA);
    assert_string_equal(err.file, "m.json");
    assert_string_equal(err.pointer, pointer);
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, column);
    assert_int_equal(got.hidden_size, before.hidden_size);
    assert_string_equal(got.name, before.name);
    assert_false(read_model(text, false, &got, NULL));
}

static void every_kind_is_stored(void **state)
{
    model got = before;

    (void)state;
    assert_true(read_model(
            "{\"hidden_size\": 8192, \"n_parameters\": 70553706496,"
            " \"rope_theta\": 5e5, \"tied\": true, \"name\": \"llama-3\","
            " \"sources\": {\"any\": [1]}}",
            false, &got, NULL));
    assert_int_equal(got.hidden_size, 8192);
    assert_true(got.n_parameters == 70553706496);
    CHECK_REL(got.rope_theta, 5e5, 0);
    assert_true(got.tied);
    assert_string_equal(got.name, "llama-3");
}

static void absent_and_null_leave_the_field_alone(void **state)
{
    model got = before;

    (void)state;
    assert_true(read_model("{\"name\": null, \"hidden_size\": 5, \"tied\": "
                           "null, \"sources\": null}",
            false, &got, NULL));
    assert_int_equal(got.hidden_size, 5);
    assert_string_equal(got.name, "old");
    assert_true(got.n_parameters == 2);
}

static void a_required_key_must_be_there(void **state)
{
    (void)state;
    refuse("{}", 1, "",
            "key 'hidden_size' is missing: width of the residual stream");
    refuse("  {\"hidden_size\": null}", 3, "",
            "key 'hidden_size' is missing: width of the residual stream");
}

static void unknown_keys_are_refused_with_a_suggestion(void **state)
{
    (void)state;
    refuse("{\"Hidden_Size\": 1}", 2, "/Hidden_Size",
            "unknown key 'Hidden_Size'; did you mean 'hidden_size'?");
    refuse("{\"hiden_size\": 1}", 2, "/hiden_size",
            "unknown key 'hiden_size'; did you mean 'hidden_size'?");
    refuse("{\"hidden_size\": 1, \"wibble\": 1}", 20, "/wibble",
            "unknown key 'wibble'");
    refuse("{\"a\\n/\\u001b[1m\": 1}", 2, "/a\\n~1\\x1b[1m",
            "unknown key 'a\\n/\\x1b[1m'");
    refuse("{\"\": null}", 2, "/", "unknown key ''");
}

static void known_fields_ignore_other_keys(void **state)
{
    model got = before;
    p3d_error err = {0};

    (void)state;
    assert_true(read_model("{\"_name_or_path\": [], \"hidden_size\": 7,"
                           " \"Tied\": 5}",
            true, &got, &err));
    assert_int_equal(got.hidden_size, 7);
    assert_false(read_model("{\"hidden_size\": \"7\"}", true, &got, &err));
    test_check_error(&err, P3D_DATA, "'7' is a string");
}

static void a_value_of_the_wrong_kind_is_refused(void **state)
{
    (void)state;
    refuse("{\"hidden_size\": \"8192\"}", 2, "/hidden_size",
            "'8192' is a string; write a whole number from 1 to 65536");
    refuse("{\"hidden_size\": true}", 2, "/hidden_size",
            "'true' is a truth value; write a whole number from 1 to 65536");
    refuse("{\"hidden_size\": []}", 2, "/hidden_size",
            "this is an array; write a whole number from 1 to 65536");
    refuse("{\"rope_theta\": {}}", 2, "/rope_theta",
            "this is an object; write a number of at least 0");
    refuse("{\"rope_theta\": \"80G\\n\"}", 2, "/rope_theta",
            "'80G\\n' is a string; write a number of at least 0");
    refuse("{\"tied\": 1}", 2, "/tied", "'1' is a number; write true or false");
    refuse("{\"tied\": \"true\"}", 2, "/tied",
            "'true' is a string; write true or false");
    refuse("{\"name\": 1.5}", 2, "/name",
            "'1.5' is a number; write a string in double quotes");
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    refuse("{\"hidden_size\": 0}", 2, "/hidden_size",
            "'0' is out of range; write a whole number from 1 to 65536");
    refuse("{\"hidden_size\": 65537}", 2, "/hidden_size",
            "'65537' is out of range; write a whole number from 1 to 65536");
    refuse("{\"hidden_size\": 1e300}", 2, "/hidden_size",
            "'1e+300' is out of range; write a whole number from 1 to 65536");
    refuse("{\"hidden_size\": 1.5}", 2, "/hidden_size",
            "'1.5' is not a whole number; write a whole number from 1 to "
            "65536");
    refuse("{\"rope_theta\": -1}", 2, "/rope_theta",
            "'-1' is out of range; write a number of at least 0");
    refuse("{\"schema\": 2}", 2, "/schema", "'2' is out of range; write 1");
}

static void integers_are_exact_or_refused(void **state)
{
    model got = before;

    (void)state;
    assert_true(read_model("{\"hidden_size\": 1, \"n_parameters\": "
                           "9007199254740991}",
            false, &got, NULL));
    assert_true(got.n_parameters == 9007199254740991);
    refuse("{\"n_parameters\": 9007199254740993}", 2, "/n_parameters",
            "'9007199254740992' is too large to be exact; write a whole number "
            "from 0 to 1e+18");
}

static void strings_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    refuse("{\"name\": \"12345678\"}", 2, "/name",
            "'12345678' is longer than 7 bytes");
}

static void strings_that_do_not_print_are_refused(void **state)
{
    (void)state;
    refuse("{\"name\": \"a\\u2028\"}", 2, "/name",
            "'a\\u2028' has a character that does not print; leave it out");
    refuse("{\"name\": \"a\\nb\"}", 2, "/name",
            "'a\\nb' has a character that does not print; leave it out");
}

static void what_is_not_an_object_is_refused(void **state)
{
    p3d_error err = {0};
    p3d_error absent = {0};
    model got = before;
    json_doc doc = {0};

    (void)state;
    refuse("[1]", 1, "", "this is not an object; write {...}");
    assert_true(json_parse("m.json", "{\"a\": 1}", 8, &doc, NULL));
    assert_false(
            json_read_fields((json_place){&doc, json_get(doc.root, "a"), "/a"},
                    JSON_FIELDS(fields), &got, &err));
    assert_string_equal(err.pointer, "/a");
    assert_int_equal(err.column, 2);
    assert_false(json_read_fields((json_place){&doc, NULL, "/b"},
            JSON_FIELDS(fields), &got, &absent));
    assert_int_equal(absent.column, 1);
    json_close(&doc);
}

static void the_pointer_of_the_object_leads_to_the_member(void **state)
{
    static const char text[] = "{\"x\": [0,\n  {\"hidden_size\": 0}]}";
    p3d_error err = {0};
    model got = before;
    json_doc doc = {0};

    (void)state;
    assert_true(json_parse("m.json", text, strlen(text), &doc, NULL));
    assert_false(json_read_fields(
            (json_place){&doc, json_next(json_first(json_get(doc.root, "x"))),
                    "/x/1"},
            JSON_FIELDS(fields), &got, &err));
    assert_string_equal(err.pointer, "/x/1/hidden_size");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 4);
    json_close(&doc);
}

/* A struct of all kinds that are written. */
typedef struct part {
    int n;
} part;

typedef struct whole {
    const char *text;
    int word;
    int64_t n_bytes;
    double time_s;
    part inner;
    const part *other;
    p3d_rows parts;
    p3d_rows lines;
} whole;

static const char *word_of(int i)
{
    static const char *const words[] = {"low", "high", NULL};

    return words[i];
}

/* clang-format off */
static const json_field part_fields[] = {
    {"n", JSON_INT, JSON_REQUIRED, offsetof(part, n), 0, HUGE_VAL, "number"},
};
static const json_shape part_shape = {.doc = "a part", .size = sizeof(part),
    .n_fields = P3D_COUNT_OF(part_fields), .fields = part_fields};

static const json_field whole_fields[] = {
    {.key = "schema", .type = JSON_CONST("v1"), .flags = JSON_REQUIRED,
     .doc = "version"},
    {.key = "text", .type = JSON_TEXT, .flags = JSON_REQUIRED,
     .offset = JSON_AT(whole, text, const char *), .doc = "text"},
    {.key = "word", .type = JSON_WORD_BY(word_of), .flags = JSON_REQUIRED,
     .offset = JSON_AT(whole, word, int), .doc = "word"},
    {.key = "n_bytes", .type = JSON_INT64,
     .flags = JSON_REQUIRED | JSON_ZERO_IS_NULL,
     .offset = JSON_AT(whole, n_bytes, int64_t), .min = -HUGE_VAL,
     .max = HUGE_VAL, .doc = "bytes"},
    {.key = "time_s", .type = JSON_DOUBLE,
     .flags = JSON_REQUIRED | JSON_NAN_IS_NULL,
     .offset = JSON_AT(whole, time_s, double), .max = HUGE_VAL, .doc = "s"},
    {.key = "inner", .type = JSON_OBJECT(part_shape), .flags = JSON_REQUIRED,
     .offset = JSON_AT(whole, inner, part)},
    {.key = "other", .type = JSON_OBJECT_OR_NULL(part_shape),
     .flags = JSON_REQUIRED, .offset = JSON_AT(whole, other, const part *),
     .doc = "another part"},
    {.key = "parts", .type = JSON_LIST(part_shape), .flags = JSON_REQUIRED,
     .offset = JSON_AT(whole, parts, p3d_rows), .doc = "parts"},
    {.key = "lines", .type = JSON_LINES, .flags = JSON_REQUIRED,
     .offset = JSON_AT(whole, lines, p3d_rows), .doc = "lines"},
};
/* clang-format on */

static const json_shape whole_shape = {.doc = "all kinds",
        .size = sizeof(whole),
        .n_fields = P3D_COUNT_OF(whole_fields),
        .fields = whole_fields};

static void check_written(const whole *from, const char *wanted)
{
    p3d_text out = {0};

    json_put_object(&(json_writer){.out = &out, .one_line = true}, NULL,
            &whole_shape, from);
    assert_string_equal(p3d_text_get(&out), wanted);
    p3d_text_free(&out);
}

static void every_kind_is_written(void **state)
{
    part parts[] = {{1}, {2}};
    char lines[2][JSON_LINE] = {"a", "b"};

    (void)state;
    check_written(&(whole){.text = "t",
                          .word = 1,
                          .n_bytes = -5,
                          .time_s = 0.5,
                          .inner = {7},
                          .other = &parts[1],
                          .parts = {parts, 2},
                          .lines = {lines, 2}},
            "{\"schema\": \"v1\",\"text\": \"t\",\"word\": \"high\","
            "\"n_bytes\": -5,\"time_s\": 0.5,\"inner\": {\"n\": 7},"
            "\"other\": {\"n\": 2},\"parts\": [{\"n\": 1},{\"n\": 2}],"
            "\"lines\": [\"a\",\"b\"]}");
    check_written(&(whole){.time_s = (double)NAN},
            "{\"schema\": \"v1\",\"text\": null,\"word\": \"low\","
            "\"n_bytes\": null,\"time_s\": null,\"inner\": {\"n\": 0},"
            "\"other\": null,\"parts\": [],\"lines\": []}");
}

static void the_schema_says_what_may_be_null(void **state)
{
    static const char *const wanted[] = {
            "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\","
            "\"description\": \"all kinds\",\"type\": \"object\","
            "\"properties\": {\"schema\": {\"description\": \"version\","
            "\"type\": \"string\",\"const\": \"v1\"},",
            "\"text\": {\"description\": \"text\",\"anyOf\": [{\"type\": "
            "\"string\"},{\"type\": \"null\"}]},",
            "\"enum\": [\"low\",\"high\"]},\"n_bytes\": {\"description\": "
            "\"bytes\",\"anyOf\": [{\"type\": \"integer\"},{\"type\": "
            "\"null\"}]},",
            "{\"type\": \"number\",\"minimum\": 0},",
            "\"lines\": {\"description\": \"lines\",\"type\": \"array\","
            "\"items\": {\"type\": \"string\"}}}",
    };
    p3d_text out = {0};

    (void)state;
    json_put_schema(
            &(json_writer){.out = &out, .one_line = true}, NULL, &whole_shape);
    for (int i = 0; i < P3D_COUNT_OF(wanted); i++)
        if (strstr(p3d_text_get(&out), wanted[i]) == NULL)
            fail_msg("no %s in %s", wanted[i], p3d_text_get(&out));
    p3d_text_free(&out);
}

/* A struct whose values functions work out. */
typedef struct pair {
    part a;
    part b;
} pair;

static const part both[] = {{1}, {2}};

static void sum_of(const void *from, json_got *out)
{
    const pair *const p = from;

    out->integer64 = p->a.n + p->b.n;
}

static void name_of(const void *from, json_got *out)
{
    out->string = ((const part *)from)->n > 0 ? "a,b" : NULL;
}

static void letters_of(const void *from, json_got *out)
{
    memset(out->chars, 'x', (size_t)((const part *)from)->n);
    out->chars[((const part *)from)->n] = '\0';
}

static void both_of(const void *from, json_got *out)
{
    out->list = (json_list){both, ((const pair *)from)->a.n};
}

static const json_field pair_fields[] = {
        {.key = "sum",
                .type = JSON_GOT(INT64, sum_of),
                .flags = JSON_REQUIRED | JSON_ZERO_IS_NULL,
                .max = HUGE_VAL,
                .doc = "of both"},
        {.key = "name",
                .type = JSON_GOT(TEXT, name_of),
                .flags = JSON_REQUIRED,
                .offset = JSON_AT(pair, b, part),
                .doc = "of b"},
        {.key = "letters",
                .type = JSON_GOT(STRING, letters_of),
                .offset = JSON_AT(pair, b, part),
                .doc = "as many as b says"},
        {.key = "both",
                .type = JSON_TYPE(LIST, .shape = &part_shape, .get = both_of),
                .doc = "as many as a says"},
};
static const json_shape pair_shape = {.doc = "a pair",
        .size = sizeof(pair),
        .n_fields = P3D_COUNT_OF(pair_fields),
        .fields = pair_fields};

static void check_pair(pair from, const char *wanted)
{
    p3d_text out = {0};

    json_put_object(&(json_writer){.out = &out, .one_line = true}, NULL,
            &pair_shape, &from);
    assert_string_equal(p3d_text_get(&out), wanted);
    p3d_text_free(&out);
}

static void getters_work_values_out(void **state)
{
    (void)state;
    check_pair((pair){{2}, {3}},
            "{\"sum\": 5,\"name\": \"a,b\",\"letters\": \"xxx\","
            "\"both\": [{\"n\": 1},{\"n\": 2}]}");
    check_pair((pair){{0}, {0}}, "{\"sum\": null,\"name\": null}");
}

static void check_cells(pair from, const char *wanted)
{
    p3d_text out = {0};

    for (int i = 0; i < 3; i++) {
        json_put_cell(&pair_fields[i], &from, &out);
        p3d_text_add(&out, ";");
    }
    assert_string_equal(p3d_text_get(&out), wanted);
    p3d_text_free(&out);
}

static void null_is_an_empty_cell(void **state)
{
    (void)state;
    check_cells((pair){{2}, {3}}, "5;\"a,b\";xxx;");
    check_cells((pair){{0}, {0}}, ";;;");
}

static void a_list_has_the_same_place_as_rows(void **state)
{
    part parts[] = {{1}, {2}};
    char lines[1][JSON_LINE] = {"a"};
    const whole from = {.parts = {parts, 2}, .lines = {lines, 1}};
    const json_list list =
            json_list_of(json_find_field(&whole_shape, "parts"), &from);

    (void)state;
    assert_ptr_equal(list.items, parts);
    assert_int_equal(list.n, 2);
    assert_int_equal(
            json_list_of(json_find_field(&whole_shape, "lines"), &from).n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_kind_is_stored),
            cmocka_unit_test(absent_and_null_leave_the_field_alone),
            cmocka_unit_test(a_required_key_must_be_there),
            cmocka_unit_test(unknown_keys_are_refused_with_a_suggestion),
            cmocka_unit_test(known_fields_ignore_other_keys),
            cmocka_unit_test(a_value_of_the_wrong_kind_is_refused),
            cmocka_unit_test(numbers_out_of_range_are_refused),
            cmocka_unit_test(integers_are_exact_or_refused),
            cmocka_unit_test(strings_that_do_not_fit_are_refused),
            cmocka_unit_test(strings_that_do_not_print_are_refused),
            cmocka_unit_test(what_is_not_an_object_is_refused),
            cmocka_unit_test(the_pointer_of_the_object_leads_to_the_member),
            cmocka_unit_test(every_kind_is_written),
            cmocka_unit_test(the_schema_says_what_may_be_null),
            cmocka_unit_test(getters_work_values_out),
            cmocka_unit_test(null_is_an_empty_cell),
            cmocka_unit_test(a_list_has_the_same_place_as_rows),
    };

    return cmocka_run_group_tests_name("json_fields", tests, NULL, NULL);
}
