/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrated.h - what a calibration changed, as text and as JSON. */
#ifndef PLAN3D_REPORT_CALIBRATED_H
#define PLAN3D_REPORT_CALIBRATED_H

#include "plan3d/calibrate.h"
#include "report/data/format.h"

typedef struct report_calibrated {
    const char *gpu;
    const char *base; /* calibration from before */
    const char *device;
    const char *driver;
    const char *date;
    const char *file; /* that was written; NULL = none */
    json_list forms;  /* p3d_form_result */
} report_calibrated;

extern const json_shape report_calibrated_shape;

/** A p3d_form_result. */
extern const json_shape report_form_shape;

/** Append the answer; the rows are the cost forms. */
void report_print_calibrated(const report_calibrated *calibrated,
        report_format format, p3d_text *out);

#endif
