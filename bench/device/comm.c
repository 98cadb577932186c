/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm.c - collectives by NCCL, with data that shows a mistake. */
#include "bench/device/comm.h"

#include "bench/device/kernels.h"
#include "bench/device/nccl_net.h"
#include "bench/host/groups.h"

/* Sums over all ranks are computed again for each element that is compared. */
static const int64_t MOST_TERMS = (int64_t)1 << 30;

bool bench_nccl(ncclResult_t code, const char *what, p3d_error *err)
{
    return code == ncclSuccess ||
           p3d_fail(err, P3D_DEVICE, "%s: NCCL: %s (%s)", what,
                   ncclGetErrorString(code), ncclGetLastError(NULL));
}

bool bench_comm_open(const bench_task *task, ncclComm_t *out, p3d_error *err)
{
    ncclUniqueId id = {{0}};

    if (bench_net_is_nccl(task->net))
        return bench_net_split(task->net, out, err);
    if (task->launch->rank == 0 &&
            !bench_nccl(ncclGetUniqueId(&id), "opening NCCL", err))
        return false;
    return bench_net_broadcast(task->net, &id, sizeof(id), err) &&
           bench_nccl(ncclCommInitRank(out, task->launch->n_ranks, id,
                              task->launch->rank),
                   "making a communicator", err);
}

static bool is_well(void *comm, p3d_error *err)
{
    ncclResult_t state = ncclSuccess;
    const ncclResult_t code = ncclCommGetAsyncError(comm, &state);

    if (code == ncclSuccess &&
            (state == ncclSuccess || state == ncclInProgress))
        return true;
    return bench_nccl(code != ncclSuccess ? code : state,
            "a rank or a link is lost", err);
}

/* Communicators are blocking ones: those that are not start a thread for each
 * collective, which would be timed too. */
void bench_comm_guard(bench_device *device, ncclComm_t comm)
{
    device->guard = (bench_guard){comm != NULL ? is_well : NULL, comm};
}

void bench_comm_close(ncclComm_t comm, bool ok)
{
    if (comm != NULL && ok)
        ncclCommDestroy(comm);
    else if (comm != NULL)
        ncclCommAbort(comm);
}

bool bench_collective_may_be_in_place(int op)
{
    return op != P3D_OP_ALL_TO_ALL && op != P3D_OP_SEND_RECV;
}

/* Every rank sends to every rank: point-to-point calls in one group, as
 * PyTorch does. Source: pytorch torch/csrc/cuda/nccl.cpp (all2all). */
static ncclResult_t all_to_all(const bench_collective *c, cudaStream_t stream)
{
    const size_t part = (size_t)(c->count / c->n_ranks);
    ncclResult_t code = ncclGroupStart();

    for (int r = 0; r < c->n_ranks && code == ncclSuccess; r++) {
        code = ncclSend(c->send + (size_t)r * part, part, ncclFloat, r, c->comm,
                stream);
        if (code == ncclSuccess)
            code = ncclRecv(c->receive + (size_t)r * part, part, ncclFloat, r,
                    c->comm, stream);
    }
    return code == ncclSuccess ? ncclGroupEnd() : code;
}

/* To the next rank, from the one before, as the stages of a pipeline. */
static ncclResult_t send_receive(const bench_collective *c, cudaStream_t stream)
{
    const int next = (c->rank + 1) % c->n_ranks;
    const int last = (c->rank + c->n_ranks - 1) % c->n_ranks;
    ncclResult_t code = ncclGroupStart();

    if (code == ncclSuccess)
        code = ncclSend(
                c->send, (size_t)c->count, ncclFloat, next, c->comm, stream);
    if (code == ncclSuccess)
        code = ncclRecv(
                c->receive, (size_t)c->count, ncclFloat, last, c->comm, stream);
    return code == ncclSuccess ? ncclGroupEnd() : code;
}

/* Where a rank's own part lies in the larger buffer, when there is one. */
static float *send_of(const bench_collective *c)
{
    const int64_t part = c->count / c->n_ranks;

    if (!c->in_place)
        return c->send;
    return c->receive + (c->op == P3D_OP_ALL_GATHER ? c->rank * part : 0);
}

static float *receive_of(const bench_collective *c)
{
    const int64_t part = c->count / c->n_ranks;

    return c->receive +
           (c->in_place && c->op == P3D_OP_REDUCE_SCATTER ? c->rank * part : 0);
}

static ncclResult_t run_op(const bench_collective *c, cudaStream_t stream)
{
    const size_t count = (size_t)c->count;
    const size_t part = count / (size_t)c->n_ranks;

    switch (c->op) {
    case P3D_OP_ALL_REDUCE:
        return ncclAllReduce(send_of(c), receive_of(c), count, ncclFloat,
                ncclSum, c->comm, stream);
    case P3D_OP_ALL_GATHER:
        return ncclAllGather(
                send_of(c), receive_of(c), part, ncclFloat, c->comm, stream);
    case P3D_OP_REDUCE_SCATTER:
        return ncclReduceScatter(send_of(c), receive_of(c), part, ncclFloat,
                ncclSum, c->comm, stream);
    case P3D_OP_BROADCAST:
        return ncclBroadcast(send_of(c), receive_of(c), count, ncclFloat, 0,
                c->comm, stream);
    case P3D_OP_ALL_TO_ALL: return all_to_all(c, stream);
    default: break;
    }
    return send_receive(c, stream);
}

bool bench_collective_run(
        void *collective, int64_t i, cudaStream_t stream, p3d_error *err)
{
    (void)i;
    return bench_nccl(run_op(collective, stream), "collective", err);
}

static bool compare(const bench_collective *c, const bench_device *device,
        unsigned long long *wrong, int64_t *n_checked, p3d_error *err)
{
    const int64_t n = bench_receive_count(c->op, c->count, c->n_ranks);
    const bench_received got = {.data = receive_of(c),
            .op = c->op,
            .rank = c->rank,
            .n_ranks = c->n_ranks,
            .count = c->count,
            .n = n,
            .stride = 1 + n * c->n_ranks / MOST_TERMS};
    unsigned long long *on_device = NULL;
    cudaStream_t const stream = device->stream;
    bool ok = bench_device_allocate(
            (void **)&on_device, sizeof(*wrong), "check", err);

    ok = ok &&
         bench_cuda(cudaMemsetAsync(on_device, 0, sizeof(*wrong), stream),
                 "checking", err) &&
         bench_cuda(
                 bench_fill_pattern(send_of(c), c->rank,
                         bench_send_count(c->op, c->count, c->n_ranks), stream),
                 "checking", err) &&
         bench_nccl(run_op(c, stream), "collective", err) &&
         bench_cuda(
                 bench_count_wrong(got, on_device, stream), "checking", err) &&
         bench_cuda(cudaMemcpyAsync(wrong, on_device, sizeof(*wrong),
                            cudaMemcpyDeviceToHost, stream),
                 "checking", err) &&
         bench_wait(device, stream, "checking", err);
    cudaFree(on_device);
    *n_checked = (n + got.stride - 1) / got.stride;
    return ok;
}

bool bench_collective_check(const bench_collective *collective,
        const bench_device *device, int64_t *n_checked, p3d_error *err)
{
    unsigned long long wrong = 0;

    return compare(collective, device, &wrong, n_checked, err) &&
           (wrong == 0 ||
                   p3d_fail(err, P3D_DEVICE,
                           "%s of %lld bytes: %llu of %lld elements are wrong; "
                           "a link, a device or NCCL is broken",
                           p3d_measured_op_words[collective->op],
                           (long long)(4 * collective->count), wrong,
                           (long long)*n_checked));
}
