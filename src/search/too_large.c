/* SPDX-License-Identifier: GPL-3.0-or-later */
/* too_large.c - proofs that nothing of many plans fits, and the plan that
 * misses the least. */
#include "base/util.h"
#include "search/engine.h"

int64_t search_usable_bytes(const search *s)
{
    return s->problem->cluster.gpu.visible_memory_bytes -
           s->problem->job.reserve_bytes;
}

/** The leaf's plan with the most offload that there is. */
static p3d_plan most_offload(const search *s, const search_leaf *leaf)
{
    p3d_plan plan = leaf->plan;

    search_set_offload(
            &plan, &leaf->offloads->at[leaf->offloads->n - 1], false);
    plan.activation_offload_frac =
            s->choices.activations[s->choices.n_activations - 1];
    return plan;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/** Blocks that keep no more than their input and replay nothing: no choice of
 *  recomputation takes less memory. */
static const p3d_blocks *hollow(search *s, const p3d_blocks *blocks)
{
    s->hollow = *blocks;
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        p3d_block *b = &s->hollow.block[i];

        for (int r = 0; r < P3D_N_RECOMPUTES; r++) {
            b->saved_bytes[r] = least(
                    b->saved_bytes[r], b->saved_bytes[P3D_RECOMPUTE_FULL]);
            b->replay_bytes[r] = 0;
        }
    }
    return &s->hollow;
}

/** True when no choice of recomputation takes so little of a device; only the
 *  rank is asked that was too large the last time. */
static bool always_exceeds(
        search *s, const search_leaf *leaf, int64_t limit_bytes)
{
    const p3d_plan plan = most_offload(s, leaf);
    const int rank = s->tight_rank < plan.pp ? s->tight_rank : 0;

    return cost_rank_exceeds(s->problem, &plan, hollow(s, &leaf->costs->blocks),
            search_layout(s, &plan), rank, limit_bytes);
}

/** Bytes of a device that a plan takes which comes closer to fitting than the
 *  closest so far. */
static int64_t closer_bytes(const search *s)
{
    return search_usable_bytes(s) + s->closest_bytes - 1;
}

bool search_never_fits(search *s, const search_leaf *leaf)
{
    if (s->result->n_feasible > 0)
        return always_exceeds(s, leaf, search_usable_bytes(s));
    if (s->result->have_closest && s->closest_bytes > 0 &&
            always_exceeds(s, leaf, closer_bytes(s)))
        return true;
    if (!always_exceeds(s, leaf, search_usable_bytes(s)))
        return false;
    search_offer_closest(s, leaf);
    return true;
}

/** All modules of the first n sets. */
static unsigned all_modules(const search *s, int n)
{
    unsigned all = 0;

    for (int i = 0; i < n; i++)
        all |= s->choices.sets[i] != 0
                       ? s->choices.sets[i]
                       : s->problem->job.framework->usual_modules;
    return all;
}

/** No set keeps less than all modules together, which replay nothing here. By
 *  operation other tensors are kept: nothing is said of that. */
bool search_no_set_fits(search *s, const search_leaf *leaf, int n)
{
    p3d_plan plan = most_offload(s, leaf);

    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    plan.recompute_modules = all_modules(s, n);
    if ((plan.recompute_modules & P3D_MODULE_PER_OP) != 0)
        return false;
    s->hollow =
            search_recompute(s, leaf->costs, plan.recompute_modules)->blocks;
    for (int i = 0; i < P3D_N_BLOCKS; i++)
        s->hollow.block[i].replay_bytes[P3D_RECOMPUTE_SELECTIVE] = 0;
    return cost_exceeds(s->problem, &plan, &s->hollow, search_layout(s, &plan),
            search_usable_bytes(s), &s->tight_rank);
}

/** Hollow layers that are all alike, but for experts: none has more bytes or
 *  parameters than the least of them. */
static const p3d_blocks *hollow_alike(search *s, const p3d_blocks *blocks)
{
    const p3d_model *m = &s->problem->model;
    p3d_block *const block = s->hollow.block;
    p3d_block all = {.working_bytes = INT64_MAX};
    int64_t experts = INT64_MAX;
    bool first = true;

    (void)hollow(s, blocks);
    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        if (p3d_model_count_layers(m, k) == 0)
            continue;
        if (first || block[k].params.dense < all.params.dense)
            all.params.dense = block[k].params.dense;
        if ((k & P3D_LAYER_MOE) != 0)
            experts = least(experts, block[k].params.experts);
        for (int r = 0; r < P3D_N_RECOMPUTES; r++)
            all.saved_bytes[r] =
                    first ? block[k].saved_bytes[r]
                          : least(all.saved_bytes[r], block[k].saved_bytes[r]);
        all.working_bytes = least(all.working_bytes, block[k].working_bytes);
        first = false;
    }
    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        block[k] = all;
        block[k].params.experts = (k & P3D_LAYER_MOE) != 0 ? experts : 0;
    }
    return &s->hollow;
}

