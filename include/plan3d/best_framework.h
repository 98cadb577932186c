/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best_framework.h - which framework trains a job the fastest. */
#ifndef PLAN3D_BEST_FRAMEWORK_H
#define PLAN3D_BEST_FRAMEWORK_H

#include "plan3d/search.h"

P3D_API_BEGIN

/** The word that stands for the best of the frameworks. */
#define P3D_ANY_FRAMEWORK "any"

/** What a framework can do for a job, the best first. */
typedef enum p3d_framework_verdict {
    P3D_FRAMEWORK_FITS,
    P3D_FRAMEWORK_SLOWER, /* than a limit, the best one's time, or it does not
                             fit: the search ended before that was known */
    P3D_FRAMEWORK_TOO_LARGE,
    P3D_FRAMEWORK_REFUSED, /* by a rule, whatever the plan */
    P3D_N_FRAMEWORK_VERDICTS
} p3d_framework_verdict;

/** Word for the i-th ("fits", "slower", "too large", "refused"); NULL past the
 *  last. */
const char *p3d_framework_verdict_word(int i);

typedef struct p3d_framework_rank {
    const p3d_framework *framework;
    const char *name; /* of the framework */
    p3d_framework_verdict verdict;
    double step_s;         /* of its fastest plan that fits; 0 = not known */
    double slower_frac;    /* the same, over that of the first, less 1;
                              not-a-number = not known */
    int64_t missing_bytes; /* of a GPU, that its closest plan lacks */
    int64_t node_bytes;    /* of host memory and NVMe, that this plan takes */
    char reason[P3D_ERROR_TEXT]; /* of a refusal; "" otherwise */
} p3d_framework_rank;

/** Frameworks, the best first: those that fit by time, then those that do not
 *  by what is missing. Equals stand as they were given. */
typedef struct p3d_framework_ranking {
    int n;
    bool interrupted; /* the watcher stopped it: no rank is sure */
    p3d_framework_rank at[P3D_MAX_FRAMEWORKS];
} p3d_framework_ranking;

/** How to rank frameworks. */
typedef struct p3d_ranking_options {
    const p3d_framework_list *among;
    double limit_s; /* 0 = search each to the end. With a limit (HUGE_VAL: none
                       to begin with) the best so far is the limit of the next:
                       faster, and of frameworks that are slower no more is
                       known */
    const p3d_watch *watch; /* may be NULL */
} p3d_ranking_options;

/**
 * Search the plans of a job with each of some frameworks.
 *
 * @param problem  a completed job of any framework; see p3d_job_use() for what
 *                 follows from another one
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool p3d_rank_frameworks(const p3d_problem *problem,
        const p3d_pins *pins, const p3d_ranking_options *options,
        p3d_framework_ranking *out, p3d_error *err);

/** The same for one plan in words, which each framework completes. */
void p3d_rank_frameworks_by_plan(const p3d_problem *problem, const char *plan,
        const p3d_framework_list *among, p3d_framework_ranking *out);

/**
 * Give a problem the first of a ranking.
 *
 * @return false with P3D_DATA when all refuse, and why
 */
P3D_CHECK bool p3d_take_first_framework(const p3d_framework_ranking *ranking,
        p3d_problem *problem, p3d_error *err);

P3D_API_END

#endif
