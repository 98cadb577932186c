/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_words.c - the words of a run, and what plan3d calls it. */
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "exchange/runs/corpus.h"
#include "spec/adapters.h"
#include "spec/lengths.h"
#include "spec/sizes.h"

/* The number after a word of the notes ("mtp-num-layers=1"), or otherwise. */
static int number_after(const char *notes, const char *word, int otherwise)
{
    const char *const said = strstr(notes, word);
    int64_t value = otherwise;

    if (said != NULL)
        p3d_scan_whole(said + strlen(word), &value);
    return (int)value;
}

static bool says(const exchange_run *row, const char *word)
{
    return strstr(row->notes, word) != NULL;
}

/* The functional tests of Megatron-LM run with CUBLAS_WORKSPACE_CONFIG=:4096:8
 * (225 of 271 files model_config.yaml): 8 pieces of 4 MiB on every GPU. */
enum { TEST_CUBLAS_BYTES = 8 * 4096 * 1024 };

/* Those that defer the output matrix's gradient set --wgrad-deferral-limit 2.*/
enum { TEST_DEFERRED = 2 };

static exchange_meter unstated_meter(const exchange_run *row)
{
    /* FlagPerf@1b5a030 training/nvidia/nvidia_monitor.py:78 reads nvidia-smi;
     * the text of the gist names max_memory_allocated. */
    static const struct {
        const char *ref;
        exchange_meter meter;
    } known[] = {{"FlagOpen/FlagPerf", EXCHANGE_METER_DEVICE},
            {"chenyaofo", EXCHANGE_METER_ALLOCATED}};

    for (int i = 0; i < P3D_COUNT_OF(known); i++) {
        if (strstr(row->ref, known[i].ref) != NULL)
            return known[i].meter;
    }
    return EXCHANGE_METER_RESERVED;
}

static bool is_test(const exchange_run *row)
{
    return strstr(row->ref, "tests/functional_tests") != NULL;
}

static void set_test(const exchange_run *row, p3d_job *job)
{
    if (!is_test(row))
        return;
    job->cublas_bytes = TEST_CUBLAS_BYTES;
    job->separate_experts = !says(row, "moe-grouped-gemm");
    if (job->deferred_logits > 0)
        job->deferred_logits = TEST_DEFERRED;
}

/* Performance recipes that overlap tensor-parallel communication without saying
 * so in the table: NeMo-Framework-Launcher@26e42fa9 launcher_scripts/conf;
 * Megatron-Bridge@067f987 scripts/performance (but not in nvfp4). */
static bool recipe_overlaps(const exchange_run *row)
{
    static const struct {
        const char *source;
        const char *model;
    } recipes[] = {
            {"nemo-docs", "LLAMA2-70B"},
            {"nemo-docs", "LLAMA3-70B"},
            {"nemo-docs", "GPT3-20B"},
            {"megatron-bridge", "LLAMA3_70B"},
            {"megatron-bridge", "LLAMA3.1_405B"},
    };

    if (strcmp(row->dtype, "nvfp4") == 0)
        return false;
    for (int i = 0; i < P3D_COUNT_OF(recipes); i++) {
        if (strcmp(row->source, recipes[i].source) == 0 &&
                strstr(row->model, recipes[i].model) != NULL)
            return true;
    }
    return false;
}

/* What the performance recipes of a framework ask for, whose tables do not say
 * it: gradients are added up and reduced in 16 bit, fp8 runs keep their weights
 * in fp8 (as does examples/llama of Megatron-LM@d98e8a64), and segments grow
 * (401 of 432 recipes of Megatron-Bridge). Source: Megatron-Bridge@067f987
 * src/megatron/bridge/perf_recipes/_common.py:72-74, training/
 * mixed_precision.py:231, 264, 302 (but for gpt-oss: perf_recipes/gpt_oss/
 * common.py:57); NeMo@8cfedd72 nemo/collections/llm/recipes/gpt3_175b.py:244,
 * recipes/precision/mixed_precision.py:70; NeMo-Framework-Launcher@26e42fa9
 * launcher_scripts/conf/training/gpt3/mlperf.yaml (fp8_params,
 * grad_sync_dtype). */
