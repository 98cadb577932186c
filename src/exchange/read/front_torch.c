/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_torch.c - the table of front ends on FSDP that have no framework of
 * their own beneath.
 *
 * Names and defaults: verl@b178a3cd verl/trainer/config/{actor/dp_actor,
 * actor/actor,engine/fsdp,model/hf_model,data/legacy_data,sft_trainer}.yaml;
 * llm-foundry@8c8dd48f llmfoundry/models/mpt/configuration_mpt.py,
 * llmfoundry/command_utils/train.py. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front.h"

#define ZERO          "zero_optimization."
#define RENAMES(rows) .renames = rows, .n_renames = P3D_COUNT_OF(rows)
#define PRESETS(rows) .presets = rows, .n_presets = P3D_COUNT_OF(rows)
#define DERIVED(rows) .derived = rows, .n_derived = P3D_COUNT_OF(rows)

/* clang-format off */
#define ACTOR "actor_rollout_ref.actor."
static const exchange_rename verl_names[] = {
    {ACTOR "ppo_micro_batch_size_per_gpu", NULL,
     "train_micro_batch_size_per_gpu", NULL, false},
    {"actor_rollout_ref.model.enable_gradient_checkpointing", "true",
     "recompute-granularity", "full", false},
    {"actor_rollout_ref.model.enable_gradient_checkpointing", "false",
     "recompute-granularity", "none", false},
    {"actor_rollout_ref.model.use_remove_padding", NULL, NULL, NULL, false},
    {"data.train_batch_size", NULL, NULL, NULL, false},
    /* Between the passes that generate and train, not within a step. */
    {ACTOR "fsdp_config.param_offload", NULL, NULL, NULL, false},
    {ACTOR "fsdp_config.optimizer_offload", NULL, NULL, NULL, false},
    {ACTOR "fsdp_config.forward_prefetch", NULL, NULL, NULL, false},
    {ACTOR "ulysses_sequence_parallel_size", "1", NULL, NULL, false},
    {ACTOR "fsdp_config.fsdp_size", "-1", NULL, NULL, false},
    {ACTOR "strategy", NULL, NULL, NULL, false},
    {ACTOR "use_dynamic_bsz", "false", NULL, NULL, false},
};
static const exchange_derived verl_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {"data.max_prompt_length=512", "data.max_response_length=512"}, NULL},
    {"train_batch_size", EXCHANGE_PRODUCT,
     {ACTOR "ppo_mini_batch_size=256", "actor_rollout_ref.rollout.n=1"}, NULL},
    {"train_micro_batch_size_per_gpu", EXCHANGE_RATIO,
     {ACTOR "ppo_max_token_len_per_gpu=16384", "seq-length"},
     ACTOR "use_dynamic_bsz=true"},
};

/* Parameters in fp32 that are gathered in bf16, a checkpoint a layer, fused
 * attention: full sharding, which is stage 3. */
static const exchange_preset sharded_presets[] = {
    {ZERO "stage", "3"}, {"bf16.enabled", "true"},
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"use-flash-attn-v2", NULL}, {"recompute-granularity", "full"},
    {"recompute-method", "uniform"}, {"recompute-num-layers", "1"},
};

static const exchange_rename verl_sft_names[] = {
    {"data.micro_batch_size_per_gpu", NULL, "train_micro_batch_size_per_gpu",
     NULL, false},
    {"data.train_batch_size", NULL, "train_batch_size", NULL, false},
    {"data.max_length", NULL, "seq-length", NULL, false},
    {"model.enable_gradient_checkpointing", "true", "recompute-granularity",
     "full", false},
    {"model.enable_gradient_checkpointing", "false", "recompute-granularity",
     "none", false},
    {"model.strategy", NULL, NULL, NULL, false},
    {"use_remove_padding", NULL, NULL, NULL, false},
    {"ulysses_sequence_parallel_size", "1", NULL, NULL, false},
};
static const exchange_derived verl_sft_derived[] = {
    {"train_batch_size", EXCHANGE_PRODUCT, {"=256"}, NULL},
    {"train_micro_batch_size_per_gpu", EXCHANGE_PRODUCT, {"=4"}, NULL},
    {"seq-length", EXCHANGE_PRODUCT, {"=1024"}, NULL},
};

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
    {"optimizer.name", "decoupled_lionw", "optimizer", "lion", false},
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
#define FOUNDRY_NEEDS \
    {{"train_micro_batch_size_per_gpu", "size of a micro-batch",\
      "device_train_microbatch_size=N"},\
     {ZERO "stage", "strategy of sharding",\
      "fsdp_config.sharding_strategy=FULL_SHARD"}}

static const exchange_front fronts[] = {
    {.title = "verl with FSDP",
     .versions = "volcengine/verl@b178a3cd",
     .target = "deepspeed", .profile = "fsdp1",
     .marks = {"actor_rollout_ref.model.path",
               ACTOR "ppo_micro_batch_size_per_gpu|"
               ACTOR "ppo_mini_batch_size|" ACTOR "use_dynamic_bsz",
               "!" ACTOR "megatron.|" ACTOR "strategy=megatron|" ACTOR
               "strategy=fsdp2"},
     RENAMES(verl_names), PRESETS(sharded_presets), DERIVED(verl_derived),
     .model = "actor_rollout_ref.model.path",
     .others = "reward_model.|preference_pairs",
     .left_out = "the answers that are generated, reference, critic and reward "
                 "models: the step is the actor's alone\n",
     .needs = {{"train_micro_batch_size_per_gpu",
         "size of a micro-batch", ACTOR "ppo_micro_batch_size_per_gpu=N"}}},
    {.title = "verl's SFT trainer",
     .versions = "volcengine/verl@b178a3cd", .target = "deepspeed",
     .profile = "fsdp2-hf",
     .marks = {"model.partial_pretrain"},
     RENAMES(verl_sft_names), PRESETS(sharded_presets),
     DERIVED(verl_sft_derived), .model = "model.partial_pretrain"},
    {.title = "LLM Foundry",
     .versions = "mosaicml/llm-foundry@8c8dd48f",
     .target = "deepspeed", .profile = "fsdp1",
     .marks = {"global_train_batch_size", "max_seq_len",
               "model.name|" FOUNDRY_MODEL},
     RENAMES(foundry_names), DERIVED(foundry_derived),
     PRESETS(foundry_presets), .model = FOUNDRY_MODEL, .needs = FOUNDRY_NEEDS},
    {.title = "LLM Foundry on MosaicML's platform",
     .versions = "mosaicml/llm-foundry@8c8dd48f", .target = "deepspeed",
     .profile = "fsdp1", .prefix = "parameters.",
     .marks = {"parameters.global_train_batch_size", "parameters.max_seq_len"},
     RENAMES(foundry_names), DERIVED(foundry_derived),
     PRESETS(foundry_presets), .model = FOUNDRY_MODEL, .needs = FOUNDRY_NEEDS},
};
/* clang-format on */

const exchange_front_table exchange_fronts_on_torch = {
        fronts, P3D_COUNT_OF(fronts)};
