/* SPDX-License-Identifier: GPL-3.0-or-later */
/* torchtitan.c - torchtitan: a configuration in Python.
 *
 * Names: torchtitan@b5bcd76c torchtitan/config/configs.py, torchtitan/
 * distributed/activation_checkpoint.py; those of batches up to release 0.3.0:
 * its torchtitan/config/configs.py; arithmetic of stages: torchtitan/
 * distributed/pipeline_parallel.py:190-260, of tokens: torchtitan/trainer.py.
 */
#include "exchange/launch/target_rows.h"

#include <string.h>

#include "spec/plan_split.h"

static const char *const schedules[P3D_N_SCHEDULES] = {[P3D_1F1B] = "1F1B",
        [P3D_GPIPE] = "GPipe",
        [P3D_INTERLEAVED] = "Interleaved1F1B",
        [P3D_ZB_V] = "ZBVZeroBubble",
        [P3D_DUALPIPE_V] = "DualPipeV"};
static const char *const roundings[] = {"none", "up", "down"};
static const char *const reshards[] = {"never", "always", "default"};
static const char *const checkpoints[P3D_N_RECOMPUTES] = {
        [P3D_RECOMPUTE_NONE] = "None",
        [P3D_RECOMPUTE_SELECTIVE] = "SelectiveAC.Config()",
        [P3D_RECOMPUTE_FULL] = "FullAC.Config()"};

static const char *const fp8_recipes[P3D_N_FP8_RECIPES] = {
        [P3D_FP8_CURRENT] = "tensorwise", [P3D_FP8_ROWWISE] = "rowwise"};

static const char *const modes[P3D_N_RECOMPUTES] = {
        [P3D_RECOMPUTE_NONE] = "none",
        [P3D_RECOMPUTE_SELECTIVE] = "selective",
        [P3D_RECOMPUTE_FULL] = "full"};

/* clang-format off */
/* Files that are written have the batch in sequences and in tokens, files that
 * are read mostly one of them. */
TEST(in_sequences, l->said.replica_batch > 0)
TEST(in_tokens, l->said.step_tokens > 0 || !in_sequences(l))
TEST(in_sequences_with_pipeline, exchange_has_pipeline(l) && in_sequences(l))
TEST(in_tokens_with_pipeline, exchange_has_pipeline(l) && in_tokens(l))

