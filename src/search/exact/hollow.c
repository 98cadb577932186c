/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hollow.c - blocks that keep and replay no more than any choice of
 * recomputation: what is too large with them is so with each. Groups of layers
 * keep less than one input per layer, but replay two layers or more; so bounds
 * are asked for each class of choices, and all of them have to exceed. */
#include "base/util.h"
#include "cost/memory/memory.h"
#include "search/exact/engine.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/** Every choice without groups, where there is one. */
static bool has_single(const search *s, const search_leaf *leaf)
{
    const search_savings *c = &s->savings;

    return c->none || search_n_sets(s->problem, c, &leaf->plan) > 0 ||
           search_n_layers(s->problem, c, &leaf->plan, leaf->most) > 0;
}

/** Sizes of groups, by octaves: what the largest keeps and the smallest replays
 *  is little less than what each in between takes. */
search_classes search_classes_of(const search *s, const search_leaf *leaf)
{
    const int n =
            search_n_groups(s->problem, &s->savings, &leaf->plan, leaf->most);
    const int end = search_least_group(&s->savings) + n;
    search_classes classes = {.n_single = has_single(s, leaf)};

    if (classes.n_single > 0)
        classes.at[classes.n++] = (search_class){1, 1};
    for (int low = search_least_group(&s->savings); low < end; low *= 2) {
        const int high = 2 * low < end ? 2 * low - 1 : end - 1;

        P3D_ASSERT(classes.n < SEARCH_MAX_CLASSES);
        classes.at[classes.n++] = (search_class){low, high};
    }
    return classes;
}

search_class search_any_class(const search_leaf *leaf)
{
    return (search_class){0, leaf->most};
}

/** What a layer keeps at least. */
static int64_t kept_bytes(const p3d_block *b)
{
    return least(b->saved_bytes[P3D_RECOMPUTE_NONE],
            b->saved_bytes[P3D_RECOMPUTE_FULL]);
}

/** What each layer of a model keeps at least. */
static int64_t least_kept_bytes(const p3d_model *m, const p3d_block *layers)
{
    int64_t bytes = INT64_MAX;

    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        if (p3d_model_count_layers(m, k) > 0)
            bytes = least(bytes, kept_bytes(&layers[k]));
    }
    return bytes;
}

/* All but groups of layers: each keeps its input and replays nothing. */
static void empty(p3d_block *b)
{
    b->saved_bytes[P3D_RECOMPUTE_NONE] = kept_bytes(b);
    b->replay_bytes[P3D_RECOMPUTE_NONE] = 0;
}

static void make_hollow(
        const p3d_model *m, search_class class, p3d_blocks *blocks)
{
    const int64_t bytes = least_kept_bytes(m, blocks->block);

    blocks->hollow = true;
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        p3d_block *b = &blocks->block[i];
        int64_t *const replay_bytes = &b->replay_bytes[P3D_RECOMPUTE_FULL];

        empty(b);
        *replay_bytes = *replay_bytes / class.high * class.low;
        if (i < P3D_N_LAYER_KINDS)
            b->saved_bytes[P3D_RECOMPUTE_FULL] = bytes;
    }
}

/** Neighbours ask for the same: a place for all choices, for those without
 *  groups, for each octave of groups, and for layers that are alike. */
enum { AT_ANY, AT_SINGLE, AT_GROUPS, AT_ALIKE = SEARCH_MAX_CLASSES + 1 };

static int place_of(search_class class)
{
    int at = AT_GROUPS;

    if (class.low < 2)
        return class.low == 0 ? AT_ANY : AT_SINGLE;
    for (int low = class.low / 2; low > 1; low /= 2)
        at++;
    return at;
}

/** Copy costs to a place. @return false where they are there */
static bool begin(
        search *s, int at, const search_shard *costs, search_class class)
{
    search_hollowed *const there = &s->hollow[at];

    if (there->of == costs && there->class.low == class.low &&
            there->class.high == class.high)
        return false;
    there->of = costs;
    there->class = class;
    there->blocks = costs->blocks;
    return true;
}

