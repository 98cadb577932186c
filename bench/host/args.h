/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.h - the command line of plan3d-bench as a table. */
#ifndef PLAN3D_BENCH_ARGS_H
#define PLAN3D_BENCH_ARGS_H

#include <stdint.h>

#include "base/text.h"
#include "plan3d/error.h"

typedef enum bench_command {
    BENCH_GEMM,
    BENCH_ATTENTION,
    BENCH_MEMORY,
    BENCH_NCCL,
    BENCH_OVERLAP,
    BENCH_CAPACITY,
    BENCH_QUICK,
    BENCH_N_COMMANDS
} bench_command;

/** A command line; what is not given has its default. */
typedef struct bench_args {
    bench_command command;
    bool help;
    bool version;
    const char *output;  /* NULL = standard output */
    bool force;          /* an output that exists is replaced */
    bool resume;         /* an output that is not whole is gone on with */
    const char *request; /* list of `plan3d shapes --json`; NULL = none */
    int64_t device;      /* -1 = the rank's own */
    int64_t n_samples;
    int64_t n_warmup;
    int64_t n_points;  /* of the space-filling set of products */
    int64_t n_gpus;    /* processes to start; 0 = as the launcher says */
    int64_t n_threads; /* of the host; 0 = one a processor */
    int64_t min_bytes;
    int64_t max_bytes;
    double sustain_s; /* 0 = bursts alone */
    double budget_s;  /* after which no further part is begun */
    double timeout_s;
    int rendezvous;   /* bench_rendezvous */
    unsigned numbers; /* bit set of p3d_number */
} bench_args;

/**
 * Read a command line.
 *
 * @param argv  arguments after the program's name
 * @param out   points into argv; untouched on failure
 * @return false with P3D_USAGE
 */
P3D_CHECK bool bench_args_parse(
        int argc, const char *const *argv, bench_args *out, p3d_error *err);

/** Print the help of the program, or with a command that of the command. */
void bench_print_help(const bench_args *args, p3d_text *out);

/** The command line again, as a shell reads it, into a fixed buffer. */
void bench_print_command(
        int argc, const char *const *argv, char *buffer, size_t n);

#endif
