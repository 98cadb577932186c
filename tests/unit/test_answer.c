/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_answer.c - the first line of a sweep: against the rows of all values,
 * one by one. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/cli.h"
#include "report/study.h"

enum { MOST_WORDS = 24, ANSWER = 1 << 16 };

/* What a command line prints; its words have blanks between them. */
static void ask(const char *line, char out[ANSWER])
{
    char words[512];
    const char *argv[MOST_WORDS];
    int argc = 0;
    FILE *const to = tmpfile();
    FILE *const errors = tmpfile();
    size_t n;

    assert_true(p3d_copy(words, sizeof(words), line));
    for (char *rest = NULL, *word = strtok_r(words, " ", &rest); word != NULL;
            word = strtok_r(NULL, " ", &rest)) {
        assert_true(argc < MOST_WORDS);
        argv[argc++] = word;
    }
    assert_non_null(to);
    assert_non_null(errors);
    (void)cli_main(argc, argv, to, errors);
    rewind(to);
    n = fread(out, 1, ANSWER - 1, to);
    out[n] = '\0';
    fclose(to);
    fclose(errors);
}

/* What stands before the model, joined again where the page ended: it begins
 * with a word. */
static const char *first_lines(
        const char *line, const char *word, char out[ANSWER])
{
    char *end;

    ask(line, out);
    end = strstr(out, "\nmodel ");
    if (end == NULL || strncmp(out, word, strlen(word)) != 0)
        fail_msg("%s: %s", line, out);
    *end = '\0';
    for (char *at = out; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    return out + strlen(word);
}

static const char *answer_of(const char *line, char out[ANSWER])
{
    return first_lines(line, "ANSWER: ", out);
}

static double number_at(const char *row, const char *key)
{
    const char *const at = strstr(row, key);

    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* The first row of JSON lines whose plan is as sure as was asked; its number of
 * a key. 0 = there is none. */
static double first_sure(const char *line, const char *key)
{
    static char out[ANSWER];
    double found = 0;

    ask(line, out);
    for (char *rest = NULL, *row = strtok_r(out, "\n", &rest); row != NULL;
            row = strtok_r(NULL, "\n", &rest))
        if (found == 0 && strstr(row, "\"verdict\": \"fits\"") != NULL)
            found = number_at(row, key);
    return found;
}

/* Every number of nodes below, and of GPUs of a node. */
static void fewest_gpus_are_the_first_that_surely_fit(void **state)
{
    static const struct {
        const char *model, *type, *most;
    } rows[] = {{"70B", "A100", "40"}, {"8B", "H100", "24"},
            {"13B", "A100-40GB", "32"}, {"30B", "L40S", "32"}};
    static char out[ANSWER];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        char line[256];
        double want;

        snprintf(line, sizeof(line),
                "sweep %s %s --gpus 1,2,4,8,16,24,32,40 --format jsonl",
                rows[i].model, rows[i].type);
        want = first_sure(line, "\"n_gpus\": ");
        assert_true(want > 0);
        snprintf(line, sizeof(line), "sweep %s %s --find gpus", rows[i].model,
                rows[i].type);
        assert_int_equal((int)strtod(answer_of(line, out), NULL), (int)want);
        assert_non_null(strstr(out, " is enough ("));
    }
}

static void no_gpus_are_enough_where_the_search_ends_too_early(void **state)
{
    static char out[ANSWER];

    (void)state;
    assert_true(
            strncmp(answer_of("sweep 70B A100 --find gpus --max-gpus 8", out),
                    "no number of GPUs up to 8 is enough; 8xA100 misses ",
                    51) == 0);
}

/* The longest fits, an eighth of its power of two more does not. */
static void the_longest_sequence_fits_and_the_next_does_not(void **state)
{
    static char out[ANSWER];
    char line[256];
    char text[32] = "";
    const char *digits = answer_of("sweep 3B 1xA100-40GB --find seq", out);
    int64_t longest, step = 1;

    (void)state;
    for (size_t n = 0; strchr("0123456789,", *digits) != NULL; digits++)
        if (*digits != ',') {
            assert_true(n + 1 < sizeof(text));
            text[n++] = *digits;
        }
    longest = strtoll(text, NULL, 10);
    while (2 * step <= longest)
        step *= 2;
    step /= 8;
    snprintf(line, sizeof(line),
            "sweep 3B 1xA100-40GB --seq %lld --format jsonl",
            (long long)longest);
    assert_int_equal((int)first_sure(line, "\"seq_len\": "), (int)longest);
    snprintf(line, sizeof(line),
            "sweep 3B 1xA100-40GB --seq %lld --format jsonl",
            (long long)(longest + step));
    assert_int_equal((int)first_sure(line, "\"seq_len\": "), 0);
}

/* Micro-batches double. */
static void the_largest_micro_batch_fits_and_its_double_does_not(void **state)
{
    static char out[ANSWER];
    const int largest =
            (int)strtol(answer_of("sweep 7B 8xA100 --find mbs", out), NULL, 10);
    char line[256];

    (void)state;
    assert_true(largest >= 1);
    snprintf(line, sizeof(line), "sweep 7B 8xA100 --pin mbs=%d --format jsonl",
            largest);
    assert_true(first_sure(line, "\"n_gpus\": ") == 8);
    snprintf(line, sizeof(line), "sweep 7B 8xA100 --pin mbs=%d --format jsonl",
            2 * largest);
    assert_true(first_sure(line, "\"n_gpus\": ") == 0);
}

/* With the optimizer on the host, weights in 2 bytes and gradients in 4 stay:
 * 24 GB are those of 4B at most. */
static void the_largest_model_of_a_card_is_a_small_one(void **state)
{
    static char out[ANSWER];
    const char *const answer = answer_of("sweep any 1x4090 --find model", out);
    double parameters;

    (void)state;
    assert_non_null(strchr(answer, '('));
    parameters = strtod(strchr(answer, '(') + 1, NULL);
    assert_true(parameters > 0.5 && parameters < 4);
    assert_non_null(strstr(answer, "B parameters) is the largest known model"));
}

/* Which of two, and by how much: the rates of the rows. */
static void check_ratio(const char *line, const char *winner)
{
    static char out[ANSWER];
    static char rows[ANSWER];
    char as_lines[512];
    const char *const answer = answer_of(line, out);
    const char *const times = strstr(answer, " is ");
    double a, b;

    snprintf(as_lines, sizeof(as_lines), "%s --format jsonl", line);
    ask(as_lines, rows);
    a = number_at(rows, "\"tokens_per_s\": ");
    b = number_at(strchr(rows, '\n'), "\"tokens_per_s\": ");
    assert_true(strncmp(answer, winner, strlen(winner)) == 0);
    assert_non_null(times);
    assert_true(fabs(strtod(times + 4, NULL) / fmax(a / b, b / a) - 1) < 0.006);
}

static void the_faster_row_is_named_with_its_ratio(void **state)
{
    (void)state;
    check_ratio("sweep 70B 64xA800,32xH100 --answer fastest", "32xH100");
    check_ratio("sweep 70B 32xH100,64xA800 --answer fastest", "32xH100");
    check_ratio("sweep 8B 8xH100 --beside dtype=fp8", "8xH100 with dtype=fp8");
    check_ratio("sweep 8B 8xH100 --dtype fp8 --beside dtype=bf16",
            "8xH100 with dtype=fp8");
    check_ratio("sweep 8B 8xH100 --seq 8192,16384 --answer fastest",
            "8xH100, sequence 8,192");
}

/* At prices as far apart, the slower one is the cheaper. */
static void the_cheaper_row_follows_the_prices(void **state)
{
    static char out[ANSWER];

    (void)state;
    assert_true(strncmp(answer_of("sweep 70B 64xA800,32xH100 --price 0.5,9 "
                                  "--answer cheapest",
                                out),
                        "64xA800 costs ", 14) == 0);
    assert_true(strncmp(answer_of("sweep 70B 64xA800,32xH100 --price 9,0.5 "
                                  "--answer cheapest",
                                out),
                        "32xH100 costs ", 14) == 0);
}

/* How sure an answer says that its order is, %; 100 stands for more than 99. */
static double sureness(const char *command)
{
    static char out[ANSWER];
    const char *at = strstr(answer_of(command, out), "which is faster");

    assert_non_null(at);
    at += strcspn(at, ">0123456789"); /* lines may end between words */
    return *at == '>' ? 100 : strtod(at, NULL);
}

/* Twice the GPUs are surely faster, plans a few percent apart hardly. */
static void far_answers_are_surer_than_near_ones(void **state)
{
    const double far = sureness("sweep 8B 8xH100,16xH100 --answer fastest");
    const double near = sureness("sweep 13B 16xA100 --pin pp=4,vp=1,mbs=1 "
                                 "--beside pin=pp=4,vp=5,mbs=1");

    (void)state;
    assert_true(far >= 95);
    assert_true(near >= 50 && near < 90);
}

static void what_does_not_fit_is_no_winner(void **state)
{
    static char out[ANSWER];

    (void)state;
    assert_non_null(
            strstr(answer_of("sweep 70B 8xA800,32xH100 --answer fastest", out),
                    "32xH100 is the only one that fits; 8xA800 misses"));
    assert_non_null(
            strstr(answer_of("sweep 70B 8xA800,4xH100 --answer fastest", out),
                    "none of them fits"));
}

static void a_deadline_says_how_it_is_met(void **state)
{
    static char out[ANSWER];
    const char *const answer = first_lines(
            "sweep 8B H100 --tokens 1T --deadline 60d --find gpus --max-gpus "
            "64",
            "IN TIME: ", out);

    (void)state;
    assert_true(strncmp(answer, "24xH100 is the smallest, ", 25) == 0);
    assert_true(strtod(answer + 25, NULL) <= 60);
    assert_non_null(strstr(answer, "of 60 days"));
}

/* As fast as 64 H100: fewer GPUs that are faster, no fewer of the same. */
static void a_deadline_may_be_the_time_of_a_cluster(void **state)
{
    static char out[ANSWER];
    const char *answer = first_lines(
            "sweep 8B B200 --tokens 1T --deadline 64xH100 --find gpus",
            "AS FAST: ", out);
    const double n = strtod(answer, NULL);

    (void)state;
    assert_true(n > 16 && n < 64);
    assert_non_null(strstr(answer, ", the time of 64xH100"));
    answer = first_lines(
            "sweep 8B H100 --tokens 1T --batch 512 --deadline 64xH100 --find "
            "gpus",
            "AS FAST: ", out);
    assert_true(strncmp(answer, "64xH100 is the smallest, ", 25) == 0);
}

/* Three digits of tokens are in time, the next ones are late. */
static void the_most_tokens_end_with_the_deadline(void **state)
{
    static char out[ANSWER], rows[ANSWER];
    const char *const trains = strstr(
            answer_of("sweep 7B 64xH100 --deadline 30d --find tokens", out),
            " trains ");
    const double thirty_days_s = 30 * 86400.0;
    char line[128];
    double most;

    (void)state;
    assert_non_null(trains);
    most = strtod(trains + 8, NULL);
    assert_true(most > 1 && most < 10);
    for (int more = 0; more <= 1; more++) {
        snprintf(line, sizeof(line),
                "sweep 7B 64xH100 --tokens %.2fT --format jsonl",
                most + 0.01 * more);
        ask(line, rows);
        assert_int_equal(
                number_at(rows, "\"training_s\": ") > thirty_days_s, more);
    }
}

/* 64 GPUs at 2 dollars: what an hour costs, times the hours. */
static void the_most_tokens_spend_the_budget(void **state)
{
    static char out[ANSWER], rows[ANSWER];
    const char *const trains = strstr(
            answer_of("sweep 7B 64xH100 --budget 100K --price 2 --find tokens",
                    out),
            " trains ");
    char line[128];

    (void)state;
    assert_non_null(trains);
    for (int more = 0; more <= 1; more++) {
        snprintf(line, sizeof(line),
                "sweep 7B 64xH100 --tokens %.2fT --price 2 --format jsonl",
                strtod(trains + 8, NULL) + 0.01 * more);
        ask(line, rows);
        assert_int_equal(number_at(rows, "\"training_usd\": ") > 1e5, more);
    }
}

static void a_budget_is_held_against_the_cheapest_training(void **state)
{
    static char out[ANSWER], rows[ANSWER];
    static const char question[] =
            "sweep 13B 64xA100,32xA100 --tokens 300B --price 2";
    char line[128];
    double least = (double)HUGE_VAL;

    (void)state;
    snprintf(line, sizeof(line), "%s --format jsonl", question);
    ask(line, rows);
    for (char *rest = NULL, *row = strtok_r(rows, "\n", &rest); row != NULL;
            row = strtok_r(NULL, "\n", &rest))
        least = fmin(least, number_at(row, "\"training_usd\": "));
    snprintf(line, sizeof(line), "%s --budget %.0f", question, least - 1);
    (void)first_lines(line, "OVER BUDGET: ", out);
    snprintf(line, sizeof(line), "%s --budget %.0f", question, least + 1);
    (void)first_lines(line, "WITHIN BUDGET: ", out);
    assert_non_null(strstr(out, "it is over"));
}

/* Stopped before any row was looked at: no answer, in no format. */
static void what_was_stopped_answers_nothing(void **state)
{
    static const report_answer_kind kinds[] = {REPORT_FASTEST,
            REPORT_FEWEST_GPUS, REPORT_LONGEST_SEQ, REPORT_LARGEST_MODEL,
            REPORT_MOST_TOKENS};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(kinds); i++) {
        const report_sweep sweep = {.end = {.kind = kinds[i]},
                .model_word = "7B",
                .options = "",
                .question = {.model_word = "7B"}};
        p3d_text json = {.length = 0}, text = {.length = 0};

        report_print_sweep(&sweep, REPORT_JSON, &json);
        assert_non_null(strstr(p3d_text_get(&json), "\"answer\": null"));
        report_print_sweep(&sweep, REPORT_TEXT, &text);
        assert_null(strstr(p3d_text_get(&text), "ANSWER"));
        p3d_text_free(&json);
        p3d_text_free(&text);
    }
}

