/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_rl.c - the tables of programs that generate answers and train on them:
 * slime and verl, with their trainers on given answers.
 *
 * Names and defaults: slime@624b824a slime/utils/arguments.py, slime/backends/
 * megatron_utils/actor.py; verl@b178a3cd verl/trainer/config/{actor,engine,ref,
 * critic,model,data}, sft_trainer.yaml, sft_trainer_engine.yaml, verl/workers/
 * fsdp_workers.py (micro-batches, the reference in the host's memory),
 * megatron_workers.py, verl/trainer/ppo/utils.py (need_critic). */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define ZERO    "zero_optimization."
#define FSDP    "fsdp_config.fsdp_"
#define PART(x) "parallelism_config.parallelism_config_" x "_size"

/* clang-format off */

/* slime. */
static const exchange_rename slime_names[] = {
    {"ref-load", NULL, NULL, NULL, false},
    /* Layers with two more norms, whose weights no plan turns on. */
    {"spec", "slime_plugins.models.glm4 get_glm4_spec", NULL, NULL, false},
    {"post-self-attn-layernorm", NULL, NULL, NULL, false},
    {"post-mlp-layernorm", NULL, NULL, NULL, false},
    {"moe-layer-freq", "$MOE_LAYER_FREQ", NULL, NULL, false},
    {"actor-num-nodes", NULL, "nnodes", NULL, false},
    {"actor-num-gpus-per-node", NULL, "nproc-per-node", NULL, false},
    {"num-gpus-per-node", NULL, NULL, NULL, false},
    DROPPED("num-gpus"), /* that ray start has for all */
    /* Batches that are generated, and where states wait meanwhile. */
    {"over-sampling-batch-size", NULL, NULL, NULL, false},
    {"no-offload-train", NULL, NULL, NULL, false},
    {"offload-train", NULL, NULL, NULL, false},
    {"offload-rollout", NULL, NULL, NULL, false},
};
static const exchange_preset slime_presets[] = {
    {"bf16", "true"}, {"use-distributed-optimizer", "true"},
};
/* A batch has the answers of a rollout that a step takes; micro-batches are
 * filled with as many of the longest answers as a number of tokens a GPU holds
 * (slime/utils/arguments.py). */
static const exchange_derived slime_derived[] = {
    {"samples-of-rollout", EXCHANGE_PRODUCT,
     {"rollout-batch-size", "n-samples-per-prompt=1"}, "num-steps-per-rollout"},
    {"global-batch-size", EXCHANGE_RATIO,
     {"samples-of-rollout", "num-steps-per-rollout"}, NULL},
    {"tokens-of-micro-batch", EXCHANGE_PRODUCT,
     {"max-tokens-per-gpu", "context-parallel-size=1"},
     "use-dynamic-batch-size"},
    {"micro-batch-size", EXCHANGE_FIT,
     {"tokens-of-micro-batch", "rollout-max-response-len",
      "global-batch-size"}, "use-dynamic-batch-size"},
    {"micro-batch-size", EXCHANGE_PRODUCT, {"=1"}, NULL},
    {"seq-length", EXCHANGE_RATIO,
     {"tokens-of-micro-batch", "micro-batch-size"}, "use-dynamic-batch-size"},
};
#define LARGEST "each sequence counts with its largest length"
static const exchange_remark slime_remarks[] = {
    {EXCHANGE_SCOPE, {NULL},
     "the actor's step: answers are generated, and the reference model runs, "
     "before it"},
    {EXCHANGE_SCOPE, {"use-dynamic-batch-size"}, LARGEST},
    {EXCHANGE_LACKS, {"no-offload-rollout", "colocate"},
     "the engines that generate, which stay on the GPUs"},
    {EXCHANGE_LACKS, {"advantage-estimator=ppo", "!critic-num-nodes"},
     "the critic"},
};

/* verl. Its Ulysses (verl/utils/ulysses.py) is that of Megatron-DeepSpeed: its
 * ranks exchange heads, have a part of every sequence each, and share the
 * states with all others. A number of tokens a GPU is of one rank. */
#define HEADS "ds-sequence-parallel-size"
#define SHARED_BY ZERO "mics_shard_size"
#define WORLD \
    {"trainer.nnodes", NULL, "nnodes", NULL, false}, \
    {"trainer.n_gpus_per_node", NULL, "nproc-per-node", NULL, false}, \
    {"trainer.balance_batch", NULL, NULL, NULL, false}
#define OF_ACTOR "actor_rollout_ref.actor."
#define OF_REF   "actor_rollout_ref.ref."
/* All words of algorithm.adv_estimator but gae. */
#define NO_CRITIC \
    "algorithm.adv_estimator=grpo|algorithm.adv_estimator=gpg|"\
    "algorithm.adv_estimator=rloo|algorithm.adv_estimator=opo|"\
    "algorithm.adv_estimator=remax|algorithm.adv_estimator=grpo_passk|"\
    "algorithm.adv_estimator=reinforce_plus_plus|"\
    "algorithm.adv_estimator=reinforce_plus_plus_baseline|"\
    "algorithm.adv_estimator=rloo_vectorized|"\
    "algorithm.adv_estimator=grpo_vectorized|critic.enable=false"
#define CRITIC_AWAY \
    "critic.megatron.optimizer_offload=true|"\
    "critic.model.fsdp_config.optimizer_offload=true"
#define USES_KL \
    OF_ACTOR "use_kl_loss=true|algorithm.use_kl_in_reward=true"
#define NO_LORA \
    "!actor_rollout_ref.model.lora_rank|actor_rollout_ref.model.lora.rank"
#define APART "actor_rollout_ref.hybrid_engine=false"
#define VERL_REMARKS \
    {EXCHANGE_SCOPE, {NULL}, \
     "the actor's step: answers are generated, and reference and reward "\
     "models run, before it"}, \
    {EXCHANGE_SCOPE, {NULL}, LARGEST}, \
    {EXCHANGE_LACKS, {"!" NO_CRITIC, "!" CRITIC_AWAY}, \
     "the critic, whose states stay on the GPUs"}, \
    {EXCHANGE_SCOPE, {"!" NO_CRITIC}, \
     "the critic is trained in a step of its own, which is not counted"}, \
    {EXCHANGE_LACKS, \
     {"reward_model.enable=true", \
      "!reward_model.model.fsdp_config.param_offload=true|"\
      "reward_model.megatron.param_offload=true"}, \
     "the reward model, which stays on the GPUs"}, \
    {EXCHANGE_LACKS, {"preference_pairs=main_ppo_split.py"}, \
     "the GPUs that generate, which are others than the actor's: the cluster "\
     "is that of the actor alone"}, \
    {EXCHANGE_SCOPE, {APART}, \
     "the GPUs that generate are others than the actor's"}, \
    /* A resource pool of their own: verl/trainer/main_ppo.py \
     * (init_resource_pool_mgr). */ \
    {EXCHANGE_SCOPE, {"distillation.enabled=true"}, \
     "the teachers are on GPUs of their own, and answer before the step"}, \
    {EXCHANGE_LACKS, {"actor_rollout_ref.rollout.free_cache_engine=false"}, \
     "the engines that generate, which stay on the GPUs"}
#define REF_STAYS "the reference model's weights, which stay on the GPUs"
static const exchange_remark verl_remarks[] = {VERL_REMARKS};
static const exchange_remark verl_megatron_remarks[] = {
    VERL_REMARKS,
    {EXCHANGE_LACKS,
     {USES_KL, OF_REF "megatron.param_offload=false", NO_LORA}, REF_STAYS},
    {EXCHANGE_LACKS,
     {USES_KL, "!" OF_REF "megatron.param_offload|" OF_ACTOR
      "megatron.param_offload=true", NO_LORA}, REF_STAYS},
};

static const exchange_remark verl_mindspeed_remarks[] = {
    VERL_REMARKS,
    {EXCHANGE_LACKS, {USES_KL, "!" OF_REF "mindspeed.param_offload=true",
                      NO_LORA}, REF_STAYS},
};

#define ENGINES_SLEEP_NOT \
    {"the engines that generate, which stay on the GPUs", NULL, \
     EXCHANGE_PORTION, "actor_rollout_ref.rollout.gpu_memory_utilization", \
     "0.5"}
/* Of FSDP: models that do not learn are in 16 bit (fsdp_workers.py). */
static const exchange_resident verl_residents[] = {
    ENGINES_SLEEP_NOT,
    {"the critic, whose states stay on the GPUs", NULL, EXCHANGE_STATES,
     "critic.model.path", NULL},
    {"the reward model, which stays on the GPUs", NULL, EXCHANGE_SHARDS,
     "reward_model.model.path", NULL},
};
static const exchange_resident verl_megatron_residents[] = {
    ENGINES_SLEEP_NOT, {REF_STAYS, NULL, EXCHANGE_WEIGHTS, NULL, NULL},
    {"the critic, whose states stay on the GPUs", NULL, EXCHANGE_TRAINED,
     "critic.model.path", NULL},
};

/* Behind the prefix of the actor. */
#undef ACTOR
#define ACTOR "megatron."
#define LAYER ACTOR "override_transformer_config."
#define STEP  "optim.override_optimizer_config."
static const exchange_rename verl_megatron_names[] = {
    {"data.train_batch_size", NULL, NULL, NULL, false},
    DROPPED("data.gen_batch_size"),
    WORLD,
    {ACTOR "use_mbridge", NULL, NULL, NULL, false},
    {LAYER "moe_enable_deepep", NULL, "moe-enable-deepep", NULL, false},
    {LAYER "moe_router_dtype", NULL, NULL, NULL, false},
    {LAYER "moe_permute_fusion", NULL, NULL, NULL, false},
    IDLE(LAYER "moe_grouped_gemm", "true"),
    {LAYER "moe_shared_expert_overlap", "false", NULL, NULL, false},
    {LAYER "account_for_embedding_in_pipeline_split", "false", NULL, NULL,
     false},
    {LAYER "account_for_loss_in_pipeline_split", "false", NULL, NULL, false},
    {LAYER "gradient_accumulation_fusion", NULL, NULL, NULL, false},
    {STEP "optimizer_offload_fraction", "1.", "optimizer-offload-fraction",
     "1", false},
    {STEP "overlap_cpu_optimizer_d2h_h2d", NULL, NULL, NULL, false},
    {ACTOR "tensor_model_parallel_size", NULL, "tensor-model-parallel-size",
     NULL, false},
    {ACTOR "pipeline_model_parallel_size", NULL,
     "pipeline-model-parallel-size", NULL, false},
    {ACTOR "virtual_pipeline_model_parallel_size", "null", NULL, NULL, false},
    {ACTOR "virtual_pipeline_model_parallel_size", NULL,
     "num-virtual-stages-per-pipeline-rank", NULL, false},
    {ACTOR "context_parallel_size", NULL, "context-parallel-size", NULL, false},
    {ACTOR "expert_model_parallel_size", NULL, "expert-model-parallel-size",
     NULL, false},
    {ACTOR "expert_tensor_parallel_size", "null", NULL, NULL, false},
    {ACTOR "expert_tensor_parallel_size", NULL, "expert-tensor-parallel-size",
     NULL, false},
    {ACTOR "sequence_parallel", NULL, "sequence-parallel", NULL, false},
    {ACTOR "use_distributed_optimizer", NULL, "use-distributed-optimizer",
     NULL, false},
    {LAYER "recompute_granularity", NULL, "recompute-granularity", NULL, false},
    {LAYER "recompute_method", NULL, "recompute-method", NULL, false},
    {LAYER "recompute_num_layers", NULL, "recompute-num-layers", NULL, false},
    {LAYER "num_layers_in_first_pipeline_stage", NULL,
     "decoder-first-pipeline-num-layers", NULL, false},
    {LAYER "num_layers_in_last_pipeline_stage", NULL,
     "decoder-last-pipeline-num-layers", NULL, false},
    {LAYER "recompute_modules", NULL, "recompute-modules", NULL, false},
    {LAYER "attention_backend", NULL, "attention-backend", NULL, false},
    {LAYER "cp_comm_type", NULL, "cp-comm-type", NULL, false},
    {LAYER "moe_token_dispatcher_type", NULL, "moe-token-dispatcher-type", NULL,
     false},
    {LAYER "moe_flex_dispatcher_backend", NULL, "moe-flex-dispatcher-backend",
     NULL, false},
    {ACTOR "dtype", "bfloat16", "bf16", "true", false},
    {ACTOR "dtype", "float16", "bf16", "false", true},
    {ACTOR "dtype", "float16", "fp16", "true", false},
    {STEP "optimizer_cpu_offload", NULL, "optimizer-cpu-offload", NULL, false},
    {STEP "optimizer_offload_fraction", NULL, "optimizer-offload-fraction",
     NULL, false},
    {STEP "use_precision_aware_optimizer", NULL,
     "use-precision-aware-optimizer", NULL, false},
    /* Of the actor while it does not train. */
    {ACTOR "param_offload", NULL, NULL, NULL, false},
    {ACTOR "grad_offload", NULL, NULL, NULL, false},
    {ACTOR "optimizer_offload", NULL, NULL, NULL, false},
    {"ppo_micro_batch_size_per_gpu", NULL, "micro-batch-size", NULL, false},
};
static const exchange_derived verl_megatron_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {"data.max_prompt_length=512", "data.max_response_length=512"}, NULL},
    {"global-batch-size", EXCHANGE_PRODUCT,
     {"ppo_mini_batch_size=256",
      "actor_rollout_ref.rollout.n=1"}, NULL},
    {"tokens-of-micro-batch", EXCHANGE_PRODUCT,
     {"ppo_max_token_len_per_gpu=16384", "context-parallel-size=1"},
     "use_dynamic_bsz=true"},
    {"micro-batch-size", EXCHANGE_FIT,
     {"tokens-of-micro-batch", "seq-length", "global-batch-size"},
     "use_dynamic_bsz=true"},
    {"micro-batch-size", EXCHANGE_SHARE, {"ppo_micro_batch_size", "=1"}, NULL},
};
static const exchange_preset verl_megatron_presets[] = {
    {"bf16", "true"}, {"use-distributed-optimizer", "true"},
    {"sequence-parallel", "true"}, {"attention-dropout", "0"},
    {"attention-backend", "flash"},
    {"hidden-dropout", "0"}, {"moe-token-dispatcher-type", "alltoall"},
};

