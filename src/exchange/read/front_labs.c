/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_labs.c - the tables of programs that laboratories published with their
 * models, or that wrap others: OLMo, Lingua, Oumi, mistral-finetune,
 * align-anything.
 *
 * Names and defaults: allenai/OLMo@59a53e3f olmo/config.py, olmo/model.py;
 * facebookresearch/lingua@437d680e lingua/transformer.py, distributed.py,
 * tokenizer.py, apps/main/train.py, transformer.py (a batch of each rank);
 * oumi-ai/oumi@d8ed0777 src/oumi/core/configs/params; mistralai/
 * mistral-finetune@1943535d finetune/args.py, finetune/wrapped_model.py;
 * PKU-Alignment/align-anything@3f9decc2 align_anything/configs/train. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define ZERO "zero_optimization."

/* clang-format off */
#define MICRO_BATCH         "train_micro_batch_size_per_gpu"
#define ACCUMULATES         "gradient_accumulation_steps"
#define FULL                "recompute-granularity", "full"
#define NONE                "recompute-granularity", "none"
#define UNIFORM             {"recompute-method", "uniform"}, \
                            {"recompute-num-layers", "1"}
#define FUSED               {"attention-dropout", "0"}, \
                            {"hidden-dropout", "0"}, {"use-flash-attn-v2", NULL}

/* OLMo. Of a gated MLP the ratio is that of both halves. */
#define M "model."
#define ONE_IN(word) \
    {"activation_checkpointing", word, FULL, true}, \
    {"activation_checkpointing", word, "recompute-method", "block", true}
static const exchange_rename olmo_names[] = {
    AS(M "d_model", "hidden-size"), AS(M "n_layers", "num-layers"),
    AS(M "n_heads", "num-attention-heads"),
    IDLE(M "n_kv_heads", "null"),
    AS(M "n_kv_heads", "num-key-value-heads"),
    IS(M "multi_query_attention", "true", "num-key-value-heads", "1"),
    DROPPED(M "multi_query_attention"),
    IDLE(M "mlp_hidden_size", "null"), AS(M "mlp_hidden_size", "mlp-width"),
    IS(M "activation_type", "swiglu", "swiglu", "true"),
    IS(M "layer_norm_type", "rms", "normalization", "rmsnorm"),
    IS(M "layer_norm_type", "default", "normalization", "layernorm"),
    IS(M "layer_norm_type", "low_precision", "normalization", "layernorm"),
    DROPPED(M "layer_norm_with_affine"), DROPPED(M "bias_for_layer_norm"),
    DROPPED(M "attention_layer_norm_with_affine"),
    AS(M "attention_layer_norm", EXCHANGE_WIDE_NORMS),
    DROPPED(M "norm_after"), IDLE(M "block_type", "sequential"),
    IS(M "include_bias", "false", "disable-bias-linear", "true"),
    IS(M "weight_tying", "false", "untie-embeddings-and-output-weights",
       "true"),
    IS(M "rope", "true", "use-rotary-position-embeddings", "true"),
    IS(M "alibi", "true", "use-rotary-position-embeddings", "true"),
    DROPPED(M "flash_attention"), DROPPED(M "rope_full_precision"),
    AS(M "attention_dropout", "attention-dropout"),
    AS(M "residual_dropout", "hidden-dropout"),
    DROPPED(M "embedding_dropout"),
    AS(M "max_sequence_length", "seq-length"),
    DROPPED(M "vocab_size"), AS(M "embedding_size", "vocab-size"),
    AS("global_train_batch_size", "train_batch_size"),
    AS("device_train_microbatch_size", MICRO_BATCH),
    IS("precision", "amp_bf16", "bf16.enabled", "true"),
    IS("precision", "amp_fp16", "fp16.enabled", "true"),
    IS("precision", "fp32", "bf16.enabled", "false"),
    IS("optimizer.name", "lionw", EXCHANGE_OPTIMIZER, "lion"),
    IDLE("optimizer.name", "adamw"),
    IS("fsdp.sharding_strategy", "SHARD_GRAD_OP", ZERO "stage", "2"),
    IDLE("fsdp.sharding_strategy", "FULL_SHARD"),
    AS("fused_loss", EXCHANGE_FLASH_LOSS),
    DROPPED("fsdp.precision"), DROPPED("fsdp.wrapping_strategy"),
    DROPPED("fsdp.use_orig_params"), IDLE("distributed_strategy", "fsdp"),
    IDLE("distributed_strategy", "ddp"),
    DROPPED("ddp.grad_sync_mode"), DROPPED("ddp.find_unused_params"),
    {"activation_checkpointing", "whole_layer", FULL, false},
    ONE_IN("one_in_two"), ONE_IN("one_in_three"), ONE_IN("one_in_four"),
};
#define PART_OF(n, word) \
    {"recompute-num-layers", EXCHANGE_RATIO, {"num-layers", n}, \
     "activation_checkpointing=" word}
