/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.h - memory and time of one plan. */
#ifndef PLAN3D_ESTIMATE_H
#define PLAN3D_ESTIMATE_H

#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/cluster.h"
#include "plan3d/job.h"
#include "plan3d/model.h"
#include "plan3d/plan.h"
#include "plan3d/workload.h"

P3D_API_BEGIN

/* clang-format off */
/** Memory of one rank at its peak: field, words. */
#define P3D_MEMORY_TERMS(X) \
    X(weights,       "weights") \
    X(gradients,     "gradients") \
    X(optimizer,     "optimizer states") \
    X(activations,   "saved activations") \
    X(working,       "temporary tensors at the peak") \
    X(buffers,       "communication buffers") \
    X(workspace,     "library workspaces") \
    X(fragmentation, "allocator fragmentation") \
    X(context,       "context and communicators")

/** Seconds of one step: field, words. */
#define P3D_TIME_TERMS(X) \
    X(gemm,        "GEMMs") \
    X(attention,   "attention core") \
    X(memory_pass, "memory-bound kernels") \
    X(recompute,   "recomputation") \
    X(host,        "kernel launch overhead") \
    X(tp_comm,     "tensor-parallel communication") \
    X(cp_comm,     "context-parallel communication") \
    X(ep_comm,     "expert-parallel communication") \
    X(pp_bubble,   "pipeline bubble") \
    X(pp_comm,     "pipeline P2P") \
    X(dp_comm,     "exposed data-parallel communication") \
    X(optimizer,   "optimizer step") \
    X(offload,     "exposed CPU offload") \
    X(straggler,   "straggler wait") \
    X(fixed,       "fixed cost of a step")
/* clang-format on */

/** Places of the terms in p3d_memory. */
enum {
#define P3D_AS_PLACE(field, words) P3D_TERM_##field,
    P3D_MEMORY_TERMS(P3D_AS_PLACE)
#undef P3D_AS_PLACE
            P3D_N_MEMORY_TERMS
};

typedef struct p3d_memory {
#define P3D_AS_BYTES(field, words) int64_t field##_bytes;
    P3D_MEMORY_TERMS(P3D_AS_BYTES)
#undef P3D_AS_BYTES
} p3d_memory;

typedef struct p3d_time {
#define P3D_AS_SECONDS(field, words) double field##_s;
    P3D_TIME_TERMS(P3D_AS_SECONDS)
#undef P3D_AS_SECONDS
} p3d_time;

/** What the allocator has handed out; what it took from the device; what the
 *  device has lost in all (the number that must stay below usable). */
int64_t p3d_memory_allocated_bytes(const p3d_memory *memory);
int64_t p3d_memory_reserved_bytes(const p3d_memory *memory);
int64_t p3d_memory_device_bytes(const p3d_memory *memory);

/** Sum of the terms. */
double p3d_time_step_s(const p3d_time *time);

/** The question: filled once, then only read. */
typedef struct p3d_problem {
    p3d_model model;
    p3d_cluster cluster;
    p3d_job job;
} p3d_problem;

/** What one block costs a rank, per micro-batch. */
typedef struct p3d_block {
    p3d_params params;           /* adapters counted */
    p3d_params trained;          /* of these */
    p3d_params matrices;         /* of the model, in products with the stream of
                            tokens */
    p3d_params trained_matrices; /* of the model and of adapters */
    p3d_params edges;            /* rows plus columns of those */
    /* Of params and trained of the embedding's block, those of the tower. */
    p3d_params tower_layers, tower_layers_trained;
    p3d_params tower_ends, tower_ends_trained;
    p3d_params companion;   /* of params, those of a frozen model beside it */
    int64_t largest_matrix; /* of the model */
    int64_t saved_bytes[P3D_N_RECOMPUTES];
    int64_t replay_bytes[P3D_N_RECOMPUTES]; /* recomputed and alive at once */
    int64_t working_bytes;
    int working_moment; /* P3D_AT_ index of the working set */
    p3d_time forward;   /* only the terms gemm .. ep_comm are used */
    p3d_time backward;
    double forward_s; /* sums of these terms */
    double backward_s;
    double common_s;  /* of both, at least: what does not depend on how experts
                        are grouped */
    double compute_s; /* of both: GEMMs and attention */
    double weight_s;  /* of the backward: gradients of weights */
    double per_op_s;  /* of the forward: what recomputation by operation runs
                         again */
    double paired_s;  /* of both, saved when the exchange of experts runs beside
                        another micro-batch */
    double unwaited_s; /* of paired_s: the host's waits, not the exchange */
    double replay_s[P3D_N_RECOMPUTES]; /* forward run again in backward */
    double replay_flop[P3D_N_RECOMPUTES];
} p3d_block;

/** What of a block belongs to the same modules: recomputing any of them frees
 *  it and runs it again. */
typedef struct p3d_module_share {
    unsigned modules;
    int64_t saved_bytes;
    double forward_s;
    double forward_flop;
} p3d_module_share;

enum { P3D_MAX_MODULE_SHARES = 16 };

typedef struct p3d_module_shares {
    int n;
    p3d_module_share at[P3D_MAX_MODULE_SHARES];
} p3d_module_shares;

/** The blocks of one shard; what a search keeps between plans. */
typedef struct p3d_blocks {
    p3d_block block[P3D_N_BLOCKS];
    p3d_module_shares shares[P3D_N_BLOCKS];
    bool lower_bound; /* of memory: weights that ZeRO gathered are not kept for
                         the backward pass */
} p3d_blocks;

void p3d_blocks_build(
        const p3d_problem *problem, p3d_shard shard, p3d_blocks *out);

