/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_files.h - files of switches, of pools of several types. */
#ifndef PLAN3D_CLI_POOL_FILES_H
#define PLAN3D_CLI_POOL_FILES_H

#include "cli/options.h"
#include "plan3d/pools.h"
#include "spec/hardware.h"

/** The --topology of each of several pools; "" = it has none. */
typedef struct cli_pool_files {
    int n_pools;
    char topology[P3D_MAX_POOLS][SPEC_PATH];
} cli_pool_files;

/**
 * Read which pool has which file of switches: `--topology A800=a.conf,new=b`,
 * or a file alone where there is one pool.
 *
 * A list of hosts is refused for several: nodes of which replica they are is
 * what the search looks for.
 *
 * @return false with P3D_USAGE: a file of no pool, of none that is there, a
 *         second one of the same, hosts
 */
P3D_CHECK bool cli_pool_files_read(const cli_args *args, const p3d_pools *pools,
        cli_pool_files *out, p3d_error *err);

/** The command line of one pool: the same with the file of that pool. Valid
 *  as long as the files are. */
cli_args cli_args_of_pool(
        const cli_args *args, const cli_pool_files *files, int pool);

#endif