const p3d_blocks *search_hollow(
        search *s, const search_shard *costs, search_class class)
{
    const int at = place_of(class);

    if (class.low == 0)
        class.high = 1; /* nothing is replayed, whatever it is */
    if (begin(s, at, costs, class))
        make_hollow(&s->problem->model, class, &s->hollow[at].blocks);
    return &s->hollow[at].blocks;
}

/** The parameters of layers, by what optimizers tell apart. */
typedef struct layer_params {
    p3d_params matrices, edges, rest;
} layer_params;

static p3d_params no_more(p3d_params a, p3d_params b, bool experts)
{
    return (p3d_params){least(a.dense, b.dense),
            experts ? least(a.experts, b.experts) : a.experts};
}

/** The fewest of each that a layer has, or one with experts: no sum of them,
 *  whatever an optimizer keeps of each, exceeds that of a layer. */
static layer_params fewest(const p3d_model *m, const p3d_block *layers)
{
    const p3d_params any = {INT64_MAX / 2, INT64_MAX / 2};
    layer_params p = {any, any, any};

    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        const p3d_block *b = &layers[k];
        const bool experts = (k & P3D_LAYER_MOE) != 0;
        const p3d_params rest = {b->params.dense - b->matrices.dense,
                b->params.experts - b->matrices.experts};

        if (p3d_model_count_layers(m, k) == 0)
            continue;
        p.matrices = no_more(p.matrices, b->matrices, experts);
        p.edges = no_more(p.edges, b->edges, experts);
        p.rest = no_more(p.rest, rest, experts);
    }
    return p;
}

/** A layer that has no more bytes than the least of them, without it being said
 *  which are recomputed. */
static p3d_block least_layer(
        const p3d_model *m, const p3d_block *layers, int group)
{
    p3d_block all = {.working_bytes = INT64_MAX};

    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        if (p3d_model_count_layers(m, k) > 0)
            all.working_bytes =
                    least(all.working_bytes, layers[k].working_bytes);
    }
    all.saved_bytes[P3D_RECOMPUTE_NONE] = least_kept_bytes(m, layers) / group;
    return all;
}

static void make_alike(const p3d_model *m, int group, p3d_blocks *blocks)
{
    const layer_params few = fewest(m, blocks->block);
    const p3d_block all = least_layer(m, blocks->block, group);

    blocks->hollow = true;
    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        const int64_t experts = (k & P3D_LAYER_MOE) != 0;
        p3d_block *const b = &blocks->block[k];

        *b = all;
        b->matrices = (p3d_params){
                few.matrices.dense, experts * few.matrices.experts};
        b->edges = (p3d_params){few.edges.dense, experts * few.edges.experts};
        b->params = (p3d_params){few.rest.dense + few.matrices.dense,
                experts * (few.rest.experts + few.matrices.experts)};
    }
}

const p3d_blocks *search_hollow_alike(
        search *s, const search_shard *costs, int group)
{
    p3d_blocks *const blocks = &s->hollow[AT_ALIKE].blocks;

    if (begin(s, AT_ALIKE, costs, (search_class){group, group}))
        make_alike(&s->problem->model, group, blocks);
    return blocks;
}

p3d_plan search_in_class(p3d_plan plan, search_class class)
{
    if (class.high > 1) {
        plan.recompute = P3D_RECOMPUTE_FULL;
        plan.recompute_group = class.high;
    }
    return plan;
}

bool search_hollow_exceeds(
        const cost_case *of, search_class class, int rank, int64_t limit_bytes)
{
    const p3d_plan in = search_in_class(*of->plan, class);
    const cost_case hollow = {of->problem, &in, of->blocks, of->layout};

    return cost_rank_exceeds(&hollow, rank, limit_bytes);
}
