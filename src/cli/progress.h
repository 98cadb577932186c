/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - long work: one line about it, and Ctrl-C, which ends it. */
#ifndef PLAN3D_CLI_PROGRESS_H
#define PLAN3D_CLI_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "plan3d/command.h"
#include "plan3d/error.h"

/** In the program, and before anything else: Ctrl-C ends it at once with the
 *  status of P3D_INTERRUPTED, unless who started it has it ignored, as nohup
 *  and "&" do. */
void cli_exit_on_interrupt(void);

/** In the program, once the whole answer is written: Ctrl-C says nothing more
 *  about it, and the exit status stays the answer's own. */
void cli_ignore_interrupt(void);

/** From here on there is something to show: Ctrl-C asks the command to end
 *  (p3d_stopped()), once. */
void cli_listen(void);

/** Ctrl-C is as before cli_listen() again. */
void cli_listen_end(void);

/** Before files are written: Ctrl-C does not cut them from here on.
 *  @return false where it came before */
P3D_CHECK bool cli_begin_write(p3d_error *err);

/** Nobody asked to end; else say what is missing then. */
P3D_CHECK bool cli_goes_on(const char *missing, p3d_error *err);

/** The language of the lines about work under way. */
void cli_progress_speak(p3d_lang lang);

/** Who hears them in place of the terminal, in this thread; NULL = nobody. */
void cli_progress_tell(const p3d_listener *listener);

/** Work under way. Zero to begin. */
typedef struct cli_progress {
    const char *what; /* "comparing plans" */
    int64_t n_total;
    int64_t n_done;
    bool terminal; /* stderr is one, and nobody else listens */
    bool shown;
    double next_s; /* when the line is written again */
} cli_progress;

/** Begin work of so many parts (0 = nobody knows) that somebody hears of, or
 *  that is shown on stderr, where that is a terminal, always in the same line:
 *  from half a second on. From here on Ctrl-C asks the command to stop. */
void cli_progress_begin(
        cli_progress *progress, const char *what, int64_t n_total);

/** Say what is done, at once: where nobody knows how far it is. */
void cli_progress_say(cli_progress *progress);

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