/* The same on MindSpeed-LLM: verl@7c7ade3e verl/trainer/config/engine/
 * mindspeed.yaml. */
static const exchange_rename verl_mindspeed_names[] = {
    DROPPED("data.train_batch_size"), WORLD,
    /* Of the engine, which does not look at them. */
    DROPPED("micro_batch_size"), DROPPED("seq_length"), DROPPED("spec"),
    AS("ppo_micro_batch_size_per_gpu", "micro-batch-size"),
    DROPPED("use_mbridge"), DROPPED("vanilla_mbridge"),
    IDLE("strategy", "mindspeed_megatron"), DROPPED("num_query_groups"),
    DROPPED("param_offload"), DROPPED("grad_offload"),
    DROPPED("optimizer_offload"), DROPPED("use_torch_compile"),
};

#undef ACTOR
#define ACTOR "actor_rollout_ref.actor."
#define F ACTOR "fsdp_config."
/* Activations: verl/utils/activation_offload.py. Fused kernels keep no logits:
 * verl/utils/experimental/torch_functional.py. gen_batch_size has questions
 * that are asked for at once, however many are kept; compiled is the entropy,
 * not the layers. param_offload and optimizer_offload act between the passes
 * that generate and train, not within a step. With fsdp_size=1 each GPU has all
 * states: verl/utils/fsdp_utils.py create_device_mesh. */
