/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework_parts.h - what several frameworks have: kernels that they call,
 * bytes of their passes, and all that versions and forks share: a part of the
 * table in framework.c. */
#ifndef PLAN3D_SPEC_FRAMEWORK_PARTS_H
#define PLAN3D_SPEC_FRAMEWORK_PARTS_H

#include "spec/framework_states.h"

#define ZERO(z)       (1u << (z))
#define ZERO_ANY      (ZERO(4) - 1)
#define RUNS(s)       (1u << (s))
#define ALL_SCHEDULES (RUNS(P3D_N_SCHEDULES) - 1)
#define SENDS(d)      (1u << P3D_DISPATCH_##d)
#define CASTS(r)      (1u << P3D_FP8_##r)
#define OPTIMIZES(o)  (1u << (o))
/* Megatron-LM@d98e8a64 megatron/core/fp8_utils.py (get_fp8_recipe). */
#define TE_CASTS \
    (CASTS(DELAYED) | CASTS(CURRENT) | CASTS(BLOCKWISE) | CASTS(MXFP8))
/* torchtitan@b5bcd76 torchtitan/components/quantization/float8.py, mx.py;
 * pytorch/ao@36027d8 torchao/float8/config.py (tensorwise). */
#define TORCHAO_CASTS (CASTS(CURRENT) | CASTS(ROWWISE))
#define DEEPEP        (SENDS(DEEPEP) | SENDS(HYBRIDEP))

/* Attention kernels that a framework can call. Transformer Engine:
 * TransformerEngine@d0067d0d transformer_engine/pytorch/attention/
 * dot_product_attention/utils.py get_attention_backend. The package flash-attn:
 * megatron --use-flash-attn of 2023, Megatron-DeepSpeed --use-flash-attn-v1 and
 * -v2, llm-foundry attn_impl, InternEvo use_flash_attn. PyTorch: torch.nn.
 * attention.SDPBackend; a model of one's own calls what is installed. */
#define CALLS(k)    (1u << P3D_##k)
#define EAGER_ALONE CALLS(EAGER)
#define TE_KERNELS                                                   \
    (CALLS(EAGER) | CALLS(FLASH_2) | CALLS(FLASH_3) | CALLS(CUDNN) | \
            CALLS(FLASH_4))
/* PyTorch's scaled_dot_product_attention by itself prefers cuDNN's kernel on
 * sm90 and sm10x from cuDNN 9.15.1 on, with which the wheels for CUDA 13 come
 * (flash-attention 2 before, and with those for CUDA 12): pytorch@001f694a
 * aten/src/ATen/native/transformers/cuda/sdp_utils.cpp
 * check_prefer_cudnn_attention. PyTorch 2.11 on an H100 ran it
 * (docs/validate.md), 2.9.1 did not yet. */
#define CALLS_SDPA .sdpa_cudnn_since = 2026

#define FLASH_ATTN (CALLS(EAGER) | CALLS(FLASH_1) | CALLS(FLASH_2))
#define SDPA_KERNELS \
    (CALLS(EAGER) | CALLS(EFFICIENT) | CALLS(FLASH_2) | CALLS(CUDNN))
#define ALL_KERNELS (TE_KERNELS | FLASH_ATTN | SDPA_KERNELS)
#define MEGATRON_MODULES                                                   \
    (P3D_MODULE_CORE_ATTENTION | P3D_MODULE_LATENT_UP | P3D_MODULE_NORMS | \
            P3D_MODULE_MLP | P3D_MODULE_MOE | P3D_MODULE_MOE_ACTIVATION |  \
            P3D_MODULE_SHARED_EXPERTS)

/* clang-format off */
/* Passes over memory in bytes per element, read off the frameworks' op lists:
 * residual stream, MLP width, attention width; {forward, backward}. */
#define PASS_TE {.residual = {14, 26}, .mlp = {4, 8}, .attention = {6, 8}, \
    .n_kernels = {8, 14}}
/* Attention: the bias of QKV added apart (12), heads put side by side (4);
 * backward that bias summed (6), gradients of Q, K and V put together (12):
 * Megatron-LM@core_v0.4.0 megatron/core/tensor_parallel/layers.py:338,
 * megatron/model/transformer.py (ParallelAttention, CoreAttention). */
#define PASS_EAGER {.residual = {22, 46}, .mlp = {4, 8}, \
    .attention = {16, 18}, .n_kernels = {12, 20}}
