/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.h - variables of a shell script, and what stands for "$" in it. */
#ifndef PLAN3D_EXCHANGE_READ_EXPAND_H
#define PLAN3D_EXCHANGE_READ_EXPAND_H

#include <stddef.h>

#include "base/text.h"

enum {
    EXCHANGE_SHELL_VARIABLES = 4096, /* more are left out */
    EXCHANGE_SHELL_SLOTS = 2 * EXCHANGE_SHELL_VARIABLES,
    EXCHANGE_SHELL_EXPANDED = 16
                              << 20 /* bytes that variables may stand for in a
                                     script, all uses together */
};

typedef struct exchange_shell_variable {
    p3d_text name;
    p3d_text value;
    bool is_gone;     /* it was forgotten */
    bool is_outside;  /* it came from the environment */
    bool is_put;      /* something that runs has it */
    bool is_put_idly; /* something that does not run has it */
    int first, n; /* settings that were read in the value that it was set to;
                     none where it was appended to */
} exchange_shell_variable;

/** Zero to begin. */
typedef struct exchange_shell_variables {
    exchange_shell_variable *at;
    int n;
    /* By the name's hash: a place + 1; 0 = none. */
    short slots[EXCHANGE_SHELL_SLOTS];
    size_t n_expanded; /* bytes so far */
    int depth;         /* of defaults within defaults */
    bool is_idle;      /* what is read now does not run */
    /* The environment; NULL = none. */
    const char *(*environment)(const char *name);
    int n_nodes; /* of the cluster; 0 = not known */
    int gpus_per_node;
} exchange_shell_variables;

/** Set the variable of a name of n bytes, or append to it behind a blank.
 *  @return false when memory runs out */
bool exchange_shell_set(exchange_shell_variables *variables, const char *name,
        size_t n, const char *value, bool append);

/** The variable of a name of n bytes; NULL = not set. */
const exchange_shell_variable *exchange_shell_find(
        const exchange_shell_variables *variables, const char *name, size_t n);

/** Keep which settings were read in the value that a variable was set to. */
void exchange_shell_keep_settings(exchange_shell_variables *variables,
        const char *name, size_t n, int first, int n_settings);

/** Forget a variable: nothing stands for it any more. */
void exchange_shell_forget(
        exchange_shell_variables *variables, const char *name, size_t n);

/** The value of the environment for a name of n bytes that the script may take
 *  from there; NULL = none. What a launcher or the system sets is not taken:
 *  the cluster of the question is another one. */
const char *exchange_shell_outside(
        const exchange_shell_variables *variables, const char *name, size_t n);

/** True for the name of a variable that a launcher or the system sets, so that
 *  it is not empty. */
bool exchange_shell_is_given(const char *name);

/* counted.c */

/** What a command of n bytes counts of the cluster, "nvidia-smi -L | wc -l".
 *  @return 0 = it counts something else, or the cluster is not known */
int exchange_shell_count(const exchange_shell_variables *variables,
        const char *command, size_t n);

/** True where values that were put are missing: they are too long together. */
bool exchange_shell_too_long(const exchange_shell_variables *variables);

/**
 * Append what stands for the "$" or "`" at a place: $NAME, ${NAME},
 * ${NAME:-word} and its kin, ${NAME[@]}, $((sum)), $(expr sum), and what a
 * command counts of the cluster. Anything else is appended
 * as it is written, and so is a variable that is not set.
 *
 * @return the place behind it
 */
const char *exchange_shell_expand(
        exchange_shell_variables *variables, const char *at, p3d_text *out);

/** Accepts zero variables. */
void exchange_shell_free(exchange_shell_variables *variables);

#endif
