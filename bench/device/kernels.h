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
cudaError_t bench_norm(const void *x, const void *weight, void *y, float *scale,
        int64_t rows, int width, cudaStream_t stream);
cudaError_t bench_norm_backward(const void *x, const void *weight,
        const void *dy, const float *scale, void *dx, int64_t rows, int width,
        cudaStream_t stream);
cudaError_t bench_adam(float *weights, const float *gradients, float *m,
        float *v, void *rounded, int64_t n, cudaStream_t stream);

/** Softmax of rows of `width` scores in place; row r of each `seq` rows sees
 *  its first r + 1 + width - seq columns when causal. */
cudaError_t bench_softmax(void *scores, int dtype, int64_t rows, int width,
        int seq, int causal, cudaStream_t stream);
/** dp = p (dp - sum(p dp)), in place. */
cudaError_t bench_softmax_backward(const void *p, void *dp, int dtype,
        int64_t rows, int width, cudaStream_t stream);

/** As bench_check(), of n entries of an attention core's result. */
cudaError_t bench_check_core(const bench_core *core, bench_core_result which,
        int n, double *errors, cudaStream_t stream);

/** What a rank sends in a collective; and how many of the elements that it
 *  received, one in `stride`, are not what bench_expected() says. */
cudaError_t bench_fill_pattern(
        float *data, int rank, int64_t n, cudaStream_t stream);
cudaError_t bench_count_wrong(const float *data, int op, int rank, int n_ranks,
        int64_t count, int64_t n, int64_t stride, unsigned long long *wrong,
        cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
