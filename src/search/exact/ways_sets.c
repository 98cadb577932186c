/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways_sets.c - what modules are recomputed. There are up to 150 sets of them,
 * so what holds for all is asked first: no set keeps less than all modules
 * together, and none is faster than no recomputation. */
#include "base/stop.h"
#include "cost/memory/memory.h"
#include "search/exact/ways.h"

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

static unsigned modules_of(const search *s, int set)
{
    const unsigned modules = s->savings.sets[set];

    return modules != 0 ? modules : s->problem->job.framework->usual_modules;
}

/** By operation other tensors are kept than by modules. */
static bool is_by_operation(const search *s, int set)
{
    return (modules_of(s, set) & P3D_MODULE_PER_OP) != 0;
}

/** All modules of a leaf's sets, but by operation; 0 = there are none. */
static unsigned all_modules(const search *s, const search_leaf *leaf)
{
    const int n = search_n_sets(s->problem, &s->savings, &leaf->plan);
    unsigned all = 0;

    for (int i = 0; i < n; i++)
        all |= is_by_operation(s, i) ? 0 : modules_of(s, i);
    return all;
}

bool search_no_set_fits(search *s, const search_leaf *leaf)
{
    p3d_plan plan = search_most_offload(s, leaf);
    p3d_blocks blocks;

    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    plan.recompute_modules = all_modules(s, leaf);
    blocks = search_recompute(s, leaf->costs, plan.recompute_modules)->blocks;
    for (int i = 0; i < P3D_N_BLOCKS; i++)
        blocks.block[i].replay_bytes[P3D_RECOMPUTE_SELECTIVE] = 0;
    s->n_bounds++;
    return search_exceeds(s, &plan, &blocks, search_usable_bytes(s));
}

/** One set, unless already its passes alone take too long. */
static void try_set(ways_visit *v, int set)
{
    search *s = v->s;
    p3d_plan plan = v->leaf->plan;
    const search_shard *costs;
    bool held;
    double bound_s;

    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    plan.recompute_modules = s->savings.sets[set];
    costs = search_recompute(s, v->leaf->costs, plan.recompute_modules);
    bound_s = search_quick_floor_s(s, &plan, costs, v->leaf->most);
    if (bound_s > search_worst_s(s))
        search_cut(s, ways_weight(s, v->leaf, v->begin, v->end), bound_s);
    else
        (void)ways_try(v, &plan, &costs->blocks, &held);
}

/** Leave out the ways to offload with which no module makes a leaf fit.
 *  @return false when those that are left take too long for each of n sets */
static bool leave_for_sets(ways_visit *v, int n)
{
    search *s = v->s;
    const int first = ways_first(v, v->end, search_no_set_fits);
    double bound_s;

    s->result->n_too_large += n * ways_weight(s, v->leaf, v->begin, first);
    v->begin = first;
    if (first == v->end)
        return false;
    bound_s = ways_left_floor_s(v);
    if (bound_s <= search_worst_s(s))
        return true;
    search_cut(s, n * ways_weight(s, v->leaf, first, v->end), bound_s);
    return false;
}

/** Sets by operation, or the others.
 *  @return how many there are */
static int try_each(ways_visit *v, bool by_operation)
{
    const search *s = v->s;
    const int n = search_n_sets(s->problem, &s->savings, &v->leaf->plan);
    int n_such = 0;

    for (int i = 0; i < n && !p3d_stopped(); i++) {
        if (is_by_operation(s, i) != by_operation)
            continue;
        try_set(v, i);
        n_such++;
    }
    return n_such;
}

void ways_try_sets(ways_visit *v)
{
    const int begin = v->begin;
    const int n = search_n_sets(v->s->problem, &v->s->savings, &v->leaf->plan);
    const int n_by_operation = try_each(v, true);

    if (n > n_by_operation && leave_for_sets(v, n - n_by_operation))
        (void)try_each(v, false);
    v->begin = begin;
}
