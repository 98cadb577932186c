/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate.h - why a plan does not hold, and what is not known of it. */
#ifndef PLAN3D_STUDY_VALIDATE_H
#define PLAN3D_STUDY_VALIDATE_H

#include "plan3d/validate.h"

/** What a verdict rests on. */
typedef struct study_judged {
    const p3d_problem *problem;
    const p3d_estimate *estimate;
    const p3d_compared *compared;
    const p3d_calibrated *calibrated;
    const p3d_step_check *step;
    const char *missing; /* commands that failed, or "" */
    double tolerance_frac;
    bool searched; /* the plan was the best, not one that was asked for */
} study_judged;

/** Append every reason why the plan does not hold. */
void study_notes_reasons(const study_judged *judged, p3d_notes *out);

/** Append what the measurements do not say. */
void study_notes_limits(const study_judged *judged, p3d_notes *out);

#endif
