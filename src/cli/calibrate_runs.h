/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_runs.h - plan3d calibrate --runs: what measured runs say of the
 * next ones. */
#ifndef PLAN3D_CLI_CALIBRATE_RUNS_H
#define PLAN3D_CLI_CALIBRATE_RUNS_H

#include "cli/question.h"

/**
 * Hold the runs of the files against their predictions; with -o, write a
 * calibration that has them.
 *
 * @return false with P3D_USAGE, P3D_DATA at file:line, or P3D_SYSTEM
 */
P3D_CHECK bool cli_calibrate_runs(
        const cli_args *args, cli_reply *reply, p3d_error *err);

#endif
