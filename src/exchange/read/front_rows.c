/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_rows.c - the table of front ends: how they are known, what their
 * options are on the target, what they set by themselves.
 *
 * Names and defaults: hiyouga/LLaMA-Factory@ff6d4d12 src/llamafactory/hparams;
 * axolotl@067b021c src/axolotl/utils/schemas; ms-swift@3602360a swift/megatron/
 * arguments/megatron_args.py;
 * Primus@fd1eeabb
 * primus/configs/modules/megatron; torchtune@bd2a0fc7 recipes/
 * full_finetune_distributed.py; NeMo-Framework-Launcher@26e42fa9
 * launcher_scripts/conf/training; accelerate@16cb6eb8 src/accelerate/utils/
 * dataclasses.py; old names of Megatron-LM:
 * Megatron-LM@d98e8a64 megatron/training/arguments.py (validate_args). */
#include "exchange/read/front_trainer.h"

#include <stddef.h>

#include "base/util.h"

#define FSDP    "fsdp_config.fsdp_"
#define PART(x) "parallelism_config.parallelism_config_" x "_size"

/* clang-format off */
/* A launcher that starts a process for each GPU, and shards nothing. */
#define IS_REPLICATED \
    EXCHANGE_BY_TORCHRUN "|@one|distributed_type=MULTI_GPU"
#define NO_ARGUMENTS \
    "!num-layers|hidden-size|tensor-model-parallel-size|micro-batch-size|"\
    "zero-stage|pipeline-model-parallel-size|deepspeed_config|finetuning_type|"\
    "base_model|model_name_or_path|model_name|model_id|"\
    "per_device_train_batch_size"
#define WEIGHTS_16 \
    "weights loaded in 16 bit: those of fp32 with autocast are counted"
#define STEP_BATCH \
    "batch of a step (micro-batch x gradient_accumulation_steps x replicas)",\
    "global-batch-size=N"
/* How ms-swift's Trainer is known. */
#define SWIFT \
    EXCHANGE_BY_SWIFT "|tuner_type|train_type|load_from_cache_file|attn_impl|" \
    "split_dataset_ratio"
#define SWIFT_TOO EXCHANGE_BY_SWIFT "|per_device_train_batch_size|max_length"

#define BESIDE_JSON "script or the arguments of its program"
#define JSON_NEEDS \
    {{"train_batch_size|train_micro_batch_size_per_gpu", \
      "size of a micro-batch", "train_micro_batch_size_per_gpu=N"}}

/* Megatron-LM's own: names that it had, and vocabularies of its tokenizers. */
static const exchange_rename megatron_names[] = {
    {"tokenizer-type", "GPT2BPETokenizer", "vocab-size", "50257", true},
    {"tokenizer-type", "Llama2Tokenizer", "vocab-size", "32000", true},
    {"checkpoint-activations", "true", "recompute-method", "uniform", true},
    {"checkpoint-activations", "true", "recompute-num-layers", "1", true},
    {"checkpoint-activations", "true", "recompute-granularity", "full", false},
    {"checkpoint-activations", "false", NULL, NULL, false},
    {"checkpoint-num-layers", NULL, "recompute-num-layers", NULL, false},
    {"merge-file", NULL, "vocab-size", "50257", true},
    {"padded-vocab-size", NULL, "vocab-size", NULL, true},
    {"pad-vocab-size-to", NULL, "vocab-size", NULL, true},
    {"use-rotary-position-embeddings", "true", "position-embedding-type",
     "rope", true},
    {"position-embedding-type", "alibi", "use-rotary-position-embeddings",
     "true", true},
    {"position-embedding-type", "alibi", "position-embedding-type", "rope",
     false},
    {"activations-checkpoint-method", NULL, "recompute-num-layers", "1", true},
    {"activations-checkpoint-method", NULL, "recompute-granularity", "full",
     true},
    {"activations-checkpoint-method", NULL, "recompute-method", NULL, false},
    {"activations-checkpoint-num-layers", NULL, "recompute-num-layers", NULL,
     false},
    {"rampup-batch-size", NULL, "=the batch", "after its ramp-up", true},
    {"rampup-batch-size", NULL, NULL, NULL, false},
    {"rampup-batch-size.2", NULL, "=the batch", "after its ramp-up", true},
    {"rampup-batch-size.0", NULL, NULL, NULL, false},
    {"rampup-batch-size.1", NULL, NULL, NULL, false},
    {"rampup-batch-size.2", NULL, NULL, NULL, false},
    {"moe-layer-freq", "-1", NULL, NULL, false}, /* MindSpeed: all layers */
    {"first-k-dense-replace", "-1", NULL, NULL, false},
    /* The same exchanges, of a version that gathered the sequence first. */
    {"moe-token-dispatcher-type", "alltoall_seq", "moe-token-dispatcher-type",
     "alltoall", false},
    {"spec", "local", NULL, NULL, false},
    {"use-torch-fsdp2", "true", "use-megatron-fsdp", "true", true},
    {"optimizer", "dist_muon", "distributed-muon", "true", false},
    {"use-custom-fsdp", NULL, "use-megatron-fsdp", NULL, false},
};

/* Megatron-Bridge@067f987d, models of Hugging Face: what their providers have,
 * and what bf16_mixed does without a word (training/mixed_precision.py). */
#define CFG "cfg."
static const exchange_rename loaded_names[] = {
    {EXCHANGE_LOADED_MODEL, NULL, CFG "model.attention_dropout", "0", true},
    {EXCHANGE_LOADED_MODEL, NULL, CFG "model.hidden_dropout", "0", true},
    IDLE(CFG "optimizer.main_grads_dtype", "torch.float32"),
    IDLE(CFG "optimizer.main_params_dtype", "torch.float32"),
    IDLE(CFG "optimizer.exp_avg_dtype", "torch.float32"),
    IDLE(CFG "optimizer.exp_avg_sq_dtype", "torch.float32"),
    IDLE(CFG "ddp.grad_reduce_in_fp32", "true"),
    IDLE(CFG "model.moe_grouped_gemm", "true"),
    DROPPED(CFG "model.moe_hybridep_num_sms"),
    DROPPED(CFG "model.moe_router_padding_for_fp8"),
    IDLE("cfg", "_pretrain_common()"), IDLE("cfg", "_sft_common()"),
    AS("cfg", "recipe_beside"),
};

