/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_backtest.c - the tables of backtest. */
#include <math.h>
#include <stdio.h>

#include "report/amounts.h"
#include "report/document.h"
#include "report/study.h"
#include "report/text/layout.h"

/* A fraction in percent, or a dash. */
static report_words percent(double value_frac)
{
    return report_known_words(!isnan(value_frac), "%.1f", 100 * value_frac);
}

static report_words signed_percent(double value_frac)
{
    return report_known_words(!isnan(value_frac), "%+.1f", 100 * value_frac);
}

/* Time and memory have the same table; two columns before the last two are
 * only there for time. */
static void score_row(
        report_table *table, const p3d_backtest_source *s, bool is_time)
{
    const p3d_score *score = is_time ? &s->time : &s->memory;
    const p3d_backtest_extremes *extremes =
            is_time ? &s->time_extremes : &s->memory_extremes;
    const bool any = extremes->worst_id != NULL;

    if (score->n_rows + extremes->n_skipped == 0)
        return;
    report_table_row(table, "%s\t%d\t%d\t%s\t%s\t%s\t%s", s->source,
            score->n_rows, extremes->n_skipped,
            percent(score->median_abs_error_frac).text,
            percent(score->mean_abs_error_frac).text,
            percent(score->p90_abs_error_frac).text,
            signed_percent(score->mean_signed_error_frac).text);
    if (is_time)
        report_table_row(table, "%s\t%s",
                percent(s->guess_time.median_abs_error_frac).text,
                percent(s->inside_frac).text);
    report_table_row(table, "%s\t%s",
            any ? signed_percent(extremes->worst_error_frac).text : "-",
            any ? extremes->worst_id : "-");
}

static void score_rows(
        report_table *table, const report_backtest *b, bool is_time)
{
    const p3d_backtest_source *sources = b->sources.items;
    const p3d_backtest_source *all = &b->found.summary;

    for (int i = 0; i < b->sources.n; i++)
        score_row(table, &sources[i], is_time);
    report_table_rule(table);
    score_row(table, all, is_time);
    report_table_row(table, "macro\t\t\t%s\t\t\t",
            percent((is_time ? all->time : all->memory)
                            .macro_median_abs_error_frac)
                    .text);
    if (is_time)
        report_table_row(table, "%s\t%s",
                percent(all->guess_time.macro_median_abs_error_frac).text,
                percent(all->macro_inside_frac).text);
    report_table_row(table, "\t");
}

static void print_time(const report_backtest *b, p3d_text *out)
{
    const p3d_score *const medians = &b->found.summary.median_time;
    report_table table;

    report_add(out, "time of a step, error in %% (predicted / measured - 1)\n"
                    "\n");
    report_table_begin(&table, out->style, "lrrrrrrrrrl");
    report_table_row(&table, "source\trows\tskipped\tmedian\tmean\tp90\tsigned"
                             "\tguess\tinside\tworst\tof row");
    score_rows(&table, b, true);
    report_table_print(&table, out);
    report_add(out,
            "\n(median, mean, p90: of the absolute error; signed: mean; macro: "
            "mean of the medians\nof the sources with %d rows and more; guess: "
            "median of a constant %.0f %% of the peak;\ninside: of the steps, "
            "in "
            "the 80 %% range that the runs of all other sources give)\n",
            (int)P3D_MACRO_MIN_ROWS, 100 * b->found.guess_mfu_frac);
    report_add(out,
            "with the medians of these ranges in the place of the estimates: "
            "median %s, macro %s,\np90 %s, signed %s\n",
            percent(medians->median_abs_error_frac).text,
            percent(medians->macro_median_abs_error_frac).text,
            percent(medians->p90_abs_error_frac).text,
            signed_percent(medians->mean_signed_error_frac).text);
}

/* True where some runs failed, or were predicted to. */
static bool is_mixed(const p3d_backtest_oom *oom)
{
    return oom->n_failed > 0 || oom->n_ran_predicted < oom->n_ran;
}

/* The sources where memory decides. */
static void print_fits(const report_backtest *b, p3d_text *out)
{
    const p3d_backtest_source *sources = b->sources.items;
    report_table table;

    report_table_begin(&table, out->style, "lrrrr");
    report_table_row(
            &table, "does it fit\tlacked memory\tforeseen\tran\tforeseen");
    for (int i = 0; i < b->sources.n; i++) {
        const p3d_backtest_oom *oom = &sources[i].oom;

        if (!is_mixed(oom))
            continue;
        report_table_row(&table, "%s\t%d\t%d\t%d\t%d", sources[i].source,
                oom->n_failed, oom->n_failed_predicted, oom->n_ran,
                oom->n_ran_predicted);
    }
    p3d_text_add(out, "\n");
    report_table_print(&table, out);
}

static void print_oom(const report_backtest *b, p3d_text *out)
{
    const p3d_backtest_oom *oom = &b->found.oom;

    if (oom->n_failed + oom->n_ran == 0)
        return;
    report_add(out,
            "\n%d of %d runs that lacked memory were predicted not to fit, %d "
            "of %d that ran to fit\n",
            oom->n_failed_predicted, oom->n_failed, oom->n_ran_predicted,
            oom->n_ran);
    if (is_mixed(oom))
        print_fits(b, out);
}

