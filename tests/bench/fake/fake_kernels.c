/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_kernels.c - the kernels whose results are looked at; the others do
 * nothing. */
#include "bench/device/kernels.h"
#include "tests/bench/fake/fake.h"
#define BENCH_LOAD(data, dtype, i) fake_load(data, dtype, i)
#include "bench/host/reference_terms.h"

cudaError_t bench_fill(
        void *data, int dtype, int64_t n, uint64_t seed, cudaStream_t stream)
{
    (void)stream;
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        fake_store(data, dtype, i, (float)(seed >> 40) / 16777216.0F - 0.5F);
    }
    return cudaSuccess;
}

cudaError_t bench_check(const bench_product *product, int n, double *errors,
        cudaStream_t stream)
{
    const int result = product->result_bytes == 4          ? P3D_NUMBER_FP32
                       : product->dtype == P3D_NUMBER_FP16 ? P3D_NUMBER_FP16
                                                           : P3D_NUMBER_BF16;

    (void)stream;
    for (int at = 0; at < n; at++) {
        const int64_t i = at * 31 % product->m;
        const int64_t j = at * 17 % product->n;

        errors[at] = bench_error(
                (double)fake_load(product->c, result, i * product->n + j),
                bench_product_terms(product, i, j, 0, 1));
    }
    return cudaSuccess;
}

cudaError_t bench_fill_pattern(
        float *data, int rank, int64_t n, cudaStream_t stream)
{
    (void)stream;
    for (int64_t i = 0; i < n; i++)
        data[i] = bench_pattern(rank, i);
    return cudaSuccess;
}

cudaError_t bench_count_wrong(const float *data, int op, int rank, int n_ranks,
        int64_t count, int64_t n, int64_t stride, unsigned long long *wrong,
        cudaStream_t stream)
{
    (void)stream;
    for (int64_t i = 0; i < n; i += stride)
        *wrong += data[i] < bench_expected(op, rank, n_ranks, count, i) ||
                  data[i] > bench_expected(op, rank, n_ranks, count, i);
    return cudaSuccess;
}

/* Passes that are only timed. */
cudaError_t bench_scale(void *x, int64_t n, cudaStream_t stream)
{
    (void)x, (void)n, (void)stream;
    return cudaSuccess;
}

cudaError_t bench_add_arrays(
        const void *a, const void *b, void *c, int64_t n, cudaStream_t stream)
{
    (void)a, (void)b, (void)c, (void)n, (void)stream;
    return cudaSuccess;
}

cudaError_t bench_swiglu(
        const void *a, const void *b, void *y, int64_t n, cudaStream_t stream)
{
    (void)a, (void)b, (void)y, (void)n, (void)stream;
    return cudaSuccess;
}

cudaError_t bench_norm(const void *x, const void *weight, void *y, float *scale,
        int64_t rows, int width, cudaStream_t stream)
{
    (void)x, (void)weight, (void)y, (void)width, (void)stream;
    scale[rows - 1] = 1; /* the sanitizers see the last one */
    return cudaSuccess;
}

cudaError_t bench_norm_backward(const void *x, const void *weight,
        const void *dy, const float *scale, void *dx, int64_t rows, int width,
        cudaStream_t stream)
{
    (void)x, (void)weight, (void)dy, (void)scale, (void)stream;
    ((uint16_t *)dx)[rows * width - 1] = 0;
    return cudaSuccess;
}

cudaError_t bench_adam(float *weights, const float *gradients, float *m,
        float *v, void *rounded, int64_t n, cudaStream_t stream)
{
    (void)weights, (void)gradients, (void)m, (void)v, (void)stream;
    ((uint16_t *)rounded)[n - 1] = 0;
    return cudaSuccess;
}

cudaError_t bench_softmax(void *scores, int dtype, int64_t rows, int width,
        int seq, int causal, cudaStream_t stream)
{
    (void)seq, (void)causal, (void)stream;
    fake_store(scores, dtype, rows * width - 1, 0);
    return cudaSuccess;
}

cudaError_t bench_softmax_backward(const void *p, void *dp, int dtype,
        int64_t rows, int width, cudaStream_t stream)
{
    (void)stream;
    fake_store(
            dp, dtype, rows * width - 1, fake_load(p, dtype, rows * width - 1));
    return cudaSuccess;
}
