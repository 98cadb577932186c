/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - from the settings of files to a plan, by a target's tables. */
#include "exchange/read/import.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/util.h"
#include "exchange/read/doubt.h"
#include "exchange/read/import_steps.h"
#include "spec/abilities.h"
#include "spec/given.h"
#include "spec/legality.h"
#include "spec/plan_split.h"

/* Of a variable's name, in messages. */
enum { MAX_VARIABLE = 60 };

/* Options that launchers and scripts have beside, which are no business of a
 * plan. */
static const char *const launcher_options[] = {"rdzv-id", "rdzv-backend",
        "rdzv-endpoint", "node-rank", "master-addr", "master-port",
        "machine_rank", "main_process_ip", "main_process_port", "config_file",
        "hostfile", "exclusive", "job-name", "partition", "time", "output",
        "error", "account", "cpus-per-task", "mem", "kill-on-bad-exit",
        "map-by", "mpi", "use-mpi", "config-file", "module", "config",
        "deepspeed_config", "zero-stage"};

/* What is read, from where, and what for. */
typedef struct reading {
    const exchange_import_question *question;
    exchange_settings *settings;
    exchange_import *import;
} reading;

static bool is_loose(const exchange_table *table)
{
    return table->form == EXCHANGE_ARGUMENTS;
}

static void add_setting(
        const exchange_setting *setting, const char *end, p3d_text *out)
{
    p3d_text_add(out, "%.100s%s%.100s%s", setting->name,
            setting->value != NULL ? " = " : "",
            setting->value != NULL ? setting->value : "", end);
}

/* Sizes that no framework has a default of: they follow from others. */
static bool is_left(
        const exchange_option *option, const exchange_launch *launch)
{
    return (option->field.offset ==
                           offsetof(exchange_launch, job.global_batch) &&
                   launch->job.global_batch == 0) ||
           (option->field.offset == offsetof(exchange_launch, job.seq_len) &&
                   launch->job.seq_len == 0) ||
           (option->field.offset ==
                           offsetof(exchange_launch, plan.micro_batch) &&
                   launch->plan.micro_batch == 0);
}

/* What the framework does where the files leave an option out. Options that
 * few launches have are not worth a line. */
static void list_default(const exchange_option *option, exchange_import *import)
{
    p3d_text value = {0};

    if (option->shy || option->when != NULL || option->kind != EXCHANGE_VALUE ||
            option->field.offset < offsetof(exchange_launch, job) ||
            is_left(option, &import->launch))
        return;
    if (exchange_option_print(
                option, &import->launch, &import->launch, &value) &&
            value.length > 0)
        p3d_text_add(&import->assumed, "%s = %s\n", option->field.key,
                p3d_text_get(&value));
    p3d_text_free(&value);
}

/* A flag that is there, or a value that switches something on. */
static bool switches_on(const exchange_setting *setting)
{
    static const char *const off[] = {
            "false", "0", "1", "none", "null", "no_shard", "[]"};

    for (int i = 0; setting->value != NULL && i < P3D_COUNT_OF(off); i++) {
        if (p3d_same_word(off[i], setting->value))
            return strcmp(off[i], "1") == 0 &&
                   strstr(setting->name, "size") == NULL &&
                   strstr(setting->name, "degree") == NULL &&
                   strstr(setting->name, "shards") == NULL;
    }
    return true;
}

/* Options that change what runs although no plan says it. */
static void list_unmodelled(const exchange_target *target,
        exchange_settings *settings, p3d_text *out)
{
    const exchange_table *const last = &target->tables[target->n_tables - 1];

    for (int i = 0; target->unmodelled != NULL && target->unmodelled[i] != NULL;
            i++) {
        exchange_setting *setting = exchange_import_find_name(
                settings, &target->tables[0], target->unmodelled[i]);

        if (setting == NULL)
            setting = exchange_import_find_name(
                    settings, last, target->unmodelled[i]);
        if (setting == NULL || setting->used || !switches_on(setting))
            continue;
        add_setting(setting, "\n", out);
        exchange_settings_use(settings, setting->name, true);
    }
}

