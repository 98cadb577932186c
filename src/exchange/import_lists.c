/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_lists.c - settings by name, and lists of those that made no plan. */
#include "exchange/import_lists.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"

/* Of names this long, with so few letters wrong, one was meant for another. */
enum { LEAST_LENGTH = 8, MOST_SLIPS = 2 };

/* Options of launchers: whose, and how many of what they count. */
static const struct {
    const char *name;
    int what; /* 0 nodes, 1 GPUs of a node, 2 processes in all */
} world_options[] = {{"nnodes", 0}, {"nodes", 0}, {"num_nodes", 0},
        {"num_machines", 0}, {"nproc-per-node", 1}, {"gpus-per-node", 1},
        {"num_gpus", 1}, {"ntasks-per-node", -1}, {"num_processes", 2}};

/* Options that launchers and scripts have beside, which are no business of a
 * plan. */
static const char *const launcher_options[] = {"rdzv-id", "rdzv-backend",
        "rdzv-endpoint", "node-rank", "master-addr", "master-port",
        "machine_rank", "main_process_ip", "main_process_port", "config_file",
        "hostfile", "exclusive", "job-name", "partition", "time", "output",
        "error", "account", "cpus-per-task", "mem", "kill-on-bad-exit",
        "map-by", "config-file", "module", "config", "deepspeed_config",
        "zero-stage"};

bool p3d_is_loose(const p3d_option_table *table)
{
    return table->form == P3D_FORM_ARGUMENTS;
}

/* A name in a file ends in the name of the option: "cfg.model.tp". */
p3d_setting *p3d_find_setting(const p3d_settings *settings,
        const p3d_option_table *table, const char *name)
{
    const size_t n = strlen(name);
    p3d_setting *found = p3d_settings_find(settings, name, p3d_is_loose(table));

    if (found != NULL || p3d_is_loose(table))
        return found;
    for (int i = settings->n - 1; i >= 0 && found == NULL; i--) {
        const char *const full = settings->at[i].name;
        const size_t length = strlen(full);

        if (length > n && full[length - n - 1] == '.' &&
                strcmp(full + length - n, name) == 0)
            found = &settings->at[i];
    }
    return found;
}

bool p3d_is_flag(const p3d_option *option)
{
    return option->kind == P3D_OPTION_FLAG ||
           option->kind == P3D_OPTION_UNFLAG ||
           option->kind == P3D_OPTION_MEANS;
}

static void add_setting(const p3d_setting *setting, p3d_text *out)
{
    p3d_text_add(out, "%.100s%s%.100s", setting->name,
            setting->value != NULL ? " = " : "",
            setting->value != NULL ? setting->value : "");
}

void p3d_list_setting(const p3d_setting *setting, p3d_text *out)
{
    add_setting(setting, out);
    p3d_text_add(out, "\n");
}

static void offer_names(const p3d_option_table *table, p3d_nearest *nearest)
{
    for (int i = 0; i < table->n_options; i++) {
        if (table->options[i].kind != P3D_OPTION_HEAD &&
                table->options[i].kind != P3D_OPTION_FIXED)
            p3d_nearest_offer(nearest, table->options[i].name);
    }
}

/* An option that may be one of a plan, misspelt. */
static void list_unknown(
        const p3d_target *target, const p3d_setting *setting, p3d_text *out)
{
    p3d_nearest nearest = {.word = setting->name};

    for (int i = 0; i < target->n_tables; i++)
        offer_names(&target->tables[i], &nearest);
    add_setting(setting, out);
    if (strlen(nearest.best) >= LEAST_LENGTH && nearest.distance > 0 &&
            nearest.distance <= MOST_SLIPS)
        p3d_text_add(out, " (is it %s?)", nearest.best);
    p3d_text_add(out, "\n");
}

/* What the framework does where the files leave an option out. Options that
 * few launches have are not worth a line. */
void p3d_list_default(const p3d_option *option, p3d_import *import)
{
    p3d_text value = {0};

    if (option->shy || option->when != NULL || p3d_is_flag(option) ||
            option->kind == P3D_OPTION_FIXED ||
            option->offset < offsetof(p3d_launch, job))
        return;
    if (p3d_option_print(option, &import->launch, &import->launch, &value) &&
            value.length > 0)
        p3d_text_add(&import->assumed, "%s = %s\n", option->name,
                p3d_text_get(&value));
    p3d_text_free(&value);
}

/* Where the launcher says another world than the cluster, the cluster counts:
 * scripts often have their nodes from outside. */
void p3d_note_world(
        p3d_settings *settings, const p3d_cluster *cluster, p3d_text *notes)
{
    const int have[] = {
            cluster->n_nodes, cluster->node.gpus_per_node, cluster->n_gpus};

    for (int i = 0; i < P3D_COUNT_OF(world_options); i++) {
        const p3d_setting *const setting =
                p3d_settings_find(settings, world_options[i].name, true);
        const int what = world_options[i].what;
        char number[16];
        size_t n;

        if (setting == NULL)
            continue;
        p3d_settings_use(settings, world_options[i].name, true);
        if (what < 0 || setting->value == NULL)
            continue;
        snprintf(number, sizeof(number), "%d", have[what]);
        n = strcspn(setting->value, " ");
        if (n != strlen(number) || strncmp(setting->value, number, n) != 0)
            p3d_text_add(notes, "%s = %s by the cluster, not %.*s\n",
                    world_options[i].name, number, n < 40 ? (int)n : 40,
                    setting->value);
    }
}

/* A flag that is there, or a value that switches something on. */
static bool switches_on(const p3d_setting *setting)
{
    static const char *const off[] = {
            "false", "0", "1", "none", "null", "no_shard", "[]"};

    for (int i = 0; setting->value != NULL && i < P3D_COUNT_OF(off); i++) {
        if (p3d_same_word(off[i], setting->value))
            return strcmp(off[i], "1") == 0 &&
                   strstr(setting->name, "size") == NULL &&
                   strstr(setting->name, "shards") == NULL;
    }
    return true;
}

/* Options that change what runs although no plan says it. */
void p3d_list_unmodelled(
        const p3d_target *target, p3d_settings *settings, p3d_text *out)
{
    const p3d_option_table *const last = &target->tables[target->n_tables - 1];

    for (int i = 0; target->unmodelled != NULL && target->unmodelled[i] != NULL;
            i++) {
        p3d_setting *setting = p3d_find_setting(
                settings, &target->tables[0], target->unmodelled[i]);

        if (setting == NULL)
            setting = p3d_find_setting(settings, last, target->unmodelled[i]);
        if (setting == NULL || setting->used || !switches_on(setting))
            continue;
        p3d_list_setting(setting, out);
        p3d_settings_use(settings, setting->name, true);
    }
}

void p3d_list_unknown(
        const p3d_target *target, p3d_settings *settings, p3d_text *out)
{
    for (int i = 0; i < P3D_COUNT_OF(launcher_options); i++)
        p3d_settings_use(settings, launcher_options[i], true);
    for (int i = 0; i < settings->n; i++) {
        if (!settings->at[i].used)
            list_unknown(target, &settings->at[i], out);
    }
}
