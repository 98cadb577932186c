/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - one line about long work, which Ctrl-C ends. */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"
#include "cli/interrupt.h"
#include "plan3d/error.h"

/* Nobody waits for a line before this time; then it may change so often. */
static const double quiet_s = 0.5;
static const double between_s = 0.1;

void cli_progress_begin(
        cli_progress *progress, const char *what, int64_t n_total)
{
    *progress = (cli_progress){.what = what,
            .n_total = n_total,
            .terminal = isatty(STDERR_FILENO) == 1,
            .next_s = p3d_now_s() + quiet_s};
    cli_listen();
}

static void print_line(cli_progress *progress, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/* Write the line again, where that is due. CSI K clears what a longer one
 * left. */
static void print_line(cli_progress *progress, const char *fmt, ...)
{
    va_list args;

    if (!progress->terminal || p3d_now_s() < progress->next_s)
        return;
    progress->shown = true;
    progress->next_s = p3d_now_s() + between_s;
    va_start(args, fmt);
    fprintf(stderr, "\r");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\033[K");
    va_end(args);
    fflush(stderr);
}

bool cli_progress_next(cli_progress *progress, const char *part)
{
    progress->n_done++;
    print_line(progress, "%" PRId64 " of %" PRId64 ": %.60s", progress->n_done,
            progress->n_total, part);
    return !p3d_stopped();
}

void cli_progress_share(void *context, double done_frac)
{
    cli_progress *progress = context;

    print_line(progress, "%s: %.0f %%", progress->what, 100 * done_frac);
}

void cli_progress_parts(void *context, int n_done, int n_all)
{
    cli_progress *progress = context;

    print_line(progress, "%s: %d of %d", progress->what, n_done + 1, n_all);
}

bool cli_progress_tick(void *context, double seconds, int64_t n_plans)
{
    cli_progress *progress = context;

    print_line(progress, "%s: %" PRId64 " plans, %.0f s", progress->what,
            n_plans, seconds);
    return !p3d_stopped();
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\033[K");
    progress->shown = false;
}
