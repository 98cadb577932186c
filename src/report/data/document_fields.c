/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document_fields.c - the JSON documents of the commands about a job, by
 * tables. */
#include <stdio.h>

#include "plan3d/units.h"
#include "report/answer.h"
#include "report/data/fields.h"
#include "report/document.h"
#include "report/page.h"
#include "spec/words.h"

/* Decisions with their prices, and two plans side by side. */

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
    SIGNED_ROW(p3d_memory, field##_bytes, words),
    P3D_MEMORY_TERMS(P3D_AS_ROW)
#undef P3D_AS_ROW
};
static const json_shape more_memory_shape = REPORT_SHAPE(
        p3d_memory, more_memory_fields, "difference of two peaks, by terms");

/* What a plan lacks is said of those that do not fit. */
#define C report_choice
GETTER(words_of, C, string, x->found.legal ? x->words : NULL)
GETTER(with_of, C, string, x->found.legal ? x->with : NULL)
GETTER(more_of, C, object, isnan(x->slower_frac) ? NULL : &x->more)
GETTER(missing_of, p3d_estimate, integer64,
        x->fits ? 0 : report_missing_bytes(x))
GETTER(largest_of, C, string,
        x->found.legal && !x->found.estimate.fits
                ? report_memory_terms[report_largest_term(
                          &x->found.estimate.memory)].words
                : NULL)
GETTER(largest_bytes_of, p3d_estimate, integer64,
        x->fits ? 0 : report_memory_term_bytes(
                              &x->memory, report_largest_term(&x->memory)))
GETTER(reason_of, C, string, x->found.legal ? NULL : x->found.refusal.reason)

static const json_field choice_fields[] = {
    ROW(C, value, "of the decision"),
    IN(C, found, chosen, "it is the best plan's own"),
    IN(C, found, legal, "some plan with it is legal"),
    IN(C, found.estimate, fits, "some legal plan with it fits"),
    {GOT_OF_ALL("words", TEXT, words_of,
            "the fastest sure one, or the one that misses least, as --plan "
            "reads it")},
    {GOT_OF_ALL("with", TEXT, with_of,
            "its other values that differ from the best plan's")},
    {STEP(MAYBE_GOT, C, found.estimate, "one optimizer step of it")},
    SIGNED_KNOWN_ROW(C, slower_frac,
            "its step over the best plan's, less 1; null unless both fit"),
    {FIELD("more", JSON_TYPE(OBJECT_OR_NULL, .shape = &more_time_shape,
            .get = more_of), 0,
            "its step less the best plan's; null unless both fit")},
    {PEAK(MAYBE_GOT, C, found.estimate, "taken from the device")},
    {GOT("missing_bytes", C, found.estimate, p3d_estimate, INT64, missing_of,
            "of the device")},
    {GOT_OF_ALL("largest", TEXT, largest_of,
            "term of its memory, where it does not fit")},
    {MAYBE_GOT("largest_bytes", C, found.estimate, p3d_estimate, INT64,
            largest_bytes_of, "of that term")},
    IN(C, found.refusal, rule, "that refuses it"),
    {GOT_OF_ALL("reason", TEXT, reason_of, "why it is rejected")},
};
static const json_shape choice_shape = REPORT_SHAPE(
        C, choice_fields, "the best plan that has a value");
#undef C

static const json_field decision_fields[] = {
    ROW(report_decision, word, "of the plan: tp, zero"),
    ROW(report_decision, doc, "what it is"),
    LIST_ROW(report_decision, choices, choice_shape, "values, ascending"),
};
const json_shape report_decision_shape = REPORT_SHAPE(
        report_decision, decision_fields, "a decision and what it costs");

