/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.c - the options of front ends under the names of their targets. */
#include "exchange/read/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/read/front_steps.h"
#include "exchange/read/model_word.h"
#include "exchange/read/titan.h"
#include "spec/abilities.h"

enum { MAX_MARK = EXCHANGE_MAX_MARK, PRESET = EXCHANGE_PRESET };

const exchange_front *exchange_front_at(int i)
{
    static const exchange_front_table *const tables[] = {
            &exchange_fronts_of_kernels, &exchange_fronts_that_send,
            &exchange_fronts_of_wrappers, &exchange_fronts_in_code,
            &exchange_fronts_under_ray, &exchange_fronts_of_the_past,
            &exchange_fronts_on_deepspeed, &exchange_fronts_on_accelerate,
            &exchange_fronts_of_rl, &exchange_fronts_of_nemo_rl,
            &exchange_fronts_of_recipes, &exchange_fronts_of_labs,
            &exchange_fronts_of_rows, &exchange_fronts_on_torch,
            &exchange_fronts_of_their_own};

    for (int t = 0; t < P3D_COUNT_OF(tables); t++) {
        if (i < tables[t]->n)
            return &tables[t]->at[i];
        i -= tables[t]->n;
    }
    return NULL;
}

/* All of them hold. */
static bool has_all(
        const exchange_settings *from, const char *const *marks, int n)
{
    for (int i = 0; i < n; i++)
        if (marks[i] != NULL && !exchange_marks_hold(from, marks[i]))
            return false;
    return true;
}

static bool is_it(const exchange_front *front, const exchange_settings *from)
{
    return has_all(from, front->marks, EXCHANGE_FRONT_MARKS);
}

/* What the last of some options that is said has; NULL = none is. */
static const char *find_said(
        const exchange_settings *settings, const char *names)
{
    const char *said = NULL;

    for (const char *at = names; at != NULL && *at != '\0';) {
        const size_t n = strcspn(at, "|");
        char name[MAX_MARK];
        const exchange_setting *found;

        snprintf(name, sizeof(name), "%.*s", (int)n, at);
        found = exchange_settings_find(settings, name, true);
        if (found != NULL && found->value != NULL)
            said = found->value;
        at += n + (at[n] == '|');
    }
    return said;
}

/* The kind of what a line says that stays on the GPUs, and what an option says
 * of it. @return false where nothing is known of it */
static bool print_resident(const exchange_settings *settings,
        const exchange_front *front, const char *line, p3d_text *out)
{
    for (int i = 0; i < front->n_residents; i++) {
        const exchange_resident *const one = &front->residents[i];
        const char *said;

        if (strcmp(one->line, line) != 0 ||
                (one->mark != NULL &&
                        !exchange_marks_hold(settings, one->mark)))
            continue;
        said = find_said(settings, one->names);
        said = said != NULL ? said : one->usual;
        p3d_text_add(out, "%d%.200s", (int)one->kind, said != NULL ? said : "");
        return !out->failed && (one->kind != EXCHANGE_PORTION || said != NULL);
    }
    return false;
}

/* A remark stands among the settings, behind the mark of its kind. */
static bool add_remarks(exchange_settings *settings,
        const exchange_front *front, p3d_error *err)
{
    for (int i = 0; i < front->n_remarks; i++) {
        const exchange_remark *const one = &front->remarks[i];
        char name[MAX_MARK];
        p3d_text kept = {0};
        bool ok;

        if (!has_all(settings, one->marks, P3D_COUNT_OF(one->marks)))
            continue;
        snprintf(name, sizeof(name), "%c%s", EXCHANGE_REMARKS[one->kind],
                one->line);
        ok = exchange_settings_add(settings, name,
                print_resident(settings, front, one->line, &kept)
                        ? p3d_text_get(&kept)
                        : NULL,
                PRESET, err);
        p3d_text_free(&kept);
        if (!ok)
            return false;
        settings->at[settings->n - 1].used = true;
    }
    return true;
}

