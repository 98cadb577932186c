/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range.c - how far the step time may be from its estimate. */
#include "calibrate/range.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "calibrate/anchored_residuals.h"
#include "calibrate/near_runs.h"
#include "calibrate/time_residuals.h"
#include "plan3d/constants.h"
#include "spec/nearness.h"

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

    out[0] = (group){"rate of GEMMs",
            p3d_constant_sigma(problem, P3D_CONSTANT_GEMM) * t->gemm_s};
    out[1] = (group){"rate of attention",
            p3d_constant_sigma(problem, P3D_CONSTANT_ATTENTION) *
                    t->attention_s};
    out[2] = (group){"rate of memory-bound kernels",
            p3d_constant_sigma(problem, P3D_CONSTANT_PASS) *
                    (t->memory_pass_s + t->optimizer_s)};
    out[3] = (group){"rates of collectives",
            p3d_constant_sigma(problem, P3D_CONSTANT_LINK) * net_s};
    out[4] = (group){"host and fixed times",
            p3d_constant_sigma(problem, P3D_CONSTANT_HOST) *
                    (t->host_s + t->offload_s + t->fixed_s)};
}

static bool is_known(const spec_residuals *of, const spec_asked_run *q)
{
    (void)q;
    return (of->traits & SPEC_STANDS_IN) == 0;
}

static bool is_of_family(const spec_residuals *of, const spec_asked_run *q)
{
    return is_known(of, q) && spec_is_of_family(of, q);
}

static bool is_of_framework(const spec_residuals *of, const spec_asked_run *q)
{
    return is_known(of, q) && spec_is_of_framework(of, q);
}

/* However many GPUs: too few have many. */
static bool is_alike(const spec_residuals *of, const spec_asked_run *q)
{
    return ((of->traits ^ q->traits) & ~(unsigned)SPEC_MANY_GPUS) == 0 &&
           spec_is_of_framework(of, q);
}

static bool has_experts(const spec_residuals *of, const spec_asked_run *q)
{
    return is_known(of, q) && (of->traits & SPEC_EXPERTS) != 0;
}

static bool has_many_gpus(const spec_residuals *of, const spec_asked_run *q)
{
    return is_known(of, q) && (of->traits & SPEC_MANY_GPUS) != 0;
}

static spec_belongs *const levels[] = {
        spec_is_any, is_known, is_of_family, is_of_framework, is_alike};

static spec_belongs *const expert_levels[] = {
        spec_is_any, is_known, has_experts};
static spec_belongs *const many_levels[] = {
        spec_is_any, is_known, has_many_gpus};

#define POOL_OF(levels)                                                   \
    {                                                                     \
        calibrate_step_residuals, P3D_COUNT_OF(calibrate_step_residuals), \
                levels, P3D_COUNT_OF(levels)                              \
    }

/* Of published runs, what no constant explains: software versions, fabrics,
 * clocks, and what runs lose that is not modelled. It only widens the range;
 * the estimate itself is not moved. Assumes: A13. Source: docs/accuracy.md. */
static const spec_pool steps = POOL_OF(levels);

/* What few runs have, and where each framework is wrong in its own way: a
 * framework's own runs say too little. With these the range of a source that
 * was left out holds 83 % of the steps with experts, without them 66 % (mean of
 * six sources); beyond 1,024 GPUs 75 % (three sources, 20 steps) either way.
 * Source: plan3d backtest tests/accuracy/runs.csv --what time --rows. */
static const struct rarity {
    unsigned trait;
    spec_pool pool;
} rarities[] = {{SPEC_EXPERTS, POOL_OF(expert_levels)},
        {SPEC_MANY_GPUS, POOL_OF(many_levels)}};

/* The same after so many own runs of the model: what they leave. */
static spec_belongs *const any_level[] = {spec_is_any};

