/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.h - how well predictions meet measured runs: errors of step time and
 * peak memory, and of the choice among plans of one job. */
#ifndef PLAN3D_BACKTEST_H
#define PLAN3D_BACKTEST_H

#include <stdint.h>

#include "plan3d/calibration.h"
#include "plan3d/estimate.h"
#include "plan3d/score.h"

P3D_API_BEGIN

typedef struct p3d_backtest_options {
    const char *runs;   /* CSV of measured runs, with the columns of
                           tests/accuracy/runs.csv; "-" is standard input */
    const char *sets;   /* CSV of sets of runs of one job with different plans:
                           columns set and ids; NULL = none */
    const char *source; /* only rows of this source; NULL = all */
    const p3d_calibration *calibration; /* for the GPUs that it holds for; NULL
                                           = those of each GPU */
    bool time, memory, rank;            /* what is scored; rank needs sets */
} p3d_backtest_options;

/** One run. Zero or not-a-number where there is no number. */
typedef struct p3d_backtest_row {
    const char *id;
    const char *source;
    const char *gpu; /* as the table names it */
    const char *model;
    double measured_step_s;
    double predicted_step_s;
    int64_t measured_peak_bytes;
    int64_t predicted_peak_bytes; /* of the rank and the meter that were
                                     measured */
    double error_frac;            /* of the step, or of the peak where only that
                                     is scored */
    const char *skipped;          /* why it is not scored; NULL = it is */
    double time_error_frac;       /* predicted / measured - 1, as all errors */
    double memory_error_frac;
    const char *fit; /* "ran" or "lacked memory"; NULL = not known, or memory
                        is not scored */
    const char *predicted_fit; /* "fits" or "lacks memory"; NULL with fit */
    int n_gpus;
    int seq_len;           /* tokens */
    int64_t global_batch;  /* sequences */
    const char *dtype;     /* of the matrix products: "bf16" */
    const char *framework; /* whose profile predicts it; NULL = none does */
    const char *meter;     /* of the peak: allocated, reserved or device */
    bool experts;
    bool stands_in; /* the profile is of a similar framework */
    bool several_nodes;
    bool host_bound;   /* the host takes more than 10 % of the step */
    bool many_gpus;    /* more than 1,024: few sources have as many */
    double waste_log;  /* ln(reserved / allocated), measured less predicted */
    double taken_frac; /* predicted peak over the memory of its GPU */
    double fit_probability_frac; /* without its own source's peaks */
    double low_step_s;           /* 80 % range without its own source's runs */
    double median_step_s; /* of that range: half of the runs are slower */
    double high_step_s;
    p3d_time time; /* predicted, by terms */
} p3d_backtest_row;

/** Runs of which the probability of fitting was in a band. */
typedef struct p3d_backtest_band {
    double low_frac;
    double high_frac;
    int n_rows;
    int n_ran; /* of these, with memory enough */
    double ran_frac;
} p3d_backtest_band;

enum { P3D_BACKTEST_BANDS = 4 };

/** Who fits: every run that ran or lacked memory. */
typedef struct p3d_backtest_fits {
    int n_rows;
    int n_right; /* of these, the estimate said what was seen */
    double right_frac;
    p3d_backtest_band bands[P3D_BACKTEST_BANDS]; /* from low to high */
} p3d_backtest_fits;

/** Runs that failed for lack of memory, and those that did not: that have a
 *  step time or a peak. Counted where memory is scored. */
typedef struct p3d_backtest_oom {
    int n_failed;
    int n_failed_predicted; /* of these, predicted to need too much */
    int n_ran;
    int n_ran_predicted; /* of these, predicted to fit */
} p3d_backtest_oom;

/** What a score does not say. */
typedef struct p3d_backtest_extremes {
    const char *worst_id; /* NULL = no row */
    double worst_error_frac;
    int n_skipped;
} p3d_backtest_extremes;

/** All runs of one source, or of all of them. */
typedef struct p3d_backtest_source {
    const char *source; /* "all" of all */
    p3d_score time;
    p3d_score memory;
    p3d_rank_score rank;
    p3d_backtest_extremes time_extremes;
    p3d_backtest_extremes memory_extremes;
    p3d_backtest_oom oom; /* does it fit */
    int n_sets_skipped;
    p3d_score median_time; /* of the medians of the ranges; of all sources
                              together */
    p3d_score guess_time;  /* of a constant use of the peak */
    p3d_rank_score guess_rank;
    p3d_backtest_fits fits;
    /* Steps in the range that they were said to be in: of them all, and the
     * mean of the sources with at least P3D_MACRO_MIN_ROWS rows. */
    int n_inside;
    double inside_frac, macro_inside_frac;
} p3d_backtest_source;

/** Rows that could not be predicted for one reason. */
typedef struct p3d_backtest_skipped {
    const char *what; /* "time", "memory", "rank" */
    char reason[128];
    int n_rows;
    const char *first_id;
} p3d_backtest_skipped;

/** Rows of which something was assumed. */
typedef struct p3d_backtest_assumed {
    const char *words;
    int n_rows;
} p3d_backtest_assumed;

/** The tables that words point into. */
typedef struct p3d_backtest_storage p3d_backtest_storage;

/** Errors of the predictions. All that it points to is its own. */
typedef struct p3d_backtest {
    int n_file_rows; /* rows of the file (and source) */
    p3d_backtest_row *rows;
    int n_rows;
    p3d_backtest_source summary;  /* of all sources */
    p3d_backtest_source *sources; /* in the order of the table */
    int n_sources;
    p3d_backtest_skipped *skipped;
    int n_skipped;
    p3d_backtest_assumed *assumed;
    int n_assumed;
    p3d_backtest_oom oom;
    int n_runs_missing;    /* of scored sets, that could not be predicted */
    double guess_mfu_frac; /* share of the peak that the guess takes */
    p3d_backtest_storage *storage;
} p3d_backtest;

/**
 * Predict every run of a table and hold the predictions against it.
 *
 * @param out  release with p3d_backtest_free(); untouched on failure
 * @return false with P3D_USAGE (no row of that source), P3D_DATA (file:line:
 *         column, or a calibration of no GPU that a run was on) or P3D_SYSTEM
 */
P3D_CHECK bool p3d_backtest_run(
        const p3d_backtest_options *options, p3d_backtest *out, p3d_error *err);

/** Accepts a zero struct. */
void p3d_backtest_free(p3d_backtest *backtest);

P3D_API_END

#endif
