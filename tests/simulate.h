/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.h - makespan of a pipeline: the longest path through its order. */
#ifndef PLAN3D_TEST_SIMULATE_H
#define PLAN3D_TEST_SIMULATE_H

#include "cost/schedule.h"

/** Seconds of one micro-batch on one stage. */
typedef struct cost_stage_time {
    double forward_s;
    double backward_input_s;
    double backward_weight_s; /* the two together are a whole backward */
} cost_stage_time;

/** Room for a simulation, given by the caller: none is made here. */
typedef struct cost_simulation {
    cost_task *tasks;    /* p * cost_schedule_max_tasks() */
    double *forward_end; /* p v m */
    double *input_end;   /* p v m */
    int64_t *n_tasks;    /* p */
    int64_t *next;       /* p */
    double *clock;       /* p */
} cost_simulation;

/** What a simulation finds; negative makespan = the order deadlocks. */
typedef struct cost_makespan {
    double makespan_s;
    double span_s; /* longest time from a rank's first start to its last end */
} cost_makespan;

/**
 * Run every rank's tasks in their order, each as soon as its inputs are there.
 *
 *     F(s, i) after F(s-1, i); B(s, i) after F(s, i) and B(s+1, i);
 *     W(s, i) after B(s, i); from another rank `delay_s` later
 *
 * @param stages   p v of them, by stage
 * @param room     see cost_simulation
 */
cost_makespan cost_simulate(const cost_pipeline *pipeline,
        const cost_stage_time *stages, double delay_s, cost_simulation *room);

#endif
