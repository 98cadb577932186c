/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.h - collectives that several traced ranks ran together. */
#ifndef PLAN3D_EXCHANGE_TRACE_RANKS_H
#define PLAN3D_EXCHANGE_TRACE_RANKS_H

#include "plan3d/trace.h"

/** One collective on those of its ranks that were traced, two or more. */
typedef struct exchange_met {
    p3d_trace_call call; /* of the rank that came last: the shortest */
    int last;            /* place of its trace */
    int n_members;
    double sum_s; /* of all members */
} exchange_met;

/** The rank of a trace: as it says, else its place. */
int exchange_rank_of(const p3d_trace *traces, int place);

/** True where two or more are traces with collectives, each says another rank,
 *  and their jobs are of the same size. */
bool exchange_is_one_run(const p3d_trace *traces, int n);

/** Match calls by step, kind, group, bytes and order. Calls of which the ranks
 *  did not run as many are no match.
 *  @param out  of exchange_met; release items with free(), also after a failure
 *  @return false with P3D_SYSTEM */
P3D_CHECK bool exchange_meet(
        const p3d_trace *traces, int n, p3d_rows *out, p3d_error *err);

/** Of one run: rows of collectives by the shortest of each, in the first
 *  trace. Those that nothing was matched with stay.
 *  @return false with P3D_SYSTEM */
P3D_CHECK bool exchange_join_rows(p3d_trace *traces, int n, p3d_error *err);

#endif
