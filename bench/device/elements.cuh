/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements.cuh - numbers of each type from and to fp32. */
#ifndef PLAN3D_BENCH_ELEMENTS_CUH
#define PLAN3D_BENCH_ELEMENTS_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "plan3d/measurements.h"

/* Threads of a block, and blocks that fill any device a few times over. */
enum { THREADS = 256, MOST_BLOCKS = 4096 };

static inline int blocks_for(int64_t n)
{
    const int64_t blocks = (n + THREADS - 1) / THREADS;

    return (int)(blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks);
}

__host__ __device__ static inline float load(
        const void *data, int dtype, int64_t i)
{
    switch (dtype) {
    case P3D_NUMBER_BF16:
        return __bfloat162float(((const __nv_bfloat16 *)data)[i]);
    case P3D_NUMBER_FP16: return __half2float(((const __half *)data)[i]);
    case P3D_NUMBER_FP8: return (float)((const __nv_fp8_e4m3 *)data)[i];
    default: break;
    }
    return ((const float *)data)[i];
}

__device__ static inline void store(
        void *data, int dtype, int64_t i, float value)
{
    switch (dtype) {
    case P3D_NUMBER_BF16:
        ((__nv_bfloat16 *)data)[i] = __float2bfloat16(value);
        break;
    case P3D_NUMBER_FP16: ((__half *)data)[i] = __float2half(value); break;
    case P3D_NUMBER_FP8:
        ((__nv_fp8_e4m3 *)data)[i] = __nv_fp8_e4m3(value);
        break;
    default: ((float *)data)[i] = value; break;
    }
}

/* Sum over a block of THREADS threads; every thread has it. */
template <typename T> __device__ static inline T block_sum(T value)
{
    __shared__ T parts[THREADS];

    __syncthreads();
    parts[threadIdx.x] = value;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    __syncthreads();
    return parts[0];
}

#endif
