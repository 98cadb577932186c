/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - everything that the page of `plan3d report` shows: what it was
 * asked, the answer, and searches around it. */
#ifndef PLAN3D_REPORT_PAGE_H
#define PLAN3D_REPORT_PAGE_H

#include "report/document.h"

/** An option as it was given; a flag has no value. */
typedef struct report_option {
    const char *name;
    const char *value;
} report_option;

/** Words of a command line, and texts of the files that they name: enough to
 *  ask again elsewhere. A text is NULL where a word names no file. */
typedef struct report_origin {
    const char *model;
    const char *model_text;
    const char *cluster;
    const char *cluster_text;
    const char *calibration_text;
    const char *plan;
    json_list options; /* of report_option */
} report_origin;

/** The best plan with this many tensor-parallel and pipeline ranks. */
typedef struct report_cell {
    int tp;
    int pp;
    bool legal;
    bool fits;   /* some plan is sure to */
    bool barely; /* by the estimate some plan does, and none is sure to */
    char words[REPORT_PLAN]; /* "" when not legal */
    double step_s;           /* 0 when it does not fit */
    int64_t missing_bytes;   /* 0 when it fits */
    char rule[8];            /* that refused first; "" = none */
    char reason[JSON_LINE];
} report_cell;

/** A plan that fits. */
typedef struct report_point {
    char words[REPORT_PLAN];
    double step_s;
    int64_t margin_bytes;
    bool on_front; /* no other point is faster with as much margin, or as fast
                      with more */
    bool sure;     /* to fit, as the job asks */
    double fit_probability_frac;
} report_point;

/** The best plan on another number of GPUs; what does not apply is 0. */
typedef struct report_scale {
    int n_gpus;
    bool legal;
    bool fits;
    char words[REPORT_PLAN];
    double step_s;
    double tokens_per_s;
    double efficiency_frac; /* tokens/s per GPU over those of the asked one */
    int64_t missing_bytes;
    double billion_tokens_usd, low_billion_usd, high_billion_usd;
    double training_s, low_s, high_s; /* high: 0 = it may never end */
    double training_usd, low_usd, high_usd;
    char reason[JSON_LINE]; /* when not legal */
} report_scale;

/** The step of the plan when one group of constants is wrong by its standard
 *  error, up and down. */
typedef struct report_swing {
    const char *name;
    const char *measure; /* what to run to know it */
    double sigma;
    double low_s;
    double high_s;
} report_swing;

/** The files that launch the plan with a framework, or why it cannot. */
typedef struct report_target {
    const char *name;
    const char *title;
    const char *versions;
    bool can;
    bool fits;     /* by the costs and rules of that framework */
    double step_s; /* the same; 0 = it cannot */
    char reason[2 * JSON_LINE];
    json_list files; /* of report_file */
} report_target;

/** The texts and lists stay with the caller. */
typedef struct report_page {
    report_origin origin;
    const report_document *document; /* with ->estimate, ->best or ->closest */
    json_list cells;                 /* by tp, then pp */
    json_list points;                /* by step time */
    json_list scales;                /* by GPUs */
    json_list swings;                /* the largest first */
    json_list targets;
} report_page;

extern const json_shape report_page_shape;

/**
 * Append the page: one HTML file that needs nothing else, with the document
 * inside (`<script type="application/json" id="plan3d">`).
 *
 * @param out  incomplete after a failure
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool report_page_print(
        const report_page *page, p3d_text *out, p3d_error *err);

#endif
