/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt.c - what options look like, by the words of their names. */
#include "exchange/read/doubt.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

enum { MAX_WORDS = 24, MAX_WORD = 32 };

/* The words of a name, in small letters. */
typedef struct name_words {
    char at[MAX_WORDS][MAX_WORD];
    int n;
} name_words;

static const exchange_doubt topics[] = {{"parallelism", true, false},
        {"sharding", false, false}, {"batch", false, false},
        {"sequence", false, false}, {"precision", false, false},
        {"recomputation", false, false}, {"offload", false, false},
        {"LoRA or frozen weights", false, true}, {"experts", false, false},
        {"optimizer", false, false}, {"kernels", false, false},
        {"the model", false, false},
        {"pairs or generated answers", false, false},
        {"a second model", false, false},
        {"a program that does not train", false, false},
        {"images of a sequence", false, false},
        {"layers of the stages", false, false},
        {"what else a recipe sets", false, false},
        {"both ways of a condition are read", false, false}};

enum {
    PARALLELISM,
    SHARDING,
    BATCH,
    SEQUENCE,
    PRECISION,
    RECOMPUTATION,
    OFFLOAD,
    LORA,
    EXPERTS,
    OPTIMIZER,
    KERNELS,
    MODEL,
    ANSWERS,
    SECOND,
    NO_TRAINING,
    IMAGES,
    STAGES,
    RECIPE,
    BRANCH
};

