/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_variables.h - the variables of a shell script. */
#ifndef PLAN3D_EXCHANGE_READ_SHELL_VARIABLES_H
#define PLAN3D_EXCHANGE_READ_SHELL_VARIABLES_H

#include "base/text.h"

enum {
    P3D_SHELL_VARIABLES = 4096, /* more are left out */
    P3D_SHELL_SLOTS = 2 * P3D_SHELL_VARIABLES,
    P3D_SHELL_EXPANDED = 16 << 20 /* bytes that variables may stand for in a
                                     script, all uses together */
};

typedef struct p3d_shell_variable {
    p3d_text name;
    p3d_text value;
} p3d_shell_variable;

/** Zero to begin. */
typedef struct p3d_shell_variables {
    p3d_shell_variable *at;
    int n;
    short slots
            [P3D_SHELL_SLOTS]; /* by the name's hash: a place + 1; 0 = none */
    size_t n_expanded;         /* bytes so far */
} p3d_shell_variables;

/** Set the variable of a name of n bytes, or append to it behind a blank.
 *  @return false when memory runs out */
P3D_CHECK bool p3d_shell_set(p3d_shell_variables *variables, const char *name,
        size_t n, const char *value, bool append);

/** NULL when it is not set. */
const p3d_text *p3d_shell_get(
        const p3d_shell_variables *variables, const char *name, size_t n);

/** Append a value, as long as all of them together are not too long. */
void p3d_shell_put(
        p3d_shell_variables *variables, const p3d_text *value, p3d_text *out);

/** Values that were put are missing: they are too long together. */
bool p3d_shell_too_long(const p3d_shell_variables *variables);

void p3d_shell_free(p3d_shell_variables *variables);

#endif
