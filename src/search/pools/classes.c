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

/* The links of a replica that a micro-batch keeps busy longest: where it has
 * two stages, of a stage alone. */
static double busy_s(const search_pool_shape *shape)
{
    double most_s = 0;

    for (int i = 0; i < shape->n_segments; i++) {
        const search_pool_shard *const s = shape->shards[i];

        if (shape->n_stages[i] > s->stages_in_node)
            most_s = fmax(
                    most_s, s->outer_busy_s / (shape->n_stages[i] > 2 ? 1 : 2));
        if (i > 0) {
            const search_pool_shard *const before = shape->shards[i - 1];

            most_s = fmax(most_s, fmax(before->to_busy_s[s->pool],
                                          s->to_busy_s[before->pool]));
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

static int chunks_of(const search_pool_shape *shape)
{
    return shape->shards[0]->vp;
}

int search_pool_round(const search_pool_shape *shape)
{
    return chunks_of(shape) > 1 ? search_pool_n_stages(shape) : 1;
}

/* Crossings that m micro-batches wait for. */
static double crossings(int p, int v, int64_t m)
{
    const int64_t windows = m >= 2 ? (m - 2) / p : -1;

    if (p == 1)
        return 0;
    return 2 * (double)(v > 1 ? p * v - 1 : m + p - 3 - windows);
}

double search_pool_sends_s(const search_pool_shape *shape, int64_t m)
{
    return crossing_s(shape) *
           crossings(search_pool_n_stages(shape), chunks_of(shape), m);
}

double search_pool_pipeline_s(const search_pool_shape *shape,
        const search_pool_split *split, int64_t m)
{
    const double v = chunks_of(shape);

    return fmax((double)m * busy_s(shape),
            split->sum_s / v + ((double)m - 1 / v) * split->bottleneck_s +
                    search_pool_sends_s(shape, m));
}

static double line_s(const search_pool_line *l, int64_t m)
{
    return fmax((double)m * l->busy_s,
            l->sum_s / l->v + ((double)m - 1.0 / l->v) * l->bottleneck_s +
                    l->crossing_s * crossings(l->p, l->v, m));
}

/* Micro-batches in whole rounds. */
static int64_t rounded(const search_pool_line *l, int64_t m)
{
    return l->v > 1 ? m - m % l->p : m;
}

/* So many at least, in whole rounds. */
static int64_t rounded_up(const search_pool_line *l, int64_t m)
{
    return l->v > 1 ? p3d_ceil_div(m, l->p) * l->p : m;
}

/* The transfers of m micro-batches of 1F1B are at least
 * 2 c ((m - 1) (1 - 1/p) + p - 2), so that no more than this many fit. */
int64_t search_pool_line_most(
        const search_pool_line *l, double budget_s, int64_t most)
{
    const double c = l->p > 1 ? 2 * l->crossing_s : 0;
    const bool rounds = l->v > 1;
    const double left_s = budget_s - l->sum_s / l->v -
                          (1 - 1.0 / l->v) * l->bottleneck_s -
                          c * (rounds ? l->p * l->v - 1 : l->p - 2);
    const double each_s = l->bottleneck_s + (rounds ? 0 : c * (1 - 1.0 / l->p));
    const int64_t end = rounded_up(l, most);
    int64_t m;

    if (budget_s < l->sum_s / l->v || left_s < 0)
        return 0;
    m = left_s >= each_s * (double)end
                ? end
                : rounded(l, 1 + (int64_t)(left_s / each_s * (1 + 1e-12)));
    if (l->busy_s * (double)m > budget_s)
        m = rounded(l, 1 + (int64_t)(budget_s / l->busy_s));
    return m;
}

static int64_t most_of(const search_pool_line *l, double budget_s, int64_t most)
{
    const int64_t round = l->v > 1 ? l->p : 1;
    int64_t m = search_pool_line_most(l, budget_s, most);

    if (m > rounded_up(l, most))
        m = rounded_up(l, most);
    while (m > 0 && line_s(l, m) > budget_s)
        m -= round;
    return m;
}

/* The stages of a replica, and how far each may be filled, in units of as many
 * layers as a stage has chunks. */
typedef struct splitter {
    const search_pool_shape *shape;
    int n;
    int v;
    int n_units;
    search_pool_stage stages[P3D_MAX_POOL_STAGES];
    double base_s[P3D_MAX_POOL_STAGES];
    double unit_s[P3D_MAX_POOL_STAGES];
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
    s->v = chunks_of(shape);
    s->n_units = w->n_layers / s->v;
    s->n = search_pool_stages_of(shape, s->stages);
    if (s->n > s->n_units)
        return false;
    for (int i = 0; i < s->n; i++) {
        const search_pool_shard *const shard = s->stages[i].shard;

        s->base_s[i] = shard->base_s[search_pool_place_of(i, s->n)];
        s->unit_s[i] = shard->unit_s;
        s->room[i] = search_pool_room(w, &s->stages[i]) / s->v;
        if (s->room[i] < 1)
            return false;
        room += s->room[i];
    }
    order_segments(s);
    return room >= s->n_units;
}

/* Fill each stage up to a bottleneck. @return whether all layers are held */
static bool fill(splitter *s, double bottleneck_s)
{
    int64_t n = 0;
    bool each = true;

    for (int i = 0; i < s->n; i++) {
        const double may =
                (bottleneck_s - s->base_s[i]) / s->unit_s[i] + ROUNDING;

        s->filled[i] = may < s->room[i] ? (int)floor(may) : s->room[i];
        each = each && s->filled[i] >= 1;
        n += s->filled[i];
    }
    return each && n >= s->n_units;
}

/* The largest of the stages' seconds. */
static double largest_s(const splitter *s, const int *units)
{
    double most_s = 0;

    for (int i = 0; i < s->n; i++)
        most_s = fmax(most_s, s->base_s[i] + units[i] * s->unit_s[i]);
    return most_s;
}

/* The next bottleneck at which some stage takes a layer more; 0 = none does. */
static double next_bottleneck(const splitter *s)
{
    double next_s = HUGE_VAL;

    for (int i = 0; i < s->n; i++)
        if (s->filled[i] < s->room[i])
            next_s = fmin(
                    next_s, s->base_s[i] + (s->filled[i] + 1) * s->unit_s[i]);
    return next_s < HUGE_VAL ? next_s : 0;
}

/* Units a second of all stages. */
static double rate_of(const search_pool_shape *shape)
{
    double rate = 0;

    for (int i = 0; i < shape->n_segments; i++)
        rate += shape->n_stages[i] / shape->shards[i]->unit_s;
    return rate;
}

/* Fill up to the least bottleneck that holds all layers, from one that is no
 * more. @return it; 0 = there is none */
static double least_bottleneck(splitter *s)
{
    double bottleneck_s = s->n_units / rate_of(s->shape) * (1 - ROUNDING);

    while (bottleneck_s > 0 && !fill(s, bottleneck_s))
        bottleneck_s = next_bottleneck(s);
    return bottleneck_s > 0 ? largest_s(s, s->filled) : 0;
}

/* Split the layers so that their sum is the least: those stages are full whose
 * layers are fastest. */
static void split_layers(
        const splitter *s, const int *most, search_pool_split *out)
{
    int left = s->n_units - s->n;

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
        out->sum_s += s->base_s[i] + out->layers[i] * s->unit_s[i];
    out->bottleneck_s = largest_s(s, out->layers);
    for (int i = 0; i < s->n; i++)
        out->layers[i] *= s->v;
}

int64_t search_pool_most(search_pool_world *w, const search_pool_shape *shape,
        double budget_s, int64_t most, search_pool_split *split)
{
    const double c = crossing_s(shape), busy = busy_s(shape);
    search_pool_split least, now;
    splitter s;
    int64_t best = 0;
    double bottleneck_s;

    if (!begin(w, shape, &s))
        return 0;
    split_layers(&s, s.room, &least);
    bottleneck_s = least_bottleneck(&s);
    while (bottleneck_s > 0) {
        const search_pool_line bound = {
                least.sum_s, bottleneck_s, c, busy, s.n, s.v};
        int64_t m;

        if (search_pool_line_most(&bound, budget_s, most) <= best)
            break;
        split_layers(&s, s.filled, &now);
        m = most_of(&(search_pool_line){now.sum_s, now.bottleneck_s, c, busy,
                            s.n, s.v},
                budget_s, most);
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

/* Bounds, in units of layers. */

/* The least bottleneck of segments that share out the layers in any parts: B
 * with sum of min(room, p B / tau) = units.
 * @return 0 = they find no room */
static double even_bottleneck(
        const search_pool_shape *shape, const int *room, double units)
{
    double bottleneck_s = 0;

    for (int turn = 0; turn <= shape->n_segments; turn++) {
        double rate = 0, left = units;

        for (int i = 0; i < shape->n_segments; i++) {
            const double each = shape->n_stages[i] / shape->shards[i]->unit_s;

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
        int n_units, double bottleneck_s)
{
    for (;;) {
        double next_s = HUGE_VAL;
        int64_t n = 0;

        for (int i = 0; i < shape->n_segments; i++) {
            const double unit_s = shape->shards[i]->unit_s;
            const double each = floor(bottleneck_s / unit_s + ROUNDING);
            const double all = each * shape->n_stages[i];

            if (all >= room[i]) {
                n += room[i];
                continue;
            }
            n += (int64_t)all;
            next_s = fmin(next_s, (each + 1) * unit_s);
        }
        if (n >= n_units || next_s >= HUGE_VAL)
            return bottleneck_s;
        bottleneck_s = next_s;
    }
}

/* The least sum: those layers are many that are fast. */
static double least_sum(
        const search_pool_shape *shape, const int *room, int n_units)
{
    bool full[P3D_MAX_POOLS] = {false};
    double sum_s = 0;
    int left = n_units;

    for (int i = 0; i < shape->n_segments; i++) {
        sum_s += shape->n_stages[i] * shape->shards[i]->unit_s;
        left -= shape->n_stages[i];
    }
    for (int turn = 0; turn < shape->n_segments && left > 0; turn++) {
        int fast = -1, more;

        for (int i = 0; i < shape->n_segments; i++)
            if (!full[i] && (fast < 0 || shape->shards[i]->unit_s <
                                                 shape->shards[fast]->unit_s))
                fast = i;
        if (fast < 0)
            break;
        more = room[fast] - shape->n_stages[fast];
        more = more < left ? more : left;
        full[fast] = true;
        sum_s += more * shape->shards[fast]->unit_s;
        left -= more;
    }
    return sum_s;
}

/* What the first stage takes beside its layers, and the last, at least. */
static void add_ends(
        const search_pool_shape *shape, search_pool_line *l, double *units)
{
    double first = HUGE_VAL, last = HUGE_VAL, first_s = HUGE_VAL,
           last_s = HUGE_VAL;

    if (l->p == 1) {
        const search_pool_shard *const s = shape->shards[0];

        l->sum_s += s->base_s[SEARCH_POOL_ONLY];
        *units += s->base_s[SEARCH_POOL_ONLY] / s->unit_s;
        return;
    }
    for (int i = 0; i < shape->n_segments; i++) {
        const search_pool_shard *const s = shape->shards[i];
        const double *const base_s = s->base_s;

        first_s = fmin(first_s, base_s[SEARCH_POOL_FIRST]);
        last_s = fmin(last_s, base_s[SEARCH_POOL_LAST]);
        first = fmin(first, base_s[SEARCH_POOL_FIRST] / s->unit_s);
        last = fmin(last, base_s[SEARCH_POOL_LAST] / s->unit_s);
    }
    l->sum_s += first_s + last_s;
    *units += first + last;
}

bool search_pool_bound(const search_pool_world *w,
        const search_pool_shape *shape, const int *room, search_pool_line *out)
{
    const int v = chunks_of(shape), n_units = w->n_layers / v;
    double units = n_units;
    int rooms[P3D_MAX_POOLS];
    int64_t all = 0;

    for (int i = 0; i < shape->n_segments; i++) {
        rooms[i] = room[i] / v;
        if (rooms[i] < shape->n_stages[i])
            return false;
        all += rooms[i];
    }
    if (all < n_units)
        return false;
    *out = (search_pool_line){least_sum(shape, rooms, n_units), 0, 0, 0,
            search_pool_n_stages(shape), v};
    add_ends(shape, out, &units);
    out->sum_s *= 1 - 1e-12;
    out->bottleneck_s = even_bottleneck(shape, rooms, n_units);
    out->bottleneck_s =
            fmax(out->bottleneck_s, units / rate_of(shape)) * (1 - 1e-12);
    out->bottleneck_s =
            whole_bottleneck(shape, rooms, n_units, out->bottleneck_s) *
            (1 - 2 * ROUNDING);
    return true;
}

bool search_pool_bound_anywhere(search_pool_world *w,
        const search_pool_shape *shape, search_pool_line *out)
{
    const int n_stages = search_pool_n_stages(shape);
    int room[P3D_MAX_POOLS];

    for (int i = 0; i < shape->n_segments; i++)
        room[i] = search_pool_room_bound(
                w, shape->shards[i], n_stages, shape->n_stages[i]);
    return search_pool_bound(w, shape, room, out);
}

search_pool_shape search_pool_swapped(
        const search_pool_shape *shape, int i, int j)
{
    search_pool_shape out = *shape;

    out.shards[i] = shape->shards[j];
    out.n_stages[i] = shape->n_stages[j];
    out.shards[j] = shape->shards[i];
    out.n_stages[j] = shape->n_stages[i];
    return out;
}
