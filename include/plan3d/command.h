/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the whole program as one function: for callers that would rather
 * read JSON than structs, such as other languages. */
#ifndef PLAN3D_COMMAND_H
#define PLAN3D_COMMAND_H

#include "plan3d/api.h"

P3D_API_BEGIN

/**
 * Run a command line: {"fit", "70B", "64xA800", "--json"}.
 *
 * A long search shows how far it is on a terminal at stderr, and Ctrl-C ends
 * it; the handler of SIGINT that was there before is there again afterwards.
 *
 * @param argv  the arguments behind the program's name
 * @param out   what the program prints; NULL when memory runs out
 * @param err   its message, "" when there is none; NULL likewise. Both are to
 *              be released with p3d_command_free(); either may be NULL where
 *              nobody wants to read it.
 * @return the exit status (P3D_CODES)
 */
int p3d_command(int argc, const char *const *argv, char **out, char **err);

/** Accepts NULL. */
void p3d_command_free(char *text);

P3D_API_END

#endif
