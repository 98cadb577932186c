/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_time.c - the step by terms, its range, throughput and use; a whole
 * training: days by parts, energy, money. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/answer.h"
#include "report/text/layout.h"
#include "report/text/spans.h"
#include "report/text/text.h"

/* Terms below this share of the step are not printed. */
static const double least_frac = 0.0005;

static void term_row(report_table *table, const char *words, double term_s,
        double step_s, report_clock unit)
{
    report_table_row(table, "%s\t%.*f\t%s\t%.1f\t%%",
            report_say(table->style, words), unit.digits, term_s / unit.unit_s,
            unit.word, 100 * term_s / step_s);
}

static void print_terms(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    double small_s = 0;
    report_table table;

    report_table_begin(&table, out->style, "lrlrl");
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
    if (small_s >= report_clock_least_s(unit))
        term_row(&table, "all the rest", small_s, a->step_s, unit);
    report_table_rule(&table);
    term_row(&table, "one step", a->step_s, a->step_s, unit);
    report_table_print(&table, out);
}

static void print_rates(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    const report_span step = report_step_span(a);

    report_wrap_labelled("range", out,
            "%.0f %% of runs should have steps of %s to %s %s, half of them "
            "%s or more; of the constants the %s is the least sure, "
            "%.1f %% of the step",
            100 * a->range.confidence_frac, step.low.text, step.high.text,
            unit.word, report_three_words(a->range.median_s / unit.unit_s).text,
            report_say(out->style, a->range.constants),
            100 * a->range.constants_error_frac);
    report_wrap_labelled("speed", out,
            "%s tokens/s (%s to %s), %s tokens/s per GPU (%s to %s); "
            "micro-batches per step: %s",
            report_three_words(a->found.tokens_per_s).text,
            report_three_words(a->low.tokens_per_s).text,
            report_three_words(a->high.tokens_per_s).text,
            report_three_words(a->tokens_per_s_per_gpu).text,
            report_three_words(a->low.tokens_per_s_per_gpu).text,
            report_three_words(a->high.tokens_per_s_per_gpu).text,
            report_integer_words(a->found.n_micro_batches).text);
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
        report_text_training(d, a, out);
    } else if (d->job->usd_per_gpu_h > 0) {
        const report_span usd = report_billion_span(a, out->style);

        report_wrap_labelled("price", out,
                "%s per billion tokens, if nothing fails",
                report_usd_span_words(&usd, out->style).text);
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
    double least_s = report_clock_least_s(clock);
    bool named[REPORT_N_TIME_TERMS] = {false};

    for (int n = 0; n < n_most; n++) {
        const int term = next_term(more, named);
        const double term_s = report_time_term_s(more, term);
        const char *words;

        if (fabs(term_s) < least_s)
            break;
        if (n == 0)
            least_s = fmax(least_s, least_share * fabs(term_s));
        named[term] = true;
        words = report_say(out->style, report_time_terms[term].words);
        p3d_text_add(out, "%s%.*s %+.*f",
                n > 0 ? report_say(out->style, ", ") : "", short_length(words),
                words, clock.digits, term_s / clock.unit_s);
    }
}

/* A whole training. */

static void part_row(
        report_table *table, const char *words, double part_s, double real_s)
{
    const report_clock unit = report_long_clock_for(real_s);
    const double part = part_s / unit.unit_s;

    report_table_row(table, "%s\t%s\t%s\t%.1f\t%%",
            report_say(table->style, words),
            part < 9.995 ? REPORT_WORDS("%.2f", part).text
                         : report_three_words(part).text,
            report_say(table->style, unit.word), 100 * part_s / real_s);
}

/* The sum has its range. */
static void whole_row(report_table *table, const report_training *whole)
{
    const report_clock unit = report_long_clock_for(whole->found.real_s);
    const report_span span = report_time_span(whole);

    report_table_row(table, "%s\t%s\t%s\t%.1f\t%%",
            report_say(table->style, "wall-clock time"), span.value.text,
            REPORT_WORDS(report_say(table->style, "%s (%s)"),
                    report_say(table->style, unit.word),
                    report_ends_words(&span, table->style).text)
                    .text,
            100.0);
}

