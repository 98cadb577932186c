/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sack.c - the knapsack of replicas, and which classes come into it. */
#include "search/pools/sack.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/tasks.h"
#include "base/util.h"

/* States above which GPUs go together, two by two. */
enum { MOST_STATES = 8192 };

static void set_units(search_pool_sack *s)
{
    const p3d_pools *const pools = &s->world->problem->pools;

    s->n_pools = pools->n_pools;
    for (int k = 0; k < s->n_pools; k++)
        s->unit[k] = 1;
    for (;;) {
        int64_t n = 1;
        int most = 0;

        for (int k = 0; k < s->n_pools; k++) {
            s->size[k] = pools->clusters[k].n_gpus / s->unit[k];
            s->stride[k] = (int)n;
            n = p3d_mul(n, s->size[k] + 1);
            most = s->size[k] > s->size[most] ? k : most;
        }
        if (n <= MOST_STATES) {
            s->n_states = (int)n;
            return;
        }
        s->unit[most] *= 2;
    }
}

bool search_pool_sack_open(
        search_pool_world *world, search_pool_sack *s, p3d_error *err)
{
    *s = (search_pool_sack){.world = world};
    set_units(s);
    s->most = malloc((size_t)s->n_states * sizeof(*s->most));
    s->last = malloc((size_t)s->n_states * sizeof(*s->last));
    s->before = calloc((size_t)s->n_states, sizeof(*s->before));
    return (search_pool_known_open(&s->known, s->n_states) &&
                   s->before != NULL && s->most != NULL && s->last != NULL) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}

void search_pool_sack_close(search_pool_sack *s)
{
    free(s->most);
    free(s->last);
    free(s->items);
    free(s->before);
    search_pool_known_close(&s->known);
    *s = (search_pool_sack){.n_pools = 0};
}

int search_pool_sack_units(const search_pool_sack *s)
{
    int n = 0;

    for (int k = 0; k < s->n_pools; k++)
        n += s->size[k];
    return n;
}

/* Classes that take the GPUs of one state. */

/** What GPUs of a pool do at best, with tensor-parallel ranks that divide their
 *  number: layers a second of each, seconds of a layer, layers of all. */
typedef struct pace {
    double rate;
    double layer_s; /* HUGE_VAL = there are no such ranks */
    int room;
} pace;

/** A state at work, and the best class that takes just its GPUs. */
typedef struct finder {
    search_pool_sack *sack;
    double budget_s;
    int64_t wanted;
    int64_t least;  /* sequences: no class with fewer is of use, or as many */
    int64_t *known; /* no class of a state does more */
    double rate[P3D_MAX_POOLS]; /* sequences that a unit does in the budget, at
                                   most */
    double all;                 /* and all units */
    /* By pool, micro-batch, recomputation, and the largest power of two that
     * the ranks may be. */
    pace paces[P3D_MAX_POOLS][SEARCH_POOL_BATCHES][P3D_N_RECOMPUTES]
              [SEARCH_POOL_TPS];
    pace taken[P3D_MAX_POOLS + 1]; /* by all GPUs of segments before one, */
    pace rest[P3D_MAX_POOLS + 1];  /* and from it on, at best */
    int n_pools;                   /* that the state takes GPUs of */
    int pools[P3D_MAX_POOLS];
    int twos[P3D_MAX_POOLS]; /* index of a pace: of the number of GPUs */
    int n_gpus[P3D_MAX_POOLS];
    int batch, recompute; /* index, value */
    search_pool_item best;
} finder;

static int64_t most_of_batch(const finder *f)
{
    return p3d_ceil_div(f->wanted, 1 << f->batch);
}

/* Whether a bound lets a class be of use. */
static bool may_be(const finder *f, const search_pool_line *bound)
{
    if (search_pool_line_most(bound, f->budget_s, most_of_batch(f))
                    << f->batch >
            f->least)
        return true;
    f->sack->n_cut++;
    return false;
}

/* Split the layers of a class whose bound is of use. */
static void offer(finder *f, const search_pool_shape *shape, int n_stages)
{
    search_pool_world *const w = f->sack->world;
    search_pool_line bound;
    int room[P3D_MAX_POOLS];
    int first = 0;
    int64_t m;

    for (int i = 0; i < shape->n_segments; i++) {
        room[i] = search_pool_room_of(
                w, shape->shards[i], n_stages, first, shape->n_stages[i]);
        first += shape->n_stages[i];
    }
    if (!search_pool_bound(w, shape, room, &bound) || !may_be(f, &bound))
        return;
    f->sack->n_classes++;
    m = search_pool_most(w, shape, f->budget_s, most_of_batch(f), NULL);
    if (m << f->batch <= f->least)
        return;
    f->least = m << f->batch;
    f->best.shape = *shape;
    f->best.n_micro_batches = m;
    f->best.samples = f->least;
}

