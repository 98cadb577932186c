/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - the values that a search tries of what a branch leaves open: what
 * a plan recomputes and offloads, and how it splits its layers. Who shares the
 * states and how the ranks are ordered is kept for neighbours: engine.h. */
#ifndef PLAN3D_SEARCH_EXACT_VALUES_H
#define PLAN3D_SEARCH_EXACT_VALUES_H

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
    const p3d_problem *problem;
    bool none; /* no recomputation */
    bool full;
    bool groups; /* of any number of layers, recomputed from one input */
    bool whole;  /* all layers or none */
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

/** True when a set keeps other tensors by operation than by modules. */
bool search_is_by_operation(const search_savings *savings, int set);

/** All modules of the sets that a plan may recompute, but by operation; 0 =
 *  there are none. */
unsigned search_all_modules(
        const search_savings *savings, const p3d_plan *plan);

/** Sets of modules and numbers of layers that a plan may recompute. */
int search_n_sets(const search_savings *savings, const p3d_plan *plan);
int search_n_layers(
        const search_savings *savings, const p3d_plan *plan, int most);

/** The smallest of these numbers of layers. */
int search_least_layers(
        const search_savings *savings, const p3d_plan *plan, int most);

/** Sizes of the groups of layers that a plan may recompute from one input, and
 *  the smallest. */
int search_n_groups(
        const search_savings *savings, const p3d_plan *plan, int most);
int search_least_group(const search_savings *savings);

/** Set what a plan offloads. */
void search_set_offload(
        p3d_plan *plan, const search_offload *offload, bool nvme);

/** One split: what is said of the ends (0 = as the others), and the layers of
 *  the largest stage. */
typedef struct search_split {
    short first;
    short last;
    short most;
    short ends[2]; /* layers of the first and the last stage */
    short share;   /* of each between them; 0 = there is none */
} search_split;

/** All splits for one number of stages, the smallest largest stage first. */
typedef struct search_splits {
    int pp; /* 0 = not built */
    int n;
    search_split *at;
    int64_t *most_behind; /* sum of `most` from a split to the end */
} search_splits;

/** One list for each number of stages; zero is empty. */
typedef struct search_split_table {
    int n;
    int last; /* that was asked for */
    search_splits *lists;
} search_split_table;

/**
 * Splits of a plan's pipeline that differ from each other and from the one
 * without such numbers.
 *
 * @return NULL when memory ran out
 */
const search_splits *search_splits_of(search_split_table *table,
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan);

void search_splits_free(search_split_table *table);

#endif
