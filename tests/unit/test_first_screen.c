/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_first_screen.c - plan3d fit answers on one screen: the verdict with its
 * margin, days and money, ranges, a plan to copy, commands that run. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/utf8.h"
#include "base/util.h"
#include "plan3d/units.h"
#include "report/amounts.h"

enum {
    MAX_OUTPUT = 64 * 1024,
    PATH = 4096,
    LINES = 25,
    COLUMNS = 100,
    LABEL = 9 /* columns */
};

/* How this test was called. */
static const char *self;

/* The program of this build: this test is build/MODE/tests/unit/test_... */
static void find_program(char *path, size_t n)
{
    assert_true(strlen(self) + sizeof("/../../plan3d") <= n);
    snprintf(path, n, "%s", self);
    assert_non_null(strrchr(path, '/'));
    snprintf(strrchr(path, '/'), sizeof("/../../plan3d"), "/../../plan3d");
}

/* What the program prints. @return its exit status */
static int run(const char *arguments, char *text)
{
    char program[PATH];
    char command[2 * PATH];
    FILE *pipe;
    size_t n;
    int status;

    find_program(program, sizeof(program));
    snprintf(command, sizeof(command), "'%s' %s", program, arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    n = fread(text, 1, MAX_OUTPUT - 1, pipe);
    text[n] = '\0';
    status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The next line without its end; NULL after the last. */
static char *take_line(char **at)
{
    char *const line = *at;
    char *const end = strchr(line, '\n');

    if (*line == '\0')
        return NULL;
    assert_non_null(end);
    *end = '\0';
    *at = end + 1;
    return line;
}

/* A plan is copied as a whole: it alone may be wider than the screen. */
static void check_width(const char *line)
{
    const char *const word = line + strspn(line, " ");

    if (p3d_utf8_columns(line, strlen(line)) > COLUMNS &&
            strchr(word, ' ') != NULL)
        fail_msg("over %d columns: %s", COLUMNS, line);
}

/* The labels of the lines, each at most once: nothing is said twice. */
static void check_label(const char *line, char *labels, size_t n)
{
    char label[LABEL + 2];
    const size_t used = strlen(labels);

    if (line[0] == ' ' || strlen(line) < LABEL || line[LABEL - 1] != ' ')
        return;
    snprintf(label, sizeof(label), "|%.*s", LABEL, line);
    if (strstr(labels, label) != NULL)
        fail_msg("said twice: %s", line);
    snprintf(labels + used, n - used, "%s", label);
}

static void check_screen(const char *text)
{
    char *const copy = strdup(text);
    char *at = copy;
    char labels[1024] = "";
    int n = 0;

    assert_non_null(copy);
    for (const char *line; (line = take_line(&at)) != NULL; n++) {
        check_width(line);
        check_label(line, labels, sizeof(labels));
    }
    if (n > LINES)
        fail_msg("%d lines:\n%s", n, text);
    free(copy);
}

static void check_words(const char *text, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strstr(text, words[i]) == NULL)
            fail_msg("no '%s' in\n%s", words[i], text);
}

/* The shell runs each command under "next", but the one that writes a file. */
static void check_next(const char *text)
{
    static char answer[MAX_OUTPUT];
    const char *at = strstr(text, "\nnext ");
    int n = 0;

    assert_non_null(at);
    while ((at = strstr(at, "plan3d ")) != NULL) {
        char command[PATH];
        size_t length = strcspn(at, "\n");

        while (at[length - 1] == '\\')
            length += 1 + strcspn(at + length + 1, "\n");
        snprintf(command, sizeof(command), "%.*s", (int)length,
                at + strlen("plan3d "));
        command[length - strlen("plan3d ")] = '\0';
        at += length;
        n++;
        if (strncmp(command, "report ", strlen("report ")) != 0 &&
                run(command, answer) > 1)
            fail_msg("plan3d %s fails", command);
    }
    assert_in_range(n, 2, 3);
}

static void check_job(const char *job, int status, const char *const *words)
{
    static const char *const all[] = {" GiB (", " to ", "\nplan     TP ",
            "tp=", ",mbs=", "\nmemory   ", "\njob      ", "\nmeasured ",
            "\nproof    ", "\nassumed  ", "\nnext     plan3d fit ", " --long",
            NULL};
    static char text[MAX_OUTPUT];
    char arguments[PATH];

    snprintf(arguments, sizeof(arguments), "fit %s", job);
    assert_int_equal(run(arguments, text), status);
    check_screen(text);
    check_words(text, all);
    check_words(text, words);
}

/* What stands where a plan fits. */
#define YES \
    " GiB stay free", " in 80 % of runs), ", "\nfastest  ", "\nroomiest "

static void what_fits_fits_on_a_screen(void **state)
{
    static const char *const fits[] = {"FITS, ", " % sure", YES, NULL};

    (void)state;
    check_job("70B 64xA800", 0, fits);
    check_job("405B 64xA800", 0, fits);
    check_job("mixtral-8x7b 64xH100", 0, fits);
    check_job("7B 8xA100 --framework any --batch 64", 0, fits);
}

static void days_and_money_stand_first(void **state)
{
    static const char *const first[] = {"\ntime     ", " days (",
            "\ncost     USD ", " M (", " MWh (", YES, NULL};
    static const char *const open[] = {" for 1T tokens", "\nenergy   ", NULL};
    static char text[MAX_OUTPUT];

    (void)state;
    check_job("70B 512xH100 --tokens 2T --price 2.50", 0, first);
    check_job("deepseek-v3 256xH100 --tokens 14.8T --price 2", 0, first);
    check_job("7B 8xRTX-4090 --tokens 1T", 0, open);
    run("fit 70B 512xH100 --tokens 2T --price 2.50", text);
    assert_true(strstr(text, "\ntime ") < strstr(text, "\ncost "));
    assert_true(strstr(text, "\ncost ") < strstr(text, "\nstep "));
    assert_true(strstr(text, "\nstep ") < strstr(text, "\nplan "));
}

static void what_hardly_fits_says_what_helps(void **state)
{
    static const char *const barely[] = {"FITS, BARELY, ",
            "changes that make it sure to fit", " more with --long", YES, NULL};

    (void)state;
    check_job("8B 4xRTX-4090 --tokens 1T --price 0.50", 0, barely);
}

static void what_does_not_fit_says_what_is_missing(void **state)
{
    static const char *const no[] = {"DOES NOT FIT: ", " misses ",
            " GiB per GPU on stage ",
            "changes that make it fit, settings first", "\n  1  ",
            "plan3d advise ", NULL};

    (void)state;
    check_job("70B 2xA800", 1, no);
    check_job("405B 32xA800 --tokens 2T", 1, no);
    check_job("405B 16xA100 --pin tp=8", 1, no);
}

/* Not all commands have the options that choose a plan. */
static void next_commands_run(void **state)
{
    static const char *const jobs[] = {
            "7B 16xA100 --idle 1 --objective fastest --pin zero=1",
            "7B 8xA100 --tokens 1T --sure 0.9 --within 0.05", "13B 1xA800"};
    static char text[MAX_OUTPUT];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(jobs); i++) {
        char arguments[PATH];

        snprintf(arguments, sizeof(arguments), "fit %s", jobs[i]);
        assert_in_range(run(arguments, text), 0, 1);
        check_screen(text);
        check_next(text);
    }
}

