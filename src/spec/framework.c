/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework.c - the table of training frameworks: one row, one framework. */
#include "plan3d/framework.h"

#include <stddef.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/framework_states.h"

#define ZERO(z)       (1u << (z))
#define ZERO_ANY      (ZERO(4) - 1)
#define RUNS(s)       (1u << (s))
#define ALL_SCHEDULES (RUNS(P3D_N_SCHEDULES) - 1)
#define SENDS(d)      (1u << P3D_DISPATCH_##d)
#define DEEPEP        (SENDS(DEEPEP) | SENDS(HYBRIDEP))

/* Attention kernels that a framework can call. Transformer Engine:
 * TransformerEngine@v2.9 transformer_engine/pytorch/attention/
 * dot_product_attention/utils.py get_attention_backend. The package flash-attn:
 * megatron --use-flash-attn of 2023, Megatron-DeepSpeed --use-flash-attn-v1 and
 * -v2, llm-foundry attn_impl, InternEvo use_flash_attn. PyTorch: torch.nn.
 * attention.SDPBackend; a model of one's own calls what is installed. */
#define CALLS(k)    (1u << P3D_##k)
#define EAGER_ALONE CALLS(EAGER)
#define TE_KERNELS \
    (CALLS(EAGER) | CALLS(FLASH_2) | CALLS(FLASH_3) | CALLS(CUDNN))
#define FLASH_ATTN (CALLS(EAGER) | CALLS(FLASH_1) | CALLS(FLASH_2))
#define SDPA_KERNELS \
    (CALLS(EAGER) | CALLS(EFFICIENT) | CALLS(FLASH_2) | CALLS(CUDNN))
#define ALL_KERNELS (TE_KERNELS | FLASH_ATTN | SDPA_KERNELS)
#define MEGATRON_MODULES                                                   \
    (P3D_MODULE_CORE_ATTENTION | P3D_MODULE_LATENT_UP | P3D_MODULE_NORMS | \
            P3D_MODULE_MLP | P3D_MODULE_MOE | P3D_MODULE_MOE_ACTIVATION |  \
            P3D_MODULE_SHARED_EXPERTS)

/* Host time of a kernel: docs/assumptions.md A16.
 *
 * States shared by a part of the replicas: Megatron-LM@d98e8a64
 * --num-distributed-optimizer-instances; DeepSpeed@5f631abc deepspeed/runtime/
 * zero/mics.py; PyTorch's HYBRID_SHARD and two-dimensional meshes; InternEvo's
 * zero1 size. Ratios of offload: Megatron-LM --optimizer-offload-fraction;
 * DeepSpeed docs/_pages/config-json.md "ratio" (stage 3 alone). Order of ranks:
 * Megatron-LM --use-tp-pp-dp-mapping. */