static const exchange_rename bridge_data_names[] = {
    AS("dataset.sequence_length", "dataset.seq_length"),
};

/* src/megatron/bridge/training/comm_overlap.py, where a recipe has it made in
 * one call. */
#define OVERLAPS(name) AS("CommOverlapConfig." name, "comm_overlap." name)
static const exchange_rename bridge_overlap_names[] = {
    OVERLAPS("tp_comm_overlap"), OVERLAPS("overlap_grad_reduce"),
    OVERLAPS("overlap_param_gather"),
    OVERLAPS("overlap_moe_expert_parallel_comm"),
};

static const exchange_rename nemo_names[] = {
    {"trainer.accumulate_grad_batches", "1", NULL, NULL, false},
    {"trainer.precision", "bf16", "bf16", "true", false},
    {"trainer.precision", "bf16-mixed", "bf16", "true", false},
    {"trainer.precision", "16", "fp16", "true", false},
    {"trainer.precision", "16-mixed", "fp16", "true", false},
    {"encoder_seq_length", NULL, "seq-length", NULL, false},
    {"ffn_hidden_size", "${multiply:4, ${.hidden_size}}", NULL, NULL, false},
    {"kv_channels", "null", NULL, NULL, false},
    {"num_query_groups", "null", NULL, NULL, false},
    {"num_query_groups", NULL, "group-query-attention", "true", true},
    {"activations_checkpoint_granularity", NULL, "recompute-granularity", NULL,
     false},
    {"activations_checkpoint_method", NULL, "recompute-method", NULL, false},
    {"exp_manager.checkpoint_callback_params.model_parallel_size", NULL, NULL,
     NULL, false},
    {"activations_checkpoint_num_layers", "0", NULL, NULL, false},
    {"activations_checkpoint_num_layers", NULL, "recompute-num-layers", NULL,
     false},
    {"activations_checkpoint_layers_per_pipeline", "null", NULL, NULL, false},
    {"num_micro_batches_with_partial_activation_checkpoints", "null", NULL,
     NULL, false},
    {"optim.name", "distributed_fused_adam", "use-distributed-optimizer",
     "true", false},
    {"optim.name", "mcore_distributed_optim", "use-distributed-optimizer",
     "true", false},
    {"optim.overlap_grad_sync", NULL, "overlap-grad-reduce", NULL, false},
    {"optim.overlap_param_sync", NULL, "overlap-param-gather", NULL, false},
    {"optim.contiguous_grad_buffer", NULL, NULL, NULL, false},
    {"optim.bucket_cap_mb", NULL, NULL, NULL, false},
    {"optim.grad_sync_dtype", "bf16", "grad-reduce-in-bf16", "true", false},
    {"bias", "false", "disable-bias-linear", "true", false},
    {"bias", "true", NULL, NULL, false},
    {"activation", "fast-swiglu", "swiglu", "true", false},
    {"activation", "swiglu", "swiglu", "true", false},
    {"normalization", "layernorm1p", "normalization", "LayerNorm", false},
    {"normalization", "rmsnorm", "normalization", "RMSNorm", false},
    {"share_embeddings_and_output_weights", "false",
     "untie-embeddings-and-output-weights", "true", false},
    {"tokenizer.type", "GPT2BPETokenizer", "vocab-size", "50257", true},
    {"num_moe_experts", NULL, "num-experts", NULL, false},
    {"override_vocab_size", "null", NULL, NULL, false},
    {"override_vocab_size", NULL, "vocab-size", NULL, false},
    {"ub_tp_comm_overlap", NULL, "tp-comm-overlap", NULL, false},
    {"fp8", "false", NULL, NULL, false},
    {"fp8_e4m3", "true", "fp8-format", "e4m3", true},
    {"fp8_hybrid", "true", "fp8-format", "hybrid", true},
    {"fp8_e4m3", NULL, NULL, NULL, false},
    {"fp8_hybrid", NULL, NULL, NULL, false},
    {"fp8", NULL, NULL, NULL, false},
    {"optim.sched.constant_steps", NULL, NULL, NULL, false},
    {"optim.contiguous_param_buffer", NULL, NULL, NULL, false},
    {"batch_p2p_comm", "true", NULL, NULL, false},
    {"fsdp_sharding_strategy", NULL, NULL, NULL, false},
    {"fsdp_grad_reduce_dtype", NULL, NULL, NULL, false},
    {"ffn_dropout", "0.0", NULL, NULL, false},
    {"precision", NULL, NULL, NULL, false}, /* the trainer's */
    {"megatron_amp_O2", "true", NULL, NULL, false},
    {"rampup_batch_size", "null", NULL, NULL, false},
    {"data.seq_length", NULL, NULL, NULL, false},
    {"num_layers_per_virtual_pipeline_stage", "null", NULL, NULL, false},
    {"virtual_pipeline_model_parallel_size", "null", NULL, NULL, false},
};

/* LLaMA-Factory looks at an option of its own alone (model/model_utils/
 * checkpointing.py). */
#define FACTORY_CHECKPOINTS                                                    \
    {"disable_gradient_checkpointing", "true", "recompute-granularity", "none",\
     false},                                                                   \
    {"disable_gradient_checkpointing", "false", NULL, NULL, false},            \
    {"gradient_checkpointing", NULL, NULL, NULL, false}

static const exchange_rename deepspeed_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY,
    TRAINER_CHECKPOINTS, DEEPSPEED_NAMES};
