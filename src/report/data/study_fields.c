/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_fields.c - the JSON documents of sweep, backtest, calibrate and
 * validate, by tables. */
#include "report/study.h"

#include <string.h>

#include "base/util.h"
#include "report/data/fields.h"
#include "spec/words.h"

/* clang-format off */
#define R p3d_sweep_row
#define RANGED(f, d)                                                           \
    MAYBE_ROW(R, f, d),                                                        \
    {MAYBE("low_" #f, R, low.f, "lower end of its range")},                    \
    {MAYBE("high_" #f, R, high.f, "upper end of its range")}
#define CHOICE(at, d)                                                          \
    {AS(#at "_plan", R, at.plan, d)},                                          \
    {MAYBE(#at "_step_s", R, at.step_s, "time of its step")},                  \
    {AS(#at "_margin_bytes", R, at.margin_bytes,                               \
            "usable less its peak"), SIGNED},                                  \
    {AS(#at "_fit_probability_frac", R, at.fit_probability_frac,               \
            "that it fits; 0 = none does")}
static const json_field row_fields[] = {
    ROW(R, cluster, "GPUs x type"),
    ROW(R, type, "of the cluster, as it was asked for"),
    ROW(R, beside, "options of --beside or --oversubscription that the row "
        "has; null: it has none"),
    ROW(R, gpu, "its name in full"),
    ROW(R, n_gpus, "GPUs"),
    MAYBE_ROW(R, n_nodes, "nodes; null where they are not full"),
    MAYBE_ROW(R, seq_len, "tokens per sequence"),
    MAYBE_ROW(R, global_batch, "sequences per step"),
    ROW(R, framework, "training framework"),
    ROW(R, any_framework, "it was chosen by --framework any"),
    ROW(R, legal, "some plan is"),
    ROW(R, refusal, "why no plan is legal"),
    ROW(R, fits, "some plan does, by the estimate"),
    WORD_ROW(R, verdict, p3d_verdict, spec_verdict_word,
        "fits: as sure as was asked; fits_barely: by the estimate"),
    ROW(R, fit_probability_frac, "of the plan; 0 = none is legal"),
    ROW(R, idle_gpus, "of the GPUs, that the plan does not use (--idle)"),
    ROW(R, on_front, "no row with such sequences is at least as good in "
            "GPUs, time, money, energy and margin, and better in one"),
    ROW(R, role, "with a deadline: smallest, cheapest, smallest and "
            "cheapest, closest or largest"),
    ROW(R, plan, "as --plan reads it: that of --objective, or the one "
            "that misses the least"),
    MAYBE_ROW(R, peak_bytes, "memory of the tight rank"),
    MAYBE_ROW(R, usable_bytes, "memory that a GPU has for it"),
    SIGNED_ROW(R, margin_bytes, "usable less peak"),
    ROW(R, missing_bytes, "that a GPU lacks; 0 when it fits"),
    RANGED(step_s, "time of a step"),
    RANGED(tokens_per_s, "of the whole cluster"),
    RANGED(tokens_per_s_per_gpu, "of one GPU"),
    RANGED(mfu_frac, "FLOPs of the model over the dense peak"),
    MAYBE_ROW(R, n_tokens, "tokens of the whole training"),
    ROW(R, never_ends, "the training fails faster than it works"),
    RANGED(training_s, "time of the whole training, with failures"),
    MAYBE_ROW(R, goodput_frac, "of it, in which the steps run that stay"),
    RANGED(training_kwh, "energy of the whole training"),
    RANGED(training_gpu_h, "GPU-hours of the whole training"),
    MAYBE_ROW(R, usd_per_gpu_h, "price of one GPU-hour"),
    RANGED(training_usd, "cost of the whole training"),
    RANGED(billion_tokens_usd, "rent for 1e9 tokens: with failures where "
            "tokens were asked (--tokens), else if nothing fails"),
    CHOICE(fastest, "of all plans that fit by the estimate the fastest"),
    CHOICE(roomiest, "of the sure plans about as fast as any the roomiest"),
    ROW(R, n_plans, "legal plans that were searched"),
};

#define C p3d_sweep_scan
static const json_field scan_fields[] = {
    ROW(C, type, "of the clusters"),
    MAYBE_ROW(C, seq_len, "tokens per sequence; null: the model's"),
    MAYBE_ROW(C, global_batch, "sequences per step; null: the default of "
            "each number of GPUs"),
    ROW(C, framework, "null: the default"),
    ROW(C, met, "some number of GPUs meets the deadline"),
    ROW(C, complete, "it was not interrupted"),
    ROW(C, least_gpus, "smallest cluster that was looked at"),
    ROW(C, most_gpus, "largest cluster that was looked at"),
    ROW(C, n_counts, "numbers of GPUs that were looked at"),
    ROW(C, n_searched, "of them, whose plans were searched"),
    ROW(C, n_skipped, "of them, too slow or too dear even at the peak of "
            "their GPUs"),
};
static const json_shape scan_shape = REPORT_SHAPE(
        C, scan_fields, "clusters of one type, and one job");

#define S report_sweep
/* Of what was found. */
#define FOUND(f, d) IN(S, found, f, d)
#define BEST_ROW(f, d)                                                         \
    {TYPED(#f, S, found.f, JSON_OBJECT_OR_NULL(report_sweep_row_shape),        \
            const R *, d)}
static const json_field sweep_fields[] = {
    SCHEMA_ROWS("sweep"),
    FOUND(fits, "some row does; with a deadline: it is met"),
    FOUND(complete, "it was not interrupted"),
    ROW(S, answer, "with --answer, --beside, --find or --deadline: the answer "
            "in one sentence"),
    {TYPED("model", S, question, JSON_OBJECT(report_model_shape),
           report_question, "the model")},
    MAYBE_ROW(S, n_tokens, "tokens of the whole training"),
    MAYBE_ROW(S, deadline_s, "time that the training may take"),
    ROW(S, deadline_of, "the cluster whose time that is"),
    MAYBE_ROW(S, budget_usd, "money that the training may cost"),
    FOUND(n_asked, "combinations; with a deadline, clusters looked at"),
    FOUND(n_found, "rows, with those that --pareto leaves out"),
    FOUND(n_fit, "of them, that fit"),
    FOUND(n_illegal, "of them, without a legal plan"),
    FOUND(n_front, "of them, Pareto-optimal"),
    FOUND(seconds, "time of all searches"),
    BEST_ROW(smallest, "fewest GPUs that meet the deadline"),
    BEST_ROW(cheapest, "that meets it, by cost, or GPU-hours without a price"),
    BEST_ROW(closest, "when none meets it, the fastest"),
    LIST_ROW(S, rows, report_sweep_row_shape,
            "one for each combination, in the order of the command line"),
    LIST_ROW(S, scans, scan_shape, "how the deadline was looked for"),
};
/* clang-format on */

const json_shape report_sweep_row_shape =
        REPORT_SHAPE(R, row_fields, "the best plan of one combination");
const json_shape report_sweep_shape =
        REPORT_SHAPE(S, sweep_fields, "answer of plan3d sweep");

/* Backtest. */

/* clang-format off */
#undef S
#define S p3d_score
static const json_field score_fields[] = {
    ROW(S, n_rows, "rows that were predicted and measured"),
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

#undef R
#define R p3d_rank_score
static const json_field rank_fields[] = {
    ROW(R, n_sets, "sets of runs of one job with different plans"),
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

#define D p3d_backtest_band
static const json_field band_fields[] = {
    ROW(D, low_frac, "probabilities from this on"),
    ROW(D, high_frac, "and below this; the last with it"),
    ROW(D, n_rows, "runs that were given such a probability"),
    ROW(D, n_ran, "of these, ran"),
    KNOWN_ROW(D, ran_frac, "share of them"),
};
static const json_shape band_shape = REPORT_SHAPE(
        D, band_fields, "runs that were about as sure to fit");

#define W p3d_backtest_fits
GETTER(bands_of, W, list, ((json_list){x->bands, P3D_BACKTEST_BANDS}))
static const json_field fits_fields[] = {
    ROW(W, n_rows, "runs that ran or lacked memory"),
    ROW(W, n_right, "of these, the estimate said what was seen"),
    KNOWN_ROW(W, right_frac, "share of them"),
    LIST_GOT_ROW("bands", band_shape, bands_of,
            "by the probability of fitting that the peaks of all other "
            "sources give, from low to high"),
};
static const json_shape fits_shape = REPORT_SHAPE(
        W, fits_fields, "who fits: said and seen");

#undef C
#define O p3d_backtest_oom
static const json_field oom_fields[] = {
    ROW(O, n_failed, "runs that failed for lack of memory"),
    ROW(O, n_failed_predicted, "of these, predicted to need too much"),
    ROW(O, n_ran, "runs that did not: with a step time or a peak"),
    ROW(O, n_ran_predicted, "of these, predicted to fit"),
};
static const json_shape oom_shape = REPORT_SHAPE(
        O, oom_fields, "does it fit: predicted and seen");

#define C p3d_backtest_source
#define SCORE_ROWS(C)                                                          \
    OBJECT_ROW(C, time, p3d_score, score_shape, "of the step time"),           \
    OBJECT_ROW(C, memory, p3d_score, score_shape, "of the peak memory"),       \
    OBJECT_ROW(C, rank, p3d_rank_score, rank_shape, "of the order of plans"),  \
    OBJECT_ROW(C, fits, p3d_backtest_fits, fits_shape, "of who fits"),         \
    KNOWN_ROW(C, inside_frac, "share of the steps in their 80 % range, which " \
              "the runs of all other sources give")
static const json_field summary_fields[] = {
    SCORE_ROWS(C),
    OBJECT_ROW(C, median_time, p3d_score, score_shape,
            "of the step time by the medians of the ranges"),
    KNOWN_ROW(C, macro_inside_frac,
            "mean over the sources with at least 5 rows of each one's share"),
};
static const json_field source_fields[] = {
    ROW(C, source, "name of the source"),
    SCORE_ROWS(C),
    OBJECT_ROW(C, oom, p3d_backtest_oom, oom_shape, "does it fit"),
};
static const json_field guess_fields[] = {
    {TYPED("time", C, guess_time, JSON_OBJECT(score_shape), p3d_score,
           "of the step time")},
    {TYPED("rank", C, guess_rank, JSON_OBJECT(rank_shape), p3d_rank_score,
           "of any plan of a set")},
};
static const json_shape summary_shape = REPORT_SHAPE(
        C, summary_fields, "all sources");
const json_shape report_source_shape = REPORT_SHAPE(
        C, source_fields, "one source");
static const json_shape guess_shape = REPORT_SHAPE(
        C, guess_fields, "the same rows at a constant share of the peak");

#define K p3d_backtest_skipped
static const json_field skipped_fields[] = {
    ROW(K, what, "time, memory or rank"),
    ROW(K, reason, "why they cannot be predicted"),
    ROW(K, n_rows, "rows, or sets"),
    ROW(K, first_id, "the first of them"),
};
static const json_shape skipped_shape = REPORT_SHAPE(
        K, skipped_fields, "rows that are not scored for one reason");

#define A p3d_backtest_assumed
static const json_field assumed_fields[] = {
    ROW(A, words, "what is not stated, or not modelled: what is put in"),
    ROW(A, n_rows, "scored rows"),
};
static const json_shape assumed_shape = REPORT_SHAPE(
        A, assumed_fields, "something that was assumed");

#define N p3d_backtest_row
static const json_field run_fields[] = {
    ROW(N, id, "name of the row"),
    ROW(N, source, "name of the source"),
    MAYBE_ROW(N, measured_step_s, "as stated"),
    MAYBE_ROW(N, predicted_step_s, "by plan3d"),
    MAYBE_ROW(N, measured_peak_bytes, "as stated"),
    MAYBE_ROW(N, predicted_peak_bytes,
            "by plan3d, of the rank and the meter that were measured"),
    SIGNED_KNOWN_ROW(N, error_frac, "predicted / measured - 1 of the step, or "
            "of the peak where the step is not scored"),
    ROW(N, skipped, "why the row is not scored"),
    ROW(N, fit, "ran, or lacked memory; where memory is scored"),
    ROW(N, predicted_fit, "fits, or lacks memory"),
    MAYBE_ROW(N, n_gpus, "that it ran on"),
    MAYBE_ROW(N, seq_len, "tokens of a sequence"),
    MAYBE_ROW(N, global_batch, "sequences of a step"),
    ROW(N, dtype, "of the matrix products"),
    ROW(N, framework, "whose profile predicts it; null: none does"),
    ROW(N, meter, "of the peak: allocated, reserved or device"),
    ROW(N, experts, "the model has them"),
    ROW(N, stands_in, "the profile is of a similar framework"),
    ROW(N, several_nodes, "it ran on more than one"),
    ROW(N, host_bound, "the host takes more than 10 % of the step"),
    ROW(N, many_gpus, "more than 1,024: few sources have as many"),
    MAYBE_ROW(N, taken_frac, "predicted peak over the memory of its GPU"),
    MAYBE_ROW(N, fit_probability_frac,
            "of fitting, by the peaks of all other sources"),
    MAYBE_ROW(N, low_step_s, "80 % range, by the runs of all other sources"),
    MAYBE_ROW(N, median_step_s, "of that range: half of the runs are slower"),
    MAYBE_ROW(N, high_step_s, "80 % range, by the runs of all other sources"),
};
const json_shape report_run_shape = REPORT_SHAPE(
        N, run_fields, "one measured run");

#define B report_backtest
static const json_field backtest_fields[] = {
    SCHEMA_ROWS("backtest"),
    ROW(B, file, "the table of runs"),
    IN(B, found, n_file_rows, "rows of the table, of the sources asked for"),
    {TYPED("summary", B, found.summary, JSON_OBJECT(summary_shape),
           p3d_backtest_source, "all sources")},
    {TYPED("oom", B, found.oom, JSON_OBJECT(oom_shape), p3d_backtest_oom,
           "does it fit")},
    IN(B, found, guess_mfu_frac, "share of the peak of the constant guess"),
    {TYPED("guess", B, found.summary, JSON_OBJECT(guess_shape),
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

/* Calibrate and validate. */

/* clang-format off */
#define F p3d_form_result
static const json_field form_fields[] = {
    ROW(F, name, "cost form"),
    ROW(F, n_points, "measurements of it"),
    ROW(F, n_least, "fewest points of a fit"),
    ROW(F, fitted, "else the constants are those from before"),
    MAYBE_ROW(F, old_error_frac, "mean error of the constants from before"),
    MAYBE_ROW(F, new_error_frac, "mean error of the fit"),
    MAYBE_ROW(F, held_error_frac, "mean error on points that a fit to the "
              "other four fifths had not seen"),
    ROW(F, measure, "command that measures it"),
};
const json_shape report_form_shape =
        REPORT_SHAPE(F, form_fields, "a cost form");

#define U p3d_left_rows
static const json_field left_fields[] = {
    ROW(U, what, "rows that were measured"),
    ROW(U, why, "why no form is fitted to them"),
    ROW(U, n_rows, "of them"),
};
static const json_shape left_shape =
        REPORT_SHAPE(U, left_fields, "rows that no form is fitted to");

#undef O
#define O p3d_own_score
static const json_field own_score_fields[] = {
    {AS("id", O, run.id, "that its owner calls it by")},
    {AS("framework", O, run.framework, "whose profile predicts it")},
    {AS("network", O, run.network,
        "between its nodes; empty = not known, or one node")},
    {AS("parameters", O, run.n_params, "of the model")},
    {AS("experts", O, run.experts, "the model has experts")},
    {MAYBE("measured_step_s", O, run.measured_step_s, "of a step")},
    {MAYBE("predicted_step_s", O, run.predicted_step_s,
        "with the constants from before")},
    {KNOWN(O, error_frac, "predicted / measured - 1"), SIGNED},
    {KNOWN(O, held_error_frac, "the same after the other runs"), SIGNED},
    {MAYBE("measured_peak_bytes", O, run.measured_peak_bytes,
        "of the tight GPU")},
    {MAYBE("predicted_peak_bytes", O, run.predicted_peak_bytes,
        "the same, predicted")},
    {KNOWN(O, peak_error_frac, "predicted / measured - 1"), SIGNED},
    {AS("log_steps", O, log.n_steps,
        "of a log: reports that the median is of; 0 = of a table")},
    {AS("log_warm_up", O, log.n_warm_up,
        "of a log, left out: reports of the first steps")},
    {AS("log_repeated", O, log.n_repeated,
        "left out: of other ranks, or of a step that was there")},
    {AS("log_other_runs", O, log.n_other_runs, "left out: of other runs")},
    {AS("log_other_batches", O, log.n_other_batches,
        "left out: of steps of another batch")},
    {AS("log_counted", O, log.n_counted,
        "of a bar that counts micro-batches: of so many it is the mean")},
    {AS("log_whole_run", O, log.whole_run,
        "the log has a mean over all of it, the first steps in it")},
};
const json_shape report_own_score_shape =
        REPORT_SHAPE(O, own_score_fields, "a measured run of the user's own");

#undef R
#define R report_calibrated
static const json_field calibrated_fields[] = {
    SCHEMA_ROWS("calibrate"),
    ROW(R, gpu, "GPU of hardware/gpu"),
    ROW(R, base, "calibration from before"),
    ROW(R, device, "that was measured, as its driver has it"),
    ROW(R, driver, "of the device"),
    ROW(R, date, "of the first measurement, UTC"),
    ROW(R, file, "that was written; null = none"),
    LIST_ROW(R, forms, report_form_shape, "every cost form; empty of runs"),
    LIST_ROW(R, left, left_shape, "measured and not fitted to; empty = none"),
    LIST_ROW(R, runs, report_own_score_shape,
        "measured runs of the user's own"),
    MAYBE_ROW(R, median_error_frac, "of the runs' steps, without sign"),
    MAYBE_ROW(R, median_held_error_frac, "the same, each after the others"),
};
/* clang-format on */

const json_shape report_calibrated_shape =
        REPORT_SHAPE(R, calibrated_fields, "answer of plan3d calibrate");

static const char *verdict_word(int i)
{
    static const char *const words[] = {
            "holds", "does not hold", "not run", "not measured"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* clang-format off */
#undef C
#define C p3d_comparison
static const json_field comparison_fields[] = {
    ROW(C, name, "kind of operation"),
    ROW(C, n_wanted, "operations of the plan"),
    ROW(C, n_found, "of them, measured"),
    ROW(C, n_points, "measurements of these"),
    ROW(C, planned_s, "of these in a step, as predicted, on the rank "
               "that has the most of each"),
    ROW(C, missing_s, "of those that were not measured"),
    MAYBE_ROW(C, median_ratio, "measured over predicted time"),
    MAYBE_ROW(C, low_ratio, "a tenth is below"),
    MAYBE_ROW(C, high_ratio, "a tenth is above"),
    MAYBE_ROW(C, worst_ratio, "farthest from 1"),
    MAYBE_ROW(C, worst_measured_s, "of the worst operation"),
    MAYBE_ROW(C, worst_predicted_s, "of the worst operation"),
    ROW(C, worst, "the operation that is farthest off"),
};
const json_shape report_kind_shape = REPORT_SHAPE(C,
        comparison_fields, "operations of one kind, measured and predicted");

#undef S
#define S p3d_step_check
static const json_field step_fields[] = {
    ROW(S, predicted_s, "with the constants from before"),
    MAYBE_ROW(S, calibrated_s, "with those fitted to the measurements; null = "
              "none could be fitted"),
    SIGNED_ROW(S, change_frac, "calibrated over predicted, less 1"),
    MAYBE_ROW(S, best_s, "the recommended plan with the fitted constants"),
    SIGNED_ROW(S, regret_frac, "what the plan takes longer than that"),
    ROW(S, is_best, "the plan is still the recommended one"),
    ROW(S, best_plan, "the fastest then, as --plan reads it"),
};
static const json_shape step_shape =
        REPORT_SHAPE(S, step_fields, "time of a step");

#define M p3d_had_memory
static const json_field memory_fields[] = {
    ROW(M, measured, "else the rest says nothing"),
    ROW(M, fits, "the tensors of the peak could be had"),
    ROW(M, wanted_bytes, "allocated at the peak, as predicted"),
    MAYBE_ROW(M, largest_bytes, "that could be allocated"),
    MAYBE_ROW(M, context_bytes, "taken by the device's context"),
};
static const json_shape memory_shape =
        REPORT_SHAPE(M, memory_fields, "memory of the tight GPU");

#undef B
#define B report_bench
static const json_field bench_fields[] = {
    ROW(B, command, "command line"),
    ROW(B, n_measurements, "that it makes"),
};
static const json_shape bench_shape =
        REPORT_SHAPE(B, bench_fields, "a command to run");

#define T p3d_trace_term
static const json_field term_fields[] = {
    ROW(T, name, "part of a step"),
    ROW(T, predicted_s, "of a step"),
    ROW(T, recomputed_s, "of predicted_s, what recomputation runs again"),
    ROW(T, measured_s, "of a step, mean of those traced"),
    SIGNED_ROW(T, difference_s, "measured less predicted"),
    MAYBE_ROW(T, n_planned, "kernels of a step, as planned"),
    ROW(T, n_measured, "kernels of a step"),
    ROW(T, cause, "why they differ; empty = they do not"),
};
const json_shape report_traced_term_shape = REPORT_SHAPE(T,
        term_fields, "a part of a step, predicted and traced");

#undef S
#define S p3d_traced_step
static const json_field traced_fields[] = {
    ROW(S, n_steps, "steps of the trace"),
    ROW(S, predicted_s, "a step, as estimated"),
    ROW(S, measured_s, "mean of the steps"),
    ROW(S, shortest_s, "of the steps"),
    ROW(S, longest_s, "of the steps"),
    SIGNED_ROW(S, change_frac, "measured over predicted, less 1"),
    ROW(S, hidden_s, "communication of a step beside other kernels"),
};
static const json_shape traced_shape =
        REPORT_SHAPE(S, traced_fields, "a traced step");

#undef K
#define K p3d_ranks_kind
static const json_field ranks_kind_fields[] = {
    ROW(K, name, "what a rank does in a step"),
    ROW(K, mean_s, "of the traced ranks"),
    ROW(K, fastest_s, "of a rank"),
    ROW(K, fastest_rank, "which"),
    ROW(K, slowest_s, "of a rank"),
    ROW(K, slowest_rank, "which"),
};
static const json_shape ranks_kind_shape =
        REPORT_SHAPE(K, ranks_kind_fields, "a part of a step over ranks");

#undef C
#define C p3d_ranks_collective
static const json_field ranks_collective_fields[] = {
    ROW(C, name, "kind of collective"),
    ROW(C, n_calls, "in a step, of the mean rank"),
    ROW(C, mean_s, "of the mean rank in a step: transfer and waiting"),
    ROW(C, transfer_s, "of it, what the rank takes that comes last"),
    ROW(C, waiting_s, "of it, waiting for that rank"),
    SIGNED_ROW(C, last_rank, "that is waited for longest; -1 = none is"),
    ROW(C, last_frac, "of all waiting, that for this rank"),
};
static const json_shape ranks_collective_shape = REPORT_SHAPE(C,
        ranks_collective_fields, "collectives that several ranks ran");

#undef S
#define S p3d_ranks_stage
static const json_field ranks_stage_fields[] = {
    ROW(S, stage, "of the pipeline, from 0"),
    ROW(S, n_ranks, "traced"),
    ROW(S, computing_s, "of its mean rank in a step"),
    ROW(S, bubble_s, "of its mean rank in a step"),
};
static const json_shape ranks_stage_shape =
        REPORT_SHAPE(S, ranks_stage_fields, "a traced stage of the pipeline");

#undef R
#define R p3d_traced_ranks
static const json_field ranks_fields[] = {
    ROW(R, n_traces, "ranks that were traced"),
    ROW(R, compared_rank, "that computes longest; compared with the estimate"),
};
static const json_shape ranks_shape =
        REPORT_SHAPE(R, ranks_fields, "several traced ranks");

#define V report_validated
static const json_field validated_fields[] = {
    SCHEMA_ROWS("validate"),
    WORD_ROW(V, verdict, int, verdict_word,
             "whether the plan holds on the machine"),
    ROW(V, why_not, "why nothing was measured; null = it was"),
    ROW(V, tolerance_frac, "what may be off by less"),
    ROW(V, model, "name of the model"),
    ROW(V, cluster, "the cluster in words"),
    ROW(V, plan, "as --plan reads it"),
    ROW(V, device, "that was measured, as its driver has it"),
    ROW(V, driver, "of the device"),
    ROW(V, date, "of the first measurement"),
    ROW(V, covered_frac, "share of the planned seconds that was "
               "measured"),
    LIST_ROW(V, kinds, report_kind_shape, "kinds of operations of the plan"),
    OBJECT_OR_NULL_ROW(V, all, p3d_comparison, report_kind_shape,
            "all of them, but for sustained products"),
    OBJECT_OR_NULL_ROW(V, step, p3d_step_check, step_shape,
            "the step with the measured constants"),
    OBJECT_OR_NULL_ROW(V, memory, p3d_had_memory, memory_shape,
            "whether the peak was had"),
    OBJECT_OR_NULL_ROW(V, trace, p3d_traced_step, traced_shape,
            "the steps of --trace"),
    LIST_ROW(V, terms, report_traced_term_shape,
            "where they differ from the prediction"),
    OBJECT_OR_NULL_ROW(V, ranks, p3d_traced_ranks, ranks_shape,
            "of several traces; null = of one"),
    LIST_ROW(V, rank_kinds, ranks_kind_shape, "what is slow on which rank"),
    LIST_ROW(V, rank_collectives, ranks_collective_shape,
            "how much of them is waiting"),
    LIST_ROW(V, rank_stages, ranks_stage_shape, "of the pipeline"),
    LIST_ROW(V, forms, report_form_shape, "cost forms and their fits"),
    ROW(V, file, "calibration that was written; null = none"),
    LINES_ROW(V, reasons, "why the plan does not hold"),
    LINES_ROW(V, notes, "what the answer does not say"),
    LIST_ROW(V, commands, bench_shape, "that measure it elsewhere"),
    ROW(V, n_measurements, "that these make"),
};
/* clang-format on */

const json_shape report_validated_shape =
        REPORT_SHAPE(V, validated_fields, "answer of plan3d validate");

/* The rows of a part of a sweep, an object a line. */

enum { MOST_FIELDS = 128 };

/* What hangs on the rows of other parts. */
static bool is_of_all(const json_field *field)
{
    return strcmp(field->key, "on_front") == 0;
}

void report_print_sweep_part(const report_sweep *sweep, p3d_text *out)
{
    const json_shape *const whole = &report_sweep_row_shape;
    json_field fields[MOST_FIELDS];
    json_shape own = *whole;

    P3D_ASSERT(whole->n_fields <= MOST_FIELDS);
    own.fields = fields;
    own.n_fields = 0;
    for (int i = 0; i < whole->n_fields; i++) {
        if (!is_of_all(&whole->fields[i]))
            fields[own.n_fields++] = whole->fields[i];
    }
    for (int i = 0; i < sweep->rows.n; i++) {
        const char *const rows = sweep->rows.items;
        json_writer writer = {.out = out, .one_line = true};

        json_put_object(&writer, NULL, &own, rows + (size_t)i * own.size);
        p3d_text_add(out, "\n");
    }
}
