/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.h - the legal space: what the pins leave of it, toured branch by
 * branch. */
#ifndef PLAN3D_SEARCH_EXACT_SPACE_H
#define PLAN3D_SEARCH_EXACT_SPACE_H

#include "plan3d/search.h"

/* No number below 2^31 has more than 1536 divisors. */
enum { SEARCH_MAX_DIVISORS = 1536 };

typedef struct search_divisors {
    int n;
    int at[SEARCH_MAX_DIVISORS];
} search_divisors;

/** @param number  1 .. 2^31 - 1; larger ones are cut to their divisors below */
void search_divisors_of(int64_t number, search_divisors *out);

/**
 * Visit every branch of the legal space: a plan with everything decided but the
 * ZeRO stage and who shares its states (the lowest legal stage in the plan
 * given), the order of the ranks (the usual), recomputation and offload (none),
 * and numbers of layers for the ends of the pipeline (some where none is not
 * legal). Branches that differ only in
 * a larger micro batch come after each other.
 *
 * @param visit    returns false to stop the tour
 * @param refusal  the first rule that refused a plan, when nothing is legal
 * @return number of plans that the rules were asked about
 */
typedef bool space_visit(void *context, const p3d_plan *branch);

int64_t space_tour(const p3d_problem *problem, const p3d_pins *pins,
        space_visit *visit, void *context, p3d_refusal *refusal);

/** Why the pinned values alone admit no plan: the first rule that they break;
 *  none where it is not for them. */
void space_refuse_pins(
        const p3d_problem *problem, const p3d_pins *pins, p3d_refusal *refusal);

/** True where a plan's ends may have numbers of layers of their own. */
bool space_may_split(const p3d_problem *problem, const p3d_plan *plan);

/** True where ranks of context or expert parallelism share the weights, too:
 *  below ZeRO-3 they cannot. */
bool space_shares_axes(const p3d_problem *problem, const p3d_plan *plan);

/** Layers of the largest chunk: how far `recompute=full:n` can go; 0 when they
 *  cannot be shared out. */
int space_chunk_layers(const p3d_problem *problem, const p3d_plan *plan);

/** True when the pins let a plan depart from what its framework does by itself
 *  as it does. */
bool space_lets_depart(
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan);

/** True when a pin leaves a value free or equals it (0 = free, -1 = free). */
bool space_allows(int pin, int value);
bool space_leaves(int pin, int value);
bool space_leaves_flag(const p3d_pins *pins, int flag, int on);

/** Give a plan the numbers of layers of its chunks that the pins say, and none
 *  else: a search tries none by itself but those of stages.
 *  @return false when they say none */
bool space_say_chunks(const p3d_pins *pins, p3d_plan *plan);

/** True when the pins leave a plan its schedule: any, where they say that there
 *  is no pipeline. */
bool space_allows_schedule(const p3d_pins *pins, const p3d_plan *plan);

/** Most context-parallel ranks that trade heads in a plan of a search without
 *  pins; below 2 = none. */
int space_most_heads(const p3d_problem *problem);

/** True when pins and job leave a plan its exchange of context parallelism:
 *  the usual, or one of its own where neither says which. */
bool space_allows_ulysses(
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan);

/** True when the pins leave the ranks no choice of an order: a pin on it says
 *  nothing then. */
bool space_has_no_order(const p3d_problem *problem, const p3d_pins *pins);

#endif
