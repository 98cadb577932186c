/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - what part of a long answer is done, for people who wait. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE_S = 0.5;

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_progress_begin(const char *words, cli_progress *out)
{
    *out = (cli_progress){.words = words,
            .is_terminal = isatty(STDERR_FILENO) == 1,
            .start_s = now_s(),
            .percent = -1};
}

void cli_progress_tell(void *context, double done_frac)
{
    cli_progress *p = context;
    const int percent = (int)(100 * done_frac);

    if (!p->is_terminal || percent == p->percent ||
            now_s() - p->start_s < PATIENCE_S)
        return;
    p->percent = percent;
    p->is_shown = true;
    fprintf(stderr, "\r%s ... %d %%", p->words, percent);
}

void cli_progress_end(cli_progress *p)
{
    if (p->is_shown)
        fprintf(stderr, "\r%*s\r", 40, "");
}
