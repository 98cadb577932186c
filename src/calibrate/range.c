/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range.c - how far the step time may be from its estimate. */
#include "calibrate/range.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/util.h"
#include "calibrate/time_residuals.h"
#include "plan3d/constants.h"

static const double CONFIDENCE_FRAC = 0.8;

/* A group of constants, and the seconds by which its error moves a step. */
typedef struct group {
    const char *constants;
    double error_s;
} group;

enum { N_GROUPS = 5 };

static void groups_of(
        const p3d_problem *problem, const p3d_time *t, group out[N_GROUPS])
{
    const double net_s = t->tp_comm_s + t->cp_comm_s + t->ep_comm_s +
                         t->pp_comm_s + t->dp_comm_s;

    out[0] = (group){"rate of matrix products",
            p3d_constant_sigma(problem, P3D_CONSTANT_GEMM) * t->gemm_s};
    out[1] = (group){"rate of attention",
            p3d_constant_sigma(problem, P3D_CONSTANT_ATTENTION) *
                    t->attention_s};
    out[2] = (group){"rate of memory-bound passes",
            p3d_constant_sigma(problem, P3D_CONSTANT_PASS) *
                    (t->memory_pass_s + t->optimizer_s)};
    out[3] = (group){"rates of collectives",
            p3d_constant_sigma(problem, P3D_CONSTANT_LINK) * net_s};
    out[4] = (group){"host and fixed times",
            p3d_constant_sigma(problem, P3D_CONSTANT_HOST) *
                    (t->host_s + t->offload_s + t->fixed_s)};
}

static bool is_known(const spec_residuals *of, const spec_question *q)
{
    (void)q;
    return (of->traits & SPEC_STANDS_IN) == 0;
}

static bool is_of_family(const spec_residuals *of, const spec_question *q)
{
    return is_known(of, q) && spec_is_of_family(of, q);
}

static bool is_of_framework(const spec_residuals *of, const spec_question *q)
{
    return is_known(of, q) && spec_is_of_framework(of, q);
}

static bool is_alike(const spec_residuals *of, const spec_question *q)
{
    return of->traits == q->traits && spec_is_of_framework(of, q);
}

static spec_belongs *const levels[] = {
        spec_is_any, is_known, is_of_family, is_of_framework, is_alike};

/* Of published runs, what no constant explains: software versions, fabrics,
 * clocks, and what runs lose that is not modelled. It only widens the range;
 * the estimate itself is not moved. Assumes: A13. Source: docs/accuracy.md. */
static const spec_pool steps = {calibrate_step_residuals,
        P3D_COUNT_OF(calibrate_step_residuals), levels, P3D_COUNT_OF(levels)};

bool calibrate_is_host_bound(const p3d_estimate *estimate)
{
    return estimate->time.host_s >
           CALIBRATE_HOST_BOUND_FRAC * p3d_time_step_s(&estimate->time);
}

static spec_question question_of(const p3d_problem *problem,
        const p3d_estimate *estimate, const char *source)
{
    const unsigned experts = problem->model.n_experts > 0 ? SPEC_EXPERTS : 0;
    const unsigned nodes =
            problem->cluster.n_nodes > 1 ? SPEC_SEVERAL_NODES : 0;
    const unsigned host =
            calibrate_is_host_bound(estimate) ? SPEC_HOST_BOUND : 0;
    const p3d_framework *const framework = problem->job.framework;

    return (spec_question){
            framework != NULL && framework->name != NULL ? framework->name : "",
            experts | nodes | host, source};
}

/*
 *     [T exp(-hypot(a, z s)), T exp(hypot(b, z s))]
 *     s^2 = sum of (e_i t_i / T)^2
 *
 * T step; -a and b the 10 % and 90 % quantiles of ln(measured / predicted) of
 * the runs most alike, neither beyond 0; t_i term; e_i standard error of its
 * constants; z normal quantile of the confidence.
 */
p3d_range calibrate_step_range(const p3d_problem *problem,
        const p3d_estimate *estimate, const char *source)
{
    const double T = p3d_time_step_s(&estimate->time);
    const double tail_frac = (1 - CONFIDENCE_FRAC) / 2;
    const double z = gsl_cdf_ugaussian_Pinv(1 - tail_frac);
    const spec_question q = question_of(problem, estimate, source);
    const double low = spec_pool_quantile(&steps, &q, tail_frac);
    const double high = spec_pool_quantile(&steps, &q, 1 - tail_frac);
    group groups[N_GROUPS];
    const group *most = &groups[0];
    double squares = 0;
    double terms;

    groups_of(problem, &estimate->time, groups);
    for (int i = 0; i < N_GROUPS; i++) {
        squares += groups[i].error_s * groups[i].error_s;
        if (groups[i].error_s > most->error_s)
            most = &groups[i];
    }
    terms = z * sqrt(squares) / T;
    return (p3d_range){.low_s = T * exp(-hypot(fmin(low, 0), terms)),
            .high_s = T * exp(hypot(fmax(high, 0), terms)),
            .confidence_frac = CONFIDENCE_FRAC,
            .constants = most->constants,
            .constants_error_frac = most->error_s / T};
}

p3d_range p3d_step_range(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    if (problem == NULL || estimate == NULL)
        return (p3d_range){.constants = ""};
    return calibrate_step_range(problem, estimate, NULL);
}
