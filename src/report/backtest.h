/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.h - how well predictions met measured runs, as text and as JSON. */
#ifndef PLAN3D_REPORT_BACKTEST_H
#define PLAN3D_REPORT_BACKTEST_H

#include "plan3d/backtest.h"
#include "report/data/format.h"

/** A backtest; words and lists stay with the caller. */
typedef struct report_backtest {
    const char *file;
    bool time, memory, rank; /* what was asked for */
    bool with_rows;
    p3d_backtest found;
    json_list sources; /* p3d_backtest_source */
    json_list skipped; /* p3d_backtest_skipped */
    json_list assumed; /* p3d_backtest_assumed */
    json_list rows;    /* p3d_backtest_row; empty without --rows */
} report_backtest;

extern const json_shape report_backtest_shape;
extern const json_shape report_source_shape;
extern const json_shape report_run_shape;

/** Append the answer; the rows are the runs with --rows, else the sources. */
void report_print_backtest(
        const report_backtest *backtest, report_format format, p3d_text *out);

#endif
