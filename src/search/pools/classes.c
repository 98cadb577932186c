/* SPDX-License-Identifier: GPL-3.0-or-later */
/* classes.c - the best split of a replica's layers for a time: lines of the sum
 * and the bottleneck. */
#include "search/pools/classes.h"

#include <math.h>
#include <string.h>

#include "base/util.h"

/* Of a quotient that is a whole number but for the rounding of sums. */
static const double ROUNDING = 1e-9;

int search_pool_stages_of(
        const search_pool_shape *shape, search_pool_stage *stages)
{
    int total = 0, n = 0;

    for (int i = 0; i < shape->n_segments; i++)
        total += shape->n_stages[i];
    for (int i = 0; i < shape->n_segments; i++)
        for (int j = 0; j < shape->n_stages[i]; j++, n++)
            stages[n] = (search_pool_stage){shape->shards[i], total, n, 0};
    return total;
}

/* The slowest crossing of a replica. */
static double crossing_s(const search_pool_shape *shape)
{
    double most_s = 0;

    for (int i = 0; i < shape->n_segments; i++) {
        const search_pool_shard *const s = shape->shards[i];

        if (shape->n_stages[i] > 1)
            most_s = fmax(most_s, shape->n_stages[i] <= s->stages_in_node
                                          ? s->inner_s
                                          : s->outer_s);
        if (i > 0) {
            const search_pool_shard *const before = shape->shards[i - 1];

            most_s = fmax(
                    most_s, fmax(before->to_s[s->pool], s->to_s[before->pool]));
        }
    }
    return most_s;
}

int search_pool_n_stages(const search_pool_shape *shape)
{
    int p = 0;

    for (int i = 0; i < shape->n_segments; i++)
        p += shape->n_stages[i];
    return p;
}

/* Crossings that 1F1B waits for. */
static double crossings(int p, int64_t m)
{
    const int64_t windows = m >= 2 ? (m - 2) / p : -1;

    return p == 1 ? 0 : 2 * (double)(m + p - 3 - windows);
}

double search_pool_sends_s(const search_pool_shape *shape, int64_t m)
{
    return crossing_s(shape) * crossings(search_pool_n_stages(shape), m);
}

double search_pool_pipeline_s(const search_pool_shape *shape,
        const search_pool_split *split, int64_t m)
{
    return split->sum_s + (double)(m - 1) * split->bottleneck_s +
           search_pool_sends_s(shape, m);
}

/* A line: how many micro-batches take no longer than the budget. */
typedef struct line {
    double sum_s;
    double bottleneck_s;
    double crossing_s;
    int p;
} line;

/* The transfers of m micro-batches are at least
 * 2 c ((m - 1) (1 - 1/p) + p - 2), so that no more than this many fit. */
static int64_t most_bound(const line *l, double budget_s, int64_t most)
{
    const double c = l->p > 1 ? 2 * l->crossing_s : 0;
    const double left_s = budget_s - l->sum_s - c * (l->p - 2);
    const double each_s = l->bottleneck_s + c * (1 - 1.0 / l->p);

    if (budget_s < l->sum_s || left_s < 0)
        return 0;
    if (left_s >= each_s * (double)most)
        return most;
    return 1 + (int64_t)(left_s / each_s * (1 + 1e-12));
}

static int64_t most_of(const line *l, double budget_s, int64_t most)
{
    int64_t m = most_bound(l, budget_s, most);

    if (m > most)
        m = most;
    while (m > 0 && l->sum_s + (double)(m - 1) * l->bottleneck_s +
                                    l->crossing_s * crossings(l->p, m) >
                            budget_s)
        m--;
    return m;
}

/* The stages of a replica, and how far each may be filled. */
typedef struct splitter {
    const search_pool_shape *shape;
    int n;
    int n_layers;
    search_pool_stage stages[P3D_MAX_POOL_STAGES];
    double base_s[P3D_MAX_POOL_STAGES];
    double layer_s[P3D_MAX_POOL_STAGES];
    int room[P3D_MAX_POOL_STAGES];
    int filled[P3D_MAX_POOL_STAGES]; /* for the bottleneck at hand */
    int by_speed[P3D_MAX_POOLS];     /* segments, the fastest layers first */
    int first[P3D_MAX_POOLS];        /* stage of each segment */
} splitter;

static void order_segments(splitter *s)
{
    const search_pool_shape *const shape = s->shape;
    int stage = 0;

    for (int i = 0; i < shape->n_segments; i++) {
        int at = i;

        s->first[i] = stage;
        stage += shape->n_stages[i];
        while (at > 0 && shape->shards[s->by_speed[at - 1]]->layer_s >
                                 shape->shards[i]->layer_s) {
            s->by_speed[at] = s->by_speed[at - 1];
            at--;
        }
        s->by_speed[at] = i;
    }
}

