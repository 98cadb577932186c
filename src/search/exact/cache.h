/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.h - costs of the blocks of a shard, kept for all plans that share it.*/
#ifndef PLAN3D_SEARCH_EXACT_CACHE_H
#define PLAN3D_SEARCH_EXACT_CACHE_H

#include "plan3d/search.h"

/** What is known of a shard. */
typedef struct search_shard {
    p3d_blocks blocks;
    double pass_s; /* one micro-batch forward and backward through the whole
                       model */
    double common_pass_s; /* at least, however experts are grouped */
    /* Of one block of each kind. */
    double forward_s[P3D_N_BLOCKS];
    double backward_s[P3D_N_BLOCKS];
    int n_layers[P3D_N_LAYER_KINDS]; /* that the model has */
} search_shard;

/** Sum the blocks of a shard, all layers recomputed in one way. */
void search_shard_sum(const p3d_problem *problem, p3d_recompute recompute,
        search_shard *costs);

/** A growing hash table; zero is empty. */
typedef struct p3d_search_cache {
    struct search_entry *entries;
    int n_entries;
    int capacity;        /* a power of two */
    p3d_problem problem; /* that the entries are of */
} search_cache;

/** Make ready for the searches of a problem: what is of another is freed. */
void search_cache_begin(search_cache *cache, const p3d_problem *problem);

/**
 * Costs of a shard, built on first use.
 *
 * @return valid until search_cache_begin() or _free(); NULL when memory ran out
 */
const search_shard *search_cache_get(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard);

/** The same of the shard whose layers differ in how experts are grouped alone;
 *  NULL when that is this one, or memory ran out. */
const search_shard *search_cache_get_alike(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard);

/** True when the costs of a shard are there. */
bool search_cache_has(const search_cache *cache, p3d_shard shard);

void search_cache_free(search_cache *cache);

#endif
