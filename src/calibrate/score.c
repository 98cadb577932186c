/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score.c - statistics of prediction errors and of rankings. */
#include "plan3d/score.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "calibrate/median.h"

/* Where there is nothing to say. */
static const double none = (double)NAN;

static double *allocate(int n, p3d_error *err)
{
    double *const values = malloc(((size_t)n + 1) * sizeof(*values));

    if (values == NULL)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    return values;
}

/* GSL's adds up in long double, which is another type on other machines; what
 * a sum of doubles loses is kept instead. */
static double mean_of(const double *values, int n)
{
    double sum = 0, lost = 0;

    for (int i = 0; i < n; i++) {
        const double next = sum + values[i];

        lost += fabs(sum) >= fabs(values[i]) ? (sum - next) + values[i]
                                             : (values[i] - next) + sum;
        sum = next;
    }
    return (sum + lost) / n;
}

static int compare_sources(const void *a, const void *b)
{
    const p3d_residual *const left = a;
    const p3d_residual *const right = b;

    return (left->source > right->source) - (left->source < right->source);
}

/* @param sorted  the residuals source by source */
static double mean_of_medians(
        const p3d_residual *sorted, int n, double *scratch)
{
    double sum = 0;
    int n_sources = 0;

    for (int i = 0, n_rows; i < n; i += n_rows) {
        for (n_rows = 0;
                i + n_rows < n && sorted[i + n_rows].source == sorted[i].source;
                n_rows++)
            scratch[n_rows] = fabs(sorted[i + n_rows].error_frac);
        if (n_rows >= P3D_MACRO_MIN_ROWS) {
            sum += calibrate_median(scratch, n_rows);
            n_sources++;
        }
    }
    return n_sources == 0 ? none : sum / n_sources;
}

static bool find_macro_median(const p3d_residual *residuals, int n,
        double *scratch, double *out, p3d_error *err)
{
    p3d_residual *const sorted = malloc((size_t)n * sizeof(*sorted));

    if (sorted == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(sorted, residuals, (size_t)n * sizeof(*sorted));
    qsort(sorted, (size_t)n, sizeof(*sorted), compare_sources);
    *out = mean_of_medians(sorted, n, scratch);
    free(sorted);
    return true;
}

static bool have_sources(const p3d_residual *residuals, int n)
{
    for (int i = 0; i < n; i++) {
        if (residuals[i].source < 0)
            return false;
    }
    return true;
}

bool p3d_score_residuals(
        const p3d_residual *residuals, int n, p3d_score *out, p3d_error *err)
{
    if ((residuals == NULL && n != 0) || n < 0 || out == NULL ||
            !have_sources(residuals, n))
        return p3d_misuse(err, __func__);

    p3d_score score = {n, none, none, none, none, none};
    double *values;
    double sum = 0;

    if (n == 0) {
        *out = score;
        return true;
    }
    values = allocate(n, err);
    if (values == NULL)
        return false;
    if (!find_macro_median(residuals, n, values,
                &score.macro_median_abs_error_frac, err)) {
        free(values);
        return false;
    }
    for (int i = 0; i < n; i++) {
        values[i] = fabs(residuals[i].error_frac);
        sum += residuals[i].error_frac;
    }
    score.median_abs_error_frac = calibrate_median(values, n);
    score.mean_abs_error_frac = mean_of(values, n);
    score.p90_abs_error_frac =
            gsl_stats_quantile_from_sorted_data(values, 1, (size_t)n, 0.9);
    score.mean_signed_error_frac = sum / n;
    free(values);
    *out = score;
    return true;
}

/* The time of each different plan: median of its repeats, and its prediction.
 */
static int merge_repeats(const p3d_ranked_run *runs, int n, double *scratch,
        p3d_ranked_run *plans)
{
    int n_plans = 0;

    for (int i = 0; i < n; i++) {
        int n_repeats = 0;
        bool is_first = true;

        for (int j = 0; j < i && is_first; j++)
            is_first = runs[j].plan != runs[i].plan;
        if (!is_first)
            continue;
        for (int j = i; j < n; j++) {
            if (runs[j].plan == runs[i].plan)
                scratch[n_repeats++] = runs[j].measured_s;
        }
        plans[n_plans] = runs[i];
        plans[n_plans++].measured_s = calibrate_median(scratch, n_repeats);
    }
    return n_plans;
}

static double regret_of(const p3d_ranked_run *plans, int n)
{
    double fastest_s = plans[0].measured_s;
    double least_s = plans[0].predicted_s;
    double sum_s = 0;
    int n_first = 0;

    for (int i = 1; i < n; i++) {
        fastest_s = fmin(fastest_s, plans[i].measured_s);
        least_s = fmin(least_s, plans[i].predicted_s);
    }
    for (int i = 0; i < n; i++) {
        if (plans[i].predicted_s <= least_s) {
            sum_s += plans[i].measured_s;
            n_first++;
        }
    }
    return sum_s / n_first / fastest_s - 1;
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

static double kendall_tau(const p3d_ranked_run *plans, int n)
{
    int64_t sum = 0;

    if (n < 2)
        return none;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            sum += sign(plans[i].measured_s - plans[j].measured_s) *
                   sign(plans[i].predicted_s - plans[j].predicted_s);
    }
    return (double)sum / (0.5 * n * (n - 1));
}

bool p3d_score_set(
        const p3d_ranked_run *runs, int n, p3d_set_score *out, p3d_error *err)
{
    if (runs == NULL || n < 1 || out == NULL)
        return p3d_misuse(err, __func__);
    p3d_ranked_run *const plans = malloc((size_t)n * sizeof(*plans));
    double *const scratch = allocate(n, err);
    const bool ok = plans != NULL && scratch != NULL;

    if (ok) {
        const int n_plans = merge_repeats(runs, n, scratch, plans);

        *out = (p3d_set_score){n_plans, regret_of(plans, n_plans),
                kendall_tau(plans, n_plans)};
    } else {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    }
    free(plans);
    free(scratch);
    return ok;
}

/* Mean over sources of the mean regret of each. */
static double macro_regret(const p3d_set_result *sets, int n)
{
    double sum = 0;
    int n_sources = 0;

    for (int i = 0; i < n; i++) {
        double source_sum = 0;
        int n_sets = 0;
        bool is_first = true;

        for (int j = 0; j < n; j++) {
            if (sets[j].source != sets[i].source)
                continue;
            is_first = is_first && j >= i;
            source_sum += sets[j].score.regret_frac;
            n_sets++;
        }
        if (is_first) {
            sum += source_sum / n_sets;
            n_sources++;
        }
    }
    return sum / n_sources;
}

bool p3d_score_ranks(
        const p3d_set_result *sets, int n, p3d_rank_score *out, p3d_error *err)
{
    if ((sets == NULL && n != 0) || n < 0 || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_rank_score score = {n, none, none, none, none};
    double *regrets;
    double sum_tau = 0;

    if (n == 0) {
        *out = score;
        return true;
    }
    regrets = allocate(n, err);
    if (regrets == NULL)
        return false;
    for (int i = 0; i < n; i++) {
        regrets[i] = sets[i].score.regret_frac;
        sum_tau += sets[i].score.kendall_tau;
    }
    score.median_regret_frac = calibrate_median(regrets, n);
    score.mean_regret_frac = mean_of(regrets, n);
    score.mean_kendall_tau = sum_tau / n;
    score.macro_mean_regret_frac = macro_regret(sets, n);
    free(regrets);
    *out = score;
    return true;
}
