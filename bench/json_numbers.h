/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_numbers.h - replaces numbers of a JSON file and nothing else. */
#ifndef PLAN3D_BENCH_JSON_NUMBERS_H
#define PLAN3D_BENCH_JSON_NUMBERS_H

#include "plan3d/error.h"

typedef struct bench_number {
    const char *key;
    double value;
} bench_number;

/**
 * Write numbers of one object of a file, each in the place of the one that is
 * there; the rest of the text stays as it is.
 *
 * @param pointer  JSON Pointer of the object
 * @return false with P3D_DATA where a key has no number, P3D_SYSTEM
 */
P3D_CHECK bool bench_write_numbers(const char *path, const char *pointer,
        const bench_number *numbers, int n, p3d_error *err);

#endif
