/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_ray.c - the tables of programs on DeepSpeed that train on answers which
 * they generate: OpenRLHF's and open-instruct's under Ray, where each model has
 * GPUs of its own or all share them, and TRL's GRPO.
 *
 * Names and defaults: OpenRLHF@3c3be623 openrlhf/cli/train_ppo_ray.py,
 * openrlhf/trainer/ray/ppo_actor.py, openrlhf/utils/deepspeed/deepspeed.py (a
 * batch counts sequences), the names without parts those of its versions
 * before; open-instruct@e6c3044a open_instruct/grpo_utils.py, grpo_fast.py,
 * data_loader.py, rl_utils.py; trl 0.16 trl/trainer/grpo_config.py (a
 * micro-batch counts answers, which a prompt of 512 tokens is before). */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_trainer.h"

/* clang-format off */
#define MICRO "train_micro_batch_size_per_gpu"
#define HEADS "ds-sequence-parallel-size"
#define OPTIMIZER_TO ZERO "offload_optimizer.device"
#define WEIGHTS_TO   ZERO "offload_param.device"
#define FULL  "recompute-granularity", "full"
#define LARGEST "each sequence counts with its largest length"
#define GENERATES \
    "the actor's step: answers are generated, and reference and reward models "\
    "run, before it"
#define ENGINES_STAY \
    "the engines that generate, which stay on the GPUs"
#define REFERENCE_STAYS \
    "the reference model's weights, which stay on the GPUs"
#define FUSED \
    {"attention-dropout", "0"}, {"hidden-dropout", "0"}, \
    {"use-flash-attn-v2", NULL}, {"recompute-granularity", "none"}, \
    {"recompute-method", "uniform"}, {"recompute-num-layers", "1"}