static const json_field side_fields[] = {
    ROW(report_side, asked, "as it was asked for; null: the best plan"),
    ROW(report_side, is_search,
            "the recommended plan with the values that were asked for"),
    ROW(report_side, rule, "that rejects it; null when it is legal"),
    ROW(report_side, reason, "why it is rejected"),
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
    ROW(report_comparison, faster,
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

static const json_shape comparison_shape = REPORT_SHAPE(
        report_comparison, comparison_fields, "two plans side by side");

/* The documents. */

/* clang-format off */
#define D report_document
#define ANSWER_ROW(f, d)                                                       \
    OBJECT_OR_NULL_ROW(D, f, report_answer, report_answer_shape, d)
#define QUESTION_ROW(key, of, d)                                               \
    {TYPED(key, D, question, JSON_OBJECT(of), report_question, d)}
#define QUESTION_ROWS                                                          \
    QUESTION_ROW("model", report_model_shape, "the model"),                    \
    QUESTION_ROW("cluster", report_cluster_shape, "the cluster"),              \
    QUESTION_ROW("job", report_job_shape, "the training job")
#define HEAD_ROWS(name)                                                        \
    SCHEMA_ROWS(name),                                                         \
    ROW(D, fits, "the answer is yes"),                                    \
    QUESTION_ROWS
#define SEARCH_ROW                                                             \
    OBJECT_ROW(D, search, p3d_search_result, search_shape,              \
            "how it was found")
#define EVIDENCE_ROW                                                           \
    LIST_ROW(D, evidence, report_near_run_shape,                               \
            "measured runs that are near the plan, nearest first")
#define ASSUMED_ROW                                                            \
    LINES_ROW(D, assumed, "defaults and constants that the answer rests on")
/* clang-format on */

double report_runner_up_gap_frac(const p3d_search_result *search)
{
    return search->runner_up_s > 0 ? search->runner_up_s / search->fastest_s - 1
                                   : 0;
}

double report_remedy_rate(const p3d_remedy *change)
{
    return change->estimate.tokens_per_s / change->n_gpus;
}

double report_step_rate(const report_step *step)
{
    return step->taken.estimate.tokens_per_s / step->n_gpus;
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

report_words report_item_sizes(const p3d_memory_item *item)
{
    const double each = (double)item->bytes / (double)item->rows;

    if (item->width > 0)
        return REPORT_WORDS("[%lld, %lld] x %.4g B", (long long)item->rows,
                (long long)item->width, item->bytes_per_element);
    if (item->rows > 1 && each <= LARGEST_ELEMENT)
        return REPORT_WORDS("[%lld] x %.4g B", (long long)item->rows,
                item->bytes_per_element > 0 ? item->bytes_per_element : each);
    if (item->rows > 1)
        return REPORT_WORDS("%lld x %.4g MiB", (long long)item->rows,
                1024 * each / P3D_GIB);
    return (report_words){""};
}

GETTER(gap_of, p3d_search_result, number, report_runner_up_gap_frac(x))
GETTER(best_step_of, p3d_verification, number,
        x->have_best ? p3d_time_step_s(&x->best.time) : 0)
GETTER(remedy_rate_of, p3d_remedy, number, report_remedy_rate(x))
GETTER(step_rate_of, report_step, number, report_step_rate(x))
GETTER(refusal_of, p3d_advice_step, string, x->legal ? NULL : x->refusal.reason)
GETTER(bottleneck_of, p3d_advice_step, string,
        x->legal ? bottleneck(&x->estimate.time) : NULL)
GETTER(term_of, p3d_memory_item, string, report_memory_terms[x->term].words)

WORDS_GETTER(sizes_of, p3d_memory_item, report_item_sizes(x))

/* clang-format off */
static const json_field search_fields[] = {
    ROW(p3d_search_result, n_plans, "legal plans in the space"),
    ROW(p3d_search_result, n_cut,
            "of them, a bound on the time proves that they cannot rank"),
    ROW(p3d_search_result, n_too_large,
            "of them, do not fit, or one that needs less does not"),
    ROW(p3d_search_result, n_dominated,
            "of them, one with less recomputation or offload is faster"),
    ROW(p3d_search_result, n_evaluated,
            "of them, time and memory were computed"),
    ROW(p3d_search_result, n_feasible, "of the evaluated ones, that fit"),
    ROW(p3d_search_result, floor_s,
            "no plan takes less, whatever its memory; 0 = there is none"),
    ROW(p3d_search_result, cut_s,
            "the smallest bound of a plan that was cut; 0 = none was"),
    ROW(p3d_search_result, runner_up_s,
            "the fastest plan of another kind; 0 = there is none"),
    {GOT_OF_ALL("runner_up_gap_frac", DOUBLE, gap_of,
            "how much longer than the best it takes")},
    ROW(p3d_search_result, interrupted,
            "Ctrl-C stopped the command: the rest was not looked at"),
    ROW(p3d_search_result, seconds, "time of the search"),
};
static const json_shape search_shape = REPORT_SHAPE(
        p3d_search_result, search_fields, "how the plans were found");

#define V report_verified
static const json_field verified_fields[] = {
    IN(V, found, n_plans, "legal plans, one by one"),
    IN(V, found, n_fitting, "of them, that are sure to fit"),
    {MAYBE_GOT("best_step_s", V, found, p3d_verification, DOUBLE,
            best_step_of, "the fastest of these")},
    ROW(V, agrees,
            "as many plans as the search had, none faster than its fastest, "
            "none better to recommend"),
    ROW(V, interrupted, "the check was stopped"),
    ROW(V, seconds, "time of the check"),
};
static const json_shape verified_shape = REPORT_SHAPE(
        V, verified_fields, "a search that was checked plan by plan");

#define C p3d_remedy
static const json_field change_fields[] = {
    ROW(C, words, "what to change"),
    WORDS_ROW("plan_words", C, estimate, "best plan then, as --plan reads it"),
    PLAN_IN(C, estimate, "best plan then"),
    ROW(C, n_gpus, "GPUs then"),
    ROW(C, seq_len, "tokens per sequence then"),
    ROW(C, global_batch, "sequences per step then"),
    {PEAK(GOT, C, estimate, "memory of the tight rank then")},
    IN(C, estimate, usable_bytes, "memory that a GPU has for it"),
    ROW(C, fit_probability_frac, "how sure that plan is to fit"),
    {STEP(GOT, C, estimate, "time of a step then")},
    IN(C, estimate, tokens_per_s, "of the whole cluster then"),
    {GOT_OF_ALL("tokens_per_s_per_gpu", DOUBLE, remedy_rate_of,
            "of one GPU then")},
};
static const json_shape change_shape = REPORT_SHAPE(
        C, change_fields, "a change that makes the job fit");

#define S report_step
static const json_field step_fields[] = {
    ROW(S, number, "of the step, from 1"),
    WORDS_ROW("words", S, taken.estimate, "the plan as --plan reads it"),
    PLAN_IN(S, taken.estimate, "the plan"),
    IN(S, taken, legal, "the framework can run it"),
    IN(S, taken.estimate, fits, "its peak is usable"),
    IN(S, taken, accepted, "the walk goes on from it"),
    IN(S, taken.refusal, rule, "that refuses a plan that is not legal"),
    {GOT("refusal", S, taken, p3d_advice_step, TEXT, refusal_of,
            "why that rule rejects it")},
    {PEAK(MAYBE_GOT, S, taken.estimate, "taken from the device")},
    MAYBE_IN(S, taken.estimate, usable_bytes, "that a GPU has for it"),
    {STEP(MAYBE_GOT, S, taken.estimate, "time of a step")},
    {FIELD("tokens_per_s_per_gpu", JSON_GOT(DOUBLE, step_rate_of),
            JSON_ZERO_IS_NULL, "of one GPU")},
    {GOT("bottleneck", S, taken, p3d_advice_step, TEXT, bottleneck_of,
            "longest term but for the GEMMs")},
    ARRAY_IN(S, taken, decision, "the move that led here"),
    ARRAY_IN(S, taken, reason, "the number that decided"),
};
const json_shape report_step_shape = REPORT_SHAPE(
        S, step_fields, "one step of the walk");

#define I p3d_memory_item
static const json_field item_fields[] = {
    {GOT_OF_ALL("term", TEXT, term_of, "of the memory that it belongs to")},
    ROW(I, name, "of the tensor or buffer"),
    {GOT_OF_ALL("shape", STRING, sizes_of, "of one tensor, on this rank")},
    ROW(I, n_tensors, "layers times micro-batches"),
    ROW(I, bytes, "of all of them"),
    ROW(I, why, "it is alive"),
    ROW(I, source, "where that was read"),
};
const json_shape report_item_shape = REPORT_SHAPE(
        I, item_fields, "a line of the table of tensors");

#define FOUND_ROWS                                                             \
    WORD_ROW(D, verdict, p3d_verdict, spec_verdict_word,                       \
            "fits: a plan is as sure to fit as was asked; fits_barely: one "   \
            "fits by the estimate; does_not_fit"),                             \
    ROW(D, fit_probability_frac, "of the best or closest plan"),        \
    ANSWER_ROW(best, "the plan of --objective"),                               \
    ANSWER_ROW(recommended, "sure to fit, about as fast as any, the simplest"),\
    ANSWER_ROW(fastest, "of all that fit by the estimate"),                    \
    ANSWER_ROW(roomiest, "of the sure ones about as fast as any"),             \
    ANSWER_ROW(usual, "where the recommended plan has unusual settings: "      \
            "the fastest sure one that has none"),                             \
    ANSWER_ROW(closest, "when none fits, the one that misses least"),          \
    LIST_ROW(D, plans, report_answer_shape,                                    \
            "the best, then the fastest sure ones of other kinds"),            \
    SEARCH_ROW,                                                                \
    LIST_ROW(D, changes, change_shape,                                  \
            "that make it fit, cheapest first"),                               \
    MAYBE_ROW(D, smallest_cluster_gpus,                                    \
            "GPUs of the smallest cluster found on which it fits"),            \
    EVIDENCE_ROW,                                                              \
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
    EVIDENCE_ROW,
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
static const json_field evidence_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "evidence"),
    ANSWER_ROW(estimate, "the plan that runs are near to"),
    LIST_ROW(D, nearest, report_near_run_shape,
            "the nearest measured runs, near or not"),
    ASSUMED_ROW,
};
static const json_field error_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "error"),
    ANSWER_ROW(estimate, "the plan whose step is in doubt"),
    {TYPED("error", D, budget, JSON_OBJECT(report_budget_shape),
            p3d_error_budget, "where the error of its step comes from")},
    ASSUMED_ROW,
};
static const json_field network_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "network"),
    ANSWER_ROW(estimate, "the plan that uses the network"),
    {TYPED("network", D, network, JSON_OBJECT(report_network_shape),
            p3d_network, "which of its links are tight")},
    ASSUMED_ROW,
};
static const json_field why_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "why"),
    ANSWER_ROW(best, "the recommended plan"),
    ANSWER_ROW(closest, "when none fits, the one that misses least"),
    SEARCH_ROW,
    LIST_ROW(D, decisions, report_decision_shape,
            "for each value of each, the best plan that has it"),
    ASSUMED_ROW,
};
static const json_field compare_fields[] = {
    HEAD_ROWS("explain"),
    CONST_ROW("topic", "compare"),
    OBJECT_ROW(D, comparison, report_comparison, comparison_shape,
            "the two plans"),
    ASSUMED_ROW,
};
static const json_field advise_fields[] = {
    HEAD_ROWS("advise"),
    LIST_ROW(D, steps, report_step_shape, "of the walk, in order"),
    ANSWER_ROW(answer, "where the walk ends"),
    LIST_ROW(D, changes, change_shape, "that make it fit, cheapest first"),
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
const json_shape report_evidence_shape = REPORT_SHAPE(
        D, evidence_fields, "answer of plan3d explain ... evidence");
const json_shape report_error_document_shape =
        REPORT_SHAPE(D, error_fields, "answer of plan3d explain ... error");
const json_shape report_network_document_shape =
        REPORT_SHAPE(D, network_fields, "answer of plan3d explain ... network");
const json_shape report_why_shape =
        REPORT_SHAPE(D, why_fields, "answer of plan3d explain why");
const json_shape report_compare_shape =
        REPORT_SHAPE(D, compare_fields, "answer of plan3d explain --compare");
const json_shape report_advise_shape =
        REPORT_SHAPE(D, advise_fields, "answer of plan3d advise");

/* Export and import. */

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
    IN(R, files, title, "framework of the launch"),
    IN(R, files, profile, "framework whose costs it has"),
    IN(R, files, versions, "that its options were read from"),
    MAYBE_IN(R, files, measured_step_s,
            "median of the log's steps after the first two"),
    MAYBE_IN(R, files, n_measured_steps,
            "of these steps, or of all where there are few"),
    MAYBE_IN(R, files, measured_allocated_bytes,
            "largest allocation of a rank in the log"),
    MAYBE_IN(R, files, measured_reserved_bytes,
            "largest reservation of a rank in the log"),
    SIGNED_KNOWN_ROW(R, error_frac, "predicted over measured step, less 1"),
    ROW(R, slower_by, "term of time that grew most against the best plan"),
    LINES_ROW(R, scope,
            "what the answer is of, where the files run more than a step"),
    LINES_ROW(R, defaults, "options left to the framework"),
    LINES_ROW(R, unknown, "options without a part in the plan"),
    LINES_ROW(R, unmodelled,
            "options that change what runs and are not in the estimate"),
    LINES_ROW(R, unresolved, "options that only a run would tell"),
    LINES_ROW(R, doubtful, "options that are not understood and look like a "
            "part of the plan, with what they look like"),
    LINES_ROW(R, contradicted, "what the files say in two ways, or otherwise "
            "than the cluster: what counts stands first"),
};
static const json_shape read_shape = REPORT_SHAPE(
        R, read_fields, "the files of the launch");

