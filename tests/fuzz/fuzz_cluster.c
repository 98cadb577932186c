/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_cluster.c - clusters in words, and cluster files. */
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "plan3d/cluster.h"

/* Words that name a file would have it read. */
static bool names_file(const char *words)
{
    return words[0] == '-' || strchr(words, '/') != NULL ||
           access(words, F_OK) == 0;
}

static void check_sane(const p3d_cluster *cluster)
{
    const p3d_node *const node = &cluster->node;

    P3D_ASSERT(cluster->n_gpus >= 1);
    P3D_ASSERT(cluster->n_gpus == cluster->n_nodes * node->gpus_per_node);
    P3D_ASSERT(node->gpus_per_nvlink_domain >= 1);
    P3D_ASSERT(cluster->gpu.memory_bytes > 0);
    P3D_ASSERT(isfinite(p3d_gpu_peak_flop_per_s(&cluster->gpu, P3D_BF16)));
}

bool fuzz_cluster(const uint8_t *data, size_t n)
{
    char *const words = fuzz_text(data, n);
    const bool is_file = words[0] == '{';
    p3d_cluster cluster;
    p3d_error err = {0};
    bool ok = false;

    if (is_file || !names_file(words)) {
        ok = p3d_cluster_find(
                is_file ? fuzz_file(data, n) : words, &cluster, &err);
        fuzz_check_error(ok, &err);
    }
    if (ok)
        check_sane(&cluster);
    free(words);
    return ok;
}