static const struct {
    const char *framework;
    bool grows;
} performance_recipes[] = {{"Megatron-Bridge", true}, {"NeMo", false}};

static void set_recipe(const exchange_run *row, p3d_job *job)
{
    for (int i = 0; i < P3D_COUNT_OF(performance_recipes); i++) {
        if (strstr(row->framework, performance_recipes[i].framework) == NULL ||
                !job->framework->typed_states)
            continue;
        job->gradient_dtype = P3D_STATE_IN_16;
        job->fp8_copies = strstr(row->model, "GPT OSS") != NULL;
        if (performance_recipes[i].grows && job->allocator == 0)
            job->allocator = P3D_ALLOCATOR_EXPANDABLE;
    }
}

/* Recipes of fp8, by the data type and by words of the notes; of Megatron-
 * Bridge's rows "fp8" stands for its fp8_cs, and of others for what their
 * framework usually does. Source: Megatron-Bridge@067f987 src/megatron/bridge/
 * perf_recipes/_common.py:110-119. */
static void set_fp8_recipe(const exchange_run *row, p3d_job *job)
{
    static const struct {
        const char *dtype; /* how it begins */
        const char *note;
        const char *framework;
        p3d_fp8_recipe recipe;
    } recipes[] = {{"mxfp8", "", "", P3D_FP8_MXFP8},
            {"fp8_block", "", "", P3D_FP8_BLOCKWISE},
            {"fp8", "fp8 rowwise", "", P3D_FP8_ROWWISE},
            {"fp8", "scaling rowwise", "", P3D_FP8_ROWWISE},
            {"fp8", "fp8-recipe=tensorwise", "", P3D_FP8_CURRENT},
            {"fp8", "", "Megatron-Bridge", P3D_FP8_CURRENT}};

    for (int i = P3D_COUNT_OF(recipes) - 1; i >= 0; i--) {
        if (strncmp(row->dtype, recipes[i].dtype, strlen(recipes[i].dtype)) ==
                        0 &&
                says(row, recipes[i].note) &&
                strstr(row->framework, recipes[i].framework) != NULL)
            job->fp8_recipe = recipes[i].recipe;
    }
}

static void set_optimizer(const exchange_run *row, p3d_job *job)
{
    static const struct {
        const char *word;
        p3d_optimizer optimizer;
    } words[] = {{"Muon optimizer", P3D_MUON}, {"optimizer=muon", P3D_MUON},
            {"8bit AdamW", P3D_ADAM_8BIT}, {"AdamW8bit", P3D_ADAM_8BIT}};

    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        if (says(row, words[i].word))
            job->optimizer = words[i].optimizer;
    }
    if (says(row, "main-grads-dtype=bf16") || says(row, "bf16 main gradients"))
        job->gradient_dtype = P3D_STATE_IN_16;
    if (says(row, "exp-avg-dtype=bf16"))
        job->moment_dtype = P3D_STATE_IN_16;
    if (says(row, "store-param-remainders"))
        job->master_dtype = P3D_STATE_IN_16;
    /* Ablations that are added one after the other. */
    job->optimizer_in_backward = says(row, "optim in bwd") ||
                                 says(row, "optimizer-in-backward") ||
                                 says(row, "step \"+activation offload\"") ||
                                 says(row, "step \"+8bit AdamW\"");
}

/* Kernels are loaded when they are first used since PyTorch 1.13 (2022-10):
 * torch/cuda/__init__.py, CUDA_MODULE_LOADING; the driver has to be of R515 or
 * newer: CUDA Programming Guide 13, section 4.7.3.2. */
enum { LAZY_SINCE = 2023 };

