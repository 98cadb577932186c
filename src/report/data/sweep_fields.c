/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_fields.c - the JSON document of sweep, by tables. */
#include "plan3d/version.h"
#include "report/data/fields.h"
#include "report/sweep.h"

/* clang-format off */
#define R p3d_sweep_row
static const json_field row_fields[] = {
    CHARS_ROW(R, cluster, "GPUs x type"),
    STRING_ROW(R, type, "of the cluster, as it was asked for"),
    STRING_ROW(R, gpu, "its name in full"),
    INT_ROW(R, n_gpus, "GPUs"),
    MAYBE_INT_ROW(R, n_nodes, "nodes; null where they are not full"),
    MAYBE_INT_ROW(R, seq_len, "tokens per sequence"),
    MAYBE_INT64_ROW(R, global_batch, "sequences per step"),
    STRING_ROW(R, framework, "training framework"),
    BOOL_ROW(R, any_framework, "it was chosen by --framework any"),
    BOOL_ROW(R, legal, "some plan is"),
    STRING_ROW(R, refusal, "why no plan is legal"),
    BOOL_ROW(R, fits, "some plan does"),
    INT_ROW(R, idle_gpus, "of the GPUs, that the plan does not use (--idle)"),
    BOOL_ROW(R, on_front, "no row with such sequences is at least as good in "
            "GPUs, time, money, energy and margin, and better in one"),
    STRING_ROW(R, role, "with a deadline: smallest, cheapest, smallest and "
            "cheapest, closest or largest"),
    STRING_ROW(R, plan, "as --plan reads it: the fastest that fits, or the one "
            "that misses the least"),
    MAYBE_INT64_ROW(R, peak_bytes, "memory of the tight rank"),
    MAYBE_INT64_ROW(R, usable_bytes, "memory that a GPU has for it"),
    SIGNED_INT64_ROW(R, margin_bytes, "usable less peak"),
    INT64_ROW(R, missing_bytes, "that a GPU lacks; 0 when it fits"),
    MAYBE_ROW(R, step_s, "time of a step"),
    MAYBE_ROW(R, tokens_per_s, "of the whole cluster"),
    MAYBE_ROW(R, tokens_per_s_per_gpu, "of one GPU"),
    MAYBE_ROW(R, mfu_frac, "FLOPs of the model over the dense peak"),
    BOOL_ROW(R, never_ends, "the training fails faster than it works"),
    MAYBE_ROW(R, training_s, "time of the whole training, with failures"),
    MAYBE_ROW(R, goodput_frac, "of it, in which the steps run that stay"),
    MAYBE_ROW(R, training_kwh, "energy of the whole training"),
    MAYBE_ROW(R, training_gpu_h, "GPU-hours of the whole training"),
    MAYBE_ROW(R, usd_per_gpu_h, "price of one GPU and hour"),
    MAYBE_ROW(R, training_usd, "cost of the whole training"),
    MAYBE_ROW(R, billion_tokens_usd, "cost of a billion tokens"),
    INT64_ROW(R, n_plans, "legal plans that were searched"),
};

#define C p3d_sweep_scan
static const json_field scan_fields[] = {
    STRING_ROW(C, type, "of the clusters"),
    MAYBE_INT_ROW(C, seq_len, "tokens per sequence; null: the model's"),
    MAYBE_INT64_ROW(C, global_batch, "sequences per step; null: the default of "
            "each number of GPUs"),
    STRING_ROW(C, framework, "null: the default"),
    BOOL_ROW(C, met, "some number of GPUs meets the deadline"),
    BOOL_ROW(C, complete, "it was not interrupted"),
    INT64_ROW(C, least_gpus, "smallest cluster that was looked at"),
    INT64_ROW(C, most_gpus, "largest cluster that was looked at"),
    INT_ROW(C, n_counts, "numbers of GPUs that were looked at"),
    INT_ROW(C, n_searched, "of them, whose plans were searched"),
    INT_ROW(C, n_skipped, "of them, too slow or too dear even at the peak of "
            "their GPUs"),
};
static const json_shape scan_shape = REPORT_SHAPE(
        C, scan_fields, "clusters of one type, and one job");

#define S report_sweep
/* Of what was found. */
#define FOUND(f, TYPE, CTYPE, text_)                                           \
    INNER(#f, S, found.f, TYPE, CTYPE, text_)
#define FOUND_INT_ROW(f, d) {FOUND(f, JSON_INT, int, d)}
#define FOUND_BOOL_ROW(f, d) {FOUND(f, JSON_BOOL, _Bool, d)}
#define BEST_ROW(f, d)                                                         \
    {FOUND(f, JSON_OBJECT_OR_NULL(report_sweep_row_shape), const R *, d)}
static const json_field sweep_fields[] = {
    CONST_ROW("schema", P3D_SCHEMA),
    CONST_ROW("command", "sweep"),
    FOUND_BOOL_ROW(fits, "some row does; with a deadline: it is met"),
    FOUND_BOOL_ROW(complete, "it was not interrupted"),
    {INNER("model", S, question, JSON_OBJECT(report_model_shape),
           report_question, "the model")},
    MAYBE_ROW(S, n_tokens, "tokens of the whole training"),
    MAYBE_ROW(S, deadline_s, "time that the training may take"),
    {FOUND(n_asked, JSON_INT64, int64_t,
           "combinations; with a deadline, clusters looked at")},
    FOUND_INT_ROW(n_found, "rows, with those that --pareto leaves out"),
    FOUND_INT_ROW(n_fit, "of them, that fit"),
    FOUND_INT_ROW(n_illegal, "of them, without a legal plan"),
    FOUND_INT_ROW(n_front, "of them, on the front"),
    {FOUND(seconds, JSON_DOUBLE, double, "time of all searches")},
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
