/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_torch.c - the tables of programs that have no framework of their own
 * beneath: those on DeepSpeed that write its configuration themselves, and
 * those on FSDP.
 *
 * Names and defaults: OpenRLHF@3c3be623 openrlhf/cli/train_sft.py, openrlhf/
 * utils/deepspeed/deepspeed_utils.py, the names without parts those of its
 * versions before; DeepSpeedExamples@45b4b715 applications/DeepSpeed-Chat/
 * training/step1_supervised_finetuning/main.py, dschat/utils/ds_utils.py;
 * llm-foundry@8c8dd48f llmfoundry/models/mpt/configuration_mpt.py,
 * llmfoundry/command_utils/train.py;
 * torchtitan of 2024: torchtitan@9dec370 torchtitan/config_manager.py;
 * EleutherAI/gpt-neox@ea7aefd8 megatron/neox_arguments/neox_args.py,
 * megatron/model/transformer.py. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define ZERO "zero_optimization."

/* clang-format off */
#define MODELS \
    "model.model_name_or_path|actor.model_name_or_path|pretrain|"\
    "model_name_or_path"
#define OPTIMIZER_TO ZERO "offload_optimizer.device"
#define WEIGHTS_TO   ZERO "offload_param.device"

#define RING(name) \
    IDLE(name, "1"), \
    {name, NULL, EXCHANGE_SEQUENCE_IMPL, "ring_attention", true}, \
    AS(name, "ds-sequence-parallel-size")
#define OPENRLHF_NAMES \
    RING("ds.ring_attn_size"), RING("ring_attn_size"), \
    DROPPED("ds.ring_attn_head_stride"), DROPPED("ring_head_stride"), \
    {"train.micro_batch_size", NULL, "train_micro_batch_size_per_gpu", NULL, \
     false}, \
    {"micro_train_batch_size", NULL, "train_micro_batch_size_per_gpu", NULL, \
     false}, \
    {"train.batch_size", NULL, "train_batch_size", NULL, false}, \
    {"data.max_len", NULL, "seq-length", NULL, false}, \
    {"max_len", NULL, "seq-length", NULL, false}, \
    {"ds.zero_stage", NULL, ZERO "stage", NULL, false}, \
    {"zero_stage", NULL, ZERO "stage", NULL, false}, \
    {"ds.adam_offload", "true", OPTIMIZER_TO, "cpu", false}, \
    {"adam_offload", "true", OPTIMIZER_TO, "cpu", false}, \
    {"ds.param_dtype", "bf16", "bf16.enabled", "true", false}, \
    {"ds.param_dtype", "fp16", "fp16.enabled", "true", false}, \
    {"param_dtype", "bf16", "bf16.enabled", "true", false}, \
    {"param_dtype", "fp16", "fp16.enabled", "true", false}, \
    {"bf16", "true", "bf16.enabled", "true", false}, \
    {"model.gradient_checkpointing_enable", "true", "recompute-granularity", \
     "full", false}, \
    {"gradient_checkpointing", "true", "recompute-granularity", "full", \
     false}, \
    {"model.gradient_checkpointing_reentrant", NULL, NULL, NULL, false}, \
    {"ds.overlap_comm", NULL, ZERO "overlap_comm", NULL, false}, \
    {"overlap_comm", NULL, ZERO "overlap_comm", NULL, false}, \
    {"ds.use_liger_kernel", NULL, "use_liger_kernel", NULL, false}, \
    {"ds.grad_accum_dtype", "fp32", "data_types.grad_accum_dtype", "fp32", \
     false}, \
    {"ds.zpg", "1", NULL, NULL, false}, \
    {"zpg", "1", NULL, NULL, false}, \
    {"ds.zpg", NULL, ZERO "zero_hpz_partition_size", NULL, false}, \
    {"zpg", NULL, ZERO "zero_hpz_partition_size", NULL, false}, \
    IDLE("ds.tensor_parallel_size", "1"), \
    IDLE("ds_tensor_parallel_size", "1"), \
    AS("ds.tensor_parallel_size", "tensor_parallel.autotp_size"), \
    AS("ds_tensor_parallel_size", "tensor_parallel.autotp_size"), \
    {"ds.attn_implementation", "eager", "use-flash-attn-v2", "false", false}, \
    {"ds.attn_implementation", NULL, NULL, NULL, false}, \
    {"flash_attn", NULL, NULL, NULL, false}, \
    {"ds.packing_samples", NULL, NULL, NULL, false}, \
    {"packing_samples", NULL, NULL, NULL, false}
