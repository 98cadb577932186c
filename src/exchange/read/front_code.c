/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_code.c - programs of people's own in Python, on transformers' Trainer
 * and those of TRL: the fields of their classes are the names of the
 * configurations that the tables of the Trainer know.
 *
 * Names and defaults: transformers@008e5743 src/transformers/training_args.py;
 * trl@f2cd5771 trl/trainer/sft_config.py (1,024 tokens), grpo_config.py (eight
 * answers of 256 tokens to a question), peft 0.18 tuners/lora/config.py (rank
 * 8); unsloth's FastLanguageModel has the names of both. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

/* clang-format off */
#define BF16_OF_GPU(name) \
    IS(name, "is_bfloat16_supported()", name, "true"), \
    IS(name, "torch.cuda.is_bf16_supported()", name, "true")
#define NO_FP16(name) \
    IDLE(name, "not is_bfloat16_supported()"), \
    IDLE(name, "not torch.cuda.is_bf16_supported()")
/* A class whose fields stand in a call, known by those that all have. */
#define CALLED(class, to, value) \
    {class ".output_dir", NULL, to, value, true}, \
    {class ".learning_rate", NULL, to, value, true}, \
    {class ".per_device_train_batch_size", NULL, to, value, true}
#define OF_TRL(class) CALLED(class, "of_trl", "true")

static const exchange_rename class_names[] = {
    OF_TRL("SFTConfig"), OF_TRL("GRPOConfig"), OF_TRL("DPOConfig"),
    OF_TRL("ORPOConfig"), OF_TRL("KTOConfig"), OF_TRL("RewardConfig"),
    CALLED("SFTConfig", "cut_by_trl", "true"),
    {"SFTTrainer.model", NULL, "cut_by_trl", "true", true},
    CALLED("GRPOConfig", "num_generations", "8"),
    CALLED("DPOConfig", EXCHANGE_PREFERENCE, "self"),
    CALLED("ORPOConfig", EXCHANGE_PREFERENCE, "pairs"),
    CALLED("KTOConfig", EXCHANGE_PREFERENCE, "kto"),
    CALLED("RewardConfig", EXCHANGE_PREFERENCE, "pairs"),
    CALLED("RewardConfig", EXCHANGE_OUTPUTS, "1"),
    CALLED("PPOConfig", "preference_pairs", "true"),
    AS("LoraConfig.r", "lora_r"), AS("get_peft_model.r", "lora_r"),
    {"LoraConfig.lora_alpha", NULL, "lora_r", "8", true},
    {"LoraConfig.target_modules", NULL, "lora_r", "8", true},
    {"LoraConfig.task_type", NULL, "lora_r", "8", true},
    {"get_peft_model.use_gradient_checkpointing", "unsloth",
     "gradient_checkpointing", "true", true},
    IS("get_peft_model.use_gradient_checkpointing", "unsloth",
       "unsloth_offload", "true"),
    IS("get_peft_model.use_gradient_checkpointing", "true",
       "gradient_checkpointing", "true"),
    AS("from_pretrained.model_name", "model_name_or_path"),
    AS("from_pretrained.max_seq_length", "max_seq_length"),
    AS("from_pretrained.attn_implementation", "attn_implementation"),
    IS("from_pretrained.torch_dtype", "torch.bfloat16", "torch_dtype",
       "bfloat16"),
    IS("from_pretrained.dtype", "torch.bfloat16", "torch_dtype", "bfloat16"),
};
static const exchange_rename field_names[] = {
    BF16_OF_GPU("bf16"), NO_FP16("fp16"),
    IS("peft_config", "LoraConfig()", "lora_r", "8"), DROPPED("peft_config"),
    IDLE("optim", "adamw_torch"), DROPPED("args"), DROPPED("tokenizer"),
};
static const exchange_rename length_names[] = {
    IS("cut_by_trl", "true", "max_length", "1024"),
};
/* trl/trainer/base_config.py of today; versions before had neither. */
static const exchange_rename default_names[] = {
    {"of_trl", NULL, "bf16", "true", true},
    {"of_trl", NULL, "gradient_checkpointing", "true", true},
};
static const exchange_rename mark_names[] = {
    DROPPED("of_trl"), DROPPED("cut_by_trl"),
};
static const exchange_remark default_remarks[] = {
    {EXCHANGE_LACKS, {"!bf16|fp16"},
     "an older TRL, whose default is fp32: today's, bf16, is counted"},
    {EXCHANGE_LACKS, {"!gradient_checkpointing"},
     "an older TRL, whose default is no recomputation: today's, of all layers, "
     "is counted"},
};
#define IS_TRAINER \
    "TrainingArguments.|SFTConfig.|GRPOConfig.|DPOConfig.|ORPOConfig.|"\
    "KTOConfig.|RewardConfig.|PPOConfig.|Seq2SeqTrainingArguments.|SFTTrainer."

/* OLMo-core: batches count tokens; FSDP2 with parameters in fp32 that are
 * gathered in bf16, of which a hybrid one has a shard a node unless it says
 * otherwise. */
