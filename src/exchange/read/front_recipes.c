/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_recipes.c - the tables of programs that shard by PyTorch's FSDP and
 * have a file of YAML a run: EasyR1, LitGPT, NeMo Automodel, VeOmni.
 *
 * Names and defaults: EasyR1@b44b311b verl/trainer/config.py, verl/workers/
 * {actor,rollout}/config.py, fsdp_workers.py (a batch counts the answers,
 * weights in fp32, the reference in bf16), actor/dp_actor.py (micro-batches);
 * litgpt@26857050 litgpt/finetune/{full,lora}.py (FSDP with a checkpoint a
 * block where there are several GPUs), litgpt/args.py; Automodel@36044ad3
 * nemo_automodel/_transformers/auto_model.py (weights of the checkpoint's
 * type, bf16), components/distributed/config.py, components/_peft/lora.py;
 * VeOmni@d9774494 veomni/arguments/arguments_types.py. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define ZERO    "zero_optimization."
#define FSDP    "fsdp_config.fsdp_"
#define PART(x) "parallelism_config.parallelism_config_" x "_size"

/* clang-format off */

/* EasyR1. */
#define ACTOR "worker.actor."
#define REF   "worker.ref."
static const exchange_rename easy_names[] = {
    AS("trainer.nnodes", "nnodes"),
    AS("trainer.n_gpus_per_node", "nproc-per-node"),
    IS(ACTOR "model.enable_gradient_checkpointing", "false",
       "recompute-granularity", "none"),
    DROPPED(ACTOR "model.enable_gradient_checkpointing"),
    AS(ACTOR "model.lora.rank", "lora_rank"),
    AS(ACTOR "model.lora.target_modules", "lora_target_modules"),
    /* A tower has no adapters in a plan. */
    IDLE(ACTOR "model.lora.exclude_modules", ".*visual.*"),
    DROPPED(ACTOR "model.lora.alpha"),
    AS(ACTOR "model.freeze_vision_tower", "freeze_vision_tower"),
    IS(ACTOR "optim.strategy", "adamw_bf16", EXCHANGE_WEIGHTS_16, "true"),
    IDLE(ACTOR "optim.strategy", "adamw"),
    IDLE(ACTOR "fsdp.torch_dtype", "null"),
    IS(ACTOR "fsdp.torch_dtype", "bf16", EXCHANGE_WEIGHTS_16, "true"),
    IDLE(ACTOR "fsdp.enable_full_shard", "true"),
    IS(ACTOR "fsdp.enable_full_shard", "false", ZERO "stage", "2"),
    DROPPED(ACTOR "fsdp.enable_rank0_init"),
    AS(ACTOR "ulysses_size", "ds-sequence-parallel-size"),
    DROPPED(ACTOR "padding_free"), DROPPED(ACTOR "dynamic_batching"),
    DROPPED(ACTOR "micro_batch_size_per_device_for_experience"),
    /* Between the passes that generate and train, not within a step. */
    DROPPED(ACTOR "offload.offload_params"),
    DROPPED(ACTOR "offload.offload_optimizer"),
    AS(ACTOR "micro_batch_size_per_device_for_update",
       "train_micro_batch_size_per_gpu"),
    DROPPED("data.rollout_batch_size"), DROPPED("data.mini_rollout_batch_size"),
    DROPPED("data.val_batch_size"), DROPPED("data.max_pixels"),
    DROPPED("trainer.max_try_make_batch"),
    /* The images of a sequence, of which one is counted. */
    AS("worker.rollout.limit_images", "limit_images"),
};
static const exchange_derived easy_derived[] = {
    {"seq-length", EXCHANGE_SUM,
     {"data.max_prompt_length=512", "data.max_response_length=512"}, NULL},
    {"train_batch_size", EXCHANGE_PRODUCT,
     {ACTOR "global_batch_size=256", "worker.rollout.n=1"}, NULL},
};
static const exchange_remark easy_remarks[] = {
    {EXCHANGE_SCOPE, {NULL},
     "the actor's step: answers are generated, and reference and reward "
     "models run, before it"},
    {EXCHANGE_SCOPE, {NULL}, "each sequence counts with its largest length"},
    {EXCHANGE_LACKS, {"algorithm.adv_estimator=gae"},
     "the critic, whose states stay on the GPUs"},
    {EXCHANGE_LACKS,
     {"!algorithm.disable_kl=true|" REF "fsdp.enable_cpu_offload=true|"
      REF "offload.offload_params=true"},
     "the reference model's weights, which stay on the GPUs"},
};
static const exchange_resident easy_residents[] = {
    {"the critic, whose states stay on the GPUs", NULL, EXCHANGE_STATES,
     "worker.critic.model.model_path", NULL},
    {"the reference model's weights, which stay on the GPUs", NULL,
     EXCHANGE_SHARDS, NULL, NULL},
};
#define EASY \
    RESIDENTS(easy_residents), \
    .versions = "hiyouga/EasyR1@b44b311b", .target = "deepspeed", \
    .model = ACTOR "model.model_path", RENAMES(easy_names), \
    PRESETS(exchange_sharded_presets),                                         \
    DERIVED(easy_derived), REMARKS(easy_remarks),                              \
    .needs = {{"data.max_response_length", "length of answers", \
               "data.max_prompt_length=N,data.max_response_length=N"}, \
              {"train_micro_batch_size_per_gpu", "size of a micro-batch", \
               ACTOR "micro_batch_size_per_device_for_update=N"}}, \
    .beside = "file that config= names", \
    .others = "worker.reward.|worker.ref.|worker.critic.|algorithm.|"\
        "preference_pairs|worker.rollout.tensor_parallel_size"

