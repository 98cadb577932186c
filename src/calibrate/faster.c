/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faster.c - how sure it is that of two answers one is the faster. */
#include "plan3d/faster.h"

#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "calibrate/pair_residuals.h"

static spec_belongs *const any_level[] = {spec_is_any};

#define PAIRS(of)                                                             \
    {                                                                         \
        calibrate_##of##_residuals, P3D_COUNT_OF(calibrate_##of##_residuals), \
                any_level, P3D_COUNT_OF(any_level)                            \
    }
static const spec_pool pools[P3D_N_APART] = {
        [P3D_APART_PLANS] = PAIRS(plans),
        [P3D_APART_JOBS] = PAIRS(jobs),
        [P3D_APART_GPUS] = PAIRS(gpus),
        [P3D_APART_FRAMEWORKS] = PAIRS(frameworks),
};

static const spec_asked_run any_run = {.framework = ""};

/* Each pair counts both ways, so that the residuals are as often above 0 as
 * below. */
double p3d_faster_probability_frac(p3d_apart apart, double times)
{
    if (!P3D_HAS(pools, (int)apart) || !(times >= 1) || !isfinite(times))
        return 0;
    return fmax(
            0.5, spec_pool_below_frac(&pools[apart], &any_run, p3d_log(times)));
}

int p3d_faster_pairs(p3d_apart apart)
{
    return P3D_HAS(pools, (int)apart)
                   ? spec_pool_evidence(&pools[apart], &any_run, spec_is_any)
                             .n_runs
                   : 0;
}