static const exchange_rename openrlhf_names[] = {OPENRLHF_NAMES};
/* Pairs, against a reference that is loaded beside the model
 * (openrlhf/trainer/dpo_trainer.py), or judged by a head of one number. */
static const exchange_rename openrlhf_dpo_names[] = {
    IDLE("ref_offload", "false"),
    {"model.beta", NULL, EXCHANGE_PREFERENCE, "self", false},
    {"beta", NULL, EXCHANGE_PREFERENCE, "self", false}, OPENRLHF_NAMES,
};
static const exchange_rename openrlhf_kto_names[] = {
    IDLE("ref_offload", "false"),
    {"data.label_key", NULL, EXCHANGE_PREFERENCE, "kto", false},
    {"label_key", NULL, EXCHANGE_PREFERENCE, "kto", false}, OPENRLHF_NAMES,
};
static const exchange_rename openrlhf_reward_names[] = {
    {"data.chosen_key", NULL, EXCHANGE_PREFERENCE, "pairs", false},
    {"chosen_key", NULL, EXCHANGE_PREFERENCE, "pairs", false}, OPENRLHF_NAMES,
};
/* What those programs have where nothing is said. */
#define CLI "openrlhf.cli."
static const exchange_rename openrlhf_default_names[] = {
    {"preference_pairs", CLI "train_dpo", "beta", "0.1", true},
    {"preference_pairs", CLI "train_rm", "chosen_key", "chosen", true},
    {"preference_pairs", CLI "train_kto", "label_key", "label", true},
};
/* Sequences of a batch of 128, 8 to a GPU, where nothing is said. */
#define OPENRLHF_PRESETS \
    {"train_batch_size", "128"}, {"train_micro_batch_size_per_gpu", "8"}, \
    {"seq-length", "2048"}, {ZERO "stage", "2"}, {"bf16.enabled", "true"}, \
    {"attention-dropout", "0"}, {"hidden-dropout", "0"}, \
    {"use-flash-attn-v2", NULL}, {"recompute-granularity", "none"}, \
    {"recompute-method", "uniform"}, {"recompute-num-layers", "1"}
static const exchange_preset openrlhf_presets[] = {OPENRLHF_PRESETS};
static const exchange_preset openrlhf_reward_presets[] = {
    OPENRLHF_PRESETS, {EXCHANGE_OUTPUTS, "1"},
};

static const exchange_rename chat_names[] = {
    {"per_device_train_batch_size", NULL, "train_micro_batch_size_per_gpu",
     NULL, false},
    {"max_seq_len", NULL, "seq-length", NULL, false},
    {"zero_stage", NULL, ZERO "stage", NULL, false},
    {"dtype", "bf16", "bf16.enabled", "true", false},
    {"dtype", "fp16", "fp16.enabled", "true", false},
    {"offload", "true", OPTIMIZER_TO, "cpu", true},
    {"offload", "true", WEIGHTS_TO, "cpu", false},
    {"gradient_checkpointing", "true", "recompute-granularity", "full", false},
    {"per_device_eval_batch_size", NULL, NULL, NULL, false},
};
static const exchange_derived chat_derived[] = {
    {"fp16.enabled", EXCHANGE_PRODUCT, {"=1"}, "!bf16.enabled|fp16.enabled"},
};
static const exchange_preset chat_presets[] = {
    {"train_micro_batch_size_per_gpu", "16"}, {"seq-length", "512"},
    {ZERO "stage", "0"}, {ZERO "overlap_comm", "true"},
    {"gradient_accumulation_steps", "1"},
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"use-flash-attn-v2", NULL}, {"recompute-granularity", "none"},
    {"recompute-method", "uniform"}, {"recompute-num-layers", "1"},
};

static const exchange_remark chat_remarks[] = {
    {EXCHANGE_LACKS, {NULL},
     "pairs of answers, which are two sequences each: one is counted"},
};

