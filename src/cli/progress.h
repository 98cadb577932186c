/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - how far a long answer is, for a person who waits at a
 * terminal. */
#ifndef PLAN3D_CLI_PROGRESS_H
#define PLAN3D_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cli_progress {
    const char *what; /* "search" */
    double start_s;
    bool wanted; /* standard error is a terminal */
    bool shown;
} cli_progress;

cli_progress cli_progress_begin(const char *what);

/** Show "search 12 of 45" in the same line again, once the answer takes longer
 *  than a person takes for an answer at once.
 *  @param context  a cli_progress */
void cli_progress_show(void *context, int n_done, int n_all);

/** Clear the line. */
void cli_progress_end(cli_progress *progress);

#endif
