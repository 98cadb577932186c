/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_measure.h - the measurements of plan3d validate, made or read. */
#ifndef PLAN3D_CLI_VALIDATE_MEASURE_H
#define PLAN3D_CLI_VALIDATE_MEASURE_H

#include "base/shell_words.h"
#include "plan3d/validate.h"

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
        const p3d_benches *benches, const p3d_shell_words *launcher,
        cli_measured *out, p3d_error *err);

#endif
