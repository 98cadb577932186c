/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c - arrays that grow by one. */
#include "base/rows.h"

#include <string.h>

bool p3d_rows_add(p3d_rows *rows, size_t size, const void *row, p3d_error *err)
{
    void *const items = p3d_grow(rows->items, rows->n, size);

    if (items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    rows->items = items;
    memcpy((char *)items + (size_t)rows->n++ * size, row, size);
    return true;
}
