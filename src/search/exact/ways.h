/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.h - a leaf at work: one choice of recomputation with all ways to
 * offload, and all choices. */
#ifndef PLAN3D_SEARCH_EXACT_WAYS_H
#define PLAN3D_SEARCH_EXACT_WAYS_H

#include "search/exact/engine.h"

/** A leaf at work: the ways to offload before `begin` and from `end` on are
 *  settled. */
typedef struct ways_visit {
    search *s;
    const search_leaf *leaf;
    int begin;
    int end;
    int nvme_from; /* a node's memory holds the states of no way from here on */
    double full_s; /* no plan with full recomputation takes less; 0 = not
                           known, HUGE_VAL = all are settled */
    bool a_set_may_fit; /* of modules, with the first way that is left */
} ways_visit;

/** Plans that one choice of recomputation stands for with ways of offload. */
int64_t ways_weight(const search *s, const search_leaf *leaf, int from, int to);

/** Say a way to offload: on NVMe where nothing else holds it. */
void ways_set(const ways_visit *v, int way, p3d_plan *plan);

/** The first way to offload up to `end` with which a leaf does not exceed, or
 *  `end`. With each further way it takes less. */
int ways_first(const ways_visit *v, int end,
        bool (*exceeds)(search *s, const search_leaf *leaf));

/** True when a plan is too large for the device. */
bool ways_too_large(search *s, const p3d_plan *plan, const p3d_blocks *blocks);

/** True when a part of the activations goes to the host in any case. */
bool ways_always_send(const ways_visit *v);

/** A bound on a plan's time with the best order of its ranks; not more than
 *  needed where it cuts nothing. */
double ways_floor_s(
        ways_visit *v, const p3d_plan *plan, const p3d_blocks *blocks);

/** Cut n plans that are no faster than one, by its time. */
bool ways_are_slow(ways_visit *v, const p3d_plan *plan,
        const p3d_blocks *blocks, int64_t n);

/** A bound on all plans of a leaf that are left: they offload so much. */
double ways_left_floor_s(ways_visit *v);

/** Settle one choice of recomputation with a way to offload that is enough with
 *  the least share of the activations.
 *  @return false when the node does not hold what is offloaded */
bool ways_settle(
        ways_visit *v, const p3d_plan *plan, int way, const p3d_blocks *blocks);

/** The least share of the activations that had to go to the host with the ways
 *  to offload so far: shares from here on are settled for all further ways. */
typedef struct ways_share {
    int least;     /* index; the number of shares = none was enough */
    bool needless; /* a node held it, or it took too long */
} ways_share;

/** Settle one choice of recomputation with a way to offload that is not enough
 *  with the least share of the activations. */
void ways_settle_partly(ways_visit *v, const p3d_plan *plan, int way,
        const p3d_blocks *blocks, ways_share *share);

/** n choices of recomputation with the ways to offload from one on are
 *  needless, or too large. */
void ways_settle_rest(ways_visit *v, int from, int n, bool needless);

/** Choices of recomputation of a leaf. */
int ways_n_recomputes(const search *s, const search_leaf *leaf);

/** Those that are not settled as a whole. */
int ways_n_left(const ways_visit *v);

/** A bound on all plans of a leaf with full recomputation, HUGE_VAL where there
 *  are none. */
double ways_full_floor_s(ways_visit *v);

/** Cut all of full recomputation by that bound, with the ways that are left. */
bool ways_cut_full(ways_visit *v);

/** Look at all that is left of a leaf. */
void ways_try_all(ways_visit *v);

/** One choice of recomputation with all ways to offload that are left.
 *  @param held  whether a node holds what is offloaded
 *  @return the way from which on it needs no more, or the end */
int ways_try(ways_visit *v, const p3d_plan *plan, const p3d_blocks *blocks,
        bool *held);

#endif
