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
    P3D_STATE_BF16_PIPELINE, /* with pp > 1 */
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

/** Implementation of the cross entropy: how much of the logits is alive. */
typedef enum p3d_loss {
    P3D_LOSS_USUAL,          /* the framework's own */
    P3D_LOSS_VOCAB_PARALLEL, /* Megatron's, fp32 in place of a 16-bit copy */
    P3D_LOSS_NATIVE_FUSED,   /* Megatron's fused one */
    P3D_LOSS_TE_FUSED,       /* Transformer Engine's fused one */
    P3D_LOSS_EAGER,          /* PyTorch's, on fp32 logits */
    P3D_LOSS_COMPILED,       /* PyTorch's, compiled */
    P3D_LOSS_SHARDED_EAGER,  /* PyTorch's loss-parallel, not compiled */
    P3D_N_LOSSES
} p3d_loss;

/** Word for a loss ("vocab-parallel"), and the bytes per logit that are alive
 *  at its peak in a 16-bit run. */
const char *p3d_loss_name(p3d_loss loss);
double p3d_loss_bytes_per_logit(p3d_loss loss);

/** What a framework redoes when it recomputes selectively. */
typedef enum p3d_selective {
    P3D_SELECTIVE_CORE,  /* the attention core */
    P3D_SELECTIVE_PER_OP /* all but the attention output and every second
                            matrix product, as torchtitan counts them */
} p3d_selective;

typedef struct p3d_framework {
    const char *name;
    const char *title;
    const char *versions; /* that the facts were read from */
    /* What it can run. */
    unsigned zero_stages;          /* bit z: ZeRO stage z */
    unsigned zero_stages_pipeline; /* bit z: also with pp > 1 */
    int usual_zero[2]; /* stage of a plan that says none: pp = 1, pp > 1 */
    bool tensor_parallel;
    bool pipeline;
    unsigned schedules; /* bit s: pipeline schedule s */
    bool context_parallel;
    bool expert_parallel;
    bool kv_replication;          /* tp may exceed the key/value heads */
    unsigned offload_zero_stages; /* bit z: optimizer offload with stage z */
    bool parameter_offload;       /* with ZeRO-3 */
    bool uneven_stages;           /* embedding and loss may count as layers */
    bool layer_map;               /* stages of any size, with vp = 1 */
    /* What it keeps and moves. */
    p3d_states states[P3D_N_STATE_KINDS][4];
    double offload_gradient_bytes; /* sharded gradients that stay on the device
                                      while the optimizer is offloaded */
    double wgrad_pass_bytes;  /* per parameter and micro-batch: gradients added
                                by a kernel of their own; 0 = in the GEMM */
    double gather_pass_bytes; /* per parameter and gather: flatten and cast */
    double optimizer_pass_bytes; /* per owned parameter and step */
    p3d_loss usual_loss;
    int vocab_multiple;        /* times tp */
    int gated_tensors;         /* of the MLP width, kept by a gated MLP: gate,
                                  up, product; 4 where SwiGLU is not fused */
    bool keeps_gathered_input; /* sequence-parallel linears keep their whole
                                  input instead of gathering it again */
    bool transformer_engine;   /* its workspaces and dummy gradients */
    int pipeline_tensors;    /* of the boundary's size, kept per micro-batch in
                                  flight beside the activations */
    int n_cublas_workspaces; /* handles of matrix products in a process */
    p3d_selective selective;
    bool overlap_dp;
    p3d_pass_bytes pass[2]; /* GPT-like layers; LLaMA-like, with gated MLPs */
    double host_s_per_kernel;
    double memory_error_frac; /* of this framework's peaks, typical */
} p3d_framework;

/** The table of frameworks; n receives its length. */
const p3d_framework *p3d_frameworks(int *n);

/** Find one by name ("megatron-core", "deepspeed", "fsdp2", "any") or alias;
 *  NULL when there is none. */
const p3d_framework *p3d_framework_find(const char *name);

#endif
