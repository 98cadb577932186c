/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.c - what becomes of a leaf: too large or too slow as a whole, or looked
 * at closer; by what is sure to fit, by what fits by the estimate, or only to
 * tell the next search of it. */
#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/tasks.h"
#include "search/exact/ways.h"
#include "spec/plan_split.h"

/* Leaves that are put off: 16 MB at most. */
enum { MOST_PENDING = 1 << 16 };

/** A bound on all plans of a leaf: where chunks differ also by their longest
 *  path, which is dear, and the same with all states. */
static double leaf_floor_s(ways_visit *v)
{
    search *s = v->s;
    const search_leaf *leaf = v->leaf;
    double floor_s;

    if (s->path_s > s->worst_s)
        return s->path_s;
    floor_s = ways_floor_s(v, &leaf->plan, &leaf->costs->blocks);
    if (s->path_s > 0 || floor_s > s->worst_s || s->worst_s == HUGE_VAL ||
            !spec_chunks_differ(&leaf->plan))
        return floor_s;
    s->path_s = search_uneven_path_s(s, &leaf->plan, leaf->costs);
    return fmax(s->path_s, floor_s);
}

/** Leave out the ways to offload that are too large for a node. More is put
 *  there with each further way, whatever is recomputed.
 *  @return false when those that are left are too large for the device */
static bool leave_held(ways_visit *v)
{
    search *s = v->s;
    const search_leaf leaf = search_leaf_with(v->leaf, v->end);
    const int n = search_n_held(s, &leaf);
    const search_leaf rest = search_leaf_with(&leaf, n);

    if (n == leaf.n_ways)
        return true;
    if (n == 0 || search_always_exceeds(s, &rest))
        return false;
    s->result->n_too_large +=
            ways_n_recomputes(s, &leaf) * ways_weight(s, &leaf, n, leaf.n_ways);
    v->end = n;
    return true;
}

/** Find the ways to offload that need NVMe; where the last does not, or has
 *  none, no way does. */
static void find_nvme(ways_visit *v)
{
    const search_leaf left = search_leaf_with(v->leaf, v->end);

    v->nvme_from = v->end;
    if (v->leaf->offloads->at[v->end - 1].n_places > 1 &&
            !search_memory_holds(v->s, &left))
        v->nvme_from = ways_first(v, v->end, search_memory_holds);
}

/** Cut the ways to offload that take too long, whatever is recomputed; mostly
 *  these are all but the first. More offload never lowers the time. */
static void leave_slow(ways_visit *v)
{
    const int end = v->end;
    double bound_s = 0;
    int low = 1;
    int next = low;

    v->nvme_from = v->end;
    while (low < v->end) {
        p3d_plan plan = v->leaf->plan;
        double next_s;

        ways_set(v, next, &plan);
        next_s = ways_floor_s(v, &plan, &v->leaf->costs->blocks);
        if (next_s > v->s->worst_s) {
            v->end = v->nvme_from = next;
            bound_s = next_s;
        } else {
            low = next + 1;
        }
        next = (low + v->end) / 2;
    }
    (void)search_cut(v->s,
            ways_n_recomputes(v->s, v->leaf) *
                    ways_weight(v->s, v->leaf, v->end, end),
            bound_s);
}

static bool has_sets_by_operation(const ways_visit *v)
{
    const search_savings *savings = &v->s->savings;
    const int n = search_n_sets(savings, &v->leaf->plan);

    for (int i = 0; i < n; i++) {
        if (search_is_by_operation(savings, i))
            return true;
    }
    return false;
}

/** True when no plan but with sets of modules, or without recomputation, is
 *  left, and one bound on memory speaks for all of them. */
static bool sets_are_left(const ways_visit *v)
{
    return v->full_s > v->s->worst_s &&
           search_n_sets(&v->s->savings, &v->leaf->plan) > 0 &&
           !has_sets_by_operation(v);
}

/** Settle all plans of a leaf, where no set of modules fits and the rest takes
 *  too long. @return whether that is so */
static bool leave_all_sets(ways_visit *v)
{
    search *s = v->s;
    const search_leaf left = search_leaf_with(v->leaf, v->end);

    if (!search_no_set_fits(s, &left))
        return false;
    (void)ways_cut_full(v);
    v->full_s = HUGE_VAL;
    s->result->n_too_large +=
            ways_n_left(v) * ways_weight(s, v->leaf, v->begin, v->end);
    search_offer_closest(s, v->leaf);
    return true;
}

/** Settle first what takes too long: little of what is left fits.
 *  @return false when nothing is left */
static bool narrow(ways_visit *v)
{
    search *s = v->s;
    const int end = v->end;
    search_leaf left;

    v->nvme_from = end; /* or later: none is slower than in memory */
    v->full_s = ways_full_floor_s(v);
    if (sets_are_left(v) && leave_all_sets(v))
        return false;
    leave_slow(v);
    left = search_leaf_with(v->leaf, v->end);
    if (v->end < end && search_always_exceeds(s, &left)) {
        s->result->n_too_large += ways_n_recomputes(s, v->leaf) *
                                  ways_weight(s, v->leaf, 0, v->end);
        return false;
    }
    return true;
}

