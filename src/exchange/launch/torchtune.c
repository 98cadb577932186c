/* SPDX-License-Identifier: GPL-3.0-or-later */
/* torchtune.c - recipes of torchtune: full and LoRA fine-tuning, on one GPU or
 * sharded by FSDP2.
 *
 * Names: pytorch/torchtune@bd2a0fc7 recipes/full_finetune_distributed.py,
 * lora_finetune_distributed.py, full_finetune_single_device.py and
 * lora_finetune_single_device.py, their configurations (recipes/configs),
 * torchtune/models/.../_model_builders.py, and torchtune/datasets/
 * _text_completion.py. Learning rates: recipes/configs/llama3_1/8B_full.yaml
 * and 8B_lora.yaml. AdamW in 8 bit is torchao's, which takes sharded tensors
 * (pytorch/ao torchao/optim). */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/peft.h"
#include "exchange/launch/target_rows.h"
#include "plan3d/workload.h"

/* What the models of a family share. */
typedef struct family {
    const char *folder; /* of torchtune.models */
    const char *tokenizer;
    const char *file;   /* of the tokenizer, in the checkpoint's folder */
    const char *merges; /* likewise; NULL = none */
    const char *checkpoint;
} family;

/* Both of the tokenizer's files where it is pairs of bytes. */
#define MODEL_FILE    "tokenizer.model", NULL
#define ORIGINAL_FILE "original/tokenizer.model", NULL
#define PAIRS         "vocab.json", "merges.txt"

static const family families[] = {
        {"llama2", "llama2.llama2_tokenizer", MODEL_FILE, "LLAMA2"},
        {"llama3", "llama3.llama3_tokenizer", ORIGINAL_FILE, "LLAMA3"},
        {"llama3_1", "llama3.llama3_tokenizer", ORIGINAL_FILE, "LLAMA3"},
        {"llama3_2", "llama3.llama3_tokenizer", ORIGINAL_FILE, "LLAMA3_2"},
        {"mistral", "mistral.mistral_tokenizer", MODEL_FILE, "MISTRAL"},
        {"gemma", "gemma.gemma_tokenizer", MODEL_FILE, "GEMMA"},
        {"gemma2", "gemma.gemma_tokenizer", MODEL_FILE, "GEMMA2"},
        {"phi3", "phi3.phi3_mini_tokenizer", MODEL_FILE, "PHI3_MINI"},
        {"qwen2", "qwen2.qwen2_tokenizer", PAIRS, "QWEN2"},
        {"qwen2_5", "qwen2_5.qwen2_5_tokenizer", PAIRS, "QWEN2"},
        {"qwen3", "qwen3.qwen3_tokenizer", PAIRS, "QWEN3"},
};

/* Models that have a function of their own, and the parameters of what it
 * builds: a model of another name is that of the first row with as many. */
static const struct {
    const char *model;
    const char *folder;
    const char *builder;
    int64_t n_parameters;
} builders[] = {
        {"llama-2-7b", "llama2", "llama2_7b", 6738415616},
        {"llama-2-13b", "llama2", "llama2_13b", 13015864320},
        {"llama-2-70b", "llama2", "llama2_70b", 68976648192},
        {"llama-3.1-8b", "llama3_1", "llama3_1_8b", 8030261248},
        {"llama-3.1-70b", "llama3_1", "llama3_1_70b", 70553706496},
        {"llama-3.1-405b", "llama3_1", "llama3_1_405b", 405853388800},
        {"llama-3.2-1b", "llama3_2", "llama3_2_1b", 1235814400},
        {"llama-3.2-3b", "llama3_2", "llama3_2_3b", 3212749824},
        {"llama-3-8b", "llama3", "llama3_8b", 8030261248},
        {"llama-3-70b", "llama3", "llama3_70b", 70553706496},
        {"mistral-7b-v0.1", "mistral", "mistral_7b", 7241732096},
        {"gemma-2b", "gemma", "gemma_2b", 2506172416},
        {"gemma-7b", "gemma", "gemma_7b", 8537680896},
        {"gemma-2-2b", "gemma2", "gemma2_2b", 2614341888},
        {"gemma-2-9b", "gemma2", "gemma2_9b", 9241705984},
        {"gemma-2-27b", "gemma2", "gemma2_27b", 27227128320},
        {"phi-3-mini", "phi3", "phi3_mini", 3821079552},
        {"qwen2.5-0.5b", "qwen2_5", "qwen2_5_0_5b", 494032768},
        {"qwen2.5-1.5b", "qwen2_5", "qwen2_5_1_5b_base", 1543714304},
        {"qwen2.5-3b", "qwen2_5", "qwen2_5_3b", 3085938688},
        {"qwen2.5-7b", "qwen2_5", "qwen2_5_7b_base", 7615616512},
        {"qwen2.5-14b", "qwen2_5", "qwen2_5_14b_base", 14770033664},
        {"qwen2.5-32b", "qwen2_5", "qwen2_5_32b_base", 32763876352},
        {"qwen2.5-72b", "qwen2_5", "qwen2_5_72b_base", 72706203648},
        {"qwen2-0.5b", "qwen2", "qwen2_0_5b", 494032768},
        {"qwen2-7b", "qwen2", "qwen2_7b", 7615616512},
        {"qwen3-0.6b", "qwen3", "qwen3_0_6b_base", 596049920},
        {"qwen3-1.7b", "qwen3", "qwen3_1_7b_base", 1720574976},
        {"qwen3-4b", "qwen3", "qwen3_4b_base", 4022468096},
        {"qwen3-8b", "qwen3", "qwen3_8b_base", 8190735360},
        {"qwen3-14b", "qwen3", "qwen3_14b_base", 14768307200},
        {"qwen3-32b", "qwen3", "qwen3_32b", 32762123264},
};