static void read_notes(const exchange_run *row, exchange_case *out)
{
    p3d_job *const job = &out->problem.job;
    p3d_plan *const plan = &out->plan;
    const int replicas = plan->dp * plan->cp;
    const int instances =
            number_after(row->notes, "num-distributed-optimizer-instances=", 1);

    set_optimizer(row, job);
    job->fp8_copies =
            !says(row, "fp8-param-gather") && !says(row, "fp8 all-gather");
    set_recipe(row, job);
    set_fp8_recipe(row, job);
    job->loads_all_kernels = (row->year > 0 && row->year < LAZY_SINCE) ||
                             says(row, "driver 470");
    job->whole_at_start = says(row, "whole model on each GPU at the start");
    job->tp_overlap = row->tp_overlap < 0 ? says(row, "tp-comm-overlap") ||
                                                    recipe_overlaps(row)
                                          : row->tp_overlap == 1;
    job->n_mtp_layers = number_after(row->notes, "mtp-num-layers=", 0);
    if (says(row, "defer-embedding-wgrad-compute"))
        job->deferred_logits = number_after(
                row->notes, "wgrad-deferral-limit=", (int)row->global_batch);
    /* SimuMax@4dcaae5 docs/b200/b200_real_repro_guide.md:286. */
    if (strstr(row->ref, "MooreThreads/SimuMax") != NULL ||
            says(row, "cp-comm-type=a2a"))
        job->cp_comm = P3D_CP_ALL_TO_ALL;
    set_test(row, job);
    plan->uneven = plan->vp > 1;
    plan->first_layers =
            number_after(row->notes, "decoder-first-pipeline-num-layers=", 0);
    plan->last_layers =
            number_after(row->notes, "decoder-last-pipeline-num-layers=", 0);
    if (instances > 1 && replicas % instances == 0)
        plan->shard = replicas / instances;
}

/* clang-format off */
/* Words of a column, all of it or up to a colon, and the value. */
typedef struct word_row {
    const char *word;
    int value;
} word_row;

static const word_row shardings[] = {
    {"", 0}, {"ddp", 0}, {"dist_opt", 1}, {"zero1", 1}, {"zero2", 2},
    {"zero3", 3}, {"zero3++", 3}, {"fsdp", 3}, {"hsdp", 3},
};

static const word_row recomputes[] = {
    {"", P3D_RECOMPUTE_NONE}, {"none", P3D_RECOMPUTE_NONE},
    {"full", P3D_RECOMPUTE_FULL}, {"selective", P3D_RECOMPUTE_SELECTIVE},
};

static const word_row schedules[] = {
    {"", P3D_1F1B}, {"1f1b", P3D_1F1B}, {"gpipe", P3D_GPIPE},
    {"1f1b-interleaved", P3D_INTERLEAVED},
    {"zb-1p", P3D_ZB_H1}, {"zb-2p", P3D_ZB_H2},
};

static const word_row dtypes[] = {
    {"fp32", P3D_FP32}, {"fp16", P3D_FP16}, {"bf16", P3D_BF16},
    {"fp8", P3D_FP8}, {"mxfp8", P3D_FP8}, {"fp8_block", P3D_FP8},
    {"nvfp4", P3D_NVFP4},
};

static const word_row attentions[] = {
    {"flash", P3D_FLASH}, {"fused", P3D_FLASH}, {"eager", P3D_EAGER},
    {"efficient", P3D_EFFICIENT}, {"flash1", P3D_FLASH_1},
    {"flash2", P3D_FLASH_2}, {"flash3", P3D_FLASH_3}, {"cudnn", P3D_CUDNN},
    {"flash4", P3D_FLASH_4},
};

static const word_row dispatchers[] = {
    {"", P3D_DISPATCH_ALL_TO_ALL}, {"alltoall", P3D_DISPATCH_ALL_TO_ALL},
    {"allgather", P3D_DISPATCH_ALL_GATHER}, {"deepep", P3D_DISPATCH_DEEPEP},
    {"hybridep", P3D_DISPATCH_HYBRIDEP},
};

static const word_row reductions[] = {
    {"", P3D_STATE_USUAL}, {"fp32", P3D_STATE_IN_FP32},
    {"bf16", P3D_STATE_IN_16}, {"fp16", P3D_STATE_IN_16},
};

