/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rewrite.c - options of a file replaced, taken out and put in: what stays
 * byte for byte, and what is not touched at all. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "exchange/rewrite/places.h"
#include "exchange/rewrite/rewrite.h"

/** An option of a text. */
typedef struct asked {
    const char *path;
    const char *text;
    const char *name;
} asked;

static exchange_settings settings;

static exchange_said_at find(const asked *a)
{
    exchange_measured measured = {0};
    const exchange_setting *found;
    p3d_error err = {0};

    exchange_settings_free(&settings);
    if (!exchange_read_text((exchange_text){a->path, a->text, strlen(a->text)},
                &settings, &measured, &err))
        fail_msg("%s", err.text);
    found = exchange_settings_find(&settings, a->name, false);
    if (found == NULL)
        fail_msg("'%s' is not said", a->name);
    return (exchange_said_at){exchange_syntax_of(a->path, a->text), a->text,
            found->name, found->value, found->line};
}

static void expect(bool made, p3d_text *got, const char *want)
{
    assert_true(made);
    assert_string_equal(p3d_text_get(got), want);
    p3d_text_free(got);
    exchange_settings_free(&settings);
}

static void sets(asked a, const char *value, const char *want)
{
    const exchange_said_at said = find(&a);
    p3d_text got = {0};

    expect(exchange_place_set(
                   &said, &(exchange_new_value){.text = value}, &got),
            &got, want);
}

static void removes(asked a, const char *want)
{
    const exchange_said_at said = find(&a);
    p3d_text got = {0};

    expect(exchange_place_remove(&said, &got), &got, want);
}

/* Behind the option that is asked for. */
static void adds(
        asked a, const char *name, exchange_new_value value, const char *want)
{
    const exchange_said_at said = find(&a);
    p3d_text got = {0};

    expect(exchange_place_add(&said, name, &value, &got), &got, want);
}

static void a_value_is_replaced_where_it_stands(void **state)
{
    (void)state;
    sets((asked){"a.sh", "p --tp 4 \\\n  --pp=2 # --tp 4\n", "tp"}, "8",
            "p --tp 8 \\\n  --pp=2 # --tp 4\n");
    sets((asked){"a.sh", "# --tp 4\r\np --tp '4'\r\n", "tp"}, "8",
            "# --tp 4\r\np --tp '8'\r\n");
    sets((asked){"a.sh", "p --my-tp 4 --tp 4", "tp"}, "8",
            "p --my-tp 4 --tp 8");
    sets((asked){"a.json", "{\"a\": {\"n\": 1}, // n\n \"b\": {\"n\": 1,},}",
                 "b.n"},
            "2", "{\"a\": {\"n\": 1}, // n\n \"b\": {\"n\": 2,},}");
    sets((asked){"a.yaml", "a:\n  tp: 4 # tp: 4\nb: {tp: 5, pp: 2}\n", "b.tp"},
            "8", "a:\n  tp: 4 # tp: 4\nb: {tp: 8, pp: 2}\n");
    sets((asked){"a.yaml", "{\n \"tp\": 4,\n \"pp\": 2\n}\n", "tp"}, "8",
            "{\n \"tp\": 8,\n \"pp\": 2\n}\n");
    sets((asked){"a.toml", "[a]\ntp = 4\n[b]\ntp = 4 # tp\n", "b.tp"}, "8",
            "[a]\ntp = 4\n[b]\ntp = 8 # tp\n");
    sets((asked){"a.py", "f(tp=4, pp=(1, 2))\n", "f.tp"}, "8",
            "f(tp=8, pp=(1, 2))\n");
}

static void a_variable_is_changed_where_nothing_else_uses_it(void **state)
{
    (void)state;
    sets((asked){"a.sh", "TP=4 # four\np --tp $TP\n", "tp"}, "8",
            "TP=8 # four\np --tp $TP\n");
    sets((asked){"a.sh", "TP=${TP:-4}\np --tp \"${TP}\"\n", "tp"}, "8",
            "TP=${TP:-8}\np --tp \"${TP}\"\n");
    sets((asked){"a.sh", "p --tp ${TP:-4}\n", "tp"}, "8", "p --tp ${TP:-8}\n");
    sets((asked){"a.sh", "TP=4\nN=$((TP * 2))\np --tp $TP --n $N\n", "tp"}, "8",
            "TP=4\nN=$((TP * 2))\np --tp 8 --n $N\n");
    sets((asked){"a.sh", "TP=4\nTP=5\np --tp $TP\n", "tp"}, "8",
            "TP=4\nTP=5\np --tp 8\n");
    sets((asked){"a.sh", "TP=$((2 * 2))\np --tp $TP\n", "tp"}, "8",
            "TP=$((2 * 2))\np --tp 8\n");
}