static const char *const precisions[P3D_N_DTYPES] = {
        [P3D_FP32] = "fp32", [P3D_BF16] = "bf16"};
static const char *const optimizers[P3D_N_OPTIMIZERS] = {
        [P3D_ADAM] = "torch.optim.AdamW",
        [P3D_ADAM_8BIT] = "torchao.optim.AdamW8bit"};

static const char *const bases[P3D_N_BASES] = {[P3D_BASE_NF4] = "nf4"};

/* clang-format off */
TEST(is_sharded, l->n_gpus > 1)
TEST(is_fused, l->job.optimizer == P3D_ADAM)
TEST(has_merges, l->said.merges[0] != '\0')
TEST(has_dora, l->job.adapters.dora)
TEST(has_nf4, l->job.adapters.base == P3D_BASE_NF4)
TEST(has_mlp, exchange_has_adapters(l) && (exchange_has_all_targets(l) ||
    (l->job.adapters.targets & P3D_TARGET_UP) != 0))
TEST(has_no_mlp, exchange_has_adapters(l) && !has_mlp(l))

static const exchange_option settings[] = {
    FIXED("output_dir", "OUTPUT"), /* with CHECKPOINT: by the launch script */
    VALUE("tokenizer._component_", said.tokenizer),
    {VALUE_ROW("tokenizer.path", said.tokenizer_file), .raw = true},
    {VALUE_ROW("tokenizer.merges_file", said.merges), .raw = true,
        .when = has_merges},
    VALUE("tokenizer.max_seq_len", job.seq_len),
    FIXED("dataset._component_", "torchtune.datasets.text_completion_dataset"),
    FIXED("dataset.source", "json"),
    FIXED("dataset.data_files", "DATA"),
    FIXED("dataset.column", "text"),
    FIXED("dataset.packed", "true"),
    RAW("seed", "null"),
    FIXED("shuffle", "true"),
    VALUE("model._component_", said.component),
    {VALUE_ROW("model.lora_attn_modules", said.adapted_names), .raw = true,
        .when = exchange_has_adapters},
    FIXED_WHEN("model.apply_lora_to_mlp", "true", has_mlp),
    FIXED_WHEN("model.apply_lora_to_mlp", "false", has_no_mlp),
    VALUE_WHEN("model.lora_rank", job.adapters.rank, exchange_has_adapters),
    VALUE_WHEN("model.lora_alpha", said.adapter_alpha, exchange_has_adapters),
    VALUE_WHEN("model.lora_dropout", job.adapters.dropout,
        exchange_has_adapters),
    VALUE_WHEN("model.use_dora", job.adapters.dora, has_dora),
    FIXED_WHEN("model.quantize_base", "true", has_nf4),
    WORD_WHEN("base", job.adapters.base, bases, exchange_never),
    FIXED("checkpointer._component_",
        "torchtune.training.FullModelHFCheckpointer"),
    FIXED("checkpointer.checkpoint_dir", "CHECKPOINT"),
    RAW("checkpointer.checkpoint_files", "[]"),
    RAW("checkpointer.recipe_checkpoint", "null"),
    RAW("checkpointer.output_dir", "${output_dir}"),
    VALUE("checkpointer.model_type", said.checkpoint),
    FIXED("resume_from_checkpoint", "false"),
    FIXED_WHEN("save_adapter_weights_only", "false", exchange_has_adapters),
    WORD("optimizer._component_", job.optimizer, optimizers),
    FIXED_WHEN("optimizer.fused", "true", is_fused),
    FIXED_WHEN("optimizer.lr", "2e-5", exchange_trains_all),
    FIXED_WHEN("optimizer.lr", "3e-4", exchange_has_adapters),
    FIXED("lr_scheduler._component_",
        "torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup"),
    FIXED("lr_scheduler.num_warmup_steps", "10"),
    FIXED("loss._component_", "torchtune.modules.loss.LinearCrossEntropyLoss"),
    FIXED("epochs", "1"),
    FIXED("max_steps_per_epoch", "100"),
    VALUE("batch_size", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    VALUE_WHEN("optimizer_in_bwd", job.optimizer_in_backward,
        exchange_trains_all),
    RAW("clip_grad_norm", "null"),
    VALUE("compile", said.compiled),
    FIXED("device", "cuda"),
    WORD("dtype", job.dtype, precisions),
    VALUE("enable_activation_checkpointing", said.recompute),
    VALUE("enable_activation_offloading", said.offloads_activations),
    FIXED_WHEN("fsdp_cpu_offload", "false", is_sharded),
    VALUE_WHEN("fsdp_reshard_after_forward", said.reshard, is_sharded),
    FIXED("metric_logger._component_",
        "torchtune.training.metric_logging.DiskLogger"),
    RAW("metric_logger.log_dir", "${output_dir}/logs"),
    FIXED("log_every_n_steps", "1"),
    FIXED("log_peak_memory_stats", "true"),
    FIXED("log_level", "INFO"),
};
/* clang-format on */

/* Of the profile: what one switch says, for all layers. */
static void narrow(p3d_framework *framework)
{
    framework->tensor_parallel = false; /* its table of layers is the model's */
    framework->modules = framework->usual_modules = 0;
    framework->lacks |=
            P3D_LACKS_LAYER_COUNTS | P3D_LACKS_SELECTIVE | P3D_LACKS_FP8;
}

/* The row of a model; past the last where there is none. */
static int builder_of(const p3d_model *model)
{
    const int64_t n_parameters = p3d_total_params(model);
    int alike = P3D_COUNT_OF(builders);

    for (int i = P3D_COUNT_OF(builders) - 1; i >= 0; i--) {
        if (strcmp(builders[i].model, model->name) == 0)
            return i;
        if (builders[i].n_parameters == n_parameters)
            alike = i;
    }
    return alike;
}

static bool can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_adapters *const a = &launch->job.adapters;
    const unsigned mlp = P3D_TARGET_GATE | P3D_TARGET_UP | P3D_TARGET_DOWN;

    if (!P3D_HAS(builders, builder_of(&launch->model)))
        return exchange_target_refuse(refusal, "X1",
                "torchtune has no function that builds %s; try another target, "
                "such as hf-fsdp or axolotl",
                launch->model.name);
    if ((a->targets & mlp) != 0 && (a->targets & mlp) != mlp)
        return exchange_target_refuse(refusal, "X2",
                "torchtune's LoRA has all matrices of the MLP or none; write "
                "gate+up+down in targets of --lora");
    if (a->trained != 0)
        return exchange_target_refuse(refusal, "X2",
                "torchtune trains nothing beside its adapters; leave out "
                "train of --lora");
    if (optimizers[launch->job.optimizer] == NULL)
        return exchange_target_refuse(refusal, "X2",
                "torchtune's sharded optimizers are adam and adam-8bit; leave "
                "out --optimizer %s",
                p3d_optimizer_of(launch->job.optimizer)->name);
    if (launch->job.loss != P3D_LOSS_USUAL &&
            launch->job.loss != P3D_LOSS_COMPILED)
        return exchange_target_refuse(refusal, "X2",
                "torchtune's chunked loss is all that the files say; leave out "
                "--loss %s",
                p3d_loss_name(launch->job.loss));
    return !launch->job.optimizer_in_backward ||
           launch->said.n_micro_batches == 1 ||
           exchange_target_refuse(refusal, "X2",
                   "torchtune's optimizer in the backward pass takes one "
                   "micro-batch a step; leave out --optimizer-in-backward or "
                   "raise mbs");
}