static const word_row graphs[] = {
    {"", P3D_GRAPHS_NONE}, {"none", P3D_GRAPHS_NONE},
    {"layers", P3D_GRAPHS_LAYERS}, {"step", P3D_GRAPHS_STEP},
};

static const word_row offloads[] = {
    {"", P3D_OFFLOAD_NONE}, {"none", P3D_OFFLOAD_NONE},
    {"optimizer", P3D_OFFLOAD_OPTIMIZER},
    {"optimizer+params", P3D_OFFLOAD_OPTIMIZER_PARAMETERS},
};

static const word_row allocators[] = {
    {"", P3D_ALLOCATOR_USUAL}, {"fixed", P3D_ALLOCATOR_FIXED},
    {"expandable", P3D_ALLOCATOR_EXPANDABLE},
};

static const word_row meters[] = {
    {"", EXCHANGE_METER_RESERVED}, {"unstated", EXCHANGE_METER_RESERVED},
    {"allocated", EXCHANGE_METER_ALLOCATED},
    {"reserved", EXCHANGE_METER_RESERVED},
    {"nvidia_smi", EXCHANGE_METER_DEVICE},
};

static const word_row stages[] = {
    {"", EXCHANGE_STAGE_HIGHEST}, {"max_over_ranks", EXCHANGE_STAGE_HIGHEST},
    {"last", EXCHANGE_STAGE_LAST}, {"one_rank", 0},
    {"max_of_first_and_last", EXCHANGE_STAGE_FIRST_OR_LAST},
};

/* Implementation of the loss, by words of the notes and of the framework; the
 * first row that matches. Megatron's was not in place until 2025: the same
 * line stands in core_v0.6.0 megatron/core/tensor_parallel/cross_entropy.py. */
static const struct {
    const char *note;
    const char *framework;
    int before; /* runs of earlier years only; 0 = of all */
    p3d_loss loss;
} losses[] = {
    {"cross-entropy-fusion-impl=te", "", 0, P3D_LOSS_TE_FUSED},
    {"cross-entropy-loss-fusion", "", 0, P3D_LOSS_NATIVE_FUSED},
    {"cross-entropy fusion on", "", 0, P3D_LOSS_TE_FUSED},
    {"", "Megatron-Bridge", 0, P3D_LOSS_TE_FUSED},
    {"", "Liger", 0, P3D_LOSS_LIGER},
    {"step \"packed\"", "torchtune", 0, P3D_LOSS_EAGER},
    {"step \"+compile\"", "torchtune", 0, P3D_LOSS_EAGER},
    {"repo d98e8a6", "", 0, P3D_LOSS_USUAL},
    {"", "Megatron-DeepSpeed", 0, P3D_LOSS_USUAL},
    {"", "Megatron-LM", 2025, P3D_LOSS_VOCAB_PARALLEL_COPY},
    {"", "PaddleNLP", 0, P3D_LOSS_VOCAB_PARALLEL_COPY},
    {"", "", 0, P3D_LOSS_USUAL},
};

/* Fused kernels of the frameworks' older versions. */
static const struct {
    const char *framework;
    const char *note;
    p3d_attention kernel;
} kernels[] = {
    /* maxtext@e591f30 configs/models/gpu: cudnn_flash_te. */
    {"MaxText on TPU", "", P3D_FLASH_2},
    {"MaxText", "", P3D_CUDNN},
    {"AA-Scaling", "flash_attentionv1", P3D_FLASH_1},
};

/* Runs that train in a way that plan3d does not model: words of the notes or
 * of the kind. */
static const struct {
    const char *word;
    const char *reason;
} unmodelled_notes[] = {
    {"hybrid-layer-pattern", "its Mamba layers are not said"},
    {"test_cases/nemotron/", "its Mamba layers are not said"},
    {"pipeline-model-parallel-layout", "its layout of layers is not read"},
    {"export-kd-teacher-load", "distillation keeps a teacher, which is not "
        "modelled"},
};
/* clang-format on */

