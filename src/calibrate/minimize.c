/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minimize.c - the least mean error over a few bounded constants. */
#include "calibrate/minimize.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>

#include "base/util.h"

enum { MAX_STEPS = 4000, MAX_RESTARTS = 12, N_PARTS = 5 };

/* A simplex smaller than this in logits has converged; a restart that gains
 * less than this in mean error is the last. */
static const double SMALLEST_SIMPLEX = 1e-4;
static const double LEAST_GAIN = 1e-5;

typedef struct problem {
    calibrate_task task;
    int held; /* part that is left out; N_PARTS = none */
    gsl_multimin_fminimizer *simplex;
    gsl_vector *x, *step;
} problem;

/* Part of a shape, the same one in every run. */
static int part_of(const p3d_measured_kernel *kernel)
{
    const p3d_op *op = &kernel->op;
    const uint64_t parts[] = {(uint64_t)op->m, (uint64_t)op->n, (uint64_t)op->k,
            (uint64_t)op->heads, (uint64_t)op->seq_q, (uint64_t)op->qk_dim,
            (uint64_t)op->bytes, (uint64_t)kernel->n_ranks};
    uint64_t hash = 14695981039346656037u; /* FNV-1a */

    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        hash = (hash ^ parts[i]) * 1099511628211u;
    return (int)((hash >> 33) % N_PARTS);
}

static double logit_of(calibrate_constant c, double value)
{
    const double share = (value - c.low) / (c.high - c.low);

    return log(share / (1 - share));
}

static double value_of(calibrate_constant c, double logit)
{
    return c.low + (c.high - c.low) / (1 + exp(-logit));
}

static void values_of(const problem *p, const gsl_vector *x, double *out)
{
    for (int i = 0; i < p->task.n; i++)
        out[i] = value_of(p->task.constants[i], gsl_vector_get(x, (size_t)i));
}

static double loss(const gsl_vector *x, void *context)
{
    const problem *p = context;
    double values[CALIBRATE_MAX_CONSTANTS];
    double sum = 0;
    int n = 0;

    values_of(p, x, values);
    for (int i = 0; i < p->task.n_kernels; i++) {
        const p3d_measured_kernel *k = &p->task.kernels[i];

        if (part_of(k) == p->held)
            continue;
        sum += fabs(
                log(p->task.predict(values, k, p->task.context) / k->time_s));
        n++;
    }
    return n > 0 ? sum / n : 0;
}

/* Add the errors on one part, or on all of them.*/
static void add_errors(
        const problem *p, const double *values, int part, double *sum)
{
    for (int i = 0; i < p->task.n_kernels; i++) {
        const p3d_measured_kernel *k = &p->task.kernels[i];

        if (part != N_PARTS && part_of(k) != part)
            continue;
        *sum += fabs(
                p->task.predict(values, k, p->task.context) / k->time_s - 1);
    }
}

/* One run of the simplex from p->x, which it moves. @return the loss there */
static double descend(problem *p, gsl_multimin_function *f)
{
    gsl_vector_set_all(p->step, 0.7);
    gsl_multimin_fminimizer_set(p->simplex, f, p->x, p->step);
    for (int i = 0; i < MAX_STEPS; i++) {
        if (gsl_multimin_fminimizer_iterate(p->simplex) != GSL_SUCCESS ||
                gsl_multimin_fminimizer_size(p->simplex) < SMALLEST_SIMPLEX)
            break;
    }
    gsl_vector_memcpy(p->x, p->simplex->x);
    return p->simplex->fval;
}

static void run(problem *p, double *out)
{
    gsl_multimin_function sum = {
            .f = loss, .n = (size_t)p->task.n, .params = p};
    double best = HUGE_VAL;

    for (int i = 0; i < p->task.n; i++)
        gsl_vector_set(p->x, (size_t)i,
                logit_of(p->task.constants[i], p->task.constants[i].start));
    for (int i = 0; i < MAX_RESTARTS; i++) {
        const double now = descend(p, &sum);

        if (now > best - LEAST_GAIN)
            break;
        best = now;
    }
    values_of(p, p->x, out);
}

/* Fit without each part in turn, then to all. */
static void fit_parts(problem *p, double *out, p3d_fit_quality *quality)
{
    *quality = (p3d_fit_quality){.n_kernels = p->task.n_kernels};
    for (int part = 0; part <= N_PARTS; part++) {
        double *const sum = part == N_PARTS ? &quality->error_frac
                                            : &quality->held_error_frac;

        p->held = part;
        run(p, out);
        add_errors(p, out, part, sum);
    }
    quality->error_frac /= p->task.n_kernels;
    quality->held_error_frac /= p->task.n_kernels;
}

bool calibrate_minimize(const calibrate_task *task, double *out,
        p3d_fit_quality *quality, p3d_error *err)
{
    const size_t n = (size_t)task->n;
    problem p = {.task = *task};
    gsl_error_handler_t *handler;
    bool ok;

    P3D_ASSERT(task->n >= 1 && task->n <= CALIBRATE_MAX_CONSTANTS);
    if (task->n_kernels < P3D_LEAST_MEASURED)
        return p3d_fail(err, P3D_DATA,
                "%d measured kernels, at least %d needed", task->n_kernels,
                P3D_LEAST_MEASURED);
    handler = gsl_set_error_handler_off();
    p.simplex = gsl_multimin_fminimizer_alloc(
            gsl_multimin_fminimizer_nmsimplex2, n);
    p.x = gsl_vector_alloc(n);
    p.step = gsl_vector_alloc(n);
    ok = p.simplex != NULL && p.x != NULL && p.step != NULL;
    if (ok)
        fit_parts(&p, out, quality);
    gsl_vector_free(p.step);
    gsl_vector_free(p.x);
    gsl_multimin_fminimizer_free(p.simplex);
    gsl_set_error_handler(handler);
    return ok || p3d_fail(err, P3D_SYSTEM, "out of memory for a fit");
}