/* Modules of the attention that have adapters, in torchtune's names. */
static void say_adapted(const p3d_adapters *adapters, char *out, size_t size)
{
    static const struct {
        unsigned target;
        const char *name;
    } rows[] = {{P3D_TARGET_Q, "q_proj"}, {P3D_TARGET_K, "k_proj"},
            {P3D_TARGET_V, "v_proj"}, {P3D_TARGET_O, "output_proj"}};
    p3d_text names = {0};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        if (adapters->targets == 0 || (adapters->targets & rows[i].target) != 0)
            p3d_text_add(
                    &names, "%s%s", names.length > 0 ? ", " : "", rows[i].name);
    }
    snprintf(out, size, "[%s]", p3d_text_get(&names));
    p3d_text_free(&names);
}

static void say_model(exchange_launch *launch)
{
    exchange_said *const said = &launch->said;
    const int row = builder_of(&launch->model);
    const family *of = families;

    if (!P3D_HAS(builders, row))
        return; /* can_say() refuses it */
    while (strcmp(of->folder, builders[row].folder) != 0)
        of++;
    snprintf(said->component, sizeof(said->component),
            "torchtune.models.%s.%s%s", of->folder,
            exchange_has_adapters(launch) ? "lora_" : "",
            builders[row].builder);
    snprintf(said->tokenizer, sizeof(said->tokenizer), "torchtune.models.%s",
            of->tokenizer);
    snprintf(said->tokenizer_file, sizeof(said->tokenizer_file),
            "${checkpointer.checkpoint_dir}/%s", of->file);
    if (of->merges != NULL)
        snprintf(said->merges, sizeof(said->merges),
                "${checkpointer.checkpoint_dir}/%s", of->merges);
    snprintf(said->checkpoint, sizeof(said->checkpoint), "%s", of->checkpoint);
}

