/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework.c - the table of training frameworks: one row, one framework. */
#include "plan3d/framework.h"

#include <stddef.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/framework_states.h"

#define ZERO(z)       (1u << (z))
#define ZERO_ANY      (ZERO(4) - 1)
#define RUNS(s)       (1u << (s))
#define ALL_SCHEDULES (RUNS(P3D_N_SCHEDULES) - 1)
#define SENDS(d)      (1u << P3D_DISPATCH_##d)
#define CASTS(r)      (1u << P3D_FP8_##r)
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
#define PASS_EAGER {.residual = {22, 46}, .mlp = {4, 8}, \
    .attention = {6, 10}, .n_kernels = {12, 20}}
/* RMSNorm, SwiGLU and rotary positions as separate PyTorch operations. */
#define PASS_UNFUSED {.residual = {34, 56}, .mlp = {10, 16}, \
    .attention = {20, 28}, .n_kernels = {24, 40}}
/* transformers@0022728 models/llama/modeling_llama.py: norms on fp32 copies
 * (72; backward 144), residual additions (12), joins of gradients (18); SiLU
 * and product apart (10 per MLP element, 18 backward); rotary positions as
 * single operations (40, 52). */
#define PASS_TRANSFORMERS {.residual = {84, 162}, \
    .mlp = {10 / 1.5, 18 / 1.5}, .attention = {40, 52}, .n_kernels = {30, 50}}
/* linkedin/Liger-Kernel@v0.8.0 src/liger_kernel/ops: norms (8; backward 12),
 * SwiGLU (6; 10 per MLP element) and rotary positions in place (5) as one
 * kernel each; additions and joins as above. */
#define PASS_LIGER {.residual = {20, 30}, .mlp = {6 / 1.5, 10 / 1.5}, \
    .attention = {5, 5}, .n_kernels = {8, 14}}
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
    .attention = {8, 8}, .n_kernels = {12, 30}}
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
 * kimi_workload_base_configs.py. */
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
    .vocab_multiple = 128, .keeps_towers = true, \
    .usual_modules = P3D_MODULE_CORE_ATTENTION

/* What those of 2023 have beside it. */
#define MEGATRON_2023 \
    .zero_stages = ZERO(0) | ZERO(1), \
    .dispatchers = SENDS(ALL_GATHER), \
    .adds_in_product = true, \
    .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY, \
    .kept = {.gated_tensors = 4}, \
    .n_cublas_workspaces = 4, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, \
    .async_tensor_parallel = {true, true}, \
    /* --overlap-grad-reduce, --overlap-param-gather. */ \
    .overlap_dp_asked = ZERO(0) | ZERO(1), \
    .pass = {PASS_EAGER, PASS_UNFUSED}, \
    .host_s_per_kernel = 18e-6

/* Alone, and under Hugging Face Transformers. */
#define DEEPSPEED \
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
    .shares_by_layer = true, \
    .host_s_per_kernel = 8e-6

/* FSDP1, compiled or not. */
#define FSDP1 \
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
    .shares_by_layer = true, \
    .attention = {P3D_FLASH_2, P3D_FLASH_2}, \
    .host_s_per_kernel = 8e-6

/* FSDP2 with torch.compile. */
#define FSDP2 \
    SHARDED, \
    .kept = {.gated_tensors = 3}, \
    .kept_eager = {.gated_tensors = 4, .norm_extra_bytes = 4, \
        .last_product = true}, \
    .compiles = true, \
    .pass_eager = PASS_UNFUSED, \
    .pass = {PASS_COMPILED, PASS_COMPILED}

/* Layers of Hugging Face's transformers. */
#define TRANSFORMERS \
    .usual_loss = P3D_LOSS_EAGER_KEPT, \
    .kept = {.gated_tensors = 4, .norm_extra_bytes = 4}, \
    /* linkedin/Liger-Kernel@v0.8.0 src/liger_kernel/ops/swiglu.py:94-95, \
     * rms_norm.py (keeps its input and a number per row). */ \
    .kept_liger = {.gated_tensors = 3, .in_place = true}, \
    .pass_liger = PASS_LIGER, \
    /* models/llama/modeling_llama.py eager_attention_forward: scale, mask, \
     * softmax to fp32, cast. */ \
    .softmax_bytes = {20, 20}, \
    .pass = {PASS_TRANSFORMERS, PASS_TRANSFORMERS}, \
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
 * backward 144), joins of gradients (18); SiLU and product apart (10 per MLP
 * element, 18 backward); rotary positions as single operations (40), backward
 * with the parts of the joint product (52). */
