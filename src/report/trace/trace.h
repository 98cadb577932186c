/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - the simulated step of a plan, in the Chrome trace event format. */
#ifndef PLAN3D_REPORT_TRACE_TRACE_H
#define PLAN3D_REPORT_TRACE_TRACE_H

#include "base/text.h"
#include "cost/time/timeline.h"
#include "plan3d/estimate.h"

/** Which step, and what of it is shown. */
typedef struct report_trace_options {
    const p3d_problem *problem;
    const p3d_estimate *estimate; /* of a legal plan of the problem */
    int rank;                     /* of the pipeline; -1 = all */
    int64_t n_micro_batches; /* as many of the first and last; 0 = 64, fewer on
                                many stages */
} report_trace_options;

/** What was written. */
typedef struct report_trace_sum {
    int64_t n_events;
    int64_t n_hidden;    /* tasks that were simulated and are not shown */
    double trace_step_s; /* of the simulation; the estimate has its own */
} report_trace_sum;

/**
 * Write the step as a JSON object in the Chrome trace format, which Perfetto
 * opens.
 *
 * A pipeline rank has a track of compute, one or more of communication, and a
 * counter of the bytes of activations that are alive; the last track is what
 * all ranks wait for.
 * Times are those of the estimate's stages, in the order of the schedule.
 * `otherData` has the step of both, trace and estimate: nothing is scaled.
 *
 * @param out  appended; incomplete after a failure
 * @return false with P3D_DATA (no such rank, too many micro-batches to
 *         simulate or to show) or P3D_SYSTEM
 *
 * Source: Trace Event Format, docs.google.com/document/d/
 * 1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (complete events, counters,
 * metadata). Tested: tests/unit/test_trace.c
 */
P3D_CHECK bool report_trace(const report_trace_options *options, p3d_text *out,
        report_trace_sum *sum, p3d_error *err);

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
