/* SPDX-License-Identifier: GPL-3.0-or-later */
/* classes.h - what one replica does in a step: layers split over the stages of
 * unlike pools, micro-batches one after the other. */
#ifndef PLAN3D_SEARCH_POOLS_CLASSES_H
#define PLAN3D_SEARCH_POOLS_CLASSES_H

#include "search/pools/stages.h"

/** A replica before its layers are split: segments from the first stage on. */
typedef struct search_pool_shape {
    int n_segments;
    const search_pool_shard *shards[P3D_MAX_POOLS];
    int n_stages[P3D_MAX_POOLS]; /* of each segment */
} search_pool_shape;

/** A split: layers of each stage, seconds of the first micro-batch and of each
 *  further one, transfers left out. */
typedef struct search_pool_split {
    int n_stages;
    int layers[P3D_MAX_POOL_STAGES];
    double sum_s;
    double bottleneck_s;
} search_pool_split;

/** The stages of a shape as a split has them; layers are not set.
 *  @param stages  room for P3D_MAX_POOL_STAGES
 *  @return how many */
int search_pool_stages_of(
        const search_pool_shape *shape, search_pool_stage *stages);

/**
 * Seconds that transfers between stages add to m micro-batches of 1F1B.
 *
 *     2 c (m + p - 3 - floor((m - 2) / p))
 *
 * c of the slowest of the replica's crossings, as transfer_s() of
 * cost/time/step_time.c has it for stages that are alike.
 */
double search_pool_sends_s(const search_pool_shape *shape, int64_t m);

/** Seconds until the last of m micro-batches is done: sum + (m - 1) bottleneck
 *  + transfers. Source: arXiv:2201.12023 section 5.2. */
double search_pool_pipeline_s(const search_pool_shape *shape,
        const search_pool_split *split, int64_t m);

/**
 * Most micro-batches that a replica does in so long, over all splits of its
 * layers that its GPUs hold within the limit.
 *
 * A split matters by two numbers, the sum of its stages' seconds and the
 * largest of them. For each bottleneck B, each stage may have
 * floor((B - base) / layer) layers; those with the fastest layers are filled
 * first, which gives the least sum. B goes up from the least that holds all
 * layers, until the sum falls no more.
 *
 * @param most   no more than this are of use
 * @param split  of the answer; may be NULL
 * @return 0 = none
 */
int64_t search_pool_most(search_pool_world *world,
        const search_pool_shape *shape, double budget_s, int64_t most,
        search_pool_split *split);

/** No less than that, at once.
 *  @param room  most layers of each segment */
int64_t search_pool_most_bound(const search_pool_world *world,
        const search_pool_shape *shape, const int *room, double budget_s,
        int64_t most);

/** Stages of all segments. */
int search_pool_n_stages(const search_pool_shape *shape);

#endif
