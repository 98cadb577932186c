/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meshes.c - FlagScale's parts of a pipeline, one after the other, each with
 * sizes of its own (its "process meshes"): of a plan on pools, and read where
 * they are alike.
 *
 * Source: flagos-ai/FlagScale@16a2dd5b flagscale/train/arguments.py
 * (pre_validate_args): the parts' micro-batches are as many; no interleaving;
 * a tied embedding has as many tensor-parallel ranks as the output.
 * flagscale/train/hetero/parallel_context.py: no context parallelism; ranks are
 * sorted by the types of their hosts, in the order of these; between parts,
 * logical_coords_to_physical_ranks() numbers the ranks of a part right where it
 * has one stage or one replica, so that each stage is a part of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
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

/* From a plan on pools. */

/* A name as one word, which may stand in a list of hosts and in YAML. */
static void print_type(const char *name, char out[48])
{
    (void)p3d_copy(out, 48, name);
    for (char *c = out; *c != '\0'; c++)
        *c = p3d_is_word(*c) || *c == '.' ? *c : '-';
}

static void add_words(char *out, size_t *at, const char *words)
{
    if (*at < EXCHANGE_LAYOUT)
        *at += (size_t)snprintf(out + *at, EXCHANGE_LAYOUT - *at, "%s%s",
                *at > 0 ? " " : "", words);
}

static void say_hosts(const p3d_pools *pools, const p3d_replica_class *class,
        const p3d_segment *segment, exchange_hosts *out)
{
    print_type(pools->names[segment->pool], out->type);
    out->n_gpus = class->n_replicas * segment->tp * segment->n_stages;
    out->gpus_per_node = pools->clusters[segment->pool].node.gpus_per_node;
}

static void say_meshes(const p3d_pools *pools, const p3d_replica_class *class,
        exchange_launch *launch)
{
    exchange_said *const said = &launch->said;
    size_t meshes = 0, layers = 0, types = 0;
    int stage = 0;

    said->has_meshes = true;
    said->layout[0] = '\0';
    launch->n_types = class->n_segments;
    for (int i = 0; i < class->n_segments; i++) {
        const p3d_segment *const segment = &class->segments[i];
        char words[64];

        say_hosts(pools, class, segment, &launch->types[i]);
        for (int k = 0; k < segment->n_stages; k++) {
            (void)snprintf(words, sizeof(words), "%d 1 1 %d 1", segment->tp,
                    class->n_replicas);
            add_words(said->meshes, &meshes, words);
            add_words(said->mesh_types, &types, launch->types[i].type);
            (void)snprintf(words, sizeof(words), "%d", class->layers[stage++]);
            add_words(said->mesh_layers, &layers, words);
        }
    }
}

exchange_launch exchange_launch_of_pools(
        const p3d_pools_problem *problem, const p3d_pools_plan *plan)
{
    const p3d_replica_class *const class = &plan->classes[0];
    const p3d_segment *const first = &class->segments[0];
    p3d_problem on = problem->on[first->pool];
    p3d_plan each = {.tp = first->tp,
            .pp = class->n_stages,
            .dp = class->n_replicas,
            .cp = 1,
            .ep = 1,
            .etp = first->tp,
            .vp = 1,
            .micro_batch = class->micro_batch,
            .zero = plan->zero,
            .recompute = class->recompute,
            .schedule = P3D_1F1B};
    exchange_launch launch;

    for (int i = 0; i < class->n_segments; i++) {
        const p3d_segment *const s = &class->segments[i];
        const int n = problem->pools.clusters[s->pool].node.gpus_per_node;

        each.sequence_parallel = each.sequence_parallel || s->tp > 1;
        if (n > on.cluster.node.gpus_per_node)
            on.cluster.node.gpus_per_node = n; /* devices that are visible */
        if (problem->on[s->pool].job.attention != on.job.attention)
            on.job.attention = P3D_FLASH; /* each has its own */
    }
    on.job.dp_overlap = P3D_OVERLAP_OFF; /* nothing runs beside */
    launch = exchange_launch_of(&exchange_to_flagscale, &on, &each);
    say_meshes(&problem->pools, class, &launch);
    return launch;
}
