/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.h - which shapes and sizes are measured when no plan says. */
#ifndef PLAN3D_BENCH_SHAPES_H
#define PLAN3D_BENCH_SHAPES_H

#include <stdint.h>

#include "plan3d/measurements.h"

/** The i-th number of van der Corput's sequence, in (0, 1) for i >= 1.
 *  Source: J. H. Halton, Numerische Mathematik 2 (1960) 84-90. */
double bench_van_der_corput(int i, int base);

/** A product to measure. */
typedef struct bench_shape {
    int layout; /* p3d_layout */
    int64_t m, n, k;
} bench_shape;

/**
 * The i-th shape of the space-filling set: m, n, k by Halton's sequence (bases
 * 2, 3, 5) evenly on a logarithmic scale, 512 to 16,384, in multiples of 64;
 * every eighth in odd multiples of 8, as vocabularies and uneven heads have
 * them, in fp8 of 16, below which it has no kernels. The layouts take turns.
 */
bench_shape bench_shape_at(int i, p3d_number number);

/** The i-th size from min to max, in powers of 2, the last being max; 0 past
 *  the last. */
int64_t bench_size_at(int i, int64_t min_bytes, int64_t max_bytes);

/** Bytes of an element of a factor, and of the result. */
int bench_factor_bytes(p3d_number number);
int bench_result_bytes(p3d_number number, bool accumulate);

#endif
