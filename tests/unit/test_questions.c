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
    static const char *const paths[] = {"tests/questions/en.tsv",
            "tests/questions/zh.tsv", "tests/questions/en-held.tsv",
            "tests/questions/zh-held.tsv", "tests/questions/en-2.tsv",
            "tests/questions/zh-2.tsv", "tests/questions/en-2-held.tsv",
            "tests/questions/zh-2-held.tsv", "tests/questions/en-3.tsv",
            "tests/questions/zh-3.tsv"};

    int n_all = 0, n_all_understood = 0;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(paths); i++) {
        int n;

        n_all_understood += count_understood(paths[i], &n);
        n_all += n;
    }
    assert_int_equal(n_all_understood, n_all);
}

static void numbers_are_read(void **state)
{
    static const struct {
        const char *text;
        double value;
        bool is_size;
    } rows[] = {{"64", 64, false}, {"16,384", 16384, false}, {"1,2", 1, false},
            {"2.5", 2.5, false}, {"70.", 70, false}, {"2T", 2e12, true},
            {"14.8T", 14.8e12, true}, {"70b", 70e9, true}, {"70 B", 70e9, true},
            {"8k", 8000, true}, {"1.3B", 1.3e9, true},
            {"1.5 trillion", 1.5e12, true}, {"300 billion", 3e11, true},
            {"two trillion", 2e12, true}, {"one", 1, false},
            {"sixty-four", 64, false}, {"thirty two", 32, false},
            {"two hundred fifty six", 256, false},
            {"one thousand", 1000, false}, {"2万亿", 2e12, true},
            {"2 万亿", 2e12, true}, {"1.4万亿", 1.4e12, true},
            {"3千亿", 3e11, true}, {"700亿", 7e10, true},
            {"两万亿", 2e12, true}, {"七十亿", 7e9, true},
            {"一百二十八", 128, false}, {"十六", 16, false},
            {"三十", 30, false}, {"千", 1000, false}, {"1万", 1e4, false},
            {"一万六千三百八十四", 16384, false}, {"半", 0.5, false},
            {"一", 1, false}, {"days", 0, false}, {"", 0, false},
            {"2 t", 2, false}, {"7Bs", 7, false}};
    ask_number number;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        (void)ask_number_scan(rows[i].text, &number);
        if (number.value != rows[i].value || number.is_size != rows[i].is_size)
            fail_msg("%s: %.17g", rows[i].text, number.value);
    }
}

static void numbers_are_printed_as_options_take_them(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{2e12, "2T"}, {14.8e12, "14.8T"}, {1.3e9, "1.3B"},
            {7e10, "70B"}, {123456789, "123456789"}, {4096, "4096"},
            {1e9 + 1, "1000000001"}, {5e8, "500M"}};
    char text[ASK_NUMBER_BUFFER];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        ask_number_print(text, rows[i].value);
        assert_string_equal(text, rows[i].text);
    }
}

/* The end of a question's command. */
static void check_end(const char *question, const char *want)
{
    p3d_text got = {0};
    const char *end;

    understand(question, &got);
    end = p3d_text_get(&got);
    if (got.length < strlen(want) ||
            strcmp(end + got.length - strlen(want), want) != 0)
        fail_msg("%s: %s", question, end);
    p3d_text_free(&got);
}

/* Each row's words behind a question become the option's value. */
static void check_values(
        const char *const rows[][2], int n_rows, const char *option)
{
    for (int i = 0; i < n_rows; i++) {
        char question[128];
        char want[32];

        snprintf(question, sizeof(question), "7B 64xA100 1T tokens %s",
                rows[i][0]);
        snprintf(want, sizeof(want), " %s %s", option, rows[i][1]);
        check_end(question, want);
    }
}

static void times_are_days_or_hours(void **state)
{
    static const char *const rows[][2] = {{"in 30 days", "30d"},
            {"within 2 weeks", "14d"}, {"in a month", "30d"},
            {"in one year", "365d"}, {"in 36 hours", "1.5d"}, {"in 12h", "12h"},
            {"30天内", "30d"}, {"一个月内", "30d"}, {"两周", "14d"},
            {"三个月", "90d"}, {"半年", "182.5d"}, {"半个月", "15d"},
            {"十天", "10d"}, {"24小时", "1d"}};

    (void)state;
    check_values(rows, P3D_COUNT_OF(rows), "--deadline");
}

