/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the best plan of many clusters, jobs and frameworks, a row each; or
 * the fewest and the cheapest GPUs that train in time. */
#ifndef PLAN3D_SWEEP_H
#define PLAN3D_SWEEP_H

#include "plan3d/best_framework.h"
#include "plan3d/recommend.h"

P3D_API_BEGIN

enum {
    P3D_SWEEP_WORD = 96,        /* bytes of a word for a cluster: "64xH100" */
    P3D_SWEEP_REASON = 256,     /* bytes of a reason */
    P3D_MAX_SWEEP_ROWS = 65536, /* more would not be read by anyone */
    P3D_MAX_SWEEP_PARTS = 65536,
    P3D_SWEEP_MAX_GPUS = 16384 /* where a scan ends, if nothing is said */
};

/** Clusters of one type. */
typedef struct p3d_sweep_cluster {
    char word[P3D_SWEEP_WORD]; /* that rows name it by: without a count, "H100",
                                  or with its own, "64xH100" */
    int unit; /* GPUs that one of the word is: of p5.48xlarge 8; 0 = 1 */
    p3d_cluster cluster;
    const int64_t *counts; /* numbers of GPUs that it is resized to */
    int n_counts;          /* 0 = of its own number; with a deadline, and not
                              sized: of any number of whole nodes */
    bool sized;            /* of its own number of GPUs and no other */
    double usd_per_gpu_h;  /* 0 = not priced */
    const char *beside;    /* the same cluster once more, with a job that this
                              sets apart, such as "--dtype fp8"; NULL = nothing
                              does */
    const p3d_pins *pins;  /* of its own; NULL = those of the options */
} p3d_sweep_cluster;

/** One combination. */
typedef struct p3d_sweep_point {
    const p3d_sweep_cluster *cluster;
    int64_t n_gpus;        /* 0 = as the cluster has */
    const char *framework; /* "" = not said, */
    int64_t seq_len;       /* 0 = likewise */
    int64_t global_batch;  /* 0 = likewise */
} p3d_sweep_point;

/** What is combined, in the order of the rows: the last list changes first. A
 *  list without values leaves that to the job; what is in one twice is searched
 *  once. */
typedef struct p3d_sweep_options {
    const p3d_model *model;
    const p3d_sweep_cluster *clusters;
    int n_clusters;                /* at least 1 */
    const char *const *frameworks; /* as p3d_framework_find() takes them, or
                                      P3D_ANY_FRAMEWORK */
    int n_frameworks;
    const int64_t *seq_lens;
    int n_seq_lens;
    const int64_t *batches;
    int n_batches;

    /** What is the same in all rows; p3d_job_default() completes it. Its price
     *  is that of the cluster. */
    p3d_job job;
    /** Or, if not NULL: sets the job of a problem whose model and cluster are
     *  there. @return false with P3D_DATA (which is the row's refusal), or with
     *  another code, which ends the sweep */
    bool (*complete)(void *context, const p3d_sweep_point *point,
            p3d_problem *problem, p3d_error *err);

    const p3d_pins *pins;    /* NULL = nothing is pinned */
    p3d_objective objective; /* whose plan a row has */
    double within_frac;      /* as of p3d_recommend() */
    double deadline_s;  /* of a training of the job's tokens; 0 = none: a row
                             for each combination */
    bool only_smallest; /* with a deadline: the fewest GPUs alone, no cheapest
                         */
    double budget_usd;  /* of P3D_MOST_TOKENS; 0 = none */
    int64_t max_gpus;   /* of clusters without counts, with a deadline; 0 =
                             P3D_SWEEP_MAX_GPUS */
    bool idle;          /* a cluster may leave nodes idle */
    bool only_front;    /* leave the other rows out */
    /** The part-th (from 1 on) of so many parts of the rows, which follow each
     *  other and are as large as each other, but for one row; 0 and 0 = all.
     *  A part has no front, may be empty, and no row of it need be legal. Not
     *  with a deadline or only_front, which take all rows. */
    int64_t part, n_parts;

    /** Told which cluster comes next, as the i-th of n (from 1 on; a deadline
     *  counts anew for each job); NULL = nobody is. @return false to stop */
    bool (*next)(void *context, int64_t i, int64_t n, const char *cluster);
    void *context; /* of both functions */
} p3d_sweep_options;

