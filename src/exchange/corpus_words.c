/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_words.c - the words of a run, and what plan3d calls it. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/corpus_parts.h"

enum { NEVER = 9999, ALWAYS = 0, MAX_BATCH = 1000000000 };

/* Words in the columns framework and framework_version, the first row that has
 * both; the profile; the year from which runs that do not say it used a fused
 * attention kernel.
 *
 * Megatron-LM has had flash attention since 2023 and Transformer Engine uses it
 * by itself; Megatron-DeepSpeed only when asked to (--use-flash-attn-v2). The
 * fork of the zero-bubble paper did not then: the first script of
 * sail-sg/zero-bubble-pipeline-parallelism, examples/pretrain_zero_bubble.sh,
 * has no --use-flash-attn, and its published peaks hold the scores. */
/* clang-format off */
static const struct framework_row {
    const char *framework;
    const char *version;
    const char *note; /* in the column notes */
    const char *profile;
    bool stands_in;
    int flash_from;
    int before; /* runs of earlier years only; 0 = of all */
} frameworks[] = {
    {"Megatron-DeepSpeed",   "", "", "deepspeed",     false, NEVER, 0},
    {"DeepSpeed+Megatron",   "", "", "deepspeed",     false, NEVER, 0},
    {"DeepSpeed ZeRO-3 in Megatron", "", "", "deepspeed", false, NEVER, 0},
    {"DeepSpeed",            "", "", "deepspeed",     false, ALWAYS, 0},
    {"FSDP1",                "", "", "fsdp1",         false, ALWAYS, 0},
    {"MaxText",              "", "", "fsdp2",         true, ALWAYS, 0},
    {"torchtune",            "", "", "fsdp2",         false, ALWAYS, 0},
    {"torchtitan",           "", "", "fsdp2",         false, ALWAYS, 0},
    {"FSDP",                 "", "", "fsdp2",         true, ALWAYS, 0},
    {"nanotron",             "", "", "nanotron",      false, ALWAYS, 0},
    {"InternEvo",            "", "", "megatron-core", true, ALWAYS, 0},
    {"PaddleNLP",            "", "", "megatron-core", true, ALWAYS, 0},
    {"llm.c",                "", "", "megatron-core", true, ALWAYS, 0},
    {"sail-sg",              "", "", "any", false, NEVER, 0},
    {"Megatron", "", "transformer-impl=local", "megatron-local", false, NEVER,
        0},
    /* Transformer Engine became Megatron-LM's default in 2024. */
    {"Megatron",             "", "", "megatron-local", false, 2023, 2024},
    {"FlagScale",            "", "", "megatron-local", false, 2023, 2025},
    {"Megatron",             "", "", "megatron-core", false, 2023, 0},
    {"",                     "", "", "any",           true, 2023, 0},
};

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
};

static const word_row attentions[] = {
    {"flash", P3D_FLASH}, {"fused", P3D_FLASH}, {"eager", P3D_EAGER},
};

static const word_row offloads[] = {
    {"", P3D_OFFLOAD_NONE}, {"none", P3D_OFFLOAD_NONE},
    {"optimizer", P3D_OFFLOAD_OPTIMIZER},
    {"optimizer+params", P3D_OFFLOAD_OPTIMIZER_PARAMETERS},
};

static const word_row meters[] = {
    {"", P3D_METER_RESERVED}, {"unstated", P3D_METER_RESERVED},
    {"allocated", P3D_METER_ALLOCATED}, {"reserved", P3D_METER_RESERVED},
    {"nvidia_smi", P3D_METER_DEVICE},
};

static const word_row stages[] = {
    {"", P3D_STAGE_HIGHEST}, {"max_over_ranks", P3D_STAGE_HIGHEST},
    {"last", P3D_STAGE_LAST}, {"one_rank", 0},
    {"max_of_first_and_last", P3D_STAGE_FIRST_OR_LAST},
};

/* Implementation of the loss, by words of the notes and of the framework; the
 * first row that matches. torchtitan compiled its loss only after the tables
 * of 2024 (torchtitan@9dec370 train.py:131-138). */
static const struct {
    const char *note;
    const char *framework;
    int before; /* runs of earlier years only; 0 = of all */
    p3d_loss loss;
} losses[] = {
    {"cross-entropy-fusion-impl=te", "", 0, P3D_LOSS_TE_FUSED},
    {"cross-entropy-loss-fusion", "", 0, P3D_LOSS_NATIVE_FUSED},
    {"cross-entropy fusion on", "", 0, P3D_LOSS_TE_FUSED},
    {"", "torchtitan", 2025, P3D_LOSS_EAGER},
    {"", "", 0, P3D_LOSS_USUAL},
};