static const exchange_option options[] = {
    HEAD("plan"),
    VALUE("parallelism.tensor_parallel_degree", plan.tp),
    VALUE("parallelism.enable_sequence_parallel", plan.sequence_parallel),
    VALUE("parallelism.pipeline_parallel_degree", plan.pp),
    WORD_WHEN("parallelism.pipeline_parallel_schedule", plan.schedule,
        schedules, exchange_has_pipeline),
    SOME_WHEN("parallelism.pipeline_parallel_layers_per_stage",
        said.layers_per_stage, exchange_has_chunks),
    VALUE_WHEN("parallelism.pipeline_parallel_first_stage_less_layers",
        said.first_less, exchange_has_pipeline),
    VALUE_WHEN("parallelism.pipeline_parallel_last_stage_less_layers",
        said.last_less, exchange_has_pipeline),
    {VALUE_ROW("parallelism.data_parallel_shard_degree", said.shard),
     .value = -1},
    SOME("parallelism.data_parallel_replicate_degree", said.replicate),
    WORD("parallelism.fsdp_reshard_after_forward", said.sharding, reshards),
    VALUE("parallelism.context_parallel_degree", plan.cp),
    VALUE_WHEN("parallelism.expert_parallel_degree", plan.ep,
        exchange_splits_experts),
    RAW_WORD("activation_checkpoint", plan.recompute, checkpoints),
    VALUE("training.enable_cpu_offload", said.offload),
    UNDER("if hasattr(cfg.training, \"seq_len\"):  # up to 0.3"),
    VALUE_WHEN("training.seq_len", job.seq_len, in_sequences),
    SOME_WHEN("training.local_batch_size", said.replica_batch, in_sequences),
    {VALUE_ROW("training.global_batch_size", job.global_batch), .value = -1,
     .when = in_sequences},
    SOME_WHEN("parallelism.pipeline_parallel_microbatch_size",
        said.pipeline_batch, in_sequences_with_pipeline),
    UNDER("else:"),
    VALUE_WHEN("training.max_context_length", job.seq_len, in_tokens),
    SOME_WHEN("training.num_tokens_per_microbatch_per_dp_rank",
        said.micro_tokens, in_tokens),
    SOME_WHEN("training.num_tokens_per_train_step", said.step_tokens,
        in_tokens),
    SOME_WHEN("parallelism.num_pp_microbatches", said.n_micro_batches,
        in_tokens_with_pipeline),
    HEAD("graphs and compilation"),
    VALUE("training.disable_cuda_graphs", said.no_graphs),
    VALUE("compile.enable", said.compiled),
    VALUE("compile.enable_async_tensor_parallel", job.tp_overlap),
    /* Read only: a name of the TOML files until February 2026,
     * torchtitan@238fa9953 torchtitan/config/job_config.py. */
    WORD_WHEN("activation_checkpoint.mode", plan.recompute, modes,
        exchange_never),
    SOME_WHEN("activation_checkpoint.selective_ac_option", said.every_layer,
        exchange_never),
    /* The same until 2026: float8 and mx of torchao, "quantize.linear." before
     * them since July 2025 and "float8" a table of its own until then;
     * torchtitan@238fa9953 torchtitan/config/job_config.py (Float8Linear). */
    VALUE_WHEN("model.converters", said.converters, exchange_never),
    WORD_WHEN("quantize.linear.float8.recipe_name", said.fp8_recipe,
        fp8_recipes, exchange_never),
    WORD_WHEN("float8.recipe_name", said.fp8_recipe, fp8_recipes,
        exchange_never),
    VALUE_WHEN("quantize.linear.float8.enable_fsdp_float8_all_gather",
        said.fp8_weights, exchange_never),
    VALUE_WHEN("float8.enable_fsdp_float8_all_gather", said.fp8_weights,
        exchange_never),
    /* Of front ends alone. */
    {FLAG_ROW("weights_in_32_bit", said.pure, false), .when = exchange_never},
    {FLAG_ROW("weights_in_16_bit", said.pure, true), .when = exchange_never},
    WORD_WHEN("stages_rounded", said.rounds_stages, roundings, exchange_never),
};
/* clang-format on */

enum { NEVER, ALWAYS, DEFAULT };
enum { NOT_ROUNDED, ROUNDED_UP, ROUNDED_DOWN };

static void defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->plan.sequence_parallel = true;
    launch->plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    launch->job.seq_len = 2048;
    launch->said.shard = -1;
    launch->said.replicate = 1;
    launch->said.sharding = DEFAULT;
    launch->said.micro_tokens = 16384;
    launch->said.n_micro_batches = 1;
    launch->said.pipeline_batch = 1;
    launch->said.first_less = 1;
    launch->said.last_less = 1;
}

/* How the layers are shared out: embedding and loss may count as layers. */
static void say_stages(exchange_launch *launch)
{
    exchange_said *const said = &launch->said;
    const p3d_plan *const p = &launch->plan;
    spec_split split;

    if (!spec_split_find(&launch->model, &launch->job, p, &split))
        return;
    said->first_less = split.first_less;
    said->last_less = split.last_less;
    said->layers_per_stage = split.share + (split.n_larger > 0);
}

static void say(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    exchange_say_shard(launch);
    said->sharding = p->zero == 3 ? ALWAYS : NEVER;
    said->pipeline_batch = p->micro_batch;
    if (p->pp == 1)
        said->replica_batch = p->micro_batch;
    said->offload = p->offload != P3D_OFFLOAD_NONE;
    said->no_graphs = true;
    said->compiled = !launch->job.eager;
    say_stages(launch);
}

static int n_stages(const exchange_launch *launch)
{
    const exchange_said *const said = &launch->said;
    const int pp = launch->plan.pp;
    int64_t n;

    if (said->layers_per_stage == 0)
        return pp * (p3d_schedule_chunks(launch->plan.schedule) == 1 ? 1 : 2);
    n = p3d_ceil_div((int64_t)launch->model.n_layers + said->first_less +
                             said->last_less,
            said->layers_per_stage);
    if (said->rounds_stages == ROUNDED_UP)
        return (int)p3d_round_up(n, pp);
    return (int)(said->rounds_stages == ROUNDED_DOWN && n >= pp ? n - n % pp
                                                                : n);
}

