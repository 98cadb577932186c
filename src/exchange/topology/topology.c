/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.c - which reader a file is for, and what it says to a cluster. */
#include "exchange/topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/util.h"
#include "exchange/topology/reader.h"
#include "spec/network.h"

enum { MAX_BYTES = 64 << 20 };

/* A word that stands in files of one format alone. */
static const struct {
    const char *mark;
    topology_reader *read;
} formats[] = {{"<system", topology_read_nccl},
        {"switchguid=", topology_read_ibnet},
        {"SwitchName=", topology_read_slurm},
        {"BlockName=", topology_read_slurm}};

bool exchange_topology_parse(const char *file, const char *text,
        topology_hosts *hosts, exchange_topology *out, p3d_error *err)
{
    exchange_topology got = {0};
    p3d_error cause = {0};

    for (int i = 0; i < P3D_COUNT_OF(formats); i++) {
        const char *at = text;
        size_t n = strlen(formats[i].mark);

        while (*at != '\0' &&
                !topology_word_is(
                        (topology_word){at, strnlen(at, n)}, formats[i].mark))
            at++;
        if (*at == '\0')
            continue;
        if (!formats[i].read(text, hosts, &got, &cause))
            return p3d_fail_file(err, file, &cause);
        if (hosts != NULL && !topology_place_hosts(hosts, &got, err))
            return false;
        *out = got;
        return true;
    }
    return p3d_fail(err, P3D_DATA,
            "%s: no topology that is known; give a Slurm topology.conf, the "
            "output of ibnetdiscover, or an NCCL_TOPO_DUMP_FILE",
            file);
}

bool exchange_topology_open(const char *path, topology_hosts *hosts,
        exchange_topology *out, p3d_error *err)
{
    char *text = NULL;
    size_t n = 0;
    bool ok;

    if (!p3d_read_file(path, MAX_BYTES, &text, &n, err))
        return false;
    ok = topology_is_text(p3d_file_name(path), text, n, err) &&
         exchange_topology_parse(p3d_file_name(path), text, hosts, out, err);
    free(text);
    return ok;
}

/* What a file says of a node must be what the cluster's nodes are. */
static bool check_node(const char *file, const exchange_topology *from,
        const p3d_cluster *cluster, p3d_error *err)
{
    const int sm = p3d_gpu_sm(&cluster->gpu);
    const bool nvlink = cluster->node.gpus_per_nvlink_domain > 1 &&
                        cluster->gpu.nvlink_bytes_per_s_one_way > 0;

    if (from->n_gpus != cluster->node.gpus_per_node)
        return p3d_fail(err, P3D_DATA,
                "%s: a node has %d GPUs, those of the cluster have %d; write "
                "nodes x %d x type",
                file, from->n_gpus, cluster->node.gpus_per_node, from->n_gpus);
    if (from->sm > 0 && sm > 0 && from->sm != sm)
        return p3d_fail(err, P3D_DATA,
                "%s: the GPUs have compute capability %d.%d, %s has %d.%d",
                file, from->sm / 10, from->sm % 10, cluster->gpu.name, sm / 10,
                sm % 10);
    if (from->n_gpus > 1 && nvlink != (from->n_nvlinks > 0))
        return p3d_fail(err, P3D_DATA,
                nvlink ? "%s: the GPUs have no NVLink, those of the cluster "
                         "have it"
                       : "%s: the GPUs have NVLink, those of the cluster have "
                         "none",
                file);
    return true;
}

/* The network cards of a node, where the file has them. */
static bool use_cards(
        const exchange_topology *from, p3d_cluster *cluster, p3d_error *err)
{
    char words[64];

    if (from->n_nics == 0)
        return true;
    (void)snprintf(words, sizeof(words), "%dx%.6g Gb/s", from->n_nics,
            from->nic_bytes_per_s * 8e-9);
    return spec_network_set(words, cluster, err);
}

/* The places of the hosts; nodes that one NVLink domain joins lie together. */
static bool use_hosts(
        const exchange_topology *from, p3d_cluster *cluster, p3d_error *err)
{
    const p3d_node *const node = &cluster->node;
    const int nodes = node->gpus_per_nvlink_domain / node->gpus_per_node;

    if (from->n_hosts == 0)
        return true;
    if (from->n_hosts < cluster->n_nodes)
        return p3d_fail(err, P3D_DATA,
                "--hosts has too few hosts, %d for %d nodes; list all of them",
                from->n_hosts, cluster->n_nodes);
    for (int i = 0; i < from->tiers.n_stretches && nodes > 1; i++)
        if (from->tiers.stretches[i].n_nodes % nodes != 0)
            return p3d_fail(err, P3D_DATA,
                    "--hosts: the %d nodes that %s joins are not below the "
                    "same switch; list them together",
                    nodes, p3d_gpu_link(&cluster->gpu));
    cluster->tiers.placement = from->tiers.placement;
    cluster->tiers.n_stretches = from->tiers.n_stretches;
    memcpy(cluster->tiers.stretches, from->tiers.stretches,
            sizeof(cluster->tiers.stretches));
    return true;
}

bool exchange_topology_use(const char *file, const exchange_topology *from,
        p3d_cluster *cluster, p3d_error *err)
{
    p3d_cluster used = *cluster;

    if (from->n_gpus > 0)
        return check_node(file, from, cluster, err) &&
               use_cards(from, cluster, err);
    if (from->n_nodes < cluster->n_nodes)
        return p3d_fail(err, P3D_DATA,
                "%s has %d nodes, the cluster %d; write at most so many", file,
                from->n_nodes, cluster->n_nodes);
    if (!use_hosts(from, &used, err) || !use_cards(from, &used, err))
        return false;
    *cluster = used;
    cluster->tiers.n_nodes = from->n_nodes;
    memset(cluster->tiers.at, 0, sizeof(cluster->tiers.at));
    cluster->tiers.n = from->tiers.n > 0 ? from->tiers.n : 1;
    /* One switch for all has no links up. */
    cluster->tiers.at[0] =
            (p3d_tier){.nodes_below = from->n_nodes, .oversubscription = 1};
    for (int i = 0; i < from->tiers.n; i++)
        cluster->tiers.at[i] = from->tiers.at[i];
    return true;
}
