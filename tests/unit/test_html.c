/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_html.c - the writer of HTML: nothing that a name holds gets out of its
 * place, and numbers are short. */
#include "report/html/html.h"

#include <string.h>

#include "test.h"

static void check_text(p3d_text *text, const char *want)
{
    assert_string_equal(p3d_text_get(text), want);
    p3d_text_free(text);
}

static void text_is_escaped_everywhere(void **state)
{
    p3d_text out = {0};

    (void)state;
    html_add(&out, "<b title=\"%s\">%s</b>", "a\"b'c", "<i>&amp;");
    check_text(&out, "<b title=\"a&quot;b&#39;c\">&lt;i&gt;&amp;amp;</b>");
    html_escape(&out, "caf\303\251 \342\202\254");
    check_text(&out, "caf\303\251 \342\202\254");
}

static void bytes_that_html_has_not_are_replaced(void **state)
{
    p3d_text out = {0};

    (void)state;
    html_escape(&out, "a\377\001b\nc");
    check_text(&out, "a\357\277\275\357\277\275b\nc");
    html_escape(&out, "a\342\200\256b\302\205c");
    check_text(&out, "a\357\277\275b\357\277\275c");
}

static void numbers_have_two_digits_at_most(void **state)
{
    p3d_text out = {0};

    (void)state;
    html_add(
            &out, "%g %g %g %g %g %d%%", 12.0, 0.126, 100.5, -0.001, -3.25, -7);
    check_text(&out, "12 0.13 100.5 0 -3.25 -7%");
}

static void numbers_of_titles_keep_their_units(void **state)
{
    p3d_text out = {0};

    (void)state;
    html_title(&out, "158.25 s & 3 of 4, 5 %");
    check_text(&out, "158.25\302\240s &amp; 3 of 4, 5\302\240%");
}

static void words_stand_left_and_numbers_right(void **state)
{
    p3d_text out = {0};

    (void)state;
    html_row(&out, (const char *const[]){"a<b", "1.5 s", "tp=2", "2x", NULL});
    check_text(&out, "<tr><th scope=\"row\">a&lt;b</th><td>1.5 s</td>"
                     "<td class=\"left\">tp=2</td><td>2x</td></tr>\n");
}

static void labelled_lines_are_definitions(void **state)
{
    p3d_text out = {0};

    (void)state;
    html_labelled(&out, "model    a <b>\n         and more\njob      c\n");
    check_text(&out, "<dl>\n<dt>model</dt><dd>a &lt;b&gt; and more</dd>\n"
                     "<dt>job</dt><dd>c</dd>\n</dl>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(text_is_escaped_everywhere),
            cmocka_unit_test(bytes_that_html_has_not_are_replaced),
            cmocka_unit_test(numbers_have_two_digits_at_most),
            cmocka_unit_test(numbers_of_titles_keep_their_units),
            cmocka_unit_test(words_stand_left_and_numbers_right),
            cmocka_unit_test(labelled_lines_are_definitions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
