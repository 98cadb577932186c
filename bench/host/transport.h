/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transport.h - what carries small data between ranks: a row of net.c's table.
 */
#ifndef PLAN3D_BENCH_TRANSPORT_H
#define PLAN3D_BENCH_TRANSPORT_H

#include "bench/host/net.h"

typedef struct bench_transport bench_transport;

/** The head of each transport's own connections. */
struct bench_net {
    const bench_transport *how;
    int rank;
    int n_ranks;
    double timeout_s;
    bench_launch *children; /* that this process started; NULL = none */
    char *tokens;           /* a byte for each rank, for barriers */
};

struct bench_transport {
    /** NULL where it can carry these ranks' data; else why not, "" where
     *  nobody would expect it. */
    const char *(*refuse)(const bench_launch *launch);
    /** Its name, after "over". */
    void (*print)(const bench_launch *launch, char *out, size_t n);
    /** Its connections, behind a head by bench_net_head(). */
    bool (*open)(bench_launch *launch, double timeout_s, bench_net **out,
            p3d_error *err);
    bool (*broadcast)(bench_net *net, void *data, size_t n, p3d_error *err);
    bool (*gather)(bench_net *net, const void *data, size_t n, void *all,
            p3d_error *err);
    /** NULL = it holds nothing on the devices. */
    void (*rest)(bench_net *net);
    void (*close)(bench_net *net, bool ok);
};

/** MPI, where the program was built with it. */
extern const bench_transport bench_mpi;

/** Sockets between rank 0 and each other rank. */
extern const bench_transport bench_star;

/** The head of a net. */
static inline bench_net bench_net_head(
        const bench_transport *how, bench_launch *launch, double timeout_s)
{
    return (bench_net){.how = how,
            .rank = launch->rank,
            .n_ranks = launch->n_ranks,
            .timeout_s = timeout_s,
            .children = launch->n_children > 0 ? launch : NULL};
}

#endif
