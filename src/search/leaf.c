/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaf.c - how little recomputation and offload makes a plan fit.
 *
 * Both only add seconds, and each further module, layer or tenth adds more; so
 * a plan that fits makes all needless that recompute and offload more, and a
 * bound on its time cuts them. Not so where a part of the activations has been
 * said to go to the host: of fewer activations there is less to send, and each
 * choice of recomputation is looked at for itself. Memory shrinks with every
 * tenth of the states and every quarter of the activations that go to the host,
 * and with every layer that is recomputed, but for the first of its kind in a
 * chunk, whose backward may need more than any so far. */
#include <math.h>

#include "base/stop.h"
#include "cost/memory.h"
#include "search/engine.h"

/** A leaf at work: the ways to offload before `begin` and from `end` on are
 *  settled. */
typedef struct visit {
    search *s;
    const search_leaf *leaf;
    int begin;
    int end;
} visit;

/** What came of a plan. */
typedef enum outcome {
    TOO_LARGE,   /* for the device */
    FITS_PARTLY, /* only with activations on the host */
    NO_HOST,     /* the node's memory holds not what is offloaded */
    FITS
} outcome;

/** Plans that one choice of recomputation stands for with ways of offload. */
static int64_t weight(
        const search *s, const search_leaf *leaf, int from, int to)
{
    const search_offload *ways = leaf->offloads->at;
    int64_t n;

    if (from >= to)
        return 0;
    n = ways[to - 1].n_before + ways[to - 1].n_places - ways[from].n_before;
    return n * s->choices.n_activations * leaf->orders.n;
}

static int n_groups(const search *s, const search_leaf *leaf)
{
    return search_n_groups(s->problem, &s->choices, &leaf->plan, leaf->most);
}

static int n_recomputes(const search *s, const search_leaf *leaf)
{
    return s->choices.none +
           search_n_sets(s->problem, &s->choices, &leaf->plan) +
           search_n_layers(s->problem, &s->choices, &leaf->plan, leaf->most) +
           n_groups(s, leaf);
}

int64_t search_leaf_count(const search *s, const search_leaf *leaf)
{
    return weight(s, leaf, 0, leaf->offloads->n) * n_recomputes(s, leaf);
}

/** True when a plan is too large for the device. */
static bool too_large(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    s->n_bounds++;
    return cost_exceeds(s->problem, plan, blocks, search_layout(s, plan),
            search_usable_bytes(s), &s->tight_rank);
}

/** A bound on a plan's time with the best order of its ranks; not more than
 *  needed where it cuts nothing. */
static double floor_s(visit *v, const p3d_plan *plan, const p3d_blocks *blocks)
{
    search *s = v->s;
    p3d_plan ordered = *plan;
    double least_s = HUGE_VAL;

    if (search_worst_s(s) == HUGE_VAL)
        return 0;
    for (int i = 0; i < v->leaf->orders.n; i++) {
        double one_s;

        ordered.order = v->leaf->orders.at[i];
        one_s = cost_step_floor_s(
                s->problem, &ordered, blocks, search_layout(s, plan));
        least_s = fmin(least_s, one_s);
        if (least_s <= search_worst_s(s))
            break;
    }
    return least_s;
}

static bool host_holds(
        search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    const cost_host_sum sum =
            cost_node_host(s->problem, plan, blocks, search_layout(s, plan));

    return cost_node_holds(&s->problem->cluster.node, &sum);
}

/** Estimate a plan that the device holds, and keep it, when the host does too.
 */
static bool evaluate(visit *v, const p3d_plan *plan, const p3d_blocks *blocks)
{
    search *s = v->s;
    p3d_plan ordered = *plan;
    bool fits = false;

    if (!host_holds(s, plan, blocks)) {
        s->result->n_too_large += v->leaf->orders.n;
        return false;
    }
    for (int i = 0; i < v->leaf->orders.n; i++) {
        p3d_estimate e;

        ordered.order = v->leaf->orders.at[i];
        p3d_estimate_blocks(s->problem, &ordered, blocks, &e);
        s->result->n_evaluated++;
        s->result->n_feasible += e.fits;
        if (e.fits)
            search_keep(s, &e);
        fits |= e.fits;
    }
    return fits;
}

