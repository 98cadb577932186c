/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - the device that is measured: opened, described, errors in words.
 */
#ifndef PLAN3D_BENCH_DEVICE_H
#define PLAN3D_BENCH_DEVICE_H

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include "bench/device/nvml.h"
#include "bench/host/launch.h"
#include "bench/host/record.h"

/** Room for the library's own intermediate results, as frameworks give it on
 *  Hopper. Source: pytorch aten/src/ATen/cuda/CublasHandlePool.cpp. */
enum { BENCH_WORKSPACE_BYTES = 32 << 20 };

typedef struct bench_device {
    int ordinal;
    int compute_capability; /* 90 for sm_90 */
    int64_t l2_bytes;
    int64_t context_bytes; /* that opening it took; 0 = not known */
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cublasLtHandle_t blas;
    void *workspace;
    bench_nvml nvml;
} bench_device;

/** True, or false with the error in words: P3D_DATA where the device has no
 *  more memory, else P3D_DEVICE. */
bool bench_cuda(cudaError_t code, const char *what, p3d_error *err);
bool bench_blas(cublasStatus_t code, const char *what, p3d_error *err);

/**
 * Open the device of a rank.
 *
 * @param out  release with bench_device_close(), also after a failure
 * @return false with P3D_DEVICE when there is none: what is missing
 */
P3D_CHECK bool bench_device_open(const bench_args *args,
        const bench_launch *launch, bench_device *out, p3d_error *err);

void bench_device_close(bench_device *device);

/** Describe it in a record. */
P3D_CHECK bool bench_device_describe(const bench_device *device,
        const bench_launch *launch, p3d_machine *out, p3d_error *err);

/** Memory that is free now, in bytes. */
P3D_CHECK bool bench_device_free_bytes(int64_t *out, p3d_error *err);

/** Allocate; the error says what for. */
P3D_CHECK bool bench_device_allocate(
        void **out, int64_t bytes, const char *what, p3d_error *err);

/** "13.0" of 13000 and 13.0.2 of 130002: digits of a packed version.
 *  @param base  1000 or 10000 for one major version
 *  @param minor 10 or 100 for one minor version */
void bench_print_version(
        char *buffer, size_t n, int64_t packed, int base, int minor);

#endif
