/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapters.c - the names that programs have for LoRA and what it is made of.
 *
 * Names and defaults: LLaMA-Factory 0.9.5 hparams/finetuning_args.py,
 * model_args.py; ms-swift 4.6.0 arguments/base_args, tuner_args.py; axolotl
 * 0.19.0 utils/schemas/peft.py; TRL 0.24 trainer/model_config.py; peft
 * 0.18 tuners/lora/config.py; torchtune recipes/configs; NVIDIA-NeMo/
 * Megatron-Bridge@03619215 peft/lora.py; NeMo 1 megatron_gpt_finetuning_
 * config.yaml; verl workers/config/model.py. */
#include "exchange/read/import_steps.h"

#include <regex.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "spec/adapters.h"

/* What an option is of. */
typedef enum said_part {
    KIND,       /* a word for how a model is trained */
    SWITCH,     /* on or off */
    SWITCH_ALL, /* likewise, of all linears where none is named: LLaVA */
    RANK,
    DROPOUT,
    TARGETS,
    WITH_MLP,
    ALL_LINEAR,
    TRAINED,
    DORA,
    BITS,
    IN_4,
    IN_8,
    SCALES_IN_8,
    MODEL,
    NOTHING /* that a step takes longer for */
} said_part;

static const struct {
    const char *name; /* the last part of the option's */
    said_part part;
} names[] = {{"finetuning_type", KIND}, {"tuner_type", KIND},
        {"train_type", KIND}, {"sft_type", KIND}, {"adapter", KIND},
        {"peft_scheme", KIND}, {"tune_type_llm", KIND}, {"peft", KIND},
        {"use_peft", SWITCH}, {"use_lora", SWITCH}, {"lora_enable", SWITCH_ALL},
        {"peft_enabled", SWITCH}, {"enable_lora", SWITCH},
        {"use_peft_lora", SWITCH}, {"lora_r", RANK}, {"lora_rank", RANK},
        {"adapter_dim", RANK}, {"lora_dropout", DROPOUT},
        {"adapter_dropout", DROPOUT}, {"lora_target", TARGETS},
        {"lora_target_modules", TARGETS}, {"lora_modules", TARGETS},
        {"target_modules", TARGETS}, {"target_parameters", TARGETS},
        {"target_regex", TARGETS}, {"lora_attn_modules", TARGETS},
        {"apply_lora_to_mlp", WITH_MLP}, {"lora_target_linear", ALL_LINEAR},
        {"modules_to_save", TRAINED}, {"lora_modules_to_save", TRAINED},
        {"additional_target", TRAINED}, {"use_dora", DORA},
        {"lora_use_dora", DORA}, {"peft_use_dora", DORA},
        {"quantization_bit", BITS}, {"quant_bits", BITS},
        {"load_in_4bit", IN_4}, {"quantize_base", IN_4}, {"load_in_8bit", IN_8},
        {"use_4bit", IN_4}, {"use_4bit_quantization", IN_4},
        {"use_8bit_quantization", IN_8}, {"use_nested_quant", SCALES_IN_8},
        {"use_8bit", IN_8}, {"double_quantization", SCALES_IN_8},
        {"bnb_4bit_use_double_quant", SCALES_IN_8},
        {"use_bnb_nested_quant", SCALES_IN_8}, {"_component_", MODEL},
        {"lora_alpha", NOTHING}, {"lora_bias", NOTHING},
        {"use_rslora", NOTHING}, {"lora_task_type", NOTHING},
        {"quantization_method", NOTHING}, {"quant_method", NOTHING},
        {"quantization_type", NOTHING}, {"bnb_4bit_quant_type", NOTHING},
        {"bnb_4bit_compute_dtype", NOTHING}, {"lora_fan_in_fan_out", NOTHING},
        {"apply_lora_to_output", NOTHING}, {"bnb_4bit_quant_storage", NOTHING},
        {"lora_adapter_path", NOTHING}, {"lora_model_dir", NOTHING},
        {"adapter_name_or_path", NOTHING}, {"merge_lora", NOTHING},
        {"loftq_bits", NOTHING}, {"loftq_iter", NOTHING}};

