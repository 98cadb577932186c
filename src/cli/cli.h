/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the whole program as one function. */
#ifndef PLAN3D_CLI_CLI_H
#define PLAN3D_CLI_CLI_H

#include <stdio.h>

/**
 * Run a command line.
 *
 * @param argv  the arguments behind the program's name
 * @param out  receives the answer, at once and only when there is one
 * @param err  receives one line when there is none
 * @return the exit status (P3D_CODES)
 */
int cli_main(int argc, const char *const *argv, FILE *out, FILE *err);

#endif
