/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.h - makespan of a pipeline: the longest path through its order. */
#ifndef PLAN3D_TEST_SIMULATE_H
#define PLAN3D_TEST_SIMULATE_H

#include "cost/pipeline/schedule.h"

/** Seconds of one micro-batch on one stage. */
typedef struct simulate_stage {
    double forward_s;
    double backward_input_s;
    double backward_weight_s; /* the two together are a whole backward */
} simulate_stage;

/** What a simulation finds; negative makespan = the order deadlocks. */
typedef struct simulate_result {
    double makespan_s;
    double span_s; /* longest time from a rank's first start to its last end */
} simulate_result;

/**
 * Run every rank's tasks in their order, each as soon as its inputs are there.
 *
 *     F(s, i) after F(s-1, i); B(s, i) after F(s, i) and B(s+1, i);
 *     W(s, i) after B(s, i); from another rank `delay_s` later
 *
 * @param stages   p v of them, by stage
 */
simulate_result simulate(const cost_pipeline *pipeline,
        const simulate_stage *stages, double delay_s);

#endif
