/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residuals.c - the distribution of an error, pooled from measured runs: those
 * most alike count most, and each source once. */
#include "spec/residuals.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/util.h"

/* Runs of a source with which it counts half. */
static const double half_weight_runs = 4;

/* Repeats of one run differ by as much. */
static const double noise = 0.02;

bool spec_is_any(const spec_residuals *of, const spec_question *q)
{
    (void)of;
    (void)q;
    return true;
}

bool spec_same_family(const char *a, const char *b)
{
    while (*a == *b && isalpha((unsigned char)*a)) {
        a++;
        b++;
    }
    return !isalpha((unsigned char)*a) && !isalpha((unsigned char)*b);
}

bool spec_is_of_family(const spec_residuals *of, const spec_question *q)
{
    return spec_same_family(of->framework, q->framework);
}

bool spec_is_of_framework(const spec_residuals *of, const spec_question *q)
{
    return strcmp(of->framework, q->framework) == 0;
}

/** Share below x of what lies evenly around 0. */
static double noise_below(double x)
{
    return x <= -noise ? 0 : x >= noise ? 1 : (x / noise + 1) / 2;
}

static double row_below(const spec_residuals *of, double x)
{
    double sum = 0;

    if (x - of->quantile[SPEC_N_QUANTILES - 1] >= noise)
        return 1;
    for (int i = 0; i < SPEC_N_QUANTILES && of->quantile[i] < x + noise; i++)
        sum += noise_below(x - of->quantile[i]);
    return sum / SPEC_N_QUANTILES;
}

static bool is_same_source(const spec_residuals *a, const char *source)
{
    return source != NULL && strcmp(a->source, source) == 0;
}

static bool counts(
        const spec_residuals *of, const spec_question *q, spec_belongs *belong)
{
    return !is_same_source(of, q->source) && belong(of, q);
}

static int end_of_source(const spec_pool *pool, int first)
{
    int end = first + 1;

    while (end < pool->n_rows &&
            is_same_source(&pool->rows[end], pool->rows[first].source))
        end++;
    return end;
}

/* What the rows of a pool count for in a question: they add up to 1. */
enum { MAX_ROWS = 512 };

typedef struct weights {
    double of[MAX_ROWS];
} weights;

/** Add a source to what the rows count for at a level. @return its weight */
static double add_source(const spec_pool *pool, const spec_question *q,
        spec_belongs *belong, int first, double *added)
{
    const int end = end_of_source(pool, first);
    int n = 0;

    for (int i = first; i < end; i++)
        n += counts(&pool->rows[i], q, belong) ? pool->rows[i].n : 0;
    for (int i = first; i < end; i++)
        if (counts(&pool->rows[i], q, belong))
            added[i] += pool->rows[i].n / (n + half_weight_runs);
    return n / (n + half_weight_runs);
}

/** What the sources of a level say and, worth one more, the levels before. */
static void add_level(const spec_pool *pool, const spec_question *q,
        spec_belongs *belong, bool has_prior, weights *w)
{
    double total = has_prior ? 1 : 0;

    for (int first = 0; first < pool->n_rows;
            first = end_of_source(pool, first))
        total += add_source(pool, q, belong, first, w->of);
    for (int i = 0; i < pool->n_rows && total > 0; i++)
        w->of[i] /= total;
}

static void find_weights(
        const spec_pool *pool, const spec_question *q, weights *out)
{
    P3D_ASSERT(pool->n_rows <= MAX_ROWS);
    memset(out, 0, sizeof(*out));
    for (int i = 0; i < pool->n_levels; i++)
        add_level(pool, q, pool->levels[i], i > 0, out);
}

static double below(const spec_pool *pool, const weights *w, double x)
{
    double sum = 0;

    for (int i = 0; i < pool->n_rows; i++)
        if (w->of[i] > 0)
            sum += w->of[i] * row_below(&pool->rows[i], x);
    return fmin(sum, 1); /* the weights are rounded */
}

double spec_pool_below_frac(
        const spec_pool *pool, const spec_question *q, double x)
{
    weights w;

    find_weights(pool, q, &w);
    return below(pool, &w, x);
}

double spec_pool_quantile(
        const spec_pool *pool, const spec_question *q, double frac)
{
    double low = -3, high = 3;
    weights w;

    find_weights(pool, q, &w);
    for (int i = 0; i < 40; i++) {
        const double x = (low + high) / 2;

        if (below(pool, &w, x) < frac)
            low = x;
        else
            high = x;
    }
    return high;
}

spec_evidence spec_pool_evidence(
        const spec_pool *pool, const spec_question *q, spec_belongs *belong)
{
    spec_evidence out = {.n_runs = 0};

    for (int first = 0, end; first < pool->n_rows; first = end) {
        int n = 0;

        end = end_of_source(pool, first);
        for (int i = first; i < end; i++)
            n += counts(&pool->rows[i], q, belong) ? pool->rows[i].n : 0;
        out.n_sources += n > 0;
        out.n_runs += n;
    }
    return out;
}
