/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stages.h - what a stage of a replica costs on its pool, by the formulas of
 * cost/: seconds of a micro-batch, seconds once a step, and how many layers its
 * GPUs hold. */
#ifndef PLAN3D_SEARCH_POOLS_STAGES_H
#define PLAN3D_SEARCH_POOLS_STAGES_H

#include "cost/cost.h"
#include "plan3d/pools.h"

enum {
    SEARCH_POOL_TPS = 5,     /* 1, 2, 4, 8, 16 */
    SEARCH_POOL_BATCHES = 4, /* 1, 2, 4, 8 */
    SEARCH_POOL_CHUNKS = 2,  /* of a stage: 1, 2 */
    SEARCH_POOL_SHARDS = P3D_MAX_POOLS * SEARCH_POOL_TPS * SEARCH_POOL_BATCHES *
                         P3D_N_RECOMPUTES * SEARCH_POOL_CHUNKS,
    /* Chunks of micro-batches that a stage keeps at most. */
    SEARCH_POOL_ALIVE =
            ((1 << (SEARCH_POOL_CHUNKS - 1)) + 1) * P3D_MAX_POOL_STAGES
};

/** Where a stage is in its pipeline. */
typedef enum search_pool_place {
    SEARCH_POOL_ONLY,
    SEARCH_POOL_FIRST,
    SEARCH_POOL_MIDDLE,
    SEARCH_POOL_LAST,
    SEARCH_POOL_PLACES
} search_pool_place;

/** What a stage is made of: a pool, tensor-parallel ranks, a micro-batch, what
 *  is recomputed, chunks with as many layers in each. Its seconds of a
 *  micro-batch are a line in its layers. */
typedef struct search_pool_shard {
    int pool;
    int tp;
    int micro_batch;
    p3d_recompute recompute;
    int vp; /* chunks of a stage: above 1 the schedule is interleaved */
    const p3d_blocks *blocks;
    bool legal;
    int alike; /* the first shard of the same pool and tensor-parallel ranks:
                  it takes as long once a step */
    double n_params; /* of the model on ranks of one stage */
    double layer_s;
    double unit_s; /* of as many layers as there are chunks */
    double base_s[SEARCH_POOL_PLACES];
    int stages_in_node; /* neighbours that a node has room for */
    double inner_s;     /* a crossing to the next stage in the same node, */
    double outer_s;     /* on another, */
    double to_s[P3D_MAX_POOLS]; /* and in another pool */
    /* What the chunks send of a micro-batch (cost_sends_s()) to stages on other
     * nodes, and in other pools, to which a stage has one neighbour. */
    double outer_busy_s;
    double to_busy_s[P3D_MAX_POOLS];
} search_pool_shard;

/** What all stages of a plan have in common. */
typedef struct search_pool_setting {
    int zero;
    unsigned pools;     /* that may be used, a bit each */
    int least_replicas; /* as many as exchange gradients at least, */
    int most_replicas;  /* and as many as share the states at most: the
                               same number for a plan, else bounds */
} search_pool_setting;

/** A stage in its place. */
typedef struct search_pool_stage {
    const search_pool_shard *shard;
    int n_stages; /* of the pipeline */
    int stage;
    int n_layers;
} search_pool_stage;

/** Layers that fit on a stage. */
typedef struct search_pool_fit {
    unsigned short states; /* for which states; 0 = not known */
    short layers;          /* of others, it is mostly near */
} search_pool_fit;

enum { SEARCH_POOL_STATES = 8 };

/** Layers that fit while replicas share the states in some way. */
typedef struct search_pool_states {
    int zero, n_replicas;
    unsigned short number; /* of these states; 0 = none yet */
    /** By shard, place and chunks of micro-batches that a stage keeps. */
    search_pool_fit fits[SEARCH_POOL_SHARDS][SEARCH_POOL_PLACES]
                        [SEARCH_POOL_ALIVE + 1];
} search_pool_states;

/** Layers of a stage within the limit. */
typedef struct search_pool_within {
    int limit;  /* number of the limit; 0 = not known */
    int layers; /* at most */
} search_pool_within;

/** What is known of neighbouring stages of one chunk. */
typedef struct search_pool_sums {
    int limit; /* number of the limit; 0 = not known */
    int n;     /* of the sums that are known */
    int layers[P3D_MAX_POOL_STAGES +
               1]; /* that middle stages hold, from the one
                                            before the last on */
    int bounds[P3D_MAX_POOL_STAGES + 1]; /* 1 + what any so many neighbours hold
                                            at most; 0 = not known */
} search_pool_sums;

/** The shortest pipeline in which a middle stage keeps so much. */
typedef struct search_pool_middle {
    int n_stages; /* 0 = there is none */
    int stage;
} search_pool_middle;

