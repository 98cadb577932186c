/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_past.c - the tables of trainers of the past on transformers, whose
 * scripts people still have: ms-swift before version 3, alpaca-lora.
 *
 * Names and defaults: ms-swift@v2.6.1 swift/llm/utils/argument.py
 * (SftArguments: 16 sequences a step where nothing is said), utils/model.py
 * (targets of LoRA);
 * tloen/alpaca-lora@8bb8579e finetune.py (a base in 8 bit, which peft's
 * prepare_model_for_int8_training recomputes). */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_trainer.h"

/* clang-format off */
#define MICRO "train_micro_batch_size_per_gpu"
#define ACCUMULATES "gradient_accumulation_steps"

/* ms-swift 2. */
#define SWIFT_NAMES \
    AS("batch_size", MICRO), AS("max_length", "seq-length"), \
    IDLE("max_length", "-1"), \
    IS("dtype", "bf16", "bf16.enabled", "true"), \
    IS("dtype", "auto", "bf16.enabled", "true"), \
    IS("dtype", "fp16", "fp16.enabled", "true"), \
    IS("deepspeed", "default-zero2", ZERO "stage", "2"), \
    IS("deepspeed", "default-zero3", ZERO "stage", "3"), \
    IS("use_flash_attn", "false", "use-flash-attn-v2", "false"), \
    DROPPED("use_flash_attn"), \
    IS("lora_target_modules", "DEFAULT", "lora_target_modules", \
       "q_proj,k_proj,v_proj"), \
    IS("lora_target_modules", "ALL", "lora_target_modules", "all-linear"), \
    IS("lora_dropout_p", NULL, "lora_dropout", NULL), \
    DROPPED("eval_batch_size"), DROPPED("tuner_backend"), \
    DROPPED("train_dataset_sample"), DROPPED("use_loss_scale"), \
    TRAINER_CHECKPOINTS, EXCHANGE_OPTIMIZERS, \
    IDLE("optim", "adamw_torch")
static const exchange_rename swift_deepspeed_names[] = {SWIFT_NAMES};
static const exchange_rename swift_ddp_names[] = {
    {"dtype", "bf16", EXCHANGE_WEIGHTS_16, "true", true},
    {"dtype", "auto", EXCHANGE_WEIGHTS_16, "true", true},
    SWIFT_NAMES,
};
static const exchange_derived swift_derived[] = {
    {MICRO, EXCHANGE_PRODUCT, {"=1"}, NULL},
    {ACCUMULATES, EXCHANGE_SHARE, {"=16", MICRO}, NULL},
};
#define SWIFT_PRESETS \
    TRAINER_PRESETS, {"recompute-granularity", "full"}, \
    {"seq-length", "2048"}, {"bf16.enabled", "true"}, {"sft_type", "lora"}
static const exchange_preset swift_deepspeed_presets[] = {SWIFT_PRESETS};
static const exchange_preset swift_ddp_presets[] = {
    SWIFT_PRESETS, {EXCHANGE_WEIGHTS_16, "true"},
};
static const exchange_remark swift_ddp_remarks[] = {
    {EXCHANGE_LACKS,
     {"!" EXCHANGE_PROCESSES "|" EXCHANGE_BY_TORCHRUN "|@one"},
     "one process alone, as NPROC_PER_NODE is not said: a replica on each GPU "
     "is counted"},
};
#define SWIFT \
    .versions = "modelscope/ms-swift@v2.6.1", .target = "deepspeed", \
    .model = "model_id_or_path|model_cache_dir|model_type", \
    .others = "preference_pairs", DERIVED(swift_derived)
#define IS_SWIFT \
    "sft_type|template_type|model_id_or_path", \
    "sft_type|" EXCHANGE_BY_SWIFT

