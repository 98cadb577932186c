/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions_shell.h - parts of a script that are found by its text: bodies of
 * functions, lines of here-documents. */
#ifndef PLAN3D_EXCHANGE_READ_FUNCTIONS_SHELL_H
#define PLAN3D_EXCHANGE_READ_FUNCTIONS_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum {
    EXCHANGE_SHELL_FUNCTIONS = 64,
    EXCHANGE_SHELL_CALLS = 256, /* of a script; more are left out */
    EXCHANGE_SHELL_DEPTH = 8
};

/** A function that the script calls by its name. */
typedef struct exchange_shell_function {
    p3d_text name;
    p3d_text body;
    int line; /* of its body */
} exchange_shell_function;

/** Zero to begin. */
typedef struct exchange_shell_functions {
    exchange_shell_function at[EXCHANGE_SHELL_FUNCTIONS];
    int n;
    int n_calls;
    int depth;
} exchange_shell_functions;

/**
 * Take the function that begins at a place, "name() {" or "function name {",
 * if what follows it calls it.
 *
 * @param line  of the place
 * @return the place behind its body; NULL where none begins, or none is called
 *         later, or there is no room for it
 */
const char *exchange_shell_define(
        exchange_shell_functions *functions, const char *at, int line);

/** The function of a name; NULL = none. */
const exchange_shell_function *exchange_shell_function_of(
        const exchange_shell_functions *functions, const char *name);

/** Accepts zero ones. */
void exchange_shell_functions_free(exchange_shell_functions *functions);

/** A here-document: how it ends. */
typedef struct exchange_here {
    const char *end;
    size_t n;
    bool is_plain; /* its variables stay as they are written */
} exchange_here;

/** Read "<<EOF", "<<-EOF", "<<'EOF'". @return false where none begins */
bool exchange_here_read(const char *at, exchange_here *out);

/** The line that ends a here-document; NULL = none. */
const char *exchange_here_end(const char *at, const exchange_here *here);

#endif