/* All orders of the segments from the i-th on. */
static void offer_orders(
        finder *f, search_pool_shape *shape, int i, int n_stages)
{
    if (i == shape->n_segments) {
        offer(f, shape, n_stages);
        return;
    }
    for (int j = i; j < shape->n_segments; j++) {
        search_pool_shape next = search_pool_swapped(shape, i, j);

        offer_orders(f, &next, i + 1, n_stages);
    }
}

/* Offer a shape with several chunks a stage. */
static void offer_chunked(
        finder *f, const search_pool_shape *shape, int n_stages, int chunks)
{
    search_pool_shape chunked = *shape;
    search_pool_line bound;

    for (int i = 0; i < shape->n_segments; i++)
        chunked.shards[i] =
                search_pool_chunked(f->sack->world, shape->shards[i], chunks);
    if (search_pool_bound_anywhere(f->sack->world, &chunked, &bound) &&
            may_be(f, &bound))
        offer_orders(f, &chunked, 0, n_stages);
}

/* Offer a shape with one chunk a stage, and with several: these have no more
 * room, and layers that are no faster. */
static void offer_shape(finder *f, search_pool_shape *shape)
{
    search_pool_world *const w = f->sack->world;
    const int n_stages = search_pool_n_stages(shape);
    search_pool_line bound;

    if (n_stages > P3D_MAX_POOL_STAGES || n_stages > w->n_layers ||
            !search_pool_bound_anywhere(w, shape, &bound))
        return;
    if (may_be(f, &bound))
        offer_orders(f, shape, 0, n_stages);
    for (int v = 1; v <= w->most_chunks && n_stages > 1; v++) {
        bound.v = 1 << v;
        if (n_stages << v <= w->n_layers && may_be(f, &bound))
            offer_chunked(f, shape, n_stages, v);
    }
}

static pace both_of(pace a, pace b)
{
    return (pace){a.rate + b.rate, fmin(a.layer_s, b.layer_s), a.room + b.room};
}

/* Layers that a segment of all GPUs of a pool holds at most: also one that is a
 * pipeline by itself. */
static int segment_room(const finder *f, int i, const search_pool_shard *shard)
{
    search_pool_world *const w = f->sack->world;
    const int n_stages = f->n_gpus[i] / shard->tp;
    int room, alone;

    if (n_stages > P3D_MAX_POOL_STAGES)
        return 0;
    room = search_pool_room_bound(w, shard, n_stages + 1, n_stages);
    alone = n_stages == 1 ? search_pool_room_bound(w, shard, 1, 1) : 0;
    return room > alone ? room : alone;
}

/* The same with the ranks that hold the most. */
static int most_room(const finder *f, int i)
{
    const search_pool_world *const w = f->sack->world;
    int most = 0;

    for (int t = 0; t <= f->twos[i]; t++) {
        const int at = w->index[f->pools[i]][t][f->batch][f->recompute][0];
        const int room = at < 0 ? 0 : segment_room(f, i, &w->shards[at]);

        most = room > most ? room : most;
    }
    return most;
}

/* Pools from each on at best; with none the layers have no pace.
 * @return whether each has ranks that divide its GPUs */
static bool set_rest(finder *f)
{
    f->taken[0] = f->rest[f->n_pools] = (pace){0, HUGE_VAL, 0};
    for (int i = f->n_pools - 1; i >= 0; i--) {
        pace best = f->paces[f->pools[i]][f->batch][f->recompute][f->twos[i]];

        if (best.rate <= 0)
            return false;
        best.rate *= f->n_gpus[i];
        best.room = most_room(f, i);
        f->rest[i] = both_of(best, f->rest[i + 1]);
    }
    return true;
}

/* Whether the sizes of the segments before the i-th are of use, with the pools
 * from there on at best. */