static void print_days(const report_training *whole, p3d_text *out)
{
    const p3d_training *const t = &whole->found;
    const struct {
        const char *words;
        double part_s;
        bool shown;
    } parts[] = {{"steps", t->ideal_s, true}, {"checkpoints", t->save_s, true},
            {"lost work", t->lost_s, true}, {"restarts", t->restart_s, true},
            {"waiting for nodes", t->waiting_s, t->availability_frac > 0},
            {"taken away", t->away_s, t->n_preemptions > 0}};
    report_table table;

    report_table_begin(&table, out->style, "lrlrl");
    table.headless = true;
    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        if (parts[i].shown)
            part_row(&table, parts[i].words, parts[i].part_s, t->real_s);
    report_table_rule(&table);
    whole_row(&table, whole);
    report_table_print(&table, out);
}

static void print_failures(const p3d_training *t, p3d_text *out)
{
    report_wrap_labelled("failures", out,
            "%s expected, one in %s; each costs the work since the last "
            "checkpoint, %s to restart and %s to read it",
            report_three_words(t->n_failures).text,
            report_seconds_words(t->mtbf_s, out->style).text,
            report_seconds_words(t->operations.restart_s, out->style).text,
            report_seconds_words(t->write_s, out->style).text);
}

static void print_preemptions(const p3d_training *t, p3d_text *out)
{
    const p3d_operations *const o = &t->operations;

    if (!(o->preempted_every_s > 0))
        return;
    report_wrap_labelled("spot", out,
            t->saves_at_notice
                    ? "taken away %s times, once in %s; back after %s; the "
                      "notice of %s is enough to save"
                    : "taken away %s times, once in %s; back after %s; a "
                      "notice of %s is not enough to save: a failure each",
            report_three_words(t->n_preemptions).text,
            report_seconds_words(o->preempted_every_s, out->style).text,
            report_seconds_words(o->away_s, out->style).text,
            report_seconds_words(o->notice_s, out->style).text);
}

/* What set the interval: its cost, the storage or the end of the training. */
static report_words why_then(const p3d_training *t, p3d_style style)
{
    const double step_s =
            t->checkpoint_interval_s / (double)t->checkpoint_interval_steps;

    if (t->checkpoint_interval_s >= t->ideal_s)
        return REPORT_WORDS(report_say(style, "one at the end is best"));
    if (t->operations.async_save &&
            t->write_s > t->checkpoint_interval_s - step_s)
        return REPORT_WORDS(
                report_say(style, "the storage does not take them more often"));
    return REPORT_WORDS(
            report_say(style,
                    "the best interval (Young's formula: %s, Daly's: %s)"),
            report_seconds_words(t->young_interval_s, style).text,
            report_seconds_words(t->daly_interval_s, style).text);
}

static void print_checkpoints(const p3d_training *t, p3d_text *out)
{
    report_wrap_labelled("save", out,
            "%s GB every %s step%s (%s), which stops the steps for %s; %s",
            report_three_words((double)t->checkpoint_bytes / 1e9).text,
            report_integer_words(t->checkpoint_interval_steps).text,
            t->checkpoint_interval_steps == 1 ? "" : "s",
            report_seconds_words(t->checkpoint_interval_s, out->style).text,
            report_seconds_words(t->pause_s, out->style).text,
            why_then(t, out->style).text);
}

static void print_spares(const p3d_training *t, p3d_text *out)
{
    if (t->availability_frac > 0) {
        report_wrap_labelled("spares", out,
                "%d node%s beside those of the job, with repairs of %s: enough "
                "nodes are whole %.2f %% of the time",
                t->n_spare_nodes, t->n_spare_nodes == 1 ? "" : "s",
                report_seconds_words(t->operations.repair_s, out->style).text,
                100 * t->availability_frac);
    }
}

