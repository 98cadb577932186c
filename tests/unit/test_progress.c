/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_progress.c - what takes long shows on a terminal how far it is, and
 * nothing anywhere else. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* In a child, whose standard error is there; its answer is of no interest. */
static int run_child(const row *r, int err)
{
    FILE *const nothing = fopen("/dev/null", "w");
    int n = 0;

    while (n < MOST_WORDS && r->words[n] != NULL)
        n++;
    if (nothing == NULL || dup2(err, STDERR_FILENO) < 0)
        return 99;
    return cli_main(n, r->words, nothing, stderr);
}

/* What a command writes to standard error, which the other end of `read_end`
 * is. */
static void collect(const row *r, int read_end, int write_end, char *text)
{
    const pid_t pid = fork();
    size_t n = 0;
    ssize_t got = 0;
    int status = 0;

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(run_child(r, write_end));
    (void)close(write_end);
    while (n < MOST_BYTES - 1 &&
            (got = read(read_end, text + n, MOST_BYTES - 1 - n)) > 0)
        n += (size_t)got; /* a terminal that nobody holds is an error */
    text[n] = '\0';
    (void)close(read_end);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
}

static void a_terminal_shows_how_far_long_work_is(void **state)
{
    static char text[MOST_BYTES];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const int master = posix_openpt(O_RDWR | O_NOCTTY);
        int terminal;

        assert_true(master >= 0);
        assert_int_equal(grantpt(master), 0);
        assert_int_equal(unlockpt(master), 0);
        terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
        assert_true(terminal >= 0);
        collect(&rows[i], master, terminal, text);
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
        collect(&rows[i], ends[0], ends[1], text);
        assert_string_equal(text, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_terminal_shows_how_far_long_work_is),
            cmocka_unit_test(a_pipe_gets_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
