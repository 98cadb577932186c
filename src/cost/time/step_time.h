/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_time.h - what a pipeline rank does for a micro-batch, in seconds. */
#ifndef PLAN3D_COST_TIME_STEP_TIME_H
#define PLAN3D_COST_TIME_STEP_TIME_H

#include "cost/cost.h"
#include "cost/time/longest_path.h"

/** One pipeline rank's work for one micro-batch. */
typedef struct cost_rank_time {
    double forward_s;
    double backward_s;
    double weight_s;    /* of the backward: gradients of weights */
    double recompute_s; /* of the backward: forward passes run again */
    double weights_s;   /* of the backward: passes over the weights */
    double sends_s;     /* of the backward: what the rank waits for what its
                           chunks send */
    double paired_s;    /* saved by micro-batches that run beside each other */
    double compute_s;   /* GEMMs, attention, what is run again */
    double total_s;
    double dp_s; /* once a step: exposed data-parallel communication */
    double optimizer_s;
    double offload_s;
} cost_rank_time;

/** Seconds of a rank's step beside its passes. */
double cost_once_s(const cost_rank_time *rank);

/** Add the terms of a time, so many times. */
void cost_add_terms(p3d_time *sum, const p3d_time *term, double times);

/** The terms of a rank's passes, recomputation included. */
void cost_rank_terms(const cost_case *of, int rank, const cost_rank_time *time,
        p3d_time *out);

/** Seconds of a rank, all of its stages. */
cost_rank_time cost_time_rank(const cost_case *of, int rank);

/** Seconds of each of a rank's stages. What the rank adds once for all of them
 *  is shared out evenly.
 *  @param time    of the rank
 *  @param stages  of the whole pipeline: the rank's are written */
void cost_time_stages(const cost_case *of, int rank, const cost_rank_time *time,
        cost_pass_time *stages);

/** Seconds of a stage's gradients of weights, of one micro-batch. */
double cost_stage_weight_s(const cost_case *of, int stage);

/** Seconds until a micro-batch's boundary tensor is on the next rank: whole, or
 *  a share from each tensor-parallel rank that is gathered there.
 *
 * Source: arXiv:2104.04473 section 4.1; DeepSpeed@edaa7221 deepspeed/runtime/
 * pipe/engine.py:731, 1159 (PartitionedTensor). */
double cost_crossing_s(const p3d_problem *problem, const p3d_plan *plan);

#endif