static const exchange_front deepspeed_fronts[] = {
    {.title = "OpenRLHF's defaults",
     .marks = {"preference_pairs=" CLI "train_dpo|"
               "preference_pairs=" CLI "train_rm|"
               "preference_pairs=" CLI "train_kto"},
     RENAMES(openrlhf_default_names)},
    {.title = "OpenRLHF's SFT",
     .versions = "OpenRLHF/OpenRLHF@3c3be623", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"data.max_len|max_len",
               "train.micro_batch_size|micro_train_batch_size",
               "!model.beta|beta|data.prompt_dataset|data.chosen_key|"
               "chosen_key|rollout.batch_size|train.rollout_batch_size|"
               "rollout_batch_size|data.max_prompt_len|prompt_data"},
     RENAMES(openrlhf_names), PRESETS(openrlhf_presets), .model = MODELS},
    {.title = "OpenRLHF's DPO",
     .versions = "OpenRLHF/OpenRLHF@3c3be623", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"data.max_len|max_len",
               "train.micro_batch_size|micro_train_batch_size",
               "model.beta|beta", "!data.label_key|label_key"},
     RENAMES(openrlhf_dpo_names), PRESETS(openrlhf_presets), .model = MODELS},
    {.title = "OpenRLHF's KTO",
     .versions = "OpenRLHF/OpenRLHF@3c3be623", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"data.max_len|max_len",
               "train.micro_batch_size|micro_train_batch_size",
               "data.label_key|label_key"},
     RENAMES(openrlhf_kto_names), PRESETS(openrlhf_presets), .model = MODELS},
    {.title = "OpenRLHF's reward models",
     .versions = "OpenRLHF/OpenRLHF@3c3be623", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"data.max_len|max_len",
               "train.micro_batch_size|micro_train_batch_size",
               "data.chosen_key|chosen_key"},
     RENAMES(openrlhf_reward_names), PRESETS(openrlhf_reward_presets),
     .model = MODELS},
    {.title = "DeepSpeed-Chat's reward model",
     .versions = "deepspeedai/DeepSpeedExamples@45b4b715",
     .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"zero_stage", "max_seq_len", "num_padding_at_beginning"},
     RENAMES(chat_names), PRESETS(chat_presets), DERIVED(chat_derived),
     .model = MODELS,
     .others = "preference_pairs",
     REMARKS(chat_remarks)},
    {.title = "DeepSpeed-Chat",
     .versions = "deepspeedai/DeepSpeedExamples@45b4b715",
     .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"zero_stage", "max_seq_len", "data_path|data_split"},
     RENAMES(chat_names), PRESETS(chat_presets), DERIVED(chat_derived),
     .model = MODELS},
};
/* clang-format on */

const exchange_front_table exchange_fronts_on_deepspeed = {
        deepspeed_fronts, P3D_COUNT_OF(deepspeed_fronts)};