static bool may_help(const finder *f, int i)
{
    const int n_layers = f->sack->world->n_layers;
    const pace all = both_of(f->taken[i], f->rest[i]);
    const int chunks = f->sack->world->most_chunks;
    /* Whole rounds may be more. */
    int64_t most = most_of_batch(f) + (chunks > 0 ? P3D_MAX_POOL_STAGES : 0);
    double budget_s =
            f->budget_s - n_layers * all.layer_s / (1 << chunks) * (1 - 1e-12);

    if (budget_s < 0 || all.room < n_layers)
        return false;
    budget_s = budget_s * all.rate / n_layers * (1 + 1e-12);
    if (budget_s < (double)(most - 1))
        most = 1 + (int64_t)budget_s;
    return most << f->batch > f->least;
}

/* All tensor-parallel sizes of the segments from the i-th on. */
static void offer_sizes(finder *f, search_pool_shape *shape, int i)
{
    const search_pool_world *const w = f->sack->world;

    if (i == f->n_pools) {
        offer_shape(f, shape);
        return;
    }
    for (int t = 0; t <= f->twos[i]; t++) {
        const int at = w->index[f->pools[i]][t][f->batch][f->recompute][0];
        const int n_stages = f->n_gpus[i] >> t;

        if (at < 0)
            continue;
        shape->n_segments = i + 1;
        shape->shards[i] = &w->shards[at];
        shape->n_stages[i] = n_stages;
        f->taken[i + 1] = both_of(f->taken[i],
                (pace){n_stages / w->shards[at].layer_s, w->shards[at].layer_s,
                        segment_room(f, i, &w->shards[at])});
        if (may_help(f, i + 1))
            offer_sizes(f, shape, i + 1);
    }
}

/* Exponent of the largest power of two, of those that ranks may be, that
 * divides a number of GPUs. */
static int twos_of(int n_gpus)
{
    int e = 0;

    while (e + 1 < SEARCH_POOL_TPS && n_gpus % (2 << e) == 0)
        e++;
    return e;
}

/* All classes that take the GPUs of the state at work. */
static void offer_all(finder *f)
{
    for (f->batch = 0; f->batch < SEARCH_POOL_BATCHES; f->batch++)
        for (f->recompute = 0; f->recompute < P3D_N_RECOMPUTES;
                f->recompute++) {
            search_pool_shape shape = {.n_segments = 0};

            if (set_rest(f) && may_help(f, 0))
                offer_sizes(f, &shape, 0);
        }
}

/* The class that was the best of a state is mostly good again, and cuts others
 * off. */
static void offer_before(finder *f, const search_pool_shape *before)
{
    if (before->n_segments == 0)
        return;
    f->batch = search_pool_exponent(before->shards[0]->micro_batch);
    offer(f, before, search_pool_n_stages(before));
}

/* The best class that takes the GPUs of a state and does more than `least`.
 * @return whether there is one: in f->best */
static bool find_class(finder *f, const int *units, int state)
{
    const search_pool_sack *const s = f->sack;
    const int64_t least = f->least;

    if (f->known[state] <= least)
        return false;
    f->n_pools = 0;
    for (int k = 0; k < s->n_pools; k++) {
        if (units[k] == 0)
            continue;
        f->pools[f->n_pools] = k;
        f->twos[f->n_pools] = twos_of(units[k] * s->unit[k]);
        f->n_gpus[f->n_pools++] = units[k] * s->unit[k];
    }
    if (f->n_pools == 0)
        return false;
    offer_before(f, &f->sack->before[state]);
    offer_all(f);
    f->known[state] = f->least;
    if (f->least > least)
        f->sack->before[state] = f->best.shape;
    return f->least > least;
}

/* Set the paces of a pool with the micro-batch and the recomputation at hand:
 * layers of several chunks are no faster. */
static void set_paces(finder *f, int pool)
{
    const search_pool_world *const w = f->sack->world;
    pace *const p = f->paces[pool][f->batch][f->recompute];
    pace best = {0, HUGE_VAL, 0};

    for (int t = 0; t < SEARCH_POOL_TPS; t++) {
        const int at = w->index[pool][t][f->batch][f->recompute][0];

        if (at >= 0) {
            const double layer_s = w->shards[at].layer_s;

            best.rate = fmax(best.rate, 1 / ((1 << t) * layer_s));
            best.layer_s = fmin(best.layer_s, layer_s);
        }
        p[t] = best;
    }
}

