/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.cu - data that goes in, and what must come out. */
#include "bench/device/elements.cuh"
#include "bench/device/kernels.h"
#define BENCH_LOAD(data, dtype, i) load(data, dtype, i)
#include "bench/host/reference_terms.h"

/* A whole number's bits, well mixed. Source: S. Vigna, splitmix64, public
 * domain. */
__device__ static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

__global__ static void fill(void *data, int dtype, int64_t n, uint64_t seed)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
            i += step) {
        const uint64_t bits = mix(seed + (uint64_t)i) >> 40; /* 24 of them */

        store(data, dtype, i, (float)bits / 16777216.0F - 0.5F);
    }
}

cudaError_t bench_fill(
        void *data, int dtype, int64_t n, uint64_t seed, cudaStream_t stream)
{
    fill<<<blocks_for(n), THREADS, 0, stream>>>(data, dtype, n, seed);
    return cudaGetLastError();
}

/* The sums of all threads of a block. */
__device__ static bench_sums add_up(bench_sums part, bool divided)
{
    const bench_sums all = {block_sum(part.all), block_sum(part.squares),
            divided ? block_sum(part.weight) : part.weight};

    return all;
}

/* One block an entry: its sum again, in double precision. */
__global__ static void check(bench_product x, double *errors)
{
    const int64_t i = (int64_t)(mix(2 * blockIdx.x) % (uint64_t)x.m);
    const int64_t j = (int64_t)(mix(2 * blockIdx.x + 1) % (uint64_t)x.n);
    const int result = x.result_bytes == 4          ? P3D_NUMBER_FP32
                       : x.dtype == P3D_NUMBER_FP16 ? P3D_NUMBER_FP16
                                                    : P3D_NUMBER_BF16;
    const bench_sums want = add_up(
            bench_product_terms(&x, i, j, threadIdx.x, blockDim.x), false);

    if (threadIdx.x == 0)
        errors[blockIdx.x] = bench_error(load(x.c, result, i * x.n + j), want);
}

cudaError_t bench_check(const bench_product *product, int n, double *errors,
        cudaStream_t stream)
{
    check<<<n, THREADS, 0, stream>>>(*product, errors);
    return cudaGetLastError();
}

__global__ static void check_core(
        bench_core c, bench_core_result which, double *errors)
{
    const bench_entry e = bench_entry_at(&c, which, blockIdx.x);
    const bench_sums want =
            add_up(bench_core_terms(&c, which, e, threadIdx.x, blockDim.x),
                    which == BENCH_RESULT_O);

    if (threadIdx.x == 0)
        errors[blockIdx.x] = bench_error(bench_core_got(&c, which, e), want);
}

cudaError_t bench_check_core(const bench_core *core, bench_core_result which,
        int n, double *errors, cudaStream_t stream)
{
    check_core<<<n, THREADS, 0, stream>>>(*core, which, errors);
    return cudaGetLastError();
}

__global__ static void fill_pattern(float *data, int rank, int64_t n)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
            i += step)
        data[i] = bench_pattern(rank, i);
}

cudaError_t bench_fill_pattern(
        float *data, int rank, int64_t n, cudaStream_t stream)
{
    fill_pattern<<<blocks_for(n), THREADS, 0, stream>>>(data, rank, n);
    return cudaGetLastError();
}

__global__ static void count_wrong(
        bench_received got, unsigned long long *wrong)
{
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t step = (int64_t)gridDim.x * blockDim.x * got.stride;
    unsigned long long mine = 0;

    for (int64_t i = thread * got.stride; i < got.n; i += step)
        mine += got.data[i] !=
                bench_expected(got.op, got.rank, got.n_ranks, got.count, i);
    if (mine > 0)
        atomicAdd(wrong, mine);
}

cudaError_t bench_count_wrong(
        bench_received got, unsigned long long *wrong, cudaStream_t stream)
{
    count_wrong<<<blocks_for(got.n / got.stride), THREADS, 0, stream>>>(
            got, wrong);
    return cudaGetLastError();
}
