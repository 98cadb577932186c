/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wires.h - what stages of pools send: to the next stage, to the same stage of
 * other replicas; through the switches of a pool, over the links of pools. */
#ifndef PLAN3D_SEARCH_POOLS_WIRES_H
#define PLAN3D_SEARCH_POOLS_WIRES_H

#include "search/pools/stages.h"

/** Pipeline ranks that fill a node, and one: the next axis joins nodes. */
int search_pool_ranks_of_node(const p3d_cluster *cluster, int tp);

/** Set what a shard's stages take to reach the next one. */
void search_pool_set_crossings(
        search_pool_world *world, search_pool_shard *shard);

/** Let a pool exchange gradients with the setting's others: no card is faster
 *  than the slowest link, beside nothing. */
void search_pool_set_exchange(search_pool_world *world, int pool);

/** The rings of a stage's exchange, of n_params parameters a rank. */
cost_far_ring search_pool_ring(const search_pool_world *world,
        const search_pool_stage *stage, double n_params);

/**
 * The problem of a stage's pool as the exchange of n_params parameters a rank
 * sees it. Valid until the next call for that pool.
 *
 * Through the links up of a switch with A GPUs below go the gradients of each
 * layer once, or those of all these GPUs where that is less: the load of rings
 * whose neighbours are as far apart as a replica of such stages is large,
 *
 *     min(A, tp P / n_params)    P: parameters of the model a rank
 *
 * Source: counted, as cost_load_below(). Assumes: A31.
 * Tested: tests/unit/test_pools_tiers.c
 */
const p3d_problem *search_pool_exchange(search_pool_world *world,
        const search_pool_stage *stage, double n_params);

#endif