/* clang-format off */
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
        .hybrid_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .offload_ratio_stages = ZERO(1),
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .context_parallel = true,
        .expert_parallel = true, .kv_replication = true,
        .dispatchers = SENDS(ALL_GATHER) | DEEPEP,
        .expert_overlap = true, .graphs = true,
        .offload_zero_stages = ZERO(1),
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_FP16, MEGATRON_BF16,
            MEGATRON_BF16, PURE_16("Megatron, 16-bit states")},
        .typed_states = true, .typed_layers = true, .pp_before_dp = true,
        .pads_buckets = true,
        .offload_keeps_master = true, .offload_gradient_bytes = 4,
        .gather_pass_bytes = 2,
        .adds_in_product = true,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .kept = {.gated_tensors = 3}, .transformer_engine = true,
        .n_cublas_workspaces = 2,
        .modules = MEGATRON_MODULES,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_CUDNN}, .kernels = TE_KERNELS,
        .async_tensor_parallel = {true, true},
        .pass = {PASS_TE, PASS_TE}, .host_s_per_kernel = 13e-6,
        .host_s_per_module = 36e-6,
        .memory_error_frac = 0.03,
    },
    {
        .name = "megatron-local",
        .title = "Megatron-LM without Transformer Engine (local layers)",
        .versions = "Megatron-LM@d98e8a64",
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .hybrid_stages = ZERO(1),
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .expert_parallel = true, .kv_replication = true,
        .dispatchers = SENDS(ALL_GATHER) | DEEPEP,
        .expert_overlap = true, .graphs = true,
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_FP16, MEGATRON_BF16,
            MEGATRON_BF16, PURE_16("Megatron, 16-bit states")},
        .typed_states = true, .typed_layers = true, .pp_before_dp = true,
        .offload_gradient_bytes = 4,
        .gather_pass_bytes = 2,
        .adds_in_product = true,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .kept = {.gated_tensors = 3}, .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_EAGER, P3D_EAGER}, .kernels = EAGER_ALONE,
        .lacks = P3D_LACKS_FP8,
        .async_tensor_parallel = {true, true},
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.05,
    },
    {
        .name = "megatron-2021",
        .title = "Megatron-LM of 2021 (no sequence parallelism)",
        .versions = "Megatron-LM@v2.5",
        .standing = P3D_FRAMEWORK_PAST,
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .expert_parallel = true, .kv_replication = true,
        .dispatchers = SENDS(ALL_GATHER),
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_FP16, MEGATRON_BF16,
            MEGATRON_BF16, PURE_16("Megatron, 16-bit states")},
        .typed_states = true, .typed_layers = true,
        .offload_gradient_bytes = 4,
        .gather_pass_bytes = 2,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY,
        .vocab_multiple = 128,
        .copies_output = true, .kept = {.gated_tensors = 4},
        .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_EAGER, P3D_EAGER}, .kernels = EAGER_ALONE,
        .lacks = P3D_LACKS_ODD_GROUPS | P3D_LACKS_MICRO_BATCH_GROUPS |
            P3D_LACKS_FP8,
        .scatters_boundary = true, .wgrad_pass_bytes = 10,
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "megatron-2023",
        .title = "Megatron-LM of 2023 and forks (no fused gated MLPs)",
        .versions = "Megatron-LM@core_v0.6.0, FlagScale@ed55532",
        .standing = P3D_FRAMEWORK_PAST,
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .expert_parallel = true, .kv_replication = true,
        .dispatchers = SENDS(ALL_GATHER),
        .uneven_stages = true, .layer_map = true,
        .lacks = P3D_LACKS_ODD_GROUPS | P3D_LACKS_MICRO_BATCH_GROUPS,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_FP16, MEGATRON_BF16,
            MEGATRON_BF16, PURE_16("Megatron, 16-bit states")},
        .typed_states = true, .typed_layers = true,
        .offload_gradient_bytes = 4,
        .gather_pass_bytes = 2,
        .adds_in_product = true,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY,
        .vocab_multiple = 128,
        .copies_output = true, .kept = {.gated_tensors = 4},
        .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_FLASH_2, P3D_FLASH_2},
        .kernels = FLASH_ATTN | CALLS(CUDNN),
        .async_tensor_parallel = {true, true},
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "megatron-zero-bubble",
        .title = "Megatron-LM with zero-bubble pipelines (sail-sg)",
        .versions = "zero-bubble-pipeline-parallelism@f68d3879",
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED) |
            RUNS(P3D_ZB_H1) | RUNS(P3D_ZB_H2),
        .expert_parallel = true, .kv_replication = true,
        .dispatchers = SENDS(ALL_GATHER),
        .uneven_stages = true, .layer_map = true,
        .lacks = P3D_LACKS_ODD_GROUPS,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_FP16, MEGATRON_BF16,
            MEGATRON_BF16, PURE_16("Megatron, 16-bit states")},
        .typed_states = true, .typed_layers = true,
        .offload_gradient_bytes = 4,
        .gather_pass_bytes = 2,
        .adds_in_product = true,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY,
        .vocab_multiple = 128,
        .kept = {.gated_tensors = 4}, .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = FLASH_ATTN,
        .async_tensor_parallel = {true, true},
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.04,
    },
    {
        .name = "megatron-kwai",
        .title = "Megatron-Kwai (activation offload, overlapped)",
        .versions = "Megatron-Kwai@b2646e4",
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .context_parallel = true,
        .expert_parallel = true, .kv_replication = true,
        .dispatchers = SENDS(ALL_GATHER),
        .uneven_stages = true, .layer_map = true,
        .lacks = P3D_LACKS_ODD_GROUPS,
        .states = {PLAIN_32("Megatron, fp32"), MEGATRON_FP16, MEGATRON_BF16,
            MEGATRON_BF16, PURE_16("Megatron, 16-bit states")},
        .typed_states = true, .typed_layers = true,
        .activation_offload = true, .offload_chunks = 4,
        .offload_gradient_bytes = 4,
        .gather_pass_bytes = 2,
        .adds_in_product = true,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY,
        .vocab_multiple = 128,
        .kept = {.gated_tensors = 4}, .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION | P3D_MODULE_MLP_ACTIVATION |
            P3D_MODULE_NORMS,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = FLASH_ATTN,
        .async_tensor_parallel = {true, true},
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.04,
    },
    {
        .name = "deepspeed",
        .title = "DeepSpeed (with Megatron-DeepSpeed for tensor parallelism)",
        .versions = "DeepSpeed@edaa7221",
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .hybrid_stages = ZERO(3),
        .offload_ratio_stages = ZERO(3),
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B),
        .expert_parallel = true,
        .offload_zero_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .parameter_offload = true,
        .layer_map = true,
        .lacks = P3D_LACKS_PIPELINE_LAYER_COUNTS | P3D_LACKS_ODD_GROUPS,
        .states = {PLAIN_32("DeepSpeed, fp32"), DEEPSPEED_16, DEEPSPEED_16,
            DEEPSPEED_WIDE_GRADIENTS, PURE_16("DeepSpeed, 16-bit states")},
        .later_gradient_bytes = 2, .bucket_bytes = 1e9, .bucket_zero = 2,
        .step_in_own_segments = true, .wide_gradients = true,
        .step_bucket = 5e8, .nvme = true,
        .offload_gradient_bytes = 0, .wgrad_pass_bytes = 10,
        .gather_pass_bytes = 4,
        .optimizer_pass_bytes = 48, .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .kept = {.gated_tensors = 4}, .pipeline_tensors = 2,
        .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        /* Stage 3 alone overlaps by default: runtime/zero/config.py:383. */
        .overlap_dp = ZERO(3),
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = FLASH_ATTN,
        .scatters_boundary = true,
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.10,
    },
    {
        .name = "deepspeed-hf",
        .title = "DeepSpeed under Hugging Face Transformers",
        .versions = "DeepSpeed@5f631abc, transformers@0022728",
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {2, 2},
        .hybrid_stages = ZERO(3),
        .offload_ratio_stages = ZERO(3),
        .schedules = RUNS(P3D_1F1B),
        .offload_zero_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .parameter_offload = true,
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("DeepSpeed, fp32"), DEEPSPEED_16, DEEPSPEED_16,
            DEEPSPEED_WIDE_GRADIENTS, PURE_16("DeepSpeed, 16-bit states")},
        .later_gradient_bytes = 2, .bucket_bytes = 1e9, .bucket_zero = 1,
        .step_in_own_segments = true, .wide_gradients = true, .nvme = true,
        .offload_gradient_bytes = 0, .wgrad_pass_bytes = 10,
        .gather_pass_bytes = 4,
        .optimizer_pass_bytes = 48, .usual_loss = P3D_LOSS_EAGER_KEPT,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4, .norm_extra_bytes = 4},
        .head_norm_extra_bytes = 4, .holds_gathered_weights = true,
        .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO(3),
        .reduce_bytes = 2, /* runtime/engine.py:1405-1416 */
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS,
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.06,
    },
    {
        .name = "ddp",
        .title = "PyTorch DistributedDataParallel with autocast",
        .versions = "pytorch@2.6.0 torch/nn/parallel/distributed.py",
        .zero_stages = ZERO(0),
        .zero_stages_pipeline = 0,
        .usual_zero = {0, 0},
        .schedules = RUNS(P3D_1F1B),
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("DDP, fp32"), DDP_16, DDP_16, DDP_16,
            FSDP2_PURE_16},
        .offload_gradient_bytes = 2,
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_EAGER,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4, .norm_extra_bytes = 4},
        .head_norm_extra_bytes = 4, .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS,
        .pass = {PASS_FSDP1, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "fsdp1",
        .title = "PyTorch FSDP1 (FullyShardedDataParallel, not compiled)",
        .versions = "llm-foundry@8c8dd48",
        .zero_stages = ZERO(2) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {3, 3},
        .hybrid_stages = ZERO(2) | ZERO(3),
        .schedules = RUNS(P3D_1F1B),
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("FSDP1, fp32"), FSDP2_16, FSDP2_16, FSDP2_16,
            FSDP2_PURE_16},
        .offload_gradient_bytes = 2,
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_EAGER,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4}, .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS,
        .pass = {PASS_FSDP1, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "llm-foundry",
        .title = "LLM Foundry on Composer (FSDP1, not compiled)",
        .versions = "llm-foundry@b2a43a147, composer@v0.16.4",
        .standing = P3D_FRAMEWORK_PAST,
        .zero_stages = ZERO(2) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {3, 3},
        .hybrid_stages = ZERO(2) | ZERO(3),
        .schedules = RUNS(P3D_1F1B),
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("FSDP1, fp32"), FSDP2_16, FSDP2_16, FSDP2_16,
            FSDP2_PURE_16},
        .offload_gradient_bytes = 2,
        /* Flatten and split (4), cast to fp32 (6) and division (8). */
        .gather_pass_bytes = 9,
        /* A loop of single operations over each tensor (80), and the clipping
         * of gradients (12): composer/optim/decoupled_weight_decay.py. */
        .optimizer_pass_bytes = 92, .usual_loss = P3D_LOSS_FLASH,
        /* Cross entropy and perplexity of every micro-batch: log-softmax (4)
         * and its fp32 copy (6), twice. composer/metrics/nlp.py. */
        .metric_pass_bytes = 20,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4}, .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_FLASH_1, P3D_FLASH_1}, .kernels = FLASH_ATTN,
        .overlap_dp = ZERO_ANY,
        .pass = {PASS_MPT, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "fsdp2",
        .title = "PyTorch FSDP2 (torchtitan, torch.compile)",
        .versions = "torchtitan@b5bcd76c",
        .zero_stages = ZERO(2) | ZERO(3),
        .zero_stages_pipeline = ZERO(2) | ZERO(3),
        .usual_zero = {3, 2},
        .hybrid_stages = ZERO(2) | ZERO(3),
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_GPIPE) | RUNS(P3D_INTERLEAVED) |
            RUNS(P3D_ZB_V) | RUNS(P3D_DUALPIPE_V),
        .context_parallel = true,
        .expert_parallel = true,
        .grouped_experts = true,
        .dispatchers = DEEPEP,
        .uneven_stages = true, .layer_map = true,
        .lacks = P3D_LACKS_MICRO_BATCH_GROUPS | P3D_LACKS_LAYER_COUNTS |
            P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_EXPERT_TENSOR | P3D_LACKS_CONTEXT_SHARDS |
            P3D_LACKS_UNEVEN_CHUNKS,
        .states = {PLAIN_32("FSDP2, fp32"), FSDP2_16, FSDP2_16, FSDP2_16,
            FSDP2_PURE_16},
        .offload_gradient_bytes = 2,
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_COMPILED,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 3},
        .kept_eager = {.gated_tensors = 4, .norm_extra_bytes = 4,
            .last_product = true},
        .compiles = true, .pass_eager = PASS_UNFUSED,
        .head_norm_extra_bytes = 4, .expands_keys_values = true,
        .keeps_gathered_input = true, .frees_gradients = true,
        .stream_pools = true, .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_PER_OP, .usual_modules = P3D_MODULE_PER_OP,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS,
        .pass = {PASS_COMPILED, PASS_COMPILED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.06,
    },
    {
        .name = "fsdp2-2024",
        .title = "PyTorch FSDP2 (torchtitan of 2024, loss not compiled)",
        .versions = "torchtitan@9dec370",
        .standing = P3D_FRAMEWORK_PAST,
        .zero_stages = ZERO(2) | ZERO(3),
        .zero_stages_pipeline = ZERO(2) | ZERO(3),
        .usual_zero = {3, 2},
        .hybrid_stages = ZERO(2) | ZERO(3),
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_GPIPE) | RUNS(P3D_INTERLEAVED) |
            RUNS(P3D_ZB_V) | RUNS(P3D_DUALPIPE_V),
        .context_parallel = true,
        .expert_parallel = true,
        .grouped_experts = true,
        .uneven_stages = true, .layer_map = true,
        .lacks = P3D_LACKS_MICRO_BATCH_GROUPS | P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("FSDP2, fp32"), FSDP2_16, FSDP2_16, FSDP2_16,
            FSDP2_PURE_16},
        .offload_gradient_bytes = 2,
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_EAGER,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 3},
        .kept_eager = {.gated_tensors = 4, .norm_extra_bytes = 4,
            .last_product = true},
        .compiles = true, .pass_eager = PASS_UNFUSED,
        .head_norm_extra_bytes = 4, .expands_keys_values = true,
        .keeps_gathered_input = true, .frees_gradients = true,
        .stream_pools = true, .keeps_last_layer = true,
        .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_PER_OP, .usual_modules = P3D_MODULE_PER_OP,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS,
        .pass = {PASS_COMPILED, PASS_COMPILED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.06,
    },
    {
        .name = "torchtune",
        .title = "torchtune (16-bit weights; FSDP2 on several GPUs)",
        .versions = "torchtune@1814feb17",
        .zero_stages = ZERO(0) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {3, 3},
        .tensor_parallel = true,
        .schedules = RUNS(P3D_1F1B),
        .activation_offload = true,
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("FSDP2, fp32"), FSDP2_16, FSDP2_16, FSDP2_16,
            FSDP2_PURE_16},
        .offload_gradient_bytes = 2,
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_COMPILED,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 3},
        .kept_eager = {.gated_tensors = 4, .norm_extra_bytes = 4,
            .last_product = true},
        .compiles = true, .pass_eager = PASS_UNFUSED,
        .head_norm_extra_bytes = 4, .expands_keys_values = true,
        .keeps_gathered_input = true, .frees_gradients = true,
        .pure_16 = true, .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = SDPA_KERNELS,
        .pass = {PASS_COMPILED, PASS_COMPILED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.05,
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
        .uneven_stages = true, .layer_map = true,
        .lacks = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_SELECTIVE,
        .states = {PLAIN_32("nanotron, fp32"), NANOTRON_16, NANOTRON_16,
            NANOTRON_16, PURE_16("nanotron, 16-bit states")},
        .splits_by_cost = true, .copies_keys_values = true,
        .copies_output = true,
        .offload_gradient_bytes = 4, .wgrad_pass_bytes = 10,
        .gather_pass_bytes = 2,
        .optimizer_pass_bytes = 48, .usual_loss = P3D_LOSS_SHARDED_IN_PLACE,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4},
        .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        /* Without shared states DDP's hook reduces beside the last
         * backward; with them gradients are reduced whole after it, and
         * weights gathered after the step. optim/gradient_accumulator.py:
         * 322-399, trainer.py:643-654, zero.py. */
        .overlap_dp = ZERO(0), .reduces_whole = true,
        .gathers_after_step = true,
        /* With sequence parallelism alone: scripts/scaling_benchmarks.py:88. */
        .async_tensor_parallel = {false, true},
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = SDPA_KERNELS,
        .pass = {PASS_FSDP1, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.10,
    },
    {
        .name = "nanotron-2024",
        .title = "nanotron before tensor parallelism gathered its inputs again",
        .versions = "nanotron@a27e8fe8",
        .standing = P3D_FRAMEWORK_PAST,
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B),
        .uneven_stages = true, .layer_map = true,
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("nanotron, fp32"), NANOTRON_16, NANOTRON_16,
            NANOTRON_16, PURE_16("nanotron, 16-bit states")},
        .splits_by_cost = true, .copies_keys_values = true,
        .copies_output = true,
        .offload_gradient_bytes = 4, .wgrad_pass_bytes = 10,
        .gather_pass_bytes = 2,
        .optimizer_pass_bytes = 48, .usual_loss = P3D_LOSS_SHARDED_IN_PLACE,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4}, .keeps_gathered_input = true,
        .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        /* Without shared states DDP's hook reduces beside the last
         * backward; with them gradients are reduced whole after it, and
         * weights gathered after the step. optim/gradient_accumulator.py:
         * 322-399, trainer.py:643-654, zero.py. */
        .overlap_dp = ZERO(0), .reduces_whole = true,
        .gathers_after_step = true,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = CALLS(FLASH_2),
        .pass = {PASS_FSDP1, PASS_UNFUSED}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.05,
    },
    {
        .name = "internevo",
        .title = "InternEvo (InternLM-train of 2023)",
        .versions = "InternEvo@fa7337b",
        .standing = P3D_FRAMEWORK_PAST,
        .zero_stages = ZERO(0) | ZERO(1),
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .hybrid_stages = ZERO(1),
        .tensor_parallel = true, .pipeline = true,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .lacks = P3D_LACKS_MICRO_BATCH_GROUPS | P3D_LACKS_LAYER_GROUPS,
        .states = {PLAIN_32("InternEvo, fp32"), DEEPSPEED_16, DEEPSPEED_16,
            DEEPSPEED_16, PURE_16("InternEvo, 16-bit states")},
        .offload_gradient_bytes = 2,
        /* Added to the 16-bit gradients of the micro-batch before (6). */
        .wgrad_pass_bytes = 6, .gather_pass_bytes = 2,
        /* AdamW of single operations on a flat shard (88), overflow, norm,
         * scale and casts (28). */
        .optimizer_pass_bytes = 116, .usual_loss = P3D_LOSS_FLASH_WIDE,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4, .norm_extra_bytes = 4},
        .n_cublas_workspaces = 2,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_FLASH_1, P3D_FLASH_2}, .kernels = FLASH_ATTN,
        .overlap_dp = ZERO_ANY, .reduce_bytes = 2, .reduces_whole = true,
        .gathers_after_step = true,
        .async_tensor_parallel = {true, true},
        .pass = {PASS_INTERNLM, PASS_INTERNLM}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.10,
    },
    {
        .name = "generic",
        .title = "no framework known: typical costs, all that some can run",
        .versions = "Megatron-LM@d98e8a64",
        .standing = P3D_FRAMEWORK_PROFILE,
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .usual_zero = {1, 1},
        .hybrid_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .offload_ratio_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .tensor_parallel = true, .pipeline = true,
        .schedules = ALL_SCHEDULES,
        .context_parallel = true,
        .expert_parallel = true, .kv_replication = true,
        .dispatchers = SENDS(ALL_GATHER) | DEEPEP,
        .expert_overlap = true, .graphs = true,
        .offload_zero_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .parameter_offload = true,
        .uneven_stages = true, .layer_map = true,
        .states = {PLAIN_32("fp32"), MEGATRON_FP16, MEGATRON_BF16,
            MEGATRON_BF16, PURE_16("16-bit states")},
        .typed_states = true, .typed_layers = true, .pp_before_dp = true,
        .activation_offload = true, .offload_chunks = 4, .nvme = true,
        .offload_gradient_bytes = 2,
        .gather_pass_bytes = 2,
        .adds_in_product = true,
        .optimizer_pass_bytes = 34, .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .kept = {.gated_tensors = 3}, .transformer_engine = true,
        .n_cublas_workspaces = 2,
        .modules = MEGATRON_MODULES | P3D_MODULE_MLP_ACTIVATION |
            P3D_MODULE_PER_OP,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO_ANY,
        .attention = {P3D_FLASH_2, P3D_CUDNN}, .kernels = ALL_KERNELS,
        .async_tensor_parallel = {true, true},
        .pass = {PASS_TE, PASS_TE}, .host_s_per_kernel = 13e-6,
        .host_s_per_module = 36e-6,
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
    {"megatron-legacy", "megatron-local"}, {"hf", "deepspeed-hf"},
    {"transformers", "deepspeed-hf"},
};
/* clang-format on */

const p3d_framework *p3d_frameworks(int *n)
{
    if (n != NULL)
        *n = P3D_COUNT_OF(frameworks);
    return frameworks;
}

const char *p3d_framework_alias(const p3d_framework *framework, int k)
{
    if (framework == NULL || framework->name == NULL || k < 0)
        return NULL;
    for (int i = 0; i < P3D_COUNT_OF(aliases); i++) {
        if (strcmp(aliases[i].name, framework->name) == 0 && k-- == 0)
            return aliases[i].alias;
    }
    return NULL;
}

const char *p3d_framework_standing_word(int i)
{
    static const char *const words[P3D_N_FRAMEWORK_STANDINGS] = {
            "current", "past", "profile"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

p3d_framework_list p3d_frameworks_current(void)
{
    p3d_framework_list list = {.n = 0};

    for (int i = 0; i < P3D_COUNT_OF(frameworks); i++)
        if (frameworks[i].standing == P3D_FRAMEWORK_CURRENT)
            list.at[list.n++] = &frameworks[i];
    return list;
}

const p3d_framework *p3d_framework_find(const char *name)
{
    if (name == NULL)
        return NULL;
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