static bool find_word(
        const word_row *rows, int n, const char *text, size_t length, int *out)
{
    for (int i = 0; i < n; i++) {
        if (strlen(rows[i].word) == length &&
                strncmp(rows[i].word, text, length) == 0) {
            *out = rows[i].value;
            return true;
        }
    }
    return false;
}

#define FIND(rows, text, length, out) \
    find_word(rows, P3D_COUNT_OF(rows), text, length, out)

/* The same for all of a column, or the reason why the run cannot be predicted.
 */
#define READ(rows, text, out, ...)          \
    (FIND(rows, text, strlen(text), out) || \
            exchange_corpus_refuse(reason, __VA_ARGS__, text))

/* The whole number after the colon of "full:4"; 0 = no colon, -1 = no number.
 */
static int number_after_colon(const char *text)
{
    const char *const colon = strchr(text, ':');
    int64_t value;
    size_t used;

    if (colon == NULL)
        return 0;
    used = p3d_scan_whole(colon + 1, &value);
    return colon[1 + used] != '\0' || value < 1 || value > 1 << 24 ? -1
                                                                   : (int)value;
}

static void assume(exchange_case *c, int what)
{
    c->assumed |= 1u << what;
}

/* What the notes say, or: GPT trained with dropout, LLaMA and what came after
 * did not. */
static bool has_dropout(const exchange_run *row, p3d_attention attention)
{
    static const char word[] = "hidden-dropout=";
    const char *const said = strstr(row->notes, word);

    if (said != NULL)
        return strncmp(said + sizeof(word) - 1, "0.0", 3) != 0;
    if (is_test(row)) /* that says nothing: the default, 0.1 */
        return row->gated_mlp == 0 &&
               (row->attention[0] == '\0' || attention == P3D_EAGER);
    return attention == P3D_EAGER && row->gated_mlp == 0;
}

/* True where a run that does not say it used a fused kernel: such kernels were
 * usual for its framework then, and the GPU runs one of them. */
static bool is_fused(const exchange_run *row,
        const exchange_framework *framework, const p3d_problem *problem)
{
    p3d_job job = problem->job;

    job.attention = P3D_FLASH;
    p3d_job_default_attention(&job, &problem->model, &problem->cluster.gpu);
    return (row->year < 0 || row->year >= framework->flash_from) &&
           job.attention != P3D_EAGER;
}

/* Generation of the fused kernel, where it is not the profile's of today. */
static p3d_attention find_kernel(
        const exchange_run *row, const p3d_problem *problem)
{
    p3d_job job = problem->job;

    for (int i = 0; i < P3D_COUNT_OF(kernels); i++) {
        if (strstr(row->framework, kernels[i].framework) != NULL &&
                says(row, kernels[i].note))
            return kernels[i].kernel;
    }
    job.attention = P3D_FLASH;
    p3d_job_default_attention(&job, &problem->model, &problem->cluster.gpu);
    return job.attention == P3D_CUDNN &&
                           row->year < job.framework->sdpa_cudnn_since
                   ? P3D_FLASH_2
                   : P3D_FLASH;
}

static bool read_attention(const exchange_run *row,
        const exchange_framework *framework, exchange_case *out,
        exchange_reason *reason)
{
    int value = P3D_FLASH;

    if (row->attention[0] == '\0') {
        const bool is_flash = is_fused(row, framework, &out->problem);

        value = is_flash ? P3D_FLASH : P3D_EAGER;
        assume(out, is_flash ? EXCHANGE_ASSUMED_FLASH : EXCHANGE_ASSUMED_EAGER);
    } else if (!READ(attentions, row->attention, &value,
                       "attention %.40s is not modelled")) {
        return false;
    }
    if (value == P3D_FLASH)
        value = (int)find_kernel(row, &out->problem);
    out->problem.job.attention = (p3d_attention)value;
    out->problem.job.dropout = has_dropout(row, (p3d_attention)value);
    return true;
}