static const exchange_derived olmo_derived[] = {
    {"hidden-size", EXCHANGE_PRODUCT, {"=768"}, NULL},
    {"mlp-width", EXCHANGE_PRODUCT, {"hidden-size", M "mlp_ratio=4"}, NULL},
    {"ffn-hidden-size", EXCHANGE_RATIO, {"mlp-width", "=2"}, NULL},
    {"vocab-size", EXCHANGE_PRODUCT, {"=50304"}, NULL},
    PART_OF("=2", "one_in_two"), PART_OF("=3", "one_in_three"),
    PART_OF("=4", "one_in_four"),
};
#define OLMO_PRESETS \
    {"attention-dropout", "0.1"}, {"hidden-dropout", "0.1"}, \
    {"swiglu", "true"}, {"train_batch_size", "512"}, {MICRO_BATCH, "16"}, \
    {"use-flash-attn-v2", NULL}, {NONE}, UNIFORM
static const exchange_preset olmo_presets[] = {
    OLMO_PRESETS, {ZERO "stage", "3"},
};
static const exchange_preset olmo_ddp_presets[] = {
    OLMO_PRESETS, {ZERO "stage", "0"},
};
static const exchange_remark olmo_remarks[] = {
    {EXCHANGE_LACKS, {"compile."}, "torch.compile"},
    {EXCHANGE_LACKS,
     {"!fsdp.wrapping_strategy=by_block|"
      "fsdp.wrapping_strategy=by_block_and_size|distributed_strategy=ddp",
      "!fsdp.sharding_strategy=SHARD_GRAD_OP"},
     "weights that are gathered in larger units than a layer"},
};
#define OLMO \
    .versions = "allenai/OLMo@59a53e3f", .target = "deepspeed", \
    RENAMES(olmo_names), DERIVED(olmo_derived), REMARKS(olmo_remarks), \
    .others = "evaluators.|data.|wandb.|tokenizer.|scheduler.|compile.|"\
        "speed_monitor.|softmax_auxiliary_loss", \
    .needs = {{"bf16.enabled|fp16.enabled", "precision", \
               "precision=amp_bf16"}}

/* Lingua: 8/3 of the width, rounded up; one dimension of its mesh shards
 * where the other has one rank (parallelize_model). */
#define W "distributed."
static const exchange_rename lingua_names[] = {
    AS(M "dim", "hidden-size"), AS(M "n_layers", "num-layers"),
    AS(M "n_heads", "num-attention-heads"),
    IDLE(M "n_kv_heads", "null"), AS(M "n_kv_heads", "num-key-value-heads"),
    IDLE(M "ffn_dim_multiplier", "1.0"), IDLE(M "ffn_dim_multiplier", "null"),
    AS(M "vocab_size", "vocab-size"), DROPPED(M "rope_theta"),
    IDLE(M "weight_tying", "false"),
    IS(M "weight_tying", "true", "untie-embeddings-and-output-weights",
       "false"),
    DROPPED(M "norm_eps"), DROPPED(M "init_std_factor"),
    DROPPED(M "max_seqlen"),
    AS("data.batch_size", MICRO_BATCH), AS("data.seq_len", "seq-length"),
    AS("grad_acc_steps", ACCUMULATES),
    {"data.tokenizer.name", "bytes", "vocab-size", "258", true},
    DROPPED("data.tokenizer.name"), DROPPED("data.prefetch_size"),
    DROPPED("data.load_async"), DROPPED("data.n_views"),
    IS(W "model_dtype", "bf16", "bf16.enabled", "true"),
    IS(W "model_dtype", "fp32", "bf16.enabled", "false"),
    IS(W "fsdp_type", "full_shard", ZERO "stage", "3"),
    IS(W "fsdp_type", "no_shard", ZERO "stage", "0"),
    IDLE(W "dp_shard", "1"), AS(W "dp_shard", ZERO "mics_shard_size"),
    DROPPED(W "dp_replicate"), IDLE(W "tp_size", "1"),
    DROPPED(W "compile"), DROPPED(W "matmul_allow_tf32"),
    IDLE(W "selective_activation_checkpointing", "false"),
    DROPPED(W "detect_anomaly"),
};
static const exchange_derived lingua_derived[] = {
    {"eight-widths", EXCHANGE_PRODUCT, {"hidden-size", "=8"}, NULL},
    {"mlp-width", EXCHANGE_RATIO, {"eight-widths", "=3"}, NULL},
    {"ffn-hidden-size", EXCHANGE_UP, {"mlp-width", M "multiple_of=256"}, NULL},
};
static const exchange_preset lingua_presets[] = {
    {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"use-flash-attn-v2", NULL}, {NONE}, UNIFORM, {ACCUMULATES, "1"},
    {"swiglu", "true"}, {"normalization", "rmsnorm"},
    {"disable-bias-linear", "true"},
    {"use-rotary-position-embeddings", "true"},
    {"untie-embeddings-and-output-weights", "true"},
    {ZERO "stage", "0"}, {"bf16.enabled", "true"},
};
#define LINGUA \
    .versions = "facebookresearch/lingua@437d680e", .target = "deepspeed", \
    RENAMES(lingua_names), DERIVED(lingua_derived), PRESETS(lingua_presets), \
    .others = "eval.|checkpoint.|profiling.|logging.|optim.|data.sources.", \
    .needs = {{"vocab-size", "size of the vocabulary", "vocab-size=N"}}
