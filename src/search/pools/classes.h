/* SPDX-License-Identifier: GPL-3.0-or-later */
/* classes.h - what one replica does in a step: layers split over the stages of
 * unlike pools, micro-batches one after the other. */
#ifndef PLAN3D_SEARCH_POOLS_CLASSES_H
#define PLAN3D_SEARCH_POOLS_CLASSES_H

#include "search/pools/stages.h"

/** A replica before its layers are split: segments from the first stage on,
 *  which have as many chunks a stage. */
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
 * Seconds that transfers between stages add to m micro-batches.
 *
 *     1F1B         2 c (m + p - 3 - floor((m - 2) / p))
 *     interleaved  2 c (p v - 1)
 *
 * c of the slowest of the replica's crossings, as transfer_s() of
 * cost/time/step_time.c has it for stages that are alike.
 */
double search_pool_sends_s(const search_pool_shape *shape, int64_t m);

/**
 * Seconds until the last of m micro-batches is done.
 *
 *     m bottleneck + (sum - bottleneck) / v + transfers
 *
 * and no less than its links are busy with all that its stages send.
 *
 * Source: arXiv:2201.12023 section 5.2; of v chunks a stage, arXiv:2104.04473
 * section 2.2.
 */
double search_pool_pipeline_s(const search_pool_shape *shape,
        const search_pool_split *split, int64_t m);

/** Micro-batches that a replica adds at a time: interleaved, one for each stage
 *  (Megatron-LM@d98e8a64 megatron/core/pipeline_parallel/schedules.py:1157). */
int search_pool_round(const search_pool_shape *shape);

/**
 * Most micro-batches that a replica does in so long, over all splits of its
 * layers that its GPUs hold within the limit.
 *
 * A split matters by two numbers, the sum of its stages' seconds and the
 * largest of them. For each bottleneck B, each stage may have
 * floor((B - base) / layer) layers, in units of v; those with the fastest
 * layers are filled first, which gives the least sum. B goes up from the least
 * that holds all layers, until the sum falls no more.
 *
 * @param most   no more than this are of use, or than whole rounds of them
 * @param split  of the answer; may be NULL
 * @return 0 = none
 */
int64_t search_pool_most(search_pool_world *world,
        const search_pool_shape *shape, double budget_s, int64_t most,
        search_pool_split *split);

/** A bound on splits: none has a smaller sum, or a smaller bottleneck. */
typedef struct search_pool_line {
    double sum_s;
    double bottleneck_s;
    double crossing_s; /* the slowest of the replica; 0 = any */
    double busy_s;     /* links, a micro-batch; 0 = any */
    int p, v;          /* stages, chunks of each */
} search_pool_line;

/** Bound the splits of a shape.
 *  @param room  most layers of each segment
 *  @return false where they hold too few */
bool search_pool_bound(const search_pool_world *world,
        const search_pool_shape *shape, const int *room, search_pool_line *out);

/** Most micro-batches of a line in so long, at least.
 *  @param most  no more than this, or than whole rounds of them, are of use */
int64_t search_pool_line_most(
        const search_pool_line *line, double budget_s, int64_t most);

/** The same wherever its segments are: with the most that each may hold. */
bool search_pool_bound_anywhere(search_pool_world *world,
        const search_pool_shape *shape, search_pool_line *out);

/** The shape with two of its segments in each other's place. */
search_pool_shape search_pool_swapped(
        const search_pool_shape *shape, int i, int j);

/** Stages of all segments. */
int search_pool_n_stages(const search_pool_shape *shape);

#endif
