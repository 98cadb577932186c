/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.h - how the time of the first plan of a panel follows a constant,
 * and where another plan becomes the faster one (a switch). */
#ifndef PLAN3D_SEARCH_ADVICE_SWITCHES_H
#define PLAN3D_SEARCH_ADVICE_SWITCHES_H

#include "search/advice/panel.h"

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
double switch_elasticity(panel_timer *t, p3d_constant constant);

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

/** Find the nearest change over a grid of factors (a lead over a span of less
 *  than 2.3 % may be overlooked), narrowed by bisection. In any thread. */
void switch_span_find(panel_timer *t, int n_plans, switch_span *span);

/** What switches are found with. */
typedef struct switch_bench {
    panel *panel;
    panel_timer *timer;
    p3d_search_result *scratch;
} switch_bench;

/**
 * Find where the first plan of the panel stops (or begins) to be the fastest.
 *
 * Where the choice still leads within the span, an exact search looks for a
 * plan that is faster there, which joins the panel, until there is none.
 *
 * @param span  found already, or to be found
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool switch_find(const switch_bench *bench, switch_span span,
        p3d_switch *out, p3d_error *err);

#endif
