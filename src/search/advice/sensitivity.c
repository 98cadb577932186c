/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.c - how sure the choice of a plan is, when the constants that its
 * time rests on may be wrong.
 *
 * Searches, switches and draws are shared among threads. Plans join the panel
 * in the order of the searches that found them, so that nothing hangs on which
 * was done first. */
#include "plan3d/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/tasks.h"
#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/recommend.h"
#include "search/advice/draws.h"
#include "search/advice/switches.h"
#include "spec/given.h"

enum {
    N_SEARCHED_DRAWS = 12, /* at which all plans are searched */
    DRAWS_PER_UNIT = 50,   /* that take as long as one search, about: for the
                              progress */
    N_SPANS = 2 * P3D_N_CONSTANTS, /* smaller and larger, of each */
    N_SEARCHED = N_SPANS + N_SEARCHED_DRAWS
};

/** A search at an end of the span of a constant, or at a draw. */
typedef struct judged_search {
    bool is_idle;     /* it is not needed, */
    int n_idle_plans; /* by the panel when it had so many plans */
    panel_query query;
} judged_search;

/** What a thread works with. */
typedef struct judge_bench {
    panel_timer *timer;
    p3d_search_result *scratch;
} judge_bench;

typedef struct judge {
    const p3d_problem *problem;
    const p3d_sensitivity_options *options;
    p3d_sensitivity *out;
    p3d_error *err;
    panel *panel;
    judge_bench *benches; /* of the threads, and behind them of this one */
    int n_threads;
    judged_search searches[N_SEARCHED];
    switch_span spans[N_SPANS];
    draw_sigmas sigmas;
    draws draws;
    int n_units, n_done; /* of the work, for the progress */
    bool failed;
} judge;

/** Of the calling thread, which may work beside the others. */
static const judge_bench *own(const judge *j)
{
    return &j->benches[j->n_threads];
}

static void tick(judge *j)
{
    j->n_done++;
    if (j->options->progress != NULL)
        j->options->progress(
                j->options->context, (double)j->n_done / j->n_units);
}

/** What was compared up to here is too little for an answer.
 *  @return false when that has to do */
static bool goes_on(judge *j)
{
    if (!j->failed && p3d_stopped())
        j->failed = !p3d_fail(j->err, P3D_INTERRUPTED,
                "interrupted while plans were compared");
    return !j->failed;
}

/** Share tasks among the threads. */
static void share(judge *j, p3d_tasks tasks)
{
    tasks.n_threads = j->n_threads;
    tasks.context = j;
    p3d_tasks_run(&tasks);
}

/* The plans that are compared. */

static bool is_end(int64_t search)
{
    return search < N_SPANS;
}

/** The constant of a span, and the factor at its end. */
static p3d_constant constant_of(int64_t span)
{
    return (p3d_constant)(span / 2);
}

static double widest_of(int64_t span)
{
    return span % 2 == 0 ? 1 / P3D_WIDEST_FACTOR : P3D_WIDEST_FACTOR;
}

static p3d_factors factors_of(const judge *j, int64_t search)
{
    p3d_factors factors = p3d_factors_one();

    if (!is_end(search))
        return draw_factors(
                &j->sigmas, j->options->seed, (int)(search - N_SPANS));
    factors.of[constant_of(search)] = widest_of(search);
    return factors;
}

/** True when a constant cannot turn the choice down in this direction: higher
 *  costs that the choice does not bear, while no plan gets faster. */
static bool is_idle(const judge *j, int64_t search)
{
    double before_s[P3D_MAX_RIVALS], after_s[P3D_MAX_RIVALS];
    const p3d_factors one = p3d_factors_one();
    const p3d_factors factors = factors_of(j, search);

    if (!is_end(search) || widest_of(search) < 1)
        return false;
    panel_time(own(j)->timer, &one, before_s);
    panel_time(own(j)->timer, &factors, after_s);
    return before_s[0] == after_s[0] &&
           panel_fastest(before_s, panel_size(j->panel)) == 0;
}

