/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h - the network of a node in words: "8x200 Gb/s RoCE", "400 Gbps per
 * GPU", "NVLink 400 GB/s + 800 Gb/s IB per node". */
#ifndef PLAN3D_SPEC_NETWORK_H
#define PLAN3D_SPEC_NETWORK_H

#include "plan3d/cluster.h"

/** What words say of the network between nodes. */
typedef struct spec_network {
    const char *kind;         /* as files of hardware/fabric have it; NULL */
    const char *not_known;    /* where the first word is that is none; NULL */
    const char *out_of_range; /* where the first such number is; NULL */
    double nic_bit_per_s;     /* of one adapter; 0 = not stated */
    double usual_bit_per_s;   /* of an adapter of this kind; 0 = several are */
    double node_bit_per_s;    /* of a node; 0 = not stated */
    double gpu_bit_per_s;     /* of a GPU; 0 = not stated */
    double other_bit_per_s;   /* of what is not said; 0 = none */
    int n_nics;               /* of a node; 0 = not stated */
    bool rdma, no_rdma;       /* said; GPUDirect needs it, TCP has none */
    bool gpudirect, no_gpudirect;
    bool port; /* a rate in GbE: of a port */
} spec_network;

/** Read them. What links GPUs in a node is left out. */
spec_network spec_network_read(const char *text);

/** Give a node its adapters and their rate, as far as they are stated. */
void spec_network_share(const spec_network *network, p3d_cluster *cluster);

/** Whether network cards read and write the memory of GPUs by themselves. */
bool spec_fabric_is_direct(const p3d_fabric *fabric);

/** The file of hardware/fabric with adapters of this kind and rate; NULL where
 *  there is none. */
const char *spec_network_file(const char *kind, double nic_bytes_per_s);

/**
 * Give a cluster a network: the name of a file of hardware/fabric, or words,
 * each of which must be understood.
 *
 * A kind without a file of that rate has the shares and the latency of the
 * file whose rate is nearest. Ethernet with RDMA is RoCE, and what has none is
 * TCP. Without GPUDirect the shares are what PCIe and the memory of the host
 * leave.
 *
 * @param cluster  untouched on failure
 * @return false with P3D_DATA: the word that is not known, or what a rate is
 *         not said to be of
 */
P3D_CHECK bool spec_network_set(
        const char *words, p3d_cluster *cluster, p3d_error *err);

#endif