/* How sure it was said that runs fit, and how many did. */
static void print_sure(const p3d_backtest_fits *fits, p3d_text *out)
{
    report_table table;

    if (fits->n_rows == 0)
        return;
    report_add(out,
            "\n%d of %d runs (%s %%) fit, or lack memory, as the estimate "
            "says\n\n",
            fits->n_right, fits->n_rows, percent(fits->right_frac).text);
    report_table_begin(&table, out->style, "rrrr");
    report_table_row(&table, "sure to fit, %%\trows\tran\tran, %%");
    for (int i = 0; i < P3D_BACKTEST_BANDS; i++) {
        const p3d_backtest_band *band = &fits->bands[i];

        report_table_row(&table, "%.0f to %.0f\t%d\t%d\t%s",
                100 * band->low_frac, 100 * band->high_frac, band->n_rows,
                band->n_ran, percent(band->ran_frac).text);
    }
    report_table_print(&table, out);
    report_add(out, "\n(sure: by the peaks of all other sources)\n");
}

static void print_memory(const report_backtest *b, p3d_text *out)
{
    report_table table;

    report_add(out, "peak memory of a rank, error in %% (predicted / "
                    "measured - 1)\n\n");
    report_table_begin(&table, out->style, "lrrrrrrrl");
    report_table_row(&table,
            "source\trows\tskipped\tmedian\tmean\tp90\tsigned\tworst\tof row");
    score_rows(&table, b, false);
    report_table_print(&table, out);
    print_oom(b, out);
    print_sure(&b->found.summary.fits, out);
}

static void rank_row(report_table *table, const p3d_backtest_source *s)
{
    const double tau = s->rank.mean_kendall_tau;

    report_table_row(table, "%s\t%d\t%d\t%s\t%s\t%s\t%s", s->source,
            s->rank.n_sets, s->n_sets_skipped,
            percent(s->rank.median_regret_frac).text,
            percent(s->rank.mean_regret_frac).text,
            percent(s->guess_rank.mean_regret_frac).text,
            report_known_words(!isnan(tau), "%.2f", tau).text);
}

static void print_rank(const report_backtest *b, p3d_text *out)
{
    const p3d_backtest_source *sources = b->sources.items;
    report_table table;

    report_add(out, "choice of a plan, regret in %% (time of the plan "
                    "predicted fastest / fastest - 1)\n\n");
    report_table_begin(&table, out->style, "lrrrrrr");
    report_table_row(
            &table, "source\tsets\tskipped\tmedian\tmean\tany plan\ttau");
    for (int i = 0; i < b->sources.n; i++) {
        if (sources[i].rank.n_sets + sources[i].n_sets_skipped > 0)
            rank_row(&table, &sources[i]);
    }
    report_table_rule(&table);
    rank_row(&table, &b->found.summary);
    report_table_row(&table, "macro\t\t\t\t%s\t%s\t",
            percent(b->found.summary.rank.macro_mean_regret_frac).text,
            percent(b->found.summary.guess_rank.macro_mean_regret_frac).text);
    report_table_print(&table, out);
    report_add(out,
            "\n(any plan: mean regret of a plan drawn from the set; tau: "
            "Kendall's; macro: mean of the\nsources' means; %d runs of these "
            "sets cannot be predicted and are left out)\n",
            b->found.n_runs_missing);
}

static void print_skipped(const report_backtest *b, p3d_text *out)
{
    const p3d_backtest_skipped *skipped = b->skipped.items;
    report_table table;

    if (b->skipped.n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "lrll");
    report_table_row(&table, "skipped\trows\treason\tfirst");
    for (int i = 0; i < b->skipped.n; i++) {
        report_table_row(&table, "%s\t%d\t%s\t%s", skipped[i].what,
                skipped[i].n_rows,
                report_say_made(out->style, skipped[i].reason).text,
                skipped[i].first_id);
    }
    report_table_print(&table, out);
}

static void print_assumed(const report_backtest *b, p3d_text *out)
{
    const p3d_backtest_assumed *assumed = b->assumed.items;
    report_table table;

    if (b->assumed.n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "rl");
    report_table_row(&table, "rows\tassumed");
    for (int i = 0; i < b->assumed.n; i++) {
        report_table_row(&table, "%d\t%s", assumed[i].n_rows,
                report_say_made(out->style, assumed[i].words).text);
    }
    report_table_print(&table, out);
}

static report_words seconds(double value_s)
{
    return report_known_words(value_s > 0, "%.4g", value_s);
}

static report_words gibibytes(int64_t value_bytes)
{
    return report_known_words(value_bytes > 0, "%.2f", report_gib(value_bytes));
}

static void print_rows(const report_backtest *b, p3d_text *out)
{
    const p3d_backtest_row *runs = b->rows.items;
    report_table table;

    if (!b->with_rows)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "llrrrrrrl");
    report_table_row(&table, "row\tsource\tstep s\tpredicted\terror %%\tpeak "
                             "GiB\tpredicted\terror %%\tskipped");
    for (int i = 0; i < b->rows.n; i++) {
        const p3d_backtest_row *run = &runs[i];

        report_table_row(&table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", run->id,
                run->source, seconds(run->measured_step_s).text,
                seconds(run->predicted_step_s).text,
                signed_percent(run->time_error_frac).text,
                gibibytes(run->measured_peak_bytes).text,
                gibibytes(run->predicted_peak_bytes).text,
                signed_percent(run->memory_error_frac).text,
                run->skipped == NULL ? "" : run->skipped);
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
