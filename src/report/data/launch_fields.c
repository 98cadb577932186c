/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_fields.c - the JSON documents of export and import, by tables. */
#include "report/data/document_fields.h"

double report_single_gain_s(const report_single *single)
{
    return single->from_step_s - p3d_time_step_s(&single->made.estimate.time);
}

GETTER(gain_of, report_single, number, report_single_gain_s(x))
GETTER(gain_frac_of, report_single, number,
        report_single_gain_s(x) / x->from_step_s)
GETTER(files_of, report_exported, list, ((json_list){x->files, x->n_files}))

/* clang-format off */
#define R report_read
static const json_field read_fields[] = {
    STRING_IN(R, files, title, "framework of the launch"),
    STRING_IN(R, files, profile, "framework whose costs it has"),
    STRING_IN(R, files, versions, "that its options were read from"),
    MAYBE_IN(R, files, measured_step_s,
            "median of the log's steps after the first two"),
    MAYBE_INT_IN(R, files, n_measured_steps,
            "of these steps, or of all where there are few"),
    MAYBE_INT64_IN(R, files, measured_allocated_bytes,
            "largest allocation of a rank in the log"),
    MAYBE_INT64_IN(R, files, measured_reserved_bytes,
            "largest reservation of a rank in the log"),
    SIGNED_KNOWN_ROW(R, error_frac, "predicted over measured step, less 1"),
    STRING_ROW(R, slower_by,
            "term of time that grew most against the best plan"),
    LINES_ROW(R, defaults, "options left to the framework"),
    LINES_ROW(R, unknown, "options without a part in the plan"),
    LINES_ROW(R, unmodelled,
            "options that change what runs and are not in the estimate"),
    LINES_ROW(R, unresolved, "options that only a run would tell"),
};
static const json_shape read_shape = REPORT_SHAPE(
        R, read_fields, "the files of the launch");

#define E made.estimate
#define S report_single
static const json_field single_fields[] = {
    CHARS_ROW(S, change,
            "values of the plan that differ, or an option of the job"),
    {INNER("decision", S, made.doc, JSON_TEXT, const char *,
            "what is changed")},
    WORDS_ROW("words", S, E, "the plan with it, as --plan reads it"),
    {STEP(INNER, S, E, "one optimizer step with it")},
    {GOT_OF_ALL("gain_s", DOUBLE, gain_of,
            "that a step takes less; negative: more, but it fits"), SIGNED},
    {GOT_OF_ALL("gain_frac", DOUBLE, gain_frac_of,
            "of the step without the change"), SIGNED},
    {PEAK(INNER, S, E, "taken from the device")},
    {GOT("margin_bytes", S, E, p3d_estimate, INT64, report_get_margin,
            "left of the device")},
};
static const json_shape single_shape = REPORT_SHAPE(
        S, single_fields,
        "the best change of one decision, all else as it is");

static const json_field import_fields[] = {
    HEAD_ROWS("import"),
    OBJECT_ROW(D, launch, report_read, read_shape, "what the files say"),
    ANSWER_ROW(estimate, "the plan of the files"),
    ANSWER_ROW(exact_best, "the fastest plan that fits"),
    SIGNED_KNOWN_ROW(D, gap_frac,
            "step time of the plan over that of the exact best, less 1"),
    LIST_ROW(D, single_changes, single_shape,
            "single changes that make it faster, or fit; the fastest first"),
    SEARCH_ROW,
    ASSUMED_ROW,
};

static const json_field file_fields[] = {
    STRING_ROW(report_file, name, "without a directory"),
    BOOL_ROW(report_file, executable, "may be run"),
    STRING_ROW(report_file, text, "the whole of it"),
};
static const json_shape file_shape = REPORT_SHAPE(
        report_file, file_fields, "a file of the launch");

static const json_field written_fields[] = {
    STRING_ROW(report_exported, target, "framework of the files"),
    STRING_ROW(report_exported, versions, "that its options were read from"),
    STRING_ROW(report_exported, profile, "framework whose costs were taken"),
    STRING_ROW(report_exported, launcher, "that starts the processes"),
    STRING_ROW(report_exported, directory, "of the files; null = not written"),
    LIST_GOT_ROW("files", file_shape, files_of, "of the launch"),
};
static const json_shape written_shape = REPORT_SHAPE(
        report_exported, written_fields, "the files of the launch");

static const json_field export_fields[] = {
    HEAD_ROWS("export"),
    OBJECT_ROW(D, written, report_exported, written_shape, "what was written"),
    ANSWER_ROW(estimate, "the plan that was exported"),
    ASSUMED_ROW,
};
/* clang-format on */

const json_shape report_import_shape =
        REPORT_SHAPE(D, import_fields, "answer of plan3d import");
const json_shape report_export_shape =
        REPORT_SHAPE(D, export_fields, "answer of plan3d export");

void report_export(report_document *document, const report_exported *exported,
        p3d_text *out)
{
    document->written = *exported;
    report_print_json(&report_export_shape, document, out);
}