/* Sequence parallelism exchanges heads (swift/sequence_parallel/ulysses.py). */
static const exchange_rename swift_trainer_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY,
    IDLE("sequence_parallel_size", "1"),
    AS("sequence_parallel_size", "ds-sequence-parallel-size"),
    TRAINER_CHECKPOINTS, DEEPSPEED_NAMES};
/* Beside FSDP2, which shards among all ranks. */
#define FC "fsdp_config."
static const exchange_rename swift_sharded_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY,
    AS("sequence_parallel_size", "ds-sequence-parallel-size"),
    {"fsdp", "full_shard auto_wrap offload", ZERO "offload_optimizer.device",
     "cpu", true},
    {"fsdp", "full_shard auto_wrap offload", ZERO "offload_param.device", "cpu",
     true},
    DROPPED("fsdp"), IDLE(FC "fsdp_version", "2"),
    IDLE(FC "reshard_after_forward", "true"),
    {FC "reshard_after_forward", "false", ZERO "stage", "2", false},
    {FC "activation_checkpointing", "true", "recompute-granularity", "full",
     false},
    {FC "activation_checkpointing", "false", "recompute-granularity", "none",
     false},
    DROPPED(FC "auto_wrap_policy"), DROPPED(FC "state_dict_type"),
    DROPPED(FC "cpu_ram_efficient_loading"),
    DROPPED(FC "transformer_layer_cls_to_wrap.0"),
    DROPPED(FC "transformer_layer_cls_to_wrap.1"),
    DROPPED(FC "transformer_layer_cls_to_wrap.2"),
    TRAINER_CHECKPOINTS, DEEPSPEED_NAMES};
static const exchange_rename ddp_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY,
    {"torch_dtype", "bfloat16", EXCHANGE_WEIGHTS_16, "true", true},
    {"dtype", "bfloat16", EXCHANGE_WEIGHTS_16, "true", false},
    {"dtype", "float32", NULL, NULL, false},
    TRAINER_CHECKPOINTS, TRAINER_NAMES};
/* Weights, gradients and moments are of the type that the model is loaded in:
 * axolotl/utils/config/__init__.py (torch_dtype), swift/arguments/base_args. */
static const exchange_rename pure_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY,
    {"bf16", "true", EXCHANGE_WEIGHTS_16, "true", true},
    {"bf16", "auto", EXCHANGE_WEIGHTS_16, "true", true},
    WHOLE_TYPES,
    {"torch_dtype", "bfloat16", EXCHANGE_WEIGHTS_16, "true", true},
    TRAINER_CHECKPOINTS, TRAINER_NAMES};
static const exchange_remark ddp_remarks[] = {
    {EXCHANGE_LACKS, {"!" IS_REPLICATED}, SHARED_ELSEWHERE},
    {EXCHANGE_LACKS_OF_ALL, {"!torch_dtype|dtype"}, WEIGHTS_16},
};
/* GRPO: swift/arguments/rlhf_args.py, trl's GRPOConfig (beta 0.04). Texts have
 * a question and an answer. */
#define IS_GRPO "rlhf_type=grpo"
#define REFERENCE_STAYS "the reference model's weights, which stay on the GPUs"
#define ENGINE_STAYS    "the engine that generates, which stays on the GPUs"
#define SWIFT_GRPO_REMARKS \
    {EXCHANGE_LACKS, {"task_type=embedding|task_type=reranker|"\
      "task_type=generative_reranker"}, \
     "another head than that of words, which is counted"}, \
    {EXCHANGE_SCOPE, {IS_GRPO}, \
     "the policy's step: answers are generated before it; each sequence "\
     "counts with its largest length"}, \
    {EXCHANGE_LACKS_OF_ALL, {IS_GRPO, "!beta=0|beta=0.0"}, \
     REFERENCE_STAYS}, \
    {EXCHANGE_LACKS, {IS_GRPO, "vllm_mode=colocate", \
     "!sleep_level=1|sleep_level=2"}, ENGINE_STAYS}
static const exchange_resident swift_residents[] = {
    {REFERENCE_STAYS, BY_ZERO_3, EXCHANGE_SHARDS, NULL, NULL},
    {REFERENCE_STAYS, "!" BY_ZERO_3, EXCHANGE_WEIGHTS, NULL, NULL},
    {ENGINE_STAYS, NULL, EXCHANGE_PORTION, "vllm_gpu_memory_utilization",
     "0.9"},
};
static const exchange_derived swift_derived[] = {
    {"seq-length", EXCHANGE_SUM, {"seq-length", "max_completion_length=512"},
     EXCHANGE_GRPO},
};
static const exchange_remark swift_deepspeed_remarks[] = {SWIFT_GRPO_REMARKS};
static const exchange_remark swift_remarks[] = {
    SWIFT_GRPO_REMARKS,
    {EXCHANGE_LACKS, {"!" EXCHANGE_PROCESSES "|" IS_REPLICATED},
     "one process alone, as NPROC_PER_NODE is not said: a replica on each GPU "
     "is counted"},
};
static const exchange_remark factory_remarks[] = {
    {EXCHANGE_LACKS, {EXCHANGE_SPEAKS_OF_FSDP, "!distributed_type=MULTI_GPU"},
     SHARED_ELSEWHERE},
    {EXCHANGE_LACKS, {EXCHANGE_ACCELERATE, "!distributed_type=MULTI_GPU"},
     SHARED_ELSEWHERE},
};
static const exchange_rename factory_deepspeed_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY,
    FACTORY_CHECKPOINTS, DEEPSPEED_NAMES};
static const exchange_rename factory_ddp_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY,
    FACTORY_CHECKPOINTS, TRAINER_NAMES};

/* The batch triple of deepspeed/runtime/config.py
 * _set_batch_related_parameters: what is not said follows, else is 1. */
