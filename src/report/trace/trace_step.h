/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_step.h - the simulated step of a plan, every task of every rank. */
#ifndef PLAN3D_REPORT_TRACE_TRACE_STEP_H
#define PLAN3D_REPORT_TRACE_TRACE_STEP_H

#include "cost/time/timeline.h"

/** The step of a plan in time. */
typedef struct trace_step {
    cost_step_parts parts;
    cost_timeline line;
    double work_s; /* before what all ranks wait for */
} trace_step;

/**
 * Simulate a step of a legal plan.
 *
 * @return release with trace_step_destroy(); NULL with P3D_DATA (too many
 *         micro-batches) or P3D_SYSTEM
 */
trace_step *trace_step_create(const p3d_problem *problem, const p3d_plan *plan,
        int64_t n_micro_batches, p3d_error *err);

/** Accepts NULL. */
void trace_step_destroy(trace_step *step);

/** When the last rank is done with its passes and what it does after them. */
double trace_step_end_s(const trace_step *step);

#endif
