/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_kernels.c - kernels that programs on transformers put in place of its
 * own, whichever front end they are; TRL's own programs and command.
 *
 * Names and defaults: axolotl@067b021c src/axolotl/integrations/liger/args.py;
 * transformers@008e5743 src/transformers/training_args.py (torch_compile,
 * liger_kernel_config); trl@f2cd5771 trl/cli, trl/scripts, trl/trainer/
 * sft_config.py, dpo_config.py, kto_config.py, reward_config.py,
 * trl/accelerate_configs; trl@v0.8.0 trl/trainer/sft_trainer.py (1,024 tokens,
 * too). */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define ZERO "zero_optimization."

/* clang-format off */
/* Norms and gated MLPs of Liger beside another loss. */
static const exchange_rename layer_names[] = {
    {"liger_glu_activation", "true", EXCHANGE_LIGER_LAYERS, "true", false},
    DROPPED("liger_rms_norm"), DROPPED("liger_rope"),
    DROPPED("liger_layer_norm"), DROPPED("liger_rms_norm_gated"),
};
static const exchange_rename no_loss_names[] = {
    {"use_liger_kernel", "true", EXCHANGE_LIGER_LAYERS, "true", false},
    {"enable_liger_kernel", "true", EXCHANGE_LIGER_LAYERS, "true", false},
    DROPPED("liger_kernel_config.fused_linear_cross_entropy"),
};

static const exchange_rename compile_names[] = {
    {"torch_compile", "true", EXCHANGE_COMPILES_LAYERS, "true", false},
    {"torch_compile", "auto", EXCHANGE_COMPILES_LAYERS, "true", false},
    IDLE("torch_compile_backend", "inductor"),
    IDLE("torch_compile_mode", "default"),
};
static const exchange_remark compile_remarks[] = {
    {EXCHANGE_SCOPE, {NULL},
     "torch.compile: the kernels of layers are counted as those that "
     "torchtitan compiles"},
};

/* TRL's programs: what they train on, and 1,024 tokens of a sequence. */
#define BY EXCHANGE_BY_TRL
#define IN_16(config) \
    {"accelerate_config", config, "mixed_precision", "bf16", true}
#define BY_ZERO(stage) \
    IN_16("zero" stage), \
    {"accelerate_config", "zero" stage, ZERO "stage", stage, false}
static const exchange_rename default_names[] = {
    {BY, NULL, "per_device_train_batch_size", "8", true},
    {BY, "sft", "cut_by_trl", "true", true},
    {BY, "dpo", "cut_by_trl", "true", true},
    {BY, "kto", "cut_by_trl", "true", true},
    {BY, "orpo", "cut_by_trl", "true", true},
    {BY, "reward", "cut_by_trl", "true", true},
};
static const exchange_rename today_names[] = {
    {BY, NULL, "of_trl", "true", true},
};
static const exchange_rename trl_names[] = {
    {BY, "grpo", "num_generations", "8", true},
    {BY, "dpo", EXCHANGE_PREFERENCE, "self", true},
    {BY, "kto", EXCHANGE_PREFERENCE, "kto", true},
    {BY, "orpo", EXCHANGE_PREFERENCE, "pairs", true},
    {BY, "reward", EXCHANGE_PREFERENCE, "pairs", true},
    {BY, "reward", EXCHANGE_OUTPUTS, "1", true},
    DROPPED(BY),
    BY_ZERO("1"), BY_ZERO("2"), BY_ZERO("3"), IN_16("multi_gpu"),
    {"accelerate_config", "multi_gpu", "distributed_type", "MULTI_GPU", false},
    IN_16("fsdp1"), IN_16("fsdp2"),
    {"accelerate_config", "fsdp1", "fsdp_config.fsdp_version", "1", false},
    {"accelerate_config", "fsdp2", "fsdp_config.fsdp_version", "2", false},
};

