/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_topology.c - what other programs say of a network: what is accepted can
 * be given to a cluster, or is refused in one line. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/topology/topology.h"
#include "spec/given.h"
#include "spec/tiers.h"

/* The text as a hostfile, and as a topology with the hosts of a seed. */
static void read_hosts(const char *text)
{
    p3d_error err = {0};
    topology_hosts *hosts = topology_hosts_parse("h", text, &err);
    exchange_topology read = {0};

    fuzz_check_error(hosts != NULL, &err);
    topology_hosts_free(hosts);
    hosts = topology_hosts_parse("h", "gpu[009-024]\n", NULL);
    P3D_ASSERT(hosts != NULL);
    err = (p3d_error){0};
    fuzz_check_error(
            exchange_topology_parse("a", text, hosts, &read, &err), &err);
    topology_hosts_free(hosts);
}

bool fuzz_topology(const uint8_t *data, size_t n)
{
    static p3d_cluster cluster;
    p3d_cluster used;
    char *const text = fuzz_text(data, n);
    exchange_topology read = {0};
    p3d_error err = {0};
    const bool ok = exchange_topology_parse("a", text, NULL, &read, &err);
    int blame;

    fuzz_check_error(ok, &err);
    read_hosts(text);
    free(text);
    if (!ok)
        return false;
    if (cluster.n_gpus == 0)
        P3D_ASSERT(p3d_cluster_find("16xH100", &cluster, NULL));
    used = cluster;
    if (!exchange_topology_use("a", &read, &used, &err)) {
        fuzz_check_error(false, &err);
        P3D_ASSERT(memcmp(&used, &cluster, sizeof(used)) == 0);
        return true;
    }
    P3D_ASSERT(spec_cluster_given(&used));
    P3D_ASSERT(spec_tiers_wrong(&used, &blame) == NULL);
    return true;
}
