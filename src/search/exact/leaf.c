/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaf.c - how little recomputation and offload makes a plan fit.
 *
 * Both only add seconds, and each further module, layer or tenth adds more; so
 * a plan that fits makes all needless that recompute and offload more, and a
 * bound on its time cuts them. Not so where a part of the activations has been
 * said to go to the host: of fewer activations there is less to send, and each
 * choice of recomputation is looked at for itself. */
#include <math.h>
#include <stdlib.h>

#include "base/rows.h"
#include "base/stop.h"
#include "base/util.h"
#include "search/exact/ways.h"

/* Leaves that are put off: 16 MB at most. */
enum { MOST_PENDING = 1 << 16 };

static int n_recomputes(const search *s, const search_leaf *leaf)
{
    return s->savings.none + search_n_sets(&s->savings, &leaf->plan) +
           search_n_layers(&s->savings, &leaf->plan, leaf->most) +
           search_n_groups(&s->savings, &leaf->plan, leaf->most);
}

int64_t search_leaf_count(const search *s, const search_leaf *leaf)
{
    return ways_weight(s, leaf, 0, leaf->n_ways) * n_recomputes(s, leaf);
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

/* Sets of modules. There are up to 150 of them, so what holds for all is asked
 * first: no set keeps less than all modules together, and none is faster than
 * no recomputation. */

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
    if (!search_cut(s, ways_weight(s, v->leaf, v->begin, v->end), bound_s))
        (void)ways_try(v, &plan, &costs->blocks, &held);
}

/** Leave out the ways to offload with which no module makes a leaf fit.
 *  @return false when those that are left take too long for each of n sets */
static bool leave_for_sets(ways_visit *v, int n)
{
    search *s = v->s;
    const int first = v->a_set_may_fit
                              ? v->begin
                              : ways_first(v, v->end, search_no_set_fits);

    s->result->n_too_large += n * ways_weight(s, v->leaf, v->begin, first);
    v->begin = first;
    return first < v->end &&
           !search_cut(s, n * ways_weight(s, v->leaf, first, v->end),
                   ways_left_floor_s(v));
}

/** Sets by operation, or the others.
 *  @return how many there are */
static int try_each(ways_visit *v, bool by_operation)
{
    const search *s = v->s;
    const int n = search_n_sets(&s->savings, &v->leaf->plan);
    int n_such = 0;

    for (int i = 0; i < n && !p3d_stopped(); i++) {
        if (search_is_by_operation(&s->savings, i) != by_operation)
            continue;
        try_set(v, i);
        n_such++;
    }
    return n_such;
}

static void try_sets(ways_visit *v)
{
    const int begin = v->begin;
    const int n = search_n_sets(&v->s->savings, &v->leaf->plan);
    const int n_by_operation = try_each(v, true);

    if (n > n_by_operation && leave_for_sets(v, n - n_by_operation))
        (void)try_each(v, false);
    v->begin = begin;
}

/* Full recomputation. Memory shrinks with every layer that is recomputed, but
 * for the first of its kind in a chunk, whose backward may need more than any
 * so far. */

static int n_groups(const ways_visit *v)
{
    return search_n_groups(&v->s->savings, &v->leaf->plan, v->leaf->most);
}

static void set_layers(p3d_plan *plan, int layers, int most)
{
    plan->recompute = P3D_RECOMPUTE_FULL;
    plan->recompute_layers = layers == most ? 0 : layers;
}

static bool layers_fit(ways_visit *v, p3d_plan plan, int layers)
{
    set_layers(&plan, layers, v->leaf->most);
    return !ways_too_large(v->s, &plan, &v->leaf->costs->blocks);
}

/** The fewest layers from `low` to below `end` with which a plan fits, or
 *  `end`; no layer between them is the first of its kind in a chunk. */
static int fewest_alike(ways_visit *v, const p3d_plan *plan, int low, int end)
{
    const int all = end;

    if (low < end && !layers_fit(v, *plan, --end))
        return all;
    while (low < end) {
        const int middle = (low + end) / 2;

        if (layers_fit(v, *plan, middle))
            end = middle;
        else
            low = middle + 1;
    }
    return end;
}

/** The fewest layers with which a plan fits, or `end`. */
static int fewest_layers(ways_visit *v, const p3d_plan *plan, int low, int end)
{
    const bool *starts = search_kind_starts(v->s, plan);

    while (low < end) {
        int next = low + 1;
        int fewest;

        while (next < end && !starts[next - 1])
            next++;
        fewest = fewest_alike(v, plan, low, next);
        if (fewest < next)
            return fewest;
        low = next;
    }
    return end;
}

