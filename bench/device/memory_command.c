/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_command.c - plan3d-bench memory: kernels bound by device memory,
 * copies between host and device, and passes over host memory. */
#include <stdio.h>

#include "base/util.h"
#include "bench/device/commands.h"
#include "bench/device/device.h"
#include "bench/device/kernels.h"
#include "bench/host/host_memory.h"
#include "bench/host/processors.h"
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

static bool measure_copies(bench_task *task, p3d_error *err)
{
    const bench_args *const args = task->args;

    for (int i = 0; bench_size_at(i, args->min_bytes, args->max_bytes) > 0;
            i += 2)
        if (!measure_size(task,
                    bench_size_at(i, args->min_bytes, args->max_bytes), err))
            return false;
    return true;
}

/* Two sizes, so that each says how far the rate of the other holds. */
enum { N_HOST_SIZES = 2 };

static bool measure_host(bench_task *task, p3d_error *err)
{
    const int n_threads = task->args->n_threads > 0 ? (int)task->args->n_threads
                                                    : bench_n_processors();
    const int n_gpus = bench_n_devices(&task->device->nvml);
    const int n_kernels = P3D_HOST_ADAM + 1;

    for (int i = 0; i < N_HOST_SIZES * n_kernels; i++) {
        const int kernel = i % n_kernels;
        p3d_host_row row = {.kernel = kernel,
                .n_threads = n_threads,
                .n_gpus = n_gpus,
                .bytes = HOST_FACTOR * task->args->max_bytes >> i / n_kernels};

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

enum { WIDTH = P3D_PASS_COLUMNS };

/* Buffers that the runs use in turn are so many times the cache. */
static const double CACHE_FACTOR = 3;

/* Bytes that an element takes, which is less where it is read and written. */
static const int room_per_element[] = {[P3D_KERNEL_COPY] = 2,
        [P3D_KERNEL_SCALE] = 2,
        [P3D_KERNEL_ADD] = 6,
        [P3D_KERNEL_SWIGLU] = 6,
        [P3D_KERNEL_NORM] = 4,
        [P3D_KERNEL_NORM_BACKWARD] = 6,
        [P3D_KERNEL_ADAM] = 18};

/* One kernel on one of several stretches of memory. */
typedef struct pass {
    p3d_pass_kernel kernel;
    char *data;
    int64_t n; /* elements */
    int64_t stretch_bytes;
    int n_sets;
    void *weight; /* norm */
    float *scale; /* norm */
} pass;

static bool run_norm(
        const pass *p, char *x, cudaStream_t stream, p3d_error *err)
{
    char *const y = x + 2 * p->n;
    char *const z = x + 4 * p->n;
    const bench_norm_rows rows = {.x = x,
            .weight = p->weight,
            .scale = p->scale,
            .n = p->n / WIDTH,
            .width = WIDTH};

    return bench_cuda(p->kernel == P3D_KERNEL_NORM
                              ? bench_norm(rows, y, stream)
                              : bench_norm_backward(rows, y, z, stream),
            "norm", err);
}

static bool run_adam(
        const pass *p, char *data, cudaStream_t stream, p3d_error *err)
{
    float *const weights = (float *)(void *)data;
    const bench_adam_arrays arrays = {.weights = weights,
            .gradients = weights + p->n,
            .m = weights + 2 * p->n,
            .v = weights + 3 * p->n,
            .rounded = weights + 4 * p->n,
            .n = p->n};

    return bench_cuda(bench_adam(arrays, stream), "Adam", err);
}

static bool run_pass(
        void *context, int64_t i, cudaStream_t stream, p3d_error *err)
{
    const pass *const p = context;
    char *const x = p->data + i % p->n_sets * p->stretch_bytes;
    char *const y = x + 2 * p->n;
    char *const z = x + 4 * p->n;

    switch (p->kernel) {
    case P3D_KERNEL_COPY:
        return bench_cuda(cudaMemcpyAsync(x + p->n, x, (size_t)p->n,
                                  cudaMemcpyDeviceToDevice, stream),
                "copy", err);
    case P3D_KERNEL_SCALE:
        return bench_cuda(bench_scale(x, p->n, stream), "scale", err);
    case P3D_KERNEL_ADD:
        return bench_cuda(bench_add_arrays(x, y, z, p->n, stream), "add", err);
    case P3D_KERNEL_SWIGLU:
        return bench_cuda(bench_swiglu(x, y, z, p->n, stream), "swiglu", err);
    case P3D_KERNEL_NORM:
    case P3D_KERNEL_NORM_BACKWARD: return run_norm(p, x, stream, err);
    case P3D_KERNEL_ADAM:
    case P3D_N_PASS_KERNELS: break;
    }
    return run_adam(p, x, stream, err);
}

static bool make_pass(bench_task *task, p3d_pass_kernel kernel, int64_t bytes,
        pass *p, p3d_error *err)
{
    cudaStream_t const stream = task->device->stream;

    *p = (pass){.kernel = kernel,
            .n = p3d_kernel_bytes(kernel, bytes) /
                 p3d_kernel_element_bytes(kernel)};
    p->stretch_bytes = room_per_element[kernel] * p->n;
    p->n_sets = 1 + (int)(CACHE_FACTOR * (double)task->device->l2_bytes /
                            (double)p->stretch_bytes);
    return bench_device_allocate((void **)&p->data,
                   p->n_sets * p->stretch_bytes, "a pass", err) &&
           bench_device_allocate(&p->weight, 2 * WIDTH, "a pass", err) &&
           bench_device_allocate((void **)&p->scale,
                   p->n / WIDTH * (int64_t)sizeof(float), "a pass", err) &&
           bench_cuda(bench_fill(p->data,
                              kernel == P3D_KERNEL_ADAM ? P3D_NUMBER_FP32
                                                        : P3D_NUMBER_BF16,
                              p->n_sets * p->stretch_bytes /
                                      (kernel == P3D_KERNEL_ADAM ? 4 : 2),
                              1, stream),
                   "filling", err) &&
           bench_cuda(bench_fill(p->weight, P3D_NUMBER_BF16, WIDTH, 2, stream),
                   "filling", err) &&
           bench_cuda(bench_fill(p->scale, P3D_NUMBER_FP32, p->n / WIDTH, 3,
                              stream),
                   "filling", err);
}

static void free_pass(pass *p)
{
    cudaFree(p->data);
    cudaFree(p->weight);
    cudaFree(p->scale);
}

static bool measure_pass(
        bench_task *task, p3d_pass_kernel kernel, int64_t bytes, p3d_error *err)
{
    p3d_pass_row row = {.kernel = (int)kernel};
    pass p;
    const bool ok = make_pass(task, kernel, bytes, &p, err) &&
                    bench_time((bench_work){task->device, run_pass, &p},
                            task->args, &row.timing, err);

    row.bytes = p3d_kernel_bytes(kernel, bytes);
    free_pass(&p);
    if (!ok)
        return false;
    bench_add(task->record, &task->record->file.pass, sizeof(row), &row);
    bench_say("%-14s %14lld B %10.2f us %8.1f GB/s",
            p3d_pass_kernel_words[kernel], (long long)row.bytes,
            1e6 * row.timing.median_s,
            1e-9 * (double)row.bytes / row.timing.median_s);
    return true;
}

static bool measure_passes(bench_task *task, p3d_error *err)
{
    const bench_args *const args = task->args;

    for (int kernel = P3D_KERNEL_COPY; kernel < P3D_N_PASS_KERNELS; kernel++) {
        for (int i = 0; bench_size_at(i, args->min_bytes, args->max_bytes) > 0;
                i += 2) {
            if (!measure_pass(task, (p3d_pass_kernel)kernel,
                        bench_size_at(i, args->min_bytes, args->max_bytes),
                        err))
                return false;
        }
    }
    return true;
}

static bool measure_request(bench_task *task, p3d_error *err)
{
    const p3d_rows *const rows = &task->request->pass;
    const p3d_request_pass *const items = rows->items;

    for (int i = 0; i < rows->n; i++) {
        const int64_t bytes = items[i].bytes / items[i].n_kernels;

        for (int k = 0; k < P3D_N_REQUEST_KERNELS; k++)
            if (!measure_pass(task, p3d_request_kernels[k], bytes, err))
                return false;
    }
    return true;
}

bool bench_memory_command(bench_task *task, p3d_error *err)
{
    if (task->request != NULL)
        return measure_request(task, err);
    return measure_passes(task, err) && measure_copies(task, err) &&
           measure_host(task, err);
}
