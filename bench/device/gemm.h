/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemm.h - GEMMs by cuBLASLt, ready to run. */
#ifndef PLAN3D_BENCH_GEMM_H
#define PLAN3D_BENCH_GEMM_H

#include "bench/device/device.h"
#include "bench/device/kernels.h"

/** Which product: see p3d_gemm_row. */
typedef struct bench_gemm_spec {
    int dtype;
    int layout;
    int how;
    int64_t m, n, k, count;
    bool accumulate; /* C in fp32 is added to */
} bench_gemm_spec;

/** A product with its buffers: several sets of them, together larger than the
 *  cache, which the runs use in turn. */
typedef struct bench_gemm {
    bench_gemm_spec spec;
    const bench_device *device;
    int stored; /* layout in memory: fp8 has that of forward alone */
    int n_sets;
    int64_t a_bytes, b_bytes, c_bytes; /* from one product to the next */
    int64_t a_set, b_set, c_set;       /* from one set to the next */
    char *a, *b, *c;
    float *scale; /* fp8: 1 */
    cublasLtMatmulDesc_t op;
    cublasLtMatrixLayout_t a_shape, b_shape, c_shape;
    cublasLtMatmulHeuristicResult_t algorithm;
} bench_gemm;

/** Why a product cannot be run here; NULL = it can. */
const char *bench_gemm_refusal(
        const bench_device *device, const bench_gemm_spec *spec);

/**
 * Allocate and fill the buffers and let cuBLASLt choose, as frameworks do: its
 * first proposal.
 *
 * @param out  release with bench_gemm_close(), also after a failure
 * @return false with P3D_DATA (too little memory, or no kernel for it: it may
 *         be left out) or P3D_DEVICE
 */
P3D_CHECK bool bench_gemm_open(const bench_device *device,
        const bench_gemm_spec *spec, bench_gemm *out, p3d_error *err);
void bench_gemm_close(bench_gemm *gemm);

/** A bench_run of it. */
bool bench_gemm_run(void *gemm, int64_t i, cudaStream_t stream, p3d_error *err);

/** Compare entries of the last of its products with a reference.
 *  @param row  gets the number of entries and the largest error
 *  @return false with P3D_DEVICE when it is no rounding error */
P3D_CHECK bool bench_gemm_check(
        bench_gemm *gemm, p3d_gemm_row *row, p3d_error *err);

#endif
