/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lightning.c - Lightning's ModelParallelStrategy, in Python.
 *
 * Names: pytorch-lightning@7f0c3436 src/lightning/pytorch/strategies/
 * model_parallel.py; torch.distributed.fsdp.fully_shard of PyTorch 2.6. */
#include "exchange/launch/target_rows.h"

static const char *const types[P3D_N_DTYPES] = {[P3D_FP32] = "torch.float32",
        [P3D_FP16] = "torch.float16",
        [P3D_BF16] = "torch.bfloat16"};

/* clang-format off */
static const p3d_option options[] = {
    HEAD("strategy = ModelParallelStrategy"),
    INT("ModelParallelStrategy.data_parallel_size", plan.dp, 1),
    INT("ModelParallelStrategy.tensor_parallel_size", plan.tp, 1),
    HEAD("trainer = dict"),
    INT("trainer.num_nodes", said.n_nodes, 1),
    INT("trainer.devices", said.gpus_per_node, 1),
    COUNT("trainer.accumulate_grad_batches", said.n_micro_batches),
    FIXED("trainer.precision", "\"32-true\""),
    HEAD("sharding = dict"),
    {.name = "sharding.param_dtype", .kind = P3D_OPTION_WORD, .raw = true,
     .offset = P3D_LAUNCH_ENUM(job.dtype), .words = types,
     .n_words = P3D_COUNT_OF(types)},
    BOOL("sharding.reshard_after_forward", said.reshard),
    BOOL("sharding.activation_checkpointing", said.recompute),
    BOOL("sharding.sequence_parallel", plan.sequence_parallel),
    HEAD("batch = dict"),
    INT("batch.sequence_length", job.seq_len, 1),
    INT("batch.micro_batch_size", plan.micro_batch, 1),
};
/* clang-format on */

static void narrow(p3d_framework *framework)
{
    exchange_narrow_to_shards(framework);
    framework->context_parallel = false;
    framework->hybrid_stages = 0;
}

static void defaults(p3d_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->job.dtype = P3D_BF16;
    launch->said.reshard = true;
    launch->said.n_micro_batches = 1;
}

static void say(p3d_launch *launch)
{
    launch->said.reshard = launch->plan.zero == 3;
    launch->said.recompute = launch->plan.recompute == P3D_RECOMPUTE_FULL;
}

static bool settle(p3d_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;

    if (!exchange_settle_said_replicas(launch, err))
        return false;
    p->zero = launch->said.reshard ? 3 : 2;
    p->etp = p->tp;
    p->recompute = exchange_said_recompute(launch);
    launch->job.global_batch = exchange_said_batch(launch);
    return true;
}

static void note(const p3d_launch *launch, p3d_text *lines)
{
    (void)launch;
    p3d_text_add(lines,
            "train.py is your script: Trainer(strategy=strategy, **trainer), "
            "and shard() in configure_model()\n");
}

const p3d_target exchange_to_lightning = {
        .name = "lightning",
        .title = "Lightning (ModelParallelStrategy, PyTorch FSDP2)",
        .versions = "Lightning-AI/pytorch-lightning@7f0c3436",
        .framework = "fsdp2",
        .nearest = true,
        .says = P3D_SAYS_FP16 | P3D_SAYS_FP32,
        .tables = {{.form = P3D_FORM_CALLS,
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
                .options = options,
                .n_options = P3D_COUNT_OF(options)}},
        .n_tables = 1,
        .runner = P3D_RUN_TORCH,
        .program = "\"$TRAIN\"",
        .narrow = narrow,
        .defaults = defaults,
        .say = say,
        .settle = settle,
        .note = note,
        .environment = exchange_own_script,
};
