/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_fields.c - the JSON document inside of the page, by tables. */
#include "report/html/page.h"

#include "report/data/document_fields.h"

/* clang-format off */
static const json_field option_fields[] = {
    STRING_ROW(report_option, name, "without the dashes"),
    STRING_ROW(report_option, value, "as it was given; null = a flag"),
};
static const json_shape option_shape = REPORT_SHAPE(
        report_option, option_fields, "an option of the command line");

#define O report_origin
static const json_field origin_fields[] = {
    STRING_ROW(O, model, "word of the command line"),
    STRING_ROW(O, model_text, "its config.json"),
    STRING_ROW(O, cluster, "word of the command line"),
    STRING_ROW(O, cluster_text, "of the file that it names, if any"),
    STRING_ROW(O, calibration_text, "of the file of --calibration, if any"),
    STRING_ROW(O, plan, "as --plan reads it"),
    LIST_ROW(O, options, option_shape, "of the job"),
};
static const json_shape origin_shape = REPORT_SHAPE(
        O, origin_fields, "the question, for plan3d import");

#define C report_cell
static const json_field cell_fields[] = {
    INT_ROW(C, tp, "tensor-parallel ranks"),
    INT_ROW(C, pp, "pipeline ranks"),
    BOOL_ROW(C, legal, "some plan is"),
    BOOL_ROW(C, fits, "some plan does"),
    CHARS_ROW(C, words, "the fastest, or the one that misses least"),
    MAYBE_ROW(C, step_s, "time of its step"),
    MAYBE_INT64_ROW(C, missing_bytes, "that a GPU would need more"),
    CHARS_ROW(C, rule, "that refuses, where none is legal"),
    CHARS_ROW(C, reason, "why it does"),
};
static const json_shape cell_shape = REPORT_SHAPE(
        C, cell_fields, "the best plan with these ranks");

#define P report_point
static const json_field point_fields[] = {
    CHARS_ROW(P, words, "the plan as --plan reads it"),
    DOUBLE_ROW(P, step_s, "time of its step"),
    SIGNED_INT64_ROW(P, margin_bytes, "that stay free on the tight GPU"),
    BOOL_ROW(P, on_front, "no other is as fast with as much margin"),
};
static const json_shape point_shape = REPORT_SHAPE(
        P, point_fields, "a plan that fits");

#define S report_scale
static const json_field scale_fields[] = {
    INT_ROW(S, n_gpus, "GPUs"),
    BOOL_ROW(S, legal, "some plan is"),
    BOOL_ROW(S, fits, "some plan does"),
    CHARS_ROW(S, words, "the fastest, or the one that misses least"),
    MAYBE_ROW(S, step_s, "time of its step"),
    MAYBE_ROW(S, tokens_per_s, "of the whole cluster"),
    MAYBE_ROW(S, efficiency_frac,
            "tokens/s of a GPU over those on the asked cluster"),
    MAYBE_INT64_ROW(S, missing_bytes, "that a GPU would need more"),
    MAYBE_ROW(S, billion_tokens_usd, "if nothing fails"),
    MAYBE_ROW(S, training_s, "real time of the whole training"),
    MAYBE_ROW(S, training_usd, "cost of the whole training"),
    CHARS_ROW(S, reason, "why none is legal"),
};
static const json_shape scale_shape = REPORT_SHAPE(
        S, scale_fields, "the best plan on a number of GPUs");

#define W report_swing
static const json_field swing_fields[] = {
    STRING_ROW(W, name, "constants that one measurement tells"),
    STRING_ROW(W, measure, "what to run to know them"),
    DOUBLE_ROW(W, sigma, "standard error of their logarithm"),
    DOUBLE_ROW(W, low_s, "step of the plan, when they are lower by that"),
    DOUBLE_ROW(W, high_s, "step of the plan, when they are higher by that"),
};
static const json_shape swing_shape = REPORT_SHAPE(
        W, swing_fields, "what an error of some constants does to the step");

static const json_field file_fields[] = {
    STRING_ROW(report_file, name, "without a directory"),
    BOOL_ROW(report_file, executable, "may be run"),
};
static const json_shape file_shape = REPORT_SHAPE(
        report_file, file_fields, "a file of the launch; its text is above");

#define T report_target
static const json_field target_fields[] = {
    STRING_ROW(T, name, "as --to reads it"),
    STRING_ROW(T, title, "of the framework"),
    STRING_ROW(T, versions, "that its options were read from"),
    BOOL_ROW(T, can, "it can run the plan"),
    BOOL_ROW(T, fits, "by its own rules and costs"),
    MAYBE_ROW(T, step_s, "by its own rules and costs"),
    CHARS_ROW(T, reason, "why it cannot"),
    LIST_ROW(T, files, file_shape, "that launch it"),
};
static const json_shape target_shape = REPORT_SHAPE(
        T, target_fields, "the launch with a framework");

/* Without the seconds of the search: the same question gives the same file. */
#define R p3d_search_result
static const json_field search_fields[] = {
    INT64_ROW(R, n_plans, "legal plans in the space"),
    INT64_ROW(R, n_cut, "of them, too slow by a bound"),
    INT64_ROW(R, n_too_large, "of them, too large"),
    INT64_ROW(R, n_dominated, "of them, one that does less is faster"),
    INT64_ROW(R, n_evaluated, "of them, time and memory were computed"),
    DOUBLE_ROW(R, floor_s, "no plan takes less; 0 = there is none"),
    DOUBLE_ROW(R, cut_s, "smallest bound of a plan that was cut"),
    DOUBLE_ROW(R, runner_up_s, "the fastest plan of another kind"),
    {GOT_OF_ALL("runner_up_gap_frac", DOUBLE, report_get_gap,
            "how much longer than the best it takes")},
};
static const json_shape search_shape = REPORT_SHAPE(
        R, search_fields, "how the plans were found");

static const json_field answer_fields[] = {
    BOOL_ROW(D, fits, "the plan does"),
    QUESTION_ROWS,
    ANSWER_ROW(estimate, "the plan of the page"),
    LIST_ROW(D, changes, report_change_shape,
            "that make it fit, cheapest first"),
    OBJECT_ROW(D, search, p3d_search_result, search_shape, "how it was found"),
    ASSUMED_ROW,
};
static const json_shape answer_shape = REPORT_SHAPE(
        D, answer_fields, "the answer");

#define G report_page
static const json_field page_fields[] = {
    CONST_ROW("schema", P3D_SCHEMA), CONST_ROW("command", "report"),
    OBJECT_ROW(G, origin, report_origin, origin_shape, "what was asked"),
    OBJECT_OR_NULL_ROW(G, document, report_document, answer_shape,
            "the answer"),
    LIST_ROW(G, cells, cell_shape, "best plans by ranks"),
    LIST_ROW(G, points, point_shape, "plans that fit, fastest first"),
    LIST_ROW(G, scales, scale_shape, "best plans by GPUs"),
    LIST_ROW(G, swings, swing_shape, "errors of constants, largest first"),
    LIST_ROW(G, targets, target_shape, "launches by framework"),
};
/* clang-format on */

const json_shape report_page_shape =
        REPORT_SHAPE(G, page_fields, "the document in a page of plan3d report");
