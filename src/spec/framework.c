/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework.c - the table of training frameworks: one row, one framework. */
#include "plan3d/framework.h"

#include <stddef.h>

#include "base/util.h"
#include "plan3d/plan.h"

#define ZERO(z)       (1u << (z))
#define RUNS(s)       (1u << (s))
#define ALL_SCHEDULES (RUNS(P3D_N_SCHEDULES) - 1)

/* States in bytes per parameter; {replicated, sharded} over the data-parallel
 * ranks. With Adam; the moments are 8 of the optimizer's bytes.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/distributed/
 * param_and_grad_buffer.py (weights and fp32 gradients stay whole with the
 * distributed optimizer) and megatron/core/distributed/fsdp (ZeRO 2, 3);
 * DeepSpeed@edaa7221 deepspeed/runtime/zero/{stage_1_and_2,stage3}.py and
 * runtime/bf16_optimizer.py; torchtitan@b5bcd76c distributed/fsdp.py (fp32
 * shards, gathered in 16 bit). */
/* clang-format off */
#define STATES(w_r, w_s, g_r, g_s, o_r, o_s, from) \
    {.weights = {w_r, w_s}, .gradients = {g_r, g_s}, .optimizer = {o_r, o_s}, \
     .source = from}

#define MEGATRON_16(g) { \
    STATES(2, 0, g, 0, 12, 0, "Megatron DistributedDataParallel"), \
    STATES(2, 0, g, 0, 0, 12, "Megatron --use-distributed-optimizer"), \
    STATES(2, 0, 0, g, 0, 12, "Megatron-FSDP optim_grads"), \
    STATES(0, 2, 0, g, 0, 12, "Megatron-FSDP optim_grads_params")}

#define PLAIN_32(from) { \
    STATES(4, 0, 4, 0, 8, 0, from), \
    STATES(4, 0, 4, 0, 0, 8, from), \
    STATES(4, 0, 0, 4, 0, 8, from), \
    STATES(0, 4, 0, 4, 0, 8, from)}

#define DEEPSPEED_FP16 { \
    STATES(2, 0, 2, 0, 12, 0, "DeepSpeed FP16_Optimizer"), \
    STATES(2, 0, 2, 0, 0, 14, "DeepSpeed ZeRO-1, fp16"), \
    STATES(2, 0, 0, 4, 0, 14, "DeepSpeed ZeRO-2"), \
    STATES(0, 2, 0, 4, 0, 12, "DeepSpeed ZeRO-3")}

/* The engine takes BF16_Optimizer (fp32 gradients whole) where gradients are
 * accumulated in fp32, as pipelines need; ZeRO-1 of its own otherwise
 * (runtime/engine.py, _do_optimizer_sanity_check). */
#define DEEPSPEED_BF16_PIPELINE { \
    STATES(2, 0, 6, 0, 12, 0, "DeepSpeed BF16_Optimizer"), \
    STATES(2, 0, 6, 0, 0, 12, "DeepSpeed BF16_Optimizer, ZeRO-1"), \
    STATES(2, 0, 0, 4, 0, 14, "DeepSpeed ZeRO-2"), \
    STATES(0, 2, 0, 4, 0, 12, "DeepSpeed ZeRO-3")}

/* fp32 parameters are the master weights: no second copy of them. ZeRO 0 is
 * replicate-only, ZeRO 2 keeps the gathered weights (reshard_after_forward
 * off), ZeRO 1 does not exist. */
#define FSDP2_16 { \
    STATES(4, 0, 4, 0, 8, 0, "DDP with autocast"), \
    STATES(4, 0, 4, 0, 0, 8, "not offered"), \
    STATES(2, 4, 0, 4, 0, 8, "FSDP2, reshard_after_forward=never"), \
    STATES(0, 4, 0, 4, 0, 8, "FSDP2")}

/* Passes over memory in bytes per element, read off the frameworks' op lists:
 * residual stream, MLP width, attention width; {forward, backward}. */
#define PASS_TE {.residual = {14, 26}, .mlp = {4, 8}, .attention = {6, 8}, \
    .n_kernels = {8, 14}}
#define PASS_EAGER {.residual = {22, 46}, .mlp = {4, 8}, \
    .attention = {6, 10}, .n_kernels = {12, 20}}
/* RMSNorm, SwiGLU and rotary positions as separate PyTorch operations. */
#define PASS_UNFUSED {.residual = {34, 56}, .mlp = {10, 16}, \
    .attention = {20, 28}, .n_kernels = {24, 40}}
#define PASS_FSDP1 {.residual = {22, 38}, .mlp = {4, 8}, \
    .attention = {12, 16}, .n_kernels = {16, 28}}
