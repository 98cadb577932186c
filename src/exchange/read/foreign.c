/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.c - options that look like a part of a plan and are none, and those
 * that the program of the files does not have. */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/read/import_steps.h"

/* Of names this long, with so few letters wrong, one was meant for another. */
enum { LEAST_LENGTH = 8, MOST_SLIPS = 2 };

static bool is_among(const char *const *names, const char *name)
{
    for (int i = 0; names != NULL && names[i] != NULL; i++)
        if (exchange_same_name(names[i], name, true))
            return true;
    return false;
}

bool exchange_is_harmless(const exchange_target *target, const char *name)
{
    return is_among(target->harmless, name);
}

/* Options of sbatch and srun, and of the containers in which these start: their
 * values are of the job, and what is of a plan in them is read elsewhere.
 * slurm.schedmd.com/sbatch.html and srun.html; NVIDIA/pyxis README.md. */
static const char *const of_slurm[] = {"accel-bind", "account", "acctg-freq",
        "array", "batch", "bb", "bbf", "bcast", "begin", "chdir",
        "cluster-constraint", "clusters", "comment", "compress", "constraint",
        "container", "container-env", "container-id", "container-image",
        "container-mount-home", "container-mounts", "container-name",
        "container-remap-root", "container-save", "container-workdir",
        "container-writable", "contiguous", "core-spec", "cores-per-socket",
        "cpu-bind", "cpu-freq", "cpus-per-gpu", "cpus-per-task", "deadline",
        "delay-boot", "dependency", "disable-status", "distribution", "epilog",
        "error", "exact", "exclude", "exclusive", "export", "export-file",
        "extra", "extra-node-info", "get-user-env", "gid", "gpu-bind",
        "gpu-freq", "gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task",
        "gres", "gres-flags", "het-group", "hint", "hold", "ignore-pbs",
        "immediate", "input", "interactive", "job-name", "jobid",
        "kill-on-bad-exit", "kill-on-invalid-dep", "label", "licenses",
        "mail-type", "mail-user", "mcs-label", "mem", "mem-bind", "mem-per-cpu",
        "mem-per-gpu", "mincpus", "mpi", "msg-timeout", "multi-prog", "network",
        "nice", "no-container-entrypoint", "no-container-mount-home",
        "no-container-remap-root", "no-kill", "no-requeue", "nodefile",
        "nodelist", "nodes", "ntasks", "ntasks-per-core", "ntasks-per-gpu",
        "ntasks-per-node", "ntasks-per-socket", "open-mode", "output",
        "overcommit", "overlap", "oversubscribe", "parsable", "partition",
        "power", "preserve-env", "priority", "profile", "prolog", "propagate",
        "pty", "qos", "quiet", "quit-on-interrupt", "reboot", "relative",
        "requeue", "reservation", "resv-ports", "send-libs", "signal",
        "slurmd-debug", "sockets-per-node", "spread-job", "stepmgr", "switches",
        "task-epilog", "task-prolog", "tasks-per-node", "test-only",
        "thread-spec", "threads", "threads-per-core", "time", "time-min", "tmp",
        "tree-width", "tres-bind", "tres-per-task", "uid", "unbuffered",
        "use-min-nodes", "verbose", "wait", "wait-all-nodes", "wckey", "wrap",
        "x11"};

static bool is_of_slurm(const char *name)
{
    for (int i = 0; i < P3D_COUNT_OF(of_slurm); i++)
        if (exchange_same_name(of_slurm[i], name, true))
            return true;
    return false;
}

/* A value that switches something off. */
static bool is_off(const char *value)
{
    static const char *const words[] = {"false", "no", "off", "none", "null"};

    for (int i = 0; value != NULL && i < P3D_COUNT_OF(words); i++)
        if (p3d_same_word(words[i], value))
            return true;
    return false;
}