/** Cut numbers of layers by what the fewest of them take that send nothing. */
static bool cuts_counts(ways_visit *v, p3d_plan plan, int64_t n)
{
    plan.activation_offload_frac = 0;
    return ways_are_slow(v, &plan, &v->leaf->costs->blocks, n);
}

/** Numbers of layers at work: from `low` to below `end` those that are not
 *  settled. */
typedef struct counts_visit {
    ways_visit *v;
    int low;
    int end;
    int first; /* that fits with all activations on the host, or the end */
    ways_share
            shares[P3D_MAX_LAYERS + 1]; /* of the activations, with so many */
} counts_visit;

/** Numbers of layers up to `end` that do not fit without activations on the
 *  host. */
static void try_fewer_layers(counts_visit *c, p3d_plan plan, int way, int end)
{
    ways_visit *v = c->v;
    search *s = v->s;
    const int n = s->savings.n_activations;
    const int64_t each = ways_weight(s, v->leaf, way, way + 1);

    if (c->first > end)
        c->first = end;
    if (n > 1) {
        plan.activation_offload_frac = s->savings.activations[n - 1];
        c->first = fewest_layers(v, &plan, c->low, c->first);
    }
    s->result->n_too_large += each * (c->first - c->low);
    set_layers(&plan, c->first, v->leaf->most);
    if (c->first < end && cuts_counts(v, plan, each * (end - c->first)))
        return;
    for (int layers = c->first; layers < end; layers++) {
        set_layers(&plan, layers, v->leaf->most);
        ways_settle_partly(
                v, &plan, way, &v->leaf->costs->blocks, &c->shares[layers]);
    }
}

/** Each number of layers for itself. */
static void try_each_count(const counts_visit *c)
{
    ways_visit *v = c->v;
    p3d_plan plan = v->leaf->plan;
    bool held;

    for (int layers = c->low; layers < c->end; layers++) {
        set_layers(&plan, layers, v->leaf->most);
        (void)ways_try(v, &plan, &v->leaf->costs->blocks, &held);
    }
}

static counts_visit begin_counts(ways_visit *v)
{
    search *s = v->s;
    counts_visit c;

    c.v = v;
    c.low = search_least_layers(&s->savings, &v->leaf->plan, v->leaf->most);
    c.end = c.low + search_n_layers(&s->savings, &v->leaf->plan, v->leaf->most);
    c.first = c.end;
    for (int layers = c.low; layers < c.end; layers++)
        c.shares[layers] = (ways_share){.least = s->savings.n_activations};
    return c;
}

/** Full recomputation: with each way to offload the fewest layers that fit; no
 *  more of them are of use with any further way.
 *  @param fits  set when some fit
 *  @return the first way with which the device holds some, or the end */
static int try_layers(ways_visit *v, bool *fits)
{
    search *s = v->s;
    const p3d_blocks *const blocks = &v->leaf->costs->blocks;
    counts_visit c = begin_counts(v);
    int first = v->end;

    *fits = false;
    if (ways_always_send(v)) {
        try_each_count(&c);
        return v->end;
    }
    for (int way = v->begin; way < v->end && c.end > c.low; way++) {
        p3d_plan plan = v->leaf->plan;
        int fewest;

        ways_set(v, way, &plan);
        set_layers(&plan, c.low, v->leaf->most);
        if (ways_are_slow(v, &plan, blocks,
                    (c.end - c.low) * ways_weight(s, v->leaf, way, v->end)))
            return first;
        plan.activation_offload_frac = s->savings.activations[0];
        fewest = fewest_layers(v, &plan, c.low, c.end);
        try_fewer_layers(&c, plan, way, fewest);
        if (fewest < c.end) {
            bool held;

            set_layers(&plan, fewest, v->leaf->most);
            held = (!s->counts && ways_are_slow(v, &plan, blocks, 1)) ||
                   ways_settle(v, &plan, way, blocks);
            ways_settle_rest(v, way, c.end - fewest - 1, held);
            ways_settle_rest(v, way + 1, 1, held);
            first = way < first ? way : first;
            if (!held) {
                ways_settle_rest(v, way + 1, fewest - c.low, false);
                return first;
            }
            *fits = true;
            c.end = fewest;
        }
    }
    return first;
}

