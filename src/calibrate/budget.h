/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - errors of the terms of a step, fitted to measured runs. */
#ifndef PLAN3D_CALIBRATE_BUDGET_H
#define PLAN3D_CALIBRATE_BUDGET_H

#include "plan3d/budget.h"

/** How far a measured run was from its prediction. */
typedef struct calibrate_run {
    double residual;                    /* ln(measured / predicted) */
    double weight;                      /* 0 = left out */
    double squared_share[P3D_N_ERRORS]; /* of its terms; 1 of the unexplained */
} calibrate_run;

/** Squares of the scales of errors. */
typedef struct calibrate_errors {
    double flat; /* of all runs alike */
    double squared[P3D_N_ERRORS];
} calibrate_errors;

/** Runs and a place for them in the fit. */
calibrate_run calibrate_run_of(
        const p3d_time *time, double residual, double weight);

/** Weight of each of the runs of a source. */
double calibrate_run_weight(int n_runs);

/** Fit the scales to runs. */
void calibrate_errors_fit(
        const calibrate_run *runs, int n, calibrate_errors *out);

/** The same of all runs alike: the square of the one scale. */
double calibrate_flat_fit(const calibrate_run *runs, int n);

/** Square of the scale of a run's error. */
double calibrate_run_squared(
        const calibrate_run *run, const calibrate_errors *errors);

/** Logarithm of the likelihood of a run, but for a constant.
 *  @param squared  of the scale of its error */
double calibrate_run_likelihood(const calibrate_run *run, double squared);

/** A scale and the runs that it comes from. */
typedef struct calibrate_scale {
    double scale;
    double least, most; /* without one source */
    int n_runs, n_sources;
} calibrate_scale;

/** What measured runs show. */
typedef struct calibrate_shown {
    int n_runs, n_sources, n_better;
    double flat_scale;
    calibrate_scale own; /* of runs that are corrected by another run of the
                            same source, framework, GPU and model */
    calibrate_scale terms[P3D_N_ERRORS];
} calibrate_shown;

/** The error of a step by what runs show. */
p3d_error_budget calibrate_budget(const calibrate_shown *shown,
        const p3d_problem *problem, const p3d_time *time);

#endif