/* RMSNorm, SwiGLU and rotary positions as separate PyTorch operations. */
#define PASS_UNFUSED {.residual = {34, 56}, .mlp = {10, 16}, \
    .attention = {20, 28}, .n_kernels = {24, 40}, .single = true}
/* transformers@0022728 models/llama/modeling_llama.py: norms on fp32 copies
 * (72; backward 184), residual additions (12), joins of gradients (18); SiLU
 * and product apart (10 per MLP element, 18 backward); rotary positions as
 * single operations (40, 52). */
#define PASS_TRANSFORMERS {.residual = {84, 202}, \
    .mlp = {10 / 1.5, 18 / 1.5}, .attention = {40, 52}, .n_kernels = {30, 50}, \
    .single = true}
/* The same where autocast casts fp32 weights: the residual stream is fp32.
 * Norms (2 x 28: square, mean, product, weight; backward 2 x 80), an input cast
 * for each of five products (30; backward 30, and 36 to add them up), residual
 * additions (20; backward 24 and the branches' casts, 12). Kernels as in a
 * trace of one H100 (docs/traces.md). */
#define PASS_AUTOCAST {.residual = {106, 262}, \
    .mlp = {10 / 1.5, 18 / 1.5}, .attention = {40, 52}, .n_kernels = {48, 79}, \
    .single = true}
/* linkedin/Liger-Kernel@v0.8.0 src/liger_kernel/ops: norms (8; backward 12),
 * SwiGLU (6; 10 per MLP element) and rotary positions in place (5) as one
 * kernel each; additions and joins as above. */
#define PASS_LIGER {.residual = {20, 30}, .mlp = {6 / 1.5, 10 / 1.5}, \
    .attention = {5, 5}, .n_kernels = {8, 14}}
/* Ascend/MindSpeed-LLM@928133c6 modellink/core (npu_rms_norm, npu_swiglu,
 * npu_rotary_mul): the same kernels on Ascend; without --use-fused-swiglu and
 * --use-fused-rotary-pos-emb the norm alone. */
#define PASS_MINDSPEED {.residual = {20, 30}, .mlp = {6, 10}, \
    .attention = {5, 5}, .n_kernels = {10, 18}}
#define PASS_MINDSPEED_PLAIN {.residual = {20, 30}, .mlp = {10, 16}, \
    .attention = {20, 28}, .n_kernels = {20, 34}}
/* PaddlePaddle/PaddleNLP@0035f4f2 paddlenlp/transformers/llama/modeling.py with
 * use_fused_rms_norm: norms as one kernel each; SiLU, product and rotary
 * positions as single operations. Without it norms are as in transformers. */
#define PASS_PADDLE {.residual = {20, 30}, .mlp = {10 / 1.5, 18 / 1.5}, \
    .attention = {40, 52}, .n_kernels = {24, 40}, .single = true}
/* foundation-model-stack@f29e546d fms/modules: norms (layernorm.py), the MLP
 * (feedforward.py) and residual additions as in transformers; rotary positions
 * (positions.py) in fp32 as products with a 2 x 2 matrix for each pair: cast
 * (6), multiplied (12), added up (12) and cast back (6), in backward too. */
#define PASS_FMS {.residual = {84, 202}, .mlp = {10 / 1.5, 18 / 1.5}, \
    .attention = {36, 36}, .keys = {36, 36}, .n_kernels = {30, 50}, \
    .single = true}
/* torchtitan@9dec370 torchtitan/models: norms (norm_type = "rmsnorm" in all
 * train_configs), the MLP and residual additions as in transformers; rotary
 * positions as products of complex numbers in fp32 (cast 6, 8, cast 6, in
 * backward too), keys and values copied for each head (4, 4). */
#define PASS_TORCHTITAN {.residual = {84, 202}, .mlp = {10 / 1.5, 18 / 1.5}, \
    .attention = {24, 24}, .keys = {20, 20}, .n_kernels = {30, 50}, \
    .single = true}
/* torchtune@bd2a0fc7 torchtune/modules: norms (rms_norm.py), the MLP and
 * residual additions as in transformers; rotary positions (position_
 * embeddings.py) in fp32: casts (12), four products of halves (16), two sums
 * (12), their stack (8); backward casts (12), products (16), four halves put
 * into tensors of zeros (32) and added up (36). */
