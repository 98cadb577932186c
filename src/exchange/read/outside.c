/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outside.c - what a script has from its caller, the machines and the
 * environment, and what its programs have from it. */
#include "exchange/read/shell_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

/* The user's own word on the machines counts more than the cluster. */
static bool is_from_environment(
        const exchange_shell_variables *variables, const char *name)
{
    return exchange_shell_outside(variables, name, strlen(name)) != NULL;
}

static bool take_cluster(
        const exchange_settings *settings, exchange_shell_variables *variables)
{
    static const struct {
        const char *name;
        int what; /* 0 nodes, 1 GPUs of a node, 2 all GPUs */
    } rows[] = {{"NNODES", 0}, {"NUM_NODES", 0}, {"SLURM_NNODES", 0},
            {"SLURM_JOB_NUM_NODES", 0}, {"GPUS_PER_NODE", 1},
            {"SLURM_GPUS_PER_NODE", 1}, {"SLURM_NTASKS_PER_NODE", 1},
            {"NUM_GPUS_PER_NODE", 1}, {"N_GPUS_PER_NODE", 1},
            {"NPROC_PER_NODE", 1}, {"SLURM_GPUS_ON_NODE", 1},
            {"SLURM_NTASKS", 2}, {"SLURM_NPROCS", 2}};
    const int nodes = settings->n_nodes;
    const int gpus = settings->gpus_per_node;
    const int have[] = {nodes, gpus, nodes * gpus};

    for (int i = 0; nodes > 0 && i < P3D_COUNT_OF(rows); i++) {
        char number[16];

        snprintf(number, sizeof(number), "%d", have[rows[i].what]);
        if (!is_from_environment(variables, rows[i].name) &&
                !exchange_shell_set(variables, rows[i].name,
                        strlen(rows[i].name), number, false))
            return false;
    }
    return true;
}

bool exchange_outside_take(const char *text, exchange_settings *settings,
        exchange_shell_variables *variables)
{
    variables->environment = settings->environment;
    variables->n_nodes = settings->n_nodes;
    variables->gpus_per_node = settings->gpus_per_node;
    if (!take_cluster(settings, variables))
        return false;
    for (int i = 0; i < settings->n_given; i++) {
        exchange_variable *const given = &settings->given[i];

        if (!exchange_shell_set(variables, given->name, strlen(given->name),
                    given->value, false))
            return false;
        given->used = given->used || exchange_asks_for(text, given->name);
    }
    return true;
}

/* A launcher's number of machines, where no option says it. */
static bool put_world(const exchange_shell_variables *variables,
        exchange_settings *out, p3d_error *err)
{
    static const char *const rows[][2] = {
            {"NPROC_PER_NODE", "nproc-per-node"}, {"NNODES", "nnodes"}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const exchange_shell_variable *const variable =
                exchange_shell_find(variables, rows[i][0], strlen(rows[i][0]));

        if (variable != NULL &&
                p3d_is_digit(p3d_text_get(&variable->value)[0]) &&
                exchange_settings_find(out, rows[i][1], true) == NULL &&
                !exchange_settings_add(out, rows[i][1],
                        p3d_text_get(&variable->value), 0, err))
            return false;
    }
    return true;
}

/* A line of what the answer rests on and no file says. */
static bool put_line(exchange_settings *out, const char *name,
        const char *value, p3d_error *err)
{
    if (!exchange_settings_add(out, name, value, EXCHANGE_PRESET, err))
        return false;
    out->at[out->n - 1].used = true;
    return true;
}

static bool put_environment(const exchange_shell_variables *variables,
        exchange_settings *out, p3d_error *err)
{
    bool ok = true;

    for (int i = 0; i < variables->n && ok; i++) {
        p3d_text name = {0}, value = {0};

        if (!variables->at[i].is_outside)
            continue;
        p3d_text_add(&name, "$%s", p3d_text_get(&variables->at[i].name));
        p3d_text_add(&value, "%.80s" EXCHANGE_FROM_ENVIRONMENT,
                p3d_text_get(&variables->at[i].value));
        ok = !name.failed && !value.failed &&
             put_line(out, p3d_text_get(&name), p3d_text_get(&value), err);
        p3d_text_free(&name);
        p3d_text_free(&value);
    }
    return ok;
}

bool exchange_outside_put(const exchange_shell_variables *variables,
        const exchange_branches *branches, exchange_settings *out,
        p3d_error *err)
{
    /* Variables that programs read by themselves, and that change how they
     * run. */
    static const char *const own[] = {EXCHANGE_LAUNCH_BLOCKING,
            EXCHANGE_ALLOCATOR, EXCHANGE_ALLOCATOR_NEW, EXCHANGE_SEQUENCE_IMPL};

    if (!put_world(variables, out, err) ||
            !put_environment(variables, out, err))
        return false;
    for (int i = 0; i < branches->n_unset; i++)
        if (!put_line(out, branches->unset[i], "not set", err))
            return false;
    for (int i = 0; i < P3D_COUNT_OF(own); i++) {
        const exchange_shell_variable *const variable =
                exchange_shell_find(variables, own[i], strlen(own[i]));

        if (variable != NULL && !exchange_settings_add(out, own[i],
                                        p3d_text_get(&variable->value), 0, err))
            return false;
    }
    return true;
}