/* Runs that train in a way that plan3d does not model: words of the notes or
 * of the kind. */
static const struct {
    const char *word;
    const char *reason;
} unmodelled_notes[] = {
    {"Muon optimizer", "optimizer muon is not modelled"},
    {"optimizer=muon", "optimizer muon is not modelled"},
    {"optim in bwd", "the optimizer in the backward pass is not modelled"},
    {"hybrid-layer-pattern", "Mamba layers are not modelled"},
    {"defer-embedding-wgrad", "deferred weight gradients of the embedding are "
        "not modelled"},
    {"decoder-first-pipeline-num-layers", "a layer map of its own is not "
        "modelled"},
    {"pipeline-model-parallel-layout", "a layer map of its own is not "
        "modelled"},
    {"num-distributed-optimizer-instances", "optimizer instances are not "
        "modelled"},
};
/* clang-format on */

#define FIND(rows, text, length, out) \
    find_word(rows, P3D_COUNT_OF(rows), text, length, out)

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

/* The whole number after the colon of "full:4"; 0 = no colon, -1 = no number.
 */
static int number_after_colon(const char *text)
{
    const char *const colon = strchr(text, ':');
    char *end = NULL;
    long value;

    if (colon == NULL)
        return 0;
    value = strtol(colon + 1, &end, 10);
    return end == colon + 1 || *end != '\0' || value < 1 || value > 1 << 24
                   ? -1
                   : (int)value;
}

static void assume(p3d_corpus_case *c, int what)
{
    c->assumed |= 1u << what;
}

static const struct framework_row *find_framework(const p3d_corpus_row *row)
{
    const struct framework_row *f = frameworks;

    while (strstr(row->framework, f->framework) == NULL ||
            strstr(row->framework_version, f->version) == NULL ||
            strstr(row->notes, f->note) == NULL ||
            (f->before > 0 && row->year >= f->before))
        f++;
    return f;
}

/* What the notes say, or: GPT trained with dropout, LLaMA and what came after
 * did not. */
static bool has_dropout(const p3d_corpus_row *row, p3d_attention attention)
{
    static const char word[] = "hidden-dropout=";
    const char *const said = strstr(row->notes, word);

    if (said != NULL)
        return strncmp(said + sizeof(word) - 1, "0.0", 3) != 0;
    return attention == P3D_EAGER && row->gated_mlp == 0;
}

static bool read_attention(const p3d_corpus_row *row,
        const struct framework_row *framework, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    int value = P3D_FLASH;

    if (row->attention[0] == '\0') {
        const bool is_flash =
                row->year < 0 || row->year >= framework->flash_from;

        value = is_flash ? P3D_FLASH : P3D_EAGER;
        assume(out, is_flash ? P3D_ASSUMED_FLASH : P3D_ASSUMED_EAGER);
    } else if (!FIND(attentions, row->attention, strlen(row->attention),
                       &value)) {
        return p3d_corpus_refuse(
                reason, "attention %.40s is not modelled", row->attention);
    }
    out->problem.job.attention = (p3d_attention)value;
    out->problem.job.dropout = has_dropout(row, (p3d_attention)value);
    return true;
}

static p3d_loss find_loss(const p3d_corpus_row *row)
{
    int i = 0;

    while (strstr(row->notes, losses[i].note) == NULL ||
            strstr(row->framework, losses[i].framework) == NULL ||
            (losses[i].before > 0 && row->year >= losses[i].before))
        i++;
    if (losses[i].loss == P3D_LOSS_EAGER && row->tp > 1)
        return P3D_LOSS_SHARDED_EAGER; /* the loss runs on sharded logits */
    return losses[i].loss;
}

