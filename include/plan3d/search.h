/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - every legal plan, the best first; the greedy walk; what to
 * change when nothing fits. */
#ifndef PLAN3D_SEARCH_H
#define PLAN3D_SEARCH_H

#include "plan3d/api.h"
#include "plan3d/departures.h"
#include "plan3d/estimate.h"

P3D_API_BEGIN

enum { P3D_MAX_TOP = 100 };

/** Values of a plan that a person has fixed; 0, or -1 where 0 means something,
 *  = free. Of the states that are offloaded, 1 = all. */
typedef struct p3d_pins {
#define P3D_AS_PIN(type, pin, member, word, kind, least, most, free, doc) \
    pin member;
    P3D_PLAN_FIELDS(P3D_AS_PIN)
#undef P3D_AS_PIN
    bool lenient;     /* `uneven` means may be; `shard` of all replicas, and a
                     schedule or order beside pins that leave no choice of it,
                     say nothing: see p3d_plan_plain() */
    unsigned without; /* departures that no plan may have */
} p3d_pins;

/** Nothing pinned. */
p3d_pins p3d_pins_free(void);
bool p3d_pins_are_free(const p3d_pins *pins);

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
    /* The certificate. No plan of the space beats these; 0 = there is none. */
    double floor_s;     /* whatever fits: the smallest bound of any plan */
    double cut_s;       /* the smallest bound of a plan that was cut */
    double fastest_s;   /* the fastest plan that fits, */
    double runner_up_s; /* and the fastest of another family */
    bool interrupted;   /* the watcher stopped it: the rest was not looked at */
    double seconds;
    p3d_refusal empty; /* when n_plans is 0: a rule that emptied the space,
                          or a reason without one */
} p3d_search_result;

/** Somebody who is told how a long computation goes on. */
typedef struct p3d_watch {
    /** @param seconds  since it began
     *  @param n_plans  that are settled
     *  @return false to stop */
    bool (*tick)(void *context, double seconds, int64_t n_plans);
    void *context;
} p3d_watch;

/** Costs that searches of one model on one type of cluster share. */
typedef struct p3d_search_cache p3d_search_cache;

/** @return NULL with P3D_SYSTEM when memory runs out */
p3d_search_cache *p3d_search_cache_create(p3d_error *err);

/** Accepts NULL. */
void p3d_search_cache_destroy(p3d_search_cache *cache);

/** How to search. */
typedef struct p3d_search_options {
    int n_top;      /* plans to keep, 1..P3D_MAX_TOP */
    double limit_s; /* plans that take longer may be left out, which is the
                       faster the lower this is; 0 = no limit. The best plan is
                       the same whenever it is within; without one, `closest`
                       may be missing, and the runner-up always is */
    p3d_search_cache *cache; /* NULL, or the same for many searches, one after
                                the other; of use where they differ in the
                                number of GPUs or the batch alone */
    const p3d_watch *watch;  /* may be NULL; asked every few milliseconds */
} p3d_search_options;

/**
 * Search the whole space exactly: tp, cp, pp, dp (with idle nodes, where the
 * job lets them be), ep, etp, vp, micro batch, ZeRO stage, a part of the
 * replicas that shares the states, sequence parallelism, schedule, order of the
 * ranks, numbers of layers of the first and the last stage, kind of
 * recomputation with its modules or number of layers, offload of the
 * optimizer's states in tenths, of the parameters, of the activations in
 * quarters. Of plans that differ in no more than the number of chunks and the
 * schedule, the micro-batch, how layers are split, which ranks are neighbours,
 * and how much is shared, recomputed or offloaded (a family), the list has the
 * best. Ties are broken by step time, then memory,
 * then the plan's numbers in order, so that every machine prints the same.
 *
 * @param out  large (allocate it)
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_search_with(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_search_options *options, p3d_search_result *out,
        p3d_error *err);

/** Like p3d_search_with(), with default options; n_top plans are kept. */
P3D_CHECK bool p3d_search(const p3d_problem *problem, const p3d_pins *pins,
        int n_top, p3d_search_result *out, p3d_error *err);

/** What looking at each plan of the space, one by one, gives. */
typedef struct p3d_verification {
    int64_t n_plans;
    int64_t n_fitting;
    bool have_best;
    p3d_estimate best;           /* the fastest that fits */
    int64_t least_missing_bytes; /* of those that do not; INT64_MAX = none */
    bool interrupted;
    double seconds;
} p3d_verification;

/**
 * Check a search by going through its space without any bound: slow, and
 * written apart from the search.
 *
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_verify(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_watch *watch, p3d_verification *out, p3d_error *err);

/** True when the two agree: as many plans, and a fastest one that takes the
 *  same time, but for the rounding of sums. */
bool p3d_verification_agrees(
        const p3d_verification *verification, const p3d_search_result *result);

/** One way to make a job fit. */
typedef struct p3d_remedy {
    char words[160];             /* what to change */
    p3d_estimate estimate;       /* best plan after the change */
    double fit_probability_frac; /* of that */
    int n_gpus;                  /* after the change */
    int seq_len;
    int64_t global_batch;
} p3d_remedy;

enum { P3D_MAX_REMEDIES = 8 };

/** What makes a job fit, each searched, the cheapest first: software (without
 *  pins, 16-bit gradients or moments, a smaller optimizer, another framework),
 *  then data (shorter sequences), then hardware (the smallest larger cluster,
 *  as many of the next larger GPU). @return how many were found */
int p3d_remedies_find(const p3d_problem *problem, const p3d_pins *pins,
        p3d_remedy remedies[P3D_MAX_REMEDIES]);

/** Smallest number of GPUs (whole nodes) on which the job was found to fit, or
 *  0 when none up to max_gpus was. Every number of up to 64 nodes is tried,
 *  then in steps of 1/64; where nothing fits for long, the numbers double and
 *  the last step is bisected. */
int p3d_smallest_cluster(const p3d_problem *problem, int max_gpus);

/** One step of the greedy walk of an experienced engineer. */
typedef struct p3d_advice_step {
    p3d_estimate estimate;
    bool legal;
    p3d_refusal refusal;
    bool accepted;     /* the walk goes on from this plan */
    char decision[64]; /* the move: "ZeRO 1 -> 2" */
    char reason[256];  /* the number that decided, and why this move */
} p3d_advice_step;

enum { P3D_MAX_ADVICE_STEPS = 160 };

typedef struct p3d_advice {
    int n_steps;
    p3d_advice_step steps[P3D_MAX_ADVICE_STEPS];
    int best; /* index of the step whose plan is the walk's answer; -1 none */
} p3d_advice;

/**
 * Walk greedily: first until a plan is sure to fit, then until no move makes it
 * faster. What is recomputed, how layers are shared out and how many chunks
 * there are is searched after each move; a move that is not possible from the
 * plan at hand is tried from the earlier ones that needed the least memory.
 *
 * @param from  where to start; NULL = tensor parallelism over a node, ZeRO-1,
 *              everything recomputed
 * @param out   its plan is as sure to fit as the job asks; where the first plan
 *              is not legal, that is its only step
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_advise(const p3d_problem *problem, const p3d_plan *from,
        p3d_advice *out, p3d_error *err);

P3D_API_END

#endif
