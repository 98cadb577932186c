/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - names in order, so that one of many is found at once. */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const p3d_name *const left = a;
    const p3d_name *const right = b;
    const int order = strcmp(left->name, right->name);

    return order != 0 ? order
                      : (left->row > right->row) - (left->row < right->row);
}

void p3d_names_sort(p3d_name *names, int n)
{
    if (n > 1)
        qsort(names, (size_t)n, sizeof(*names), compare);
}

/* As strcmp(), of a name that ends after `length` bytes. */
static int compare_to(const char *name, const char *to, size_t length)
{
    const int order = strncmp(name, to, length);

    return order != 0 ? order : name[length] != '\0';
}

int p3d_names_find(
        const p3d_name *names, int n, const char *name, size_t length)
{
    int low = 0;
    int high = n;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (compare_to(names[middle].name, name, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && compare_to(names[low].name, name, length) == 0
                   ? names[low].row
                   : -1;
}
