/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the parts of plan3d sweep: what to combine, one row, the scan. */
#ifndef PLAN3D_CLI_SWEEP_H
#define PLAN3D_CLI_SWEEP_H

#include "base/numbers.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "report/sweep.h"

enum { CLI_MAX_CLUSTERS = 32, CLI_MAX_FRAMEWORKS = 16 };

/** Bytes of a word for a cluster, such as "64xH100". */
enum { CLI_CLUSTER_WORD = 96 };

/** Rows of a sweep: more would not be read by anyone. */
enum { CLI_MAX_ROWS = 65536 };

/** Rows that a scan for a deadline ends with, at most. */
enum { CLI_SCAN_ROWS = 3 };

/** Clusters of one type. */
typedef struct cli_sweep_cluster {
    char word[CLI_CLUSTER_WORD]; /* as it was written, without a count */
    p3d_cluster cluster;         /* of one node, or as the word says */
    bool sized;           /* the word says the number of GPUs, or its file */
    p3d_numbers counts;   /* of GPUs; none where it is sized */
    double usd_per_gpu_h; /* 0 = not priced */
} cli_sweep_cluster;

/** What a sweep combines, in the order of its rows. */
typedef struct cli_sweep_axes {
    p3d_model model;
    int n_clusters;
    cli_sweep_cluster clusters[CLI_MAX_CLUSTERS];
    int n_frameworks;
    char frameworks[CLI_MAX_FRAMEWORKS][48]; /* "" = the default */
    p3d_numbers seq_lens;                    /* 0 = the default */
    p3d_numbers batches;                     /* 0 = the default */
} cli_sweep_axes;

/** One combination. */
typedef struct cli_sweep_point {
    const cli_sweep_cluster *cluster;
    int64_t n_gpus; /* 0 = as the cluster's word says */
    const char *framework;
    int64_t seq_len;
    int64_t global_batch;
} cli_sweep_point;

/**
 * Read what a command line combines.
 *
 * @param out  large, zero; release with cli_sweep_axes_free(), also after a
 *             failure
 * @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool cli_sweep_axes_read(
        const cli_args *args, cli_sweep_axes *out, p3d_error *err);

void cli_sweep_axes_free(cli_sweep_axes *axes);

/** Leave each combination once, where it was said first. */
void cli_sweep_keep_first(cli_sweep_axes *axes);

/** Combinations of all but the number of GPUs, and the i-th of them. */
int64_t cli_sweep_n_jobs(const cli_sweep_axes *axes);
cli_sweep_point cli_sweep_job(const cli_sweep_axes *axes, int64_t i);

/** The word for a point's cluster. */
void cli_sweep_cluster_word(
        const cli_sweep_point *point, char word[CLI_CLUSTER_WORD]);

/** A sweep under way. Zero to begin. */
typedef struct cli_sweep_work {
    const cli_args *args;
    cli_sweep_axes axes;
    p3d_pins pins;
    double deadline_s; /* 0 = none */
    cli_progress progress;
    p3d_search_cache *cache;
    p3d_search_result *result; /* of the last search */
    report_sweep_row *rows;
    int n_rows;
    report_sweep_scan *scans;
    int n_scans;
    report_sweep report;
} cli_sweep_work;

/** The problem of a point.
 *  @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool cli_sweep_problem(const cli_sweep_work *sweep,
        const cli_sweep_point *point, p3d_problem *out, p3d_error *err);

/** Where the point is of any framework, give its problem the best one.
 *  @param limit_s  of a step, as of p3d_search_with()
 *  @return false with P3D_DATA (all refuse) or P3D_SYSTEM */
P3D_CHECK bool cli_sweep_choose(const cli_sweep_work *sweep,
        const cli_sweep_point *point, double limit_s, p3d_problem *problem,
        p3d_error *err);

/**
 * Search one point and append its row, also where no plan is legal.
 *
 * @return false with P3D_USAGE or P3D_SYSTEM
 */
P3D_CHECK bool cli_sweep_add_row(
        cli_sweep_work *sweep, const cli_sweep_point *point, p3d_error *err);

/** The best plan that was found for a point. */
typedef struct cli_sweep_found {
    bool fits;
    int n_gpus; /* that it uses */
    int64_t n_plans;
    const p3d_framework *framework;
    p3d_estimate estimate;
} cli_sweep_found;

/** A step of the job takes longer: all its FLOPs at the peak of all GPUs. */
double cli_sweep_peak_step_s(const p3d_problem *problem);

/**
 * Look for a faster plan that uses fewer nodes of a point's cluster, for the
 * same job: some numbers of GPUs have poor divisors.
 *
 * @param best  of all the GPUs; what is faster takes its place
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool cli_sweep_leave_idle(cli_sweep_work *sweep,
        const cli_sweep_point *point, const p3d_problem *problem,
        cli_sweep_found *best, p3d_error *err);

/** Real days, energy and cost of a training, from the estimate of one step:
 *  what is known of it goes to the row. The one place that prices a row.
 *  @return false with P3D_SYSTEM */
P3D_CHECK bool cli_sweep_train(const p3d_problem *problem,
        const p3d_estimate *estimate, report_sweep_row *row, p3d_error *err);

/** Mark the rows on the front of GPUs, time, money, energy and memory margin,
 *  among those of one sequence length. @return false with P3D_SYSTEM */
P3D_CHECK bool cli_sweep_mark_front(cli_sweep_work *sweep, p3d_error *err);

/** Rows for the fewest and the cheapest GPUs that meet the deadline, or for
 *  what comes closest. @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool cli_sweep_deadline(cli_sweep_work *sweep, p3d_error *err);

#endif
