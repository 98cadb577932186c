/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.h - how the step time follows one constant, and where another plan
 * becomes the faster one. */
#ifndef PLAN3D_SEARCH_ADVICE_SWITCHES_H
#define PLAN3D_SEARCH_ADVICE_SWITCHES_H

#include "plan3d/sensitivity.h"
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
double switch_elasticity(panel *p, p3d_constant constant);

/**
 * Find where the first plan of the panel stops (or begins) to be the fastest.
 *
 * The nearest change over a grid of factors (a lead over a span of less than
 * 2.3 % may be overlooked), narrowed by bisection; an exact
 * search where the choice still leads then looks for a plan that is faster
 * there, which joins the panel, until there is none.
 *
 * @param widest  factor at the end of the span, above or below 1
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool switch_find(panel *p, p3d_constant constant, double widest,
        p3d_switch *out, p3d_error *err);

#endif
