/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.h - a list of plans that are timed together, again and again, while
 * the constants change. */
#ifndef PLAN3D_SEARCH_PANEL_H
#define PLAN3D_SEARCH_PANEL_H

#include "plan3d/constants.h"

typedef struct panel panel;

/** An empty panel with room for so many plans of the problem, which must
 *  outlive it. @return NULL when memory ran out */
panel *panel_create(const p3d_problem *problem, int capacity);

/** Accepts NULL. */
void panel_destroy(panel *p);

int panel_size(const panel *p);
const p3d_plan *panel_plan(const panel *p, int i);

/** Place of a legal plan, added when it is new; -1 when the panel is full. */
int panel_add(panel *p, const p3d_plan *plan);

/** Step time of every plan with changed constants, as p3d_estimate_blocks()
 *  has it. @param times_s  room for panel_size() */
void panel_time(panel *p, const p3d_factors *factors, double *times_s);

#endif