/* LitGPT. */
#define LIT_NAMES \
    AS("devices", "nproc-per-node"), AS("num_nodes", "nnodes"), \
    AS("train.global_batch_size", "train_batch_size"), \
    AS("train.micro_batch_size", "train_micro_batch_size_per_gpu"), \
    IDLE("train.max_seq_length", "null"), IDLE("train.max_seq_length", ""), \
    AS("train.max_seq_length", "seq-length"), \
    {"precision", "bf16-true", EXCHANGE_WEIGHTS_16, "true", true}, \
    IS("precision", "bf16-true", "bf16.enabled", "true"), \
    IS("precision", "bf16-mixed", "bf16.enabled", "true"), \
    IS("precision", "32-true", "bf16.enabled", "false"), \
    {"quantize", "bnb.nf4", "double_quantization", "false", true}, \
    IS("quantize", "bnb.nf4", "quantization_bit", "4"), \
    IS("quantize", "bnb.nf4-dq", "quantization_bit", "4"), \
    IDLE("quantize", ""), IDLE("quantize", "null"), \
    IS("lora_query", "true", "lora_target_modules", "q_proj"), \
    IS("lora_key", "true", "lora_target_modules", "k_proj"), \
    IS("lora_value", "true", "lora_target_modules", "v_proj"), \
    IS("lora_projection", "true", "lora_target_modules", "o_proj"), \
    IS("lora_mlp", "true", "lora_target_modules", \
       "gate_proj,up_proj,down_proj"), \
    IDLE("lora_query", "false"), IDLE("lora_key", "false"), \
    IDLE("lora_value", "false"), IDLE("lora_projection", "false"), \
    IDLE("lora_mlp", "false"), IDLE("lora_head", "false"), \
    IDLE("optimizer.class_path", "torch.optim.AdamW"), \
    IS("optimizer.class_path", "bitsandbytes.optim.PagedAdamW", \
       EXCHANGE_OPTIMIZER, "adam"), \
    IDLE("train.tie_embeddings", ""), IDLE("train.tie_embeddings", "null")