static void ask(judge *j, int64_t search)
{
    const p3d_factors factors = factors_of(j, search);

    j->searches[search].query = panel_ask(own(j)->timer, &factors);
}

static bool begin_search(void *context, int64_t i)
{
    judge *const j = context;
    judged_search *const search = &j->searches[i];

    search->is_idle = is_idle(j, i);
    search->n_idle_plans = panel_size(j->panel);
    if (!search->is_idle)
        ask(j, i);
    return goes_on(j);
}

static void do_search(void *context, int64_t i, int thread)
{
    judge *const j = context;

    if (!j->searches[i].is_idle)
        panel_search(
                j->panel, &j->searches[i].query, j->benches[thread].scratch);
}

/** A plan that joined the panel meanwhile may be the fastest as constants are.
 */
static bool stays_idle(judge *j, int64_t i)
{
    const judged_search *const search = &j->searches[i];

    return search->is_idle &&
           (search->n_idle_plans == panel_size(j->panel) || is_idle(j, i));
}

static bool take_search(void *context, int64_t i)
{
    judge *const j = context;
    judged_search *const search = &j->searches[i];
    const int n_before = panel_size(j->panel);
    int at = 0;

    if (!stays_idle(j, i)) {
        if (search->is_idle) {
            ask(j, i);
            panel_search(j->panel, &search->query, own(j)->scratch);
        }
        j->failed = !panel_take(j->panel, &search->query, &at, j->err);
        j->out->n_known_draws += !is_end(i) && 0 <= at && at < n_before;
    }
    tick(j);
    return !j->failed;
}

/** Plans that are the fastest at the ends of the spans of the constants, and at
 *  the first draws. */
static void search_all(judge *j)
{
    j->out->n_searched_draws = N_SEARCHED_DRAWS;
    share(j, (p3d_tasks){.n = N_SEARCHED,
                     .begin = begin_search,
                     .work = do_search,
                     .take = take_search});
}

/* Switches. */

static void find_span(void *context, int64_t i, int thread)
{
    judge *const j = context;

    switch_span_find(
            j->benches[thread].timer, panel_size(j->panel), &j->spans[i]);
}

static bool tick_span(void *context, int64_t i)
{
    judge *const j = context;

    if (i % 2 == 1)
        tick(j);
    return goes_on(j);
}

/** With several threads all spans are found at once, before the searches that
 *  may add plans: where one does, those that follow are found again. */
static void find_switches(judge *j)
{
    const switch_bench bench = {j->panel, own(j)->timer, own(j)->scratch};
    const bool at_once = j->n_threads > 1;

    for (int i = 0; i < N_SPANS; i++)
        j->spans[i] = (switch_span){
                .constant = constant_of(i), .widest = widest_of(i)};
    if (at_once)
        share(j, (p3d_tasks){
                         .n = N_SPANS, .work = find_span, .take = tick_span});
    for (int i = 0; i < P3D_N_CONSTANTS && goes_on(j); i++) {
        p3d_constant_effect *const e = &j->out->effects[i];

        j->failed = !switch_find(&bench, j->spans[2 * i], &e->down, j->err) ||
                    !switch_find(&bench, j->spans[2 * i + 1], &e->up, j->err);
        if (!at_once)
            tick(j);
    }
}

static void set_effects(judge *j)
{
    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        p3d_constant_effect *e = &j->out->effects[i];

        e->sigma = j->sigmas.of[i];
        e->elasticity = switch_elasticity(own(j)->timer, (p3d_constant)i);
        if (p3d_constant_of((p3d_constant)i)->is_time)
            j->out->elasticity_sum += e->elasticity;
    }
}

/* Draws. */

static int n_units_of(int n_draws)
{
    return (n_draws - 1) / DRAWS_PER_UNIT + 1;
}