/* Set the most that the units of each pool do, whatever they are part of. */
static void set_rates(finder *f)
{
    const search_pool_sack *const s = f->sack;
    const search_pool_world *const w = s->world;

    for (int i = 0; i < w->n_shards; i++) {
        const search_pool_shard *const shard = &w->shards[i];

        f->rate[shard->pool] = fmax(f->rate[shard->pool],
                f->budget_s * shard->micro_batch * s->unit[shard->pool] /
                        (shard->tp * shard->layer_s * w->n_layers));
    }
    for (f->batch = 0; f->batch < SEARCH_POOL_BATCHES; f->batch++)
        for (f->recompute = 0; f->recompute < P3D_N_RECOMPUTES; f->recompute++)
            for (int k = 0; k < s->n_pools; k++)
                set_paces(f, k);
    f->all = 0;
    for (int k = 0; k < s->n_pools; k++)
        if ((w->setting.pools >> k & 1) != 0)
            f->all += f->rate[k] * s->size[k];
}

/* What a class must do at least for the rest to do what is then wanted; without
 * a limit of time (the rest is no number then) nothing. */
static int64_t least_of_use(const finder *f, const int *units)
{
    double rest = f->all;

    for (int k = 0; k < f->sack->n_pools; k++)
        rest -= f->rate[k] * units[k];
    rest *= 1 + 1e-12;
    return rest < (double)f->wanted ? f->wanted - 1 - (int64_t)rest : 0;
}

static bool add_item(finder *f, const int *units, int state)
{
    search_pool_sack *const s = f->sack;

    if (s->n_items == s->capacity) {
        const int capacity = s->capacity > 0 ? 2 * s->capacity : 64;
        search_pool_item *const items =
                realloc(s->items, (size_t)capacity * sizeof(*items));

        if (items == NULL) {
            s->out_of_memory = true;
            return false;
        }
        s->items = items;
        s->capacity = capacity;
    }
    f->best.at = state;
    memcpy(f->best.takes, units, sizeof(f->best.takes));
    s->items[s->n_items++] = f->best;
    return true;
}

/* The next state; false past the last. Pools that the setting leaves out have
 * none. */
static bool next_state(const search_pool_sack *s, int *units, int *state)
{
    for (int k = 0; k < s->n_pools; k++) {
        const bool used = (s->world->setting.pools >> k & 1) != 0;

        if (used && units[k] < s->size[k]) {
            units[k]++;
            *state += s->stride[k];
            return true;
        }
        *state -= units[k] * s->stride[k];
        units[k] = 0;
    }
    return false;
}

static bool takes_no_more(const search_pool_sack *s,
        const search_pool_item *item, const int *units)
{
    for (int k = 0; k < s->n_pools; k++)
        if (item->takes[k] > units[k])
            return false;
    return true;
}

/* What a state does with the items so far. */
static void fill_state(
        search_pool_sack *s, const int *units, int state, int64_t bonus)
{
    int64_t most = 0;
    int last = INT_MIN;

    for (int k = 0; k < s->n_pools; k++)
        if (units[k] > 0 && s->most[state - s->stride[k]] > most) {
            most = s->most[state - s->stride[k]];
            last = -1 - k;
        }
    for (int i = 0; i < s->n_items; i++) {
        const search_pool_item *const item = &s->items[i];

        if (!takes_no_more(s, item, units))
            continue;
        if (s->most[state - item->at] + item->samples + bonus > most) {
            most = s->most[state - item->at] + item->samples + bonus;
            last = i;
        }
    }
    s->most[state] = most;
    s->last[state] = last;
}

int64_t search_pool_sack_fill(
        search_pool_sack *s, const search_pool_ask *ask, int *state)
{
    int units[P3D_MAX_POOLS] = {0};
    finder f = {.sack = s, .budget_s = ask->budget_s, .wanted = ask->wanted};
    int at = 0;

    s->n_runs++;
    s->n_items = 0;
    f.known = search_pool_known_begin(&s->known, s->world, ask->budget_s);
    set_rates(&f);
    do {
        fill_state(s, units, at, ask->bonus);
        f.least = least_of_use(&f, units);
        if (s->most[at] - ask->bonus > f.least)
            f.least = s->most[at] - ask->bonus;
        if (find_class(&f, units, at)) {
            if (!add_item(&f, units, at))
                return 0;
            s->most[at] = f.least + ask->bonus;
            s->last[at] = s->n_items - 1;
        }
        *state = at;
    } while ((ask->bonus != 0 || s->most[at] < ask->wanted) && !p3d_stopped() &&
             next_state(s, units, &at));
    return s->most[*state];
}

