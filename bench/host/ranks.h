/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.h - which rank this process is, as its launcher says; the processes
 * that it starts; an end where one of them is lost. */
#ifndef PLAN3D_BENCH_RANKS_H
#define PLAN3D_BENCH_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

enum { BENCH_HOST = 256, BENCH_MOST_GPUS = 1024 };

struct bench_transport;

/** By which way the ranks meet; the first is the best that there is. */
typedef enum bench_rendezvous {
    BENCH_MEET_AUTO,
    BENCH_MEET_MPI,
    BENCH_MEET_NCCL,
    BENCH_MEET_SOCKETS,
    BENCH_N_MEET
} bench_rendezvous;

/** The word of one; NULL past the last. */
const char *bench_rendezvous_word(int which);

typedef struct bench_launch {
    int rank;
    int n_ranks;
    int local_rank;              /* on this node; chooses the device */
    bench_rendezvous rendezvous; /* as the user wants it */
    const struct bench_transport *over_nccl; /* NULL = not in this program */
    char comm_id[BENCH_HOST + 8];            /* NCCL_COMM_ID; "" = not set */
    char host[BENCH_HOST]; /* of rank 0; "" with one rank, or not known */
    int port;              /* the first that is tried: see BENCH_PORTS */
    uint64_t job;          /* tells jobs apart at a port; 0 = not known */
    bool has_pmi;          /* MPI can ask the launcher for the other ranks */
    bool is_paired;        /* sockets[] are open, and nobody's yet */
    int sockets[BENCH_MOST_GPUS];   /* to rank 1, 2, ...; else [0], to rank 0 */
    int n_children;                 /* processes that this one started */
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
 * one where all ranks are local, or the first node of Slurm's list; where MPI
 * can ask the launcher, it need not be known. The first port is MASTER_PORT or
 * 29510, and under torchrun, whose own store holds MASTER_PORT, the one after.
 * With NCCL_COMM_ID, which is kept, the host need not be known either.
 *
 * @return false with P3D_DATA: the variable that is wrong or missing
 */
P3D_CHECK bool bench_launch_read(
        bench_env *env, bench_launch *out, p3d_error *err);

/** The i-th port from `first` on; after the last comes 1024. */
int bench_port_at(int first, int i);

/** The port at which NCCL's ranks meet: that of the BENCH_PORTS from
 *  launch->port on that the job's number chooses, so that two jobs on one host
 *  seldom take the same; all ranks of a job find the same without a word. */
int bench_nccl_port(const bench_launch *launch);

/** @return the port (for 0, any) if nothing listens there now on this host;
 *          else -1 with errno */
int bench_free_port(int port);

/** The first host of SLURM's short form: "gpu[003-007,9]" gives "gpu003".
 *  @return false when it has no such form or is too long */
bool bench_first_host(const char *list, char *out, size_t n);

/**
 * Start the ranks of --gpus: n_ranks - 1 further processes, each of which
 * returns from here with a rank of its own and a socket to rank 0; the port is
 * one of this host at which nothing listens. Must come before anything that a
 * forked process may not use again (CUDA).
 *
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool bench_launch_fork(
        int n_ranks, bench_launch *out, p3d_error *err);

/** False once a process that this one started was killed or failed, and from
 *  then on: which rank, and how. Never waits. */
P3D_CHECK bool bench_launch_alive(bench_launch *launch, p3d_error *err);

/** Allow this process a file for each rank, beside those of CUDA, NCCL and the
 *  program itself. @return false with P3D_SYSTEM */
P3D_CHECK bool bench_raise_files(int n_ranks, p3d_error *err);

/** Wait for the processes that this one started, and close the sockets that
 *  nobody took; unless all is well here the processes are told to end.
 *  @return false when one of them failed */
bool bench_launch_end(bench_launch *launch, bool ok);

/**
 * Unless it is set again or cleared within this time, the process says on
 * standard error that other ranks do not answer and exits with the status of
 * P3D_DEVICE. NCCL and MPI's begin have no deadline of their own: a rank that
 * is lost would keep the others, and their GPUs, busy for ever.
 *
 * @param timeout_s  0 = clear; rounded up to whole seconds
 */
void bench_watchdog(double timeout_s);

#endif
