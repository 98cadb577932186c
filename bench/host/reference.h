/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - what is measured and checked: a product, an attention core. */
#ifndef PLAN3D_BENCH_REFERENCE_H
#define PLAN3D_BENCH_REFERENCE_H

#include <stdint.h>

/** A product and its result. */
typedef struct bench_product {
    const void *a;
    const void *b;
    const void *c;
    int dtype;        /* p3d_number of a and b */
    int result_bytes; /* of an element of c: 4 is fp32 */
    int layout;       /* p3d_layout of a and b in memory */
    int64_t m, n, k;
} bench_product;

/** An attention core and its results. Matrices lie as [batch, tokens, heads,
 *  size]; stats are [batch, heads, tokens]. */
typedef struct bench_core {
    const void *q, *k, *v, *o, *d_o;
    const void *result; /* O, dV, dQ or dK */
    const float *stats; /* backward: log of the sum of a row's exponentials */
    int dtype;
    int causal;
    int64_t batch, heads, kv_heads, seq_q, seq_kv, qk_dim, v_dim;
} bench_core;

typedef enum bench_core_result {
    BENCH_RESULT_O,
    BENCH_RESULT_DV,
    BENCH_RESULT_DQ,
    BENCH_RESULT_DK
} bench_core_result;

/** An entry of such a matrix. */
typedef struct bench_entry {
    int64_t batch, token, head, d;
} bench_entry;

/** A part of the terms that an entry is the sum of. */
typedef struct bench_sums {
    double all;
    double squares;
    double weight; /* O is divided by it */
} bench_sums;

#endif
