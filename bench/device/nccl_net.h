/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_net.h - small data between ranks by NCCL alone: its bootstrap, and a
 * communicator that nothing timed uses. */
#ifndef PLAN3D_BENCH_NCCL_NET_H
#define PLAN3D_BENCH_NCCL_NET_H

#include <nccl.h>

#include "bench/host/transport.h"

/** The device of this rank must be open. */
extern const bench_transport bench_over_nccl;

/** True where the ranks met so. Accepts NULL. */
bool bench_net_is_nccl(const bench_net *net);

/** A further communicator of all ranks, which blocks as usual; all ranks come
 *  here. Its memory and links are its own.
 *  @param net  of bench_over_nccl
 *  @param out  release with bench_comm_close()
 *  @return false with P3D_DEVICE or P3D_SYSTEM */
P3D_CHECK bool bench_net_split(bench_net *net, ncclComm_t *out, p3d_error *err);

#endif
