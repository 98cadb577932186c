/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range.c - how far the step time may be from its estimate. */
#include "plan3d/range.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "plan3d/constants.h"

static const double CONFIDENCE_FRAC = 0.8;

/* Spread of published runs around the estimate that no constant explains:
 * software versions, fabrics, clocks, and what runs lose that is not modelled.
 * Of the runs in tests/accuracy (without four sources of very small or
 * incompletely described jobs) 80 % took 0.91 to 1.31 times the estimate: a
 * split normal law with these standard deviations. It only widens the range;
 * the estimate itself is not moved. Assumes: A13. Source: docs/accuracy.md. */
static const double STRUCTURE_SIGMA_LOW = 0.0736;
static const double STRUCTURE_SIGMA_HIGH = 0.211;

/* A group of constants, and the seconds by which its error moves a step. */
typedef struct source {
    const char *constants;
    double error_s;
} source;

enum { N_SOURCES = 5 };

static void sources_of(
        const p3d_problem *problem, const p3d_time *t, source out[N_SOURCES])
{
    const double net_s = t->tp_comm_s + t->cp_comm_s + t->ep_comm_s +
                         t->pp_comm_s + t->dp_comm_s;

    out[0] = (source){"rate of matrix products",
            p3d_constant_sigma(problem, P3D_CONSTANT_GEMM) * t->gemm_s};
    out[1] = (source){"rate of attention",
            p3d_constant_sigma(problem, P3D_CONSTANT_ATTENTION) *
                    t->attention_s};
    out[2] = (source){"rate of memory-bound passes",
            p3d_constant_sigma(problem, P3D_CONSTANT_PASS) *
                    (t->memory_pass_s + t->optimizer_s)};
    out[3] = (source){"rates of collectives",
            p3d_constant_sigma(problem, P3D_CONSTANT_LINK) * net_s};
    out[4] = (source){"host and fixed times",
            p3d_constant_sigma(problem, P3D_CONSTANT_HOST) *
                    (t->host_s + t->offload_s + t->fixed_s)};
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
    if (problem == NULL || estimate == NULL)
        return (p3d_range){.constants = ""};

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