static void say(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    say_model(launch);
    say_adapted(&launch->job.adapters, said->adapted_names,
            sizeof(said->adapted_names));
    said->adapter_alpha = EXCHANGE_ALPHA_OF_RANK * launch->job.adapters.rank;
    said->compiled = !launch->job.eager;
    said->recompute = p->recompute == P3D_RECOMPUTE_FULL;
    said->offloads_activations = p->activation_offload_frac > 0;
    said->reshard = p->zero == 3;
}

static void environment(const exchange_launch *launch, p3d_text *lines)
{
    p3d_text_add(lines, "export RECIPE=%s_finetune_%s.py\n",
            exchange_has_adapters(launch) ? "lora" : "full",
            is_sharded(launch) ? "distributed" : "single_device");
}

static void defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
}

const exchange_target exchange_to_torchtune = {
        .name = "torchtune",
        .title = "torchtune",
        .versions = "pytorch/torchtune@bd2a0fc7",
        .framework = "torchtune",
        .reads_as = "accelerate",
        .front = "torchtune",
        .tables = {{.form = EXCHANGE_YAML,
                .file = "torchtune.yaml",
                OPTIONS(settings)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "\"$RECIPES/$RECIPE\" --config \"$HERE/torchtune.yaml\" \\\n"
                   "    \"checkpointer.checkpoint_dir=$CHECKPOINT\" \\\n"
                   "    \"checkpointer.checkpoint_files=[$(cd \"$CHECKPOINT\" "
                   "&&\n"
                   "        ls ./*.safetensors | paste -sd, -)]\" \\\n"
                   "    \"dataset.data_files=$DATA_PATH\" "
                   "\"output_dir=$OUTPUT\"",
        .next_tokens = true,
        .narrow = narrow,
        .defaults = defaults,
        .can_say = can_say,
        .say = say,
        .notes = "texts are packed into whole sequences, as the estimate has "
                 "them\n",
        .variables =
                "export CHECKPOINT=${CHECKPOINT:?is the folder that tune "
                "download wrote}\n"
                "export DATA_PATH=${DATA_PATH:?is a file of JSON lines with a "
                "field text}\n"
                "export OUTPUT=${OUTPUT:-$HERE/output}\n"
                "RECIPES=$(python3 -c 'import os, torchtune\n"
                "print(os.path.dirname(os.path.dirname(torchtune.__file__)))')/"
                "recipes\n",
        .environment = environment,
};