/** Numbers of layers that the chunks of a leaf have. */
typedef struct chunk_sizes {
    int n; /* 0 = not told: there are too many, or inputs differ by layers */
    int at[8];
} chunk_sizes;

/** True when the input of each layer takes as many bytes. */
static bool inputs_are_alike(const ways_visit *v)
{
    const p3d_model *m = &v->s->problem->model;
    const p3d_block *layers = v->leaf->costs->blocks.block;
    int64_t bytes = -1;

    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        const int64_t one = layers[k].saved_bytes[P3D_RECOMPUTE_FULL];

        if (p3d_model_count_layers(m, k) == 0)
            continue;
        if (bytes >= 0 && bytes != one)
            return false;
        bytes = one;
    }
    return true;
}

static chunk_sizes chunk_sizes_of(const ways_visit *v)
{
    const cost_layout *layout = search_layout(v->s, &v->leaf->plan);
    const bool alike = inputs_are_alike(v);
    chunk_sizes sizes = {.n = 0};

    for (int i = 0; i < layout->n_chunks && alike; i++) {
        const int size = cost_chunk_layers(layout, i);
        int k = 0;

        while (k < sizes.n && sizes.at[k] != size)
            k++;
        if (k == P3D_COUNT_OF(sizes.at))
            return (chunk_sizes){.n = 0};
        sizes.at[k] = size;
        sizes.n += k == sizes.n;
    }
    return sizes;
}

/** True when groups of so many layers keep as many inputs as those of one layer
 *  less, in every chunk; what they replay is more. */
static bool keeps_no_less(const chunk_sizes *sizes, int group)
{
    for (int i = 0; i < sizes->n; i++) {
        const int rounded = sizes->at[i] - 1;

        if (rounded / group != rounded / (group - 1))
            return false;
    }
    return sizes->n > 0;
}

/** Groups of a class, with all ways to offload that are left. They take as long
 *  as each other, and as all layers one by one: where one fits, none with more
 *  offload is of use.
 *  @param n_more  groups of further classes */
static void try_class(
        ways_visit *v, search_class class, const chunk_sizes *sizes, int n_more)
{
    p3d_plan plan = v->leaf->plan;

    plan.recompute = P3D_RECOMPUTE_FULL;
    for (int group = class.low; group <= class.high; group++) {
        bool held;
        int way;

        if (group > class.low && keeps_no_less(sizes, group)) {
            ways_settle_rest(v, v->begin, 1, true);
            continue;
        }
        plan.recompute_group = group;
        way = ways_try(v, &plan, &v->leaf->costs->blocks, &held);
        if (way == v->end || ways_always_send(v))
            continue;
        ways_settle_rest(v, way + 1, n_more + class.high - group, held);
        v->end = way + 1;
    }
}

/** Time of all layers one by one, and so of any groups, with a way to offload.
 */
static double groups_floor_s(ways_visit *v, int way)
{
    p3d_plan plan = v->leaf->plan;

    set_layers(&plan, v->leaf->most, v->leaf->most);
    ways_set(v, way, &plan);
    return ways_floor_s(v, &plan, &v->leaf->costs->blocks);
}

/** Cut n groups by their time with the ways to offload from one on, each of
 *  which takes no less than the one before. */
static void cut_slow_groups(ways_visit *v, int n)
{
    double bound_s = 0;
    int low = v->begin;
    int end = v->end;

    while (low < end) {
        const int middle = (low + end) / 2;
        const double middle_s = groups_floor_s(v, middle);

        if (middle_s > v->s->worst_s) {
            end = middle;
            bound_s = middle_s;
        } else {
            low = middle + 1;
        }
    }
    (void)search_cut(
            v->s, n * ways_weight(v->s, v->leaf, end, v->end), bound_s);
    v->end = end;
}

/** Full recomputation in groups of layers, with the ways to offload that are
 *  not enough for layers one by one. */
static void try_groups(ways_visit *v)
{
    const search_classes classes = search_classes_of(v->s, v->leaf);
    chunk_sizes sizes;
    int n = n_groups(v);

    if (n == 0)
        return;
    cut_slow_groups(v, n);
    if (v->end == v->begin)
        return;
    sizes = chunk_sizes_of(v);
    for (int i = classes.n_single; i < classes.n; i++) {
        const search_class class = classes.at[i];
        const int n_class = class.high - class.low + 1;
        const search_leaf left = search_leaf_with(v->leaf, v->end);

        n -= n_class;
        if (search_class_exceeds(v->s, &left, class))
            ways_settle_rest(v, v->begin, n_class, false);
        else
            try_class(v, class, &sizes, n);
    }
}