#define E made.estimate
#undef S
#define S report_single
static const json_field single_fields[] = {
    ROW(S, change, "values of the plan that differ, or an option of the job"),
    {AS("decision", S, made.doc, "what is changed")},
    WORDS_ROW("words", S, E, "the plan with it, as --plan reads it"),
    {STEP(GOT, S, E, "one optimizer step with it")},
    {GOT_OF_ALL("gain_s", DOUBLE, gain_of,
            "that a step takes less; negative: more, but it fits"), SIGNED},
    {GOT_OF_ALL("gain_frac", DOUBLE, gain_frac_of,
            "of the step without the change"), SIGNED},
    {PEAK(GOT, S, E, "taken from the device")},
    {GOT("margin_bytes", S, E, p3d_estimate, INT64, report_get_margin,
            "left of the device")},
    ROW(S, fit_probability_frac, "of fitting, with it"),
};
static const json_shape single_shape = REPORT_SHAPE(
        S, single_fields,
        "the best change of one decision, all else as it is");

static const json_field change_fields_of_file[] = {
    {AS("number", report_change, number,
            "of the single change, from 1; 0: the recommended plan; -1: "
            "neither"), SIGNED},
    ROW(report_change, file, "that is changed, several with commas; null: "
            "the files cannot say it"),
    ROW(report_change, diff, "of it, as diff -u writes it"),
    ROW(report_change, written, "file that it was written to; null: none"),
    ROW(report_change, refused,
            "why the files cannot say the recommended plan; null: they can, "
            "or it is theirs"),
};
static const json_shape file_change_shape = REPORT_SHAPE(
        report_change, change_fields_of_file,
        "the file of the launch with another plan in it");

