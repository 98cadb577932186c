/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.h - walking the legal space, branch by branch. */
#ifndef PLAN3D_SEARCH_EXACT_SPACE_H
#define PLAN3D_SEARCH_EXACT_SPACE_H

#include "plan3d/search.h"

/**
 * Visit every branch of the legal space: a plan with everything decided but the
 * ZeRO stage and who shares its states (the lowest legal stage in the plan
 * given), the order of the ranks (the usual), recomputation and offload (none),
 * and numbers of layers for the ends of the pipeline (some where none is not
 * legal). Branches that differ only in
 * a larger micro batch come after each other.
 *
 * @param visit    returns false to stop the walk
 * @param refusal  the first rule that refused a plan, when nothing is legal
 * @return number of plans that the rules were asked about
 */
typedef bool space_visit(void *context, const p3d_plan *branch);

int64_t space_walk(const p3d_problem *problem, const p3d_pins *pins,
        space_visit *visit, void *context, p3d_refusal *refusal);

/** Layers of the largest chunk: how far `recompute=full:n` can go; 0 when they
 *  cannot be shared out. */
int space_chunk_layers(const p3d_problem *problem, const p3d_plan *plan);

/** True when a pin leaves a value free or equals it (0 = free, -1 = free). */
bool space_allows(int pin, int value);
bool space_leaves(int pin, int value);

/** True when the pins leave a plan its schedule: any, where they say that there
 *  is no pipeline. */
bool space_allows_schedule(const p3d_pins *pins, const p3d_plan *plan);

/** True when the pins leave the ranks no choice of an order: a pin on it says
 *  nothing then. */
bool space_has_no_order(const p3d_problem *problem, const p3d_pins *pins);

#endif
