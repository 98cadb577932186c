/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_backtest.c - the tables of backtest. */
#include <math.h>
#include <stdio.h>

#include "report/backtest.h"
#include "report/document.h"
#include "report/text/amounts.h"
#include "report/text/table.h"

/* A fraction in percent, or a dash. */
static void percent(report_table *table, double value_frac, bool is_signed)
{
    if (isnan(value_frac))
        report_table_cell(table, "-");
    else
        report_table_cell(
                table, is_signed ? "%+.1f" : "%.1f", 100 * value_frac);
}

/* Time and memory have the same table; the last but one column is only
 * there for time. */
static void score_row(report_table *table, const char *name,
        const p3d_score *score, const p3d_backtest_extremes *extremes,
        const p3d_score *guess)
{
    report_table_cell(table, "%s", name);
    report_table_cell(table, "%d", score->n_rows);
    report_table_cell(table, "%d", extremes->n_skipped);
    percent(table, score->median_abs_error_frac, false);
    percent(table, score->mean_abs_error_frac, false);
    percent(table, score->p90_abs_error_frac, false);
    percent(table, score->mean_signed_error_frac, true);
    if (guess != NULL)
        percent(table, guess->median_abs_error_frac, false);
    percent(table,
            extremes->worst_id == NULL ? (double)NAN
                                       : extremes->worst_error_frac,
            true);
    report_table_cell(
            table, "%s", extremes->worst_id == NULL ? "-" : extremes->worst_id);
}

static void macro_row(
        report_table *table, const p3d_score *score, const p3d_score *guess)
{
    report_table_cell(table, "macro");
    report_table_cell(table, "%s", "");
    report_table_cell(table, "%s", "");
    percent(table, score->macro_median_abs_error_frac, false);
    for (int i = 0; i < 3; i++)
        report_table_cell(table, "%s", "");
    if (guess != NULL)
        percent(table, guess->macro_median_abs_error_frac, false);
    report_table_cell(table, "%s", "");
    report_table_cell(table, "%s", "");
}

static void print_time(const report_backtest *b, p3d_text *out)
{
    static const char *const words[] = {"source", "rows", "skipped", "median",
            "mean", "p90", "signed", "guess", "worst", "of row"};
    const p3d_backtest_source *sources = b->sources.items;
    report_table table;

    p3d_text_add(out, "time of a step, error in %% (predicted / measured - 1)\n"
                      "\n");
    report_table_begin(&table, "lrrrrrrrrl");
    report_table_heads(&table, words);
    for (int i = 0; i < b->sources.n; i++) {
        const p3d_backtest_source *s = &sources[i];

        if (s->time.n_rows + s->time_extremes.n_skipped > 0)
            score_row(&table, s->source, &s->time, &s->time_extremes,
                    &s->guess_time);
    }
    report_table_rule(&table);
    score_row(&table, "all", &b->found.summary.time,
            &b->found.summary.time_extremes, &b->found.summary.guess_time);
    macro_row(&table, &b->found.summary.time, &b->found.summary.guess_time);
    report_table_print(&table, out);
    p3d_text_add(out,
            "\n(median, mean, p90: of the absolute error; signed: mean; macro: "
            "mean of the medians\nof the sources with %d rows and more; guess: "
            "median of a constant %.0f %% of the peak)\n",
            (int)P3D_MACRO_MIN_ROWS, 100 * b->found.guess_mfu_frac);
}

static void print_oom(const p3d_backtest_oom *oom, p3d_text *out)
{
    if (oom->n_failed + oom->n_ran == 0)
        return;
    p3d_text_add(out,
            "\n%d of %d runs that lacked memory were predicted not to fit, %d "
            "of %d that ran to fit\n",
            oom->n_failed_predicted, oom->n_failed, oom->n_ran_predicted,
            oom->n_ran);
}

static void print_memory(const report_backtest *b, p3d_text *out)
{
    static const char *const words[] = {"source", "rows", "skipped", "median",
            "mean", "p90", "signed", "worst", "of row"};
    const p3d_backtest_source *sources = b->sources.items;
    report_table table;

    p3d_text_add(out, "peak memory of a rank, error in %% (predicted / "
                      "measured - 1)\n\n");
    report_table_begin(&table, "lrrrrrrrl");
    report_table_heads(&table, words);
    for (int i = 0; i < b->sources.n; i++) {
        const p3d_backtest_source *s = &sources[i];

        if (s->memory.n_rows + s->memory_extremes.n_skipped > 0)
            score_row(&table, s->source, &s->memory, &s->memory_extremes, NULL);
    }
    report_table_rule(&table);
    score_row(&table, "all", &b->found.summary.memory,
            &b->found.summary.memory_extremes, NULL);
    macro_row(&table, &b->found.summary.memory, NULL);
    report_table_print(&table, out);
    print_oom(&b->found.oom, out);
}