/* Fail at the place of a setting. @return false */
static bool fail_setting(const exchange_import_question *question,
        const exchange_setting *setting, const p3d_error *why, p3d_error *err)
{
    p3d_error at = *why;

    at.line = setting->line;
    at.column = setting->column;
    return question->files != NULL
                   ? p3d_fail_file(err, question->files[setting->file], &at)
                   : exchange_fail_at(err, setting->line, setting->column, "%s",
                             why->text);
}

/* A number above 1, or what stands for one. */
static bool is_some(const char *value)
{
    return value != NULL && value[0] != '-' &&
           (strpbrk(value, "$`") != NULL ||
                   (p3d_is_digit(value[0]) && strcmp(value, "1") != 0));
}

/* An option of experts, or of shared ones, that the model has not. */
static bool is_idle(const p3d_model *model, const char *name)
{
    static const char *const of_experts[] = {"moe-train-capacity-factor",
            "moe-eval-capacity-factor", "moe-min-capacity",
            "moe-expert-parallel-size", "disable-moe-token-dropping"};

    for (int i = 0; model->n_experts == 0 && i < P3D_COUNT_OF(of_experts); i++)
        if (exchange_same_name(name, of_experts[i], true))
            return true;
    return model->shared_ffn == 0 &&
           exchange_same_name(name, "moe-shared-expert-overlap", true);
}

/* An answer about all weights would be one about another training. */
static bool refuse_frozen(
        const reading *r, const exchange_setting *setting, p3d_error *err)
{
    const bool has_value = setting->value != NULL;
    p3d_error why = {0};

    p3d_record(&why, P3D_DATA,
            "'%.80s%s%.40s' looks like frozen weights or adapters that are not "
            "read: only a training of all weights could be answered; have that "
            "at your own risk (--force)",
            setting->name + (setting->name[0] == '='), has_value ? " = " : "",
            has_value ? setting->value : "");
    return fail_setting(r->question, setting, &why, err);
}

/* slime's layers of a model, which is taken by its name. */
static bool is_spec_of_model(const exchange_setting *setting)
{
    static const char package[] = "slime_plugins.models.";

    return exchange_same_name(setting->name, "spec", true) &&
           setting->value != NULL &&
           strncmp(setting->value, package, sizeof(package) - 1) == 0;
}

/* Where files describe the model size by size, parts of its layers are as much
 * in doubt as the plan. */
static const exchange_doubt *doubt_of(
        const reading *r, const exchange_setting *setting)
{
    static const exchange_doubt layers = {"the model's layers", false, false};
    const exchange_doubt *doubt;

    if (exchange_is_harmless(r->question->target, setting->name) ||
            is_idle(&r->import->launch.model, setting->name) ||
            (r->question->model != NULL && is_spec_of_model(setting)))
        return NULL;
    doubt = exchange_doubt_of(setting->name, setting->value);
    return doubt == NULL && r->import->own_model &&
                           exchange_describes_layers(
                                   setting->name, setting->value)
                   ? &layers
                   : doubt;
}

/* A name that no table knows. With what looks like parallelism nobody knows how
 * many GPUs a replica has. */
static bool list_setting(
        const reading *r, const exchange_setting *setting, p3d_error *err)
{
    const exchange_doubt *const doubt = doubt_of(r, setting);
    p3d_error why = {0};

    if (doubt == NULL) {
        exchange_list_unknown(r->question, setting, r->import);
        return true;
    }
    if (doubt->freezes && !r->question->at_own_risk)
        return refuse_frozen(r, setting, err);
    if (!doubt->shapes_replica || !is_some(setting->value) ||
            r->question->at_own_risk) {
        exchange_add_doubtful(setting, doubt, r->import);
        return true;
    }
    p3d_record(&why, P3D_DATA,
            "'%.80s = %.40s' looks like %s, and %s has no such option; name "
            "the framework (--from), or leave it out at your own risk "
            "(--force)",
            setting->name, setting->value, doubt->topic,
            r->question->front != NULL ? r->question->front->title
                                       : r->question->target->title);
    return fail_setting(r->question, setting, &why, err);
}

