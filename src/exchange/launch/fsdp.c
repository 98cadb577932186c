/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fsdp.c - what wraps PyTorch's FSDP2, or shards as it does: Hugging Face
 * accelerate, Lightning's ModelParallelStrategy, meshes of JAX.
 *
 * Names: accelerate@16cb6eb8 examples/torch_native_parallelism/configs/
 * tp_hsdp.yaml, src/accelerate/parallelism_config.py; transformers@008e5743
 * src/transformers/training_args.py; pytorch-lightning@7f0c3436 src/lightning/
 * pytorch/strategies/model_parallel.py; torch.distributed.fsdp.fully_shard of
 * PyTorch 2.6; jax.make_mesh, jax.sharding.NamedSharding and PartitionSpec of
 * JAX 0.7, where axes are explicit unless they are said to be of AxisType.Auto
 * (docs.jax.dev, jax.sharding). */
#include "exchange/launch/peft.h"
#include "exchange/launch/target_rows.h"

/* Leave of FSDP2, as torchtitan has it, what wrappers around it have: no
 * pipelines or expert parallelism, recomputation of all layers or none. */
static void narrow(p3d_framework *framework)
{
    framework->pipeline = false;
    framework->expert_parallel = false;
    framework->zero_stages_pipeline = 0;
    framework->usual_zero[1] = 3;
    framework->modules = framework->usual_modules = 0;
    framework->lacks |= P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
                        P3D_LACKS_SELECTIVE;
}

static void drop_offload(p3d_framework *framework)
{
    framework->offload_zero_stages = 0;
    framework->parameter_offload = framework->offloads_whole = false;
}

/* Lightning with 32-true casts nothing, and accelerate makes fp32 of other
 * weights only since it trains in mixed precision: 1.15.0 utils/fsdp_utils.py:
 * 813-824. */
#define FP32_WEIGHTS                                                    \
    "the plan counts weights of fp32; a checkpoint of bf16 would give " \
    "others:\n"                                                         \
    "load it with from_pretrained(NAME, dtype=torch.float32)\n"

static void defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->job.dtype = P3D_BF16;
    launch->said.reshard = true;
    launch->said.replicate = 1;
    launch->said.n_micro_batches = 1;
}

static void say(exchange_launch *launch)
{
    exchange_say_shard(launch);
    launch->said.reshard = launch->plan.zero == 3;
    launch->said.recompute = launch->plan.recompute == P3D_RECOMPUTE_FULL;
    launch->said.offload = launch->plan.offload != P3D_OFFLOAD_NONE;
    launch->said.liger = launch->job.loss == P3D_LOSS_LIGER;
}

/* What remains when the replicas are settled. */
static bool settle(exchange_launch *launch)
{
    launch->plan.zero = launch->said.reshard ? 3 : 2;
    if (launch->said.offload)
        launch->plan.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    exchange_settle_usual(launch);
    return true;
}

/* Hugging Face accelerate: FSDP2 and its hybrid in YAML, with the batch as
 * arguments of transformers. */

static const char *const precisions[P3D_N_DTYPES] = {
        [P3D_FP32] = "no", [P3D_FP16] = "fp16", [P3D_BF16] = "bf16"};
static const char *const distributions[] = {"FSDP"};

/* FSDP1's, in each of which an odd one gathers weights once more backward; the
 * hybrid ones share the states in each node (accelerate@16cb6eb8 src/
 * accelerate/utils/dataclasses.py; pytorch@2.6.0 torch/distributed/fsdp/
 * _init_utils.py: _init_intra_and_inter_node_groups), and NO_SHARD replicates
 * them as DDP does (torch/distributed/fsdp/api.py). */
enum { NO_SHARD = 1, SHARD_ZERO_2 = 2, HYBRID_SHARD_ZERO_2 = 4 };
static const char *const strategies[] = {NULL, "NO_SHARD", "SHARD_GRAD_OP",
        "FULL_SHARD", "_HYBRID_SHARD_ZERO2", "HYBRID_SHARD"};

/* FSDP1 has a strategy where FSDP2 is told whether it reshards. */
static bool has_strategies(const exchange_launch *launch)
{
    return launch->job.framework->wraps;
}

