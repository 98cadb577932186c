/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign.h - which job on which pool, as text and as data. */
#ifndef PLAN3D_REPORT_ASSIGN_H
#define PLAN3D_REPORT_ASSIGN_H

#include "plan3d/assign.h"
#include "report/format.h"

/** Words of a job, and why pools do not run it ("" = they may). */
typedef struct report_assign_job {
    const char *model_word;
    p3d_text options; /* of the job, to repeat */
    bool says_batch;  /* they have it */
    char refusal[P3D_MAX_POOLS][P3D_ASSIGN_REASON];
} report_assign_job;

/** A place in a pool; words of a plan that is there. */
typedef struct report_assign_place {
    const char *pool; /* NULL = none */
    const char *gpu;
    p3d_assign_point at;
    char plan[P3D_PLAN_WORDS];
} report_assign_place;

/** What a job needs of a pool. */
typedef struct report_assign_need {
    const char *job;
    const char *pool;
    int least_nodes;     /* 0 = the pool is not enough */
    const char *refusal; /* NULL = the pool may run it */
} report_assign_need;

typedef struct report_assign_row {
    const char *name;
    const char *model;
    int seq_len;
    int64_t global_batch;
    double n_tokens;
    int weight;
    double deadline_s; /* 0 = any time */
    int verdict;       /* p3d_assign_verdict */
    report_assign_place place, alone;
} report_assign_row;

typedef struct report_assign_pool {
    const char *name;
    const char *cluster; /* in words */
    int n_nodes;
    int n_used_nodes;
    int unit_nodes; /* jobs take nodes of it by so many */
} report_assign_pool;

/** An answer; words, jobs, pools and what was found stay with the caller. */
typedef struct report_assign {
    const char *fleet_word;
    const p3d_pools *pools;
    const p3d_assign_job *jobs;
    const report_assign_job *words;
    int objective; /* p3d_assign_objective */
    p3d_assignment found;
    json_list rows; /* of report_assign_row */
    json_list pool_list;
    json_list needs; /* of report_assign_need: of each job, each pool */
    report_assign_need need_rows[P3D_MAX_ASSIGNED * P3D_MAX_POOLS];
    report_assign_row job_rows[P3D_MAX_ASSIGNED];
    report_assign_pool pool_rows[P3D_MAX_POOLS];
} report_assign;

extern const json_shape report_assign_shape;
extern const json_shape report_assign_row_shape;

/** Fill the rows of an answer of which the rest is set. */
void report_assign_fill(report_assign *answer);

/** Append the answer; the rows are the jobs. */
void report_assign_print(
        const report_assign *answer, report_format format, p3d_text *out);

#endif
