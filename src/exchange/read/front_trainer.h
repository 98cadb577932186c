/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_trainer.h - rows that the tables of transformers' Trainer, and of the
 * programs on it, have in common. */
#ifndef PLAN3D_EXCHANGE_READ_FRONT_TRAINER_H
#define PLAN3D_EXCHANGE_READ_FRONT_TRAINER_H

#include "exchange/read/front_table.h"

/* clang-format off */
#define ZERO "zero_optimization."
#define MODEL_NAMES \
    "model_name_or_path|base_model|hf-checkpoint|actor_rollout_ref.model.path|"\
    "model_id|model|model.model_name_or_path|model.name_or_path"
#define CUT_CROSS_ENTROPY \
    "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin"
/* Cut cross-entropy keeps no logits, as Liger's fused loss does, and is counted
 * as that one: of Gemma 2 2B they take 145 and 303 ms and keep 1 GiB and 1.4
 * GiB with gradients (arXiv:2411.09009, table 1), a few percent of a step. */
#define CUT_ROWS \
    {"plugins.0", CUT_CROSS_ENTROPY, "use_liger_kernel", "true", false}, \
    {"plugins.1", CUT_CROSS_ENTROPY, "use_liger_kernel", "true", false}, \
    {"plugins.2", CUT_CROSS_ENTROPY, "use_liger_kernel", "true", false}, \
    {"cut_cross_entropy", "true", "use_liger_kernel", "true", false}
/* axolotl's 16-bit types without fp32 copies. */
#define WHOLE_TYPES \
    {"bfloat16", "true", EXCHANGE_WEIGHTS_16, "true", true}, \
    {"bfloat16", "true", "bf16.enabled", "true", false}, \
    {"float16", "true", EXCHANGE_WEIGHTS_16, "true", true}, \
    {"float16", "true", "fp16.enabled", "true", false}
#define WHOLE_TYPES_OF_ACCELERATE \
    {"bfloat16", "true", "mixed_precision", "bf16", false}, \
    {"float16", "true", "mixed_precision", "fp16", false}
#define ZERO_STAGE \
    "stage of ZeRO", ZERO "stage=N"
#define MICRO_BATCH \
    "size of a micro-batch", "per_device_train_batch_size=N"

#define SHARED_ELSEWHERE \
    "sharding by an accelerate configuration, if the launch has one: no file "\
    "says so, and whole states in each replica are counted"

#define DDP_NEEDS \
    {{"train_micro_batch_size_per_gpu", MICRO_BATCH}, \
     {"bf16.enabled|fp16.enabled", "precision", "bf16=true"}}

/* Recomputation of transformers and ms-swift. */
#define TRAINER_CHECKPOINTS                                                    \
    {"gradient_checkpointing", "true", "recompute-granularity", "full", false},\
    {"gradient_checkpointing", "false", "recompute-granularity", "none", false}

