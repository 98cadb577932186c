/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - what part of a long answer is done, for people who wait. */
#ifndef PLAN3D_CLI_PROGRESS_H
#define PLAN3D_CLI_PROGRESS_H

#include <stdbool.h>

/** Shown on standard error where that is a terminal, from half a second on. */
typedef struct cli_progress {
    const char *words; /* "comparing plans" */
    bool is_terminal;
    bool is_shown;
    double start_s;
    int percent; /* that was shown last */
} cli_progress;

void cli_progress_begin(const char *words, cli_progress *out);

/** Say that this share is done. @param context  a cli_progress */
void cli_progress_tell(void *context, double done_frac);

/** Take the line away. */
void cli_progress_end(cli_progress *p);

#endif
