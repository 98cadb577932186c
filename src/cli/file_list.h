/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_list.h - names of files with commas between them, as an option takes
 * them. */
#ifndef PLAN3D_CLI_FILE_LIST_H
#define PLAN3D_CLI_FILE_LIST_H

#include <stddef.h>

#include "plan3d/error.h"

typedef struct cli_file_list {
    const char *option;  /* "--trace" */
    const char *example; /* "a.json,b.json" */
    int most;            /* files */
    const char *at;      /* what is left; NULL = nothing */
    int n;               /* that were taken */
} cli_file_list;

/** Take the next name.
 *  @param out  a path's room; "" behind the last
 *  @return false with P3D_USAGE: an empty name, or one too many */
P3D_CHECK bool cli_next_file(
        cli_file_list *list, char *out, size_t n, p3d_error *err);

#endif