/* transformers' and its users' names, on DeepSpeed. */
#define TRAINER_NAMES                                                          \
    {"per_device_train_batch_size", NULL, "train_micro_batch_size_per_gpu",    \
     NULL, false},                                                             \
    {"micro_batch_size", NULL, "train_micro_batch_size_per_gpu", NULL, false}, \
    {"cutoff_len", NULL, "seq-length", NULL, false},                           \
    {"sequence_len", NULL, "seq-length", NULL, false},                         \
    {"max_seq_length", NULL, "seq-length", NULL, false},                       \
    {"max_length", NULL, "seq-length", NULL, false},                           \
    {"model_max_length", NULL, "seq-length", NULL, false},                     \
    {"max_seq_len", NULL, "seq-length", NULL, false},                          \
    {"block_size", NULL, "seq-length", NULL, false},                           \
    {"bf16", "true", "bf16.enabled", "true", false},                           \
    {"bf16", "auto", "bf16.enabled", "true", false},                           \
    {"bf16", "false", "bf16.enabled", "false", false},                         \
    {"torch_dtype", "bfloat16", "bf16.enabled", "true", false},                \
    {"fp16", "true", "fp16.enabled", "true", false},                           \
    {"fp16", "false", NULL, NULL, false},                                      \
    {"fp16", "null", NULL, NULL, false}, {"fp16", "", NULL, NULL, false},      \
    {"bf16", "", NULL, NULL, false},                                           \
    {"mixed_precision", "bf16", "bf16.enabled", "true", false},                \
    {"mixed_precision", "fp16", "fp16.enabled", "true", false},                \
    {"mixed_precision", "no", NULL, NULL, false},                              \
    {"train_type", NULL, "tuner_type", NULL, false},                      \
    {"flash_attn", "disabled", "use-flash-attn-v2", "false", false},           \
    {"attn_impl", "eager", "use-flash-attn-v2", "false", false},               \
    {"attn_implementation", "eager", "use-flash-attn-v2", "false", false},     \
    {"flash_attn", NULL, NULL, NULL, false},                                   \
    EXCHANGE_OPTIMIZERS,                                                       \
    {"use_muon", "true", EXCHANGE_OPTIMIZER, "muon", false},                   \
    {"optim", "adamw_torch", NULL, NULL, false},                               \
    {"optimizer", "adamw_torch", NULL, NULL, false},                           \
    {"optimizer", "adamw_torch_fused", NULL, NULL, false},                     \
    {"optim", "adamw_torch_fused", NULL, NULL, false},                         \
    {"distributed_type", NULL, NULL, NULL, false},                             \
    {"sample_packing", NULL, NULL, NULL, false},                               \
    {"packing", NULL, NULL, NULL, false},                                      \
    {"pad_to_sequence_len", NULL, NULL, NULL, false},                          \
    {"per_device_eval_batch_size", NULL, NULL, NULL, false},                   \
    {"tf32", NULL, NULL, NULL, false},                                         \
    {"enable_liger_kernel", NULL, "use_liger_kernel", NULL, false},            \
    EXCHANGE_PREFERENCES,                                                      \
    {"rlhf_type", "grpo", EXCHANGE_GRPO, "true", false},                       \
    {"stage", "ppo", "preference_pairs", "true", true},                        \
    {"dpo_beta", NULL, "preference_pairs", "true", true},                      \
    {"beta", NULL, "preference_pairs", "true", true},                          \
    {"rl", NULL, "preference_pairs", "true", true},                            \
    {"dpo_loss_type", NULL, "preference_pairs", "true", true},                 \
    {"use_liger", NULL, "use_liger_kernel", NULL, false},                      \
    {"pure_bf16", "true", EXCHANGE_WEIGHTS_16, "true", true},                  \
    {"pure_bf16", "true", "bf16.enabled", "true", false},                      \
    {"pure_bf16", "false", NULL, NULL, false},                                 \
    CUT_ROWS,                                                                  \
    {"gradient_checkpointing_kwargs.use_reentrant", NULL, NULL, NULL, false},  \
    {"gradient_checkpointing_kwargs", NULL, NULL, NULL, false},                \
    {"experts_impl", NULL, NULL, NULL, false},                                 \
    {"liger_fused_linear_cross_entropy", "true", "use_liger_kernel", "true",   \
     false},                                                                   \
    {"downcast_bf16", NULL, NULL, NULL, false}

#define DEEPSPEED_NAMES                                                        \
    TRAINER_NAMES,                                                             \
    {"deepspeed", "zero0", ZERO "stage", "0", false},                          \
    {"deepspeed", "zero1", ZERO "stage", "1", false},                          \
    {"deepspeed", "zero2", ZERO "stage", "2", false},                          \
    {"deepspeed", "zero3", ZERO "stage", "3", false},                          \
    {"deepspeed", "zero2_offload", ZERO "offload_optimizer.device", "cpu",     \
     true},                                                                    \
    {"deepspeed", "zero2_offload", ZERO "stage", "2", false},                  \
    {"deepspeed", "zero3_offload", ZERO "offload_optimizer.device", "cpu",     \
     true},                                                                    \
    {"deepspeed", "zero3_offload", ZERO "offload_param.device", "cpu", true},  \
    {"deepspeed", "zero3_offload", ZERO "stage", "3", false},                  \
    {"deepspeed_config.zero_stage", NULL, ZERO "stage", NULL, false},          \
    {"deepspeed_config.gradient_accumulation_steps", NULL,                     \
     "gradient_accumulation_steps", NULL, false},                              \
    {"deepspeed_config.offload_optimizer_device", NULL,                        \
     ZERO "offload_optimizer.device", NULL, false},                            \
    {"deepspeed_config.offload_param_device", NULL,                            \
     ZERO "offload_param.device", NULL, false},                                \
    {"deepspeed_config.zero3_init_flag", NULL, NULL, NULL, false},             \
    {"deepspeed_config.zero3_save_16bit_model", NULL, NULL, NULL, false},      \
    {"deepspeed_config.deepspeed_multinode_launcher", NULL, NULL, NULL, false},\
    {"deepspeed_config.gradient_clipping", NULL, NULL, NULL, false}

/* transformers has no dropout in its models of the day, and fused attention;
 * its checkpoints are of single layers. */
#define TRAINER_PRESETS \
    {"attention-dropout", "0"}, {"hidden-dropout", "0"}, \
    {"use-flash-attn-v2", NULL}, {"recompute-method", "uniform"}, \
    {"recompute-num-layers", "1"}, {ZERO "stage", "0"}, \
    {"gradient_accumulation_steps", "1"}
/* clang-format on */

#endif
