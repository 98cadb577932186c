/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.h - a list of plans that are timed together, again and again, while
 * the constants change. */
#ifndef PLAN3D_SEARCH_ADVICE_PANEL_H
#define PLAN3D_SEARCH_ADVICE_PANEL_H

#include "plan3d/constants.h"
#include "plan3d/search.h"

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

#endif