static void rank_row(report_table *table, const p3d_backtest_source *s)
{
    report_table_cell(table, "%s", s->source);
    report_table_cell(table, "%d", s->rank.n_sets);
    report_table_cell(table, "%d", s->n_sets_skipped);
    percent(table, s->rank.median_regret_frac, false);
    percent(table, s->rank.mean_regret_frac, false);
    percent(table, s->guess_rank.mean_regret_frac, false);
    if (isnan(s->rank.mean_kendall_tau))
        report_table_cell(table, "-");
    else
        report_table_cell(table, "%.2f", s->rank.mean_kendall_tau);
}

static void print_rank(const report_backtest *b, p3d_text *out)
{
    static const char *const words[] = {
            "source", "sets", "skipped", "median", "mean", "any plan", "tau"};
    const p3d_backtest_source *sources = b->sources.items;
    report_table table;

    p3d_text_add(out, "choice of a plan, regret in %% (time of the plan "
                      "predicted fastest / fastest - 1)\n\n");
    report_table_begin(&table, "lrrrrrr");
    report_table_heads(&table, words);
    for (int i = 0; i < b->sources.n; i++) {
        if (sources[i].rank.n_sets + sources[i].n_sets_skipped > 0)
            rank_row(&table, &sources[i]);
    }
    report_table_rule(&table);
    rank_row(&table, &b->found.summary);
    report_table_cell(&table, "macro");
    for (int i = 0; i < 3; i++)
        report_table_cell(&table, "%s", "");
    percent(&table, b->found.summary.rank.macro_mean_regret_frac, false);
    percent(&table, b->found.summary.guess_rank.macro_mean_regret_frac, false);
    report_table_cell(&table, "%s", "");
    report_table_print(&table, out);
    p3d_text_add(out,
            "\n(any plan: mean regret of a plan drawn from the set; tau: "
            "Kendall's; macro: mean of the\nsources' means; %d runs of these "
            "sets cannot be predicted and are left out)\n",
            b->found.n_runs_missing);
}

static void print_skipped(const report_backtest *b, p3d_text *out)
{
    static const char *const words[] = {"skipped", "rows", "reason", "first"};
    const p3d_backtest_skipped *skipped = b->skipped.items;
    report_table table;

    if (b->skipped.n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, "lrll");
    report_table_heads(&table, words);
    for (int i = 0; i < b->skipped.n; i++) {
        report_table_cell(&table, "%s", skipped[i].what);
        report_table_cell(&table, "%d", skipped[i].n_rows);
        report_table_cell(&table, "%s", skipped[i].reason);
        report_table_cell(&table, "%s", skipped[i].first_id);
    }
    report_table_print(&table, out);
}

static void print_assumed(const report_backtest *b, p3d_text *out)
{
    static const char *const words[] = {"rows", "assumed"};
    const p3d_backtest_assumed *assumed = b->assumed.items;
    report_table table;

    if (b->assumed.n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, "rl");
    report_table_heads(&table, words);
    for (int i = 0; i < b->assumed.n; i++) {
        report_table_cell(&table, "%d", assumed[i].n_rows);
        report_table_cell(&table, "%s", assumed[i].words);
    }
    report_table_print(&table, out);
}

static void seconds(report_table *table, double value_s)
{
    if (value_s > 0)
        report_table_cell(table, "%.4g", value_s);
    else
        report_table_cell(table, "-");
}

static void gibibytes(report_table *table, int64_t value_bytes)
{
    if (value_bytes > 0)
        report_table_cell(table, "%.2f", report_gib(value_bytes));
    else
        report_table_cell(table, "-");
}

static void print_rows(const report_backtest *b, p3d_text *out)
{
    static const char *const words[] = {"row", "source", "step s", "predicted",
            "error %", "peak GiB", "predicted", "error %", "skipped"};
    const p3d_backtest_row *runs = b->rows.items;
    report_table table;

    if (!b->with_rows)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, "llrrrrrrl");
    report_table_heads(&table, words);
    for (int i = 0; i < b->rows.n; i++) {
        const p3d_backtest_row *run = &runs[i];

        report_table_cell(&table, "%s", run->id);
        report_table_cell(&table, "%s", run->source);
        seconds(&table, run->measured_step_s);
        seconds(&table, run->predicted_step_s);
        percent(&table, run->time_error_frac, true);
        gibibytes(&table, run->measured_peak_bytes);
        gibibytes(&table, run->predicted_peak_bytes);
        percent(&table, run->memory_error_frac, true);
        report_table_cell(
                &table, "%s", run->skipped == NULL ? "" : run->skipped);
    }
    report_table_print(&table, out);
}

void report_print_backtest(
        const report_backtest *backtest, report_format format, p3d_text *out)
{
    const bool rows = backtest->with_rows;
    const report_data data = {&report_backtest_shape, backtest,
            rows ? &report_run_shape : &report_source_shape,
            rows ? backtest->rows : backtest->sources};

    if (report_print_data(&data, format, out))
        return;
    if (backtest->time)
        print_time(backtest, out);
    if (backtest->time && backtest->memory)
        p3d_text_add(out, "\n");
    if (backtest->memory)
        print_memory(backtest, out);
    if (backtest->rank && (backtest->time || backtest->memory))
        p3d_text_add(out, "\n");
    if (backtest->rank)
        print_rank(backtest, out);
    print_skipped(backtest, out);
    print_assumed(backtest, out);
    print_rows(backtest, out);
}
