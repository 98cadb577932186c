/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_wrappers.c - scripts of people's own that wrap a model by PyTorch's
 * FSDP1 or DDP: Lightning's strategies, and the classes themselves; what data-
 * parallel ranks send less, whatever wraps the model.
 *
 * Names and defaults: pytorch-lightning@7f0c3436 src/lightning/pytorch/
 * strategies/fsdp.py, ddp.py, plugins/precision/; pytorch@2.6.0 torch/
 * distributed/fsdp/api.py, torch/distributed/algorithms/ddp_comm_hooks/
 * default_hooks.py, powerSGD_hook.py (rank 1); accelerate@16cb6eb8 src/
 * accelerate/utils/dataclasses.py (DistributedDataParallelKwargs);
 * DeepSpeed@0.18.0 deepspeed/runtime/fp16/onebit/adam.py, zoadam.py, lamb.py.
 */
#include <stddef.h>

#include "base/util.h"
#include "exchange/read/front_table.h"

#define FSDP        "fsdp_config.fsdp_"
#define STRATEGY    FSDP "sharding_strategy"
#define CHECKPOINTS FSDP "activation_checkpointing"
#define L           "FSDPStrategy."
#define T           "Trainer."
#define KWARGS      "DistributedDataParallelKwargs."
#define HOOK        "DDPStrategy.ddp_comm_hook"
#define RANK        "powersgd_rank"
#define EIGHT_BIT   "int8_gradients"

/* clang-format off */
/* A strategy by its name, as a word or as a member of the class. */
#define STRATEGIES_OF(name, word) \
    IS(name, word, STRATEGY, word), \
    IS(name, "ShardingStrategy." word, STRATEGY, word)
#define SHARDING_OF(name) \
    STRATEGIES_OF(name, "NO_SHARD"), STRATEGIES_OF(name, "SHARD_GRAD_OP"), \
    STRATEGIES_OF(name, "FULL_SHARD"), STRATEGIES_OF(name, "HYBRID_SHARD"), \
    STRATEGIES_OF(name, "_HYBRID_SHARD_ZERO2")

#define PRECISION_IS(word, type) \
    IS(T "precision", word, "mixed_precision", type)
static const exchange_rename lightning_names[] = {
    SHARDING_OF(L "sharding_strategy"),
    {L "activation_checkpointing_policy", NULL, CHECKPOINTS, "true", false},
    {L "activation_checkpointing", NULL, CHECKPOINTS, "true", false},
    AS(L "cpu_offload", FSDP "offload_params"),
    DROPPED(L "auto_wrap_policy"), DROPPED(L "state_dict_type"),
    DROPPED(L "limit_all_gathers"), DROPPED(L "use_orig_params"),
    DROPPED(L "forward_prefetch"), DROPPED(L "backward_prefetch"),
    AS(T "accumulate_grad_batches", "gradient_accumulation_steps"),
    {T "precision", "bf16-true", EXCHANGE_WEIGHTS_16, "true", true},
    PRECISION_IS("bf16-true", "bf16"), PRECISION_IS("bf16-mixed", "bf16"),
    PRECISION_IS("bf16", "bf16"), PRECISION_IS("16-mixed", "fp16"),
    PRECISION_IS("16", "fp16"), PRECISION_IS("32-true", "no"),
    PRECISION_IS("32", "no"),
    IDLE(T "accelerator", "gpu"), IDLE(T "accelerator", "cuda"),
    DROPPED(T "strategy"), AS(T "devices", "lightning_devices"),
    AS(T "num_nodes", "lightning_nodes"),
};
static const exchange_derived lightning_derived[] = {
    {"num_processes", EXCHANGE_PRODUCT,
     {"lightning_devices", "lightning_nodes=1"}, NULL},
};
static const exchange_preset fsdp_presets[] = {
    {STRATEGY, "FULL_SHARD"}, {"gradient_accumulation_steps", "1"},
    {"mixed_precision", "no"},
};
static const exchange_preset ddp_presets[] = {
    {STRATEGY, "NO_SHARD"}, {"gradient_accumulation_steps", "1"},
    {"mixed_precision", "no"},
};

static const exchange_preset torch_presets[] = {
    {STRATEGY, "FULL_SHARD"}, {"gradient_accumulation_steps", "1"},
};