/* The same of two parts of a name: of Megatron-Bridge, and of PEFT. */
static const struct {
    const char *name;
    said_part part;
} fields[] = {{"peft.dim", RANK}, {"peft.dropout", DROPOUT},
        {"peft.alpha", NOTHING}, {"peft.dropout_position", NOTHING},
        {"peft.lora_A_init_method", NOTHING},
        {"peft.lora_B_init_method", NOTHING}, {"LoraConfig.task_type", NOTHING},
        {"peft_config.r", RANK}, {"peft_config.peft_type", KIND},
        {"peft_config.task_type", NOTHING}, {"model.lora.rank", RANK},
        {"model.lora.dropout", DROPOUT}, {"model.lora.alpha", NOTHING},
        {"model.lora.merge", NOTHING}, {"model.lora.dtype", NOTHING},
        {"model.lora.type", KIND}, {"model.lora.dropout_position", NOTHING},
        {"model.lora.lora_A_init_method", NOTHING},
        {"model.lora.lora_B_init_method", NOTHING}};

/* PEFT's default of LLaMA-like models, of TRL; and Megatron-Bridge's rank. */
enum { RANK_OF_PEFT = 8, RANK_OF_TRL = 16, RANK_OF_BRIDGE = 32 };

/* What has been read. */
typedef struct found {
    p3d_adapters adapters;
    bool is_kind, is_on, is_off, is_other;
    bool by_switch, by_scheme; /* TRL's words; NeMo's */
    bool single_scales;        /* of 4 bits, in fp32 */
    bool is_one_switch;        /* a rank that is 0 switches it off */
} found;

/* The last part of a name that is not the place in a list. */
static bool is_named(const char *full, const char *name)
{
    const char *end = full + strlen(full);
    const char *at = end;
    char last[64];

    while (at > full && p3d_is_digit(at[-1]))
        at--;
    if (at > full && at < end && at[-1] == '.')
        end = at - 1;
    for (at = end; at > full && at[-1] != '.'; at--) {
    }
    if (end - at >= (ptrdiff_t)sizeof(last))
        return false;
    snprintf(last, sizeof(last), "%.*s", (int)(end - at), at);
    return exchange_same_name(last, name, true);
}

static bool is_word_of(const char *const *words, int n, const char *value)
{
    for (int i = 0; i < n; i++)
        if (p3d_same_word(words[i], value))
            return true;
    return false;
}

static bool is_true(const exchange_setting *setting)
{
    static const char *const no[] = {
            "false", "no", "off", "none", "null", "0", ""};

    return setting->value == NULL ||
           !is_word_of(no, P3D_COUNT_OF(no), setting->value);
}

static void read_kind(const exchange_setting *setting, found *out)
{
    static const char *const all[] = {
            "full", "none", "null", "false", "off", "no", ""};
    static const char *const low_rank[] = {"lora", "qlora", "dora", "vera"};
    const char *const said = setting->value != NULL ? setting->value : "";
    char value[32]; /* a class in Python is called */

    snprintf(value, sizeof(value), "%.*s", (int)strcspn(said, "("), said);
    out->is_kind = true;
    if (is_word_of(all, P3D_COUNT_OF(all), value))
        out->is_off = true;
    else if (is_word_of(low_rank, 3, value))
        out->is_on = true;
    else
        out->is_other = true;
    out->by_scheme = out->by_scheme || is_named(setting->name, "peft_scheme") ||
                     is_named(setting->name, "peft");
    if (p3d_same_word(value, "qlora"))
        out->adapters.base = P3D_BASE_NF4;
    if (p3d_same_word(value, "dora"))
        out->adapters.dora = true;
}

/* The words of a list, however it is written, joined by "+". */
static void join(const char *value, char *text, size_t n)
{
    size_t used = 0;

    for (const char *at = value; *at != '\0' && used + 2 < n; at++) {
        const bool part = p3d_is_letter(*at) || p3d_is_digit(*at) ||
                          *at == '_' || *at == '-';

        if (part)
            text[used++] = *at;
        else if (used > 0 && text[used - 1] != '+')
            text[used++] = '+';
    }
    while (used > 0 && text[used - 1] == '+')
        used--;
    text[used] = '\0';
}

