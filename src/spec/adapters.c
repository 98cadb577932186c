/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapters.c - the words of adapters and frozen parts, and which frameworks
 * have them. */
#include "spec/adapters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/job.h"
#include "spec/sizes.h"

static const char *const target_words[P3D_N_TARGETS] = {
        "q", "k", "v", "o", "gate", "up", "down", "experts"};
static const char *const part_words[P3D_N_PARTS] = {"embeddings", "attention",
        "mlp", "experts", "router", "norms", "head", "vision", "audio",
        "projector"};
static const char *const base_words[P3D_N_BASES] = {
        "16bit", "8bit", "nf4", "nf4-single"};

const char *p3d_target_word(int i)
{
    return P3D_HAS(target_words, i) ? target_words[i] : NULL;
}

const char *p3d_part_word(int i)
{
    return P3D_HAS(part_words, i) ? part_words[i] : NULL;
}

const char *p3d_base_word(int i)
{
    return P3D_HAS(base_words, i) ? base_words[i] : NULL;
}

#define Z(z) (1u << (z))
#define ANY  (Z(4) - 1)

/* bitsandbytes packs 4-bit weights into a storage that FSDP and ZeRO-3 shard;
 * of 8 bits they do not. Source: huggingface/peft docs/source/accelerate/
 * fsdp.md, deepspeed.md (QLoRA); huggingface/accelerate@00b1b181 src/
 * accelerate/utils/fsdp_utils.py:fsdp2_prepare_model (all weights to fp32,
 * frozen ones too); huggingface/peft@00336949 src/peft/tuners/lora/layer.py
 * (adapters in fp32, their input cast to it, where no engine casts both);
 * NVIDIA-NeMo/Megatron-Bridge@03619215 src/megatron/bridge/peft/lora.py,
 * utils.py (ParallelLinearAdapter); meta-pytorch/torchtune torchtune/modules/
 * peft/lora.py (NF4 with scales in 8 bits). */
/* clang-format off */
static const p3d_adapter_facts facts[] = {
    {.framework = "megatron-core", .joined = true, .gathers_input = true,
        .zero_stages = {Z(0) | Z(1)},
        .source = "NVIDIA-NeMo/Megatron-Bridge@03619215"},
    {.framework = "deepspeed-hf",
        .zero_stages = {ANY, Z(0) | Z(1) | Z(2), ANY, ANY},
        .source = "huggingface/peft@00336949"},
    {.framework = "ddp", .casts_input = true,
        .zero_stages = {ANY, ANY, ANY, ANY},
        .source = "huggingface/peft@00336949"},
    {.framework = "ddp-hf", .casts_input = true,
        .zero_stages = {ANY, ANY, ANY, ANY},
        .source = "huggingface/peft@00336949"},
    {.framework = "fsdp1", .zero_stages = {ANY, 0, ANY, ANY},
        .source = "huggingface/peft@00336949"},
    {.framework = "fsdp2-hf", .wide_base = true,
        .zero_stages = {ANY, 0, ANY, ANY},
        .source = "huggingface/accelerate@00b1b181"},
    {.framework = "torchtune", .undivided = true,
        .zero_stages = {ANY, 0, ANY, 0},
        .source = "pytorch/torchtune@bd2a0fc7 torchtune/modules/peft/lora.py, "
            "recipes/lora_finetune_distributed.py:157"},
    {.framework = "generic", .divides_packed = true,
        .zero_stages = {ANY, ANY, ANY, ANY},
        .source = "arXiv:2106.09685"},
};
/* clang-format on */

const p3d_adapter_facts *p3d_adapter_facts_of(const p3d_framework *framework)
{
    const char *const name = p3d_framework_costs_name(framework);

    for (int i = 0; name != NULL && i < P3D_COUNT_OF(facts); i++) {
        if (strcmp(facts[i].framework, name) == 0)
            return &facts[i];
    }
    return NULL;
}

static const double NF4_BYTES = 0.5 + 1.0 / 64 + 4.0 / (64 * 256);
static const double NF4_SINGLE_BYTES = 0.5 + 4.0 / 64;

double p3d_base_bytes(p3d_base base, double usual)
{
    switch (base) {
    case P3D_BASE_8BIT: return 1;
    case P3D_BASE_NF4: return NF4_BYTES;
    case P3D_BASE_NF4_SINGLE: return NF4_SINGLE_BYTES;
    case P3D_BASE_16:
    case P3D_N_BASES: break;
    }
    return usual;
}

