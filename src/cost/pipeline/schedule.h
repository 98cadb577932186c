/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - the order in which a pipeline rank runs its micro-batches. */
#ifndef PLAN3D_COST_PIPELINE_SCHEDULE_H
#define PLAN3D_COST_PIPELINE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan3d/plan.h"

typedef enum cost_task_kind {
    COST_FORWARD,
    COST_BACKWARD,       /* gradients of inputs and of weights */
    COST_BACKWARD_INPUT, /* gradients of inputs only */
    COST_BACKWARD_WEIGHT /* gradients of weights, later */
} cost_task_kind;

typedef struct cost_task {
    cost_task_kind kind;
    int chunk;
    int micro_batch;
    bool with_next; /* runs as one kernel sequence with the next task */
} cost_task;

/** A pipeline: p ranks with v chunks each, m micro-batches. */
typedef struct cost_pipeline {
    p3d_schedule order;
    int p;
    int v; /* 2 for the V-shaped orders, 1 for those without chunks */
    int m;
    int group; /* interleaved: micro-batches of a chunk in a row; 0 = p */
} cost_pipeline;

cost_pipeline cost_pipeline_of(const p3d_plan *plan, int64_t n_micro_batches);

/** Micro-batches that an interleaved order runs in a row on a chunk. */
int cost_schedule_group(const cost_pipeline *pipeline);

/** Tasks of one rank at most: a forward and two halves of a backward. */
int64_t cost_schedule_max_tasks(const cost_pipeline *pipeline);

/** True when the order exists for these sizes (interleaved: the groups are no
 *  smaller than p; V-shaped: v = 2 and m >= 2p - 1 or 2p). */
bool cost_schedule_exists(const cost_pipeline *pipeline);

/** True for GPipe, 1F1B and interleaving: passes forward, then one forward and
 *  one backward in turn, then those backward that are left. */
bool cost_schedule_alternates(p3d_schedule order);

/** Passes forward before the first backward that follows one, in an order that
 *  alternates. Else the ranks run the same passes in the same order. */
int cost_schedule_warm_up(const cost_pipeline *pipeline, int rank);

/** The passes in one direction of an order that alternates, one by one: rounds
 *  of a group of micro-batches through all chunks, the last round with those
 *  that are left. */
typedef struct cost_passes {
    const cost_pipeline *pl;
    cost_task task;
    int i;    /* of a group of micro-batches on one chunk */
    int size; /* of the group */
} cost_passes;

cost_passes cost_passes_begin(
        const cost_pipeline *pipeline, cost_task_kind kind);

/** Go to the next pass; behind the last there is none. */
void cost_passes_next(cost_passes *passes);

/** Called for each task of a rank in the order in which it runs them. */
typedef void cost_visit_task(void *context, const cost_task *task);

/**
 * Visit the tasks of one rank in order, without storing them.
 *
 * Source: GPipe arXiv:1811.06965; 1F1B and interleaved Megatron-LM@d98e8a64
 * megatron/core/pipeline_parallel/schedules.py:954-1012, 2277; ZB-H1, ZB-H2
 * arXiv:2401.10241; ZB-V and DualPipeV as coded in AMD-AGI/Primus@fd1eeabb
 * zbv_formatted.py and deepseek-ai/DualPipe@3da1bbea dualpipev.py.
 */
void cost_schedule_visit(const cost_pipeline *pipeline, int rank,
        cost_visit_task *visit, void *context);

/** The same of an order that alternates, but no longer than until every task
 *  has run beside as many others as it ever does: where whole groups of
 *  micro-batches go through the chunks, what is alive repeats itself with each,
 *  and no more is when the passes forward end. */
void cost_schedule_visit_period(const cost_pipeline *pipeline, int rank,
        cost_visit_task *visit, void *context);

/** Passes of a chunk among the first n passes forward of an order that
 *  alternates; n <= m v. */
int cost_schedule_forwards(const cost_pipeline *pipeline, int chunk, int n);

/** Passes forward until the k-th of a chunk is done, in such an order;
 *  1 <= k <= m. */
int cost_schedule_until(const cost_pipeline *pipeline, int chunk, int k);

/** List the tasks of one rank in order.
 *  @param out  room for cost_schedule_max_tasks()
 *  @return how many there are */
int64_t cost_schedule_list(
        const cost_pipeline *pipeline, int rank, cost_task *out);

/** Stage (0 .. p v - 1) of a rank's chunk. */
int cost_schedule_stage(const cost_pipeline *pipeline, int rank, int chunk);

/** Rank and chunk of a stage. */
void cost_schedule_place(
        const cost_pipeline *pipeline, int stage, int *rank, int *chunk);

#endif