static const exchange_rename lit_names[] = {LIT_NAMES};
/* A model by its sizes: litgpt/config.py (Config). */
#define LAYERS "model_config."
static const exchange_rename lit_layer_names[] = {
    DROPPED("model_name"), DROPPED("tokenizer_dir"), LIT_NAMES,
    AS(LAYERS "n_layer", "num-layers"), AS(LAYERS "n_embd", "hidden-size"),
    AS(LAYERS "n_head", "num-attention-heads"),
    AS(LAYERS "n_query_groups", "num-key-value-heads"),
    AS(LAYERS "head_size", "kv-channels"),
    AS(LAYERS "intermediate_size", "ffn-hidden-size"),
    AS(LAYERS "vocab_size", "vocab-size"),
    AS(LAYERS "padded_vocab_size", "vocab-size"),
    IS(LAYERS "norm_class_name", "RMSNorm", "normalization", "rmsnorm"),
    IS(LAYERS "norm_class_name", "LayerNorm", "normalization", "layernorm"),
    AS(LAYERS "norm_eps", "layernorm-epsilon"),
    IS(LAYERS "mlp_class_name", "LLaMAMLP", "swiglu", "true"),
    IDLE(LAYERS "mlp_class_name", "GptNeoxMLP"),
    IS(LAYERS "bias", "false", "disable-bias-linear", "true"),
    IDLE(LAYERS "bias", "true"),
    AS(LAYERS "rope_base", "rotary-position-embeddings-theta"),
    AS(LAYERS "block_size", "max-position-embeddings"),
    DROPPED("train.max_norm"), DROPPED(LAYERS "name"),
    DROPPED(LAYERS "rotary_percentage"),
    DROPPED(LAYERS "parallel_residual"), DROPPED(LAYERS "padding_multiple"),
    IDLE(LAYERS "scale_embeddings", "false"), IDLE(LAYERS "n_expert", "0"),
    IDLE(LAYERS "n_expert_per_token", "0"),
    IDLE(LAYERS "shared_attention_norm", "false"),
    IDLE(LAYERS "lm_head_bias", "false"),
};
static const exchange_derived lit_derived[] = {
    {"seq-length", EXCHANGE_PRODUCT, {"max-position-embeddings=4096"}, NULL},
    {"num-layers", EXCHANGE_PRODUCT, {"=16"}, NULL},
    {"hidden-size", EXCHANGE_PRODUCT, {"=4096"}, NULL},
    {"num-attention-heads", EXCHANGE_PRODUCT, {"=32"}, NULL},
    {"ffn-hidden-size", EXCHANGE_PRODUCT, {"hidden-size", "=4"}, NULL},
    {"vocab-size", EXCHANGE_PRODUCT, {"=50254"}, NULL},
};
#define LIT_PRESETS \
    {"train_batch_size", "16"}, {"train_micro_batch_size_per_gpu", "1"}, \
    {"attention-dropout", "0"}, {"hidden-dropout", "0"}, \
    {"use-flash-attn-v2", NULL}, {"recompute-method", "uniform"}, \
    {"recompute-num-layers", "1"}
#define LIT_LAYER_PRESETS \
    {"use-rotary-position-embeddings", NULL}, \
    {"untie-embeddings-and-output-weights", NULL}
static const exchange_preset lit_one_layer_presets[] = {
    LIT_PRESETS, LIT_LAYER_PRESETS, {ZERO "stage", "0"},
    {"recompute-granularity", "none"},
};
static const exchange_preset lit_more_layer_presets[] = {
    LIT_PRESETS, LIT_LAYER_PRESETS, {ZERO "stage", "3"},
    {"recompute-granularity", "full"},
};
static const exchange_preset lit_one_presets[] = {
    LIT_PRESETS, {ZERO "stage", "0"}, {"recompute-granularity", "none"},
};
static const exchange_preset lit_more_presets[] = {
    LIT_PRESETS, {ZERO "stage", "3"}, {"recompute-granularity", "full"},
};
static const exchange_remark lit_remarks[] = {
    {EXCHANGE_LACKS, {"lora_head=true"}, "the adapter of the output matrix"},
    {EXCHANGE_LACKS, {"model_name", "!num_nodes=1"},
     "the hybrid sharding of a pre-training on several nodes"},
    {EXCHANGE_LACKS, {LAYERS "n_layer|" LAYERS "n_embd",
      "!" LAYERS "parallel_residual=false"},
     "attention and MLP side by side: one behind the other is counted"},
};
#define LIT \
    .model = "checkpoint_dir|model_name", RENAMES(lit_names), LIT_ANY
#define LIT_OF_LAYERS \
    RENAMES(lit_layer_names), DERIVED(lit_derived), LIT_ANY
#define LIT_ANY \
    .versions = "Lightning-AI/litgpt@26857050", .target = "deepspeed", \
    REMARKS(lit_remarks), .others = "eval.|data.|logger_name|lora_head", \
    .needs = {{"seq-length", "length of a sequence", \
               "train.max_seq_length=N"}, \
              {"bf16.enabled", "precision", "precision=bf16-true"}}
#define IS_LIT_MODEL \
    LAYERS "n_layer|" LAYERS "n_embd", \
    "train.micro_batch_size|train.global_batch_size"
#define IS_LIT \
    "checkpoint_dir|model_name", \
    "train.micro_batch_size|train.global_batch_size", "logger_name|out_dir"

/* NeMo Automodel. */
#define D "distributed."
#define ALL_PROJECTIONS \
    "q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj"