/* clang-format off */
static const exchange_rename foundry_names[] = {
    {"max_seq_len", NULL, "seq-length", NULL, false},
    {"variables.max_seq_len", NULL, NULL, NULL, false},
    {"global_train_batch_size", NULL, "train_batch_size", NULL, false},
    {"device_train_microbatch_size", NULL, "train_micro_batch_size_per_gpu",
     NULL, false},
    {"precision", "amp_bf16", "bf16.enabled", "true", false},
    {"precision", "amp_fp16", "fp16.enabled", "true", false},
    {"precision", "fp32", "bf16.enabled", "false", false},
    {"fsdp_config.sharding_strategy", "FULL_SHARD", ZERO "stage", "3", false},
    {"fsdp_config.sharding_strategy", "SHARD_GRAD_OP", ZERO "stage", "2",
     false},
    {"fsdp_config.sharding_strategy", "NO_SHARD", ZERO "stage", "0", false},
    {"fsdp_config.mixed_precision", "PURE", NULL, NULL, false},
    {"fsdp_config.activation_checkpointing", "true", "recompute-granularity",
     "full", false},
    {"fsdp_config.activation_checkpointing", "false", "recompute-granularity",
     "none", false},
    {"fsdp_config.activation_checkpointing_reentrant", NULL, NULL, NULL,
     false},
    {"fsdp_config.activation_cpu_offload", "false", NULL, NULL, false},
    {"fsdp_config.limit_all_gathers", NULL, NULL, NULL, false},
    {"fsdp_config.state_dict_type", NULL, NULL, NULL, false},
    {"model.d_model", NULL, "hidden-size", NULL, false},
    {"model.n_heads", NULL, "num-attention-heads", NULL, false},
    {"model.n_layers", NULL, "num-layers", NULL, false},
    {"model.vocab_size", NULL, "vocab-size", NULL, false},
    {"model.max_seq_len", NULL, "max-position-embeddings", NULL, false},
    {"model.attn_config.attn_impl", "flash", NULL, NULL, false},
    {"model.config_overrides.attn_config.attn_impl", "flash", NULL, NULL,
     false},
    {"model.config_overrides.max_seq_len", NULL, NULL, NULL, false},
    {"model.config_overrides.attn_config.attn_uses_sequence_id", NULL, NULL,
     NULL, false},
    {"model.use_flash_attention_2", NULL, NULL, NULL, false},
    {"train_loader.dataset.max_seq_len", NULL, NULL, NULL, false},
    {"optimizer.name", "decoupled_adamw", NULL, NULL, false},
    {"optimizer.name", "decoupled_lionw", EXCHANGE_OPTIMIZER, "lion", false},
    {"device_eval_batch_size", NULL, NULL, NULL, false},
    {"eval_subset_num_batches", NULL, NULL, NULL, false},
};
static const exchange_derived foundry_derived[] = {
    {"ffn-hidden-size", EXCHANGE_PRODUCT,
     {"hidden-size", "model.expansion_ratio=4"}, NULL},
};
static const exchange_preset foundry_presets[] = {
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"use-flash-attn-v2", NULL}, {"recompute-granularity", "none"},
    {"recompute-method", "uniform"}, {"recompute-num-layers", "1"},
};
#define FOUNDRY_MODEL "model.pretrained_model_name_or_path"
#define FOUNDRY_OTHERS "callbacks.|icl_seq_len|variables.icl_seq_len|icl_tasks."
#define FOUNDRY_NEEDS \
    {{"train_micro_batch_size_per_gpu", "size of a micro-batch",\
      "device_train_microbatch_size=N"},\
     {ZERO "stage", "strategy of sharding",\
      "fsdp_config.sharding_strategy=FULL_SHARD"}}

/* GPT-NeoX. */
/* The kind of the first layers' attention, and what the target's table
 * (launch/deepspeed.c) reads of blocks. */
