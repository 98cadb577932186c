/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_files.c - files, --set and --model become a launch. */
#include "cli/launch_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "cli/question.h"
#include "exchange/read/follow.h"
#include "exchange/read/log.h"
#include "exchange/read/model_word.h"
#include "exchange/read/titan.h"

static const char word_characters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

static bool fail_set(const char *part, p3d_error *err)
{
    return p3d_fail(err, P3D_USAGE,
            "--set '%.80s': write NAME=VALUE, several with commas", part);
}

/* "TP=4,PP=2": names and values of scripts' variables. */
static bool read_set(const cli_args *args, cli_launch *w, p3d_error *err)
{
    char *part;

    if (args->set == NULL)
        return true;
    p3d_text_add(&w->set, "%s", args->set);
    if (w->set.failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    w->settings.given = w->given;
    for (part = w->set.data; part != NULL;) {
        char *const comma = strchr(part, ',');
        const size_t n = strcspn(part, "=,");

        if (w->settings.n_given == CLI_MAX_SET)
            return p3d_fail(err, P3D_USAGE,
                    "--set: more than %d variables; leave out what the files "
                    "do not use",
                    (int)CLI_MAX_SET);
        if (n == 0 || part[n] != '=' || strspn(part, word_characters) != n)
            return fail_set(part, err);
        part[n] = '\0';
        if (comma != NULL)
            *comma = '\0';
        w->given[w->settings.n_given++] =
                (exchange_variable){part, part + n + 1, false};
        part = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}

/* What was said before counts more than what a file has from the n-th setting
 * on. */
static void put_beneath(exchange_settings *settings, int n)
{
    const int end = settings->n;

    for (int i = n; i < end; i++) {
        exchange_setting *const own = &settings->at[i];
        const exchange_setting *said = NULL;

        settings->n = n;
        said = exchange_settings_find(settings, own->name, true);
        settings->n = end;
        if (said == NULL)
            continue;
        own->name[0] = '\0';
        own->used = true;
    }
}

/* The i-th file that the files name. @return false at the last, too */
static bool follow_one(
        const cli_args *args, cli_launch *w, int i, p3d_error *err)
{
    const char *names[EXCHANGE_MOST_FILES];
    exchange_followed *const next = &w->followed[i];
    const int at = args->n_words + i, n = w->settings.n;
    size_t length = 0;

    for (int k = 0; k < at; k++)
        names[k] = w->files[k].path;
    if (!exchange_follow(
                &(exchange_follow_from){&w->settings, names, at}, next, err) ||
            next->path.length == 0)
        return false;
    if (w->n_files == at) {
        if (!p3d_read_file(next->path.data, EXCHANGE_MAX_BYTES, &w->own[i],
                    &length, err))
            return false;
        w->files[w->n_files++] =
                (exchange_text){next->path.data, w->own[i], length};
    }
    if (!exchange_read_text(w->files[at], &w->settings, &w->measured, err))
        return false;
    if (next->beneath)
        put_beneath(&w->settings, n);
    return true;
}

/* Files that the files name, and those that these name. */
static bool follow(const cli_args *args, cli_launch *w, p3d_error *err)
{
    p3d_error why = {0};
    int i = 0;

    while (i < CLI_MOST_FOLLOWED && follow_one(args, w, i, &why))
        i++;
    if (why.text[0] != '\0') {
        if (err != NULL)
            *err = why;
        return false;
    }
    if (i < CLI_MOST_FOLLOWED)
        p3d_text_add(
                &w->unfollowed, "%s", p3d_text_get(&w->followed[i].missing));
    return true;
}

/* What no script asks for is an option that the files leave out, or a mistake
 * in a name. */
static bool take_set(cli_launch *w, p3d_error *err)
{
    const int file = w->settings.file;

    w->settings.file = EXCHANGE_MOST_FILES; /* none of them */
    for (int i = 0; i < w->settings.n_given; i++) {
        exchange_variable *const given = &w->given[i];

        if (given->used)
            continue;
        if (!exchange_front_knows(given->name) &&
                !exchange_import_knows(given->name))
            return p3d_fail(err, P3D_DATA,
                    "--set %.60s: no script of the files has $%.60s; leave it "
                    "out, or correct its name",
                    given->name, given->name);
        if (!exchange_settings_add(
                    &w->settings, given->name, given->value, 0, err))
            return false;
    }
    w->settings.file = file;
    return true;
}

static bool check_function(
        const cli_args *args, const cli_launch *w, p3d_error *err)
{
    return args->function == NULL || w->settings.chose ||
           p3d_fail(err, P3D_USAGE,
                   "--function %.60s: no file is Python; leave it out",
                   args->function);
}

/* The model of a name, or of one that is cut where that is not known. */
static bool find_model(cli_launch *w, p3d_error *err)
{
    p3d_error why = {0};

    if (p3d_model_find(w->model_name.data, &w->model, &why) ||
            exchange_titan_find(w->model_name.data, &w->model))
        return true;
    while (exchange_shorten_model(&w->model_name))
        if (p3d_model_find(w->model_name.data, &w->model, &why)) {
            if (!exchange_settings_add(&w->settings, "model",
                        w->model_name.data, EXCHANGE_PRESET, err))
                return false;
            exchange_settings_use(&w->settings, "model", false);
            return true;
        }
    return false;
}

/* The model whose family and size are in a value, which is said.
 * @param found  NULL-ended name of it; empty = none */
static bool guess_model(
        cli_launch *w, const exchange_setting *said, p3d_error *err)
{
    const exchange_setting of = *said;
    const char *const slash = strrchr(of.value, '/');
    p3d_text name = {0};
    bool ok = exchange_model_in_word(
            slash != NULL && slash[1] != '\0' ? slash + 1 : of.value, &name,
            err);

    if (ok && name.length == 0)
        ok = exchange_model_in_word(of.value, &name, err);
    if (ok && name.length > 0)
        ok = p3d_model_find(name.data, &w->model, err) &&
             exchange_add_guess(&w->settings, &of, name.data, err);
    p3d_text_free(&w->model_name);
    w->model_name = name;
    return ok;
}

/* "llama2_models/70B": a size, and a part of its folder that says the family.
 * @return false where no part does */
static bool find_sized_model(cli_launch *w, const char *value)
{
    const char *const size = strrchr(value, '/');
    const char *at = value;

    while (size != NULL && at < size) {
        const size_t n = strcspn(at, "/_");
        p3d_text word = {0}, name = {0};
        bool found;

        p3d_text_add(&word, "%.*s-%s", (int)n, at, size + 1);
        found = !word.failed && p3d_is_letter(at[0]) &&
                exchange_model_in_word(word.data, &name, NULL) &&
                name.length > strlen(size + 1) &&
                p3d_same_word(
                        name.data + name.length - strlen(size + 1), size + 1) &&
                p3d_model_find(name.data, &w->model, NULL);
        p3d_text_free(&word);
        if (found) {
            p3d_text_free(&w->model_name);
            w->model_name = name;
            return true;
        }
        p3d_text_free(&name);
        at += n + (at[n] != '\0');
    }
    return false;
}

/* Length of the name of a recipe that a text begins with: "NAME_config" before
 * one of its arguments or its "(". @return 0 where there is none */
static size_t recipe_length(const char *text, char behind)
{
    static const char ending[] = "config";
    const size_t length = sizeof(ending) - 1;
    const size_t n = text != NULL ? strspn(text, word_characters) : 0;
    const char *const dot = n > 0 ? memchr(text, behind, n + 1) : NULL;
    const size_t end = dot != NULL ? (size_t)(dot - text) : 0;

    return end > length && strncmp(text + end - length, ending, length) == 0
                   ? end
                   : 0;
}

/* "llama31_70b_pretrain_config()": a recipe that begins from one of another
 * file, which has the model and more. */
static bool take_recipe(
        cli_launch *w, const char *text, size_t n, p3d_error *err)
{
    p3d_text word = {0}, name = {0};
    bool ok;

    p3d_text_append(&word, text, n);
    ok = exchange_model_in_word(p3d_text_get(&word), &name, err);
    if (ok && name.length > 0 && p3d_model_find(name.data, &w->model, err)) {
        const exchange_setting of = {
                .name = (char[]){"recipe"}, .value = word.data};

        p3d_text_add(&w->model_name, "%s", name.data);
        w->model_file = w->model_name.data;
        p3d_text_add(&name, "; what else it sets is not read");
        ok = exchange_add_guess(&w->settings, &of, name.data, err);
    }
    p3d_text_free(&word);
    p3d_text_free(&name);
    return ok;
}

/* The model that a recipe loads; one that nobody knows is left to the rest. */
static bool find_loaded_model(cli_launch *w)
{
    const exchange_setting *const loaded =
            exchange_settings_find(&w->settings, EXCHANGE_LOADED_MODEL, false);

    if (loaded == NULL || loaded->value == NULL)
        return false;
    exchange_model_name(loaded->value, &w->model_name);
    if (w->model_name.length > 0 &&
            p3d_model_find(w->model_name.data, &w->model, NULL)) {
        w->model_file = w->model_name.data;
        exchange_settings_use(&w->settings, EXCHANGE_LOADED_MODEL, false);
        return true;
    }
    p3d_text_free(&w->model_name);
    return false;
}

static bool find_begun_model(cli_launch *w, p3d_error *err)
{
    const int n = w->settings.n;

    if (find_loaded_model(w))
        return true;
    for (int i = 0; i < n && w->model_file == NULL; i++) {
        const exchange_setting *const one = &w->settings.at[i];
        const size_t in_value = recipe_length(one->value, '(');
        const size_t in_name = recipe_length(one->name, '.');

        if (in_value + in_name > 0 &&
                !take_recipe(w, in_value > 0 ? one->value : one->name,
                        in_value > 0 ? in_value : in_name, err))
            return false;
    }
    return true;
}

/* The files have the sizes of a model. */
static bool says_sizes(const exchange_settings *settings)
{
    static const char *const names[] = {
            "num-layers", "hidden-size", "model.model_config.hidden_size"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (exchange_settings_find(settings, names[i], true) != NULL)
            return true;
    return false;
}

/* A script that plan3d export wrote has the model from outside, and its name at
 * its head. */
static bool take_made_model(cli_launch *w, p3d_error *err)
{
    const exchange_setting *const made =
            exchange_settings_find(&w->settings, EXCHANGE_MADE_MODEL, false);
    p3d_text name = {0};

    if (w->model_file != NULL || made == NULL || says_sizes(&w->settings))
        return true;
    p3d_text_add(&name, "%s", made->value);
    if (name.failed || !p3d_model_find(name.data, &w->model, NULL)) {
        p3d_text_free(&name);
        return true;
    }
    p3d_text_free(&w->model_name);
    p3d_text_free(&w->unfound);
    w->model_name = name;
    w->model_file = w->model_name.data;
    if (!exchange_settings_add(
                &w->settings, "=model", w->model_file, EXCHANGE_PRESET, err))
        return false;
    w->settings.at[w->settings.n - 1].used = true;
    return true;
}

/* The model by the name that a front end's files have for it; one that nobody
 * knows is a fact that is missing. */
static bool find_named_model(cli_launch *w, p3d_error *err)
{
    const exchange_setting *said = NULL;
    exchange_setting of;

    if (w->model_file == NULL && w->front == NULL)
        return find_begun_model(w, err);
    if (w->model_file != NULL)
        return true;
    exchange_front_model(w->front, &w->settings, &said, &w->model_name);
    if (said == NULL || w->model_name.length == 0)
        return true;
    of = *said;
    exchange_settings_use(&w->settings, of.name, true);
    if (find_model(w, err) ||
            (guess_model(w, &of, err) && w->model_name.length > 0)) {
        const bool has_family = !p3d_is_digit(w->model_name.data[0]) ||
                                find_sized_model(w, of.value);

        w->model_file = w->model_name.data;
        return has_family ||
               exchange_add_guess(&w->settings, &of, w->model.name, err);
    }
    p3d_text_add(&w->unfound, "%.40s = %.80s", of.name, of.value);
    return !w->unfound.failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

/* The target of --from. Of one that is written alone the files must be those
 * of its front end, and become those of another target. */
static const exchange_target *find_from(
        const char *name, const cli_launch *w, p3d_error *err)
{
    const exchange_target *const said = exchange_target_find(name, err);

    if (said == NULL || said->reads_as == NULL)
        return said;
    if (w->front != NULL && w->front->target != NULL &&
            strcmp(w->front->target, said->reads_as) == 0)
        return exchange_target_find(said->reads_as, err);
    p3d_fail(err, P3D_DATA,
            "the files are not of %s; leave --from out, or add the file that "
            "is missing",
            said->title);
    return NULL;
}

static const exchange_target *find_target(
        const cli_args *args, const cli_launch *w, p3d_error *err)
{
    const exchange_target *guessed;

    if (args->from != NULL)
        return find_from(args->from, w, err);
    if (w->front != NULL)
        return exchange_target_find(w->front->target, err);
    if (w->unfollowed.length == 0)
        return exchange_import_guess(&w->settings, err);
    guessed = exchange_import_guess(&w->settings, NULL);
    if (guessed == NULL)
        p3d_fail(err, P3D_DATA,
                "no parallel plan is in the files, and no %.200s; add that "
                "file, or write --from and the framework",
                w->unfollowed.data);
    return guessed;
}

/* True where the settings from the n-th on are a config.json. */
static bool is_model(const exchange_settings *settings, int n)
{
    bool has_type = false, has_size = false;

    for (int i = n; i < settings->n; i++) {
        const char *const name = settings->at[i].name;

        has_type = has_type || strcmp(name, "model_type") == 0;
        has_size = has_size || strcmp(name, "architectures") == 0 ||
                   strcmp(name, "vocab_size") == 0;
    }
    return has_type && has_size;
}

/* A config.json among the files is the model of the launch. */
static bool read_files(const cli_args *args, cli_launch *w, p3d_error *err)
{
    for (int i = 0; i < args->n_words; i++) {
        const int n_before = w->settings.n;

        if (w->files[i].text == NULL)
            continue; /* a log that the caller has read */
        if (!exchange_read_text(w->files[i], &w->settings, &w->measured, err))
            return false;
        if (!is_model(&w->settings, n_before))
            continue;
        if (args->model == NULL)
            w->model_file = args->words[i];
        exchange_settings_cut(&w->settings, n_before);
    }
    return true;
}

/* What the readers found is kept as it is beside what the tables make of it. */
static bool keep_read(cli_launch *w, p3d_error *err)
{
    const exchange_settings *const from = &w->settings;

    w->read.given = from->given;
    w->read.n_given = from->n_given;
    w->read.environment = from->environment;
    w->read.function = from->function;
    w->read.n_nodes = from->n_nodes;
    w->read.gpus_per_node = from->gpus_per_node;
    for (int i = 0; i < from->n; i++) {
        if (!exchange_settings_add(&w->read, from->at[i].name,
                    from->at[i].value, from->at[i].line, err))
            return false;
        w->read.at[i].file = from->at[i].file;
        w->read.at[i].column = from->at[i].column;
    }
    return true;
}

static bool settle(
        const cli_args *args, cli_launch *w, const p3d_job *job, p3d_error *err)
{
    const char *names[EXCHANGE_MOST_FILES + 1] = {
            [EXCHANGE_MOST_FILES] = "--set"};
    const exchange_target *const target = find_target(args, w, err);

    for (int i = 0; i < w->n_files; i++)
        names[i] = w->files[i].path;
    return target != NULL && find_named_model(w, err) &&
           take_made_model(w, err) &&
           (w->model_file == NULL ||
                   exchange_add_tower(&w->settings, &w->model, err)) &&
           exchange_import_settle(
                   &(exchange_import_question){.target = target,
                           .front = w->front,
                           .model = w->model_file != NULL ? &w->model : NULL,
                           .cluster = &w->cluster,
                           .job = job,
                           .files = names,
                           .unfound = w->unfound.length > 0 ? w->unfound.data
                                                            : NULL,
                           .unfollowed = w->unfollowed.length > 0
                                                 ? w->unfollowed.data
                                                 : NULL,
                           .at_own_risk = args->force},
                   &w->settings, &w->import, err);
}

/* What the log says of speeds becomes the time of a step. */
static void measure(cli_launch *w)
{
    const exchange_launch *const of = &w->import.launch;

    exchange_log_step(&w->measured,
            &(exchange_log_job){(double)of->job.global_batch, of->job.seq_len,
                    w->cluster.n_gpus,
                    (double)p3d_plan_n_micro_batches(&of->plan, &of->job)});
}

/* The step may have a part of the cluster alone. */
static bool take_part(cli_launch *w, p3d_error *err)
{
    const int n_gpus = w->settings.n_nodes * w->settings.gpus_per_node;

    return n_gpus == w->cluster.n_gpus ||
           p3d_cluster_resize(&w->cluster, n_gpus, err);
}

bool cli_launch_read(const cli_args *args, const exchange_text *files,
        int n_files, cli_launch *w, p3d_error *err)
{
    p3d_job job = {.seq_len = (int)args->seq_len,
            .global_batch = args->job.global_batch};

    for (int i = 0; i < n_files; i++)
        w->files[i] = files[i];
    w->n_files = n_files;
    if (!cli_read_room(args, &job, err))
        return false;
    w->model_file = args->model;
    w->settings.function = args->function;
    if (args->cluster == NULL)
        return p3d_fail(err, P3D_USAGE, "--cluster CLUSTER is missing");
    if (!p3d_cluster_find(args->cluster, &w->cluster, err))
        return false;
    w->settings.n_nodes = w->cluster.n_nodes;
    w->settings.gpus_per_node = w->cluster.node.gpus_per_node;
    if (!read_set(args, w, err) || !read_files(args, w, err) ||
            !check_function(args, w, err) || !take_set(w, err) ||
            !follow(args, w, err) || !keep_read(w, err) ||
            !exchange_front_apply(&w->settings, &w->front, err) ||
            !take_part(w, err) ||
            (w->model_file != NULL &&
                    !p3d_model_find(w->model_file, &w->model, err)) ||
            !settle(args, w, &job, err))
        return false;
    measure(w);
    return true;
}

void cli_launch_free(cli_launch *launch)
{
    exchange_import_free(&launch->import);
    exchange_settings_free(&launch->settings);
    exchange_settings_free(&launch->read);
    p3d_text_free(&launch->set);
    p3d_text_free(&launch->model_name);
    for (int i = 0; i < CLI_MOST_FOLLOWED; i++) {
        p3d_text_free(&launch->followed[i].path);
        p3d_text_free(&launch->followed[i].missing);
        free(launch->own[i]);
    }
    p3d_text_free(&launch->unfollowed);
    p3d_text_free(&launch->unfound);
}
