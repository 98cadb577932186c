/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net.h - what the ranks must tell each other before NCCL runs, over TCP: a
 * star with rank 0 in the middle. Nothing ever waits longer than the timeout.
 *
 * Every rank calls the same functions in the same order. */
#ifndef PLAN3D_BENCH_NET_H
#define PLAN3D_BENCH_NET_H

#include <stddef.h>

#include "bench/host/launch.h"

typedef struct bench_net bench_net;

/**
 * Connect all ranks.
 *
 * @param timeout_s  for this call, and for each of those below
 * @param out        release with bench_net_close(); one rank needs no network
 * @return false with P3D_SYSTEM: which rank is missing, or the host that does
 *         not answer
 */
P3D_CHECK bool bench_net_open(const bench_launch *launch, double timeout_s,
        bench_net **out, p3d_error *err);

/** Accepts NULL. */
void bench_net_close(bench_net *net);

/** Copy n bytes of rank 0 to all. */
P3D_CHECK bool bench_net_broadcast(
        bench_net *net, void *data, size_t n, p3d_error *err);

/** Collect n bytes of each rank on rank 0, in the order of the ranks.
 *  @param all  room for n_ranks * n bytes on rank 0; NULL elsewhere */
P3D_CHECK bool bench_net_gather(
        bench_net *net, const void *data, size_t n, void *all, p3d_error *err);

/** Return when all ranks are here. */
P3D_CHECK bool bench_net_barrier(bench_net *net, p3d_error *err);

#endif
