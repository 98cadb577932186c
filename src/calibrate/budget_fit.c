/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget_fit.c - which terms of their steps measured runs differ in. */
#include <math.h>

#include "base/elementary.h"
#include "calibrate/budget.h"

/* Runs of a source with which it counts half. */
static const double half_weight_runs = 4;

/* Degrees of freedom of Student's t instead of a normal law, so that a run far
 * off does not decide. Source: Lange, Little, Taylor, Robust Statistical
 * Modeling Using the t Distribution, JASA 84 (1989). */
static const double freedom = 4;

/* Each term has so many sources more, whose error is the one that all terms
 * have in common: what no run shows is as wrong as the rest. Assumes: A13. */
static const double prior_sources = 1;

enum { N_ROUNDS = 1000, N_ROUNDS_OF_ONE = 100 };

double calibrate_run_weight(int n_runs)
{
    return 1 / (n_runs + half_weight_runs);
}

calibrate_run calibrate_run_of(
        const p3d_time *time, double residual, double weight)
{
    const double T = p3d_time_step_s(time);
    const double share[P3D_N_ERRORS] = {
#define P3D_AS_SHARE(field, words) time->field##_s / T,
            P3D_TIME_TERMS(P3D_AS_SHARE)
#undef P3D_AS_SHARE
                    1};
    calibrate_run run = {.residual = residual, .weight = weight};

    for (int k = 0; k < P3D_N_ERRORS; k++)
        run.squared_share[k] = share[k] * share[k];
    return run;
}

double calibrate_run_squared(
        const calibrate_run *run, const calibrate_errors *errors)
{
    double sum = 0;

    for (int k = 0; k < P3D_N_ERRORS; k++)
        sum += run->squared_share[k] * errors->squared[k];
    return sum;
}

double calibrate_run_likelihood(const calibrate_run *run, double squared)
{
    const double squares = run->residual * run->residual / squared;

    return -p3d_log(squared) / 2 -
           (freedom + 1) / 2 * p3d_log1p(squares / freedom);
}

/* The square of a residual, less where it is far out for the scale. */
static double pulled_in(double squared_residual, double squared)
{
    return squared_residual * (freedom + 1) /
           (freedom + squared_residual / squared);
}

/* The terms' part, were the square of each 1. */
static double squared_shares(const calibrate_run *run)
{
    double sum = 0;

    for (int k = 0; k < P3D_ERROR_UNEXPLAINED; k++)
        sum += run->squared_share[k];
    return sum;
}

/* The one square of all runs, or of all terms of theirs. */
static double fit_one(const calibrate_run *runs, int n, bool of_terms)
{
    double squared = 1;

    for (int round = 0; round < N_ROUNDS_OF_ONE; round++) {
        double sum = 0;
        double weights = 0;

        for (int i = 0; i < n; i++) {
            const double y = runs[i].residual;
            const double part = of_terms ? squared_shares(&runs[i]) : 1;

            sum += runs[i].weight * pulled_in(y * y / part, squared);
            weights += runs[i].weight;
        }
        if (!(sum > 0))
            return 0;
        squared = sum / weights;
    }
    return squared;
}

double calibrate_flat_fit(const calibrate_run *runs, int n)
{
    return fit_one(runs, n, false);
}

/* One step up. */
static void improve(
        const calibrate_run *runs, int n, double prior, calibrate_errors *e)
{
    double more[P3D_N_ERRORS] = {0};
    double less[P3D_N_ERRORS] = {0};

    for (int k = 0; k < P3D_ERROR_UNEXPLAINED; k++) {
        more[k] = prior_sources * prior / (e->squared[k] * e->squared[k]);
        less[k] = prior_sources / e->squared[k];
    }
    for (int i = 0; i < n; i++) {
        const double v = calibrate_run_squared(&runs[i], e);
        const double y2 = pulled_in(runs[i].residual * runs[i].residual, v);

        for (int k = 0; k < P3D_N_ERRORS; k++) {
            const double q = runs[i].weight * runs[i].squared_share[k] / v;

            more[k] += q * y2 / v;
            less[k] += q;
        }
    }
    for (int k = 0; k < P3D_N_ERRORS; k++)
        if (less[k] > 0)
            e->squared[k] *= sqrt(more[k] / less[k]);
}

/*
 *     maximum of sum of u_r ln(t4(y_r / sqrt(v_r)) / sqrt(v_r)) + prior
 *     v_r = sum of (t_ri / T_r)^2 s_i^2 + s_0^2
 *
 * y_r ln(measured / predicted) of a run; t_ri / T_r share of a term in its
 * predicted step; u_r = 1 / (n + 4), n runs of its source; t4 density of
 * Student's t. The prior is one source for each term that spends its step on
 * nothing else, with the scale that fits the runs best when all terms have the
 * same. Rises with every round: s_i^2 is multiplied by the root of (sum of
 * u q y'^2 / v^2) / (sum of u q / v), q = (t_i / T)^2 and y'^2 the square that
 * t4 pulls in, 5 y^2 / (4 + y^2 / v). Source: Fevotte, Idier, Algorithms for
 * Nonnegative Matrix Factorization with the beta-Divergence, Neural Computation
 * 23 (2011): the majorization of beta = 0.
 */
void calibrate_errors_fit(
        const calibrate_run *runs, int n, calibrate_errors *out)
{
    const double prior = fit_one(runs, n, true);

    *out = (calibrate_errors){.flat = calibrate_flat_fit(runs, n)};
    if (!(prior > 0))
        return;
    for (int k = 0; k < P3D_N_ERRORS; k++)
        out->squared[k] = prior;
    for (int round = 0; round < N_ROUNDS; round++)
        improve(runs, n, prior, out);
}
