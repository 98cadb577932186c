/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster_job.c - jobs of Kubernetes and of the operators on it: a script, or a
 * command, in a list of words; tasks of dstack and of SkyPilot, whose commands
 * are lines of a script. Names: kubernetes.io/docs/reference (Job, Pod,
 * Container), kubeflow/training-operator and kubeflow/mpi-operator (PyTorchJob,
 * MPIJob); dstack.ai/docs/reference/dstack.yml/task;
 * docs.skypilot.co/en/latest/reference/yaml-spec.html. */
#include "exchange/read/cluster_job.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/util.h"

enum { MOST_WORDS = 200, MAX_NAME = 400 };

static bool is_job(const exchange_settings *settings, int from)
{
    static const char *const kinds[] = {"Job", "PyTorchJob", "MPIJob", "Pod",
            "JobSet", "TrainJob", "RayJob", "TrainingRuntime"};

    for (int i = from; i < settings->n; i++)
        for (int k = 0; k < P3D_COUNT_OF(kinds); k++)
            if (strcmp(settings->at[i].name, "kind") == 0 &&
                    settings->at[i].value != NULL &&
                    strcmp(settings->at[i].value, kinds[k]) == 0)
                return true;
    return false;
}

/* The word "path.n". @return NULL where there is none */
static const char *word_of(
        const exchange_settings *settings, const char *path, int n)
{
    char name[MAX_NAME + 16];
    const exchange_setting *one;

    snprintf(name, sizeof(name), "%s.%d", path, n);
    one = exchange_settings_find(settings, name, false);
    return one != NULL ? one->value : NULL;
}

/* Length of "$(NAME)", by which a job has its variables; 0 = it is none. */
static int reference_length(const char *at)
{
    int n = 2;

    if (at[0] != '$' || at[1] != '(')
        return 0;
    while (p3d_is_word(at[n]))
        n++;
    return at[n] == ')' && n > 2 ? n + 1 : 0;
}

/* A word of a command as a shell has it. */
static void add_word(const char *word, p3d_text *out)
{
    p3d_text_add(out, "%s\"", out->length > 0 ? " " : "");
    while (*word != '\0') {
        const int n = reference_length(word);

        if (n > 0)
            p3d_text_add(out, "${%.*s}", n - 3, word + 2);
        else if (*word == '"' || *word == '\\')
            p3d_text_add(out, "\\%c", *word);
        else
            p3d_text_append(out, word, 1);
        word += n > 0 ? n : 1;
    }
    p3d_text_add(out, "\"");
}

/* A script behind "-c" stands for itself; other words are one command. */
static void add_words(
        const exchange_settings *settings, const char *path, p3d_text *out)
{
    const char *word;

    for (int i = 0;
            i < MOST_WORDS && (word = word_of(settings, path, i)) != NULL; i++)
        if (strchr(word, '\n') != NULL || strchr(word, ' ') != NULL) {
            p3d_text_cut(out, 0);
            p3d_text_add(out, "%s", word);
        } else {
            add_word(word, out);
        }
}

/* The variables of a container, before its command. */
static void add_variables(
        const exchange_settings *settings, const char *path, p3d_text *out)
{
    for (int i = 0; i < MOST_WORDS; i++) {
        char name[MAX_NAME + 40], value[MAX_NAME + 40];
        const exchange_setting *one, *is;

        snprintf(name, sizeof(name), "%s.env.%d.name", path, i);
        snprintf(value, sizeof(value), "%s.env.%d.value", path, i);
        one = exchange_settings_find(settings, name, false);
        is = exchange_settings_find(settings, value, false);
        if (one == NULL)
            return;
        if (one->value != NULL && is != NULL && is->value != NULL &&
                strchr(is->value, '\n') == NULL) {
            p3d_text value_text = {0};

            add_word(is->value, &value_text);
            p3d_text_add(out, "%s=%s\n", one->value, p3d_text_get(&value_text));
            p3d_text_free(&value_text);
        }
    }
}

/* The container of the settings from `from` on whose command or arguments are
 * first. @return false where there is none */
static bool find_container(
        const exchange_settings *settings, int from, char *path)
{
    static const char *const ends[] = {".command.0", ".args.0"};

    for (int i = from; i < settings->n; i++) {
        const char *const name = settings->at[i].name;
        const size_t n = strlen(name);

        for (int k = 0; k < P3D_COUNT_OF(ends); k++) {
            const size_t end = strlen(ends[k]);

            if (n > end && n - end < MAX_NAME &&
                    strstr(name, "containers.") != NULL &&
                    strcmp(name + n - end, ends[k]) == 0) {
                memcpy(path, name, n - end);
                path[n - end] = '\0';
                return true;
            }
        }
    }
    return false;
}

/* "replicas" of workers and a master beside them, and the GPUs of one. */
static bool add_machines(
        int from, int until, exchange_settings *settings, p3d_error *err)
{
    static const char gpus[] = ".limits.nvidia.com/gpu";

    for (int i = from; i < until; i++) {
        const exchange_setting one = settings->at[i];
        const size_t n = strlen(one.name);

        if (n > sizeof(gpus) &&
                strcmp(one.name + n - sizeof(gpus) + 1, gpus) == 0 &&
                exchange_settings_find(settings, "gpus-per-node", true) ==
                        NULL &&
                !exchange_settings_add(
                        settings, "gpus-per-node", one.value, one.line, err))
            return false;
    }
    return true;
}