#define IS_LINGUA M "dim", "data.seq_len", "data.batch_size"
#define NOT_LINGUA \
    "!model_type|" M "conv_size|" M "state_dim|" M "lru_dim_multiplier|"\
    M "n_future_head|" M "dimensions"

/* Oumi, on TRL's trainers. The model is loaded in the type of its weights. */
#define T "training."
#define F "fsdp."
static const exchange_rename oumi_names[] = {
    AS(M "model_max_length", "seq-length"),
    {M "torch_dtype_str", "bfloat16", EXCHANGE_WEIGHTS_16, "true", true},
    IS(M "torch_dtype_str", "bfloat16", "bf16.enabled", "true"),
    IS(M "torch_dtype_str", "float32", "bf16.enabled", "false"),
    IS(T "mixed_precision_dtype", "bf16", "bf16.enabled", "true"),
    IDLE(T "mixed_precision_dtype", "none"),
    IS(M "attn_implementation", "eager", "use-flash-attn-v2", "false"),
    DROPPED(M "attn_implementation"),
    AS(M "enable_liger_kernel", "use_liger_kernel"),
    IS(M "freeze_layers.0", "visual", "freeze_vision_tower", "true"),
    IS(M "freeze_layers.0", "model.visual", "freeze_vision_tower", "true"),
    IS(M "freeze_layers.0", "vision_tower", "freeze_vision_tower", "true"),
    DROPPED(M "compile"), DROPPED(T "compile"),
    AS(T "per_device_train_batch_size", MICRO_BATCH),
    AS(T ACCUMULATES, ACCUMULATES),
    {T "enable_gradient_checkpointing", "true", FULL, false},
    {T "enable_gradient_checkpointing", "false", NONE, false},
    DROPPED(T "gradient_checkpointing_kwargs.use_reentrant"),
    IDLE(T "optimizer", "adamw_torch_fused"),
    IDLE(T "optimizer", "adamw_torch"),
    EXCHANGE_OPTIMIZERS_AS(T "optimizer"),
    IS(T "trainer_type", "TRL_DPO", EXCHANGE_PREFERENCE, "self"),
    AS(T "use_peft", "use_peft"),
    IS("peft.q_lora", "true", "load_in_4bit", "true"),
    DROPPED("peft.q_lora"), IDLE("peft.q_lora_bits", "4"),
    DROPPED("peft.lora_init_weights"), DROPPED("peft.peft_save_mode"),
    IDLE("peft.lora_exclude_modules.0", ".*visual.*"),
    IDLE(F "cpu_offload", "false"),
    {F "cpu_offload", "true", ZERO "offload_optimizer.device", "cpu", true},
    IS(F "cpu_offload", "true", ZERO "offload_param.device", "cpu"),
    DROPPED(F "enable_fsdp"), DROPPED(F "forward_prefetch"),
    DROPPED(F "backward_prefetch"), DROPPED(F "use_orig_params"),
    DROPPED(F "state_dict_type"), DROPPED(F "sync_module_states"),
    DROPPED(F "transformer_layer_cls"),
    IDLE(F "auto_wrap_policy", "TRANSFORMER_BASED_WRAP"),
    IDLE(F "mixed_precision", "bf16"),
    IDLE(F "sharding_strategy", "FULL_SHARD"),
    IS(F "sharding_strategy", "SHARD_GRAD_OP", ZERO "stage", "2"),
    DROPPED("deepspeed.enable_deepspeed"), DROPPED("deepspeed.precision"),
    IS("deepspeed.zero_stage", "ZERO_1", ZERO "stage", "1"),
    IS("deepspeed.zero_stage", "ZERO_2", ZERO "stage", "2"),
    IS("deepspeed.zero_stage", "ZERO_3", ZERO "stage", "3"),
    AS("deepspeed.overlap_comm", ZERO "overlap_comm"),
    AS("deepspeed.offload_optimizer.device", ZERO "offload_optimizer.device"),
    AS("deepspeed.offload_param.device", ZERO "offload_param.device"),
};
#define OUMI_PRESETS \
    {MICRO_BATCH, "8"}, {ACCUMULATES, "1"}, FUSED, {NONE}, UNIFORM
