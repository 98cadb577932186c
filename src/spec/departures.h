/* SPDX-License-Identifier: GPL-3.0-or-later */
/* departures.h - what a plan has that its framework does not do by itself. */
#ifndef PLAN3D_SPEC_DEPARTURES_H
#define PLAN3D_SPEC_DEPARTURES_H

#include "plan3d/departures.h"

/** p3d_plan_departures() of what is known to be given; of a plan that is not
 *  whole yet, those of the values that it has (tp and cp at least 1). */
unsigned spec_departures(const p3d_problem *p, const p3d_plan *plan);

#endif
