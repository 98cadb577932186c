/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_format.c - tables on a page and in Markdown, colours, rows with objects
 * and lists as CSV. */
#include "test.h"

#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "report/data/fields.h"
#include "report/format.h"
#include "report/text/layout.h"

typedef struct leaf {
    int n;
} leaf;

typedef struct branch {
    const char *name;
    const leaf *maybe;
    json_list leaves;
} branch;

static const json_field leaf_fields[] = {ROW(leaf, n, "a number")};
static const json_shape leaf_shape = REPORT_SHAPE(leaf, leaf_fields, "leaf");
static const json_field branch_fields[] = {ROW(branch, name, "name"),
        OBJECT_OR_NULL_ROW(branch, maybe, leaf, leaf_shape, "or none"),
        LIST_ROW(branch, leaves, leaf_shape, "any number")};
static const json_shape branch_shape =
        REPORT_SHAPE(branch, branch_fields, "branch");

static void check_text(p3d_text *text, const char *is)
{
    assert_false(text->failed);
    assert_string_equal(p3d_text_get(text), is);
    p3d_text_free(text);
}

static void objects_are_columns_and_lists_are_lines(void **state)
{
    static const leaf leaves[] = {{1}, {2}};
    static const leaf one = {7};
    const branch branches[] = {{"a,b", &one, {leaves, 2}},
            {"c", NULL, {leaves, 1}}, {"d", &one, {leaves, 0}}};
    const json_list list = {branches, P3D_COUNT_OF(branches)};
    p3d_text out = {0};

    (void)state;
    json_put_table(&branch_shape, list, &out);
    check_text(&out, "name,maybe.n,n\n\"a,b\",7,1\n\"a,b\",7,2\nc,,1\n");
}

static report_table wide_table(const char *align)
{
    report_table table;

    report_table_begin(&table, (p3d_style){0}, align);
    report_table_cell(&table, "name");
    report_table_cell(&table, "words");
    report_table_cell(&table, "one|two");
    for (int i = 0; i < 12; i++)
        if (i == 1)
            report_table_cell(&table, "%s",
                    "a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,j=10,k=11,l=12,m=13,"
                    "n=14,o=15,p=16,q=17,r=18,s=19,t=20,u=21,v=22,w=23,x=24");
        else
            report_table_cell(&table, "%d", i);
    report_table_rule(&table);
    return table;
}

static void a_wide_table_stays_on_the_page(void **state)
{
    report_table table = wide_table("llr");
    p3d_text out = {0};
    const char *line;

    (void)state;
    report_table_print(&table, &out);
    for (line = p3d_text_get(&out); *line != '\0';) {
        const size_t n = strcspn(line, "\n");

        assert_in_range(n, 1, REPORT_WIDTH);
        assert_true(line[n - 1] != ' ');
        line += n + 1;
    }
    assert_non_null(strstr(p3d_text_get(&out), "v=22,"));
    p3d_text_free(&out);
}

static void markdown_has_rows_and_no_rules(void **state)
{
    report_table table = wide_table("llr");
    p3d_text out = {.style = {.markdown = true}};

    (void)state;
    report_table_print(&table, &out);
    assert_non_null(strstr(p3d_text_get(&out), "| name | words | one\\|two |\n"
                                               "|---|---|--:|\n| 0 | a=1,"));
    assert_null(strstr(p3d_text_get(&out), "| - "));
    p3d_text_free(&out);
}

static void markdown_fences_what_is_no_table(void **state)
{
    p3d_text out = {0};

    (void)state;
    p3d_text_add(&out, "GOOD_1\n\nmore\n\nand more\n\n| a |\n|---|\n\nend\n\n");
    report_markdown(&out);
    check_text(&out, "**GOOD\\_1**\n\n```text\nmore\n\nand more\n```\n\n"
                     "| a |\n|---|\n\n```text\nend\n```\n");
}

static void chinese_takes_two_columns(void **state)
{
    p3d_text out = {0};

    (void)state;
    assert_int_equal(report_paint_columns("显存 64 GiB（峰值）"), 19);
    report_left("显存", 6, &out);
    report_right("步", 4, &out);
    check_text(&out, "显存    步");
}

/* No bracket or comma begins a line, words of Latin letters stay whole. */
static void chinese_goes_on_in_the_next_line(void **state)
{
    p3d_text out = {.style.columns = 8};

    (void)state;
    report_wrap("放得下，把握超过 99%：GPU（空闲）", 0, &out);
    check_text(&out, "放得下，\n把握超过\n99%：GPU\n（空闲）\n");
}

static void tables_align_chinese(void **state)
{
    p3d_text out = {0};
    report_table table;

    (void)state;
    report_table_begin(&table, (p3d_style){0}, "lrl");
    report_table_row(&table, "项\tGiB\t备注");
    report_table_row(&table, "优化器状态\t12.69\ta");
    report_table_row(&table, "fp8\t1\t备注");
    report_table_print(&table, &out);
    check_text(&out, "项            GiB  备注\n"
                     "优化器状态  12.69  a\n"
                     "fp8             1  备注\n");
}

static void colours_take_no_columns(void **state)
{
    p3d_text out = {.style = {.color = true}};

    (void)state;
    report_paint_words(REPORT_BAD, "\u2588\u2588", &out);
    assert_int_equal(report_paint_columns(p3d_text_get(&out)), 2);
    assert_int_equal(p3d_utf8_columns("\xff\xc3\xa9x", 4), 3);
    check_text(&out, "\033[31m\u2588\u2588\033[0m");
    assert_int_equal(report_paint_length("\033[8m"), 0);
}

static void a_command_goes_on_before_an_option(void **state)
{
    p3d_text out = {0};

    (void)state;
    report_wrap_command("plan3d fit 'a --b' 8xH100 --seq 4096 --batch 1024 "
                        "--framework megatron-core --attention eager --dropout",
            9, &out);
    check_text(&out, "plan3d fit 'a --b' 8xH100 --seq 4096 --batch 1024 "
                     "--framework megatron-core \\\n"
                     "           --attention eager --dropout\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(objects_are_columns_and_lists_are_lines),
            cmocka_unit_test(a_wide_table_stays_on_the_page),
            cmocka_unit_test(markdown_has_rows_and_no_rules),
            cmocka_unit_test(markdown_fences_what_is_no_table),
            cmocka_unit_test(chinese_takes_two_columns),
            cmocka_unit_test(chinese_goes_on_in_the_next_line),
            cmocka_unit_test(tables_align_chinese),
            cmocka_unit_test(colours_take_no_columns),
            cmocka_unit_test(a_command_goes_on_before_an_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