#define PASS_TORCHTUNE {.residual = {84, 202}, .mlp = {10 / 1.5, 18 / 1.5}, \
    .attention = {52, 100}, .keys = {48, 96}, .n_kernels = {38, 70}, \
    .single = true}
#define PASS_FSDP1 {.residual = {22, 38}, .mlp = {4, 8}, \
    .attention = {12, 16}, .n_kernels = {16, 28}}
#define PASS_COMPILED {.residual = {14, 24}, .mlp = {6, 10}, \
    .attention = {8, 12}, .n_kernels = {8, 14}}
/* llm-foundry@b2a43a147 llmfoundry/models/layers: LayerNorms (8), residual
 * additions (12), GELU (4 per MLP element); backward GELU (6), norms (20),
 * joins of gradients (12), bias gradients (18), packing of QKV's gradients (12)
 * and the preparation of the Triton kernel (14). */
#define PASS_MPT {.residual = {20, 50}, .mlp = {4, 6}, .attention = {0, 26}, \
    .n_kernels = {8, 24}}
/* InternEvo@fa7337b internlm/model/modeling_internlm.py:169-217: norms on fp32
 * copies (24, recomputed in backward), residual additions (12), rotary kernel
 * (8), SiLU and product apart (10 per MLP element, 18 backward). */
#define PASS_INTERNLM {.residual = {36, 92}, .mlp = {10 / 1.5, 18 / 1.5}, \
    .attention = {8, 8}, .n_kernels = {12, 30}, .single = true}
/* clang-format on */

/* Host time of a kernel: docs/assumptions.md A16.
 *
 * States shared by a part of the replicas: Megatron-LM@d98e8a64
 * --num-distributed-optimizer-instances; DeepSpeed@5f631abc deepspeed/runtime/
 * zero/mics.py; PyTorch's HYBRID_SHARD and two-dimensional meshes; InternEvo's
 * zero1 size. Ratios of offload: Megatron-LM --optimizer-offload-fraction;
 * DeepSpeed docs/_pages/config-json.md "ratio" (stage 3 alone). Order of ranks:
 * Megatron-LM --use-tp-pp-dp-mapping.
 *
 * Usual dispatcher: HybridEP sends the tokens of DeepSeek-V3 on H100, B200,
 * B300, GB200 and GB300, of Qwen3-30B on all of them and of Kimi K2 and
 * Qwen3-235B on GB200 and GB300, mostly without --moe-overlap; an all-to-all
 * those of Qwen3-235B on H100 (with it) and B200. Source: Megatron-Bridge@
 * 04264182 scripts/performance/configs/deepseek/
 * deepseek_workload_base_configs.py, @01b2977e qwen/
 * qwen3_workload_base_configs.py, @013180a7 kimi/
 * kimi_workload_base_configs.py.
 *
 * Passes over the gradients: zeroed (1), scaled by the number of replicas (2).
 * Megatron-LM's defaults also look for NaN in them (1 more), NeMo's do that and
 * do not scale (1 less). DeepSpeed's BF16_Optimizer zeroes them, takes the norm
 * of all of them and scales them (4); its others copy them into a bucket and
 * scale that (4). Source: Megatron-LM@d98e8a64 megatron/core/distributed/
 * param_and_grad_buffer.py, @v2.5 megatron/model/distributed.py; DeepSpeed@
 * 06e39a5 deepspeed/runtime/bf16_optimizer.py (clear_hp_grads,
 * get_grads_for_norm), engine.py (allreduce_bucket), zero/stage_1_and_2.py
 * (reduce_independent_p_g_buckets_and_remove_grads, average_tensor). */
/* clang-format off */

/* What all versions of Megatron-LM have, and its forks. A row has what is its
 * own. */
#define MEGATRON \
    .zero_stages_pipeline = ZERO(0) | ZERO(1), \
    .usual_zero = {1, 1}, \
    .tensor_parallel = true, .pipeline = true, .expert_parallel = true, \
    .kv_replication = true, .uneven_stages = true, .layer_map = true, \
    .states = {PLAIN_32("Megatron, fp32"), MEGATRON_FP16, MEGATRON_BF16, \
        MEGATRON_BF16, PURE_16("Megatron, 16-bit states")}, \
    .typed_states = true, .typed_layers = true, .offload_gradient_bytes = 4, \
    /* Gradients down (4) and weights up (4) in fp32, between them Adam (28): \
     * megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py:101-126. */ \
    .offload_link_bytes = 8, .offload_host_bytes = 36, \
    .gather_pass_bytes = 2, .optimizer_pass_bytes = 34, \
    .gradient_passes = 3, \
    .vocab_multiple = 128, .keeps_towers = true, .fuses_yarn = true, \
    .usual_modules = P3D_MODULE_CORE_ATTENTION

