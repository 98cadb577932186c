/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_nccl.c - collectives between the processes of this host over memory that
 * they share: each has a stretch that all others read. */
#define _GNU_SOURCE /* a barrier between processes, shm_open() */
#include <fcntl.h>
#include <nccl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* What begins a shared stretch of memory; the ranks' own follow. */
typedef struct shared {
    pthread_barrier_t barrier;
    atomic_int is_ready;
    atomic_int n_here;
} shared;

enum { HEAD = 4096, NAME = 128, OPEN_MS = 20000, ROOM = FAKE_MIB << 20 };

struct ncclComm {
    int rank;
    int n;
    int n_splits;
    char name[NAME];
    shared *memory;
    void *on_device; /* what it takes there: FAKE_COMM_MIB */
    /* Those that do not block have one thread at a time. */
    bool is_blocking;
    bool has_thread;
    pthread_t thread;
    atomic_int state;    /* of its call: ncclInProgress while the thread runs */
    atomic_int has_read; /* what its call was given */
    atomic_int is_aborted;
};

/* A call of a communicator that does not block. */
typedef struct work {
    ncclComm_t comm;
    const void *from;
    void *to;
    size_t n; /* bytes */
    bool is_gather;
} work;

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

/* The thread of a call that has ended is taken back. */
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *out)
{
    const int own = atomic_load(&comm->state);

    if (own != ncclInProgress && comm->has_thread) {
        pthread_join(comm->thread, NULL);
        comm->has_thread = false;
    }
    *out = own != ncclSuccess ? (ncclResult_t)own : state;
    return ncclSuccess;
}

/* The id is a name that no other has; or of the address at which all meet. */
ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    const char *const address = getenv("NCCL_COMM_ID");
    static int n_ids;

    if (address != NULL) {
        snprintf(id->internal, sizeof(id->internal), "/plan3d-fake-%.80s",
                address);
        return ncclSuccess;
    }
    snprintf(id->internal, sizeof(id->internal), "/plan3d-fake-%ld-%d",
            (long)getpid(), n_ids++);
    return ncclSuccess;
}

static size_t size_of(const struct ncclComm *comm)
{
    return HEAD + (size_t)comm->n * ROOM;
}

/* The memory of a name, which rank 0 makes; the others wait for it. Pages take
 * room once they are used. */