/* Programs of people's own with the fields of TRL's DPOConfig and its kin. */
#define WORD EXCHANGE_PROGRAM_WORD
static const exchange_rename pair_names[] = {
    {"precompute_ref_log_probs", "true", EXCHANGE_PREFERENCE, "precomputed",
     true},
    {WORD, "dpo", EXCHANGE_PREFERENCE, "self", true},
    {WORD, "kto", EXCHANGE_PREFERENCE, "kto", true},
    {WORD, "orpo", EXCHANGE_PREFERENCE, "pairs", true},
    {WORD, "simpo", EXCHANGE_PREFERENCE, "pairs", true},
};
#define IS_WORD(word) WORD "=" word

/* Configurations of people's own programs, in sections, by the Trainer's
 * names. */
#define MODEL_OF(name) AS("model." name, "model_name_or_path")
static const exchange_rename section_models[] = {
    MODEL_OF("name_or_path"), MODEL_OF("name"), MODEL_OF("model_name"),
    MODEL_OF("path"), MODEL_OF("base_model"), MODEL_OF("id"),
    MODEL_OF("pretrained_model_name_or_path"), AS("data.max_length",
    "max_seq_length"), AS("model.max_length", "max_seq_length"),
};
#define HAS_SECTIONS(part) part ".per_device_train_batch_size"
#define IS_IN_SECTIONS \
    HAS_SECTIONS("sft") "|" HAS_SECTIONS("dpo") "|" HAS_SECTIONS("grpo") "|" \
    HAS_SECTIONS("training") "|" HAS_SECTIONS("training_args") "|" \
    HAS_SECTIONS("training_arguments") "|" HAS_SECTIONS("trainer") "|" \
    HAS_SECTIONS("train") "|" HAS_SECTIONS("trainer_args")
#define NOT_IN_SECTIONS \
    "!training.trainer_type|model.model_max_length|base_model|finetuning_type"
static const exchange_remark section_remarks[] = {
    {EXCHANGE_LACKS, {NULL},
     "what a program of its own sets beside the options of its sections, which "
     "are taken for the Trainer's"},
};

static const exchange_front fronts[] = {
    {.title = "programs on TRL",
     .marks = {IS_WORD("dpo") "|" IS_WORD("kto") "|" IS_WORD("orpo") "|"
               IS_WORD("simpo"), "beta", "max_prompt_length|"
               "max_completion_length|precompute_ref_log_probs",
               "!rl|stage|rlhf_type|pref_loss|policy.model_name"},
     RENAMES(pair_names)},
    {.title = "models of sections", .marks = {IS_IN_SECTIONS, NOT_IN_SECTIONS},
     RENAMES(section_models)},
    {.title = "sections of a program of its own",
     .marks = {IS_IN_SECTIONS, NOT_IN_SECTIONS}, REMARKS(section_remarks),
     .prefix = "sft.|dpo.|grpo.|training.|training_args.|training_arguments.|"
               "trainer.|train.|trainer_args.|data.|model.|model_args.|"
               "lora.|peft.|tokenizer.|dataset.|output."},
    {.title = "Liger's kernels of layers",
     .marks = {"liger_rms_norm=true", "liger_glu_activation=true"},
     RENAMES(layer_names)},
    {.title = "Liger's kernels without its loss",
     .marks = {"liger_kernel_config.fused_linear_cross_entropy=false"},
     RENAMES(no_loss_names)},
    {.title = "torch.compile of the Trainer",
     .marks = {"torch_compile=true|torch_compile=auto",
               "per_device_train_batch_size|base_model|model_name_or_path"},
     RENAMES(compile_names), REMARKS(compile_remarks)},
    {.title = "TRL's defaults", .marks = {BY, "!config"},
     RENAMES(default_names)},
    {.title = "TRL's defaults of today",
     .marks = {BY, "!config|bf16|fp16|dtype|torch_dtype|mixed_precision|"
               "config_file|accelerate_config|distributed_type|deepspeed"},
     RENAMES(today_names)},
    {.title = "TRL's programs", .marks = {BY}, RENAMES(trl_names)},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_kernels = {
        fronts, P3D_COUNT_OF(fronts)};
