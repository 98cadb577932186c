/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the table of a sweep, as text, CSV, JSON lines and JSON. */
#ifndef PLAN3D_REPORT_SWEEP_H
#define PLAN3D_REPORT_SWEEP_H

#include "report/answer.h"

/** The best plan of one combination. Zero where there is no number. */
typedef struct report_sweep_row {
    char cluster[96]; /* as on the command line: "64xH100" */
    const char *type; /* without the count: "H100" */
    const char *gpu;  /* its name in full */
    int n_gpus;
    int n_nodes;
    int seq_len;
    int64_t global_batch;
    const char *framework;
    bool any_framework;  /* it is the best of all of them */
    bool legal;          /* some plan is */
    const char *refusal; /* why none is; NULL = legal */
    bool fits;
    int idle_gpus; /* of n_gpus, with --idle */
    bool on_front;
    const char *role; /* with a deadline: smallest, cheapest, ... */
    const char *plan; /* as --plan reads it: the fastest, or the one that misses
                         the least; NULL = none is legal */
    int64_t peak_bytes;
    int64_t usable_bytes;
    int64_t margin_bytes;
    int64_t missing_bytes;
    double step_s; /* from here on: 0 when it does not fit */
    double tokens_per_s;
    double tokens_per_s_per_gpu;
    double mfu_frac;
    bool never_ends;   /* the training fails faster than it works */
    double training_s; /* 0 = no --tokens */
    double goodput_frac;
    double training_kwh;
    double training_gpu_h;
    double usd_per_gpu_h; /* 0 = not priced */
    double training_usd;
    double billion_tokens_usd;
    int64_t n_plans; /* legal plans that were searched */
    /* Storage of what is pointed to above. */
    p3d_plan best;
    char plan_words[REPORT_PLAN];
    char refusal_words[REPORT_LINE];
} report_sweep_row;

/** How the clusters of one job were scanned for a deadline. */
typedef struct report_sweep_scan {
    const char *type;      /* of the clusters */
    int seq_len;           /* 0 = the model's */
    int64_t global_batch;  /* 0 = plan3d's default for each count */
    const char *framework; /* NULL = the default */
    bool met;
    bool complete;      /* false: interrupted */
    int64_t least_gpus; /* the counts that were looked at */
    int64_t most_gpus;
    int n_counts;
    int n_searched;
    int n_skipped; /* the peak of the GPUs alone rules them out */
} report_sweep_scan;

/** A sweep; the words stay with the caller. */
typedef struct report_sweep {
    const char *model_word;
    const char *options;      /* of the job, to repeat */
    report_question question; /* of it the model */
    bool fits;                /* some row does; with a deadline: it is met */
    bool complete;            /* false: interrupted */
    bool only_front;          /* other rows are left out */
    double n_tokens;          /* 0 = not asked */
    double deadline_s;        /* 0 = not asked */
    int64_t n_asked;          /* combinations */
    int n_found;              /* rows, with those left out */
    int n_fit;
    int n_illegal;
    int n_front;
    double seconds;
    const report_sweep_row *smallest;
    const report_sweep_row *cheapest;
    const report_sweep_row *closest;
    report_list rows;  /* of report_sweep_row */
    report_list scans; /* of report_sweep_scan; empty without a deadline */
} report_sweep;

extern const report_shape report_sweep_row_shape;
extern const report_shape report_sweep_shape;

/** What rows are compared by: US dollars of the training or, without a price,
 *  its GPU-hours. */
double report_sweep_cost(const report_sweep_row *row);

/**
 * Fill everything that follows from the rows: what they point to, counts, the
 * best of all scans. With only_front, the rows on the front move to the
 * beginning and the others are left out.
 */
void report_sweep_complete(report_sweep *sweep, report_sweep_row *rows,
        int n_rows, const report_sweep_scan *scans, int n_scans);

/** True when a plan of some row leaves GPUs out. */
bool report_sweep_has_idle(const report_sweep *sweep);

void report_print_sweep(
        const report_sweep *sweep, report_format format, p3d_text *out);

/** The same as text alone; report_print_sweep() calls it. */
void report_text_sweep(const report_sweep *sweep, p3d_text *out);

/** The table alone. */
void report_text_sweep_rows(const report_sweep *sweep, p3d_text *out);

#endif
