/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bridge.c - Megatron-Bridge (NeMo): a recipe in Python.
 *
 * Names: Megatron-Bridge@067f987d src/megatron/bridge/recipes/common.py,
 * src/megatron/bridge/recipes/llama/h100/llama3.py, src/megatron/bridge/
 * training/config.py; those of cfg.model are Megatron-LM's. */
#include <stdio.h>

#include "exchange/launch/megatron.h"
#include "exchange/launch/target_rows.h"

static const char *const mappings[P3D_N_ORDERS] = {"False", "True"};
static const char *const precisions[P3D_N_DTYPES] = {[P3D_FP16] = "fp16_mixed",
        [P3D_BF16] = "bf16_mixed",
        [P3D_FP8] = "bf16_with_fp8_current_scaling_mixed"};
static const char *const types[P3D_N_DTYPES] = {[P3D_FP16] = "torch.float16",
        [P3D_BF16] = "torch.bfloat16",
        [P3D_FP8] = "torch.bfloat16"};

/* clang-format off */
static const p3d_option options[] = {
    HEAD("plan"),
    INT("model.tensor_model_parallel_size", plan.tp, 1),
    INT("model.pipeline_model_parallel_size", plan.pp, 1),
    INT("model.context_parallel_size", plan.cp, 1),
    WORD_SHY("model.cp_comm_type", job.cp_comm, exchange_megatron_exchanges),
    INT_WHEN("model.virtual_pipeline_model_parallel_size", plan.vp, 1,
        exchange_has_plain_chunks),
    INT_SHY("model.microbatch_group_size_per_vp_stage", plan.group, 1),
    INT_SHY("model.num_layers_in_first_pipeline_stage", plan.first_layers, 1),
    INT_SHY("model.num_layers_in_last_pipeline_stage", plan.last_layers, 1),
    CHARS("model.pipeline_model_parallel_layout", said.layout),
    BOOL("model.sequence_parallel", plan.sequence_parallel),
    INT_WHEN("model.expert_model_parallel_size", plan.ep, 1,
        exchange_splits_experts),
    INT_WHEN("model.expert_tensor_parallel_size", plan.etp, 1,
        exchange_splits_experts),
    WORD_WHEN("model.moe_token_dispatcher_type", said.dispatcher,
        exchange_megatron_dispatchers, exchange_splits_experts),
    WORD_WHEN("model.moe_flex_dispatcher_backend", said.flex_backend,
        exchange_megatron_backends, exchange_uses_flex),
    {.name = "model.pipeline_dtype", .kind = P3D_OPTION_WORD, .raw = true,
     .offset = P3D_LAUNCH_ENUM(job.dtype), .words = types,
     .n_words = P3D_COUNT_OF(types), .when = exchange_has_pipeline},
    WORD("model.recompute_granularity", said.granularity,
        exchange_megatron_granularities),
    WORD("model.recompute_method", said.method, exchange_megatron_methods),
    INT_SHY("model.recompute_num_layers", said.method_layers, 1),
    {.name = "model.recompute_modules", .kind = P3D_OPTION_CHARS, .raw = true,
     .offset = P3D_LAUNCH_AT(said.modules, char *)},
    {.name = "dist.use_tp_pp_dp_mapping", .kind = P3D_OPTION_WORD, .raw = true,
     .offset = P3D_LAUNCH_ENUM(plan.order), .words = mappings,
     .n_words = P3D_COUNT_OF(mappings), .shy = true},
    BOOL("ddp.use_distributed_optimizer", said.distributed_optimizer),
    BOOL("ddp.overlap_grad_reduce", said.distributed_optimizer),
    BOOL("ddp.overlap_param_gather", said.distributed_optimizer),
    BOOL("ddp.use_megatron_fsdp", said.fsdp),
    WORD_WHEN("ddp.data_parallel_sharding_strategy", said.sharding,
        exchange_megatron_strategies, exchange_uses_fsdp),
    FIXED_WHEN("checkpoint.ckpt_format", "\"fsdp_dtensor\"",
        exchange_uses_fsdp),
    INT_SHY("ddp.num_distributed_optimizer_instances", said.instances, 1),
    BOOL("optimizer.optimizer_cpu_offload", said.offload),
    REAL_WHEN("optimizer.optimizer_offload_fraction", said.offload_frac,
        exchange_offloads),
    FIXED_WHEN("optimizer.use_precision_aware_optimizer", "True",
        exchange_offloads),
    HEAD("batch and precision"),
    INT("train.micro_batch_size", plan.micro_batch, 1),
    COUNT("train.global_batch_size", job.global_batch),
    INT("model.seq_length", job.seq_len, 1),
    INT("dataset.seq_length", job.seq_len, 1),
    WORD("mixed_precision", job.dtype, precisions),
    REAL("model.attention_dropout", said.attention_dropout),
    REAL("model.hidden_dropout", said.hidden_dropout),
};
/* clang-format on */

