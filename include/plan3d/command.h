/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the whole program as one function: for callers that would rather
 * read JSON than structs, such as other languages. */
#ifndef PLAN3D_COMMAND_H
#define PLAN3D_COMMAND_H

#include <stdbool.h>

#include "plan3d/api.h"

P3D_API_BEGIN

/**
 * Run a command line: {"fit", "70B", "64xA800", "--json"}.
 *
 * A long search shows how far it is on a terminal at stderr, and Ctrl-C ends
 * it; the handler of SIGINT that was there before is there again afterwards.
 * Several threads may run commands at once: Ctrl-C ends all of them.
 *
 * @param argv  the arguments behind the program's name
 * @param out   what the program prints; NULL when memory runs out
 * @param err   its message, "" when there is none; NULL likewise. Both are to
 *              be released with p3d_command_free(); either may be NULL where
 *              nobody wants to read it.
 * @return the exit status (P3D_CODES)
 */
int p3d_command(int argc, const char *const *argv, char **out, char **err);

/** Somebody who hears how far a long command is. */
typedef struct p3d_listener {
    /**
     * Called by the thread that called p3d_command_listen(): first after half a
     * second, then at most ten times a second. It may not run a command itself.
     *
     * @param words  "comparing plans: 12 %", in the language of the answer,
     *               without an end of line
     * @param done_frac  the share that is done, from 0 to 1; -1 = nobody knows
     * @return false to end the command, as Ctrl-C does: its exit status is that
     *         of P3D_INTERRUPTED, and what was found so far may be printed
     */
    bool (*hear)(void *context, const char *words, double done_frac);
    void *context;
} p3d_listener;

/** As p3d_command(), but nothing is shown on a terminal: the listener is told.
 *  @param listener  NULL, or one whose hear is NULL: nobody listens */
int p3d_command_listen(int argc, const char *const *argv,
        const p3d_listener *listener, char **out, char **err);

/** Accepts NULL. */
void p3d_command_free(char *text);

P3D_API_END

#endif
