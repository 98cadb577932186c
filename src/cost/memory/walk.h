/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.h - what a rank holds while it runs its micro-batches, task by task. */
#ifndef PLAN3D_COST_MEMORY_WALK_H
#define PLAN3D_COST_MEMORY_WALK_H

#include "cost/schedule.h"

/** Bytes of one chunk of a rank and one micro-batch. */
typedef struct cost_chunk {
    double saved_bytes;    /* from its forward pass to its backward pass */
    double forward_bytes;  /* beside, at the end of the forward: the loss */
    double backward_bytes; /* beside, during the backward */
} cost_chunk;

/** What of the saved bytes goes to the host. */
typedef struct cost_sent {
    double frac;
    double passing_bytes; /* so much of what is saved is, at most, on its way:
                             on the device as a whole */
} cost_sent;

/** What a rank keeps of its micro-batches. */
typedef struct cost_kept {
    const cost_chunk *chunks;
    cost_sent sent;
} cost_kept;

/** A moment of the walk: the task that runs, and what is alive. */
typedef struct cost_moment {
    double saved_bytes; /* of all micro-batches that are alive, on the device */
    double passing_bytes; /* beside, on its way to the host and back */
    double whole_bytes;   /* what is alive, there and on the host */
    double beside_bytes;  /* of the task itself */
    cost_task task;
    int64_t alive[P3D_MAX_LAYERS]; /* micro-batches, by chunk */
} cost_moment;

/** The worst moment among the forward passes, and among the backward ones. */
typedef struct cost_walk {
    cost_moment forward;
    cost_moment backward;
    double most_bytes; /* ever alive, on the device and on the host */
} cost_walk;

/**
 * Walk over the tasks of one rank: a prefix maximum of what is alive.
 *
 * A chunk's activations live from its forward to its backward, with a split
 * backward to the gradients of the weights.
 *
 * @param n_micro_batches  of the step; the order repeats itself after a few
 *                         rounds, so no more than those are walked
 *
 * Tested: tests/unit/test_walk.c
 */
void cost_walk_rank(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out);

/** No less than the walk, at once, for orders that alternate: as many passes as
 *  are ever alive, all of the largest chunk. */
void cost_walk_most(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out);

/** The walk up to the first backward pass, for the same: no more than the
 *  whole, and often as much. */
void cost_walk_start(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out);

#endif
