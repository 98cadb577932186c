/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deadline.h - the fewest and the cheapest GPUs that train in time. */
#ifndef PLAN3D_DEADLINE_H
#define PLAN3D_DEADLINE_H

#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/error.h"

P3D_API_BEGIN

/** The fastest training on one number of GPUs. */
typedef struct p3d_training_point {
    bool possible; /* false: nothing fits, or no plan is legal */
    double training_s;
    double cost; /* of any unit; less is better */
} p3d_training_point;

/** What a scan asks about a number of GPUs. */
typedef struct p3d_deadline_question {
    double deadline_s;
    const int64_t *n_gpus; /* to choose from, ascending */
    int n_counts;
    double gpu_s_cost;  /* > 0: a GPU-second costs at least that */
    bool only_smallest; /* stop at the first that is in time: none is cheapest
                         */
    void *context;
    /** Seconds that no training on so many GPUs can beat. */
    double (*bound_s)(void *context, int64_t n_gpus);
    /** The fastest training on exactly so many; one that takes longer than
     *  limit_s may be left out. @return false to stop the scan */
    bool (*train)(void *context, int64_t n_gpus, double limit_s,
            p3d_training_point *out);
} p3d_deadline_question;

/** Indices into n_gpus; -1 = none. */
typedef struct p3d_deadline_answer {
    int smallest;   /* the first that is in time */
    int cheapest;   /* that is in time; the smaller of two */
    int closest;    /* the fastest of all when none is in time */
    int n_searched; /* counts for which a training was looked for */
    int n_skipped;  /* counts that the bound alone rules out */
} p3d_deadline_answer;

/**
 * Find the fewest and the cheapest GPUs that train until the deadline.
 *
 * Every count is looked at, because time is not monotone in it: some counts
 * have poor divisors. Once the smallest is known, only what is cheaper than
 * the cheapest so far is asked for. A count is skipped only where its bound is
 * above what is asked for. When none is in time, the fastest of all is found in
 * the same way.
 *
 * @return false when train() stopped; *out holds what was found so far, and
 *         `smallest` is final if it was found
 */
bool p3d_deadline_scan(
        const p3d_deadline_question *question, p3d_deadline_answer *out);

P3D_API_END

#endif