static void try_full(ways_visit *v)
{
    bool fits;
    const int way = try_layers(v, &fits);

    ways_settle_rest(v, way, n_groups(v), fits);
    v->end = way;
    if (v->end > v->begin)
        try_groups(v);
}

/* The leaf. */

/** A bound on all plans of a leaf: where chunks differ first by their longest
 *  path, which is the same with all states. */
static double leaf_floor_s(ways_visit *v)
{
    search *s = v->s;
    const search_leaf *leaf = v->leaf;

    if (leaf->plan.uneven && s->worst_s < HUGE_VAL) {
        if (s->path_s == 0)
            s->path_s = search_uneven_path_s(s, &leaf->plan, leaf->costs);
        if (s->path_s > s->worst_s)
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
    const search_leaf leaf = search_leaf_with(v->leaf, v->end);
    const int n = search_n_held(s, &leaf);
    const search_leaf rest = search_leaf_with(&leaf, n);

    if (n == leaf.n_ways)
        return true;
    if (n == 0 || search_always_exceeds(s, &rest))
        return false;
    s->result->n_too_large +=
            n_recomputes(s, &leaf) * ways_weight(s, &leaf, n, leaf.n_ways);
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

/** Look at what is left of a leaf. */
static void try_all(ways_visit *v)
{
    if (v->s->savings.none)
        try_none(v);
    if (v->end > v->begin)
        try_sets(v);
    if (v->end > v->begin && !v->full_is_slow)
        try_full(v);
}

/* Where nothing is counted, bounds need not tell what is too slow from what is
 * too large: first the time leaves out offload and recomputation, then little
 * of what is left fits. */

/** Leave out the ways to offload that take too long, whatever is recomputed;
 *  mostly these are all but the first. */
static void leave_slow(ways_visit *v)
{
    int low = 1;
    int next = low;

    v->nvme_from = v->end;
    while (low < v->end) {
        p3d_plan plan = v->leaf->plan;

        ways_set(v, next, &plan);
        if (ways_floor_s(v, &plan, &v->leaf->costs->blocks) > v->s->worst_s)
            v->end = v->nvme_from = next;
        else
            low = next + 1;
        next = (low + v->end) / 2;
    }
}

/** True when no layer can be recomputed in full. */
static bool full_is_slow(ways_visit *v)
{
    const search *s = v->s;
    const int most = v->leaf->most;
    p3d_plan plan = v->leaf->plan;
    int n = most; /* as groups do */

    if (search_n_layers(&s->savings, &plan, most) > 0)
        n = search_least_layers(&s->savings, &plan, most);
    else if (n_groups(v) == 0)
        return true;
    set_layers(&plan, n, most);
    ways_set(v, 0, &plan);
    return ways_floor_s(v, &plan, &v->leaf->costs->blocks) > s->worst_s;
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

/** @return false when nothing is left */
static bool narrow(ways_visit *v)
{
    search *s = v->s;
    search_leaf left;

    leave_slow(v);
    left = search_leaf_with(v->leaf, v->end);
    if (v->end < v->leaf->n_ways && search_always_exceeds(s, &left))
        return false;
    v->full_is_slow = full_is_slow(v);
    if (!v->full_is_slow || search_n_sets(&s->savings, &v->leaf->plan) == 0 ||
            has_sets_by_operation(v))
        return true;
    if (search_no_set_fits(s, &left))
        return false;
    v->a_set_may_fit = v->end == 1;
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

/** Settle a leaf as a whole, if that is possible. What is both is said to be too
 *  large, unless nothing is counted: a bound of the time is found sooner. */
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

    if (!s->counts && !narrow(v))
        return;
    if (!leave_held(v)) {
        s->result->n_too_large += search_leaf_count(s, leaf);
        search_offer_closest(s, leaf);
        return;
    }
    leave_large(v);
    find_nvme(v);
    if ((v->begin > 0 || v->nvme_from == 0) &&
            search_cut(s,
                    n_recomputes(s, leaf) *
                            ways_weight(s, leaf, v->begin, v->end),
                    ways_left_floor_s(v)))
        return;
    try_all(v);
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

    s->counts = false;
    s->on_paper = true;
    s->worst_s = paper_limit_s(s);
    if (leaf_floor_s(&v) <= s->worst_s)
        look_closer(&v);
    s->worst_s = worst_s;
    s->on_paper = false;
    s->counts = true;
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
