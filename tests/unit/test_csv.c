/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_csv.c - tables are read as they stand, and refused where they are
 * wrong. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/util.h"

static p3d_csv parse(const char *text)
{
    p3d_csv csv = {0};
    p3d_error err = {0};

    if (!p3d_csv_parse("t.csv", text, strlen(text), &csv, &err))
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    return csv;
}

static void check_cell(const p3d_csv *csv, int row, int column, const char *is)
{
    assert_string_equal(p3d_csv_get(csv, row, column), is);
}

static void fields_are_found_by_row_and_column(void **state)
{
    p3d_csv csv = parse("id,n,note\na,1,\nb,,x y\n");

    (void)state;
    assert_int_equal(csv.n_columns, 3);
    assert_int_equal(csv.n_rows, 2);
    assert_int_equal(p3d_csv_find(&csv, "note"), 2);
    assert_int_equal(p3d_csv_find(&csv, "Note"), -1);
    assert_string_equal(p3d_csv_name(&csv, 1), "n");
    check_cell(&csv, 0, 0, "a");
    check_cell(&csv, 0, 2, "");
    check_cell(&csv, 1, 1, "");
    check_cell(&csv, 1, 2, "x y");
    p3d_csv_close(&csv);
}

static void quotes_hold_commas_quotes_and_lines(void **state)
{
    p3d_csv csv = parse("a,b\n\"x,\"\"y\"\"\",\"1\n2\"\n\"\",\"\"\"\"\nz,w\n");
    p3d_error err = {0};

    (void)state;
    check_cell(&csv, 0, 0, "x,\"y\"");
    check_cell(&csv, 0, 1, "1\n2");
    check_cell(&csv, 1, 0, "");
    check_cell(&csv, 1, 1, "\"");
    check_cell(&csv, 2, 1, "w");
    assert_false(p3d_csv_fail(&csv, 2, 1, &err, "no %s", "w"));
    assert_string_equal(err.file, "t.csv");
    assert_int_equal(err.line, 5);
    assert_int_equal(err.column, 3);
    assert_string_equal(err.text, "no w");
    p3d_csv_close(&csv);
}

static void ends_of_lines_and_of_files_may_differ(void **state)
{
    static const char *const texts[] = {"a,b\n1,2\n", "a,b\n1,2",
            "a,b\r\n1,2\r\n", "\xef\xbb\xbf\x61,b\n1,2\n",
            "\"a\",\"b\"\n\"1\",\"2\""};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(texts); i++) {
        p3d_csv csv = parse(texts[i]);

        assert_int_equal(csv.n_rows, 1);
        assert_int_equal(p3d_csv_find(&csv, "a"), 0);
        check_cell(&csv, 0, 1, "2");
        p3d_csv_close(&csv);
    }
}

static void a_comma_at_the_end_of_the_file_is_a_field(void **state)
{
    p3d_csv csv = parse("a,b\n1,");

    (void)state;
    assert_int_equal(csv.n_rows, 1);
    check_cell(&csv, 0, 1, "");
    p3d_csv_close(&csv);
}

static void a_header_alone_is_a_table_without_rows(void **state)
{
    p3d_csv csv = parse("a,b\n");

    (void)state;
    assert_int_equal(csv.n_rows, 0);
    p3d_csv_close(&csv);
}

typedef struct bad {
    const char *text;
    size_t length; /* 0 = strlen */
    int line;
    int column;
    const char *words;
} bad;