size_t exchange_prefix_length(const exchange_front *front, const char *name)
{
    const char *at =
            front != NULL && front->prefix != NULL ? front->prefix : "";

    while (*at != '\0') {
        const size_t n = strcspn(at, "|");

        if (strncmp(name, at, n) == 0)
            return n;
        at += n + (at[n] == '|');
    }
    return 0;
}

static void take_prefix(
        exchange_settings *settings, const exchange_front *front)
{
    for (int i = 0; i < settings->n; i++) {
        char *const name = settings->at[i].name;
        const size_t n = exchange_prefix_length(front, name);

        memmove(name, name + n, strlen(name + n) + 1);
    }
}

/* Hydra adds an option with "+", and adds or sets it with "++". */
static void take_plus(exchange_settings *settings)
{
    for (int i = 0; i < settings->n; i++) {
        char *const name = settings->at[i].name;
        const size_t n = strspn(name, "+");

        memmove(name, name + n, strlen(name + n) + 1);
    }
}

/* A setting under another name stands where the old one did. */
static bool replace(exchange_settings *settings, int i,
        const exchange_rename *row, p3d_error *err)
{
    exchange_setting moved;
    const exchange_setting old = settings->at[i];

    if (!exchange_settings_add(settings, row->to,
                row->value != NULL ? row->value : old.value, old.line, err))
        return false;
    moved = settings->at[settings->n - 1];
    moved.file = old.file;
    moved.column = old.column;
    settings->at[settings->n - 1] = old;
    settings->at[i] = moved;
    exchange_settings_cut(settings, settings->n - 1);
    return true;
}

/* What a setting says beside: the tokenizer a vocabulary. */
static bool imply(exchange_settings *settings, int i,
        const exchange_rename *row, p3d_error *err)
{
    const exchange_setting *const said =
            exchange_settings_find(settings, row->to, true);
    const char *const value =
            row->value != NULL ? row->value : settings->at[i].value;

    if (said != NULL && !p3d_same_word(exchange_value_of(said), "none"))
        return true;
    if (!exchange_settings_add(settings, row->to, value, PRESET, err))
        return false;
    settings->at[settings->n - 1].used = row->to[0] == '=';
    return true;
}

bool exchange_add_guess(exchange_settings *settings, const exchange_setting *of,
        const char *taken_for, p3d_error *err)
{
    p3d_text name = {0}, words = {0};
    bool ok;

    p3d_text_add(&name, "?%.100s = %.100s", of->name, exchange_value_of(of));
    p3d_text_add(&words, "taken for %.100s", taken_for);
    ok = name.failed || words.failed
                 ? p3d_fail(err, P3D_SYSTEM, "out of memory")
                 : exchange_settings_add(settings, p3d_text_get(&name),
                           p3d_text_get(&words), PRESET, err);
    if (ok)
        settings->at[settings->n - 1].used = true;
    p3d_text_free(&name);
    p3d_text_free(&words);
    return ok;
}

static bool rename_one(exchange_settings *settings, int i,
        const exchange_rename *row, p3d_error *err)
{
    exchange_setting *const setting = &settings->at[i];

    if (setting->name[0] == '\0' ||
            !exchange_same_name(setting->name, row->from, true) ||
            (row->is != NULL &&
                    !exchange_is_word(exchange_value_of(setting), row->is)))
        return true;
    if (row->implies)
        return imply(settings, i, row, err);
    if (row->to != NULL)
        return replace(settings, i, row, err);
    exchange_drop(setting);
    return true;
}

/* True where the meaning of a name is guessed by a row. */
static bool is_meant(
        const exchange_setting *setting, const exchange_rename *row)
{
    return row->to != NULL && !row->implies && setting->name[0] != '\0' &&
           exchange_same_name(setting->name, row->from, true) &&
           (row->is == NULL ||
                   exchange_is_word(exchange_value_of(setting), row->is));
}

static bool rename_all(exchange_settings *settings, const exchange_front *front,
        p3d_error *err)
{
    for (int k = 0; k < front->n_renames; k++) {
        const exchange_rename *const row = &front->renames[k];
        const int n = settings->n;

        for (int i = 0; i < n; i++)
            if ((front->guesses && is_meant(&settings->at[i], row) &&
                        !exchange_add_guess(
                                settings, &settings->at[i], row->to, err)) ||
                    !rename_one(settings, i, row, err))
                return false;
    }
    return true;
}