#define ZERO "zero_optimization."
#define T    "TransformerTrainModuleConfig."
#define D    "TransformerDataParallelConfig."
#define A    "TransformerActivationCheckpointingConfig."
#define A_IS A "mode=TransformerActivationCheckpointingMode."
#define MADE(name, model) IS("olmo_core.model", name, "olmo_core.model", model)
static const exchange_rename olmo_names[] = {
    MADE("olmo2_1B_v2", "OLMo-2-1B"), MADE("olmo2_7B", "OLMo-2-7B"),
    MADE("olmo2_13B", "OLMo-2-13B"), MADE("olmo2_32B", "OLMo-2-32B"),
    MADE("olmo3_7B", "OLMo-3-7B"), MADE("olmo3_32B", "OLMo-3-32B"),
    MADE("olmoe_1B_7B", "OLMoE-1B-7B"),
    IDLE(T "max_sequence_length", "common.max_sequence_length"),
    AS(T "max_sequence_length", "seq-length"),
    AS(D "shard_degree", "olmo_core.share"),
    AS("llama3.degree", "context_parallel_size"),
    AS("zig_zag.degree", "context_parallel_size"),
    AS("ulysses.degree", "context_parallel_size"),
    IS(D "name", "DataParallelType.ddp", ZERO "stage", "0"),
    IS(D "param_dtype", "DType.bfloat16", "bf16.enabled", "true"),
    IDLE(D "reduce_dtype", "DType.float32"), DROPPED(D "wrapping_strategy"),
    IS(A "mode", "TransformerActivationCheckpointingMode.full",
       "recompute-granularity", "full"),
    DROPPED(A "mode"), DROPPED(A "modules"),
    DROPPED(A "activation_memory_budget"), DROPPED(A "block_interval"),
    IDLE(T "compile_model", "true"), IDLE(T "compile_model", "false"),
    DROPPED(T "dp_config"), DROPPED(T "ac_config"), DROPPED(T "optim"),
    IDLE(T "ac_config", "none"), DROPPED("sequence_length"),
    DROPPED("global_batch_size"), DROPPED("model_config"),
    DROPPED(T "z_loss_multiplier"),
};
static const exchange_derived olmo_derived[] = {
    {"train_batch_size", EXCHANGE_RATIO,
     {"NumpyDataLoaderConfig.global_batch_size", "seq-length"}, NULL},
    {"train_micro_batch_size_per_gpu", EXCHANGE_RATIO,
     {T "rank_microbatch_size", "seq-length"}, NULL},
    {"olmo_core.share", EXCHANGE_RATIO, {"@all", D "num_replicas"}, NULL},
    {"olmo_core.share", EXCHANGE_PRODUCT, {"@node"}, NULL},
    {ZERO "mics_shard_size", EXCHANGE_PRODUCT, {"olmo_core.share"},
     D "name=DataParallelType.hsdp"},
};
static const exchange_preset olmo_presets[] = {
    {ZERO "stage", "3"}, {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"use-flash-attn-v2", NULL}, {"recompute-granularity", "none"},
    {"recompute-method", "uniform"}, {"recompute-num-layers", "1"},
};
static const exchange_remark olmo_remarks[] = {
    {EXCHANGE_LACKS, {A_IS "selected_modules"},
     "recomputation of the modules that are named: none is counted"},
    {EXCHANGE_LACKS, {A_IS "selected_blocks|" A_IS "selected_ops"},
     "recomputation of a part of the layers: none is counted"},
    {EXCHANGE_LACKS, {A_IS "budget"},
     "recomputation by a budget of memory, which torch.compile chooses: none "
     "is counted"},
    {EXCHANGE_LACKS, {"model_config.|config.block."},
     "what the script changes of the model's layers: those of its name are "
     "counted"},
    {EXCHANGE_LACKS, {"!SkipStepAdamWConfig.|AdamWConfig."},
     "an optimizer that is not AdamW"},
};
#define OLMO_CORE \
    .versions = "allenai/OLMo-core@fa6c5014", .target = "deepspeed", \
    .model = "olmo_core.model", RENAMES(olmo_names), DERIVED(olmo_derived), \
    PRESETS(olmo_presets), REMARKS(olmo_remarks), \
    .others = "OptimGroupOverride.|SkipStepAdamWConfig.|AdamWConfig.|"\
        "NumpyFSLDatasetConfig.|from_data_mix.|CheckpointerCallback.|"\
        "TrainerConfig.|CometCallback.|WandBCallback.|"\
        "InstanceFilterConfig.|LMEvaluatorCallbackConfig.|"\
        "NumpyPaddedFSLDatasetConfig.|DownstreamEvaluatorCallbackConfig.", \
    .needs = {{"seq-length", "length of a sequence", \
               T "max_sequence_length=N"}, \
              {"train_micro_batch_size_per_gpu", "size of a micro-batch", \
               T "rank_microbatch_size=N"}, \
              {"bf16.enabled", "precision", D "param_dtype=DType.bfloat16"}}
#define IS_OLMO T "rank_microbatch_size", "olmo_core.model"

static const exchange_front fronts[] = {
    {.title = "OLMo-core with torch.compile", .profile = "fsdp2", OLMO_CORE,
     .marks = {IS_OLMO, T "compile_model=true"}},
    {.title = "OLMo-core", .profile = "fsdp2-hf", OLMO_CORE,
     .marks = {IS_OLMO}},
    {.title = "classes of the Trainer", .marks = {IS_TRAINER},
     RENAMES(class_names)},
    {.title = "fields of the Trainer", .marks = {IS_TRAINER},
     .prefix = IS_TRAINER "|GRPOTrainer.|DPOTrainer.|ORPOTrainer.|KTOTrainer.",
     RENAMES(field_names)},
    {.title = "TRL's length of a sequence",
     .marks = {"cut_by_trl", "!max_length|max_seq_length"},
     RENAMES(length_names)},
    {.title = "TRL's defaults", .marks = {"of_trl", "!fp16"},
     RENAMES(default_names), REMARKS(default_remarks)},
    {.title = "marks of TRL", .marks = {"of_trl|cut_by_trl"},
     RENAMES(mark_names)},
};
/* clang-format on */

const exchange_front_table exchange_fronts_in_code = {
        fronts, P3D_COUNT_OF(fronts)};
