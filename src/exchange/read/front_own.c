/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_own.c - the table of Colossal-LLaMA's trainer, and of programs that
 * nobody knows, whose options say by their names what they are.
 *
 * Names and defaults: ColossalAI@4f9953be applications/Colossal-LLaMA/
 * train.py. */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

/* clang-format off */

/* Colossal-LLaMA. */
#define PLUGIN "HybridParallelPlugin."
static const exchange_rename colossal_names[] = {
    {"micro_batch_size", NULL, "batch_size", NULL, false},
    {"zero_stage", NULL, PLUGIN "zero_stage", NULL, false},
    {"plugin", "3d", PLUGIN "zero_stage", "0", true},
    {"plugin", "3d", NULL, NULL, false},
    {"plugin", "zero2_cpu", PLUGIN "cpu_offload", "true", true},
    {"plugin", "zero2_cpu", PLUGIN "zero_stage", "2", false},
    {"plugin", "zero2", PLUGIN "zero_stage", "2", false},
    {"plugin", "ddp", PLUGIN "zero_stage", "0", false},
    {"tp", NULL, PLUGIN "tp_size", NULL, false},
    {"pp", NULL, PLUGIN "pp_size", NULL, false},
    {"sp", "1", NULL, NULL, false},
    {"mixed_precision", NULL, PLUGIN "precision", NULL, false},
    {"use_flash_attn", NULL, PLUGIN "enable_flash_attention", "true", false},
    {"zero_cpu_offload", NULL, PLUGIN "cpu_offload", "true", false},
    {"enable_sequence_parallelism", NULL,
     PLUGIN "enable_sequence_parallelism", "true", false},
    {"sp_mode", NULL, PLUGIN "sequence_parallelism_mode", NULL, false},
    {"use_grad_checkpoint", NULL, "launch.gradient_checkpointing", "true",
     false},
    {"max_length", NULL, "launch.sequence_length", NULL, false},
};
static const exchange_derived colossal_derived[] = {
    {"launch.batch_per_replica", EXCHANGE_PRODUCT,
     {"batch_size=2", "accumulation_steps=1"}, NULL},
    {"launch.micro_batch_size", EXCHANGE_PRODUCT, {"batch_size=2"},
     "!" PLUGIN "pp_size"},
    {"launch.micro_batch_size", EXCHANGE_PRODUCT, {"batch_size=2"},
     PLUGIN "pp_size=1"},
    {"launch.micro_batch_size", EXCHANGE_PRODUCT, {"microbatch_size=1"}, NULL},
};
static const exchange_preset colossal_presets[] = {
    {PLUGIN "precision", "fp16"}, {PLUGIN "tp_size", "1"},
    {PLUGIN "pp_size", "1"}, {"launch.sequence_length", "8192"},
    {PLUGIN "enable_flash_attention", "false"},
    {"launch.gradient_checkpointing", "false"},
};

/* Programs of people's own: what a name usually means. */
#define MEANS(name, to)          {name, NULL, to, NULL, false}
#define MEAN_TWO(a, b, to)       MEANS(a, to), MEANS(b, to)
#define MEAN_PART(short, long, to) \
    MEAN_TWO(short, short "_size", to), MEAN_TWO(short "_degree", long, to), \
    MEAN_TWO(long "_size", long "_degree", to)
#define TP "tensor-model-parallel-size"
#define PP "pipeline-model-parallel-size"
#define CP "context-parallel-size"
#define EP "expert-model-parallel-size"
#define RECOMPUTES(name) \
    {name, "true", "recompute-method", "uniform", true}, \
    {name, "true", "recompute-num-layers", "1", true}, \
    {name, "true", "recompute-granularity", "full", false}, \
    {name, "false", NULL, NULL, false}

