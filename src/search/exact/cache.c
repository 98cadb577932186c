/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.c - costs of the blocks of a shard, kept for all plans that share it.*/
#include "search/exact/cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct search_entry {
    p3d_shard shard;
    search_shard *costs; /* NULL = free slot */
} search_entry;

/* Entries that are kept from one search to the next: 160 MB at most. */
enum { FIRST_CAPACITY = 256, MOST_KEPT = 65536 };

static bool same_shard(p3d_shard a, p3d_shard b)
{
    return a.tp == b.tp && a.cp == b.cp && a.ep == b.ep && a.etp == b.etp &&
           a.micro_batch == b.micro_batch &&
           a.sequence_parallel == b.sequence_parallel && a.modules == b.modules;
}

static unsigned hash_of(p3d_shard s)
{
    const int parts[] = {s.tp, s.cp, s.ep, s.etp, s.micro_batch,
            s.sequence_parallel, (int)s.modules};
    unsigned hash = 2166136261u; /* FNV-1a over the numbers */

    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        hash = (hash ^ (unsigned)parts[i]) * 16777619u;
    return hash ^ (hash >> 15);
}

/** Slot of a shard: its own, or the free one where it belongs. */
static search_entry *find(search_entry *entries, int capacity, p3d_shard shard)
{
    unsigned i = hash_of(shard) & (unsigned)(capacity - 1);

    while (entries[i].costs != NULL && !same_shard(entries[i].shard, shard))
        i = (i + 1) & (unsigned)(capacity - 1);
    return &entries[i];
}

static bool grow(search_cache *cache)
{
    const int capacity =
            cache->capacity == 0 ? FIRST_CAPACITY : 2 * cache->capacity;
    search_entry *entries = calloc((size_t)capacity, sizeof(*entries));

    if (entries == NULL)
        return false;
    for (int i = 0; i < cache->capacity; i++) {
        if (cache->entries[i].costs != NULL)
            *find(entries, capacity, cache->entries[i].shard) =
                    cache->entries[i];
    }
    free(cache->entries);
    cache->entries = entries;
    cache->capacity = capacity;
    return true;
}

void search_shard_sum(const p3d_problem *problem, p3d_recompute recompute,
        search_shard *costs)
{
    costs->pass_s = costs->common_pass_s = 0;
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        const p3d_block *block = &costs->blocks.block[i];
        const bool layer = i < P3D_N_LAYER_KINDS;
        const int n = layer ? p3d_model_count_layers(&problem->model, i) : 1;

        costs->forward_s[i] = block->forward_s;
        costs->backward_s[i] = block->backward_s - block->paired_s +
                               (layer ? block->replay_s[recompute] : 0);
        costs->pass_s += n * (costs->forward_s[i] + costs->backward_s[i]);
        costs->common_pass_s +=
                n *
                (layer && (i & P3D_LAYER_MOE) != 0
                                ? block->common_s
                                : costs->forward_s[i] + costs->backward_s[i]);
        if (layer)
            costs->n_layers[i] = n;
    }
}

/** Keep a shard's costs. @return false when memory ran out */
static bool put(search_cache *cache, p3d_shard shard, search_shard *costs)
{
    if (2 * cache->n_entries >= cache->capacity && !grow(cache))
        return false;
    *find(cache->entries, cache->capacity, shard) =
            (search_entry){shard, costs};
    cache->n_entries++;
    return true;
}

/** The shard with the same layers, but for their experts. */
static p3d_shard without_groups(p3d_shard shard)
{
    shard.ep = 1;
    shard.etp = shard.tp;
    return shard;
}

static const search_shard *build(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard)
{
    const p3d_shard alike = without_groups(shard);
    const search_shard *like = NULL;
    search_shard *costs;

    if (!same_shard(shard, alike)) {
        like = search_cache_get(cache, problem, alike);
        if (like == NULL)
            return NULL;
    }
    costs = malloc(sizeof(*costs));
    if (costs == NULL || !put(cache, shard, costs)) {
        free(costs);
        return NULL;
    }
    if (like == NULL) {
        p3d_blocks_build(problem, shard, &costs->blocks);
    } else {
        costs->blocks = like->blocks;
        p3d_blocks_regroup(problem, shard, &costs->blocks);
    }
    search_shard_sum(problem, P3D_RECOMPUTE_NONE, costs);
    return costs;
}

static const search_shard *known(const search_cache *cache, p3d_shard shard)
{
    return cache->capacity > 0
                   ? find(cache->entries, cache->capacity, shard)->costs
                   : NULL;
}

const search_shard *search_cache_get(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard)
{
    const search_shard *costs = known(cache, shard);

    return costs != NULL ? costs : build(cache, problem, shard);
}

const search_shard *search_cache_get_alike(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard)
{
    const p3d_shard alike = without_groups(shard);

    return same_shard(shard, alike) ? NULL
                                    : search_cache_get(cache, problem, alike);
}

bool search_cache_has(const search_cache *cache, p3d_shard shard)
{
    return known(cache, shard) != NULL;
}

/* Blocks know the GPUs, the node and the network, but not how many nodes there
 * are, nor the batch. Bytes between members may differ without a reason: then
 * the costs are worked out again. Tested: tests/prop/test_search_cache.c */
static bool same_blocks(const p3d_problem *a, const p3d_problem *b)
{
    const p3d_cluster *c = &a->cluster, *d = &b->cluster;
    p3d_job job = a->job;

    job.global_batch = b->job.global_batch;
    return memcmp(&a->model, &b->model, sizeof(a->model)) == 0 &&
           memcmp(&c->gpu, &d->gpu, sizeof(c->gpu)) == 0 &&
           memcmp(&c->node, &d->node, sizeof(c->node)) == 0 &&
           memcmp(&c->fabric, &d->fabric, sizeof(c->fabric)) == 0 &&
           memcmp(&c->calibration, &d->calibration, sizeof(c->calibration)) ==
                   0 &&
           memcmp(&job, &b->job, sizeof(job)) == 0;
}

void search_cache_begin(search_cache *cache, const p3d_problem *problem)
{
    if (cache->n_entries > MOST_KEPT || !same_blocks(&cache->problem, problem))
        search_cache_free(cache);
    cache->problem = *problem;
}

p3d_search_cache *p3d_search_cache_create(p3d_error *err)
{
    p3d_search_cache *cache = calloc(1, sizeof(*cache));

    if (cache == NULL)
        (void)p3d_fail(err, P3D_SYSTEM, "out of memory");
    return cache;
}

void p3d_search_cache_destroy(p3d_search_cache *cache)
{
    if (cache != NULL)
        search_cache_free(cache);
    free(cache);
}

void search_cache_free(search_cache *cache)
{
    for (int i = 0; i < cache->capacity; i++)
        free(cache->entries[i].costs);
    free(cache->entries);
    *cache = (search_cache){.n_entries = 0};
}
