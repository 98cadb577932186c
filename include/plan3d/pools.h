/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools.h - one training on several pools of GPUs, each of one type: which
 * replicas to make of them, the fastest way, exactly. */
#ifndef PLAN3D_POOLS_H
#define PLAN3D_POOLS_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"
#include "plan3d/search.h"
#include "plan3d/training.h"

P3D_API_BEGIN

enum {
    P3D_MAX_POOLS = 4,
    P3D_MAX_POOL_LINKS = P3D_MAX_POOLS * (P3D_MAX_POOLS - 1) / 2,
    P3D_MAX_POOL_STAGES = 64,    /* of the pipeline of a replica */
    P3D_MAX_REPLICA_CLASSES = 64 /* of a plan */
};

/** The network between two pools. */
typedef struct p3d_pool_link {
    int pool, other;            /* pool < other */
    double bytes_per_s_one_way; /* of a node of either */
    double latency_s;
    bool assumed; /* nobody said it: the slower of the two pools' fabrics */
} p3d_pool_link;

/** A cluster of pools, which are clusters of one type each. */
typedef struct p3d_pools {
    char name[P3D_MAX_POOLS * 96]; /* in words, "32 x A800 + 16 x H100" */
    int n_pools;
    char names[P3D_MAX_POOLS][48];
    p3d_cluster clusters[P3D_MAX_POOLS];
    int n_links; /* one for each pair, in the order 0-1, 0-2, 1-2, .. */
    p3d_pool_link links[P3D_MAX_POOL_LINKS];
} p3d_pools;

/** True for words of several pools, `32xA800+16xH100`, and for a cluster file
 *  that has `pools`. */
bool p3d_are_pools(const char *words);

/**
 * Read pools in words, or from a file.
 *
 * @param out  untouched on failure
 * @return false with P3D_DATA (what p3d_cluster_find() refuses in a pool, more
 *         than P3D_MAX_POOLS, two of one name, a link to none) or P3D_SYSTEM
 */
P3D_CHECK bool p3d_pools_find(
        const char *words, p3d_pools *out, p3d_error *err);

/** Read the text of a cluster JSON that has `pools`. @param file  its name */
P3D_CHECK bool p3d_pools_parse(
        const char *file, const char *text, p3d_pools *out, p3d_error *err);

/** The link of two pools. */
const p3d_pool_link *p3d_pools_link(const p3d_pools *pools, int a, int b);

/** Pools, and the job on each: they differ in what follows from a GPU alone. */
typedef struct p3d_pools_problem {
    p3d_pools pools;
    p3d_problem on[P3D_MAX_POOLS]; /* of on[k], the cluster is pool k */
} p3d_pools_problem;

/** Neighbouring stages of a replica that lie in one pool. */
typedef struct p3d_segment {
    int pool;
    int tp;
    int n_stages;
} p3d_segment;

/** Replicas that are alike: pipelines of segments, each with its own
 *  micro-batch and number of micro-batches. */
typedef struct p3d_replica_class {
    int n_replicas;
    int n_segments;
    p3d_segment segments[P3D_MAX_POOLS];
    int n_stages;
    int layers[P3D_MAX_POOL_STAGES]; /* of each stage */
    int vp;          /* chunks of each stage, as many layers in each: 2 are
               interleaved, 0 or 1 is 1F1B */
    int micro_batch; /* sequences */
    int64_t n_micro_batches; /* in a step */
    p3d_recompute recompute;
    double pipeline_s;   /* until its last micro-batch is done */
    double bottleneck_s; /* of that, for each micro-batch after the first */
    int64_t peak_bytes;  /* of the GPU that has the least left */
    int64_t left_bytes;  /* on it, of what is usable */
    int tight_stage;
} p3d_replica_class;

