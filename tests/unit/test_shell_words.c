/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shell_words.c - words of a command, as a shell would split them. */
#include "test.h"

#include <string.h>

#include "base/shell_words.h"
#include "base/util.h"

static void words_are_split_as_by_a_shell(void **state)
{
    static const struct {
        const char *command;
        int n;
        const char *words[4];
    } cases[] = {
            {"srun -N8", 2, {"srun", "-N8"}},
            {"  a\t b\n", 2, {"a", "b"}},
            {"a 'b c' \"d e\"", 3, {"a", "b c", "d e"}},
            {"a b\\ c", 2, {"a", "b c"}},
            {"x'y'\"z\"", 1, {"xyz"}},
            {"a ''", 2, {"a", ""}},
            {"'$HOME | *'", 1, {"$HOME | *"}},
            {"\"a|b \\\" \\\\ \\x\"", 1, {"a|b \" \\ \\x"}},
            {"a\\$b", 1, {"a$b"}},
            {"--env=A=1,B=~/x", 1, {"--env=A=1,B=~/x"}},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_shell_words got = {.n = 0};
        p3d_error err = {0};

        assert_true(p3d_shell_words_split(cases[i].command, &got, &err));
        assert_int_equal(got.n, cases[i].n);
        for (int k = 0; k < got.n; k++)
            assert_string_equal(got.at[k], cases[i].words[k]);
    }
}

static void what_a_shell_would_do_more_with_is_refused(void **state)
{
    static const struct {
        const char *command;
        const char *words;
    } cases[] = {
            {"", "no word"},
            {"   ", "no word"},
            {"a 'b", "quote ' is not closed"},
            {"a \"b", "quote \" is not closed"},
            {"a\\", "nothing behind"},
            {"srun $N", "'$' has a meaning"},
            {"srun \"$N\"", "'$' has a meaning"},
            {"srun `n`", "'`' has a meaning"},
            {"a | b", "'|' has a meaning"},
            {"a; b", "';' has a meaning"},
            {"a > b", "'>' has a meaning"},
            {"a & b", "'&' has a meaning"},
            {"ls *", "'*' has a meaning"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_shell_words got = {.n = 0};
        p3d_error err = {0};

        assert_false(p3d_shell_words_split(cases[i].command, &got, &err));
        test_check_error(&err, P3D_USAGE, cases[i].words);
    }
}

static void there_are_limits(void **state)
{
    char text[P3D_MAX_SHELL_TEXT];
    p3d_shell_words got = {.n = 0};
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < 2 * P3D_MAX_SHELL_WORDS; i++)
        memcpy(text + (size_t)(2 * i), "a ", 3);
    assert_false(p3d_shell_words_split(text, &got, &err));
    test_check_error(&err, P3D_USAGE, "more than 64 words");
    text[(size_t)2 * P3D_MAX_SHELL_WORDS] = '\0';
    assert_true(p3d_shell_words_split(text, &got, NULL));
    assert_int_equal(got.n, P3D_MAX_SHELL_WORDS);
    memset(text, 'a', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    err = (p3d_error){.line = 0};
    assert_false(p3d_shell_words_split(text, &got, &err));
    test_check_error(&err, P3D_USAGE, "longer than");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(words_are_split_as_by_a_shell),
            cmocka_unit_test(what_a_shell_would_do_more_with_is_refused),
            cmocka_unit_test(there_are_limits),
    };

    return cmocka_run_group_tests_name("shell_words", tests, NULL, NULL);
}
