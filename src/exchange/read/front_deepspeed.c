/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_deepspeed.c - the table of programs on DeepSpeed that write its
 * configuration themselves.
 *
 * Names and defaults: OpenRLHF@3c3be623 openrlhf/cli/train_sft.py, openrlhf/
 * utils/deepspeed/deepspeed_utils.py, the names without parts those of its
 * versions before; DeepSpeedExamples@45b4b715 applications/DeepSpeed-Chat/
 * training/step1_supervised_finetuning/main.py, dschat/utils/ds_utils.py. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front.h"

#define ZERO          "zero_optimization."
#define RENAMES(rows) .renames = rows, .n_renames = P3D_COUNT_OF(rows)
#define PRESETS(rows) .presets = rows, .n_presets = P3D_COUNT_OF(rows)
#define DERIVED(rows) .derived = rows, .n_derived = P3D_COUNT_OF(rows)

/* clang-format off */
#define MODELS \
    "model.model_name_or_path|actor.model_name_or_path|pretrain|"\
    "model_name_or_path"
#define OPTIMIZER_TO ZERO "offload_optimizer.device"
#define WEIGHTS_TO   ZERO "offload_param.device"

static const exchange_rename openrlhf_names[] = {
    {"train.micro_batch_size", NULL, "train_micro_batch_size_per_gpu", NULL,
     false},
    {"micro_train_batch_size", NULL, "train_micro_batch_size_per_gpu", NULL,
     false},
    {"train.batch_size", NULL, "train_batch_size", NULL, false},
    {"data.max_len", NULL, "seq-length", NULL, false},
    {"max_len", NULL, "seq-length", NULL, false},
    {"ds.zero_stage", NULL, ZERO "stage", NULL, false},
    {"zero_stage", NULL, ZERO "stage", NULL, false},
    {"ds.adam_offload", "true", OPTIMIZER_TO, "cpu", false},
    {"adam_offload", "true", OPTIMIZER_TO, "cpu", false},
    {"ds.param_dtype", "bf16", "bf16.enabled", "true", false},
    {"ds.param_dtype", "fp16", "fp16.enabled", "true", false},
    {"param_dtype", "bf16", "bf16.enabled", "true", false},
    {"param_dtype", "fp16", "fp16.enabled", "true", false},
    {"bf16", "true", "bf16.enabled", "true", false},
    {"model.gradient_checkpointing_enable", "true", "recompute-granularity",
     "full", false},
    {"gradient_checkpointing", "true", "recompute-granularity", "full", false},
    {"model.gradient_checkpointing_reentrant", NULL, NULL, NULL, false},
    {"ds.overlap_comm", NULL, ZERO "overlap_comm", NULL, false},
    {"overlap_comm", NULL, ZERO "overlap_comm", NULL, false},
    {"ds.use_liger_kernel", NULL, "use_liger_kernel", NULL, false},
    {"ds.grad_accum_dtype", "fp32", "data_types.grad_accum_dtype", "fp32",
     false},
    {"ds.zpg", "1", NULL, NULL, false},
    {"zpg", "1", NULL, NULL, false},
    {"ds.zpg", NULL, ZERO "zero_hpz_partition_size", NULL, false},
    {"zpg", NULL, ZERO "zero_hpz_partition_size", NULL, false},
    {"ds.tensor_parallel_size", "1", NULL, NULL, false},
    {"ds.attn_implementation", "eager", "use-flash-attn-v2", "false", false},
    {"ds.attn_implementation", NULL, NULL, NULL, false},
    {"flash_attn", NULL, NULL, NULL, false},
    {"ds.packing_samples", NULL, NULL, NULL, false},
    {"packing_samples", NULL, NULL, NULL, false},
};
/* Sequences of a batch of 128, 8 to a GPU, where nothing is said. */
static const exchange_preset openrlhf_presets[] = {
    {"train_batch_size", "128"}, {"train_micro_batch_size_per_gpu", "8"},
    {"seq-length", "2048"}, {ZERO "stage", "2"}, {"bf16.enabled", "true"},
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"use-flash-attn-v2", NULL}, {"recompute-granularity", "none"},
    {"recompute-method", "uniform"}, {"recompute-num-layers", "1"},
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

static const exchange_front fronts[] = {
    {.title = "OpenRLHF's SFT",
     .versions = "OpenRLHF/OpenRLHF@3c3be623", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"data.max_len|max_len",
               "train.micro_batch_size|micro_train_batch_size",
               "!model.beta|beta|data.prompt_dataset|data.chosen_key|"
               "chosen_key|rollout.batch_size|train.rollout_batch_size|"
               "rollout_batch_size|data.max_prompt_len|prompt_data"},
     RENAMES(openrlhf_names), PRESETS(openrlhf_presets), .model = MODELS},
    {.title = "OpenRLHF's DPO and reward models",
     .versions = "OpenRLHF/OpenRLHF@3c3be623", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"data.max_len|max_len",
               "train.micro_batch_size|micro_train_batch_size",
               "model.beta|beta|data.chosen_key|chosen_key"},
     RENAMES(openrlhf_names), PRESETS(openrlhf_presets), .model = MODELS,
     .others = "preference_pairs",
     .left_out = "pairs of answers, which are two sequences each, and the "
                 "reference model of DPO: one sequence and one model are "
                 "counted\n"},
    {.title = "DeepSpeed-Chat's reward model",
     .versions = "deepspeedai/DeepSpeedExamples@45b4b715",
     .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"zero_stage", "max_seq_len", "num_padding_at_beginning"},
     RENAMES(chat_names), PRESETS(chat_presets), DERIVED(chat_derived),
     .model = MODELS,
     .others = "preference_pairs",
     .left_out = "pairs of answers, which are two sequences each: one is "
                 "counted\n"},
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
        fronts, P3D_COUNT_OF(fronts)};