/** States on NVMe are slower than in host memory, and only of use where that is
 *  too small. */
static bool evaluate_places(visit *v, p3d_plan *plan, const search_offload *way,
        const p3d_blocks *blocks)
{
    plan->offload_nvme = way->nvme;
    if (evaluate(v, plan, blocks)) {
        v->s->result->n_dominated +=
                (int64_t)(way->n_places - 1) * v->leaf->orders.n;
        return true;
    }
    if (way->n_places < 2)
        return false;
    plan->offload_nvme = true;
    return evaluate(v, plan, blocks);
}

/** Cut a share of the activations and all greater ones, which are no faster, by
 *  what they send. */
static bool cuts_share(
        visit *v, const p3d_plan *plan, const p3d_blocks *blocks, int64_t n)
{
    const double bound_s =
            plan->activation_offload_frac > 0 ? floor_s(v, plan, blocks) : 0;

    if (bound_s <= search_worst_s(v->s))
        return false;
    search_cut(v->s, n, bound_s);
    return true;
}

/** Settle one choice of recomputation with one way to offload the states: the
 *  smallest share of the activations from one on whose offload makes it fit. */
static outcome settle_from(
        visit *v, p3d_plan plan, int way, const p3d_blocks *blocks, int first)
{
    search *s = v->s;
    const search_choices *c = &s->choices;
    const search_offload *offload = &v->leaf->offloads->at[way];
    const int64_t each = (int64_t)offload->n_places * v->leaf->orders.n;

    search_set_offload(&plan, offload, offload->nvme);
    for (int i = first; i < c->n_activations; i++) {
        const int64_t rest = (c->n_activations - 1 - i) * each;

        plan.activation_offload_frac = c->activations[i];
        if (cuts_share(v, &plan, blocks, rest + each))
            return i == 0 ? FITS : FITS_PARTLY; /* or not: it is too slow */
        if (too_large(s, &plan, blocks)) {
            s->result->n_too_large += each;
            continue;
        }
        if (evaluate_places(v, &plan, offload, blocks)) {
            s->result->n_dominated += rest;
            return i == 0 ? FITS : FITS_PARTLY;
        }
        s->result->n_too_large += rest;
        return i == 0 ? NO_HOST : FITS_PARTLY;
    }
    return TOO_LARGE;
}

static outcome settle(
        visit *v, const p3d_plan *plan, int way, const p3d_blocks *blocks)
{
    return settle_from(v, *plan, way, blocks, 0);
}

/** n choices of recomputation with all further ways to offload are needless, or
 *  too large for the host. */
static void settle_rest(visit *v, int from, int n, bool needless)
{
    const int64_t plans = n * weight(v->s, v->leaf, from, v->end);

    *(needless ? &v->s->result->n_dominated : &v->s->result->n_too_large) +=
            plans;
}

/** Whether a way to offload is enough with a share of the activations. */
static bool way_fits(
        visit *v, p3d_plan plan, int way, const p3d_blocks *blocks, int share)
{
    plan.activation_offload_frac = v->s->choices.activations[share];
    search_set_offload(&plan, &v->leaf->offloads->at[way], false);
    return !too_large(v->s, &plan, blocks);
}

/** The first way to offload before `end` that is enough with a share of the
 *  activations, or `end`. Mostly it is one of the first two, or none. */
