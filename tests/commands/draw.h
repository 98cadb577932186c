/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - random choices that are the same on every machine. */
#ifndef PLAN3D_TEST_DRAW_H
#define PLAN3D_TEST_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct draw_source {
    uint64_t state;
} draw_source;

/** The choices of the number-th command line of a seed. */
draw_source draw_begin(uint64_t seed, int number);

/** A number in 0 .. n - 1. */
int draw_below(draw_source *d, int n);

/** True once in n times. */
bool draw_one_in(draw_source *d, int n);

/** A size 1, 2, 4 .. 2^largest, the small ones more often. */
int draw_power(draw_source *d, int largest);

/** One of the words of a list such as "1|2|4". @return buffer */
const char *draw_word(draw_source *d, const char *list, char *buffer, size_t n);

#endif
