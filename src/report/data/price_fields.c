/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price_fields.c - the JSON objects of decisions and of two plans. */
#include "report/data/fields.h"
#include "report/prices.h"

/* clang-format off */
static const json_field more_time_fields[] = {
#define P3D_AS_ROW(field, words) SIGNED_ROW(p3d_time, field##_s, words),
    P3D_TIME_TERMS(P3D_AS_ROW)
#undef P3D_AS_ROW
};
static const json_shape more_time_shape = REPORT_SHAPE(
        p3d_time, more_time_fields, "difference of two steps, by terms");

static const json_field more_memory_fields[] = {
#define P3D_AS_ROW(field, words)                                               \
    SIGNED_INT64_ROW(p3d_memory, field##_bytes, words),
    P3D_MEMORY_TERMS(P3D_AS_ROW)
#undef P3D_AS_ROW
};
static const json_shape more_memory_shape = REPORT_SHAPE(
        p3d_memory, more_memory_fields, "difference of two peaks, by terms");

static const json_field choice_fields[] = {
    CHARS_ROW(report_choice, value, "of the decision"),
    BOOL_ROW(report_choice, chosen, "it is the best plan's own"),
    BOOL_ROW(report_choice, legal, "some plan with it is legal"),
    BOOL_ROW(report_choice, fits, "some legal plan with it fits"),
    STRING_ROW(report_choice, words,
            "the fastest that fits, or the one that misses least, as --plan "
            "reads it"),
    STRING_ROW(report_choice, with,
            "its other values that differ from the best plan's"),
    MAYBE_ROW(report_choice, step_s, "one optimizer step of it"),
    SIGNED_KNOWN_ROW(report_choice, slower_frac,
            "its step over the best plan's, less 1; null unless both fit"),
    OBJECT_OR_NULL_ROW(report_choice, more, p3d_time, more_time_shape,
            "its step less the best plan's; null unless both fit"),
    MAYBE_INT64_ROW(report_choice, peak_bytes, "taken from the device"),
    INT64_ROW(report_choice, missing_bytes, "of the device"),
    STRING_ROW(report_choice, largest,
            "term of its memory, where it does not fit"),
    MAYBE_INT64_ROW(report_choice, largest_bytes, "of that term"),
    STRING_ROW(report_choice, rule, "that refuses it"),
    STRING_ROW(report_choice, reason, "why it is refused"),
};
static const json_shape choice_shape = REPORT_SHAPE(
        report_choice, choice_fields, "the best plan that has a value");

static const json_field decision_fields[] = {
    STRING_ROW(report_decision, word, "of the plan: tp, zero"),
    STRING_ROW(report_decision, doc, "what it is"),
    LIST_ROW(report_decision, choices, choice_shape, "values, ascending"),
};
const json_shape report_decision_shape = REPORT_SHAPE(
        report_decision, decision_fields, "a decision and what it costs");

static const json_field side_fields[] = {
    STRING_ROW(report_side, asked, "as it was asked for; null: the best plan"),
    BOOL_ROW(report_side, is_search,
            "the fastest plan with the values that were asked for"),
    STRING_ROW(report_side, rule, "that refuses it; null when it is legal"),
    STRING_ROW(report_side, reason, "why it is refused"),
    OBJECT_OR_NULL_ROW(report_side, answer, report_answer, report_answer_shape,
            "null when it is not legal"),
};
static const json_shape side_shape = REPORT_SHAPE(
        report_side, side_fields, "one of two plans");

static const json_field comparison_fields[] = {
    OBJECT_ROW(report_comparison, first, report_side, side_shape,
            "the first plan"),
    OBJECT_ROW(report_comparison, second, report_side, side_shape,
            "the second plan"),
    STRING_ROW(report_comparison, faster,
            "first or second; null when they are equal or do not both fit"),
    SIGNED_KNOWN_ROW(report_comparison, slower_frac,
            "the second's step over the first's, less 1"),
    OBJECT_OR_NULL_ROW(report_comparison, more_time, p3d_time,
            more_time_shape, "of the second: its step less the first's"),
    OBJECT_OR_NULL_ROW(report_comparison, more_memory, p3d_memory,
            more_memory_shape,
            "of the second: its tight rank's peak less the first's"),
};
/* clang-format on */

const json_shape report_comparison_shape = REPORT_SHAPE(
        report_comparison, comparison_fields, "two plans side by side");
