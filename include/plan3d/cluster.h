/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster.h - GPUs, nodes and the network between them. */
#ifndef PLAN3D_CLUSTER_H
#define PLAN3D_CLUSTER_H

#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/calibration.h"
#include "plan3d/error.h"
#include "plan3d/measurements.h"

P3D_API_BEGIN

enum { P3D_MAX_GPUS = 16777216 };

/** Data type of a job. fp8 and nvfp4 are those of the products with weights;
 *  the rest of such a job is bf16. */
typedef enum p3d_dtype {
    P3D_FP32,
    P3D_FP16,
    P3D_BF16,
    P3D_FP8,
    P3D_NVFP4,
    P3D_N_DTYPES
} p3d_dtype;

/** Word for a data type ("bf16"), and bytes per element of its activations
 *  (2 with fp8 and nvfp4, whose residual stream is bf16). */
const char *p3d_dtype_name(p3d_dtype dtype);
int p3d_dtype_bytes(p3d_dtype dtype);

/** One GPU; 0 where the data sheet says nothing. */
typedef struct p3d_gpu {
    char name[48];
    char vendor[16];
    char architecture[16];
    char calibration[48];         /* file of hardware/calibration */
    char node[48];                /* default node type */
    int64_t memory_bytes;         /* as marketed */
    int64_t visible_memory_bytes; /* what the driver lets a program see */
    double hbm_bytes_per_s;
    double fp32_flop_per_s; /* all rates dense */
    double tf32_flop_per_s;
    double fp16_flop_per_s;
    double bf16_flop_per_s;
    double fp8_flop_per_s;
    double fp4_flop_per_s;
    int n_sms;
    int64_t l2_bytes;
    double boost_hz;
    double nvlink_bytes_per_s_one_way; /* 0 = none */
    double pcie_bytes_per_s_one_way;   /* to the host, also by NVLink-C2C */
    double power_w;
    bool variant; /* nobody is advised to change to it */
} p3d_gpu;

typedef struct p3d_node {
    char name[48];
    char fabric[48];
    char gpu[48]; /* that it is rented or bought with; "" = any */
    int gpus_per_node;
    int gpus_per_nvlink_domain; /* 1 = no NVLink; 72 in an NVL72 rack */
    bool nvswitch;
    int torus_axes;     /* of a domain without switches: 2 or 3; 0 = no torus */
    int torus_wraps_at; /* an axis of a multiple of it is a ring, else a line */
    int nics_per_node;
    int64_t host_memory_bytes;      /* of the node */
    double host_memory_bytes_per_s; /* of the node, reads plus writes */
    double host_time_factor; /* of launches, over an x86 server's; 0 = 1 */
    int64_t nvme_bytes;      /* local to the node; 0 = none */
    double nvme_bytes_per_s; /* of the node, reads */
    double power_w; /* rated; of a node in part, the share of its GPUs in use */
} p3d_node;

typedef struct p3d_fabric {
    char name[48];
    char kind[16];
    double nic_bytes_per_s_one_way;
    double latency_s;       /* of a collective over two nodes */
    double all_reduce_frac; /* of the NICs' rate that a collective reaches */
    double all_gather_frac;
    double p2p_frac;
    bool assumed_latency;   /* no measurement of such a network has it */
    bool assumed_fracs;     /* the same of one of the shares, or of all */
    bool without_gpudirect; /* bytes go through the memory of the host */
} p3d_fabric;

/** How a switch chooses among links that lead to the same place: by how full
 *  they are, or by a hash of the flow (equal-cost multipath). */
typedef enum p3d_link_choice {
    P3D_LINKS_ADAPTIVE,
    P3D_LINKS_ECMP,
    P3D_N_LINK_CHOICES
} p3d_link_choice;

/** Where the nodes of a job lie: neighbours in the order of ranks below the
 *  same switch, anywhere, or where a list of hosts has them. */
typedef enum p3d_placement {
    P3D_PLACEMENT_CONTIGUOUS,
    P3D_PLACEMENT_RANDOM,
    P3D_PLACEMENT_HOSTS,
    P3D_N_PLACEMENTS
} p3d_placement;

/** Words for both; NULL past the last. */
const char *p3d_link_choice_word(int i);
const char *p3d_placement_word(int i);

/** The switches of one tier above the nodes, and their links up. */
typedef struct p3d_tier {
    int nodes_below;         /* a switch; with rails, the switches of a node */
    double oversubscription; /* rate from below over rate up; 1 = equal */
    double uplink_bytes_per_s; /* of all links up, one way; 0 = what the
                                  oversubscription leaves */
    p3d_link_choice routing;
    int flows_per_nic; /* that ecmp spreads, to one peer; 0 = 1 */
} p3d_tier;

