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
#include "search/exact/ways.h"

static int n_recomputes(const search *s, const search_leaf *leaf)
{
    return s->savings.none +
           search_n_sets(s->problem, &s->savings, &leaf->plan) +
           search_n_layers(s->problem, &s->savings, &leaf->plan, leaf->most) +
           search_n_groups(s->problem, &s->savings, &leaf->plan, leaf->most);
}

int64_t search_leaf_count(const search *s, const search_leaf *leaf)
{
    return ways_weight(s, leaf, 0, leaf->offloads->n) * n_recomputes(s, leaf);
}

/** Without recomputation. What fits so is settled for all recomputation. */
static void try_none(ways_visit *v)
{
    bool held;
    const int way = ways_try(v, &v->leaf->plan, &v->leaf->costs->blocks, &held);
    const int others = n_recomputes(v->s, v->leaf) - 1;

    if (way == v->end || ways_always_send(v))
        return;
    ways_settle_rest(v, way, others, held);
    v->end = way;
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

/** Leave out the ways to offload that leave too much on the device; each
 *  further one leaves less. The last one does not. */
static void leave_large(ways_visit *v)
{
    search *s = v->s;

    v->begin = ways_first(v, v->end - 1, search_always_exceeds);
    s->result->n_too_large +=
            n_recomputes(s, v->leaf) * ways_weight(s, v->leaf, 0, v->begin);
}

/** True when a node's memory holds what the last way to offload puts there. */
static bool memory_holds(search *s, const search_leaf *leaf)
{
    search_offload in_memory = leaf->offloads->at[leaf->offloads->n - 1];
    const search_ranks all = search_all_ranks(s, leaf);

    in_memory.nvme = false;
    in_memory.n_places = 1;
    return search_node_holds(&all, &in_memory);
}

/** Find the ways to offload that need NVMe; where the last does not, or has
 *  none, no way does. */
static void find_nvme(ways_visit *v)
{
    search_offloads few;
    const search_leaf left = search_leaf_upto(v->leaf, v->end - 1, &few);

    v->nvme_from = v->end;
    if (few.at[v->end - 1].n_places > 1 && !memory_holds(v->s, &left))
        v->nvme_from = ways_first(v, v->end, memory_holds);
}

/** Look at what is left of a leaf. */
static void try_all(ways_visit *v)
{
    if (v->s->savings.none)
        try_none(v);
    if (v->end > v->begin) {
        ways_try_sets(v);
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
    find_nvme(&v);
    bound_s = v.begin > 0 || v.nvme_from == 0 ? ways_left_floor_s(&v) : 0;
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
