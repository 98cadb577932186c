/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h - an array of structs with its length, as files hold them. */
#ifndef PLAN3D_ROWS_H
#define PLAN3D_ROWS_H

/** `n` structs; of which type, the member that holds the rows says. */
typedef struct p3d_rows {
    void *items; /* NULL when there are none */
    int n;
} p3d_rows;

#endif