static void draw_some(void *context, int64_t unit, int thread)
{
    judge *const j = context;
    const int first = (int)unit * DRAWS_PER_UNIT;

    for (int i = first; i < first + DRAWS_PER_UNIT && i < j->draws.n; i++) {
        if (p3d_stopped())
            return;
        draws_run_one(&j->draws, j->benches[thread].timer, &j->sigmas,
                j->options->seed, i);
    }
}

static bool take_draws(void *context, int64_t unit)
{
    judge *const j = context;

    (void)unit;
    tick(j);
    return goes_on(j);
}

static void set_rivals(judge *j)
{
    const p3d_factors one = p3d_factors_one();
    const draws *d = &j->draws;
    p3d_sensitivity *out = j->out;
    double times_s[P3D_MAX_RIVALS];

    out->n_rivals = panel_size(j->panel);
    panel_time(own(j)->timer, &one, times_s);
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
        out->near_frac += draws_regret_frac(d, i, 0) <= out->near_limit_frac;
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

/* The whole. */

/** All plans that are compared, and the switches on the way. */
static bool find_rivals(judge *j, const p3d_plan *choice)
{
    int n_known;

    (void)panel_add(j->panel, choice);
    for (int i = 0; i < j->options->n_others; i++)
        (void)panel_add(j->panel, &j->options->others[i].plan);
    n_known = panel_size(j->panel);
    search_all(j);
    if (goes_on(j))
        find_switches(j);
    j->out->n_found = panel_size(j->panel) - n_known;
    return goes_on(j);
}

static bool fail_memory(judge *j)
{
    return p3d_fail(j->err, P3D_SYSTEM, "out of memory");
}

static bool run(judge *j, const p3d_plan *choice)
{
    if (!find_rivals(j, choice))
        return false;
    set_effects(j);
    if (!draws_create(j->options->n_draws, panel_size(j->panel), &j->draws))
        return fail_memory(j);
    share(j, (p3d_tasks){.n = n_units_of(j->draws.n),
                     .work = draw_some,
                     .take = take_draws});
    if (!goes_on(j))
        return false;
    set_rivals(j);
    return (set_spread(j) && set_worth(j)) || fail_memory(j);
}

/** Memory for each thread. @return false when memory ran out */
static bool prepare(judge *j)
{
    j->panel = panel_create(j->problem, P3D_MAX_RIVALS);
    j->benches = calloc((size_t)j->n_threads + 1, sizeof(*j->benches));
    if (j->panel == NULL || j->benches == NULL)
        return false;
    for (int i = 0; i <= j->n_threads; i++) {
        judge_bench *const bench = &j->benches[i];

        bench->timer = panel_timer_create(j->panel);
        bench->scratch = malloc(sizeof(*bench->scratch));
        if (bench->timer == NULL || bench->scratch == NULL)
            return false;
    }
    return true;
}

static void clear(judge *j)
{
    for (int i = 0; j->benches != NULL && i <= j->n_threads; i++) {
        panel_timer_destroy(j->benches[i].timer);
        free(j->benches[i].scratch);
    }
    free(j->benches);
    draws_destroy(&j->draws);
    panel_destroy(j->panel);
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
    judge *const j = calloc(1, sizeof(*j));
    bool ok;

    if (j == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    *j = (judge){.problem = problem,
            .options = options,
            .out = out,
            .err = err,
            .n_threads = p3d_threads_for(N_SEARCHED),
            .n_units = N_SEARCHED + P3D_N_CONSTANTS +
                       n_units_of(options->n_draws)};
    *out = (p3d_sensitivity){.n_draws = options->n_draws,
            .seed = options->seed,
            .near_limit_frac = options->within_frac > 0 ? options->within_frac
                                                        : P3D_WITHIN_FRAC};
    for (int i = 0; i < P3D_N_CONSTANTS; i++)
        j->sigmas.of[i] = p3d_constant_sigma(problem, (p3d_constant)i);
    ok = prepare(j) ? run(j, choice) : fail_memory(j);
    out->n_searches = panel_searches(j->panel);
    clear(j);
    free(j);
    out->seconds = p3d_now_s() - start_s;
    return ok;
}