#define PASS_ALEPH_ALPHA(forward, backward) \
    {.residual = {forward, backward}, .mlp = {10 / 1.5, 18 / 1.5}, \
    .attention = {40, 52}, .n_kernels = {16, 30}}

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
    .reduces_whole = true, .gathers_after_step = true, \
    .host_s_per_kernel = 8e-6, .memory_error_frac = 0.06

#define ALEPH_ALPHA_PLAIN \
    ALEPH_ALPHA, \
    .kept = {.gated_tensors = 4, .norm_extra_bytes = 4}, \
    .head_norm_extra_bytes = 4, \
    .pass = {PASS_ALEPH_ALPHA(84, 162), PASS_ALEPH_ALPHA(84, 162)}

static const p3d_framework frameworks[] = {
    {
        .name = "megatron-core",
        .title = "Megatron-LM (megatron-core with Transformer Engine)",
        .versions = "Megatron-LM@d98e8a64",
        MEGATRON,
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
        .modules = MEGATRON_MODULES,
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
        MEGATRON,
        .zero_stages = ZERO(0) | ZERO(1),
        .hybrid_stages = ZERO(1),
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .dispatchers = SENDS(ALL_GATHER) | DEEPEP,
        .expert_overlap = true, .graphs = true,
        .pp_before_dp = true,
        .adds_in_product = true,
        .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .kept = {.gated_tensors = 3}, .n_cublas_workspaces = 4,
        /* megatron/core/transformer/transformer_layer.py (recompute_mlp). */
        .modules = P3D_MODULE_CORE_ATTENTION | P3D_MODULE_MLP,
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
        MEGATRON,
        .zero_stages = ZERO(0) | ZERO(1),
        .schedules = RUNS(P3D_1F1B) | RUNS(P3D_INTERLEAVED),
        .dispatchers = SENDS(ALL_GATHER),
        .usual_loss = P3D_LOSS_VOCAB_PARALLEL_COPY,
        .copies_output = true, .kept = {.gated_tensors = 4},
        .n_cublas_workspaces = 4,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .attention = {P3D_EAGER, P3D_EAGER}, .kernels = EAGER_ALONE,
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
        .name = "deepspeed",
        .title = "DeepSpeed (with Megatron-DeepSpeed for tensor parallelism)",
        .versions = "DeepSpeed@edaa7221",
        DEEPSPEED,
        .zero_stages_pipeline = ZERO(0) | ZERO(1),
        .usual_zero = {1, 1},
        .tensor_parallel = true, .pipeline = true,
        .expert_parallel = true,
        .layer_map = true,
        .lacks = P3D_LACKS_PIPELINE_LAYER_COUNTS | P3D_LACKS_ODD_GROUPS,
        .bucket_zero = 2,
        .step_bucket = 5e8,
        .usual_loss = P3D_LOSS_VOCAB_PARALLEL,
        .vocab_multiple = 128,
        .kept = {.gated_tensors = 4}, .pipeline_tensors = 2,
        /* runtime/pipe/engine.py:136-140, _exec_forward_pass. */
        .partitions_outputs = true,
        .n_cublas_workspaces = 4,
        .pass = {PASS_EAGER, PASS_UNFUSED},
        .kernels = FLASH_ATTN,
        .scatters_boundary = true,
        .host_s_per_kernel = 18e-6,
        .memory_error_frac = 0.10,
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
        TRANSFORMERS,
        .vocab_multiple = 1,
        .head_norm_extra_bytes = 4, .holds_gathered_weights = true,
        .n_cublas_workspaces = 2,
        .reduce_bytes = 2, /* runtime/engine.py:1405-1416 */
        .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.06,
    },
    {
        .name = "ddp",
        .title = "PyTorch DistributedDataParallel with autocast",
        .versions = "pytorch@2.6.0 torch/nn/parallel/distributed.py",
        WRAPPED,
        .zero_stages = ZERO(0),
        .usual_zero = {0, 0},
        .states = {PLAIN_32("DDP, fp32"), DDP_16, DDP_16, DDP_16,
            FSDP2_PURE_16},
        .gather_pass_bytes = 6,
        .optimizer_pass_bytes = 40, .usual_loss = P3D_LOSS_EAGER,
        .kept = {.gated_tensors = 4, .norm_extra_bytes = 4},
        .head_norm_extra_bytes = 4,
        .attention = {P3D_FLASH_2, P3D_FLASH_2}, .kernels = ALL_KERNELS,
        .pass = {PASS_FSDP1, PASS_UNFUSED},
        /* bucket_cap_mb of torch/nn/parallel/distributed.py, of fp32. */
        .reduce_bucket = 25 * 1024 * 1024 / 4.0,
        .memory_error_frac = 0.12,
    },
    {
        .name = "fsdp1",
        .title = "PyTorch FSDP1 (FullyShardedDataParallel, not compiled)",
        .versions = "llm-foundry@8c8dd48",
        WRAPPED, FSDP1,
        .kept = {.gated_tensors = 4},
        .pass = {PASS_FSDP1, PASS_UNFUSED},
    },
    {
        .name = "fsdp1-compiled",
        .title = "PyTorch FSDP1 with torch.compile",
        .versions = "fms-fsdp@ed74fd5",
        .standing = P3D_FRAMEWORK_PAST,
        WRAPPED, FSDP1,
        .kept = {.gated_tensors = 3},
        .kept_eager = {.gated_tensors = 4},
        .compiles = true, .pass_eager = PASS_UNFUSED,
        .pass = {PASS_COMPILED, PASS_COMPILED},
    },
    {
        .name = "llm-foundry",
        .title = "LLM Foundry on Composer (FSDP1, not compiled)",
        .versions = "llm-foundry@b2a43a147, composer@v0.16.4",
        .standing = P3D_FRAMEWORK_PAST,
        WRAPPED,
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
        .title = "PyTorch FSDP2 (torchtitan, torch.compile)",
        .fp8_recipes = TORCHAO_CASTS | CASTS(MXFP8),
        .versions = "torchtitan@b5bcd76c",
        FSDP2, TORCHTITAN,
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
        .usual_loss = P3D_LOSS_COMPILED,
        .memory_error_frac = 0.06,
    },
    {
        .name = "fsdp2-hf",
        .title = "PyTorch FSDP2 under Hugging Face Transformers (accelerate)",
        .fp8_recipes = TORCHAO_CASTS,
        .versions = "accelerate@16cb6eb8, transformers@0022728",
        SHARDED, TRANSFORMERS,
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
        .title = "PyTorch FSDP2 (torchtitan of 2024, loss not compiled)",
        .fp8_recipes = TORCHAO_CASTS,
        .versions = "torchtitan@9dec370",
        .standing = P3D_FRAMEWORK_PAST,
        FSDP2, TORCHTITAN,
        .offload_gradient_bytes = 2,
        .lacks = P3D_LACKS_MICRO_BATCH_GROUPS | P3D_LACKS_LAYER_GROUPS |
            P3D_LACKS_HEAD_GROUPS,
        .usual_loss = P3D_LOSS_EAGER,
        .keeps_last_layer = true,
        .memory_error_frac = 0.06,
    },
    {
        .name = "torchtune",
        .title = "torchtune (16-bit weights; FSDP2 on several GPUs)",
        .versions = "torchtune@1814feb17",
        FSDP2,
        .offload_gradient_bytes = 2,
        .zero_stages = ZERO(0) | ZERO(2) | ZERO(3),
        .zero_stages_pipeline = 0,
        .usual_zero = {3, 3},
        .schedules = RUNS(P3D_1F1B),
        .activation_offload = true,
        .lacks = P3D_LACKS_LAYER_GROUPS,
        .usual_loss = P3D_LOSS_COMPILED,
        .pure_16 = true,
        .modules = P3D_MODULE_CORE_ATTENTION,
        .usual_modules = P3D_MODULE_CORE_ATTENTION,
        .kernels = SDPA_KERNELS,
        .memory_error_frac = 0.05,
    },
    {
        .name = "nanotron",
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
        .pass = {PASS_INTERNLM, PASS_INTERNLM}, .host_s_per_kernel = 8e-6,
        .memory_error_frac = 0.10,
    },
    {
        .name = "aleph-alpha",
        .title = "Scaling of Aleph Alpha (norms of single operations)",
        ALEPH_ALPHA_PLAIN,
        /* src/scaling/core/nn/masked_softmax/masked_softmax.py, in fp32: copy
         * (6), mask (8), softmax (8), cast (6); 6, 8, 12 and 6 backward. */
        .softmax_bytes = {28, 32},
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
