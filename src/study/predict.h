/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.h - what plan3d says about one measured run. */
#ifndef PLAN3D_STUDY_PREDICT_H
#define PLAN3D_STUDY_PREDICT_H

#include <stdbool.h>

#include "exchange/runs/corpus.h"
#include "plan3d/backtest.h"

/** What people say who have no model: this share of the dense peak. */
extern const double study_guess_mfu_frac;

/** Constants, and the GPU that they were measured on. */
typedef struct study_constants {
    const p3d_calibration *calibration;
    p3d_gpu basis;
} study_constants;

/** True for the GPUs that have this calibration, and for those that share the
 *  constants of the one that was measured. */
bool study_constants_hold(const p3d_calibration *calibration,
        const p3d_gpu *basis, const p3d_gpu *gpu);

/** What plan3d says about one row of a table. */
typedef struct study_prediction {
    bool known;             /* false: reason says why not */
    exchange_reason reason; /* "" while known */
    double step_s;
    double guess_s;       /* at study_guess_mfu_frac */
    int64_t peak_bytes;   /* of the rank and the meter that were measured */
    bool fits;            /* no rank needs more than a GPU has */
    bool calibrated;      /* by the constants that were given */
    p3d_backtest_row run; /* what it is like, and how sure the numbers are */
    unsigned assumed;     /* bit i: EXCHANGE_ASSUMED_ */
} study_prediction;

/** Predict one row. @param given  constants for the GPUs that they hold for;
 *  NULL = those of each GPU */
void study_predict_run(const exchange_run *row, exchange_hardware *hardware,
        const study_constants *given, study_prediction *out);

#endif
