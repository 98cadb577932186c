/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_validate.c - whether a plan holds on the machine. */
#include <stdio.h>

#include "plan3d/units.h"
#include "plan3d/version.h"
#include "report/calibrated.h"
#include "report/document.h"
#include "report/paint.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/text.h"
#include "report/validated.h"
#include "report/wrap.h"

const char *report_verdict_word(int i)
{
    static const char *const words[] = {
            "holds", "does not hold", "not run", "not measured"};

    return i < P3D_COUNT_OF(words) ? words[i] : NULL;
}

/* clang-format off */
#define C p3d_comparison
static const report_field comparison_fields[] = {
    STRING_ROW(C, name, "kind of operation"),
    INT_ROW(C, n_wanted, "operations of the plan"),
    INT_ROW(C, n_found, "of them, measured"),
    INT_ROW(C, n_points, "measurements of these"),
    DOUBLE_ROW(C, planned_s, "of these in a step, as predicted, on the rank "
               "that has the most of each"),
    DOUBLE_ROW(C, missing_s, "of those that were not measured"),
    MAYBE_ROW(C, median_ratio, "measured over predicted time"),
    MAYBE_ROW(C, low_ratio, "a tenth is below"),
    MAYBE_ROW(C, high_ratio, "a tenth is above"),
    MAYBE_ROW(C, worst_ratio, "farthest from 1"),
    MAYBE_ROW(C, worst_measured_s, "of the worst operation"),
    MAYBE_ROW(C, worst_predicted_s, "of the worst operation"),
    CHARS_ROW(C, worst, "the operation that is farthest off"),
};
static const report_shape comparison_shape = REPORT_SHAPE(C,
        comparison_fields, "operations of one kind, measured and predicted");

#define S report_step_check
static const report_field step_fields[] = {
    DOUBLE_ROW(S, predicted_s, "with the constants from before"),
    MAYBE_ROW(S, calibrated_s, "with those fitted to the measurements; null = "
              "none could be fitted"),
    {ROW(S, change_frac, REPORT_DOUBLE, double,
         "calibrated over predicted, less 1"), .is_signed = true},
    MAYBE_ROW(S, best_s, "the fastest plan with the fitted constants"),
    {ROW(S, regret_frac, REPORT_DOUBLE, double,
         "what the plan takes longer than that"), .is_signed = true},
    BOOL_ROW(S, is_best, "the plan is still the fastest"),
    STRING_ROW(S, best_plan, "the fastest then, as --plan reads it"),
};
static const report_shape step_shape =
        REPORT_SHAPE(S, step_fields, "time of a step");

#define M p3d_had_memory
static const report_field memory_fields[] = {
    BOOL_ROW(M, measured, "else the rest says nothing"),
    BOOL_ROW(M, fits, "the tensors of the peak could be had"),
    INT64_ROW(M, wanted_bytes, "allocated at the peak, as predicted"),
    MAYBE_INT64_ROW(M, largest_bytes, "that could be allocated"),
    MAYBE_INT64_ROW(M, context_bytes, "taken by the device's context"),
};
static const report_shape memory_shape =
        REPORT_SHAPE(M, memory_fields, "memory of the tight GPU");

#define B report_bench
static const report_field bench_fields[] = {
    STRING_ROW(B, command, "command line"),
    INT64_ROW(B, n_measurements, "that it makes"),
};
static const report_shape bench_shape =
        REPORT_SHAPE(B, bench_fields, "a command to run");

