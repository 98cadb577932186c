/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accelerate.c - Hugging Face accelerate: FSDP2 and its hybrid in YAML, with
 * the batch as arguments of transformers.
 *
 * Names: accelerate@16cb6eb8 examples/torch_native_parallelism/configs/
 * tp_hsdp.yaml, src/accelerate/parallelism_config.py; transformers@008e5743
 * src/transformers/training_args.py. */
#include "exchange/launch/target_rows.h"

static const char *const precisions[P3D_N_DTYPES] = {
        [P3D_FP32] = "no", [P3D_FP16] = "fp16", [P3D_BF16] = "bf16"};

static const char *const distributions[] = {"FSDP"};
static const char *const strategies[] = {
        NULL, NULL, "SHARD_GRAD_OP", "FULL_SHARD"};

/* clang-format off */
static const p3d_option settings[] = {
    FIXED("compute_environment", "LOCAL_MACHINE"),
    WORD("distributed_type", said.distribution, distributions),
    WORD("mixed_precision", job.dtype, precisions),
    INT("num_machines", said.n_nodes, 1),
    INT("num_processes", said.n_gpus, 1),
    FIXED("machine_rank", "0"),
    FIXED("fsdp_config.fsdp_version", "2"),
    FIXED("fsdp_config.fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP"),
    BOOL("fsdp_config.fsdp_reshard_after_forward", said.reshard),
    BOOL("fsdp_config.fsdp_activation_checkpointing", said.recompute),
    FIXED("fsdp_config.fsdp_offload_params", "false"),
    FIXED("fsdp_config.fsdp_state_dict_type", "SHARDED_STATE_DICT"),
    INT("parallelism_config.parallelism_config_dp_replicate_size",
        said.replicate, 1),
    INT("parallelism_config.parallelism_config_dp_shard_size", said.shard, 0),
    INT("parallelism_config.parallelism_config_tp_size", plan.tp, 1),
    INT("parallelism_config.parallelism_config_cp_size", plan.cp, 1),
    /* Read only: FSDP of version 1. */
    WORD_WHEN("fsdp_config.fsdp_sharding_strategy", said.sharding, strategies,
        exchange_never),
};

static const p3d_option arguments[] = {
    HEAD("batch: TrainingArguments of transformers, and your script's length"),
    INT("per_device_train_batch_size", plan.micro_batch, 1),
    COUNT("gradient_accumulation_steps", said.n_micro_batches),
    INT("max_seq_length", job.seq_len, 1),
};
/* clang-format on */

static void narrow(p3d_framework *framework)
{
    exchange_narrow_to_shards(framework);
    framework->lacks |= P3D_LACKS_SEQUENCE_PARALLEL | P3D_LACKS_LONE_SHARDS;
}

static void defaults(p3d_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->plan.micro_batch = 8;
    launch->job.dtype = P3D_FP32;
    launch->said.reshard = true;
    launch->said.replicate = 1;
    launch->said.n_micro_batches = 1;
}

static void say(p3d_launch *launch)
{
    exchange_say_shard(launch);
    launch->said.reshard = launch->plan.zero == 3;
    launch->said.recompute = launch->plan.recompute == P3D_RECOMPUTE_FULL;
}

static bool settle(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const p3d_launch_said *const said = &launch->said;

    if (said->n_gpus > 0 && said->n_gpus != launch->n_gpus)
        return p3d_fail(err, P3D_DATA,
                "num_processes: %d, but the cluster has %d GPUs", said->n_gpus,
                launch->n_gpus);
    if (!exchange_settle_shard(launch, err))
        return false;
    p->zero = said->sharding > 0 ? said->sharding : said->reshard ? 3 : 2;
    p->etp = p->tp;
    p->recompute = exchange_said_recompute(launch);
    launch->job.global_batch = exchange_said_batch(launch);
    return true;
}

static void note(const p3d_launch *launch, p3d_text *lines)
{
    p3d_text_add(lines, "train.py is your script on transformers' Trainer; its "
                        "layers are wrapped by the model's own list\n");
    if (launch->plan.tp > 1)
        p3d_text_add(lines, "load the model with tp_plan=\"auto\"\n");
}

static void environment(const p3d_launch *launch, p3d_text *lines)
{
    (void)launch;
    p3d_text_add(lines, "export TRAIN=${TRAIN:-train.py}\n");
}

static const char *const unmodelled[] = {"fsdp_config.fsdp_offload_params",
        "parallelism_config.parallelism_config_sp_size",
        "dynamo_config.dynamo_backend", NULL};

const p3d_target exchange_to_accelerate = {
        .name = "accelerate",
        .title = "Hugging Face accelerate (PyTorch FSDP2)",
        .versions = "huggingface/accelerate@16cb6eb8",
        .framework = "fsdp2",
        .nearest = true,
        .also = "deepspeed-hf",
        .says = P3D_SAYS_FP16 | P3D_SAYS_FP32,
        .tables = {{.form = P3D_FORM_YAML,
                           .file = "accelerate.yaml",
                           .options = settings,
                           .n_options = P3D_COUNT_OF(settings)},
                {.form = P3D_FORM_ARGUMENTS,
                        .options = arguments,
                        .n_options = P3D_COUNT_OF(arguments)}},
        .n_tables = 2,
        .unmodelled = unmodelled,
        .runner = P3D_RUN_ACCELERATE,
        .program = "\"$TRAIN\"",
        .narrow = narrow,
        .defaults = defaults,
        .say = say,
        .settle = settle,
        .note = note,
        .environment = environment,
};