/** Make the blocks of a shard from those of one that differs in the recomputed
 *  modules alone; 0 = those that the framework recomputes by itself. */
void p3d_blocks_recompute(
        const p3d_problem *problem, unsigned modules, p3d_blocks *blocks);

/** Make the blocks of a shard from those of one that differs in ep and etp
 *  alone: layers without experts stay. */
void p3d_blocks_regroup(
        const p3d_problem *problem, p3d_shard shard, p3d_blocks *blocks);

/** An answer. */
typedef struct p3d_estimate {
    p3d_plan plan;
    bool fits;            /* by the estimate */
    bool sure;            /* it leaves as much free as the job asks for, too */
    int tight_stage;      /* pipeline rank whose memory is the largest */
    p3d_memory memory;    /* of that rank */
    int64_t usable_bytes; /* of the device, less the job's reserve */
    int64_t host_bytes_per_node;   /* offloaded states and activations */
    int64_t pinned_bytes_per_node; /* of these, locked in memory */
    int64_t nvme_bytes_per_node;   /* offloaded states */
    p3d_time time;
    int64_t n_micro_batches;
    double tokens_per_s; /* of the whole cluster */
    double mfu_frac;
    double hfu_frac;
    double memory_error_frac; /* half width of the range, of the peak */
} p3d_estimate;

/** Bytes of a GPU that a plan may take that is as sure to fit as the job
 *  asks. */
int64_t p3d_sure_bytes(const p3d_problem *problem);

/** Probability that a run fits whose peak is predicted so (fit_probability.h),
 *  with what own peaks say. NaN where something is missing. */
double p3d_peak_probability_frac(
        const p3d_problem *problem, int64_t peak_bytes);

/** Margin: usable minus peak; negative = bytes that are missing. */
int64_t p3d_estimate_margin_bytes(const p3d_estimate *estimate);

/**
 * Estimate one plan.
 *
 * @param refusal  says why when the plan is not legal; may be NULL
 * @return false when the framework cannot run the plan; *out untouched
 */
P3D_CHECK bool p3d_estimate_plan(const p3d_problem *problem,
        const p3d_plan *plan, p3d_estimate *out, p3d_refusal *refusal);

/** The same for a legal plan, with blocks built before for its shard. */
void p3d_estimate_blocks(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, p3d_estimate *out);

/** A span that a number of bytes lies in. */
typedef struct p3d_bytes_range {
    int64_t low_bytes;
    int64_t high_bytes;
} p3d_bytes_range;

/** Spans of the three numbers of a rank's memory. */
typedef struct p3d_memory_ranges {
    p3d_bytes_range allocated;
    p3d_bytes_range reserved;
    p3d_bytes_range device;
} p3d_memory_ranges;

/**
 * Spans of an estimated memory: the typical error of what is allocated, the
 * published span of what the allocator wastes, and for the device the range in
 * which 80 % of the measured peaks lay (p3d_fit_probability_frac()).
 */
p3d_memory_ranges p3d_memory_ranges_of(const p3d_problem *problem,
        const p3d_plan *plan, const p3d_memory *memory);

/** What a rank does at the moment of its peak. */
typedef enum p3d_pass {
    P3D_PASS_LOSS,     /* the end of a forward pass */
    P3D_PASS_BACKWARD, /* a layer's backward, all its activations alive */
    P3D_PASS_END,      /* the end of the last backward pass */
    P3D_PASS_STEP,     /* the optimizer's step */
    P3D_N_PASSES
} p3d_pass;

/** Words for a pass: "backward pass of a layer". */
const char *p3d_pass_name(p3d_pass pass);

/** Memory of one pipeline rank of a legal plan. */
typedef struct p3d_stage {
    int n_layers;
    double in_flight; /* micro-batches whose activations are alive */
    p3d_params params;
    p3d_memory memory;
    p3d_pass pass;      /* at the peak */
    const char *moment; /* of the pass, in words; NULL for most */
    int micro_batch;    /* that the pass works on, from 0 */
    int chunk;          /* of the rank */
} p3d_stage;

/** A line of the table of what is alive on a rank at its peak. */
typedef struct p3d_memory_item {
    int term; /* P3D_TERM_ of p3d_memory */
    const char *name;
    const char *why;
    const char *source;
    int64_t rows, width; /* of one tensor; width 0 = `rows` parameters */
    double bytes_per_element;
    int64_t n_tensors; /* layers times micro-batches */
    int64_t bytes;     /* of all of them */
} p3d_memory_item;

enum { P3D_MAX_MEMORY_ITEMS = 512 };

/** Everything that is alive on a pipeline rank at its peak. The bytes of a
 *  term's lines add up to the term of p3d_estimate_stage(), but for rounding.
 *  @return how many lines there are */
int p3d_estimate_items(const p3d_problem *problem, const p3d_plan *plan,
        int stage, p3d_memory_item out[P3D_MAX_MEMORY_ITEMS]);

void p3d_estimate_stage(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, int stage, p3d_stage *out);

/** What runs again in a step, on the rank that an estimate's time is of. */
typedef struct p3d_recomputed {
    p3d_time time; /* by the terms of what runs again; the sum of them is the
                      estimate's recompute_s */
    double n_gemms, n_cores, n_passes; /* kernels */
} p3d_recomputed;

/** Take the recomputation of a legal plan apart. All is 0 where nothing runs
 *  again. */
void p3d_estimate_recomputed(
        const p3d_problem *problem, const p3d_plan *plan, p3d_recomputed *out);

P3D_API_END

#endif
