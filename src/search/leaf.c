/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaf.c - how little recomputation and offload makes a plan fit.
 *
 * Both only add seconds, and each further module, layer or tenth adds more; so
 * a plan that fits makes all needless that recompute and offload more, and a
 * bound on its time cuts them. Not so where a part of the activations has been
 * said to go to the host: of fewer activations there is less to send, and each
 * choice of recomputation is looked at for itself. */
#include <math.h>

#include "base/stop.h"
#include "search/ways.h"

static int n_recomputes(const search *s, const search_leaf *leaf)
{
    return s->choices.none +
           search_n_sets(s->problem, &s->choices, &leaf->plan) +
           search_n_layers(s->problem, &s->choices, &leaf->plan, leaf->most) +
           search_n_groups(s->problem, &s->choices, &leaf->plan, leaf->most);
}

int64_t search_leaf_count(const search *s, const search_leaf *leaf)
{
    return ways_weight(s, leaf, 0, leaf->offloads->n) * n_recomputes(s, leaf);
}

const search_shard *search_recompute(
        search *s, const search_shard *costs, unsigned modules)
{
    if (s->recomputed_of != costs)
        s->recomputed = *costs;
    s->recomputed_of = costs;
    p3d_blocks_recompute(s->problem, modules, &s->recomputed.blocks);
    search_shard_sum(s->problem, P3D_RECOMPUTE_SELECTIVE, &s->recomputed);
    return &s->recomputed;
}

/** Without recomputation. What fits so is settled for all recomputation. */
static void try_none(ways_visit *v)
{
    ways_outcome last;
    const int way = ways_try(v, &v->leaf->plan, &v->leaf->costs->blocks, &last);
    const int others = n_recomputes(v->s, v->leaf) - 1;

    if (way == v->end || ways_always_send(v))
        return;
    ways_settle_rest(v, way, others, last == WAYS_FITS);
    v->end = way;
}

/** One set of modules, unless already its passes alone take too long. */
static void try_set(ways_visit *v, const p3d_plan *plan)
{
    search *s = v->s;
    const search_shard *costs =
            search_recompute(s, v->leaf->costs, plan->recompute_modules);
    const double bound_s = search_quick_floor_s(s, plan, costs, v->leaf->most);
    ways_outcome last;

    if (bound_s > search_worst_s(s))
        search_cut(s, ways_weight(s, v->leaf, v->begin, v->end), bound_s);
    else
        (void)ways_try(v, plan, &costs->blocks, &last);
}

static void try_sets(ways_visit *v)
{
    search *s = v->s;
    const int n = search_n_sets(s->problem, &s->choices, &v->leaf->plan);
    p3d_plan plan = v->leaf->plan;

    if (n > 0 && search_no_set_fits(s, v->leaf, n)) {
        s->result->n_too_large += n * ways_weight(s, v->leaf, v->begin, v->end);
        return;
    }
    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    for (int i = 0; i < n && !p3d_stopped(); i++) {
        plan.recompute_modules = s->choices.sets[i];
        try_set(v, &plan);
    }
}

/** A bound on all plans of a leaf: where chunks differ first by their longest
 *  path, which is the same with all states. */
static double leaf_floor_s(ways_visit *v)
{
    search *s = v->s;
    const search_leaf *leaf = v->leaf;

    if (leaf->plan.uneven && search_worst_s(s) < HUGE_VAL) {
        if (s->path_s == 0)
            s->path_s = search_uneven_path_s(s, &leaf->plan, leaf->costs);
        if (s->path_s > search_worst_s(s))
            return s->path_s;
    }
    return ways_floor_s(v, &leaf->plan, &leaf->costs->blocks);
}

/** Leave out the ways to offload that are too large for a node. More is put
 *  there with each further way, whatever is recomputed.
 *  @return false when those that are left are too large for the device */
static bool leave_held(ways_visit *v)
{
    search *s = v->s;
    const search_leaf *leaf = v->leaf;
    const int n = search_n_held(s, leaf);
    search_offloads held = *leaf->offloads;
    search_leaf rest = *leaf;

    if (n == leaf->offloads->n)
        return true;
    held.n = n;
    rest.offloads = &held;
    if (n == 0 || search_always_exceeds(s, &rest))
        return false;
    s->result->n_too_large +=
            n_recomputes(s, leaf) * ways_weight(s, leaf, n, leaf->offloads->n);
    v->end = n;
    return true;
}

/** True when no way to offload up to this one takes so little of a device,
 *  whatever is recomputed. */
static bool way_exceeds(ways_visit *v, int way)
{
    search_offloads few;
    const search_leaf some = search_leaf_upto(v->leaf, way, &few);

    return search_always_exceeds(v->s, &some);
}

/** Leave out the ways to offload that leave too much on the device; each
 *  further one leaves less. The last one does not. */
static void leave_large(ways_visit *v)
{
    search *s = v->s;
    int low = 1;
    int end = v->end - 1;

    if (end < 1 || !way_exceeds(v, 0))
        return;
    while (low < end) {
        const int middle = (low + end) / 2;

        if (way_exceeds(v, middle))
            low = middle + 1;
        else
            end = middle;
    }
    v->begin = end;
    s->result->n_too_large +=
            n_recomputes(s, v->leaf) * ways_weight(s, v->leaf, 0, end);
}

/** A bound on all plans of a leaf that are left: they offload so much. */
static double left_floor_s(ways_visit *v)
{
    p3d_plan plan = v->leaf->plan;

    search_set_offload(&plan, &v->leaf->offloads->at[v->begin], false);
    return ways_floor_s(v, &plan, &v->leaf->costs->blocks);
}

/** Look at what is left of a leaf. */
static void try_all(ways_visit *v)
{
    if (v->s->choices.none)
        try_none(v);
    if (v->end > v->begin) {
        try_sets(v);
        ways_try_full(v);
    }
}

bool search_leaf_visit(search *s, const search_leaf *leaf)
{
    ways_visit v = {.s = s, .leaf = leaf, .end = leaf->offloads->n};
    double bound_s;

    if (p3d_stopped())
        return true;
    if (search_never_fits(s, leaf)) {
        s->result->n_too_large += search_leaf_count(s, leaf);
        return false;
    }
    bound_s = leaf_floor_s(&v);
    if (bound_s > search_worst_s(s)) {
        search_cut(s, search_leaf_count(s, leaf), bound_s);
        return true;
    }
    if (!leave_held(&v)) {
        s->result->n_too_large += search_leaf_count(s, leaf);
        if (s->result->n_feasible == 0)
            search_offer_closest(s, leaf);
        return true;
    }
    leave_large(&v);
    bound_s = v.begin > 0 ? left_floor_s(&v) : 0;
    if (bound_s > search_worst_s(s)) {
        search_cut(s,
                n_recomputes(s, leaf) * ways_weight(s, leaf, v.begin, v.end),
                bound_s);
        return true;
    }
    try_all(&v);
    if (s->result->n_feasible == 0)
        search_offer_closest(s, leaf);
    return true;
}
