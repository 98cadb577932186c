/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch.c - all plans of a branch: how many there are, and a look at them, put
 * off where it is dear, with the ways to share states and to split layers one
 * by one. */
#include <math.h>
#include <stdlib.h>

#include "base/rows.h"
#include "base/util.h"
#include "search/exact/engine.h"
#include "search/exact/space.h"

/* Counting. */

/** Plans of a leaf that has `n` splits of its layers, whose largest stages add
 *  up to n_layers: their number grows evenly with that of the layers. */
static int64_t count_alike(
        const search *s, search_leaf leaf, int64_t n, int64_t n_layers)
{
    int64_t one, each;

    leaf.most = 1;
    one = search_leaf_count(s, &leaf);
    leaf.most = 2;
    each = search_leaf_count(s, &leaf) - one;
    return (one - each) * n + each * n_layers;
}

/** Plans of a leaf with the splits from one on. */
static int64_t count_from(const search *s, search_leaf leaf,
        const search_splits *splits, int from)
{
    int64_t n = 0;

    if (s->savings.layers == 0 && s->savings.group == 0)
        return count_alike(
                s, leaf, splits->n - from, splits->most_behind[from]);
    for (int i = from; i < splits->n; i++) {
        leaf.most = splits->at[i].most;
        n += search_leaf_count(s, &leaf);
    }
    return n;
}

/** Plans of a branch with its layers split as usual, the largest chunk with
 *  `most` (0 = without these), and with splits that say the ends, if any. */
static int64_t count_states(search *s, const p3d_plan *branch, int most,
        const search_splits *splits)
{
    const search_stages *stages = search_stages_of(s, branch);
    search_leaf leaf = {.plan = *branch,
            .orders = search_orders_of(s, branch),
            .most = most};
    int64_t n = 0;

    for (int zero = 0; zero < P3D_COUNT_OF(stages->offloads); zero++) {
        int64_t each = 0;

        leaf.offloads = &stages->offloads[zero];
        if (leaf.offloads->n == 0)
            continue;
        if (most > 0)
            each += search_leaf_count(s, &leaf);
        if (splits != NULL)
            each += count_from(s, leaf, splits, 0);
        n += (search_parts_of(s, branch, zero)->n +
                     search_may_share_all(s->pins, branch)) *
             each;
    }
    return n;
}

/* Looking. */

/** A branch at work. */
typedef struct visit {
    search *s;
    const p3d_plan *branch;
    const search_shard *costs;
    const search_splits *splits;
} visit;

/** Look at plans. @return how many, when all are too large; else 0 */
typedef int64_t look(visit *v, search_leaf leaf);

/** All parts that share the states, the most first: what is too large with
 *  them is so with fewer. */
static void each_part(visit *v, search_leaf leaf, look *at)
{
    search *s = v->s;
    const search_divisors *parts =
            search_parts_of(s, v->branch, leaf.plan.zero);

    for (int i = parts->n - !search_may_share_all(s->pins, v->branch); i >= 0;
            i--) {
        int64_t too_large;

        leaf.plan.shard = i == parts->n ? 0 : parts->at[i];
        too_large = at(v, leaf);
        if (too_large > 0) {
            s->result->n_too_large += i * too_large;
            return;
        }
    }
}

/** Look with all stages of ZeRO and parts that share the states. */
static void each_state(visit *v, search_leaf leaf, look *at)
{
    const search_stages *stages = search_stages_of(v->s, v->branch);

    leaf.plan = *v->branch;
    leaf.costs = v->costs;
    leaf.orders = search_orders_of(v->s, v->branch);
    for (int zero = 0; zero < P3D_COUNT_OF(stages->offloads); zero++) {
        leaf.plan.zero = zero;
        leaf.offloads = &stages->offloads[zero];
        if (leaf.offloads->n > 0)
            each_part(v, leaf, at);
    }
}

static int64_t look_at_usual(visit *v, search_leaf leaf)
{
    const int64_t n = search_leaf_count(v->s, &leaf);

    return n > 0 && !search_leaf_visit(v->s, &leaf) ? n : 0;
}

/** Numbers of layers for the ends, for one way to share the states: the largest
 *  stage bounds the time, and each further split has one as large. */
static int64_t look_at_splits(visit *v, search_leaf leaf)
{
    search *s = v->s;
    const search_splits *splits = v->splits;
    const search_room room = search_find_room(s, &leaf);

    if (search_is_full(s, &leaf, &room)) {
        const int64_t n = count_from(s, leaf, splits, 0);

        s->result->n_too_large += n;
        return n;
    }
    for (int i = 0; i < splits->n; i++) {
        const search_split *split = &splits->at[i];
        const double bound_s =
                search_stage_floor_s(s, v->branch, v->costs, split->most);

        if (bound_s > search_worst_s(s)) {
            search_cut(s, count_from(s, leaf, splits, i), bound_s);
            return 0;
        }
        leaf.most = split->most;
        leaf.plan.first_layers = split->first;
        leaf.plan.last_layers = split->last;
        if (!search_has_room(split, &room))
            s->result->n_too_large += search_leaf_count(s, &leaf);
        else if (search_leaf_count(s, &leaf) > 0)
            (void)search_leaf_visit(s, &leaf);
    }
    return 0;
}

