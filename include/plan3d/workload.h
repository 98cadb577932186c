/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.h - the operations that one rank runs for one block of a model.
 *
 * Memory, time, FLOPs and the shapes to benchmark all come from this one
 * list: memory adds up what the operations save, time their seconds. */
#ifndef PLAN3D_WORKLOAD_H
#define PLAN3D_WORKLOAD_H

#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/calibration.h"
#include "plan3d/job.h"
#include "plan3d/model.h"
#include "plan3d/plan.h"

P3D_API_BEGIN

/** Blocks: the layer kinds of model.h, then the two ends. */
enum {
    P3D_BLOCK_EMBEDDING = P3D_N_LAYER_KINDS,
    P3D_BLOCK_HEAD, /* final norm, logits and loss */
    P3D_N_BLOCKS,
    /* Parts of the tower, whose costs are in those of the embedding. */
    P3D_BLOCK_TOWER = P3D_N_BLOCKS, /* layers that see all of an image */
    P3D_BLOCK_TOWER_WINDOWED,
    P3D_BLOCK_TOWER_ENDS, /* patches, outer norms, projectors */
    P3D_N_ALL_BLOCKS
};

typedef enum p3d_op_kind {
    P3D_OP_GEMM,
    P3D_OP_ATTENTION,
    P3D_OP_PASS,
    P3D_OP_COLLECTIVE
} p3d_op_kind;

typedef enum p3d_phase { P3D_FORWARD, P3D_BACKWARD } p3d_phase;

/** Moments of a block's pass at which tensors live beside the saved ones; a
 *  bit set. */
enum {
    P3D_AT_MLP_ACTIVATION = 1 << 0, /* backward of the MLP's activation */
    P3D_AT_MLP_INPUT = 1 << 1,      /* backward of its first product */
    P3D_AT_ATTENTION = 1 << 2,      /* backward of unfused attention */
    P3D_AT_LOSS = 1 << 3,           /* the loss, forward and backward */
    P3D_AT_LOGITS = 1 << 4,         /* backward of the output matrix */
    P3D_N_MOMENTS = 5
};

/** Words for the i-th moment. */
const char *p3d_moment_name(int i);

/** The group of ranks that a collective runs over. */
typedef enum p3d_axis {
    P3D_AXIS_TP,
    P3D_AXIS_CP,
    P3D_AXIS_EP,
    P3D_AXIS_ETP,
    P3D_AXIS_DP,        /* replicas of the dense weights: dp * cp */
    P3D_AXIS_EXPERT_DP, /* replicas of the experts */
    P3D_AXIS_SHARD,     /* of these, the ranks that share states */
    P3D_AXIS_EXPERT_SHARD,
    P3D_AXIS_COPY, /* ranks with the same share of the states */
    P3D_AXIS_EXPERT_COPY,
    P3D_AXIS_PP,
    P3D_AXIS_HEADS, /* of the context-parallel ranks, those that exchange heads
                       where the others form rings */
    P3D_AXIS_RING,  /* and those of one ring */
    P3D_N_AXES
} p3d_axis;

/** Word for an axis, as files have it: "tp", "expert_dp". */
const char *p3d_axis_word(p3d_axis axis);

/** Which experts a token may visit. */
typedef struct p3d_routing {
    int n_experts;
    int top_k;
    int n_groups; /* of neighbouring experts; 0 = none */
    int top_groups;
    double token_bytes; /* of one token on its way */
} p3d_routing;

/** The part of a layer that communication may run beside, of another
 *  micro-batch's pass in the other direction. */
typedef enum p3d_beside {
    P3D_BESIDE_NOTHING,
    P3D_BESIDE_ATTENTION, /* all of the layer but its experts */
    P3D_BESIDE_EXPERTS,
    P3D_N_BESIDES
} p3d_beside;

/** One operation of one rank and micro-batch. Unused fields are 0. */
typedef struct p3d_op {
    const char *name;
    p3d_op_kind kind;
    p3d_phase phase;
    bool expert;          /* of the routed experts */
    bool weight_gradient; /* GEMM: could run later than the rest of backward */
    bool base;            /* GEMM, forward: with a matrix of the model */
    bool adapter;         /* GEMM: with a matrix of an adapter */
    bool ends_layer;      /* forward: its result is of no use to the backward
                             pass of the layer */
    bool weight_norm;     /* GEMM: for norms of weights, no FLOP of a model */
    bool strided;         /* GEMM: of unfused attention, whose heads lie side by
                             side in the rows that it reads or writes */
    unsigned modules;     /* recomputing any of them runs it again */
    p3d_dtype dtype;      /* of a GEMM's inputs, of attention */
    int64_t m, n, k;      /* GEMM: C[m,n] += A[m,k] B[k,n] */
    int64_t count; /* GEMMs of this shape; attention: steps of the ring of
                        context parallelism, each a kernel */
    double sm90_rate_frac; /* GEMM: of the rate in its data type, on Hopper;
                              0 = 1 */
    double out_bytes; /* GEMM: moved for each element of C; 0 = one write in
                         its data type */
    /* Attention core: heads on this rank, tokens of queries and keys. */
    int64_t batch, heads, kv_heads, seq_q, seq_kv, qk_dim, v_dim;
    int64_t window;     /* 0 = all earlier tokens */
    double seen_frac;   /* of the pairs of all queries and keys, those that
                           are computed; 0 = by `window` and `not_causal` */
    double text_tokens; /* of the text that a token stands in; 0 = all keys */
    p3d_attention kernel;
    bool not_causal; /* attention to later tokens too, as some tables have it */
    double bytes;    /* pass: moved through HBM; collective: payload */
    bool single;     /* pass: PyTorch's operations, each a kernel of its own */
    p3d_pass_kind pass_kind;
    double exposed_frac; /* collective: share that nothing can hide; the
                            rest runs beside the product m, n, k */
    int n_taken_sms;     /* collective: multiprocessors that it takes from that
                            product; 0 = as NCCL does */
    int n_kernels;       /* launches */
    p3d_collective collective;
    p3d_axis axis;
    p3d_dispatcher dispatcher; /* of tokens to experts, where it is no
                                  collective: bytes are those of the tokens */
    p3d_routing routing;
    p3d_beside beside;
    p3d_beside part; /* of a layer that it is in itself */
} p3d_op;