#define KIND   "attention_config.0.0.0"
#define SPARSE "sparse_attention_"
static const exchange_rename neox_names[] = {
    IDLE("use_bnb_optimizer", "false"),
    IS("use_bnb_optimizer", "true", EXCHANGE_OPTIMIZER, "adam-8bit"),
    {"train_impl", "normal", NULL, NULL, false},
    /* [[["flash"], 12]]: the kind of each layer, and how many have it. */
    {KIND, "flash", "use-flash-attn-v2", "true", false},
    {KIND, "global", NULL, NULL, false},
    IS(KIND, "sparse_fixed", SPARSE "layout", "fixed"),
    IS(KIND, "sparse_variable", SPARSE "layout", "variable"),
    IS(KIND, "local", SPARSE "layout", "local"),
    IS(KIND, "bigbird", SPARSE "layout", "bigbird"),
    IS(KIND, "bslongformer", SPARSE "layout", "bslongformer"),
    AS("sparsity_config.block", SPARSE "block"),
    AS("sparsity_config.num_local_blocks", SPARSE "local"),
    AS("sparsity_config.num_sliding_window_blocks", SPARSE "local"),
    AS("sparsity_config.num_global_blocks", SPARSE "global"),
    AS("sparsity_config.num_random_blocks", SPARSE "random"),
    IDLE("sparsity_config.different_layout_per_head", "false"),
    IDLE("sparsity_config.num_different_global_patterns", "1"),
    {"pipe-parallel-size", "0", NULL, NULL, false},
    {"pipe-parallel-size", NULL, "pipeline-model-parallel-size", NULL, false},
    {"model-parallel-size", NULL, "tensor-model-parallel-size", NULL, false},
    {"context-parallel-size", "1", NULL, NULL, false},
    {"precision", "bfloat16", "bf16", "true", false},
    {"precision", "fp16", "fp16", "true", false},
    {"precision", "fp32", "bf16", "false", false},
    {"fp16.fp16", NULL, NULL, NULL, false},
    {"fp16.type", "bfloat16", "bf16", "true", false},
    {"bf16.enabled", "true", "bf16", "true", true},
    {"bf16.bf16", NULL, NULL, NULL, false},
    {"bf16.hysteresis", NULL, NULL, NULL, false},
    {"fp16.enabled", "true", "fp16", "true", true},
    {"vocab_file", NULL, "tokenizer_path", NULL, false},
    {"norm", "rmsnorm", "normalization", "rmsnorm", false},
    {"norm", "layernorm", "normalization", "layernorm", false},
    {"activation", "swiglu", "neox_gated", "true", true},
    {"activation", "swiglu", "swiglu", "true", false},
    {"activation", "gelu", NULL, NULL, false},
    {"mlp_type", "llama", "neox_llama", "true", true},
    {"mlp_type", "llama", "swiglu", "true", false},
    {"mlp_type", "regular", NULL, NULL, false},
    /* One expert is none. */
    {"moe_num_experts", "1", "neox_dense", "true", false},
    {"pos_emb", "rotary", "use-rotary-position-embeddings", "true", false},
    {"no_weight_tying", "true", "untie-embeddings-and-output-weights", "true",
     false},
    {"use_bias_in_attn_linear", "false", "disable-bias-linear", "true", false},
    {"num_kv_heads", NULL, "num-key-value-heads", NULL, false},
    {"tokenizer_type", "HFTokenizer", "neox_words", "50277", true},
    {"gpt_j_residual", NULL, NULL, NULL, false},
    {"fp32_allreduce", NULL, NULL, NULL, false},
    {"optimizer.type", "Adam", NULL, NULL, false},
    {"output_layer_parallelism", "column", NULL, NULL, false},
    {"tokenizer_type", "GPT2BPETokenizer", "vocab-size", "50257", true},
};
static const exchange_preset neox_presets[] = {
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"deepspeed-activation-checkpointing", "true"},
};
/* Widths by megatron/model/transformer.py: of a gated MLP a third of what is
 * said (ParallelMLP), and before it had gates in LLaMAParallelMLP. */
static const exchange_derived neox_derived[] = {
    {"ffn-hidden-size", EXCHANGE_UP,
     {"intermediate_size", "mlp_multiple_of=1"}, NULL},
    {"gated-width", EXCHANGE_PRODUCT, {"hidden-size", "=4"}, "neox_gated"},
    {"gated-width", EXCHANGE_PRODUCT, {"intermediate_size"}, "neox_gated"},
    {"gated-width", EXCHANGE_RATIO, {"gated-width", "=3"}, "neox_gated"},
    {"ffn-hidden-size", EXCHANGE_UP,
     {"gated-width", "mlp_multiple_of=1"}, "neox_gated"},
    {"gated-width", EXCHANGE_PRODUCT, {"hidden-size", "=8"}, "neox_llama"},
    {"gated-width", EXCHANGE_RATIO, {"gated-width", "=3"}, "neox_llama"},
    {"ffn-hidden-size", EXCHANGE_UP, {"gated-width", "=256"}, "neox_llama"},
    {"ffn-hidden-size", EXCHANGE_PRODUCT, {"intermediate_size"}, "neox_llama"},
    {"vocab-size", EXCHANGE_PRODUCT, {"=50257"}, "!tokenizer_type"},
};

