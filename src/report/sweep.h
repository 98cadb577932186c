/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the table of a sweep, as text, CSV, JSON lines and JSON. */
#ifndef PLAN3D_REPORT_SWEEP_H
#define PLAN3D_REPORT_SWEEP_H

#include "plan3d/sweep.h"
#include "report/answer.h"

/** A sweep; words and rows stay with the caller. */
typedef struct report_sweep {
    const char *model_word;
    const char *options;      /* of the job, to repeat */
    report_question question; /* of it the model */
    double n_tokens;          /* 0 = not asked */
    double deadline_s;        /* 0 = not asked */
    p3d_sweep found;
    json_list rows;  /* of p3d_sweep_row: those found */
    json_list scans; /* of p3d_sweep_scan, likewise */
} report_sweep;

extern const json_shape report_sweep_row_shape;
extern const json_shape report_sweep_shape;

/** True when a plan of some row leaves GPUs out. */
bool report_sweep_has_idle(const report_sweep *sweep);

void report_print_sweep(
        const report_sweep *sweep, report_format format, p3d_text *out);

/** The same as text alone; report_print_sweep() calls it. */
void report_text_sweep(const report_sweep *sweep, p3d_text *out);

/** The table alone. */
void report_text_sweep_rows(const report_sweep *sweep, p3d_text *out);

#endif
