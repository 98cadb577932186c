/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_fields.c - the JSON documents of calibrate and validate, by
 * tables. */
#include "plan3d/version.h"
#include "report/calibrated.h"
#include "report/data/fields.h"
#include "report/validated.h"

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

const char *report_verdict_word(int i)
{
    static const char *const words[] = {
            "holds", "does not hold", "not run", "not measured"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* clang-format off */
#define C p3d_comparison
static const json_field comparison_fields[] = {
    STRING_ROW(C, name, "kind of operation"),
    INT_ROW(C, n_wanted, "operations of the plan"),
    INT_ROW(C, n_found, "of them, measured"),
    INT_ROW(C, n_points, "measurements of these"),
    DOUBLE_ROW(C, planned_s, "of these in a step, as predicted, on the rank "
               "that has the most of each"),
    DOUBLE_ROW(C, missing_s, "of those that were not measured"),
    MAYBE_ROW(C, median_ratio, "measured over predicted time"),
    MAYBE_ROW(C, low_ratio, "a tenth is below"),
    MAYBE_ROW(C, high_ratio, "a tenth is above"),
    MAYBE_ROW(C, worst_ratio, "farthest from 1"),
    MAYBE_ROW(C, worst_measured_s, "of the worst operation"),
    MAYBE_ROW(C, worst_predicted_s, "of the worst operation"),
    CHARS_ROW(C, worst, "the operation that is farthest off"),
};
const json_shape report_kind_shape = REPORT_SHAPE(C,
        comparison_fields, "operations of one kind, measured and predicted");

#define S p3d_step_check
static const json_field step_fields[] = {
    DOUBLE_ROW(S, predicted_s, "with the constants from before"),
    MAYBE_ROW(S, calibrated_s, "with those fitted to the measurements; null = "
              "none could be fitted"),
    SIGNED_ROW(S, change_frac, "calibrated over predicted, less 1"),
    MAYBE_ROW(S, best_s, "the fastest plan with the fitted constants"),
    SIGNED_ROW(S, regret_frac, "what the plan takes longer than that"),
    BOOL_ROW(S, is_best, "the plan is still the fastest"),
    STRING_ROW(S, best_plan, "the fastest then, as --plan reads it"),
};
static const json_shape step_shape =
        REPORT_SHAPE(S, step_fields, "time of a step");

#define M p3d_had_memory
static const json_field memory_fields[] = {
    BOOL_ROW(M, measured, "else the rest says nothing"),
    BOOL_ROW(M, fits, "the tensors of the peak could be had"),
    INT64_ROW(M, wanted_bytes, "allocated at the peak, as predicted"),
    MAYBE_INT64_ROW(M, largest_bytes, "that could be allocated"),
    MAYBE_INT64_ROW(M, context_bytes, "taken by the device's context"),
};
static const json_shape memory_shape =
        REPORT_SHAPE(M, memory_fields, "memory of the tight GPU");

#define B report_bench
static const json_field bench_fields[] = {
    STRING_ROW(B, command, "command line"),
    INT64_ROW(B, n_measurements, "that it makes"),
};
static const json_shape bench_shape =
        REPORT_SHAPE(B, bench_fields, "a command to run");

#define V report_validated
static const json_field validated_fields[] = {
    CONST_ROW("schema", P3D_SCHEMA),
    CONST_ROW("command", "validate"),
    WORD_ROW(V, verdict, int, report_verdict_word,
             "whether the plan holds on the machine"),
    STRING_ROW(V, why_not, "why nothing was measured; null = it was"),
    DOUBLE_ROW(V, tolerance_frac, "what may be off by less"),
    STRING_ROW(V, model, "name of the model"),
    STRING_ROW(V, cluster, "the cluster in words"),
    STRING_ROW(V, plan, "as --plan reads it"),
    STRING_ROW(V, device, "that was measured, as its driver has it"),
    STRING_ROW(V, driver, "of the device"),
    STRING_ROW(V, date, "of the first measurement"),
    DOUBLE_ROW(V, covered_frac, "share of the planned seconds that was "
               "measured"),
    LIST_ROW(V, kinds, report_kind_shape, "kinds of operations of the plan"),
    OBJECT_OR_NULL_ROW(V, all, p3d_comparison, report_kind_shape,
            "all of them, but for sustained products"),
    OBJECT_OR_NULL_ROW(V, step, p3d_step_check, step_shape,
            "the step with the measured constants"),
    OBJECT_OR_NULL_ROW(V, memory, p3d_had_memory, memory_shape,
            "whether the peak was had"),
    LIST_ROW(V, forms, report_form_shape, "cost forms and their fits"),
    STRING_ROW(V, file, "calibration that was written; null = none"),
    LINES_ROW(V, reasons, "why the plan does not hold"),
    LINES_ROW(V, notes, "what the answer does not say"),
    LIST_ROW(V, commands, bench_shape, "that measure it elsewhere"),
    INT64_ROW(V, n_measurements, "that these make"),
};
/* clang-format on */

const json_shape report_validated_shape =
        REPORT_SHAPE(V, validated_fields, "answer of plan3d validate");
