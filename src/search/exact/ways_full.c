/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways_full.c - how many layers are recomputed in full, or in what groups.
 *
 * Memory shrinks with every layer that is recomputed, but for the first of its
 * kind in a chunk, whose backward may need more than any so far. */
#include "base/util.h"
#include "search/exact/ways.h"

static int n_groups(const ways_visit *v)
{
    return search_n_groups(
            v->s->problem, &v->s->savings, &v->leaf->plan, v->leaf->most);
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
    double bound_s;

    plan.activation_offload_frac = 0;
    bound_s = ways_floor_s(v, &plan, &v->leaf->costs->blocks);
    if (bound_s <= search_worst_s(v->s))
        return false;
    search_cut(v->s, n, bound_s);
    return true;
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
    c.low = search_least_layers(
            s->problem, &s->savings, &v->leaf->plan, v->leaf->most);
    c.end = c.low + search_n_layers(s->problem, &s->savings, &v->leaf->plan,
                            v->leaf->most);
    c.first = c.end;
    for (int layers = c.low; layers < c.end; layers++)
        c.shares[layers] = ways_no_share(v);
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
        double bound_s;
        int fewest;

        ways_set(v, way, &plan);
        set_layers(&plan, c.low, v->leaf->most);
        bound_s = ways_floor_s(v, &plan, blocks);
        if (bound_s > search_worst_s(s)) {
            search_cut(s,
                    (c.end - c.low) * ways_weight(s, v->leaf, way, v->end),
                    bound_s);
            return first;
        }
        plan.activation_offload_frac = s->savings.activations[0];
        fewest = fewest_layers(v, &plan, c.low, c.end);
        try_fewer_layers(&c, plan, way, fewest);
        if (fewest < c.end) {
            bool held;

            set_layers(&plan, fewest, v->leaf->most);
            held = ways_settle(v, &plan, way, blocks);
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
    const double worst_s = search_worst_s(v->s);
    double bound_s = 0;
    int low = v->begin;
    int end = v->end;

    while (low < end) {
        const int middle = (low + end) / 2;
        const double middle_s = groups_floor_s(v, middle);

        if (middle_s > worst_s) {
            end = middle;
            bound_s = middle_s;
        } else {
            low = middle + 1;
        }
    }
    search_cut(v->s, n * ways_weight(v->s, v->leaf, end, v->end), bound_s);
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
        search_offloads few;
        const search_leaf left = search_leaf_upto(v->leaf, v->end - 1, &few);

        n -= n_class;
        if (search_class_exceeds(v->s, &left, class))
            ways_settle_rest(v, v->begin, n_class, false);
        else
            try_class(v, class, &sizes, n);
    }
}

void ways_try_full(ways_visit *v)
{
    bool fits;
    const int way = try_layers(v, &fits);

    ways_settle_rest(v, way, n_groups(v), fits);
    v->end = way;
    if (v->end > v->begin)
        try_groups(v);
}