/* What is frozen of a model that sees or hears; with adapters all of it is. */
static void read_towers(const reading *r)
{
    p3d_job *const job = &r->import->launch.job;
    const p3d_tower *const tower = &r->import->launch.model.tower;
    const char *const title = r->question->front != NULL
                                      ? r->question->front->title
                                      : r->question->target->title;
    const exchange_tower_parts parts = exchange_read_towers(r->settings, title);
    const unsigned seen = P3D_PART_VISION | P3D_PART_AUDIO | P3D_PART_PROJECTOR;

    if (job->adapters.rank > 0 && (parts.trained & seen) != 0)
        p3d_text_add(&r->import->unmodelled,
                "training of the tower or its projector beside the adapters\n");
    if (job->adapters.rank > 0)
        return;
    job->frozen = parts.frozen;
    if (tower->hidden == 0)
        job->frozen &= ~seen;
    else if (tower->is_audio)
        job->frozen &= ~(unsigned)P3D_PART_VISION;
    else
        job->frozen &= ~(unsigned)P3D_PART_AUDIO;
    if (tower->hidden > 0 && parts.by_itself != 0)
        p3d_text_add(&r->import->assumed, "%s = true (%.100s)\n",
                (parts.by_itself & P3D_PART_PROJECTOR) != 0
                        ? "freeze_vision_tower, freeze_multi_modal_projector"
                        : "freeze_vision_tower",
                title);
}

/* Units by size of a model whose modules are not known by size. */
static void read_units(const reading *r)
{
    p3d_job *const job = &r->import->launch.job;

    if (job->unit_params == 0 || job->unit_params == P3D_UNIT_WHOLE ||
            spec_wraps_by_size(&r->import->launch.model, job))
        return;
    job->unit_params = 0;
    p3d_text_add(&r->import->unmodelled,
            "units of FSDP1 by size (fsdp_min_num_params): each layer counts "
            "as one\n");
}

/* The framework of the costs: the front end's own where it has one. */
/* Programs that run on Megatron-LM have MindSpeed in its place where it does
 * not run: verl@1dda039b verl/workers/engine/mindspeed, ms-swift@3602360a
 * swift/megatron/init.py. */
static p3d_framework on_device(p3d_framework own, const p3d_gpu *gpu)
{
    const p3d_framework *const usual =
            p3d_framework_find(spec_usual_framework(gpu));

    return spec_framework_runs_on(&own, gpu) || usual == NULL ? own : *usual;
}

static p3d_framework framework_of(const exchange_import_question *question)
{
    const exchange_front *const front = question->front;
    const exchange_target *const target = question->target;
    p3d_framework own = exchange_target_framework(target);

    if (front != NULL && target == &exchange_to_megatron)
        return on_device(own, &question->cluster->gpu);
    if (front == NULL || front->profile == NULL ||
            strcmp(front->target, target->name) != 0)
        return own;
    own = *p3d_framework_find(front->profile);
    /* What Megatron-DeepSpeed lacks, its other users do not. */
    if (target->narrow != NULL && target != &exchange_to_deepspeed)
        target->narrow(&own);
    return own;
}

static bool list_unknown(const reading *r, p3d_error *err)
{
    exchange_settings *const settings = r->settings;

    for (int i = 0; i < P3D_COUNT_OF(launcher_options); i++)
        exchange_settings_use(settings, launcher_options[i], true);
    for (int i = 0; i < settings->n; i++)
        if (!settings->at[i].used && !list_setting(r, &settings->at[i], err))
            return false;
    return true;
}

static bool is_number(const exchange_option *option)
{
    return exchange_is(option, JSON_KIND_INT) ||
           exchange_is(option, JSON_KIND_INT64) ||
           exchange_is(option, JSON_KIND_DOUBLE);
}

/* A value that only a run of the files would tell: a variable of a shell, a
 * name of Python where a number stands. */
static bool is_unresolved(const reading *r, const exchange_table *table,
        const exchange_option *option, const exchange_setting *setting)
{
    const char *const value = setting->value;
    const char *const file =
            r->question->files != NULL ? r->question->files[setting->file] : "";

    if (value == NULL || option->kind != EXCHANGE_VALUE)
        return false;
    if (is_loose(table) || value[0] == '$')
        return strpbrk(value, "$`") != NULL;
    return is_number(option) && p3d_is_letter(value[0]) &&
           table->form >= EXCHANGE_FIELDS && !p3d_same_word(value, "none") &&
           exchange_syntax_of(file, "") != EXCHANGE_IN_TOML;
}

