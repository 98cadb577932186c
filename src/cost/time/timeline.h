/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.h - when each task of a pipeline begins and ends. */
#ifndef PLAN3D_COST_TIME_TIMELINE_H
#define PLAN3D_COST_TIME_TIMELINE_H

#include "cost/time/step_time.h"

/** Seconds of one micro-batch on one stage; input_s and weight_s together are a
 *  whole backward pass. */
typedef struct cost_stage_pass {
    double forward_s;
    double input_s;  /* gradients of inputs, with what is recomputed */
    double weight_s; /* gradients of weights */
} cost_stage_pass;

/** What a step is made of, before its tasks are put in time. */
typedef struct cost_step_parts {
    cost_pipeline pipeline;
    cost_stage_pass stages[P3D_MAX_LAYERS]; /* by stage */
    double saved_bytes[P3D_MAX_LAYERS];     /* of one micro-batch, by stage, on
                                               the device */
    cost_rank_time ranks[P3D_MAX_LAYERS];
    double crossing_s; /* of a boundary tensor, from rank to rank */
} cost_step_parts;

/** Take a step of a legal plan apart. The sum over the stages of a rank is its
 *  cost_time_rank(). */
void cost_step_parts_of(
        const p3d_problem *problem, const p3d_plan *plan, cost_step_parts *out);

/** A task in time. Two that run as one (with_next) have the same span. */
typedef struct cost_span {
    cost_task task;
    double start_s;
    double end_s;
} cost_span;

/** All tasks of a pipeline in time, in room that the caller gives. */
typedef struct cost_timeline {
    cost_span *spans;      /* p * cost_schedule_max_tasks(), rank by rank */
    double *forward_end_s; /* p v m, by stage */
    double *input_end_s;   /* p v m, by stage */
    int64_t n_spans[P3D_MAX_LAYERS]; /* of each rank */
} cost_timeline;

/** The spans of a rank, in order. */
cost_span *cost_timeline_rank(
        const cost_timeline *timeline, const cost_pipeline *pipeline, int rank);

/** When a rank ends its last task. */
double cost_timeline_done_s(
        const cost_timeline *timeline, const cost_pipeline *pipeline, int rank);

/**
 * Run every rank's tasks in their order, each as soon as its inputs are there.
 *
 *     F(s, i) after F(s-1, i); B(s, i) after F(s, i) and B(s+1, i);
 *     W(s, i) after B(s, i); from another rank `delay_s` later
 *
 * Every micro-batch is run, whatever the order: cost_longest_path() is for a
 * search, this is to be looked at.
 *
 * Source: longest path through the order (cost/pipeline/schedule.h has its
 * sources).
 * Tested: tests/unit/test_timeline.c, against another simulation
 */
void cost_timeline_run(const cost_pipeline *pipeline,
        const cost_stage_pass *stages, double delay_s, cost_timeline *timeline);

#endif