/* Groups of targets, and their words at Hugging Face and in Megatron-LM. */
static const struct {
    const char *word;
    unsigned targets;
} groups[] = {
        {"all-linear", P3D_ALL_TARGETS},
        {"all", P3D_ALL_TARGETS},
        {"attention",
                P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V | P3D_TARGET_O},
        {"qkv", P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V},
        {"mlp", P3D_TARGET_GATE | P3D_TARGET_UP | P3D_TARGET_DOWN},
        {"q_proj", P3D_TARGET_Q},
        {"k_proj", P3D_TARGET_K},
        {"v_proj", P3D_TARGET_V},
        {"o_proj", P3D_TARGET_O},
        {"output_proj", P3D_TARGET_O},
        {"gate_proj", P3D_TARGET_GATE},
        {"up_proj", P3D_TARGET_UP},
        {"down_proj", P3D_TARGET_DOWN},
        {"linear_qkv", P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V},
        {"linear_proj", P3D_TARGET_O},
        {"linear_fc1", P3D_TARGET_GATE | P3D_TARGET_UP},
        {"linear_fc2", P3D_TARGET_DOWN},
        /* Joined ones of Phi-3, GPT-NeoX, Falcon and ChatGLM, Baichuan and
         * InternLM2 (transformers@008e5743 src/transformers/models; peft@
         * 00336949 src/peft/utils/constants.py). */
        {"qkv_proj", P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V},
        {"gate_up_proj", P3D_TARGET_GATE | P3D_TARGET_UP},
        {"query_key_value", P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V},
        {"dense_h_to_4h", P3D_TARGET_GATE | P3D_TARGET_UP},
        {"dense_4h_to_h", P3D_TARGET_DOWN},
        {"W_pack", P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V},
        {"wqkv", P3D_TARGET_Q | P3D_TARGET_K | P3D_TARGET_V},
        {"wo", P3D_TARGET_O},
        {"w1", P3D_TARGET_GATE},
        {"w3", P3D_TARGET_UP},
        {"w2", P3D_TARGET_DOWN},
};

/* What a word list is read into, and how it is named. */
typedef struct word_set {
    const char *what;
    const char *const *words;
    int n;
    bool is_targets;
    const char *otherwise;
} word_set;

static const word_set target_set = {"unknown target", target_words,
        P3D_N_TARGETS, true,
        "; write all-linear, or some of q, k, v, o, gate, up, down, experts"};
static const word_set part_set = {"unknown part", part_words, P3D_N_PARTS,
        false,
        "; write some of embeddings, attention, mlp, experts, router, norms, "
        "head, vision, audio, projector"};

static bool read_one(
        const word_set *set, const char *word, unsigned *out, p3d_error *err)
{
    p3d_nearest nearest = {.word = word};

    for (int i = 0; i < set->n; i++) {
        p3d_nearest_offer(&nearest, set->words[i]);
        if (p3d_same_word(set->words[i], word)) {
            *out |= 1u << i;
            return true;
        }
    }
    for (int i = 0; set->is_targets && i < P3D_COUNT_OF(groups); i++) {
        p3d_nearest_offer(&nearest, groups[i].word);
        if (p3d_same_word(groups[i].word, word)) {
            *out |= groups[i].targets;
            return true;
        }
    }
    return p3d_fail(err, P3D_USAGE, "%s '%s'%s", set->what, word,
            p3d_did_you_mean(&nearest, set->otherwise));
}

/* Words joined by one of these characters. */
static bool read_words(const word_set *set, const char *text, const char *joins,
        unsigned *out, p3d_error *err)
{
    unsigned found = 0;

    for (const char *at = text;;) {
        const size_t n = strcspn(at, joins);
        char word[64];

        snprintf(word, sizeof(word), "%.*s", (int)(n < 63 ? n : 63), at);
        if (!read_one(set, word, &found, err))
            return false;
        if (at[n] == '\0')
            break;
        at += n + 1;
    }
    *out = found;
    return true;
}

bool spec_parts_read(const char *text, unsigned *out, p3d_error *err)
{
    return read_words(&part_set, text, ",+", out, err);
}

bool spec_targets_read(
        const char *text, const char *joins, unsigned *out, p3d_error *err)
{
    return read_words(&target_set, text, joins, out, err);
}

enum { USUAL_RANK = 16 };

static bool read_rank(const char *value, int *out, p3d_error *err)
{
    const long n = value[strspn(value, "0123456789")] == '\0' &&
                                   value[0] != '\0' && strlen(value) < 9
                           ? strtol(value, NULL, 10)
                           : 0;

    if (n < 1 || n > P3D_MAX_RANK)
        return p3d_fail(err, P3D_USAGE,
                "the rank '%s' is no number from 1 to %d; write r=%d", value,
                P3D_MAX_RANK, USUAL_RANK);
    *out = (int)n;
    return true;
}

static bool read_dropout(const char *value, double *out, p3d_error *err)
{
    char *end = NULL;
    const double n = strtod(value, &end);

    if (end == value || *end != '\0' || !(n >= 0 && n < 1))
        return p3d_fail(err, P3D_USAGE,
                "the dropout '%s' is no number from 0 up to 1; write "
                "dropout=0.05",
                value);
    *out = n;
    return true;
}

static bool read_base(const char *value, p3d_base *out, p3d_error *err)
{
    p3d_nearest nearest = {.word = value};

    for (int i = 0; i < P3D_N_BASES; i++) {
        p3d_nearest_offer(&nearest, base_words[i]);
        if (p3d_same_word(base_words[i], value)) {
            *out = (p3d_base)i;
            return true;
        }
    }
    return p3d_fail(err, P3D_USAGE, "unknown base '%s'%s", value,
            p3d_did_you_mean(
                    &nearest, "; write 16bit, 8bit, nf4 or nf4-single"));
}

