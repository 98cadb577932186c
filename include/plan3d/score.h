/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score.h - how far predictions were from measurements. */
#ifndef PLAN3D_SCORE_H
#define PLAN3D_SCORE_H

#include "plan3d/api.h"
#include "plan3d/error.h"

P3D_API_BEGIN

/** Least number of rows with which a source has a say in the macro figure. */
enum { P3D_MACRO_MIN_ROWS = 5 };

/** The error of one prediction: predicted / measured - 1. */
typedef struct p3d_residual {
    double error_frac;
    int source; /* index, >= 0 */
} p3d_residual;

/** Errors of many predictions; not-a-number where there are none. */
typedef struct p3d_score {
    int n_rows;
    double median_abs_error_frac;
    double mean_abs_error_frac;
    double p90_abs_error_frac; /* linear between the two nearest */
    double mean_signed_error_frac;
    /* Mean over the sources with at least P3D_MACRO_MIN_ROWS rows of each
     * source's median. */
    double macro_median_abs_error_frac;
} p3d_score;

/**
 * Score predictions.
 *
 * @param out  untouched on failure
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_score_residuals(
        const p3d_residual *residuals, int n, p3d_score *out, p3d_error *err);

/** One run of a set of runs of the same job with different plans. */
typedef struct p3d_ranked_run {
    double measured_s;
    double predicted_s;
    int plan; /* equal numbers are repeats of one plan */
} p3d_ranked_run;

/** What choosing by prediction costs on one set. */
typedef struct p3d_set_score {
    int n_plans; /* different ones */
    double regret_frac;
    double kendall_tau;
} p3d_set_score;

/**
 * Score one set; a plan's time is the median of its repeats.
 *
 *     regret = time of the plan predicted fastest / time of the fastest - 1
 *     tau = (pairs in order - pairs in wrong order) / pairs
 *
 * Plans that are predicted alike are all first: the mean of their regrets is
 * taken; and their pairs count for neither side.
 *
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_score_set(
        const p3d_ranked_run *runs, int n, p3d_set_score *out, p3d_error *err);

/** A scored set and its source. */
typedef struct p3d_set_result {
    p3d_set_score score;
    int source;
} p3d_set_result;

/** Many sets; not-a-number where there are none. */
typedef struct p3d_rank_score {
    int n_sets;
    double median_regret_frac;
    double mean_regret_frac;
    double mean_kendall_tau;
    double macro_mean_regret_frac; /* mean over sources of each one's mean */
} p3d_rank_score;

/** @return false with P3D_SYSTEM when memory runs out */
P3D_CHECK bool p3d_score_ranks(
        const p3d_set_result *sets, int n, p3d_rank_score *out, p3d_error *err);

P3D_API_END

#endif
