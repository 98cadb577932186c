/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_value.h - what stands for a "$" of a shell script. */
#ifndef PLAN3D_EXCHANGE_READ_SHELL_VALUE_H
#define PLAN3D_EXCHANGE_READ_SHELL_VALUE_H

#include "exchange/read/shell_variables.h"

/**
 * Append what stands for the "$" or "`" at a place: $NAME, ${NAME},
 * ${NAME:-word}, ${NAME[@]}, $((sum)). Anything else is appended as it is
 * written, and so is a variable that is not set.
 *
 * @return the place behind it
 */
const char *p3d_shell_expand(
        p3d_shell_variables *variables, const char *at, p3d_text *out);

#endif