#define VERL_NAMES \
    {ACTOR "ppo_micro_batch_size_per_gpu", NULL, \
     "train_micro_batch_size_per_gpu", NULL, false}, \
    {"actor_rollout_ref.model.enable_gradient_checkpointing", "true", \
     "recompute-granularity", "full", false}, \
    {"actor_rollout_ref.model.enable_gradient_checkpointing", "false", \
     "recompute-granularity", "none", false}, \
    {"actor_rollout_ref.model.use_remove_padding", NULL, NULL, NULL, false}, \
    AS("actor_rollout_ref.model.enable_activation_offload", \
       "offloads_activations"), \
    IS("actor_rollout_ref.model.use_fused_kernels", "true", \
       "use_liger_kernel", "true"), \
    {"data.train_batch_size", NULL, NULL, NULL, false}, \
    DROPPED("data.gen_batch_size"), \
    IDLE(F "strategy", "fsdp"), IDLE(F "strategy", "fsdp2"), \
    AS(F "strategy", "sharding_strategy"), IDLE(F "model_dtype", "fp32"), \
    IS(F "model_dtype", "bf16", EXCHANGE_WEIGHTS_16, "true"), \
    IS(F "model_dtype", "bfloat16", EXCHANGE_WEIGHTS_16, "true"), \
    IDLE(F "mixed_precision.param_dtype", "bf16"), \
    IDLE(F "mixed_precision.reduce_dtype", "fp32"), \
    IS(F "mixed_precision.reduce_dtype", "bf16", EXCHANGE_REDUCED_16, "true"), \
    DROPPED(F "mixed_precision.buffer_dtype"), \
    IDLE(F "reshard_after_forward", "true"), \
    IS(F "reshard_after_forward", "false", ZERO "stage", "2"), \
    IDLE(F "offload_policy", "false"), \
    {F "offload_policy", "true", ZERO "offload_optimizer.device", "cpu", \
     true}, \
    IS(F "offload_policy", "true", ZERO "offload_param.device", "cpu"), \
    DROPPED(ACTOR "use_torch_compile"), DROPPED(F "use_torch_compile"), \
    DROPPED(F "param_offload"), DROPPED(F "optimizer_offload"), \
    DROPPED(F "forward_prefetch"), \
    {ACTOR "ulysses_sequence_parallel_size", NULL, HEADS, NULL, false}, \
    IS(F "fsdp_size", "1", ZERO "stage", "0"), \
    IDLE(F "fsdp_size", "-1"), AS(F "fsdp_size", SHARED_BY), \
    IDLE(ACTOR "strategy", "fsdp"), IDLE(ACTOR "strategy", "fsdp2"), \
    AS(ACTOR "strategy", "sharding_strategy"), \
    {ACTOR "use_dynamic_bsz", "false", NULL, NULL, false}, \
    WORLD