/* megatron/model/fused_softmax.py (is_kernel_available): rows of 17 to so many
 * scores, of samples and heads whose number is a multiple of 4. Else
 * forward_torch_softmax(), with --apply-query-key-layer-scaling, which was on:
 * copy in fp32 (6), scale (8), mask in place (8), softmax (8), cast (6); back
 * 6, 12, the gradient masked in a copy of its own (8 + 8), 8 and 6.
 * Source: Megatron-LM@c6b7763990 (2,048 scores; 4,096 from 7a77abd9b6 on). */
#define SOFTMAX_2021(most) \
    .softmax_apart = {{36, 48}, {5, 6}, true}, .softmax_most_keys = (most)

/* What those of 2023 have beside it. */
#define MEGATRON_2023 \
    .devices = P3D_ON_CUDA, \
    .zero_stages = ZERO(0) | ZERO(1), \
    .dispatchers = SENDS(ALL_GATHER), \
    .adds_in_product = true, \
    .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY, \
    .kept = {.gated_tensors = 4}, \
    .n_cublas_workspaces = 4, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, \
    /* In 16 bit, without the scale (Megatron-LM@core_v0.6.0): half the bytes \
     * of an fp32 run, in workload_attention.c. */ \
    .softmax_apart = {{8, 32}, {2, 8}, false}, .softmax_most_keys = 4096, \
    .async_tensor_parallel = {true, true}, \
    /* --overlap-grad-reduce, --overlap-param-gather. */ \
    .overlap_dp_asked = ZERO(0) | ZERO(1), \
    .pass = {PASS_EAGER, PASS_UNFUSED}, \
    .host_s_per_kernel = 18e-6

/* Megatron-LM with kernels for Ascend: products do not add to the gradients
 * (--no-gradient-accumulation-fusion in all scripts), and may be fused with the
 * collectives of tensor parallelism (MC2). */
#define MINDSPEED \
    .versions = "Ascend/MindSpeed-LLM@928133c6", \
    .devices = P3D_ON_ASCEND, .fuses_collectives = true, \
    .zero_stages = ZERO(0) | ZERO(1), \
    .dispatchers = SENDS(ALL_GATHER), \
    .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED), \
    .context_parallel = true, \
    .lacks = P3D_LACKS_ODD_GROUPS | P3D_LACKS_MICRO_BATCH_GROUPS | \
        P3D_LACKS_CHUNK_ENDS | P3D_LACKS_FP8, \
    .wgrad_pass_bytes = 10, \
    .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY, \
    .overlap_dp_asked = ZERO(0) | ZERO(1), \
    .modules = P3D_MODULE_CORE_ATTENTION, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, \
    .kernels = CALLS(EAGER) | CALLS(FLASH_2), \
    .host_s_per_kernel = 18e-6, .memory_error_frac = 0.12

/* Alone, and under Hugging Face Transformers. */
#define DEEPSPEED \
    .compresses = P3D_COMPRESS_ZEROPP | P3D_COMPRESS_ONE_BIT, \
    .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3), \
    .hybrid_stages = ZERO(3), \
    .offload_ratio_stages = ZERO(3), \
    .schedules = RUNS(P3D_1F1B), \
    .offload_zero_stages = ZERO(1) | ZERO(2) | ZERO(3), \
    .parameter_offload = true, \
    .states = {PLAIN_32("DeepSpeed, fp32"), DEEPSPEED_16, DEEPSPEED_16, \
        DEEPSPEED_WIDE_GRADIENTS, PURE_16("DeepSpeed, 16-bit states")}, \
    .later_gradient_bytes = 2, .bucket_bytes = 1e9, \
    .step_in_own_segments = true, .wide_gradients = true, .nvme = true, \
    /* Gradients down in fp32 (4; stage3.py:1407, stage_1_and_2.py), scaled \
     * (8; stage3.py:2705), Adam (28; csrc/adam/cpu_adam_impl.cpp), weights \
     * cast on the host (6; stage3.py:2589) and sent up in 16 bit (2). */ \
    .offload_link_bytes = 6, .offload_host_bytes = 48, \
    .offload_gradient_bytes = 0, .wgrad_pass_bytes = 10, \
    .gather_pass_bytes = 4, .optimizer_pass_bytes = 48, \
    .gradient_passes = 4, \
    .modules = P3D_MODULE_CORE_ATTENTION, \
    .usual_modules = P3D_MODULE_CORE_ATTENTION, \
    /* Stage 3 alone overlaps by default: runtime/zero/config.py:383. With \
     * overlap_comm stages 1 and 2 reduce a bucket of reduce_bucket_size \
     * (config.py:116) on a stream of its own while the next one fills; \
     * computation waits for the one before, and the last one is waited for: \
     * runtime/zero/stage_1_and_2.py:1350-1363, 923-931 (v0.3 to v0.16 \
     * synchronize instead: the same two buckets). Never with pipelines: \
     * runtime/engine.py:2391. The weights are gathered after the step. */ \
    .overlap_dp = ZERO(3), \
    .overlap_dp_asked = ZERO(1) | ZERO(2) | ZERO(3), \
    .overlap_dp_no_pipeline = true, .gathers_after_step = true, \
    .reduce_bucket = 5e8, .shares_by_layer = true, \
    /* runtime/zero/mics.py:400-431. */ \
    .adds_copies_once = true, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}

