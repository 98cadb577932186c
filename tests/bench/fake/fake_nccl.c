/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_nccl.c - collectives between processes, over the program's own network:
 * all that is sent goes through rank 0. Needs the program's bootstrap to
 * work, which has tests of its own. */
#include <nccl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/host/net.h"
#include "tests/bench/fake/fake.h"

/* nccl.h declares ncclGroupStart() and ncclGroupEnd() without a prototype. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { MOST_CALLS = 64 };

/* A send or a receive that waits for the end of its group. */
typedef struct call {
    bool is_send;
    int peer;
    size_t n; /* bytes */
    void *data;
} call;

struct ncclComm {
    int rank;
    int n;
    bench_net *net;
};

static call calls[MOST_CALLS];
static int n_calls;
static ncclComm_t grouped;

ncclResult_t ncclGetVersion(int *version)
{
    *version = 22809;
    return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t code)
{
    return code == ncclSuccess ? "no error" : "fake error";
}

const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return "";
}

/* One call's part that never ends, as when a link breaks. */
static ncclResult_t state = ncclSuccess;

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *out)
{
    (void)comm;
    *out = state;
    return ncclSuccess;
}

/* A port that nothing uses now. */
static int free_port(void)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(at);

    bind(fd, (struct sockaddr *)&at, sizeof(at));
    getsockname(fd, (struct sockaddr *)&at, &n);
    close(fd);
    return ntohs(at.sin_port);
}

/* The id is the place where rank 0 will listen. */
ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    const int port = free_port();

    memcpy(id->internal, &port, sizeof(port));
    return ncclSuccess;
}

static ncclResult_t join(ncclComm_t *out, int rank, int n, int port)
{
    /* The job keeps the ranks of groups apart whose ports lie side by side. */
    bench_launch launch = {.rank = rank,
            .n_ranks = n,
            .host = "127.0.0.1",
            .port = port,
            .job = (uint64_t)port};
    ncclComm_t comm = calloc(1, sizeof(*comm));

    comm->rank = rank;
    comm->n = n;
    if (!bench_net_open(&launch, 20, &comm->net, NULL)) {
        free(comm);
        return ncclSystemError;
    }
    *out = comm;
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *out, int n, ncclUniqueId id, int rank)
{
    int port;

    memcpy(&port, id.internal, sizeof(port));
    return join(out, rank, n, port);
}

