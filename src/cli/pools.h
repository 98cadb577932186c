/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools.h - a question about pools of GPUs of several types. */
#ifndef PLAN3D_CLI_POOLS_H
#define PLAN3D_CLI_POOLS_H

#include "cli/question.h"
#include "report/pools.h"

/** A question about pools, and what was found. Large; zero to begin. */
typedef struct cli_pools {
    p3d_pools_problem problem;
    p3d_pools_network network; /* under the plan, where it was asked for */
    p3d_pools_result found;
    p3d_pools_result alike;   /* the best plan whose replicas are all alike */
    report_training training; /* with the plan, where tokens were asked for */
    p3d_training alone[P3D_MAX_POOLS];
    report_pools answer;
} cli_pools;

/** Read the question and search the best plan whose replicas are all alike, as
 *  `found` too; the rows of the answer are filled.
 *  @return false with P3D_USAGE, P3D_DATA, P3D_SYSTEM or P3D_INTERRUPTED */
P3D_CHECK bool cli_pools_alike(
        const cli_args *args, cli_pools *out, p3d_error *err);

/** @return false with P3D_USAGE where an option is not for pools */
P3D_CHECK bool cli_pools_takes(const cli_args *args, p3d_error *err);

/** Read the question and search the fastest plan, and that of each pool alone;
 *  the rows of the answer are not filled.
 *  @return false with P3D_DATA, P3D_SYSTEM or P3D_INTERRUPTED */
P3D_CHECK bool cli_pools_find(
        const cli_args *args, cli_pools *out, p3d_error *err);

/** Read the question of a command line whose cluster is pools
 *  (p3d_are_pools()), and answer it.
 *  @return false with P3D_USAGE, P3D_DATA, P3D_SYSTEM or P3D_INTERRUPTED */
P3D_CHECK bool cli_ask_pools(const char *command, const cli_args *args,
        cli_reply *reply, p3d_error *err);

/** The same for `explain`: the network under the best plan alone is answered.
 *  @return false also with P3D_USAGE: another topic */
P3D_CHECK bool cli_explain_pools(const char *command, const cli_args *args,
        cli_reply *reply, p3d_error *err);

#endif
