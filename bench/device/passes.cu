/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.cu - memory-bound kernels like those of a training step. */
#include "bench/device/elements.cuh"
#include "bench/device/kernels.h"

/* Eight bf16 in one access of 16 bytes. */
typedef struct __align__(16) eight
{
    __nv_bfloat162 at[4];
}
eight;

#define EACH(i, n)                                                          \
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; \
            i += (int64_t)gridDim.x * blockDim.x)

__global__ static void scale_all(eight *x, int64_t n)
{
    const __nv_bfloat162 factor = __float2bfloat162_rn(0.999F);

    EACH(i, n)
    {
        eight v = x[i];

        for (int j = 0; j < 4; j++)
            v.at[j] = __hmul2(v.at[j], factor);
        x[i] = v;
    }
}

cudaError_t bench_scale(void *x, int64_t n, cudaStream_t stream)
{
    scale_all<<<blocks_for(n / 8), THREADS, 0, stream>>>((eight *)x, n / 8);
    return cudaGetLastError();
}

__global__ static void add_all(
        const eight *a, const eight *b, eight *c, int64_t n)
{
    EACH(i, n)
    {
        const eight x = a[i];
        const eight y = b[i];
        eight z;

        for (int j = 0; j < 4; j++)
            z.at[j] = __hadd2(x.at[j], y.at[j]);
        c[i] = z;
    }
}

cudaError_t bench_add_arrays(
        const void *a, const void *b, void *c, int64_t n, cudaStream_t stream)
{
    add_all<<<blocks_for(n / 8), THREADS, 0, stream>>>(
            (const eight *)a, (const eight *)b, (eight *)c, n / 8);
    return cudaGetLastError();
}

__device__ static float silu(float x)
{
    return x / (1 + __expf(-x));
}

__global__ static void swiglu_all(
        const eight *a, const eight *b, eight *y, int64_t n)
{
    EACH(i, n)
    {
        const eight gate = a[i];
        const eight up = b[i];
        eight out;

        for (int j = 0; j < 4; j++) {
            const float2 g = __bfloat1622float2(gate.at[j]);
            const float2 u = __bfloat1622float2(up.at[j]);

            out.at[j] = __floats2bfloat162_rn(silu(g.x) * u.x, silu(g.y) * u.y);
        }
        y[i] = out;
    }
}

cudaError_t bench_swiglu(
        const void *a, const void *b, void *y, int64_t n, cudaStream_t stream)
{
    swiglu_all<<<blocks_for(n / 8), THREADS, 0, stream>>>(
            (const eight *)a, (const eight *)b, (eight *)y, n / 8);
    return cudaGetLastError();
}

/* The rows as the kernels read them: pairs of numbers. */
typedef struct norm_pairs {
    const __nv_bfloat162 *x;
    const __nv_bfloat162 *weight;
    float *scale;
    int width; /* in numbers */
} norm_pairs;

static norm_pairs pairs_of(bench_norm_rows rows)
{
    const norm_pairs pairs = {(const __nv_bfloat162 *)rows.x,
            (const __nv_bfloat162 *)rows.weight, rows.scale, rows.width};

    return pairs;
}

/* One block a row; the row is read twice, the second time from the cache. */
__global__ static void norm_rows(norm_pairs p, __nv_bfloat162 *y)
{
    const int64_t row = blockIdx.x;
    const int half = p.width / 2;
    float sum = 0;
    float factor;

    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        const float2 v = __bfloat1622float2(p.x[row * half + i]);

        sum += v.x * v.x + v.y * v.y;
    }
    factor = rsqrtf(block_sum(sum) / p.width + 1e-5F);
    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        const float2 v = __bfloat1622float2(p.x[row * half + i]);
        const float2 w = __bfloat1622float2(p.weight[i]);

        y[row * half + i] =
                __floats2bfloat162_rn(v.x * factor * w.x, v.y * factor * w.y);
    }
    if (threadIdx.x == 0)
        p.scale[row] = factor;
}

cudaError_t bench_norm(bench_norm_rows rows, void *y, cudaStream_t stream)
{
    norm_rows<<<(unsigned)rows.n, THREADS, 0, stream>>>(
            pairs_of(rows), (__nv_bfloat162 *)y);
    return cudaGetLastError();
}

