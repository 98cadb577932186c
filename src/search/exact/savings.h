/* SPDX-License-Identifier: GPL-3.0-or-later */
/* savings.h - what a plan may recompute and offload: the values that a search
 * tries. */
#ifndef PLAN3D_SEARCH_EXACT_SAVINGS_H
#define PLAN3D_SEARCH_EXACT_SAVINGS_H

#include "plan3d/search.h"

enum {
    SEARCH_MAX_SETS = 256,
    SEARCH_MAX_OFFLOADS = 12, /* none, tenths of the states, parameters too */
    SEARCH_MAX_ACTIVATIONS = 5,
    SEARCH_MAX_CLASSES = 11 /* of recomputation: groups by octaves, others */
};

/** One way to offload states. */
typedef struct search_offload {
    p3d_offload kind;
    double frac;  /* as in a plan: 0 = all */
    int n_places; /* host memory, NVMe: 1 or 2 */
    bool nvme;    /* the only place, or the first */
    int n_before; /* places of the ways before it */
} search_offload;

/** Ways to offload states, each taking more than the one before. */
typedef struct search_offloads {
    int n;
    search_offload at[SEARCH_MAX_OFFLOADS];
} search_offloads;

/** What does not depend on the plan. */
typedef struct search_savings {
    bool none; /* no recomputation */
    bool full;
    bool groups; /* of any number of layers, recomputed from one input */
    int layers;  /* of full recomputation; 0 = any number */
    int group;   /* of full recomputation, layers from one input; 0 = any */
    int n_sets;  /* of modules, 0 = the usual ones; those that go with experts
                   whose exchange overlaps stand first */
    int n_pair_sets;
    unsigned sets[SEARCH_MAX_SETS];
    int n_activations; /* shares of the activations, ascending */
    double activations[SEARCH_MAX_ACTIVATIONS];
} search_savings;

void search_savings_build(
        const p3d_problem *problem, const p3d_pins *pins, search_savings *out);

/** Ways to offload the states of a legal plan with this ZeRO stage; none of
 *  them where the stage is not legal. */
void search_offloads_of(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_plan *plan, search_offloads *out);

/** Sets of modules and numbers of layers that a plan may recompute. */
int search_n_sets(const p3d_problem *problem, const search_savings *savings,
        const p3d_plan *plan);
int search_n_layers(const p3d_problem *problem, const search_savings *savings,
        const p3d_plan *plan, int most);

/** The smallest of these numbers of layers. */
int search_least_layers(const p3d_problem *problem,
        const search_savings *savings, const p3d_plan *plan, int most);

/** Sizes of the groups of layers that a plan may recompute from one input, and
 *  the smallest. */
int search_n_groups(const p3d_problem *problem, const search_savings *savings,
        const p3d_plan *plan, int most);
int search_least_group(const search_savings *savings);

/** Set what a plan offloads. */
void search_set_offload(
        p3d_plan *plan, const search_offload *offload, bool nvme);

#endif
