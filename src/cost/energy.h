/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.h - power of GPUs with their share of a node. */
#ifndef PLAN3D_COST_ENERGY_H
#define PLAN3D_COST_ENERGY_H

#include "plan3d/cluster.h"

/** What a GPU draws with its share of the rest of its node. */
typedef struct cost_power {
    double work_w; /* while steps run */
    double idle_w; /* while they do not */
} cost_power;

/**
 * Power of one GPU and its share of a node's processors, memory, network
 * adapters and fans.
 *
 *     work = 0.76 P / n     idle = 0.29 P / n
 *
 * P  rated power of the node; where it is not known, 1.82 times that of its
 *    GPUs      n  GPUs of the node
 *
 * Assumes: A22. Tested: tests/unit/test_energy.c
 */
cost_power cost_power_per_gpu(const p3d_cluster *cluster);

#endif
