/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range.h - ranges of the step time, as they would have been said. */
#ifndef PLAN3D_CALIBRATE_RANGE_H
#define PLAN3D_CALIBRATE_RANGE_H

#include "plan3d/range.h"

/** Share of a step that its host takes, above which it is host-bound. */
#define CALIBRATE_HOST_BOUND_FRAC 0.1

/** True where the host takes more of a step than that. */
bool calibrate_is_host_bound(const p3d_estimate *estimate);

/** The same as p3d_step_range() without the runs of one source: what would have
 *  been said of it. @param source  NULL = with all */
p3d_range calibrate_step_range(const p3d_problem *problem,
        const p3d_estimate *estimate, const char *source);

#endif
