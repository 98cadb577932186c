/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h - which links of the network are tight for a plan, and what others
 * would give. */
#ifndef PLAN3D_NETWORK_H
#define PLAN3D_NETWORK_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"

P3D_API_BEGIN

/** A cut of the network: the cards of a node, or the links up of a switch. */
typedef struct p3d_network_cut {
    int tier;           /* 0 = the cards, 1 = the first switches, .. */
    int gpus_below;     /* 0 = all of the job: nothing crosses */
    double bytes_per_s; /* of its links, one way */
    double cost_s;      /* that a step takes less where they are unlimited; of
                           the cards, on a network with nothing tight above */
    double cost_frac;   /* of the step */
    const char *term;   /* of the step that it adds most to, "pipeline P2P";
                           NULL = none */
} p3d_network_cut;

/** What the groups of an axis send through a cut. */
typedef struct p3d_network_load {
    const char *axis;    /* "dp" */
    const char *pattern; /* "ring", "all-to-all" or "neighbours" */
    int n_ranks;
    int tier;
    double load_frac;     /* of the GPUs below that send up at once; of an
                             all-to-all, of their bytes */
    double spread_frac;   /* of the links that hashed flows reach */
    double of_cards_frac; /* time over that of the network cards */
} p3d_network_load;

/** The same plan, or one with another order of ranks, on another network. */
typedef struct p3d_network_change {
    char what[160]; /* "--oversubscription 4" */
    double step_s;
    double slower_frac; /* over the step as asked; negative: faster */
} p3d_network_change;

enum {
    P3D_MAX_NETWORK_CUTS = 1 + P3D_MAX_TIERS,
    P3D_MAX_NETWORK_LOADS = 64,
    P3D_MAX_NETWORK_CHANGES = 16
};

typedef struct p3d_network {
    double step_s;
    int tight; /* of the cuts: that costs the most; -1 = none costs anything */
    int n_cuts;
    p3d_network_cut cuts[P3D_MAX_NETWORK_CUTS];
    int n_loads;
    p3d_network_load loads[P3D_MAX_NETWORK_LOADS];
    int n_changes;
    p3d_network_change changes[P3D_MAX_NETWORK_CHANGES];
} p3d_network;

/**
 * Say which cut of the network a plan is held up by. Without tiers there is
 * that of the network cards alone; other oversubscriptions are then those of
 * leaves of 16 nodes.
 *
 * @param out  zeroed where an argument is wrong
 */
void p3d_network_of(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_network *out);

P3D_API_END

#endif
