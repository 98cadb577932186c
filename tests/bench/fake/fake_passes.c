/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_passes.c - passes that are only timed: they do nothing. */
#include "bench/device/kernels.h"
#include "tests/bench/fake/fake.h"

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

cudaError_t bench_norm(bench_norm_rows rows, void *y, cudaStream_t stream)
{
    (void)y, (void)stream;
    rows.scale[rows.n - 1] = 1; /* the sanitizers see the last one */
    return cudaSuccess;
}

cudaError_t bench_norm_backward(
        bench_norm_rows rows, const void *dy, void *dx, cudaStream_t stream)
{
    (void)dy, (void)stream;
    ((uint16_t *)dx)[rows.n * rows.width - 1] = 0;
    return cudaSuccess;
}

cudaError_t bench_adam(bench_adam_arrays arrays, cudaStream_t stream)
{
    (void)stream;
    ((uint16_t *)arrays.rounded)[arrays.n - 1] = 0;
    return cudaSuccess;
}