static const exchange_rename titan_2024_names[] = {
    {"training.batch_size", NULL, "training.local_batch_size", NULL, false},
    {"training.tensor_parallel_degree", NULL,
     "parallelism.tensor_parallel_degree", NULL, false},
    {"training.data_parallel_degree", NULL,
     "parallelism.data_parallel_shard_degree", NULL, false},
    {"training.data_parallel_shard_degree", NULL,
     "parallelism.data_parallel_shard_degree", NULL, false},
    {"training.data_parallel_replicate_degree", NULL,
     "parallelism.data_parallel_replicate_degree", NULL, false},
    {"training.pipeline_parallel_degree", NULL,
     "parallelism.pipeline_parallel_degree", NULL, false},
    {"experimental.pipeline_parallel_degree", NULL,
     "parallelism.pipeline_parallel_degree", NULL, false},
    {"experimental.context_parallel_degree", NULL,
     "parallelism.context_parallel_degree", NULL, false},
    {"experimental.enable_async_tensor_parallel", NULL,
     "compile.enable_async_tensor_parallel", NULL, false},
    {"experimental.pipeline_parallel_schedule", NULL,
     "parallelism.pipeline_parallel_schedule", NULL, false},
    {"training.compile", NULL, "compile.enable", NULL, false},
    IDLE("float8.enable_float8_linear", "false"),
    IS("float8.enable_float8_linear", "true", "model.converters",
       "[\"float8\"]"),
    IS("training.enable_float8_linear", "true", "model.converters",
       "[\"float8\"]"),
    DROPPED("float8.precompute_float8_dynamic_scale_for_fsdp"),
};
/* A name of the TOML files of 2025. */
static const exchange_rename titan_names[] = {
    AS("parallelism.enable_async_tensor_parallel",
       "compile.enable_async_tensor_parallel"),
};
static const exchange_rename titan_debug_names[] = {
    IS("model.flavor", "debugmodel", "model.flavor", "debugmodel_2024"),
};

static const exchange_front torch_fronts[] = {
    {.title = "debug model of 2024",
     .marks = {"model.flavor=debugmodel", "training.batch_size",
               "training.tensor_parallel_degree|training.data_parallel_degree|"
               "training.data_parallel_shard_degree"},
     RENAMES(titan_debug_names)},
    {.title = "torchtitan of 2024",
     .versions = "pytorch/torchtitan@9dec370",
     .target = "torchtitan",
     .profile = "fsdp2-2024",
     .marks = {"training.batch_size", "model.flavor|training.seq_len"},
     RENAMES(titan_2024_names), .model = "model"},
    {.title = "torchtitan", .target = "torchtitan", .hands_on = true,
     RENAMES(titan_names),
     .marks = {"model.flavor", "training.|parallelism.|activation_checkpoint.|"
               "Config.hf_assets_path|Config.model_spec"},
     .model = "model"},
    {.title = "GPT-NeoX",
     .versions = "EleutherAI/gpt-neox@ea7aefd8", .target = "deepspeed",
     .marks = {"pipe-parallel-size|model-parallel-size",
               "train_micro_batch_size_per_gpu|train_batch_size|num-layers",
               "!tensor-model-parallel-size"},
     RENAMES(neox_names), PRESETS(neox_presets), DERIVED(neox_derived),
     .needs = {{"train_micro_batch_size_per_gpu",
         "size of a micro-batch", "train_micro_batch_size_per_gpu=N"},
         {"bf16|fp16", "precision", "bf16=true"}}},
    {.title = "LLM Foundry",
     .versions = "mosaicml/llm-foundry@8c8dd48f",
     .target = "deepspeed", .profile = "fsdp1",
     .marks = {"global_train_batch_size", "max_seq_len",
               "model.name|" FOUNDRY_MODEL},
     RENAMES(foundry_names), DERIVED(foundry_derived),
     PRESETS(foundry_presets), .model = FOUNDRY_MODEL,
     .others = FOUNDRY_OTHERS, .needs = FOUNDRY_NEEDS},
    {.title = "LLM Foundry on MosaicML's platform",
     .versions = "mosaicml/llm-foundry@8c8dd48f", .target = "deepspeed",
     .profile = "fsdp1", .prefix = "parameters.",
     .marks = {"parameters.global_train_batch_size", "parameters.max_seq_len"},
     RENAMES(foundry_names), DERIVED(foundry_derived),
     PRESETS(foundry_presets), .model = FOUNDRY_MODEL,
     .others = FOUNDRY_OTHERS, .needs = FOUNDRY_NEEDS},
};
/* clang-format on */

const exchange_front_table exchange_fronts_on_torch = {
        torch_fronts, P3D_COUNT_OF(torch_fronts)};
