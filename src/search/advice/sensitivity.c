/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.c - how sure the choice of a plan is, when the constants that its
 * time rests on may be wrong. */
#include "plan3d/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/util.h"
#include "cost/cost.h"
#include "search/advice/draws.h"
#include "spec/given.h"

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

/* The judge. */

/* Draws at which all plans are searched. */
enum { N_SEARCHED_DRAWS = 12 };

/* Draws that take as long as one exact search, about: for the progress. */
enum { DRAWS_PER_UNIT = 50 };

typedef struct judge {
    const p3d_problem *problem;
    const p3d_sensitivity_options *options;
    p3d_sensitivity *out;
    panel *panel;
    draw_sigmas sigmas;
    draws draws;
    int n_units, n_done; /* of the work, for the progress */
} judge;

static void tick(judge *j)
{
    j->n_done++;
    if (j->options->progress != NULL)
        j->options->progress(
                j->options->context, (double)j->n_done / j->n_units);
}

/* What was compared up to here is too little for an answer. */
static bool goes_on(p3d_error *err)
{
    return !p3d_stopped() || p3d_fail(err, P3D_INTERRUPTED,
                                     "interrupted while plans were compared");
}

static bool search_at(judge *j, const p3d_factors *factors, p3d_error *err)
{
    const int n_before = panel_size(j->panel);
    int at = 0;

    if (!panel_search(j->panel, factors, &at, err))
        return false;
    j->out->n_known_draws += 0 <= at && at < n_before;
    tick(j);
    return true;
}

/** True when a constant cannot turn the choice down in this direction: higher
 *  costs that the choice does not bear, while no plan gets faster. */
static bool is_idle(const judge *j, p3d_constant constant, double factor)
{
    double before_s[P3D_MAX_RIVALS], after_s[P3D_MAX_RIVALS];
    p3d_factors factors = p3d_factors_one();

    if (factor < 1)
        return false;
    panel_time(j->panel, &factors, before_s);
    factors.of[constant] = factor;
    panel_time(j->panel, &factors, after_s);
    return before_s[0] == after_s[0] &&
           panel_fastest(before_s, panel_size(j->panel)) == 0;
}

/** Plans that are the fastest at the ends of the spans of the constants. */
static bool search_ends(judge *j, p3d_error *err)
{
    static const double ends[] = {1 / P3D_WIDEST_FACTOR, P3D_WIDEST_FACTOR};

    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        for (int k = 0; k < P3D_COUNT_OF(ends); k++) {
            p3d_factors factors = p3d_factors_one();

            factors.of[i] = ends[k];
            if (is_idle(j, (p3d_constant)i, ends[k]))
                tick(j);
            else if (!search_at(j, &factors, err))
                return false;
        }
    }
    return true;
}

static bool find_switches(judge *j, p3d_error *err)
{
    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        p3d_constant_effect *e = &j->out->effects[i];

        if (!goes_on(err) ||
                !switch_find(j->panel, (p3d_constant)i, 1 / P3D_WIDEST_FACTOR,
                        &e->down, err) ||
                !switch_find(j->panel, (p3d_constant)i, P3D_WIDEST_FACTOR,
                        &e->up, err))
            return false;
        tick(j);
    }
    return true;
}

static bool search_draws(judge *j, p3d_error *err)
{
    j->out->n_known_draws = 0;
    j->out->n_searched_draws = N_SEARCHED_DRAWS;
    for (int i = 0; i < N_SEARCHED_DRAWS; i++) {
        const p3d_factors f = draw_factors(&j->sigmas, j->options->seed, i);

        if (!search_at(j, &f, err))
            return false;
    }
    return true;
}

static void set_effects(judge *j)
{
    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        p3d_constant_effect *e = &j->out->effects[i];

        e->sigma = j->sigmas.of[i];
        e->elasticity = switch_elasticity(j->panel, (p3d_constant)i);
        if (p3d_constant_of((p3d_constant)i)->is_time)
            j->out->elasticity_sum += e->elasticity;
    }
}

static bool run_draws(judge *j, p3d_error *err)
{
    for (int i = 0; i < j->draws.n; i++) {
        if (!goes_on(err))
            return false;
        draws_run_one(&j->draws, j->panel, &j->sigmas, j->options->seed, i);
        if (i % DRAWS_PER_UNIT == 0)
            tick(j);
    }
    return true;
}

