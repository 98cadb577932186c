/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.h - the prediction of one measured run. */
#ifndef PLAN3D_STUDY_BACKTEST_H
#define PLAN3D_STUDY_BACKTEST_H

#include "exchange/runs/corpus.h"
#include "plan3d/backtest.h"

/** What plan3d says about one row. */
typedef struct study_prediction {
    bool known;               /* false: reason says why not */
    p3d_corpus_reason reason; /* "" while known */
    double step_s;
    double guess_s;     /* at a constant share of the peak */
    int64_t peak_bytes; /* of the rank and the meter that were measured */
    bool fits;          /* no rank needs more than a GPU has */
    bool calibrated;    /* by the constants that were given */
    unsigned assumed;   /* bit i: P3D_ASSUMED_ */
} study_prediction;

/** Constants, and the GPU that they were measured on. */
typedef struct study_constants {
    const p3d_calibration *calibration;
    p3d_gpu basis;
} study_constants;

/** Share of the peak that the guess takes. */
double study_guess_mfu_frac(void);

/** Predict one row. @param constants  for the GPUs that they hold for; NULL =
 *  those of each GPU */
void study_predict(const p3d_corpus_row *row, p3d_corpus_hardware *hardware,
        const study_constants *constants, study_prediction *out);

/** True for the GPUs that have this calibration, and for those that share the
 *  constants of the one that was measured. */
bool study_constants_hold(const p3d_calibration *calibration,
        const p3d_gpu *basis, const p3d_gpu *gpu);

#endif
