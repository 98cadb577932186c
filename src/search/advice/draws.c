/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.c - plans timed again and again with constants that are drawn within
 * their errors. */
#include "search/advice/draws.h"

#include <math.h>
#include <stdlib.h>

uint64_t random_bits(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double random_uniform(uint64_t seed, uint64_t i)
{
    return ((double)(random_bits(seed, i) >> 11) + 0.5) * 0x1p-53;
}

double random_normal(uint64_t seed, uint64_t i)
{
    const double radius = sqrt(-2 * log(random_uniform(seed, 2 * i)));

    return radius * cos(2 * acos(-1.0) * random_uniform(seed, 2 * i + 1));
}

p3d_factors draw_factors(const draw_sigmas *sigmas, uint64_t seed, int draw)
{
    p3d_factors f;

    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        const uint64_t place = (uint64_t)draw * P3D_N_CONSTANTS + (uint64_t)i;

        f.of[i] = exp(sigmas->of[i] * random_normal(seed, place));
    }
    return f;
}

bool draws_create(int n, int n_plans, draws *out)
{
    const size_t rows = (size_t)n;

    *out = (draws){.n = n,
            .n_plans = n_plans,
            .factors = calloc(rows, sizeof(p3d_factors)),
            .times_s = calloc(rows * (size_t)n_plans, sizeof(double)),
            .fastest = calloc(rows, sizeof(int))};
    return out->factors != NULL && out->times_s != NULL && out->fastest != NULL;
}

void draws_destroy(draws *d)
{
    free(d->factors);
    free(d->times_s);
    free(d->fastest);
    *d = (draws){.n = 0};
}

static double *row_of(const draws *d, int draw)
{
    return &d->times_s[(size_t)draw * (size_t)d->n_plans];
}

void draws_run_one(
        draws *d, panel *p, const draw_sigmas *sigmas, uint64_t seed, int draw)
{
    d->factors[draw] = draw_factors(sigmas, seed, draw);
    panel_time(p, &d->factors[draw], row_of(d, draw));
    d->fastest[draw] = panel_fastest(row_of(d, draw), d->n_plans);
}

double draws_time_s(const draws *d, int draw, int plan)
{
    return row_of(d, draw)[plan];
}

double draws_regret_frac(const draws *d, int draw, int plan)
{
    const double *times_s = row_of(d, draw);

    return fmax(0, times_s[plan] / times_s[d->fastest[draw]] - 1);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

bool draws_quantile(
        const draws *d, draw_value *value, int plan, double share, double *out)
{
    double *values = calloc((size_t)d->n, sizeof(*values));

    if (values == NULL)
        return false;
    for (int i = 0; i < d->n; i++)
        values[i] = value(d, i, plan);
    qsort(values, (size_t)d->n, sizeof(*values), compare);
    *out = values[(int)(share * (d->n - 1) + 0.5)];
    free(values);
    return true;
}