#define AUTO_NAMES \
    IS("model.torch_dtype", "float32", "torch_dtype", "float32"), \
    IS("model.torch_dtype", "torch.float32", "torch_dtype", "float32"), \
    DROPPED("model.torch_dtype"), DROPPED("model.dtype"), \
    DROPPED("model.attn_implementation"), DROPPED("model.force_hf"), \
    DROPPED("model.config._target_"), DROPPED("model.trust_remote_code"), \
    DROPPED("dataloader.collate_fn.pad_seq_len_divisible"), \
    DROPPED(D "_target_"), DROPPED(D "strategy"), \
    IDLE(D "dp_size", "none"), IDLE(D "dp_size", "null"), \
    IDLE(D "dp_shard_size", "none"), IDLE(D "dp_shard_size", "null"), \
    IDLE(D "pp_size", "1"), IDLE(D "ep_size", "1"), \
    IDLE(D "ep_size", "null"), IDLE(D "ep_size", "none"), \
    DROPPED(D "defer_fsdp_grad_sync"), \
    DROPPED(D "enable_fsdp2_prefetch"), \
    DROPPED(D "fsdp2_backward_prefetch_depth"), \
    DROPPED(D "fsdp2_forward_prefetch_depth"), \
    IDLE(D "mp_policy.param_dtype", "bfloat16"), \
    IDLE(D "mp_policy.reduce_dtype", "float32"), \
    IDLE(D "mp_policy.param_dtype", "torch.bfloat16"), \
    IDLE(D "mp_policy.reduce_dtype", "torch.float32"), \
    DROPPED(D "mp_policy.output_dtype"), DROPPED(D "mp_policy._target_"), \
    DROPPED(D "mp_policy.cast_forward_inputs"), \
    {"peft._target_", NULL, "use_peft", "true", false}, \
    AS("peft.dim", "lora_r"), AS("peft.dropout", "lora_dropout"), \
    IS("peft.target_modules", "*_proj", "lora_target_modules", \
       ALL_PROJECTIONS), \
    IS("peft.target_modules", "*proj", "lora_target_modules", \
       ALL_PROJECTIONS), \
    AS("peft.target_modules", "lora_target_modules"), \
    IS("peft.match_all_linear", "true", "lora_target_linear", "true"), \
    IDLE("peft.match_all_linear", "false"), \
    DROPPED("peft.alpha"), DROPPED("peft.use_triton"), \
    DROPPED("peft.lora_A_init"), DROPPED("peft.dropout_position"), \
    DROPPED("peft.lora_dtype"), \
    IDLE("peft.exclude_modules.0", "*vision_tower*"), \
    IDLE("peft.exclude_modules.0", "*visual*"), \
    IDLE("peft.exclude_modules.0", "*vision*"), \
    IDLE("peft.exclude_modules.1", "*visual*"), \
    IDLE("peft.exclude_modules.1", "*vision*"), \
    IDLE("peft.exclude_modules.1", "*audio*"), \
    IDLE("peft.exclude_modules.2", "*image_encoder*"), \
    IDLE("peft.exclude_modules.2", "*audio*"), \
    IDLE("peft.exclude_modules.3", "*lm_head*"), \
    IDLE("peft.exclude_modules.0", "*lm_head*"), \
    IDLE("peft.exclude_modules.1", "*lm_head*"), \
    IDLE("peft.exclude_modules.2", "*lm_head*"), \
    IDLE("optimizer._target_", "torch.optim.AdamW"), \
    IDLE("optimizer._target_", "torch.optim.Adam"), \
    DROPPED("optimizer.fused"), DROPPED("optimizer.foreach"), \
    DROPPED("optimizer.adam_w_mode"), DROPPED("optimizer.bias_correction"), \
    DROPPED("packed_sequence.packing_strategy"), \
    IDLE("packed_sequence.packed_sequence_size", "0"), \
    AS("packed_sequence.packed_sequence_size", "max_seq_length"), \
    AS("packed_sequence.pack_size", "max_seq_length"), \
    DROPPED("packed_sequence.max_length"), \
    DROPPED("packed_sequence.pretokenize"), \
    DROPPED("packed_sequence.packing_ratio"), \
    DROPPED("packed_sequence.drop_long_samples"), \
    DROPPED("packed_sequence.post_tokenize_hook_fn"), \
    AS("freeze_config.freeze_vision_tower", "freeze_vision_tower"), \
    AS("freeze_config.freeze_audio_tower", "freeze_audio_tower"), \
    AS("freeze_config.freeze_language_model", "freeze_language_model"), \
    DROPPED("freeze_config.freeze_embeddings"), \
    AS("dataset.seq_length", "max_seq_length"), \
    AS("dataset.seq_len", "max_seq_length"), \
    AS("dataset.max_length", "max_seq_length"), \
    AS("dataset.max_seq_length", "max_seq_length"), \
    AS("dataloader.collate_fn.max_length", "max_seq_length"), \
    DROPPED("packed_sequence.split_across_pack"), \
    DROPPED("dataset.padding"), DROPPED("dataset.truncation")
