/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.c - power of GPUs with their share of a node. */
#include "cost/energy.h"

/* Of a node's rated power, in computation-heavy training (8 x H100).
 * Source: arXiv:2506.14551 abstract; the highest draw seen while training
 * Llama2-13B is 0.82 of it (arXiv:2412.08602 abstract: 8.4 of 10.2 kW). */
static const double WORK_FRAC = 0.76;

/* The same with nothing running: 256,646 kWh in 1,082,990 GPU hours are 237 W
 * per GPU of nodes rated at 6.5 kW for 8 (DGX A100).
 * Source: arXiv:2211.02001 section 4 (idle consumption of BLOOM's nodes). */
static const double IDLE_FRAC = 0.29;

/* Rated power of a node over that of its GPUs: 10.2 kW for 8 of 700 W.
 * Source: data sheet of the DGX H100; 2.03 for the DGX A100, 1.79 B200. */
static const double NODE_OVER_GPUS = 1.82;

cost_power cost_power_per_gpu(const p3d_cluster *cluster)
{
    const p3d_node *node = &cluster->node;
    const double rated_w = node->power_w > 0
                                   ? node->power_w / node->gpus_per_node
                                   : NODE_OVER_GPUS * cluster->gpu.power_w;

    return (cost_power){WORK_FRAC * rated_w, IDLE_FRAC * rated_w};
}
