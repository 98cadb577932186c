/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - the parts that the memory of a rank is put together from. */
#ifndef PLAN3D_COST_MEMORY_MEMORY_H
#define PLAN3D_COST_MEMORY_MEMORY_H

#include "cost/cost.h"
#include "cost/memory/states.h"
#include "cost/memory/walk.h"

/** More than any GPU has. A sum that is larger is cut to this, so that none
 *  overflows. */
#define COST_MOST_BYTES ((int64_t)1 << 55)

/** Passes during which an item is alive; a bit set over p3d_pass. */
enum {
    COST_AT_LOSS = 1 << P3D_PASS_LOSS,
    COST_AT_BACKWARD = 1 << P3D_PASS_BACKWARD,
    COST_AT_END = 1 << P3D_PASS_END,
    COST_AT_STEP = 1 << P3D_PASS_STEP,
    COST_IN_PASSES = COST_AT_LOSS | COST_AT_BACKWARD,
    COST_ALWAYS = COST_IN_PASSES | COST_AT_END | COST_AT_STEP
};

/** Something that a rank holds beside the tensors of its layers. */
typedef struct cost_item {
    int term; /* P3D_TERM_ */
    unsigned when;
    const char *name;
    const char *why;
    const char *source;
    double elements;
    double bytes;
    bool apart; /* in segments that nothing else uses: they stay reserved */
} cost_item;

enum { COST_MAX_ITEMS = 40 };

typedef struct cost_items {
    int n;
    cost_item at[COST_MAX_ITEMS];
} cost_items;

/** What the layers of a rank sum to. */
typedef struct cost_rank {
    cost_case of;
    int rank;
    bool has_head;
    int n_layers;
    bool seen[P3D_N_LAYER_KINDS];
    cost_parameters parameters;
    double layer_params; /* of the largest layer */
    double last_params;  /* of the last layer of a chunk, the largest of them */
    double layers_params; /* of all layers */
    double kept_params;   /* of the layers that are not recomputed in full */
    double whole_chunk_bytes; /* activations of the largest chunk, offloaded or
                                 not */
    cost_chunk chunks[P3D_MAX_LAYERS];
    cost_walk walk;
} cost_rank;

/** Sum the layers of a rank; its walk is still to be made. */
void cost_rank_build(const cost_case *of, int rank, cost_rank *out);

/** The blocks of a stage, by what they keep until their backward pass: layers
 *  all of their tensors, or some their input alone. */
typedef struct cost_saved {
    const short *n_layers; /* by kind */
    cost_replay replay;
    int n_embeddings;
    int n_heads; /* the blocks of multi-token prediction have their own */
} cost_saved;

/** What the memory of a rank is summed from, and what is listed of it. */
cost_saved cost_saved_of(const cost_case *of, int stage);

/** Walk over the rank's tasks of one step. */
void cost_rank_walk(cost_rank *rank);

/** In place of the walk, quick bounds of it for orders that alternate: no less
 *  than it, and no more. */
void cost_rank_walk_most(cost_rank *rank);
void cost_rank_walk_start(cost_rank *rank);

/** Append activations that are on their way to the host or back; after the
 *  walk, which says how many are alive. */
void cost_offload_put(const cost_rank *rank, cost_items *items);

/** States, buffers, workspaces and the process's own. */
void cost_items_build(const cost_rank *rank, cost_items *out);

/** NCCL communicators of a rank: one for each axis with several ranks. */
int cost_n_communicators(const p3d_plan *plan);

/** Layers that are recomputed together. */
int cost_replay_group(
        const p3d_plan *plan, const cost_replay *replay, int kind);

/** The kind of layer of a chunk whose backward needs the most, and how it is
 *  recomputed. */
int cost_worst_kind(const cost_rank *r, int chunk, cost_replay *replay);

/** Bytes that the allocator takes from the device, at most over a step. */
double cost_reserved_bytes(const cost_rank *rank, const cost_items *items);

/** The pass of the peak, and the sum of its terms. */
p3d_pass cost_peak_pass(
        const cost_rank *rank, const cost_items *items, p3d_memory *out);

/** What the ranks of a node keep outside of their devices, when all of them are
 *  like this one. */
cost_host_sum cost_rank_node_host(const cost_case *of, int rank);

/** The same of the rank that keeps the most. */
cost_host_sum cost_node_host(const cost_case *of);

/** True when a node's host memory and NVMe hold it. */
bool cost_node_holds(const p3d_node *node, const cost_host_sum *sum);

#endif