/* OpenRLHF: "--part.name" now, "--name" before. */
static const exchange_rename openrlhf_names[] = {
    AS("actor.num_nodes", "nnodes"), AS("actor_num_nodes", "nnodes"),
    AS("actor.num_gpus_per_node", "nproc-per-node"),
    AS("actor_num_gpus_per_node", "nproc-per-node"),
    AS("train.micro_batch_size", MICRO), AS("micro_train_batch_size", MICRO),
    AS("train.batch_size", "train_batch_size"),
    AS("data.max_len", "seq-length"),
    AS("ds.zero_stage", ZERO "stage"), AS("zero_stage", ZERO "stage"),
    IS("ds.adam_offload", "true", OPTIMIZER_TO, "cpu"),
    IS("adam_offload", "true", OPTIMIZER_TO, "cpu"),
    IS("ds.param_dtype", "bf16", "bf16.enabled", "true"),
    IS("ds.param_dtype", "fp16", "fp16.enabled", "true"),
    IS("param_dtype", "bf16", "bf16.enabled", "true"),
    IS("param_dtype", "fp16", "fp16.enabled", "true"),
    IS("bf16", "true", "bf16.enabled", "true"),
    {"actor.gradient_checkpointing_enable", "true", FULL, false},
    {"gradient_checkpointing", "true", FULL, false},
    DROPPED("actor.gradient_checkpointing_reentrant"),
    DROPPED("gradient_checkpointing_use_reentrant"),
    AS("ds.overlap_comm", ZERO "overlap_comm"),
    AS("overlap_comm", ZERO "overlap_comm"),
    AS("ds.use_liger_kernel", "use_liger_kernel"),
    IDLE("ds_tensor_parallel_size", "1"),
    AS("ds_tensor_parallel_size", "tensor_parallel.autotp_size"),
    AS("ds.grad_accum_dtype", "data_types.grad_accum_dtype"),
    AS("grad_accum_dtype", "data_types.grad_accum_dtype"),
    IDLE("ds.zpg", "1"), IDLE("zpg", "1"),
    AS("ds.zpg", ZERO "zero_hpz_partition_size"),
    AS("zpg", ZERO "zero_hpz_partition_size"),
    IDLE("ds.tensor_parallel_size", "1"), IDLE("ds_tensor_parallel_size", "1"),
    IDLE("ds.ring_attn_size", "1"), IDLE("ring_attn_size", "1"),
    /* Keys and values of some heads at a time go to all ranks, beside the
     * attention of those before (ring_flash_attn's llama3_flash_attn_varlen,
     * openrlhf/models/ring_attn_utils.py). */
    {"ds.ring_attn_size", NULL, EXCHANGE_SEQUENCE_IMPL, "ring_attention", true},
    {"ring_attn_size", NULL, EXCHANGE_SEQUENCE_IMPL, "ring_attention", true},
    AS("ds.ring_attn_size", HEADS), AS("ring_attn_size", HEADS),
    DROPPED("ds.ring_attn_head_stride"), DROPPED("ring_head_stride"),
    IS("ds.attn_implementation", "eager", "use-flash-attn-v2", "false"),
    IS("attn_implementation", "eager", "use-flash-attn-v2", "false"),
    DROPPED("ds.attn_implementation"), DROPPED("attn_implementation"),
    DROPPED("flash_attn"), DROPPED("ds.packing_samples"),
    DROPPED("packing_samples"),
    AS("ds.load_in_4bit", "load_in_4bit"),
    IDLE("ds.lora.rank", "0"), IDLE("lora_rank", "0"),
    AS("ds.lora.rank", "lora_rank"),
    AS("ds.lora.target_modules", "lora_target_modules"),
    DROPPED("ds.lora.alpha"), AS("ds.lora.dropout", "lora_dropout"),
    IDLE("actor.optim", "adam"), AS("actor.optim", "optimizer"),
    AS("actor.freeze_visual_encoder", "freeze_vision_tower"),
    AS("freeze_visual_encoder", "freeze_vision_tower"),
    AS("data.max_images_per_prompt", "limit_images"),
    /* Where states wait, and engines, while the others run. */
    DROPPED("ds.enable_sleep"), DROPPED("deepspeed_enable_sleep"),
    DROPPED("ds.deepcompile"),
    DROPPED("num_gpus"), /* that ray start has for all */
};
#define DYNAMIC "train.dynamic_batch_enable|use_dynamic_batch"
static const exchange_derived openrlhf_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {"prompt_max_len=1024", "generate_max_len=1024"}, NULL},
    {"tokens-of-micro-batch", EXCHANGE_PRODUCT,
     {"train.max_tokens_per_gpu=16192", HEADS "=1"},
     "train.dynamic_batch_enable"},
    {"tokens-of-micro-batch", EXCHANGE_PRODUCT,
     {"train_max_tokens_per_gpu=16192", HEADS "=1"}, "use_dynamic_batch"},
    {"train_batch_size", EXCHANGE_PRODUCT, {"=128"}, NULL},
    {MICRO, EXCHANGE_FIT,
     {"tokens-of-micro-batch", "seq-length", "train_batch_size"}, DYNAMIC},
};
static const exchange_preset openrlhf_presets[] = {
    {ZERO "stage", "2"}, {"bf16.enabled", "true"}, FUSED,
};
#define TOGETHER "train.colocate_all|colocate_all_models"
#define WITHOUT_CRITIC \
    "algo.advantage.estimator=rloo|algo.advantage.estimator=group_norm|"\
    "algo.advantage.estimator=dr_grpo|algo.advantage.estimator=reinforce|"\
    "algo.advantage.estimator=reinforce_baseline|"\
    "advantage_estimator=rloo|advantage_estimator=group_norm|"\
    "advantage_estimator=dr_grpo|advantage_estimator=reinforce|"\
    "advantage_estimator=reinforce_baseline|advantage_estimator=grpo"
#define WITH_REFERENCE \
    TOGETHER "|train.colocate_actor_ref|colocate_actor_ref"
#define NO_REFERENCE \
    "!algo.kl.init_coef=0|init_kl_coef=0|algo.kl.init_coef=0.0|"\
    "init_kl_coef=0.0|ref.offload|ref_reward_offload|offload_ref"
static const exchange_remark openrlhf_remarks[] = {
    {EXCHANGE_SCOPE, {NULL}, GENERATES},
    {EXCHANGE_SCOPE, {NULL}, LARGEST},
    {EXCHANGE_LACKS, {WITH_REFERENCE, NO_REFERENCE}, REFERENCE_STAYS},
    {EXCHANGE_LACKS,
     {TOGETHER, "!ds.enable_sleep|deepspeed_enable_sleep", "!" WITHOUT_CRITIC},
     "the critic, whose states stay on the GPUs"},
    {EXCHANGE_LACKS,
     {TOGETHER, "!vllm.enable_sleep|vllm_enable_sleep|train.async_enable|"
      "async_train"}, ENGINES_STAY},
    {EXCHANGE_LACKS, {"train.enable_ema|enable_ema"},
     "the average of the weights that is kept beside them"},
    {EXCHANGE_LACKS, {"ds.deepcompile"}, "torch.compile"},
};

