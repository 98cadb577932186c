/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.h - another program, run to its end. */
#ifndef PLAN3D_CLI_PROCESS_H
#define PLAN3D_CLI_PROCESS_H

#include "plan3d/error.h"

/** Exit status of a program that could not be started, as of a shell. */
enum { CLI_NOT_STARTED = 127 };

/**
 * Run a program and wait for it. No shell is between. What it prints goes to
 * standard error; standard input is empty.
 *
 * SIGINT, SIGTERM and SIGHUP are passed on to it; one of a terminal reaches it
 * anyway. They are P3D_INTERRUPTED here, once it has ended or a fifth of a
 * second has gone by.
 *
 * @param words   its name (of PATH, where it has no /) and arguments, then NULL
 * @param status  its exit status, or 128 and the number of the signal that
 *                ended it
 * @return false with P3D_INTERRUPTED or P3D_SYSTEM
 */
P3D_CHECK bool cli_process_run(
        const char *const *words, int *status, p3d_error *err);

#endif
