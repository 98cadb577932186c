/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.c - plans timed again and again with constants that are drawn within
 * their errors, and what it would save to know one of them. */
#include "search/advice/draws.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"

/* Draws. */

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
    const double radius = sqrt(-2 * p3d_log(random_uniform(seed, 2 * i)));

    return radius * p3d_cos(2 * acos(-1.0) * random_uniform(seed, 2 * i + 1));
}

p3d_factors draw_factors(const draw_sigmas *sigmas, uint64_t seed, int draw)
{
    p3d_factors f;

    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        const uint64_t place = (uint64_t)draw * P3D_N_CONSTANTS + (uint64_t)i;

        f.of[i] = p3d_exp(sigmas->of[i] * random_normal(seed, place));
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

void draws_run_one(draws *d, panel_timer *t, const draw_sigmas *sigmas,
        uint64_t seed, int draw)
{
    d->factors[draw] = draw_factors(sigmas, seed, draw);
    panel_time(t, &d->factors[draw], row_of(d, draw));
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

static int compare_values(const void *a, const void *b)
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
    qsort(values, (size_t)d->n, sizeof(*values), compare_values);
    *out = values[(int)(share * (d->n - 1) + 0.5)];
    free(values);
    return true;
}

/* Worth. */

/* Draws of each half in a bin, about. */
enum { LEAST_IN_BIN = 20, MOST_BINS = 20 };

/** A draw, in the order of a constant. */
typedef struct placed {
    double factor;
    int draw;
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *x = a, *y = b;

    if (x->factor != y->factor)
        return x->factor < y->factor ? -1 : 1;
    return x->draw - y->draw;
}

/** Some draws, by their places in an order. */
typedef struct bin {
    const placed *order;
    int n;
} bin;

/** The plan with the least sum of regrets over the draws of one half (even or
 *  odd numbers) of a bin. */
static int safest_of(const draws *d, bin b, int half)
{
    int best = 0;
    double least = HUGE_VAL;

    for (int plan = 0; plan < d->n_plans; plan++) {
        double sum = 0;

        for (int i = 0; i < b.n && sum < least; i++)
            if (b.order[i].draw % 2 == half)
                sum += draws_regret_frac(d, b.order[i].draw, plan);
        if (sum < least) {
            least = sum;
            best = plan;
        }
    }
    return best;
}

/** Sums for the mean and its error. */
typedef struct moments {
    double sum, squares;
} moments;

/** Add what one half of a bin saves by the plan that the other half chose for
 *  the bin, instead of the one that it chose for all. */
static void add_half(
        const draws *d, bin b, int half, const int unknown[2], moments *m)
{
    const int known = safest_of(d, b, 1 - half);

    for (int i = 0; i < b.n; i++) {
        const int draw = b.order[i].draw;
        double saved;

        if (draw % 2 != half)
            continue;
        saved = draws_regret_frac(d, draw, unknown[1 - half]) -
                draws_regret_frac(d, draw, known);
        m->sum += saved;
        m->squares += saved * saved;
    }
}

static int n_bins_of(int n_draws)
{
    const int n = n_draws / (2 * LEAST_IN_BIN);

    return n > MOST_BINS ? MOST_BINS : n < 2 ? 2 : n;
}

static placed *sorted(const draws *d, p3d_constant constant)
{
    placed *order = calloc((size_t)d->n, sizeof(*order));

    if (order == NULL)
        return NULL;
    for (int i = 0; i < d->n; i++)
        order[i] = (placed){d->factors[i].of[constant], i};
    qsort(order, (size_t)d->n, sizeof(*order), compare_placed);
    return order;
}

bool worth_of(const draws *d, p3d_constant constant, worth *out)
{
    placed *order = sorted(d, constant);
    const int n_bins = n_bins_of(d->n);
    moments m = {0, 0};
    int unknown[2];
    double mean;

    if (order == NULL)
        return false;
    for (int half = 0; half < 2; half++)
        unknown[half] = safest_of(d, (bin){order, d->n}, half);
    for (int i = 0; i < n_bins; i++) {
        const int from = (int)((int64_t)d->n * i / n_bins);
        const int to = (int)((int64_t)d->n * (i + 1) / n_bins);
        const bin b = {&order[from], to - from};

        add_half(d, b, 0, unknown, &m);
        add_half(d, b, 1, unknown, &m);
    }
    free(order);
    mean = m.sum / d->n;
    *out = (worth){mean, sqrt(fmax(0, m.squares / d->n - mean * mean) / d->n)};
    return true;
}

int worth_safest(const draws *d)
{
    int best = 0;
    double least = HUGE_VAL;

    for (int plan = 0; plan < d->n_plans; plan++) {
        double sum = 0;

        for (int i = 0; i < d->n; i++)
            sum += draws_regret_frac(d, i, plan);
        if (sum < least) {
            least = sum;
            best = plan;
        }
    }
    return best;
}