/** A problem, and what is known of its stages. Large. */
typedef struct search_pool_world {
    const p3d_pools_problem *problem;
    p3d_problem on[P3D_MAX_POOLS]; /* with the batch that is asked about */
    p3d_problem exchange[P3D_MAX_POOLS];    /* as seen by an exchange */
    double link_bytes_per_s[P3D_MAX_POOLS]; /* of a card, at most, there */
    int n_layers;
    int layer_kind;
    int64_t global_batch;
    int n_shards;
    search_pool_shard shards[SEARCH_POOL_SHARDS];
    /** Index of a shard; -1 = it is not legal. By pool, exponent of tp, of the
     *  micro-batch, recomputation, exponent of the chunks. */
    short index[P3D_MAX_POOLS][SEARCH_POOL_TPS][SEARCH_POOL_BATCHES]
               [P3D_N_RECOMPUTES][SEARCH_POOL_CHUNKS];
    p3d_blocks *blocks; /* by pool, tp and micro-batch */
    int most_chunks;    /* exponent: with how many shards are legal */
    search_pool_middle middles[SEARCH_POOL_CHUNKS][SEARCH_POOL_ALIVE + 1];
    search_pool_setting setting;
    double limit_s; /* that stages may take once a step */
    int n_limits;   /* so far */
    search_pool_within within[SEARCH_POOL_SHARDS][SEARCH_POOL_PLACES];
    int n_states;               /* numbers so far */
    search_pool_states *states; /* SEARCH_POOL_STATES; NULL = a twin */
    search_pool_states *now;    /* the setting's */
    search_pool_sums sums[SEARCH_POOL_SHARDS];
    cost_layout layout; /* of the stage at work */
} search_pool_world;

/** @return false with P3D_DATA: what pools are not searched for, or P3D_SYSTEM.
 *  Release with search_pool_close() also after a failure */
P3D_CHECK bool search_pool_open(const p3d_pools_problem *problem,
        search_pool_world *world, p3d_error *err);
void search_pool_close(search_pool_world *world);

/** Plan for this setting from now on. */
void search_pool_set(
        search_pool_world *world, const search_pool_setting *setting);

search_pool_place search_pool_place_of(int stage, int n_stages);

/** The plan of a replica as its stage sees it. */
p3d_plan search_pool_plan_of(
        const search_pool_shard *shard, int n_stages, int n_replicas, int zero);

/** Factor that a user's own runs give a step on a pool. */
double search_pool_anchor(const search_pool_world *world, int pool);

/** Exponent of the largest power of two that is no more. */
int search_pool_exponent(int n);

/** Seconds of a micro-batch on a stage, forward and backward, and as much more
 *  as the slowest of the setting's GPUs takes. */
double search_pool_pass_s(
        search_pool_world *world, const search_pool_stage *stage);

/**
 * Seconds once a step: the exchange of gradients, the optimizer, what is fixed.
 *
 * The exchange takes as long as if all replicas were as this one:
 * V = 2 S (R-1) / (R tp) bytes a rank, on its share of its node's network
 * cards, none of which is faster than the slowest link of the setting's pools
 * or than the pool's switches leave (search_pool_exchange()), beside nothing. A
 * ring of all replicas is as slow as the slowest of these.
 *
 * Source: arXiv:1910.02054 section 7, as cost_dp_exposed_s() has it.
 */
double search_pool_once_s(
        search_pool_world *world, const search_pool_stage *stage);

/** Parameters that each rank of a stage trains. */
double search_pool_trained(
        search_pool_world *world, const search_pool_stage *stage);

/** The shard that is like another but for its chunks, given as an exponent. */
const search_pool_shard *search_pool_chunked(const search_pool_world *world,
        const search_pool_shard *shard, int chunks);

/** Let stages take no longer than this once a step. */
void search_pool_limit(search_pool_world *world, double once_s);

/** Most layers that a stage holds in memory and within the limit, as many in
 *  each of its chunks; 0 = none. */
int search_pool_room(search_pool_world *world, const search_pool_stage *stage);

/** Most layers that n neighbouring stages hold, the first of which is a given
 *  one of a pipeline; 0 also where one of them holds none. */
int search_pool_room_of(search_pool_world *world,
        const search_pool_shard *shard, int n_stages, int first, int n);

/** No less than that wherever they are in the pipeline. */
int search_pool_room_bound(search_pool_world *world,
        const search_pool_shard *shard, int n_stages, int n);

/** Memory of a stage's ranks. */
int64_t search_pool_peak_bytes(
        search_pool_world *world, const search_pool_stage *stage);

#endif
