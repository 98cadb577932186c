/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_accelerate.c - the table of programs on transformers' Trainer that
 * shard by FSDP: accelerate's file, arguments of accelerate launch, or those of
 * the Trainer itself.
 *
 * Names and defaults: accelerate@16cb6eb8 src/accelerate/commands/launch.py,
 * utils/dataclasses.py (FullyShardedDataParallelPlugin); transformers@008e5743
 * src/transformers/training_args.py (--fsdp, --fsdp_config); LLaMA-Factory@
 * ff6d4d12 src/llamafactory/hparams, model/model_utils/checkpointing.py;
 * ms-swift@3602360a swift/arguments/sft_args.py. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define FSDP        "fsdp_config.fsdp_"
#define STRATEGY    FSDP "sharding_strategy"
#define CHECKPOINTS FSDP "activation_checkpointing"

/* clang-format off */
#define MODEL_NAMES "model_name_or_path|model"

/* Words that programs have for the length of a sequence. */
#define LENGTHS \
    {"cutoff_len", NULL, "max_seq_length", NULL, false}, \
    {"max_length", NULL, "max_seq_length", NULL, false}, \
    {"max_seq_len", NULL, "max_seq_length", NULL, false}, \
    {"model_max_length", NULL, "max_seq_length", NULL, false}, \
    {"block_size", NULL, "max_seq_length", NULL, false}

/* Without auto_wrap, and with NO_WRAP, all of the model is one unit of FSDP1
 * (P3D_UNIT_WHOLE). */
#define WHOLE "1000000000000000"
#define UNIT  FSDP "unit_params"
#define FSDP1_UNITS \
    {"fsdp", "full_shard", UNIT, WHOLE, true}, \
    {"fsdp", "shard_grad_op", UNIT, WHOLE, true}, \
    {"fsdp", "hybrid_shard", UNIT, WHOLE, true}, \
    {"fsdp", "hybrid_shard_zero2", UNIT, WHOLE, true}, \
    LAUNCHED("auto_wrap_policy"), LAUNCHED("min_num_params"), \
    {FSDP "auto_wrap_policy", "NO_WRAP", UNIT, WHOLE, false}, \
    {FSDP "min_num_params", "0", NULL, NULL, false}, \
    {FSDP "min_num_params", NULL, UNIT, NULL, false}

/* Arguments of accelerate launch are those of its file without a part. */
#define LAUNCHED(name) {"fsdp_" name, NULL, FSDP name, NULL, false}

/* So are those of transformers, in a part of its own (training_args.py,
 * _process_fsdp_args). */
#define CONFIGURED(name) {"fsdp_config." name, NULL, FSDP name, NULL, false}
#define WRAPPED(i) DROPPED("fsdp_config.transformer_layer_cls_to_wrap." i), \
    DROPPED(FSDP "transformer_layer_cls_to_wrap." i)

/* Strategies of --fsdp, with layers as units or the whole model. */
#define SHARDS(word, strategy) \
    {"fsdp", word, STRATEGY, strategy, false}, \
    {"fsdp", word " auto_wrap", STRATEGY, strategy, false}

