/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate.h - the parts of plan3d validate. */
#ifndef PLAN3D_CLI_VALIDATE_H
#define PLAN3D_CLI_VALIDATE_H

#include "base/shell_words.h"
#include "cli/question.h"
#include "plan3d/request.h"

enum {
    CLI_MAX_BENCH = 8,       /* commands of plan3d-bench */
    CLI_MAX_BENCH_WORDS = 12 /* of one of them */
};

/** A run of plan3d-bench: what it is asked for, and how much that is. */
typedef struct cli_bench {
    const char *command; /* "gemm" */
    const char *output;  /* file that it writes, without a directory */
    bool of_plan;        /* measures the request, not a set of its own */
    int n_words;
    char words[CLI_MAX_BENCH_WORDS][16]; /* further arguments */
    int64_t n_measurements;
} cli_bench;

/** What has to be measured for a plan. */
typedef struct cli_benches {
    int n;
    cli_bench at[CLI_MAX_BENCH];
    int64_t n_measurements;
} cli_benches;

/** List the runs that a plan needs.
 *  @param launched  something else starts a process a GPU */
void cli_benches_list(const p3d_problem *problem, const p3d_request *request,
        bool launched, cli_benches *out);

/** Append a run as a person writes it. @param launcher  NULL = none */
void cli_bench_print(
        const cli_bench *bench, const char *launcher, p3d_text *out);

/** Measurements that were made or read. Zero to begin. */
typedef struct cli_measured {
    p3d_measurements *files; /* owned */
    int n;
    char missing[256]; /* commands that failed: "nccl (exit status 5), ..." */
    char why_not[256]; /* nothing could be measured; "" = something was */
} cli_measured;

void cli_measured_free(cli_measured *measured);

/** Read the files of a list "gemm.json,nccl.json". */
P3D_CHECK bool cli_measured_open(
        const char *list, cli_measured *out, p3d_error *err);

/**
 * Run plan3d-bench, which lies beside this program or on the PATH, and read
 * what it wrote to a directory that is gone afterwards: in that of TMPDIR, or
 * with a launcher in the working directory, which other nodes see too.
 *
 * @param launcher  NULL = none
 * @param out       without files and with why_not where there is no device or
 *                  no plan3d-bench
 * @return false with P3D_INTERRUPTED, P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool cli_measure(const p3d_request *request,
        const cli_benches *benches, const p3d_shell_words *launcher,
        cli_measured *out, p3d_error *err);

#endif
