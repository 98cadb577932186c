/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools.h - the answer about pools of several types, as text and as data. */
#ifndef PLAN3D_REPORT_POOLS_H
#define PLAN3D_REPORT_POOLS_H

#include "plan3d/pools.h"
#include "plan3d/pools_network.h"
#include "plan3d/sweep.h"
#include "report/answer.h"
#include "report/format.h"

enum { REPORT_POOLS_PLAN = 384 };

/** A pool, what the plan uses of it, and what it does alone. */
typedef struct report_pool {
    const char *name;
    const char *cluster; /* in words */
    const p3d_cluster *of;
    const char *fabric;
    bool rails;
    int n_gpus;
    int n_used_gpus;
    int unit_gpus; /* a replica takes GPUs of it by so many */
    bool alone_fits;
    char alone_plan[P3D_PLAN_WORDS];
    double alone_step_s;  /* 0 = none is sure to fit */
    double usd_per_gpu_h; /* 0 = not priced, as below */
    double alone_billion_tokens_usd;
    double alone_real_s; /* of a training; 0 = it never ends, or was not asked
                            for */
} report_pool;

typedef struct report_pool_link {
    const char *from, *to;
    double bytes_per_s_one_way;
    double latency_s;
    bool assumed;
} report_pool_link;

/** Neighbouring stages in one pool. */
typedef struct report_segment {
    const char *pool;
    int tp;
    int n_stages;
    char layers[256]; /* of each stage: "12,15,17" */
} report_segment;

typedef struct report_replica_class {
    p3d_replica_class found;
    json_list segments;        /* of report_segment */
    char pipeline[JSON_CHARS]; /* in words: "A800 tp=4 x5 (12,15,17)" */
    report_segment rows[P3D_MAX_POOLS];
} report_replica_class;

/** A cut, with the names of its pools. */
typedef struct report_pools_cut {
    p3d_pools_cut found;
    const char *pool;
    const char *to; /* the other pool of links between two; NULL */
} report_pools_cut;

/** An answer; words, problem and result stay with the caller. */
typedef struct report_pools {
    const char *command;
    const char *model_word;
    const char *cluster_word;
    const char *options; /* of the job, to repeat */
    bool said_batch;     /* they have it */
    bool exports;        /* FlagScale runs the job's framework */
    const p3d_pools_problem *problem;
    const p3d_pools_result *found;
    const p3d_pools_result *alike;   /* the best whose replicas are all alike;
                                      NULL = it was not asked for */
    const report_training *training; /* with the plan; NULL = not asked for */
    const p3d_training *alone;       /* by pool, of those that fit; likewise */
    double alike_step_s;             /* 0 = none fits, or not asked for */
    bool fits;                       /* the plan, or some pool alone */
    const char *recommended;         /* "pools", the name of a pool, or NULL */
    const char *model;               /* its name */
    int64_t global_batch;
    int seq_len;
    double billion_tokens_usd;        /* of the plan, if nothing fails */
    json_list pools;                  /* of report_pool */
    json_list links;                  /* of report_pool_link */
    json_list classes;                /* of report_replica_class */
    const p3d_pools_network *network; /* under the plan; NULL = not asked for */
    json_list cuts;                   /* of it, of report_pools_cut */
    report_pools_cut cut_rows[P3D_MAX_POOLS_CUTS];
    report_pool pool_rows[P3D_MAX_POOLS];
    report_pool_link link_rows[P3D_MAX_POOL_LINKS];
    report_replica_class class_rows[P3D_MAX_REPLICA_CLASSES];
} report_pools;

extern const json_shape report_pools_shape;
extern const json_shape report_replica_class_shape;
extern const json_shape report_pools_network_document_shape;
extern const json_shape report_pools_change_shape;

/** Fill the rows of an answer whose words, problem and result are set. */
void report_pools_fill(report_pools *answer);

/** Append the answer; the rows are the classes of replicas. */
void report_pools_print(
        const report_pools *answer, report_format format, p3d_text *out);

/** What a sweep found on pools with some network and job. */
typedef struct report_pools_row {
    char cluster[P3D_SWEEP_WORD]; /* in words */
    char beside[64];              /* options of the network that vary; "" */
    int seq_len;
    int64_t global_batch;
    bool fits;            /* the plan, or some pool alone */
    bool best;            /* of all rows, by tokens/s */
    char recommended[48]; /* "pools", or the name of a pool; "" = none fits */
    char plan[REPORT_POOLS_PLAN];
    double step_s; /* of what is recommended; 0 = none, as below */
    double tokens_per_s;
    double together_step_s; /* of the plan on all pools */
    char best_alone[48];
    double best_alone_step_s;
    double bound_s;
    bool interrupted;
} report_pools_row;

/** A sweep over pools; rows stay with the caller. */
typedef struct report_pools_sweep {
    const char *model; /* its name */
    const char *framework;
    bool fits;     /* some row does */
    bool complete; /* no search was stopped */
    json_list rows;
} report_pools_sweep;

extern const json_shape report_pools_row_shape;
extern const json_shape report_pools_sweep_shape;

/** Fill a row, but for its words, from an answer. */
void report_pools_fill_row(const report_pools *answer, report_pools_row *row);

/** Mark the rows that do the most tokens/s. */
void report_pools_mark(report_pools_row *rows, int n);

/** Append the answer of a sweep. */
void report_pools_sweep_print(
        const report_pools_sweep *sweep, report_format format, p3d_text *out);

/** Append which links are tight for the plan; the rows are what others would
 *  give. */
void report_pools_network(
        const report_pools *answer, report_format format, p3d_text *out);

#endif