/* alpaca-lora. */
static const exchange_rename alpaca_names[] = {
    AS("batch_size", "train_batch_size"), AS("micro_batch_size", MICRO),
    AS("cutoff_len", "seq-length"),
    DROPPED("group_by_length"), DROPPED("train_on_inputs"),
};
static const exchange_derived alpaca_derived[] = {
    {"train_batch_size", EXCHANGE_PRODUCT, {"=128"}, NULL},
    {MICRO, EXCHANGE_PRODUCT, {"=4"}, NULL},
    {ACCUMULATES, EXCHANGE_SHARE, {"train_batch_size", MICRO}, NULL},
};
static const exchange_preset alpaca_presets[] = {
    TRAINER_PRESETS, {"recompute-granularity", "full"}, {"seq-length", "256"},
    {"fp16.enabled", "true"}, {"load_in_8bit", "true"}, {"lora_r", "8"},
    {"lora_target_modules", "q_proj,v_proj"},
};
static const exchange_remark alpaca_remarks[] = {
    {EXCHANGE_LACKS, {"!" EXCHANGE_BY_TORCHRUN "|@one"},
     "layers of one process on several GPUs: a replica on each is counted"},
};

/* Megatron-LM's --yaml-cfg: fields of its configurations in parts, the others
 * by the names of its arguments. */
static const exchange_rename yaml_names[] = {
    IS("activation_func", "swiglu", "swiglu", "true"),
    IS("activation_func", "squaredrelu", "squared-relu", "true"),
    IDLE("activation_func", "gelu"), DROPPED("gated_linear_unit"),
    IS("add_bias_linear", "false", "disable-bias-linear", "true"),
    IDLE("add_bias_linear", "true"), IDLE("num_query_groups", "null"),
    AS("num_moe_experts", "num-experts"), IDLE("ffn_hidden_size", "null"),
    IDLE("kv_channels", "null"), IDLE("vocab_size", "null"),
    IDLE("num_layers_per_virtual_pipeline_stage", "null"),
    IDLE("virtual_pipeline_model_parallel_size", "null"),
    IDLE("distribute_saved_activations", "null"),
    IDLE("cpu_offloading_num_layers", "0"), IDLE("fp8", "null"),
    AS("fp8", "fp8-format"),
    IDLE("recompute_granularity", "null"), IDLE("recompute_method", "null"),
    IDLE("recompute_num_layers", "null"), DROPPED("cpu_offloading_weights"),
    DROPPED("cpu_offloading_activations"), DROPPED("fp8_wgrad"),
};

static const exchange_front fronts[] = {
    {.title = "Megatron-LM's YAML", .target = "megatron", .hands_on = true,
     .marks = {"language_model.num_layers", "language_model.hidden_size",
               "micro_batch_size"},
     .prefix = "language_model.|model_parallel.", RENAMES(yaml_names)},
    {.title = "ms-swift 2 with DeepSpeed", SWIFT, .profile = "deepspeed-hf",
     .marks = {IS_SWIFT, "deepspeed|" ZERO "stage"},
     RENAMES(swift_deepspeed_names), PRESETS(swift_deepspeed_presets),
     .needs = {{ZERO "stage", ZERO_STAGE}}},
    {.title = "ms-swift 2 with DDP", SWIFT, .profile = "ddp-hf",
     .marks = {IS_SWIFT, "!deepspeed|fsdp"}, REMARKS(swift_ddp_remarks),
     RENAMES(swift_ddp_names), PRESETS(swift_ddp_presets)},
    {.title = "alpaca-lora", .versions = "tloen/alpaca-lora@8bb8579e",
     .target = "deepspeed", .profile = "ddp-hf",
     .marks = {"base_model", "data_path", "cutoff_len|lora_r|lora_alpha|"
               "lora_target_modules|micro_batch_size",
               "!sequence_len|finetuning_type|adapter|deepspeed"},
     .model = "base_model", RENAMES(alpaca_names), PRESETS(alpaca_presets),
     DERIVED(alpaca_derived),
     REMARKS(alpaca_remarks)},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_the_past = {
        fronts, P3D_COUNT_OF(fronts)};
