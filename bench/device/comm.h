/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm.h - NCCL communicators and collectives on them. */
#ifndef PLAN3D_BENCH_COMM_H
#define PLAN3D_BENCH_COMM_H

#include <nccl.h>

#include "bench/device/commands.h"

/** True, or false with NCCL's words and P3D_DEVICE. */
bool bench_nccl(ncclResult_t code, const char *what, p3d_error *err);

/** A communicator of all ranks. @param out release with bench_comm_close() */
P3D_CHECK bool bench_comm_open(
        const bench_task *task, ncclComm_t *out, p3d_error *err);

/** Look at a communicator while its device is waited for: what NCCL notices of
 *  a lost rank ends the wait, long before the timeout. NULL = at none. */
void bench_comm_guard(bench_device *device, ncclComm_t comm);

/** After a failure another rank may be gone, which is not waited for. Accepts
 *  NULL. */
void bench_comm_close(ncclComm_t comm, bool ok);

/** A collective with its buffers, in fp32. */
typedef struct bench_collective {
    int op; /* p3d_measured_op */
    ncclComm_t comm;
    int rank;
    int n_ranks;
    int64_t count; /* elements of the larger buffer */
    bool in_place;
    float *send;
    float *receive;
} bench_collective;

/** True where NCCL can run the collective in one buffer. */
bool bench_collective_may_be_in_place(int op);

/** A bench_run of it. */
bool bench_collective_run(
        void *collective, int64_t i, cudaStream_t stream, p3d_error *err);

/** Fill what is sent, run once, and compare what is received.
 *  @param n_checked  elements that were compared; at most some millions
 *  @return false with P3D_DEVICE when an element is wrong */
P3D_CHECK bool bench_collective_check(const bench_collective *collective,
        const bench_device *device, int64_t *n_checked, p3d_error *err);

#endif