static void people_read_three_digits(void **state)
{
    static const struct {
        double value;
        const char *words;
        const char *large;
        const char *chinese;
    } rows[] = {{0, "0", "0", "0"}, {0.12345, "0.123", "0.123", "0.123"},
            {0.99951, "1.00", "1.00", "1.00"}, {9.9949, "9.99", "9.99", "9.99"},
            {9.996, "10.0", "10.0", "10.0"}, {61.04, "61.0", "61.0", "61.0"},
            {99.96, "100", "100", "100"}, {914.26, "914", "914", "914"},
            {999.6, "1,000", "1,000", "1,000"},
            {1101.45, "1,100", "1,100", "1,100"},
            {27981, "28,000", "28,000", "28,000"},
            {1644000, "1,640,000", "1.64 M", "164 万"},
            {52e6, "52,000,000", "52.0 M", "5,200 万"},
            {2.1e9, "2,100,000,000", "2.10 B", "21.0 亿"},
            {2e15, "2e+15", "2,000,000 B", "20,000,000 亿"}};
    const p3d_style chinese = {.lang = P3D_CHINESE};
    const p3d_style english = {.lang = P3D_ENGLISH};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        assert_string_equal(
                report_three_words(rows[i].value).text, rows[i].words);
        assert_string_equal(
                report_large_words(rows[i].value, english).text, rows[i].large);
        assert_string_equal(report_large_words(rows[i].value, chinese).text,
                rows[i].chinese);
    }
}

/* A step has three digits; what adds up to it stands in a column with as many
 * behind the point, so that the smallest terms are seen. */
static void a_step_has_three_digits(void **state)
{
    static const struct {
        double step_s;
        const char *words;
        const char *unit;
        int digits; /* in a column */
    } rows[] = {{4821.6, "4,820 s", "s", 0}, {164.024, "164 s", "s", 1},
            {23.456, "23.5 s", "s", 1}, {7.7149, "7.71 s", "s", 2},
            {0.11043, "110 ms", "ms", 1}, {0.004567, "4.57 ms", "ms", 2}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const report_clock clock = report_clock_for(rows[i].step_s);

        assert_string_equal(
                report_step_words(rows[i].step_s).text, rows[i].words);
        assert_string_equal(clock.word, rows[i].unit);
        assert_int_equal(clock.digits, rows[i].digits);
    }
}

/* At most two digits behind the point: nobody needs 0.0652 GiB. */
static void memory_has_three_digits(void **state)
{
    static const struct {
        double gib;
        const char *words;
    } rows[] = {{0.0652, "0.07"}, {9.83, "9.83"}, {-8.8, "-8.80"},
            {14.58, "14.6"}, {-14.58, "-14.6"}, {139.9, "140"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_string_equal(
                report_gib_words((int64_t)(rows[i].gib * P3D_GIB)).text,
                rows[i].words);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_fits_fits_on_a_screen),
            cmocka_unit_test(days_and_money_stand_first),
            cmocka_unit_test(what_hardly_fits_says_what_helps),
            cmocka_unit_test(what_does_not_fit_says_what_is_missing),
            cmocka_unit_test(next_commands_run),
            cmocka_unit_test(people_read_three_digits),
            cmocka_unit_test(a_step_has_three_digits),
            cmocka_unit_test(memory_has_three_digits),
    };

    assert_true(argc > 0);
    self = argv[0];
    return cmocka_run_group_tests_name("first screen", tests, NULL, NULL);
}
