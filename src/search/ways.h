/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.h - a leaf's choices of recomputation, each with all ways to offload. */
#ifndef PLAN3D_SEARCH_WAYS_H
#define PLAN3D_SEARCH_WAYS_H

#include "search/engine.h"

/** A leaf at work: the ways to offload before `begin` and from `end` on are
 *  settled. */
typedef struct ways_visit {
    search *s;
    const search_leaf *leaf;
    int begin;
    int end;
} ways_visit;

/** What came of a plan. */
typedef enum ways_outcome {
    WAYS_TOO_LARGE,   /* for the device */
    WAYS_FITS_PARTLY, /* only with activations on the host */
    WAYS_NO_HOST,     /* the node's memory holds not what is offloaded */
    WAYS_FITS
} ways_outcome;

/** Plans that one choice of recomputation stands for with ways of offload. */
int64_t ways_weight(const search *s, const search_leaf *leaf, int from, int to);

/** True when a plan is too large for the device. */
bool ways_too_large(search *s, const p3d_plan *plan, const p3d_blocks *blocks);

/** True when a part of the activations goes to the host in any case. */
bool ways_always_send(const ways_visit *v);

/** A bound on a plan's time with the best order of its ranks; not more than
 *  needed where it cuts nothing. */
double ways_floor_s(
        ways_visit *v, const p3d_plan *plan, const p3d_blocks *blocks);

/** Settle one choice of recomputation with one way to offload the states: the
 *  smallest share of the activations whose offload makes it fit. */
ways_outcome ways_settle(
        ways_visit *v, const p3d_plan *plan, int way, const p3d_blocks *blocks);

/** The same of what is too large with the least share of the activations. */
void ways_settle_partly(
        ways_visit *v, const p3d_plan *plan, int way, const p3d_blocks *blocks);

/** n choices of recomputation with the ways to offload from one on are
 *  needless, or too large. */
void ways_settle_rest(ways_visit *v, int from, int n, bool needless);

/** One choice of recomputation with all ways to offload that are left; the way
 *  from which on it needs no more. */
int ways_try(ways_visit *v, const p3d_plan *plan, const p3d_blocks *blocks,
        ways_outcome *last);

/** Full recomputation, layer by layer and in groups, with all ways to offload
 *  that are left. */
void ways_try_full(ways_visit *v);

#endif
