/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_pools.h - a sweep over pools of several types. */
#ifndef PLAN3D_CLI_SWEEP_POOLS_H
#define PLAN3D_CLI_SWEEP_POOLS_H

#include "cli/question.h"

/** Whether a cluster of the sweep is pools (p3d_are_pools()). */
bool cli_sweeps_pools(const cli_args *args);

/** Answer it: the best plan of each cluster with each network, sequence length
 *  and batch.
 *  @return false with P3D_USAGE, P3D_DATA, P3D_SYSTEM or P3D_INTERRUPTED */
P3D_CHECK bool cli_sweep_pools(
        const cli_args *args, cli_reply *reply, p3d_error *err);

#endif