/* A dump of arguments says True, False and None where a script has a flag or
 * has it not. */
static bool is_logged(
        const exchange_option *option, const exchange_setting *setting)
{
    return setting->value != NULL &&
           (p3d_same_word(setting->value, "none") ||
                   strcmp(setting->value, "[]") == 0 ||
                   (option->kind == EXCHANGE_FLAG &&
                           (p3d_same_word(setting->value, "true") ||
                                   p3d_same_word(setting->value, "false"))));
}

static bool apply_logged(const exchange_option *option,
        const exchange_setting *setting, exchange_launch *launch,
        p3d_error *err)
{
    const bool yes = p3d_same_word(setting->value, "true");

    if (option->kind != EXCHANGE_FLAG || yes == option->logged_not)
        return true;
    return exchange_option_parse(option, NULL, launch, err);
}

/* "8 run": a number with a word behind it that is no part of a sum. */
static bool is_followed(const char *value)
{
    const size_t n = value != NULL ? strcspn(value, " ") : 0;

    return n > 0 && value[n] == ' ' &&
           (p3d_is_letter(value[n + 1]) || strchr("./-", value[n + 1])) &&
           value[n + 2] != ' ';
}

/* An argument's value is one word, but for lists; what follows it in a script
 * belongs to nobody. */
static bool parse_setting(const exchange_table *table,
        const exchange_option *option, const exchange_setting *setting,
        exchange_launch *launch, p3d_error *err)
{
    /* Numbers of a configuration's table may be arguments of its launcher. */
    const bool is_argument = is_loose(table) ||
                             (is_number(option) && is_followed(setting->value));
    char word[256];
    size_t n;

    if (is_loose(table) && is_logged(option, setting))
        return apply_logged(option, setting, launch, err);
    if (!is_argument || setting->value == NULL ||
            exchange_is(option, JSON_KIND_STRING))
        return exchange_option_parse(option, setting->value, launch, err);
    n = strcspn(setting->value, " ");
    snprintf(word, sizeof(word), "%.*s",
            n < sizeof(word) ? (int)n : (int)sizeof(word) - 1, setting->value);
    return exchange_option_parse(option, word, launch, err);
}

/* A value that plan3d always writes, and the files have another: it has no
 * part in the plan, but may have one in the run. */
static bool is_other(
        const exchange_option *option, const exchange_setting *setting)
{
    const char *const text = option->text;
    const char *const value = setting->value;
    size_t n;

    if (option->kind != EXCHANGE_FIXED || value == NULL || text == NULL)
        return false;
    n = strlen(text); /* of Python it may stand in quotes */
    if (n > 2 && text[0] == '"' && strlen(value) == n - 2)
        return strncmp(text + 1, value, n - 2) != 0;
    return !p3d_same_word(text, value);
}

/* The name of the first variable in a value; "NAME" where it has none. */
static const char *variable_of(const char *value)
{
    const char *const dollar = strchr(value, '$');
    const char *const name =
            dollar != NULL ? dollar + strspn(dollar, "${(") : "";

    return p3d_is_word(name[0]) ? name : "NAME";
}

static int variable_length(const char *name)
{
    int n = 0;

    while (n < MAX_VARIABLE && p3d_is_word(name[n]))
        n++;
    return n;
}

/* True for one of the words between commas. */
static bool has_word(const char *list, const char *word)
{
    const char *at = list;

    while ((at = strstr(at, word)) != NULL) {
        if (at == list || at[-1] == ',')
            return true;
        at++;
    }
    return false;
}

/* "TP=VALUE,PP=VALUE": all variables of options that a table knows, or that
 * look like a part of the plan. */