/** Leave out the ways to offload with which no set of modules fits, and so
 *  nothing without recomputation; mostly these are all.
 *  @return false when nothing is left */
static bool leave_large_sets(ways_visit *v)
{
    search *s = v->s;

    if (leave_all_sets(v))
        return false;
    (void)ways_cut_full(v);
    v->full_s = HUGE_VAL;
    v->a_set_may_fit = true;
    v->begin = ways_first(v, v->end - 1, search_no_set_fits);
    s->result->n_too_large +=
            ways_n_left(v) * ways_weight(s, v->leaf, 0, v->begin);
    return true;
}

/** Leave out the ways to offload that leave too much on the device; each
 *  further one leaves less.
 *  @return false when nothing is left */
static bool leave_large(ways_visit *v)
{
    search *s = v->s;

    if (sets_are_left(v))
        return leave_large_sets(v);
    v->begin = ways_first(v, v->end - 1, search_always_exceeds);
    s->result->n_too_large += ways_n_recomputes(s, v->leaf) *
                              ways_weight(s, v->leaf, 0, v->begin);
    return true;
}

/** What a look at a leaf has shown. */
typedef enum outcome {
    TOO_LARGE, /* all of it, whatever is recomputed or offloaded */
    TOO_SLOW,  /* likewise */
    LOOKED
} outcome;

static bool is_slow(ways_visit *v, int64_t n)
{
    return !v->s->is_quick && search_cut(v->s, n, leaf_floor_s(v));
}

/** Settle a leaf as a whole, if that is possible. What is both counts as too
 *  large; where nothing is counted, the time is asked first: that is sooner. */
static outcome settle_whole(ways_visit *v)
{
    search *s = v->s;
    const int64_t n = search_leaf_count(s, v->leaf);

    if (!s->counts && is_slow(v, n))
        return TOO_SLOW;
    if (search_never_fits(s, v->leaf)) {
        s->result->n_too_large += n;
        return TOO_LARGE;
    }
    return s->counts && is_slow(v, n) ? TOO_SLOW : LOOKED;
}

static void look_closer(ways_visit *v)
{
    search *s = v->s;
    const search_leaf *leaf = v->leaf;

    if (!leave_held(v)) {
        s->result->n_too_large += search_leaf_count(s, leaf);
        search_offer_closest(s, leaf);
        return;
    }
    if (!narrow(v) || !leave_large(v))
        return;
    find_nvme(v);
    if ((v->begin > 0 || v->nvme_from == 0) &&
            search_cut(s,
                    ways_n_left(v) * ways_weight(s, leaf, v->begin, v->end),
                    ways_left_floor_s(v)))
        return;
    ways_try_all(v);
    search_offer_closest(s, leaf);
}

static outcome look(search *s, const search_leaf *leaf)
{
    ways_visit v = {.s = s, .leaf = leaf, .end = leaf->n_ways};
    outcome seen = LOOKED;

    if (!p3d_stopped())
        seen = settle_whole(&v);
    if (seen == LOOKED && !p3d_stopped())
        look_closer(&v);
    return seen;
}

/** What is said of plans that were looked at. */
typedef struct tally {
    int64_t n_cut, n_too_large, n_dominated, n_evaluated, n_feasible;
    double cut_s;
} tally;

static tally take_tally(const p3d_search_result *r)
{
    return (tally){r->n_cut, r->n_too_large, r->n_dominated, r->n_evaluated,
            r->n_feasible, r->cut_s};
}

static void put_tally(const tally *t, p3d_search_result *r)
{
    r->n_cut = t->n_cut;
    r->n_too_large = t->n_too_large;
    r->n_dominated = t->n_dominated;
    r->n_evaluated = t->n_evaluated;
    r->n_feasible = t->n_feasible;
    r->cut_s = t->cut_s;
}

static search_spot spot_of(const search_leaf *leaf, double bound_s)
{
    return (search_spot){.zero = leaf->plan.zero,
            .shard = leaf->plan.shard,
            .first = (short)leaf->plan.first_layers,
            .last = (short)leaf->plan.last_layers,
            .most = (short)leaf->most,
            .from = SEARCH_ALL,
            .bound_s = bound_s};
}

/** Tell of a leaf where plans may be that are a little slower. */
static void tell(search *s, const search_leaf *leaf)
{
    const search_spot spot = spot_of(leaf, s->leaf_s);

    if (search_tells(s, s->leaf_s))
        search_facts_add(s->told, &spot);
}

static outcome look_and_tell(search *s, const search_leaf *leaf)
{
    outcome seen;

    s->leaf_s = HUGE_VAL;
    seen = look(s, leaf);
    tell(s, leaf);
    return seen;
}

