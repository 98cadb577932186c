/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range.c - how far the step time may be from its estimate. */
#include "plan3d/range.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double CONFIDENCE_FRAC = 0.8;

/* Spread of published runs around the estimate that no constant explains:
 * software versions, fabrics, clocks, and what runs lose that is not modelled.
 * Of the runs in tests/accuracy (without four sources of very small or
 * incompletely described jobs) 80 % took 0.91 to 1.31 times the estimate: a
 * split normal law with these standard deviations. It only widens the range;
 * the estimate itself is not moved. Assumes: A13. Source: docs/accuracy.md. */
static const double STRUCTURE_SIGMA_LOW = 0.0736;
static const double STRUCTURE_SIGMA_HIGH = 0.211;

/* Launch time of the host and fixed costs are guesses of a typical machine. */
static const double ASSUMED_SIGMA_FRAC = 0.5;

/** Standard deviation of a normal law with this mean absolute error. */
static double sigma_of(double mean_abs_error)
{
    return mean_abs_error * sqrt(acos(-1.0) / 2);
}

/** A group of constants, and the seconds by which its error moves a step. */
typedef struct source {
    const char *constants;
    double error_s;
} source;

enum { N_SOURCES = 5 };

static void sources_of(
        const p3d_problem *problem, const p3d_time *t, source out[N_SOURCES])
{
    const p3d_calibration *c = &problem->cluster.calibration;
    const double net_s = t->tp_comm_s + t->cp_comm_s + t->ep_comm_s +
                         t->pp_comm_s + t->dp_comm_s;
    const double kernel_error =
            p3d_attention_fit_of(c, problem->job.attention)->error_frac;

    out[0] = (source){"rate of matrix products",
            sigma_of(c->gemm.error_frac) * t->gemm_s};
    out[1] = (source){
            "rate of attention", sigma_of(kernel_error) * t->attention_s};
    out[2] = (source){"rate of memory-bound passes",
            sigma_of(c->pass.error_frac) * (t->memory_pass_s + t->optimizer_s)};
    out[3] = (source){
            "rates of collectives", sigma_of(c->collective_error_frac) * net_s};
    out[4] = (source){"host and fixed times",
            ASSUMED_SIGMA_FRAC * (t->host_s + t->offload_s + t->fixed_s)};
}

/*
 *     [T exp(-z s_low), T exp(z s_high)]
 *     s^2 = structure^2 + sum of (e_i t_i / T)^2
 *
 * T step; t_i term; e_i standard error of its constants; z normal quantile of
 * the confidence. Logarithmic, so that the low end stays positive.
 */
p3d_range p3d_step_range(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    const double T = p3d_time_step_s(&estimate->time);
    const double z = gsl_cdf_ugaussian_Pinv(0.5 + CONFIDENCE_FRAC / 2);
    source sources[N_SOURCES];
    const source *most = &sources[0];
    double squares = 0;
    double terms;

    sources_of(problem, &estimate->time, sources);
    for (int i = 0; i < N_SOURCES; i++) {
        squares += sources[i].error_s * sources[i].error_s;
        if (sources[i].error_s > most->error_s)
            most = &sources[i];
    }
    terms = sqrt(squares) / T;
    return (p3d_range){.low_s = T * exp(-z * hypot(STRUCTURE_SIGMA_LOW, terms)),
            .high_s = T * exp(z * hypot(STRUCTURE_SIGMA_HIGH, terms)),
            .confidence_frac = CONFIDENCE_FRAC,
            .constants = most->constants,
            .constants_error_frac = most->error_s / T};
}