/* Tensor parallelism and pipelines beside DeepSpeed. */
#define MEGATRON_DEEPSPEED \
    .devices = P3D_ON_CUDA, \
    .zero_stages_pipeline = ZERO(0) | ZERO(1), \
    .usual_zero = {1, 1}, \
    .tensor_parallel = true, .pipeline = true, \
    .expert_parallel = true, \
    .layer_map = true, \
    /* deepspeed/runtime/activation_checkpointing/checkpointing.py \
    * (partition_activations, gather_partitioned_activations). */ \
    .partition_activations = true, \
    /* GPT-NeoX: gpt-neox@ea7aefd8 megatron/model/transformer.py. */ \
    .block_sparse = true, \
    .lacks = P3D_LACKS_PIPELINE_LAYER_COUNTS | P3D_LACKS_ODD_GROUPS, \
    .bucket_zero = 2, \
    .step_bucket = 5e8, \
    .usual_loss = P3D_LOSS_VOCAB_PARALLEL, \
    .vocab_multiple = 128, \
    .kept = {.gated_tensors = 4}, .pipeline_tensors = 2, \
    /* runtime/pipe/engine.py:136-140, _exec_forward_pass; the last stage \
    * keeps its outputs: num_pipe_buffers of schedule.py are two. */ \
    .partitions_outputs = true, .held_logits = 2, .opens_groups = true, \
    .n_cublas_workspaces = 4, \
    .pass = {PASS_EAGER, PASS_UNFUSED}, \
    .kernels = FLASH_ATTN, \
    SOFTMAX_2021(4096), \
    .scatters_boundary = true, \
    .host_s_per_kernel = 18e-6, \
    .memory_error_frac = 0.10

/* PaddleNLP's Trainer on Paddle's hybrid parallelism. A gradient is added to
 * the 16-bit one (6), scaled, checked, its norm taken and clipped (10), then
 * Adam (28); weights are broadcast by their owners, in place. Source:
 * PaddlePaddle/Paddle@v2.5.1 python/paddle/amp/grad_scaler.py, paddle/phi/
 * kernels/gpu/adamw_kernel.cu, python/paddle/distributed/fleet/meta_optimizers/
 * dygraph_optimizer; PaddlePaddle/PaddleNLP@0035f4f2 paddlenlp/transformers/
 * llama/modeling.py (LlamaPretrainingCriterion: fp32 logits). */
#define PADDLE \
    .versions = "PaddlePaddle/Paddle@v2.5.1", \
    .devices = P3D_ON_CUDA, \
    .standing = P3D_FRAMEWORK_PAST, \
    .zero_stages = ZERO(0) | ZERO(1) | ZERO(2) | ZERO(3), \
    .zero_stages_pipeline = ZERO(0) | ZERO(1), \
    .usual_zero = {1, 1}, \
    .tensor_parallel = true, .pipeline = true, \
    .schedules = RUNS(P3D_1F1B), \
    .lacks = P3D_LACKS_PIPELINE_LAYER_COUNTS | P3D_LACKS_ODD_GROUPS, \
    .states = {PLAIN_32("Paddle, fp32"), PADDLE_16, PADDLE_16, PADDLE_16, \
        PURE_16("Paddle, 16-bit states")}, \
    .offload_gradient_bytes = 2, \
    .wgrad_pass_bytes = 6, .optimizer_pass_bytes = 38, .gradient_passes = 3, \
    .gathers_after_step = true, .shares_by_layer = true, \
    .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY, .vocab_multiple = 128, \
    .kept = {.gated_tensors = 4}, .pipeline_tensors = 2, \
    .n_cublas_workspaces = 2, \
    .modules = P3D_MODULE_CORE_ATTENTION, \
    .usual_modules = P3D_MODULE_CORE_ATTENTION, \
    .attention = {P3D_FLASH_1, P3D_FLASH_2}, .kernels = FLASH_ATTN, \
    .host_s_per_kernel = 18e-6, .memory_error_frac = 0.10

