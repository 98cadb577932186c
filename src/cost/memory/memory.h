/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - the parts that the memory of a rank is put together from. */
#ifndef PLAN3D_COST_MEMORY_MEMORY_H
#define PLAN3D_COST_MEMORY_MEMORY_H

#include "cost/cost.h"
#include "cost/pipeline/schedule.h"

/** Parameters of a rank by what the optimizer keeps of them. */
typedef struct cost_parameters {
    p3d_params all;
    p3d_params trained;          /* of these */
    p3d_params companion;        /* of these, of a frozen model beside */
    p3d_params matrices;         /* of the model's layers */
    p3d_params trained_matrices; /* and of adapters: what Muon and Adafactor
                                    treat apart */
    p3d_params edges;            /* rows plus columns of those */
} cost_parameters;

/** Device bytes of the states of one rank. */
typedef struct cost_state_sum {
    double weights_bytes;
    double companion_bytes; /* weights of a frozen model beside */
    double gradients_bytes;
    double master_bytes;
    double moments_bytes;
    double step_bytes;      /* while the optimizer runs */
    double optimizer_bytes; /* master and moments */
} cost_state_sum;

/** True where the matrices of the layers are kept in fp8 alone, and master
 *  weights are all that is finer.
 *
 *  Source: Megatron-LM@d98e8a64 megatron/training/arguments.py:1095
 *  (--fp8-param-gather, which needs the distributed optimizer or
 *  Megatron-FSDP); on in the fp8 recipes of Megatron-Bridge@067f987d
 *  src/megatron/bridge/training/mixed_precision.py. */
bool cost_has_fp8_weights(const p3d_job *job, const p3d_plan *plan);

/** Bytes of a gathered weight of the layers: of weights in fp8 its values, but
 *  16 bits where a recipe has them cast afterwards; torchao's float8 gathers
 *  one byte where a tensor has one scale.
 *
 *  Source: p3d_precision.gathers_wide; pytorch/ao@36027d8 torchao/float8/
 *  fsdp_utils.py (enable_fsdp_float8_all_gather). */
double cost_gather_bytes(const p3d_job *job, const p3d_plan *plan);

/** Units of a model whose modules FSDP1 wraps by size. */
typedef struct cost_wrapping {
    double largest;  /* parameters of the largest unit of a layer; 0 = none */
    double around;   /* of what is left: gathered from the beginning of the
                        forward pass on, reduced at the end of the backward */
    bool is_root;    /* that is the outermost module, which is not given back
                        between the passes */
    bool wraps_ends; /* embedding and output matrix are units of their own */
} cost_wrapping;

/**
 * The units of a dense model.
 *
 * A module is a unit where it has at least so many parameters that belong to no
 * unit inside it: a matrix, the attention, the MLP, a layer, all layers with
 * the embedding; the rest is one with the whole model.
 *
 * Source: pytorch@2.6.0 torch/distributed/fsdp/wrap.py
 * (size_based_auto_wrap_policy, _recursive_wrap); LLaMA-2-7B, 13B and 70B with
 * 1e8 as it wraps them.
 * Tested: tests/unit/test_wrapping.c
 */
cost_wrapping cost_wrap(const p3d_model *model, double least);

/** The same of a job that says a least size; of any model where it says the
 *  whole: the outermost module is the only unit. */
cost_wrapping cost_wrap_job(const p3d_problem *problem);

/**
 * The parameters of a rank that are one unit around all others: all of them
 * where nothing is wrapped, 0 where each layer is a unit.
 *
 * Source: pytorch@2.6.0 torch/distributed/fsdp/_runtime_utils.py
 * (_post_forward_reshard, _post_backward_hook); accelerate@16cb6eb8
 * utils/dataclasses.py (NO_WRAP).
 */
double cost_params_around(const p3d_problem *problem, double all);

/** States of one rank with these parameters. */
cost_state_sum cost_states(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *parameters);

/** Whether 16-bit gradients are added to others in fp32 that stand beside them
 *  (DeepSpeed's BF16_Optimizer). */
bool cost_casts_gradients(const p3d_job *job, const p3d_plan *plan);

/** Bytes that a rank moves once a step to prepare its gradients.
 *
 *      passes of the framework * bytes of the gradients that are reduced
 *
 *  Source: p3d_framework.gradient_passes. Tested:
 *  tests/unit/test_data_parallel.c */
double cost_gradient_pass_bytes(
        const p3d_job *job, const p3d_plan *plan, p3d_params params);

/** Bytes that one rank's offloaded states take outside of the device. */
typedef struct cost_host_sum {
    double host_bytes;   /* of host memory, pinned ones included */
    double pinned_bytes; /* of these, locked in memory */
    double nvme_bytes;
} cost_host_sum;

cost_host_sum cost_host(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *parameters);

/** Bytes of one chunk of a rank and one micro-batch. */
typedef struct cost_chunk {
    double saved_bytes;    /* from its forward pass to its backward pass */
    double forward_bytes;  /* beside, at the end of the forward: the loss */
    double backward_bytes; /* beside, during the backward */
    double tower_bytes;    /* ... of a tower, when layers_bytes are gone */
    double layers_bytes;   /* of the saved ones, those of layers */
} cost_chunk;

