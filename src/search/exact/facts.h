/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - what one search found out about branches and leaves, for the next
 * ones that ask about the same problem. */
#ifndef PLAN3D_SEARCH_EXACT_FACTS_H
#define PLAN3D_SEARCH_EXACT_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan3d/plan.h"

/** Of all that recomputes, offloads and orders its ranks in a leaf, nothing
 *  that takes no more of a device takes less time. */
typedef struct search_fact {
    p3d_plan leaf; /* pp of 0 = none */
    int64_t usable_bytes;
    double floor_s; /* HUGE_VAL = nothing takes so little of a device */
} search_fact;

/** A branch with plans, none of which is faster than this. */
typedef struct search_branch {
    p3d_plan plan;
    double bound_s;
} search_branch;

/** Leaves in a growing hash table, and branches in the order of the walk; zero
 *  is empty. */
typedef struct search_facts {
    search_fact *at;
    int n;
    int capacity;            /* a power of two */
    double within_frac;      /* what plans may be slower than those kept, so
                                that their branches are among these: */
    search_branch *branches; /* all, if any */
    int n_branches;
    bool incomplete; /* there were too many */
} search_facts;

/** Remember a fact, while there is room for it. */
void search_facts_put(search_facts *facts, const search_fact *fact);

/** @return NULL where nothing is known */
const search_fact *search_facts_get(
        const search_facts *facts, const p3d_plan *leaf);

/** Remember a branch, while there is room for all. */
void search_facts_add_branch(
        search_facts *facts, const p3d_plan *plan, double bound_s);

void search_facts_free(search_facts *facts);

#endif