#define V report_validated
static const report_field validated_fields[] = {
    CONST_ROW("schema", P3D_SCHEMA),
    CONST_ROW("command", "validate"),
    WORD_ROW(V, verdict, int, report_verdict_word,
             "whether the plan holds on the machine"),
    STRING_ROW(V, why_not, "why nothing was measured; null = it was"),
    DOUBLE_ROW(V, tolerance_frac, "what may be off by less"),
    STRING_ROW(V, model, "name of the model"),
    STRING_ROW(V, cluster, "the cluster in words"),
    STRING_ROW(V, plan, "as --plan reads it"),
    STRING_ROW(V, device, "that was measured, as its driver has it"),
    STRING_ROW(V, driver, "of the device"),
    STRING_ROW(V, date, "of the first measurement"),
    DOUBLE_ROW(V, covered_frac, "share of the planned seconds that was "
               "measured"),
    LIST_ROW(V, kinds, comparison_shape, "kinds of operations of the plan"),
    OBJECT_OR_NULL_ROW(V, all, p3d_comparison, comparison_shape,
            "all of them, but for sustained products"),
    OBJECT_OR_NULL_ROW(V, step, report_step_check, step_shape,
            "the step with the measured constants"),
    OBJECT_OR_NULL_ROW(V, memory, p3d_had_memory, memory_shape,
            "whether the peak was had"),
    LIST_ROW(V, forms, report_form_shape, "cost forms and their fits"),
    STRING_ROW(V, file, "calibration that was written; null = none"),
    LINES_ROW(V, reasons, "why the plan does not hold"),
    LINES_ROW(V, notes, "what the answer does not say"),
    LIST_ROW(V, commands, bench_shape, "that measure it elsewhere"),
    INT64_ROW(V, n_measurements, "that these make"),
};
/* clang-format on */

const report_shape report_validated_shape =
        REPORT_SHAPE(V, validated_fields, "answer of plan3d validate");

static void print_verdict(const V *v, p3d_text *out)
{
    char words[64];

    switch ((report_verdict)v->verdict) {
    case REPORT_HOLDS:
        snprintf(words, sizeof(words), "HOLDS, within %g %%",
                100 * v->tolerance_frac);
        report_paint_line(REPORT_GOOD, words, out);
        break;
    case REPORT_DOES_NOT_HOLD:
        snprintf(words, sizeof(words), "DOES NOT HOLD, within %g %%",
                100 * v->tolerance_frac);
        report_paint_line(REPORT_BAD, words, out);
        break;
    case REPORT_NOT_RUN:
        report_paint_line(REPORT_CARE, "NOT RUN (--dry-run)", out);
        break;
    case REPORT_NOT_MEASURED:
        report_paint_words(REPORT_CARE, "NOT MEASURED", out);
        p3d_text_add(out, ": %s\n", v->why_not);
        break;
    }
}

static void print_head(const V *v, p3d_text *out)
{
    print_verdict(v, out);
    report_wrap_labelled("plan", out, "%s", v->plan);
    report_wrap_labelled("model", out, "%s", v->model);
    report_wrap_labelled("cluster", out, "%s", v->cluster);
    if (v->device != NULL)
        report_wrap_labelled("measured", out, "%s, driver %s, %s", v->device,
                v->driver[0] != '\0' ? v->driver : "unknown",
                v->date[0] != '\0' ? v->date : "date unknown");
}

/* A number for each of several columns, or none without points. */
static void print_comparison(const p3d_comparison *c, report_table *table)
{
    char measured[32];
    char predicted[32];

    report_table_cell(table, "%s", c->name);
    report_table_cell(table, "%d of %d", c->n_found, c->n_wanted);
    report_table_cell(table, "%d", c->n_points);
    if (c->n_points == 0) {
        for (int i = 0; i < 4; i++)
            report_table_cell(table, "-");
        report_table_cell(table, "%s", "");
        return;
    }
    report_table_cell(table, "%.3f", c->median_ratio);
    report_table_cell(table, "%.3f", c->low_ratio);
    report_table_cell(table, "%.3f", c->high_ratio);
    report_table_cell(table, "%.3f", c->worst_ratio);
    report_table_cell(table, "%s, not %s",
            p3d_print_seconds(measured, sizeof(measured), c->worst_measured_s),
            p3d_print_seconds(
                    predicted, sizeof(predicted), c->worst_predicted_s));
}