#define PASS_COMPILED {.residual = {14, 24}, .mlp = {6, 10}, \
    .attention = {8, 12}, .n_kernels = {8, 14}}

static const p3d_framework frameworks[] = {
    {
        .name = "megatron-core",
        .title = "Megatron-LM (megatron-core with Transformer Engine)",
        .versions = "Megatron-LM@d98e8a64",
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        /* ZeRO 2 and 3 are Megatron-FSDP, which its documentation
         * (docs/user-guide/features/megatron_fsdp.md) describes without
         * pipelines, though no check refuses them. */
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .context_parallel = true,
        .expert_parallel = true, .kv_replication = true,
        .offload_zero_stages = ZERO(1), .parameter_offload = false,
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_16(4), MEGATRON_16(4),
            MEGATRON_16(4)},
        .offload_gradient_bytes = 4, .wgrad_pass_bytes = 0,
        .gather_pass_bytes = 2,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .gated_tensors = 3, .transformer_engine = true,
        .n_cublas_workspaces = 2,
        .overlap_dp = true,
        .pass = {PASS_TE, PASS_TE}, .host_s_per_kernel = 6.4e-6,
        .memory_error_frac = 0.03,
    },
    {
        .name = "megatron-local",
        .title = "Megatron-LM without Transformer Engine (local layers)",
        .versions = "Megatron-LM@d98e8a64",
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .context_parallel = false,
        .expert_parallel = true, .kv_replication = true,
        .offload_zero_stages = 0, .parameter_offload = false,
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_16(4), MEGATRON_16(4),
            MEGATRON_16(4)},
        .offload_gradient_bytes = 4, .wgrad_pass_bytes = 0,
        .gather_pass_bytes = 2,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .gated_tensors = 3, .n_cublas_workspaces = 4,
        .overlap_dp = false,
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.05,
    },
    {
        .name = "deepspeed",
        .title = "DeepSpeed (with Megatron-DeepSpeed for tensor parallelism)",
        .versions = "DeepSpeed@edaa7221",
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B),
        .context_parallel = false,
        .expert_parallel = true, .kv_replication = false,
        .offload_zero_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .parameter_offload = true,
        .uneven_stages = false, .layer_map = true,
        .states = {PLAIN_32("DeepSpeed, fp32"), DEEPSPEED_FP16,
            DEEPSPEED_FP16, DEEPSPEED_BF16_PIPELINE},
        .offload_gradient_bytes = 2, .wgrad_pass_bytes = 10,
        .gather_pass_bytes = 4,
        .optimizer_pass_bytes = 48, .usual_loss = P3D_LOSS_EAGER,
        .vocab_multiple = 128,
        .gated_tensors = 4, .pipeline_tensors = 2,
        .n_cublas_workspaces = 4,
        .overlap_dp = false,
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.10,
    },
    {
        .name = "fsdp1",
        .title = "PyTorch FSDP1 (FullyShardedDataParallel, not compiled)",
        .versions = "llm-foundry@8c8dd48",
        .zero_stages = ZERO(2) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {3, 3},
        .tensor_parallel = false, .pipeline = false,
        .schedules = RUNS(P3D_1F1B),
        .context_parallel = false,
        .expert_parallel = false, .kv_replication = false,
        .offload_zero_stages = 0, .parameter_offload = false,
        .uneven_stages = false,
        .states = {PLAIN_32("FSDP1, fp32"), FSDP2_16, FSDP2_16,
            FSDP2_16},
        .offload_gradient_bytes = 2, .wgrad_pass_bytes = 0,
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_EAGER,
        .vocab_multiple = 1,
        .gated_tensors = 4, .n_cublas_workspaces = 2,
        .overlap_dp = true,
        .pass = {PASS_FSDP1, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "fsdp2",
        .title = "PyTorch FSDP2 (torchtitan, torch.compile)",
        .versions = "torchtitan@b5bcd76c",
        .zero_stages = ZERO(2) | ZERO(3),
        .zero_stages_pipeline = ZERO(2) | ZERO(3),
        .usual_zero = {3, 2},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_GPIPE) | RUNS(P3D_INTERLEAVED) |
            RUNS(P3D_ZB_V) | RUNS(P3D_DUALPIPE_V),
        .context_parallel = true,
        .expert_parallel = true, .kv_replication = false,
        .offload_zero_stages = 0, .parameter_offload = false,
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("FSDP2, fp32"), FSDP2_16, FSDP2_16,
            FSDP2_16},
        .offload_gradient_bytes = 2, .wgrad_pass_bytes = 0,
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_COMPILED,
        .vocab_multiple = 1,
        .gated_tensors = 3, .n_cublas_workspaces = 2,
        .selective = P3D_SELECTIVE_PER_OP,
        .overlap_dp = true,
        .pass = {PASS_COMPILED, PASS_COMPILED}, .host_s_per_kernel = 3.2e-6,
        .memory_error_frac = 0.06,
    },
    {
        .name = "nanotron",
        .title = "nanotron",
        .versions = "nanotron@2411b022",
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B),
        .context_parallel = false,
        .expert_parallel = false, .kv_replication = false,
        .offload_zero_stages = 0, .parameter_offload = false,
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("nanotron, fp32"), MEGATRON_16(4), MEGATRON_16(4),
            MEGATRON_16(4)},
        .offload_gradient_bytes = 4, .wgrad_pass_bytes = 10,
        .gather_pass_bytes = 2,
        /* 16-bit logits, an fp32 copy and its difference to the largest:
         * src/nanotron/parallel/tensor_parallel/functional.py:33-80. */
        .optimizer_pass_bytes = 48, .usual_loss = P3D_LOSS_EAGER,
        .vocab_multiple = 1,
        .gated_tensors = 4, .keeps_gathered_input = true,
        .n_cublas_workspaces = 2,
        .overlap_dp = false,
        .pass = {PASS_FSDP1, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "any",
        .title = "no framework: whatever any of them could run",
        .versions = "Megatron-LM@d98e8a64",
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = ALL_SCHEDULES,
        .context_parallel = true,
        .expert_parallel = true, .kv_replication = true,
        .offload_zero_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .parameter_offload = true,
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("fp32"), MEGATRON_16(4), MEGATRON_16(4),
            MEGATRON_16(4)},
        .offload_gradient_bytes = 2, .wgrad_pass_bytes = 0,
        .gather_pass_bytes = 2,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .gated_tensors = 3, .transformer_engine = true,
        .n_cublas_workspaces = 2,
        .overlap_dp = true,
        .pass = {PASS_TE, PASS_TE}, .host_s_per_kernel = 6.4e-6,
        .memory_error_frac = 0.06,
    },
};

