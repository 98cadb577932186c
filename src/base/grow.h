/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grow.h - arrays that grow by one. */
#ifndef PLAN3D_BASE_GROW_H
#define PLAN3D_BASE_GROW_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/error.h"
#include "plan3d/rows.h"

/**
 * Make room for one more item of an array that only this function grows: it
 * moves to twice the room whenever n is a power of two.
 *
 * @param items  n of them, of `size` bytes each; NULL when n is 0
 * @return where they are now; NULL when memory runs out, and they stay
 */
static inline void *p3d_grow(void *items, int n, size_t size)
{
    if ((n & (n - 1)) != 0)
        return items;
    return realloc(items, (n > 0 ? 2 * (size_t)n : 1) * size);
}

/** Append a row of so many bytes. @return false with P3D_SYSTEM */
P3D_CHECK static inline bool p3d_rows_add(
        p3d_rows *rows, size_t size, const void *row, p3d_error *err)
{
    void *const items = p3d_grow(rows->items, rows->n, size);

    if (items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    rows->items = items;
    memcpy((char *)items + (size_t)rows->n++ * size, row, size);
    return true;
}

#endif