static void print_kinds(const V *v, p3d_text *out)
{
    static const char *const heads[] = {"measured / predicted", "operations",
            "points", "median", "10 %", "90 %", "worst", "which took"};
    const p3d_comparison *const kinds = v->kinds.items;
    const char *label = "worst    ";
    report_table table;

    p3d_text_add(out, "\n");
    report_table_begin(&table, "lrrrrrrl");
    for (int i = 0; i < P3D_COUNT_OF(heads); i++)
        report_table_cell(&table, "%s", heads[i]);
    for (int i = 0; i < v->kinds.n; i++)
        print_comparison(&kinds[i], &table);
    print_comparison(v->all, &table);
    report_table_print(&table, out);
    for (int i = 0; i < v->kinds.n; i++) {
        if (kinds[i].n_points == 0)
            continue;
        p3d_text_add(out, "%s%s: %s\n", label, kinds[i].name, kinds[i].worst);
        label = "         ";
    }
    p3d_text_add(out, "measured: %.1f %% of the planned seconds\n",
            100 * v->covered_frac);
}

static void print_step(const report_step_check *s, p3d_text *out)
{
    char before[32];
    char after[32];
    char best[32];

    report_step_words(before, sizeof(before), s->predicted_s);
    if (s->calibrated_s <= 0) {
        p3d_text_add(out,
                "step     %s predicted; too few points to fit "
                "constants to\n",
                before);
        return;
    }
    p3d_text_add(out,
            "step     %s predicted, %s with measured constants "
            "(%+.1f %%)\n",
            before, report_step_words(after, sizeof(after), s->calibrated_s),
            100 * s->change_frac);
    if (s->best_plan == NULL)
        return;
    if (s->is_best)
        p3d_text_add(out, "choice   still the fastest plan\n");
    else
        report_wrap_labelled("choice", out,
                "with these constants %s is the fastest: %s, and the plan "
                "takes %.2f %% longer",
                s->best_plan, report_step_words(best, sizeof(best), s->best_s),
                100 * s->regret_frac);
}

static void print_memory(const p3d_had_memory *m, p3d_text *out)
{
    char wanted[32];
    char largest[32];

    p3d_print_bytes(wanted, sizeof(wanted), (double)m->wanted_bytes);
    p3d_print_bytes(largest, sizeof(largest), (double)m->largest_bytes);
    if (!m->measured)
        p3d_text_add(
                out, "memory   %s allocated at the peak; not tried\n", wanted);
    else
        p3d_text_add(out,
                "memory   %s allocated at the peak: %s; at most %s "
                "can be had\n",
                wanted, m->fits ? "had" : "NOT had", largest);
}

static void print_lines(
        const char *label, const report_list *lines, p3d_text *out)
{
    const char *const text = lines->items;

    for (int i = 0; i < lines->n; i++)
        report_wrap_labelled(
                i == 0 ? label : "", out, "%s", text + (size_t)i * REPORT_LINE);
}

static void print_commands(const V *v, p3d_text *out)
{
    const report_bench *const commands = v->commands.items;
    char n[32];

    if (v->commands.n == 0)
        return;
    p3d_text_add(out, "\n%s measurements, where the GPUs are:\n",
            p3d_print_integer(n, sizeof(n), v->n_measurements));
    for (int i = 0; i < v->commands.n; i++) {
        p3d_text_add(out, "  ");
        report_wrap_command(commands[i].command, 2, out);
    }
}

void report_print_validated(const V *v, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_validated_shape, v, &comparison_shape, v->kinds};

    if (report_print_data(&data, format, out))
        return;
    print_head(v, out);
    if (v->all != NULL) {
        print_kinds(v, out);
        p3d_text_add(out, "\n");
        print_step(v->step, out);
        print_memory(v->memory, out);
    }
    print_lines("no", &v->reasons, out);
    print_lines("note", &v->notes, out);
    if (v->file != NULL)
        p3d_text_add(out, "written  %s; plan with --calibration %s\n", v->file,
                v->file);
    print_commands(v, out);
}