static void set_rivals(judge *j)
{
    const p3d_factors one = p3d_factors_one();
    const draws *d = &j->draws;
    p3d_sensitivity *out = j->out;
    double times_s[P3D_MAX_RIVALS];

    out->n_rivals = panel_size(j->panel);
    panel_time(j->panel, &one, times_s);
    out->fastest = panel_fastest(times_s, out->n_rivals);
    for (int k = 0; k < out->n_rivals; k++) {
        p3d_rival *r = &out->rivals[k];

        *r = (p3d_rival){
                .plan = *panel_plan(j->panel, k), .step_s = times_s[k]};
        for (int i = 0; i < d->n; i++) {
            r->win_frac += d->fastest[i] == k;
            r->regret_frac += draws_regret_frac(d, i, k);
        }
        r->win_frac /= d->n;
        r->regret_frac /= d->n;
    }
}

static bool set_spread(judge *j)
{
    p3d_sensitivity *out = j->out;
    const draws *d = &j->draws;
    const struct {
        draw_value *of;
        double share;
        double *to;
    } rows[] = {{draws_time_s, 0.1, &out->step_p10_s},
            {draws_time_s, 0.5, &out->step_p50_s},
            {draws_time_s, 0.9, &out->step_p90_s},
            {draws_regret_frac, 0.95, &out->regret_p95_frac}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        if (!draws_quantile(d, rows[i].of, 0, rows[i].share, rows[i].to))
            return false;
    for (int i = 0; i < d->n; i++)
        out->near_frac += draws_regret_frac(d, i, 0) <= P3D_NEAR_FRAC;
    out->near_frac /= d->n;
    return true;
}

static bool set_worth(judge *j)
{
    p3d_sensitivity *out = j->out;

    out->safest = worth_safest(&j->draws);
    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        p3d_constant_effect *e = &out->effects[i];
        worth w;

        if (!worth_of(&j->draws, (p3d_constant)i, &w))
            return false;
        e->worth_frac = w.mean_frac;
        e->worth_error_frac = w.error_frac;
        if (w.mean_frac > out->effects[out->most_worth].worth_frac)
            out->most_worth = i;
    }
    return true;
}

/** All plans that are compared, and the switches on the way. */
static bool find_rivals(judge *j, const p3d_plan *choice, p3d_error *err)
{
    int n_known;

    (void)panel_add(j->panel, choice);
    for (int i = 0; i < j->options->n_others; i++)
        (void)panel_add(j->panel, &j->options->others[i].plan);
    n_known = panel_size(j->panel);
    if (!search_ends(j, err) || !search_draws(j, err) || !find_switches(j, err))
        return false;
    j->out->n_found = panel_size(j->panel) - n_known;
    return true;
}

static bool run(judge *j, const p3d_plan *choice, p3d_error *err)
{
    if (j->panel == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!find_rivals(j, choice, err))
        return false;
    set_effects(j);
    if (!draws_create(j->options->n_draws, panel_size(j->panel), &j->draws))
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!run_draws(j, err))
        return false;
    set_rivals(j);
    if (!set_spread(j) || !set_worth(j))
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    return true;
}

/* A plan of this problem, whose layers its stages share out. */
static bool is_of(const p3d_problem *problem, const p3d_plan *plan)
{
    cost_layout layout;

    return spec_plan_given(plan) && cost_layout_build(problem, plan, &layout);
}

static bool are_given(
        const p3d_problem *problem, const p3d_estimate *list, int n)
{
    if (n < 0 || n > P3D_MAX_TOP || (list == NULL && n > 0))
        return false;
    for (int i = 0; i < n; i++) {
        if (!is_of(problem, &list[i].plan))
            return false;
    }
    return true;
}

bool p3d_judge(const p3d_problem *problem, const p3d_plan *choice,
        const p3d_sensitivity_options *options, p3d_sensitivity *out,
        p3d_error *err)
{
    if (!spec_problem_given(problem) || !is_of(problem, choice) ||
            options == NULL ||
            !are_given(problem, options->others, options->n_others) ||
            options->n_draws < P3D_LEAST_DRAWS ||
            options->n_draws > P3D_MOST_DRAWS || out == NULL)
        return p3d_misuse(err, __func__);

    const double start_s = p3d_now_s();
    judge j = {.problem = problem,
            .options = options,
            .out = out,
            .panel = panel_create(problem, P3D_MAX_RIVALS),
            .n_units = 3 * P3D_N_CONSTANTS + N_SEARCHED_DRAWS +
                       (options->n_draws - 1) / DRAWS_PER_UNIT + 1};
    bool ok;

    *out = (p3d_sensitivity){
            .n_draws = options->n_draws, .seed = options->seed};
    for (int i = 0; i < P3D_N_CONSTANTS; i++)
        j.sigmas.of[i] = p3d_constant_sigma(problem, (p3d_constant)i);
    ok = run(&j, choice, err);
    out->n_searches = panel_searches(j.panel);
    draws_destroy(&j.draws);
    panel_destroy(j.panel);
    out->seconds = p3d_now_s() - start_s;
    return ok;
}
