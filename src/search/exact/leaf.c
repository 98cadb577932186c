/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaf.c - how little recomputation and offload makes a plan fit.
 *
 * Both only add seconds, and each further module, layer or tenth adds more; so
 * a plan that fits makes all needless that recompute and offload more, and a
 * bound on its time cuts them. Not so where a part of the activations has been
 * said to go to the host: of fewer activations there is less to send, and each
 * choice of recomputation is looked at for itself. */
#include <math.h>

#include "base/tasks.h"
#include "base/util.h"
#include "search/exact/ways.h"

int ways_n_recomputes(const search *s, const search_leaf *leaf)
{
    return s->savings.none + search_n_sets(&s->savings, &leaf->plan) +
           search_n_layers(&s->savings, &leaf->plan, leaf->most) +
           search_n_groups(&s->savings, &leaf->plan, leaf->most);
}

int ways_n_left(const ways_visit *v)
{
    const search_savings *savings = &v->s->savings;

    return v->full_s == HUGE_VAL
                   ? savings->none + search_n_sets(savings, &v->leaf->plan)
                   : ways_n_recomputes(v->s, v->leaf);
}

int64_t search_leaf_count(const search *s, const search_leaf *leaf)
{
    return ways_weight(s, leaf, 0, leaf->n_ways) * ways_n_recomputes(s, leaf);
}

/** Without recomputation. What fits so is settled for all recomputation. */
static void try_none(ways_visit *v)
{
    bool held;
    const int way = ways_try(v, &v->leaf->plan, &v->leaf->costs->blocks, &held);
    const int others = ways_n_left(v) - 1;

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

bool ways_cut_full(ways_visit *v)
{
    search *s = v->s;
    const int n = search_n_layers(&s->savings, &v->leaf->plan, v->leaf->most) +
                  n_groups(v);

    return search_cut(
            s, n * ways_weight(s, v->leaf, v->begin, v->end), v->full_s);
}

static void try_full(ways_visit *v)
{
    bool fits;
    int way;

    if (v->full_s == HUGE_VAL || ways_cut_full(v))
        return;
    way = try_layers(v, &fits);
    ways_settle_rest(v, way, n_groups(v), fits);
    v->end = way;
    if (v->end > v->begin)
        try_groups(v);
}

double ways_full_floor_s(ways_visit *v)
{
    const search *s = v->s;
    const int most = v->leaf->most;
    p3d_plan plan = v->leaf->plan;
    int n = most; /* as groups do */

    if (search_n_layers(&s->savings, &plan, most) > 0)
        n = search_least_layers(&s->savings, &plan, most);
    else if (n_groups(v) == 0)
        return HUGE_VAL;
    set_layers(&plan, n, most);
    ways_set(v, 0, &plan);
    return ways_floor_s(v, &plan, &v->leaf->costs->blocks);
}

void ways_try_all(ways_visit *v)
{
    if (v->s->savings.none)
        try_none(v);
    if (v->end > v->begin)
        try_sets(v);
    if (v->end > v->begin)
        try_full(v);
}
