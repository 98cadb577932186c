/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.h - a list of plans that are timed together, again and again, while
 * the constants change; how the time of the first follows a constant, and
 * where another becomes the faster one (a switch). */
#ifndef PLAN3D_SEARCH_ADVICE_PANEL_H
#define PLAN3D_SEARCH_ADVICE_PANEL_H

#include "plan3d/sensitivity.h"

typedef struct panel panel;

/** An empty panel with room for so many plans of the problem, which must
 *  outlive it. @return NULL when memory ran out */
panel *panel_create(const p3d_problem *problem, int capacity);

/** Accepts NULL. */
void panel_destroy(panel *p);

int panel_size(const panel *p);

/** Searches so far; 0 for NULL. */
int panel_searches(const panel *p);

const p3d_plan *panel_plan(const panel *p, int i);

/** Place of a legal plan, added when it is new; -1 when the panel is full. */
int panel_add(panel *p, const p3d_plan *plan);

/** Step time of every plan with changed constants, as p3d_estimate_blocks()
 *  has it. @param times_s  room for the capacity */
void panel_time(panel *p, const p3d_factors *factors, double *times_s);

/** The fastest of n plans; of equally fast ones, but for rounding, the first.
 */
int panel_fastest(const double *times_s, int n);

/**
 * Search all plans with changed constants, exactly, and add the fastest when it
 * is new and there is room.
 *
 * @param at  its place; -1 when the panel is full
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool panel_search(
        panel *p, const p3d_factors *factors, int *at, p3d_error *err);

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