static const exchange_preset oumi_presets[] = {
    OUMI_PRESETS, {ZERO "stage", "0"},
};
static const exchange_preset oumi_fsdp_presets[] = {
    OUMI_PRESETS, {ZERO "stage", "3"},
};
static const exchange_remark oumi_remarks[] = {
    {EXCHANGE_LACKS, {M "compile=true|" T "compile=true"}, "torch.compile"},
};
#define OUMI \
    .versions = "oumi-ai/oumi@d8ed0777", .target = "deepspeed", \
    .model = M "model_name", RENAMES(oumi_names), REMARKS(oumi_remarks), \
    .others = "data.|deepspeed.reduce_bucket_size|deepspeed.steps_per_print|"\
        "deepspeed.allgather_bucket_size|"\
        "deepspeed.zero_force_ds_cpu_optimizer|"\
        "deepspeed.zero_allow_untested_optimizer|deepspeed.sub_group_size|"\
        "deepspeed.contiguous_gradients|deepspeed.reduce_scatter|"\
        "deepspeed.round_robin_gradients|deepspeed.stage3_", \
    .needs = {{"bf16.enabled", "precision", M "torch_dtype_str=bfloat16"}}
#define IS_OUMI \
    M "model_name", T "trainer_type=TRL_SFT|" T "trainer_type=TRL_DPO|"\
    T "trainer_type=HF|" T "trainer_type=OUMI"

/* mistral-finetune: LoRA of all linears, unless it is switched off. */
static const exchange_rename mistral_names[] = {
    AS("seq_len", "seq-length"), AS("batch_size", MICRO_BATCH),
    AS("num_microbatches", ACCUMULATES),
    AS("lora.rank", "lora_rank"), AS("lora.enable", "use_lora"),
    DROPPED("lora.scaling"), AS("lora.dropout", "lora_dropout"),
    {"checkpoint", "false", NONE, false}, IDLE("checkpoint", "true"),
    DROPPED("save_adapters"),
};
static const exchange_preset mistral_presets[] = {
    {"lora_rank", "16"}, {"seq-length", "2048"}, {MICRO_BATCH, "1"},
    {ACCUMULATES, "1"}, {"bf16.enabled", "true"}, {ZERO "stage", "3"}, FUSED,
    {FULL}, UNIFORM,
};

/* align-anything: an algorithm a file, DeepSpeed's JSON beside it. */
#define C "train_cfgs."
static const exchange_rename align_names[] = {
    AS(C "per_device_train_batch_size", MICRO_BATCH),
    AS(C ACCUMULATES, ACCUMULATES),
    AS("model_cfgs.model_max_length", "seq-length"),
    IS(C "bf16", "true", "bf16.enabled", "true"),
    IS(C "fp16", "true", "fp16.enabled", "true"),
    {C "gradient_checkpointing", "true", FULL, false},
    {C "gradient_checkpointing", "false", NONE, false},
    IDLE("lora_cfgs.use_lora", "false"), AS("lora_cfgs.r", "lora_rank"),
    AS("lora_cfgs.use_lora", "use_lora"), DROPPED("lora_cfgs.task_type"),
    DROPPED("lora_cfgs.inference_mode"), DROPPED("lora_cfgs.lora_alpha"),
    DROPPED("lora_cfgs.save_full_model"),
    IDLE("bnb_cfgs.use_bnb", "false"),
    AS("bnb_cfgs.load_in_4bit", "load_in_4bit"),
};
static const exchange_preset align_presets[] = {
    {ACCUMULATES, "1"}, FUSED, {NONE}, UNIFORM,
};
static const exchange_remark align_remarks[] = {
    {EXCHANGE_LACKS, {C "scale_coeff|" C "regularization|" C "beta"},
     "pairs of answers, and a reference model: one sequence and one model are "
     "counted"},
    {EXCHANGE_LACKS, {C "actor_lr|model_cfgs.actor_model_name_or_path"},
     "answers that are generated, and the models beside the actor"},
};