/* What the file says beside is no option of the program. */
static void use_file(exchange_settings *settings, int from, int until)
{
    for (int i = from; i < until; i++)
        settings->at[i].used = true;
}

/* The value of a setting from `from` on; NULL = none has one. */
static const char *value_of(
        const exchange_settings *settings, int from, const char *name)
{
    for (int i = from; i < settings->n; i++)
        if (strcmp(settings->at[i].name, name) == 0)
            return settings->at[i].value;
    return NULL;
}

/* "NAME=VALUE" of a list, or the values of a map. */
static void add_task_variables(
        const exchange_settings *settings, int from, p3d_text *out)
{
    static const char *const maps[] = {"env.", "envs."};

    for (int i = from; i < settings->n; i++)
        for (int k = 0; k < P3D_COUNT_OF(maps); k++) {
            const exchange_setting *const one = &settings->at[i];
            const size_t n = strlen(maps[k]);
            const char *const value = one->value != NULL ? one->value : "";
            const bool is_listed = p3d_is_digit(one->name[n]);
            const char *const is = is_listed ? strchr(value, '=') : value;

            if (strncmp(one->name, maps[k], n) != 0 || is == NULL ||
                    strchr(value, '\n') != NULL)
                continue;
            p3d_text_add(out, "%.*s=\"%s\"\n",
                    (int)(is_listed ? is - value
                                    : (ptrdiff_t)strlen(one->name + n)),
                    is_listed ? value : one->name + n, is + is_listed);
        }
}

/* dstack's "commands", or SkyPilot's "run". */
static void add_task_lines(
        const exchange_settings *settings, int from, p3d_text *out)
{
    const char *const run = value_of(settings, from, "run");
    const char *line;

    if (run != NULL)
        p3d_text_add(out, "%s\n", run);
    for (int i = 0; run == NULL && i < MOST_WORDS &&
                    (line = word_of(settings, "commands", i)) != NULL;
            i++)
        p3d_text_add(out, "%s\n", line);
}

static bool is_task(const exchange_settings *settings, int from)
{
    static const char *const resources[] = {"resources.accelerators",
            "num_nodes", "resources.cloud", "resources.infra"};
    const char *const type = value_of(settings, from, "type");

    if (type != NULL && strcmp(type, "task") == 0)
        return value_of(settings, from, "commands.0") != NULL;
    for (int i = 0; i < P3D_COUNT_OF(resources); i++)
        if (value_of(settings, from, resources[i]) != NULL)
            return value_of(settings, from, "run") != NULL;
    return false;
}

/* The machines of a task: "H100:8" of each node. */
static bool add_task_machines(
        int from, int until, exchange_settings *settings, p3d_error *err)
{
    static const struct {
        const char *from;
        const char *to;
    } names[] = {{"resources.accelerators", "gpus-per-node"},
            {"num_nodes", "nnodes"}, {"nodes", "nnodes"}};

    for (int i = from; i < until; i++)
        for (int k = 0; k < P3D_COUNT_OF(names); k++) {
            const exchange_setting one = settings->at[i];
            const char *const value = one.value != NULL ? one.value : "";
            const char *const colon = strrchr(value, ':');
            const char *const number = colon != NULL ? colon + 1 : value;

            if (strcmp(one.name, names[k].from) != 0 || number[0] == '\0' ||
                    number[strspn(number, "0123456789")] != '\0' ||
                    exchange_settings_find(settings, names[k].to, true) != NULL)
                continue;
            if (!exchange_settings_add(
                        settings, names[k].to, number, one.line, err))
                return false;
        }
    return true;
}

static bool read_task(int from, exchange_settings *settings, p3d_error *err)
{
    const int until = settings->n;
    p3d_text script = {0};
    bool ok;

    add_task_variables(settings, from, &script);
    add_task_lines(settings, from, &script);
    ok = !script.failed
                 ? exchange_read_shell(p3d_text_get(&script), settings, err)
                 : p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = until; i < settings->n; i++)
        settings->at[i].line = 0;
    ok = ok && add_task_machines(from, until, settings, err);
    use_file(settings, from, until);
    p3d_text_free(&script);
    return ok;
}

bool exchange_read_cluster_job(
        int from, exchange_settings *settings, p3d_error *err)
{
    char path[MAX_NAME], part[MAX_NAME + 16];
    const int until = settings->n;
    p3d_text script = {0}, command = {0};
    bool ok;

    if (is_task(settings, from))
        return read_task(from, settings, err);
    if (!is_job(settings, from) || !find_container(settings, from, path))
        return true;
    add_variables(settings, path, &script);
    snprintf(part, sizeof(part), "%s.command", path);
    add_words(settings, part, &command);
    snprintf(part, sizeof(part), "%s.args", path);
    add_words(settings, part, &command);
    p3d_text_add(&script, "%s\n", p3d_text_get(&command));
    ok = !script.failed && !command.failed
                 ? exchange_read_shell(p3d_text_get(&script), settings, err)
                 : p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = until; i < settings->n; i++)
        settings->at[i].line = 0;
    ok = ok && add_machines(from, until, settings, err);
    use_file(settings, from, until);
    p3d_text_free(&script);
    p3d_text_free(&command);
    return ok;
}
