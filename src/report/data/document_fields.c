/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document_fields.c - the JSON documents of the commands about a job, by
 * tables. */
#include "report/data/document_fields.h"

#include <stdio.h>

#include "plan3d/units.h"
#include "report/terms.h"

double report_runner_up_gap_frac(const p3d_search_result *search)
{
    return search->runner_up_s > 0
                   ? search->runner_up_s /
                                     p3d_time_step_s(&search->top[0].time) -
                             1
                   : 0;
}

double report_change_rate(const p3d_change *change)
{
    return change->estimate.tokens_per_s / change->n_gpus;
}

double report_step_rate(const report_step *step)
{
    return step->taken.estimate.tokens_per_s / step->n_gpus;
}

void report_get_gap(const void *search, json_got *out)
{
    out->number = report_runner_up_gap_frac(search);
}

/* Words of the term, other than the GEMMs, that takes the longest. */
static const char *bottleneck(const p3d_time *time)
{
    int longest = 1;

    for (int i = 2; i < REPORT_N_TIME_TERMS; i++)
        if (report_time_term_s(time, i) > report_time_term_s(time, longest))
            longest = i;
    return report_time_terms[longest].words;
}

/* More bytes than any element has: the number counts buffers. */
enum { LARGEST_ELEMENT = 64 };

const char *report_item_sizes(
        const p3d_memory_item *item, char out[REPORT_SIZES])
{
    const double each = (double)item->bytes / (double)item->rows;

    out[0] = '\0';
    if (item->width > 0)
        snprintf(out, REPORT_SIZES, "[%lld, %lld] x %.4g B",
                (long long)item->rows, (long long)item->width,
                item->bytes_per_element);
    else if (item->rows > 1 && each <= LARGEST_ELEMENT)
        snprintf(out, REPORT_SIZES, "[%lld] x %.4g B", (long long)item->rows,
                item->bytes_per_element > 0 ? item->bytes_per_element : each);
    else if (item->rows > 1)
        snprintf(out, REPORT_SIZES, "%lld x %.4g MiB", (long long)item->rows,
                1024 * each / P3D_GIB);
    return out;
}

GETTER(best_step_of, p3d_verification, number,
        x->have_best ? p3d_time_step_s(&x->best.time) : 0)
GETTER(change_rate_of, p3d_change, number, report_change_rate(x))
GETTER(step_rate_of, report_step, number, report_step_rate(x))
GETTER(refusal_of, p3d_step, string, x->legal ? NULL : x->refusal.reason)
GETTER(bottleneck_of, p3d_step, string,
        x->legal ? bottleneck(&x->estimate.time) : NULL)
GETTER(term_of, p3d_memory_item, string, report_memory_terms[x->term].words)

static void sizes_of(const void *item, json_got *out)
{
    report_item_sizes(item, out->chars);
}

/* clang-format off */
static const json_field search_fields[] = {
    INT64_ROW(p3d_search_result, n_plans, "legal plans in the space"),
    INT64_ROW(p3d_search_result, n_cut,
            "of them, a bound on the time proves that they cannot rank"),
    INT64_ROW(p3d_search_result, n_too_large,
            "of them, do not fit, or one that needs less does not"),
    INT64_ROW(p3d_search_result, n_dominated,
            "of them, one with less recomputation or offload is faster"),
    INT64_ROW(p3d_search_result, n_evaluated,
            "of them, time and memory were computed"),
    INT64_ROW(p3d_search_result, n_feasible,
            "of the evaluated ones, that fit"),
    DOUBLE_ROW(p3d_search_result, floor_s,
            "no plan takes less, whatever its memory; 0 = there is none"),
    DOUBLE_ROW(p3d_search_result, cut_s,
            "the smallest bound of a plan that was cut; 0 = none was"),
    DOUBLE_ROW(p3d_search_result, runner_up_s,
            "the fastest plan of another kind; 0 = there is none"),
    {GOT_OF_ALL("runner_up_gap_frac", DOUBLE, report_get_gap,
            "how much longer than the best it takes")},
    BOOL_ROW(p3d_search_result, interrupted,
            "Ctrl-C stopped the command: the rest was not looked at"),
    DOUBLE_ROW(p3d_search_result, seconds, "time of the search"),
};
const json_shape report_search_shape = REPORT_SHAPE(
        p3d_search_result, search_fields, "how the plans were found");

#define V report_verified
static const json_field verified_fields[] = {
    INT64_IN(V, found, n_plans, "legal plans, one by one"),
    INT64_IN(V, found, n_fitting, "of them, that fit"),
    {MAYBE("best_step_s", V, found, JSON_GOT(DOUBLE, best_step_of),
            p3d_verification, "the fastest that fits")},
    BOOL_ROW(V, agrees,
            "as many plans as the search had, and none faster than its best"),
    BOOL_IN(V, found, interrupted, "the check was stopped"),
    DOUBLE_IN(V, found, seconds, "time of the check"),
};
static const json_shape verified_shape = REPORT_SHAPE(
        V, verified_fields, "a search that was checked plan by plan");

#define C p3d_change
static const json_field change_fields[] = {
    CHARS_ROW(C, words, "what to change"),
    WORDS_ROW("plan_words", C, estimate, "best plan then, as --plan reads it"),
    PLAN_IN(C, estimate, "best plan then"),
    INT_ROW(C, n_gpus, "GPUs then"),
    INT_ROW(C, seq_len, "tokens per sequence then"),
    INT64_ROW(C, global_batch, "sequences per step then"),
    {PEAK(INNER, C, estimate, "memory of the tight rank then")},
    INT64_IN(C, estimate, usable_bytes, "memory that a GPU has for it"),
    {STEP(INNER, C, estimate, "time of a step then")},
    DOUBLE_IN(C, estimate, tokens_per_s, "of the whole cluster then"),
    {GOT_OF_ALL("tokens_per_s_per_gpu", DOUBLE, change_rate_of,
            "of one GPU then")},
};
const json_shape report_change_shape = REPORT_SHAPE(
        C, change_fields, "a change that makes the job fit");