/** n more plans, none of them faster than this. */
static void enter(search *s, int64_t n, double bound_s)
{
    p3d_search_result *r = s->result;

    r->n_plans += n;
    if (n > 0 && (r->floor_s == 0 || bound_s < r->floor_s))
        r->floor_s = bound_s;
}

static bool defer(search *s, const search_deferred *item)
{
    search_deferred_list *list = &s->deferred;
    search_deferred *const more = p3d_grow(list->at, list->n, sizeof(*more));

    if (more == NULL)
        return false;
    list->at = more;
    list->at[list->n] = *item;
    list->at[list->n].number = list->n;
    list->n++;
    return true;
}

/** Look at plans now, cut them, or put them off until a plan is known that is
 *  hard to beat: pipelines whose stages differ are dear to look at. */
static void take(visit *v, search_deferred *item, bool later)
{
    search *s = v->s;

    item->branch = *v->branch;
    item->costs = v->costs;
    enter(s, item->n, item->bound_s);
    if (item->n == 0)
        return;
    if (item->bound_s > search_worst_s(s))
        search_cut(s, item->n, item->bound_s);
    else if (later)
        s->out_of_memory |= !defer(s, item);
    else
        search_deferred_visit(s, item);
}

/** Plans with layers split as usual. */
static void take_usual(visit *v, int most)
{
    search_deferred item = {.most = most,
            .bound_s = search_usual_floor_s(v->s, v->branch, v->costs),
            .n = count_states(v->s, v->branch, most, NULL)};

    if (v->branch->uneven && item.bound_s <= search_worst_s(v->s))
        item.bound_s = fmax(
                item.bound_s, search_uneven_floor_s(v->s, v->branch, v->costs));
    take(v, &item, v->branch->uneven);
}

/** Plans with numbers of layers for the ends. Some stage has the mean or more.
 */
static void take_splits(visit *v)
{
    const int n_layers = v->s->problem->model.n_layers;
    const int mean = (n_layers + v->branch->pp - 1) / v->branch->pp;
    search_deferred item = {.most = 0,
            .bound_s = search_stage_floor_s(v->s, v->branch, v->costs, mean),
            .n = count_states(v->s, v->branch, 0, v->splits)};

    take(v, &item, true);
}

/** Cut a branch before its own costs are known, by what its layers take however
 *  their experts are grouped. @return false when that is not enough */
static bool cut_early(search *s, const p3d_plan *branch, int most,
        const search_splits *splits)
{
    const p3d_shard shard = p3d_plan_shard(branch);
    const search_shard *alike;
    double bound_s;
    int64_t n;

    if (search_worst_s(s) == HUGE_VAL || search_cache_has(s->cache, shard))
        return false;
    alike = search_cache_get_alike(s->cache, s->problem, shard);
    if (alike == NULL)
        return false;
    bound_s = search_common_floor_s(s, branch, alike);
    if (bound_s <= search_worst_s(s))
        return false;
    n = count_states(s, branch, most, splits);
    enter(s, n, bound_s);
    search_cut(s, n, bound_s);
    return true;
}

/** Layers of a branch's largest chunk; neighbours often have as many. */
static int most_layers(search *s, const p3d_plan *branch)
{
    if (s->most_pp != branch->pp || s->most_vp != branch->vp ||
            s->most_uneven != branch->uneven) {
        s->most_layers = space_chunk_layers(s->problem, branch);
        s->most_pp = branch->pp;
        s->most_vp = branch->vp;
        s->most_uneven = branch->uneven;
    }
    return s->most_layers;
}

bool search_branch_visit(search *s, const p3d_plan *branch)
{
    const int most = branch->first_layers == 0 ? most_layers(s, branch) : 0;
    visit v = {.s = s, .branch = branch};

    if (search_may_split(s->problem, branch)) {
        v.splits = search_splits_of(&s->splits, s->problem, s->pins, branch);
        s->out_of_memory |= v.splits == NULL;
        if (v.splits != NULL && v.splits->n == 0)
            v.splits = NULL;
    }
    if (s->out_of_memory || cut_early(s, branch, most, v.splits))
        return !s->out_of_memory;
    v.costs = search_cache_get(s->cache, s->problem, p3d_plan_shard(branch));
    s->out_of_memory |= v.costs == NULL;
    if (!s->out_of_memory && most > 0)
        take_usual(&v, most);
    if (!s->out_of_memory && v.splits != NULL)
        take_splits(&v);
    return !s->out_of_memory;
}

void search_deferred_visit(search *s, const search_deferred *item)
{
    visit v = {.s = s, .branch = &item->branch, .costs = item->costs};
    const search_leaf leaf = {.most = item->most};

    if (item->bound_s > search_worst_s(s)) {
        search_cut(s, item->n, item->bound_s);
        return;
    }
    if (item->most > 0) {
        s->path_s = 0;
        each_state(&v, leaf, look_at_usual);
        return;
    }
    v.splits = search_splits_of(&s->splits, s->problem, s->pins, &item->branch);
    P3D_ASSERT(v.splits != NULL); /* kept since the branch was put off */
    each_state(&v, leaf, look_at_splits);
}
