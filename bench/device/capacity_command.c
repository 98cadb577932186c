/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capacity_command.c - plan3d-bench capacity: what the device holds, and
 * whether a plan's tensors at its peak fit. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/device/comm.h"

/* The first and the last step of filling up. */
static const int64_t LARGEST_STEP = (int64_t)1 << 30;
static const int64_t SMALLEST_STEP = (int64_t)2 << 20;

enum { MOST_PIECES = 1 << 20 };

/* Allocations, in order. */
typedef struct pieces {
    void **at;
    int64_t n;
    int64_t bytes;
} pieces;

/* Allocate and write one more; false, without an error, when the device has no
 * room for it. */
static bool take(pieces *p, int64_t bytes)
{
    void *piece = NULL;

    if (p->n == MOST_PIECES)
        return false;
    if (cudaMalloc(&piece, (size_t)bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    p->at[p->n++] = piece;
    p->bytes += bytes;
    return cudaMemset(piece, 1, (size_t)bytes) == cudaSuccess;
}

static void release(pieces *p)
{
    for (int64_t i = 0; i < p->n; i++)
        cudaFree(p->at[i]);
    p->n = 0;
    p->bytes = 0;
}

static int64_t fill_up(pieces *p)
{
    int64_t bytes;

    for (int64_t step = LARGEST_STEP; step >= SMALLEST_STEP; step /= 2)
        while (take(p, step))
            continue;
    bytes = p->bytes;
    release(p);
    return bytes;
}

/* The plan's tensors, each as often as it is there. */
static void take_plan(
        const p3d_request *request, pieces *p, p3d_capacity_row *row)
{
    const p3d_request_piece *const items = request->piece.items;

    row->fits = true;
    for (int i = 0; i < request->piece.n; i++) {
        row->wanted_bytes += items[i].bytes;
        row->n_pieces += items[i].count;
        for (int64_t j = 0; j < items[i].count && row->fits; j++)
            row->fits = take(p, 1 + (items[i].bytes - 1) / items[i].count);
    }
    row->fits = row->fits && cudaDeviceSynchronize() == cudaSuccess;
    release(p);
}

/* What an NCCL communicator of all ranks takes, once it has been used. */
static bool measure_communicator(bench_task *task, int64_t *out, p3d_error *err)
{
    enum { COUNT = 1 << 20 };
    cudaStream_t const stream = task->device->stream;
    ncclComm_t comm = NULL;
    int64_t before = 0, after = 0;
    float *data = NULL;
    bool ok;

    bench_watchdog(task->args->timeout_s);
    ok = bench_device_allocate(
                 (void **)&data, 4 * COUNT, "communicator", err) &&
         bench_device_free_bytes(&before, err) &&
         bench_comm_open(task, &comm, err) &&
         bench_nccl(ncclAllReduce(data, data, COUNT, ncclFloat, ncclSum, comm,
                            stream),
                 "using a communicator", err) &&
         bench_wait(task->device, stream, "using a communicator", err) &&
         bench_device_free_bytes(&after, err);

    bench_comm_close(comm, ok);
    bench_watchdog(0);
    cudaFree(data);
    *out = before > after ? before - after : 0;
    return ok;
}

/* What the fullest of the devices says; on rank 0. */
static bool find_fullest(
        bench_task *task, p3d_capacity_row *row, p3d_error *err)
{
    const int n = task->launch->n_ranks;
    p3d_capacity_row *const all = calloc((size_t)n, sizeof(*all));
    bool ok = all != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && bench_net_gather(task->net, row, sizeof(*row), all, err);
    for (int i = 0; i < n && ok && task->launch->rank == 0; i++) {
        if (all[i].context_bytes > row->context_bytes)
            row->context_bytes = all[i].context_bytes;
        if (all[i].communicator_bytes > row->communicator_bytes)
            row->communicator_bytes = all[i].communicator_bytes;
        if (all[i].largest_bytes < row->largest_bytes)
            row->largest_bytes = all[i].largest_bytes;
        row->fits = row->fits && all[i].fits;
    }
    free(all);
    return ok;
}

static void say_row(const p3d_capacity_row *row, int n_ranks)
{
    const double gib = 1073741824.0;

    bench_say("context %.3f GiB, communicator of %d ranks %.3f GiB, largest "
              "%.2f GiB",
            (double)row->context_bytes / gib, n_ranks,
            (double)row->communicator_bytes / gib,
            (double)row->largest_bytes / gib);
    if (row->n_pieces > 0)
        bench_say("plan: %.2f GiB in %lld pieces %s",
                (double)row->wanted_bytes / gib, (long long)row->n_pieces,
                row->fits ? "fit" : "do not fit");
}

bool bench_capacity_command(bench_task *task, p3d_error *err)
{
    pieces p = {.at = calloc(MOST_PIECES, sizeof(*p.at))};
    p3d_capacity_row row = {.context_bytes = task->device->context_bytes};
    bool ok;

    if (p.at == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = measure_communicator(task, &row.communicator_bytes, err);
    bench_net_rest(task->net);
    if (ok && task->request != NULL)
        take_plan(task->request, &p, &row);
    if (ok)
        row.largest_bytes = fill_up(&p);
    free(p.at);
    if (!ok || !find_fullest(task, &row, err))
        return false;
    if (task->launch->rank > 0)
        return true;
    if (row.context_bytes == 0)
        bench_note(task->record, "without NVML the context was not measured");
    if (task->launch->n_ranks == 1)
        bench_note(task->record, "the communicator is one of a single rank");
    bench_add(task->record, &task->record->file.capacity, sizeof(row), &row);
    say_row(&row, task->launch->n_ranks);
    return true;
}