#define S report_step
static const json_field step_fields[] = {
    INT_ROW(S, number, "of the step, from 1"),
    WORDS_ROW("words", S, taken.estimate, "the plan as --plan reads it"),
    PLAN_IN(S, taken.estimate, "the plan"),
    BOOL_IN(S, taken, legal, "the framework can run it"),
    BOOL_IN(S, taken.estimate, fits, "its peak is usable"),
    BOOL_IN(S, taken, accepted, "the walk goes on from it"),
    STRING_IN(S, taken.refusal, rule, "that refuses a plan that is not legal"),
    {GOT("refusal", S, taken, p3d_step, TEXT, refusal_of,
            "why that rule refuses it")},
    {PEAK(MAYBE, S, taken.estimate, "taken from the device")},
    MAYBE_INT64_IN(S, taken.estimate, usable_bytes, "that a GPU has for it"),
    {STEP(MAYBE, S, taken.estimate, "time of a step")},
    {FIELD("tokens_per_s_per_gpu", JSON_GOT(DOUBLE, step_rate_of),
            JSON_ZERO_IS_NULL, "of one GPU")},
    {GOT("bottleneck", S, taken, p3d_step, TEXT, bottleneck_of,
            "longest term but for the GEMMs")},
    ARRAY_IN(S, taken, decision, "the move that led here"),
    ARRAY_IN(S, taken, reason, "the number that decided"),
};
const json_shape report_step_shape = REPORT_SHAPE(
        S, step_fields, "one step of the walk");

#define I p3d_memory_item
static const json_field item_fields[] = {
    {GOT_OF_ALL("term", TEXT, term_of,
            "of the memory that it belongs to")},
    STRING_ROW(I, name, "of the tensor or buffer"),
    {GOT_OF_ALL("shape", STRING, sizes_of,
            "of one tensor, on this rank")},
    INT64_ROW(I, n_tensors, "layers times micro-batches"),
    INT64_ROW(I, bytes, "of all of them"),
    STRING_ROW(I, why, "it is alive"),
    STRING_ROW(I, source, "where that was read"),
};
const json_shape report_item_shape = REPORT_SHAPE(
        I, item_fields, "a line of the table of tensors");

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

static const json_field fit_fields[] = {HEAD_ROWS("fit"), FOUND_ROWS};
static const json_field plan_fields[] = {
    HEAD_ROWS("plan"),
    FOUND_ROWS,
    OBJECT_OR_NULL_ROW(D, verified, report_verified, verified_shape,
            "of --verify"),
};
static const json_field estimate_fields[] = {
    HEAD_ROWS("estimate"),
    ANSWER_ROW(estimate, "the plan that was asked for"),
    ASSUMED_ROW,
};
static const json_field explain_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "memory"),
    ANSWER_ROW(estimate, "the plan that is explained"),
    LIST_ROW(D, items, report_item_shape,
            "alive on the tight rank at its peak, largest first by term"),
    ASSUMED_ROW,
};
static const json_field sensitivity_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "sensitivity"),
    ANSWER_ROW(estimate, "the plan whose choice is judged"),
    OBJECT_OR_NULL_ROW(D, sensitivity, report_sensitivity,
            report_sensitivity_shape, "null when the plan does not fit"),
    ASSUMED_ROW,
};
static const json_field why_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "why"),
    ANSWER_ROW(best, "the fastest plan that fits"),
    ANSWER_ROW(closest, "when none fits, the one that misses least"),
    SEARCH_ROW,
    LIST_ROW(D, decisions, report_decision_shape,
            "for each value of each, the best plan that has it"),
    ASSUMED_ROW,
};
static const json_field compare_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "compare"),
    OBJECT_ROW(D, comparison, report_comparison, report_comparison_shape,
            "the two plans"),
    ASSUMED_ROW,
};
static const json_field advise_fields[] = {
    HEAD_ROWS("advise"),
    LIST_ROW(D, steps, report_step_shape, "of the walk, in order"),
    ANSWER_ROW(answer, "where the walk ends"),
    ANSWER_ROW(exact_best, "of all plans"),
    SIGNED_KNOWN_ROW(D, gap_frac,
            "step time of the answer over that of the exact best, less 1"),
    SEARCH_ROW,
    ASSUMED_ROW,
};
/* clang-format on */

const json_shape report_fit_shape =
        REPORT_SHAPE(D, fit_fields, "answer of plan3d fit");
const json_shape report_plan_document_shape =
        REPORT_SHAPE(D, plan_fields, "answer of plan3d plan");
const json_shape report_estimate_shape =
        REPORT_SHAPE(D, estimate_fields, "answer of plan3d estimate");
const json_shape report_explain_shape =
        REPORT_SHAPE(D, explain_fields, "answer of plan3d explain");
const json_shape report_sensitivity_document_shape = REPORT_SHAPE(
        D, sensitivity_fields, "answer of plan3d explain ... sensitivity");
const json_shape report_why_shape =
        REPORT_SHAPE(D, why_fields, "answer of plan3d explain why");
const json_shape report_compare_shape =
        REPORT_SHAPE(D, compare_fields, "answer of plan3d explain --compare");
const json_shape report_advise_shape =
        REPORT_SHAPE(D, advise_fields, "answer of plan3d advise");
