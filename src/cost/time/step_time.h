/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_time.h - what a pipeline rank does for a micro-batch, in seconds. */
#ifndef PLAN3D_COST_TIME_STEP_TIME_H
#define PLAN3D_COST_TIME_STEP_TIME_H

#include "cost/cost.h"
#include "cost/time/longest_path.h"

/** One pipeline rank's work for one micro-batch. */
/* clang-format off */
/** Parts of it. weight, recompute, weights and sends are of the backward:
 *  gradients of weights; forward passes run again; passes over the weights;
 *  what the rank waits for what its chunks send. paired is saved by
 *  micro-batches that run beside each other, unwaited a part of that: waits of
 *  the host; compute: GEMMs, attention, what is run again. Once a step: dp
 *  (exposed communication), optimizer, offload. */
#define COST_RANK_TIMES(X) \
    X(forward) X(backward) X(weight) X(recompute) X(weights) X(sends) \
    X(paired) X(unwaited) X(compute) X(total) X(dp) X(optimizer) X(offload)
/* clang-format on */

typedef struct cost_rank_time {
#define COST_AS_SECONDS(part) double part##_s;
    COST_RANK_TIMES(COST_AS_SECONDS)
#undef COST_AS_SECONDS
} cost_rank_time;

/** Take each of them so many times. */
void cost_scale_rank(cost_rank_time *rank, double factor);

/** Seconds of a rank's step beside its passes. */
double cost_once_s(const cost_rank_time *rank);

/** The pipeline rank that is done last: the terms of a step are its. */
int cost_slowest_rank(const cost_case *of);

/** The terms of a rank's passes, recomputation included. */
void cost_rank_terms(const cost_case *of, int rank, const cost_rank_time *time,
        p3d_time *out);

/** Seconds of a rank, all of its stages. Those of each stage are written too,
 *  where there is room for the whole pipeline's, else NULL: what the rank adds
 *  once for all of its stages is shared out evenly. */
cost_rank_time cost_time_rank(
        const cost_case *of, int rank, cost_pass_time *stages);

/** Mean of the largest of n standard normal values; 0 for one or none.
 *  Source: G. Blom 1958, (n - 3/8) / (n + 1/4). */
double cost_largest_of(double n);

/** Seconds of a stage's gradients of weights, of one micro-batch. */
double cost_stage_weight_s(const cost_case *of, int stage);

/** Seconds until a micro-batch's boundary tensor is on the next rank: whole, or
 *  a share from each tensor-parallel rank that is gathered there.
 *
 * Source: arXiv:2104.04473 section 4.1; DeepSpeed@edaa7221 deepspeed/runtime/
 * pipe/engine.py:731, 1159 (PartitionedTensor). */
double cost_crossing_s(const p3d_problem *problem, const p3d_plan *plan);

/**
 * Seconds that a micro-batch keeps the links of a pipeline rank busy, also
 * where the schedule computes meanwhile.
 *
 *     2 v w    w: one way over the link, without its start; v: chunks
 *
 * forward to the next rank and backward to the one before, from each chunk;
 * with two ranks the first chunk sends nothing back. No step is shorter than
 * that for all of its micro-batches.
 *
 * Tested: tests/unit/test_step_time.c
 */
double cost_sends_s(const p3d_problem *problem, const p3d_plan *plan);

#endif