static void add_variables(
        const reading *r, const exchange_setting *first, p3d_text *out)
{
    char word[MAX_VARIABLE + 10];

    for (int i = -1; i < r->settings->n; i++) {
        const exchange_setting *const one = i < 0 ? first : &r->settings->at[i];
        const char *const value = one->value != NULL ? one->value : "";
        const char *variable;

        if (i >= 0 &&
                (one->line == EXCHANGE_PRESET || strchr(value, '$') == NULL ||
                        !exchange_import_knows(one->name)))
            continue;
        variable = variable_of(value);
        snprintf(word, sizeof(word), "%.*s=VALUE", variable_length(variable),
                variable);
        if (out->length == 0 || (!has_word(p3d_text_get(out), word) &&
                                        strcmp(word, "NAME=VALUE") != 0))
            p3d_text_add(out, "%s%s", out->length > 0 ? "," : "", word);
    }
}

/* Several launches are several questions. @return false where the variable of
 * a value is of a loop over several words */
static bool check_loop(
        const reading *r, const exchange_setting *setting, p3d_error *err)
{
    const char *const variable = variable_of(setting->value);
    char name[sizeof(EXCHANGE_LOOP) + MAX_VARIABLE];
    const exchange_setting *loop;
    p3d_error why = {0};

    snprintf(name, sizeof(name), EXCHANGE_LOOP "%.*s",
            variable_length(variable), variable);
    loop = exchange_settings_find(r->settings, name, false);
    if (loop == NULL || r->question->at_own_risk)
        return true;
    p3d_record(&why, P3D_DATA,
            "the loop over $%s (%.80s) launches several runs, as '%.60s' hangs "
            "on it; write --set %s=%.*s for one of them",
            name + strlen(EXCHANGE_LOOP), loop->value, setting->name,
            name + strlen(EXCHANGE_LOOP), (int)strcspn(loop->value, " "),
            loop->value);
    return fail_setting(r->question, loop, &why, err);
}

/* What only the environment of a run would tell. */
static bool note_unresolved(const reading *r, const exchange_option *option,
        const exchange_setting *setting, p3d_error *err)
{
    static const exchange_doubt model = {"the model", true, false};
    const bool is_model =
            r->question->model == NULL &&
            option->field.offset < offsetof(exchange_launch, job) &&
            is_number(option);
    const exchange_doubt *const doubt =
            is_model ? &model
                     : exchange_doubt_of(setting->name, setting->value);
    p3d_text variables = {0};
    p3d_error why = {0};

    if (!check_loop(r, setting, err))
        return false;
    if (doubt == NULL) {
        add_setting(setting, "\n", &r->import->unresolved);
        return true;
    }
    if (!doubt->shapes_replica || r->question->at_own_risk) {
        exchange_add_doubtful(setting, doubt, r->import);
        return true;
    }
    add_variables(r, setting, &variables);
    p3d_record(&why, P3D_DATA,
            "'%.80s = %.80s' has its value from outside; write --set "
            "%.300s, or take the framework's default at your own risk "
            "(--force)",
            setting->name, setting->value, p3d_text_get(&variables));
    p3d_text_free(&variables);
    return fail_setting(r->question, setting, &why, err);
}

/* Branches of a script that are all read may say two things; of two in one
 * command the last one counts. */
static void note_other_values(const reading *r, const exchange_setting *setting)
{
    static const exchange_doubt twice = {"another value before", false, false};

    for (int i = 0; i < r->settings->n; i++) {
        const exchange_setting *const other = &r->settings->at[i];
        const bool has_both = other->value != NULL && setting->value != NULL;

        if (other == setting || other->file != setting->file || !has_both ||
                (other->command > 0 && other->command == setting->command) ||
                strcmp(other->value, setting->value) == 0 ||
                p3d_same_word(other->value, "none") ||
                !exchange_same_name(other->name, setting->name, true))
            continue;
        exchange_add_doubtful(setting, &twice, r->import);
        return;
    }
}

/* "64 64 128": a number of its own for each layer, of which one is read. */
static void note_several(const reading *r, const exchange_option *option,
        const exchange_setting *setting)
{
    static const exchange_doubt several = {"several values", false, false};
    const char *const value = setting->value != NULL ? setting->value : "";
    const size_t n = strcspn(value, " ");

    for (const char *at = value + n; is_number(option) && *at != '\0';) {
        at += strspn(at, " ");
        if (!p3d_is_digit(*at))
            return;
        if (strncmp(at, value, n) != 0 || strcspn(at, " ") != n) {
            exchange_add_doubtful(setting, &several, r->import);
            return;
        }
        at += n;
    }
}

