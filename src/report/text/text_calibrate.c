/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_calibrate.c - what a calibration changed. */
#include "report/calibrated.h"
#include "report/document.h"
#include "report/text/table.h"

static void percent(report_table *table, bool known, double frac)
{
    if (known)
        report_table_cell(table, "%.1f", 100 * frac);
    else
        report_table_cell(table, "-");
}

static void print_forms(const json_list *list, p3d_text *out)
{
    static const char *const words[] = {
            "form", "points", "old error %", "new error %", "hold-out %"};
    const p3d_form_result *const forms = list->items;
    report_table table;

    report_table_begin(&table, "lrrrr");
    report_table_heads(&table, words);
    for (int i = 0; i < list->n; i++) {
        const p3d_form_result *const f = &forms[i];

        report_table_cell(&table, "%s", f->name);
        report_table_cell(&table, "%d", f->n_points);
        percent(&table, f->n_points > 0, f->old_error_frac);
        percent(&table, f->fitted, f->new_error_frac);
        percent(&table, f->fitted, f->held_error_frac);
    }
    report_table_print(&table, out);
    p3d_text_add(out,
            "(mean of |predicted / measured - 1|; hold-out: on points that a "
            "fit to the others had\nnot seen, in five parts)\n");
}

/* A command that measures several forms is said once. */
static bool is_said(const p3d_form_result *forms, int i)
{
    for (int k = 0; k < i; k++)
        if (!forms[k].fitted && forms[k].measure == forms[i].measure)
            return true;
    return false;
}

static void print_kept(const char *base, const json_list *list, p3d_text *out)
{
    const p3d_form_result *const forms = list->items;
    bool any = false;

    for (int i = 0; i < list->n; i++) {
        if (forms[i].fitted)
            continue;
        if (!any)
            p3d_text_add(out, "\nkept from %s, for too few points:\n", base);
        any = true;
        p3d_text_add(out, "  %s: %d points, a fit needs %d\n", forms[i].name,
                forms[i].n_points, forms[i].n_least);
    }
    if (any)
        p3d_text_add(out, "to measure them:\n");
    for (int i = 0; i < list->n; i++) {
        if (!forms[i].fitted && !is_said(forms, i))
            p3d_text_add(out, "  %s\n", forms[i].measure);
    }
}

void report_print_calibrated(
        const report_calibrated *c, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_calibrated_shape, c, &report_form_shape, c->forms};

    if (report_print_data(&data, format, out))
        return;
    p3d_text_add(out, "%s, measured as %s, driver %s, %s\n\n", c->gpu,
            c->device, c->driver[0] != '\0' ? c->driver : "unknown",
            c->date[0] != '\0' ? c->date : "date unknown");
    print_forms(&c->forms, out);
    print_kept(c->base, &c->forms, out);
    if (c->file != NULL)
        p3d_text_add(out, "\nwritten to %s; plan with --calibration %s\n",
                c->file, c->file);
    else
        p3d_text_add(out, "\nnothing was written; -o FILE keeps the fit\n");
}
