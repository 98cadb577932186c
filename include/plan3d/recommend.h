/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recommend.h - the plan that an engineer would run: sure to fit, simple, and
 * about as fast as any. */
#ifndef PLAN3D_RECOMMEND_H
#define PLAN3D_RECOMMEND_H

#include "plan3d/search.h"

P3D_API_BEGIN

typedef enum p3d_verdict {
    P3D_VERDICT_FITS,         /* a plan is as sure to fit as the job asks */
    P3D_VERDICT_BARELY,       /* by the estimate a plan fits, none is so sure */
    P3D_VERDICT_DOES_NOT_FIT, /* none does by the estimate */
    P3D_N_VERDICTS
} p3d_verdict;

/** Of one plan. */
p3d_verdict p3d_estimate_verdict(const p3d_estimate *estimate);

/** Words for a verdict: "FITS", and in data "fits". */
const char *p3d_verdict_words(p3d_verdict verdict);
const char *p3d_verdict_name(p3d_verdict verdict);

/** Of the plans that fit, the one that is asked for. */
typedef enum p3d_objective {
    P3D_OBJECTIVE_RECOMMENDED,
    P3D_OBJECTIVE_FASTEST,  /* by the estimate, however little it leaves free */
    P3D_OBJECTIVE_ROOMIEST, /* of the sure ones within the limit */
    P3D_OBJECTIVE_CHEAPEST, /* of the sure ones: every GPU of the cluster is
                               paid for, so it is the fastest of them */
    P3D_N_OBJECTIVES
} p3d_objective;

const char *p3d_objective_name(p3d_objective objective);

/** How to choose. */
typedef struct p3d_recommend_options {
    const p3d_pins *pins; /* values that are asked for; NULL = all are free */
    p3d_search_options search;
    double within_frac; /* of the fastest sure plan's step time: what simpler
                           and roomier may cost; 0 = nothing */
    p3d_objective objective; /* the plan that comes first */
    bool alone;     /* that plan, and no other that is not needed for it */
    bool usual;     /* also the fastest plan without departures, where the
                       recommended one has some */
    bool only_sure; /* no plan where none is sure and within search.limit_s;
                       what became of the others is not counted one by one */
    double chosen_limit_s; /* plans that take longer are not chosen, where the
                              fastest does not; 0 = those of search.limit_s.
                              With both, the choice is the same for any limit
                              of the search that leaves the fastest in */
} p3d_recommend_options;

/** Usual worth of within_frac: less than the estimate's error between plans. */
#define P3D_WITHIN_FRAC 0.02

/** The plans to choose from. Where nothing fits, none is set. */
typedef struct p3d_recommendation {
    p3d_verdict verdict;
    double best_s;  /* step time of the fastest sure plan; of the fastest by the
                       estimate where none is sure */
    double limit_s; /* that the recommended and the roomiest plan keep to */
    p3d_estimate recommended; /* of all sure plans within the limit the
                                 simplest, of these the roomiest, of these the
                                 fastest; where none is sure, the surest */
    p3d_estimate fastest;     /* of all that fit by the estimate */
    p3d_estimate roomiest;    /* of all sure plans within the limit */
    unsigned departures;      /* of the recommended plan */
    bool have_usual;          /* usual is set: it was asked for, the recommended
                                 plan departs, and some sure plan does not */
    p3d_estimate usual; /* of all sure plans without departures the fastest,
                           within no limit */
} p3d_recommendation;

/**
 * Search the space exactly for the fastest sure plans, as p3d_search_with()
 * does, and for the one to recommend.
 *
 * Of all plans that are sure enough to fit and take no longer than
 * (1 + within_frac) times the fastest of them, it is the simplest by
 * p3d_plan_departures(), then the one that takes the least memory, then the
 * fastest. No bound is a guess: the search asks whether any plan within the
 * limit does without the gravest departure, then without the next, and of what
 * is left takes the roomiest, by searches that prove what they leave out.
 *
 * @param out   the plan of the objective, then the fastest sure plans of other
 *              kinds, as of p3d_search_with(); where none is sure, by the
 *              estimate. With a limit of the search no plan takes longer
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_recommend(const p3d_problem *problem,
        const p3d_recommend_options *options, p3d_search_result *out,
        p3d_recommendation *recommendation, p3d_error *err);

/**
 * Check a recommendation by going through the space without any bound, as
 * p3d_verify() does.
 *
 * @param options         as p3d_recommend() had them: pins and watch count
 * @param recommendation  its limit_s counts
 * @param out             its best plan is the one to recommend
 */
P3D_CHECK bool p3d_verify_recommended(const p3d_problem *problem,
        const p3d_recommend_options *options,
        const p3d_recommendation *recommendation, p3d_verification *out,
        p3d_error *err);

/** True when both searches without bounds agree with a recommendation: as many
 *  plans, a fastest one that takes the same time, and one to recommend that is
 *  as simple, takes as much memory and as long.
 *  @param fastest, recommended  of p3d_verify(), p3d_verify_recommended() */
bool p3d_recommendation_agrees(const p3d_problem *problem,
        const p3d_recommendation *recommendation, int64_t n_plans,
        const p3d_verification *fastest, const p3d_verification *recommended);

/** True when a plan is better to recommend than another: both sure and within
 *  the limit. */
bool p3d_recommended_before(const p3d_problem *problem, const p3d_estimate *a,
        const p3d_estimate *b);

P3D_API_END

#endif
