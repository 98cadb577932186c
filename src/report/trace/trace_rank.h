/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_rank.h - the events of one pipeline rank. */
#ifndef PLAN3D_REPORT_TRACE_TRACE_RANK_H
#define PLAN3D_REPORT_TRACE_TRACE_RANK_H

#include "report/trace/trace_events.h"
#include "report/trace/trace_step.h"

/** Append a rank's events.
 *  @param n_ends  tasks of its first and of its last that are shown
 *  @return tasks between them, which are one event */
int64_t trace_put_rank(
        trace_writer *w, const trace_step *step, int rank, int64_t n_ends);

#endif