/** One tensor of one rank and micro-batch. */
typedef struct p3d_tensor {
    const char *name;
    const char *why;    /* what keeps it alive */
    const char *source; /* where that was read */
    int64_t rows, width;
    double bytes_per_element; /* several where a row stands for several */
    int64_t bytes;
    unsigned moments; /* 0: saved from the forward to the backward pass of its
                          block; else alive at these moments of the backward */
    bool is_input;    /* of the block: what full recomputation keeps */
    unsigned modules; /* recomputing any of them frees it (saved ones) */
} p3d_tensor;

enum { P3D_MAX_OPS = 320, P3D_MAX_TENSORS = 80 };

typedef struct p3d_workload {
    int n_ops;
    p3d_op ops[P3D_MAX_OPS];
    int n_tensors;
    p3d_tensor tensors[P3D_MAX_TENSORS];
    int n_input_shares; /* ranks that share out the input of a block that is
                           recomputed in full; 0 = each keeps its own */
} p3d_workload;

/** Bytes that the backward pass needs of a block when these modules are
 *  recomputed (0 = nothing is). */
int64_t p3d_workload_saved_bytes(const p3d_workload *list, unsigned modules);

/** Bytes of the block's input, on one rank, as full recomputation keeps it. */
int64_t p3d_workload_input_bytes(const p3d_workload *list);

/** Bytes alive beside the saved tensors at the worst moment of the block's
 *  backward pass (or of the loss).
 *  @param moment  index of that moment; may be NULL */
int64_t p3d_workload_working_bytes(const p3d_workload *list, int *moment);

/* clang-format off */
/** What of a plan decides the operations of a rank: X(type, member, of, whole),
 *  `of` the plan's member, `whole` what it is on a rank alone. */
#define P3D_SHARD_FIELDS(X) \
    X(int, tp, tp, 1) \
    X(int, cp, cp, 1) \
    X(int, ep, ep, 1) \
    X(int, etp, etp, 1) \
    X(int, micro_batch, micro_batch, 1) \
    X(bool, sequence_parallel, sequence_parallel, false) \
    X(unsigned, modules, recompute_modules, 0) /* 0 = the framework's */ \
    X(int, ulysses, ulysses, 0) /* 0 = as the job says */
/* clang-format on */

typedef struct p3d_shard {
#define P3D_AS_MEMBER(type, member, of, whole) type member;
    P3D_SHARD_FIELDS(P3D_AS_MEMBER)
#undef P3D_AS_MEMBER
} p3d_shard;

p3d_shard p3d_plan_shard(const p3d_plan *plan);

/** Whole model on one rank, one sequence: the shard of size 1. */
p3d_shard p3d_shard_whole(void);

/** Blocks of a kind that the tower of a model has, from P3D_BLOCK_TOWER on. */
int p3d_tower_blocks(const p3d_model *model, int block);

/** List the operations of one block. */
void p3d_workload_build(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, int block, p3d_workload *out);

/** Floating-point operations of one operation (a multiply-add is 2; causal
 *  attention counts the half that is computed). 0 for passes, collectives. */
double p3d_op_flop(const p3d_op *op);

/** Parameters of one block on one rank. */
typedef struct p3d_params {
    int64_t dense;   /* replicated over the data-parallel ranks */
    int64_t experts; /* replicated over the expert-data-parallel ranks */
} p3d_params;

/**
 * Parameters of a block on one rank; the shard of size 1 gives the model's.
 *
 * Vocabulary padding follows the framework: to a multiple of
 * vocab_multiple * tp, or none when framework is NULL (the published counts).
 * The head of a model with tied embeddings has no output matrix here.
 */
p3d_params p3d_block_params(const p3d_model *model,
        const p3d_framework *framework, p3d_shard shard, int block);

/** Unique parameters of the whole model, tied matrices once. */
int64_t p3d_total_params(const p3d_model *model);

/** Parameters that one token passes through (top-k experts only). */
int64_t p3d_active_params(const p3d_model *model);

/** Vocabulary after padding. */
int64_t p3d_padded_vocab(
        const p3d_model *model, const p3d_framework *framework, int tp);

/** Model FLOPs of one training step per token that is no padding: all GEMMs,
 *  which is 3 x forward where all weights are trained, and 3 x the computed
 *  half of causal attention; no recomputation. */
double p3d_model_flop_per_token(const p3d_model *model, const p3d_job *job);

P3D_API_END

#endif
