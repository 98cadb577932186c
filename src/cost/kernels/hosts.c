/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.c - what the groups of an axis send up from switches, where a list of
 * hosts says below which each node is. */
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"

/** Switches of one tier: stretches of GPUs below each, and what is counted. */
typedef struct switches {
    int n;    /* stretches */
    int near; /* one that was looked at */
    int n_of; /* switches */
    int end[P3D_MAX_STRETCHES];
    int of[P3D_MAX_STRETCHES];    /* switch of each stretch */
    int below[P3D_MAX_STRETCHES]; /* GPUs of each switch */
    int ranks[P3D_MAX_STRETCHES]; /* of one group; 0 between groups */
    double up[P3D_MAX_STRETCHES]; /* bytes */
} switches;

/** Ranks of an axis that differ in nothing else: the k-th is at place_of(k)
 *  from the first, and n after n they make a group. */
typedef struct column {
    const cost_axis *axis;
    int first;
    int n_ranks;
} column;

static void begin(const p3d_cluster *cluster, int tier, switches *out)
{
    const p3d_tiers *const tiers = &cluster->tiers;
    int end = 0;

    out->n = out->n_of = out->near = 0;
    for (int i = 0; i < tiers->n_stretches && end < cluster->n_gpus; i++) {
        const int of = tiers->stretches[i].switch_of[tier];
        const int more =
                tiers->stretches[i].n_nodes * cluster->node.gpus_per_node;
        const int rest = cluster->n_gpus - end;

        for (; out->n_of <= of; out->n_of++) {
            out->below[out->n_of] = out->ranks[out->n_of] = 0;
            out->up[out->n_of] = 0;
        }
        end += more < rest ? more : rest;
        out->below[of] += more < rest ? more : rest;
        out->n -= out->n > 0 && out->of[out->n - 1] == of;
        out->of[out->n] = of;
        out->end[out->n++] = end;
    }
}

/** The stretch of a GPU, from one nearby. */
static int stretch_at(const switches *s, int near, int gpu)
{
    while (s->end[near] <= gpu)
        near++;
    while (near > 0 && s->end[near - 1] > gpu)
        near--;
    return near;
}

