/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number_list.h - lists of whole numbers: "8..1024". */
#ifndef PLAN3D_BASE_NUMBER_LIST_H
#define PLAN3D_BASE_NUMBER_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

/** More would not be read by anyone, and never end. */
enum { P3D_MAX_NUMBERS = 16384 };

/** Numbers in the order in which they were written. Zero is none. */
typedef struct p3d_numbers {
    int64_t *at; /* owned */
    int n;
} p3d_numbers;

/** What a number may be. */
typedef struct p3d_bounds {
    int64_t min, max;
    bool lengths; /* of sequences: K is 1024 */
} p3d_bounds;

/**
 * Append the numbers of a list. Its parts stand between commas: a number
 * ("512", "4K": 4000, or 4096 tokens of a sequence), a range that doubles
 * ("8..1024": 8, 16, 32, ... at most 1024)
 * or one with a step ("8..512:8": 8, 16, 24, ...).
 *
 * @param text  of n bytes
 * @param out   free with p3d_numbers_free(), also after a failure
 * @return false with P3D_USAGE: what is wrong and what to write
 */
P3D_CHECK bool p3d_numbers_parse(const char *text, size_t n, p3d_bounds bounds,
        p3d_numbers *out, p3d_error *err);

/** Append one number. @return false with P3D_USAGE or P3D_SYSTEM */
P3D_CHECK bool p3d_numbers_add(
        p3d_numbers *numbers, int64_t number, p3d_error *err);

/** Put them in ascending order, each once. */
void p3d_numbers_sort(p3d_numbers *numbers);

void p3d_numbers_free(p3d_numbers *numbers);

#endif