/* The classes of PyTorch. */
#define WRAPPED(class) \
    SHARDING_OF(class "sharding_strategy"), \
    DROPPED(class "auto_wrap_policy"), DROPPED(class "device_id"), \
    DROPPED(class "mixed_precision"), DROPPED(class "use_orig_params"), \
    DROPPED(class "limit_all_gathers"), DROPPED(class "sync_module_states"), \
    DROPPED(class "forward_prefetch"), DROPPED(class "backward_prefetch"), \
    DROPPED(class "param_init_fn")
static const exchange_rename torch_names[] = {
    WRAPPED("FSDP."), WRAPPED("FullyShardedDataParallel."),
    IS("MixedPrecision.param_dtype", "torch.bfloat16", "mixed_precision",
       "bf16"),
    IS("MixedPrecision.param_dtype", "torch.float16", "mixed_precision",
       "fp16"),
    IS("MixedPrecision.reduce_dtype", "torch.bfloat16", EXCHANGE_REDUCED_16,
       "true"),
    DROPPED("MixedPrecision.reduce_dtype"),
    DROPPED("MixedPrecision.buffer_dtype"),
    AS("CPUOffload.offload_params", FSDP "offload_params"),
    AS("micro_batch_size", "per_device_train_batch_size"),
    AS("batch_size", "per_device_train_batch_size"),
    AS("seq_len", "max_seq_length"), AS("seq_length", "max_seq_length"),
    AS("max_length", "max_seq_length"), AS("max_seq_len", "max_seq_length"),
    AS("grad_accum_steps", "gradient_accumulation_steps"),
};
#define MICRO_BATCH \
    {"per_device_train_batch_size", "size of a micro-batch", \
     "per_device_train_batch_size=N"}
#define NO_SHARD(name) name "=NO_SHARD|" name "=ShardingStrategy.NO_SHARD"
#define OF_LIGHTNING \
    .versions = "Lightning-AI/pytorch-lightning@7f0c3436", \
    .target = "accelerate", RENAMES(lightning_names), \
    DERIVED(lightning_derived), .needs = {MICRO_BATCH}
#define OF_TORCH \
    .versions = "pytorch@2.6.0", .target = "accelerate", \
    RENAMES(torch_names), PRESETS(torch_presets), \
    .needs = {MICRO_BATCH, \
              {"mixed_precision", "precision", "mixed_precision=bf16"}}
#define OTHERS \
    "!ModelParallelStrategy.|MegatronStrategy.|nemo_lightning.|" \
    "DeepSpeedStrategy.|ddp.powersgd_rank"

/* Sections of other programs' files have the name, too; their values have no
 * class. */
#define OF_CLASS(word) "FSDP.sharding_strategy=ShardingStrategy." word "|"

static const exchange_front wrappers[] = {
    {.title = "Lightning with FSDP1's NO_SHARD", OF_LIGHTNING,
     .profile = "ddp", .marks = {NO_SHARD(L "sharding_strategy"), T, OTHERS},
     PRESETS(fsdp_presets)},
    {.title = "Lightning with FSDP1", OF_LIGHTNING, .profile = "fsdp1",
     .marks = {L "|" T "strategy=fsdp", T, OTHERS},
     PRESETS(fsdp_presets)},
    {.title = "Lightning with DDP", OF_LIGHTNING, .profile = "ddp",
     .marks = {"DDPStrategy.|" T "strategy=ddp|"
               T "strategy=ddp_find_unused_parameters_true", T, OTHERS},
     .others = "DDPStrategy.", PRESETS(ddp_presets)},
    {.title = "PyTorch's NO_SHARD in a script", OF_TORCH, .profile = "ddp",
     .marks = {NO_SHARD("FullyShardedDataParallel.sharding_strategy") "|"
               "FSDP.sharding_strategy=ShardingStrategy.NO_SHARD"}},
    {.title = "PyTorch's FSDP1 in a script", OF_TORCH, .profile = "fsdp1",
     .marks = {OF_CLASS("FULL_SHARD") OF_CLASS("SHARD_GRAD_OP")
               OF_CLASS("HYBRID_SHARD") OF_CLASS("_HYBRID_SHARD_ZERO2")
               "FullyShardedDataParallel.|FSDP.device_id"}},
};

/* Gradients of DDP on their way. */
#define HOOK_IS(word, to, value) \
    {KWARGS "comm_hook", "DDPCommunicationHookType." word, to, value, true}
#define WRAPPER_IS(word) \
    {KWARGS "comm_wrapper", "DDPCommunicationHookType." word, \
     EXCHANGE_REDUCED_16, "true", false}