static shared *attach(const struct ncclComm *comm)
{
    const int flags = comm->rank == 0 ? O_RDWR | O_CREAT | O_EXCL : O_RDWR;
    shared *memory = MAP_FAILED;
    int fd = -1;

    for (int ms = 0; ms < OPEN_MS && fd < 0 && !atomic_load(&comm->is_aborted);
            ms++) {
        fd = shm_open(comm->name, flags, 0600);
        fake_sleep(fd < 0);
    }
    if (fd < 0)
        return MAP_FAILED;
    for (int ms = 0; comm->rank > 0 && ms < OPEN_MS &&
                     lseek(fd, 0, SEEK_END) < (off_t)size_of(comm);
            ms++)
        fake_sleep(1);
    if (comm->rank > 0 || ftruncate(fd, (off_t)size_of(comm)) == 0)
        memory = mmap(
                NULL, size_of(comm), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return memory;
}

static void meet(ncclComm_t comm)
{
    pthread_barrier_wait(&comm->memory->barrier);
}

/* Be here, and see all others: or not, where this is given up meanwhile. */
static bool arrive(ncclComm_t comm)
{
    while (atomic_load(&comm->memory->is_ready) == 0 &&
            !atomic_load(&comm->is_aborted))
        fake_sleep(1);
    if (atomic_load(&comm->is_aborted))
        return false;
    atomic_fetch_add(&comm->memory->n_here, 1);
    while (atomic_load(&comm->memory->n_here) < comm->n &&
            !atomic_load(&comm->is_aborted))
        fake_sleep(1);
    return !atomic_load(&comm->is_aborted);
}

static ncclResult_t connect_ranks(ncclComm_t comm)
{
    pthread_barrierattr_t all;
    bool ok;

    comm->memory = attach(comm);
    if (comm->memory == MAP_FAILED)
        return ncclRemoteError;
    if (comm->rank == 0) {
        pthread_barrierattr_init(&all);
        pthread_barrierattr_setpshared(&all, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&comm->memory->barrier, &all, (unsigned)comm->n);
        atomic_store(&comm->memory->is_ready, 1);
    }
    ok = arrive(comm);
    if (comm->rank == 0)
        shm_unlink(comm->name);
    return ok ? ncclSuccess : ncclRemoteError;
}

static ncclComm_t new_comm(int rank, int n, const char *name)
{
    ncclComm_t comm = calloc(1, sizeof(*comm));

    comm->rank = rank;
    comm->n = n;
    comm->is_blocking = true;
    comm->memory = MAP_FAILED;
    snprintf(comm->name, sizeof(comm->name), "%s", name);
    (void)cudaMalloc(
            &comm->on_device, (size_t)fake_setting("FAKE_COMM_MIB") << 20);
    return comm;
}

static ncclResult_t join(ncclComm_t *out, int rank, int n, const char *name)
{
    ncclComm_t comm = new_comm(rank, n, name);
    const ncclResult_t code = connect_ranks(comm);

    if (code == ncclSuccess)
        *out = comm;
    else
        ncclCommDestroy(comm);
    return code;
}

ncclResult_t ncclCommInitRank(ncclComm_t *out, int n, ncclUniqueId id, int rank)
{
    return join(out, rank, n, id.internal);
}

static void *connect_later(void *comm)
{
    const ncclResult_t code = connect_ranks(comm);

    atomic_store(&((ncclComm_t)comm)->state, code);
    return NULL;
}

static ncclResult_t begin(ncclComm_t comm, void *(*run)(void *), void *context)
{
    atomic_store(&comm->state, ncclInProgress);
    atomic_store(&comm->has_read, 0);
    comm->has_thread = true;
    return pthread_create(&comm->thread, NULL, run, context) == 0
                   ? ncclInProgress
                   : ncclSystemError;
}

ncclResult_t ncclCommInitRankConfig(
        ncclComm_t *out, int n, ncclUniqueId id, int rank, ncclConfig_t *config)
{
    if (config->blocking != 0)
        return join(out, rank, n, id.internal);
    *out = new_comm(rank, n, id.internal);
    (*out)->is_blocking = false;
    return begin(*out, connect_later, *out);
}

ncclResult_t ncclCommFinalize(ncclComm_t comm)
{
    (void)comm;
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    if (comm->memory != MAP_FAILED)
        munmap(comm->memory, size_of(comm));
    cudaFree(comm->on_device);
    free(comm);
    return ncclSuccess;
}

/* One that waits for others in a call would wait for ever: it is left, when it
 * has read what the caller may free now. */
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    static ncclComm_t left;
    const bool is_made = comm->memory != MAP_FAILED &&
                         atomic_load(&comm->memory->n_here) >= comm->n;

    atomic_store(&comm->is_aborted, 1);
    while (comm->has_thread && is_made && atomic_load(&comm->has_read) == 0 &&
            atomic_load(&comm->state) == ncclInProgress)
        fake_sleep(1);
    if (comm->has_thread && is_made &&
            atomic_load(&comm->state) == ncclInProgress) {
        pthread_detach(comm->thread);
        cudaFree(comm->on_device); /* the thread has no use for it */
        left = comm;
        return left != NULL ? ncclSuccess : ncclInternalError;
    }
    if (comm->has_thread)
        pthread_join(comm->thread, NULL);
    return ncclCommDestroy(comm);
}

/* What a rank lets the others read. */
static void *part_of(ncclComm_t comm, int rank)
{
    return (char *)comm->memory + HEAD + (size_t)rank * ROOM;
}

static void share(ncclComm_t comm, const void *mine, size_t n)
{
    memcpy(part_of(comm, comm->rank), mine, n);
    atomic_store(&comm->has_read, 1);
    meet(comm);
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *out,
        ncclConfig_t *config)
{
    char name[NAME];
    int n = 0;

    (void)config;
    share(comm, &color, sizeof(color));
    for (int r = 0; r < comm->n; r++)
        n += *(const int *)part_of(comm, r) == color;
    meet(comm);
    snprintf(name, sizeof(name), "%.80s-%d-%d", comm->name, comm->n_splits++,
            color);
    return join(out, key, n, name);
}

