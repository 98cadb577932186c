/* SPDX-License-Identifier: GPL-3.0-or-later */
/* world.c - what launchers and the environment say beside a plan. */
#include "exchange/read/import_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* Options of launchers: whose, and how many of what they count. */
static const struct {
    const char *name;
    int what; /* 0 nodes, 1 GPUs of a node, 2 processes in all */
} world_options[] = {{"nnodes", 0}, {"nodes", 0}, {"num_nodes", 0},
        {"num_machines", 0}, {"nproc-per-node", 1}, {"gpus-per-node", 1},
        {"num_gpus", 1}, {"ntasks-per-node", -1}, {"num_processes", 2},
        {"ray_num_workers", 2}};

/* Not a variable, nor "1:4" of an elastic launch. */
static bool is_number(const char *value)
{
    const size_t n = strspn(value, "0123456789");

    return n > 0 && (value[n] == '\0' || value[n] == ' ');
}

static bool is_said(const exchange_setting *setting, int number)
{
    char digits[16];
    size_t n;

    snprintf(digits, sizeof(digits), "%d", number);
    n = strlen(digits);
    return strncmp(setting->value, digits, n) == 0 &&
           (setting->value[n] == '\0' || setting->value[n] == ' ');
}

const exchange_setting *exchange_find_said(
        const exchange_settings *settings, const char *name)
{
    for (int i = settings->n - 1; i >= 0; i--)
        if (settings->at[i].line > 0 &&
                exchange_same_name(settings->at[i].name, name, true))
            return &settings->at[i];
    return exchange_settings_find(settings, name, true);
}

/* "srun --nodes 7" starts the workers of the eighth, --nodes 1 that one. */
static bool is_of_some(const exchange_setting *setting, int n_nodes)
{
    return is_said(setting, 1) || is_said(setting, n_nodes - 1);
}

/* Another option that counts the same has that number. */
static bool is_agreed(const exchange_settings *settings, int what, int number)
{
    for (int i = 0; i < P3D_COUNT_OF(world_options); i++) {
        const exchange_setting *const one =
                world_options[i].what == what
                        ? exchange_settings_find(
                                  settings, world_options[i].name, true)
                        : NULL;

        if (one != NULL && one->value != NULL && is_said(one, number))
            return true;
    }
    return false;
}

/* Where the launcher says another world than the cluster, the cluster counts:
 * scripts often have their nodes from outside. */
void exchange_note_world(exchange_settings *settings,
        const p3d_cluster *cluster, p3d_text *contradicted, p3d_text *notes)
{
    const int have[] = {
            cluster->n_nodes, cluster->node.gpus_per_node, cluster->n_gpus};

    for (int i = 0; i < P3D_COUNT_OF(world_options); i++) {
        const exchange_setting *const setting =
                exchange_find_said(settings, world_options[i].name);
        const int what = world_options[i].what;
        char number[16];
        size_t n;

        if (setting == NULL)
            continue;
        exchange_settings_use(settings, world_options[i].name, true);
        if (what < 0 || setting->value == NULL ||
                is_said(setting, have[what]) ||
                (strcmp(world_options[i].name, "nodes") == 0 &&
                        is_of_some(setting, have[what]) &&
                        is_agreed(settings, what, have[what])))
            continue;
        snprintf(number, sizeof(number), "%d", have[what]);
        n = strcspn(setting->value, " ");
        p3d_text_add(is_number(setting->value) ? contradicted : notes,
                "%s = %s by the cluster, not %.*s\n", world_options[i].name,
                number, n < 40 ? (int)n : 40, setting->value);
    }
}

void exchange_note_replicas(
        const exchange_settings *settings, int dp, p3d_text *contradicted)
{
    const exchange_setting *const said =
            exchange_settings_find(settings, "data-parallel-size", true);

    if (said != NULL && said->value != NULL && is_number(said->value) &&
            strtol(said->value, NULL, 10) != dp)
        p3d_text_add(contradicted,
                "data-parallel-size = %d by the cluster, "
                "not %.*s\n",
                dp, (int)strcspn(said->value, " "), said->value);
}

/* A variable, or the same name in a part of a file: "env.NAME". */
static exchange_setting *find_variable(
        const exchange_settings *settings, const char *name)
{
    const size_t n = strlen(name);

    for (int i = settings->n - 1; i >= 0; i--) {
        const char *const full = settings->at[i].name;
        const size_t length = strlen(full);

        if (length >= n && strcmp(full + length - n, name) == 0 &&
                (length == n || full[length - n - 1] == '.'))
            return &settings->at[i];
    }
    return NULL;
}

static void apply_blocking(const char *value, p3d_job *job)
{
    job->launch_blocking = strcmp(value, "1") == 0;
}

static void apply_allocator(const char *value, p3d_job *job)
{
    if (strstr(value, "expandable_segments:True") != NULL)
        job->allocator = P3D_ALLOCATOR_EXPANDABLE;
    else if (strstr(value, "expandable_segments:False") != NULL)
        job->allocator = P3D_ALLOCATOR_FIXED;
}

/* What the environment of a script makes of its program, whatever it is. */
static void apply_ring(const char *value, p3d_job *job)
{
    if (strcmp(value, "ring_attention") == 0)
        job->cp_comm = P3D_CP_RING;
}

void exchange_apply_environment(
        exchange_settings *settings, exchange_launch *launch)
{
    static const struct {
        const char *name;
        void (*apply)(const char *value, p3d_job *job);
    } variables[] = {{EXCHANGE_LAUNCH_BLOCKING, apply_blocking},
            {EXCHANGE_ALLOCATOR, apply_allocator},
            {EXCHANGE_ALLOCATOR_NEW, apply_allocator},
            {EXCHANGE_SEQUENCE_IMPL, apply_ring}};

    for (int i = 0; i < P3D_COUNT_OF(variables); i++) {
        const exchange_setting *const setting =
                find_variable(settings, variables[i].name);

        if (setting == NULL)
            continue;
        variables[i].apply(
                setting->value != NULL ? setting->value : "", &launch->job);
        exchange_settings_use(settings, setting->name, false);
    }
}