/* The names of DDPStrategy stay: they are what Lightning is known by. */
#define HOOKS_OF(module) \
    {HOOK, module "fp16_compress_hook", EXCHANGE_REDUCED_16, "true", true}, \
    {HOOK, module "bf16_compress_hook", EXCHANGE_REDUCED_16, "true", true}
#define LOW_RANKS_OF(module) \
    {HOOK, module "powerSGD_hook", RANK, "1", true}, \
    {HOOK, module "batched_powerSGD_hook", RANK, "1", true}
static const exchange_rename hook_names[] = {
    AS(KWARGS "comm_state_option.matrix_approximation_rank", RANK),
    AS("PowerSGDState.matrix_approximation_rank", RANK),
    DROPPED("PowerSGDState.process_group"),
    DROPPED("PowerSGDState.start_powerSGD_iter"),
    DROPPED(KWARGS "comm_state_option.start_powerSGD_iter"),
    LOW_RANKS_OF(""), LOW_RANKS_OF("powerSGD."),
    LOW_RANKS_OF("powerSGD_hook."), HOOKS_OF(""), HOOKS_OF("default."),
    HOOKS_OF("default_hooks."),
    {HOOK, "quantization_pertensor_hook", EIGHT_BIT, "true", true},
    {HOOK, "quantization.quantization_pertensor_hook", EIGHT_BIT, "true", true},
    {HOOK, "quantization_hooks.quantization_pertensor_hook", EIGHT_BIT, "true",
     true},
    IS(KWARGS "comm_hook", "DDPCommunicationHookType.FP16",
       EXCHANGE_REDUCED_16, "true"),
    IS(KWARGS "comm_hook", "DDPCommunicationHookType.BF16",
       EXCHANGE_REDUCED_16, "true"),
    HOOK_IS("POWER_SGD", RANK, "1"), HOOK_IS("BATCHED_POWER_SGD", RANK, "1"),
    DROPPED(KWARGS "comm_hook"), WRAPPER_IS("FP16"), WRAPPER_IS("BF16"),
};
static const exchange_remark hook_remarks[] = {
    {EXCHANGE_LACKS,
     {HOOK "=powerSGD.batched_powerSGD_hook|" HOOK "=batched_powerSGD_hook|"
      KWARGS "comm_hook=DDPCommunicationHookType.BATCHED_POWER_SGD"},
     "batched PowerSGD, which makes one matrix of a bucket: PowerSGD of each "
     "matrix is counted"},
    {EXCHANGE_LACKS,
     {"PowerSGDState.|" KWARGS "comm_hook=DDPCommunicationHookType.POWER_SGD|"
      KWARGS "comm_hook=DDPCommunicationHookType.BATCHED_POWER_SGD"},
     "the steps before PowerSGD begins, whose gradients go as they are"},
};

/* Optimizers of DeepSpeed that send signs. */
#define ONE_BIT(name) IS("optimizer.type", name, "one_bit_adam", "true")
static const exchange_rename one_bit_names[] = {
    ONE_BIT("OneBitAdam"), ONE_BIT("ZeroOneAdam"), ONE_BIT("OneBitLamb"),
};
#define ONE_BIT_MARK "optimizer.type="
static const exchange_remark one_bit_remarks[] = {
    {EXCHANGE_LACKS, {ONE_BIT_MARK "OneBitAdam|" ONE_BIT_MARK "OneBitLamb"},
     "the steps before compression begins (freeze_step), which send gradients "
     "as they are"},
    {EXCHANGE_LACKS, {ONE_BIT_MARK "ZeroOneAdam"},
     "0/1 Adam's steps that send nothing, and those that send gradients as "
     "they are: a step of 1-bit Adam is counted"},
    {EXCHANGE_LACKS, {ONE_BIT_MARK "OneBitLamb"},
     "LAMB's norms of each tensor: 1-bit Adam is counted"},
};

static const exchange_front sends[] = {
    {.title = "hooks of DDP",
     .marks = {HOOK "|" KWARGS "comm_hook", "!ddp.powersgd_rank"},
     RENAMES(hook_names), REMARKS(hook_remarks)},
    {.title = "1-bit optimizers",
     .marks = {ONE_BIT_MARK "OneBitAdam|" ONE_BIT_MARK "ZeroOneAdam|"
               ONE_BIT_MARK "OneBitLamb"},
     RENAMES(one_bit_names), REMARKS(one_bit_remarks)},
};
/* clang-format on */

const exchange_front_table exchange_fronts_of_wrappers = {
        wrappers, P3D_COUNT_OF(wrappers)};
const exchange_front_table exchange_fronts_that_send = {
        sends, P3D_COUNT_OF(sends)};
