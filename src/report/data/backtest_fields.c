/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest_fields.c - the JSON document of backtest, by tables. */
#include "plan3d/version.h"
#include "report/backtest.h"
#include "report/data/fields.h"

/* clang-format off */
#define S p3d_score
static const json_field score_fields[] = {
    INT_ROW(S, n_rows, "rows that were predicted and measured"),
    KNOWN_ROW(S, median_abs_error_frac, "of |predicted / measured - 1|"),
    KNOWN_ROW(S, mean_abs_error_frac, "of |predicted / measured - 1|"),
    KNOWN_ROW(S, p90_abs_error_frac,
            "nine tenths of |predicted / measured - 1| are below"),
    SIGNED_KNOWN_ROW(S, mean_signed_error_frac, "of predicted / measured - 1"),
    KNOWN_ROW(S, macro_median_abs_error_frac,
            "mean over the sources with at least 5 rows of each one's median"),
};
static const json_shape score_shape = REPORT_SHAPE(
        S, score_fields, "errors of the predictions");

#define R p3d_rank_score
static const json_field rank_fields[] = {
    INT_ROW(R, n_sets, "sets of runs of one job with different plans"),
    KNOWN_ROW(R, median_regret_frac,
            "time of the plan predicted fastest over the fastest, less 1"),
    KNOWN_ROW(R, mean_regret_frac,
            "time of the plan predicted fastest over the fastest, less 1"),
    SIGNED_KNOWN_ROW(R, mean_kendall_tau,
            "share of pairs in order less share in wrong order"),
    KNOWN_ROW(R, macro_mean_regret_frac, "mean over sources of each one's "
            "mean regret"),
};
static const json_shape rank_shape = REPORT_SHAPE(
        R, rank_fields, "how well the predictions choose");

#define C p3d_backtest_source
#define SCORE_ROWS(C)                                                          \
    OBJECT_ROW(C, time, p3d_score, score_shape, "of the step time"),           \
    OBJECT_ROW(C, memory, p3d_score, score_shape, "of the peak memory"),       \
    OBJECT_ROW(C, rank, p3d_rank_score, rank_shape, "of the order of plans")
static const json_field summary_fields[] = {SCORE_ROWS(C)};
static const json_field source_fields[] = {
    STRING_ROW(C, source, "name of the source"),
    SCORE_ROWS(C),
};
static const json_field guess_fields[] = {
    {INNER("time", C, guess_time, JSON_OBJECT(score_shape), p3d_score,
           "of the step time")},
    {INNER("rank", C, guess_rank, JSON_OBJECT(rank_shape), p3d_rank_score,
           "of any plan of a set")},
};
static const json_shape summary_shape = REPORT_SHAPE(
        C, summary_fields, "all sources");
const json_shape report_source_shape = REPORT_SHAPE(
        C, source_fields, "one source");
static const json_shape guess_shape = REPORT_SHAPE(
        C, guess_fields, "the same rows at a constant share of the peak");

#define O p3d_backtest_oom
static const json_field oom_fields[] = {
    INT_ROW(O, n_failed, "runs that failed for lack of memory"),
    INT_ROW(O, n_failed_predicted, "of these, predicted to need too much"),
    INT_ROW(O, n_ran, "runs that did not"),
    INT_ROW(O, n_ran_predicted, "of these, predicted to fit"),
};
static const json_shape oom_shape = REPORT_SHAPE(
        O, oom_fields, "does it fit: predicted and seen");

#define K p3d_backtest_skipped
static const json_field skipped_fields[] = {
    STRING_ROW(K, what, "time, memory or rank"),
    CHARS_ROW(K, reason, "why they cannot be predicted"),
    INT_ROW(K, n_rows, "rows, or sets"),
    STRING_ROW(K, first_id, "the first of them"),
};
static const json_shape skipped_shape = REPORT_SHAPE(
        K, skipped_fields, "rows that are not scored for one reason");

#define A p3d_backtest_assumed
static const json_field assumed_fields[] = {
    STRING_ROW(A, words, "what is not stated, or not modelled: what is put in"),
    INT_ROW(A, n_rows, "scored rows"),
};
static const json_shape assumed_shape = REPORT_SHAPE(
        A, assumed_fields, "something that was assumed");

#define N p3d_backtest_row
static const json_field run_fields[] = {
    STRING_ROW(N, id, "name of the row"),
    STRING_ROW(N, source, "name of the source"),
    MAYBE_ROW(N, measured_step_s, "as stated"),
    MAYBE_ROW(N, predicted_step_s, "by plan3d"),
    MAYBE_INT64_ROW(N, measured_peak_bytes, "as stated"),
    MAYBE_INT64_ROW(N, predicted_peak_bytes,
            "by plan3d, of the rank and the meter that were measured"),
    SIGNED_KNOWN_ROW(N, error_frac, "predicted / measured - 1 of the step, or "
            "of the peak where the step is not scored"),
    STRING_ROW(N, skipped, "why the row is not scored"),
};
const json_shape report_run_shape = REPORT_SHAPE(
        N, run_fields, "one measured run");

#define B report_backtest
#define FOUND(f, TYPE, CTYPE, text_)                                           \
    INNER(#f, B, found.f, TYPE, CTYPE, text_)
static const json_field backtest_fields[] = {
    CONST_ROW("schema", P3D_SCHEMA),
    CONST_ROW("command", "backtest"),
    STRING_ROW(B, file, "the table of runs"),
    {FOUND(n_file_rows, JSON_INT, int,
           "rows of the table, of the sources asked for")},
    {FOUND(summary, JSON_OBJECT(summary_shape), p3d_backtest_source,
           "all sources")},
    {FOUND(oom, JSON_OBJECT(oom_shape), p3d_backtest_oom, "does it fit")},
    {FOUND(guess_mfu_frac, JSON_DOUBLE, double,
           "share of the peak of the constant guess")},
    {INNER("guess", B, found.summary, JSON_OBJECT(guess_shape),
           p3d_backtest_source, "errors of that guess")},
    LIST_ROW(B, sources, report_source_shape,
            "by source, in order of the table"),
    LIST_ROW(B, skipped, skipped_shape, "rows that cannot be predicted"),
    LIST_ROW(B, assumed, assumed_shape, "what the predictions rest on"),
    LIST_ROW(B, rows, report_run_shape, "every row, with --rows"),
};
/* clang-format on */

const json_shape report_backtest_shape =
        REPORT_SHAPE(B, backtest_fields, "answer of plan3d backtest");
