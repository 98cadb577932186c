/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_terms.h - entries of results by their definition, in double
 * precision: the terms first, first + step, ..., so that threads share them.
 *
 * Whoever includes this has defined before
 *     BENCH_LOAD(data, dtype, i), element i of an array as a number.
 * Tested: tests/bench/test_reference.c */
#ifndef PLAN3D_BENCH_REFERENCE_TERMS_H
#define PLAN3D_BENCH_REFERENCE_TERMS_H

#include <math.h>

#include "bench/host/groups.h"
#include "bench/host/reference.h"

/** C[i, j] = sum of A[i, p] B[p, j]; for the places in memory, p3d_layout. */
BENCH_BOTH static inline bench_sums bench_product_terms(const bench_product *x,
        int64_t i, int64_t j, int64_t first, int64_t step)
{
    bench_sums s = {0, 0, 1};

    for (int64_t p = first; p < x->k; p += step) {
        const int64_t a =
                x->layout == P3D_LAYOUT_WGRAD ? p * x->m + i : i * x->k + p;
        const int64_t b =
                x->layout == P3D_LAYOUT_FORWARD ? j * x->k + p : p * x->n + j;
        const double term = (double)BENCH_LOAD(x->a, x->dtype, a) *
                            (double)BENCH_LOAD(x->b, x->dtype, b);

        s.all += term;
        s.squares += term * term;
    }
    return s;
}

/** Where the row of a token and head begins. */
BENCH_BOTH static inline int64_t bench_row(int64_t batch, int64_t token,
        int64_t head, int64_t seq, int64_t heads, int64_t dim)
{
    return ((batch * seq + token) * heads + head) * dim;
}

BENCH_BOTH static inline double bench_dot(const void *a, int64_t i,
        const void *b, int64_t j, int64_t n, int dtype)
{
    double sum = 0;

    for (int64_t p = 0; p < n; p++)
        sum += (double)BENCH_LOAD(a, dtype, i + p) *
               (double)BENCH_LOAD(b, dtype, j + p);
    return sum;
}

/** The score of query i and key j. That of inputs from -0.5 to 0.5 is small:
 *  no maximum is needed before the exponential. */
BENCH_BOTH static inline double bench_score(
        const bench_core *c, int64_t batch, int64_t head, int64_t i, int64_t j)
{
    const int64_t kv = head * c->kv_heads / c->heads;
    const int64_t q = bench_row(batch, i, head, c->seq_q, c->heads, c->qk_dim);
    const int64_t k =
            bench_row(batch, j, kv, c->seq_kv, c->kv_heads, c->qk_dim);

    return bench_dot(c->q, q, c->k, k, c->qk_dim, c->dtype) /
           sqrt((double)c->qk_dim);
}

BENCH_BOTH static inline double bench_probability(
        const bench_core *c, int64_t batch, int64_t head, int64_t i, int64_t j)
{
    return exp(bench_score(c, batch, head, i, j) -
               (double)c->stats[(batch * c->heads + head) * c->seq_q + i]);
}

/** O[i] = sum of exp(s) V over sum of exp(s). */
BENCH_BOTH static inline bench_sums bench_output_terms(
        const bench_core *c, bench_entry e, int64_t first, int64_t step)
{
    const int64_t kv = e.head * c->kv_heads / c->heads;
    const int64_t seen = c->causal ? e.token + 1 : c->seq_kv;
    bench_sums s = {0, 0, 0};

    for (int64_t j = first; j < seen; j += step) {
        const double power = exp(bench_score(c, e.batch, e.head, e.token, j));
        const int64_t v =
                bench_row(e.batch, j, kv, c->seq_kv, c->kv_heads, c->v_dim);
        const double term = power * (double)BENCH_LOAD(c->v, c->dtype, v + e.d);

        s.all += term;
        s.squares += term * term;
        s.weight += power;
    }
    return s;
}

/** dV[j] = sum of P dO over the heads that share it and the tokens that see
 *  it. */
BENCH_BOTH static inline bench_sums bench_value_terms(
        const bench_core *c, bench_entry e, int64_t first, int64_t step)
{
    const int64_t group = c->heads / c->kv_heads;
    bench_sums s = {0, 0, 1};

    for (int64_t i = first + (c->causal ? e.token : 0); i < c->seq_q;
            i += step) {
        for (int64_t h = e.head * group; h < (e.head + 1) * group; h++) {
            const int64_t row =
                    bench_row(e.batch, i, h, c->seq_q, c->heads, c->v_dim);
            const double term = bench_probability(c, e.batch, h, i, e.token) *
                                (double)BENCH_LOAD(c->d_o, c->dtype, row + e.d);

            s.all += term;
            s.squares += term * term;
        }
    }
    return s;
}

