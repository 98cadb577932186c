/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document_shapes.c - the JSON documents of the commands about a job, by
 * tables. */
#include "report/document.h"
#include "report/document_rows.h"

/* clang-format off */
static const report_field search_fields[] = {
    INT64_ROW(report_search, n_plans, "legal plans in the space"),
    INT64_ROW(report_search, n_cut,
            "of them, a bound on the time proves that they cannot rank"),
    INT64_ROW(report_search, n_too_large,
            "of them, do not fit, or one that needs less does not"),
    INT64_ROW(report_search, n_dominated,
            "of them, one with less recomputation or offload is faster"),
    INT64_ROW(report_search, n_evaluated,
            "of them, time and memory were computed"),
    INT64_ROW(report_search, n_feasible, "of the evaluated ones, that fit"),
    DOUBLE_ROW(report_search, floor_s,
            "no plan takes less, whatever its memory; 0 = there is none"),
    DOUBLE_ROW(report_search, cut_s,
            "the smallest bound of a plan that was cut; 0 = none was"),
    DOUBLE_ROW(report_search, runner_up_s,
            "the fastest plan of another kind; 0 = there is none"),
    DOUBLE_ROW(report_search, runner_up_gap_frac,
            "how much longer than the best it takes"),
    BOOL_ROW(report_search, interrupted,
            "Ctrl-C stopped the command: the rest was not looked at"),
    DOUBLE_ROW(report_search, seconds, "time of the search"),
};
const report_shape report_search_shape = REPORT_SHAPE(
        report_search, search_fields, "how the plans were found");

static const report_field verified_fields[] = {
    INT64_ROW(report_verified, n_plans, "legal plans, one by one"),
    INT64_ROW(report_verified, n_fitting, "of them, that fit"),
    MAYBE_ROW(report_verified, best_step_s, "the fastest that fits"),
    BOOL_ROW(report_verified, agrees,
            "as many plans as the search had, and none faster than its best"),
    BOOL_ROW(report_verified, interrupted, "the check was stopped"),
    DOUBLE_ROW(report_verified, seconds, "time of the check"),
};
static const report_shape verified_shape = REPORT_SHAPE(report_verified,
        verified_fields, "a search that was checked plan by plan");

static const report_field change_fields[] = {
    CHARS_ROW(report_change, words, "what to change"),
    CHARS_ROW(report_change, plan_words, "best plan then, as --plan reads it"),
    OBJECT_ROW(report_change, plan, p3d_plan, report_plan_shape,
            "best plan then"),
    INT_ROW(report_change, n_gpus, "GPUs then"),
    INT_ROW(report_change, seq_len, "tokens per sequence then"),
    INT64_ROW(report_change, global_batch, "sequences per step then"),
    INT64_ROW(report_change, peak_bytes, "memory of the tight rank then"),
    INT64_ROW(report_change, usable_bytes, "memory that a GPU has for it"),
    DOUBLE_ROW(report_change, step_s, "time of a step then"),
    DOUBLE_ROW(report_change, tokens_per_s, "of the whole cluster then"),
    DOUBLE_ROW(report_change, tokens_per_s_per_gpu, "of one GPU then"),
};
const report_shape report_change_shape = REPORT_SHAPE(
        report_change, change_fields, "a change that makes the job fit");

static const report_field step_fields[] = {
    INT_ROW(report_step, number, "of the step, from 1"),
    CHARS_ROW(report_step, words, "the plan as --plan reads it"),
    OBJECT_ROW(report_step, plan, p3d_plan, report_plan_shape, "the plan"),
    BOOL_ROW(report_step, legal, "the framework can run it"),
    BOOL_ROW(report_step, fits, "its peak is usable"),
    BOOL_ROW(report_step, accepted, "the walk goes on from it"),
    STRING_ROW(report_step, rule, "that refuses a plan that is not legal"),
    STRING_ROW(report_step, refusal, "why that rule refuses it"),
    MAYBE_INT64_ROW(report_step, peak_bytes, "taken from the device"),
    MAYBE_INT64_ROW(report_step, usable_bytes, "that a GPU has for it"),
    MAYBE_ROW(report_step, step_s, "time of a step"),
    MAYBE_ROW(report_step, tokens_per_s_per_gpu, "of one GPU"),
    STRING_ROW(report_step, bottleneck, "longest term but for the GEMMs"),
    STRING_ROW(report_step, decision, "the move that led here"),
    STRING_ROW(report_step, reason, "the number that decided"),
};
const report_shape report_step_shape = REPORT_SHAPE(
        report_step, step_fields, "one step of the walk");