static void prices_are_of_a_gpu_and_hour(void **state)
{
    static const char *const rows[][2] = {{"$2/h", "2"}, {"$2", "2"},
            {"at $2 per GPU hour", "2"}, {"2.50 USD/GPU/h", "2.5"},
            {"2 dollars an hour", "2"}, {"$1.2 per gpu per hour", "1.2"},
            {"1.5 dollars per GPU-hour", "1.5"}, {"@ $2/gpu-hr", "2"},
            {"每卡每小时2美元", "2"}, {"2.5美元/卡时", "2.5"},
            {"每卡时1.2美元", "1.2"}, {"一小时2美金一张卡", "2"}};

    (void)state;
    check_values(rows, P3D_COUNT_OF(rows), "--price");
}

/* A slip in a word of three letters may be of any other; what is offered for
 * longer ones is near, and a cluster is no part of a name. */
static void only_long_words_have_a_hint(void **state)
{
    static const struct {
        const char *question, *message;
    } rows[] = {{"70B fot on 64 A800", "! not understood: 'fot'"},
            {"fti 70B 64xA800", "! not understood: 'fti'; did you mean 'fit'?"},
            {"70B onn 64 A800", "! not understood: 'onn'"},
            {"70B onto 64 H2O", "! not understood: 'H2O'; did you mean 'H20'?"},
            {"trian 70B on 64 A800",
                    "! not understood: 'trian'; did you mean 'train'?"},
            {"lama-3-70b 64xA800", "! not understood: 'lama-3-70b'; did you "
                                   "mean 'llama-3-70b'?"},
            {"lama 3 70b 64xA800", "! not understood: 'lama 3 70b'; did you "
                                   "mean 'llama-3-70b'?"},
            {"lama-3-70b 64 A800", "! not understood: 'lama-3-70b'; did you "
                                   "mean 'llama-3-70b'?"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_text got = {0};

        understand(rows[i].question, &got);
        assert_string_equal(p3d_text_get(&got), rows[i].message);
        p3d_text_free(&got);
    }
}

/* What would turn a question into its opposite is refused. */
static void what_is_denied_is_not_taken_for_wanted(void **state)
{
    static const char *const questions[] = {"70B on 64 A800 not with tp 8",
            "70B not on 64 A800, on 32 H100", "不用fp8，64张H100训练70B",
            "64 A800 or 32 H100 for 70B, tp 4 or tp 8",
            "70B 64xA800 1T tokens budget"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(questions); i++) {
        p3d_text got = {0};

        understand(questions[i], &got);
        if (p3d_text_get(&got)[0] != '!')
            fail_msg("%s: %s", questions[i], p3d_text_get(&got));
        p3d_text_free(&got);
    }
}

/* No bytes at all make it crash; each is an answer or a refusal. */
static void bytes_are_never_too_much(void **state)
{
    static const char *const pieces[] = {"70B", " 64", "xA800", "张", "\xe5",
            "\xff", "$", "2", "T token", "，", "每", "万亿", " tp", "=8", "?",
            " how many", " H100", "~", "1,234", "0.5", "\xf0\x9f\x98\x80"};
    unsigned seed = 1;

    (void)state;
    for (int i = 0; i < 300; i++) {
        p3d_text question = {0};
        p3d_text got = {0};

        for (int k = 0; k < 1 + i % 12; k++) {
            seed = seed * 1103515245U + 12345U;
            p3d_text_add(&question, "%s",
                    pieces[(seed >> 16) % P3D_COUNT_OF(pieces)]);
        }
        understand(p3d_text_get(&question), &got);
        assert_true(got.length > 0);
        p3d_text_free(&question);
        p3d_text_free(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_questions_are_understood),
            cmocka_unit_test(numbers_are_read),
            cmocka_unit_test(numbers_are_printed_as_options_take_them),
            cmocka_unit_test(times_are_days_or_hours),
            cmocka_unit_test(prices_are_of_a_gpu_and_hour),
            cmocka_unit_test(only_long_words_have_a_hint),
            cmocka_unit_test(what_is_denied_is_not_taken_for_wanted),
            cmocka_unit_test(bytes_are_never_too_much),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
