/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range.c - how far the step time may be from its estimate. */
#include "plan3d/range.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double CONFIDENCE_FRAC = 0.8;

/* Spread of published runs around the estimate that no constant explains:
 * software versions, fabrics, clocks, and what runs lose that is not modelled.
 * Of the runs in tests/accuracy (without four sources of very small or
 * incompletely described jobs) 80 % took 0.90 to 1.55 times the estimate: a
 * split normal law with these standard deviations. It only widens the range;
 * the estimate itself is not moved. Assumes: A13. Source: docs/accuracy.md. */
static const double STRUCTURE_SIGMA_LOW = 0.0822;
static const double STRUCTURE_SIGMA_HIGH = 0.342;

/* Launch time of the host and fixed costs are guesses of a typical machine. */
static const double ASSUMED_SIGMA_FRAC = 0.5;

/** Standard deviation of a normal law with this mean absolute error. */
static double sigma_of(double mean_abs_error)
{
    return mean_abs_error * sqrt(acos(-1.0) / 2);
}

/** Sum of squares of the errors of the terms, seconds^2. */
static double term_variance(
        const p3d_calibration *c, p3d_attention kernel, const p3d_time *t)
{
    const double net_s = t->tp_comm_s + t->cp_comm_s + t->ep_comm_s +
                         t->pp_comm_s + t->dp_comm_s;
    const double gemm = sigma_of(c->gemm.error_frac) * t->gemm_s;
    const double attention =
            sigma_of(p3d_attention_fit_of(c, kernel)->error_frac) *
            t->attention_s;
    const double pass =
            sigma_of(c->pass.error_frac) * (t->memory_pass_s + t->optimizer_s);
    const double net = sigma_of(c->collective_error_frac) * net_s;
    const double assumed =
            ASSUMED_SIGMA_FRAC * (t->host_s + t->offload_s + t->fixed_s);

    return gemm * gemm + attention * attention + pass * pass + net * net +
           assumed * assumed;
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
    const double terms = sqrt(term_variance(&problem->cluster.calibration,
                                 problem->job.attention, &estimate->time)) /
                         T;
    const double z = gsl_cdf_ugaussian_Pinv(0.5 + CONFIDENCE_FRAC / 2);

    return (p3d_range){.low_s = T * exp(-z * hypot(STRUCTURE_SIGMA_LOW, terms)),
            .high_s = T * exp(z * hypot(STRUCTURE_SIGMA_HIGH, terms)),
            .confidence_frac = CONFIDENCE_FRAC};
}
