/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_progress.c - what takes long shows on a terminal how far it is, and
 * nothing anywhere else; an answer ends its lines at the terminal's edge. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/util.h"
#include "cli/cli.h"

enum { MOST_WORDS = 12, MOST_BYTES = 1 << 16 };

/* A command that takes more than half a second, and what it shows. */
typedef struct row {
    const char *words[MOST_WORDS];
    const char *shows[2];
} row;

static const row rows[] = {
        {{"sweep", "70B", "64..256xA800", "--framework", "any", "-j", "1"},
                {"\r3 of 3: 256xA800", "\033[K"}},
        {{"sweep", "70B", "64..1024xA800", "--framework", "any", "-j", "2",
                 "--json"},
                {" of 5: ", "xA800"}},
        {{"explain", "70B", "64xA800", "why"}, {"\rsearch: ", " of "}},
        {{"explain", "70B", "32xA800", "sensitivity", "-j", "2"},
                {"\rcomparing plans: ", " %"}},
        {{"report", "deepseek-v3", "256xH800"}, {"\rsearch: ", " of "}},
        {{"fit", "405B", "16xA100-40G"},
                {"\rlooking for what makes it fit", "\033[K"}},
};

/* In a child, whose standard output or error is there; the other one is of no
 * interest. */
static int run_child(const row *r, int number, int end)
{
    const int nothing = open("/dev/null", O_WRONLY);
    int n = 0;

    while (n < MOST_WORDS && r->words[n] != NULL)
        n++;
    if (dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0 ||
            dup2(end, number) < 0)
        return 99;
    n = cli_main(n, r->words, stdout, stderr);
    return fflush(stdout) == 0 ? n : 99;
}

/* What a command writes to standard output or error, which the other end of
 * `read_end` is. */
static void collect(
        const row *r, int number, int read_end, int write_end, char *text)
{
    const pid_t pid = fork();
    size_t n = 0;
    ssize_t got = 0;
    int status = 0;

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(run_child(r, number, write_end));
    (void)close(write_end);
    while (n < MOST_BYTES - 1 &&
            (got = read(read_end, text + n, MOST_BYTES - 1 - n)) > 0)
        n += (size_t)got; /* a terminal that nobody holds is an error */
    text[n] = '\0';
    (void)close(read_end);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
}

/* The two ends of a terminal of so many columns. */
static int open_terminal(int columns, int *end)
{
    const struct winsize size = {
            .ws_row = 40, .ws_col = (unsigned short)columns};
    const int master = posix_openpt(O_RDWR | O_NOCTTY);

    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    *end = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(*end >= 0);
    assert_int_equal(ioctl(*end, TIOCSWINSZ, &size), 0);
    return master;
}

static void a_terminal_shows_how_far_long_work_is(void **state)
{
    static char text[MOST_BYTES];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        int terminal;
        const int master = open_terminal(80, &terminal);

        collect(&rows[i], STDERR_FILENO, master, terminal, text);
        for (int k = 0; k < P3D_COUNT_OF(rows[i].shows); k++) {
            if (strstr(text, rows[i].shows[k]) == NULL)
                fail_msg("'%s %s' does not show '%s' but '%s'",
                        rows[i].words[0], rows[i].words[1], rows[i].shows[k],
                        text);
        }
        /* The line is gone when the answer is printed. */
        assert_true(strlen(text) > 4);
        assert_string_equal(text + strlen(text) - 4, "\r\033[K");
    }
}

static void a_pipe_gets_nothing(void **state)
{
    static char text[MOST_BYTES];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        collect(&rows[i], STDERR_FILENO, ends[0], ends[1], text);
        assert_string_equal(text, "");
    }
}

/* Longest line of an answer that has a blank inside: a plan to copy stays
 * whole. */
static int widest_line(const char *text)
{
    int most = 0;

    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\r\n");
        const size_t left = strspn(line, " ");
        const int columns = p3d_utf8_columns(line, length);

        if (left < length && memchr(line + left, ' ', length - left) != NULL &&
                columns > most)
            most = columns;
        line += length + strspn(line + length, "\r\n");
    }
    return most;
}

static void lines_end_at_the_edge_of_a_terminal(void **state)
{
    static const row answers[] = {
            {{"fit", "70B", "64xA800", "--color", "never"}, {NULL}},
            {{"fit", "70B", "8xA800", "--color", "never"}, {NULL}},
            {{"fit", "70B", "64xA800", "--color", "never", "--lang", "zh"},
                    {NULL}},
            {{"sweep", "7B", "8xA800,8xH100", "--color", "never"}, {NULL}},
    };
    static const int columns[] = {80, 120};
    static char text[MOST_BYTES];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(answers); i++) {
        int widest[P3D_COUNT_OF(columns)];

        for (int k = 0; k < P3D_COUNT_OF(columns); k++) {
            int terminal;
            const int master = open_terminal(columns[k], &terminal);

            collect(&answers[i], STDOUT_FILENO, master, terminal, text);
            widest[k] = widest_line(text);
        }
        assert_in_range(widest[0], 60, columns[0]);
        assert_in_range(widest[1], widest[0] + 1, columns[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_terminal_shows_how_far_long_work_is),
            cmocka_unit_test(a_pipe_gets_nothing),
            cmocka_unit_test(lines_end_at_the_edge_of_a_terminal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