static const exchange_rename verl_names[] = {VERL_NAMES};
/* VeOmni shards by FSDP2: verl-project/verl@1dda039b verl/trainer/config/
 * engine/veomni.yaml, verl/workers/engine/veomni. */
#define V ACTOR "veomni."
static const exchange_rename verl_veomni_names[] = {
    IDLE(V "strategy", "veomni"), IDLE(ACTOR "strategy", "veomni"),
    AS(V "ulysses_parallel_size", HEADS), IDLE(V "expert_parallel_size", "1"),
    IDLE(V "fsdp_size", "-1"), AS(V "fsdp_size", SHARED_BY),
    IDLE(V "enable_full_shard", "true"),
    IS(V "enable_full_shard", "false", ZERO "stage", "2"),
    IDLE(V "mixed_precision", "true"),
    DROPPED(V "param_offload"), DROPPED(V "optimizer_offload"),
    DROPPED(V "forward_prefetch"), DROPPED(V "use_torch_compile"),
    IDLE(V "enable_fsdp_offload", "false"),
    {V "enable_fsdp_offload", "true", ZERO "offload_optimizer.device", "cpu",
     true},
    IS(V "enable_fsdp_offload", "true", ZERO "offload_param.device", "cpu"),
    IS(V "cross_entropy_loss_implementation", "liger_kernel",
       "use_liger_kernel", "true"),
    DROPPED(V "moe_implementation"), DROPPED(V "router_replay.mode"),
    VERL_NAMES,
};
static const exchange_derived verl_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {"data.max_prompt_length=512", "data.max_response_length=512"}, NULL},
    {"train_batch_size", EXCHANGE_PRODUCT,
     {ACTOR "ppo_mini_batch_size=256", "actor_rollout_ref.rollout.n=1"}, NULL},
    {"tokens-of-micro-batch", EXCHANGE_PRODUCT,
     {ACTOR "ppo_max_token_len_per_gpu=16384", HEADS "=1"},
     ACTOR "use_dynamic_bsz=true"},
    {"train_micro_batch_size_per_gpu", EXCHANGE_FIT,
     {"tokens-of-micro-batch", "seq-length", "train_batch_size"},
     ACTOR "use_dynamic_bsz=true"},
    {"train_micro_batch_size_per_gpu", EXCHANGE_SHARE,
     {ACTOR "ppo_micro_batch_size", "=1"}, NULL},
};

