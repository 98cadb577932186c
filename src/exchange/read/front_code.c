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
    CALLED("ORPOConfig", EXCHANGE_PREFERENCE, "precomputed"),
    CALLED("KTOConfig", "preference_pairs", "true"),
    CALLED("RewardConfig", "preference_pairs", "true"),
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

static const exchange_front fronts[] = {
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
