/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework.h - what a training framework does with memory and time. */
#ifndef PLAN3D_FRAMEWORK_H
#define PLAN3D_FRAMEWORK_H

#include <stdbool.h>

/** Bytes per parameter of one kind of state: the part that every rank holds,
 *  and the part that is divided among the data-parallel ranks. */
typedef struct p3d_state_bytes {
    double replicated;
    double sharded;
} p3d_state_bytes;

/** States of one data type and ZeRO stage, bytes per parameter. */
typedef struct p3d_states {
    p3d_state_bytes weights;
    p3d_state_bytes gradients;
    p3d_state_bytes optimizer; /* master weights and moments */
    const char *source;
} p3d_states;

/** Data types with states of their own. */
typedef enum p3d_state_kind {
    P3D_STATE_FP32,
    P3D_STATE_FP16,
    P3D_STATE_BF16,
    P3D_N_STATE_KINDS
} p3d_state_kind;

/** Passes over memory of one layer, bytes per element, forward and backward
 *  (time-model: residual stream, MLP width, attention width). */
typedef struct p3d_pass_bytes {
    double residual[2];
    double mlp[2];
    double attention[2];
    int n_kernels[2];
} p3d_pass_bytes;

typedef struct p3d_framework {
    const char *name;
    const char *title;
    const char *versions; /* that the facts were read from */
    /* What it can run. */
    unsigned zero_stages;          /* bit z: ZeRO stage z */
    unsigned zero_stages_pipeline; /* bit z: also with pp > 1 */
    int usual_zero[2]; /* stage of a plan that says none: pp = 1, pp > 1 */
    bool pipeline;
    bool interleaved;
    bool context_parallel;
    bool expert_parallel;
    bool kv_replication;          /* tp may exceed the key/value heads */
    unsigned offload_zero_stages; /* bit z: optimizer offload with stage z */
    bool parameter_offload;       /* with ZeRO-3 */
    bool uneven_stages;           /* embedding and loss may count as layers */
    /* What it keeps and moves. */
    p3d_states states[P3D_N_STATE_KINDS][4];
    double offload_gradient_bytes; /* sharded gradients that stay on the device
                                      while the optimizer is offloaded */
    double wgrad_pass_bytes;  /* per parameter and micro-batch: gradients added
                                by a kernel of their own; 0 = in the GEMM */
    double gather_pass_bytes; /* per parameter and gather: flatten and cast */
    double optimizer_pass_bytes; /* per owned parameter and step */
    double cross_entropy_bytes;  /* live per logit at the loss, 16-bit run */
    int vocab_multiple;          /* times tp */
    bool overlap_dp;
    p3d_pass_bytes pass;
    double host_s_per_kernel;
    double memory_error_frac; /* of this framework's peaks, typical */
} p3d_framework;

/** The table of frameworks; n receives its length. */
const p3d_framework *p3d_frameworks(int *n);

/** Find one by name ("megatron-core", "deepspeed", "fsdp2", "any") or alias;
 *  NULL when there is none. */
const p3d_framework *p3d_framework_find(const char *name);

#endif