static bool apply_option(const reading *r, const exchange_table *table,
        const exchange_option *option, p3d_error *err)
{
    exchange_import *const import = r->import;
    exchange_setting *const setting =
            exchange_import_find(r->settings, table, option);
    p3d_error cause = {0};

    if (setting == NULL) {
        if (table->form != EXCHANGE_ARGUMENTS || import->target->n_tables == 1)
            list_default(option, import);
        return true;
    }
    if (!is_other(option, setting))
        exchange_settings_use(r->settings, setting->name, true);
    if (is_loose(table) && option->kind != EXCHANGE_FIXED) {
        note_other_values(r, setting);
        note_several(r, option, setting);
    }
    import->launch.said.n_found[table - import->target->tables]++;
    if (is_unresolved(r, table, option, setting))
        return note_unresolved(r, option, setting, err);
    return parse_setting(table, option, setting, &import->launch, &cause) ||
           fail_setting(r->question, setting, &cause, err);
}

static bool apply(const reading *r, p3d_error *err)
{
    const exchange_target *const target = r->import->target;

    for (int t = 0; t < target->n_tables; t++) {
        const exchange_table *const table = &target->tables[t];

        for (int i = 0; i < table->n_options; i++) {
            if (table->options[i].kind != EXCHANGE_HEAD &&
                    !apply_option(r, table, &table->options[i], err))
                return false;
        }
    }
    return true;
}

/* A schedule follows from the chunks where files do not say it, and chunks may
 * differ by a layer where they cannot be even. */
static void finish_plan(exchange_launch *launch)
{
    p3d_plan *const p = &launch->plan;
    spec_split split;

    if (p->schedule == P3D_1F1B && p->vp > 1)
        p->schedule = P3D_INTERLEAVED;
    if (p->vp > 1 && !p->uneven && !p3d_plan_says_layers(p) &&
            !spec_split_find(&launch->model, &launch->job, p, &split)) {
        p->uneven = true;
        p->uneven = spec_split_find(&launch->model, &launch->job, p, &split);
    }
}

/* Defaults of the planner for what no file says: cost details, not sizes. */
static void finish_job(const exchange_import_question *q,
        exchange_launch *launch, p3d_framework *framework)
{
    const p3d_gpu *const gpu = &q->cluster->gpu;
    const p3d_job said = launch->job;

    launch->job.fixed_dispatcher = true;
    p3d_job_default(&launch->job, &launch->model, q->cluster);
    launch->job.dtype = said.dtype;
    launch->job.attention = said.attention;
    launch->job.seq_len = said.seq_len;
    launch->job.global_batch = said.global_batch;
    launch->job.framework = framework;
    exchange_front_attention(q->front, launch, gpu);
    p3d_job_default_attention(&launch->job, &launch->model, gpu);
}

static bool settle_model(const exchange_target *target, const p3d_model *model,
        exchange_import *import, p3d_error *err)
{
    if (model != NULL) {
        import->launch.model = *model;
        return true;
    }
    import->own_model = true;
    return spec_model_check_limits(&import->launch.model, err) &&
           target->settle_model(&import->launch, err) &&
           spec_model_check_heads(&import->launch.model, err);
}

/* What the caller says of the job counts more than the files. */
static bool settle_plan(const exchange_target *target, const p3d_job *job,
        exchange_launch *launch, p3d_error *err)
{
    if (job->seq_len > 0)
        launch->job.seq_len = job->seq_len;
    if (job->global_batch > 0)
        launch->job.global_batch = job->global_batch;
    if (!target->settle(launch, err))
        return false;
    if (job->global_batch > 0)
        launch->job.global_batch = job->global_batch;
    return exchange_check_settled(target, launch, err);
}

/* An image that no file sizes is no longer than a sequence, which is then cut
 * to no more than that. */
static void fit_images(const exchange_launch *from, exchange_import *out)
{
    p3d_job *const job = &out->launch.job;
    const p3d_images images = p3d_job_images(job, &from->model);

    if (images.n != 1 || job->image_tokens > 0 || images.tokens <= job->seq_len)
        return;
    job->image_tokens = job->seq_len;
    p3d_text_add(&out->unmodelled,
            "images, which are cut with their sequence: %d of %d tokens are "
            "counted",
            job->seq_len, images.tokens);
    p3d_text_add(&out->unmodelled, "\n");
}