enum { P3D_MAX_TIERS = 4, P3D_MAX_STRETCHES = 1024 };

/** Neighbours in the order of ranks that lie below the same switches. */
typedef struct p3d_stretch {
    int n_nodes;
    uint16_t switch_of[P3D_MAX_TIERS]; /* of each tier, below
                                          P3D_MAX_STRETCHES */
} p3d_stretch;

/** All tiers that may be tight, from the nodes up; none: every node reaches
 *  every other at the full rate of its network cards. */
typedef struct p3d_tiers {
    int n;
    p3d_tier at[P3D_MAX_TIERS];
    p3d_placement placement;
    int n_nodes; /* of the whole network, for P3D_PLACEMENT_RANDOM; 0 = those
                    of the job */
    bool rails;  /* a switch has one GPU of each node: between GPUs of different
                   places in their nodes NVLink forwards */
    int n_stretches; /* with P3D_PLACEMENT_HOSTS: of all nodes, or of more */
    p3d_stretch stretches[P3D_MAX_STRETCHES]; /* in the order of ranks */
} p3d_tiers;

enum { P3D_MAX_TORUS_AXES = 3 };

/** GPUs of a domain along each axis of its torus; no axes: it is none. */
typedef struct p3d_torus {
    int n_axes;
    int size[P3D_MAX_TORUS_AXES]; /* ascending */
} p3d_torus;

/** On what terms a cluster is there, where its file says it; 0 = not said. A
 *  job takes from here what it does not say itself (job.h). */
typedef struct p3d_terms {
    double usd_per_gpu_h;
    double gpu_mtbf_s;
    double preempted_every_s;
    double away_s;
    double notice_s;
} p3d_terms;

typedef struct p3d_cluster {
    char name[96]; /* in words, "64 x A800-SXM4-80GB" */
    int n_gpus;
    int n_nodes;
    p3d_torus torus;
    p3d_gpu gpu;
    p3d_node node; /* gpus_per_node is what the job uses of it */
    p3d_fabric fabric;
    p3d_tiers tiers;
    p3d_calibration calibration;
    p3d_terms terms;
} p3d_cluster;

/**
 * Read a cluster in words, or from a file.
 *
 * `64xA800` is 64 GPUs in their default nodes, `8x8xH100-80G` is nodes x GPUs
 * per node x type; anything that names an existing file or ends in .json is
 * read as a cluster JSON (`plan3d schema cluster`).
 *
 * @param out  untouched on failure
 * @return false with P3D_DATA (unknown GPU with did-you-mean, 0 GPUs, a count
 *         that does not fill its nodes, wrong file) or P3D_SYSTEM
 */
P3D_CHECK bool p3d_cluster_find(
        const char *words, p3d_cluster *out, p3d_error *err);

/** Read the text of a cluster JSON. @param file  its name */
P3D_CHECK bool p3d_cluster_parse(
        const char *file, const char *text, p3d_cluster *out, p3d_error *err);

/** The same cluster with another number of GPUs.
 *  @return false with P3D_DATA when n_gpus does not fill whole nodes */
P3D_CHECK bool p3d_cluster_resize(
        p3d_cluster *cluster, int n_gpus, p3d_error *err);

/** Find one GPU by name or alias. */
P3D_CHECK bool p3d_gpu_find(const char *word, p3d_gpu *out, p3d_error *err);

/** Find the GPU that a device is, by the words of the name that its driver has,
 *  its memory and its multiprocessors (0 = unknown).
 *  @return false with P3D_DATA when none is like it, or several are and their
 *          name is all that is known */
P3D_CHECK bool p3d_gpu_of_device(
        const p3d_machine *device, p3d_gpu *out, p3d_error *err);

/** Whether no GPU is more like this device than the given one.
 *  @return false when the catalog cannot be read */
P3D_CHECK bool p3d_gpu_may_be(const p3d_gpu *gpu, const p3d_machine *device,
        bool *out, p3d_error *err);

/** What joins the GPUs of a node: "NVLink", "Infinity Fabric", "HCCS",
 *  "ICI". */
const char *p3d_gpu_link(const p3d_gpu *gpu);

/** What its maker calls such a device: "GPU", "TPU", "NPU" (Ascend), "HPU"
 *  (Gaudi). */
const char *p3d_gpu_noun(const p3d_gpu *gpu);

/** Compute capability times ten of "sm80"; 0 for other vendors. */
int p3d_gpu_sm(const p3d_gpu *gpu);

/** Dense peak for GEMMs of a data type (fp32 uses TF32 where there is one);
 *  0 when the GPU cannot run it. */
double p3d_gpu_peak_flop_per_s(const p3d_gpu *gpu, p3d_dtype dtype);

P3D_API_END

#endif