/* PyTorch's wrappers of a module: DDP and FSDP1. */
#define WRAPPED \
    .zero_stages_pipeline = 0, \
    .schedules = RUNS(P3D_1F1B), \
    .lacks = P3D_LACKS_LAYER_GROUPS, \
    .offload_gradient_bytes = 2, .vocab_multiple = 1, \
    .n_cublas_workspaces = 2, \
    .modules = P3D_MODULE_CORE_ATTENTION, \
    .usual_modules = P3D_MODULE_CORE_ATTENTION, \
    .overlap_dp = ZERO_ANY, .overlap_dp_asked = ZERO_ANY, \
    .shares_by_layer = true, .overlaps_copies = true, \
    .host_s_per_kernel = 8e-6

/* DistributedDataParallel. */
#define DDP \
    WRAPPED, \
    .autocasts = true, \
    .compresses = P3D_COMPRESS_LOW_RANK | P3D_COMPRESS_8_BIT, \
    .zero_stages = ZERO(0), \
    .usual_zero = {0, 0}, \
    .states = {PLAIN_32("DDP, fp32"), DDP_16, DDP_16, DDP_16, \
        FSDP2_PURE_16}, \
    .gather_pass_bytes = 6, .optimizer_pass_bytes = 40, \
    /* bucket_cap_mb of torch/nn/parallel/distributed.py, of fp32. One GPU has \
     * nothing to reduce, and no buckets. */ \
    .reduce_bucket = 25 * 1024 * 1024 / 4.0, .bucket_copy_bytes = 4

/* FSDP1, compiled or not. */
#define FSDP1 \
    .wraps = true, \
    .zero_stages = ZERO(2) | ZERO(3), \
    .usual_zero = {3, 3}, \
    .hybrid_stages = ZERO(2) | ZERO(3), \
    .states = {PLAIN_32("FSDP1, fp32"), FSDP2_16, FSDP2_16, FSDP2_16, \
        FSDP2_PURE_16}, \
    .gather_pass_bytes = 6, \
    .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_EAGER, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS, \
    .memory_error_frac = 0.12

/* FSDP2 alone. */
#define SHARDED \
    .tensor_parallel = true, \
    .states = {PLAIN_32("FSDP2, fp32"), FSDP2_16, FSDP2_16, FSDP2_16, \
        FSDP2_PURE_16}, \
    .gather_pass_bytes = 6, \
    .optimizer_pass_bytes = 40, .vocab_multiple = 1, \
    .head_norm_extra_bytes = 4, .expands_keys_values = true, \
    .keeps_gathered_input = true, .frees_gradients = true, \
    .n_cublas_workspaces = 2, \
    .overlap_dp = ZERO_ANY, .overlap_dp_asked = ZERO_ANY, \
    .shares_by_layer = true, .overlaps_copies = true, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, \
    .host_s_per_kernel = 8e-6

/* FSDP2 with torch.compile. */
#define FSDP2 \
    SHARDED, \
    .kept = {.gated_tensors = 3}, \
    .kept_eager = {.gated_tensors = 4, .norm_extra_bytes = 4, \
        .last_product = true}, \
    .compiles = true, \
    .pass = {PASS_COMPILED, PASS_COMPILED}

/* Layers of Hugging Face's transformers; a LayerNorm keeps so many bytes per
 * element more than its 16-bit input: with autocast (accelerate) an fp32 copy
 * in its place, with DeepSpeed none. */