/* Batches in sequences, as the TOML files have them. */
static bool settle_sequences(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    const int64_t micro =
            p->pp > 1 ? said->pipeline_batch : said->replica_batch;

    if (launch->job.global_batch <= 0)
        launch->job.global_batch = p3d_mul(said->replica_batch, p->dp);
    if (micro > INT32_MAX || said->replica_batch % micro != 0)
        return p3d_fail(err, P3D_DATA,
                "training.local_batch_size: %lld is not a multiple of "
                "pipeline_parallel_microbatch_size %d",
                (long long)said->replica_batch, said->pipeline_batch);
    p->micro_batch = (int)micro;
    return true;
}

/* Each pass of a pipeline has the sequences of one batch of a replica, after
 * which it is empty; torchtitan/trainer.py accumulates over passes. */
static void count_flushes(exchange_launch *launch)
{
    exchange_said *const said = &launch->said;
    const int64_t pass =
            said->replica_batch > 0
                    ? said->replica_batch
                    : p3d_mul(said->micro_tokens, said->n_micro_batches) /
                              launch->job.seq_len;

    if (launch->plan.pp > 1 && pass > 0)
        said->n_flushes =
                launch->job.global_batch / p3d_mul(pass, launch->plan.dp);
}

static bool settle_batch(exchange_launch *launch, p3d_error *err)
{
    exchange_said *const said = &launch->said;
    const int seq_len = launch->job.seq_len;
    const int64_t all = p3d_mul(p3d_mul(said->micro_tokens, launch->plan.dp),
            launch->plan.pp > 1 ? said->n_micro_batches : 1);

    if (said->replica_batch > 0)
        return settle_sequences(launch, err);
    if (said->step_tokens <= 0)
        said->step_tokens = all;
    if (said->micro_tokens % seq_len != 0 ||
            said->micro_tokens / seq_len > INT32_MAX ||
            said->step_tokens % seq_len != 0)
        return p3d_fail(err, P3D_DATA,
                "training: %lld tokens of a micro-batch and %lld of a step are "
                "not whole sequences of %d tokens",
                (long long)said->micro_tokens, (long long)said->step_tokens,
                seq_len);
    launch->plan.micro_batch = (int)(said->micro_tokens / seq_len);
    launch->job.global_batch = said->step_tokens / seq_len;
    return true;
}

/* Linears are converted by a list of names: ["float8"], ["quantize.linear.mx"].
 * torchao's float8 has one scale a tensor where no recipe is named. */
static void settle_types(exchange_launch *launch)
{
    const exchange_said *const said = &launch->said;
    p3d_job *const job = &launch->job;
    const bool mx = strstr(said->converters, "linear.mx") != NULL ||
                    strstr(said->converters, "\"mx\"") != NULL;
    const bool float8 = strstr(said->converters, "float8") != NULL;

    job->dtype = mx || float8 ? P3D_FP8 : P3D_BF16;
    if (mx)
        job->fp8_recipe = P3D_FP8_MXFP8;
    else if (float8)
        job->fp8_recipe = said->fp8_recipe > 0
                                  ? (p3d_fp8_recipe)said->fp8_recipe
                                  : P3D_FP8_CURRENT;
    job->fp8_copies = job->dtype == P3D_FP8 && !said->fp8_weights;
}

/* One of N layers, counted on each rank: torchtitan@238fa9953 torchtitan/
 * distributed/activation_checkpoint.py (_apply_layer_sac). */
static void settle_layers(exchange_launch *launch)
{
    p3d_plan *const p = &launch->plan;
    const int every = launch->said.every_layer;

    if (every == 0 || p->recompute != P3D_RECOMPUTE_SELECTIVE)
        return;
    p->recompute_layers =
            every > 1 ? launch->model.n_layers / (p->pp * p->vp) / every : 0;
    p->recompute = every == 1 || p->recompute_layers > 0 ? P3D_RECOMPUTE_FULL
                                                         : P3D_RECOMPUTE_NONE;
}

