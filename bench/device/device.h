/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - the device that is measured: opened, described, watched, timed. */
#ifndef PLAN3D_BENCH_DEVICE_H
#define PLAN3D_BENCH_DEVICE_H

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/host/ranks.h"
#include "bench/host/record.h"

/** The driver's library of clocks, power and memory: every function gives 0 or
 *  "" where it is not there. Zero is a device of which nothing is known. */
typedef struct bench_nvml {
    void *library; /* of dlopen() */
    void *device;  /* nvmlDevice_t */
} bench_nvml;

/** Find a device by its PCI bus id ("0000:1B:00.0"). */
void bench_nvml_open(const char *bus_id, bench_nvml *out);
void bench_nvml_close(bench_nvml *nvml);

double bench_nvml_sm_hz(const bench_nvml *nvml, bool highest);
double bench_nvml_memory_hz(const bench_nvml *nvml); /* highest */
double bench_nvml_power_w(const bench_nvml *nvml);
double bench_nvml_power_limit_w(const bench_nvml *nvml);
int64_t bench_nvml_used_bytes(const bench_nvml *nvml);
void bench_nvml_driver(const bench_nvml *nvml, char *buffer, size_t n);

/** Devices of the host, also those that this process may not use; 0 = not
 *  known. */
int bench_n_devices(const bench_nvml *nvml);

/** Room for the library's own intermediate results, as frameworks give it on
 *  Hopper. Source: pytorch aten/src/ATen/cuda/CublasHandlePool.cpp. */
enum { BENCH_WORKSPACE_BYTES = 32 << 20 };

/** What is looked at while the device is waited for. */
typedef struct bench_guard {
    bool (*is_well)(void *context, p3d_error *err); /* NULL = nothing */
    void *context;
} bench_guard;

typedef struct bench_device {
    int ordinal;
    int compute_capability; /* 90 for sm_90 */
    int64_t l2_bytes;
    int64_t context_bytes; /* that opening it took; 0 = not known */
    cudaStream_t stream;
    cudaEvent_t begin, end, done;
    cublasLtHandle_t blas;
    void *workspace;
    bench_nvml nvml;
    double watch_s; /* that one run with other ranks may take; 0 = any time */
    bench_launch *children; /* looked after while the device is waited for */
    bench_guard guard;      /* so is this: other ranks */
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

/** Enqueue run number i; runs with different i touch different data. */
typedef bool bench_run(
        void *context, int64_t i, cudaStream_t stream, p3d_error *err);

/** Wait for what is on a stream; not for ever when a process that this one
 *  started has ended, which a collective would wait for, or the guard says that
 *  another rank is lost. */
P3D_CHECK bool bench_wait(const bench_device *device, cudaStream_t stream,
        const char *what, p3d_error *err);

/** What is timed, and where. */
typedef struct bench_work {
    const bench_device *device;
    bench_run *run;
    void *context;
} bench_work;

/**
 * Time one run: warm up, then samples of as many runs in a row as take half a
 * millisecond, which an event's resolution (0.5 us) does not blur.
 *
 * @param out  of one run
 */
P3D_CHECK bool bench_time(bench_work work, const bench_args *args,
        p3d_timing *out, p3d_error *err);

/** Warm up: one run alone, which loads kernels, then args->n_warmup.
 *  @param run_s  of one of those */
P3D_CHECK bool bench_warm_up(
        bench_work work, const bench_args *args, double *run_s, p3d_error *err);

/** Time n_samples samples of `inner` runs each, without a warm-up. */
P3D_CHECK bool bench_time_samples(bench_work work, int n_samples, int64_t inner,
        p3d_timing *out, p3d_error *err);

/** Runs of `run_s` seconds that fill a sample. */
int64_t bench_runs_of_sample(double run_s);

/** What a device does under load. */
typedef struct bench_load {
    p3d_timing timing; /* of one run, over the second half of the time */
    double sm_hz;      /* at its end */
    double power_w;    /* at its end */
} bench_load;

/** Run for `seconds` without a pause. */
P3D_CHECK bool bench_time_sustained(
        bench_work work, double seconds, bench_load *out, p3d_error *err);

/** Seconds of n runs in a row; with device->watch_s the watchdog is set anew
 *  for them. */
P3D_CHECK bool bench_time_runs(
        bench_work work, int64_t first, int64_t n, double *out, p3d_error *err);

#endif