static void say(p3d_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    char names[P3D_LAYOUT];

    exchange_megatron_say(launch);
    if (p->recompute != P3D_RECOMPUTE_SELECTIVE || p->recompute_modules == 0)
        return;
    exchange_modules_print(p->recompute_modules, ", ", "\"", names);
    snprintf(launch->said.modules, P3D_LAYOUT, "[%.8000s]", names);
}

static void defaults(p3d_launch *launch)
{
    exchange_megatron_defaults(launch);
    launch->job.dtype = P3D_BF16;
    launch->said.distributed_optimizer = true;
    launch->said.bias = false;
}

static bool settle(p3d_launch *launch, p3d_error *err)
{
    launch->said.bf16 = launch->job.dtype == P3D_BF16;
    launch->said.fp16 = launch->job.dtype == P3D_FP16;
    launch->said.fp8 = launch->job.dtype == P3D_FP8;
    launch->said.bf16 = launch->said.bf16 || launch->said.fp8 > 0;
    return exchange_megatron_settle_plan(launch, err);
}

static void note(const p3d_launch *launch, p3d_text *lines)
{
    (void)launch;
    p3d_text_add(lines, "the model comes from Hugging Face: set HF_MODEL to "
                        "its name there\n");
}

static void environment(const p3d_launch *launch, p3d_text *lines)
{
    p3d_text_add(lines,
            "export HF_MODEL=${HF_MODEL:?is the name of the model at "
            "Hugging Face}\n");
    exchange_megatron_environment(launch, lines);
}

const p3d_target exchange_to_bridge = {
        .name = "bridge",
        .title = "Megatron-Bridge (NeMo)",
        .versions = "NVIDIA-NeMo/Megatron-Bridge@067f987d",
        .framework = "megatron-core",
        .says = P3D_SAYS_FP16 | P3D_SAYS_FP8 | P3D_SAYS_DROPOUT |
                P3D_SAYS_CP_ALL_TO_ALL | P3D_SAYS_DISPATCHER,
        .tables = {{.form = P3D_FORM_FIELDS,
                .file = "recipe.py",
                .before = "import os\n\n"
                          "import torch\n"
                          "from megatron.bridge import AutoBridge\n"
                          "from megatron.bridge.recipes.common import "
                          "_pretrain_common\n"
                          "from megatron.bridge.training.gpt_step import "
                          "forward_step\n"
                          "from megatron.bridge.training.pretrain import "
                          "pretrain\n\n\n"
                          "def recipe():\n"
                          "    cfg = _pretrain_common()\n"
                          "    bridge = AutoBridge.from_hf_pretrained("
                          "os.environ[\"HF_MODEL\"])\n"
                          "    cfg.model = bridge.to_megatron_provider("
                          "load_weights=False)\n",
                .after = "    return cfg\n\n\n"
                         "if __name__ == \"__main__\":\n"
                         "    pretrain(recipe(), forward_step)\n",
                .options = options,
                .n_options = P3D_COUNT_OF(options)}},
        .n_tables = 1,
        .runner = P3D_RUN_TORCH,
        .program = "\"$HERE/recipe.py\"",
        .defaults = defaults,
        .can_say = exchange_megatron_can_say,
        .say = say,
        .settle = settle,
        .note = note,
        .environment = environment,
};
