/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_training.c - a whole training: days by parts, energy, money. */
#include <stdio.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/text/paint.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { WORDS = 48 };

/* The unit of all parts, from the size of their sum. */
typedef struct clock_unit {
    double from_s;
    double unit_s;
    const char *word;
} clock_unit;

static clock_unit unit_for(double real_s)
{
    static const clock_unit units[] = {{48 * 3600.0, 86400, "days"},
            {7200, 3600, "h"}, {120, 60, "min"}, {0, 1, "s"}};
    int i = 0;

    while (real_s < units[i].from_s)
        i++;
    return units[i];
}

static void part_row(
        report_table *table, const char *words, double part_s, double real_s)
{
    const clock_unit unit = unit_for(real_s);

    report_table_cell(table, "%s", words);
    report_table_cell(table, "%.2f", part_s / unit.unit_s);
    report_table_cell(table, "%s", unit.word);
    report_table_cell(table, "%.2f", 100 * part_s / real_s);
    report_table_cell(table, "%%");
}

static void print_days(const p3d_training *t, p3d_text *out)
{
    const struct {
        const char *words;
        double part_s;
        bool shown;
    } parts[] = {{"steps", t->ideal_s, true}, {"checkpoints", t->save_s, true},
            {"work that failures undo", t->lost_s, true},
            {"restarts", t->restart_s, true},
            {"waiting for nodes", t->waiting_s, t->availability_frac > 0}};
    report_table table;

    report_table_begin(&table, "lrlrl");
    table.headless = true;
    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        if (parts[i].shown)
            part_row(&table, parts[i].words, parts[i].part_s, t->real_s);
    report_table_rule(&table);
    part_row(&table, "real time", t->real_s, t->real_s);
    report_table_print(&table, out);
}

/* From here on, digits before the point are not counted out. */
static const double HUGE_AMOUNT = 1e15;

/* Three digits or all before the point: "0.577", "61.4", "27,981". */
static const char *amount(char *buffer, double value)
{
    if (value >= 999.5 && value < HUGE_AMOUNT)
        return p3d_print_integer(buffer, WORDS, (int64_t)(value + 0.5));
    snprintf(buffer, WORDS, "%.3g", value);
    return buffer;
}

static void print_failures(const p3d_training *t, p3d_text *out)
{
    char n[WORDS];
    char mtbf[WORDS];
    char restart[WORDS];
    char read[WORDS];

    report_wrap_labelled("failures", out,
            "%s expected, one in %s; each costs the work since the last "
            "checkpoint, %s to start again and %s to read it",
            amount(n, t->n_failures),
            p3d_print_seconds(mtbf, sizeof(mtbf), t->mtbf_s),
            p3d_print_seconds(
                    restart, sizeof(restart), t->operations.restart_s),
            p3d_print_seconds(read, sizeof(read), t->write_s));
}

/* What set the interval: its cost, the storage or the end of the training. */
static void print_why(const p3d_training *t, char words[2 * WORDS])
{
    const double step_s =
            t->checkpoint_interval_s / (double)t->checkpoint_interval_steps;
    char young[WORDS];
    char daly[WORDS];

    if (t->checkpoint_interval_s >= t->ideal_s)
        snprintf(words, 2 * WORDS, "one at the end is best");
    else if (t->operations.async_save &&
             t->write_s > t->checkpoint_interval_s - step_s)
        snprintf(words, 2 * WORDS, "the storage does not take them more often");
    else
        snprintf(words, 2 * WORDS,
                "the best interval (Young's formula: %s, Daly's: %s)",
                p3d_print_seconds(young, sizeof(young), t->young_interval_s),
                p3d_print_seconds(daly, sizeof(daly), t->daly_interval_s));
}

