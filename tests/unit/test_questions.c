/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_questions.c - questions in words: those of tests/questions, and numbers
 * as people write them. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "cli/ask.h"
#include "cli/ask_numbers.h"

enum { MAX_LINE = 1024 };

/* The command with blanks between its words, or "! message". */
static void understand(const char *question, p3d_text *out)
{
    cli_asked asked;
    p3d_error err = {0};

    if (!cli_ask_read(1, &question, &asked, &err)) {
        p3d_text_add(out, "! %s", err.text);
        return;
    }
    for (int i = 0; i < asked.n; i++)
        p3d_text_add(out, "%s%s", i == 0 ? "" : " ", asked.word[i]);
}

/* A refusal has the words behind "! ", a command is the same. */
static bool is_as(const char *got, const char *want)
{
    return want[0] == '!' ? got[0] == '!' && strstr(got, want + 2) != NULL
                          : strcmp(got, want) == 0;
}

/* How many of a file's questions are understood; prints the others. */
static int count_understood(const char *path, int *n)
{
    FILE *const file = fopen(path, "r");
    char line[MAX_LINE];
    int n_understood = 0;

    assert_non_null(file);
    *n = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        char *const want = strchr(line, '\t') + 1;
        p3d_text got = {0};

        want[-1] = '\0';
        want[strcspn(want, "\n")] = '\0';
        understand(line, &got);
        ++*n;
        if (is_as(p3d_text_get(&got), want))
            n_understood++;
        else
            print_message("%s\n    want %s\n    got  %s\n", line, want,
                    p3d_text_get(&got));
        p3d_text_free(&got);
    }
    fclose(file);
    print_message("%s: %d of %d understood\n", path, n_understood, *n);
    return n_understood;
}

static void the_questions_are_understood(void **state)
{
    static const char *const paths[] = {
            "tests/questions/en.tsv", "tests/questions/zh.tsv"};
    int n;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(paths); i++)
        assert_int_equal(count_understood(paths[i], &n), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_questions_are_understood),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