static void an_option_goes_with_its_line_or_comma(void **state)
{
    (void)state;
    removes((asked){"a.sh", "p --a 1 \\\n  --b 2 \\\n  --c 3\nq\n", "b"},
            "p --a 1 \\\n  --c 3\nq\n");
    removes((asked){"a.sh", "p --a 1 \\\n  --b 2\nq\n", "b"}, "p --a 1\nq\n");
    removes((asked){"a.sh", "A=(\n  --a 1\n  --b 2\n)\np ${A[@]}\n", "b"},
            "A=(\n  --a 1\n)\np ${A[@]}\n");
    removes((asked){"a.sh", "A=(\"--a 1\" --b)\np ${A[@]}\n", "a"},
            "A=(--b)\np ${A[@]}\n");
    removes((asked){"a.json", "{\"a\": 1, \"b\": 2}", "a"}, "{\"b\": 2}");
    removes((asked){"a.json", "{\"a\": 1,\n \"b\": 2\n}", "b"}, "{\"a\": 1\n}");
    removes((asked){"a.json", "{\"a\": {\"b\": 2}}", "a.b"}, "{\"a\": {}}");
    removes((asked){"a.yaml", "a: 1\nb: 2 # two\nc: 3\n", "b"}, "a: 1\nc: 3\n");
    removes((asked){"a.yaml", "a: {b: 1, c: 2}\n", "a.c"}, "a: {b: 1}\n");
    removes((asked){"a.py", "f(\n    a=1,\n    b=2,\n)\n", "f.b"},
            "f(\n    a=1,\n)\n");
}

static void a_new_option_stands_as_its_neighbour_does(void **state)
{
    const exchange_new_value two = {.text = "2"};
    const exchange_new_value word = {.text = "off", .quoted = true};

    (void)state;
    adds((asked){"a.sh", "p \\\n  --a 1 \\\n  --b 2\n", "a"}, "n", two,
            "p \\\n  --a 1 \\\n  --n 2 \\\n  --b 2\n");
    adds((asked){"a.sh", "A=(\n  --a 1\n)\np ${A[@]}\n", "a"}, "n",
            (exchange_new_value){.text = NULL},
            "A=(\n  --a 1\n  --n\n)\np ${A[@]}\n");
    adds((asked){"a.sh", "p --a 1 | tee log\n", "a"}, "n",
            (exchange_new_value){.text = "a|b", .quoted = true},
            "p --a 1 --n 'a|b' | tee log\n");
    adds((asked){"a.json", "{\n  \"a\": 1\n}", "a"}, "b.n", word,
            "{\n  \"a\": 1,\n  \"b\": {\"n\": \"off\"}\n}");
    adds((asked){"a.yaml", "x:\n  a: 1\ny: 1\n", "x.a"}, "x.n", word,
            "x:\n  a: 1\n  n: 'off'\ny: 1\n");
    adds((asked){"a.toml", "[x]\na = 1\n[y]\n", "x.a"}, "x.n", word,
            "[x]\na = 1\nn = \"off\"\n[y]\n");
    adds((asked){"a.py", "cfg.x.a = 1\ny = 2\n", "cfg.x.a"}, "cfg.z.n",
            (exchange_new_value){.text = "true"},
            "cfg.x.a = 1\ncfg.z.n = True\ny = 2\n");
}

static void what_is_not_written_out_is_refused(void **state)
{
    const asked hjson = {"a.json", "{a: 1}", "a"};
    const asked outside = {"a.sh", "p --tp $TP\n", "tp"};
    const asked call = {"a.py", "f(\n    a=1,\n)\n", "f.a"};
    exchange_said_at said = find(&hjson);
    p3d_text got = {0};

    (void)state;
    assert_false(exchange_place_set(
            &said, &(exchange_new_value){.text = "2"}, &got));
    said = find(&outside);
    assert_false(exchange_place_set(
            &said, &(exchange_new_value){.text = "2"}, &got));
    said = find(&call); /* a dotted name is no argument */
    assert_false(exchange_place_add(
            &said, "f.b.c", &(exchange_new_value){.text = "2"}, &got));
    assert_int_equal(got.length, 0);
    exchange_settings_free(&settings);
}

static void differs(const char *before, const char *after, const char *want)
{
    p3d_text got = {0};

    exchange_diff("f", before, after, 1, &got);
    assert_string_equal(p3d_text_get(&got), want);
    p3d_text_free(&got);
}

static void a_diff_has_the_lines_that_differ(void **state)
{
    (void)state;
    differs("a\nb\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nf\ng\n",
            "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
            "@@ -6,1 +6,2 @@\n f\n+g\n");
    differs("a\nb", "a\nc",
            "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n"
            "\\ No newline at end of file\n+c\n"
            "\\ No newline at end of file\n");
    differs("a\nb\nc\n", "a\nc\n",
            "--- f\n+++ f\n@@ -1,3 +1,2 @@\n a\n-b\n c\n");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_value_is_replaced_where_it_stands),
            cmocka_unit_test(a_variable_is_changed_where_nothing_else_uses_it),
            cmocka_unit_test(an_option_goes_with_its_line_or_comma),
            cmocka_unit_test(a_new_option_stands_as_its_neighbour_does),
            cmocka_unit_test(what_is_not_written_out_is_refused),
            cmocka_unit_test(a_diff_has_the_lines_that_differ),
    };

    return cmocka_run_group_tests_name("rewrite", tests, NULL, NULL);
}
