/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divisors.c - the divisors of a number, ascending. */
#include "search/exact/divisors.h"

#include <limits.h>

void search_divisors_of(int64_t number, search_divisors *out)
{
    search_divisors high = {.n = 0};

    out->n = 0;
    for (int64_t d = 1; d * d <= number; d++) {
        if (number % d != 0)
            continue;
        if (d <= INT_MAX && out->n < SEARCH_MAX_DIVISORS)
            out->at[out->n++] = (int)d;
        if (number / d != d && number / d <= INT_MAX &&
                high.n < SEARCH_MAX_DIVISORS)
            high.at[high.n++] = (int)(number / d);
    }
    while (high.n > 0 && out->n < SEARCH_MAX_DIVISORS)
        out->at[out->n++] = high.at[--high.n];
}