static const exchange_rename auto_names[] = {
    AUTO_NAMES,
    AS("step_scheduler.local_batch_size", "per_device_train_batch_size"),
    AS(D "tp_size", PART("tp")), AS(D "cp_size", PART("cp")),
    AS(D "dp_replicate_size", PART("dp_replicate")),
    DROPPED(D "sequence_parallel"),
    AS(D "activation_checkpointing", FSDP "activation_checkpointing"),
    IS(D "offload_policy._target_",
       "torch.distributed.fsdp.CPUOffloadPolicy", FSDP "offload_params",
       "true"),
};
/* With pipelines or experts over ranks it is what torchtitan is: the same
 * schedules of PyTorch, FSDP2 over the rest, experts over the ranks that share
 * the states. Automodel@36044ad3 nemo_automodel/components/distributed/
 * config.py, components/moe/parallelizer.py, components/distributed/
 * pipelining/functional.py (embedding and loss are no layers). */
#define PARALLEL "parallelism."
#define AC_MODE  "activation_checkpoint.mode"
static const exchange_rename auto_mesh_names[] = {
    IS("model.torch_dtype", "float32", EXCHANGE_WEIGHTS_32, "true"),
    IS("model.torch_dtype", "torch.float32", EXCHANGE_WEIGHTS_32, "true"),
    AUTO_NAMES,
    AS("step_scheduler.local_batch_size", "training.local_batch_size"),
    AS("step_scheduler.global_batch_size", "training.global_batch_size"),
    AS("max_seq_length", "training.seq_len"),
    AS(D "tp_size", PARALLEL "tensor_parallel_degree"),
    AS(D "cp_size", PARALLEL "context_parallel_degree"),
    AS(D "ep_size", PARALLEL "expert_parallel_degree"),
    AS(D "pp_size", PARALLEL "pipeline_parallel_degree"),
    AS(D "dp_replicate_size", PARALLEL "data_parallel_replicate_degree"),
    AS(D "sequence_parallel", PARALLEL "enable_sequence_parallel"),
    IS(D "activation_checkpointing", "true", AC_MODE, "full"),
    IS(D "activation_checkpointing", "false", AC_MODE, "none"),
    IS(D "activation_checkpointing", "full", AC_MODE, "full"),
    IS(D "activation_checkpointing", "selective", AC_MODE, "selective"),
    IS(D "offload_policy._target_",
       "torch.distributed.fsdp.CPUOffloadPolicy", "training.enable_cpu_offload",
       "true"),
    IS(D "moe.reshard_after_forward", "true",
       PARALLEL "fsdp_reshard_after_forward", "always"),
    IDLE(D "moe.reshard_after_forward", "false"),
    DROPPED(D "moe.wrap_outer_model"), DROPPED(D "moe.ignore_router_for_ac"),
    IS(D "reshard_after_forward", "true",
       PARALLEL "fsdp_reshard_after_forward", "always"),
    IS(D "reshard_after_forward", "false",
       PARALLEL "fsdp_reshard_after_forward", "never"),
    IS(D "pipeline.pp_schedule", "1f1b",
       PARALLEL "pipeline_parallel_schedule", "1F1B"),
    IS(D "pipeline.pp_schedule", "gpipe",
       PARALLEL "pipeline_parallel_schedule", "GPipe"),
    IS(D "pipeline.pp_schedule", "interleaved1f1b",
       PARALLEL "pipeline_parallel_schedule", "Interleaved1F1B"),
    IS(D "pipeline.pp_schedule", "interleaved_1f1b",
       PARALLEL "pipeline_parallel_schedule", "Interleaved1F1B"),
    AS(D "pipeline.pp_schedule", PARALLEL "pipeline_parallel_schedule"),
    AS(D "pipeline.pp_microbatch_size",
       PARALLEL "pipeline_parallel_microbatch_size"),
    AS(D "pipeline.layers_per_stage",
       PARALLEL "pipeline_parallel_layers_per_stage"),
    IDLE(D "pipeline.round_virtual_stages_to_pp_multiple", "null"),
    AS(D "pipeline.round_virtual_stages_to_pp_multiple", "stages_rounded"),
    DROPPED(D "pipeline.scale_grads_in_schedule"),
    DROPPED(D "pipeline.patch_inner_model"),
    DROPPED(D "pipeline.patch_causal_lm_model"),
    DROPPED(D "pipeline.patch_stage_backward_maybe_with_nosync"),
    DROPPED(D "pipeline.pp_batch_size"), DROPPED(D "pipeline._target_"),
    DROPPED(D "pipeline.dtype"),
};
static const exchange_derived auto_mesh_derived[] = {
    {EXCHANGE_WEIGHTS_16, EXCHANGE_PRODUCT, {"=1"}, "!" EXCHANGE_WEIGHTS_32},
};
#define AUTO_MESH_PRESETS \
    {PARALLEL "enable_sequence_parallel", "false"}, {AC_MODE, "none"}, \
    {PARALLEL "pipeline_parallel_schedule", "1F1B"}, \
    {PARALLEL "pipeline_parallel_first_stage_less_layers", "0"}, \
    {PARALLEL "pipeline_parallel_last_stage_less_layers", "0"}
