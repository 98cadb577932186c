/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_nemo_rl.c - the tables of NeMo-RL and MindSpeed-RL, which generate
 * answers and train on them.
 *
 * Names and defaults: NeMo-RL@7ea279ab examples/configs/sft.yaml,
 * nemo_rl/models/megatron/setup.py, nemo_rl/models/automodel/setup.py, nemo_rl/
 * models/policy/workers (use_reference_model), nemo_rl/algorithms;
 * MindSpeed-RL@05a90d77 mindspeed_rl/config_cls/{rl,generate}_config.py (a
 * batch of a step is of questions), workers/integrated_worker.py (the reference
 * waits in the host's memory). */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define FSDP    "fsdp_config.fsdp_"
#define PART(x) "parallelism_config.parallelism_config_" x "_size"
#define LARGEST "each sequence counts with its largest length"

/* clang-format off */

/* NeMo-RL. */
#define P "policy."
#define M P "megatron_cfg."
#define D P "dtensor_cfg."
#define DDP M "distributed_data_parallel_config."
#define MEGATRON(name, to) {M name, NULL, to, NULL, false}
#define UNSAID(name)       {name, "null", NULL, NULL, false}

/* Generation on GPUs of its own leaves the other nodes to the policy, or the
 * other GPUs of the one node: nemo_rl/algorithms/grpo.py (setup). */
#define COLOCATED P "generation.colocated."
#define APART     COLOCATED "enabled=false"
#define POLICY_ALONE \
    {"nproc-per-node", EXCHANGE_LESS, \
     {"gpus-per-node", COLOCATED "resources.gpus_per_node"}, "num_nodes=1"}, \
    {"nnodes", EXCHANGE_LESS, \
     {"num_nodes", COLOCATED "resources.num_nodes"}, "!num_nodes=1"}
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
    IDLE(M "optimizer.optimizer", "adam"),
    AS(M "optimizer.optimizer", "optimizer"), DROPPED(M "pipeline_dtype"),
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
/* nemo_rl/algorithms/rm.py: the same, by a head of one number. */
#define OF_REWARDS {EXCHANGE_PREFERENCE, "pairs"}, {EXCHANGE_OUTPUTS, "1"}
static const exchange_preset rl_megatron_reward_presets[] = {
    RL_MEGATRON_PRESETS, OF_REWARDS,
};

/* Any other one is in doubt. */
#define OPTIMIZERS \
    IDLE(P "optimizer.name", "torch.optim.AdamW"), \
    IDLE(P "optimizer.name", "torch.optim.Adam"), \
    IDLE(P "optimizer.name", \
       "transformer_engine.pytorch.optimizers.fused_adam.FusedAdam"), \
    IS(P "optimizer.name", "torchao.optim.AdamW8bit", EXCHANGE_OPTIMIZER, \
       "adam-8bit"), \
    IS(P "optimizer.name", "dion.Muon", EXCHANGE_OPTIMIZER, "muon"), \
    IS(P "optimizer.name", "dion.MuonReference", EXCHANGE_OPTIMIZER, "muon"), \
    DROPPED(P "optimizer.scalar_optim")
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
    OPTIMIZERS, DROPPED(P "optimizer.kwargs.foreach"),
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
static const exchange_preset rl_reward_presets[] = {OF_REWARDS};
/* nemo_rl/models/policy/workers/dtensor_policy_worker.py (use_reference_model):
 * the reference waits in the host's memory, and takes the weights' place. */
static const exchange_preset rl_pair_presets[] = {
    {EXCHANGE_PREFERENCE, "self"}, {"swaps_reference", "true"},
};
static const exchange_derived rl_derived[] = {POLICY_ALONE};
static const exchange_derived rl_dtensor_derived[] = {
    POLICY_ALONE,
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
    OPTIMIZERS, DROPPED(P "optimizer.kwargs.foreach"),
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

#define SHARED_EXPERTS \
    D "expert_parallel_size", "!" D "expert_parallel_size=1"

/* Of what is done beside the step of the policy. */
#define RL_OTHERS \
    "preference_pairs|" P "reward_model_cfg.|value.|async_rl.|sft.|"\
    "grpo.|dpo.|teacher.|"\
    "ppo.|rm.|distillation.|checkpointing.|logger.|data.|env.|"\
    "loss_fn.|" P "generation.b|" P "generation.m|" P "generation.n|"\
    P "generation.p|" P "generation.s|" P "generation.t|" P "generation.v|"\
    P "generation.w|" P "generation.a|" P "tokenizer.|" P "scheduler|"\
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
    {EXCHANGE_LACKS, {APART, "!" COLOCATED "resources.num_nodes|" COLOCATED
     "resources.gpus_per_node"},
     "the GPUs that generate, which are others than the policy's: the cluster "
     "is that of the policy alone"},
    {EXCHANGE_LACKS, {"dpo.", SHARED_EXPERTS},
     "the second sequence of a pair, and the reference model of DPO: one "
     "sequence and one model are counted"},
    /* nemo_rl/algorithms/distillation.py: it goes to the host's memory before
     * the student trains. */
    {EXCHANGE_SCOPE, {"distillation.|teacher."},
     "the student's step: answers are generated, and the teacher runs, before "
     "it"},
    {EXCHANGE_SCOPE, {"distillation.|teacher."}, LARGEST},
    /* nemo_rl/models/value/lm_value.py (finish_training): it goes to the host's
     * memory before the policy trains. */
    {EXCHANGE_SCOPE, {"ppo."},
     "the critic is trained in a step of its own, which is not counted"},
};
#define NEMO_RL(backend) \
    .part = APART, .title = "NeMo-RL with " backend, \
    .versions = "NVIDIA-NeMo/RL@7ea279ab", \
    .model = P "model_name", REMARKS(rl_remarks)
#define IS_RL P "train_global_batch_size"
#define ON_MEGATRON \
    NEMO_RL("Megatron-Core"), .target = "megatron", \
    .others = RL_OTHERS "|" D "|" P "optimizer.", \
    RENAMES(rl_megatron_names), DERIVED(rl_derived)
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
    RENAMES(rl_mesh_names), DERIVED(rl_derived), PRESETS(rl_mesh_presets)
#define ON_SEQUENCES \
    NEMO_RL("DTensor and sequence parallelism"), .target = "torchtitan", \
    .others = RL_OTHERS "|" M "|" D "automodel_kwargs.", \
    RENAMES(rl_mesh_names), DERIVED(rl_derived), \
    PRESETS(rl_sequence_presets)
#define SHARED_SEQUENCES \
    D "sequence_parallel=true", "!" D "tensor_parallel_size=1|dpo.|rm.|" D \
    "lora_cfg.enabled=true"

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
    {.title = "NeMo-RL with a second DTensor", .marks = {D2 "enabled=true"},
     RENAMES(rl_second_names)},
    {ON_MEGATRON, PRESETS(rl_megatron_pair_presets),
     .marks = {IS_RL, M "enabled=true", "dpo."}},
    {ON_MEGATRON, PRESETS(rl_megatron_reward_presets),
     .marks = {IS_RL, M "enabled=true", "rm."}},
    {ON_MEGATRON, PRESETS(rl_megatron_presets),
     .marks = {IS_RL, M "enabled=true"}},
    {ON_EXPERTS, .marks = {IS_RL, D "enabled=true", SHARED_EXPERTS}},
    {ON_SEQUENCES, .marks = {IS_RL, D "enabled=true", SHARED_SEQUENCES}},
    {ON_DTENSOR, PRESETS(rl_pair_presets),
     .marks = {IS_RL, D "enabled=true", "dpo."}},
    {ON_DTENSOR, PRESETS(rl_reward_presets),
     .marks = {IS_RL, D "enabled=true", "rm."}},
    {ON_DTENSOR, .marks = {IS_RL, D "enabled=true"}},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_nemo_rl = {
        fronts, P3D_COUNT_OF(fronts)};
