/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_value.h - variables of a shell script and what stands for them. */
#ifndef PLAN3D_EXCHANGE_SHELL_VALUE_H
#define PLAN3D_EXCHANGE_SHELL_VALUE_H

#include "base/text.h"

typedef struct p3d_shell_variable {
    char name[128];
    char *value; /* owned */
} p3d_shell_variable;

/** Zero to begin. */
typedef struct p3d_shell_values {
    p3d_shell_variable *at;
    int n;
} p3d_shell_values;

/** Set a variable, or append to it behind a blank.
 *  @return false when memory runs out; further variables than 4096 are left
 *          out */
P3D_CHECK bool p3d_shell_set(p3d_shell_values *values, const char *name,
        const char *value, bool append);

/**
 * Append what stands for the "$" or "`" at a place: $NAME, ${NAME},
 * ${NAME:-word}, ${NAME[@]}, $((sum)). Anything else is appended as it is
 * written, and so is a variable that is not set.
 *
 * @return the place behind it
 */
const char *p3d_shell_expand(
        const p3d_shell_values *values, const char *at, p3d_text *out);

void p3d_shell_free(p3d_shell_values *values);

#endif