#define AFTER(n)                                                          \
    {                                                                     \
        calibrate_after_##n##_residuals,                                  \
                P3D_COUNT_OF(calibrate_after_##n##_residuals), any_level, \
                P3D_COUNT_OF(any_level)                                   \
    }
static const struct after {
    int n_runs; /* and more */
    spec_pool pool;
} afters[] = {{4, AFTER(4)}, {2, AFTER(2)}, {1, AFTER(1)}};

/* NULL where no run of this model was measured. */
static const spec_pool *pool_after(const p3d_anchor *anchor)
{
    for (int i = 0; i < P3D_COUNT_OF(afters) && anchor->same_model; i++)
        if (anchor->n_steps >= afters[i].n_runs)
            return &afters[i].pool;
    return NULL;
}

bool calibrate_is_host_bound(const p3d_estimate *estimate)
{
    return estimate->time.host_s >
           CALIBRATE_HOST_BOUND_FRAC * p3d_time_step_s(&estimate->time);
}

static spec_asked_run question_of(const p3d_problem *problem,
        const p3d_estimate *estimate, const char *source)
{
    const unsigned experts = problem->model.n_experts > 0 ? SPEC_EXPERTS : 0;
    const unsigned nodes =
            problem->cluster.n_nodes > 1 ? SPEC_SEVERAL_NODES : 0;
    const unsigned host =
            calibrate_is_host_bound(estimate) ? SPEC_HOST_BOUND : 0;
    const unsigned many =
            problem->cluster.n_gpus > SPEC_USUAL_GPUS ? SPEC_MANY_GPUS : 0;
    const p3d_framework *const framework = problem->job.framework;

    return (spec_asked_run){
            framework != NULL && framework->name != NULL ? framework->name : "",
            experts | nodes | host | many, source};
}

/* A quantile of ln(measured / predicted), or that of runs with the same rarity
 * where it is further from 0. Own runs say more than both.
 * @param own  what these leave; NULL = there are none */
static double widest_quantile(
        const spec_pool *own, const spec_asked_run *q, double frac)
{
    const double sign = frac < 0.5 ? -1 : 1;
    double most =
            sign * spec_pool_quantile(own != NULL ? own : &steps, q, frac);

    for (int i = 0; i < P3D_COUNT_OF(rarities) && own == NULL; i++)
        if ((q->traits & rarities[i].trait) != 0)
            most = fmax(most,
                    sign * spec_pool_quantile(&rarities[i].pool, q, frac));
    return sign * fmax(most, 0);
}

static spec_run_facts facts_of(const calibrate_near_run *run)
{
    return (spec_run_facts){.gpu = near_gpus[run->gpu],
            .architecture = near_architectures[run->architecture],
            .profile = near_profiles[run->profile],
            .active_parameters = run->active_parameters,
            .seq_len = run->seq_len,
            .network_bytes_per_s_per_gpu = run->network_bytes_per_s_per_gpu,
            .n_gpus = run->n_gpus,
            .experts = run->experts != 0,
            .adapters = run->adapters != 0,
            .dtype = (p3d_dtype)run->dtype,
            .tp = run->tp,
            .pp = run->pp,
            .cp = run->cp,
            .ep = run->ep,
            .recompute = (p3d_recompute)run->recompute};
}

/* Whether a run of another source is near. */
static bool has_near_run(
        const p3d_problem *problem, const p3d_plan *plan, const char *source)
{
    const spec_run_facts asked = spec_facts_of(problem, plan);

    for (int i = 0; i < P3D_COUNT_OF(calibrate_near_runs); i++) {
        const calibrate_near_run *const run = &calibrate_near_runs[i];
        const spec_run_facts facts = facts_of(run);
        const p3d_distance_parts parts = spec_distance(&facts, &asked);

        if (spec_is_near(&parts) &&
                (source == NULL ||
                        strcmp(near_sources[run->source], source) != 0))
            return true;
    }
    return false;
}

/* Ends of a range as logarithms, both as far from the estimate as runs lie. */
typedef struct ends {
    double low, high, median;
} ends;

/* @param own  what own runs leave; NULL = there are none */
static ends ends_of(const spec_pool *own, const spec_asked_run *q)
{
    const double tail_frac = (1 - CONFIDENCE_FRAC) / 2;

    return (ends){widest_quantile(own, q, tail_frac),
            widest_quantile(own, q, 1 - tail_frac),
            spec_pool_quantile(own != NULL ? own : &steps, q, 0.5)};
}

/* Own runs make an estimate no less sure: where published runs alike lie closer
 * together than those after others of any kind, theirs is the range, around the
 * middle of what own runs leave. */
static ends narrower_ends(const p3d_problem *problem, const spec_asked_run *q)
{
    const spec_pool *const own = pool_after(&problem->job.anchor);
    const ends all = ends_of(NULL, q);
    const ends left = own != NULL ? ends_of(own, q) : all;
    const double shift = left.median - all.median;

    return left.high - left.low <= all.high - all.low
                   ? left
                   : (ends){all.low + shift, all.high + shift, left.median};
}

/*
 *     [T exp(-max(a, z s)), T exp(max(b, z s))]
 *     s^2 = sum of (e_i t_i / T)^2
 *
 * T step; -a and b the 10 % and 90 % quantiles of ln(measured / predicted) of
 * the runs most alike, or of those as rare, neither beyond 0; t_i term; e_i
 * standard error of its constants; z normal quantile of the confidence. The
 * runs were predicted with such constants: what is wrong with these is in a and
 * b already, and is not added a second time. After own runs of the same model a
 * and b are of published runs after as many others of their source, GPU,
 * framework and model, where these are closer together.
 */
p3d_range calibrate_step_range(const p3d_problem *problem,
        const p3d_estimate *estimate, const char *source)
{
    const double T = p3d_time_step_s(&estimate->time);
    const double z = gsl_cdf_ugaussian_Pinv((1 + CONFIDENCE_FRAC) / 2);
    const spec_asked_run q = question_of(problem, estimate, source);
    const ends runs = narrower_ends(problem, &q);
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
    return (p3d_range){.low_s = T * p3d_exp(-fmax(-runs.low, terms)),
            .median_s = T * p3d_exp(runs.median),
            .high_s = T * p3d_exp(fmax(runs.high, terms)),
            .confidence_frac = CONFIDENCE_FRAC,
            .near = has_near_run(problem, &estimate->plan, source),
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
