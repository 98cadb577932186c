/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_shapes.c - the JSON documents of export and import, by tables. */
#include "report/document_rows.h"

/* clang-format off */
static const report_field read_fields[] = {
    STRING_ROW(report_read, title, "framework of the launch"),
    STRING_ROW(report_read, profile, "framework whose costs it has"),
    STRING_ROW(report_read, versions, "that its options were read from"),
    MAYBE_ROW(report_read, measured_step_s,
            "median of the log's steps after the first two"),
    MAYBE_INT_ROW(report_read, n_measured_steps,
            "of these steps, or of all where there are few"),
    MAYBE_INT64_ROW(report_read, measured_allocated_bytes,
            "largest allocation of a rank in the log"),
    MAYBE_INT64_ROW(report_read, measured_reserved_bytes,
            "largest reservation of a rank in the log"),
    {.key = "error_frac", .kind = REPORT_DOUBLE,
     .offset = REPORT_AT(report_read, error_frac, double), .is_signed = true,
     .nan_is_null = true, .doc = "predicted over measured step, less 1"},
    STRING_ROW(report_read, slower_by,
            "term of time that grew most against the best plan"),
    LINES_ROW(report_read, defaults, "options left to the framework"),
    LINES_ROW(report_read, unknown, "options without a part in the plan"),
    LINES_ROW(report_read, unmodelled,
            "options that change what runs and are not in the estimate"),
    LINES_ROW(report_read, unresolved, "options that only a run would tell"),
};
static const report_shape read_shape = REPORT_SHAPE(
        report_read, read_fields, "the files of the launch");

static const report_field single_fields[] = {
    CHARS_ROW(report_single, change,
            "values of the plan that differ, or an option of the job"),
    STRING_ROW(report_single, decision, "what is changed"),
    CHARS_ROW(report_single, words, "the plan with it, as --plan reads it"),
    DOUBLE_ROW(report_single, step_s, "one optimizer step with it"),
    {ROW(report_single, gain_s, REPORT_DOUBLE, double,
             "that a step takes less; negative: more, but it fits"),
     .is_signed = true},
    {ROW(report_single, gain_frac, REPORT_DOUBLE, double,
             "of the step without the change"),
     .is_signed = true},
    INT64_ROW(report_single, peak_bytes, "taken from the device"),
    INT64_ROW(report_single, margin_bytes, "left of the device"),
};
static const report_shape single_shape = REPORT_SHAPE(
        report_single, single_fields,
        "the best change of one decision, all else as it is");

static const report_field import_fields[] = {
    HEAD_ROWS("import"),
    OBJECT_ROW(D, launch, report_read, read_shape, "what the files say"),
    ANSWER_ROW(estimate, "the plan of the files"),
    ANSWER_ROW(exact_best, "the fastest plan that fits"),
    {.key = "gap_frac", .kind = REPORT_DOUBLE,
     .offset = REPORT_AT(D, gap_frac, double), .is_signed = true,
     .nan_is_null = true,
     .doc = "step time of the plan over that of the exact best, less 1"},
    LIST_ROW(D, single_changes, single_shape,
            "single changes that make it faster, or fit; the fastest first"),
    SEARCH_ROW,
    ASSUMED_ROW,
};

static const report_field file_fields[] = {
    STRING_ROW(report_file, name, "without a directory"),
    BOOL_ROW(report_file, executable, "may be run"),
    STRING_ROW(report_file, text, "the whole of it"),
};
static const report_shape file_shape = REPORT_SHAPE(
        report_file, file_fields, "a file of the launch");

static const report_field written_fields[] = {
    STRING_ROW(report_written, target, "framework of the files"),
    STRING_ROW(report_written, versions, "that its options were read from"),
    STRING_ROW(report_written, profile, "framework whose costs were taken"),
    STRING_ROW(report_written, launcher, "that starts the processes"),
    STRING_ROW(report_written, directory, "of the files; null = not written"),
    LIST_ROW(report_written, files, file_shape, "of the launch"),
};
static const report_shape written_shape = REPORT_SHAPE(
        report_written, written_fields, "the files of the launch");

static const report_field export_fields[] = {
    HEAD_ROWS("export"),
    OBJECT_ROW(D, written, report_written, written_shape, "what was written"),
    ANSWER_ROW(estimate, "the plan that was exported"),
    ASSUMED_ROW,
};
/* clang-format on */

const report_shape report_import_shape =
        REPORT_SHAPE(D, import_fields, "answer of plan3d import");
const report_shape report_export_shape =
        REPORT_SHAPE(D, export_fields, "answer of plan3d export");

void report_export(report_document *document, const report_exported *exported,
        p3d_text *out)
{
    document->written = (report_written){.target = exported->target,
            .versions = exported->versions,
            .profile = exported->profile,
            .launcher = exported->launcher,
            .directory = exported->directory,
            .files = {exported->files, exported->n_files}};
    report_print_json(&report_export_shape, document, out);
}