/** Tell of a leaf, unless it is too large or too slow as a whole. */
static outcome sift(search *s, const search_leaf *leaf)
{
    ways_visit v = {.s = s, .leaf = leaf, .end = leaf->n_ways};
    const outcome seen = settle_whole(&v);

    s->leaf_s = seen == LOOKED ? 0 : HUGE_VAL;
    tell(s, leaf);
    return seen;
}

/* The fastest plan that fits by the estimate, beside those that are sure. */

/** None is slower than the fastest that is sure. */
static double paper_limit_s(const search *s)
{
    const p3d_search_result *const r = s->result;
    double limit_s = s->worst_s;

    if (r->n_top > 0)
        limit_s = fmin(limit_s, p3d_time_step_s(&r->top[0].time));
    if (s->paper->tokens_per_s > 0)
        limit_s = fmin(limit_s, p3d_time_step_s(&s->paper->time));
    return limit_s;
}

/** Look with the memory that is there by the estimate. Nothing is counted. */
static void look_on_paper(search *s, const search_leaf *leaf)
{
    ways_visit v = {.s = s, .leaf = leaf, .end = leaf->n_ways};
    const tally before = take_tally(s->result);
    const double worst_s = s->worst_s;
    const bool counts = s->counts;

    s->counts = false;
    s->on_paper = true;
    s->worst_s = paper_limit_s(s);
    if (leaf_floor_s(&v) <= s->worst_s)
        look_closer(&v);
    s->worst_s = worst_s;
    s->on_paper = false;
    s->counts = counts;
    put_tally(&before, s->result);
}

/** Put a leaf off; where there is no room for it, look at once. */
static void put_off(search *s, const search_leaf *leaf)
{
    search_pending_list *const list = &s->pending;
    search_pending *more = NULL;

    if (list->n < MOST_PENDING)
        more = p3d_grow(list->at, list->n, sizeof(*more));
    if (more == NULL) {
        look_on_paper(s, leaf);
        return;
    }
    list->at = more;
    list->at[list->n] = (search_pending){.leaf = *leaf,
            .floor_s = s->item_s,
            .path_s = s->path_s,
            .number = list->n};
    list->n++;
}

/** Look with what plans may take to be sure. What is too slow whatever it takes
 *  needs no second look with the memory that is there by the estimate; what is
 *  not is put off until a sure plan is known that is hard to beat. */
static outcome look_for_both(search *s, const search_leaf *leaf)
{
    const int64_t paper_bytes = s->usable_bytes;
    const bool asked = s->was_large; /* neighbours often are, too */
    outcome seen;

    if (asked && search_always_exceeds(s, leaf)) {
        s->result->n_too_large += search_leaf_count(s, leaf);
        return TOO_LARGE;
    }
    s->usable_bytes = s->sure_bytes;
    seen = look_and_tell(s, leaf);
    s->usable_bytes = paper_bytes;
    s->was_large =
            seen == TOO_LARGE && !asked && search_always_exceeds(s, leaf);
    if (seen == TOO_SLOW || s->was_large)
        return seen;
    put_off(s, leaf);
    return LOOKED;
}

/** The least time of a leaf's plans, whatever is kept. */
static void find_floor(search *s, search_pending *pending)
{
    ways_visit v = {.s = s, .leaf = &pending->leaf};
    const double worst_s = s->worst_s;

    s->worst_s = 0;
    s->path_s = pending->path_s;
    pending->floor_s = leaf_floor_s(&v);
    pending->path_s = s->path_s;
    s->worst_s = worst_s;
}

static bool goes_on(const search *s)
{
    return !s->result->interrupted && !p3d_stopped();
}

static int by_floor(const void *a, const void *b)
{
    const search_pending *x = a, *y = b;

    if (x->floor_s != y->floor_s)
        return x->floor_s < y->floor_s ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

void search_visit_pending(search *s)
{
    search_pending_list *const list = &s->pending;

    for (int i = 0; i < list->n && goes_on(s); i++) {
        if (list->at[i].floor_s <= paper_limit_s(s))
            find_floor(s, &list->at[i]);
    }
    if (list->n > 1)
        qsort(list->at, (size_t)list->n, sizeof(list->at[0]), by_floor);
    for (int i = 0; i < list->n && goes_on(s); i++) {
        if (list->at[i].floor_s > paper_limit_s(s))
            break;
        s->path_s = list->at[i].path_s;
        look_on_paper(s, &list->at[i].leaf);
    }
    free(list->at);
}

/* The leaf of a search. */

bool search_leaf_visit(search *s, const search_leaf *leaf)
{
    outcome seen;

    if (s->aim == SEARCH_SIFT)
        return sift(s, leaf) != TOO_LARGE;
    seen = s->paper != NULL ? look_for_both(s, leaf) : look_and_tell(s, leaf);
    while (s->improved && !p3d_stopped()) {
        s->improved = false;
        seen = look(s, leaf);
    }
    return seen != TOO_LARGE;
}