/** What follows from a step at an end of its range, or at its median (range.h).
 *  Zero where there is no number; slow steps are the high end, and the low one
 *  of rates. */
typedef struct p3d_sweep_end {
    double step_s;
    double tokens_per_s;
    double tokens_per_s_per_gpu;
    double mfu_frac;
    double training_s;
    double training_kwh;
    double training_gpu_h;
    double training_usd;
    double billion_tokens_usd;
} p3d_sweep_end;

/** Another plan to choose (recommend.h). Zero where nothing fits. */
typedef struct p3d_sweep_choice {
    const char *plan; /* as p3d_plan_parse() reads it, in this struct */
    double step_s;
    int64_t margin_bytes;
    double fit_probability_frac;
    /* Storage of what is pointed to above. */
    p3d_plan found;
    char plan_words[P3D_PLAN_WORDS];
} p3d_sweep_choice;

/** The best plan of one combination. Zero where there is no number. */
typedef struct p3d_sweep_row {
    char cluster[P3D_SWEEP_WORD]; /* "64xH100" */
    const char *type;             /* its word: of the options */
    const char *beside;           /* what sets it apart: likewise */
    const char *gpu;              /* its name in full: of the options */
    int n_gpus;
    int n_nodes;
    int seq_len;
    int64_t global_batch;
    const char *framework;
    bool any_framework;  /* it is the best of all of them */
    bool legal;          /* some plan is */
    const char *refusal; /* why none is, in this row; NULL = some is */
    bool fits;
    p3d_verdict verdict;         /* of the plan, */
    double fit_probability_frac; /* and how sure it is to fit */
    int idle_gpus;               /* of n_gpus, where nodes may be idle */
    bool on_front;    /* no row of such sequences is at least as good in GPUs,
                      time, money, energy and margin, and better in one */
    const char *role; /* with a deadline: "smallest", "cheapest", "smallest and
                         cheapest", "closest" or "largest" */
    const char *plan; /* as p3d_plan_parse() reads it, in this row: that of the
                         objective, or the one that misses the least; NULL =
                         none is legal */
    int64_t peak_bytes;
    int64_t usable_bytes;
    int64_t margin_bytes;
    int64_t missing_bytes;
    double step_s; /* from here on: 0 when it does not fit */
    double tokens_per_s;
    double tokens_per_s_per_gpu;
    double mfu_frac;
    double n_tokens;   /* of the job; 0 = it has none */
    bool never_ends;   /* the training fails faster than it works */
    double training_s; /* 0 = the job has no tokens */
    double goodput_frac;
    double training_kwh;
    double training_gpu_h;
    double usd_per_gpu_h; /* 0 = not priced */
    double training_usd;
    double billion_tokens_usd; /* with failures where the job has tokens, else
                                  if nothing fails */
    p3d_sweep_end low, median, high;
    p3d_sweep_choice fastest;  /* of all that fit by the estimate */
    p3d_sweep_choice roomiest; /* of the sure ones about as fast as any */
    int64_t n_plans;           /* legal plans that were searched */
    /* Storage of what is pointed to above. */
    p3d_plan best;
    char plan_words[P3D_PLAN_WORDS];
    char refusal_words[P3D_SWEEP_REASON];
} p3d_sweep_row;

