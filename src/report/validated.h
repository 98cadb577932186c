/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validated.h - whether a plan holds on the machine, as text and as JSON. */
#ifndef PLAN3D_REPORT_VALIDATED_H
#define PLAN3D_REPORT_VALIDATED_H

#include "plan3d/validate.h"
#include "report/data/format.h"

typedef enum report_verdict {
    REPORT_HOLDS,
    REPORT_DOES_NOT_HOLD,
    REPORT_NOT_RUN,     /* --dry-run */
    REPORT_NOT_MEASURED /* no device */
} report_verdict;

/** Word for a verdict; NULL past the last. */
const char *report_verdict_word(int i);

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
    json_list forms;        /* p3d_form_result */
    const char *file;       /* calibration that was written; NULL = none */
    json_list reasons;      /* lines: why it does not hold */
    json_list notes;        /* lines: what the answer does not say */
    json_list commands;     /* report_bench: to measure it elsewhere */
    int64_t n_measurements; /* of these */
} report_validated;

extern const json_shape report_validated_shape;

/** A p3d_comparison. */
extern const json_shape report_kind_shape;

/** Append the answer; the rows are the kinds of operations. */
void report_print_validated(
        const report_validated *validated, report_format format, p3d_text *out);

#endif