static const json_field import_fields[] = {
    HEAD_ROWS("import"),
    OBJECT_ROW(D, launch, report_read, read_shape, "what the files say"),
    ANSWER_ROW(estimate, "the plan of the files"),
    ANSWER_ROW(exact_best, "the recommended plan"),
    SIGNED_KNOWN_ROW(D, gap_frac,
            "step time of the plan over that of the exact best, less 1"),
    LIST_ROW(D, single_changes, single_shape,
            "single changes that make it faster, or fit; the fastest first"),
    {TYPED("file_change", D, launch.files.change,
            JSON_OBJECT_OR_NULL(file_change_shape), const report_change *,
            "a file with the recommended plan, or with a single change")},
    SEARCH_ROW,
    ASSUMED_ROW,
};

static const json_field file_fields[] = {
    ROW(report_file, name, "without a directory"),
    ROW(report_file, executable, "may be run"),
    ROW(report_file, text, "the whole of it"),
};
static const json_shape file_shape = REPORT_SHAPE(
        report_file, file_fields, "a file of the launch");

static const json_field written_fields[] = {
    ROW(report_exported, target, "framework of the files"),
    ROW(report_exported, versions, "that its options were read from"),
    ROW(report_exported, profile, "framework whose costs were taken"),
    ROW(report_exported, launcher, "that starts the processes"),
    ROW(report_exported, directory, "of the files; null = not written"),
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

/* The document inside of the page. */

/* clang-format off */
static const json_field option_fields[] = {
    ROW(report_option, name, "without the dashes"),
    ROW(report_option, value, "as it was given; null = a flag"),
};
static const json_shape option_shape = REPORT_SHAPE(
        report_option, option_fields, "an option of the command line");

#define O report_origin
static const json_field origin_fields[] = {
    ROW(O, model, "word of the command line"),
    ROW(O, model_text, "its config.json"),
    ROW(O, cluster, "word of the command line"),
    ROW(O, cluster_text, "of the file that it names, if any"),
    ROW(O, calibration_text, "of the file of --calibration, if any"),
    ROW(O, plan, "as --plan reads it"),
    LIST_ROW(O, options, option_shape, "of the job"),
};
static const json_shape origin_shape = REPORT_SHAPE(
        O, origin_fields, "the question, for plan3d import");

#undef C
#define C report_cell
static const json_field cell_fields[] = {
    ROW(C, tp, "tensor-parallel ranks"),
    ROW(C, pp, "pipeline ranks"),
    ROW(C, legal, "some plan is"),
    ROW(C, fits, "some plan is sure to"),
    ROW(C, barely, "by the estimate some plan fits, and none is sure to"),
    ROW(C, words, "the fastest, or the one that misses least"),
    MAYBE_ROW(C, step_s, "time of its step"),
    MAYBE_ROW(C, missing_bytes, "that a GPU would need more"),
    ROW(C, rule, "that rejects, where none is legal"),
    ROW(C, reason, "why it does"),
};
static const json_shape cell_shape = REPORT_SHAPE(
        C, cell_fields, "the best plan with these ranks");

#define P report_point
static const json_field point_fields[] = {
    ROW(P, words, "the plan as --plan reads it"),
    ROW(P, step_s, "time of its step"),
    SIGNED_ROW(P, margin_bytes, "that stay free on the tight GPU"),
    ROW(P, on_front, "no other point is faster with as much margin, or as fast "
            "with more"),
    ROW(P, sure, "as sure to fit as the job asks"),
    ROW(P, fit_probability_frac, "of fitting"),
};
static const json_shape point_shape = REPORT_SHAPE(
        P, point_fields, "a plan that fits");

#undef S
#define S report_scale
static const json_field scale_fields[] = {
    ROW(S, n_gpus, "GPUs"),
    ROW(S, legal, "some plan is"),
    ROW(S, fits, "some plan does"),
    ROW(S, words, "the fastest, or the one that misses least"),
    MAYBE_ROW(S, step_s, "time of its step"),
    MAYBE_ROW(S, tokens_per_s, "of the whole cluster"),
    MAYBE_ROW(S, efficiency_frac,
            "tokens/s of a GPU over those on the asked cluster"),
    MAYBE_ROW(S, missing_bytes, "that a GPU would need more"),
    MAYBE_ROW(S, billion_tokens_usd, "rent for 1e9 tokens: with failures where "
            "tokens were asked (--tokens), else if nothing fails"),
    MAYBE_ROW(S, training_s, "wall-clock time of the whole training"),
    MAYBE_ROW(S, training_usd, "cost of the whole training"),
    ROW(S, reason, "why none is legal"),
};
static const json_shape scale_shape = REPORT_SHAPE(
        S, scale_fields, "the best plan on a number of GPUs");

#define W report_swing
static const json_field swing_fields[] = {
    ROW(W, name, "constants that one measurement tells"),
    ROW(W, measure, "what to run to know them"),
    ROW(W, sigma, "standard error of their logarithm"),
    ROW(W, low_s, "step of the plan, when they are lower by that"),
    ROW(W, high_s, "step of the plan, when they are higher by that"),
};
static const json_shape swing_shape = REPORT_SHAPE(
        W, swing_fields, "what an error of some constants does to the step");

static const json_field page_file_fields[] = {
    ROW(report_file, name, "without a directory"),
    ROW(report_file, executable, "may be run"),
};
static const json_shape page_file_shape = REPORT_SHAPE(
        report_file, page_file_fields,
            "a file of the launch; its text is above");

#define T report_target
static const json_field target_fields[] = {
    ROW(T, name, "as --to reads it"),
    ROW(T, title, "of the framework"),
    ROW(T, versions, "that its options were read from"),
    ROW(T, can, "it can run the plan"),
    ROW(T, fits, "by its own rules and costs"),
    MAYBE_ROW(T, step_s, "by its own rules and costs"),
    ROW(T, reason, "why it cannot"),
    LIST_ROW(T, files, page_file_shape, "that launch it"),
};
static const json_shape target_shape = REPORT_SHAPE(
        T, target_fields, "the launch with a framework");

/* Without the seconds of the search: the same question gives the same file. */
#undef R
#define R p3d_search_result
static const json_field page_search_fields[] = {
    ROW(R, n_plans, "legal plans in the space"),
    ROW(R, n_cut, "of them, too slow by a bound"),
    ROW(R, n_too_large, "of them, too large"),
    ROW(R, n_dominated, "of them, one that does less is faster"),
    ROW(R, n_evaluated, "of them, time and memory were computed"),
    ROW(R, floor_s, "no plan takes less; 0 = there is none"),
    ROW(R, cut_s, "smallest bound of a plan that was cut"),
    ROW(R, runner_up_s, "the fastest plan of another kind"),
    {GOT_OF_ALL("runner_up_gap_frac", DOUBLE, gap_of,
            "how much longer than the best it takes")},
};
static const json_shape page_search_shape = REPORT_SHAPE(
        R, page_search_fields, "how the plans were found");

static const json_field answer_fields[] = {
    ROW(D, fits, "the plan does"),
    QUESTION_ROWS,
    ANSWER_ROW(estimate, "the plan of the page"),
    LIST_ROW(D, changes, change_shape, "that make it fit, cheapest first"),
    OBJECT_ROW(D, search, p3d_search_result, page_search_shape,
            "how it was found"),
    ASSUMED_ROW,
};
static const json_shape answer_shape = REPORT_SHAPE(
        D, answer_fields, "the answer");

#define G report_page
static const json_field page_fields[] = {
    SCHEMA_ROWS("report"),
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