static bool read_launches(
        const exchange_run *row, p3d_job *job, exchange_reason *reason)
{
    int value = 0;
    int graph = 0;

    if (!READ(dispatchers, row->dispatcher, &value,
                "dispatcher %.40s is not modelled") ||
            !READ(graphs, row->cuda_graphs, &graph,
                    "cuda_graphs %.40s is not modelled"))
        return false;
    job->dispatcher = (p3d_dispatcher)value;
    job->expert_overlap = row->expert_overlap == 1;
    job->graphs = (p3d_graphs)graph;
    job->launch_blocking = row->launch_blocking == 1;
    job->gc_interval = row->gc_interval > 0 ? row->gc_interval : 0;
    return true;
}

static bool read_sharing(
        const exchange_run *row, p3d_job *job, exchange_reason *reason)
{
    int value = 0;

    if (!READ(reductions, row->reduce_dtype, &value,
                "reduce_dtype %.20s is not modelled"))
        return false;
    job->reduce_dtype = (p3d_state_dtype)value;
    job->dp_overlap = row->dp_overlap < 0    ? P3D_OVERLAP_USUAL
                      : row->dp_overlap == 0 ? P3D_OVERLAP_OFF
                                             : P3D_OVERLAP_ON;
    return true;
}

/* The loss that the column names, or that is usual; P3D_N_LOSSES where it names
 * none that is known. */
static p3d_loss find_loss(const exchange_run *row)
{
    int i = 0;

    if (row->loss[0] != '\0') {
        while (i < P3D_N_LOSSES &&
                strcmp(row->loss, p3d_loss_name((p3d_loss)i)) != 0)
            i++;
        return (p3d_loss)i;
    }
    while (strstr(row->notes, losses[i].note) == NULL ||
            strstr(row->framework, losses[i].framework) == NULL ||
            (losses[i].before > 0 && row->year >= losses[i].before))
        i++;
    return losses[i].loss;
}

static bool read_job(
        const exchange_run *row, exchange_case *out, exchange_reason *reason)
{
    const exchange_framework *const framework = exchange_framework_of(row);
    p3d_job *const job = &out->problem.job;
    int dtype = 0;
    int allocator = 0;

    if (row->dtype[0] == '\0')
        return exchange_corpus_refuse(reason, "dtype is not stated");
    if (!READ(dtypes, row->dtype, &dtype, "dtype %.20s is not modelled"))
        return false;
    job->dtype = (p3d_dtype)dtype;
    /* sail-sg/zero-bubble-pipeline-parallelism@f68d3879
     * examples/pretrain_zero_bubble.sh:100 (--fp16). */
    if (strstr(row->framework, "sail-sg") != NULL &&
            strstr(row->notes, "assumed:dtype") != NULL)
        job->dtype = P3D_FP16;
    job->framework = p3d_framework_find(framework->profile);
    P3D_ASSERT(job->framework != NULL);
    if (framework->stands_in)
        assume(out, EXCHANGE_ASSUMED_STAND_IN);
    if (strcmp(row->kind, "sft") == 0 && row->lengths[0] == '\0')
        assume(out, EXCHANGE_ASSUMED_PACKED);
    if (row->global_batch < 1 || row->micro_batch < 1)
        return exchange_corpus_refuse(
                reason, "global_batch or micro_batch is not stated");
    if (row->global_batch > P3D_MAX_BATCH)
        return exchange_corpus_refuse(reason, "global_batch is above 1e9");
    job->loss = find_loss(row);
    if (job->loss == P3D_N_LOSSES)
        return exchange_corpus_refuse(
                reason, "loss %.40s is not modelled", row->loss);
    if (!READ(allocators, row->allocator, &allocator,
                "allocator %.40s is not modelled"))
        return false;
    job->allocator = (p3d_allocator)allocator;
    if (strcmp(job->framework->name, "fsdp2-2024") == 0 && row->tp > 1)
        job->loss = P3D_LOSS_SHARDED_EAGER; /* on sharded logits */
    job->eager = row->compile == 0;
    job->seq_len = (int)row->seq_len;
    job->global_batch = row->global_batch;
    return read_attention(row, framework, out, reason) &&
           read_launches(row, job, reason) && read_sharing(row, job, reason);
}

