/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.h - which rank this process is, as its launcher says; what the ranks
 * tell each other before NCCL runs; an end where one of them is lost. */
#ifndef PLAN3D_BENCH_RANKS_H
#define PLAN3D_BENCH_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

enum { BENCH_HOST = 256, BENCH_MOST_GPUS = 1024 };

typedef struct bench_launch {
    int rank;
    int n_ranks;
    int local_rank;        /* on this node; chooses the device */
    char host[BENCH_HOST]; /* of rank 0; "" with one rank */
    int port;              /* the first that is tried: see BENCH_PORTS */
    uint64_t job;          /* tells jobs apart at a port; 0 = not known */
    int n_children;        /* processes that this one started */
    long children[BENCH_MOST_GPUS]; /* of rank 1, 2, ...; 0 = has ended */
    int lost_rank;                  /* the first that failed; 0 = none */
    int lost_status;                /* as waitpid() gave it */
} bench_launch;

/** Rank 0 listens at the first of so many ports that nothing else holds; the
 *  others look for it at all of them. */
enum { BENCH_PORTS = 16 };

/** Reads the environment: getenv(), or a table in tests. */
typedef const char *bench_env(const char *name);

/**
 * Find out the rank from the variables of torchrun (RANK, WORLD_SIZE,
 * LOCAL_RANK), Open MPI's mpirun (OMPI_COMM_WORLD_...), MPICH's (PMI_...) or
 * srun (SLURM_PROCID, SLURM_STEP_NUM_TASKS, SLURM_LOCALID): the first that has
 * set all of them, which is the innermost, for each may be started by those
 * after it; one rank without any. The host of rank 0 is MASTER_ADDR, or this
 * one where all ranks are local, or the first node of Slurm's list. The first
 * port is MASTER_PORT or 29510, and under torchrun, whose own store holds
 * MASTER_PORT, the one after it.
 *
 * @return false with P3D_DATA: the variable that is wrong or missing
 */
P3D_CHECK bool bench_launch_read(
        bench_env *env, bench_launch *out, p3d_error *err);

/** The i-th port from `first` on; after the last comes 1024. */
int bench_port_at(int first, int i);

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

/** False once a process that this one started was killed or failed, and from
 *  then on: which rank, and how. Never waits. */
P3D_CHECK bool bench_launch_alive(bench_launch *launch, p3d_error *err);

/** Wait for the processes that this one started; unless all is well here they
 *  are told to end.
 *  @return false when one of them failed */
bool bench_launch_end(bench_launch *launch, bool ok);

/** What the ranks tell each other over TCP: a star with rank 0 in the middle.
 *  Nothing ever waits longer than the timeout. Every rank calls the same
 *  functions in the same order. */
typedef struct bench_net bench_net;

/**
 * Connect all ranks. A process that this one started and that ends before the
 * time is noticed here, and in all functions below, within a moment.
 *
 * @param launch     must live as long as the network
 * @param timeout_s  for this call, and for each of those below
 * @param out        release with bench_net_close(); one rank needs no network
 * @return false with P3D_SYSTEM: which rank is missing, the host that does not
 *         answer, or too few files that may be open at once
 */
P3D_CHECK bool bench_net_open(bench_launch *launch, double timeout_s,
        bench_net **out, p3d_error *err);

/** Accepts NULL. */
void bench_net_close(bench_net *net);

/** Wait longer, or less long, in the functions below. Accepts NULL. */
void bench_net_wait_up_to(bench_net *net, double timeout_s);

/** Copy n bytes of rank 0 to all. */
P3D_CHECK bool bench_net_broadcast(
        bench_net *net, void *data, size_t n, p3d_error *err);

/** Collect n bytes of each rank on rank 0, in the order of the ranks.
 *  @param all  room for n_ranks * n bytes on rank 0; NULL elsewhere */
P3D_CHECK bool bench_net_gather(
        bench_net *net, const void *data, size_t n, void *all, p3d_error *err);

/** Return when all ranks are here. */
P3D_CHECK bool bench_net_barrier(bench_net *net, p3d_error *err);

/**
 * Unless it is set again or cleared within this time, the process says on
 * standard error that other ranks do not answer and exits with the status of
 * P3D_DEVICE. NCCL has no deadline of its own: a rank that is lost would keep
 * the others, and their GPUs, busy for ever.
 *
 * @param timeout_s  0 = clear; rounded up to whole seconds
 */
void bench_watchdog(double timeout_s);

#endif
