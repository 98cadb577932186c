/* SPDX-License-Identifier: GPL-3.0-or-later */
/* colossalai.c - Colossal-AI's HybridParallelPlugin: its arguments in Python.
 *
 * Names: ColossalAI@4f9953be colossalai/booster/plugin/
 * hybrid_parallel_plugin.py:1000-1170. */
#include "exchange/launch/target_rows.h"

static const char *const precisions[P3D_N_DTYPES] = {
        [P3D_FP32] = "fp32", [P3D_FP16] = "fp16", [P3D_BF16] = "bf16"};
static const char *const styles[P3D_N_SCHEDULES] = {
        [P3D_1F1B] = "1f1b", [P3D_INTERLEAVED] = "interleaved"};
static const char *const modes[] = {NULL, "split_gather"};

/* clang-format off */
static const exchange_option options[] = {
    HEAD("plugin = HybridParallelPlugin"),
    VALUE("HybridParallelPlugin.tp_size", plan.tp),
    VALUE("HybridParallelPlugin.pp_size", plan.pp),
    VALUE("HybridParallelPlugin.zero_stage", plan.zero),
    WORD("HybridParallelPlugin.precision", job.dtype, precisions),
    VALUE_WHEN("HybridParallelPlugin.microbatch_size", plan.micro_batch,
        exchange_has_pipeline),
    WORD_WHEN("HybridParallelPlugin.pp_style", plan.schedule, styles,
        exchange_has_pipeline),
    VALUE_WHEN("HybridParallelPlugin.num_model_chunks", plan.vp,
        exchange_has_chunks),
    VALUE("HybridParallelPlugin.enable_sequence_parallelism",
        plan.sequence_parallel),
    WORD("HybridParallelPlugin.sequence_parallelism_mode", said.sequence_mode,
        modes),
    VALUE("HybridParallelPlugin.enable_flash_attention", said.flash),
    VALUE("HybridParallelPlugin.cpu_offload", said.offload),
    FIXED("HybridParallelPlugin.max_norm", "1.0"),
    HEAD("launch = dict"),
    VALUE("launch.sequence_length", job.seq_len),
    VALUE("launch.micro_batch_size", plan.micro_batch),
    SOME("launch.batch_per_replica", said.replica_batch),
    VALUE("launch.gradient_checkpointing", said.recompute),
};
/* clang-format on */

static void narrow(p3d_framework *framework)
{
    framework->zero_stages = 1u << 0 | 1u << 1 | 1u << 2;
    framework->zero_stages_pipeline = 1u << 0 | 1u << 1;
    framework->hybrid_stages = 0;
    framework->offload_ratio_stages = 0;
    framework->offload_zero_stages = 1u << 1 | 1u << 2;
    framework->parameter_offload = false;
    framework->nvme = false;
    framework->schedules = 1u << P3D_1F1B | 1u << P3D_INTERLEAVED;
    framework->expert_parallel = false;
    framework->kv_replication = false;
    framework->uneven_stages = false;
    framework->layer_map = false;
    framework->vocab_multiple = 64;
    framework->lacks = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
                       P3D_LACKS_SELECTIVE;
}

static void defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->job.dtype = P3D_FP16;
}

static void say(exchange_launch *launch)
{
    launch->said.sequence_mode = launch->plan.sequence_parallel;
    launch->said.flash = launch->job.attention != P3D_EAGER;
    launch->said.offload = launch->plan.offload != P3D_OFFLOAD_NONE;
    launch->said.recompute = launch->plan.recompute == P3D_RECOMPUTE_FULL;
}

static bool settle(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;

    if (!exchange_settle_replicas(launch, err))
        return false;
    p->etp = p->tp;
    p->offload = said->offload ? P3D_OFFLOAD_OPTIMIZER : P3D_OFFLOAD_NONE;
    p->recompute = said->recompute ? P3D_RECOMPUTE_FULL : P3D_RECOMPUTE_NONE;
    launch->job.attention = said->flash ? P3D_FLASH : P3D_EAGER;
    if (said->replica_batch > 0)
        launch->job.global_batch = p3d_mul(said->replica_batch, p->dp);
    return true;
}

const exchange_target exchange_to_colossalai = {
        .name = "colossalai",
        .title = "Colossal-AI (HybridParallelPlugin)",
        .versions = "hpcaitech/ColossalAI@4f9953be",
        .framework = "deepspeed",
        .nearest = true,
        .tables = {{.form = EXCHANGE_CALLS,
                .file = "colossalai_plan.py",
                .before = "from colossalai.booster.plugin import "
                          "HybridParallelPlugin\n\n",
                OPTIONS(options)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "\"$TRAIN\"",
        .narrow = narrow,
        .defaults = defaults,
        .can_say = exchange_can_say_group,
        .say = say,
        .settle = settle,
        .notes = "train.py is your script: it imports plugin and launch from "
                 "here,\n"
                 "gives the loader batch_per_replica sequences a step, in "
                 "micro-batches without a pipeline,\n"
                 "and calls model.gradient_checkpointing_enable() where "
                 "asked; data and checkpoints are its own\n",
        .variables =
                EXCHANGE_OWN_SCRIPT "export CUDA_DEVICE_MAX_CONNECTIONS=1\n",
};
