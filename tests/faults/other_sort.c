/* SPDX-License-Identifier: GPL-3.0-or-later */
/* other_sort.c - another qsort(), as other libraries have one: preloaded into a
 * program, it leaves what compares equal in another order than glibc's, which
 * keeps the order. The array is turned round and then sorted by a heap. */
#include <stdlib.h>

typedef int comparison(const void *a, const void *b);

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = a[i];

        a[i] = b[i];
        b[i] = byte;
    }
}

/* Let an element sink until none below it is larger. */
static void sink(unsigned char *base, size_t at, size_t n, size_t size,
        comparison *compare)
{
    size_t child;

    for (; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n &&
                compare(base + child * size, base + (child + 1) * size) < 0)
            child++;
        if (compare(base + at * size, base + child * size) >= 0)
            return;
        swap(base + at * size, base + child * size, size);
    }
}

void qsort(void *array, size_t n, size_t size, comparison *compare)
{
    unsigned char *const base = array;

    for (size_t i = 0; i < n / 2; i++)
        swap(base + i * size, base + (n - 1 - i) * size, size);
    for (size_t i = n / 2; i-- > 0;)
        sink(base, i, n, size, compare);
    for (size_t last = n; last-- > 1;) {
        swap(base, base + last * size, size);
        sink(base, 0, last, size, compare);
    }
}
