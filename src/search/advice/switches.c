/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.c - how the step time follows one constant, and where another plan
 * becomes the faster one. */
#include "search/advice/switches.h"

#include <math.h>

enum {
    N_GRID = 60,     /* factors that are looked at first, 2.3 % apart */
    N_HALVINGS = 10, /* to 2e-5 of the factor */
    MOST_ROUNDS = 6  /* of bisection and search */
};

/** The plan that is the fastest with one constant changed. */
static int leader(panel *p, p3d_constant constant, double factor,
        double times_s[P3D_MAX_RIVALS])
{
    p3d_factors factors = p3d_factors_one();

    factors.of[constant] = factor;
    panel_time(p, &factors, times_s);
    return panel_fastest(times_s, panel_size(p));
}

double switch_elasticity(panel *p, p3d_constant constant)
{
    const double f = 1.001;
    double more_s[P3D_MAX_RIVALS], less_s[P3D_MAX_RIVALS];

    (void)leader(p, constant, f, more_s);
    (void)leader(p, constant, 1 / f, less_s);
    return log(more_s[0] / less_s[0]) / (2 * log(f));
}

/** Factors between which the choice changes its place. */
typedef struct span {
    double near; /* as with factor 1 */
    double far;
} span;

static bool leads(panel *p, p3d_constant constant, double factor)
{
    double times_s[P3D_MAX_RIVALS];

    return leader(p, constant, factor, times_s) == 0;
}

/** The first step of the grid over which the choice changes its place. */
static bool find_span(
        panel *p, p3d_constant constant, double widest, bool first, span *out)
{
    out->near = 1;
    for (int i = 1; i <= N_GRID; i++) {
        out->far = pow(widest, (double)i / N_GRID);
        if (leads(p, constant, out->far) != first)
            return true;
        out->near = out->far;
    }
    return false;
}

static void narrow(panel *p, p3d_constant constant, bool first, span *s)
{
    for (int i = 0; i < N_HALVINGS; i++) {
        const double middle = sqrt(s->near * s->far);

        if (leads(p, constant, middle) == first)
            s->near = middle;
        else
            s->far = middle;
    }
}

/** Search at a factor at which the choice leads the panel.
 *  @param sure  nothing else leads there, or the panel is full */
static bool confirm(panel *p, p3d_constant constant, double factor, bool *sure,
        p3d_error *err)
{
    p3d_factors factors = p3d_factors_one();
    int at = 0;

    factors.of[constant] = factor;
    if (!panel_search(p, &factors, &at, err))
        return false;
    *sure = at < 0 || leads(p, constant, factor);
    return true;
}

bool switch_find(panel *p, p3d_constant constant, double widest,
        p3d_switch *out, p3d_error *err)
{
    double times_s[P3D_MAX_RIVALS];
    const bool first = leads(p, constant, 1);
    bool sure = false;
    span s = {1, 1};

    *out = (p3d_switch){.found = false};
    for (int round = 0; round < MOST_ROUNDS && !sure; round++) {
        if (!find_span(p, constant, widest, first, &s))
            return true;
        narrow(p, constant, first, &s);
        if (!confirm(p, constant, first ? s.near : s.far, &sure, err))
            return false;
    }
    *out = (p3d_switch){.found = true,
            .factor = s.far,
            .rival = leader(p, constant, first ? s.far : s.near, times_s)};
    return true;
}
