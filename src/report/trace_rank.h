/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_rank.h - the events of one pipeline rank. */
#ifndef PLAN3D_REPORT_TRACE_RANK_H
#define PLAN3D_REPORT_TRACE_RANK_H

#include "cost/timeline.h"
#include "report/trace_events.h"

/** The step of a plan in time. */
typedef struct trace_step {
    cost_step_parts parts;
    cost_timeline line;
} trace_step;

/** Append a rank's events.
 *  @param n_ends  tasks of its first and of its last that are shown
 *  @return tasks between them, which are one event */
int64_t trace_put_rank(
        trace_writer *w, const trace_step *step, int rank, int64_t n_ends);

#endif
