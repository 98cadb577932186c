/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_net.c - ranks that meet by NCCL's own bootstrap, at an address that all
 * of them know beforehand. Source: nccl v2.30.7 src/bootstrap.cc: with
 * NCCL_COMM_ID each rank makes the same id for itself, and rank 0 listens at
 * the address that it names, until all ranks have come. */
#include "bench/device/nccl_net.h"

#include <cuda_runtime_api.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "bench/device/comm.h"

/* Bytes of a rank in one exchange. */
enum { PIECE = 256 };

/* Ranks that wait for longer leave the processors to the others. */
static const double EAGER_S = 1e-3;

/* Between two tries to reach rank 0, and what giving up may take: NCCL has to
 * notice that its threads are to end. */
static const double RETRY_S = 0.2;
static const double ABORT_S = 20;

typedef struct nccl_net {
    bench_net net;
    ncclComm_t comm;    /* NULL = at rest */
    ncclResult_t state; /* what NCCL said of it last */
    cudaStream_t stream;
    cudaEvent_t done;
    char *pieces; /* on the device: this rank's, then one of each */
    char address[BENCH_HOST + 16];
} nccl_net;

static void print_address(const bench_launch *launch, char *out, size_t n)
{
    const bool is_v6 = strchr(launch->host, ':') != NULL;

    if (launch->comm_id[0] != '\0')
        snprintf(out, n, "%s", launch->comm_id);
    else
        snprintf(out, n, is_v6 ? "[%s]:%d" : "%s:%d", launch->host,
                launch->is_paired ? launch->port : bench_nccl_port(launch));
}

/* Processes of --gpus have sockets from the start, which are safer. */
static const char *nccl_refuse(const bench_launch *launch)
{
    if (launch->n_ranks == 1 ||
            (launch->is_paired && launch->rendezvous == BENCH_MEET_AUTO))
        return "";
    return launch->host[0] != '\0' || launch->comm_id[0] != '\0'
                   ? NULL
                   : "neither MASTER_ADDR nor NCCL_COMM_ID is set";
}

static void nccl_print(const bench_launch *launch, char *out, size_t n)
{
    char address[BENCH_HOST + 16];

    print_address(launch, address, sizeof(address));
    snprintf(out, n, "NCCL at %s%s", address,
            launch->comm_id[0] != '\0' ? " (NCCL_COMM_ID)" : "");
}

static void nap(double waited_s)
{
    const struct timespec t = {.tv_nsec = 1000000};

    if (waited_s < EAGER_S)
        sched_yield();
    else
        nanosleep(&t, NULL);
}

/* What is waited for, and whether it has come. */
typedef enum progress { WAITING, COME, BROKEN } progress;
typedef progress look(nccl_net *n, p3d_error *err);

static progress look_at_comm(nccl_net *n, p3d_error *err)
{
    const ncclResult_t code = ncclCommGetAsyncError(n->comm, &n->state);

    if (code != ncclSuccess)
        n->state = code;
    if (n->state == ncclInProgress)
        return WAITING;
    return bench_nccl(n->state, "a rank or a link is lost", err) ? COME
                                                                 : BROKEN;
}

static progress look_at_stream(nccl_net *n, p3d_error *err)
{
    const cudaError_t code = cudaEventQuery(n->done);

    if (look_at_comm(n, err) == BROKEN)
        return BROKEN;
    if (code == cudaErrorNotReady)
        return WAITING;
    return bench_cuda(code, "small data", err) ? COME : BROKEN;
}

/* Until it has come, a rank that this one started has ended, or it is late. */
static progress wait_for(
        nccl_net *n, look *has_come, double deadline_s, p3d_error *err)
{
    const double began_s = p3d_now_s();
    progress got;

    while ((got = has_come(n, err)) == WAITING && p3d_now_s() < deadline_s) {
        if (n->net.children != NULL &&
                !bench_launch_alive(n->net.children, err))
            return BROKEN;
        nap(p3d_now_s() - began_s);
    }
    return got;
}

static bool wait_or_fail(
        nccl_net *n, look *has_come, double deadline_s, p3d_error *err)
{
    const progress got = wait_for(n, has_come, deadline_s, err);

    if (got == WAITING)
        p3d_fail(err, P3D_SYSTEM,
                "a rank does not answer within %.4g s; NCCL does not say "
                "which, --rendezvous sockets does",
                n->net.timeout_s);
    return got == COME;
}

/* NCCL's words for calls that go on by themselves. */
static bool has_begun(ncclResult_t code, const char *what, p3d_error *err)
{
    return code == ncclInProgress || bench_nccl(code, what, err);
}