/* Parts of a file that are of something else. */
static void drop_others(exchange_settings *settings, const char *others)
{
    for (int i = 0; others != NULL && i < settings->n; i++) {
        const exchange_settings one = {.at = &settings->at[i], .n = 1};

        if (exchange_marks_hold(&one, others))
            exchange_drop(&settings->at[i]);
    }
}

/* "auto" is left to what the front end says elsewhere. */
static void drop_auto(exchange_settings *settings)
{
    for (int i = 0; i < settings->n; i++)
        if (p3d_same_word(exchange_value_of(&settings->at[i]), "auto"))
            exchange_drop(&settings->at[i]);
}

static bool preset(exchange_settings *settings, const exchange_front *front,
        p3d_error *err)
{
    for (int i = 0; i < front->n_presets; i++) {
        const exchange_preset *const row = &front->presets[i];

        if (exchange_settings_find(settings, row->name, true) != NULL)
            continue;
        if (!exchange_settings_add(
                    settings, row->name, row->value, PRESET, err))
            return false;
        settings->at[settings->n - 1].used = row->name[0] == '=';
    }
    return true;
}

static void find_lacks(exchange_settings *settings, const exchange_front *front)
{
    for (int i = 0; i < EXCHANGE_FRONT_NEEDS; i++)
        if (front->needs[i].names != NULL &&
                !exchange_marks_hold(settings, front->needs[i].names))
            settings->lacks |= 1U << i;
}

/* An option, or the same one in a part of a file. */
static const exchange_setting *find_ending(
        const exchange_settings *settings, const char *name)
{
    const size_t n = strlen(name);
    const exchange_setting *found =
            exchange_settings_find(settings, name, false);

    for (int i = 0; found == NULL && i < settings->n; i++) {
        const char *const full = settings->at[i].name;
        const size_t length = strlen(full);

        if (length > n && full[length - n - 1] == '.' &&
                strcmp(full + length - n, name) == 0)
            found = &settings->at[i];
    }
    return found;
}

/* "${.name}" is beside the setting that has it. */
static const exchange_setting *find_neighbour(const exchange_settings *settings,
        const exchange_setting *from, const char *name)
{
    const char *const dot = strrchr(from->name, '.');
    const int n = dot != NULL ? (int)(dot - from->name) : 0;
    char full[2 * MAX_MARK];

    if (dot == NULL || (size_t)n + strlen(name) >= sizeof(full))
        return NULL;
    snprintf(full, sizeof(full), "%.*s%s", n, from->name, name);
    return exchange_settings_find(settings, full, false);
}

/* "${name}" is at the top of the file, or of the part of it that is handed on:
 * "parameters" on MosaicML's platform. */
static const exchange_setting *find_at_top(const exchange_settings *settings,
        const exchange_setting *from, const char *name)
{
    static const char part[] = "parameters.";
    char full[sizeof(part) + MAX_MARK];

    if (strchr(from->name, '.') == NULL)
        return NULL;
    snprintf(full, sizeof(full), "%s%s",
            strncmp(from->name, part, sizeof(part) - 1) == 0 ? part : "", name);
    return exchange_settings_find(settings, full, false);
}

/* Append the value that the "${name}" at a place stands for in files of YAML,
 * or the default of "${NAME:default}". @return false where it has neither */
static bool add_referred(const exchange_settings *settings,
        const exchange_setting *from, const char *at, size_t n, p3d_text *out)
{
    char name[MAX_MARK];
    const char *colon;
    const exchange_setting *found;

    if (n < 4 || n > sizeof(name))
        return false;
    memcpy(name, at + 2, n - 3);
    name[n - 3] = '\0';
    if (strpbrk(name, "${, ") != NULL)
        return false;
    colon = strchr(name, ':');
    if (colon != NULL) {
        p3d_text_add(out, "%s", colon + 1);
        return p3d_is_word(colon[1]);
    }
    found = name[0] == '.'              ? find_neighbour(settings, from, name)
            : strchr(name, '.') != NULL ? find_ending(settings, name)
                                        : find_at_top(settings, from, name);
    if (found == NULL || found->value == NULL ||
            strstr(found->value, "${") != NULL)
        return false;
    p3d_text_add(out, "%s", found->value);
    return true;
}