static bool read_job(const p3d_corpus_row *row, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    const struct framework_row *const framework = find_framework(row);
    p3d_job *const job = &out->problem.job;
    int dtype = 0;

    if (row->dtype[0] == '\0')
        return p3d_corpus_refuse(reason, "dtype is not stated");
    if (!FIND(dtypes, row->dtype, strlen(row->dtype), &dtype))
        return p3d_corpus_refuse(
                reason, "dtype %.20s is not modelled", row->dtype);
    job->dtype = (p3d_dtype)dtype;
    job->framework = p3d_framework_find(framework->profile);
    P3D_ASSERT(job->framework != NULL);
    if (framework->stands_in)
        assume(out, P3D_ASSUMED_STAND_IN);
    if (strcmp(row->kind, "sft") == 0)
        assume(out, P3D_ASSUMED_PACKED);
    if (row->global_batch < 1 || row->micro_batch < 1)
        return p3d_corpus_refuse(
                reason, "global_batch or micro_batch is not stated");
    if (row->global_batch > MAX_BATCH)
        return p3d_corpus_refuse(reason, "global_batch is above 1e9");
    job->loss = find_loss(row);
    job->seq_len = (int)row->seq_len;
    job->global_batch = row->global_batch;
    return read_attention(row, framework, out, reason);
}

static bool read_recompute(const p3d_corpus_row *row, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    const char *const text = row->recompute;
    const bool is_core = strcmp(text, "selective:core_attn") == 0;
    const size_t length = strcspn(text, ":");
    const int n = is_core ? 0 : number_after_colon(text);
    int value = 0;

    if (!FIND(recomputes, text, length, &value) || n < 0 ||
            (n > 0 && value != P3D_RECOMPUTE_FULL))
        return p3d_corpus_refuse(
                reason, "recompute %.60s is not modelled", text);
    if (text[0] == '\0')
        assume(out, P3D_ASSUMED_RECOMPUTE);
    out->plan.recompute = (p3d_recompute)value;
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

static bool read_sharding(const p3d_corpus_row *row, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    p3d_plan *const plan = &out->plan;
    const size_t length = strcspn(row->sharding, ":");
    const int group = number_after_colon(row->sharding);
    const int64_t n_replicas = (int64_t)plan->dp * plan->cp;
    int zero = 0;

    if (!FIND(shardings, row->sharding, length, &zero) || group < 0)
        return p3d_corpus_refuse(
                reason, "sharding %.40s is not modelled", row->sharding);
    if (group > 0 && group < n_replicas)
        assume(out, P3D_ASSUMED_SHARD_GROUP);
    if (n_replicas == 1)
        zero = stage_of_one_replica(out->problem.job.framework, zero);
    plan->zero = zero;
    return true;
}

static bool read_schedule(const p3d_corpus_row *row, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    p3d_plan *const plan = &out->plan;
    int schedule = 0;
    int offload = 0;

    if (!FIND(schedules, row->schedule, strlen(row->schedule), &schedule))
        return p3d_corpus_refuse(
                reason, "schedule %.40s is not modelled", row->schedule);
    if (row->schedule[0] == '\0' && plan->vp > 1)
        schedule = P3D_INTERLEAVED;
    plan->schedule = (p3d_schedule)schedule;
    if (!FIND(offloads, row->offload, strlen(row->offload), &offload)) {
        const size_t n = strcspn(row->offload, ":");

        return p3d_corpus_refuse(reason, "offload of %.*s is not modelled",
                n < 40 ? (int)n : 40, row->offload);
    }
    plan->offload = (p3d_offload)offload;
    return true;
}

static bool read_memory(const p3d_corpus_row *row, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    int meter = 0;
    char *end = NULL;

    if (!FIND(meters, row->memory_meter, strlen(row->memory_meter), &meter))
        return p3d_corpus_refuse(
                reason, "memory_meter %.40s is not known", row->memory_meter);
    out->meter = (p3d_meter)meter;
    if (FIND(stages, row->stage, strlen(row->stage), &out->stage))
        return true;
    out->stage = (int)strtol(row->stage, &end, 10);
    if (end == row->stage || *end != '\0' || out->stage < 0 ||
            out->stage >= out->plan.pp)
        return p3d_corpus_refuse(
                reason, "stage %.40s is no rank of the pipeline", row->stage);
    return true;
}

bool p3d_corpus_words(const p3d_corpus_row *row, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    if (strcmp(row->kind, "lora") == 0)
        return p3d_corpus_refuse(reason, "LoRA is not modelled");
    for (int i = 0; i < P3D_COUNT_OF(unmodelled_notes); i++) {
        if (strstr(row->notes, unmodelled_notes[i].word) != NULL)
            return p3d_corpus_refuse(reason, "%s", unmodelled_notes[i].reason);
    }
    return read_job(row, out, reason) && read_schedule(row, out, reason) &&
           read_recompute(row, out, reason) &&
           read_sharding(row, out, reason) && read_memory(row, out, reason);
}
