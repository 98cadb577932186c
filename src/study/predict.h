/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.h - what plan3d says about one measured run, and how sure. */
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

/** Set what a run is like, and what would have been said of it by the others:
 *  from `framework` on. */
void study_describe_run(const exchange_run *row, const exchange_case *c,
        const p3d_estimate *estimate, p3d_backtest_row *out);

/** Count a run. @param ran  else it lacked memory */
void study_count_fit(
        const p3d_backtest_row *run, bool ran, p3d_backtest_fits *out);

/** Set the shares of what was counted, of all sources and of each. */
void study_set_shares(p3d_backtest *backtest);

/** True where the measured step lies in its range. */
bool study_is_inside(const p3d_backtest_row *run);

#endif
