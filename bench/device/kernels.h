/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h - the device's kernels, as C calls them. All run on a stream and
 * return the error of the launch. */
#ifndef PLAN3D_BENCH_KERNELS_H
#define PLAN3D_BENCH_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "bench/host/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fill with numbers evenly from -0.5 to 0.5; dtype is a p3d_number. */
cudaError_t bench_fill(
        void *data, int dtype, int64_t n, uint64_t seed, cudaStream_t stream);

/** Compare n entries spread over the result with sums in double precision:
 *  errors[i] is |c - sum| over the root of the sum of
 *  (a b)^2, which is about the size of c. */
cudaError_t bench_check(const bench_product *product, int n, double *errors,
        cudaStream_t stream);

/** Passes of about these bytes; see p3d_pass_kernel for what each moves. */
cudaError_t bench_scale(void *x, int64_t n, cudaStream_t stream);
cudaError_t bench_add_arrays(
        const void *a, const void *b, void *c, int64_t n, cudaStream_t stream);
cudaError_t bench_swiglu(
        const void *a, const void *b, void *y, int64_t n, cudaStream_t stream);

/** Rows of bf16 that a norm reads. */
typedef struct bench_norm_rows {
    const void *x;
    const void *weight; /* one row */
    float *scale;       /* a number a row: from bench_norm() for its backward */
    int64_t n;
    int width;
} bench_norm_rows;

cudaError_t bench_norm(bench_norm_rows rows, void *y, cudaStream_t stream);
cudaError_t bench_norm_backward(
        bench_norm_rows rows, const void *dy, void *dx, cudaStream_t stream);

/** What an Adam step reads and writes, n numbers each. */
typedef struct bench_adam_arrays {
    float *weights;
    const float *gradients;
    float *m, *v;
    void *rounded; /* the weights in bf16 */
    int64_t n;
} bench_adam_arrays;

cudaError_t bench_adam(bench_adam_arrays arrays, cudaStream_t stream);

/** Rows of an attention core's scores, or of what becomes of them. */
typedef struct bench_score_rows {
    void *data;
    int dtype; /* p3d_number */
    int64_t n;
    int width;
    int seq;    /* rows of one matrix */
    int causal; /* its row r sees its first r + 1 + width - seq columns */
} bench_score_rows;

/** Softmax in place. */
cudaError_t bench_softmax(bench_score_rows scores, cudaStream_t stream);
/** dp = p (dp - sum(p dp)), in place; p lies as dp. */
cudaError_t bench_softmax_backward(
        const void *p, bench_score_rows dp, cudaStream_t stream);

/** As bench_check(), of n entries of an attention core's result. */
cudaError_t bench_check_core(const bench_core *core, bench_core_result which,
        int n, double *errors, cudaStream_t stream);

/** What a rank sends in a collective. */
cudaError_t bench_fill_pattern(
        float *data, int rank, int64_t n, cudaStream_t stream);

/** What a rank received of a collective; see bench_expected(). */
typedef struct bench_received {
    const float *data;
    int op;
    int rank;
    int n_ranks;
    int64_t count;  /* elements of the collective's larger buffer */
    int64_t n;      /* elements received */
    int64_t stride; /* one in so many is looked at */
} bench_received;

/** Add to `wrong` how many elements are not what bench_expected() says. */
cudaError_t bench_count_wrong(
        bench_received got, unsigned long long *wrong, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
