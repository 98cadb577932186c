/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_derive.c - what follows from several options of a front end: numbers,
 * and the part of the cluster that its step has. */
#include "exchange/read/front_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

enum { MAX_MARK = EXCHANGE_MAX_MARK, PRESET = EXCHANGE_PRESET };

/* The number of an option, which may have one where nothing says it; -1 =
 * none. */
static int64_t number_of(exchange_settings *settings, const char *operand)
{
    char name[MAX_MARK];
    const size_t n = strcspn(operand, "=");
    const char *value = operand[n] == '=' ? operand + n + 1 : "";
    const exchange_setting *said;
    char *end;
    long long number;

    if (strcmp(operand, "@node") == 0)
        return settings->gpus_per_node;
    if (strcmp(operand, "@all") == 0)
        return (int64_t)settings->n_nodes * settings->gpus_per_node;
    if (n >= sizeof(name))
        return -1;
    memcpy(name, operand, n);
    name[n] = '\0';
    said = n > 0 ? exchange_settings_find(settings, name, true) : NULL;
    if (said != NULL && !p3d_same_word(exchange_value_of(said), "null") &&
            !p3d_same_word(exchange_value_of(said), "none"))
        value = exchange_value_of(said);
    exchange_settings_use(settings, name, true);
    number = strtoll(value, &end, 10);
    return end == value || *end != '\0' || number < 1 ? -1 : number;
}

/* Sizes of a mesh, as accelerate names them. */
#define MESH "parallelism_config.parallelism_config_"

/* How many replicas the cluster has. */
static int64_t replicas_of(exchange_settings *settings)
{
    static const char *const parts[] = {"tensor-model-parallel-size=1",
            "pipeline-model-parallel-size=1", "context-parallel-size=1",
            "ds-sequence-parallel-size=1", MESH "tp_size=1", MESH "cp_size=1"};
    int64_t n = 1;

    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        const int64_t part = number_of(settings, parts[i]);

        n = part < 1 ? part : p3d_mul(n, part);
        if (n < 1)
            return -1;
    }
    return (int64_t)settings->n_nodes * settings->gpus_per_node / n;
}

/* @return -1 where a number is missing or the rest is not whole */
static int64_t share(exchange_settings *settings, const exchange_derived *row)
{
    const int64_t all = number_of(settings, row->of[0]);
    const int64_t by =
            p3d_mul(number_of(settings, row->of[1]), replicas_of(settings));

    return all < 1 || by < 1 || all % by != 0 ? -1 : all / by;
}

/* @return -1 where a number is missing */
static int64_t fit(exchange_settings *settings, const exchange_derived *row)
{
    const int64_t all = number_of(settings, row->of[0]);
    const int64_t one = number_of(settings, row->of[1]);
    const int64_t batch = number_of(settings, row->of[2]);
    const int64_t replicas = replicas_of(settings);
    int64_t want, less, more;

    if (all < 1 || one < 1)
        return -1;
    want = all < one ? 1 : all / one;
    if (batch < 1 || replicas < 1 || batch % replicas != 0)
        return want;
    for (less = want; batch / replicas % less != 0; less--) {
    }
    for (more = want; more < batch / replicas && batch / replicas % more != 0;
            more++) {
    }
    return more <= batch / replicas && more * less <= want * want ? more : less;
}

/* @return -1 where a number is missing */
static int64_t round_up(
        exchange_settings *settings, const exchange_derived *row)
{
    const int64_t n = number_of(settings, row->of[0]);
    const int64_t step = number_of(settings, row->of[1]);

    return n < 1 || step < 1 ? -1 : p3d_round_up(n, step);
}

/* @return -1 where a number is missing */
static int64_t compute(exchange_settings *settings, const exchange_derived *row)
{
    int64_t result = row->how == EXCHANGE_SUM ? 0 : 1;

    if (row->how == EXCHANGE_SHARE)
        return share(settings, row);
    if (row->how == EXCHANGE_FIT)
        return fit(settings, row);
    if (row->how == EXCHANGE_UP)
        return round_up(settings, row);
    for (int i = 0; i < P3D_COUNT_OF(row->of) && row->of[i] != NULL; i++) {
        const int64_t number = number_of(settings, row->of[i]);

        if (number < 1)
            return -1;
        if (row->how == EXCHANGE_SUM)
            result = p3d_add(result, number);
        else if (row->how == EXCHANGE_RATIO && i > 0)
            result = result < number ? 1 : result / number;
        else
            result = p3d_mul(result, number);
    }
    return row->how == EXCHANGE_STEP ? p3d_mul(result, replicas_of(settings))
                                     : result;
}