#define FSDP_NAMES \
    {"fsdp", "full_shard", STRATEGY, "FULL_SHARD", false}, \
    {"fsdp", "full_shard auto_wrap", STRATEGY, "FULL_SHARD", false}, \
    {"fsdp", "full_shard auto_wrap offload", FSDP "offload_params", "true", \
     true}, \
    {"fsdp", "full_shard auto_wrap offload", STRATEGY, "FULL_SHARD", false}, \
    {"fsdp", "full_shard offload auto_wrap", FSDP "offload_params", "true", \
     true}, \
    {"fsdp", "full_shard offload auto_wrap", STRATEGY, "FULL_SHARD", false}, \
    SHARDS("shard_grad_op", "SHARD_GRAD_OP"), SHARDS("no_shard", "NO_SHARD"), \
    SHARDS("hybrid_shard", "HYBRID_SHARD"), \
    SHARDS("hybrid_shard_zero2", "_HYBRID_SHARD_ZERO2"), \
    LAUNCHED("sharding_strategy"), LAUNCHED("reshard_after_forward"), \
    LAUNCHED("activation_checkpointing"), LAUNCHED("offload_params"), \
    LAUNCHED("auto_wrap_policy"), LAUNCHED("backward_prefetch"), \
    LAUNCHED("forward_prefetch"), LAUNCHED("use_orig_params"), \
    LAUNCHED("sync_module_states"), LAUNCHED("cpu_ram_efficient_loading"), \
    LAUNCHED("state_dict_type"), \
    CONFIGURED("reshard_after_forward"), CONFIGURED("backward_prefetch"), \
    CONFIGURED("activation_checkpointing"), CONFIGURED("offload_params"), \
    CONFIGURED("auto_wrap_policy"), CONFIGURED("forward_prefetch"), \
    CONFIGURED("use_orig_params"), CONFIGURED("sync_module_states"), \
    CONFIGURED("cpu_ram_efficient_loading"), CONFIGURED("state_dict_type"), \
    CONFIGURED("min_num_params"), \
    DROPPED("fsdp_config.transformer_layer_cls_to_wrap"), \
    WRAPPED("0"), WRAPPED("1"), WRAPPED("2"), WRAPPED("3"), \
    {FSDP "auto_wrap_policy", NULL, NULL, NULL, false}, \
    {STRATEGY, "1", STRATEGY, "FULL_SHARD", false}, \
    {STRATEGY, "2", STRATEGY, "SHARD_GRAD_OP", false}, \
    {STRATEGY, "3", STRATEGY, "NO_SHARD", false}, \
    {STRATEGY, "4", STRATEGY, "HYBRID_SHARD", false}, \
    {STRATEGY, "5", STRATEGY, "_HYBRID_SHARD_ZERO2", false}, \
    {STRATEGY, "HYBRID_SHARD_ZERO2", STRATEGY, "_HYBRID_SHARD_ZERO2", false}, \
    {"fsdp_transformer_layer_cls_to_wrap", NULL, NULL, NULL, false}, \
    {"fsdp_version", NULL, NULL, NULL, false}, \
    {"use_fsdp", NULL, NULL, NULL, false}, \
    {"fsdp_config", NULL, NULL, NULL, false}, \
    LENGTHS, \
    {"bf16", "true", "mixed_precision", "bf16", true}, \
    {"bf16", NULL, NULL, NULL, false}, \
    {"fp16", "true", "mixed_precision", "fp16", true}, \
    {"fp16", NULL, NULL, NULL, false}, \
    {"dtype", "float32", NULL, NULL, false}, \
    {"gradient_accumulation_steps", NULL, "gradient_accumulation_steps", \
     NULL, false}, \
    {"per_device_eval_batch_size", NULL, NULL, NULL, false}, \
    {"eval_accumulation_steps", NULL, NULL, NULL, false}, \
    {"optim", "adamw_torch", NULL, NULL, false}, \
    {"optim", "adamw_torch_fused", NULL, NULL, false}, \
    {"tf32", NULL, NULL, NULL, false}, \
    {"packing", NULL, NULL, NULL, false}, \
    {"gradient_checkpointing_kwargs.use_reentrant", NULL, NULL, NULL, false}, \
    {"train_type", NULL, "tuner_type", NULL, false}, \
    {"flash_attn", NULL, NULL, NULL, false}, \
    {"enable_liger_kernel", NULL, "use_liger_kernel", NULL, false}, \
    {"beta", NULL, "preference_pairs", "true", true}, \
    EXCHANGE_PREFERENCES, EXCHANGE_OPTIMIZERS, \
    {"use_muon", "true", EXCHANGE_OPTIMIZER, "muon", false}, \
    {"gradient_checkpointing_kwargs", NULL, NULL, NULL, false}, \
    {"torch_dtype", "bfloat16", NULL, NULL, false}, \
    {"downcast_bf16", NULL, NULL, NULL, false}, \
    {"stage", "ppo", "preference_pairs", "true", true}

/* As the Trainer says that layers are recomputed; LLaMA-Factory, which does so
 * by an option of its own. */
#define TRAINER_CHECKPOINTS \
    {"gradient_checkpointing", "true", CHECKPOINTS, "true", false}, \
    {"gradient_checkpointing", "false", CHECKPOINTS, "false", true}, \
    {"gradient_checkpointing", "false", NULL, NULL, false}
#define FACTORY_CHECKPOINTS \
    {"disable_gradient_checkpointing", "true", CHECKPOINTS, "false", false}, \
    {"disable_gradient_checkpointing", "false", NULL, NULL, false}, \
    {"gradient_checkpointing", NULL, NULL, NULL, false}
/* The second version says by another option what a strategy was. By size it
 * wraps all modules that have so many parameters, layers among them (accelerate
 * utils/fsdp_utils.py: fsdp2_prepare_auto_wrap_policy). */
#define FSDP2_NAMES \
    {FSDP "auto_wrap_policy", "NO_WRAP", FSDP "no_wrap", "true", false}, \
    {FSDP "min_num_params", NULL, NULL, NULL, false}, \
    FSDP_NAMES, \
    {FSDP "reshard_after_forward", "FULL_SHARD", FSDP "reshard_after_forward", \
     "true", false}

static const exchange_rename fsdp1_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY, FSDP1_UNITS, TRAINER_CHECKPOINTS, FSDP_NAMES};
static const exchange_rename fsdp2_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY, TRAINER_CHECKPOINTS, FSDP2_NAMES};
/* "fsdp2" is a configuration that it has (swift/config/fsdp2.json). */
#define SWIFT_NAMES \
    {"fsdp", "fsdp2", NULL, NULL, false}