/* Words that stand beside each other in a name; the first row counts. */
static const struct {
    const char *words;
    int topic;
} patterns[] = {
        {"prefetch distance", SHARDING},
        {"ulysses", PARALLELISM},
        {"ring attn", PARALLELISM},
        {"ring attention", PARALLELISM},
        {"sequence parallel size", PARALLELISM},
        {"sequence parallel degree", PARALLELISM},
        {"data parallel", SHARDING},
        {"sequence parallel", SEQUENCE},
        {"tp", PARALLELISM},
        {"pp", PARALLELISM},
        {"cp", PARALLELISM},
        {"ep", PARALLELISM},
        {"etp", PARALLELISM},
        {"vp", PARALLELISM},
        {"vpp", PARALLELISM},
        {"tensor parallel", PARALLELISM},
        {"model parallel", PARALLELISM},
        {"pipeline parallel", PARALLELISM},
        {"pipe parallel", PARALLELISM},
        {"context parallel", PARALLELISM},
        {"expert parallel", PARALLELISM},
        {"parallel size", PARALLELISM},
        {"parallel degree", PARALLELISM},
        {"parallelism", PARALLELISM},
        {"parallelize", PARALLELISM},
        {"pipeline stages", PARALLELISM},
        {"pipe stages", PARALLELISM},
        {"num stages", PARALLELISM},
        {"virtual stages", PARALLELISM},
        {"virtual pipeline", PARALLELISM},
        {"device mesh", PARALLELISM},
        {"dp", SHARDING},
        {"fsdp", SHARDING},
        {"hsdp", SHARDING},
        {"zero", SHARDING},
        {"fault tolerance enable", SHARDING}, /* replicas that meet rarely */
        {"semi sync method", SHARDING},
        {"diloco", SHARDING},
        {"shard", SHARDING},
        {"sharding", SHARDING},
        {"distributed optimizer", SHARDING},
        {"load in", PRECISION},
        {"4bit", PRECISION},
        {"8bit", PRECISION},
        {"batch", BATCH},
        {"batchsize", BATCH},
        {"mbs", BATCH},
        {"gbs", BATCH},
        {"accumulation", BATCH},
        {"accumulate", BATCH},
        {"accum", BATCH},
        {"seq", SEQUENCE},
        {"seqlen", SEQUENCE},
        {"sequence", SEQUENCE},
        {"max length", SEQUENCE},
        {"cutoff len", SEQUENCE},
        {"context length", SEQUENCE},
        {"block size", SEQUENCE},
        {"packing", SEQUENCE},
        {"bf16", PRECISION},
        {"fp16", PRECISION},
        {"fp32", PRECISION},
        {"tf32", PRECISION},
        {"fp8", PRECISION},
        {"fp4", PRECISION},
        {"mxfp8", PRECISION},
        {"nvfp4", PRECISION},
        {"float8", PRECISION},
        {"precision", PRECISION},
        {"dtype", PRECISION},
        {"amp", PRECISION},
        {"quantization", PRECISION},
        {"quantize", PRECISION},
        {"recompute", RECOMPUTATION},
        {"recomputation", RECOMPUTATION},
        {"remat", RECOMPUTATION},
        {"activation checkpoint", RECOMPUTATION},
        {"activation checkpointing", RECOMPUTATION},
        {"activations checkpoint", RECOMPUTATION},
        {"checkpoint activations", RECOMPUTATION},
        {"gradient checkpointing", RECOMPUTATION},
        {"offload", OFFLOAD},
        {"offloading", OFFLOAD},
        {"activations on disk", OFFLOAD},
        {"lora mlp kernel", KERNELS},
        {"lora qkv kernel", KERNELS},
        {"lora o kernel", KERNELS},
        {"lora", LORA},
        {"qlora", LORA},
        {"dora", LORA},
        {"peft", LORA},
        {"adapter", LORA},
        {"finetuning type", LORA},
        {"tuner type", LORA},
        {"train type", LORA},
        {"freeze", LORA},
        {"frozen", LORA},
        {"lisa", LORA},
        {"unfrozen", LORA},
        {"moe", EXPERTS},
        {"expert", EXPERTS},
        {"experts", EXPERTS},
        {"router", EXPERTS},
        {"liger", KERNELS},
        {"unsloth", KERNELS},
        {"cut cross entropy", KERNELS},
        {"mixture of depths", MODEL},
        {"attention config 0 0", MODEL},
        {"preference pairs", ANSWERS},
        {"no training", NO_TRAINING},
        {"recipe beside", RECIPE},
        {"custom args module", RECIPE}, /* options with values of its own */
        {"custom config module", RECIPE},
        {"script branch", BRANCH},
        {"other model", MODEL},
        {"retro add retriever", MODEL},
        {"max prompt length", ANSWERS},
        {"max completion length", ANSWERS},
        {"num generations", ANSWERS},
        {"reward funcs", ANSWERS},
        {"rlhf type", ANSWERS},
        {"language model type", MODEL},
        {"vision model type", MODEL},
        {"patch dim", MODEL},
        {"attention variant", MODEL},
        {"linear attention freq", MODEL},
        {"linear key head dim", MODEL},
        {"linear num value heads", MODEL},
        {"mamba", MODEL},
        {"enable dsa indexer", MODEL},
        {"dsa indexer n heads", MODEL},
        {"dsa indexer head dim", MODEL},
        {"index n heads", MODEL},
        {"interleave sliding window", MODEL},
        {"mtp training", MODEL},
        {"first k dense replace", EXPERTS},
        {"capacity factor", EXPERTS},
        {"curriculum learning enabled", SEQUENCE},
        {"partition activations", RECOMPUTATION},
        {"swap attention", OFFLOAD},
        {"use kt", OFFLOAD},
        {"ebft", ANSWERS},
        {"train impl", ANSWERS},
        {"torch compile", KERNELS},
        {"use fused kernels", KERNELS},
        {"use prefix grouper", KERNELS}, /* questions that answers share */
        {"mc2", KERNELS},
        {"qat", PRECISION},
        {"quant cfg", PRECISION},
        {"fabit", PRECISION},
        {"num layer list", STAGES},
        {"noop layers", STAGES},
        {"vision tower", MODEL},
        {"mm projector type", MODEL},
        {"mm vision resampler", MODEL},
        {"connector type", MODEL},
        {"mm tunable parts", LORA},
        {"tune mm", LORA},
        {"tune type", LORA},
        {"tune vision tower", LORA},
        {"tune language model", LORA},
        {"tunable parts", LORA},
        {"image aspect ratio", IMAGES},
        {"image grid pinpoints", IMAGES},
        {"max dynamic patch", IMAGES},
        {"frames upbound", IMAGES},
        {"max frames", IMAGES},
        {"image target size", IMAGES},
        {"video target size", IMAGES},
        {"limit images", IMAGES},
        {"num video frames", IMAGES},
        {"llama pro", MODEL},
        {"mlp type", MODEL},
        {"num labels", MODEL}, /* a head of classes */
        {"hidden dim multiplier", MODEL},
        {"optimizer", OPTIMIZER},
        {"optim", OPTIMIZER},
        {"adafactor", OPTIMIZER},
        {"muon", OPTIMIZER},
        {"adam mini", OPTIMIZER},
        {"apollo", OPTIMIZER},
        {"galore", OPTIMIZER},
        {"badam", OPTIMIZER},
        {"lomo", OPTIMIZER},
        {"lion", OPTIMIZER},
};

/* Whole names, too short to stand for anything within others. */
static const struct {
    const char *name;
    int topic;
} wholes[] = {{"spec", MODEL}, {"rl", ANSWERS}, {"task", NO_TRAINING},
        {"stage", MODEL}};

/* Models beside the one that is trained, whatever else the name says: a path
 * of a teacher is a teacher. */