/* Longer patterns, and those that repeat or refer to their own parts by a
 * number, are not tried; nor those with many "+", each of which doubles in
 * regcomp() what it repeats. */
enum { LONGEST_PATTERN = 400, MOST_PLUSES = 8 };

static bool is_pattern(const char *value)
{
    return strpbrk(value, "\\|*^$") != NULL;
}

/* A pattern of Python in the form of POSIX. */
static bool compile(const char *value, regex_t *out)
{
    char text[2 * LONGEST_PATTERN + 16];
    size_t n = 0;
    int n_pluses = 0;
    bool in_set = false;

    if (strlen(value) > LONGEST_PATTERN || strchr(value, '{') != NULL)
        return false;
    text[n++] = '^';
    text[n++] = '(';
    for (const char *at = value; *at != '\0'; at++) {
        const bool is_digits = at[0] == '\\' && at[1] == 'd';

        in_set = *at == '[' || (in_set && *at != ']');
        n_pluses += *at == '+';
        if (n_pluses > MOST_PLUSES || (at[0] == '\\' && p3d_is_digit(at[1])))
            return false;
        if (is_digits)
            n += (size_t)snprintf(
                    text + n, sizeof(text) - n, in_set ? "0-9" : "[0-9]");
        else if (strncmp(at, "(?:", 3) == 0)
            text[n++] = '(';
        else
            text[n++] = *at;
        at += is_digits ? 1 : strncmp(at, "(?:", 3) == 0 ? 2 : 0;
    }
    memcpy(text + n, ")$", 3);
    return regcomp(out, text, REG_EXTENDED | REG_NOSUB) == 0;
}

/* Where layers of models stand at Hugging Face. */
static const char *const places[] = {"model.layers",
        "model.language_model.layers", "language_model.model.layers"};

/* In how many of the layers that are tried the pattern has the module. */
static int count_layers(
        const regex_t *pattern, const char *place, const char *module)
{
    int n = 0;

    for (int layer = 0; layer < 16; layer++) {
        char name[96];

        snprintf(name, sizeof(name), "%s.%d.%s", place, layer, module);
        n += regexec(pattern, name, 0, NULL, 0) == 0;
    }
    return n;
}

/* PEFT adapts the modules whose whole name the pattern has (peft
 * tuners/tuners_utils.py, check_target_module_exists). Those of all layers of
 * the language model are known here. */
static bool read_pattern(
        const exchange_setting *setting, unsigned *out, p3d_error *err)
{
    static const struct {
        const char *module;
        unsigned target;
    } modules[] = {{"self_attn.q_proj", P3D_TARGET_Q},
            {"self_attn.k_proj", P3D_TARGET_K},
            {"self_attn.v_proj", P3D_TARGET_V},
            {"self_attn.o_proj", P3D_TARGET_O},
            {"mlp.gate_proj", P3D_TARGET_GATE}, {"mlp.up_proj", P3D_TARGET_UP},
            {"mlp.down_proj", P3D_TARGET_DOWN}};
    unsigned targets = 0;
    bool is_partial = false;
    regex_t pattern;

    if (!compile(setting->value, &pattern))
        return p3d_fail(err, P3D_DATA,
                "the pattern '%.80s = %.80s' is not read; write "
                "the modules by name",
                setting->name, setting->value);
    for (int i = 0; i < P3D_COUNT_OF(modules); i++)
        for (int k = 0; k < P3D_COUNT_OF(places); k++) {
            const int n = count_layers(&pattern, places[k], modules[i].module);

            targets |= n > 0 ? modules[i].target : 0;
            is_partial = is_partial || (n > 0 && n < 16);
        }
    regfree(&pattern);
    if (targets == 0 || is_partial)
        return p3d_fail(err, P3D_DATA,
                "'%.80s = %.80s' names adapters of some layers alone, and a "
                "plan has them in all",
                setting->name, setting->value);
    *out |= targets;
    return true;
}

