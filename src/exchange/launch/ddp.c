/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ddp.c - PyTorch's DistributedDataParallel under Lightning, with the hooks
 * that send gradients in 16 or 8 bit, or what PowerSGD leaves of them.
 *
 * Names: pytorch-lightning@7f0c3436 src/lightning/pytorch/strategies/ddp.py;
 * pytorch@2.6.0 torch/distributed/algorithms/ddp_comm_hooks/default_hooks.py,
 * quantization_hooks.py, powerSGD_hook.py, whose first steps send gradients as
 * they are (start_powerSGD_iter, 1,000). */
#include "exchange/launch/target_rows.h"

enum { WIRE_USUAL, WIRE_FP32, WIRE_FP16, WIRE_BF16 };

static const char *const wires[] = {[WIRE_USUAL] = "usual",
        [WIRE_FP32] = "fp32",
        [WIRE_FP16] = "fp16",
        [WIRE_BF16] = "bf16"};
static const char *const precisions[P3D_N_DTYPES] = {[P3D_FP32] = "32-true",
        [P3D_FP16] = "16-mixed",
        [P3D_BF16] = "bf16-mixed"};

/* clang-format off */
static const exchange_option settings[] = {
    HEAD("trainer = dict"),
    SOME("trainer.num_nodes", said.n_nodes),
    SOME("trainer.devices", said.gpus_per_node),
    SOME("trainer.accumulate_grad_batches", said.n_micro_batches),
    WORD("trainer.precision", job.dtype, precisions),
    HEAD("ddp = dict"),
    WORD("ddp.gradients", said.wire_type, wires),
    VALUE("ddp.powersgd_rank", job.compression.rank),
    VALUE("ddp.int8", job.compression.eight_bit),
    VALUE("ddp.activation_checkpointing", said.recompute),
    HEAD("batch = dict"),
    VALUE("batch.sequence_length", job.seq_len),
    VALUE("batch.micro_batch_size", plan.micro_batch),
    /* Read only: what strategy() of the file does with them. */
    FIXED_WHEN("PowerSGDState.process_group", "None", exchange_never),
    FIXED_WHEN("PowerSGDState.matrix_approximation_rank",
        "ddp[\"powersgd_rank\"]", exchange_never),
    FIXED_WHEN("PowerSGDState.start_powerSGD_iter", "1000", exchange_never),
    FIXED_WHEN("DDPStrategy.ddp_comm_state", "state", exchange_never),
    FIXED_WHEN("DDPStrategy.ddp_comm_hook", "hook", exchange_never),
};
/* clang-format on */

/* Of DDP as the profile has it: all layers are recomputed, or none. */
static void narrow(p3d_framework *framework)
{
    framework->modules = framework->usual_modules = 0;
    framework->lacks |= P3D_LACKS_LAYER_COUNTS | P3D_LACKS_SELECTIVE;
}

static void defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->job.dtype = P3D_BF16;
    launch->said.n_micro_batches = 1;
}

static void say(exchange_launch *launch)
{
    const p3d_job *const job = &launch->job;

    launch->said.recompute = launch->plan.recompute == P3D_RECOMPUTE_FULL;
    launch->said.wire_type = job->reduce_dtype == P3D_STATE_USUAL ? WIRE_USUAL
                             : job->reduce_dtype == P3D_STATE_IN_FP32
                                     ? WIRE_FP32
                             : job->dtype == P3D_FP16 ? WIRE_FP16
                                                      : WIRE_BF16;
}

static bool settle(exchange_launch *launch, p3d_error *err)
{
    const int type = launch->said.wire_type;

    if (!exchange_settle_replicas(launch, err))
        return false;
    if (type != WIRE_USUAL)
        launch->job.reduce_dtype =
                type == WIRE_FP32 ? P3D_STATE_IN_FP32 : P3D_STATE_IN_16;
    exchange_settle_usual(launch);
    return true;
}

static void note(const exchange_launch *launch, p3d_text *lines)
{
    if (launch->said.recompute)
        p3d_text_add(lines, "checkpoint all layers of your model\n");
}

const exchange_target exchange_to_lightning_ddp = {
        .name = "lightning-ddp",
        .title = "Lightning (DDPStrategy, PyTorch DDP)",
        .versions = "Lightning-AI/pytorch-lightning@7f0c3436",
        .framework = "ddp",
        .tables = {{.form = EXCHANGE_CALLS,
                .file = "lightning_ddp_plan.py",
                .before = "from lightning.pytorch.strategies import "
                          "DDPStrategy\n"
                          "from torch.distributed.algorithms.ddp_comm_hooks."
                          "default_hooks import (\n"
                          "    bf16_compress_hook, fp16_compress_hook)\n"
                          "from torch.distributed.algorithms.ddp_comm_hooks."
                          "powerSGD_hook import (\n"
                          "    PowerSGDState, powerSGD_hook)\n"
                          "from torch.distributed.algorithms.ddp_comm_hooks."
                          "quantization_hooks import (\n"
                          "    quantization_pertensor_hook)\n\n",
                .after = "\n\n"
                         "def strategy():\n"
                         "    state = None\n"
                         "    hook = {\"fp16\": fp16_compress_hook, \"bf16\": "
                         "bf16_compress_hook}.get(\n"
                         "        ddp[\"gradients\"])\n"
                         "    if ddp[\"powersgd_rank\"] > 0:\n"
                         "        state = PowerSGDState(\n"
                         "            process_group=None,\n"
                         "            matrix_approximation_rank=ddp["
                         "\"powersgd_rank\"],\n"
                         "            start_powerSGD_iter=1000)\n"
                         "        hook = powerSGD_hook\n"
                         "    if ddp[\"int8\"]:\n"
                         "        hook = quantization_pertensor_hook\n"
                         "    return DDPStrategy(ddp_comm_state=state, "
                         "ddp_comm_hook=hook)\n",
                OPTIONS(settings)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "\"$TRAIN\"",
        .narrow = narrow,
        .defaults = defaults,
        .say = say,
        .settle = settle,
        .notes = "train.py is your script: Trainer(strategy=strategy(), "
                 "**trainer)\n"
                 "data, max_steps and default_root_dir are the script's, "
                 "ckpt_path is fit()'s\n",
        .note = note,
        .variables = EXCHANGE_OWN_SCRIPT,
};
