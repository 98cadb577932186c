/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.h - memory and time of one plan. */
#ifndef PLAN3D_ESTIMATE_H
#define PLAN3D_ESTIMATE_H

#include <stdint.h>

#include "plan3d/cluster.h"
#include "plan3d/job.h"
#include "plan3d/model.h"
#include "plan3d/plan.h"
#include "plan3d/workload.h"

/* clang-format off */
/** Memory of one rank at its peak: field, words. */
#define P3D_MEMORY_TERMS(X) \
    X(weights,       "weights") \
    X(gradients,     "gradients") \
    X(optimizer,     "optimizer states") \
    X(activations,   "saved activations") \
    X(working,       "working set at the peak") \
    X(buffers,       "gather and bucket buffers") \
    X(workspace,     "library workspaces") \
    X(fragmentation, "allocator fragmentation") \
    X(context,       "CUDA context and NCCL")

/** Seconds of one step: field, words. */
#define P3D_TIME_TERMS(X) \
    X(gemm,        "matrix products") \
    X(attention,   "attention core") \
    X(memory_pass, "memory-bound passes") \
    X(recompute,   "recomputation") \
    X(host,        "waiting for kernel launches") \
    X(tp_comm,     "tensor-parallel communication") \
    X(cp_comm,     "context-parallel communication") \
    X(ep_comm,     "expert-parallel communication") \
    X(pp_bubble,   "pipeline bubble") \
    X(pp_comm,     "pipeline transfers") \
    X(dp_comm,     "exposed data-parallel communication") \
    X(optimizer,   "optimizer step") \
    X(offload,     "offload to the host") \
    X(fixed,       "fixed cost of a step")
/* clang-format on */

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
    p3d_params params;
    int64_t saved_bytes[P3D_N_RECOMPUTES];
    int64_t working_bytes;
    p3d_time forward; /* only the terms gemm .. ep_comm are used */
    p3d_time backward;
    double weight_s; /* of the backward: gradients of weights */
    double replay_s[P3D_N_RECOMPUTES]; /* forward run again in backward */
    double replay_flop[P3D_N_RECOMPUTES];
} p3d_block;

/** The blocks of one shard; what a search keeps between plans. */
typedef struct p3d_blocks {
    p3d_block block[P3D_N_BLOCKS];
} p3d_blocks;

void p3d_blocks_build(
        const p3d_problem *problem, p3d_shard shard, p3d_blocks *out);

/** An answer. */
typedef struct p3d_estimate {
    p3d_plan plan;
    bool fits;
    int tight_stage;             /* pipeline rank whose memory is the largest */
    p3d_memory memory;           /* of that rank */
    int64_t usable_bytes;        /* of the device, less the job's reserve */
    int64_t host_bytes_per_node; /* offloaded states */
    p3d_time time;
    int64_t n_micro_batches;
    double tokens_per_s; /* of the whole cluster */
    double mfu_frac;
    double hfu_frac;
    double memory_error_frac; /* half width of the range, of the peak */
} p3d_estimate;

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

/** Memory of one pipeline rank of a legal plan. */
typedef struct p3d_stage {
    int n_layers;
    double in_flight; /* micro-batches whose activations are alive */
    p3d_params params;
    p3d_memory memory;
} p3d_stage;

void p3d_estimate_stage(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, int stage, p3d_stage *out);

#endif
