/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interrupt.h - Ctrl-C: the first asks a command to end with what it has, the
 * second is the caller's. */
#ifndef PLAN3D_CLI_INTERRUPT_H
#define PLAN3D_CLI_INTERRUPT_H

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

#endif
