/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.h - what files of other programs say of the network of a cluster:
 * Slurm's topology.conf, the output of ibnetdiscover, NCCL's topology of a
 * node. */
#ifndef PLAN3D_EXCHANGE_TOPOLOGY_TOPOLOGY_H
#define PLAN3D_EXCHANGE_TOPOLOGY_TOPOLOGY_H

#include "plan3d/cluster.h"

/** What one file says; 0 = nothing of it. */
typedef struct exchange_topology {
    const char *format; /* "Slurm topology.conf" */
    int n_nodes;        /* of the cluster */
    p3d_tiers tiers;
    int n_hosts;      /* of a list, to which the tiers have the places */
    bool lacks_rates; /* the tiers are without the rates of their links */
    /* Of a node: */
    int n_gpus;
    int sm; /* compute capability times ten */
    int n_nvlinks;
    int n_nics; /* of the fastest kind, or links to a host */
    double nic_bytes_per_s;
} exchange_topology;

/** Hosts of a job in the order of ranks. */
typedef struct topology_hosts topology_hosts;

/**
 * Read a hostfile, a host a line (of MPI, DeepSpeed or PBS: what follows a name
 * is ignored), or words with a bracket or a comma, "node[01-16],node20".
 *
 * Source: slurm.schedmd.com/scontrol.html (hostlist expressions);
 * open-mpi/ompi docs/launching-apps (hostfiles).
 *
 * @return NULL with P3D_DATA (at file:line) or P3D_SYSTEM; free with
 *         topology_hosts_free()
 */
topology_hosts *topology_hosts_open(const char *word, p3d_error *err);

/** The same of the text of a file. */
topology_hosts *topology_hosts_parse(
        const char *file, const char *text, p3d_error *err);

void topology_hosts_free(topology_hosts *hosts);

/**
 * Read a file of any of the three formats, told by what it contains.
 *
 * Of switches with different numbers of nodes, the size that half of the nodes
 * are below, and the least rate a node of those with at least half of it.
 *
 * Source: slurm.schedmd.com/topology.conf.html; linux-rdma/rdma-core
 * infiniband-diags ibnetdiscover; NVIDIA/nccl@5067397c src/graph/xml.cc.
 *
 * @param hosts  for which the tiers get their places; NULL = none. It serves
 *               once
 * @param out    untouched on failure
 * @return false with P3D_DATA (at file:line) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_topology_open(const char *path, topology_hosts *hosts,
        exchange_topology *out, p3d_error *err);

/** The same of the text of a file. */
P3D_CHECK bool exchange_topology_parse(const char *file, const char *text,
        topology_hosts *hosts, exchange_topology *out, p3d_error *err);

/** Check a cluster against the file, and give it the tiers, and the network
 *  cards of a node. @return false with P3D_DATA, the cluster untouched */
P3D_CHECK bool exchange_topology_use(const char *file,
        const exchange_topology *from, p3d_cluster *cluster, p3d_error *err);

#endif
