/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - what follows from the rows of a sweep, and its formats. */
#include "report/sweep.h"

#include <string.h>

static bool has_role(const report_sweep_row *row, const char *word)
{
    return row->role != NULL && strstr(row->role, word) != NULL;
}

double report_sweep_cost(const report_sweep_row *row)
{
    return row->training_usd > 0 ? row->training_usd : row->training_gpu_h;
}

/* Keep the better of two rows of a role; the first of equal ones. */
static void take_best(report_sweep *sweep, const report_sweep_row *row)
{
    if (has_role(row, "smallest") &&
            (sweep->smallest == NULL || row->n_gpus < sweep->smallest->n_gpus))
        sweep->smallest = row;
    if (has_role(row, "cheapest") &&
            (sweep->cheapest == NULL ||
                    report_sweep_cost(row) <
                            report_sweep_cost(sweep->cheapest)))
        sweep->cheapest = row;
    if (has_role(row, "closest") &&
            (sweep->closest == NULL ||
                    row->training_s < sweep->closest->training_s))
        sweep->closest = row;
}

static void complete_row(report_sweep_row *row)
{
    row->plan = row->plan_words[0] != '\0' ? row->plan_words : NULL;
    row->refusal = row->refusal_words[0] != '\0' ? row->refusal_words : NULL;
}

static void count(report_sweep *sweep, const report_sweep_row *row)
{
    sweep->n_found++;
    sweep->n_fit += row->fits;
    sweep->n_illegal += !row->legal;
    sweep->n_front += row->on_front;
}

void report_sweep_complete(report_sweep *sweep, report_sweep_row *rows,
        int n_rows, const report_sweep_scan *scans, int n_scans)
{
    int n = 0;

    for (int i = 0; i < n_rows; i++) {
        count(sweep, &rows[i]);
        if (!sweep->only_front || rows[i].on_front)
            rows[n++] = rows[i];
    }
    for (int i = 0; i < n; i++) {
        complete_row(&rows[i]);
        take_best(sweep, &rows[i]);
    }
    if (sweep->smallest != NULL)
        sweep->closest = NULL;
    sweep->fits =
            sweep->deadline_s > 0 ? sweep->smallest != NULL : sweep->n_fit > 0;
    sweep->rows = (report_list){rows, n};
    sweep->scans = (report_list){scans, n_scans};
}

bool report_sweep_has_idle(const report_sweep *sweep)
{
    const report_sweep_row *rows = sweep->rows.items;

    for (int i = 0; i < sweep->rows.n; i++)
        if (rows[i].idle_gpus > 0)
            return true;
    return false;
}

void report_print_sweep(
        const report_sweep *sweep, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_sweep_shape, sweep, &report_sweep_row_shape, sweep->rows};

    if (!report_print_data(&data, format, out))
        report_text_sweep(sweep, out);
}