static const exchange_rename swift_fsdp1_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY, SWIFT_NAMES, FSDP1_UNITS, TRAINER_CHECKPOINTS,
    FSDP_NAMES};
/* Any other word is a file, which is followed. */
static const exchange_rename swift_fsdp2_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY, SWIFT_NAMES, TRAINER_CHECKPOINTS, FSDP2_NAMES,
    DROPPED("fsdp")};
static const exchange_rename factory_fsdp1_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY, FSDP1_UNITS, FACTORY_CHECKPOINTS, FSDP_NAMES};
static const exchange_rename factory_fsdp2_names[] = {
    EXCHANGE_ACTIVATIONS_AWAY, FACTORY_CHECKPOINTS, FSDP2_NAMES};

/* Both recompute unless they are told not to. */
static const exchange_preset factory_presets[] = {
    {CHECKPOINTS, "true"}, {"max_seq_length", "2048"},
    {"gradient_accumulation_steps", "1"},
};
static const exchange_preset swift_presets[] = {
    {CHECKPOINTS, "true"}, {"per_device_train_batch_size", "1"},
    {"gradient_accumulation_steps", "1"}, {"mixed_precision", "bf16"},
    {"tuner_type", "lora"},
};

#define IS_FSDP \
    "fsdp|fsdp_config.|use_fsdp|fsdp_sharding_strategy|distributed_type=FSDP"
#define NOT_SHARDED \
    STRATEGY "=NO_SHARD|" STRATEGY "=3|fsdp_sharding_strategy=NO_SHARD|" \
    "fsdp_sharding_strategy=3|fsdp=no_shard|fsdp=no_shard auto_wrap"
#define IS_FSDP2 "fsdp_config.fsdp_version=2|fsdp_version=2"
/* What accelerate's file and a script's own arguments do not have. */
#define TRAINERS \
    "model_name_or_path|bf16|fp16|gradient_checkpointing|cutoff_len|"\
    "max_length|model_max_length|block_size|output_dir|learning_rate"
#define SWIFT \
    EXCHANGE_BY_SWIFT "|tuner_type|train_type|load_from_cache_file|attn_impl|" \
    "split_dataset_ratio"
#define OF_FACTORY .versions = "hiyouga/LLaMA-Factory@ff6d4d12"
#define OF_SWIFT   .versions = "modelscope/ms-swift@3602360a"
#define OF_TRAINER .versions = "huggingface/transformers@008e5743"
#define WITH(program, part) \
    .title = program, .target = "accelerate", \
    .model = MODEL_NAMES, RENAMES(part)
#define PRECISION \
    .needs = {{"mixed_precision", "precision", "mixed_precision=bf16"}}

static const exchange_front fronts[] = {
    {WITH("LLaMA-Factory with FSDP2", factory_fsdp2_names), OF_FACTORY,
     .marks = {"finetuning_type", IS_FSDP2, "!deepspeed"},
     PRESETS(factory_presets), PRECISION},
    {WITH("LLaMA-Factory with FSDP1", factory_fsdp1_names), OF_FACTORY,
     .profile = "fsdp1",
     .marks = {"finetuning_type", IS_FSDP, "!deepspeed"},
     PRESETS(factory_presets), PRECISION},
    {WITH("ms-swift with FSDP2", swift_fsdp2_names), OF_SWIFT,
     .marks = {SWIFT, IS_FSDP2 "|fsdp=fsdp2",
               "!deepspeed|sequence_parallel_size"},
     PRESETS(swift_presets)},
    {WITH("ms-swift with FSDP1", swift_fsdp1_names), OF_SWIFT,
     .profile = "fsdp1",
     .marks = {SWIFT, IS_FSDP, "!deepspeed",
               "!" IS_FSDP2 "|fsdp=fsdp2"}, PRESETS(swift_presets)},
    {WITH("transformers with FSDP2", fsdp2_names), OF_TRAINER,
     .marks = {IS_FSDP2, "per_device_train_batch_size", TRAINERS,
               "!base_model|deepspeed|sequence_len|"
               "sequence_parallel_size"}},
    {WITH("transformers with FSDP1's NO_SHARD", fsdp1_names), OF_TRAINER,
     .profile = "ddp-hf",
     .marks = {NOT_SHARDED, "per_device_train_batch_size",
               "!base_model|deepspeed|parallelism_config."},
     PRECISION},
    {WITH("transformers with FSDP1", fsdp1_names), OF_TRAINER,
     .profile = "fsdp1",
     .marks = {IS_FSDP, "per_device_train_batch_size",
               "!base_model|deepspeed|parallelism_config.|"
               "sequence_parallel_size"},
     PRECISION},
};
/* clang-format on */

const exchange_front_table exchange_fronts_on_accelerate = {
        fronts, P3D_COUNT_OF(fronts)};