static const exchange_rename own_names[] = {
    MEAN_PART("tp", "tensor_parallel", TP),
    MEAN_PART("pp", "pipeline_parallel", PP),
    MEAN_PART("cp", "context_parallel", CP),
    MEAN_PART("ep", "expert_parallel", EP),
    MEAN_TWO("tensor_model_parallel", "tensor_mp_size", TP),
    MEAN_TWO("pipeline_model_parallel", "pipeline_stages", PP),
    MEAN_TWO("pp_stages", "num_stages", PP),
    MEAN_TWO("seq_len", "seqlen", "seq-length"),
    MEAN_TWO("sequence_length", "max_seq_len", "seq-length"),
    MEAN_TWO("max_seq_length", "max_sequence_length", "seq-length"),
    MEAN_TWO("context_length", "ctx_len", "seq-length"),
    MEAN_TWO("max_length", "block_size", "seq-length"),
    MEAN_TWO("mbs", "micro_batch", "micro-batch-size"),
    MEAN_TWO("per_device_batch_size", "batch_size_per_gpu",
        "micro-batch-size"),
    MEAN_TWO("per_gpu_batch_size", "local_batch_size", "micro-batch-size"),
    MEAN_TWO("per_device_train_batch_size", "micro_bs", "micro-batch-size"),
    MEAN_TWO("gbs", "global_batch", "global-batch-size"),
    MEAN_TWO("total_batch_size", "train_batch_size", "global-batch-size"),
    MEAN_TWO("batch_size", "global_bs", "global-batch-size"),
    MEAN_TWO("grad_accum", "grad_acc_steps", "gradient_accumulation_steps"),
    MEAN_TWO("grad_accum_steps", "accumulation_steps",
        "gradient_accumulation_steps"),
    MEAN_TWO("n_layers", "num_hidden_layers", "num-layers"),
    MEAN_TWO("d_model", "hidden_dim", "hidden-size"),
    MEAN_TWO("n_heads", "num_heads", "num-attention-heads"),
    MEAN_TWO("dp", "dp_size", "data-parallel-size"),
    MEAN_TWO("data_parallel", "data_parallel_degree", "data-parallel-size"),
    MEAN_TWO("gpus", "ngpus", "num_processes"),
    MEAN_TWO("num_gpus", "world_size", "num_processes"),
    {"dtype", "bf16", "bf16", "true", false},
    {"dtype", "bfloat16", "bf16", "true", false},
    {"dtype", "fp16", "fp16", "true", false},
    {"precision", "bf16", "bf16", "true", false},
    {"precision", "fp16", "fp16", "true", false},
    {"mixed_precision", "bf16", "bf16", "true", false},
    {"mixed_precision", "fp16", "fp16", "true", false},
    {"fp16", "true", "bf16", "false", true},
    RECOMPUTES("gradient_checkpointing"),
    RECOMPUTES("activation_checkpointing"), RECOMPUTES("grad_checkpointing"),
    {"zero_stage", "0", NULL, NULL, false},
    {"zero_stage", "1", "use-distributed-optimizer", "true", false},
    {"zero", "0", NULL, NULL, false},
    {"zero", "1", "use-distributed-optimizer", "true", false},
};
static const exchange_derived own_derived[] = {
    {"global-batch-size", EXCHANGE_STEP,
     {"micro-batch-size", "gradient_accumulation_steps"}, NULL},
};
static const exchange_preset own_presets[] = {
    {"bf16", "true"}, {"attention-dropout", "0"}, {"hidden-dropout", "0"},
    {"attention-backend", "flash"},
};
#define OWN_PART(short, long) \
    short "|" short "_size|" short "_degree|" long "|" long "_size|" long \
    "_degree|"

static const exchange_front fronts[] = {
    {.title = "Colossal-LLaMA", .versions = "hpcaitech/ColossalAI@4f9953be",
     .target = "colossalai",
     .marks = {"plugin=3d|plugin=zero2|plugin=zero2_cpu|plugin=ddp|"
               "plugin=gemini|plugin=gemini_auto",
               "batch_size|micro_batch_size", "mixed_precision|max_length"},
     RENAMES(colossal_names), DERIVED(colossal_derived),
     PRESETS(colossal_presets), .model = "pretrained|model",
     .needs = {{PLUGIN "zero_stage", "plugin that plan3d models (3d, zero2, "
               "zero2_cpu, ddp)", "plugin=zero2"}}},
    {.title = "a program of its own", .target = "megatron", .guesses = true,
     .marks = {OWN_PART("tp", "tensor_parallel")
               OWN_PART("pp", "pipeline_parallel")
               "tensor_model_parallel|pipeline_model_parallel|"
               "pipeline_stages|pp_stages",
               "batch_size|mbs|gbs|micro_batch|micro_batch_size|seq_len|seqlen|"
               "seq_length|sequence_length|max_seq_len|max_seq_length|"
               "global_batch_size|per_device_batch_size|train_batch_size|"
               "max_length|context_length|global_batch|local_batch_size",
               "!tensor-model-parallel-size|max-position-embeddings|"
               "zero_optimization.|distributed_type|base_model|deepspeed|"
               "actor_rollout_ref.|hf-checkpoint|parallelism."},
     RENAMES(own_names), DERIVED(own_derived), PRESETS(own_presets),
     .model = "model|model_name|model_name_or_path|model_path|model_size|"
              "pretrained"},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_their_own = {
        fronts, P3D_COUNT_OF(fronts)};
