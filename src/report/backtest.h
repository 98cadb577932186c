/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.h - how well predictions met measured runs, as text and as JSON. */
#ifndef PLAN3D_REPORT_BACKTEST_H
#define PLAN3D_REPORT_BACKTEST_H

#include <stdint.h>

#include "plan3d/score.h"
#include "report/data/format.h"

/** One run. Zero or not-a-number where there is no number. */
typedef struct report_run {
    const char *id;
    const char *source;
    double measured_step_s;
    double predicted_step_s;
    int64_t measured_peak_bytes;
    int64_t predicted_peak_bytes;
    double error_frac;   /* of the step, or of the peak where only that is
                            scored */
    const char *skipped; /* why it is not scored; NULL = it is */
    double time_error_frac;
    double memory_error_frac;
} report_run;

/** What the tables say beside a score. */
typedef struct report_extremes {
    const char *worst_id; /* NULL = no row */
    double worst_error_frac;
    int n_skipped;
} report_extremes;

/** All runs of one source, or of all of them. */
typedef struct report_source {
    const char *source;
    p3d_score time;
    p3d_score memory;
    p3d_rank_score rank;
    report_extremes time_extremes;
    report_extremes memory_extremes;
    int n_sets_skipped;
    p3d_score guess_time; /* of a constant use of the peak */
    p3d_rank_score guess_rank;
} report_source;

/** Rows that could not be predicted for one reason. */
typedef struct report_skipped {
    const char *what; /* "time", "memory", "rank" */
    char reason[128];
    int n_rows;
    const char *first_id;
} report_skipped;

/** Rows of which something was assumed. */
typedef struct report_assumed_rows {
    const char *words;
    int n_rows;
} report_assumed_rows;

/** Runs that failed for lack of memory, and those that did not. */
typedef struct report_oom {
    int n_failed;
    int n_failed_predicted; /* of these, predicted to need too much */
    int n_ran;
    int n_ran_predicted; /* of these, predicted to fit */
} report_oom;

typedef struct report_backtest {
    const char *file;
    bool time, memory, rank; /* what was asked for */
    bool with_rows;
    int n_file_rows; /* rows of the file (and source) */
    double guess_mfu_frac;
    report_source summary; /* of all sources */
    report_oom oom;
    int n_runs_missing;  /* of scored sets, that could not be predicted */
    report_list sources; /* report_source */
    report_list skipped; /* report_skipped */
    report_list assumed; /* report_assumed_rows */
    report_list rows;    /* report_run; empty without --rows */
} report_backtest;

extern const report_shape report_backtest_shape;
extern const report_shape report_source_shape;
extern const report_shape report_run_shape;

/** Append the answer; the rows are the runs with --rows, else the sources. */
void report_print_backtest(
        const report_backtest *backtest, report_format format, p3d_text *out);

#endif
