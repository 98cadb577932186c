/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.h - the price of each decision of a plan: what the best plan with
 * another value takes, everything else free. */
#ifndef PLAN3D_DECISIONS_H
#define PLAN3D_DECISIONS_H

#include "plan3d/api.h"
#include "plan3d/search.h"

P3D_API_BEGIN

enum {
    P3D_MAX_DECISIONS = 16,
    P3D_MAX_ALTERNATIVES = 6 /* values that are tried of one decision */
};

/** What a search finds where some values are pinned. */
typedef struct p3d_alternative {
    int value;
    bool chosen;           /* the plan that is explained has this value */
    bool legal;            /* some legal plan has it */
    p3d_estimate estimate; /* the fastest that fits; where none does, the one
                              that misses least; unset when not legal */
    p3d_refusal refusal;   /* when not legal: rule (may be NULL) and reason */
} p3d_alternative;

/** A decision and the values that were tried, ascending. */
typedef struct p3d_decision {
    const char *word; /* as in the words of a plan: "tp" */
    const char *doc;  /* "tensor-parallel ranks" */
    int n_alternatives;
    p3d_alternative alternatives[P3D_MAX_ALTERNATIVES];
} p3d_decision;

/** All decisions of a plan; decisions with one plausible value are left out. */
typedef struct p3d_decisions {
    p3d_estimate best; /* the plan that is explained */
    int n;
    p3d_decision decisions[P3D_MAX_DECISIONS];
} p3d_decisions;

/** Somebody who is told how far a list of searches is. */
typedef struct p3d_progress {
    /** Called before each search; n_done of n_all are behind. */
    void (*tell)(void *context, int n_done, int n_all);
    void *context;
} p3d_progress;

/**
 * Search with some values pinned.
 *
 * @param out  value and chosen are not set
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_alternative_search(const p3d_problem *problem,
        const p3d_pins *pins, p3d_alternative *out, p3d_error *err);

/**
 * For each decision and each plausible value of it, the best plan that has the
 * value, by exact search; never faster than `best`, where that is the best
 * and no pin widens the search (as ulysses does on short sequences).
 *
 * @param best      the fastest plan that fits, or the one that misses least
 * @param progress  may be NULL
 * @param out       large (allocate it)
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_decisions_price(const p3d_problem *problem,
        const p3d_estimate *best, const p3d_progress *progress,
        p3d_decisions *out, p3d_error *err);

/** A value in the words of a plan: "4", "full". */
const char *p3d_decision_print(
        const p3d_decision *decision, int value, char *buffer, size_t n);

/** Write the decisions in which two plans differ, in the words of the second
 *  one: "pp=8,vp=10". The decision `but` (may be NULL) is left out, unless the
 *  plan says more of it than its value: "recompute=full:4". */
const char *p3d_decisions_differ(const p3d_plan *first, const p3d_plan *second,
        const char *but, char *buffer, size_t n);

P3D_API_END

#endif