static void give_up(nccl_net *n)
{
    if (n->comm == NULL)
        return;
    bench_watchdog(ABORT_S);
    ncclCommAbort(n->comm);
    bench_watchdog(0);
    n->comm = NULL;
}

static bool fail_to_meet(const nccl_net *n, p3d_error *err)
{
    if (n->net.rank == 0)
        return p3d_fail(err, P3D_SYSTEM,
                "not all %d ranks have come to %.200s within %.4g s; NCCL does "
                "not say which is missing, --rendezvous sockets does",
                n->net.n_ranks, n->address, n->net.timeout_s);
    return p3d_fail(err, P3D_SYSTEM,
            "rank 0 or another rank has not come to %.200s within %.4g s; "
            "check MASTER_ADDR, MASTER_PORT and the firewall",
            n->address, n->net.timeout_s);
}

/* One try. NCCL gives up after a minute where rank 0 does not listen yet. */
static progress try_to_meet(nccl_net *n, double deadline_s, p3d_error *err)
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    ncclUniqueId id;
    progress got;

    config.blocking = 0;
    config.maxCTAs = 1;
    if (!bench_nccl(ncclGetUniqueId(&id), "opening NCCL", err) ||
            !has_begun(ncclCommInitRankConfig(&n->comm, n->net.n_ranks, id,
                               n->net.rank, &config),
                    "meeting", err))
        got = BROKEN;
    else
        got = wait_for(n, look_at_comm, deadline_s, err);
    if (got != COME)
        give_up(n);
    return got;
}

/* Another program, or another job's rank 0, may hold the port: NCCL would then
 * listen beside it, and take that job's ranks. */
static bool check_port(const nccl_net *n, p3d_error *err)
{
    const int port = (int)strtol(strrchr(n->address, ':') + 1, NULL, 10);

    return n->net.rank > 0 || port == 0 || bench_free_port(port) == port ||
           p3d_fail(err, P3D_SYSTEM,
                   "cannot listen at %.200s: %s; set MASTER_PORT to a free "
                   "port, or NCCL_COMM_ID",
                   n->address, strerror(errno));
}

/* Rank 0, which may come later, is not there yet. */
static bool is_early(const nccl_net *n)
{
    return n->net.rank > 0 &&
           (n->state == ncclRemoteError || n->state == ncclSystemError);
}

static bool meet(nccl_net *n, p3d_error *err)
{
    const struct timespec t = {.tv_nsec = (long)(1e9 * RETRY_S)};
    const double deadline_s = p3d_now_s() + n->net.timeout_s;
    p3d_error cause = {0};
    progress got = BROKEN;

    if (!check_port(n, err))
        return false;
    do {
        n->state = ncclSuccess;
        got = try_to_meet(n, deadline_s, &cause);
        if (got == BROKEN && !is_early(n)) {
            *err = cause;
            return false;
        }
        if (got == BROKEN)
            nanosleep(&t, NULL);
    } while (got != COME && p3d_now_s() < deadline_s);
    return got == COME || fail_to_meet(n, err);
}

static void nccl_rest(bench_net *net)
{
    nccl_net *const n = (nccl_net *)net;

    if (n->comm != NULL &&
            has_begun(ncclCommFinalize(n->comm), "parting", NULL) &&
            wait_for(n, look_at_comm, p3d_now_s() + net->timeout_s, NULL) ==
                    COME) {
        ncclCommDestroy(n->comm);
        n->comm = NULL;
    }
    give_up(n);
    if (n->stream != NULL)
        cudaStreamDestroy(n->stream);
    if (n->done != NULL)
        cudaEventDestroy(n->done);
    cudaFree(n->pieces);
    n->stream = NULL;
    n->done = NULL;
    n->pieces = NULL;
}

static bool wake(nccl_net *n, p3d_error *err)
{
    if (n->comm != NULL)
        return true;
    return bench_cuda(
                   cudaStreamCreateWithFlags(&n->stream, cudaStreamNonBlocking),
                   "meeting", err) &&
           bench_cuda(
                   cudaEventCreateWithFlags(&n->done, cudaEventDisableTiming),
                   "meeting", err) &&
           bench_device_allocate((void **)&n->pieces,
                   (int64_t)PIECE * (n->net.n_ranks + 1), "small data", err) &&
           meet(n, err);
}

static void nccl_close(bench_net *net, bool ok)
{
    nccl_net *const n = (nccl_net *)net;

    if (!ok)
        give_up(n);
    nccl_rest(net);
    free(n);
}