#define TRANSFORMERS(more_bytes) \
    .kept = {.gated_tensors = 4, .norm_extra_bytes = 4, \
        .layer_norm_extra_bytes = more_bytes}, \
    /* linkedin/Liger-Kernel@v0.8.0 src/liger_kernel/ops/swiglu.py:94-95, \
     * rms_norm.py (keeps its input and a number per row). */ \
    .kept_liger = {.gated_tensors = 3, .in_place = true}, \
    .pass_liger = PASS_LIGER, \
    /* models/llama/modeling_llama.py eager_attention_forward: scale, mask, \
     * softmax to fp32, cast; of a run in fp32 no cast. */ \
    .softmax = {{{20, 20}, {4, 3}, true}, {{24, 20}, {3, 2}, true}}, \
    .kernels = ALL_KERNELS

/* What torchtitan has beside it. */
#define TORCHTITAN \
    .zero_stages = ZERO(2) | ZERO(3), \
    .zero_stages_pipeline = ZERO(2) | ZERO(3), \
    .usual_zero = {3, 2}, \
    .hybrid_stages = ZERO(2) | ZERO(3), \
    .pipeline = true, \
    .schedules = RUNS(P3D_1F1B) | RUNS(P3D_GPIPE) | RUNS(P3D_INTERLEAVED) \
        | RUNS(P3D_ZB_V) | RUNS(P3D_DUALPIPE_V), \
    .context_parallel = true, .expert_parallel = true, \
    .grouped_experts = true, .uneven_stages = true, .layer_map = true, \
    .stream_pools = true, \
    /* No gradient is reduced or shared out before the last micro-batch of a \
     * chunk; until then they are added up in the data type of the reduction. \
     * pytorch@2.6.0 torch/distributed/pipelining/stage.py \
     * (backward_maybe_with_nosync), torch/distributed/fsdp/_fully_shard/ \
     * _fsdp_param.py (to_accumulated_grad_if_needed). 405B with TP 8 and \
     * PP 8 reserves 82.5 GiB, interleaved 72.7 (tests/accuracy/runs.csv, \
     * tt24-T5): 66.9 and 68.8 with gradients that are whole, 46.5 and 48.0 \
     * with shared ones, four sequences a micro-batch. */ \
    .reduces_pipelines_once = true, \
    .modules = P3D_MODULE_PER_OP, \
    .usual_modules = P3D_MODULE_PER_OP, \
    .kernels = ALL_KERNELS

/* Before and after tensor parallelism gathered its inputs again. */
#define NANOTRON \
    .zero_stages = ZERO(0) | ZERO(1), \
    .zero_stages_pipeline = ZERO(0) | ZERO(1), \
    .usual_zero = {1, 1}, \
    .tensor_parallel = true, .pipeline = true, \
    .schedules = RUNS(P3D_1F1B), \
    .uneven_stages = true, .layer_map = true, \
    .states = {PLAIN_32("nanotron, fp32"), NANOTRON_16, NANOTRON_16, \
        NANOTRON_16, PURE_16("nanotron, 16-bit states")}, \
    .splits_by_cost = true, .copies_keys_values = true, \
    .copies_output = true, .offload_gradient_bytes = 4, \
    .wgrad_pass_bytes = 10, .gather_pass_bytes = 2, \
    .optimizer_pass_bytes = 48, \
    /* Their norm, scaled whatever it is, zeroed: nanotron@2411b022 src/ \
     * nanotron/optim/clip_grads.py, gradient_accumulator.py:281. */ \
    .gradient_passes = 4, \
    .usual_loss = P3D_LOSS_SHARDED_IN_PLACE, \
    .vocab_multiple = 1, \
    .kept = {.gated_tensors = 4}, \
    .modules = P3D_MODULE_CORE_ATTENTION, \
    .usual_modules = P3D_MODULE_CORE_ATTENTION, \
    /* Without shared states DDP's hook reduces beside the last \
     * backward; with them gradients are reduced whole after it, and \
     * weights gathered after the step. optim/gradient_accumulator.py: \
     * 322-399, trainer.py:643-654, zero.py. Buckets of 16-bit gradients: \
     * config/config.py:313. */ \
    .overlap_dp = ZERO(0), .reduce_bucket = 25 * 1024 * 1024 / 2.0, \
    .reduces_whole = true, .gathers_after_step = true, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, \
    .pass = {PASS_FSDP1, PASS_UNFUSED}, \
    .host_s_per_kernel = 8e-6

/* Aleph-Alpha/scaling@7848929 src/scaling/core/optimizer/parameter_group.py:
 * 134-190 (a flat 16-bit copy, a shard in fp32), step_prequel (gradients of the
 * shard in fp32, the others freed). */