static const exchange_derived alone_derived[] = {
    {"gradient_accumulation_steps", EXCHANGE_PRODUCT, {"=1"},
     "!train_batch_size|gradient_accumulation_steps"},
    {"gradient_accumulation_steps", EXCHANGE_PRODUCT, {"=1"},
     "!train_micro_batch_size_per_gpu|gradient_accumulation_steps"},
};

static const exchange_remark alone_remarks[] = {
    {EXCHANGE_LACKS, {NULL},
     "recomputation, which the program has: none is counted; --set "
     "recompute-granularity=full counts that of all layers"},
};

static const exchange_preset trainer_presets[] = {
    TRAINER_PRESETS, {"recompute-granularity", "none"},
};
/* axolotl/cli/main.py: accelerate launch, whose defaults shard nothing. */
static const exchange_preset axolotl_ddp_presets[] = {
    TRAINER_PRESETS, {"recompute-granularity", "none"},
    {"=sharding", "none, as accelerate launch has it without a configuration"},
};
/* bf16 is "auto" where nothing is said: axolotl/utils/schemas/config.py. */
#define NO_TYPE "!bf16.enabled|fp16.enabled|bf16|fp16|bfloat16|float16"
static const exchange_derived axolotl_derived[] = {
    {EXCHANGE_WEIGHTS_16, EXCHANGE_PRODUCT, {"=1"}, NO_TYPE},
    {"bf16.enabled", EXCHANGE_PRODUCT, {"=1"}, NO_TYPE},
};
/* LLaMA-Factory recomputes unless it is told not to. */
#define FACTORY_PRESETS \
    TRAINER_PRESETS, {"recompute-granularity", "full"}, {"seq-length", "2048"}
static const exchange_preset factory_presets[] = {FACTORY_PRESETS};
/* llamafactory/launcher.py */
static const exchange_preset factory_ddp_presets[] = {
    FACTORY_PRESETS, {"=sharding", "none, as llamafactory-cli starts torchrun"},
};

/* swift/arguments/sft_args.py: LoRA where nothing is said. */
#define SWIFT_PRESETS \
    TRAINER_PRESETS, {"recompute-granularity", "full"}, \
    {"bf16.enabled", "true"}, {"train_micro_batch_size_per_gpu", "1"}, \
    {"tuner_type", "lora"}
static const exchange_preset swift_trainer_presets[] = {SWIFT_PRESETS};
static const exchange_preset swift_sharded_presets[] = {
    {ZERO "stage", "3"}, SWIFT_PRESETS,
};
static const exchange_preset swift_ddp_presets[] = {
    SWIFT_PRESETS, {EXCHANGE_WEIGHTS_16, "true"},
};

#define OFFLOAD FSDP "offload_params"
#define AXOLOTL_NAMES \
    EXCHANGE_ACTIVATIONS_AWAY, \
    EXCHANGE_PREFERENCES, EXCHANGE_OPTIMIZERS, \
    {"liger_fused_linear_cross_entropy", "true", "use_liger_kernel", "true", \
     false}, \
    {"fsdp_config.sharding_strategy", "FULL_SHARD", NULL, NULL, false}, \
    {"fsdp_config.mixed_precision_policy", NULL, NULL, NULL, false}, \
    {"model_config.output_router_logits", NULL, NULL, NULL, false}, \
    {"gradient_checkpointing_kwargs", NULL, NULL, NULL, false}, \
    {"rl", NULL, "preference_pairs", "true", true}, \
    {"gradient_checkpointing_kwargs.use_reentrant", NULL, NULL, NULL, false}, \
    CUT_ROWS, \
    {"micro_batch_size", NULL, "per_device_train_batch_size", NULL, false}, \
    {"sequence_len", NULL, "max_seq_length", NULL, false}, \
    {"bf16", "true", "mixed_precision", "bf16", false}, \
    {"bf16", "auto", "mixed_precision", "bf16", false}, \
    {"bf16", "false", NULL, NULL, false}, \
    {"fp16", "true", "mixed_precision", "fp16", false}, \
    WHOLE_TYPES_OF_ACCELERATE, \
    {"fp16", "false", NULL, NULL, false}, \
    {"gradient_checkpointing", "true", FSDP "activation_checkpointing", \
     "true", \
     false}, \
    {"gradient_checkpointing", "false", NULL, NULL, false}, \
    {"fsdp_config.activation_checkpointing", NULL, \
     FSDP "activation_checkpointing", NULL, false}, \
    {"fsdp_config.reshard_after_forward", NULL, FSDP "reshard_after_forward", \
     NULL, false}, \
    {"fsdp_config.offload_params", NULL, OFFLOAD, NULL, false}, \
    {"fsdp_config.cpu_ram_efficient_loading", NULL, NULL, NULL, false}, \
    {"fsdp_config.auto_wrap_policy", NULL, NULL, NULL, false}, \
    {"fsdp_config.transformer_layer_cls_to_wrap", NULL, NULL, NULL, false}, \
    {"fsdp_config.fsdp_limit_all_gathers", NULL, NULL, NULL, false}, \
    {"fsdp_config.state_dict_type", NULL, NULL, NULL, false}, \
    {"fsdp_config.final_state_dict_type", NULL, NULL, NULL, false}, \
    {"tensor_parallel_size", NULL, PART("tp"), NULL, false}, \
    {"context_parallel_size", NULL, PART("cp"), NULL, false}, \
    /* deprecated: src/axolotl/utils/schemas/validation.py, \
     * check_context_parallel_size */ \
    {"sequence_parallel_degree", NULL, PART("cp"), NULL, false}, \
    {"dp_shard_size", NULL, PART("dp_shard"), NULL, false}, \
    {"dp_replicate_size", NULL, PART("dp_replicate"), NULL, false}, \
    {"optimizer", "adamw_torch_fused", NULL, NULL, false}, \
    {"optimizer", "adamw_torch", NULL, NULL, false}, \
    {"fsdp_version", NULL, NULL, NULL, false}, \
    {"fsdp_config.fsdp_version", "2", NULL, NULL, false}, \
    {"fsdp.0", "full_shard", NULL, NULL, false}, \
    {"fsdp.1", "auto_wrap", NULL, NULL, false}, \
    {"sample_packing", NULL, NULL, NULL, false}, \
    {"tf32", NULL, NULL, NULL, false}, \
    {"pad_to_sequence_len", NULL, NULL, NULL, false}