static bool nccl_open(
        bench_launch *launch, double timeout_s, bench_net **out, p3d_error *err)
{
    nccl_net *const n = calloc(1, sizeof(*n));

    if (n == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    n->net = bench_net_head(&bench_over_nccl, launch, timeout_s);
    print_address(launch, n->address, sizeof(n->address));
    if (strchr(n->address, ':') == NULL)
        p3d_fail(err, P3D_DATA, "NCCL_COMM_ID: write it as host:port");
    else if (setenv("NCCL_COMM_ID", n->address, 1) != 0)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    else if (wake(n, err)) {
        *out = &n->net;
        return true;
    }
    nccl_close(&n->net, false);
    return false;
}

/* What NCCL was given is on its way to the device, and has come. */
static bool finish(nccl_net *n, ncclResult_t code, p3d_error *err)
{
    const double deadline_s = p3d_now_s() + n->net.timeout_s;

    return has_begun(code, "small data", err) &&
           wait_or_fail(n, look_at_comm, deadline_s, err) &&
           bench_cuda(cudaEventRecord(n->done, n->stream), "small data", err) &&
           wait_or_fail(n, look_at_stream, deadline_s, err);
}

/* As many bytes as the pieces of all ranks have. */
static bool broadcast_part(nccl_net *n, char *data, size_t size, p3d_error *err)
{
    char *const at = n->pieces;

    return (n->net.rank > 0 || bench_cuda(cudaMemcpy(at, data, size,
                                                  cudaMemcpyHostToDevice),
                                       "small data", err)) &&
           finish(n,
                   ncclBroadcast(at, at, size, ncclChar, 0, n->comm, n->stream),
                   err) &&
           (n->net.rank == 0 || bench_cuda(cudaMemcpy(data, at, size,
                                                   cudaMemcpyDeviceToHost),
                                        "small data", err));
}

static bool nccl_broadcast(bench_net *net, void *data, size_t n, p3d_error *err)
{
    const size_t room = PIECE * ((size_t)net->n_ranks + 1);
    char *at = data;

    if (!wake((nccl_net *)net, err))
        return false;
    for (size_t done = 0; done < n; done += room) {
        const size_t left = n - done;

        if (!broadcast_part(
                    (nccl_net *)net, at + done, left < room ? left : room, err))
            return false;
    }
    return true;
}

/* Bytes of each rank, from `done` on, for rank 0. */
static bool gather_part(
        nccl_net *n, const char *data, size_t size, char *parts, p3d_error *err)
{
    char *const each = n->pieces + PIECE;

    return bench_cuda(cudaMemcpy(n->pieces, data, size, cudaMemcpyHostToDevice),
                   "small data", err) &&
           finish(n,
                   ncclAllGather(
                           n->pieces, each, size, ncclChar, n->comm, n->stream),
                   err) &&
           (n->net.rank > 0 || bench_cuda(cudaMemcpy(parts, each,
                                                  size * (size_t)n->net.n_ranks,
                                                  cudaMemcpyDeviceToHost),
                                       "small data", err));
}

static bool nccl_gather(
        bench_net *net, const void *data, size_t n, void *all, p3d_error *err)
{
    const size_t n_ranks = (size_t)net->n_ranks;
    char *const parts = malloc(PIECE * n_ranks);
    bool ok = parts != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && wake((nccl_net *)net, err);
    for (size_t done = 0; done < n && ok; done += PIECE) {
        const size_t size = n - done < PIECE ? n - done : PIECE;

        ok = gather_part(
                (nccl_net *)net, (const char *)data + done, size, parts, err);
        for (size_t r = 0; r < n_ranks && ok && net->rank == 0; r++)
            memcpy((char *)all + r * n + done, parts + r * size, size);
    }
    free(parts);
    return ok;
}

const bench_transport bench_over_nccl = {.refuse = nccl_refuse,
        .print = nccl_print,
        .open = nccl_open,
        .broadcast = nccl_broadcast,
        .gather = nccl_gather,
        .rest = nccl_rest,
        .close = nccl_close};

bool bench_net_is_nccl(const bench_net *net)
{
    return net != NULL && net->how == &bench_over_nccl;
}

/* The new one blocks; being split from one that does not, it is made while this
 * waits. */
bool bench_net_split(bench_net *net, ncclComm_t *out, p3d_error *err)
{
    nccl_net *const n = (nccl_net *)net;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;

    config.blocking = 1;
    return wake(n, err) &&
           has_begun(ncclCommSplit(n->comm, 0, net->rank, out, &config),
                   "making a communicator", err) &&
           wait_or_fail(n, look_at_comm, p3d_now_s() + net->timeout_s, err);
}
