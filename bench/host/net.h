/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net.h - small data between all ranks: NCCL's ids, numbers of runs, verdicts.
 * Nothing that is timed goes here. */
#ifndef PLAN3D_BENCH_NET_H
#define PLAN3D_BENCH_NET_H

#include "bench/host/ranks.h"

/** All ranks with rank 0. Nothing ever waits longer than the timeout. Every
 *  rank calls the same functions in the same order. */
typedef struct bench_net bench_net;

/** How these ranks meet, for people: "over MPI (...)", "over NCCL at ..." or
 *  "over sockets ...", and why not by what is better and was expected; "" where
 *  the way that the user wants is not there. MPI begins here or in
 *  bench_net_open(). */
void bench_net_print(const bench_launch *launch, char *out, size_t n);

/**
 * Connect all ranks: by MPI where the program was built with the launcher's,
 * else by NCCL's own bootstrap where the launcher gives an address of rank 0,
 * else by sockets. A process that this one started and that ends before the
 * time is noticed here, and in all functions below, within a moment.
 *
 * @param launch     must live as long as the network
 * @param timeout_s  for this call, and for each of those below
 * @param out        release with bench_net_close(); one rank needs no network
 * @return false with P3D_SYSTEM: which rank is missing, the host that does not
 *         answer, or too few files that may be open at once; with P3D_DATA: the
 *         way that the user wants is not there; P3D_DEVICE: what NCCL says
 */
P3D_CHECK bool bench_net_open(bench_launch *launch, double timeout_s,
        bench_net **out, p3d_error *err);

/** After a failure (not ok) other ranks are not waited for; of MPI's it is then
 *  the launcher that ends them. Accepts NULL. */
void bench_net_close(bench_net *net, bool ok);

/** Wait longer, or less long, in the functions below. Accepts NULL. */
void bench_net_wait_up_to(bench_net *net, double timeout_s);

/** Hold nothing on the devices until a function below is called, which then
 *  connects the ranks again: no kernel runs beside what is measured meanwhile,
 *  and no memory is taken. All ranks come here. Accepts NULL. */
void bench_net_rest(bench_net *net);

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