static void wrong_tables_are_refused_where_they_are_wrong(void **state)
{
    static const bad cases[] = {
            {"", 0, 1, 1, "the file is empty"},
            {"a,b\n1\n", 0, 2, 2, "1 field, but the header names 2"},
            {"a,b\n1,2,3\n", 0, 2, 6, "3 fields, but the header names 2"},
            {"a,b\n1,2\n\n", 0, 3, 1, "1 field, but the header names 2"},
            {"a,b\n1,x\"y\"\n", 0, 2, 4, "a quote inside a field"},
            {"a,b\n\"1\"x,2\n", 0, 2, 4, "text after the closing quote"},
            {"a,b\n1,2\n3,\"4\n5\n", 0, 3, 3, "the quote is not closed"},
            {"a,b\n1,\0\n", 9, 2, 3, "a NUL byte"},
            {"a,b\n1,\xff\n", 0, 2, 3, "this is not UTF-8"},
            {"a,b\n1\r2,3\n", 0, 2, 2, "a carriage return without"},
            {"a,a\n1,2\n", 0, 1, 3, "column 'a' appears twice"},
            {"a,\n1,2\n", 0, 1, 3, "a column without a name"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        const bad *const c = &cases[i];
        const size_t n = c->length > 0 ? c->length : strlen(c->text);
        p3d_csv csv = {0};
        p3d_error err = {0};

        assert_false(p3d_csv_parse("t.csv", c->text, n, &csv, &err));
        test_check_error(&err, P3D_DATA, c->words);
        assert_string_equal(err.file, "t.csv");
        assert_int_equal(err.line, c->line);
        assert_int_equal(err.column, c->column);
        assert_null(csv.text);
    }
}

static void too_many_columns_and_fields_are_refused(void **state)
{
    const size_t n = 5 << 20;
    char *const text = malloc(n);
    p3d_csv csv;
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_csv_parse("t", "", (64 << 20) + 1, &csv, &err));
    test_check_error(&err, P3D_DATA, "the text is longer than 64 MiB");
    err = (p3d_error){0};
    assert_non_null(text);
    memset(text, ',', n);
    assert_false(p3d_csv_parse("t", text, n, &csv, &err));
    test_check_error(&err, P3D_DATA, "more than 256 fields in a line");
    memset(text, '\n', n);
    text[0] = 'a';
    err = (p3d_error){0};
    assert_false(p3d_csv_parse("t", text, n, &csv, &err));
    test_check_error(&err, P3D_DATA, "more than 4194304 fields");
    free(text);
}

static void a_file_is_read_and_a_missing_one_is_not(void **state)
{
    char path[] = "/tmp/plan3d-csv-XXXXXX";
    const int fd = mkstemp(path);
    p3d_csv csv = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a\n1\n", 4), 4);
    close(fd);
    assert_true(p3d_csv_open(path, &csv, &err));
    check_cell(&csv, 0, 0, "1");
    p3d_csv_close(&csv);
    p3d_csv_close(&csv);
    unlink(path);
    assert_false(p3d_csv_open(path, &csv, &err));
    test_check_error(&err, P3D_DATA, "no such file");
}

/* OWASP, CSV injection: a spreadsheet runs what begins so. */
static void no_text_is_a_formula(void **state)
{
    static const struct {
        const char *text;
        const char *field;
    } rows[] = {
            {"=1+1", "'=1+1"},
            {"+1", "'+1"},
            {"-tp", "'-tp"},
            {"@SUM(A1)", "'@SUM(A1)"},
            {"\tx", "'\tx"},
            {"\r=1", "\"'\r=1\""},
            {"\n=1", "\"'\n=1\""},
            {"=HYPERLINK(\"a\",\"b\")", "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""},
            {"\xef\xbc\x9d"
             "1",
                    "'\xef\xbc\x9d"
                    "1"},
            {"'=1", "''=1"},
            {"''-", "'''-"},
            {"'plain'", "'plain'"},
            {"a=1", "a=1"},
            {"", ""},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_text text = {0};
        p3d_csv csv;

        p3d_csv_put(rows[i].text, &text);
        assert_string_equal(p3d_text_get(&text), rows[i].field);
        p3d_text_free(&text);
        p3d_text_add(&text, "a,b\n");
        p3d_csv_put(rows[i].text, &text);
        p3d_text_add(&text, ",-5\n");
        csv = parse(p3d_text_get(&text));
        check_cell(&csv, 0, 0, rows[i].text);
        check_cell(&csv, 0, 1, "-5");
        p3d_csv_close(&csv);
        p3d_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(fields_are_found_by_row_and_column),
            cmocka_unit_test(quotes_hold_commas_quotes_and_lines),
            cmocka_unit_test(ends_of_lines_and_of_files_may_differ),
            cmocka_unit_test(a_comma_at_the_end_of_the_file_is_a_field),
            cmocka_unit_test(a_header_alone_is_a_table_without_rows),
            cmocka_unit_test(wrong_tables_are_refused_where_they_are_wrong),
            cmocka_unit_test(too_many_columns_and_fields_are_refused),
            cmocka_unit_test(a_file_is_read_and_a_missing_one_is_not),
            cmocka_unit_test(no_text_is_a_formula),
    };

    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