const exchange_preset exchange_sharded_presets[EXCHANGE_N_SHARDED_PRESETS] = {
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
    {"ulysses_sequence_parallel_size", NULL, HEADS, NULL, false},
};
/* sft_trainer_engine.yaml: micro-batches of as many tokens as are said. */
#define VERL_ENGINE_NAMES(micro_batch, length, batch) \
    WORLD, \
    {"data.micro_batch_size_per_gpu", NULL, micro_batch, NULL, false}, \
    {"data.train_batch_size", NULL, batch, NULL, false}, \
    {"data.max_length", NULL, length, NULL, false}, \
    {"data.pad_mode", NULL, NULL, NULL, false}, \
    {"model.use_remove_padding", NULL, NULL, NULL, false}, \
    {"engine.ulysses_sequence_parallel_size", NULL, HEADS, NULL, false}, \
    IS("engine.fsdp_size", "1", ZERO "stage", "0"), \
    IDLE("engine.fsdp_size", "-1"), AS("engine.fsdp_size", SHARED_BY), \
    {"engine.strategy", NULL, NULL, NULL, false}, \
    {"optim", NULL, NULL, NULL, false}, {"engine", NULL, NULL, NULL, false}
static const exchange_rename verl_engine_names[] = {
    VERL_ENGINE_NAMES(
        "train_micro_batch_size_per_gpu", "seq-length", "train_batch_size"),
    {"model.enable_gradient_checkpointing", "false", "recompute-granularity",
     "none", false},
    {"model.enable_gradient_checkpointing", NULL, NULL, NULL, false},
};
/* The same on Megatron-LM: verl/trainer/config/engine/megatron.yaml. */
#define E "engine."
#define EL E "override_transformer_config."
static const exchange_rename verl_engine_megatron_names[] = {
    VERL_ENGINE_NAMES("micro-batch-size", "seq-length", "global-batch-size"),
    AS(E "tensor_model_parallel_size", "tensor-model-parallel-size"),
    AS(E "pipeline_model_parallel_size", "pipeline-model-parallel-size"),
    IDLE(E "virtual_pipeline_model_parallel_size", "null"),
    AS(E "virtual_pipeline_model_parallel_size",
       "num-virtual-stages-per-pipeline-rank"),
    AS(E "context_parallel_size", "context-parallel-size"),
    AS(E "expert_model_parallel_size", "expert-model-parallel-size"),
    IDLE(E "expert_tensor_parallel_size", "null"),
    AS(E "expert_tensor_parallel_size", "expert-tensor-parallel-size"),
    AS(E "sequence_parallel", "sequence-parallel"),
    AS(E "use_distributed_optimizer", "use-distributed-optimizer"),
    AS(E "use_megatron_fsdp", "use-megatron-fsdp"),
    IS(E "dtype", "bfloat16", "bf16", "true"),
    {E "dtype", "float16", "bf16", "false", true},
    IS(E "dtype", "float16", "fp16", "true"),
    DROPPED(E "use_mbridge"), DROPPED(E "vanilla_mbridge"),
    DROPPED(E "use_remove_padding"), DROPPED(E "param_offload"),
    DROPPED(E "grad_offload"), DROPPED(E "optimizer_offload"),
    AS(EL "recompute_granularity", "recompute-granularity"),
    AS(EL "recompute_method", "recompute-method"),
    AS(EL "recompute_num_layers", "recompute-num-layers"),
    AS(EL "recompute_modules", "recompute-modules"),
    AS(EL "attention_backend", "attention-backend"),
    DROPPED(EL "gradient_accumulation_fusion"),
    AS(EL "moe_token_dispatcher_type", "moe-token-dispatcher-type"),
    DROPPED(EL "moe_router_dtype"), DROPPED(EL "moe_permute_fusion"),
    IDLE(EL "moe_grouped_gemm", "true"),
    AS(EL "moe_enable_deepep", "moe-enable-deepep"),
    AS("optim.override_optimizer_config.optimizer_cpu_offload",
       "optimizer-cpu-offload"),
    AS("optim.override_optimizer_config.optimizer_offload_fraction",
       "optimizer-offload-fraction"),
    AS("optim.override_optimizer_config.use_precision_aware_optimizer",
       "use-precision-aware-optimizer"),
    DROPPED("optim.override_optimizer_config.overlap_cpu_optimizer_d2h_h2d"),
};
#define TOKENS_OF(length, batch, micro_batch, heads) \
    {batch, EXCHANGE_PRODUCT, {"=256"}, NULL}, \
    {length, EXCHANGE_PRODUCT, {"=1024"}, NULL}, \
    {"data.max_token_len_per_gpu", EXCHANGE_PRODUCT, {"=8192"}, NULL}, \
    {"tokens-of-micro-batch", EXCHANGE_PRODUCT, \
     {"data.max_token_len_per_gpu", heads "=1"}, \
     "!data.use_dynamic_bsz=false"}, \
    {micro_batch, EXCHANGE_FIT, {"tokens-of-micro-batch", length, batch}, \
     "!data.use_dynamic_bsz=false"}, \
    {micro_batch, EXCHANGE_PRODUCT, {"=4"}, NULL}