/* Gradients that accumulate over several passes of a pipeline. */
static void note_flushes(const exchange_launch *launch, p3d_text *lines)
{
    if (launch->said.n_flushes < 2)
        return;
    p3d_text_add(lines,
            "the pipeline, which runs empty %lld times a step: once is counted",
            (long long)launch->said.n_flushes);
    p3d_text_add(lines, "\n");
}

/* A head of numbers has a matrix of its own. */
static void take_outputs(exchange_launch *launch)
{
    if (launch->said.n_outputs < 1)
        return;
    launch->model.n_outputs = launch->said.n_outputs;
    launch->model.tied_embeddings = false;
}

/* The files count pairs, a plan sequences. */
static void count_pairs(exchange_launch *launch)
{
    if (!p3d_companion_pairs(&launch->job))
        return;
    launch->plan.micro_batch *= 2;
    launch->job.global_batch *= 2;
}

bool exchange_import_settle(const exchange_import_question *question,
        exchange_settings *settings, exchange_import *out, p3d_error *err)
{
    const exchange_target *const target = question->target;
    const p3d_cluster *const cluster = question->cluster;
    exchange_launch *const launch = &out->launch;
    const reading r = {question, settings, out};

    memset(out, 0, sizeof(*out));
    out->target = target;
    out->framework = framework_of(question);
    target->defaults(launch);
    launch->job.framework = &out->framework;
    launch->n_gpus = cluster->n_gpus;
    launch->n_nodes = cluster->n_nodes;
    launch->gpus_per_node = cluster->node.gpus_per_node;
    launch->gpus_per_slice = cluster->node.gpus_per_nvlink_domain;
    launch->sm = p3d_gpu_sm(&cluster->gpu);
    exchange_note_world(settings, cluster, &out->contradicted, &out->assumed);
    if (!exchange_note_contradictions(
                question, settings, &out->contradicted, &out->assumed, err) ||
            !apply(&r, err))
        return false;
    exchange_note_model(question, settings, out);
    count_pairs(launch);
    exchange_widen(target, launch, &out->framework);
    if (!exchange_check_lacks(question, settings, launch, err) ||
            !settle_model(target, question->model, out, err))
        return false;
    take_outputs(launch);
    if (!settle_plan(target, question->job, launch, err) ||
            !exchange_read_adapters(settings, &launch->job.adapters, err))
        return false;
    if (launch->job.adapters.rank > 0) /* those are of fp32 */
        launch->job.master_dtype = P3D_STATE_USUAL;
    read_towers(&r);
    read_units(&r);
    exchange_apply_environment(settings, launch);
    list_unmodelled(target, settings, &out->unmodelled);
    note_flushes(launch, &out->unmodelled);
    exchange_list_front(question, settings, out);
    exchange_find_misspelt(question, settings, &out->misspelt);
    if (!list_unknown(&r, err))
        return false;
    finish_plan(launch);
    exchange_narrow(question->front, target, &launch->plan, &out->framework);
    exchange_note_replicas(settings, launch->plan.dp, &out->contradicted);
    if (question->job != NULL) {
        launch->job.reserve_bytes = question->job->reserve_bytes;
        launch->job.fixed_reserve = question->job->fixed_reserve;
        launch->job.sure_frac = question->job->sure_frac;
    }
    finish_job(question, launch, &out->framework);
    fit_images(launch, out);
    return !(out->unknown.failed || out->unmodelled.failed ||
                   out->assumed.failed || out->unresolved.failed ||
                   out->doubtful.failed || out->contradicted.failed ||
                   out->scope.failed) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}

void exchange_import_free(exchange_import *import)
{
    p3d_text_free(&import->scope);
    p3d_text_free(&import->assumed);
    p3d_text_free(&import->unknown);
    p3d_text_free(&import->unmodelled);
    p3d_text_free(&import->unresolved);
    p3d_text_free(&import->doubtful);
    p3d_text_free(&import->contradicted);
}
