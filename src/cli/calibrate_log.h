/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_log.h - the files of plan3d calibrate --runs: a table is kept
 * whole, a log is read as it comes. */
#ifndef PLAN3D_CLI_CALIBRATE_LOG_H
#define PLAN3D_CLI_CALIBRATE_LOG_H

#include "cli/options.h"
#include "exchange/read/log.h"

/** A file that was read. Zero to begin; free it also after a failure. */
typedef struct cli_runs_file {
    p3d_text table;             /* the file, where it is one; empty = a log */
    exchange_settings settings; /* arguments that the log prints */
    exchange_measured measured; /* what it says of steps and peaks */
} cli_runs_file;

/** Read a file of any length; a table may have EXCHANGE_MAX_BYTES.
 *  @return false with P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool cli_runs_file_read(
        const char *path, cli_runs_file *out, p3d_error *err);

void cli_runs_file_free(cli_runs_file *file);

/** True where the arguments of a log are those of a launch, and no --plan says
 *  it better. */
bool cli_log_is_launch(const cli_args *args, const cli_runs_file *file);

/** Do --batch and --seq say what the arguments of a log say?
 *  @return false with P3D_DATA: the two numbers */
P3D_CHECK bool cli_log_agrees(
        const cli_args *args, const cli_runs_file *file, p3d_error *err);

/**
 * The options of plan3d estimate that stand for a log without a launch.
 *
 * @param options  appended: what is said beside model, cluster and plan
 * @return false with P3D_USAGE: those that are missing, by name
 */
P3D_CHECK bool cli_log_options(const cli_args *args,
        const exchange_measured *measured, p3d_text *options, p3d_error *err);

#endif