static const exchange_derived verl_engine_megatron_derived[] = {
    TOKENS_OF("seq-length", "global-batch-size", "micro-batch-size",
        "context-parallel-size"),
};
static const exchange_derived verl_engine_derived[] = {
    TOKENS_OF("seq-length", "train_batch_size",
        "train_micro_batch_size_per_gpu", HEADS),
};
static const exchange_remark engine_remarks[] = {
    {EXCHANGE_SCOPE, {"!data.use_dynamic_bsz=false"}, LARGEST},
};
static const exchange_derived verl_sft_derived[] = {
    {"train_batch_size", EXCHANGE_PRODUCT, {"=256"}, NULL},
    {"train_micro_batch_size_per_gpu", EXCHANGE_PRODUCT, {"=4"}, NULL},
    {"seq-length", EXCHANGE_PRODUCT, {"=1024"}, NULL},
};

#define IS_VERL_FSDP \
    "actor_rollout_ref.model.path", \
    ACTOR "ppo_micro_batch_size_per_gpu|" \
        ACTOR "ppo_mini_batch_size|" ACTOR "use_dynamic_bsz"
#define VERL_FSDP \
    .versions = "volcengine/verl@b178a3cd", .target = "deepspeed", \
    VERL_FSDP_BUT(verl_names)
