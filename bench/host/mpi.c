/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi.c - small data by the cluster's MPI: its launcher knows where the ranks
 * are, and ends them when one of them is lost. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "bench/host/transport.h"

typedef struct mpi_net {
    bench_net net;
    MPI_Request requests[]; /* with each other rank; elsewhere with rank 0 */
} mpi_net;

enum { TAG = 1 };

/* Ranks that wait for longer leave the processors to rank 0, which may measure
 * the host's memory. */
static const double EAGER_S = 1e-3;

/* A launcher of another MPI starts this one's ranks as many jobs of one. */
static const char OTHER[] = "the launcher is of another one than this build";

static const char *mpi_refuse(const bench_launch *launch)
{
    int has_begun = 0, has_ended = 0, n_ranks = 0, rank = 0;

    if (!launch->has_pmi || launch->n_ranks == 1)
        return "";
    MPI_Finalized(&has_ended);
    if (has_ended)
        return OTHER;
    MPI_Initialized(&has_begun);
    if (!has_begun)
        MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (n_ranks == launch->n_ranks && rank == launch->rank)
        return NULL;
    MPI_Finalize();
    return OTHER;
}

static void mpi_print(const bench_launch *launch, char *out, size_t n)
{
    char words[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;

    (void)launch;
    MPI_Get_library_version(words, &length);
    snprintf(out, n, "MPI (%.*s)", (int)strcspn(words, ",\n"), words);
}

static bool mpi_open(
        bench_launch *launch, double timeout_s, bench_net **out, p3d_error *err)
{
    mpi_net *const m = malloc(
            sizeof(*m) + (size_t)launch->n_ranks * sizeof(m->requests[0]));

    if (m == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    m->net = bench_net_head(&bench_mpi, launch, timeout_s);
    *out = &m->net;
    return true;
}

/* A process that ends without MPI_Finalize() has failed: Open MPI's, MPICH's
 * and Slurm's launchers then end the others. */
static void mpi_close(bench_net *net, bool ok)
{
    if (ok)
        MPI_Finalize();
    free(net);
}

static void mpi_pause(double waited_s)
{
    const struct timespec t = {.tv_nsec = 1000000};

    if (waited_s < EAGER_S)
        sched_yield();
    else
        nanosleep(&t, NULL);
}

/* Wait for all requests in turn; the first that does not end names a rank. */
static bool finish(mpi_net *m, int n, p3d_error *err)
{
    const double began_s = p3d_now_s();
    int i = 0;

    while (i < n) {
        const double waited_s = p3d_now_s() - began_s;
        int is_done = 0;

        if (MPI_Test(&m->requests[i], &is_done, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS)
            return p3d_fail(err, P3D_SYSTEM, "rank %d is lost, says MPI",
                    m->net.rank > 0 ? 0 : i + 1);
        if (is_done)
            i++;
        else if (waited_s > m->net.timeout_s)
            return p3d_fail(err, P3D_SYSTEM, "rank %d does not answer",
                    m->net.rank > 0 ? 0 : i + 1);
        else
            mpi_pause(waited_s);
    }
    return true;
}

static bool mpi_broadcast(bench_net *net, void *data, size_t n, p3d_error *err)
{
    mpi_net *const m = (mpi_net *)net;

    if (net->rank > 0) {
        MPI_Irecv(data, (int)n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, m->requests);
        return finish(m, 1, err);
    }
    for (int rank = 1; rank < net->n_ranks; rank++)
        MPI_Isend(data, (int)n, MPI_BYTE, rank, TAG, MPI_COMM_WORLD,
                &m->requests[rank - 1]);
    return finish(m, net->n_ranks - 1, err);
}

static bool mpi_gather(
        bench_net *net, const void *data, size_t n, void *all, p3d_error *err)
{
    mpi_net *const m = (mpi_net *)net;

    if (net->rank > 0) {
        MPI_Isend(data, (int)n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, m->requests);
        return finish(m, 1, err);
    }
    memcpy(all, data, n);
    for (int rank = 1; rank < net->n_ranks; rank++)
        MPI_Irecv((char *)all + (size_t)rank * n, (int)n, MPI_BYTE, rank, TAG,
                MPI_COMM_WORLD, &m->requests[rank - 1]);
    return finish(m, net->n_ranks - 1, err);
}

const bench_transport bench_mpi = {.refuse = mpi_refuse,
        .print = mpi_print,
        .open = mpi_open,
        .broadcast = mpi_broadcast,
        .gather = mpi_gather,
        .close = mpi_close};