#define ALEPH_ALPHA_16 { \
    STATES(2, 0, 2, 0, 4, 0, 4, 0, "Scaling without ZeRO"), \
    STATES(2, 0, 2, 0, 0, 4, 0, 4, "Scaling, zero"), \
    STATES(2, 0, 2, 0, 0, 4, 0, 4, "not offered"), \
    STATES(2, 0, 2, 0, 0, 4, 0, 4, "not offered")}

/* Aleph-Alpha/scaling@7848929 src/scaling/core/nn: residual additions (12) and
 * norms, as one kernel (8; backward 12) or as operations on fp32 copies (72;
 * backward 184), joins of gradients (18); SiLU and product apart (10 per MLP
 * element, 18 backward); rotary positions as single operations (40), backward
 * with the parts of the joint product (52). */
#define PASS_ALEPH_ALPHA(forward, backward) \
    {.residual = {forward, backward}, .mlp = {10 / 1.5, 18 / 1.5}, \
    .attention = {40, 52}, .n_kernels = {16, 30}, .single = true}

/* Scaling@7848929 src/scaling: 16-bit gradients, reduced after the last
 * backward in buckets through fp32 (core/optimizer/allreduce.py); logits
 * gathered from the ranks that share the vocabulary (core/nn/linear/
 * column_parallel_linear.py), PyTorch's loss on them in fp32 (transformer/
 * model/model.py loss_function), and two buffers for the outputs of the last
 * stage that nothing empties (core/nn/parallel_module/buffers.py, core/nn/
 * pipeline_schedule/train.py required_buffer_count); keys and values beside the
 * product that they are views of, and the output of attention in two layouts
 * (core/nn/attention/attention.py); the norm gathers the sequence (core/nn/
 * norm/rms_norm.py). The split segments of the logits: a replay of PyTorch's
 * allocator (best fit, splits, merges, whole segments given back when memory
 * runs short) over two steps of 60 layouts leaves 4.6 to 10 bytes per logit,
 * 7.8 in the mean, and 0.4 to 3 % of the rest. */
#define ALEPH_ALPHA \
    .devices = P3D_ON_CUDA, \
    .versions = "Aleph-Alpha/scaling@7848929", \
    .standing = P3D_FRAMEWORK_PAST, \
    .zero_stages = ZERO(0) | ZERO(1), \
    .zero_stages_pipeline = ZERO(0) | ZERO(1), \
    .usual_zero = {1, 1}, \
    .tensor_parallel = true, .pipeline = true, \
    .schedules = RUNS(P3D_1F1B), \
    .splits_by_items = true, \
    .lacks = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS | \
        P3D_LACKS_SELECTIVE | P3D_LACKS_FP8, \
    .states = {PLAIN_32("Scaling, fp32"), ALEPH_ALPHA_16, ALEPH_ALPHA_16, \
        ALEPH_ALPHA_16, PURE_16("Scaling, 16-bit states")}, \
    .step_bucket = 5e8, .reduced_bytes = 6, .frees_gradients = true, \
    .offload_gradient_bytes = 2, .wgrad_pass_bytes = 6, \
    .gather_pass_bytes = 2, .optimizer_pass_bytes = 116, \
    .usual_loss = P3D_LOSS_EAGER, .metric_pass_bytes = 4, \
    .vocab_multiple = 1, .gathers_logits = true, .held_logits = 2, \
    .logits_hole_bytes = 8, \
    .copies_keys_values = true, .copies_output = true, \
    .keeps_gathered_input = true, .pipeline_tensors = 1, \
    .n_cublas_workspaces = 2, \
    .modules = P3D_MODULE_CORE_ATTENTION, \
    .usual_modules = P3D_MODULE_CORE_ATTENTION, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = FLASH_ATTN, \
    .reduces_gate_apart = true, /* core/nn/mlp.py ParallelSwiGLUMLP */ \
    .reduces_whole = true, .gathers_after_step = true, \
    .host_s_per_kernel = 8e-6, .memory_error_frac = 0.06

#define ALEPH_ALPHA_PLAIN \
    ALEPH_ALPHA, \
    .kept = {.gated_tensors = 4, .norm_extra_bytes = 4}, \
    .head_norm_extra_bytes = 4, \
    .pass = {PASS_ALEPH_ALPHA(84, 202), PASS_ALEPH_ALPHA(84, 202)}
/* clang-format on */

#endif
