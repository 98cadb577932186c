/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - every legal plan, the best first; the greedy walk; what to
 * change when nothing fits. */
#ifndef PLAN3D_SEARCH_H
#define PLAN3D_SEARCH_H

#include "plan3d/estimate.h"

enum { P3D_MAX_TOP = 100 };

/** Values that a person has fixed; 0 (or -1 where 0 means something) = free. */
typedef struct p3d_pins {
    int tp, pp, dp, cp, ep, etp, vp, micro_batch;
    int zero;      /* -1 = free */
    int recompute; /* p3d_recompute or -1 */
    int offload;   /* p3d_offload or -1 */
} p3d_pins;

/** Nothing pinned. */
p3d_pins p3d_pins_free(void);

/** Read pins in the words of a plan: "tp=8,zero=1". */
P3D_CHECK bool p3d_pins_parse(const char *words, p3d_pins *out, p3d_error *err);

typedef struct p3d_search_result {
    int n_top;
    p3d_estimate top[P3D_MAX_TOP]; /* plans that fit, fastest first */
    bool have_closest;             /* set when nothing fits */
    p3d_estimate closest;          /* the plan that misses the fewest bytes */
    int64_t n_plans;               /* legal plans in the space */
    /* Every legal plan is one of the next four. */
    int64_t n_cut;       /* a bound on the time proves that it cannot rank */
    int64_t n_too_large; /* it does not fit, or one that needs less does not */
    int64_t n_dominated; /* one with less recomputation or offload is faster */
    int64_t n_evaluated; /* time and memory were computed */
    int64_t n_feasible;  /* of the evaluated ones, those that fit */
    double seconds;
    p3d_refusal empty; /* when n_plans is 0: a rule that emptied the space */
} p3d_search_result;

/**
 * Search the whole space exactly: tp, cp, pp, dp, ep, etp, vp, micro batch,
 * ZeRO stage, recomputation with its layer count, offload; sequence
 * parallelism is on where tp > 1. Ties are broken by step time, then memory,
 * then the plan's numbers in order, so that every machine prints the same.
 *
 * @param n_top  how many plans to keep, 1..P3D_MAX_TOP
 * @param out    large (allocate it)
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_search(const p3d_problem *problem, const p3d_pins *pins,
        int n_top, p3d_search_result *out, p3d_error *err);

/** Costs that searches of one model on one type of cluster share. */
typedef struct p3d_search_cache p3d_search_cache;

/** @return NULL with P3D_SYSTEM when memory runs out */
p3d_search_cache *p3d_search_cache_create(p3d_error *err);

/** Accepts NULL. */
void p3d_search_cache_destroy(p3d_search_cache *cache);

/**
 * The same, but plans whose step takes longer than limit_s (0 = no limit) may
 * be left out, which is the faster the lower the limit is. The best plan is
 * the same whenever it is within the limit; without one, `closest` may be
 * missing.
 *
 * @param cache  the same for many searches, one after the other; of use where
 *               they differ in the number of GPUs or the batch alone
 */
P3D_CHECK bool p3d_search_within(const p3d_problem *problem,
        const p3d_pins *pins, int n_top, double limit_s,
        p3d_search_cache *cache, p3d_search_result *out, p3d_error *err);

/** One way to make a job fit. */
typedef struct p3d_change {
    char words[160];       /* what to change */
    p3d_estimate estimate; /* best plan after the change */
    int n_gpus;            /* after the change */
    int seq_len;
    int64_t global_batch;
} p3d_change;

enum { P3D_MAX_CHANGES = 6 };

/** The cheapest changes that make a job fit: shorter sequences, the smallest
 *  larger cluster, a smaller optimizer. @return how many were found */
int p3d_find_changes(const p3d_problem *problem, const p3d_pins *pins,
        p3d_change changes[P3D_MAX_CHANGES]);

/** Smallest number of GPUs (whole nodes) on which the job fits, or 0 when
 *  none up to max_gpus does. */
int p3d_smallest_cluster(const p3d_problem *problem, int max_gpus);

/** One step of the greedy walk of an experienced engineer. */
typedef struct p3d_step {
    p3d_estimate estimate;
    bool legal;
    p3d_refusal refusal;
    bool accepted;     /* the walk goes on from this plan */
    char decision[64]; /* the move: "ZeRO 1 -> 2" */
    char reason[256];  /* the number that decided, and why this move */
} p3d_step;

enum { P3D_MAX_STEPS = 64 };

typedef struct p3d_walk {
    int n_steps;
    p3d_step steps[P3D_MAX_STEPS];
    int best; /* index of the step whose plan is the walk's answer; -1 none */
} p3d_walk;

/** Walk greedily: first until it fits, then until it is not slower. */
void p3d_advise(const p3d_problem *problem, p3d_walk *out);

#endif