/* Bytes to all ranks, or from all. */
static void exchange(const work *w)
{
    const ncclComm_t comm = w->comm;

    share(comm, w->from, w->is_gather || comm->rank == 0 ? w->n : 0);
    for (int r = 0; r < (w->is_gather ? comm->n : 1); r++)
        memcpy((char *)w->to + (size_t)r * w->n, part_of(comm, r), w->n);
    meet(comm);
}

static void *exchange_later(void *context)
{
    work *const w = context;

    exchange(w);
    atomic_store(&w->comm->state, ncclSuccess);
    free(w);
    return NULL;
}

/* Rank 1 is killed where a test says so: what the others have begun does not
 * end. */
static ncclResult_t run(work w)
{
    static int n_later;
    work *copy;

    if (w.comm->is_blocking) {
        exchange(&w);
        return ncclSuccess;
    }
    if (++n_later == fake_setting("FAKE_LOST_AT_EXCHANGE") && w.comm->rank == 1)
        raise(SIGKILL);
    copy = malloc(sizeof(*copy));
    *copy = w;
    return begin(w.comm, exchange_later, copy);
}

static size_t bytes_of(ncclDataType_t type, size_t n)
{
    return type == ncclChar ? n : n * sizeof(float);
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

/* Sums over the ranks of the numbers from `first` on. */
static void add_up(ncclComm_t comm, size_t first, size_t n, float *restrict to)
{
    memcpy(to, (float *)part_of(comm, 0) + first, n * sizeof(*to));
    for (int r = 1; r < comm->n; r++) {
        const float *restrict const from = (float *)part_of(comm, r) + first;

        for (size_t i = 0; i < n; i++)
            to[i] += from[i];
    }
}

/* Each rank adds up a part, which the others read then. */
static void sum_all(ncclComm_t comm, const float *from, size_t n, float *to)
{
    const size_t part = (n + (size_t)comm->n - 1) / (size_t)comm->n;

    share(comm, from, n * sizeof(*from));
    for (int step = 0; step < 2; step++) {
        for (int r = 0; r < comm->n; r++) {
            const size_t first = part * (size_t)r < n ? part * (size_t)r : n;
            const size_t size = n - first < part ? n - first : part;
            float *const sums = (float *)part_of(comm, r) + first;

            if (step == 1)
                memcpy(to + first, sums, size * sizeof(*to));
            else if (r == comm->rank) {
                add_up(comm, first, size, to + first);
                memcpy(sums, to + first, size * sizeof(*to));
            }
        }
        meet(comm);
    }
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
    sum_all(comm, from, n, to);
    return ncclSuccess;
}

ncclResult_t ncclReduceScatter(const void *from, void *to, size_t n,
        ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
        cudaStream_t stream)
{
    (void)type;
    (void)op;
    (void)stream;
    if (is_misplaced(comm, to, from, n))
        return ncclInvalidArgument;
    share(comm, from, n * (size_t)comm->n * sizeof(float));
    add_up(comm, n * (size_t)comm->rank, n, to);
    meet(comm);
    return ncclSuccess;
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t n,
        ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
    (void)stream;
    if (type == ncclFloat && is_misplaced(comm, from, to, n))
        return ncclInvalidArgument;
    return run((work){comm, from, to, bytes_of(type, n), true});
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t n,
        ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream)
{
    (void)stream;
    if (root != 0)
        return ncclInvalidArgument;
    return run((work){comm, from, to, bytes_of(type, n), false});
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
    (void)type;
    (void)stream;
    return add_call(true, (void *)(uintptr_t)from, n, peer, comm);
}

ncclResult_t ncclRecv(void *to, size_t n, ncclDataType_t type, int peer,
        ncclComm_t comm, cudaStream_t stream)
{
    (void)type;
    (void)stream;
    return add_call(false, to, n, peer, comm);
}

/* Each rank lays out one piece for each rank, of one size. */
ncclResult_t ncclGroupEnd(void)
{
    char *const mine = part_of(grouped, grouped->rank);

    for (int i = 0; i < n_calls; i++)
        if (calls[i].is_send)
            memcpy(mine + (size_t)calls[i].peer * calls[i].n, calls[i].data,
                    calls[i].n);
    meet(grouped);
    for (int i = 0; i < n_calls; i++)
        if (!calls[i].is_send)
            memcpy(calls[i].data,
                    (char *)part_of(grouped, calls[i].peer) +
                            (size_t)grouped->rank * calls[i].n,
                    calls[i].n);
    meet(grouped);
    return ncclSuccess;
}