/** What of the saved bytes goes to the host. */
typedef struct cost_sent {
    double frac;
    double passing_bytes; /* so much of what is saved is, at most, on its way:
                             on the device as a whole */
} cost_sent;

/** What a rank keeps of its micro-batches. */
typedef struct cost_kept {
    const cost_chunk *chunks;
    cost_sent sent;
} cost_kept;

/** A moment of the walk: the task that runs, and what is alive. */
typedef struct cost_moment {
    double saved_bytes; /* of all micro-batches that are alive, on the device */
    double passing_bytes; /* beside, on its way to the host and back */
    double whole_bytes;   /* what is alive, there and on the host */
    double beside_bytes;  /* of the task itself */
    bool in_tower; /* the tower runs backward, its chunk's layers are done */
    cost_task task;
    int64_t alive[P3D_MAX_LAYERS]; /* micro-batches, by chunk */
} cost_moment;

/** The worst moment among the forward passes, and among the backward ones. */
typedef struct cost_walk {
    cost_moment forward;
    cost_moment backward;
    double most_bytes; /* ever alive, on the device and on the host */
} cost_walk;

typedef void cost_walk_kind(const p3d_plan *plan, int rank,
        int64_t n_micro_batches, const cost_kept *kept, cost_walk *out);

/**
 * Walk over the tasks of one rank: a prefix maximum of what is alive.
 *
 * A chunk's activations live from its forward to its backward, with a split
 * backward to the gradients of the weights.
 *
 * @param n_micro_batches  of the step; the order repeats itself after a few
 *                         rounds, so no more than those are walked
 *
 * Tested: tests/unit/test_walk.c
 */
void cost_walk_rank(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out);

/** No less than the walk, at once, for orders that alternate: as many passes as
 *  are ever alive, all of the largest chunk. */
void cost_walk_most(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out);

/** The walk up to the first backward pass, for the same: no more than the
 *  whole, and often as much. */
void cost_walk_start(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out);

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

/** Something that a rank holds beside the tensors of its layers; of the term
 *  fragmentation: what is reserved during these passes and of no use. */
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

enum { COST_COMPRESSED_ITEMS = 5, COST_CAST_ITEMS = 3, COST_PROCESS_ITEMS = 3 };

/** The layers of a rank. */
typedef struct cost_rank_layers {
    int n;
    double kept_params; /* parameters of those not recomputed in full */
} cost_rank_layers;

/** What the layers of a rank sum to. */
typedef struct cost_rank {
    cost_case of;
    int rank;
    bool has_head;
    cost_rank_layers layers;
    bool seen[P3D_N_LAYER_KINDS];
    cost_parameters parameters;
    double layer_params;  /* of the largest layer */
    double next_params;   /* the same of chunks that have another layer */
    double layer_trained; /* the most that a layer trains */
    double largest_matrix;
    double last_params; /* of the last layer of a chunk, the largest of them */
    double whole_chunk_bytes; /* activations of the largest chunk, offloaded or
                                 not */
    cost_chunk chunks[P3D_MAX_LAYERS];
    cost_walk walk;
} cost_rank;

/** What compressed communication keeps; 0 bytes of what there is not.
 *  @return how many */
int cost_compressed_items(
        const cost_rank *r, cost_item out[COST_COMPRESSED_ITEMS]);

/** What autocast keeps of the weights in 16 bit.
 *  @return how many; 0 without autocast */
int cost_cast_items(const cost_rank *r, cost_item out[COST_CAST_ITEMS]);

/** What the process takes outside of the allocator.
 *  @return how many; 0 where a compiler plans all memory */
int cost_process_items(const cost_rank *r, cost_item out[COST_PROCESS_ITEMS]);

/** Parameters of a block; those of a tower's layers are gathered as other
 *  layers are. */
double cost_block_params(const cost_rank *r, int block);

/** Logits of a micro-batch that the loss of a rank sees. */
double cost_rank_logits(const cost_rank *r);

/** Sum the layers of a rank; its walk is still to be made. */
void cost_rank_build(const cost_case *of, int rank, cost_rank *out);

/** The same in two steps: what the states need, then all else. */
void cost_rank_begin(const cost_case *of, int rank, cost_rank *out);
void cost_rank_end(cost_rank *rank);

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

/** Walk over the rank's tasks of one step, or bound it. */
void cost_rank_walk(cost_rank *rank, cost_walk_kind *walk);

/** Append activations that are on their way to the host or back; after the
 *  walk, which says how many are alive. */
void cost_offload_put(const cost_rank *rank, cost_items *items);

/** States, buffers, workspaces and the process's own. */
void cost_items_build(const cost_rank *rank, cost_items *out);

/** The same in two steps: the states of a rank that was begun, then all else.
 */
void cost_items_begin(const cost_rank *rank, cost_items *out);
void cost_items_end(const cost_rank *rank, cost_items *items);

/** NCCL communicators of a rank: one for each axis with several ranks. */
int cost_n_communicators(const p3d_plan *plan);

/** Layers that are recomputed together. */
int cost_replay_group(
        const p3d_plan *plan, const cost_replay *replay, int kind);

/** The kind of layer whose backward needs the most at a moment, and how it is
 *  recomputed; P3D_BLOCK_EMBEDDING for a layer of the tower. */
int cost_worst_kind(
        const cost_rank *r, const cost_moment *moment, cost_replay *replay);

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
