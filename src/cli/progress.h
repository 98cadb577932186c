/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - one line about long work, which Ctrl-C ends. */
#ifndef PLAN3D_CLI_PROGRESS_H
#define PLAN3D_CLI_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/** Work under way. Zero to begin. */
typedef struct cli_progress {
    const char *what; /* "comparing plans" */
    int64_t n_total;
    int64_t n_done;
    bool terminal; /* stderr is one */
    bool shown;
    double next_s; /* when the line is written again */
} cli_progress;

/** Begin work of so many parts (0 = nobody knows) that is shown on stderr,
 *  where that is a terminal, from half a second on, always in the same line;
 *  from here on Ctrl-C asks the command to stop. */
void cli_progress_begin(
        cli_progress *progress, const char *what, int64_t n_total);

/** Say which part comes next.
 *  @return false when the person asked to stop */
bool cli_progress_next(cli_progress *progress, const char *part);

/** Say how far the work is: as a share, or in parts.
 *  @param context  a cli_progress */
void cli_progress_share(void *context, double done_frac);
void cli_progress_parts(void *context, int n_done, int n_all);

/** The same, in seconds and plans.
 *  @return false when the person asked to stop */
bool cli_progress_tick(void *context, double seconds, int64_t n_plans);

/** Clear the line. */
void cli_progress_end(cli_progress *progress);

#endif