static bool is_foreign(const exchange_import_question *question,
        const exchange_setting *setting)
{
    const exchange_target *const target = question->target;
    const char *const name = setting->name;

    return question->front == NULL && target->names != NULL &&
           exchange_doubt_of(name, NULL) == NULL && !is_off(setting->value) &&
           setting->line > 0 && !setting->aside && name[0] != '-' &&
           strpbrk(name, ".<$") == NULL && !exchange_import_knows(name) &&
           !exchange_is_elsewhere(name) &&
           !exchange_is_harmless(target, name) && !is_of_slurm(name) &&
           !is_among(target->names, name);
}

static void offer_names(const exchange_table *table, p3d_nearest *nearest)
{
    for (int i = 0; i < table->n_options; i++) {
        if (table->options[i].kind != EXCHANGE_HEAD &&
                table->options[i].kind != EXCHANGE_FIXED)
            p3d_nearest_offer(nearest, table->options[i].field.key);
    }
}

/* The option of a plan that a name may be, misspelt; "" = none. */
static p3d_nearest find_meant(
        const exchange_import_question *question, const char *name)
{
    const exchange_target *const target = question->target;
    const exchange_front *const front = question->front;
    p3d_nearest nearest = {.word = name};

    for (int i = 0; front != NULL && i < front->n_renames; i++)
        p3d_nearest_offer(&nearest, front->renames[i].from);
    for (int i = 0; i < target->n_tables; i++)
        offer_names(&target->tables[i], &nearest);
    if (strlen(nearest.best) < LEAST_LENGTH || nearest.distance == 0 ||
            nearest.distance > MOST_SLIPS)
        nearest.best[0] = '\0';
    return nearest;
}

static void list_misspelt(const exchange_import_question *question,
        const exchange_setting *setting, p3d_text *out)
{
    const p3d_nearest meant = find_meant(question, setting->name);

    p3d_text_add(out, "%.100s%s%.100s", setting->name,
            setting->value != NULL ? " = " : "",
            setting->value != NULL ? setting->value : "");
    if (meant.best[0] != '\0')
        p3d_text_add(out, " (is it %s?)", meant.best);
    p3d_text_add(out, "\n");
}

/* An option that its program does not have. */
static void list_foreign(const exchange_import_question *question,
        const exchange_setting *setting, exchange_import *out)
{
    const p3d_nearest meant = find_meant(question, setting->name);
    char topic[96];
    const exchange_doubt foreign = {topic, false, false};

    if (meant.best[0] != '\0')
        snprintf(topic, sizeof(topic), "is it %.80s?", meant.best);
    else
        snprintf(topic, sizeof(topic), "no option of %.60s",
                question->target->title);
    exchange_add_doubtful(setting, &foreign, out);
}

void exchange_list_unknown(const exchange_import_question *question,
        const exchange_setting *setting, exchange_import *out)
{
    if (is_foreign(question, setting))
        list_foreign(question, setting, out);
    else
        list_misspelt(question, setting, &out->unknown);
}

/* A name of a file that no program has. */
static bool is_nobodys(
        const exchange_target *target, const exchange_setting *setting)
{
    const char *const name = setting->name;

    return setting->line > 0 && !setting->aside && name[0] != '-' &&
           !exchange_import_knows(name) && !exchange_front_knows(name) &&
           !exchange_is_elsewhere(name) &&
           !exchange_is_harmless(target, name) && !is_of_slurm(name) &&
           !is_among(target->names, name);
}

void exchange_find_misspelt(const exchange_import_question *question,
        const exchange_settings *settings, exchange_slip *out)
{
    for (int i = 0; i < settings->n; i++) {
        const exchange_setting *const one = &settings->at[i];
        p3d_nearest meant;

        if (!is_nobodys(question->target, one))
            continue;
        meant = find_meant(question, one->name);
        if (meant.best[0] == '\0' ||
                exchange_settings_find(settings, meant.best, true) != NULL)
            continue;
        if (p3d_copy(out->name, sizeof(out->name), one->name) &&
                p3d_copy(out->meant, sizeof(out->meant), meant.best))
            return;
        *out = (exchange_slip){.name = ""};
    }
}