static const char *const seconds[] = {"ref model", "reference model",
        "ref load", "teacher", "distill", "distillation", "distil", "kd", "gkd",
        "opd", "reward model", "reward pretrain", "critic pretrain", "asft",
        "draft model"};

/* Numbers of a training with a second model that Megatron-LM has a default of,
 * and prints, whatever it trains. DINO trains on images. */
static const char *const numbers_of_seconds[] = {"logits load kd", "dino"};

/* Adapters that were trained before, from a path. */
static const char *const adapters_of[] = {
        "lora adapter path", "lora model dir", "adapter name or path"};

/* A name with one of these is of something else than the training step, or of
 * what no step takes longer for. */
static const char *const elsewhere[] = {"eval", "evaluation", "valid",
        "validation", "test", "inference", "infer", "generation", "rollout",
        "vllm", "sglang", "log", "logging", "wandb", "tensorboard", "dir",
        "path", "file", "folder", "url", "name", "seed", "timeout", "interval",
        "iters", "epochs", "epoch", "lr", "warmup", "decay", "beta", "beta1",
        "beta2", "betas", "eps", "epsilon", "momentum", "scheduler", "profile",
        "profiler", "workers", "tokenizer", "dataset", "debug", "save", "loss",
        "coeff", "fusion", "scale", "window", "verbose", "version", "critic",
        "ub", "clip", "checkpoints", "ckpt", "no load", "calib", "gamma", "aio",
        "pretrain mm mlp adapter", "slime router", "val", "export",
        "pretraining tp", "learning rate", "grad norm", "lighteval",
        "training steps", "to keep", "num proc"};

/* Words for parts of layers. Where files describe a model size by size, an
 * option with one of them, and that no table knows, describes it, too. */
static const char *const layer_words[] = {"layernorm", "norm", "rmsnorm",
        "attention", "attn", "mlp", "glu", "activation", "layer", "layers",
        "heads", "hidden", "ffn", "residual", "sink", "gate", "gated",
        "multiple of", "conv", "encoder", "decoder", "mixer"};

/* Beside those of `elsewhere`: how weights begin, which kernel runs, how a
 * number is scaled or a mask made, and norms of the embeddings, once a step. */
static const char *const about_layers[] = {"init", "mask", "impl",
        "implementation", "backend", "softmax", "persist", "scaling", "scores",
        "flash", "1p", "wgrad", "checkpointing", "synchronize", "nvte",
        "layer wise", "embed layernorm", "attention config 0 1",
        "memory optimized", "fused", "type multihead", "type pre ln"};

/* Parts of a program that generates and trains, of which this one trains. */
static const char *const trained[] = {"actor_rollout_ref.actor.",
        "+actor_rollout_ref.actor.", "actor_rollout_ref.model."};

static const char *leave_trained(const char *name)
{
    for (int i = 0; i < P3D_COUNT_OF(trained); i++)
        if (strncmp(name, trained[i], strlen(trained[i])) == 0)
            return name + strlen(trained[i]);
    return name;
}

/* A name is cut where it changes from small to capital letters, and at all
 * that is neither letter nor digit. */
static void cut(const char *name, name_words *out)
{
    size_t n = 0;

    out->n = 0;
    for (const char *p = name; *p != '\0' && out->n < MAX_WORDS; p++) {
        const bool is_part = p3d_is_letter(*p) || p3d_is_digit(*p);
        const bool begins = 'A' <= *p && *p <= 'Z' && p > name &&
                            'a' <= p[-1] && p[-1] <= 'z';
        const bool ends = p[1] == '\0';

        if (n > 0 && (!is_part || begins)) {
            out->at[out->n++][n] = '\0';
            n = 0;
        }
        if (is_part && out->n < MAX_WORDS && n + 1 < MAX_WORD)
            out->at[out->n][n++] = p3d_lower(*p);
        if (ends && n > 0 && out->n < MAX_WORDS)
            out->at[out->n++][n] = '\0';
    }
}

/* True where the words of a pattern begin at the i-th. */
static bool stands_at(const name_words *words, int i, const char *pattern)
{
    while (i < words->n) {
        const size_t n = strcspn(pattern, " ");

        if (strlen(words->at[i]) != n || strncmp(words->at[i], pattern, n) != 0)
            return false;
        if (pattern[n] == '\0')
            return true;
        pattern += n + 1;
        i++;
    }
    return false;
}

static bool has(const name_words *words, const char *pattern)
{
    for (int i = 0; i < words->n; i++)
        if (stands_at(words, i, pattern))
            return true;
    return false;
}

static bool has_one(
        const name_words *words, const char *const *patterns_of, int n)
{
    for (int i = 0; i < n; i++)
        if (has(words, patterns_of[i]))
            return true;
    return false;
}