#define VERL_FSDP_BUT(names) \
    .part = APART, RENAMES(names), PRESETS(exchange_sharded_presets), \
    DERIVED(verl_derived), .model = "actor_rollout_ref.model.path", \
    .others = "reward_model.|preference_pairs|critic.|distillation.", \
    REMARKS(verl_remarks), RESIDENTS(verl_residents), \
    .needs = {{"train_micro_batch_size_per_gpu", "size of a micro-batch", \
               ACTOR "ppo_micro_batch_size_per_gpu=N"}}

static const exchange_front fronts[] = {
    {.title = "slime",
     .versions = "THUDM/slime@624b824a", .target = "megatron",
     .hands_on = true, .part = "!colocate",
     .marks = {"hf-checkpoint|ref-load", "rollout-batch-size|num-rollout|"
               "n-samples-per-prompt"},
     RENAMES(slime_names), PRESETS(slime_presets), DERIVED(slime_derived),
     REMARKS(slime_remarks), .model = "hf-checkpoint|ref-load"},
    {.title = "verl with Megatron-LM",
     .versions = "volcengine/verl@b178a3cd", .target = "megatron",
     .marks = {"actor_rollout_ref.actor.megatron."},
     .prefix = "actor_rollout_ref.actor.", .part = APART,
     RENAMES(verl_megatron_names), PRESETS(verl_megatron_presets),
     DERIVED(verl_megatron_derived),
     REMARKS(verl_megatron_remarks), RESIDENTS(verl_megatron_residents),
     .model = "actor_rollout_ref.model.path",
     .others = "reward_model.|preference_pairs|critic.|distillation.",
     .needs = {{"micro-batch-size",
         "size of a micro-batch", "ppo_micro_batch_size_per_gpu=N"}}},
    {.title = "verl with MindSpeed",
     .versions = "verl-project/verl@7c7ade3e", .target = "mindspeed",
     .hands_on = true,
     .marks = {ACTOR "mindspeed."},
     .prefix = ACTOR "mindspeed.mcore_kwargs.|" ACTOR "mindspeed.|" ACTOR,
     .part = APART, RENAMES(verl_mindspeed_names),
     PRESETS(verl_megatron_presets), DERIVED(verl_megatron_derived),
     REMARKS(verl_mindspeed_remarks), RESIDENTS(verl_megatron_residents),
     .model = "actor_rollout_ref.model.path",
     .others = "reward_model.|preference_pairs|critic.|distillation.",
     .needs = {{"micro-batch-size",
         "size of a micro-batch", "ppo_micro_batch_size_per_gpu=N"}}},
    {.title = "verl with VeOmni", .profile = "fsdp2-hf",
     .versions = "verl-project/verl@1dda039b", .target = "deepspeed",
     .marks = {IS_VERL_FSDP, "model_engine=veomni|" ACTOR "strategy=veomni|" V,
               "!" ACTOR "megatron."}, VERL_FSDP_BUT(verl_veomni_names)},
    {.title = "verl with FSDP of whole states", .profile = "ddp-hf",
     .marks = {IS_VERL_FSDP,
               "!" ACTOR "megatron.|" ACTOR "strategy=megatron",
               F "fsdp_size=1"}, VERL_FSDP},
    {.title = "verl with FSDP", .profile = "fsdp1",
     .marks = {IS_VERL_FSDP,
               "!" ACTOR "megatron.|" ACTOR "strategy=megatron|" ACTOR
               "strategy=fsdp2|" F "strategy=fsdp2"}, VERL_FSDP},
    {.title = "verl with FSDP2", .profile = "fsdp2-hf",
     .marks = {IS_VERL_FSDP,
               "!" ACTOR "megatron.|" ACTOR "strategy=megatron",
               ACTOR "strategy=fsdp2|" F "strategy=fsdp2"}, VERL_FSDP},
    {.title = "verl's SFT trainer with Megatron-LM",
     .versions = "volcengine/verl@b178a3cd", .target = "megatron",
     .marks = {"model.path", "data.max_length|data.max_token_len_per_gpu",
               "engine=megatron|engine.tensor_model_parallel_size",
               "!actor_rollout_ref.model.path"},
     RENAMES(verl_engine_megatron_names), PRESETS(verl_megatron_presets),
     DERIVED(verl_engine_megatron_derived), REMARKS(engine_remarks),
     .model = "model.path"},
    {.title = "verl's SFT trainer with FSDP of whole states",
     .versions = "volcengine/verl@b178a3cd", .target = "deepspeed",
     .profile = "ddp-hf",
     .marks = {"model.path", "data.max_length|data.max_token_len_per_gpu",
               "engine.fsdp_size=1", "!actor_rollout_ref.model.path"},
     RENAMES(verl_engine_names), PRESETS(exchange_sharded_presets),
     DERIVED(verl_engine_derived), REMARKS(engine_remarks),
     .model = "model.path"},
    {.title = "verl's SFT trainer with FSDP2",
     .versions = "volcengine/verl@b178a3cd", .target = "deepspeed",
     .profile = "fsdp2-hf",
     .marks = {"model.path", "data.max_length|data.max_token_len_per_gpu",
               "engine.strategy=fsdp2", "!actor_rollout_ref.model.path"},
     RENAMES(verl_engine_names), PRESETS(exchange_sharded_presets),
     DERIVED(verl_engine_derived), REMARKS(engine_remarks),
     .model = "model.path"},
    {.title = "verl's SFT trainer with FSDP1",
     .versions = "volcengine/verl@b178a3cd", .target = "deepspeed",
     .profile = "fsdp1",
     .marks = {"model.path", "data.max_length|data.max_token_len_per_gpu",
               "engine=fsdp|engine.strategy=fsdp|engine.fsdp_size",
               "!actor_rollout_ref.model.path|"
               "engine.tensor_model_parallel_size"},
     RENAMES(verl_engine_names), PRESETS(exchange_sharded_presets),
     DERIVED(verl_engine_derived), REMARKS(engine_remarks),
     .model = "model.path"},
    {.title = "verl's SFT trainer",
     .versions = "volcengine/verl@b178a3cd", .target = "deepspeed",
     .profile = "fsdp2-hf",
     .marks = {"model.partial_pretrain"},
     RENAMES(verl_sft_names), PRESETS(exchange_sharded_presets),
     DERIVED(verl_sft_derived), .model = "model.partial_pretrain"},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_rl = {
        fronts, P3D_COUNT_OF(fronts)};
