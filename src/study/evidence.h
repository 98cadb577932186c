/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.h - what a measured run is like, and how sure its numbers were. */
#ifndef PLAN3D_STUDY_EVIDENCE_H
#define PLAN3D_STUDY_EVIDENCE_H

#include "exchange/runs/corpus.h"
#include "plan3d/backtest.h"

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
