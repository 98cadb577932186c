/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_runs.h - measured runs of the user's own, and what they say of the next
 * one. */
#ifndef PLAN3D_OWN_RUNS_H
#define PLAN3D_OWN_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan3d/api.h"

P3D_API_BEGIN

enum { P3D_MAX_OWN_RUNS = 32, P3D_OWN_NAME = 64 };

/** |ln(measured / predicted)| of a run that says anything is not larger: beyond
 *  it another job was measured than predicted. */
#define P3D_MOST_OWN_LOG 2.0

/** A measured run, and its prediction with the constants beside it. */
typedef struct p3d_own_run {
    char id[P3D_OWN_NAME];
    char framework[P3D_OWN_NAME]; /* whose profile predicted it */
    char network[P3D_OWN_NAME]; /* fabric between its nodes; "" = not known, or
                                     all of it is in one node */
    int64_t n_params;       /* of the model: two with as many are the same */
    bool experts;           /* it has experts */
    double measured_step_s; /* 0 = not measured */
    double predicted_step_s;
    double measured_peak_bytes; /* 0 = not measured */
    double predicted_peak_bytes;
} p3d_own_run;

typedef struct p3d_own_runs {
    int n;
    p3d_own_run at[P3D_MAX_OWN_RUNS];
} p3d_own_runs;

/** What own runs say of one job. */
typedef struct p3d_anchor {
    double step_factor;   /* seconds of a step over those of the constants; 0 =
                           no run says anything */
    double peak_log;      /* ln(measured / predicted) of its peaks */
    int n_steps, n_peaks; /* runs that say it */
    bool same_model;      /* they are of this model and network, else of
                             others */
} p3d_anchor;

/**
 * What runs say of one like `asked`: of its framework, model and network; what
 * was measured and predicted of it does not count. A network that is not known
 * is any.
 *
 *     ln f = k / (k + 1) * mean of ln(measured / predicted)
 *
 * over the k runs of the same framework, model and network; where there are
 * none, over those of the same framework and another network, or other models
 * of its kind (dense, or with experts), with k / (k + 4): they say less.
 *
 * Source: published runs, each predicted after k others of its source
 * (docs/calibration.md); shrinkage towards 0 as of a mean with a prior worth
 * one run (James and Stein 1961). Tested: tests/unit/test_own_runs.c
 */
p3d_anchor p3d_anchor_of(const p3d_own_runs *runs, const p3d_own_run *asked);

/** The reports of a log that a run is from; all 0 = it is from a table. */
typedef struct p3d_own_log {
    int n_steps;         /* that the median is of */
    int n_warm_up;       /* left out: those of the first steps */
    int n_repeated;      /* of other ranks, or of a step that was there */
    int n_other_runs;    /* of other runs */
    int n_other_batches; /* of steps of another batch */
    int n_counted;       /* micro-batches of a bar, of which it is the mean */
    bool whole_run;      /* a mean over all of it, the first steps in it */
} p3d_own_log;

/** A run, and how far its step was predicted from what was measured. */
typedef struct p3d_own_score {
    p3d_own_run run;
    double error_frac;      /* predicted / measured - 1; NaN = not measured */
    double held_error_frac; /* the same after the other runs; NaN = these say
                               nothing of it */
    double peak_error_frac; /* of its peak */
    p3d_own_log log;        /* that the caller knows; all 0 here */
} p3d_own_score;

/** Hold each run against its prediction, without and with what the others say
 *  (leave one out). @param out  room for runs->n */
void p3d_own_runs_judge(const p3d_own_runs *runs, p3d_own_score *out);

/** The factor, 1 where nothing is known. */
double p3d_anchor_step_factor(const p3d_anchor *anchor);

P3D_API_END

#endif