static const exchange_rename axolotl_names[] = {AXOLOTL_NAMES};

#define EIGHT_BITS(name) \
    {"optimizer._component_", name, EXCHANGE_OPTIMIZER, "adam-8bit", false}
/* Nothing is compiled unless a file says so (its recipes: cfg.get). */
static const exchange_preset torchtune_presets[] = {
    {"layers_are_eager", "true"},
};
#define TORCHTUNE_NAMES \
    {"dtype", "bf16", "mixed_precision", "bf16", false}, \
    {"dtype", "fp32", "mixed_precision", "no", false}, \
    {"enable_activation_checkpointing", NULL, FSDP "activation_checkpointing", \
     NULL, false}, \
    {"fsdp_reshard_after_forward", NULL, FSDP "reshard_after_forward", NULL, \
     false}, \
    {"tensor_parallel_dim", NULL, PART("tp"), NULL, false}, \
    {"context_parallel_dim", NULL, PART("cp"), NULL, false}, \
    {"data_parallel_shard_dim", "-1", NULL, NULL, false}, \
    {"data_parallel_shard_dim", NULL, PART("dp_shard"), NULL, false}, \
    {"data_parallel_replicate_dim", NULL, PART("dp_replicate"), NULL, false}, \
    {"tensor_parallel_plan._component_", NULL, NULL, NULL, false}, \
    {"custom_sharded_layers", NULL, NULL, NULL, false}, \
    {"batch_size_val", NULL, NULL, NULL, false}, \
    {"optimizer._component_", "torch.optim.AdamW", NULL, NULL, false}, \
    {"optimizer._component_", "bitsandbytes.optim.PagedAdamW", NULL, NULL, \
     false}, \
    EIGHT_BITS("bitsandbytes.optim.AdamW8bit"), \
    EIGHT_BITS("bitsandbytes.optim.PagedAdamW8bit"), \
    EIGHT_BITS("torchao.optim.AdamW8bit"), \
    EIGHT_BITS("torchao.prototype.low_bit_optim.AdamW8bit"), \
    {"optimizer.fused", NULL, NULL, NULL, false}, \
    {"optimizer_in_bwd", "false", NULL, NULL, false}, \
    {"optimizer_in_bwd", "true", "optimizer_in_backward", "true", false}, \
    {"compile", "true", "layers_are_eager", "false", false}, \
    {"compile", "false", "layers_are_eager", "true", false}, \
    {"enable_activation_offloading", NULL, "offloads_activations", NULL, \
     false}, \
    {"fsdp_cpu_offload", "false", NULL, NULL, false}, \
    {"dataset.packed", NULL, NULL, NULL, false}, \
    {"model.lora_rank", NULL, "lora_rank", NULL, false}
static const exchange_rename torchtune_names[] = {
    {"batch_size", NULL, "per_device_train_batch_size", NULL, false},
    {"tokenizer.max_seq_len", "null", NULL, NULL, false},
    {"tokenizer.max_seq_len", NULL, "max_seq_length", NULL, false},
    TORCHTUNE_NAMES,
};
/* Of GRPO a batch has questions, each with several answers (recipes/dev/
 * grpo_full_finetune_distributed.py, generate_trajectory). */
static const exchange_rename torchtune_grpo_names[] = {
    DROPPED("forward_batch_size"), TORCHTUNE_NAMES,
};
static const exchange_derived torchtune_grpo_derived[] = {
    {"per_device_train_batch_size", EXCHANGE_PRODUCT,
     {"batch_size", "grpo_samples"}, NULL},
    {"max_seq_length", EXCHANGE_SUM,
     {"tokenizer.max_seq_len", "max_generated_tokens"}, NULL},
};
static const exchange_remark torchtune_grpo_remarks[] = {
    {EXCHANGE_SCOPE, {NULL},
     "the policy's step: answers are generated, and reference and reward "
     "models run, before it"},
    {EXCHANGE_SCOPE, {NULL}, "each sequence counts with its largest length"},
    {EXCHANGE_LACKS, {NULL}, REFERENCE_STAYS},
};
static const exchange_resident torchtune_residents[] = {
    {REFERENCE_STAYS, NULL, EXCHANGE_SHARDS, NULL, NULL},
};

static const exchange_rename primus_names[] = {
    IS("lora.enabled", "true", "use_lora", "true"),
    IDLE("lora.enabled", "false"), AS("lora.dim", "lora_r"),
    AS("lora.dropout", "lora_dropout"), DROPPED("lora.alpha"),
    DROPPED("lora.dropout_position"), DROPPED("lora.lora_A_init_method"),
    DROPPED("lora.lora_B_init_method"),
    AS("lora.target_modules.0", "lora_target_modules.0"),
    AS("lora.target_modules.1", "lora_target_modules.1"),
    AS("lora.target_modules.2", "lora_target_modules.2"),
    AS("lora.target_modules.3", "lora_target_modules.3"),
    {"sequence_parallel", "1", "sequence-parallel", "true", false},
};
static const exchange_preset primus_presets[] = {
    {"bf16", "true"}, {"micro-batch-size", "2"}, {"global-batch-size", "16"},
    {"use-distributed-optimizer", "true"}, {"seq-length", "1024"},
};

/* Its recipes begin from Megatron-Bridge's, with a distributed optimizer. */
static const exchange_rename primus_bridge_names[] = {
    {"precision_config", "bf16_mixed", "bf16", "true", false},
    {"pipeline_dtype", NULL, NULL, NULL, false},
    {"virtual_pipeline_model_parallel_size", "null", NULL, NULL, false},
    {"packed_sequence", NULL, NULL, NULL, false},
    {"peft_dim", NULL, "lora_rank", NULL, false},
};
static const exchange_preset primus_bridge_presets[] = {
    {"bf16", "true"}, {"use-distributed-optimizer", "true"},
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
};