#define FOUND_ROWS                                                             \
    ANSWER_ROW(best, "the fastest plan that fits"),                            \
    ANSWER_ROW(closest, "when none fits, the one that misses least"),          \
    LIST_ROW(D, plans, report_answer_shape, "that fit, fastest first"),        \
    SEARCH_ROW,                                                                \
    LIST_ROW(D, changes, report_change_shape,                                  \
            "that make it fit, cheapest first"),                               \
    MAYBE_INT_ROW(D, smallest_cluster_gpus,                                    \
            "GPUs of the smallest cluster found on which it fits"),            \
    ASSUMED_ROW

static const report_field fit_fields[] = {HEAD_ROWS("fit"), FOUND_ROWS};
static const report_field plan_fields[] = {
    HEAD_ROWS("plan"),
    FOUND_ROWS,
    OBJECT_OR_NULL_ROW(D, verified, report_verified, verified_shape,
            "of --verify"),
};
static const report_field estimate_fields[] = {
    HEAD_ROWS("estimate"),
    ANSWER_ROW(estimate, "the plan that was asked for"),
    ASSUMED_ROW,
};
static const report_field explain_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "memory"),
    ANSWER_ROW(estimate, "the plan that is explained"),
    LIST_ROW(D, items, report_item_shape,
            "alive on the tight rank at its peak, largest first by term"),
    ASSUMED_ROW,
};
static const report_field sensitivity_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "sensitivity"),
    ANSWER_ROW(estimate, "the plan whose choice is judged"),
    OBJECT_OR_NULL_ROW(D, sensitivity, report_sensitivity,
            report_sensitivity_shape, "null when the plan does not fit"),
    ASSUMED_ROW,
};
static const report_field why_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "why"),
    ANSWER_ROW(best, "the fastest plan that fits"),
    ANSWER_ROW(closest, "when none fits, the one that misses least"),
    SEARCH_ROW,
    LIST_ROW(D, decisions, report_decision_shape,
            "for each value of each, the best plan that has it"),
    ASSUMED_ROW,
};
static const report_field compare_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "compare"),
    OBJECT_ROW(D, comparison, report_comparison, report_comparison_shape,
            "the two plans"),
    ASSUMED_ROW,
};
static const report_field advise_fields[] = {
    HEAD_ROWS("advise"),
    LIST_ROW(D, steps, report_step_shape, "of the walk, in order"),
    ANSWER_ROW(answer, "where the walk ends"),
    ANSWER_ROW(exact_best, "of all plans"),
    {.key = "gap_frac", .kind = REPORT_DOUBLE,
     .offset = REPORT_AT(D, gap_frac, double), .is_signed = true,
     .nan_is_null = true,
     .doc = "step time of the answer over that of the exact best, less 1"},
    SEARCH_ROW,
    ASSUMED_ROW,
};
/* clang-format on */

const report_shape report_fit_shape =
        REPORT_SHAPE(D, fit_fields, "answer of plan3d fit");
const report_shape report_plan_document_shape =
        REPORT_SHAPE(D, plan_fields, "answer of plan3d plan");
const report_shape report_estimate_shape =
        REPORT_SHAPE(D, estimate_fields, "answer of plan3d estimate");
const report_shape report_explain_shape =
        REPORT_SHAPE(D, explain_fields, "answer of plan3d explain");
const report_shape report_sensitivity_document_shape = REPORT_SHAPE(
        D, sensitivity_fields, "answer of plan3d explain ... sensitivity");
const report_shape report_why_shape =
        REPORT_SHAPE(D, why_fields, "answer of plan3d explain why");
const report_shape report_compare_shape =
        REPORT_SHAPE(D, compare_fields, "answer of plan3d explain --compare");
const report_shape report_advise_shape =
        REPORT_SHAPE(D, advise_fields, "answer of plan3d advise");