static bool has_no_strategies(const exchange_launch *launch)
{
    return !has_strategies(launch);
}

/* clang-format off */
static const exchange_option settings[] = {
    FIXED("compute_environment", "LOCAL_MACHINE"),
    WORD("distributed_type", said.distribution, distributions),
    WORD("mixed_precision", job.dtype, precisions),
    SOME("num_machines", said.n_nodes),
    SOME("num_processes", said.n_gpus),
    FIXED("machine_rank", "0"),
    FIXED("fsdp_config.fsdp_version", "2"),
    FIXED("fsdp_config.fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP"),
    VALUE_WHEN("fsdp_config.fsdp_reshard_after_forward", said.reshard,
        has_no_strategies),
    WORD_WHEN("fsdp_config.fsdp_sharding_strategy", said.sharding, strategies,
        has_strategies),
    VALUE("fsdp_config.fsdp_activation_checkpointing", said.recompute),
    VALUE("fsdp_config.fsdp_offload_params", said.offload),
    FIXED("fsdp_config.fsdp_state_dict_type", "SHARDED_STATE_DICT"),
    SOME("parallelism_config.parallelism_config_dp_replicate_size",
        said.replicate),
    VALUE("parallelism_config.parallelism_config_dp_shard_size", said.shard),
    VALUE("parallelism_config.parallelism_config_tp_size", plan.tp),
    VALUE("parallelism_config.parallelism_config_cp_size", plan.cp),
    /* Read only: FSDP of version 1. */
    {VALUE_ROW("fsdp_config.fsdp_unit_params", job.unit_params),
        .when = exchange_never},
    EXCHANGE_SENT_LESS,
};