/** A plan on pools. */
typedef struct p3d_pools_plan {
    int zero; /* 0 or 1, over all replicas */
    int n_replicas;
    int n_classes;
    p3d_replica_class classes[P3D_MAX_REPLICA_CLASSES];
    int n_gpus[P3D_MAX_POOLS]; /* that it uses */
    double pipeline_s;         /* until the last replica is done */
    double once_s; /* then: exchange of gradients, optimizer, what is fixed */
    double step_s; /* the sum */
    double tokens_per_s;
    double mfu_frac; /* of the GPUs that it uses */
} p3d_pools_plan;

/** What one pool does alone: the fastest plan of today's whole space. */
typedef struct p3d_pool_alone {
    bool fits; /* some plan is sure to */
    p3d_plan plan;
    double step_s;
    double seconds; /* of its search */
} p3d_pool_alone;

typedef struct p3d_pools_result {
    bool fits;
    p3d_pools_plan plan;
    p3d_pool_alone alone[P3D_MAX_POOLS];
    int best_alone;    /* the fastest of them; -1 = none fits */
    bool prefer_alone; /* it is no slower than the plan, or there is none */
    /* The certificate. */
    double floor_s; /* work of a step over the best rate of all GPUs */
    double bound_s; /* no plan of the space takes less: the last knapsack */
    int unit[P3D_MAX_POOLS]; /* a replica takes GPUs of a pool by so many */
    int64_t n_classes;       /* whose layers were split */
    int64_t n_cut;           /* that a bound left out */
    int64_t n_knapsacks;
    bool interrupted; /* the watcher stopped it */
    double seconds;   /* of the search of pools */
} p3d_pools_result;

/**
 * Search the fastest plan on pools, exactly: each replica is a pipeline of
 * segments (a pool, its tensor-parallel ranks, stages), each pool in one at
 * most and in any order, with its own split of layers, micro-batch of 1, 2, 4
 * or 8 sequences, number of micro-batches, recomputation (none, selective,
 * full), and 1F1B or the interleaved schedule with 2 chunks a stage; the states
 * are ZeRO 0's or 1's over all replicas. Plans are as sure to fit as the job
 * asks.
 *
 * @param watch  may be NULL
 * @param out    large (allocate it)
 * @return false with P3D_DATA (a model or a job that pools are not searched
 *         for) or P3D_SYSTEM
 */
P3D_CHECK bool p3d_pools_search(const p3d_pools_problem *problem,
        const p3d_watch *watch, p3d_pools_result *out, p3d_error *err);

/**
 * The same search over plans whose replicas are all alike: one class, whose
 * micro-batches are all whole. Where the model ties its embeddings, the first
 * segment has as many tensor-parallel ranks as the last. Exact as well; pools
 * alone are not searched.
 *
 * Source: what FlagScale runs: flagos-ai/FlagScale@16a2dd5b flagscale/train/
 * arguments.py (pre_validate_args), flagscale/train/hetero/parallel_context.py.
 */
P3D_CHECK bool p3d_pools_search_alike(const p3d_pools_problem *problem,
        const p3d_watch *watch, p3d_pools_result *out, p3d_error *err);

/** Work out times, memory and totals of a plan whose classes have replicas,
 *  segments, layers, micro-batches and recomputation.
 *  @return whether it is sure to fit */
bool p3d_pools_estimate(const p3d_pools_problem *problem, p3d_pools_plan *plan);

/**
 * Work out the training of job.n_tokens (> 0) with a plan of which step_s and
 * n_gpus are known, as p3d_training_find() does it on one cluster. It fails as
 * often as all GPUs in use do together, and stops while a pool in use is away:
 *
 *     1 / M = sum n_k / MTBF_k,  1 / P = sum 1 / P_k,  A = P sum A_k / P_k
 *
 * The notice is the shortest of these pools. Rent is of the GPUs in use, 0
 * where one of them has no price. A checkpoint goes over the slowest hosts.
 *
 * Assumes: A20, and that no second pool is taken while one is away.
 * Tested: tests/unit/test_pools_training.c
 *
 * @param out  untouched on failure
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_pools_training(const p3d_pools_problem *problem,
        const p3d_pools_plan *plan, p3d_training *out, p3d_error *err);

P3D_API_END

#endif