static const exchange_preset auto_expert_presets[] = {
    AUTO_MESH_PRESETS, {PARALLEL "fsdp_reshard_after_forward", "never"},
};
static const exchange_preset auto_pipeline_presets[] = {AUTO_MESH_PRESETS};
/* A checkpoint's weights stay in bf16, and Adam's moments with them. */
static const exchange_derived auto_derived[] = {
    {"gradient_accumulation_steps", EXCHANGE_SHARE,
     {"step_scheduler.global_batch_size", "per_device_train_batch_size"}, NULL},
    {EXCHANGE_WEIGHTS_16, EXCHANGE_PRODUCT, {"=1"}, "!torch_dtype=float32"},
};
static const exchange_preset auto_presets[] = {
    {"mixed_precision", "bf16"}, {FSDP "activation_checkpointing", "false"},
};
#define TE_ADAM "transformer_engine.pytorch.optimizers."
static const exchange_remark auto_remarks[] = {
    {EXCHANGE_LACKS,
     {"loss_fn._target_="
      "nemo_automodel.components.loss.linear_ce.FusedLinearCrossEntropy"},
     "the loss without logits, which are counted"},
    {EXCHANGE_LACKS, {"compile.enabled=true"}, "torch.compile"},
    {EXCHANGE_LACKS, {"fp8.enabled=true|te_fp8."},
     "products in fp8: those of bf16 are counted"},
    {EXCHANGE_LACKS, {"teacher_model."}, "the teacher, which runs beside it"},
    {EXCHANGE_LACKS, {"peft.moe_rank_scaling=true"},
     "adapters whose rank the experts of a token divide"},
    {EXCHANGE_LACKS, {"optimizer._target_=" TE_ADAM "fused_adam.FusedAdam|"
      "optimizer._target_=" TE_ADAM "FusedAdam"},
     "states in the types of Transformer Engine's Adam: those of PyTorch's are "
     "counted"},
    {EXCHANGE_LACKS, {"model.text_config.|model.config.num_hidden_layers|"
      "model.num_hidden_layers"}, "sizes other than those of the model's name"},
};
#define AUTO_ANY \
    .versions = "NVIDIA-NeMo/Automodel@36044ad3", \
    .model = "model.pretrained_model_name_or_path|"\
        "model.config.pretrained_model_name_or_path|model.config", \
    REMARKS(auto_remarks)
#define AUTO_OTHERS \
    "validation_dataset.|validation_dataloader.|checkpoint.|"\
    "dist_env.|rng.|lr_scheduler.|wandb.|loss_fn.|ci.|processor.|"\
    "tokenizer.|compile.|fp8.|te_fp8.|model.backend.|teacher_model.|"\
    "dataset.path_or_dataset|step_scheduler.val_every_steps|moe_metrics.|"\
    "optimizer._target_=" TE_ADAM "fused_adam.FusedAdam|"\
    "optimizer._target_=" TE_ADAM "FusedAdam|optimizer.master_weights|"\
    "optimizer.store_param_remainders|optimizer.exp_avg_dtype|"\
    "optimizer.exp_avg_sq_dtype|optimizer.master_weight_dtype"
#define AUTO \
    .title = "NeMo Automodel with FSDP2", .target = "accelerate", \
    AUTO_ANY, \
    RENAMES(auto_names), PRESETS(auto_presets), DERIVED(auto_derived), \
    .others = AUTO_OTHERS "|distributed.pipeline.|distributed.moe.", \
    .needs = {{"gradient_accumulation_steps", \
               "batch that its micro-batches and replicas divide", \
               "step_scheduler.global_batch_size=N"}}
#define AUTO_MESH \
    .target = "torchtitan", AUTO_ANY, .others = AUTO_OTHERS, \
    RENAMES(auto_mesh_names), DERIVED(auto_mesh_derived), \
    .needs = {{"training.seq_len", "length of a sequence", "--seq N"}}