static const exchange_option batch[] = {
    HEAD("batch: TrainingArguments of transformers, and your script's length"),
    VALUE("per_device_train_batch_size", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    VALUE("max_seq_length", job.seq_len),
    VALUE_WHEN("use_liger_kernel", said.liger, exchange_has_liger),
    /* Read only: of transformers' Trainer, */
    EXCHANGE_OF_TRAINERS,
    /* and of torchtune's recipes. */
    {FLAG_ROW("layers_are_eager", job.eager, true), .when = exchange_never},
    {FLAG_ROW("optimizer_in_backward", job.optimizer_in_backward, true),
        .when = exchange_never},
};
/* clang-format on */

static void say_accelerate(exchange_launch *launch)
{
    exchange_said *const said = &launch->said;

    say(launch);
    if (!has_strategies(launch))
        return;
    said->sharding = launch->plan.zero == 0
                             ? NO_SHARD
                             : (said->replicate > 1 ? HYBRID_SHARD_ZERO_2
                                                    : SHARD_ZERO_2) +
                                       (said->reshard ? 1 : 0);
}

static void accelerate_defaults(exchange_launch *launch)
{
    defaults(launch);
    launch->plan.micro_batch = 0; /* it is the script's */
    launch->job.dtype = P3D_FP32;
}

/* A recipe of one GPU does not wrap the model. */
static bool is_alone(const exchange_launch *launch)
{
    return launch->n_gpus == 1 && (launch->job.framework->zero_stages & 1) != 0;
}

static bool settle_accelerate(exchange_launch *launch, p3d_error *err)
{
    const exchange_said *const said = &launch->said;

    if (said->sharding > 0)
        launch->said.reshard = said->sharding % 2 == 1;
    if (said->sharding >= HYBRID_SHARD_ZERO_2)
        launch->said.replicate = launch->n_gpus / launch->gpus_per_node;
    if (said->liger)
        launch->job.loss = P3D_LOSS_LIGER;
    if (!exchange_settle_shard(launch, err) || !settle(launch))
        return false;
    if (said->sharding == NO_SHARD || is_alone(launch))
        launch->plan.zero = 0;
    return true;
}

static void note_accelerate(const exchange_launch *launch, p3d_text *lines)
{
    if (launch->plan.tp > 1)
        p3d_text_add(lines, "load the model with tp_plan=\"auto\"\n");
}

static const char *const unmodelled[] = {
        "parallelism_config.parallelism_config_sp_size",
        "dynamo_config.dynamo_backend", "fsdp_config.fsdp_no_wrap", NULL};

/* How parameters are loaded, wrapped and fetched ahead (accelerate/utils/
 * dataclasses.py: FullyShardedDataParallelPlugin). */
static const char *const harmless[] = {"fsdp_config.fsdp_backward_prefetch",
        "fsdp_config.fsdp_backward_prefetch_policy",
        "fsdp_config.fsdp_forward_prefetch",
        "fsdp_config.fsdp_cpu_ram_efficient_loading",
        "fsdp_config.fsdp_sync_module_states",
        "fsdp_config.fsdp_use_orig_params",
        "fsdp_config.fsdp_transformer_layer_cls_to_wrap",
        "fsdp_config.fsdp_state_dict_type", NULL};

const exchange_target exchange_to_accelerate = {
        .name = "accelerate",
        .title = "Hugging Face accelerate (PyTorch FSDP2)",
        .versions = "huggingface/accelerate@16cb6eb8",
        .framework = "fsdp2-hf",
        .also = "deepspeed-hf",
        .tables = {{.form = EXCHANGE_YAML,
                           .file = "accelerate.yaml",
                           OPTIONS(settings)},
                {.form = EXCHANGE_ARGUMENTS, OPTIONS(batch)}},
        .n_tables = 2,
        .unmodelled = unmodelled,
        .harmless = harmless,
        .runner = EXCHANGE_RUN_ACCELERATE,
        .program = "\"$TRAIN\"",
        .defaults = accelerate_defaults,
        .say = say_accelerate,
        .settle = settle_accelerate,
        .notes = "train.py is your script on transformers' Trainer; its layers "
                 "are wrapped by the model's own list\n" FP32_WEIGHTS
                 "data, --output_dir, --max_steps and checkpoints are the "
                 "script's\n",
        .note = note_accelerate,
        .variables = "export TRAIN=${TRAIN:-train.py}\n",
};

/* The same with all arguments of transformers' Trainer. */

/* clang-format off */
TEST(has_bf16, l->job.dtype == P3D_BF16)
TEST(has_fp16, l->job.dtype == P3D_FP16)

static const exchange_option trainer[] = {
    HEAD("model and sequence, in the words of transformers' run_clm.py"),
    RAW("model_name_or_path", "\"$HF_MODEL\""),
    /* Of fp32, as the plan counts the weights that Adam has: a model comes in
     * the type of its checkpoint (5.23.0 modeling_utils.py) where the script
     * does not say another. */
    FIXED("dtype", "float32"),
    VALUE("block_size", job.seq_len),
    HEAD("batch and precision; sharding and recomputation: accelerate.yaml"),
    VALUE("per_device_train_batch_size", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    FIXED_WHEN("bf16", NULL, has_bf16),
    FIXED_WHEN("fp16", NULL, has_fp16),
    VALUE_WHEN("use_liger_kernel", said.liger, exchange_has_liger),
    EXCHANGE_PEFT_ARGUMENTS,
    EXCHANGE_RUN_CLM_MEASURE,
};
/* clang-format on */

/* run_clm.py loads the model without a mesh. */
static void narrow_trainer(p3d_framework *framework)
{
    framework->tensor_parallel = false;
}

static void say_trainer(exchange_launch *launch)
{
    say(launch);
    exchange_peft_say(launch);
}

const exchange_target exchange_to_hf_fsdp = {
        .name = "hf-fsdp",
        .title = "Hugging Face Trainer with PyTorch FSDP2",
        .versions = "transformers 5.23.0, huggingface/accelerate@16cb6eb8",
        .framework = "fsdp2-hf",
        .reads_as = "accelerate",
        .front = "transformers with FSDP2",
        .tables = {{.form = EXCHANGE_YAML,
                           .file = "accelerate.yaml",
                           OPTIONS(settings)},
                {.form = EXCHANGE_ARGUMENTS, OPTIONS(trainer)}},
        .n_tables = 2,
        .runner = EXCHANGE_RUN_ACCELERATE,
        .next_tokens = true,
        .program = "\"$TRAIN\"",
        .wrapper = &exchange_peft_wrapper,
        .narrow = narrow_trainer,
        .defaults = accelerate_defaults,
        .can_say = exchange_peft_can_say,
        .say = say_trainer,
        .notes = "TRAIN is run_clm.py of transformers' examples/pytorch/"
                 "language-modeling, or your\n"
                 "script on its Trainer; another one has another word than "
                 "--block_size\n",
        .variables = "export TRAIN=${TRAIN:-run_clm.py}\n"
                     "export HF_MODEL=${HF_MODEL:?is the name of the model at "
                     "Hugging Face, or its folder}\n"
                     "export DATA_PATH=${DATA_PATH:?is a file of text, .txt, "
                     ".json or .csv}\n"
                     "export OUTPUT=${OUTPUT:-$HERE/output}\n",
};

/* Lightning's ModelParallelStrategy, in Python. */

static const char *const torch_types[P3D_N_DTYPES] = {
        [P3D_FP32] = "torch.float32",
        [P3D_FP16] = "torch.float16",
        [P3D_BF16] = "torch.bfloat16"};

/* clang-format off */
static const exchange_option strategy[] = {
    HEAD("strategy = ModelParallelStrategy"),
    VALUE("ModelParallelStrategy.data_parallel_size", plan.dp),
    VALUE("ModelParallelStrategy.tensor_parallel_size", plan.tp),
    HEAD("trainer = dict"),
    SOME("trainer.num_nodes", said.n_nodes),
    SOME("trainer.devices", said.gpus_per_node),
    SOME("trainer.accumulate_grad_batches", said.n_micro_batches),
    FIXED("trainer.precision", "\"32-true\""),
    HEAD("sharding = dict"),
    RAW_WORD("sharding.param_dtype", job.dtype, torch_types),
    VALUE("sharding.reshard_after_forward", said.reshard),
    VALUE("sharding.activation_checkpointing", said.recompute),
    VALUE("sharding.sequence_parallel", plan.sequence_parallel),
    HEAD("batch = dict"),
    VALUE("batch.sequence_length", job.seq_len),
    VALUE("batch.micro_batch_size", plan.micro_batch),
    /* Read only: what shard() of the file does with them. */
    FIXED_WHEN("MixedPrecisionPolicy.param_dtype",
        "sharding[\"param_dtype\"]", exchange_never),
    FIXED_WHEN("MixedPrecisionPolicy.reduce_dtype", "torch.float32",
        exchange_never),
    FIXED_WHEN("fully_shard.mesh", "mesh[\"data_parallel\"]",
        exchange_never),
    FIXED_WHEN("fully_shard.mp_policy", "policy", exchange_never),
    FIXED_WHEN("fully_shard.reshard_after_forward",
        "sharding[\"reshard_after_forward\"]", exchange_never),
};
/* clang-format on */

static void narrow_lightning(p3d_framework *framework)
{
    narrow(framework);
    drop_offload(framework);
    framework->context_parallel = false;
    framework->hybrid_stages = 0;
}

static bool settle_lightning(exchange_launch *launch, p3d_error *err)
{
    return exchange_settle_said_replicas(launch, err) && settle(launch);
}

const exchange_target exchange_to_lightning = {
        .name = "lightning",
        .title = "Lightning (ModelParallelStrategy, PyTorch FSDP2)",
        .versions = "Lightning-AI/pytorch-lightning@7f0c3436",
        .framework = "fsdp2",
        .nearest = true,
        .tables = {{.form = EXCHANGE_CALLS,
                .file = "lightning_plan.py",
                .before = "import torch\n"
                          "from lightning.pytorch.strategies import "
                          "ModelParallelStrategy\n"
                          "from torch.distributed.fsdp import "
                          "MixedPrecisionPolicy, fully_shard\n\n",
                .after = "\n\n"
                         "def shard(model, layers, mesh):\n"
                         "    policy = MixedPrecisionPolicy(\n"
                         "        param_dtype=sharding[\"param_dtype\"], "
                         "reduce_dtype=torch.float32)\n"
                         "    for part in [*layers, model]:\n"
                         "        fully_shard(part, "
                         "mesh=mesh[\"data_parallel\"], mp_policy=policy,\n"
                         "                    reshard_after_forward=sharding["
                         "\"reshard_after_forward\"])\n",
                OPTIONS(strategy)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "\"$TRAIN\"",
        .narrow = narrow_lightning,
        .defaults = defaults,
        .say = say,
        .settle = settle_lightning,
        .notes = "train.py is your script: Trainer(strategy=strategy, "
                 "**trainer), "
                 "and shard() in configure_model()\n" FP32_WEIGHTS
                 "data, max_steps and default_root_dir are the script's, "
                 "ckpt_path is fit()'s\n",
        .variables = EXCHANGE_OWN_SCRIPT,
};

/* JAX: a mesh of devices and the partition of arrays over it. */

static const char *const jax_types[P3D_N_DTYPES] = {[P3D_FP32] = "float32",
        [P3D_FP16] = "float16",
        [P3D_BF16] = "bfloat16"};

/* clang-format off */
static const exchange_option mesh[] = {
    HEAD("axes = dict"),
    SOME("axes.replica", said.replicate),
    SOME("axes.data", said.shard),
    VALUE("axes.context", plan.cp),
    VALUE("axes.tensor", plan.tp),
    HEAD("launch = dict"),
    VALUE("launch.sequence_length", job.seq_len),
    VALUE("launch.micro_batch_size", plan.micro_batch),
    SOME("launch.accumulation_steps", said.n_micro_batches),
    WORD("launch.dtype", job.dtype, jax_types),
    VALUE("launch.sequence_parallel", plan.sequence_parallel),
    VALUE("launch.remat", said.recompute),
};
/* clang-format on */

static void narrow_jax(p3d_framework *framework)
{
    narrow(framework);
    drop_offload(framework);
    framework->zero_stages = 1u << 3;
}

static void jax_defaults(exchange_launch *launch)
{
    defaults(launch);
    launch->said.shard = 1;
}

static bool settle_jax(exchange_launch *launch, p3d_error *err)
{
    return exchange_settle_shard(launch, err) && settle(launch);
}

const exchange_target exchange_to_jax = {
        .name = "jax",
        .title = "JAX (mesh and partition specs)",
        .versions = "JAX 0.7, jax.sharding",
        .framework = "fsdp2",
        .nearest = true,
        .tables = {{.form = EXCHANGE_CALLS,
                .file = "jax_plan.py",
                .before = "import jax\n"
                          "from jax.sharding import AxisType, NamedSharding, "
                          "PartitionSpec as P\n\n",
                .after = "\n\n"
                         "def mesh():\n"
                         "    return jax.make_mesh(tuple(axes.values()), "
                         "tuple(axes),\n"
                         "                         axis_types=(AxisType.Auto,) "
                         "* len(axes))\n\n\n"
                         "# What each kind of array is split over.\n"
                         "specs = {\n"
                         "    \"tokens\": P((\"replica\", \"data\"), "
                         "\"context\"),\n"
                         "    \"stream\": P((\"replica\", \"data\"),\n"
                         "                (\"context\", \"tensor\") if "
                         "launch[\"sequence_parallel\"] else \"context\"),\n"
                         "    \"embedding\": P(\"tensor\", (\"data\", "
                         "\"context\")),\n"
                         "    \"column\": P((\"data\", \"context\"), "
                         "\"tensor\"),\n"
                         "    \"row\": P(\"tensor\", (\"data\", "
                         "\"context\")),\n"
                         "    \"norm\": P((\"data\", \"context\")),\n"
                         "}\n\n\n"
                         "def sharding(kind):\n"
                         "    return NamedSharding(mesh(), specs[kind])\n",
                OPTIONS(mesh)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_NODE,
        .program = "\"$TRAIN\"",
        .narrow = narrow_jax,
        .defaults = jax_defaults,
        .say = say,
        .settle = settle_jax,
        .notes =
                "a sketch: the mesh and the partition of arrays; the model and "
                "its "
                "loop are yours, and so is\n"
                "jax.distributed.initialize(): one process runs on each node; "
                "data "
                "and\ncheckpoints are the script's.\n"
                "Weights and states lie over data and context (ZeRO 3) and "
                "tensor;\n"
                "wrap layers in jax.checkpoint where launch[\"remat\"]\n",
        .variables = EXCHANGE_OWN_SCRIPT,
};
