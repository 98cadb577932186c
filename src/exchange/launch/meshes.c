/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meshes.c - FlagScale's parts of a pipeline, one after the other, each with
 * sizes of its own (its "process meshes"), where they are alike.
 *
 * Source: flagos-ai/FlagScale@16a2dd5b flagscale/train/arguments.py
 * (pre_validate_args). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/launch/megatron.h"

enum { MESH_TP, MESH_CP, MESH_EP, MESH_DP, MESH_PP, MESH_SIZES };

/* Whole numbers above 0 with blanks between. @return how many; -1 = others */
static int read_numbers(const char *words, int *out, int most)
{
    int n = 0;

    while (*words != '\0') {
        char *end;
        const long number = strtol(words, &end, 10);

        if (end == words || (*end != ' ' && *end != '\0') || n == most ||
                number < 1 || number > P3D_MAX_GPUS)
            return -1;
        out[n++] = (int)number;
        words = end + (*end == ' ');
    }
    return n;
}

/* True where all words are the same. */
static bool is_one_word(const char *words)
{
    const size_t n = strcspn(words, " ");

    for (const char *at = words; *at != '\0'; at += at[n] == ' ' ? n + 1 : n)
        if (strcspn(at, " ") != n || strncmp(at, words, n) != 0)
            return false;
    return true;
}

/* Whether parts differ in their stages alone. */
static bool are_alike(const int *meshes, int n)
{
    for (int i = MESH_SIZES; i < n; i++)
        if (i % MESH_SIZES != MESH_PP && meshes[i] != meshes[i - MESH_SIZES])
            return false;
    return true;
}

/* Layers of each stage as a layout of Megatron-LM: "Et*6|t*2|t*4L". */
static bool settle_layers(exchange_launch *launch, p3d_error *err)
{
    exchange_said *const said = &launch->said;
    int layers[P3D_MAX_LAYERS];
    const int n = read_numbers(said->mesh_layers, layers, P3D_MAX_LAYERS);
    size_t at = 0;

    if (n == 0 || launch->plan.pp == 1)
        return true;
    if (n != launch->plan.pp)
        return p3d_fail(err, P3D_DATA,
                "hetero-pipeline-layer-split: '%.60s' is not a number for each "
                "of %d stages",
                said->mesh_layers, launch->plan.pp);
    for (int i = 0; i < n && at < EXCHANGE_LAYOUT; i++)
        at += (size_t)snprintf(said->layout + at, EXCHANGE_LAYOUT - at,
                "%st*%d%s", i == 0 ? "E" : "|", layers[i],
                i == n - 1 ? "L" : "");
    return true;
}

bool exchange_meshes_settle(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    int meshes[P3D_MAX_LAYERS];
    int n;

    if (!said->has_meshes)
        return true;
    n = read_numbers(said->meshes, meshes, P3D_MAX_LAYERS);
    if (n < MESH_SIZES || n % MESH_SIZES != 0)
        return p3d_fail(err, P3D_DATA,
                "hetero-process-meshes: '%.60s' is not tp, cp, ep, dp, pp of "
                "each part of the pipeline",
                said->meshes);
    if (!are_alike(meshes, n) || !is_one_word(said->mesh_types))
        return p3d_fail(err, P3D_DATA,
                "hetero-process-meshes: import does not read parts of a "
                "pipeline that differ in tp, dp or GPUs (%.60s); "
                "'plan3d fit MODEL 32xA800+16xH100' plans pools of several "
                "types",
                said->mesh_types);
    p->tp = meshes[MESH_TP];
    p->cp = meshes[MESH_CP];
    p->ep = meshes[MESH_EP];
    p->pp = 0;
    for (int i = MESH_PP; i < n; i += MESH_SIZES)
        p->pp += meshes[i];
    return settle_layers(launch, err);
}
