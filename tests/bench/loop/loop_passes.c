/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop_passes.c - passes that read and write the bytes that those of a device
 * do, with about its operations. A processor without bf16 would spend its time
 * on conversions: two numbers of 16 bits are taken as one of 32, so that it is
 * memory that is timed. */
#include <math.h>

#include "bench/device/kernels.h"
#include "tests/bench/loop/loop.h"

cudaError_t bench_scale(void *x, int64_t n, cudaStream_t stream)
{
    float *const at = x;

    (void)stream;
    for (int64_t i = 0; i < n / 2; i++)
        at[i] *= 0.999F;
    return cudaSuccess;
}

cudaError_t bench_add_arrays(
        const void *a, const void *b, void *c, int64_t n, cudaStream_t stream)
{
    const float *restrict const x = a;
    const float *restrict const y = b;
    float *restrict const z = c;

    (void)stream;
    for (int64_t i = 0; i < n / 2; i++)
        z[i] = x[i] + y[i];
    return cudaSuccess;
}

/* Its sigmoid is one without an exponential function. */
cudaError_t bench_swiglu(
        const void *a, const void *b, void *y, int64_t n, cudaStream_t stream)
{
    const float *restrict const x = a;
    const float *restrict const gate = b;
    float *restrict const z = y;

    (void)stream;
    for (int64_t i = 0; i < n / 2; i++)
        z[i] = x[i] * x[i] / (1 + fabsf(x[i])) * gate[i];
    return cudaSuccess;
}

static float mean_square(const float *x, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum / (float)n;
}

cudaError_t bench_norm(bench_norm_rows rows, void *y, cudaStream_t stream)
{
    const float *restrict const weight = rows.weight;
    const int n = rows.width / 2;

    (void)stream;
    for (int64_t r = 0; r < rows.n; r++) {
        const float *restrict const x = (const float *)rows.x + r * n;
        float *restrict const z = (float *)y + r * n;
        const float scale = 1 / sqrtf(mean_square(x, n) + 1e-5F);

        rows.scale[r] = scale;
        for (int i = 0; i < n; i++)
            z[i] = scale * x[i] * weight[i];
    }
    return cudaSuccess;
}

cudaError_t bench_norm_backward(
        bench_norm_rows rows, const void *dy, void *dx, cudaStream_t stream)
{
    const float *restrict const weight = rows.weight;
    const int n = rows.width / 2;

    (void)stream;
    for (int64_t r = 0; r < rows.n; r++) {
        const float *restrict const x = (const float *)rows.x + r * n;
        const float *restrict const d = (const float *)dy + r * n;
        float *restrict const z = (float *)dx + r * n;
        const float scale = rows.scale[r];
        float sum = 0;

        for (int i = 0; i < n; i++)
            sum += d[i] * weight[i] * x[i];
        sum *= scale * scale / (float)n;
        for (int i = 0; i < n; i++)
            z[i] = scale * (d[i] * weight[i] - x[i] * sum);
    }
    return cudaSuccess;
}

cudaError_t bench_adam(bench_adam_arrays arrays, cudaStream_t stream)
{
    float *restrict const w = arrays.weights;
    const float *restrict const g = arrays.gradients;
    float *restrict const m = arrays.m;
    float *restrict const v = arrays.v;
    uint16_t *restrict const rounded = arrays.rounded;

    (void)stream;
    for (int64_t i = 0; i < arrays.n; i++) {
        m[i] = 0.9F * m[i] + 0.1F * g[i];
        v[i] = 0.95F * v[i] + 0.05F * g[i] * g[i];
        w[i] -= 1e-3F * m[i] / (sqrtf(v[i]) + 1e-8F);
        rounded[i] = loop_bf16(w[i]);
    }
    return cudaSuccess;
}
