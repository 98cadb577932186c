/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - which rank this process is, as its launcher says. */
#ifndef PLAN3D_BENCH_LAUNCH_H
#define PLAN3D_BENCH_LAUNCH_H

#include <stddef.h>

#include "plan3d/error.h"

enum { BENCH_HOST = 256, BENCH_MOST_GPUS = 1024 };

typedef struct bench_launch {
    int rank;
    int n_ranks;
    int local_rank;        /* on this node; chooses the device */
    char host[BENCH_HOST]; /* of rank 0; "" with one rank */
    int port;
    int n_children; /* processes that this one started */
    long children[BENCH_MOST_GPUS];
} bench_launch;

/** Reads the environment: getenv(), or a table in tests. */
typedef const char *bench_env(const char *name);

/**
 * Find out the rank from the variables of torchrun (RANK, WORLD_SIZE,
 * LOCAL_RANK), srun (SLURM_PROCID, SLURM_STEP_NUM_TASKS, SLURM_LOCALID), Open
 * MPI's mpirun (OMPI_COMM_WORLD_...) or MPICH's (PMI_...), the first of which
 * is there; one rank without any. The host of rank 0 is MASTER_ADDR, or the
 * first node of SLURM_STEP_NODELIST, or this one where all ranks are local;
 * the port is MASTER_PORT or 29510.
 *
 * @return false with P3D_DATA: the variable that is wrong or missing
 */
P3D_CHECK bool bench_launch_read(
        bench_env *env, bench_launch *out, p3d_error *err);

/** The first host of SLURM's short form: "gpu[003-007,9]" gives "gpu003".
 *  @return false when it has no such form or is too long */
bool bench_first_host(const char *list, char *out, size_t n);

/**
 * Start the ranks of --gpus: n_ranks - 1 further processes, each of which
 * returns from here with a rank of its own. Must come before anything that a
 * forked process may not use again (CUDA).
 *
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool bench_launch_fork(
        int n_ranks, bench_launch *out, p3d_error *err);

/** Wait for the processes that this one started; unless all is well here they
 *  are told to end.
 *  @return false when one of them failed */
bool bench_launch_end(bench_launch *launch, bool ok);

#endif