static const exchange_resident openrlhf_residents[] = {
    {REFERENCE_STAYS, BY_ZERO_3, EXCHANGE_SHARDS, NULL, NULL},
    {REFERENCE_STAYS, "!" BY_ZERO_3, EXCHANGE_WEIGHTS, NULL, NULL},
    {ENGINES_STAY, NULL, EXCHANGE_PORTION,
     "vllm.gpu_memory_utilization|vllm_gpu_memory_utilization", "0.95"},
};

/* open-instruct: its learners take packs, each at least one longest answer
 * with its prompt. */
static const exchange_rename instruct_names[] = {
    AS("num_learners_per_node", "nproc-per-node"),
    AS("per_device_train_batch_size", MICRO),
    AS("deepspeed_stage", ZERO "stage"),
    IS("deepspeed_offload_param", "true", WEIGHTS_TO, "cpu"),
    IS("deepspeed_offload_optimizer", "true", OPTIMIZER_TO, "cpu"),
    DROPPED("deepspeed_offload_param"), DROPPED("deepspeed_offload_optimizer"),
    IDLE("deepspeed_zpg", "1"),
    AS("deepspeed_zpg", ZERO "zero_hpz_partition_size"),
    IDLE("sequence_parallel_size", "1"), AS("sequence_parallel_size", HEADS),
    {"gradient_checkpointing", "true", FULL, false},
    IDLE("gradient_checkpointing", "false"),
    DROPPED("no_filter_zero_std_samples"),
    IS("attn_implementation", "eager", "use-flash-attn-v2", "false"),
    DROPPED("attn_implementation"), DROPPED("pack_length"),
    DROPPED("num_epochs"),
};
static const exchange_derived instruct_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {"max_prompt_token_length=256", "response_length=256"}, NULL},
    {"answers-of-rollout", EXCHANGE_PRODUCT,
     {"num_unique_prompts_rollout=16", "num_samples_per_prompt_rollout=4"},
     NULL},
    {"train_batch_size", EXCHANGE_RATIO,
     {"answers-of-rollout", "num_mini_batches=1"}, NULL},
};
static const exchange_preset instruct_presets[] = {
    {ZERO "stage", "0"}, {"bf16.enabled", "true"}, {MICRO, "1"}, FUSED,
};
static const exchange_remark instruct_remarks[] = {
    {EXCHANGE_SCOPE, {NULL}, GENERATES},
    {EXCHANGE_SCOPE, {NULL}, LARGEST},
    {EXCHANGE_LACKS, {"!load_ref_policy=false|beta=0.0|beta=0"},
     REFERENCE_STAYS},
    {EXCHANGE_LACKS, {"single_gpu_mode=true"}, ENGINES_STAY},
};

static const exchange_resident instruct_residents[] = {
    {REFERENCE_STAYS, BY_ZERO_3, EXCHANGE_SHARDS, NULL, NULL},
    {REFERENCE_STAYS, "!" BY_ZERO_3, EXCHANGE_WEIGHTS, NULL, NULL},
    {ENGINES_STAY, NULL, EXCHANGE_PORTION, "vllm_gpu_memory_utilization",
     "0.9"},
};

/* TRL's GRPO. */
#define IS_TRL_GRPO "max_completion_length|num_generations"
#define NOT_TRL \
    "!rlhf_type|finetuning_type|base_model|hf-checkpoint|num_learners_per_node"
#define TRL_GRPO_NAMES \
    DROPPED("num_iterations"), \
    {"preference_pairs", NULL, EXCHANGE_GRPO, "true", false}, \
    {"num_generations", NULL, EXCHANGE_GRPO, "true", true}, \
    {"reward_funcs", NULL, EXCHANGE_GRPO, "true", true}
static const exchange_derived trl_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {"max_prompt_length=512", "max_completion_length=256"}, NULL},
};
static const exchange_rename trl_deepspeed_names[] = {
    TRAINER_CHECKPOINTS, DEEPSPEED_NAMES, TRL_GRPO_NAMES,
};
static const exchange_rename trl_ddp_names[] = {
    TRAINER_CHECKPOINTS, TRAINER_NAMES, TRL_GRPO_NAMES,
};
static const exchange_preset trl_presets[] = {
    TRAINER_PRESETS, {"recompute-granularity", "none"}, {EXCHANGE_GRPO, "true"},
};
#define TRL_REMARKS \
    {EXCHANGE_SCOPE, {NULL}, \
     "the policy's step: answers are generated before it; each sequence "\
     "counts with its largest length"}, \
    {EXCHANGE_LACKS_OF_ALL, {"!beta=0|beta=0.0"}, REFERENCE_STAYS}, \
    {EXCHANGE_LACKS, \
     {"vllm_mode=colocate", "!vllm_enable_sleep_mode=true"}, ENGINES_STAY}