static int place_of(const cost_axis *a, int k)
{
    return a->n_inner == 0
                   ? k * a->stride
                   : k % a->n_inner * a->stride + k / a->n_inner * a->block;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/** A byte from each of so many neighbouring GPUs to those that begin at
 *  `to`. */
static void send(switches *s, int from, int to, int n)
{
    int a = s->near = stretch_at(s, s->near, from);
    int b = stretch_at(s, a, to);

    while (n > 0) {
        const int k = least(n, least(s->end[a] - from, s->end[b] - to));

        if (s->of[a] != s->of[b])
            s->up[s->of[a]] += k;
        from += k;
        to += k;
        n -= k;
        a += n > 0 && from == s->end[a];
        b += n > 0 && to == s->end[b];
    }
}

static void send_rings(switches *s, column of)
{
    const int n = of.axis->n_ranks;

    for (int k = 0; k + n <= of.n_ranks; k += n)
        for (int i = 0; i < n; i++)
            send(s, of.first + place_of(of.axis, k + i),
                    of.first + place_of(of.axis, k + (i + 1) % n),
                    of.axis->stride);
}

/** Count the ranks of a group below each switch. @return GPUs from here on
 *  whose groups lie below the same ones */
static int count_ranks(switches *s, column of, int k)
{
    int alike = of.axis->stride, at = 0;

    for (int i = 0; i < of.axis->n_ranks; i++) {
        const int gpu = of.first + place_of(of.axis, k + i);

        at = stretch_at(s, at, gpu);
        s->ranks[s->of[at]]++;
        alike = least(alike, s->end[at] - gpu);
    }
    return alike;
}

/** So many groups like the one that was counted exchange, each rank a byte. */
static void exchange(switches *s, column of, int k, int n_groups)
{
    const int n = of.axis->n_ranks;
    int at = 0;

    for (int i = 0; i < n; i++) {
        at = stretch_at(s, at, of.first + place_of(of.axis, k + i));

        const int q = s->ranks[s->of[at]];

        s->ranks[s->of[at]] = 0;
        s->up[s->of[at]] += (double)n_groups * q * (n - q) / n;
    }
}

static void exchange_all(switches *s, column of)
{
    const int first = of.first;
    const int n = of.axis->n_ranks;

    for (int k = 0; k + n <= of.n_ranks; k += n)
        for (int j = 0; j < of.axis->stride;) {
            of.first = first + j;

            const int more = least(count_ranks(s, of, k), of.axis->stride - j);

            exchange(s, of, k, more);
            j += more;
        }
}

/** What is asked of the switches, and the answer. */
typedef struct load {
    cost_axis axis;
    cost_pattern pattern;
    int tier;
    int n_below; /* 0 = nothing crosses */
    double bytes;
    bool known;
} load;

static load count(const p3d_cluster *cluster, load out)
{
    const cost_axis *const axis = &out.axis;
    const int run = axis->stride * axis->n_inner;
    const int n_columns = run > 0 ? axis->block / run : 1;
    const int n_ranks = cluster->n_gpus / axis->stride / n_columns;
    switches s;
    int most = 0;

    out.known = true;
    begin(cluster, out.tier, &s);
    if (s.n < 2)
        return out;
    for (int i = 0; i < n_columns; i++) {
        const column of = {axis, i * run, n_ranks};

        if (out.pattern == COST_RING)
            send_rings(&s, of);
        else
            exchange_all(&s, of);
    }
    for (int i = 1; i < s.n_of; i++)
        if (s.up[i] > s.up[most])
            most = i;
    out.bytes = s.up[most];
    out.n_below = s.below[most];
    return out;
}

enum { MEMO_LOADS = 512 };

/** Loads of the last placement of this thread: a search asks for few axes, and
 *  for each of them once a plan. */
static _Thread_local struct {
    int n_gpus;
    int gpus_per_node;
    int n_stretches;
    p3d_stretch stretches[P3D_MAX_STRETCHES];
    load of[MEMO_LOADS];
} memo;

/** Whether the memo is of this placement; all that a load depends on is
 *  compared. */
static bool is_remembered(const p3d_cluster *cluster)
{
    const p3d_tiers *const tiers = &cluster->tiers;

    return memo.n_gpus == cluster->n_gpus &&
           memo.gpus_per_node == cluster->node.gpus_per_node &&
           memo.n_stretches == tiers->n_stretches &&
           memcmp(memo.stretches, tiers->stretches,
                   sizeof(memo.stretches[0]) * (size_t)tiers->n_stretches) == 0;
}

static void remember(const p3d_cluster *cluster)
{
    const p3d_tiers *const tiers = &cluster->tiers;

    memset(memo.of, 0, sizeof(memo.of));
    memo.n_gpus = cluster->n_gpus;
    memo.gpus_per_node = cluster->node.gpus_per_node;
    memo.n_stretches = tiers->n_stretches;
    memcpy(memo.stretches, tiers->stretches, sizeof(memo.stretches));
}

static bool is_same_question(const load *a, const load *b)
{
    return a->axis.n_ranks == b->axis.n_ranks &&
           a->axis.stride == b->axis.stride &&
           a->axis.n_inner == b->axis.n_inner &&
           a->axis.block == b->axis.block && a->pattern == b->pattern &&
           a->tier == b->tier;
}

static unsigned slot_of(const load *of)
{
    const int parts[] = {of->axis.n_ranks, of->axis.stride, of->axis.n_inner,
            of->axis.block, (int)of->pattern, of->tier};
    unsigned hash = 0;

    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        hash = (hash ^ (unsigned)parts[i]) * 2654435761u;
    return (hash >> 16) % MEMO_LOADS;
}

double cost_load_of_hosts(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern, int tier, int *n_below)
{
    const load asked = {.axis = *axis, .pattern = pattern, .tier = tier};
    load *const slot = &memo.of[slot_of(&asked)];

    if (!is_remembered(cluster))
        remember(cluster);
    if (!slot->known || !is_same_question(slot, &asked))
        *slot = count(cluster, asked);
    *n_below = slot->n_below;
    return slot->bytes;
}