static void print_energy(const report_training *whole, p3d_text *out)
{
    const p3d_training *const t = &whole->found;
    const bool large = t->energy_kwh >= 1e3;
    report_words usd = {""};

    if (t->energy_usd > 0)
        usd = REPORT_WORDS(report_say(out->style, " for %s"),
                report_usd_words(t->energy_usd, whole->low.energy_usd,
                        whole->high.energy_usd, out->style)
                        .text);
    if (t->energy_kwh > 0)
        report_wrap_labelled("energy", out,
                "%s %s with a PUE of %.3g%s, %s kWh per billion tokens; the "
                "nodes draw %s kW while steps run",
                report_three_words(t->energy_kwh / (large ? 1e3 : 1)).text,
                large ? "MWh" : "kWh", t->operations.pue, usd.text,
                report_three_words(t->billion_tokens_kwh).text,
                report_three_words(t->power_w / 1e3).text);
}

/* A member of the training with its range. */
#define USD_OF(whole, member)                                    \
    report_usd_words((whole)->found.member, (whole)->low.member, \
            (whole)->high.member, style)

static void print_money(const report_training *whole, p3d_text *out)
{
    const p3d_training *const t = &whole->found;
    const p3d_style style = out->style;
    const report_words purchase = report_large_words(t->purchase_usd, style);

    if (t->rent_usd > 0)
        report_wrap_labelled("rent", out,
                "%s for %s GPU hours, %s per billion tokens",
                USD_OF(whole, rent_usd).text,
                report_large_words(t->gpu_h, style).text,
                USD_OF(whole, billion_tokens_usd).text);
    if (t->purchase_usd > 0 && t->energy_usd > 0)
        report_wrap_labelled("own", out,
                "%s: %s of the purchase price, %s for energy",
                report_usd_words(t->purchase_usd + t->energy_usd,
                        whole->low.purchase_usd + whole->low.energy_usd,
                        whole->high.purchase_usd + whole->high.energy_usd,
                        style)
                        .text,
                purchase.text, report_large_words(t->energy_usd, style).text);
    else if (t->purchase_usd > 0)
        report_wrap_labelled("own", out,
                "%s of the purchase price, without energy (--energy-price)",
                USD_OF(whole, purchase_usd).text);
}
#undef USD_OF

static report_words energy_range(const report_training *t, p3d_style style)
{
    const bool large = t->found.energy_kwh >= 1e3;
    const double unit_kwh = large ? 1e3 : 1;

    if (!(t->found.energy_kwh > 0))
        return (report_words){""};
    return REPORT_WORDS(report_say(style, ", %s to %s %s"),
            report_three_words(t->low.energy_kwh / unit_kwh).text,
            report_three_words(t->high.energy_kwh / unit_kwh).text,
            large ? "MWh" : "kWh");
}

/* What the range of the step makes of days, energy and money. */
static void print_range(const report_answer *a, p3d_text *out)
{
    const report_training *const t = a->training;
    const report_clock unit = report_long_clock_for(t->found.real_s);
    const report_span days = report_time_span(t);

    if (!t->high.progresses) {
        report_wrap_labelled("range", out,
                "with steps of %s, the upper end of their range, the training "
                "never ends",
                report_seconds_words(a->range.high_s, out->style).text);
        return;
    }
    report_wrap_labelled("range", out,
            "%.0f %% of runs should take %s %s, half of them %s or more%s",
            100 * a->range.confidence_frac,
            report_ends_words(&days, out->style).text,
            report_say(out->style, unit.word), days.median.text,
            energy_range(t, out->style).text);
}

void report_text_training(
        const report_document *d, const report_answer *answer, p3d_text *out)
{
    const p3d_training *const t = &answer->training->found;

    p3d_text_add(out, "\n");
    report_paint_line(REPORT_HEAD,
            REPORT_WORDS(report_say(out->style, "training of %s tokens"),
                    report_count_words(d->job->n_tokens).text)
                    .text,
            out);
    if (!t->progresses) {
        report_wrap_labelled("failures", out,
                "one in %s: the training never ends; without them it would "
                "take %s",
                report_seconds_words(t->mtbf_s, out->style).text,
                report_seconds_words(t->ideal_s, out->style).text);
        return;
    }
    print_days(answer->training, out);
    print_failures(t, out);
    print_preemptions(t, out);
    print_checkpoints(t, out);
    print_spares(t, out);
    print_energy(answer->training, out);
    print_money(answer->training, out);
    print_range(answer, out);
}