/* Other words for the rows above. */
static const struct {
    const char *alias;
    const char *name;
} aliases[] = {
    {"megatron", "megatron-core"}, {"megatron-lm", "megatron-core"},
    {"mcore", "megatron-core"},    {"nemo", "megatron-core"},
    {"torchtitan", "fsdp2"},       {"fsdp", "fsdp2"},
    {"megatron-legacy", "megatron-local"},
};
/* clang-format on */

/* Bytes per logit: 16-bit logits and fp32 ones in place
 * (megatron/core/tensor_parallel/cross_entropy.py:20-95); compiled pieces that
 * do not run in place (megatron/core/fusions/fused_cross_entropy.py:47-82);
 * log-softmax and its two gradients in fp32 (torch.nn.functional.cross_entropy
 * on logits.float()); the same and a product of them (pytorch@02eef6b8
 * torch/distributed/tensor/parallel/loss.py). */
/* clang-format off */
static const struct {
    const char *name;
    double bytes_per_logit;
} losses[P3D_N_LOSSES] = {
    [P3D_LOSS_USUAL] = {"usual", 0},
    [P3D_LOSS_VOCAB_PARALLEL] = {"vocab-parallel", 6},
    [P3D_LOSS_NATIVE_FUSED] = {"native-fused", 10},
    [P3D_LOSS_TE_FUSED] = {"te-fused", 2},
    [P3D_LOSS_EAGER] = {"eager", 12},
    [P3D_LOSS_COMPILED] = {"compiled", 4},
    [P3D_LOSS_SHARDED_EAGER] = {"sharded-eager", 16},
};
/* clang-format on */

const char *p3d_loss_name(p3d_loss loss)
{
    P3D_ASSERT((unsigned)loss < P3D_N_LOSSES);
    return losses[loss].name;
}

double p3d_loss_bytes_per_logit(p3d_loss loss)
{
    P3D_ASSERT(loss != P3D_LOSS_USUAL && (unsigned)loss < P3D_N_LOSSES);
    return losses[loss].bytes_per_logit;
}

const p3d_framework *p3d_frameworks(int *n)
{
    *n = P3D_COUNT_OF(frameworks);
    return frameworks;
}

const p3d_framework *p3d_framework_find(const char *name)
{
    for (int i = 0; i < P3D_COUNT_OF(aliases); i++) {
        if (p3d_same_word(aliases[i].alias, name))
            name = aliases[i].name;
    }
    for (int i = 0; i < P3D_COUNT_OF(frameworks); i++) {
        if (p3d_same_word(frameworks[i].name, name))
            return &frameworks[i];
    }
    return NULL;
}
