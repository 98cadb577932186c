/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies.c - copies between host and device, and passes over host memory. */
#include <stdio.h>

#include "bench/device/memory.h"
#include "bench/device/timer.h"
#include "bench/host/host_memory.h"
#include "bench/host/shapes.h"

/* Buffers of the host's passes over the largest of the device's: by default 2
 * GiB, more than any processor's caches. */
static const int64_t HOST_FACTOR = 2;

/* One buffer for each direction, on both sides. */
typedef struct copies {
    int direction;
    int64_t bytes;
    char *host[2];
    char *device[2];
    cudaStream_t second; /* runs the other direction */
    cudaEvent_t ready, done;
} copies;

static bool make_copies(copies *c, int64_t bytes, p3d_error *err)
{
    *c = (copies){.bytes = bytes};
    for (int i = 0; i < 2; i++) {
        if (!bench_cuda(cudaHostAlloc((void **)&c->host[i], (size_t)bytes,
                                cudaHostAllocDefault),
                    "pinned host memory", err) ||
                !bench_device_allocate(
                        (void **)&c->device[i], bytes, "copies", err))
            return false;
    }
    return bench_cuda(
                   cudaStreamCreateWithFlags(&c->second, cudaStreamNonBlocking),
                   "making a stream", err) &&
           bench_cuda(
                   cudaEventCreateWithFlags(&c->ready, cudaEventDisableTiming),
                   "making an event", err) &&
           bench_cuda(
                   cudaEventCreateWithFlags(&c->done, cudaEventDisableTiming),
                   "making an event", err);
}

static void free_copies(copies *c)
{
    for (int i = 0; i < 2; i++) {
        cudaFreeHost(c->host[i]);
        cudaFree(c->device[i]);
    }
    if (c->second != NULL)
        cudaStreamDestroy(c->second);
    if (c->ready != NULL)
        cudaEventDestroy(c->ready);
    if (c->done != NULL)
        cudaEventDestroy(c->done);
}

static bool up(const copies *c, cudaStream_t stream, p3d_error *err)
{
    return bench_cuda(cudaMemcpyAsync(c->device[0], c->host[0],
                              (size_t)c->bytes, cudaMemcpyHostToDevice, stream),
            "copy to the device", err);
}

static bool down(const copies *c, cudaStream_t stream, p3d_error *err)
{
    return bench_cuda(cudaMemcpyAsync(c->host[1], c->device[1],
                              (size_t)c->bytes, cudaMemcpyDeviceToHost, stream),
            "copy to the host", err);
}

/* Both at once: the second stream begins and ends with the first. */
static bool run_copy(
        void *context, int64_t i, cudaStream_t stream, p3d_error *err)
{
    const copies *const c = context;

    (void)i;
    if (c->direction == P3D_COPY_H2D)
        return up(c, stream, err);
    if (c->direction == P3D_COPY_D2H)
        return down(c, stream, err);
    return bench_cuda(cudaEventRecord(c->ready, stream), "copies", err) &&
           bench_cuda(cudaStreamWaitEvent(c->second, c->ready, 0), "copies",
                   err) &&
           up(c, stream, err) && down(c, c->second, err) &&
           bench_cuda(cudaEventRecord(c->done, c->second), "copies", err) &&
           bench_cuda(cudaStreamWaitEvent(stream, c->done, 0), "copies", err);
}

static bool measure_size(bench_task *task, int64_t bytes, p3d_error *err)
{
    copies c;
    bool ok = make_copies(&c, bytes, err);

    for (int way = P3D_COPY_H2D; way <= P3D_COPY_BOTH && ok; way++) {
        p3d_copy_row row = {.direction = way, .bytes = bytes};

        c.direction = way;
        ok = bench_time((bench_work){task->device, run_copy, &c}, task->args,
                &row.timing, err);
        if (!ok)
            break;
        bench_add(task->record, &task->record->file.copy, sizeof(row), &row);
        bench_say("%-14s %14lld B %10.2f us %8.1f GB/s one way",
                p3d_copy_direction_words[way], (long long)bytes,
                1e6 * row.timing.median_s,
                1e-9 * (double)bytes / row.timing.median_s);
    }
    free_copies(&c);
    return ok;
}

bool bench_measure_copies(bench_task *task, p3d_error *err)
{
    const bench_args *const args = task->args;

    for (int i = 0; bench_size_at(i, args->min_bytes, args->max_bytes) > 0;
            i += 2)
        if (!measure_size(task,
                    bench_size_at(i, args->min_bytes, args->max_bytes), err))
            return false;
    return true;
}

bool bench_measure_host(bench_task *task, p3d_error *err)
{
    const int n_threads = task->args->n_threads > 0 ? (int)task->args->n_threads
                                                    : bench_n_processors();

    for (int kernel = P3D_HOST_READ; kernel <= P3D_HOST_ADAM; kernel++) {
        p3d_host_row row = {.kernel = kernel,
                .n_threads = n_threads,
                .bytes = HOST_FACTOR * task->args->max_bytes};

        if (!bench_host_measure(&row, (int)task->args->n_samples, err))
            return false;
        bench_add(task->record, &task->record->file.host, sizeof(row), &row);
        bench_say("host %-9s %14lld B %10.2f us %8.1f GB/s, %d threads",
                p3d_host_kernel_words[kernel], (long long)row.bytes,
                1e6 * row.timing.median_s,
                1e-9 * (double)row.bytes / row.timing.median_s, n_threads);
    }
    return true;
}
