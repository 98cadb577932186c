/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.c - which terms the error of a step comes from: those that measured
 * runs differ in. */
#include "calibrate/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "calibrate/time_budget.h"
#include "plan3d/constants.h"

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

static const char *const names[P3D_N_ERRORS] = {
#define P3D_AS_NAME(field, words) words,
        P3D_TIME_TERMS(P3D_AS_NAME)
#undef P3D_AS_NAME
                "unexplained"};

/* What can be measured, and the constants of terms that it tells. */
typedef struct cure_row {
    const char *name;
    const char *measure;
    unsigned terms;            /* bits: P3D_ERROR_; 0 = the whole step */
    p3d_constant constants[2]; /* the larger error counts */
} cure_row;

#define TERM(field) (1U << P3D_ERROR_##field)
#define ONE(constant)                                    \
    {                                                    \
        P3D_CONSTANT_##constant, P3D_CONSTANT_##constant \
    }

static const cure_row cures[P3D_N_CURES] = {
        {"one step of the job",
                "run this plan, or one of the same model and GPUs, for a few "
                "steps; scale by measured / predicted",
                0, ONE(GEMM)},
        {"GEMMs", "plan3d-bench gemm", TERM(gemm) | TERM(recompute),
                {P3D_CONSTANT_GEMM, P3D_CONSTANT_POWER}},
        {"attention", "plan3d-bench attention", TERM(attention),
                ONE(ATTENTION)},
        {"memory-bound kernels", "plan3d-bench memory",
                TERM(memory_pass) | TERM(optimizer), ONE(PASS)},
        {"copies to the host", "plan3d-bench memory", TERM(offload),
                ONE(OFFLOAD)},
        {"collectives", "plan3d-bench nccl",
                TERM(tp_comm) | TERM(cp_comm) | TERM(ep_comm) | TERM(pp_comm),
                {P3D_CONSTANT_LINK, P3D_CONSTANT_NETWORK}},
        {"what is not hidden", "plan3d-bench overlap, nccl", TERM(dp_comm),
                {P3D_CONSTANT_LEAK, P3D_CONSTANT_NETWORK}},
        {"host", "profile a step of a tiny model: time per kernel",
                TERM(host) | TERM(fixed),
                {P3D_CONSTANT_HOST, P3D_CONSTANT_FIXED}},
};

static double squared(double x)
{
    return x * x;
}

/* Of the constants that it tells. */
static double constant_scale(const cure_row *cure, const p3d_problem *problem)
{
    return fmax(p3d_constant_sigma(problem, cure->constants[0]),
            p3d_constant_sigma(problem, cure->constants[1]));
}

/* What a benchmark takes off the square of the scale, at most. */
static double taken_by(const cure_row *cure, const p3d_problem *problem,
        const p3d_error_budget *budget)
{
    const double known = constant_scale(cure, problem);
    double sum = 0;

    for (int k = 0; k < P3D_N_ERRORS; k++) {
        const p3d_term_error *const t = &budget->terms[k];

        if ((cure->terms >> k & 1) != 0)
            sum += squared(t->step_frac * fmin(t->scale, known));
    }
    return sum;
}

/* plan3d-bench needs CUDA: elsewhere what it measures is said. */
static const char *measure_of(const cure_row *row, const p3d_problem *problem)
{
    const bool by_bench = strncmp(row->measure, "plan3d-bench", 12) == 0;

    return by_bench && p3d_gpu_sm(&problem->cluster.gpu) == 0
                   ? p3d_constant_of(row->constants[0])->measure
                   : row->measure;
}

static p3d_cure cure_of(const cure_row *row, const p3d_problem *problem,
        const p3d_error_budget *budget, double taken)
{
    const double all = squared(budget->scale);

    return (p3d_cure){.name = row->name,
            .measure = measure_of(row, problem),
            .variance_frac = all > 0 ? taken / all : 0,
            .left_scale = sqrt(fmax(all - taken, 0))};
}

/* Each is held against the terms in their order. */
static void set_cures(const calibrate_shown *shown, const p3d_problem *problem,
        p3d_error_budget *budget)
{
    const double own =
            fmax(squared(budget->scale) - squared(shown->own.scale), 0);

    for (int i = 0; i < P3D_N_CURES; i++) {
        const cure_row *const row = &cures[i];
        const bool whole = row->terms == 0;
        p3d_cure *const cure = &budget->cures[i];

        *cure = cure_of(row, problem, budget,
                whole ? own : taken_by(row, problem, budget));
        if (!whole)
            continue;
        cure->n_runs = shown->own.n_runs;
        cure->n_sources = shown->own.n_sources;
    }
}

/* Places in the tables above: qsort() alone leaves what is equal anyhow. */
static int term_place(const p3d_term_error *term)
{
    int k = 0;

    while (k + 1 < P3D_N_ERRORS && names[k] != term->name)
        k++;
    return k;
}

static int cure_place(const p3d_cure *cure)
{
    int i = 0;

    while (i + 1 < P3D_N_CURES && cures[i].name != cure->name)
        i++;
    return i;
}

static int by_variance(const void *a, const void *b)
{
    const p3d_term_error *const x = a, *const y = b;

    if (x->variance_frac != y->variance_frac)
        return x->variance_frac < y->variance_frac ? 1 : -1;
    return term_place(x) - term_place(y);
}

static int by_gain(const void *a, const void *b)
{
    const p3d_cure *const x = a, *const y = b;

    if (x->variance_frac != y->variance_frac)
        return x->variance_frac < y->variance_frac ? 1 : -1;
    return cure_place(x) - cure_place(y);
}

p3d_error_budget calibrate_budget(const calibrate_shown *shown,
        const p3d_problem *problem, const p3d_time *time)
{
    const calibrate_run run = calibrate_run_of(time, 0, 1);
    p3d_error_budget out = {.flat_scale = shown->flat_scale,
            .n_runs = shown->n_runs,
            .n_sources = shown->n_sources,
            .n_better = shown->n_better};
    double all = 0;

    for (int k = 0; k < P3D_N_ERRORS; k++) {
        const calibrate_scale *const s = &shown->terms[k];
        const double part = run.squared_share[k] * squared(s->scale);

        out.terms[k] = (p3d_term_error){names[k], sqrt(run.squared_share[k]),
                s->scale, s->least, s->most, part, s->n_runs, s->n_sources};
        all += part;
    }
    out.scale = sqrt(all);
    for (int k = 0; k < P3D_N_ERRORS && all > 0; k++)
        out.terms[k].variance_frac /= all;
    set_cures(shown, problem, &out);
    qsort(out.terms, P3D_N_ERRORS, sizeof(*out.terms), by_variance);
    qsort(out.cures, P3D_N_CURES, sizeof(*out.cures), by_gain);
    return out;
}

p3d_error_budget p3d_error_budget_of(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    if (problem == NULL || estimate == NULL ||
            !(p3d_time_step_s(&estimate->time) > 0))
        return (p3d_error_budget){.n_runs = 0};
    return calibrate_budget(&calibrate_step_errors, problem, &estimate->time);
}