/* MindSpeed-LLM's own names, and those that it had: mindspeed_llm/
 * features_manager/arguments/deprecated_args.py. Layers with experts: -1 stands
 * for all of them. */
static const exchange_rename mindspeed_names[] = {
    AS("use-mc2", "use-ascend-mc2"),
    AS("qk-nope-head-dim", "qk-head-dim"),
    AS("qk-rope-head-dim", "qk-pos-emb-head-dim"),
    AS("multi-head-latent-attention", "multi-latent-attention"),
    IS("moe-token-dispatcher-type", "alltoall_seq",
        "moe-token-dispatcher-type", "alltoall"),
    IDLE("moe-layer-freq", "-1"),
    IDLE("first-k-dense-replace", "-1"),
};

static const exchange_rename maxtext_names[] = {
    IDLE("model_name", "default"),
    IS("remat_policy", "minimal_flash", "remat_policy",
        "minimal_with_context"),
    IS("attention", "cudnn_flash_te", "attention", "flash"),
    IS("attention", "cudnn_flash_jax", "attention", "flash"),
};

static const exchange_front fronts[] = {
    {.title = "OLMo with DDP", .profile = "ddp", OLMO,
     .marks = {M "d_model", M "max_sequence_length",
               "distributed_strategy=ddp", "!" M "activation_type=gelu"},
     PRESETS(olmo_ddp_presets)},
    {.title = "OLMo with FSDP", .profile = "fsdp1", OLMO,
     .marks = {M "d_model", M "max_sequence_length",
               "device_train_microbatch_size|global_train_batch_size",
               "!" M "name|" M "activation_type=gelu"},
     PRESETS(olmo_presets)},
    {.title = "Lingua with torch.compile", .profile = "fsdp2", LINGUA,
     .marks = {IS_LINGUA, NOT_LINGUA "|" W "compile=false"}},
    {.title = "Lingua", .profile = "fsdp2-hf", LINGUA,
     .marks = {IS_LINGUA, NOT_LINGUA}},
    {.title = "Oumi with FSDP1", .profile = "fsdp1", OUMI,
     .marks = {IS_OUMI, F "enable_fsdp=true"}, PRESETS(oumi_fsdp_presets)},
    {.title = "Oumi with DeepSpeed", .profile = "deepspeed-hf", OUMI,
     .marks = {IS_OUMI, "deepspeed.enable_deepspeed=true"},
     PRESETS(oumi_presets)},
    {.title = "Oumi with DDP", .profile = "ddp-hf", OUMI, .marks = {IS_OUMI},
     PRESETS(oumi_presets)},
    {.title = "mistral-finetune",
     .versions = "mistralai/mistral-finetune@1943535d", .target = "deepspeed",
     .profile = "fsdp1", .marks = {"model_id_or_path", "seq_len", "run_dir"},
     .model = "model_id_or_path", RENAMES(mistral_names),
     PRESETS(mistral_presets), .others = "data.|wandb.|mlflow."},
    {.title = "align-anything",
     .versions = "PKU-Alignment/align-anything@3f9decc2",
     .target = "deepspeed", .profile = "deepspeed-hf",
     .marks = {C "per_device_train_batch_size", "model_cfgs."},
     .model = "model_cfgs.model_name_or_path", RENAMES(align_names),
     PRESETS(align_presets), REMARKS(align_remarks),
     .others = "data_cfgs.|logger_cfgs.|bnb_cfgs.bnb_",
     .needs = {{ZERO "stage", "stage of ZeRO", ZERO "stage=N"},
               {"bf16.enabled|fp16.enabled", "precision", C "bf16=true"}}},
    {.title = "MindSpeed-LLM", .target = "mindspeed", .hands_on = true,
     .marks = {"use-fused-rmsnorm|use-fused-swiglu|use-ascend-mc2|use-mc2|"
               "use-fused-rotary-pos-emb|context-parallel-algo",
               "num-layers|tensor-model-parallel-size|micro-batch-size",
               "!per_device_train_batch_size"},
     RENAMES(mindspeed_names)},
    {.title = "MaxText", .target = "maxtext",
     .marks = {"per_device_batch_size|max_target_length",
               "ici_fsdp_parallelism|ici_data_parallelism|remat_policy|"
               "ici_tensor_parallelism|dcn_data_parallelism|base_emb_dim|"
               "base_config"},
     .model = "model_name", RENAMES(maxtext_names)},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_labs = {
        fronts, P3D_COUNT_OF(fronts)};
