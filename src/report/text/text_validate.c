/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_validate.c - whether a plan holds on the machine. */
#include <stdio.h>

#include "plan3d/units.h"
#include "report/document.h"
#include "report/text/paint.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"
#include "report/validated.h"

static void print_verdict(const report_validated *v, p3d_text *out)
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

static void print_head(const report_validated *v, p3d_text *out)
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

static void print_kinds(const report_validated *v, p3d_text *out)
{
    static const char *const heads[] = {"measured / predicted", "operations",
            "points", "median", "10 %", "90 %", "worst", "which took"};
    const p3d_comparison *const kinds = v->kinds.items;
    const char *label = "worst    ";
    report_table table;

    p3d_text_add(out, "\n");
    report_table_begin(&table, "lrrrrrrl");
    report_table_heads(&table, heads);
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

static void print_step(const p3d_step_check *s, p3d_text *out)
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
        const char *label, const json_list *lines, p3d_text *out)
{
    const char *const text = lines->items;

    for (int i = 0; i < lines->n; i++)
        report_wrap_labelled(
                i == 0 ? label : "", out, "%s", text + (size_t)i * JSON_LINE);
}

static void print_commands(const report_validated *v, p3d_text *out)
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

void report_print_validated(
        const report_validated *v, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_validated_shape, v, &report_kind_shape, v->kinds};

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