static int first_way(visit *v, const p3d_plan *plan, const p3d_blocks *blocks,
        int end, int share)
{
    int low = v->begin + 1;
    int high = end - 1;

    if (high < v->begin || !way_fits(v, *plan, high, blocks, share))
        return end;
    if (high == v->begin || way_fits(v, *plan, v->begin, blocks, share))
        return v->begin;
    while (low < high) {
        const int middle = (low + high) / 2;

        if (way_fits(v, *plan, middle, blocks, share))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/** Settle what is too large with the least share of the activations. */
static void settle_partly(
        visit *v, const p3d_plan *plan, int way, const p3d_blocks *blocks)
{
    search *s = v->s;
    const int n = s->choices.n_activations;
    const int64_t each =
            (int64_t)v->leaf->offloads->at[way].n_places * v->leaf->orders.n;

    if (!way_fits(v, *plan, way, blocks, n - 1)) {
        s->result->n_too_large += n * each;
        return;
    }
    s->result->n_too_large += each;
    (void)settle_from(v, *plan, way, blocks, 1);
}

/** Cut a way to offload and all that follow by the time of a plan without
 *  activations on the host. */
static bool cuts(visit *v, p3d_plan plan, int way, const p3d_blocks *blocks)
{
    double bound_s;

    search_set_offload(&plan, &v->leaf->offloads->at[way], false);
    bound_s = floor_s(v, &plan, blocks);
    if (bound_s <= search_worst_s(v->s))
        return false;
    search_cut(v->s, weight(v->s, v->leaf, way, v->end), bound_s);
    return true;
}

/** Ways to offload that need activations on the host too. */
static bool try_partly(
        visit *v, const p3d_plan *plan, int end, const p3d_blocks *blocks)
{
    search *s = v->s;
    const int n = s->choices.n_activations;
    const int first = n == 1 ? end : first_way(v, plan, blocks, end, n - 1);

    s->result->n_too_large += weight(s, v->leaf, v->begin, first);
    for (int way = first; way < end; way++) {
        if (cuts(v, *plan, way, blocks))
            return false;
        settle_partly(v, plan, way, blocks);
    }
    return true;
}

/** One choice of recomputation with all ways to offload that are left; the way
 *  from which on it needs no more. */
static int try_ways(
        visit *v, const p3d_plan *plan, const p3d_blocks *blocks, outcome *last)
{
    const int way = first_way(v, plan, blocks, v->end, 0);

    *last = TOO_LARGE;
    if (!try_partly(v, plan, way, blocks) || way == v->end ||
            cuts(v, *plan, way, blocks))
        return v->end;
    *last = settle(v, plan, way, blocks);
    settle_rest(v, way + 1, 1, *last == FITS);
    return way;
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

/** True when a part of the activations goes to the host in any case. */
static bool always_sends(const visit *v)
{
    return v->s->choices.activations[0] > 0;
}

/** Without recomputation. What fits so is settled for all recomputation. */
static void try_none(visit *v)
{
    outcome last;
    const int way = try_ways(v, &v->leaf->plan, &v->leaf->costs->blocks, &last);
    const int others = n_recomputes(v->s, v->leaf) - 1;

    if (way == v->end || always_sends(v))
        return;
    settle_rest(v, way, others, last == FITS);
    v->end = way;
}

/** One set of modules, unless already its passes alone take too long. */
static void try_set(visit *v, const p3d_plan *plan)
{
    search *s = v->s;
    const search_shard *costs =
            search_recompute(s, v->leaf->costs, plan->recompute_modules);
    const double bound_s = search_quick_floor_s(s, plan, costs, v->leaf->most);
    outcome last;

    if (bound_s > search_worst_s(s))
        search_cut(s, weight(s, v->leaf, v->begin, v->end), bound_s);
    else
        (void)try_ways(v, plan, &costs->blocks, &last);
}

static void try_sets(visit *v)
{
    search *s = v->s;
    const int n = search_n_sets(s->problem, &s->choices, &v->leaf->plan);
    p3d_plan plan = v->leaf->plan;

    if (n > 0 && search_no_set_fits(s, v->leaf, n)) {
        s->result->n_too_large += n * weight(s, v->leaf, v->begin, v->end);
        return;
    }
    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    for (int i = 0; i < n && !p3d_stopped(); i++) {
        plan.recompute_modules = s->choices.sets[i];
        try_set(v, &plan);
    }
}

static void set_layers(p3d_plan *plan, int layers, int most)
{
    plan->recompute = P3D_RECOMPUTE_FULL;
    plan->recompute_layers = layers == most ? 0 : layers;
}

static bool layers_fit(visit *v, p3d_plan plan, int layers)
{
    set_layers(&plan, layers, v->leaf->most);
    return !too_large(v->s, &plan, &v->leaf->costs->blocks);
}

/** The fewest layers from `low` to below `end` with which a plan fits, or
 *  `end`; no layer between them is the first of its kind in a chunk. */
static int fewest_alike(visit *v, const p3d_plan *plan, int low, int end)
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
static int fewest_layers(visit *v, const p3d_plan *plan, int low, int end)
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
static bool cuts_counts(visit *v, p3d_plan plan, int64_t n)
{
    double bound_s;

    plan.activation_offload_frac = 0;
    bound_s = floor_s(v, &plan, &v->leaf->costs->blocks);
    if (bound_s <= search_worst_s(v->s))
        return false;
    search_cut(v->s, n, bound_s);
    return true;
}

/** Numbers of layers that do not fit without activations on the host. */
static void try_fewer_layers(visit *v, p3d_plan plan, int way, int low, int end)
{
    search *s = v->s;
    const int n = s->choices.n_activations;
    const int64_t each = weight(s, v->leaf, way, way + 1);
    int first = end;

    if (n > 1) {
        plan.activation_offload_frac = s->choices.activations[n - 1];
        first = fewest_layers(v, &plan, low, end);
    }
    s->result->n_too_large += each * (first - low);
    set_layers(&plan, first, v->leaf->most);
    if (first < end && cuts_counts(v, plan, each * (end - first)))
        return;
    for (int layers = first; layers < end; layers++) {
        set_layers(&plan, layers, v->leaf->most);
        settle_partly(v, &plan, way, &v->leaf->costs->blocks);
    }
}

/** Each number of layers for itself. */
static void try_each_count(visit *v, int low, int n)
{
    p3d_plan plan = v->leaf->plan;
    outcome last;

    for (int layers = low; layers < low + n; layers++) {
        set_layers(&plan, layers, v->leaf->most);
        (void)try_ways(v, &plan, &v->leaf->costs->blocks, &last);
    }
}

/** Full recomputation: with each way to offload the fewest layers that fit; no
 *  more of them are of use with any further way.
 *  @param fits  set when some fit
 *  @return the first way with which the device holds some, or the end */
static int try_layers(visit *v, bool *fits)
{
    search *s = v->s;
    const search_offloads *offloads = v->leaf->offloads;
    const int n = search_n_layers(
            s->problem, &s->choices, &v->leaf->plan, v->leaf->most);
    const int low = search_least_layers(
            s->problem, &s->choices, &v->leaf->plan, v->leaf->most);
    int end = low + n; /* of the numbers that are not settled */
    int first = v->end;

    *fits = false;
    if (always_sends(v)) {
        try_each_count(v, low, n);
        return v->end;
    }
    for (int way = v->begin; way < v->end && end > low; way++) {
        p3d_plan plan = v->leaf->plan;
        double bound_s;
        int fewest;

        search_set_offload(&plan, &offloads->at[way], false);
        set_layers(&plan, low, v->leaf->most);
        bound_s = floor_s(v, &plan, &v->leaf->costs->blocks);
        if (bound_s > search_worst_s(s)) {
            search_cut(
                    s, (end - low) * weight(s, v->leaf, way, v->end), bound_s);
            return first;
        }
        plan.activation_offload_frac = s->choices.activations[0];
        fewest = fewest_layers(v, &plan, low, end);
        try_fewer_layers(v, plan, way, low, fewest);
        if (fewest < end) {
            outcome last;

            set_layers(&plan, fewest, v->leaf->most);
            last = settle(v, &plan, way, &v->leaf->costs->blocks);
            settle_rest(v, way, end - fewest - 1, last != NO_HOST);
            settle_rest(v, way + 1, 1, last != NO_HOST);
            first = way < first ? way : first;
            if (last == NO_HOST) {
                settle_rest(v, way + 1, fewest - low, false);
                return first;
            }
            *fits = true;
            end = fewest;
        }
    }
    return first;
}

/** Groups of a class, with all ways to offload that are left. They take as long
 *  as each other, and as all layers one by one: where one fits, none with more
 *  offload is of use.
 *  @param n_more  groups of further classes */
static void try_class(visit *v, search_class class, int n_more)
{
    p3d_plan plan = v->leaf->plan;

    plan.recompute = P3D_RECOMPUTE_FULL;
    for (int group = class.low; group <= class.high; group++) {
        outcome last;
        int way;

        plan.recompute_group = group;
        way = try_ways(v, &plan, &v->leaf->costs->blocks, &last);
        if (way == v->end || always_sends(v))
            continue;
        settle_rest(v, way + 1, n_more + class.high - group, last == FITS);
        v->end = way + 1;
    }
}

/** Cut all groups by their time with the least offload that is left. */
static bool cuts_groups(visit *v, int n)
{
    p3d_plan plan = v->leaf->plan;
    double bound_s;

    set_layers(&plan, v->leaf->most, v->leaf->most);
    search_set_offload(&plan, &v->leaf->offloads->at[v->begin], false);
    bound_s = floor_s(v, &plan, &v->leaf->costs->blocks);
    if (bound_s <= search_worst_s(v->s))
        return false;
    search_cut(v->s, n * weight(v->s, v->leaf, v->begin, v->end), bound_s);
    return true;
}

/** Full recomputation in groups of layers, with the ways to offload that are
 *  not enough for layers one by one. */
static void try_groups(visit *v)
{
    const search_classes classes = search_classes_of(v->s, v->leaf);
    int n = n_groups(v->s, v->leaf);

    if (n == 0 || v->end == v->begin || cuts_groups(v, n))
        return;
    for (int i = classes.n_single; i < classes.n; i++) {
        const search_class class = classes.at[i];
        const int n_class = class.high - class.low + 1;
        search_offloads few;
        const search_leaf left = search_leaf_upto(v->leaf, v->end - 1, &few);

        n -= n_class;
        if (search_class_exceeds(v->s, &left, class))
            settle_rest(v, v->begin, n_class, false);
        else
            try_class(v, class, n);
    }
}

/** Full recomputation, layer by layer and in groups. */
static void try_full(visit *v)
{
    bool fits;
    const int way = try_layers(v, &fits);

    settle_rest(v, way, n_groups(v->s, v->leaf), fits);
    v->end = way;
    if (v->end > v->begin)
        try_groups(v);
}

/** A bound on all plans of a leaf: where chunks differ first by their longest
 *  path, which is the same with all states. */
static double leaf_floor_s(visit *v)
{
    search *s = v->s;
    const search_leaf *leaf = v->leaf;

    if (leaf->plan.uneven && search_worst_s(s) < HUGE_VAL) {
        if (s->path_s == 0)
            s->path_s = search_uneven_path_s(s, &leaf->plan, leaf->costs);
        if (s->path_s > search_worst_s(s))
            return s->path_s;
    }
    return floor_s(v, &leaf->plan, &leaf->costs->blocks);
}

/** Leave out the ways to offload that are too large for a node. More is put
 *  there with each further way, whatever is recomputed.
 *  @return false when those that are left are too large for the device */
static bool leave_held(visit *v)
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
            n_recomputes(s, leaf) * weight(s, leaf, n, leaf->offloads->n);
    v->end = n;
    return true;
}

/** True when no way to offload up to this one takes so little of a device,
 *  whatever is recomputed. */
static bool way_exceeds(visit *v, int way)
{
    search_offloads few;
    const search_leaf some = search_leaf_upto(v->leaf, way, &few);

    return search_always_exceeds(v->s, &some);
}

/** Leave out the ways to offload that leave too much on the device; each
 *  further one leaves less. The last one does not. */
static void leave_large(visit *v)
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
            n_recomputes(s, v->leaf) * weight(s, v->leaf, 0, end);
}

/** A bound on all plans of a leaf that are left: they offload so much. */
static double left_floor_s(visit *v)
{
    p3d_plan plan = v->leaf->plan;

    search_set_offload(&plan, &v->leaf->offloads->at[v->begin], false);
    return floor_s(v, &plan, &v->leaf->costs->blocks);
}

/** Look at what is left of a leaf. */
static void try_all(visit *v)
{
    if (v->s->choices.none)
        try_none(v);
    if (v->end > v->begin) {
        try_sets(v);
        try_full(v);
    }
}

bool search_leaf_visit(search *s, const search_leaf *leaf)
{
    visit v = {.s = s, .leaf = leaf, .end = leaf->offloads->n};
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
        search_cut(s, n_recomputes(s, leaf) * weight(s, leaf, v.begin, v.end),
                bound_s);
        return true;
    }
    try_all(&v);
    if (s->result->n_feasible == 0)
        search_offer_closest(s, leaf);
    return true;
}
