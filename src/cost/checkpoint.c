/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint.c - what a framework writes to be able to start again. */
#include <math.h>

#include "base/util.h"
#include "cost/memory.h"

/* The whole model on one rank, each state in one place. */
static const p3d_plan one_rank = {.tp = 1,
        .pp = 1,
        .dp = 1,
        .cp = 1,
        .ep = 1,
        .etp = 1,
        .vp = 1,
        .micro_batch = 1,
        .zero = 3};

/* A weight is written once, as a 32-bit number at most: casts that a framework
 * holds beside it are not. */
static const double LARGEST_WEIGHT_BYTES = 4;

/**
 * Bytes of a checkpoint: weights, the master weights that are updated, and the
 * optimizer's moments, as the job keeps them; gradients are not written.
 *
 *     bytes = (w + m + moments) P
 *
 * With bf16 weights and Adam that is (2 + 4 + 8) P = 14 P.
 *
 * Source: bigscience-workshop/bigscience@9e64edec train/tr11-176B-ml/README.md
 *         (BLOOM: 2.3 TB for 176 billion parameters).
 * Tested: tests/unit/test_checkpoint.c
 */
double cost_checkpoint_bytes(const p3d_problem *problem)
{
    p3d_blocks blocks;
    cost_layout layout;
    const cost_case of = {problem, &one_rank, &blocks, &layout};
    cost_rank rank;
    cost_state_sum states;
    double params;

    P3D_ASSERT(cost_layout_build(problem, &one_rank, &layout));
    p3d_blocks_build(problem, p3d_plan_shard(&one_rank), &blocks);
    cost_rank_build(&of, 0, &rank);
    states = cost_states(&problem->job, &one_rank, &rank.parameters);
    params = (double)rank.parameters.all.dense +
             (double)rank.parameters.all.experts;
    return fmin(states.weights_bytes, LARGEST_WEIGHT_BYTES * params) +
           states.optimizer_bytes;
}