static bool is_one_of(const char *const *words_of, int n, const char *value)
{
    for (int i = 0; i < n; i++)
        if (p3d_same_word(words_of[i], value))
            return true;
    return false;
}

/* A value by which an option does nothing, or what is done without it. */
static bool is_usual(int topic, const char *value)
{
    static const char *const off[] = {
            "false", "no", "off", "none", "null", "0", "0.0", "[]", "{}", ""};
    /* LLaMA-Factory@ff6d4d12 hparams/finetuning_args.py */
    static const char *const stages[] = {
            "pt", "sft", "rm", "ppo", "dpo", "kto"};
    static const char *const adam[] = {"adam", "adamw", "decoupled_adamw",
            "fusedadam", "adamw_torch", "adamw_torch_fused"};

    return is_one_of(off, P3D_COUNT_OF(off), value) ||
           (topic == LORA && strcmp(value, "full") == 0) ||
           (topic == MODEL && is_one_of(stages, P3D_COUNT_OF(stages), value)) ||
           ((topic == PARALLELISM || topic == IMAGES) &&
                   strcmp(value, "1") == 0) ||
           (topic == OPTIMIZER && is_one_of(adam, P3D_COUNT_OF(adam), value));
}

/* Sizes of layers that Megatron-LM prints whether the model has them or not. */
static bool is_printed(const name_words *words, const char *value)
{
    static const struct {
        const char *words;
        const char *value;
    } sizes[] = {{"linear key head dim", "128"},
            {"linear num value heads", "32"}, {"mamba state dim", "128"},
            {"mamba head dim", "64"}, {"mamba num groups", "8"},
            {"patch dim", "16"}, {"linear conv kernel dim", "4"},
            {"linear num key heads", "16"}, {"mhc num residual streams", "4"},
            {"mlp chunks for prefill", "1"}, {"mlp chunks for training", "1"},
            {"relative attention num buckets", "32"},
            {"relative attention max distance", "128"},
            {"dino head hidden size", "2048"},
            {"no dsa indexer rotate activation", "True"}};

    for (int i = 0; i < P3D_COUNT_OF(sizes); i++)
        if (has(words, sizes[i].words) && strcmp(value, sizes[i].value) == 0)
            return true;
    return false;
}

const exchange_doubt *exchange_doubt_of(const char *name, const char *value)
{
    name_words words;

    cut(leave_trained(name), &words);
    if (has_one(&words, seconds, P3D_COUNT_OF(seconds)) &&
            !has_one(&words, numbers_of_seconds,
                    P3D_COUNT_OF(numbers_of_seconds)))
        return value != NULL && is_usual(SECOND, value) ? NULL
                                                        : &topics[SECOND];
    if (has_one(&words, adapters_of, P3D_COUNT_OF(adapters_of)))
        return value != NULL && is_usual(LORA, value) ? NULL : &topics[LORA];
    /* A name is elsewhere, but that of an optimizer is which. */
    if (has(&words, "optimizer name"))
        return value != NULL && is_usual(OPTIMIZER, value) ? NULL
                                                           : &topics[OPTIMIZER];
    if (has_one(&words, elsewhere, P3D_COUNT_OF(elsewhere)))
        return NULL;
    for (int i = 0; i < P3D_COUNT_OF(wholes); i++)
        if (words.n == 1 && stands_at(&words, 0, wholes[i].name))
            return value != NULL && is_usual(wholes[i].topic, value)
                           ? NULL
                           : &topics[wholes[i].topic];
    for (int i = 0; i < P3D_COUNT_OF(patterns); i++) {
        const int topic = patterns[i].topic;

        if (has(&words, patterns[i].words))
            return value != NULL && (is_usual(topic, value) ||
                                            is_printed(&words, value))
                           ? NULL
                           : &topics[topic];
    }
    return NULL;
}

bool exchange_is_elsewhere(const char *name)
{
    name_words words;

    cut(name, &words);
    return has_one(&words, elsewhere, P3D_COUNT_OF(elsewhere));
}

bool exchange_describes_layers(const char *name, const char *value)
{
    name_words words, all;
    char text[MAX_WORDS * MAX_WORD];

    cut(name, &words);
    snprintf(text, sizeof(text), "%.300s %.60s", name,
            value != NULL ? value : "");
    cut(text, &all);
    return has_one(&words, layer_words, P3D_COUNT_OF(layer_words)) &&
           !has_one(&words, elsewhere, P3D_COUNT_OF(elsewhere)) &&
           !has_one(&all, about_layers, P3D_COUNT_OF(about_layers)) &&
           (value == NULL ||
                   !(is_usual(MODEL, value) || is_printed(&words, value)));
}