/* @return false when the layers find no room */
static bool begin(
        search_pool_world *w, const search_pool_shape *shape, splitter *s)
{
    int64_t room = 0;

    memset(s->by_speed, 0, sizeof(s->by_speed));
    memset(s->first, 0, sizeof(s->first));
    s->shape = shape;
    s->n_layers = w->n_layers;
    s->n = search_pool_stages_of(shape, s->stages);
    if (s->n > s->n_layers)
        return false;
    for (int i = 0; i < s->n; i++) {
        const search_pool_shard *const shard = s->stages[i].shard;

        s->base_s[i] = shard->base_s[search_pool_place_of(i, s->n)];
        s->layer_s[i] = shard->layer_s;
        s->room[i] = search_pool_room(w, &s->stages[i]);
        if (s->room[i] < 1)
            return false;
        room += s->room[i];
    }
    order_segments(s);
    return room >= s->n_layers;
}

/* Fill each stage up to a bottleneck. @return whether all layers are held */
static bool fill(splitter *s, double bottleneck_s)
{
    int64_t n = 0;
    bool each = true;

    for (int i = 0; i < s->n; i++) {
        const double may =
                (bottleneck_s - s->base_s[i]) / s->layer_s[i] + ROUNDING;

        s->filled[i] = may < s->room[i] ? (int)floor(may) : s->room[i];
        each = each && s->filled[i] >= 1;
        n += s->filled[i];
    }
    return each && n >= s->n_layers;
}

/* The largest of the stages' seconds. */
static double largest_s(const splitter *s, const int *layers)
{
    double most_s = 0;

    for (int i = 0; i < s->n; i++)
        most_s = fmax(most_s, s->base_s[i] + layers[i] * s->layer_s[i]);
    return most_s;
}

/* The next bottleneck at which some stage takes a layer more; 0 = none does. */
static double next_bottleneck(const splitter *s)
{
    double next_s = HUGE_VAL;

    for (int i = 0; i < s->n; i++)
        if (s->filled[i] < s->room[i])
            next_s = fmin(
                    next_s, s->base_s[i] + (s->filled[i] + 1) * s->layer_s[i]);
    return next_s < HUGE_VAL ? next_s : 0;
}

/* Layers a second of all stages. */
static double rate_of(const search_pool_shape *shape)
{
    double rate = 0;

    for (int i = 0; i < shape->n_segments; i++)
        rate += shape->n_stages[i] / shape->shards[i]->layer_s;
    return rate;
}

/* Fill up to the least bottleneck that holds all layers, from one that is no
 * more. @return it; 0 = there is none */
static double least_bottleneck(splitter *s)
{
    double bottleneck_s = s->n_layers / rate_of(s->shape) * (1 - ROUNDING);

    while (bottleneck_s > 0 && !fill(s, bottleneck_s))
        bottleneck_s = next_bottleneck(s);
    return bottleneck_s > 0 ? largest_s(s, s->filled) : 0;
}

/* Split the layers so that their sum is the least: those stages are full whose
 * layers are fastest. */
static void split_layers(
        const splitter *s, const int *most, search_pool_split *out)
{
    int left = s->n_layers - s->n;

    out->n_stages = s->n;
    for (int i = 0; i < s->n; i++)
        out->layers[i] = 1;
    for (int k = 0; k < s->shape->n_segments; k++) {
        const int segment = s->by_speed[k];
        const int end = s->first[segment] + s->shape->n_stages[segment];

        for (int i = s->first[segment]; i < end && left > 0; i++) {
            const int more = most[i] - 1 < left ? most[i] - 1 : left;

            out->layers[i] += more;
            left -= more;
        }
    }
    out->sum_s = 0;
    for (int i = 0; i < s->n; i++)
        out->sum_s += s->base_s[i] + out->layers[i] * s->layer_s[i];
    out->bottleneck_s = largest_s(s, out->layers);
}

int64_t search_pool_most(search_pool_world *w, const search_pool_shape *shape,
        double budget_s, int64_t most, search_pool_split *split)
{
    const double c = crossing_s(shape);
    search_pool_split least, now;
    splitter s;
    int64_t best = 0;
    double bottleneck_s;

    if (!begin(w, shape, &s))
        return 0;
    split_layers(&s, s.room, &least);
    bottleneck_s = least_bottleneck(&s);
    while (bottleneck_s > 0) {
        const line bound = {least.sum_s, bottleneck_s, c, s.n};
        int64_t m;

        if (most_bound(&bound, budget_s, most) <= best)
            break;
        split_layers(&s, s.filled, &now);
        m = most_of(
                &(line){now.sum_s, now.bottleneck_s, c, s.n}, budget_s, most);
        if (m > best) {
            best = m;
            if (split != NULL)
                *split = now;
        }
        if (now.sum_s <= least.sum_s * (1 + ROUNDING))
            break;
        bottleneck_s = next_bottleneck(&s);
        if (bottleneck_s > 0)
            fill(&s, bottleneck_s);
    }
    return best;
}

