/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.c - how sure the choice of a plan is, when the constants that its
 * time rests on may be wrong: how its time follows each of them, and where
 * another plan becomes the faster one (a switch).
 *
 * Searches, switches and draws are shared among threads. Plans join the panel
 * in the order of the searches that found them, so that nothing hangs on which
 * was done first. */
#include "plan3d/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/elementary.h"
#include "base/tasks.h"
#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/recommend.h"
#include "search/advice/draws.h"
#include "search/advice/panel.h"
#include "spec/given.h"

/** Factors of a constant between which the first plan stops (or begins) to be
 *  the fastest of a panel. */
typedef struct switch_span {
    p3d_constant constant;
    double widest; /* factor at the end, above or below 1 */
    int n_plans;   /* of the panel that it was found for; 0 = not looked for */
    bool is_first; /* it is the fastest with factor 1 */
    bool is_found;
    double near; /* as with factor 1 */
    double far;
} switch_span;

/** What switches are found with. */
typedef struct switch_bench {
    panel *panel;
    panel_timer *timer;
    p3d_search_result *scratch;
} switch_bench;

enum {
    N_GRID = 60,     /* factors that are looked at first, 2.3 % apart */
    N_HALVINGS = 10, /* to 2e-5 of the factor */
    MOST_ROUNDS = 6  /* of bisection and search */
};

static p3d_factors changed(p3d_constant constant, double factor)
{
    p3d_factors factors = p3d_factors_one();

    factors.of[constant] = factor;
    return factors;
}

/**
 * Elasticity of the step time of the first plan of a panel.
 *
 *     E = (ln T(f) - ln T(1/f)) / (2 ln f),   f = 1.001
 *
 * T is of degree 1 in all the constants that are seconds together, so that
 * their elasticities add up to 1, less what is fixed (Euler's theorem on
 * homogeneous functions).
 *
 * Tested: tests/prop/test_sensitivity.c
 */
static double switch_elasticity(panel_timer *t, p3d_constant constant)
{
    const double f = 1.001;
    const p3d_factors more = changed(constant, f);
    const p3d_factors less = changed(constant, 1 / f);
    double more_s[P3D_MAX_RIVALS], less_s[P3D_MAX_RIVALS];

    panel_time(t, &more, more_s);
    panel_time(t, &less, less_s);
    return p3d_log(more_s[0] / less_s[0]) / (2 * p3d_log(f));
}

static bool leads(panel_timer *t, p3d_constant constant, double factor)
{
    const p3d_factors factors = changed(constant, factor);

    return panel_leads(t, &factors);
}

/** The first step of the grid over which the choice changes its place. */
static bool find_step(panel_timer *t, switch_span *s)
{
    s->near = 1;
    for (int i = 1; i <= N_GRID && !p3d_stopped(); i++) {
        s->far = p3d_pow(s->widest, (double)i / N_GRID);
        if (leads(t, s->constant, s->far) != s->is_first)
            return true;
        s->near = s->far;
    }
    return false;
}

static void narrow(panel_timer *t, switch_span *s)
{
    for (int i = 0; i < N_HALVINGS; i++) {
        const double middle = sqrt(s->near * s->far);

        if (leads(t, s->constant, middle) == s->is_first)
            s->near = middle;
        else
            s->far = middle;
    }
}

static void find_change(panel_timer *t, switch_span *s)
{
    s->is_found = find_step(t, s);
    if (s->is_found)
        narrow(t, s);
}

/** Find the nearest change over a grid of factors (a lead over a span of less
 *  than 2.3 % may be overlooked), narrowed by bisection. In any thread. */
static void switch_span_find(panel_timer *t, int n_plans, switch_span *s)
{
    s->n_plans = n_plans;
    s->is_first = leads(t, s->constant, 1);
    find_change(t, s);
}

/** The end of a span at which the choice leads, or the other. */
static double end_of(const switch_span *s, bool where_it_leads)
{
    return where_it_leads == s->is_first ? s->near : s->far;
}

/** Search at a factor at which the choice leads the panel.
 *  @param sure  nothing else leads there, or the panel is full */
static bool confirm(
        const switch_bench *b, const switch_span *s, bool *sure, p3d_error *err)
{
    const double factor = end_of(s, true);
    const p3d_factors factors = changed(s->constant, factor);
    panel_query query = panel_ask(b->timer, &factors);
    int at = 0;

    panel_search(b->panel, &query, b->scratch);
    if (!panel_take(b->panel, &query, &at, err))
        return false;
    *sure = at < 0 || leads(b->timer, s->constant, factor);
    return true;
}

/** The plan that is the fastest where the choice is not. */
static int rival_of(const switch_bench *b, const switch_span *s)
{
    const p3d_factors factors = changed(s->constant, end_of(s, false));
    double times_s[P3D_MAX_RIVALS];

    panel_time(b->timer, &factors, times_s);
    return panel_fastest(times_s, panel_size(b->panel));
}

/**
 * Find where the first plan of the panel stops (or begins) to be the fastest.
 *
 * Where the choice still leads within the span, an exact search looks for a
 * plan that is faster there, which joins the panel, until there is none.
 *
 * @param span  found already, or to be found
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK static bool switch_find(
        const switch_bench *b, switch_span s, p3d_switch *out, p3d_error *err)
{
    bool sure = false;

    *out = (p3d_switch){.found = false};
    for (int round = 0; round < MOST_ROUNDS && !sure; round++) {
        if (round > 0)
            find_change(b->timer, &s);
        else if (s.n_plans != panel_size(b->panel))
            switch_span_find(b->timer, panel_size(b->panel), &s);
        if (!s.is_found)
            return true;
        if (!confirm(b, &s, &sure, err))
            return false;
    }
    *out = (p3d_switch){
            .found = true, .factor = s.far, .rival = rival_of(b, &s)};
    return true;
}

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

/** True when a constant makes no plan the fastest in this direction: higher
 *  costs that the fastest does not bear, while none gets faster. */
static bool is_idle(const judge *j, int64_t search)
{
    double before_s[P3D_MAX_RIVALS], after_s[P3D_MAX_RIVALS];
    const p3d_factors one = p3d_factors_one();
    const p3d_factors factors = factors_of(j, search);
    int fastest;

    if (!is_end(search) || widest_of(search) < 1)
        return false;
    panel_time(own(j)->timer, &one, before_s);
    panel_time(own(j)->timer, &factors, after_s);
    fastest = panel_fastest(before_s, panel_size(j->panel));
    return before_s[fastest] == after_s[fastest];
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
