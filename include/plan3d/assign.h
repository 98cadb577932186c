/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign.h - several trainings at the same time on the pools of a fleet: which
 * job on which pool, and on how many of its nodes, exactly. */
#ifndef PLAN3D_ASSIGN_H
#define PLAN3D_ASSIGN_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"
#include "plan3d/pools.h"

P3D_API_BEGIN

enum {
    P3D_MAX_ASSIGNED = 32, /* jobs */
    P3D_MAX_JOB_WEIGHT = 1000,
    P3D_ASSIGN_REASON = 256 /* bytes of a reason */
};

/** What is least. Before it, in any case, the weight of the jobs that find no
 *  place; after it the cost or, where that is the objective, the mean end. */
typedef enum p3d_assign_objective {
    P3D_ASSIGN_END,  /* when the last job ends */
    P3D_ASSIGN_MEAN, /* the mean of the ends, by the weights of the jobs */
    P3D_ASSIGN_COST, /* of all jobs */
    P3D_N_ASSIGN_OBJECTIVES
} p3d_assign_objective;

/** Word for the i-th ("end", "mean", "cost"); NULL past the last. */
const char *p3d_assign_objective_word(int i);

/** A training that is to be placed. */
typedef struct p3d_assign_job {
    const char *name;
    const p3d_problem *on; /* a problem for each pool, whose cluster is the
                              whole pool; the job has tokens */
    bool refused[P3D_MAX_POOLS]; /* it does not run on that pool at all */
    int weight;                  /* 1..P3D_MAX_JOB_WEIGHT */
    double deadline_s;           /* it has to end by then; 0 = any time */
} p3d_assign_job;

typedef struct p3d_assign_options {
    const p3d_assign_job *jobs;
    int n_jobs;  /* 1..P3D_MAX_ASSIGNED */
    int n_pools; /* 1..P3D_MAX_POOLS */
    p3d_assign_objective objective;
    bool whole_pools; /* a pool is for one job at most, and for all of it */
    /** Told which job's times on which pool are searched next, as the i-th of n
     *  (from 1 on); NULL = nobody is. @return false to stop */
    bool (*next)(void *context, int64_t i, int64_t n, int job, int pool);
    void *context;
} p3d_assign_options;

/** Why a job has no place. */
typedef enum p3d_assign_verdict {
    P3D_ASSIGNED,
    P3D_ASSIGN_NO_ROOM, /* it would have one without the others */
    P3D_ASSIGN_LATE,    /* no number of nodes is in time for its deadline */
    P3D_ASSIGN_NO_PLAN, /* no plan is sure to fit on any number of nodes */
    P3D_ASSIGN_REFUSED, /* no pool runs it */
    P3D_N_ASSIGN_VERDICTS
} p3d_assign_verdict;

/** Word for the i-th ("assigned", "no_room", ..); NULL past the last. */
const char *p3d_assign_verdict_word(int i);

/** A job on nodes of a pool, with its fastest plan that is sure to fit. Zero
 *  where there is none. */
typedef struct p3d_assign_point {
    int pool; /* -1 = none */
    int n_nodes;
    int n_gpus;
    p3d_plan plan;
    double step_s;
    double end_s; /* of the training, with failures */
    double goodput_frac;
    double gpu_h;
    double usd; /* 0 = not priced */
} p3d_assign_point;

/** What became of a job. */
typedef struct p3d_assign_row {
    p3d_assign_verdict verdict;
    p3d_assign_point at;    /* its place */
    p3d_assign_point alone; /* where it ends first, without the others */
    int least_nodes[P3D_MAX_POOLS]; /* of each pool, that it needs in time; 0 =
                                       the pool is not enough */
} p3d_assign_row;

typedef struct p3d_assignment {
    p3d_assign_row *rows; /* of each job; owned */
    int n_jobs;
    int n_assigned;
    bool by_price; /* cost is money: every pool has a price; else GPU-hours */
    double end_s;  /* of the last job; 0 = none has a place */
    double mean_s; /* of the ends, by weights */
    double gpu_h;
    double usd;
    int n_nodes[P3D_MAX_POOLS];    /* that are used */
    int unit_nodes[P3D_MAX_POOLS]; /* jobs take nodes by so many */
    /* The certificate. */
    double floor_s;   /* no job set ends sooner: the longest of those that have
                         a place, where it ends first without the others */
    bool complete;    /* false: stopped, not all times are known */
    int n_look_ups;   /* pairs of a job and a number of nodes of a pool */
    int n_skipped;    /* of these, that the peak of the GPUs ruled out */
    int n_choices;    /* places of all jobs that are faster than all with
                         fewer nodes of the same pool */
    int64_t n_states; /* of the nodes in use, that were gone through */
    double seconds;
} p3d_assignment;

/**
 * Place jobs that run at the same time, each on nodes of one pool, exactly: of
 * all ways to do so the one whose objective is the least, and of those the
 * cheapest.
 *
 * A job's time on n nodes is that of its fastest plan that is sure to fit, by
 * the whole search; a number of nodes counts where it is faster than every
 * smaller one (a job may leave nodes idle). All numbers of nodes are looked at;
 * where pools have so many that there are more than 262,144 states, nodes are
 * taken by 2, 4, 8, ..
 *
 * Shares its work among threads, as p3d_sweep_run() does.
 *
 * @param out  release with p3d_assignment_free(); untouched on failure
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_assign(
        const p3d_assign_options *options, p3d_assignment *out, p3d_error *err);

/** Accepts NULL and a zero assignment. */
void p3d_assignment_free(p3d_assignment *assignment);

P3D_API_END

#endif