int search_pool_sack_chosen(const search_pool_sack *s, int state, int *chosen)
{
    int n = 0;

    while (s->last[state] != INT_MIN) {
        const int last = s->last[state];

        if (last >= 0)
            chosen[n++] = last;
        state -= last >= 0 ? s->items[last].at : s->stride[-1 - last];
    }
    return n;
}

/* With a number of replicas. */

/* Every class that does more than any that takes no more: in the items. */
static bool list_items(search_pool_sack *s, const search_pool_ask *ask)
{
    int units[P3D_MAX_POOLS] = {0};
    finder f = {.sack = s, .budget_s = ask->budget_s, .wanted = ask->wanted};
    int at = 0;

    s->n_items = 0;
    f.known = search_pool_known_begin(&s->known, s->world, ask->budget_s);
    set_rates(&f);
    do {
        const int64_t use = least_of_use(&f, units);

        s->most[at] = 0;
        for (int k = 0; k < s->n_pools; k++)
            if (units[k] > 0 && s->most[at - s->stride[k]] > s->most[at])
                s->most[at] = s->most[at - s->stride[k]];
        f.least = s->most[at] > use ? s->most[at] : use;
        if (!find_class(&f, units, at))
            continue;
        if (!add_item(&f, units, at))
            return false;
        s->most[at] = f.least;
    } while (!p3d_stopped() && next_state(s, units, &at));
    return true;
}

/* One replica more at a state. @return its item; -1 = a unit is left over, of
 * the pool in `pool`, or nothing is there (pool -1) */
static int add_replica(const search_pool_sack *s, const int64_t *before,
        int64_t *now, const int *units, int state)
{
    int64_t most = -1;
    int last = INT_MIN;

    for (int k = 0; k < s->n_pools; k++)
        if (units[k] > 0 && now[state - s->stride[k]] > most) {
            most = now[state - s->stride[k]];
            last = -1 - k;
        }
    for (int i = 0; i < s->n_items; i++) {
        const search_pool_item *const item = &s->items[i];

        if (takes_no_more(s, item, units) && before[state - item->at] >= 0 &&
                before[state - item->at] + item->samples > most) {
            most = before[state - item->at] + item->samples;
            last = i;
        }
    }
    now[state] = most;
    return last;
}

/* The state of all GPUs of the setting's pools. */
static int whole_state(const search_pool_sack *s)
{
    int state = 0;

    for (int k = 0; k < s->n_pools; k++)
        if ((s->world->setting.pools >> k & 1) != 0)
            state += s->size[k] * s->stride[k];
    return state;
}

/** By replicas and state: sequences (-1 = there are none such), and the way. */
typedef struct layers {
    int64_t *most;
    int *last;
} layers;

static void fill_layers(const search_pool_sack *s, int n_replicas, layers *l)
{
    const size_t n = (size_t)s->n_states;

    for (size_t x = 0; x < n; x++)
        l->most[x] = 0;
    for (int r = 1; r <= n_replicas && !p3d_stopped(); r++) {
        int64_t *const now = l->most + (size_t)r * n;
        int units[P3D_MAX_POOLS] = {0};
        int at = 0;

        do
            l->last[(size_t)r * n + (size_t)at] =
                    add_replica(s, now - n, now, units, at);
        while (next_state(s, units, &at));
    }
}

int64_t search_pool_sack_fill_count(search_pool_sack *s,
        const search_pool_ask *ask, int n_replicas, int *chosen)
{
    const size_t n = (size_t)s->n_states;
    const size_t all = n * ((size_t)n_replicas + 1);
    layers l = {malloc(all * sizeof(*l.most)), malloc(all * sizeof(*l.last))};
    int state = whole_state(s);
    int64_t most = -1;

    s->n_runs++;
    if (l.most == NULL || l.last == NULL) {
        s->out_of_memory = true;
    } else if (list_items(s, ask)) {
        fill_layers(s, n_replicas, &l);
        most = p3d_stopped() ? -1
                             : l.most[(size_t)n_replicas * n + (size_t)state];
        for (int r = n_replicas; r > 0 && most >= 0;) {
            const int last = l.last[(size_t)r * n + (size_t)state];

            if (last >= 0)
                chosen[--r] = last;
            state -= last >= 0 ? s->items[last].at : s->stride[-1 - last];
        }
    }
    free(l.most);
    free(l.last);
    return most;
}
