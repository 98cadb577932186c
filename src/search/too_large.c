/* SPDX-License-Identifier: GPL-3.0-or-later */
/* too_large.c - proofs that nothing of many plans fits, and the plan that
 * misses the least. */
#include "base/util.h"
#include "cost/memory.h"
#include "search/engine.h"

int64_t search_usable_bytes(const search *s)
{
    return s->problem->cluster.gpu.visible_memory_bytes -
           s->problem->job.reserve_bytes;
}

search_leaf search_leaf_upto(
        const search_leaf *leaf, int way, search_offloads *few)
{
    search_leaf some = *leaf;

    *few = *leaf->offloads;
    few->n = way + 1;
    some.offloads = few;
    return some;
}

p3d_plan search_most_offload(const search *s, const search_leaf *leaf)
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

const p3d_blocks *search_hollow(search *s, const p3d_blocks *blocks)
{
    s->hollow = *blocks;
    s->hollow.hollow = true;
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
    const p3d_plan plan = search_most_offload(s, leaf);
    const int rank = s->tight_rank < plan.pp ? s->tight_rank : 0;

    s->n_bounds++;
    return cost_rank_exceeds(s->problem, &plan,
            search_hollow(s, &leaf->costs->blocks), search_layout(s, &plan),
            rank, limit_bytes);
}

bool search_always_exceeds(search *s, const search_leaf *leaf)
{
    return always_exceeds(s, leaf, search_usable_bytes(s));
}

/** Bytes of a device that a plan takes which comes closer to fitting than the
 *  closest so far. */
static int64_t closer_bytes(const search *s)
{
    return search_usable_bytes(s) + s->closest_bytes - 1;
}

bool search_never_fits(search *s, const search_leaf *leaf)
{
    if (s->result->n_feasible > 0 || s->stop_at_first)
        return always_exceeds(s, leaf, search_usable_bytes(s));
    if (s->result->have_closest && s->closest_bytes > 0 &&
            always_exceeds(s, leaf, closer_bytes(s)))
        return true;
    if (!always_exceeds(s, leaf, search_usable_bytes(s)))
        return false;
    search_offer_closest(s, leaf);
    return true;
}

/** True when a node holds what a way to offload puts there, in its memory or on
 *  its NVMe. */
static bool node_holds(search *s, const search_leaf *leaf, int way)
{
    const search_offload *const offload = &leaf->offloads->at[way];
    p3d_plan plan = leaf->plan;

    for (int i = 0; i < offload->n_places; i++) {
        cost_host_sum sum;

        search_set_offload(&plan, offload, i > 0 || offload->nvme);
        sum = cost_node_host(s->problem, &plan, &leaf->costs->blocks,
                search_layout(s, &plan));
        if (cost_node_holds(&s->problem->cluster.node, &sum))
            return true;
    }
    return false;
}

int search_n_held(search *s, const search_leaf *leaf)
{
    int n = leaf->offloads->n;

    while (n > 0 && !node_holds(s, leaf, n - 1))
        n--;
    return n;
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
    p3d_plan plan = search_most_offload(s, leaf);

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
    p3d_plan plan = search_most_offload(s, leaf);
    p3d_memory memory = {0};

    if (s->stop_at_first)
        return;
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
