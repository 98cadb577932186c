/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - which terms the error of a step time comes from, by measured
 * runs, and what to measure. */
#ifndef PLAN3D_BUDGET_H
#define PLAN3D_BUDGET_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"

P3D_API_BEGIN

/** Where errors come from: the terms of p3d_time, in their order, and what
 *  follows none of them. */
enum {
#define P3D_AS_PLACE(field, words) P3D_ERROR_##field,
    P3D_TIME_TERMS(P3D_AS_PLACE)
#undef P3D_AS_PLACE
            P3D_ERROR_UNEXPLAINED,
    P3D_N_ERRORS
};

/** A run shows a term when it spends so much of its step there. */
#define P3D_SHOWN_FRAC 0.05

/** What is wrong with a term: with its rates, and with all else that grows with
 *  it, such as software, clocks and what is not modelled. Scales are of
 *  ln(measured / predicted): 5 of 8 runs are within. */
typedef struct p3d_term_error {
    const char *name;     /* "GEMMs", "unexplained" */
    double step_frac;     /* of this step; 1 of what is unexplained */
    double scale;         /* of the time of the term */
    double least_scale;   /* of it without one source: the least */
    double most_scale;    /* and the most */
    double variance_frac; /* of this step's squared error; their sum is 1 */
    int n_runs;           /* that show it */
    int n_sources;        /* of these runs */
} p3d_term_error;

/** Something to measure, and what it can take away of the error. */
typedef struct p3d_cure {
    const char *name;     /* "one step of the job" */
    const char *measure;  /* what to run */
    double variance_frac; /* of the squared error, taken away at most: by a
                             benchmark no more than its constants' error */
    double left_scale;    /* of the step: what is left at least */
    int n_runs;           /* that say so; 0 = the terms and constants do */
    int n_sources;
} p3d_cure;

enum { P3D_N_CURES = 8 };

typedef struct p3d_error_budget {
    double scale;                       /* of the step */
    double flat_scale;                  /* of any step: all runs alike */
    p3d_term_error terms[P3D_N_ERRORS]; /* the largest part first */
    p3d_cure cures[P3D_N_CURES];        /* what takes away most first */
    int n_runs;
    int n_sources;
    int n_better; /* of the sources: foretold better by the terms than by
                     flat_scale, both without the source */
} p3d_error_budget;

/**
 * Say which terms the error of a step time comes from.
 *
 *     scale^2 = sum of (t_i / T)^2 s_i^2 + s_0^2
 *
 * t_i / T share of the step; s_i scale of a term's error, s_0 of what follows
 * none. They are fitted to published runs (docs/formulas.md).
 */
p3d_error_budget p3d_error_budget_of(
        const p3d_problem *problem, const p3d_estimate *estimate);

P3D_API_END

#endif