#define AUTO_FSDP2 \
    D "strategy=fsdp2|" \
    D "_target_=nemo_automodel.components.distributed.fsdp2.FSDP2Manager"
#define SPLIT_BY(name) D name, "!" D name "=1|" D name "=none|" D name "=null"

/* VeOmni: texts are packed to whole sequences. */
#define A "train.accelerator."
static const exchange_rename omni_names[] = {
    AS("data.max_seq_len", "seq-length"),
    AS("train.micro_batch_size", "train_micro_batch_size_per_gpu"),
    AS("train.global_batch_size", "train_batch_size"),
    IS("train.gradient_checkpointing.enable", "false", "recompute-granularity",
       "none"),
    IS("train.enable_gradient_checkpointing", "false", "recompute-granularity",
       "none"),
    DROPPED("train.gradient_checkpointing.enable"),
    DROPPED("train.enable_gradient_checkpointing"),
    DROPPED("train.gradient_checkpointing.enable_reentrant"),
    DROPPED("train.gradient_checkpointing.debug"),
    IDLE(A "ulysses_size", "1"), IDLE(A "ep_size", "1"),
    IDLE(A "dp_replicate_size", "-1"), IDLE(A "dp_replicate_size", "1"),
    IDLE(A "dp_shard_size", "-1"),
    DROPPED(A "fsdp_config.fsdp_mode"),
    IS(A "fsdp_config.reshard_after_forward", "false", ZERO "stage", "2"),
    DROPPED(A "fsdp_config.reshard_after_forward"),
    IS(A "fsdp_config.mixed_precision.enable", "false", EXCHANGE_WEIGHTS_16,
       "true"),
    IDLE(A "fsdp_config.mixed_precision.enable", "true"),
    DROPPED(A "fsdp_config.forward_prefetch"),
    IDLE(A "fsdp_config.offload", "false"),
    IDLE(A "offload.enable_activation", "false"),
    IDLE(A "offload_config.enable_activation", "false"),
    AS("model.lora_config.rank", "lora_rank"),
    AS("model.lora_config.lora_modules", "lora_target_modules"),
    DROPPED("model.lora_config.alpha"), DROPPED("model.lora_config.use_rslora"),
    IDLE("train.optimizer.type", "adamw"), IDLE("train.optimizer", "adamw"),
    DROPPED("train.bsz_warmup_ratio"),
    DROPPED("data.dyn_bsz_buffer_size"), DROPPED("train.dyn_bsz"),
    DROPPED("model.ops_implementation.attn_implementation"),
    DROPPED("model.ops_implementation.moe_implementation"),
};
static const exchange_derived omni_derived[] = {
    {"train_micro_batch_size_per_gpu", EXCHANGE_PRODUCT, {"=1"}, NULL},
    {"seq-length", EXCHANGE_PRODUCT, {"=2048"}, NULL},
};
static const exchange_remark omni_remarks[] = {
    {EXCHANGE_LACKS, {A "fsdp_config.fsdp_mode=ddp"},
     "whole states in each replica: sharded ones are counted"},
    {EXCHANGE_LACKS, {"train.chunk_mbs_config.enable=true"},
     "micro-batches in pieces"},
    {EXCHANGE_LACKS, {"train.dpo_config.|train.beta|model.ref_model_path"},
     "pairs of answers, and the reference model of DPO: one sequence and one "
     "model are counted"},
};

/* LLaMA-Factory's version 1: src/llamafactory/v1/config, core/model_engine.py
 * (weights of the checkpoint's type), plugins/trainer_plugins/distributed/
 * fsdp2.py. */