/* Length of "${...}" with all that it holds; 0 = it does not end. */
static size_t length_of_reference(const char *at)
{
    int depth = 0;

    for (size_t i = 0; at[i] != '\0'; i++) {
        depth += at[i] == '{';
        depth -= at[i] == '}';
        if (depth == 0 && at[i] == '}')
            return i + 1;
    }
    return 0;
}

/* A whole number, or what "${name}" stands for that is one. */
static bool take_number(const exchange_settings *settings,
        const exchange_setting *from, const char **at, long long *out)
{
    p3d_text word = {0};
    bool ok = true;
    char *end = NULL;

    *at += strspn(*at, " ,");
    if (strncmp(*at, "${", 2) == 0) {
        const size_t n = length_of_reference(*at);

        ok = n > 0 && add_referred(settings, from, *at, n, &word);
        *at += n;
    } else {
        const size_t n = strspn(*at, "0123456789");

        p3d_text_append(&word, *at, n);
        *at += n;
    }
    *out = strtoll(p3d_text_get(&word), &end, 10);
    ok = ok && word.length > 0 && *end == '\0' && *out > 0 && *out < 1 << 30;
    p3d_text_free(&word);
    return ok;
}

/* Resolvers of OmegaConf that work out a number: "${mul:${a}, 4}". Source:
 * NVIDIA-NeMo/RL@main nemo_rl/utils/config.py (register_omegaconf_resolvers),
 * NeMo-Framework-Launcher@26e42fa9 launcher_scripts/main.py. */
static bool add_worked_out(const exchange_settings *settings,
        const exchange_setting *from, const char *at, size_t n, p3d_text *out)
{
    static const char *const names[] = {
            "${mul:", "${multiply:", "${div:", "${divide_floor:"};
    enum { FIRST_DIVISION = 2 };
    long long a, b;

    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        const char *word = at + strlen(names[i]);

        if (strncmp(at, names[i], strlen(names[i])) != 0)
            continue;
        if (!take_number(settings, from, &word, &a) ||
                !take_number(settings, from, &word, &b) || word != at + n - 1 ||
                (i >= FIRST_DIVISION && a % b != 0))
            return false;
        p3d_text_add(out, "%lld", i < FIRST_DIVISION ? a * b : a / b);
        return true;
    }
    return false;
}

/* A value with all that its "${...}" stand for; false where one is not known
 * or there is none. */
static bool refer(const exchange_settings *settings,
        const exchange_setting *from, p3d_text *out)
{
    const char *value = from->value;

    if (strstr(value, "${") == NULL || strlen(value) > MAX_MARK)
        return false;
    while (*value != '\0') {
        size_t n;

        if (strncmp(value, "${", 2) != 0) {
            p3d_text_append(out, value++, 1);
            continue;
        }
        n = length_of_reference(value);
        if (n == 0 || !(add_worked_out(settings, from, value, n, out) ||
                              add_referred(settings, from, value, n, out)))
            return false;
        value += n;
    }
    return !out->failed;
}

static bool resolve(exchange_settings *settings, p3d_error *err)
{
    bool ok = true;

    for (int i = 0; ok && i < settings->n; i++) {
        p3d_text word = {0};

        if (settings->at[i].value != NULL &&
                refer(settings, &settings->at[i], &word))
            ok = replace(settings, i,
                    &(exchange_rename){.to = settings->at[i].name,
                            .value = p3d_text_get(&word)},
                    err);
        p3d_text_free(&word);
    }
    return ok;
}

#define RECOMPUTES                                                         \
    "!recompute-granularity|recompute-activations|checkpoint-activations|" \
    "activations-checkpoint-method"
#define RECOMPUTES_NOT                                                      \
    "!recompute-granularity|checkpoint-activations|activations-checkpoint-" \
    "method"
