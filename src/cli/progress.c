/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - how far a long answer is, for a person at a terminal. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Shorter answers show nothing. */
static const double patience_s = 0.5;

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cli_progress cli_progress_begin(const char *what)
{
    return (cli_progress){.what = what,
            .start_s = now_s(),
            .wanted = isatty(STDERR_FILENO) == 1};
}

void cli_progress_show(void *context, int n_done, int n_all)
{
    cli_progress *progress = context;

    if (!progress->wanted || now_s() - progress->start_s < patience_s)
        return;
    fprintf(stderr, "\r%s %d of %d", progress->what, n_done + 1, n_all);
    fflush(stderr);
    progress->shown = true;
}

void cli_progress_end(cli_progress *progress)
{
    /* Wide enough for any line above. */
    if (progress->shown)
        fprintf(stderr, "\r%40s\r", "");
}
