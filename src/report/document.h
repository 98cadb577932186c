/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - everything that a command prints, as text or as JSON. */
#ifndef PLAN3D_REPORT_DOCUMENT_H
#define PLAN3D_REPORT_DOCUMENT_H

#include "report/answer.h"
#include "report/prices.h"
#include "report/sensitivity.h"

enum { REPORT_MAX_ASSUMED = 20 };

typedef struct report_search {
    int64_t n_plans;
    int64_t n_evaluated;
    int64_t n_feasible;
    int64_t n_cut;
    int64_t n_too_large;
    int64_t n_dominated;
    double floor_s;
    double cut_s;
    double runner_up_s;
    double runner_up_gap_frac;
    bool interrupted;
    double seconds;
} report_search;

/** A search that was checked plan by plan. */
typedef struct report_verified {
    int64_t n_plans;
    int64_t n_fitting;
    double best_step_s;
    bool agrees;
    bool interrupted;
    double seconds;
} report_verified;

typedef struct report_change {
    char words[160];
    char plan_words[REPORT_PLAN];
    p3d_plan plan;
    int n_gpus;
    int seq_len;
    int64_t global_batch;
    int64_t peak_bytes;
    int64_t usable_bytes;
    double step_s;
    double tokens_per_s;
    double tokens_per_s_per_gpu;
} report_change;

typedef struct report_step {
    int number; /* from 1 */
    char words[REPORT_PLAN];
    p3d_plan plan;
    bool legal;
    bool fits;
    bool accepted;
    const char *rule;    /* NULL when legal */
    const char *refusal; /* NULL when legal */
    int64_t peak_bytes;  /* this and below: 0 when not legal */
    int64_t usable_bytes;
    double step_s;
    double tokens_per_s_per_gpu;
    const char *bottleneck; /* largest term of time after the GEMMs */
    const char *decision;
    const char *reason;
} report_step;

/** One change of a plan, all else as it is. */
typedef struct report_single {
    char change[REPORT_PLAN]; /* "tp=4", "--tp-overlap" */
    const char *decision;     /* "tensor-parallel ranks" */
    char words[REPORT_PLAN];  /* the plan with it */
    double step_s;
    double gain_s; /* less than the plan takes; negative = more */
    double gain_frac;
    int64_t peak_bytes;
    int64_t margin_bytes;
} report_single;

/** A launch that was read, as it is printed. */
typedef struct report_read {
    const char *title;
    const char *profile;
    const char *versions;
    double measured_step_s;
    int n_measured_steps;
    int64_t measured_allocated_bytes;
    int64_t measured_reserved_bytes;
    double error_frac; /* of the predicted step; not-a-number = not measured */
    const char *slower_by; /* the term that grew most against the best plan */
    report_list defaults;
    report_list unknown;
    report_list unmodelled;
    report_list unresolved;
    char slower_words[64];
    char (*lines)[REPORT_LINE]; /* of the lists; owned */
} report_read;

/** A launch that was written, as it is printed. */
typedef struct report_written {
    const char *target;
    const char *versions;
    const char *profile;
    const char *launcher;
    const char *directory;
    report_list files;
} report_written;

struct report_document {
    report_question question; /* the words stay with the caller */
    report_model model;
    report_cluster cluster;
    report_job job;
    bool fits;
    const report_answer *best; /* NULL when nothing fits */
    const report_answer *closest;
    report_list plans;
    report_search search;
    report_list changes;
    int smallest_cluster_gpus;
    report_list assumed;
    const report_answer *estimate;
    report_list items; /* of report_item: what is alive on the tight rank */
    report_list steps;
    const report_answer *answer;
    const report_answer *exact_best;
    double gap_frac;
    const report_sensitivity *sensitivity; /* NULL = not asked, or no plan */
    const report_verified *verified;       /* NULL = not asked */
    report_list decisions;                 /* of report_decision */
    report_comparison comparison;
    report_read launch;
    report_list single_changes; /* of report_single, the largest gain first */
    report_written written;
    /* Storage of what is pointed to above. */
    int n_answers;
    report_answer answers[P3D_MAX_TOP + 2];
    report_change change_items[P3D_MAX_CHANGES];
    report_step step_items[P3D_MAX_STEPS];
    report_single single_items[P3D_MAX_SINGLE_CHANGES];
    report_item item_lines[P3D_MAX_MEMORY_ITEMS];
    p3d_walk walk;
    report_sensitivity *judged; /* owned */
    report_prices *prices;      /* owned; NULL = not asked */
    report_verified check;
    p3d_time more_time;
    p3d_memory more_memory;
    char assumed_lines[REPORT_MAX_ASSUMED][REPORT_LINE];
};

/** Fill document->assumed. */
void report_assume(report_document *document);

/** Documents as JSON objects. */
extern const report_shape report_fit_shape;
extern const report_shape report_plan_document_shape;
extern const report_shape report_estimate_shape;
extern const report_shape report_advise_shape;
extern const report_shape report_step_shape;
extern const report_shape report_explain_shape;
extern const report_shape report_sensitivity_document_shape;
extern const report_shape report_why_shape;
extern const report_shape report_compare_shape;
extern const report_shape report_import_shape;
extern const report_shape report_export_shape;

/** Take over what was read of a launch, and how far its plan is from the best;
 *  document->estimate and ->best are set.
 *  @return false with P3D_SYSTEM */
P3D_CHECK bool report_add_launch(
        report_document *document, const report_launch *launch, p3d_error *err);

/** Take over what single changes of document->estimate gain. */
void report_add_single(report_document *document,
        const p3d_single_change *changes, int n_changes);

#endif
