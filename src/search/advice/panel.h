/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.h - a list of plans that are timed together, again and again, while
 * the constants change. */
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

/** Searches whose answers were taken; 0 for NULL. */
int panel_searches(const panel *p);

const p3d_plan *panel_plan(const panel *p, int i);

/** Place of a legal plan, added when it is new; -1 when the panel is full. */
int panel_add(panel *p, const p3d_plan *plan);

/* Times. Each thread has a timer of its own; while one is at work, nothing is
 * added to its panel. */

typedef struct panel_timer panel_timer;

/** @return NULL when memory ran out */
panel_timer *panel_timer_create(const panel *p);

/** Accepts NULL. */
void panel_timer_destroy(panel_timer *t);

/** Step time of every plan with changed constants, as p3d_estimate_blocks()
 *  has it. @param times_s  room for the capacity */
void panel_time(panel_timer *t, const p3d_factors *factors, double *times_s);

/** The fastest of n plans; of equally fast ones, but for rounding, the first.
 */
int panel_fastest(const double *times_s, int n);

/** True when the first plan is the fastest; no more plans are timed than show
 *  that it is not. */
bool panel_leads(panel_timer *t, const p3d_factors *factors);

/* Searches. */

/** An exact search with changed constants, for what is faster than a panel. */
typedef struct panel_query {
    p3d_factors factors;
    double limit_s; /* the plans of the panel all fit: the fastest of them */
    bool out_of_memory, interrupted;
    bool is_found;
    p3d_plan plan; /* the fastest */
} panel_query;

/** Ask with the panel as it is. @param t  of the calling thread */
panel_query panel_ask(panel_timer *t, const p3d_factors *factors);

/** Search; in any thread, beside others.
 *  @param scratch  of this thread */
void panel_search(
        const panel *p, panel_query *query, p3d_search_result *scratch);

/**
 * Add what was found, when it is new and there is room.
 *
 * @param at  its place; -1 when the panel is full
 * @return false with P3D_SYSTEM when memory ran out, or P3D_INTERRUPTED
 */
P3D_CHECK bool panel_take(
        panel *p, const panel_query *query, int *at, p3d_error *err);

#endif