static const exchange_rename swift_names[] = {
    {"max_length", NULL, "seq-length", NULL, false},
    {"torch_dtype", "bfloat16", "bf16", "true", false},
    {"train_type", NULL, "tuner_type", NULL, false},
    {"packing", NULL, NULL, NULL, false},
    {"padding_free", NULL, NULL, NULL, false},
};
static const exchange_preset swift_presets[] = {
    {"bf16", "true"}, {"micro-batch-size", "1"}, {"global-batch-size", "16"},
    {"use-distributed-optimizer", "true"}, {"attention-dropout", "0"},
    {"hidden-dropout", "0"}, {"recompute-granularity", "selective"},
    {"expert-tensor-parallel-size", "1"},
    {"attention-backend", "flash"},
    {"cross-entropy-loss-fusion", "true"},
    {"moe-token-dispatcher-type", "alltoall"},
};

static const exchange_rename factory_mca_names[] = {
    {"cutoff_len", NULL, "seq-length", NULL, false},
    {"mixed_precision", "bf16_mixed", "bf16", "true", false},
    {"per_device_train_batch_size", NULL, "micro-batch-size", NULL, false},
    {"recompute_granularity", "full", "recompute-method", "uniform", true},
    {"recompute_granularity", "full", "recompute-num-layers", "1", true},
};
static const exchange_derived step_derived[] = {
    {"global-batch-size", EXCHANGE_STEP,
     {"micro-batch-size", "gradient_accumulation_steps=1"}, NULL},
};

static const exchange_preset mixed_presets[] = {
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
};

static const exchange_rename accelerate_megatron_names[] = {
    {"megatron_lm_config.megatron_lm_tp_degree", NULL,
     "tensor-model-parallel-size", NULL, false},
    {"megatron_lm_config.megatron_lm_pp_degree", NULL,
     "pipeline-model-parallel-size", NULL, false},
    {"megatron_lm_config.megatron_lm_sequence_parallelism", NULL,
     "sequence-parallel", NULL, false},
    {"megatron_lm_config.megatron_lm_use_distributed_optimizer", NULL,
     "use-distributed-optimizer", NULL, false},
    {"megatron_lm_config.megatron_lm_recompute_activations", NULL,
     "recompute-activations", NULL, false},
    {"megatron_lm_config.megatron_lm_gradient_clipping", NULL, NULL, NULL,
     false},
    {"mixed_precision", "bf16", "bf16", "true", false},
    {"mixed_precision", "fp16", "fp16", "true", false},
    {"distributed_type", NULL, NULL, NULL, false},
    {"per_device_train_batch_size", NULL, "micro-batch-size", NULL, false},
};

/* Parts of a configuration become arguments of Megatron-LM by the last part of
 * their names (flagscale/runner/utils.py, flatten_dict_to_args). */
static const exchange_rename flagscale_names[] = {
    {"precision.bf16", NULL, "bf16", NULL, false},
    {"precision.fp16", NULL, "fp16", NULL, false},
    {"precision.attention_softmax_in_fp32", NULL, NULL, NULL, false},
    {"precision.accumulate_allreduce_grads_in_fp32", NULL, NULL, NULL, false},
    {"precision.initial_loss_scale", NULL, NULL, NULL, false},
    {"recompute.recompute_granularity", NULL, "recompute-granularity", NULL,
     false},
    {"recompute.recompute_method", NULL, "recompute-method", NULL, false},
    {"recompute.recompute_num_layers", NULL, "recompute-num-layers", NULL,
     false},
    {"tokenizer.vocab_size", NULL, "vocab-size", NULL, false},
    {"tokenizer.tokenizer_type", NULL, NULL, NULL, false},
    {"hetero.enable_hetero", NULL, "enable-hetero", NULL, false},
    {"hetero.hetero_process_meshes", NULL, "hetero-process-meshes", NULL,
     false},
    {"hetero.hetero_pipeline_layer_split", NULL,
     "hetero-pipeline-layer-split", NULL, false},
    {"hetero.hetero_device_types", NULL, "hetero-device-types", NULL, false},
    {"hetero.hetero_current_device_type", NULL, NULL, NULL, false},
    {"hetero.standalone_embedding_stage", "false", NULL, NULL, false},
    {"runner.nnodes", NULL, "nnodes", NULL, false},
    {"runner.nproc_per_node", NULL, "nproc-per-node", NULL, false},
    {"action", NULL, NULL, NULL, false},
    {"reset_position_ids", NULL, NULL, NULL, false},
    {"reset_attention_mask", NULL, NULL, NULL, false},
};

/* In a file of its own, or in that of the experiment. */
#define FLAGSCALE(part, name) part name "|train." part name

#define MICRO_BATCH_OF_AXOLOTL "size of a micro-batch", "micro_batch_size=N"

