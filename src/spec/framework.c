/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework.c - the table of training frameworks: one row, one framework. */
#include "plan3d/framework.h"

#include <stddef.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/framework_parts.h"

/* clang-format off */
static const p3d_framework frameworks[] = {
    {
        .name = "megatron-core",
        .title = "Megatron-LM (megatron-core with Transformer Engine)",
        .versions = "Megatron-LM@d98e8a64",
        MEGATRON, .devices = P3D_ON_CUDA,
        /* ZeRO 2 and 3 are Megatron-FSDP, which its documentation
         * (docs/user-guide/features/megatron_fsdp.md) describes without
         * pipelines, though no check refuses them. */
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3),
        .hybrid_stages = ZERO(1) | ZERO(2) | ZERO(3),
        .offload_ratio_stages = ZERO(1),
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .context_parallel = true,
        .dispatchers = SENDS(ALL_GATHER) | DEEPEP,
        .usual_dispatcher = P3D_DISPATCH_HYBRIDEP,
        .expert_overlap = true, .graphs = true,
        /* --distribute-saved-activations: megatron/core/tensor_parallel/
         * random.py (CheckpointFunction); not with sequence parallelism:
         * megatron/core/transformer/transformer_config.py. */
        .partition_activations = true,
        .offload_zero_stages = ZERO(1),
        /* --cpu-offloading-num-layers (whole layers, without a pipeline or
         * recomputation: megatron/core/transformer/transformer_config.py:
         * 1884-1899; those that are sent are never on the device beside all
         * others: TransformerEngine@d0067d0d transformer_engine/pytorch/
         * cpu_offload.py:751) and --fine-grained-activation-offloading (inputs
         * of modules, :1323-1361). */
        .activation_offload = true, .offload_unsearched = true,
        .pp_before_dp = true,
        .pads_buckets = true,
        .offload_keeps_master = true,
        .adds_in_product = true,
        .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .kept = {.gated_tensors = 3}, .transformer_engine = true,
        /* fp4_utils.py: Transformer Engine 2.7 or later. */
        .fp8_recipes = TE_CASTS, .nvfp4 = true,
        .n_cublas_workspaces = 2,
        /* megatron/core/transformer/transformer_config.py:2000-2006;
         * megatron/training/arguments.py:1889 (optimizer_cpu_offload), 1150
         * (use_megatron_fsdp). */
        .modules = MEGATRON_MODULES,
        .delayed_keeps = P3D_MODULE_NORMS | P3D_MODULE_MOE_ACTIVATION,
        .offloads_delayed = true,
        .sharded_optimizers = OPTIMIZES(P3D_ADAM) | OPTIMIZES(P3D_SGD),
        /* core/distributed/distributed_data_parallel.py:134. */
        .overlap_dp = ZERO_ANY, .overlap_dp_asked = ZERO_ANY,
        .reduce_bucket = 40e6, .reduce_bucket_per_rank = 1e6,
        .shares_by_layer = true,
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
        MEGATRON, .devices = P3D_ON_CUDA,
        .zero_stages = ZERO(0) | ZERO(1),
        .hybrid_stages = ZERO(1),
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .dispatchers = SENDS(ALL_GATHER) | DEEPEP,
        .expert_overlap = true, .graphs = true,
        .partition_activations = true,
        .pp_before_dp = true,
        .adds_in_product = true,
        .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .kept = {.gated_tensors = 3}, .n_cublas_workspaces = 4,
        /* megatron/core/transformer/transformer_layer.py (recompute_mlp). */
        .modules = P3D_MODULE_CORE_ATTENTION | P3D_MODULE_MLP,
        .attention = {P3D_EAGER, P3D_EAGER}, .kernels = EAGER_ALONE,
        /* megatron/core/fusions/fused_softmax.py, in fp32 (attention_softmax_
         * in_fp32): copy (6), mask (8), softmax (8), cast (6); 6, 12, the
         * gradient masked in a copy of its own (8 + 8) and 6 backward. */
        .softmax_apart = {{28, 40}, {4, 5}, true}, .softmax_most_keys = 4096,
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
        MEGATRON, .devices = P3D_ON_CUDA,
        .zero_stages = ZERO(0) | ZERO(1),
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .dispatchers = SENDS(ALL_GATHER),
        .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY,
        .copies_output = true, .kept = {.gated_tensors = 4},
        .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_EAGER, P3D_EAGER}, .kernels = EAGER_ALONE,
        SOFTMAX_2021(2048),
        /* Both came with v3.0 (arXiv:2205.05198). */
        .lacks = P3D_LACKS_sequence_parallel | P3D_LACKS_SELECTIVE |
            P3D_LACKS_ODD_GROUPS | P3D_LACKS_MICRO_BATCH_GROUPS |
            P3D_LACKS_CHUNK_ENDS | P3D_LACKS_FP8,
        .scatters_boundary = true, .wgrad_pass_bytes = 10,
        .pass = {PASS_EAGER, PASS_UNFUSED}, .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.12,
    },
    {
        .name = "megatron-2023",
        .title = "Megatron-LM of 2023 and forks (no fused gated MLPs)",
        .versions = "Megatron-LM@core_v0.6.0, FlagScale@ed55532",
        .standing = P3D_FRAMEWORK_PAST,
        MEGATRON, MEGATRON_2023,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .lacks = P3D_LACKS_ODD_GROUPS | P3D_LACKS_MICRO_BATCH_GROUPS |
            P3D_LACKS_CHUNK_ENDS,
        .copies_output = true,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .kernels = FLASH_ATTN | CALLS(CUDNN),
        .memory_error_frac = 0.12,
    },
    {
        .name = "megatron-zero-bubble",
        .title = "Megatron-LM with zero-bubble pipelines (sail-sg)",
        .versions = "zero-bubble-pipeline-parallelism@f68d3879",
        MEGATRON, MEGATRON_2023,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED) |
            RUNS(P3D_ZB_H1) | RUNS(P3D_ZB_H2),
        .lacks = P3D_LACKS_ODD_GROUPS | P3D_LACKS_CHUNK_ENDS,
        .waits_for_chunks = true,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .kernels = FLASH_ATTN,
        .memory_error_frac = 0.04,
    },
    {
        .name = "megatron-kwai",
        .title = "Megatron-Kwai (activation offload, overlapped)",
        .versions = "Megatron-Kwai@b2646e4",
        MEGATRON, MEGATRON_2023,
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .context_parallel = true,
        .lacks = P3D_LACKS_ODD_GROUPS | P3D_LACKS_HEAD_GROUPS |
            P3D_LACKS_CHUNK_ENDS,
        .activation_offload = true, .offload_chunks = 4,
        .modules = P3D_MODULE_CORE_ATTENTION | P3D_MODULE_MLP_ACTIVATION |
            P3D_MODULE_NORMS,
        .overlap_dp = ZERO_ANY,
        .reduce_bucket = 40e6, .reduce_bucket_per_rank = 1e6,
        .kernels = FLASH_ATTN,
        .memory_error_frac = 0.04,
    },
    {
        .name = "mindspeed",
        .title = "MindSpeed-LLM (Megatron-LM on Ascend)",
        MEGATRON, MINDSPEED,
        .kept = {.gated_tensors = 3},
        .pass = {PASS_MINDSPEED, PASS_MINDSPEED},
    },
    {
        .name = "mindspeed-plain",
        .title = "MindSpeed-LLM without fused SwiGLU and rotary positions",
        .standing = P3D_FRAMEWORK_PAST,
        MEGATRON, MINDSPEED,
        .kept = {.gated_tensors = 4},
        .pass = {PASS_MINDSPEED_PLAIN, PASS_MINDSPEED_PLAIN},
    },
    {
        /* One program, which XLA compiles: it plans the buffers, puts
         * elementwise operations into its products (as torch.compile) and
         * collectives beside them. Its stages in a circle (ici_pipeline_
         * parallelism) are not modelled. */
        .name = "maxtext",
        .title = "MaxText (JAX) on TPU",
        .versions = "AI-Hypercomputer/maxtext@e591f30c",
        .devices = P3D_ON_TPU, .one_program = true, .fuses_collectives = true,
        /* What a remat's backward pass does not read is dead code. jax-ml/jax
         * jax/_src/ad_checkpoint.py (remat_partial_eval, remat_dce). */
        .replays_needed = true,
        /* configs/base.yml: the axes data and fsdp, dcn_data over slices. */
        .zero_stages = ZERO(0) | ZERO(1) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {3, 3},
        .hybrid_stages = ZERO(3),
        .tensor_parallel = true, .context_parallel = true,
        .expert_parallel = true, .grouped_experts = true,
        .schedules = RUNS(P3D_1F1B),
        .lacks = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_FP8 | P3D_LACKS_HEAD_GROUPS |
            /* base.yml, logical_axis_rules: embed over fsdp, context and
             * expert, activation_embed and mlp_moe over tensor. */
            P3D_LACKS_WHOLE_STREAM | P3D_LACKS_MIXED_EXPERTS |
            P3D_LACKS_WHOLE_AXES,
        .states = {PLAIN_32("MaxText, fp32"), MAXTEXT_16, MAXTEXT_16,
            MAXTEXT_16, PURE_16("MaxText, weight_dtype bfloat16")},
        .frees_gradients = true, .offload_gradient_bytes = 4,
        /* Weights, gradients and moments in (16), all but gradients out (12),
         * the norm of the gradients (4): optimizers/optimizers.py. */
        .optimizer_pass_bytes = 32,
        /* utils/max_utils.py cross_entropy_with_logits: logits in fp32, and
         * their exponentials for the backward pass. */
        .usual_loss = P3D_LOSS_SHARDED_IN_PLACE,
        .vocab_multiple = 1,
        .kept = {.gated_tensors = 4, .norm_extra_bytes = 4},
        .head_norm_extra_bytes = 4,
        /* layers/decoders.py get_remat_policy: "minimal" keeps the products,
         * "minimal_with_context" the output of attention, too,
         * "save_dot_except_mlp" all but those of the MLP. */
        .modules = P3D_MODULE_CORE_ATTENTION | P3D_MODULE_NORMS |
            P3D_MODULE_MLP | P3D_MODULE_MLP_ACTIVATION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION | P3D_MODULE_NORMS |
            P3D_MODULE_MLP_ACTIVATION,
        .always_modules = P3D_MODULE_NORMS | P3D_MODULE_MLP_ACTIVATION,
        .overlap_dp = ZERO_ANY, .overlap_dp_asked = ZERO_ANY,
        /* Casts come before gathers: layers/linears.py. */
        .shares_by_layer = true, .reduce_bytes = 2,
        .async_tensor_parallel = {true, true},
        .attention = {P3D_FLASH_2, P3D_FLASH_2},
        .kernels = CALLS(EAGER) | CALLS(FLASH_2),
        .pass = {PASS_COMPILED, PASS_COMPILED},
        .memory_error_frac = 0.12,
    },
    {
        .name = "deepspeed",
        .title = "DeepSpeed (with Megatron-DeepSpeed for tensor parallelism)",
        .versions = "DeepSpeed@edaa7221",
        DEEPSPEED, MEGATRON_DEEPSPEED,
    },
    {
        /* sailor/Planner and deepspeed/pipe_engine.py: each stage is a list of
         * layers. */
        .name = "sailor",
        .title = "Megatron-DeepSpeed of Sailor (stages of any size)",
        .versions = "eth-easl/sailor@cf2c8e3c",
        .standing = P3D_FRAMEWORK_PAST,
        DEEPSPEED, MEGATRON_DEEPSPEED,
        .typed_layers = true,
    },
    {
        .name = "deepspeed-hf",
        .title = "DeepSpeed under Hugging Face Transformers",
        .versions = "DeepSpeed@5f631abc, transformers@0022728",
        DEEPSPEED,
        .zero_stages_pipeline = 0,
        .usual_zero = {2, 2},
        /* gradient_checkpointing_enable() is of all layers: transformers
         * modeling_utils.py. */
        .lacks = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS,
        .bucket_zero = 1,
        TRANSFORMERS(0), .usual_loss = P3D_LOSS_EAGER_KEPT,
        .pass = {PASS_TRANSFORMERS, PASS_TRANSFORMERS},
        .vocab_multiple = 1,
        .head_norm_extra_bytes = 4, .holds_gathered_weights = true,
        .n_cublas_workspaces = 2,
        .reduce_bytes = 2, /* runtime/engine.py:1405-1416 */
        CALLS_SDPA,
        .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.06,
    },
    {
        .name = "ddp",
        .title = "PyTorch DistributedDataParallel with autocast",
        .versions = "pytorch@2.6.0 torch/nn/parallel/distributed.py",
        DDP, .usual_loss = P3D_LOSS_EAGER,
        /* LitGPT trains beside frozen weights in bf16 without autocast
         * (Lightning-AI/litgpt@2685705 config_hub: bf16-true). */
        .kept = {.gated_tensors = 4, .norm_extra_bytes = 4,
            .layer_norm_extra_bytes = 0},
        .head_norm_extra_bytes = 4,
        CALLS_SDPA,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS,
        .pass = {PASS_FSDP1, PASS_UNFUSED},
        .memory_error_frac = 0.12,
    },
    {
        .name = "ddp-hf",
        .title = "Hugging Face Transformers, one GPU or DDP (Trainer, TRL)",
        .versions = "transformers@008e5743, accelerate@16cb6eb8",
        DDP, TRANSFORMERS(2),
        .pass = {PASS_AUTOCAST, PASS_AUTOCAST},
        /* src/transformers/loss/loss_utils.py: what is cast to fp32 for the
         * loss is not the model's output. */
        .usual_loss = P3D_LOSS_EAGER,
        .head_norm_extra_bytes = 4, .frees_gradients = true,
        .attention = {P3D_FLASH_2, P3D_FLASH_2},
        CALLS_SDPA,
        .memory_error_frac = 0.06,
    },
    {
        .name = "fsdp1",
        .title = "PyTorch FSDP1 (FullyShardedDataParallel, not compiled)",
        .versions = "llm-foundry@8c8dd48",
        WRAPPED, FSDP1,
        CALLS_SDPA,
        .kept = {.gated_tensors = 4},
        .pass = {PASS_FSDP1, PASS_UNFUSED},
        /* CPUOffload: pytorch@2.6.0 torch/distributed/fsdp/api.py,
         * _runtime_utils.py (_offload_grad). */
        .offload_zero_stages = ZERO(3),
        .parameter_offload = true, .offloads_whole = true,
    },
    {
        .name = "fsdp1-compiled",
        .devices = P3D_ON_CUDA,
        .title = "PyTorch FSDP1 with torch.compile",
        .versions = "fms-fsdp@ed74fd5",
        .standing = P3D_FRAMEWORK_PAST,
        WRAPPED, FSDP1,
        .kept = {.gated_tensors = 3},
        .kept_eager = {.gated_tensors = 4},
        .compiles = true, .pass_eager = PASS_FMS,
        /* fms_fsdp/policies/ac_handler.py (NO_REENTRANT), as below. */
        .replays_needed = true,
        .pass = {PASS_COMPILED, PASS_COMPILED},
    },
    {
        .name = "llm-foundry",
        .devices = P3D_ON_CUDA,
        .title = "LLM Foundry on Composer (FSDP1, not compiled)",
        .versions = "llm-foundry@b2a43a147, composer@v0.16.4",
        .standing = P3D_FRAMEWORK_PAST,
        WRAPPED,
        /* composer/trainer/dist_strategy.py (NO_REENTRANT); pytorch@2.1.0
         * torch/utils/checkpoint.py (_enable_checkpoint_early_stop): ends
         * with the last saved tensor, the input of the last product. */
        .replays_needed = true,
        .zero_stages = ZERO(2) | ZERO(3),
        .usual_zero = {3, 3},
        .hybrid_stages = ZERO(2) | ZERO(3),
        .states = {PLAIN_32("FSDP1, fp32"), FSDP2_16, FSDP2_16, FSDP2_16,
            FSDP2_PURE_16},
        /* Flatten and split (4), cast to fp32 (6) and division (8). */
        .gather_pass_bytes = 9,
        /* A loop of single operations over each tensor (80), and the clipping
         * of gradients (12): composer/optim/decoupled_weight_decay.py. */
        .optimizer_pass_bytes = 92, .usual_loss = P3D_LOSS_FLASH,
        /* Cross entropy and perplexity of every micro-batch: log-softmax (4)
         * and its fp32 copy (6), twice. composer/metrics/nlp.py. */
        .metric_pass_bytes = 20,
        .kept = {.gated_tensors = 4},
        .attention = {P3D_FLASH_1, P3D_FLASH_1}, .kernels = FLASH_ATTN,
        .pass = {PASS_MPT, PASS_UNFUSED},
        .memory_error_frac = 0.12,
    },
    {
        .name = "fsdp2",
        .devices = P3D_ON_CUDA,
        .title = "PyTorch FSDP2 (torchtitan, torch.compile)",
        .fp8_recipes = TORCHAO_CASTS | CASTS(MXFP8),
        .versions = "torchtitan@b5bcd76c",
        FSDP2, TORCHTITAN,
        .pass_eager = PASS_UNFUSED,
        .dispatchers = DEEPEP,
        /* The feed-forward alone, of dense layers: OLMo-core@bfb02f36
         * src/scripts/official/OLMo2/OLMo-2-0325-32B-train.py
         * (selected_modules, "blocks.*.feed_forward"). torchtitan has no option
         * for it. */
        .unsearched_modules = P3D_MODULE_MLP,
        /* training.enable_cpu_offload: torchtitan/distributed/fsdp.py:231,
         * pytorch@2.6.0 torch/distributed/fsdp/_fully_shard/_fsdp_api.py
         * (CPUOffloadPolicy: parameters, gradients, states). */
        .offload_zero_stages = ZERO(3),
        .parameter_offload = true, .offloads_whole = true,
        .lacks = P3D_LACKS_MICRO_BATCH_GROUPS | P3D_LACKS_LAYER_COUNTS |
            P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_EXPERT_TENSOR | P3D_LACKS_CONTEXT_SHARDS |
            P3D_LACKS_UNEVEN_CHUNKS | P3D_LACKS_HEAD_GROUPS,
        CALLS_SDPA,
        .usual_loss = P3D_LOSS_COMPILED,
        .memory_error_frac = 0.06,
    },
    {
        .name = "fsdp2-hf",
        .title = "PyTorch FSDP2 under Hugging Face Transformers (accelerate)",
        .fp8_recipes = TORCHAO_CASTS,
        .versions = "accelerate@16cb6eb8, transformers@0022728",
        CALLS_SDPA,
        SHARDED, TRANSFORMERS(2), .usual_loss = P3D_LOSS_EAGER_KEPT,
        .pass = {PASS_TRANSFORMERS, PASS_TRANSFORMERS},
        .zero_stages = ZERO(2) | ZERO(3),
        .usual_zero = {3, 3},
        .hybrid_stages = ZERO(2) | ZERO(3),
        .schedules = RUNS(P3D_1F1B),
        .context_parallel = true,
        .offload_gradient_bytes = 2,
        /* fsdp_offload_params: accelerate/utils/dataclasses.py
         * FullyShardedDataParallelPlugin (CPUOffloadPolicy). */
        .offload_zero_stages = ZERO(3),
        .parameter_offload = true, .offloads_whole = true,
        /* fsdp_activation_checkpointing has no number and no modules. */
        .lacks = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_SELECTIVE | P3D_LACKS_sequence_parallel |
            P3D_LACKS_LONE_SHARDS | P3D_LACKS_HEAD_GROUPS,
        .memory_error_frac = 0.12,
    },
    {
        .name = "fsdp2-2024",
        .devices = P3D_ON_CUDA,
        .title = "PyTorch FSDP2 (torchtitan of 2024, loss not compiled)",
        .fp8_recipes = TORCHAO_CASTS,
        .versions = "torchtitan@9dec370",
        .standing = P3D_FRAMEWORK_PAST,
        FSDP2, TORCHTITAN,
        .pass_eager = PASS_TORCHTITAN,
        .offload_gradient_bytes = 2,
        .lacks = P3D_LACKS_MICRO_BATCH_GROUPS | P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_HEAD_GROUPS,
        /* torchtitan@9dec370 torchtitan/parallelisms/parallelize_llama.py
         * (checkpoint_wrapper), which stops as LLM Foundry's does; later
         * ones ask it not to (activation_checkpoint.early_stop). */
        .replays_needed = true,
        .usual_loss = P3D_LOSS_EAGER,
        .keeps_last_layer = true,
        .memory_error_frac = 0.06,
    },
    {
        .name = "torchtune",
        .devices = P3D_ON_CUDA,
        .title = "torchtune (16-bit weights; FSDP2 on several GPUs)",
        .versions = "torchtune@1814feb17",
        FSDP2,
        .pass_eager = PASS_TORCHTUNE,
        .offload_gradient_bytes = 2,
        .zero_stages = ZERO(0) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {3, 3},
        .schedules = RUNS(P3D_1F1B),
        .activation_offload = true, .offload_unsearched = true,
        .lacks = P3D_LACKS_LAYER_GROUPS | P3D_LACKS_COPIES |
            P3D_LACKS_OTHER_OFFLOAD,
        .usual_loss = P3D_LOSS_COMPILED,
        .pure_16 = true,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        CALLS_SDPA,
        .kernels = SDPA_KERNELS,
        .memory_error_frac = 0.05,
    },
    {
        .name = "nanotron",
        .devices = P3D_ON_CUDA,
        .title = "nanotron",
        .versions = "nanotron@2411b022",
        NANOTRON,
        .lacks = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_SELECTIVE,
        .n_cublas_workspaces = 2,
        /* With sequence parallelism alone: scripts/scaling_benchmarks.py:88. */
        .async_tensor_parallel = {false, true},
        .kernels = SDPA_KERNELS,
        .memory_error_frac = 0.10,
    },
    {
        .name = "nanotron-2024",
        .devices = P3D_ON_CUDA,
        .title = "nanotron before tensor parallelism gathered its inputs again",
        .versions = "nanotron@a27e8fe8",
        .standing = P3D_FRAMEWORK_PAST,
        NANOTRON,
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .keeps_gathered_input = true,
        .n_cublas_workspaces = 4,
        .kernels = CALLS(FLASH_2),
        .memory_error_frac = 0.05,
    },
    {
        .name = "internevo",
        .devices = P3D_ON_CUDA,
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
        .overlap_dp = ZERO_ANY, .overlap_dp_asked = ZERO_ANY,
        .reduce_bucket = 512 * 1024 * 1024.0, /* hybrid_zero_optim.py:420 */
        .reduce_bytes = 2, .reduces_whole = true, .gathers_after_step = true,
        .async_tensor_parallel = {true, true},
        .reduces_gate_apart = true, /* internlm/model/linear.py FeedForward */
        .pass = {PASS_INTERNLM, PASS_INTERNLM}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.10,
    },
    {
        .name = "aleph-alpha",
        .title = "Scaling of Aleph Alpha (norms of single operations)",
        ALEPH_ALPHA_PLAIN,
        /* src/scaling/core/nn/masked_softmax/masked_softmax.py, in the job's
         * type (softmax_in_fp32 is off): masks a view of the product in place,
         * as megatron-2023 where its kernel does not take the scores. */
        .softmax = {{{8, 32}, {2, 8}, false}, {{16, 64}, {2, 8}, false}},
    },
    {
        .name = "aleph-alpha-fused",
        .title = "Scaling of Aleph Alpha (the same, softmax in one kernel)",
        ALEPH_ALPHA_PLAIN,
    },
    {
        .name = "aleph-alpha-rms",
        .title = "Scaling of Aleph Alpha (RMSNorm kernel of flash-attention)",
        ALEPH_ALPHA,
        .kept = {.gated_tensors = 4},
        .pass = {PASS_ALEPH_ALPHA(20, 30), PASS_ALEPH_ALPHA(20, 30)},
    },
    {
        .name = "paddlenlp",
        .title = "PaddleNLP (hybrid parallelism of Paddle)",
        PADDLE,
        .pass = {PASS_EAGER, PASS_PADDLE},
    },
    {
        .name = "paddlenlp-plain",
        .title = "PaddleNLP without fused RMSNorm",
        PADDLE,
        .pass = {PASS_EAGER, PASS_TRANSFORMERS},
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
        .dispatchers = SENDS(ALL_GATHER) | SENDS(2DH) | DEEPEP,
        .expert_overlap = true, .graphs = true,
        .partition_activations = true,
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
        .fp8_recipes = TE_CASTS | TORCHAO_CASTS, .nvfp4 = true,
        .n_cublas_workspaces = 2,
        .modules = MEGATRON_MODULES | P3D_MODULE_MLP_ACTIVATION |
            P3D_MODULE_PER_OP,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .overlap_dp = ZERO_ANY, .overlap_dp_asked = ZERO_ANY,
        .reduce_bucket = 40e6, .reduce_bucket_per_rank = 1e6,
        .shares_by_layer = true,
        .attention = {P3D_FLASH_2, P3D_CUDNN}, .kernels = ALL_KERNELS,
        .async_tensor_parallel = {true, true},
        .pass = {PASS_TE, PASS_TE}, .host_s_per_kernel = 13e-6,
        .host_s_per_module = 36e-6,
        .memory_error_frac = 0.06,
    },
};
/* clang-format on */

const p3d_framework *p3d_frameworks(int *n)
{
    if (n != NULL)
        *n = P3D_COUNT_OF(frameworks);
    return frameworks;
}