static bool read_targets(
        const exchange_setting *setting, unsigned *out, p3d_error *err)
{
    char words[512];
    unsigned targets = 0;

    if (setting->value != NULL && is_pattern(setting->value))
        return read_pattern(setting, out, err);
    join(setting->value != NULL ? setting->value : "", words, sizeof(words));
    if (words[0] == '\0' || p3d_same_word(words, "null") ||
            p3d_same_word(words, "none"))
        return true;
    if (!spec_targets_read(words, "+", &targets, err))
        return false;
    *out |= targets;
    return true;
}

/* Modules that are trained in full: the ends of the model alone are known. */
static bool read_trained(
        const exchange_setting *setting, unsigned *out, p3d_error *err)
{
    const char *const value = setting->value != NULL ? setting->value : "";

    if (strstr(value, "embed") != NULL)
        *out |= P3D_PART_EMBEDDINGS;
    if (strstr(value, "lm_head") != NULL || strstr(value, "output") != NULL)
        *out |= P3D_PART_HEAD;
    if (strstr(value, "norm") != NULL)
        *out |= P3D_PART_NORMS;
    return *out != 0 || !is_true(setting) || strcmp(value, "[]") == 0 ||
           p3d_fail(err, P3D_DATA,
                   "'%.80s = %.80s': only embeddings, norms and the output "
                   "matrix can be trained beside adapters",
                   setting->name, value);
}

static void read_bits(const exchange_setting *setting, found *out)
{
    const char *const value = setting->value != NULL ? setting->value : "";

    if (strcmp(value, "4") == 0)
        out->adapters.base = P3D_BASE_NF4;
    if (strcmp(value, "8") == 0)
        out->adapters.base = P3D_BASE_8BIT;
}

/* Of torchtune the name of the function that builds the model says it. */
static void read_model(const exchange_setting *setting, found *out)
{
    const char *const value = setting->value != NULL ? setting->value : "";

    if (strstr(value, ".qlora_") != NULL)
        out->adapters.base = P3D_BASE_NF4;
    if (strstr(value, ".lora_") != NULL || strstr(value, ".qlora_") != NULL)
        out->is_kind = out->is_on = true;
}

static bool read_rank(
        const exchange_setting *setting, found *out, p3d_error *err)
{
    const char *const value = setting->value != NULL ? setting->value : "";
    p3d_adapters one = {.rank = 0};

    if (!is_true(setting)) {
        out->is_one_switch = true;
        return true;
    }
    if (!spec_adapters_read(value, &one, err))
        return false;
    out->adapters.rank = one.rank;
    return true;
}

static bool read_dropout(
        const exchange_setting *setting, found *out, p3d_error *err)
{
    char *end = NULL;
    const char *const value = setting->value != NULL ? setting->value : "";
    const double n = strtod(value, &end);

    if (!is_true(setting))
        return true;
    if (end == value || *end != '\0' || !(n >= 0 && n < 1))
        return p3d_fail(err, P3D_DATA,
                "'%.80s = %.40s' is no number from 0 up to 1", setting->name,
                value);
    out->adapters.dropout = n;
    return true;
}

static bool read_one(const exchange_setting *setting, said_part part,
        found *out, p3d_error *err)
{
    const bool on = is_true(setting);

    switch (part) {
    case KIND: read_kind(setting, out); break;
    case SWITCH:
        out->is_kind = true;
        *(on ? &out->is_on : &out->is_off) = true;
        out->by_switch = true;
        break;
    case SWITCH_ALL:
        out->is_kind = true;
        *(on ? &out->is_on : &out->is_off) = true;
        break;
    case RANK: return read_rank(setting, out, err);
    case DROPOUT: return read_dropout(setting, out, err);
    case TARGETS: return read_targets(setting, &out->adapters.targets, err);
    case TRAINED: return read_trained(setting, &out->adapters.trained, err);
    case WITH_MLP:
        out->adapters.targets |=
                on ? P3D_TARGET_GATE | P3D_TARGET_UP | P3D_TARGET_DOWN : 0;
        break;
    case ALL_LINEAR: out->adapters.targets |= on ? P3D_ALL_TARGETS : 0; break;
    case DORA: out->adapters.dora = on; break;
    case BITS: read_bits(setting, out); break;
    case IN_4:
        if (on)
            out->adapters.base = P3D_BASE_NF4;
        break;
    case IN_8:
        if (on)
            out->adapters.base = P3D_BASE_8BIT;
        break;
    case SCALES_IN_8: out->single_scales = !on; break;
    case MODEL: read_model(setting, out); break;
    case NOTHING: break;
    }
    return true;
}