/** How the clusters of one job were scanned for a deadline. */
typedef struct p3d_sweep_scan {
    const char *type;      /* the cluster's word: of the options */
    int seq_len;           /* 0 = the default */
    int64_t global_batch;  /* 0 = the default of each count */
    const char *framework; /* of the options; NULL = the default */
    bool met;
    bool complete;      /* false: stopped */
    int64_t least_gpus; /* the counts that were looked at */
    int64_t most_gpus;
    int n_counts;
    int n_searched;
    int n_skipped; /* the peak of the GPUs alone rules them out */
} p3d_sweep_scan;

/** What a sweep found. */
typedef struct p3d_sweep {
    p3d_sweep_row *rows; /* owned */
    int n_rows;
    p3d_sweep_scan *scans; /* owned; none without a deadline */
    int n_scans;
    bool fits;       /* some row does; with a deadline: it is met */
    bool complete;   /* false: stopped, the rest was not looked at */
    int64_t n_asked; /* combinations; with a deadline, clusters looked at */
    int n_found;     /* rows, with those that were left out */
    int n_fit;       /* of these, as below */
    int n_illegal;
    int n_front;
    double seconds;
    /* Rows of a deadline, NULL = there is none: the fewest GPUs, the cheapest
     * (without prices: fewest GPU-hours), and where none is in time the
     * fastest. */
    const p3d_sweep_row *smallest;
    const p3d_sweep_row *cheapest;
    const p3d_sweep_row *closest;
} p3d_sweep;

/**
 * Search the plans of every combination exactly. With a deadline: of each job
 * and type of cluster, the smallest and the cheapest number of GPUs, as
 * p3d_deadline_scan() finds them.
 *
 * @param out  release with p3d_sweep_free() while the options are still there;
 *             untouched on failure
 * @return false with P3D_DATA when no plan of any row is legal (the first row's
 *         reason), P3D_USAGE for more than P3D_MAX_SWEEP_ROWS combinations or a
 *         framework that is unknown, P3D_SYSTEM, or what `complete` says
 */
P3D_CHECK bool p3d_sweep_run(
        const p3d_sweep_options *options, p3d_sweep *out, p3d_error *err);

/** What a limit is of: the least or the most of it that surely fits. */
typedef enum p3d_limit_kind {
    P3D_FEWEST_GPUS,
    P3D_LONGEST_SEQ,         /* in eighths of a power of two */
    P3D_LARGEST_MICRO_BATCH, /* a power of two */
    P3D_LARGEST_MODEL,       /* of the list of models */
    P3D_MOST_TOKENS, /* of a training in time and within the budget, in three
                        digits */
    P3D_N_LIMIT_KINDS
} p3d_limit_kind;

/** The two rows of a limit: the last that surely fits, and the one beyond. */
enum { P3D_LIMIT_LAST, P3D_LIMIT_BEYOND, P3D_N_LIMIT_ROWS };

typedef struct p3d_sweep_limit {
    p3d_sweep_row row[P3D_N_LIMIT_ROWS];
    p3d_model model[P3D_N_LIMIT_ROWS]; /* of P3D_LARGEST_MODEL */
    bool has[P3D_N_LIMIT_ROWS];
    int64_t n_asked; /* rows that were searched */
    bool complete;   /* false: stopped */
} p3d_sweep_limit;

/**
 * Look for a limit: one value after the other is a row of a sweep, which is
 * searched exactly.
 *
 * @param options  of one cluster, which is read alone, and without a deadline,
 *                 but P3D_MOST_TOKENS has one, a budget (its cluster priced)
 *                 or both; its max_gpus is where GPUs end, 0 = 2048
 * @param out      owns nothing; its rows point to themselves and the options
 * @return false with P3D_DATA (no plan of any value is legal), P3D_USAGE or
 *         P3D_SYSTEM
 */
P3D_CHECK bool p3d_sweep_find_limit(const p3d_sweep_options *options,
        p3d_limit_kind what, p3d_sweep_limit *out, p3d_error *err);

/** Accepts a zero struct. */
void p3d_sweep_free(p3d_sweep *sweep);

P3D_API_END

#endif
