/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_files.c - files of switches, of pools of several types. */
#include "cli/pool_files.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/pool_links.h"

/* "A800=a.conf", n bytes. */
static bool read_part(const char *part, size_t n, const p3d_pools *pools,
        cli_pool_files *out, p3d_error *err)
{
    const size_t n_name = strcspn(part, "=,");
    char name[SPEC_POOL_NAMES];
    int k;

    if (n_name == 0 || n_name + 1 >= n || n - n_name > SPEC_PATH)
        return p3d_fail(err, P3D_USAGE,
                "--topology: of several pools each has its own file; write "
                "%.48s=FILE, with a comma to the next, or \"tiers\" in the "
                "file of the pools",
                pools->names[0]);
    (void)snprintf(name, sizeof(name), "%.*s", (int)n_name, part);
    k = spec_pools_named(pools, name);
    if (k < 0) {
        spec_pools_list(pools, name, sizeof(name));
        return p3d_fail(err, P3D_USAGE,
                "--topology: no pool '%.*s'; the pools are %s",
                n_name < 80 ? (int)n_name : 80, part, name);
    }
    if (out->topology[k][0] != '\0')
        return p3d_fail(err, P3D_USAGE,
                "--topology: two files of the pool %s; leave one out",
                pools->names[k]);
    (void)snprintf(out->topology[k], SPEC_PATH, "%.*s", (int)(n - n_name - 1),
            part + n_name + 1);
    return true;
}

bool cli_pool_files_read(const cli_args *args, const p3d_pools *pools,
        cli_pool_files *out, p3d_error *err)
{
    const char *at = args->topology;

    *out = (cli_pool_files){.n_pools = pools->n_pools};
    if (pools->n_pools == 1)
        return true;
    if (args->hosts != NULL)
        return p3d_fail(err, P3D_USAGE,
                "--hosts are those of a job on one pool; name it, as "
                "FILE:POOL");
    while (at != NULL) {
        const size_t n = strcspn(at, ",");

        if (!read_part(at, n, pools, out, err))
            return false;
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    return true;
}

cli_args cli_args_of_pool(
        const cli_args *args, const cli_pool_files *files, int pool)
{
    cli_args of = *args;

    if (files->n_pools > 1)
        of.topology =
                files->topology[pool][0] != '\0' ? files->topology[pool] : NULL;
    return of;
}
