/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - the formats of a sweep. */
#include "report/sweep.h"

bool report_sweep_has_idle(const report_sweep *sweep)
{
    const p3d_sweep_row *rows = sweep->rows.items;

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
