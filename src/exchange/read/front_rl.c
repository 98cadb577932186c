/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_rl.c - the tables of programs that generate answers and train on them:
 * slime, verl and NeMo-RL, with their trainers on given answers.
 *
 * Names and defaults: slime@624b824a slime/utils/arguments.py, slime/backends/
 * megatron_utils/actor.py; verl@b178a3cd verl/trainer/config/{actor,engine,ref,
 * critic,model,data}, sft_trainer.yaml, sft_trainer_engine.yaml, verl/workers/
 * fsdp_workers.py (micro-batches, the reference in the host's memory),
 * megatron_workers.py, verl/trainer/ppo/utils.py (need_critic); NeMo-RL@
 * 7ea279ab examples/configs/sft.yaml, nemo_rl/models/megatron/setup.py,
 * nemo_rl/models/automodel/setup.py, nemo_rl/models/policy/workers
 * (use_reference_model); MindSpeed-RL@05a90d77 mindspeed_rl/config_cls/
 * {rl,generate}_config.py (a batch of a step is of questions), workers/
 * integrated_worker.py (the reference waits in the host's memory). */
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
    {EXCHANGE_LACKS, {"reward_model.enable=true"}, \
     "the reward model, which stays on the GPUs"}, \
    {EXCHANGE_LACKS, {"preference_pairs=main_ppo_split.py"}, \
     "the GPUs that generate, which are others than the actor's: the cluster "\
     "is that of the actor alone"}, \
    {EXCHANGE_SCOPE, {APART}, \
     "the GPUs that generate are others than the actor's"}, \
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

#undef ACTOR
#define ACTOR "actor_rollout_ref.actor."
#define F ACTOR "fsdp_config."
static const exchange_rename verl_names[] = {
    {ACTOR "ppo_micro_batch_size_per_gpu", NULL,
     "train_micro_batch_size_per_gpu", NULL, false},
    {"actor_rollout_ref.model.enable_gradient_checkpointing", "true",
     "recompute-granularity", "full", false},
    {"actor_rollout_ref.model.enable_gradient_checkpointing", "false",
     "recompute-granularity", "none", false},
    {"actor_rollout_ref.model.use_remove_padding", NULL, NULL, NULL, false},
    /* verl/utils/activation_offload.py */
    AS("actor_rollout_ref.model.enable_activation_offload",
       "offloads_activations"),
    /* Its loss keeps no logits: verl/utils/experimental/torch_functional.py. */
    IS("actor_rollout_ref.model.use_fused_kernels", "true",
       "use_liger_kernel", "true"),
    {"data.train_batch_size", NULL, NULL, NULL, false},
    /* Questions that are asked for at once, however many are kept. */
    DROPPED("data.gen_batch_size"),
    IDLE(F "strategy", "fsdp"), IDLE(F "strategy", "fsdp2"),
    AS(F "strategy", "sharding_strategy"), IDLE(F "model_dtype", "fp32"),
    IS(F "model_dtype", "bf16", EXCHANGE_WEIGHTS_16, "true"),
    IS(F "model_dtype", "bfloat16", EXCHANGE_WEIGHTS_16, "true"),
    IDLE(F "mixed_precision.param_dtype", "bf16"),
    IDLE(F "mixed_precision.reduce_dtype", "fp32"),
    IS(F "mixed_precision.reduce_dtype", "bf16", EXCHANGE_REDUCED_16, "true"),
    DROPPED(F "mixed_precision.buffer_dtype"),
    IDLE(F "reshard_after_forward", "true"),
    IS(F "reshard_after_forward", "false", ZERO "stage", "2"),
    IDLE(F "offload_policy", "false"),
    {F "offload_policy", "true", ZERO "offload_optimizer.device", "cpu", true},
    IS(F "offload_policy", "true", ZERO "offload_param.device", "cpu"),
    /* Of the entropy, not of the layers. */
    DROPPED(ACTOR "use_torch_compile"), DROPPED(F "use_torch_compile"),
    /* Between the passes that generate and train, not within a step. */
    DROPPED(F "param_offload"), DROPPED(F "optimizer_offload"),
    DROPPED(F "forward_prefetch"),
    {ACTOR "ulysses_sequence_parallel_size", NULL, HEADS, NULL, false},
    /* Each GPU has all states: verl/utils/fsdp_utils.py
     * create_device_mesh. */
    IS(F "fsdp_size", "1", ZERO "stage", "0"),
    IDLE(F "fsdp_size", "-1"), AS(F "fsdp_size", SHARED_BY),
    IDLE(ACTOR "strategy", "fsdp"), IDLE(ACTOR "strategy", "fsdp2"),
    AS(ACTOR "strategy", "sharding_strategy"),
    {ACTOR "use_dynamic_bsz", "false", NULL, NULL, false},
    WORLD,
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
    {"data.use_dynamic_bsz", "false", NULL, NULL, false}, \
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

/* NeMo-RL. */
#define P "policy."
#define M P "megatron_cfg."
#define D P "dtensor_cfg."
#define DDP M "distributed_data_parallel_config."
#define MEGATRON(name, to) {M name, NULL, to, NULL, false}
#define UNSAID(name)       {name, "null", NULL, NULL, false}

#define CLUSTER \
    {"cluster.num_nodes", NULL, "num_nodes", NULL, false}, \
    {"cluster.gpus_per_node", NULL, "gpus-per-node", NULL, false}

/* nemo_rl's LoRA on both, of all linears where none is named. */
#define LORA_NAMES(part) \
    IS(part "enabled", "true", "use_lora", "true"), \
    AS(part "dim", "lora_r"), AS(part "dropout", "lora_dropout"), \
    IS(part "match_all_linear", "true", "lora_target_linear", "true"), \
    IDLE(part "match_all_linear", "false"), DROPPED(part "alpha"), \
    DROPPED(part "dropout_position"), DROPPED(part "lora_A_init_method"), \
    DROPPED(part "lora_B_init_method"), DROPPED(part "lora_A_init"), \
    DROPPED(part "lora_dtype"), DROPPED(part "use_triton"), \
    DROPPED(part "a2a_experimental"), IDLE(part "exclude_modules", "[]")

static const exchange_rename rl_megatron_names[] = {
    CLUSTER, LORA_NAMES(M "peft."),
    {P "train_global_batch_size", NULL, "global-batch-size", NULL, false},
    {P "train_micro_batch_size", NULL, "micro-batch-size", NULL, false},
    {P "max_total_sequence_length", NULL, "seq-length", NULL, false},
    {P "precision", "bfloat16", "bf16", "true", false},
    {P "precision", "float16", "fp16", "true", false},
    {P "precision", "float32", "bf16", "false", false},
    MEGATRON("tensor_model_parallel_size", "tensor-model-parallel-size"),
    MEGATRON("pipeline_model_parallel_size", "pipeline-model-parallel-size"),
    MEGATRON("context_parallel_size", "context-parallel-size"),
    MEGATRON("expert_model_parallel_size", "expert-model-parallel-size"),
    MEGATRON("expert_tensor_parallel_size", "expert-tensor-parallel-size"),
    MEGATRON("sequence_parallel", "sequence-parallel"),
    UNSAID(M "num_layers_in_first_pipeline_stage"),
    UNSAID(M "num_layers_in_last_pipeline_stage"),
    MEGATRON("num_layers_in_first_pipeline_stage",
        "decoder-first-pipeline-num-layers"),
    MEGATRON("num_layers_in_last_pipeline_stage",
        "decoder-last-pipeline-num-layers"),
    UNSAID(M "recompute_modules"),
    MEGATRON("recompute_granularity", "recompute-granularity"),
    MEGATRON("recompute_modules", "recompute-modules"),
    {M "activation_checkpointing", "true", "recompute-granularity", "full",
     true},
    {"recompute-granularity", "full", "recompute-method", "uniform", true},
    {"recompute-granularity", "full", "recompute-num-layers", "1", true},
    DROPPED(M "activation_checkpointing"),
    MEGATRON("optimizer.use_distributed_optimizer",
        "use-distributed-optimizer"),
    MEGATRON("optimizer.use_precision_aware_optimizer",
        "use-precision-aware-optimizer"),
    MEGATRON("optimizer.optimizer_cpu_offload", "optimizer-cpu-offload"),
    MEGATRON("optimizer.optimizer_offload_fraction",
        "optimizer-offload-fraction"),
    {DDP "overlap_grad_reduce", NULL, "overlap-grad-reduce", NULL, false},
    {DDP "overlap_param_gather", NULL, "overlap-param-gather", NULL, false},
    {DDP "grad_reduce_in_fp32", "false", "grad-reduce-in-bf16", "true", false},
    MEGATRON("moe_token_dispatcher_type", "moe-token-dispatcher-type"),
    MEGATRON("attention_backend", "attention-backend"),
    DROPPED(DDP "grad_reduce_in_fp32"), DROPPED(M "optimizer.bf16"),
    DROPPED(M "optimizer.fp16"), DROPPED(M "optimizer.params_dtype"),
    DROPPED(M "optimizer.optimizer"), DROPPED(M "pipeline_dtype"),
    DROPPED(M "moe_grouped_gemm"), DROPPED(M "moe_permute_fusion"),
    DROPPED(M "moe_router_dtype"),
    DROPPED(M "moe_router_load_balancing_type"),
    DROPPED(M "moe_router_bias_update_rate"),
    MEGATRON("moe_router_enable_expert_bias", "moe-router-enable-expert-bias"),
    DROPPED(DDP "average_in_collective"),
    IDLE(M "fp8_cfg.enabled", "true"),
    MEGATRON("fp8_cfg.fp8", "fp8-format"),
    MEGATRON("fp8_cfg.fp8_recipe", "fp8-recipe"),
    MEGATRON("fp8_cfg.fp8_param", "fp8-param-gather"),
    DROPPED(M "moe_per_layer_logging"), DROPPED(M "freeze_moe_router"),
    /* Logits become fp32 in the loss, as in Megatron-LM's own, which is
     * counted: nemo_rl/models/megatron/train.py. */
    DROPPED(M "defer_fp32_logits"),
    DROPPED(DDP "data_parallel_sharding_strategy"),
    DROPPED(P "make_sequence_length_divisible_by"),
};
#define RL_MEGATRON_PRESETS \
    {"attention-dropout", "0"}, {"hidden-dropout", "0"}, \
    {"attention-backend", "flash"}
static const exchange_preset rl_megatron_presets[] = {RL_MEGATRON_PRESETS};
/* nemo_rl/algorithms/dpo.py: micro-batches and the batch count pairs. */
static const exchange_preset rl_megatron_pair_presets[] = {
    RL_MEGATRON_PRESETS, {EXCHANGE_PREFERENCE, "self"},
};

static const exchange_rename rl_dtensor_names[] = {
    CLUSTER, LORA_NAMES(D "lora_cfg."),
    {P "train_micro_batch_size", NULL, "per_device_train_batch_size", NULL,
     false},
    {P "max_total_sequence_length", NULL, "max_seq_length", NULL, false},
    {P "precision", "bfloat16", "mixed_precision", "bf16", false},
    {P "precision", "float16", "mixed_precision", "fp16", false},
    {P "precision", "float32", "mixed_precision", "no", false},
    {D "tensor_parallel_size", NULL, PART("tp"), NULL, false},
    {D "context_parallel_size", NULL, PART("cp"), NULL, false},
    {D "dp_replicate_size", NULL, PART("dp_replicate"), NULL, false},
    {D "cpu_offload", NULL, FSDP "offload_params", NULL, false},
    {D "activation_checkpointing", NULL, FSDP "activation_checkpointing", NULL,
     false},
    DROPPED(D "enabled"), DROPPED(D "_v2"), DROPPED(D "custom_parallel_plan"),
    IDLE(D "expert_parallel_size", "1"),
    DROPPED(P "optimizer.name"), DROPPED(P "optimizer.kwargs.foreach"),
    DROPPED(P "make_sequence_length_divisible_by"),
};
/* arcee-ai/NeMo-RL@09127071 has both versions of DTensor side by side. */
#define D2 P "dtensor_v2_cfg."
#define OF_D2(name) AS(D2 name, D name)
static const exchange_rename rl_second_names[] = {
    IDLE(D "enabled", "false"), OF_D2("enabled"), OF_D2("cpu_offload"),
    OF_D2("sequence_parallel"), OF_D2("activation_checkpointing"),
    OF_D2("tensor_parallel_size"), OF_D2("context_parallel_size"),
    OF_D2("expert_parallel_size"), OF_D2("custom_parallel_plan"),
    IDLE(D2 "pipeline_parallel_size", "1"),
};
static const exchange_derived rl_dtensor_derived[] = {
    {"gradient_accumulation_steps", EXCHANGE_SHARE,
     {P "train_global_batch_size", "per_device_train_batch_size"}, NULL},
};

/* Experts over ranks are Automodel's, which shares them as torchtitan does:
 * nemo_rl/models/automodel/setup.py. It loads weights in fp32. */
#define TITAN "parallelism."
static const exchange_rename rl_mesh_names[] = {
    CLUSTER,
    AS(P "train_micro_batch_size", "training.local_batch_size"),
    AS(P "train_global_batch_size", "training.global_batch_size"),
    AS(P "max_total_sequence_length", "training.seq_len"),
    IDLE(P "precision", "bfloat16"),
    AS(D "tensor_parallel_size", TITAN "tensor_parallel_degree"),
    AS(D "context_parallel_size", TITAN "context_parallel_degree"),
    IDLE(D "expert_parallel_size", "1"),
    AS(D "expert_parallel_size", TITAN "expert_parallel_degree"),
    AS(D "dp_replicate_size", TITAN "data_parallel_replicate_degree"),
    AS(D "sequence_parallel", TITAN "enable_sequence_parallel"),
    AS(D "cpu_offload", "training.enable_cpu_offload"),
    IS(D "activation_checkpointing", "true", "activation_checkpoint.mode",
       "full"),
    IS(D "activation_checkpointing", "false", "activation_checkpoint.mode",
       "none"),
    DROPPED(D "enabled"), DROPPED(D "_v2"), DROPPED(D "custom_parallel_plan"),
    DROPPED(P "optimizer.name"), DROPPED(P "optimizer.kwargs.foreach"),
    DROPPED(P "make_sequence_length_divisible_by"),
    DROPPED(P "dequantize_base_checkpoint"),
};
/* Ranks of a tensor have a part of each sequence between the layers, as
 * torchtitan's have: nemo_rl/models/dtensor/parallelize.py. */
static const exchange_preset rl_sequence_presets[] = {
    {TITAN "fsdp_reshard_after_forward", "always"},
    {"activation_checkpoint.mode", "none"},
};
static const exchange_preset rl_mesh_presets[] = {
    {TITAN "fsdp_reshard_after_forward", "never"},
    {TITAN "enable_sequence_parallel", "false"},
    {"activation_checkpoint.mode", "none"},
};

/* Of what is done beside the step of the policy. */
#define RL_OTHERS \
    "preference_pairs|value.|async_rl.|sft.|grpo.|dpo.|teacher.|"\
    "ppo.|rm.|distillation.|checkpointing.|logger.|data.|env.|"\
    "loss_fn.|" P "generation.|" P "tokenizer.|" P "scheduler|"\
    P "megatron_cfg.scheduler.|" P "megatron_cfg.env_vars.|"\
    P "megatron_cfg.checkpoint.|" D "env_vars.|" P "logprob_batch_size|"\
    P "dynamic_batching.train_mb_tokens|"\
    P "dynamic_batching.sequence_length_round|"\
    P "sequence_packing.|" P "offload_optimizer_for_logprob"
static const exchange_remark rl_remarks[] = {
    {EXCHANGE_SCOPE, {"grpo.", "!dpo.|rm.|distillation."},
     "the policy's step: answers are generated, and reference and reward "
     "models run, before it"},
    {EXCHANGE_SCOPE, {"grpo.", "!dpo.|rm.|distillation."}, LARGEST},
    {EXCHANGE_LACKS, {P "generation.colocated.enabled=false"},
     "the GPUs that generate, which are others than the policy's: the cluster "
     "is that of the policy alone"},
    {EXCHANGE_LACKS, {"dpo.", "!" M "enabled=true"},
     "the second sequence of a pair, and the reference model of DPO: one "
     "sequence and one model are counted"},
    {EXCHANGE_LACKS, {"rm."},
     "the second sequence of a pair, and a head of one number: one sequence "
     "and a head of words are counted"},
    /* nemo_rl/algorithms/distillation.py: it goes to the host's memory before
     * the student trains. */
    {EXCHANGE_SCOPE, {"distillation.|teacher."},
     "the student's step: answers are generated, and the teacher runs, before "
     "it"},
    {EXCHANGE_SCOPE, {"distillation.|teacher."}, LARGEST},
    {EXCHANGE_LACKS, {"ppo."}, "the critic"},
};
#define NEMO_RL(backend) \
    .title = "NeMo-RL with " backend, .versions = "NVIDIA-NeMo/RL@7ea279ab", \
    .model = P "model_name", REMARKS(rl_remarks)
#define IS_RL P "train_global_batch_size"
#define ON_MEGATRON \
    NEMO_RL("Megatron-Core"), .target = "megatron", \
    .others = RL_OTHERS "|" D, RENAMES(rl_megatron_names)
#define ON_DTENSOR \
    NEMO_RL("DTensor"), .target = "accelerate", \
    .others = RL_OTHERS "|" M, RENAMES(rl_dtensor_names), \
    DERIVED(rl_dtensor_derived), \
    .needs = {{"gradient_accumulation_steps", \
        "batch that its micro-batches and replicas divide", \
        P "train_global_batch_size=N"}}

#define ON_EXPERTS \
    NEMO_RL("DTensor and experts over ranks"), .target = "torchtitan", \
    .others = RL_OTHERS "|" M "|" D "automodel_kwargs.", \
    RENAMES(rl_mesh_names), PRESETS(rl_mesh_presets)
#define ON_SEQUENCES \
    NEMO_RL("DTensor and sequence parallelism"), .target = "torchtitan", \
    .others = RL_OTHERS "|" M "|" D "automodel_kwargs.", \
    RENAMES(rl_mesh_names), PRESETS(rl_sequence_presets)
#define SHARED_SEQUENCES \
    D "sequence_parallel=true", "!" D "tensor_parallel_size=1|dpo.|" D \
    "lora_cfg.enabled=true"
#define SHARED_EXPERTS \
    D "expert_parallel_size", "!" D "expert_parallel_size=1"

/* MindSpeed-RL: options of Megatron-LM in a part for all models, and in one of
 * the actor. */
#define R "rl_config."
#define GENERATE "generate_config."
static const exchange_rename mindspeed_names[] = {
    AS(R "actor_resource.num_npus", "num_processes"),
    /* Names of configs/model. */
    IS("model", "qwen25_7b", "model", "Qwen2.5-7B"),
    IS("model", "qwen25_32b", "model", "Qwen2.5-32B"),
    IS("model", "deepseekv3_671b", "model", "DeepSeek-V3"),
    DROPPED("attention_softmax_in_fp32"), DROPPED("no_pad_to_seq_lengths"),
    DROPPED("global_batch_size"), DROPPED("seq_length"),
    DROPPED("stage"), DROPPED("variable_seq_lengths"),
    DROPPED(R "use_integrated_worker"),
    IDLE(R "use_dynamic_bsz", "false"), DROPPED(R "use_remove_padding"),
    DROPPED(R "shuffle_mini_batch"), DROPPED(R "shuffle_minibatch"),
    DROPPED("lora_ckpt_filter"), DROPPED("lora_fusion"),
};
static const exchange_derived mindspeed_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {R "max_prompt_length", GENERATE "sampling_config.max_tokens"}, NULL},
    {"seq-length", EXCHANGE_PRODUCT, {GENERATE "max_model_len"}, NULL},
    {"global-batch-size", EXCHANGE_PRODUCT,
     {R "mini_batch_size", R "n_samples_per_prompt=1"}, NULL},
};
static const exchange_preset mindspeed_presets[] = {
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
};
static const exchange_remark mindspeed_remarks[] = {
    {EXCHANGE_SCOPE, {NULL},
     "the actor's step: answers are generated, and reference and reward "
     "models run, before it"},
    {EXCHANGE_SCOPE, {NULL}, LARGEST},
    {EXCHANGE_LACKS, {R "use_dynamic_bsz=true"},
     "micro-batches that are filled up to a number of tokens"},
    {EXCHANGE_LACKS, {"critic_config.|" R "adv_estimator=gae"},
     "the critic, whose states stay on the GPUs"},
};

#define IS_VERL_FSDP \
    "actor_rollout_ref.model.path", \
    ACTOR "ppo_micro_batch_size_per_gpu|" \
        ACTOR "ppo_mini_batch_size|" ACTOR "use_dynamic_bsz"
#define VERL_FSDP \
    .versions = "volcengine/verl@b178a3cd", .target = "deepspeed", \
    .part = APART, RENAMES(verl_names), PRESETS(exchange_sharded_presets), \
    DERIVED(verl_derived), .model = "actor_rollout_ref.model.path", \
    .others = "reward_model.|preference_pairs|critic.", \
    REMARKS(verl_remarks), RESIDENTS(verl_residents), \
    .needs = {{"train_micro_batch_size_per_gpu", "size of a micro-batch", \
               ACTOR "ppo_micro_batch_size_per_gpu=N"}}

static const exchange_front fronts[] = {
    {.title = "MindSpeed-RL",
     .versions = "Ascend/MindSpeed-RL@05a90d77", .target = "mindspeed",
     .hands_on = true,
     .marks = {"megatron_training.", "actor_config.", R "mini_batch_size"},
     .prefix = "actor_config.|megatron_training.",
     .model = "model",
     .others = "ref_config.|reward_config.|critic_config.|profiler_config.|"
               "msprobe_config.|" R "integrated_mode_config.|"
               R "actor_forward_micro_batch_size|"
               R "ref_forward_micro_batch_size|"
               R "ref_max_packing_token_size|"
               R "actor_max_packing_token_size|" GENERATE "dtype|"
               GENERATE "enable_expert_parallel|"
               GENERATE "offload_train_optimizer|"
               GENERATE "offload_train_grad|" GENERATE "offload_train_param",
     RENAMES(mindspeed_names), DERIVED(mindspeed_derived),
     PRESETS(mindspeed_presets), REMARKS(mindspeed_remarks)},
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
     .others = "reward_model.|preference_pairs|critic.",
     .needs = {{"micro-batch-size",
         "size of a micro-batch", "ppo_micro_batch_size_per_gpu=N"}}},
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
    {.title = "NeMo-RL with a second DTensor", .marks = {D2 "enabled=true"},
     RENAMES(rl_second_names)},
    {ON_MEGATRON, PRESETS(rl_megatron_pair_presets),
     .marks = {IS_RL, M "enabled=true", "dpo."}},
    {ON_MEGATRON, PRESETS(rl_megatron_presets),
     .marks = {IS_RL, M "enabled=true"}},
    {ON_EXPERTS, .marks = {IS_RL, D "enabled=true", SHARED_EXPERTS}},
    {ON_SEQUENCES, .marks = {IS_RL, D "enabled=true", SHARED_SEQUENCES}},
    {ON_DTENSOR, .marks = {IS_RL, D "enabled=true"}},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_rl = {
        fronts, P3D_COUNT_OF(fronts)};