/** Where a stage lies. */
typedef enum place { FIRST, MIDDLE, LAST } place;

/** n layers of a stage: those at the model's begin or end; between them as many
 *  without experts as the model has. */
static void lay_stage(const p3d_model *m, place where, int n, short *count)
{
    for (int k = 0; k < P3D_N_LAYER_KINDS; k++)
        count[k] = 0;
    for (int i = 0; i < n && where != MIDDLE; i++)
        count[m->layer_kind[where == FIRST ? i : m->n_layers - 1 - i]]++;
    for (int i = 0; i < m->n_layers && where == MIDDLE; i++) {
        if ((m->layer_kind[i] & P3D_LAYER_MOE) == 0 && count[0] < n)
            count[0]++;
    }
    if (where == MIDDLE)
        count[P3D_LAYER_MOE] = (short)(n - count[0]);
}

/** True when n layers fit on a stage. */
static bool holds(search *s, const p3d_plan *plan, const p3d_blocks *blocks,
        place where, int n)
{
    const int rank = where == FIRST ? 0 : where == LAST ? plan->pp - 1 : 1;

    s->stage.n_chunks = plan->pp;
    s->stage.first[rank] = 0;
    lay_stage(&s->problem->model, where, n, s->stage.count[rank]);
    return !cost_rank_exceeds(
            s->problem, plan, blocks, &s->stage, rank, search_usable_bytes(s));
}

/** Most layers that fit on a stage, whatever is recomputed. Neighbours differ
 *  little: the room of the leaf before is asked first. */
static int room_of(search *s, const search_leaf *leaf, place where)
{
    const p3d_plan plan = most_offload(s, leaf);
    const p3d_blocks *blocks = where == MIDDLE
                                       ? hollow_alike(s, &leaf->costs->blocks)
                                       : hollow(s, &leaf->costs->blocks);
    int *const last = &s->room[where];
    int low = 0;
    int high = s->problem->model.n_layers;
    int next = *last < high ? *last : high;
    int step = 1;

    while (low < high) {
        if (next <= low || next > high)
            next = (low + high + 1) / 2;
        if (holds(s, &plan, blocks, where, next)) {
            low = next;
            next += step;
        } else {
            high = next - 1;
            next = high - step + 1;
        }
        step *= 2;
    }
    return *last = low;
}

/** Every stage has to fit, so also the one behind the first, which speaks for
 *  those between the ends. */
search_room search_find_room(search *s, const search_leaf *leaf)
{
    return (search_room){.first = room_of(s, leaf, FIRST),
            .middle = leaf->plan.pp > 2 ? room_of(s, leaf, MIDDLE) : 0,
            .last = room_of(s, leaf, LAST)};
}

bool search_is_full(
        const search *s, const search_leaf *leaf, const search_room *room)
{
    return (int64_t)room->first + room->last +
                   (int64_t)room->middle * (leaf->plan.pp - 2) <
           s->problem->model.n_layers;
}

bool search_has_room(const search_split *split, const search_room *room)
{
    return split->ends[0] <= room->first && split->ends[1] <= room->last &&
           split->share <= room->middle;
}

/** The recomputation that is taken to keep the least, of those that may be:
 *  of all layers, else of the first set of modules if there must be any. */
static void most_recompute(
        const search *s, const search_leaf *leaf, p3d_plan *plan)
{
    const search_choices *c = &s->choices;

    if (search_n_layers(s->problem, c, plan, leaf->most) > 0) {
        plan->recompute = P3D_RECOMPUTE_FULL;
        plan->recompute_layers = c->layers < leaf->most ? c->layers : 0;
    } else if (!c->none && search_n_sets(s->problem, c, plan) > 0) {
        plan->recompute = P3D_RECOMPUTE_SELECTIVE;
        plan->recompute_modules = c->sets[0];
    }
}

void search_offer_closest(search *s, const search_leaf *leaf)
{
    const search_offload *most = &leaf->offloads->at[leaf->offloads->n - 1];
    const p3d_blocks *blocks;
    p3d_plan plan = most_offload(s, leaf);
    p3d_memory memory = {0};

    plan.offload_nvme = most->nvme;
    most_recompute(s, leaf, &plan);
    blocks = &search_recompute(s, leaf->costs, plan.recompute_modules)->blocks;
    if (s->result->have_closest &&
            cost_exceeds(s->problem, &plan, blocks, search_layout(s, &plan),
                    closer_bytes(s), &s->tight_rank))
        return;
    cost_peak_memory(
            s->problem, &plan, blocks, search_layout(s, &plan), &memory);
    s->result->have_closest = true;
    s->closest_bytes =
            p3d_memory_device_bytes(&memory) - search_usable_bytes(s);
    p3d_estimate_blocks(s->problem, &plan, blocks, &s->result->closest);
}
