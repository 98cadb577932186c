/* SPDX-License-Identifier: GPL-3.0-or-later */
/* goodput.c - what failures and checkpoints cost a training. */
#include "cost/goodput.h"

#include <math.h>

/* Below this the terms that the series leaves out are under 1e-16 of it. */
static const double SMALL = 1e-3;

/** exp(x) - 1 - x, for x >= 0, without the cancellation at small x. */
static double exp_less_line(double x)
{
    if (x > SMALL)
        return expm1(x) - x;
    return x * x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6))));
}

cost_segment cost_segment_of(const cost_failures *f, double interval_s)
{
    const double M = f->mtbf_s;
    const double x = (interval_s + f->pause_s) / M;
    const double failures = expm1(x);
    const double redone = M * exp(f->restart_s / M) * expm1(f->behind_s / M);

    return (cost_segment){.work_s = interval_s,
            .save_s = f->pause_s,
            .lost_s = M * exp_less_line(x) + failures * redone,
            .restart_s = failures * M * expm1(f->restart_s / M)};
}

double cost_overhead_frac(const cost_failures *f, double interval_s)
{
    const cost_segment s = cost_segment_of(f, interval_s);

    return (s.save_s + s.lost_s + s.restart_s) / s.work_s;
}

double cost_young_interval_s(const cost_failures *f)
{
    return sqrt(2 * f->pause_s * f->mtbf_s);
}

double cost_daly_interval_s(const cost_failures *f)
{
    const double half = f->pause_s / (2 * f->mtbf_s);

    if (half >= 1)
        return f->mtbf_s;
    return cost_young_interval_s(f) * (1 + sqrt(half) / 3 + half / 9) -
           f->pause_s;
}
