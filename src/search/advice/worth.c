/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worth.c - what it would save to know one constant before choosing. */
#include "search/advice/worth.h"

#include <math.h>
#include <stdlib.h>

/* Draws of each half in a bin, about. */
enum { LEAST_IN_BIN = 20, MOST_BINS = 20 };

/** A draw, in the order of a constant. */
typedef struct placed {
    double factor;
    int draw;
} placed;

static int compare(const void *a, const void *b)
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
    qsort(order, (size_t)d->n, sizeof(*order), compare);
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