static const exchange_remark trl_remarks[] = {TRL_REMARKS};
static const exchange_remark trl_alone_remarks[] = {
    TRL_REMARKS, {EXCHANGE_LACKS, {NULL}, SHARED_ELSEWHERE},
};
static const exchange_resident trl_residents[] = {
    {REFERENCE_STAYS, BY_ZERO_3, EXCHANGE_SHARDS, NULL, NULL},
    {REFERENCE_STAYS, "!" BY_ZERO_3, EXCHANGE_WEIGHTS, NULL, NULL},
    {ENGINES_STAY, NULL, EXCHANGE_PORTION, "vllm_gpu_memory_utilization",
     "0.3"},
};
#define TRL_GRPO \
    RESIDENTS(trl_residents), \
    .versions = "huggingface/transformers@008e5743", .target = "deepspeed", \
    .model = MODEL_NAMES, DERIVED(trl_derived), PRESETS(trl_presets), \
    .others = "reward_funcs.|reward_weights."

static const exchange_front fronts[] = {
    {.title = "OpenRLHF under Ray",
     .versions = "OpenRLHF/OpenRLHF@3c3be623", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"actor.num_gpus_per_node|actor_num_gpus_per_node",
               "train.micro_batch_size|micro_train_batch_size|"
               "train.batch_size|" DYNAMIC,
               "!hf-checkpoint|actor_rollout_ref."},
     .part = "!" TOGETHER,
     .model = "actor.model_name_or_path|pretrain",
     .others = "preference_pairs|ref.|reward.|critic.|vllm.|rollout.|algo.|"
               "ckpt.|eval.|logger.|ref_num_|reward_num_|critic_num_|vllm_|"
               "reward_pretrain|critic_pretrain|rollout_batch_size|"
               "micro_rollout_batch_size|remote_rm_url|train_micro_tokens",
     RENAMES(openrlhf_names), DERIVED(openrlhf_derived),
     PRESETS(openrlhf_presets), REMARKS(openrlhf_remarks),
     RESIDENTS(openrlhf_residents),
     .needs = {{MICRO, "size of a micro-batch", "micro_train_batch_size=N"}}},
    {.title = "open-instruct's GRPO",
     .versions = "allenai/open-instruct@e6c3044a", .target = "deepspeed",
     .profile = "deepspeed-hf",
     .marks = {"num_learners_per_node|num_unique_prompts_rollout",
               "num_samples_per_prompt_rollout|response_length|"
               "deepspeed_stage"},
     .part = "!single_gpu_mode=true", .model = "model_name_or_path",
     .others = "preference_pairs|vllm_",
     RENAMES(instruct_names), DERIVED(instruct_derived),
     PRESETS(instruct_presets), REMARKS(instruct_remarks),
     RESIDENTS(instruct_residents)},
    {.title = "TRL's GRPO with DeepSpeed", TRL_GRPO, .profile = "deepspeed-hf",
     REMARKS(trl_remarks),
     .marks = {IS_TRL_GRPO, "per_device_train_batch_size|model_name_or_path",
               "deepspeed|deepspeed_config.|distributed_type=DEEPSPEED|"
               "use_deepspeed|" ZERO "stage", NOT_TRL},
     RENAMES(trl_deepspeed_names),
     .needs = {{ZERO "stage", ZERO_STAGE}, {MICRO, MICRO_BATCH},
               {"bf16.enabled|fp16.enabled", "precision", "bf16=true"}}},
    {.title = "TRL's GRPO with DDP", TRL_GRPO, .profile = "ddp-hf",
     .marks = {IS_TRL_GRPO, "per_device_train_batch_size",
               EXCHANGE_BY_TORCHRUN "|@one|distributed_type=MULTI_GPU", NOT_TRL
               "|fsdp|fsdp_config.|fsdp_version|distributed_type=FSDP"},
     RENAMES(trl_ddp_names), REMARKS(trl_remarks), .needs = DDP_NEEDS},
    {.title = "TRL's GRPO with DDP", TRL_GRPO, .profile = "ddp-hf",
     .marks = {IS_TRL_GRPO, "per_device_train_batch_size", NOT_TRL
               "|fsdp|fsdp_config.|fsdp_version|distributed_type=FSDP|"
               "parallelism_config."},
     RENAMES(trl_ddp_names), REMARKS(trl_alone_remarks), .needs = DDP_NEEDS},
};
/* clang-format on */

const exchange_front_table exchange_fronts_under_ray = {
        fronts, P3D_COUNT_OF(fronts)};
