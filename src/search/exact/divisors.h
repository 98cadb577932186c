/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divisors.h - the divisors of a number, ascending. */
#ifndef PLAN3D_SEARCH_EXACT_DIVISORS_H
#define PLAN3D_SEARCH_EXACT_DIVISORS_H

#include <stdint.h>

/* No number below 2^31 has more than 1536 divisors. */
enum { SEARCH_MAX_DIVISORS = 1536 };

typedef struct search_divisors {
    int n;
    int at[SEARCH_MAX_DIVISORS];
} search_divisors;

/** @param number  1 .. 2^31 - 1; larger ones are cut to their divisors below */
void search_divisors_of(int64_t number, search_divisors *out);

#endif