#define V1_DIST "dist_config."
static const exchange_rename factory_v1_names[] = {
    AS("micro_batch_size", "train_micro_batch_size_per_gpu"),
    AS("cutoff_len", "seq-length"),
    IS("bf16", "true", "bf16.enabled", "true"),
    IS("bf16", "false", "bf16.enabled", "false"),
    IS("enable_activation_checkpointing", "false", "recompute-granularity",
       "none"),
    DROPPED("enable_activation_checkpointing"),
    IDLE("cp_size", "1"), IDLE("cp_mode", "ulysses"),
    AS("cp_size", "ds-sequence-parallel-size"),
    DROPPED("flash_attn"), DROPPED("model_class"),
    IDLE("batching_strategy", "normal"),
    IDLE("batching_strategy", "padding_free"),
    {"batching_strategy", NULL, "fills_batches", "true", false},
    DROPPED(V1_DIST "name"), DROPPED(V1_DIST "dcp_path"),
    IS("kernel_config.name", "liger_kernel", "use_liger_kernel", "true"),
    IDLE("optim_config.name", "adamw"), AS("optim_config.name", "optimizer"),
    IS("peft_config.name", "lora", "finetuning_type", "lora"),
    AS("peft_config.r", "lora_rank"),
    AS("peft_config.lora_dropout", "lora_dropout"),
    AS("peft_config.target_modules", "lora_target"),
    DROPPED("peft_config.lora_alpha"),
    DROPPED("max_new_tokens"), DROPPED("sample_backend"),
};
static const exchange_derived factory_v1_derived[] = {
    {"gradient_accumulation_steps", EXCHANGE_SHARE,
     {"global_batch_size", "train_micro_batch_size_per_gpu"}, NULL},
    {"seq-length", EXCHANGE_PRODUCT, {"=2048"}, NULL},
    {"train_micro_batch_size_per_gpu", EXCHANGE_PRODUCT, {"=1"}, NULL},
    {"gradient_accumulation_steps", EXCHANGE_PRODUCT, {"=1"}, NULL},
    {EXCHANGE_WEIGHTS_16, EXCHANGE_PRODUCT, {"=1"}, NULL},
};
static const exchange_remark factory_v1_remarks[] = {
    {EXCHANGE_SCOPE, {NULL},
     "training on texts: llamafactory-cli dpo has two of each, and a "
     "reference model"},
    {EXCHANGE_LACKS, {"!batching_strategy=normal|batching_strategy="
     "padding_free", "batching_strategy"},
     "micro-batches that are filled up to a number of tokens"},
};

static const exchange_front fronts[] = {
    {.title = "version 1 of LLaMA-Factory, with FSDP2",
     .versions = "hiyouga/LLaMA-Factory@ff6d4d12", .target = "deepspeed",
     .profile = "fsdp2-hf",
     .marks = {"model", V1_DIST "name=fsdp2", "train_dataset"},
     .model = "model", .others = "fills_batches",
     RENAMES(factory_v1_names), DERIVED(factory_v1_derived),
     PRESETS(exchange_sharded_presets), REMARKS(factory_v1_remarks)},
    {.title = "EasyR1 with FSDP", .profile = "fsdp1",
     .marks = {ACTOR "model.model_path",
               "!" ACTOR "strategy=fsdp2"}, EASY},
    {.title = "EasyR1 with FSDP2", .profile = "fsdp2-hf",
     .marks = {ACTOR "model.model_path"}, EASY},
    {.title = "LitGPT on one GPU", .profile = "ddp", LIT_OF_LAYERS,
     .marks = {IS_LIT_MODEL, "@one"}, PRESETS(lit_one_layer_presets)},
    {.title = "LitGPT with FSDP", .profile = "fsdp1", LIT_OF_LAYERS,
     .marks = {IS_LIT_MODEL}, PRESETS(lit_more_layer_presets)},
    {.title = "LitGPT on one GPU", .profile = "ddp", LIT,
     .marks = {IS_LIT, "@one"}, PRESETS(lit_one_presets)},
    {.title = "LitGPT with FSDP", .profile = "fsdp1", LIT,
     .marks = {IS_LIT}, PRESETS(lit_more_presets)},
    {.title = "NeMo Automodel with experts over ranks",
     .marks = {"step_scheduler.local_batch_size", AUTO_FSDP2,
               SPLIT_BY("ep_size")},
     PRESETS(auto_expert_presets), AUTO_MESH},
    {.title = "NeMo Automodel with pipelines",
     .marks = {"step_scheduler.local_batch_size", AUTO_FSDP2,
               SPLIT_BY("pp_size")},
     PRESETS(auto_pipeline_presets), AUTO_MESH},
    {.marks = {"step_scheduler.local_batch_size", AUTO_FSDP2}, AUTO},
    {.title = "VeOmni with FSDP2",
     .versions = "ByteDance-Seed/VeOmni@d9774494", .target = "deepspeed",
     .profile = "fsdp2-hf",
     .marks = {"model.model_path", "train.global_batch_size",
               "data.max_seq_len|data.train_path"},
     .model = "model.model_path", RENAMES(omni_names),
     PRESETS(exchange_sharded_presets),
     DERIVED(omni_derived), REMARKS(omni_remarks),
     .others = "train.wandb.|train.profile.|train.checkpoint.|data.mm_configs.|"
         "train.chunk_mbs_config."},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_recipes = {
        fronts, P3D_COUNT_OF(fronts)};
