/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.c - how the time of the first plan of a panel follows a constant,
 * and where another plan becomes the faster one. */
#include "search/advice/switches.h"

#include <math.h>

#include "base/elementary.h"
#include "base/stop.h"

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

double switch_elasticity(panel_timer *t, p3d_constant constant)
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

void switch_span_find(panel_timer *t, int n_plans, switch_span *s)
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

bool switch_find(
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