/* Documents are the same in each language. */
static void the_answer_of_a_document_is_english(void **state)
{
    static char out[ANSWER];

    (void)state;
    ask("sweep 7B 8xA100,8xH100 --answer fastest --json --lang zh", out);
    assert_non_null(strstr(out, "\"answer\": \"8xH100 is "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(fewest_gpus_are_the_first_that_surely_fit),
            cmocka_unit_test(
                    no_gpus_are_enough_where_the_search_ends_too_early),
            cmocka_unit_test(the_longest_sequence_fits_and_the_next_does_not),
            cmocka_unit_test(
                    the_largest_micro_batch_fits_and_its_double_does_not),
            cmocka_unit_test(the_largest_model_of_a_card_is_a_small_one),
            cmocka_unit_test(the_faster_row_is_named_with_its_ratio),
            cmocka_unit_test(the_cheaper_row_follows_the_prices),
            cmocka_unit_test(far_answers_are_surer_than_near_ones),
            cmocka_unit_test(what_does_not_fit_is_no_winner),
            cmocka_unit_test(a_deadline_says_how_it_is_met),
            cmocka_unit_test(a_deadline_may_be_the_time_of_a_cluster),
            cmocka_unit_test(the_most_tokens_end_with_the_deadline),
            cmocka_unit_test(the_most_tokens_spend_the_budget),
            cmocka_unit_test(what_was_stopped_answers_nothing),
            cmocka_unit_test(the_answer_of_a_document_is_english),
            cmocka_unit_test(a_budget_is_held_against_the_cheapest_training),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
