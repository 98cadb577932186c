/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_pools_sweep.c - a sweep over pools of several types, in text. */
#include <stdio.h>

#include "base/util.h"
#include "report/amounts.h"
#include "report/pools.h"
#include "report/report.h"
#include "report/text/layout.h"

#define CELL(name, ...) REPORT_COLUMN(name, report_pools_row, __VA_ARGS__)
CELL(print_mark, "%s", x->best ? "*" : "")
CELL(print_cluster, "%s", x->cluster)
CELL(print_beside, "%s", x->beside[0] != '\0' ? x->beside : "-")
CELL(print_seq, "%s", report_integer_words(x->seq_len).text)
CELL(print_batch, "%s", report_integer_words(x->global_batch).text)
CELL(print_on, "%s", x->fits ? x->recommended : "-")
CELL(print_plan, "%s", x->plan)
CELL(print_step, "%s",
        x->fits ? report_three_words(x->step_s).text
                : report_say(style, "NO FIT"))
CELL(print_rate, "%s", x->fits ? report_three_words(x->tokens_per_s).text : "-")
CELL(print_together, "%s",
        x->together_step_s > 0 ? report_three_words(x->together_step_s).text
                               : "-")
CELL(print_alone, "%s",
        x->best_alone_step_s > 0 ? report_three_words(x->best_alone_step_s).text
                                 : "-")

static const report_column columns[] = {
        {.head = "", .align = 'l', .print = print_mark},
        {.head = "cluster",
                .align = 'l',
                .may_go = true,
                .print = print_cluster},
        {.head = "with", .align = 'l', .may_go = true, .print = print_beside},
        {.head = "seq", .align = 'r', .may_go = true, .print = print_seq},
        {.head = "batch", .align = 'r', .may_go = true, .print = print_batch},
        {.head = "step s", .align = 'r', .print = print_step},
        {.head = "tok/s", .align = 'r', .print = print_rate},
        {.head = "together s", .align = 'r', .print = print_together},
        {.head = "alone s", .align = 'r', .print = print_alone},
        {.head = "on", .align = 'l', .print = print_on},
        {.head = "plan", .align = 'l', .print = print_plan}};

void report_pools_sweep_print(
        const report_pools_sweep *s, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_pools_sweep_shape, s, &report_pools_row_shape, s->rows};
    report_columns shown = {.rows = s->rows,
            .size = sizeof(report_pools_row),
            .style = out->style,
            .in_all = "in all rows: "};

    if (report_print_data(&data, format, out))
        return;
    report_add(out, "POOLS: the best plan of %s with each network and job\n\n",
            s->model);
    for (int i = 0; i < P3D_COUNT_OF(columns); i++)
        report_columns_add(&shown, &columns[i]);
    report_columns_print(&shown, out);
    report_wrap(report_say(out->style,
                        "(step s, tok/s: of what is recommended; together: of "
                        "the fastest plan on all pools; alone: of the best "
                        "pool alone; *: the most tokens/s; the plan's layers "
                        "are in 'plan3d fit')"),
            0, out);
}
