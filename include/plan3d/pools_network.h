/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools_network.h - which links are tight for a plan on pools of several types:
 * in a pool, and between pools. */
#ifndef PLAN3D_POOLS_NETWORK_H
#define PLAN3D_POOLS_NETWORK_H

#include "plan3d/api.h"
#include "plan3d/network.h"
#include "plan3d/pools.h"

P3D_API_BEGIN

/** Links of a pool's network, or those between two pools. */
typedef struct p3d_pools_cut {
    int pool;
    int other;          /* of the links between two pools; else -1 */
    int tier;           /* 0 = network cards, or between pools */
    int gpus_below;     /* 0 = all of the pool: nothing crosses */
    double bytes_per_s; /* of these links, one way; between pools, of a node */
    double cost_s;      /* that a step takes less where they are unlimited; of
                           cards, on a network with nothing tight above */
    double cost_frac;   /* of the step */
    double pipeline_s;  /* of the cost, that of pipelines; the rest is the
                           exchange of gradients */
} p3d_pools_cut;

/** What stages of a pool send through a cut; of unlike ones, the tightest. */
typedef struct p3d_pools_load {
    int cut;
    const char *axis;     /* "dp" or "pp" */
    const char *pattern;  /* "ring" or "neighbours" */
    double load_frac;     /* of the GPUs below, those that send up at once */
    double spread_frac;   /* of the links that hashed flows reach */
    double of_cards_frac; /* time over that of the network cards */
} p3d_pools_load;

enum {
    P3D_MAX_POOLS_CUTS =
            P3D_MAX_POOLS * P3D_MAX_NETWORK_CUTS + P3D_MAX_POOL_LINKS,
    P3D_MAX_POOLS_LOADS = 2 * P3D_MAX_POOLS_CUTS,
    P3D_MAX_POOLS_CHANGES = 32
};

typedef struct p3d_pools_network {
    double step_s;
    int tight; /* of the cuts: that costs the most; -1 = none costs anything */
    int n_cuts;
    p3d_pools_cut cuts[P3D_MAX_POOLS_CUTS];
    int n_loads;
    p3d_pools_load loads[P3D_MAX_POOLS_LOADS];
    int n_changes;
    p3d_network_change changes[P3D_MAX_POOLS_CHANGES]; /* an option for all
                                    pools, or links of twice the rate */
} p3d_pools_network;

/**
 * Say which links of pools a plan is held up by, as p3d_network_of() does of
 * one cluster. Pools and links that the plan does not use are left out, and so
 * are links that nobody said: they are as fast as the cards of the slower pool.
 *
 * Tested: tests/unit/test_pools_network.c
 *
 * @param plan  of which p3d_pools_estimate() reads classes and ZeRO stage
 * @param out   zeroed where an argument is wrong
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_pools_network_of(const p3d_pools_problem *problem,
        const p3d_pools_plan *plan, p3d_pools_network *out, p3d_error *err);

P3D_API_END

#endif