static const exchange_front fronts[] = {
    {.title = "Megatron-LM's functional tests", .target = "megatron",
     .hands_on = true,
     .marks = {"MODEL_ARGS."}, .prefix = "MODEL_ARGS.--"},
    {.title = "Megatron-LM", RENAMES(megatron_names)},
    {.title = "Megatron-Bridge's data",
     .marks = {"dataset.sequence_length",
               "train.micro_batch_size|train.global_batch_size"},
     RENAMES(bridge_data_names)},
    {.title = "Megatron-Bridge's overlap", .marks = {"CommOverlapConfig."},
     RENAMES(bridge_overlap_names)},
    {.title = "Megatron-Bridge", .marks = {EXCHANGE_LOADED_MODEL},
     RENAMES(loaded_names)},
    {.title = "FlagScale with Megatron-LM",
     .versions = "FlagOpen/FlagScale@da4935ec", .target = "megatron",
     .hands_on = true, .has_lists = true,
     .marks = {FLAGSCALE("system.", "tensor_model_parallel_size") "|"
               FLAGSCALE("system.", "pipeline_model_parallel_size") "|"
               FLAGSCALE("system.", "use_distributed_optimizer"),
               FLAGSCALE("model.", "micro_batch_size") "|"
               FLAGSCALE("model.", "num_layers") "|"
               FLAGSCALE("model.", "seq_length")},
     .prefix = "train.system.|train.model.|train.data.|system.|model.|data.",
     .others = "experiment.|hydra.", RENAMES(flagscale_names)},
    {.title = "NeMo 1",
     .versions = "NVIDIA/NeMo-Framework-Launcher@26e42fa9",
     .target = "megatron",
     .marks = {"trainer.precision|trainer.devices|training.trainer.devices",
               "model.encoder_seq_length|model.megatron_amp_O2|"
               "model.micro_batch_size", "!train.micro_batch_size"},
     .prefix = "training.model.|training.|model.", RENAMES(nemo_names)},
    {.title = "Primus with Megatron-LM",
     .versions = "AMD-AGI/Primus@fd1eeabb", .target = "megatron",
     .hands_on = true,
     .marks = {"modules.pre_trainer.framework=megatron|"
               "modules.post_trainer.framework=megatron"},
     .prefix = "modules.pre_trainer.overrides.|modules.post_trainer.overrides.",
     RENAMES(primus_names), PRESETS(primus_presets),
     .model = "modules.pre_trainer.model|modules.post_trainer.model"},
    {.title = "Primus with Megatron-Bridge",
     .versions = "AMD-AGI/Primus@fd1eeabb", .target = "megatron",
     .marks = {"modules.post_trainer.framework=megatron_bridge|"
               "modules.pre_trainer.framework=megatron_bridge"},
     .prefix = "modules.post_trainer.overrides.|modules.pre_trainer.overrides.",
     RENAMES(primus_bridge_names), PRESETS(primus_bridge_presets),
     .model = "modules.post_trainer.model|modules.pre_trainer.model"},
    {.title = "Primus with torchtitan",
     .versions = "AMD-AGI/Primus@fd1eeabb", .target = "torchtitan",
     .marks = {"modules.pre_trainer.framework=torchtitan"},
     .prefix = "modules.pre_trainer.overrides.",
     .model = "modules.pre_trainer.model"},
    {.title = "LLaMA-Factory with Megatron-LM",
     .versions = "hiyouga/LLaMA-Factory@ff6d4d12", .target = "megatron",
     .marks = {"finetuning_type", "tensor_model_parallel_size|"
               "pipeline_model_parallel_size"},
     RENAMES(factory_mca_names), PRESETS(mixed_presets),
     DERIVED(step_derived), .model = MODEL_NAMES,
     .needs = {{"global-batch-size", STEP_BATCH}}},
    {.title = "ms-swift with Megatron-LM",
     .versions = "modelscope/ms-swift@3602360a", .target = "megatron",
     .marks = {"max_length|tuner_type|train_type|load_from_cache_file|"
               "save_safetensors", "model|mcore_model|load",
               "micro_batch_size|tensor_model_parallel_size|"
               "pipeline_model_parallel_size", "!num-layers"},
     RENAMES(swift_names), PRESETS(swift_presets), .model = MODEL_NAMES},
    {.title = "accelerate with Megatron-LM",
     .versions = "huggingface/accelerate@16cb6eb8", .target = "megatron",
     .marks = {"distributed_type=MEGATRON_LM"},
     RENAMES(accelerate_megatron_names), .model = MODEL_NAMES,
     PRESETS(mixed_presets),
     .needs = {{"micro-batch-size",
         "size of a micro-batch", "micro-batch-size=N"},
         {"global-batch-size", STEP_BATCH}}},
    {.title = "LLaMA-Factory with DeepSpeed",
     .versions = "hiyouga/LLaMA-Factory@ff6d4d12", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"finetuning_type", "deepspeed"},
     RENAMES(factory_deepspeed_names), PRESETS(factory_presets),
     .model = MODEL_NAMES,
     .needs = {{ZERO "stage", ZERO_STAGE},
               {"train_micro_batch_size_per_gpu", MICRO_BATCH}}},
    {.title = "LLaMA-Factory with DDP",
     .versions = "hiyouga/LLaMA-Factory@ff6d4d12", .target = "deepspeed",
     .profile = "ddp-hf",
     .marks = {"finetuning_type", "cutoff_len|stage|template",
               "!fsdp_config.|use_fsdp"},
     RENAMES(factory_ddp_names), PRESETS(factory_ddp_presets),
     REMARKS(factory_remarks), .model = MODEL_NAMES,
     .needs = {{"train_micro_batch_size_per_gpu", MICRO_BATCH}}},
    {.title = "ms-swift with DeepSpeed",
     .versions = "modelscope/ms-swift@3602360a", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {SWIFT, SWIFT_TOO, "deepspeed|" ZERO "stage"},
     RENAMES(swift_trainer_names), PRESETS(swift_trainer_presets),
     DERIVED(swift_derived), REMARKS(swift_deepspeed_remarks),
     RESIDENTS(swift_residents),
     .model = MODEL_NAMES, .needs = {{ZERO "stage", ZERO_STAGE}}},
    {.title = "ms-swift with FSDP2 and sequence parallelism",
     .versions = "modelscope/ms-swift@3602360a", .target = "deepspeed",
     .profile = "fsdp2-hf",
     .marks = {SWIFT, SWIFT_TOO, FC "fsdp_version=2|fsdp=fsdp2",
               "sequence_parallel_size"},
     RENAMES(swift_sharded_names), PRESETS(swift_sharded_presets),
     DERIVED(swift_derived), REMARKS(swift_deepspeed_remarks),
     RESIDENTS(swift_residents), .model = MODEL_NAMES},
    {.title = "ms-swift with DDP",
     .versions = "modelscope/ms-swift@3602360a",
     .target = "deepspeed", .profile = "ddp-hf",
     .marks = {SWIFT, SWIFT_TOO, "!fsdp"},
     RENAMES(pure_names), PRESETS(swift_ddp_presets), DERIVED(swift_derived),
     REMARKS(swift_remarks),
     RESIDENTS(swift_residents),
     .model = MODEL_NAMES},
    {.title = "transformers with DeepSpeed",
     .versions = "huggingface/transformers@008e5743", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"deepspeed|deepspeed_config.|distributed_type=DEEPSPEED|"
               "use_deepspeed|" ZERO "stage",
               "per_device_train_batch_size|base_model|model_name_or_path|"
               "distributed_type=DEEPSPEED|bf16.enabled=auto|"
               "fp16.enabled=auto|train_micro_batch_size_per_gpu=auto|"
               "train_batch_size=auto|gradient_accumulation_steps=auto|"
               "gradient_clipping=auto|optimizer.params.lr=auto|"
               "optimizer.params.weight_decay=auto|"
               "scheduler.params.warmup_num_steps=auto|"
               ZERO "reduce_bucket_size=auto|"
               ZERO "stage3_prefetch_bucket_size=auto|"
               ZERO "stage3_param_persistence_threshold=auto",
               "!fsdp_config."},
     RENAMES(deepspeed_names), PRESETS(trainer_presets),
     .model = MODEL_NAMES,
     .needs = {{ZERO "stage", ZERO_STAGE},
               {"train_micro_batch_size_per_gpu", MICRO_BATCH},
               {"bf16.enabled|fp16.enabled",
                "precision", "bf16=true"}},
     .beside = "script with the Trainer's arguments"},
    {.title = "DeepSpeed's JSON alone", .target = "deepspeed",
     .marks = {"train_batch_size|train_micro_batch_size_per_gpu|" ZERO "stage",
               NO_ARGUMENTS, "!recompute-granularity"},
     DERIVED(alone_derived), .beside = BESIDE_JSON, .needs = JSON_NEEDS,
     REMARKS(alone_remarks)},
    {.title = "DeepSpeed's JSON alone", .target = "deepspeed",
     .marks = {"train_batch_size|train_micro_batch_size_per_gpu|" ZERO "stage",
               NO_ARGUMENTS},
     DERIVED(alone_derived), .beside = BESIDE_JSON, .needs = JSON_NEEDS},
    {.title = "axolotl with FSDP1",
     .versions = "axolotl-ai-cloud/axolotl@067b021c",
     .target = "accelerate", .profile = "fsdp1",
     .marks = {"base_model", "fsdp|fsdp.|fsdp.0|fsdp_config.",
               "!fsdp_version=2|fsdp_config.fsdp_version=2"},
     RENAMES(axolotl_names), .model = MODEL_NAMES,
     .needs = {{"per_device_train_batch_size", MICRO_BATCH_OF_AXOLOTL}}},
    {.title = "axolotl with FSDP2",
     .versions = "axolotl-ai-cloud/axolotl@067b021c", .target = "accelerate",
     .marks = {"base_model", "fsdp|fsdp_config.|fsdp_version"},
     RENAMES(axolotl_names), .model = MODEL_NAMES,
     .needs = {{"per_device_train_batch_size", MICRO_BATCH_OF_AXOLOTL}}},
    {.title = "axolotl with DDP",
     .versions = "axolotl-ai-cloud/axolotl@067b021c",
     .target = "deepspeed", .profile = "ddp-hf",
     .marks = {"base_model", "!fsdp|fsdp_config.|fsdp_version|batch_size|"
               "per_device_train_batch_size|max_seq_len"},
     RENAMES(pure_names), PRESETS(axolotl_ddp_presets),
     DERIVED(axolotl_derived), .model = MODEL_NAMES,
     .needs = {{"train_micro_batch_size_per_gpu", MICRO_BATCH_OF_AXOLOTL}}},
    {.title = "transformers with DDP",
     .versions = "huggingface/transformers@008e5743",
     .target = "deepspeed", .profile = "ddp-hf",
     .marks = {"per_device_train_batch_size",
               "distributed_type=MULTI_GPU", "!batch_size"},
     RENAMES(ddp_names), PRESETS(trainer_presets), REMARKS(ddp_remarks),
     .model = MODEL_NAMES, .needs = DDP_NEEDS},
    {.title = "transformers with DDP",
     .versions = "huggingface/transformers@008e5743",
     .target = "deepspeed", .profile = "ddp-hf",
     .marks = {"per_device_train_batch_size|"
               "distributed_type=MULTI_GPU", "!fsdp|fsdp_config.|fsdp_version|"
               "parallelism_config.|distributed_type=FSDP|batch_size"},
     RENAMES(ddp_names), PRESETS(trainer_presets), REMARKS(ddp_remarks),
     .model = MODEL_NAMES, .needs = DDP_NEEDS},
    {.title = "torchtune's GRPO",
     .versions = "pytorch/torchtune@bd2a0fc7",
     .target = "accelerate", .profile = "torchtune",
     .marks = {"model._component_", "grpo_samples", "batch_size"},
     RENAMES(torchtune_grpo_names), DERIVED(torchtune_grpo_derived),
     REMARKS(torchtune_grpo_remarks), RESIDENTS(torchtune_residents),
     PRESETS(torchtune_presets), .model = "model._component_",
     .others = "ref_checkpointer."},
    {.title = "torchtune",
     .versions = "pytorch/torchtune@bd2a0fc7",
     .target = "accelerate", .profile = "torchtune",
     .marks = {"model._component_", "batch_size", "checkpointer._component_|"
               "tokenizer._component_"},
     RENAMES(torchtune_names), PRESETS(torchtune_presets),
     .model = "model._component_"},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_rows = {
        fronts, P3D_COUNT_OF(fronts)};
