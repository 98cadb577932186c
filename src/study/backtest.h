/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.h - which GPUs measured constants hold for. */
#ifndef PLAN3D_STUDY_BACKTEST_H
#define PLAN3D_STUDY_BACKTEST_H

#include "plan3d/cluster.h"

/** True for the GPUs that have this calibration, and for those that share the
 *  constants of the one that was measured. */
bool study_constants_hold(const p3d_calibration *calibration,
        const p3d_gpu *basis, const p3d_gpu *gpu);

#endif