static void print_checkpoints(const p3d_training *t, p3d_text *out)
{
    char steps[WORDS];
    char every[WORDS];
    char size[WORDS];
    char pause[WORDS];
    char why[2 * WORDS];

    print_why(t, why);
    report_wrap_labelled("save", out,
            "%s GB every %s step%s (%s), which stops the steps for %s; %s",
            amount(size, (double)t->checkpoint_bytes / 1e9),
            p3d_print_integer(
                    steps, sizeof(steps), t->checkpoint_interval_steps),
            t->checkpoint_interval_steps == 1 ? "" : "s",
            p3d_print_seconds(every, sizeof(every), t->checkpoint_interval_s),
            p3d_print_seconds(pause, sizeof(pause), t->pause_s), why);
}

static void print_spares(const p3d_training *t, p3d_text *out)
{
    char repair[WORDS];

    if (t->availability_frac > 0) {
        report_wrap_labelled("spares", out,
                "%d node%s beside those of the job, with repairs of %s: enough "
                "nodes are whole %.2f %% of the time",
                t->n_spare_nodes, t->n_spare_nodes == 1 ? "" : "s",
                p3d_print_seconds(
                        repair, sizeof(repair), t->operations.repair_s),
                100 * t->availability_frac);
    }
}

static void print_energy(const p3d_training *t, p3d_text *out)
{
    char total[WORDS];
    char each[WORDS];
    char power[WORDS];
    char usd[WORDS];
    const bool large = t->energy_kwh >= 1e3;

    if (t->energy_kwh > 0) {
        report_wrap_labelled("energy", out,
                "%s %s with a PUE of %.3g%s%s, %s kWh per billion tokens; "
                "the nodes draw %s kW while steps run",
                amount(total, t->energy_kwh / (large ? 1e3 : 1)),
                large ? "MWh" : "kWh", t->operations.pue,
                t->energy_usd > 0 ? " for USD " : "",
                t->energy_usd > 0
                        ? report_usd_words(usd, sizeof(usd), t->energy_usd)
                        : "",
                amount(each, t->billion_tokens_kwh),
                amount(power, t->power_w / 1e3));
    }
}

static void print_money(
        const report_document *d, const p3d_training *t, p3d_text *out)
{
    char usd[WORDS];
    char hours[WORDS];
    char each[WORDS];
    char energy[WORDS];

    if (t->rent_usd > 0)
        report_wrap_labelled("rent", out,
                "USD %s for %s GPU hours, USD %s per billion tokens",
                report_usd_words(usd, sizeof(usd), t->rent_usd),
                amount(hours, t->rent_usd / d->job->usd_per_gpu_h),
                amount(each, t->rent_usd / (d->job->n_tokens / 1e9)));
    if (t->purchase_usd > 0 && t->energy_usd > 0)
        report_wrap_labelled("own", out,
                "USD %s: %s of the purchase price, %s for energy",
                report_usd_words(
                        usd, sizeof(usd), t->purchase_usd + t->energy_usd),
                report_usd_words(each, sizeof(each), t->purchase_usd),
                report_usd_words(energy, sizeof(energy), t->energy_usd));
    else if (t->purchase_usd > 0)
        report_wrap_labelled("own", out,
                "USD %s of the purchase price, without energy "
                "(--energy-price)",
                report_usd_words(usd, sizeof(usd), t->purchase_usd));
}

void report_text_training(
        const report_document *d, const p3d_training *t, p3d_text *out)
{
    char tokens[WORDS];
    char ideal[WORDS];
    char mtbf[WORDS];
    char head[2 * WORDS];

    p3d_print_count(tokens, sizeof(tokens), d->job->n_tokens);
    snprintf(head, sizeof(head), "training of %s tokens", tokens);
    p3d_text_add(out, "\n");
    report_paint_line(REPORT_HEAD, head, out);
    if (!t->progresses) {
        report_wrap_labelled("failures", out,
                "one in %s: the training never ends; without them it would "
                "take %s",
                p3d_print_seconds(mtbf, sizeof(mtbf), t->mtbf_s),
                p3d_print_seconds(ideal, sizeof(ideal), t->ideal_s));
        return;
    }
    print_days(t, out);
    print_failures(t, out);
    print_checkpoints(t, out);
    print_spares(t, out);
    print_energy(t, out);
    print_money(d, t, out);
}