/* What others than the first option's leave of it: that one counts no more. */
static bool take_less(exchange_settings *settings, const exchange_derived *row,
        p3d_error *err)
{
    exchange_setting *const all =
            exchange_settings_find(settings, row->of[0], true);
    const int64_t left =
            number_of(settings, row->of[0]) - number_of(settings, row->of[1]);
    char number[24];
    int line;

    if (all == NULL || number_of(settings, row->of[1]) < 1 || left < 1 ||
            !exchange_marks_hold(settings, row->when))
        return true;
    line = all->line;
    for (int i = 0; i < settings->n; i++)
        if (exchange_same_name(settings->at[i].name, row->of[0], true))
            exchange_drop(&settings->at[i]);
    exchange_settings_use(settings, row->of[1], true);
    snprintf(number, sizeof(number), "%lld", (long long)left);
    return exchange_settings_add(settings, row->name, number, line, err);
}

static void use_mark(exchange_settings *settings, const char *mark)
{
    char name[MAX_MARK];
    const size_t n = strcspn(mark, "=");

    if (n >= sizeof(name))
        return;
    memcpy(name, mark, n);
    name[n] = '\0';
    exchange_settings_use(settings, name, true);
}

static bool derive_one(exchange_settings *settings, const exchange_derived *row,
        p3d_error *err)
{
    exchange_setting *const said =
            exchange_settings_find(settings, row->name, true);
    const bool holds =
            row->when == NULL || exchange_marks_hold(settings, row->when);
    char number[24];
    int64_t value;

    if (!holds || (said != NULL && row->when == NULL &&
                          !p3d_same_word(exchange_value_of(said), "null")))
        return true;
    value = compute(settings, row);
    if (value < 1)
        return true;
    if (said != NULL)
        exchange_drop(said);
    if (row->when != NULL)
        use_mark(settings, row->when);
    snprintf(number, sizeof(number), "%lld", (long long)value);
    return exchange_settings_add(settings, row->name, number, PRESET, err);
}

bool exchange_front_derive(exchange_settings *settings,
        const exchange_front *front, p3d_error *err)
{
    for (int i = 0; i < front->n_derived; i++)
        if (front->derived[i].how != EXCHANGE_LESS &&
                !derive_one(settings, &front->derived[i], err))
            return false;
    return true;
}

/* How many words a value has. */
static int64_t count_words(const char *value)
{
    int64_t n = 0;

    for (value += strspn(value, " "); *value != '\0';
            value += strspn(value, " ")) {
        value += strcspn(value, " ");
        n++;
    }
    return n;
}

/* "4", or "8 8" with a number for each node. @return < 1 where there is none */
static int64_t gpus_of_part(const exchange_settings *settings, int64_t *n_nodes)
{
    const exchange_setting *const nodes =
            exchange_find_said(settings, "nnodes");
    const exchange_setting *const each_node =
            exchange_find_said(settings, "nproc-per-node");
    const exchange_setting *const gpus =
            each_node != NULL || nodes == NULL
                    ? each_node
                    : exchange_find_said(settings, "gpus-per-node");
    const char *const each = gpus != NULL ? exchange_value_of(gpus) : "";

    *n_nodes = nodes != NULL && nodes->line > 0
                       ? strtoll(exchange_value_of(nodes), NULL, 10)
                       : count_words(each);
    return *n_nodes < 1 ? 0 : p3d_mul(*n_nodes, strtoll(each, NULL, 10));
}

bool exchange_front_take_part(exchange_settings *settings,
        const exchange_front *front, p3d_error *err)
{
    const int64_t all = (int64_t)settings->n_nodes * settings->gpus_per_node;
    char name[80];
    int64_t n_nodes, part;

    if (front->part == NULL || !exchange_marks_hold(settings, front->part))
        return true;
    for (int i = 0; i < front->n_derived; i++)
        if (front->derived[i].how == EXCHANGE_LESS &&
                !take_less(settings, &front->derived[i], err))
            return false;
    part = gpus_of_part(settings, &n_nodes);
    if (part < 1 || part >= all)
        return true;
    name[0] = EXCHANGE_REMARKS[EXCHANGE_SCOPE];
    snprintf(name + 1, sizeof(name) - 1,
            "its GPUs alone: %lld of the cluster's %lld", (long long)part,
            (long long)all);
    if (!exchange_settings_add(settings, name, NULL, PRESET, err))
        return false;
    settings->at[settings->n - 1].used = true;
    settings->n_nodes = (int)n_nodes;
    settings->gpus_per_node = (int)(part / n_nodes);
    return true;
}