/* What programs do where nothing is said. */
static void settle(found *f)
{
    p3d_adapters *const a = &f->adapters;

    if (a->rank == 0)
        a->rank = f->by_switch   ? RANK_OF_TRL
                  : f->by_scheme ? RANK_OF_BRIDGE
                                 : RANK_OF_PEFT;
    if (a->targets == 0 && f->by_switch)
        a->targets = P3D_TARGET_Q | P3D_TARGET_V;
    if (a->targets == P3D_ALL_TARGETS)
        a->targets = 0;
    if (a->base == P3D_BASE_NF4 && f->single_scales)
        a->base = P3D_BASE_NF4_SINGLE;
}

/* A name, of a configuration that may itself have one. */
static bool is_field(const char *full, const char *field)
{
    const size_t n = strlen(full), m = strlen(field);

    return n >= m && strcmp(full + n - m, field) == 0 &&
           (n == m || full[n - m - 1] == '.');
}

/** The part that a setting is of, or -1. */
static int part_of(const exchange_setting *setting)
{
    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (is_named(setting->name, names[i].name))
            return (int)names[i].part;
    for (int i = 0; i < P3D_COUNT_OF(fields); i++)
        if (is_field(setting->name, fields[i].name))
            return (int)fields[i].part;
    return -1;
}

/* Settings that were read, but for the model's name. */
static void use_all(exchange_settings *settings)
{
    for (int i = 0; i < settings->n; i++) {
        const int part = part_of(&settings->at[i]);

        if (part >= 0 && part != (int)MODEL)
            settings->at[i].used = true;
    }
}

/* Optimizers whose moments are fewer or in 8 bit, or may wait in the host's
 * memory: of adapters those are below a percent of a GPU. */
static void use_small_moments(exchange_settings *settings)
{
    static const char *const words[] = {"adamw_bnb_8bit", "adamw_8bit",
            "paged_adamw_8bit", "paged_adamw_32bit", "adamw_torch_8bit",
            "rmsprop", "adagrad", "sgd", "adamw_torch_4bit", "lion_8bit",
            "paged_lion_8bit", "paged_lion_32bit"};

    for (int i = 0; i < settings->n; i++) {
        exchange_setting *const one = &settings->at[i];

        if ((is_named(one->name, "optim") ||
                    is_named(one->name, "optimizer")) &&
                one->value != NULL &&
                is_word_of(words, P3D_COUNT_OF(words), one->value))
            one->used = true;
    }
}

bool exchange_read_adapters(
        exchange_settings *settings, p3d_adapters *out, p3d_error *err)
{
    found f = {.is_kind = false};
    p3d_error why = {0};

    *out = (p3d_adapters){.rank = 0};
    for (int i = 0; i < settings->n; i++) {
        const exchange_setting *const setting = &settings->at[i];
        const int part = part_of(setting);

        if (part >= 0 && !read_one(setting, (said_part)part, &f, &why))
            return exchange_fail_at(
                    err, setting->line, setting->column, "%s", why.text);
    }
    if (f.is_other)
        return true;
    if (f.is_off && !f.is_on) {
        use_all(settings);
        return true;
    }
    if (!f.is_on && f.adapters.rank == 0 && !f.is_one_switch)
        return true; /* quantization alone stays in doubt */
    use_all(settings);
    if (!f.is_on && f.is_one_switch && f.adapters.rank == 0)
        return true;
    settle(&f);
    use_small_moments(settings);
    *out = f.adapters;
    return true;
}
