/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - one line about long work, and an end to it by Ctrl-C. */
#ifndef PLAN3D_CLI_PROGRESS_H
#define PLAN3D_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** Work under way. Zero to begin. */
typedef struct cli_progress {
    int64_t n_total;
    int64_t n_done;
    bool terminal; /* stderr is one */
    bool shown;
    double next_s; /* when the line is written again */
} cli_progress;

/** Begin work of so many parts; from here on Ctrl-C asks it to stop. */
void cli_progress_begin(cli_progress *progress, int64_t n_total);

/**
 * Say which part comes next. On a terminal a line on stderr says so from half
 * a second on, always the same line.
 *
 * @return false when the person asked to stop
 */
bool cli_progress_next(cli_progress *progress, const char *part);

/** Clear the line; Ctrl-C ends the program again. */
void cli_progress_end(cli_progress *progress);

#endif
