/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_notes.h - why a plan does not hold, and what is not known of it. */
#ifndef PLAN3D_CLI_VALIDATE_NOTES_H
#define PLAN3D_CLI_VALIDATE_NOTES_H

#include "plan3d/calibrate.h"
#include "plan3d/validate.h"
#include "report/validated.h"

enum { CLI_MAX_NOTES = 24 };

/** Lines of an answer. Zero to begin. */
typedef struct cli_notes {
    int n;
    char at[CLI_MAX_NOTES][REPORT_LINE];
} cli_notes;

/** What a verdict rests on. */
typedef struct cli_judged {
    const p3d_problem *problem;
    const p3d_estimate *estimate;
    const p3d_compared *compared;
    const p3d_calibrated *calibrated;
    const report_step_check *step;
    const char *missing; /* commands that failed, or "" */
    double tolerance_frac;
    bool searched; /* the plan was the best, not one that was asked for */
} cli_judged;

/** Append every reason why the plan does not hold. */
void cli_notes_reasons(const cli_judged *judged, cli_notes *out);

/** Append what the measurements do not say. */
void cli_notes_limits(const cli_judged *judged, cli_notes *out);

#endif