/* One of the words between the commas. */
static bool read_word(char *word, p3d_adapters *out, p3d_error *err)
{
    static const char *const keys[] = {
            "r", "rank", "targets", "base", "dropout", "train", "dora"};
    char *const value = strchr(word, '=');
    p3d_nearest nearest = {.word = word};

    if (value == NULL && word[0] != '\0' &&
            word[strspn(word, "0123456789")] == '\0')
        return read_rank(word, &out->rank, err);
    if (value == NULL && p3d_same_word(word, "dora"))
        return out->dora = true;
    if (value != NULL)
        *value = '\0';
    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        p3d_nearest_offer(&nearest, keys[i]);
    if (value != NULL &&
            (p3d_same_word(word, "r") || p3d_same_word(word, "rank")))
        return read_rank(value + 1, &out->rank, err);
    if (value != NULL && p3d_same_word(word, "targets"))
        return read_words(&target_set, value + 1, "+", &out->targets, err);
    if (value != NULL && p3d_same_word(word, "train"))
        return read_words(&part_set, value + 1, "+", &out->trained, err);
    if (value != NULL && p3d_same_word(word, "base"))
        return read_base(value + 1, &out->base, err);
    if (value != NULL && p3d_same_word(word, "dropout"))
        return read_dropout(value + 1, &out->dropout, err);
    return p3d_fail(err, P3D_USAGE, "unknown word '%s'%s", word,
            p3d_did_you_mean(&nearest,
                    "; write r=16, with targets=q+v, base=nf4, dora, "
                    "dropout=0.05 or train=head as needed"));
}

bool spec_adapters_read(const char *text, p3d_adapters *out, p3d_error *err)
{
    p3d_adapters got = {.rank = USUAL_RANK};

    for (const char *at = text; *at != '\0';) {
        const size_t n = strcspn(at, ",");
        char word[128];

        snprintf(word, sizeof(word), "%.*s", (int)(n < 127 ? n : 127), at);
        if (!read_word(word, &got, err))
            return false;
        at += n + (at[n] == ',');
    }
    if (got.targets == P3D_ALL_TARGETS)
        got.targets = 0;
    *out = got;
    return true;
}

static void add(char text[SPEC_ADAPTERS_WORDS], const char *a, const char *b)
{
    const size_t used = strlen(text);

    snprintf(text + used, SPEC_ADAPTERS_WORDS - used, "%s%s", a, b);
}

static void add_set(char text[SPEC_ADAPTERS_WORDS], const char *first,
        const char *join, const char *const *words, unsigned set)
{
    for (int i = 0; set >> i != 0; i++) {
        if ((set >> i & 1) == 0)
            continue;
        add(text, first, words[i]);
        first = join;
    }
}

const char *spec_adapters_print(
        const p3d_adapters *adapters, char text[SPEC_ADAPTERS_WORDS])
{
    char number[32];

    text[0] = '\0';
    if (adapters->rank < 1)
        return text;
    snprintf(number, sizeof(number), "%d", adapters->rank);
    add(text, "r=", number);
    add_set(text, ",targets=", "+", target_words,
            adapters->targets & P3D_ALL_TARGETS);
    if (adapters->base != P3D_BASE_16 && P3D_HAS(base_words, adapters->base))
        add(text, ",base=", base_words[adapters->base]);
    if (adapters->dora)
        add(text, ",", "dora");
    snprintf(number, sizeof(number), "%.4g", adapters->dropout);
    if (adapters->dropout > 0)
        add(text, ",dropout=", number);
    add_set(text, ",train=", "+", part_words,
            adapters->trained & P3D_ALL_PARTS);
    return text;
}

const char *spec_parts_print(unsigned parts, char text[SPEC_ADAPTERS_WORDS])
{
    text[0] = '\0';
    add_set(text, "", ",", part_words, parts & P3D_ALL_PARTS);
    return text;
}

const char *spec_adapter_frameworks(char text[SPEC_ADAPTERS_WORDS])
{
    text[0] = '\0';
    for (int i = 0; i < P3D_COUNT_OF(facts); i++)
        add(text, i == 0 ? "" : ", ", facts[i].framework);
    return text;
}

/* One matrix of a model with tied embeddings is both of its ends: frozen with
 * either of them, and trained where one is said to be. */
unsigned p3d_job_frozen(const p3d_job *job, const p3d_model *model)
{
    static const unsigned ends = P3D_PART_EMBEDDINGS | P3D_PART_HEAD;
    unsigned parts;

    if (job == NULL || model == NULL)
        return 0;
    if (job->adapters.rank > 0) {
        parts = job->adapters.trained;
        if (model->tied_embeddings && (parts & ends) != 0)
            parts |= ends;
        return P3D_ALL_PARTS & ~parts;
    }
    parts = job->frozen;
    if (model->tied_embeddings && (parts & ends) != 0)
        parts |= ends;
    return parts;
}
