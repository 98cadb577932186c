/* SPDX-License-Identifier: GPL-3.0-or-later */
/* range.h - how far the step time may be from its estimate. */
#ifndef PLAN3D_RANGE_H
#define PLAN3D_RANGE_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"

P3D_API_BEGIN

/** Central range of a step time. */
typedef struct p3d_range {
    double low_s;
    double median_s; /* half of the published runs that are like it are slower
                        against their estimate, half faster */
    double high_s;
    double confidence_frac;      /* share of runs that should lie inside: 0.8 */
    const char *constants;       /* whose error weighs most: "rate of GEMMs" */
    double constants_error_frac; /* standard error of the step by these alone */
    bool near; /* a published run is near the job (plan3d/evidence.h) */
} p3d_range;

/**
 * Central 80 % range of the step time of an estimate: how far published runs
 * lie from what the model gives for them, the more alike they are to this one
 * the more they count (docs/recommendation.md), widened by the errors of the
 * constants that its terms were computed with (GEMM, attention, passes,
 * collectives), as far as their calibration knows them. Runs are slower than
 * the model more often than faster, so the range reaches further up than down.
 * It holds the estimate, and the range of the runs of all frameworks that have
 * what few have: experts, more than 1,024 GPUs. Where no published run is near
 * (plan3d/evidence.h), it reaches further both ways.
 */
p3d_range p3d_step_range(
        const p3d_problem *problem, const p3d_estimate *estimate);

P3D_API_END

#endif
