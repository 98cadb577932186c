/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - names in order, so that one of many is found at once. */
#ifndef PLAN3D_BASE_NAMES_H
#define PLAN3D_BASE_NAMES_H

#include <stddef.h>

/** The name of a row. */
typedef struct p3d_name {
    const char *name;
    int row;
} p3d_name;

/** Put n names in order; those of one name by their rows. */
void p3d_names_sort(p3d_name *names, int n);

/** The first row that has a name of `length` bytes; -1 = none.
 *  @param names  in order */
int p3d_names_find(
        const p3d_name *names, int n, const char *name, size_t length);

#endif