/* The least bottleneck of segments that share out the layers in any parts: B
 * with sum of min(room, p B / tau) = layers.
 * @return 0 = they find no room */
static double even_bottleneck(
        const search_pool_shape *shape, const int *room, double layers)
{
    double bottleneck_s = 0;

    for (int turn = 0; turn <= shape->n_segments; turn++) {
        double rate = 0, left = layers;

        for (int i = 0; i < shape->n_segments; i++) {
            const double each = shape->n_stages[i] / shape->shards[i]->layer_s;

            if (each * bottleneck_s >= room[i])
                left -= room[i];
            else
                rate += each;
        }
        if (left > 0 && rate <= 0)
            return 0;
        if (left <= 0 || left / rate <= bottleneck_s)
            break;
        bottleneck_s = left / rate;
    }
    return bottleneck_s;
}

/* The least bottleneck, from one that is no more, at which segments hold all
 * layers that are whole: sum of min(room, p floor(B / tau)). */
static double whole_bottleneck(const search_pool_shape *shape, const int *room,
        int n_layers, double bottleneck_s)
{
    for (;;) {
        double next_s = HUGE_VAL;
        int64_t n = 0;

        for (int i = 0; i < shape->n_segments; i++) {
            const double layer_s = shape->shards[i]->layer_s;
            const double each = floor(bottleneck_s / layer_s + ROUNDING);
            const double all = each * shape->n_stages[i];

            if (all >= room[i]) {
                n += room[i];
                continue;
            }
            n += (int64_t)all;
            next_s = fmin(next_s, (each + 1) * layer_s);
        }
        if (n >= n_layers || next_s >= HUGE_VAL)
            return bottleneck_s;
        bottleneck_s = next_s;
    }
}

/* The least sum: those layers are many that are fast. */
static double least_sum(
        const search_pool_shape *shape, const int *room, int n_layers)
{
    bool full[P3D_MAX_POOLS] = {false};
    double sum_s = 0;
    int left = n_layers;

    for (int i = 0; i < shape->n_segments; i++) {
        sum_s += shape->n_stages[i] * shape->shards[i]->layer_s;
        left -= shape->n_stages[i];
    }
    for (int turn = 0; turn < shape->n_segments && left > 0; turn++) {
        int fast = -1, more;

        for (int i = 0; i < shape->n_segments; i++)
            if (!full[i] && (fast < 0 || shape->shards[i]->layer_s <
                                                 shape->shards[fast]->layer_s))
                fast = i;
        if (fast < 0)
            break;
        more = room[fast] - shape->n_stages[fast];
        more = more < left ? more : left;
        full[fast] = true;
        sum_s += more * shape->shards[fast]->layer_s;
        left -= more;
    }
    return sum_s;
}

/* What the first stage takes beside its layers, and the last, at least. */
static void add_ends(const search_pool_shape *shape, line *l, double *layers)
{
    double first = HUGE_VAL, last = HUGE_VAL, first_s = HUGE_VAL,
           last_s = HUGE_VAL;

    if (l->p == 1) {
        const search_pool_shard *const s = shape->shards[0];

        l->sum_s += s->base_s[SEARCH_POOL_ONLY];
        *layers += s->base_s[SEARCH_POOL_ONLY] / s->layer_s;
        return;
    }
    for (int i = 0; i < shape->n_segments; i++) {
        const search_pool_shard *const s = shape->shards[i];
        const double *const base_s = s->base_s;

        first_s = fmin(first_s, base_s[SEARCH_POOL_FIRST]);
        last_s = fmin(last_s, base_s[SEARCH_POOL_LAST]);
        first = fmin(first, base_s[SEARCH_POOL_FIRST] / s->layer_s);
        last = fmin(last, base_s[SEARCH_POOL_LAST] / s->layer_s);
    }
    l->sum_s += first_s + last_s;
    *layers += first + last;
}

int64_t search_pool_most_bound(const search_pool_world *w,
        const search_pool_shape *shape, const int *room, double budget_s,
        int64_t most)
{
    double layers = w->n_layers;
    int64_t all = 0;
    line l = {.p = search_pool_n_stages(shape)};

    for (int i = 0; i < shape->n_segments; i++) {
        if (room[i] < shape->n_stages[i])
            return 0;
        all += room[i];
    }
    if (all < w->n_layers)
        return 0;
    l.sum_s = least_sum(shape, room, w->n_layers);
    add_ends(shape, &l, &layers);
    l.sum_s *= 1 - 1e-12;
    l.bottleneck_s = even_bottleneck(shape, room, w->n_layers);
    l.bottleneck_s =
            fmax(l.bottleneck_s, layers / rate_of(shape)) * (1 - 1e-12);
    l.bottleneck_s =
            whole_bottleneck(shape, room, w->n_layers, l.bottleneck_s) *
            (1 - 2 * ROUNDING);
    return most_bound(&l, budget_s, most);
}