/* dx = r (w dy - x r^2 mean(x w dy)). */
__global__ static void norm_rows_backward(
        norm_pairs p, const __nv_bfloat162 *dy, __nv_bfloat162 *dx)
{
    const int64_t row = blockIdx.x;
    const int half = p.width / 2;
    const float r = p.scale[row];
    float sum = 0;
    float mean;

    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        const float2 v = __bfloat1622float2(p.x[row * half + i]);
        const float2 w = __bfloat1622float2(p.weight[i]);
        const float2 d = __bfloat1622float2(dy[row * half + i]);

        sum += v.x * w.x * d.x + v.y * w.y * d.y;
    }
    mean = block_sum(sum) / p.width * r * r;
    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        const float2 v = __bfloat1622float2(p.x[row * half + i]);
        const float2 w = __bfloat1622float2(p.weight[i]);
        const float2 d = __bfloat1622float2(dy[row * half + i]);

        dx[row * half + i] = __floats2bfloat162_rn(
                r * (w.x * d.x - v.x * mean), r * (w.y * d.y - v.y * mean));
    }
}

cudaError_t bench_norm_backward(
        bench_norm_rows rows, const void *dy, void *dx, cudaStream_t stream)
{
    norm_rows_backward<<<(unsigned)rows.n, THREADS, 0, stream>>>(
            pairs_of(rows), (const __nv_bfloat162 *)dy, (__nv_bfloat162 *)dx);
    return cudaGetLastError();
}

__device__ static float adam_of(float &m, float &v, float g)
{
    m = 0.9F * m + 0.1F * g;
    v = 0.999F * v + 0.001F * g * g;
    return 1e-3F * m / (sqrtf(v) + 1e-8F);
}

/* Two parameters a thread and step. Source: arXiv:1412.6980 algorithm 1, the
 * factors of the bias correction being those of a late step, 1. */
__global__ static void adam_all(bench_adam_arrays a)
{
    float2 *const weights = (float2 *)a.weights;
    const float2 *const gradients = (const float2 *)a.gradients;
    float2 *const m = (float2 *)a.m;
    float2 *const v = (float2 *)a.v;
    __nv_bfloat162 *const rounded = (__nv_bfloat162 *)a.rounded;

    EACH(i, a.n / 2)
    {
        const float2 g = gradients[i];
        float2 w = weights[i];
        float2 first = m[i];
        float2 second = v[i];

        w.x -= adam_of(first.x, second.x, g.x);
        w.y -= adam_of(first.y, second.y, g.y);
        m[i] = first;
        v[i] = second;
        weights[i] = w;
        rounded[i] = __floats2bfloat162_rn(w.x, w.y);
    }
}

cudaError_t bench_adam(bench_adam_arrays arrays, cudaStream_t stream)
{
    adam_all<<<blocks_for(arrays.n / 2), THREADS, 0, stream>>>(arrays);
    return cudaGetLastError();
}

__global__ static void softmax_rows(bench_score_rows s)
{
    const int64_t row = blockIdx.x;
    const int beyond = s.width > s.seq ? s.width - s.seq : 0;
    const int visible = s.causal ? (int)(row % s.seq) + 1 + beyond : s.width;
    const int64_t first = row * s.width;
    __shared__ float parts[THREADS];
    float most = -INFINITY;
    float sum = 0;

    for (int i = threadIdx.x; i < visible && i < s.width; i += blockDim.x)
        most = fmaxf(most, load(s.data, s.dtype, first + i));
    parts[threadIdx.x] = most;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            parts[threadIdx.x] =
                    fmaxf(parts[threadIdx.x], parts[threadIdx.x + half]);
    }
    __syncthreads();
    most = parts[0];
    for (int i = threadIdx.x; i < visible && i < s.width; i += blockDim.x)
        sum += __expf(load(s.data, s.dtype, first + i) - most);
    sum = block_sum(sum);
    for (int i = threadIdx.x; i < s.width; i += blockDim.x)
        store(s.data, s.dtype, first + i,
                i < visible
                        ? __expf(load(s.data, s.dtype, first + i) - most) / sum
                        : 0);
}

cudaError_t bench_softmax(bench_score_rows scores, cudaStream_t stream)
{
    softmax_rows<<<(unsigned)scores.n, THREADS, 0, stream>>>(scores);
    return cudaGetLastError();
}

__global__ static void softmax_rows_backward(const void *p, bench_score_rows dp)
{
    const int64_t first = (int64_t)blockIdx.x * dp.width;
    const int dtype = dp.dtype;
    float sum = 0;

    for (int i = threadIdx.x; i < dp.width; i += blockDim.x)
        sum += load(p, dtype, first + i) * load(dp.data, dtype, first + i);
    sum = block_sum(sum);
    for (int i = threadIdx.x; i < dp.width; i += blockDim.x)
        store(dp.data, dtype, first + i,
                load(p, dtype, first + i) *
                        (load(dp.data, dtype, first + i) - sum));
}

cudaError_t bench_softmax_backward(
        const void *p, bench_score_rows dp, cudaStream_t stream)
{
    softmax_rows_backward<<<(unsigned)dp.n, THREADS, 0, stream>>>(p, dp);
    return cudaGetLastError();
}
