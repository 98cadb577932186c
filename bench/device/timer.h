/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timer.h - times what runs on a stream, by events. */
#ifndef PLAN3D_BENCH_TIMER_H
#define PLAN3D_BENCH_TIMER_H

#include "bench/device/device.h"

/** Enqueue run number i; runs with different i touch different data. */
typedef bool bench_run(
        void *context, int64_t i, cudaStream_t stream, p3d_error *err);

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

/** Seconds of n runs in a row. */
P3D_CHECK bool bench_time_runs(
        bench_work work, int64_t first, int64_t n, double *out, p3d_error *err);

#endif