#define RECOMPUTES_NONE "recompute-granularity=null|recompute-granularity=none"

/* Options that do nothing where another one has this value, or "!" none of
 * several is there. */
static const struct {
    const char *option;
    const char *other;
    const char *too; /* holds as well; NULL = nothing */
} idle[] = {{"model.fp8_hybrid", "model.fp8=false", NULL},
        {"model.fp8_e4m3", "model.fp8=false", NULL},
        {"activation_checkpoint.selective_ac_option",
                "activation_checkpoint.mode=none", NULL},
        {"activation_checkpoint.selective_ac_option",
                "activation_checkpoint.mode=full", NULL},
        /* What the framework's own selective is (SelectiveAC of 0.3). */
        {"activation_checkpoint.selective_ac_option",
                "activation_checkpoint.selective_ac_option=op", NULL},
        /* Experts of one rank are split as tensors are. */
        {"parallelism.expert_tensor_parallel_degree",
                "parallelism.expert_tensor_parallel_degree=1", NULL},
        {"parallelism.expert_tensor_parallel_degree",
                "parallelism.expert_parallel_degree=1", NULL},
        {"parallelism.expert_tensor_parallel_degree",
                "!parallelism.expert_parallel_degree", NULL},
        {"float8.filter_fqns",
                "!model.converters|float8.enable_float8_linear|"
                "training.enable_float8_linear",
                NULL},
        {"policy.megatron_cfg.recompute_granularity",
                "policy.megatron_cfg.activation_checkpointing=false", NULL},
        {"policy.megatron_cfg.recompute_modules",
                "policy.megatron_cfg.activation_checkpointing=false", NULL},
        {"preference_pairs", EXCHANGE_PREFERENCE, NULL},
        {"rlhf_type", EXCHANGE_PREFERENCE, NULL},
        /* Of the answers, and of where states wait while they are made. */
        {"preference_pairs", EXCHANGE_GRPO, NULL},
        {"num_generations", EXCHANGE_GRPO, NULL},
        {"reward_funcs", EXCHANGE_GRPO, NULL},
        {"offload_optimizer", EXCHANGE_GRPO, NULL},
        {"offload_model", EXCHANGE_GRPO, NULL},
        {"rl", EXCHANGE_PREFERENCE, NULL},
        {"pref_loss", EXCHANGE_PREFERENCE, NULL},
        /* Of its length, which counts whole. */
        {"max_prompt_length", EXCHANGE_PREFERENCE, NULL},
        /* The fused loss brings the others of its plugin. */
        {"liger_rope", "use_liger_kernel=true", NULL},
        {"liger_rms_norm", "use_liger_kernel=true", NULL},
        {"liger_glu_activation", "use_liger_kernel=true", NULL},
        {"liger_layer_norm", "use_liger_kernel=true", NULL},
        {"liger_rms_norm_gated", "use_liger_kernel=true", NULL},
        {"fsdp_config.fsdp_min_num_params",
                "fsdp_config.fsdp_auto_wrap_policy=TRANSFORMER_BASED_WRAP",
                NULL},
        /* One stage has all layers. */
        {"pp-partition-method", "pipeline-model-parallel-size=1", NULL},
        {"pp-partition-method", "!pipeline-model-parallel-size", NULL},
        {"parallelism.tp_recompute_allgather", "parallelism.tp=1", NULL},
        {"policy.dtensor_cfg.sequence_parallel",
                "policy.dtensor_cfg.tensor_parallel_size=1", NULL},
        {"policy.megatron_cfg.sequence_parallel",
                "policy.megatron_cfg.tensor_model_parallel_size=1", NULL},
        /* What ZeRO accumulates in by itself: DeepSpeed runtime/engine.py
         * (get_data_types). */
        {"data_types.grad_accum_dtype", "data_types.grad_accum_dtype=bf16",
                "bf16.enabled=true"},
        {"moe_router_type", "neox_dense", NULL},
        {"activation", "mlp_type=llama", "activation=silu"}, /* its own */
        {"moe_top_k", "neox_dense", NULL},
        /* GPT-NeoX's name of one word for both 16-bit types, before it had
         * "bf16". */
        {"fp16.enabled", "fp16.type=bfloat16", NULL},
        /* Of 20B_tokenizer.json, where another file is named. */
        {"neox_words", "tokenizer_path", NULL},
        {"recompute-granularity", "recompute-num-layers=0",
                "recompute-method=block"},
        /* megatron/training/arguments.py looks at them with a granularity
         * alone. */
        {"recompute-num-layers", RECOMPUTES, NULL},
        {"recompute-method", RECOMPUTES, NULL},
        {"recompute-num-layers", RECOMPUTES_NONE, NULL},
        {"model.recompute_num_layers", "!model.recompute_granularity", NULL},
        {"model.recompute_num_layers", "model.recompute_granularity=none",
                NULL},
        {"recompute-method", RECOMPUTES_NONE, NULL},
        /* Of balanced experts none has more than its capacity, unless all are
         * filled up to it. */
        {"moe-expert-capacity-factor", "!moe-pad-expert-input-to-capacity",
                NULL},
        /* Weights of 4 bit that are 16 bit from the first step on:
         * transformers utils/quantization_config.py (Mxfp4Config). */
        {"model_quantization_config",
                "model_quantization_config_kwargs.dequantize=true", NULL},
        {"model_quantization_config_kwargs.dequantize",
                "!model_quantization_config", NULL},
        /* axolotl sets it from its other options: utils/config/__init__.py. */
        {"torch_dtype", "base_model", "micro_batch_size"},
        /* QLoRA's 4 bit of the experts, which are counted so in any case. */
        {"quantize_moe_experts", "adapter=qlora", NULL},
        {"quantize_moe_experts", "load_in_4bit=true", NULL}};

