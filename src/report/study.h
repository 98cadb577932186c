/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h - the answers of sweep, backtest, calibrate and validate, as text and
 * as data. */
#ifndef PLAN3D_REPORT_STUDY_H
#define PLAN3D_REPORT_STUDY_H

#include "plan3d/backtest.h"
#include "plan3d/calibrate.h"
#include "plan3d/sweep.h"
#include "plan3d/trace.h"
#include "plan3d/validate.h"
#include "report/answer.h"
#include "report/format.h"

/** What a sweep answers in its first line. */
typedef enum report_answer_kind {
    REPORT_NO_ANSWER,
    REPORT_FASTEST,  /* of the rows */
    REPORT_CHEAPEST, /* likewise */
    REPORT_FEWEST_GPUS,
    REPORT_LONGEST_SEQ,
    REPORT_LARGEST_MICRO_BATCH,
    REPORT_LARGEST_MODEL,
    REPORT_MOST_TOKENS
} report_answer_kind;

/** The end of a range that was looked for, and the first row beyond it; NULL =
 *  there is none. */
typedef struct report_end {
    report_answer_kind kind;
    const p3d_sweep_row *row, *beyond;
    const p3d_model *model, *beyond_model; /* of REPORT_LARGEST_MODEL */
} report_end;

/** A sweep; words and rows stay with the caller. */
typedef struct report_sweep {
    report_end end; /* the kind alone where rows are compared */
    const char *model_word;
    const char *options;      /* of the job, to repeat */
    report_question question; /* of it the model */
    double n_tokens;          /* 0 = not asked */
    double deadline_s;        /* 0 = not asked */
    const char *deadline_of;  /* cluster whose time it is; NULL = none's */
    double budget_usd;        /* likewise */
    const char *answer;       /* the sentence; NULL = it is not there yet, or no
                           question has one */
    p3d_sweep found;
    json_list rows;  /* of p3d_sweep_row: those found */
    json_list scans; /* of p3d_sweep_scan, likewise */
} report_sweep;

extern const json_shape report_sweep_row_shape;
extern const json_shape report_sweep_shape;

/** The cheapest training costs more than the budget, or nothing fits; false
 *  where there is no budget. */
bool report_sweep_over_budget(const report_sweep *sweep);

void report_print_sweep(
        const report_sweep *sweep, report_format format, p3d_text *out);

/** The rows of a part as JSON lines: without the front, which all parts make
 *  together. The parts in their order print what one part of 1 does. */
void report_print_sweep_part(const report_sweep *sweep, p3d_text *out);

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

typedef struct report_calibrated {
    const char *gpu;
    const char *base; /* calibration from before */
    const char *device;
    const char *driver;
    const char *date;
    const char *file;              /* that was written; NULL = none */
    json_list forms;               /* p3d_form_result */
    json_list left;                /* p3d_left_rows */
    json_list runs;                /* p3d_own_score */
    double median_error_frac;      /* of the size of the errors of these; 0 =
                                      no step was measured */
    double median_held_error_frac; /* after the others */
} report_calibrated;

extern const json_shape report_calibrated_shape;

/** A p3d_form_result. */
extern const json_shape report_form_shape;

/** A p3d_own_score. */
extern const json_shape report_own_score_shape;

/** Append the answer; the rows are the cost forms. */
void report_print_calibrated(const report_calibrated *calibrated,
        report_format format, p3d_text *out);

typedef enum report_verdict {
    REPORT_HOLDS,
    REPORT_DOES_NOT_HOLD,
    REPORT_NOT_RUN,     /* --dry-run */
    REPORT_NOT_MEASURED /* no device */
} report_verdict;

/** A command to be run, and how much it measures. */
typedef struct report_bench {
    const char *command;
    int64_t n_measurements; /* 0 = it measures nothing itself */
} report_bench;

typedef struct report_validated {
    int verdict;         /* report_verdict */
    const char *why_not; /* not measured; NULL = it was */
    double tolerance_frac;
    const char *model;
    const char *cluster;
    const char *plan;   /* as --plan reads it */
    const char *device; /* this and below: NULL and 0 where nothing was
                           measured */
    const char *driver;
    const char *date;
    double covered_frac; /* share of the planned seconds that was measured */
    json_list kinds;     /* p3d_comparison, with points */
    const p3d_comparison *all;
    const p3d_step_check *step;
    const p3d_had_memory *memory;
    const p3d_traced_step *trace;  /* NULL = --trace is not given */
    json_list terms;               /* p3d_trace_term, of it */
    const p3d_traced_ranks *ranks; /* of several traces; NULL = of one */
    json_list rank_kinds;          /* p3d_ranks_kind */
    json_list rank_collectives;    /* p3d_ranks_collective */
    json_list rank_stages;         /* p3d_ranks_stage */
    json_list forms;               /* p3d_form_result */
    const char *file;       /* calibration that was written; NULL = none */
    json_list reasons;      /* lines: why it does not hold */
    json_list notes;        /* lines: what the answer does not say */
    json_list commands;     /* report_bench: to measure it elsewhere */
    int64_t n_measurements; /* of these */
} report_validated;

extern const json_shape report_validated_shape;

/** A p3d_comparison. */
extern const json_shape report_kind_shape;

/** A p3d_trace_term. */
extern const json_shape report_traced_term_shape;

/** Append the answer; the rows are the kinds of operations, or the terms of a
 *  traced step. */
void report_print_validated(
        const report_validated *validated, report_format format, p3d_text *out);

#endif