/** dQ[i] = scale sum of P (dO V' - dO O') K. */
BENCH_BOTH static inline bench_sums bench_query_terms(
        const bench_core *c, bench_entry e, int64_t first, int64_t step)
{
    const int64_t kv = e.head * c->kv_heads / c->heads;
    const int64_t seen = c->causal ? e.token + 1 : c->seq_kv;
    const int64_t own =
            bench_row(e.batch, e.token, e.head, c->seq_q, c->heads, c->v_dim);
    const double mean = bench_dot(c->d_o, own, c->o, own, c->v_dim, c->dtype);
    bench_sums s = {0, 0, sqrt((double)c->qk_dim)};

    for (int64_t j = first; j < seen; j += step) {
        const int64_t v =
                bench_row(e.batch, j, kv, c->seq_kv, c->kv_heads, c->v_dim);
        const int64_t k =
                bench_row(e.batch, j, kv, c->seq_kv, c->kv_heads, c->qk_dim);
        const double term =
                bench_probability(c, e.batch, e.head, e.token, j) *
                (bench_dot(c->d_o, own, c->v, v, c->v_dim, c->dtype) - mean) *
                (double)BENCH_LOAD(c->k, c->dtype, k + e.d);

        s.all += term;
        s.squares += term * term;
    }
    return s;
}

/** dK[j] = scale sum of P (dO V' - dO O') Q over the heads that share it and
 *  the tokens that see it. */
BENCH_BOTH static inline bench_sums bench_key_terms(
        const bench_core *c, bench_entry e, int64_t first, int64_t step)
{
    const int64_t group = c->heads / c->kv_heads;
    const int64_t v = bench_row(
            e.batch, e.token, e.head, c->seq_kv, c->kv_heads, c->v_dim);
    bench_sums s = {0, 0, sqrt((double)c->qk_dim)};

    for (int64_t i = first + (c->causal ? e.token : 0); i < c->seq_q;
            i += step) {
        for (int64_t h = e.head * group; h < (e.head + 1) * group; h++) {
            const int64_t o =
                    bench_row(e.batch, i, h, c->seq_q, c->heads, c->v_dim);
            const int64_t q =
                    bench_row(e.batch, i, h, c->seq_q, c->heads, c->qk_dim);
            const double term =
                    bench_probability(c, e.batch, h, i, e.token) *
                    (bench_dot(c->d_o, o, c->v, v, c->v_dim, c->dtype) -
                            bench_dot(c->d_o, o, c->o, o, c->v_dim, c->dtype)) *
                    (double)BENCH_LOAD(c->q, c->dtype, q + e.d);

            s.all += term;
            s.squares += term * term;
        }
    }
    return s;
}

/** Whether a result has the shape of keys and values, not of queries; and
 *  whether its heads have the size of those of queries and keys. */
BENCH_BOTH static inline int bench_is_of_keys(bench_core_result which)
{
    return which == BENCH_RESULT_DV || which == BENCH_RESULT_DK;
}

BENCH_BOTH static inline int64_t bench_size_of(
        const bench_core *c, bench_core_result which)
{
    return which == BENCH_RESULT_DQ || which == BENCH_RESULT_DK ? c->qk_dim
                                                                : c->v_dim;
}

/** The n-th of the entries that are compared: spread over the result. */
BENCH_BOTH static inline bench_entry bench_entry_at(
        const bench_core *c, bench_core_result which, int64_t n)
{
    const int64_t step = n * 7919 + 1;
    const int64_t heads = bench_is_of_keys(which) ? c->kv_heads : c->heads;
    const int64_t seq = bench_is_of_keys(which) ? c->seq_kv : c->seq_q;
    const int64_t dim = bench_size_of(c, which);
    const bench_entry e = {
            step % c->batch, step * 31 % seq, step % heads, step * 13 % dim};

    return e;
}

BENCH_BOTH static inline bench_sums bench_core_terms(const bench_core *c,
        bench_core_result which, bench_entry e, int64_t first, int64_t step)
{
    switch (which) {
    case BENCH_RESULT_O: return bench_output_terms(c, e, first, step);
    case BENCH_RESULT_DV: return bench_value_terms(c, e, first, step);
    case BENCH_RESULT_DQ: return bench_query_terms(c, e, first, step);
    case BENCH_RESULT_DK: break;
    }
    return bench_key_terms(c, e, first, step);
}

/** |got - sum| over the root of the sum of squares, about an entry's size. */
BENCH_BOTH static inline double bench_error(double got, bench_sums s)
{
    return fabs(got * s.weight - s.all) / sqrt(s.squares);
}

/** The result's entry as it came out. */
BENCH_BOTH static inline double bench_core_got(
        const bench_core *c, bench_core_result which, bench_entry e)
{
    const int64_t heads = bench_is_of_keys(which) ? c->kv_heads : c->heads;
    const int64_t seq = bench_is_of_keys(which) ? c->seq_kv : c->seq_q;
    const int64_t dim = bench_size_of(c, which);

    return (double)BENCH_LOAD(c->result, c->dtype,
            bench_row(e.batch, e.token, e.head, seq, heads, dim) + e.d);
}

#endif
