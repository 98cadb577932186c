/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interval.c - the best interval between checkpoints. */
#include "calibrate/interval.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

#include "base/util.h"

enum { MAX_STEPS = 200 };

/* Of the interval; the overhead is flat to its square. */
static const double TOLERANCE = 1e-7;

static double overhead(double log_interval, void *failures)
{
    return cost_overhead_frac(failures, exp(log_interval));
}

static double descend(
        gsl_min_fminimizer *minimizer, gsl_function *f, double start_s)
{
    const cost_failures *failures = f->params;
    /* The best lies below M: there d/dt exp((t + C) / M) / t is positive. */
    const double low = log(start_s / 1000);
    const double high = log(2 * failures->mtbf_s);

    if (gsl_min_fminimizer_set(minimizer, f, log(start_s), low, high) !=
            GSL_SUCCESS)
        return start_s;
    for (int i = 0; i < MAX_STEPS; i++) {
        if (gsl_min_fminimizer_iterate(minimizer) != GSL_SUCCESS ||
                gsl_min_test_interval(gsl_min_fminimizer_x_lower(minimizer),
                        gsl_min_fminimizer_x_upper(minimizer), TOLERANCE,
                        0) == GSL_SUCCESS)
            break;
    }
    return exp(gsl_min_fminimizer_x_minimum(minimizer));
}

bool fit_interval(const cost_failures *f, double *interval_s, p3d_error *err)
{
    cost_failures failures = *f;
    gsl_function cost = {.function = overhead, .params = &failures};
    gsl_error_handler_t *const handler = gsl_set_error_handler_off();
    gsl_min_fminimizer *minimizer =
            gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);

    if (minimizer != NULL)
        *interval_s = descend(minimizer, &cost, cost_daly_interval_s(f));
    gsl_min_fminimizer_free(minimizer);
    gsl_set_error_handler(handler);
    return minimizer != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");
}
