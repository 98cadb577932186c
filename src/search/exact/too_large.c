/* SPDX-License-Identifier: GPL-3.0-or-later */
/* too_large.c - proofs that nothing of many plans fits, and the plan that
 * misses the least. */
#include "base/util.h"
#include "cost/memory/memory.h"
#include "search/exact/engine.h"

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
            s->savings.activations[s->savings.n_activations - 1];
    return plan;
}

/** True when no choice of a class takes so little of a device; only the rank is
 *  asked that was too large the last time. */
static bool class_exceeds(search *s, const search_leaf *leaf,
        search_class class, int64_t limit_bytes)
{
    const p3d_plan plan = search_most_offload(s, leaf);
    const cost_case of =
            search_case(s, &plan, search_hollow(s, leaf->costs, class));
    const int rank = s->tight_rank < plan.pp ? s->tight_rank : 0;

    s->n_bounds++;
    return search_hollow_exceeds(&of, class, rank, limit_bytes);
}

bool search_class_exceeds(
        search *s, const search_leaf *leaf, search_class class)
{
    const p3d_blocks *const hollow = search_hollow(s, leaf->costs, class);
    const p3d_plan plan = search_in_class(search_most_offload(s, leaf), class);

    s->n_bounds++;
    return search_exceeds(s, &plan, hollow, search_usable_bytes(s));
}

/** True when no choice of recomputation takes so little. */
static bool always_exceeds(
        search *s, const search_leaf *leaf, int64_t limit_bytes)
{
    const search_classes classes = search_classes_of(s, leaf);

    if (classes.n > 1 &&
            class_exceeds(s, leaf, search_any_class(leaf), limit_bytes))
        return true;
    for (int i = 0; i < classes.n; i++) {
        if (!class_exceeds(s, leaf, classes.at[i], limit_bytes))
            return false;
    }
    return true;
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

bool search_node_holds(const search_ranks *ranks, const search_offload *offload)
{
    p3d_plan sent = *ranks->of.plan;
    cost_case of = ranks->of;

    of.plan = &sent;
    for (int i = 0; i < offload->n_places; i++) {
        int rank = ranks->first;

        search_set_offload(&sent, offload, i > 0 || offload->nvme);
        for (; rank < ranks->end; rank++) {
            const cost_host_sum sum = cost_rank_node_host(&of, rank);

            if (!cost_node_holds(&of.problem->cluster.node, &sum))
                break;
        }
        if (rank == ranks->end)
            return true;
    }
    return false;
}

search_ranks search_all_ranks(search *s, const search_leaf *leaf)
{
    return (search_ranks){
            .of = search_case(s, &leaf->plan, &leaf->costs->blocks),
            .end = leaf->plan.pp};
}

int search_n_held(search *s, const search_leaf *leaf)
{
    const search_ranks all = search_all_ranks(s, leaf);
    int n = leaf->offloads->n;

    while (n > 0 && !search_node_holds(&all, &leaf->offloads->at[n - 1]))
        n--;
    return n;
}

/** The recomputation that is taken to keep the least without groups, of those
 *  that may be: of all layers, else of the first set of modules if there must
 *  be any. */
static void most_recompute(
        const search *s, const search_leaf *leaf, p3d_plan *plan)
{
    const search_savings *c = &s->savings;

    if (search_n_layers(s->problem, c, plan, leaf->most) > 0) {
        plan->recompute = P3D_RECOMPUTE_FULL;
        plan->recompute_layers = c->layers < leaf->most ? c->layers : 0;
    } else if (!c->none && search_n_sets(s->problem, c, plan) > 0) {
        plan->recompute = P3D_RECOMPUTE_SELECTIVE;
        plan->recompute_modules = c->sets[0];
    }
}

/** Remember a plan if it misses less than any before it. */
static void offer(search *s, const search_leaf *leaf, const p3d_plan *plan)
{
    const p3d_blocks *const blocks =
            &search_recompute(s, leaf->costs, plan->recompute_modules)->blocks;
    const cost_case of = search_case(s, plan, blocks);
    p3d_memory memory = {0};

    if (s->result->have_closest &&
            search_exceeds(s, plan, blocks, closer_bytes(s)))
        return;
    cost_peak_memory(&of, &memory);
    s->result->have_closest = true;
    s->closest_bytes =
            p3d_memory_device_bytes(&memory) - search_usable_bytes(s);
    p3d_estimate_blocks(s->problem, plan, blocks, &s->result->closest);
}

/** The same of the groups of a class. */
static void offer_groups(
        search *s, const search_leaf *leaf, search_class class, p3d_plan plan)
{
    if (s->result->have_closest &&
            class_exceeds(s, leaf, class, closer_bytes(s)))
        return;
    plan.recompute = P3D_RECOMPUTE_FULL;
    for (int group = class.low; group <= class.high; group++) {
        plan.recompute_group = group;
        offer(s, leaf, &plan);
    }
}

void search_offer_closest(search *s, const search_leaf *leaf)
{
    const search_offload *most = &leaf->offloads->at[leaf->offloads->n - 1];
    const search_classes classes = search_classes_of(s, leaf);
    p3d_plan plan = search_most_offload(s, leaf);

    if (s->stop_at_first)
        return;
    plan.offload_nvme = most->nvme;
    if (classes.n_single > 0) {
        p3d_plan one = plan;

        most_recompute(s, leaf, &one);
        offer(s, leaf, &one);
    }
    for (int i = classes.n_single; i < classes.n; i++)
        offer_groups(s, leaf, classes.at[i], plan);
}