/* Modules after the colon of "selective:layernorm+moe_act". */
static bool read_modules(const exchange_run *row, const char *text,
        exchange_case *out, exchange_reason *reason)
{
    static const word_row modules[] = {{"core_attn", P3D_MODULE_CORE_ATTENTION},
            {"mla_up_proj", P3D_MODULE_LATENT_UP},
            {"layernorm", P3D_MODULE_NORMS}, {"norm", P3D_MODULE_NORMS},
            {"mlp", P3D_MODULE_MLP}, {"mlp_act", P3D_MODULE_MLP_ACTIVATION},
            {"moe", P3D_MODULE_MOE}, {"moe_act", P3D_MODULE_MOE_ACTIVATION},
            {"shared_experts", P3D_MODULE_SHARED_EXPERTS}};

    for (;;) {
        const size_t length = strcspn(text, "+");
        int value = 0;

        if (!FIND(modules, text, length, &value))
            return exchange_corpus_refuse(
                    reason, "recompute %.60s is not modelled", row->recompute);
        out->plan.recompute_modules |= (unsigned)value;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

static bool read_recompute(
        const exchange_run *row, exchange_case *out, exchange_reason *reason)
{
    const char *const text = row->recompute;
    const size_t length = strcspn(text, ":");
    int value = 0;
    int n;

    if (!FIND(recomputes, text, length, &value))
        return exchange_corpus_refuse(
                reason, "recompute %.60s is not modelled", text);
    out->plan.recompute = (p3d_recompute)value;
    if (text[0] == '\0')
        assume(out, EXCHANGE_ASSUMED_RECOMPUTE);
    if (value == P3D_RECOMPUTE_SELECTIVE && text[length] == ':')
        return read_modules(row, text + length + 1, out, reason);
    n = number_after_colon(text);
    if (n < 0 || (n > 0 && value != P3D_RECOMPUTE_FULL))
        return exchange_corpus_refuse(
                reason, "recompute %.60s is not modelled", text);
    out->plan.recompute_layers = n;
    return true;
}

/* With one replica nothing is shared: any stage that the framework has. */
static int stage_of_one_replica(const p3d_framework *framework, int zero)
{
    while (zero < 3 && (framework->zero_stages >> zero & 1) == 0)
        zero++;
    return zero;
}

static bool read_sharding(
        const exchange_run *row, exchange_case *out, exchange_reason *reason)
{
    p3d_plan *const plan = &out->plan;
    const size_t length = strcspn(row->sharding, ":");
    const int group = number_after_colon(row->sharding);
    const int64_t n_replicas = (int64_t)plan->dp * plan->cp;
    int zero = 0;

    if (!FIND(shardings, row->sharding, length, &zero) || group < 0)
        return exchange_corpus_refuse(
                reason, "sharding %.40s is not modelled", row->sharding);
    if (group > 0 && group < n_replicas && n_replicas % group == 0)
        plan->shard = group;
    else if (group > 0 && group < n_replicas)
        assume(out, EXCHANGE_ASSUMED_SHARD_GROUP);
    if (n_replicas == 1)
        zero = stage_of_one_replica(out->problem.job.framework, zero);
    plan->zero = zero;
    return true;
}

/* "activations" are all of them, "activations:20.0%" a share of each chunk,
 * "activations:4" those of as many layers. */
static bool read_activation_offload(
        const exchange_run *row, p3d_plan *plan, exchange_reason *reason)
{
    const char *const text = row->offload + strlen("activations");
    p3d_decimal decimal = {.n_digits = 0};
    const size_t used = *text == ':' ? p3d_scan_decimal(text + 1, &decimal) : 0;
    double number = used > 0 ? p3d_decimal_double(&decimal, 0) : -1;

    plan->activation_offload_frac = 1;
    if (*text == '\0')
        return true;
    if (used > 0 && strcmp(text + 1 + used, "%") == 0)
        plan->activation_offload_frac = number / 100;
    else if (used > 0 && text[1 + used] == '\0')
        plan->activation_offload_frac = number / (double)row->n_layers;
    else
        number = -1;
    if (number >= 0 && plan->activation_offload_frac <= 1)
        return true;
    return exchange_corpus_refuse(
            reason, "offload of %.40s is not modelled", row->offload);
}

static bool read_schedule(
        const exchange_run *row, exchange_case *out, exchange_reason *reason)
{
    p3d_plan *const plan = &out->plan;
    int schedule = 0;
    int offload = 0;

    if (!READ(schedules, row->schedule, &schedule,
                "schedule %.40s is not modelled"))
        return false;
    if (row->schedule[0] == '\0' && plan->vp > 1)
        schedule = P3D_INTERLEAVED;
    plan->schedule = (p3d_schedule)schedule;
    if (strncmp(row->offload, "activations", 11) == 0)
        return read_activation_offload(row, plan, reason);
    if (!READ(offloads, row->offload, &offload,
                "offload of %.40s is not modelled"))
        return false;
    plan->offload = (p3d_offload)offload;
    return true;
}

static bool read_memory(
        const exchange_run *row, exchange_case *out, exchange_reason *reason)
{
    int meter = 0;
    int64_t stage;
    size_t used;

    if (!READ(meters, row->memory_meter, &meter,
                "memory_meter %.40s is not known"))
        return false;
    out->meter = (exchange_meter)meter;
    if (row->memory_meter[0] == '\0' ||
            strcmp(row->memory_meter, "unstated") == 0)
        out->meter = unstated_meter(row);
    if (row->stage[0] == '\0' && strstr(row->framework, "nanotron") != NULL) {
        out->stage = 0; /* nanotron@a27e8fe8 src/nanotron/logging.py:250 */
        return true;
    }
    if (FIND(stages, row->stage, strlen(row->stage), &out->stage))
        return true;
    used = p3d_scan_whole(row->stage, &stage);
    out->stage = (int)stage;
    if (used == 0 || row->stage[used] != '\0' || stage >= out->plan.pp)
        return exchange_corpus_refuse(
                reason, "stage %.40s is no rank of the pipeline", row->stage);
    return true;
}

/* The words of --lora. */
static bool read_lora(
        const exchange_run *row, exchange_case *out, exchange_reason *reason)
{
    p3d_error err = {0};

    if (row->lora[0] == '\0')
        return strcmp(row->kind, "lora") != 0 ||
               exchange_corpus_refuse(
                       reason, "LoRA of a rank that is not said");
    return spec_adapters_read(row->lora, &out->problem.job.adapters, &err) ||
           exchange_corpus_refuse(reason, "lora: %.80s", err.text);
}

/* Mean and standard deviation of the texts that a sequence is packed of; a
 * table names no files. */
static bool read_lengths(
        const exchange_run *row, p3d_job *job, exchange_reason *reason)
{
    p3d_error err = {0};

    if (row->lengths[0] == '\0')
        return true;
    job->lengths.filling = P3D_FILLING_PACKED;
    if (!spec_lengths_are_moments(row->lengths))
        return exchange_corpus_refuse(reason,
                "lengths %.40s are no mean and standard deviation",
                row->lengths);
    return spec_lengths_read(row->lengths, job->seq_len, &job->lengths, &err) ||
           exchange_corpus_refuse(reason, "lengths: %.80s", err.text);
}

bool exchange_corpus_words(
        const exchange_run *row, exchange_case *out, exchange_reason *reason)
{
    for (int i = 0; i < P3D_COUNT_OF(unmodelled_notes); i++) {
        if (strstr(row->notes, unmodelled_notes[i].word) != NULL ||
                strstr(row->ref, unmodelled_notes[i].word) != NULL)
            return exchange_corpus_refuse(
                    reason, "%s", unmodelled_notes[i].reason);
    }
    if (!read_job(row, out, reason) || !read_schedule(row, out, reason) ||
            !read_recompute(row, out, reason) ||
            !read_sharding(row, out, reason) ||
            !read_memory(row, out, reason) || !read_lora(row, out, reason) ||
            !read_lengths(row, &out->problem.job, reason))
        return false;
    read_notes(row, out);
    return true;
}
