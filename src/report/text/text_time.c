/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_time.c - the step by terms, its range, throughput and use. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan3d/units.h"
#include "report/terms.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

/* Terms below this share of the step are not printed. */
static const double least_frac = 0.0005;

static void term_row(report_table *table, const char *words, double term_s,
        double step_s, report_clock unit)
{
    report_table_cell(table, "%s", words);
    report_table_cell(table, "%.*f", unit.digits, term_s / unit.unit_s);
    report_table_cell(table, "%s", unit.word);
    report_table_cell(table, "%.1f", 100 * term_s / step_s);
    report_table_cell(table, "%%");
}

static void print_terms(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    double small_s = 0;
    report_table table;

    report_table_begin(&table, "lrlrl");
    report_table_cell(&table, "time per step");
    for (int i = 1; i < table.n_columns; i++)
        report_table_cell(&table, "%s", "");
    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        const double term_s = report_time_term_s(&a->found.time, i);

        if (term_s > least_frac * a->step_s) {
            term_row(&table, report_time_terms[i].words, term_s, a->step_s,
                    unit);
        } else {
            small_s += term_s;
        }
    }
    if (small_s > 0)
        term_row(&table, "all the rest", small_s, a->step_s, unit);
    report_table_rule(&table);
    term_row(&table, "one step", a->step_s, a->step_s, unit);
    report_table_print(&table, out);
}

static void print_rates(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    char rate[32];
    char of_gpu[32];
    char count[32];

    report_wrap_labelled("range", out,
            "%.0f %% of runs should have steps of %.*f to %.*f %s; of the "
            "constants the %s is the least sure, %.1f %% of the step",
            100 * a->range.confidence_frac, unit.digits,
            a->range.low_s / unit.unit_s, unit.digits,
            a->range.high_s / unit.unit_s, unit.word, a->range.constants,
            100 * a->range.constants_error_frac);
    report_wrap_labelled("speed", out,
            "%s tokens/s, %s tokens/s per GPU; micro-batches per step: %s",
            report_rate_words(rate, sizeof(rate), a->found.tokens_per_s),
            report_rate_words(of_gpu, sizeof(of_gpu), a->tokens_per_s_per_gpu),
            p3d_print_integer(count, sizeof(count), a->found.n_micro_batches));
    report_wrap_labelled("use", out,
            "MFU %.1f %%, HFU %.1f %%: FLOPs of the model without and with "
            "recomputation, over the dense %s peak of %.0f TFLOP/s per GPU",
            100 * a->found.mfu_frac, 100 * a->found.hfu_frac,
            p3d_dtype_name(d->job->dtype),
            report_peak_flop_per_s(&d->question.problem) / 1e12);
}

static void print_price(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    if (a->training != NULL) {
        report_text_training(d, a->training, out);
    } else if (d->job->usd_per_gpu_h > 0) {
        p3d_text_add(out,
                "price    USD %.2f per billion tokens, if nothing fails\n",
                a->billion_tokens_usd);
    }
}

void report_text_time(
        const report_document *d, const report_answer *answer, p3d_text *out)
{
    print_terms(answer, out);
    print_rates(d, answer, out);
    print_price(d, answer, out);
}

/* Terms that changed less than this share of the first are not named. */
static const double least_share = 0.05;

/* The term that changed most and is not yet named; -1 when none is left. */
static int next_term(const p3d_time *more, const bool *named)
{
    int most = -1;

    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        if (!named[i] &&
                (most < 0 || fabs(report_time_term_s(more, i)) >
                                     fabs(report_time_term_s(more, most))))
            most = i;
    }
    return most;
}

/* "exposed data-parallel communication" without its last word. */
static int short_length(const char *words)
{
    const char *const tail = strstr(words, " communication");

    return tail != NULL ? (int)(tail - words) : (int)strlen(words);
}

void report_top_terms(
        const p3d_time *more, int n_most, report_clock clock, p3d_text *out)
{
    /* What would be printed as nothing is not worth a word. */
    double least_s = 0.5 * pow(10, -clock.digits) * clock.unit_s;
    bool named[REPORT_N_TIME_TERMS] = {false};

    for (int n = 0; n < n_most; n++) {
        const int term = next_term(more, named);
        const double term_s = report_time_term_s(more, term);

        if (fabs(term_s) < least_s)
            break;
        if (n == 0)
            least_s = fmax(least_s, least_share * fabs(term_s));
        named[term] = true;
        p3d_text_add(out, "%s%.*s %+.*f", n > 0 ? ", " : "",
                short_length(report_time_terms[term].words),
                report_time_terms[term].words, clock.digits,
                term_s / clock.unit_s);
    }
}
