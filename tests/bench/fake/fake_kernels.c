/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_kernels.c - the kernels whose results are looked at. */
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

cudaError_t bench_count_wrong(
        bench_received got, unsigned long long *wrong, cudaStream_t stream)
{
    (void)stream;
    for (int64_t i = 0; i < got.n; i += got.stride) {
        const float want =
                bench_expected(got.op, got.rank, got.n_ranks, got.count, i);

        *wrong += got.data[i] < want || got.data[i] > want;
    }
    return cudaSuccess;
}

cudaError_t bench_softmax(bench_score_rows scores, cudaStream_t stream)
{
    (void)stream;
    fake_store(scores.data, scores.dtype, scores.n * scores.width - 1, 0);
    return cudaSuccess;
}

cudaError_t bench_softmax_backward(
        const void *p, bench_score_rows dp, cudaStream_t stream)
{
    const int64_t last = dp.n * dp.width - 1;

    (void)stream;
    fake_store(dp.data, dp.dtype, last, fake_load(p, dp.dtype, last));
    return cudaSuccess;
}
