/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timer.c - events around runs. */
#include "bench/device/timer.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench/host/stats.h"

/* Shortest sample, and shortest piece of a sustained run. */
static const double SAMPLE_S = 0.5e-3;
static const double PIECE_S = 50e-3;

enum { MOST_RUNS = 100000, MOST_PIECES = 100000 };

bool bench_time_runs(
        bench_work work, int64_t first, int64_t n, double *out, p3d_error *err)
{
    const bench_device *const device = work.device;
    cudaStream_t const stream = device->stream;
    float ms = 0;

    if (!bench_cuda(cudaEventRecord(device->begin, stream), "timing", err))
        return false;
    for (int64_t i = first; i < first + n; i++)
        if (!work.run(work.context, i, stream, err))
            return false;
    if (!bench_cuda(cudaEventRecord(device->end, stream), "timing", err) ||
            !bench_cuda(cudaEventSynchronize(device->end), "running", err) ||
            !bench_cuda(cudaEventElapsedTime(&ms, device->begin, device->end),
                    "timing", err))
        return false;
    *out = 1e-3 * (double)ms;
    return true;
}

/* Runs that fill a sample, from the time of the warm-up. */
static int64_t runs_of(double run_s, double sample_s)
{
    const double n = run_s > 0 ? ceil(sample_s / run_s) : MOST_RUNS;

    return n < 1 ? 1 : n > MOST_RUNS ? MOST_RUNS : (int64_t)n;
}

int64_t bench_runs_of_sample(double run_s)
{
    return runs_of(run_s, SAMPLE_S);
}

bool bench_time_samples(bench_work work, int n_samples, int64_t inner,
        p3d_timing *out, p3d_error *err)
{
    double *const samples = calloc((size_t)n_samples, sizeof(*samples));
    bool ok = samples != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    for (int i = 0; i < n_samples && ok; i++) {
        ok = bench_time_runs(work, i * inner, inner, &samples[i], err);
        samples[i] /= (double)inner;
    }
    if (ok)
        *out = bench_timing(samples, n_samples);
    free(samples);
    return ok;
}

bool bench_time(bench_work work, const bench_args *args, p3d_timing *out,
        p3d_error *err)
{
    double first_s, warm_s;

    /* The first run loads kernels; it says nothing. */
    return bench_time_runs(work, 0, 1, &first_s, err) &&
           bench_time_runs(work, 0, args->n_warmup, &warm_s, err) &&
           bench_time_samples(work, (int)args->n_samples,
                   bench_runs_of_sample(warm_s / (double)args->n_warmup), out,
                   err);
}

bool bench_time_sustained(
        bench_work work, double seconds, bench_load *out, p3d_error *err)
{
    const bench_device *const device = work.device;
    const double until_s = p3d_now_s() + seconds;
    double *const pieces = calloc(MOST_PIECES, sizeof(*pieces));
    double piece_s = 0;
    int64_t inner;
    int n = 0;
    bool ok = pieces != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && bench_time_runs(work, 0, 10, &piece_s, err);
    inner = ok ? runs_of(piece_s / 10, fmax(PIECE_S, seconds / MOST_PIECES))
               : 0;
    for (; ok && n < MOST_PIECES && (n < 6 || p3d_now_s() < until_s); n++) {
        ok = bench_time_runs(work, n * inner, inner, &pieces[n], err);
        pieces[n] /= (double)(ok ? inner : 1);
    }
    /* Clock and power are those of a device at work. */
    for (int64_t i = 0; i < inner && ok; i++)
        ok = work.run(work.context, i, device->stream, err);
    if (ok) {
        out->sm_hz = bench_nvml_sm_hz(&device->nvml, false);
        out->power_w = bench_nvml_power_w(&device->nvml);
        out->timing = bench_timing(pieces + n / 2, n - n / 2);
        ok = bench_cuda(cudaStreamSynchronize(device->stream), "running", err);
    }
    free(pieces);
    return ok;
}
