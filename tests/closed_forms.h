/* SPDX-License-Identifier: GPL-3.0-or-later */
/* closed_forms.h - known counts of pipelines, to hold the walks against. */
#ifndef PLAN3D_TEST_CLOSED_FORMS_H
#define PLAN3D_TEST_CLOSED_FORMS_H

#include "plan3d/plan.h"

/** The passes that are in flight, dealt out in rounds of p micro-batches. */
static inline int64_t closed_interleaved(
        const p3d_plan *plan, int rank, int chunk)
{
    const int p = plan->pp;
    const int64_t round = (int64_t)plan->vp * p;
    const int64_t passes = 2 * (p - 1 - rank) + (int64_t)(plan->vp - 1) * p + 1;
    const int64_t rest = passes % round - (int64_t)chunk * p;

    return passes / round * p + (rest < 0 ? 0 : rest > p ? p : rest);
}

/**
 * Micro-batches whose activations of one chunk are alive at a rank's peak.
 *
 *     GPipe        m
 *     1F1B         min(p - r, m)
 *     naive        1
 *     interleaved  N = 2 (p-1-r) + (v-1) p + 1 chunk passes, dealt out to the
 *                  chunks in rounds of p micro-batches, at most m each
 *     ZB-H1, H2    p, 2p - 1 (until the gradients of the weights)
 *     ZB-V         2p - 1 - r of the first chunk, r + 1 of the second
 *     DualPipeV    2p - r and r + 1
 *
 * p ranks, r rank, v chunks per rank, m micro-batches, groups of p. With N
 * summed over the chunks of the first rank this is p (1 + (p-1)/(p v)) rank
 * activations.
 *
 * Source: arXiv:2104.04473 sections 2.2; Megatron-LM@d98e8a64
 * megatron/core/pipeline_parallel/schedules.py:954-970; the others are prefix
 * maxima of the orders in schedule.c.
 */
static inline int64_t closed_in_flight(
        const p3d_plan *plan, int rank, int chunk, int64_t n_micro_batches)
{
    const int p = plan->pp;
    const int64_t m = n_micro_batches;
    int64_t alive = m;

    switch (plan->schedule) {
    case P3D_GPIPE:
    case P3D_N_SCHEDULES: break;
    case P3D_1F1B:
    case P3D_PIPEDREAM:
    case P3D_2BW: alive = p - rank; break;
    case P3D_INTERLEAVED: alive = closed_interleaved(plan, rank, chunk); break;
    case P3D_NAIVE: alive = 1; break;
    case P3D_ZB_H1: alive = p; break;
    case P3D_ZB_H2: alive = 2 * p - 1; break;
    case P3D_ZB_V: alive = chunk == 0 ? 2 * p - 1 - rank : rank + 1; break;
    case P3D_DUALPIPE_V: alive = chunk == 0 ? 2 * p - rank : rank + 1; break;
    }
    return alive < m ? alive : m;
}

#endif
