/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the parts of a sweep: what is combined, one row, the scan. */
#ifndef PLAN3D_STUDY_SWEEP_H
#define PLAN3D_STUDY_SWEEP_H

#include "base/number_list.h"
#include <pthread.h>

#include "plan3d/sweep.h"

/** Rows that a scan for a deadline ends with, at most. */
enum { STUDY_SCAN_ROWS = 3 };

/** Clusters of one type, less what an earlier one has too. */
typedef struct study_cluster {
    const p3d_sweep_cluster *of;
    p3d_numbers counts;
} study_cluster;

/** What a sweep combines, each combination once. */
typedef struct study_axes {
    study_cluster *clusters;
    int n_clusters;
    const char **frameworks; /* "" = the default */
    int n_frameworks;
    p3d_numbers seq_lens; /* 0 = the default */
    p3d_numbers batches;  /* 0 = the default */
} study_axes;

/** Combinations of all but the number of GPUs; of the i-th, the clusters and
 *  the rest. */
int64_t study_axes_n_jobs(const study_axes *axes);
const study_cluster *study_axes_cluster(const study_axes *axes, int64_t i);
p3d_sweep_point study_axes_job(const study_axes *axes, int64_t i);

/** A sweep under way. */
typedef struct study_sweep {
    const p3d_sweep_options *options;
    p3d_pins pins;
    study_axes axes;
    int n_threads;
    struct study_bench *benches; /* of the threads */
    pthread_mutex_t completing;  /* `complete` of the options is called by one
                                    thread at a time */
    p3d_sweep out;
} study_sweep;

/** What a thread searches with. */
typedef struct study_bench {
    study_sweep *sweep;
    p3d_search_cache *cache;
    p3d_search_result *result; /* of the last search */
} study_bench;

/** Say which cluster comes next. @return false when somebody asks to stop */
bool study_sweep_next(const study_sweep *sweep, int64_t i, int64_t n,
        const p3d_sweep_point *point);

/** The problem of a point.
 *  @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool study_sweep_problem(study_sweep *sweep,
        const p3d_sweep_point *point, p3d_problem *out, p3d_error *err);

/** Real days, energy and cost of a training, from the estimate of one step:
 *  what is known of it goes to the row. The one place that prices a row.
 *  @return false with P3D_SYSTEM */
P3D_CHECK bool study_sweep_train(const p3d_problem *problem,
        const p3d_estimate *estimate, p3d_sweep_row *row, p3d_error *err);

/** Where the point is of any framework, give its problem the best one.
 *  @param limit_s  of a step, as of p3d_search_with()
 *  @return false with P3D_DATA (all refuse) or P3D_SYSTEM */
P3D_CHECK bool study_sweep_choose_framework(const study_sweep *sweep,
        const p3d_sweep_point *point, double limit_s, p3d_problem *problem,
        p3d_error *err);

/** Step time with which a training takes so long: it takes at least its steps,
 *  so a limit of one is a limit of a step. 0 = no limit. */
double study_sweep_step_limit_s(const p3d_problem *problem, double training_s);

/** The same with what failures, checkpoints and restarts add at least: no step
 *  that takes longer trains in that time. */
double study_sweep_real_step_limit_s(
        const p3d_problem *problem, double training_s);

/** Whose plan is to be chosen. */
typedef struct study_ask {
    const p3d_sweep_point *point;
    const p3d_problem *problem; /* of it */
    double limit_s;             /* of a step; 0 = none */
} study_ask;

/** Choose a plan, in time where the fastest is; the first of the bench's result
 *  is the one, if any is. Plans that only the estimate calls fitting are none
 *  where there is a limit.
 *  @param choices  the others to choose from; NULL = they are not asked for */
P3D_CHECK bool study_sweep_choose_plan(const study_bench *bench, study_ask ask,
        p3d_recommendation *choices, p3d_error *err);

/** A step of the job takes longer: all its FLOPs at the peak of all GPUs. */
double study_sweep_peak_step_s(const p3d_problem *problem);

/** What trained rows are compared by: US dollars of the training or, without a
 *  price, its GPU-hours. */
double study_sweep_cost(const p3d_sweep_row *row);

/**
 * Search one point and fill its row, also where no plan is legal; of no use
 * where the work was stopped meanwhile. In the bench's thread.
 *
 * @return false with P3D_USAGE or P3D_SYSTEM
 */
P3D_CHECK bool study_sweep_find_row(const study_bench *bench,
        const p3d_sweep_point *point, p3d_sweep_row *out, p3d_error *err);

/** Rows for the fewest and the cheapest GPUs that meet the deadline, or for
 *  what comes closest. @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool study_sweep_deadline(study_sweep *sweep, p3d_error *err);

#endif