/* "deepspeed:" of YAML: what has no value is not there, though its name alone
 * would tell a launch. */
static void drop_empty(exchange_settings *settings)
{
    static const char *const names[] = {"deepspeed", "deepspeed_config", "fsdp",
            "fsdp_config", "fsdp_version", "rl", "reward_model", "beta",
            "num_generations", "sequence_parallel_size"};
    static const char *const nothing[] = {"", "null", "~", "[]", "{}"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        exchange_setting *const said =
                exchange_settings_find(settings, names[i], true);

        for (int k = 0; said != NULL && k < P3D_COUNT_OF(nothing); k++)
            if (said->value != NULL && strcmp(said->value, nothing[k]) == 0) {
                exchange_drop(said);
                break;
            }
    }
}

/* "part.enabled = false" makes all of the part do nothing, but for what runs
 * apart then: NeMo-RL's generation. */
static void drop_disabled(exchange_settings *settings)
{
    static const char mark[] = ".enabled";
    static const char apart[] = "policy.generation.colocated.enabled";
    const size_t length = sizeof(mark) - 1;

    for (int i = 0; i < settings->n; i++) {
        const exchange_setting *const one = &settings->at[i];
        const size_t n = strlen(one->name);

        if (n <= length || strcmp(one->name + n - length, mark) != 0 ||
                !exchange_is_word(exchange_value_of(one), "false") ||
                strcmp(one->name, apart) == 0 ||
                exchange_settings_find(settings, one->name, false) != one)
            continue;
        for (int k = 0; k < settings->n; k++)
            if (k != i && strncmp(settings->at[k].name, one->name,
                                  n - length + 1) == 0)
                exchange_drop(&settings->at[k]);
    }
}

static void drop_idle(exchange_settings *settings)
{
    for (int i = 0; i < P3D_COUNT_OF(idle); i++) {
        exchange_setting *const said =
                exchange_settings_find(settings, idle[i].option, true);

        if (said != NULL && exchange_marks_hold(settings, idle[i].other) &&
                (idle[i].too == NULL ||
                        exchange_marks_hold(settings, idle[i].too)))
            exchange_drop(said);
    }
}

