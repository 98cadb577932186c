/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_fields.c - the JSON document of calibrate, by tables. */
#include "plan3d/version.h"
#include "report/calibrated.h"
#include "report/data/fields.h"

/* clang-format off */
#define F p3d_form_result
static const json_field form_fields[] = {
    STRING_ROW(F, name, "cost form"),
    INT_ROW(F, n_points, "measurements of it"),
    INT_ROW(F, n_least, "fewest points of a fit"),
    BOOL_ROW(F, fitted, "else the constants are those from before"),
    MAYBE_ROW(F, old_error_frac, "mean error of the constants from before"),
    MAYBE_ROW(F, new_error_frac, "mean error of the fit"),
    MAYBE_ROW(F, held_error_frac, "mean error on points that a fit to the "
              "other four fifths had not seen"),
    STRING_ROW(F, measure, "command that measures it"),
};
const json_shape report_form_shape =
        REPORT_SHAPE(F, form_fields, "a cost form");

#define R report_calibrated
static const json_field calibrated_fields[] = {
    CONST_ROW("schema", P3D_SCHEMA),
    CONST_ROW("command", "calibrate"),
    STRING_ROW(R, gpu, "GPU of hardware/gpu"),
    STRING_ROW(R, base, "calibration from before"),
    STRING_ROW(R, device, "that was measured, as its driver has it"),
    STRING_ROW(R, driver, "of the device"),
    STRING_ROW(R, date, "of the first measurement, UTC"),
    STRING_ROW(R, file, "that was written; null = none"),
    LIST_ROW(R, forms, report_form_shape, "every cost form"),
};
/* clang-format on */

const json_shape report_calibrated_shape =
        REPORT_SHAPE(R, calibrated_fields, "answer of plan3d calibrate");