static bool settle(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    const bool reshards_usually = p->pp == 1;
    int stages;

    if (!exchange_settle_shard(launch, err) || !settle_batch(launch, err))
        return false;
    count_flushes(launch);
    if (p->pp == 1)
        p->schedule = P3D_1F1B;
    stages = n_stages(launch);
    if (p->pp > 1 && stages % p->pp != 0)
        return p3d_fail(err, P3D_DATA,
                "parallelism: %d layers a stage make %d stages, which pp=%d "
                "does not divide",
                said->layers_per_stage, stages, p->pp);
    p->vp = p->pp > 1 ? stages / p->pp : 1;
    settle_layers(launch);
    p->zero = said->sharding == ALWAYS ||
                              (said->sharding == DEFAULT && reshards_usually)
                      ? 3
                      : 2;
    if (said->offload)
        p->offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    p->etp = p->ep > 1 ? 1 : p->tp;
    p->sequence_parallel = p->sequence_parallel && p->tp > 1;
    launch->job.eager = !said->compiled;
    if (said->pure)
        launch->job.master_dtype = P3D_STATE_NONE;
    settle_types(launch);
    return true;
}

static void note(const exchange_launch *launch, p3d_text *lines)
{
    spec_split split;

    if (launch->plan.pp > 1 &&
            spec_split_find(
                    &launch->model, &launch->job, &launch->plan, &split) &&
            split.n_larger > 0)
        p3d_text_add(lines, "torchtitan gives odd layers to the first stages, "
                            "the estimate to the last ones\n");
}

static const char *const unmodelled[] = {
        "parallelism.module_fqns_per_model_part",
        "parallelism.pipeline_parallel_schedule_csv",
        "parallelism.expert_tensor_parallel_degree",
        "parallelism.pipeline_parallel_split_points", "converters", NULL};

/* How a thing is done that other options ask for (torchtitan/config/
 * job_config.py). */
static const char *const harmless[] = {"optimizer.implementation",
        "checkpoint.export_dtype", "Config.export_dtype",
        /* Of converters, which stand under what is not modelled. */
        "quantize.linear.float8.filter_fqns",
        "quantize.linear.float8.enable_fsdp_float8_all_gather",
        "quantize.linear.float8.precompute_float8_dynamic_scale_for_fsdp",
        "quantize.linear.mx.filter_fqns", "quantize.grouped_mm.float8.fqns",
        "quantize.grouped_mm.mx.fqns",
        "float8.precompute_float8_dynamic_scale_for_fsdp",
        "activation_checkpoint.early_stop",
        "parallelism.expert_parallel_a2a_impl", NULL};

const exchange_target exchange_to_torchtitan = {
        .name = "torchtitan",
        .title = "torchtitan (PyTorch FSDP2)",
        .versions = "pytorch/torchtitan 0.3.0 and @b5bcd76c",
        .framework = "fsdp2",
        .tables = {{.form = EXCHANGE_FIELDS,
                .file = "plan3d_config.py",
                .before = "import importlib\n"
                          "import os\n\n"
                          "from torchtitan.distributed.activation_checkpoint "
                          "import FullAC, SelectiveAC\n\n\n"
                          "def base():\n"
                          "    module, name = os.environ[\"BASE_CONFIG\"]."
                          "split(\":\")\n"
                          "    return getattr(importlib.import_module(module), "
                          "name)()\n\n\n"
                          "def plan3d():\n"
                          "    cfg = base()\n",
                .after = "    return cfg\n",
                OPTIONS(options)}},
        .n_tables = 1,
        .unmodelled = unmodelled,
        .harmless = harmless,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "-m torchtitan.train --module plan3d_config --config plan3d",
        .defaults = defaults,
        .can_say = exchange_can_say_group,
        .say = say,
        .settle = settle,
        .notes = "the model, its data, optimizer and checkpoints are those "
                 "of BASE_CONFIG\n"
                 "CUDA graphs are off, as the estimate has them\n",
        .note = note,
        .variables = "export PYTHONPATH=$HERE:${PYTHONPATH:-}\n"
                     "export BASE_CONFIG=${BASE_CONFIG:?is module:function of "
                     "a configuration}\n",
};