/* "0:384 200B:768": the last batch of a schedule is the one of most steps. */
static bool take_schedule(exchange_settings *settings, p3d_error *err)
{
    exchange_setting *const said =
            exchange_settings_find(settings, "step-batch-size-schedule", true);
    const char *const colon = said != NULL && said->value != NULL
                                      ? strrchr(said->value, ':')
                                      : NULL;
    char last[24];

    if (colon == NULL || colon[1] == '\0' ||
            colon[1 + strspn(colon + 1, "0123456789")] != '\0' ||
            !p3d_copy(last, sizeof(last), colon + 1))
        return true;
    exchange_drop(said);
    if (!exchange_settings_add(
                settings, "global-batch-size", last, PRESET, err) ||
            !exchange_settings_add(settings, "=the batch",
                    "the last of its schedule", PRESET, err))
        return false;
    settings->at[settings->n - 1].used = true;
    return true;
}

/* Old names of a framework that stood behind a prefix. */
static bool rename_plain(exchange_settings *settings, p3d_error *err)
{
    for (int i = 0; exchange_front_at(i) != NULL; i++)
        if (exchange_front_at(i)->target == NULL &&
                is_it(exchange_front_at(i), settings) &&
                !rename_all(settings, exchange_front_at(i), err))
            return false;
    return true;
}

bool exchange_front_apply(
        exchange_settings *settings, const exchange_front **out, p3d_error *err)
{
    *out = NULL;
    take_plus(settings);
    drop_empty(settings);
    if (!resolve(settings, err))
        return false;
    drop_idle(settings);
    drop_disabled(settings);
    for (int i = 0; exchange_front_at(i) != NULL; i++) {
        const exchange_front *const front = exchange_front_at(i);

        if ((front->target != NULL && *out != NULL) || !is_it(front, settings))
            continue;
        if (!add_remarks(settings, front, err))
            return false;
        drop_others(settings, front->others);
        take_prefix(settings, front);
        if (front->has_lists && !exchange_settings_join(settings, err))
            return false;
        if (!rename_all(settings, front, err))
            return false;
        if (front->target != NULL)
            *out = front;
    }
    drop_idle(settings);
    if ((*out != NULL && (*out)->prefix != NULL &&
                !rename_plain(settings, err)) ||
            !take_schedule(settings, err) ||
            !exchange_titan_add(settings, err) ||
            !exchange_vocabulary_add(settings, err))
        return false;
    if (*out == NULL)
        return true;
    drop_auto(settings);
    if (!exchange_front_take_part(settings, *out, err) ||
            !exchange_front_derive(settings, *out, err))
        return false;
    find_lacks(settings, *out);
    return preset(settings, *out, err);
}

bool exchange_front_knows(const char *name)
{
    for (int i = 0; exchange_front_at(i) != NULL; i++) {
        const exchange_front *const front = exchange_front_at(i);

        const char *const own = name + exchange_prefix_length(front, name);

        for (int k = 0; k < front->n_renames; k++)
            if (exchange_same_name(front->renames[k].from, own, true))
                return true;
    }
    return false;
}

static const exchange_setting *find_model(
        const exchange_front *front, const exchange_settings *settings)
{
    const char *marks = front->model;

    while (marks != NULL && *marks != '\0') {
        const size_t n = strcspn(marks, "|");
        char name[MAX_MARK];
        const exchange_setting *found = NULL;

        if (n < sizeof(name)) {
            memcpy(name, marks, n);
            name[n] = '\0';
            found = exchange_settings_find(settings, name, true);
        }
        if (found != NULL && found->value != NULL)
            return found;
        marks += n + (marks[n] == '|');
    }
    return NULL;
}

void exchange_front_model(const exchange_front *front,
        const exchange_settings *settings, const exchange_setting **said,
        p3d_text *name)
{
    *said = find_model(front, settings);
    if (*said != NULL)
        exchange_model_name((*said)->value, name);
}

bool exchange_is_preset(const exchange_setting *setting)
{
    return setting->line == PRESET && setting->name[0] != '\0';
}

void exchange_front_attention(const exchange_front *front,
        exchange_launch *launch, const p3d_gpu *gpu)
{
    if (front != NULL && !spec_attention_runs(launch->job.attention,
                                 &launch->model, gpu, &launch->job))
        launch->job.attention = P3D_FLASH;
}
