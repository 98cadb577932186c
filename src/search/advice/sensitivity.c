/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.c - how sure the choice of a plan is, when the constants that its
 * time rests on may be wrong. */
#include "plan3d/sensitivity.h"

#include "base/clock.h"
#include "base/stop.h"
#include "base/util.h"
#include "cost/cost.h"
#include "search/advice/draws.h"
#include "search/advice/panel.h"
#include "search/advice/switches.h"
#include "search/advice/worth.h"
#include "spec/given.h"

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
static bool find_rivals(judge *j, const p3d_plan *choice,
        const p3d_estimate *list, int n_list, p3d_error *err)
{
    int n_known;

    (void)panel_add(j->panel, choice);
    for (int i = 0; i < n_list; i++)
        (void)panel_add(j->panel, &list[i].plan);
    n_known = panel_size(j->panel);
    if (!search_ends(j, err) || !search_draws(j, err) || !find_switches(j, err))
        return false;
    j->out->n_found = panel_size(j->panel) - n_known;
    return true;
}

static bool run(judge *j, const p3d_plan *choice, const p3d_estimate *list,
        int n_list, p3d_error *err)
{
    if (j->panel == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!find_rivals(j, choice, list, n_list, err))
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
        const p3d_estimate *list, int n_list,
        const p3d_sensitivity_options *options, p3d_sensitivity *out,
        p3d_error *err)
{
    if (!spec_problem_given(problem) || !is_of(problem, choice) ||
            !are_given(problem, list, n_list) || options == NULL ||
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
    ok = run(&j, choice, list, n_list, err);
    out->n_searches = panel_searches(j.panel);
    draws_destroy(&j.draws);
    panel_destroy(j.panel);
    out->seconds = p3d_now_s() - start_s;
    return ok;
}