ncclResult_t ncclCommInitAll(ncclComm_t *out, int n, const int *devices)
{
    (void)devices;
    return n == 1 ? join(out, 0, 1, 0) : ncclInvalidArgument;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    bench_net_close(comm->net, true);
    free(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    return ncclCommDestroy(comm);
}

/* n bytes of every rank, on every rank. */
static bool gather_all(ncclComm_t comm, const void *mine, size_t n, char *all)
{
    return bench_net_gather(comm->net, mine, n, all, NULL) &&
           bench_net_broadcast(comm->net, all, n * (size_t)comm->n, NULL);
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *out,
        ncclConfig_t *config)
{
    const int mine[3] = {color, key, free_port()};
    int(*all)[3] = calloc((size_t)comm->n, sizeof(*all));
    int n = 0, port = 0;

    (void)config;
    if (!gather_all(comm, mine, sizeof(mine), (char *)all))
        return ncclSystemError;
    for (int r = 0; r < comm->n; r++) {
        n += all[r][0] == color;
        if (all[r][0] == color && all[r][1] == 0)
            port = all[r][2];
    }
    free(all);
    return join(out, key, n, port);
}

/* In one buffer a rank's own part must be where it belongs. */
static bool is_misplaced(
        ncclComm_t comm, const void *part, const void *whole, size_t n)
{
    const float *const p = part;
    const float *const w = whole;

    return p >= w && p < w + n * (size_t)comm->n &&
           p != w + n * (size_t)comm->rank;
}

/* Sums over the ranks of n numbers, on every rank. */
static bool sum_all(ncclComm_t comm, const float *from, size_t n, float *sums)
{
    float *const all = malloc((size_t)comm->n * n * sizeof(*all));
    const bool ok = gather_all(comm, from, n * sizeof(*all), (char *)all);

    for (size_t i = 0; i < n && ok; i++) {
        sums[i] = 0;
        for (int r = 0; r < comm->n; r++)
            sums[i] += all[(size_t)r * n + i];
    }
    free(all);
    return ok;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t n,
        ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
        cudaStream_t stream)
{
    static int n_reductions;

    (void)type;
    (void)op;
    (void)stream;
    fake_sleep(fake_setting("FAKE_NCCL_MS"));
    /* One rank is killed, and for its part in a sum the others wait. */
    if (fake_hangs)
        return ncclSuccess;
    if (++n_reductions == fake_setting("FAKE_LOST_AT_CALL")) {
        if (comm->rank == 1)
            raise(SIGKILL);
        fake_hangs = true;
        return ncclSuccess;
    }
    if (n_reductions == fake_setting("FAKE_LINK_LOST_AT_CALL")) {
        state = ncclRemoteError;
        fake_hangs = true;
        return ncclSuccess;
    }
    if (!fake_queue())
        return ncclSystemError;
    return sum_all(comm, from, n, to) ? ncclSuccess : ncclSystemError;
}

ncclResult_t ncclReduceScatter(const void *from, void *to, size_t n,
        ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
        cudaStream_t stream)
{
    const size_t all = n * (size_t)comm->n;
    float *const sums = malloc(all * sizeof(*sums));
    const bool ok =
            !is_misplaced(comm, to, from, n) && sum_all(comm, from, all, sums);

    (void)type;
    (void)op;
    (void)stream;
    memcpy(to, sums + (size_t)comm->rank * n, n * sizeof(*sums));
    free(sums);
    return ok ? ncclSuccess : ncclSystemError;
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t n,
        ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
    char *const all = malloc((size_t)comm->n * n * sizeof(float));
    const bool ok = !is_misplaced(comm, from, to, n) &&
                    gather_all(comm, from, n * sizeof(float), all);

    (void)type;
    (void)stream;
    memcpy(to, all, (size_t)comm->n * n * sizeof(float));
    free(all);
    return ok ? ncclSuccess : ncclSystemError;
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t n,
        ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream)
{
    (void)type;
    (void)stream;
    if (root != 0)
        return ncclInvalidArgument;
    memmove(to, from, n * sizeof(float));
    return bench_net_broadcast(comm->net, to, n * sizeof(float), NULL)
                   ? ncclSuccess
                   : ncclSystemError;
}

ncclResult_t ncclGroupStart(void)
{
    n_calls = 0;
    return ncclSuccess;
}

static ncclResult_t add_call(
        bool is_send, void *data, size_t n, int peer, ncclComm_t comm)
{
    grouped = comm;
    if (n_calls == MOST_CALLS)
        return ncclInvalidUsage;
    calls[n_calls++] = (call){is_send, peer, n * sizeof(float), data};
    return ncclSuccess;
}

ncclResult_t ncclSend(const void *from, size_t n, ncclDataType_t type, int peer,
        ncclComm_t comm, cudaStream_t stream)
{
    void *copy = malloc(n * sizeof(float));

    (void)type;
    (void)stream;
    memcpy(copy, from, n * sizeof(float));
    return add_call(true, copy, n, peer, comm);
}

ncclResult_t ncclRecv(void *to, size_t n, ncclDataType_t type, int peer,
        ncclComm_t comm, cudaStream_t stream)
{
    (void)type;
    (void)stream;
    return add_call(false, to, n, peer, comm);
}

/* Each rank lays out one piece for each rank; all see all of them. */
ncclResult_t ncclGroupEnd(void)
{
    const size_t n = (size_t)grouped->n;
    const size_t piece = n_calls > 0 ? calls[0].n : 0;
    char *const mine = calloc(n, piece);
    char *const all = calloc(n * n, piece);
    bool ok;

    for (int i = 0; i < n_calls; i++) {
        if (!calls[i].is_send)
            continue;
        memcpy(mine + (size_t)calls[i].peer * piece, calls[i].data, piece);
        free(calls[i].data);
    }
    ok = gather_all(grouped, mine, n * piece, all);
    for (int i = 0; i < n_calls; i++)
        if (!calls[i].is_send)
            memcpy(calls[i].data,
                    all + ((size_t)calls[i].peer * n + (size_t)grouped->rank) *
                                    piece,
                    piece);
    free(mine);
    free(all);
    return ok ? ncclSuccess : ncclSystemError;
}
