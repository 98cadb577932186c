/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - what the parts of a search share: the costs of the blocks of a
 * shard, kept for all plans that share it; the best plans so far; the layout
 * of the plan at work. */
#include "search/exact/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "spec/plan_words.h"

typedef struct search_entry {
    p3d_shard shard;
    search_shard *costs; /* NULL = free slot */
} search_entry;

/* Entries that are kept from one search to the next: 160 MB at most. */
enum { FIRST_CAPACITY = 256, MOST_KEPT = 65536 };

bool search_same_shard(p3d_shard a, p3d_shard b)
{
#define AS_SAME(type, member, of, whole) a.member == b.member &&
    return P3D_SHARD_FIELDS(AS_SAME) true;
#undef AS_SAME
}

static unsigned hash_of(p3d_shard s)
{
    const unsigned parts[] = {
#define AS_PART(type, member, of, whole) (unsigned)s.member,
            P3D_SHARD_FIELDS(AS_PART)
#undef AS_PART
    };
    unsigned hash = 2166136261u; /* FNV-1a over the numbers */

    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        hash = (hash ^ parts[i]) * 16777619u;
    return hash ^ (hash >> 15);
}

/** Slot of a shard: its own, or the free one where it belongs. */
static search_entry *find(search_entry *entries, int capacity, p3d_shard shard)
{
    unsigned i = hash_of(shard) & (unsigned)(capacity - 1);

    while (entries[i].costs != NULL &&
            !search_same_shard(entries[i].shard, shard))
        i = (i + 1) & (unsigned)(capacity - 1);
    return &entries[i];
}

static bool grow(search_cache *cache)
{
    const int capacity =
            cache->capacity == 0 ? FIRST_CAPACITY : 2 * cache->capacity;
    search_entry *entries = calloc((size_t)capacity, sizeof(*entries));

    if (entries == NULL)
        return false;
    for (int i = 0; i < cache->capacity; i++) {
        if (cache->entries[i].costs != NULL)
            *find(entries, capacity, cache->entries[i].shard) =
                    cache->entries[i];
    }
    free(cache->entries);
    cache->entries = entries;
    cache->capacity = capacity;
    return true;
}

/** Add a block, n of it, all of them recomputed in one way. */
static void sum_block(
        search_shard *costs, int i, int n, p3d_recompute recompute)
{
    const p3d_block *block = &costs->blocks.block[i];
    const bool layer = i < P3D_N_LAYER_KINDS;
    const bool experts = layer && (i & P3D_LAYER_MOE) != 0;
    const double replay_s = layer ? block->replay_s[recompute] : 0;
    const double backward_s = block->backward_s - block->paired_s + replay_s;
    const double pass_s = block->forward_s + backward_s;

    costs->forward_s[i] = block->forward_s;
    costs->backward_s[i] = backward_s;
    costs->pass_s += n * pass_s;
    costs->common_pass_s +=
            n * (experts || costs->groups ? block->common_s : pass_s);
}

/** Sum the blocks of a shard. */
static void sum_blocks(p3d_recompute recompute, search_shard *costs)
{
    costs->pass_s = costs->common_pass_s = 0;
    for (int kind = 0; kind < costs->n_kinds; kind++)
        sum_block(costs, kind, costs->n_layers[kind], recompute);
    for (int end = P3D_N_LAYER_KINDS; end < P3D_N_BLOCKS; end++)
        sum_block(costs, end, 1, recompute);
}

/** Keep a shard's costs. @return false when memory ran out */
static bool put(search_cache *cache, p3d_shard shard, search_shard *costs)
{
    if (2 * cache->n_entries >= cache->capacity && !grow(cache))
        return false;
    *find(cache->entries, cache->capacity, shard) =
            (search_entry){shard, costs};
    cache->n_entries++;
    return true;
}

/** The shard with the same layers, but for their experts. */
static p3d_shard without_groups(p3d_shard shard)
{
    shard.ep = 1;
    shard.etp = shard.tp;
    return shard;
}

static const search_shard *build(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard)
{
    const p3d_shard alike = without_groups(shard);
    const search_shard *like = NULL;
    search_shard *costs;

    if (!search_same_shard(shard, alike)) {
        like = search_cache_get(cache, problem, alike);
        if (like == NULL)
            return NULL;
    }
    costs = malloc(sizeof(*costs));
    if (costs == NULL || !put(cache, shard, costs)) {
        free(costs);
        return NULL;
    }
    costs->n_kinds = cost_count_kinds(&problem->model, costs->n_layers);
    if (like == NULL) {
        p3d_blocks_build(problem, shard, &costs->blocks);
    } else {
        cost_blocks_copy(&like->blocks, costs->n_kinds, &costs->blocks);
        p3d_blocks_regroup(problem, shard, &costs->blocks);
    }
    costs->groups = cost_companion_groups(&problem->job);
    sum_blocks(P3D_RECOMPUTE_NONE, costs);
    return costs;
}

static const search_shard *known(const search_cache *cache, p3d_shard shard)
{
    return cache->capacity > 0
                   ? find(cache->entries, cache->capacity, shard)->costs
                   : NULL;
}

const search_shard *search_cache_get(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard)
{
    const search_shard *costs = known(cache, shard);

    return costs != NULL ? costs : build(cache, problem, shard);
}

const search_shard *search_cache_get_alike(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard)
{
    const p3d_shard alike = without_groups(shard);

    return search_same_shard(shard, alike)
                   ? NULL
                   : search_cache_get(cache, problem, alike);
}

bool search_cache_has(const search_cache *cache, p3d_shard shard)
{
    return known(cache, shard) != NULL;
}

/* Links above the nodes are crossed or not by how many nodes there are. */
static bool same_tiers(const p3d_cluster *c, const p3d_cluster *d)
{
    return memcmp(&c->tiers, &d->tiers, sizeof(c->tiers)) == 0 &&
           (c->tiers.n == 0 || c->n_gpus == d->n_gpus);
}

/* Blocks know the GPUs, the node and the network, but not how many nodes there
 * are where all are alike, nor the batch, nor what is kept free. Bytes between
 * members may differ without a reason: then the costs are worked out again.
 * Tested: tests/prop/test_search_cache.c */
static bool same_blocks(const p3d_problem *a, const p3d_problem *b)
{
    const p3d_cluster *c = &a->cluster, *d = &b->cluster;
    p3d_job job = a->job;

    job.global_batch = b->job.global_batch;
    job.reserve_bytes = b->job.reserve_bytes;
    job.fixed_reserve = b->job.fixed_reserve;
    job.sure_frac = b->job.sure_frac;
    job.sure_reserve_bytes = b->job.sure_reserve_bytes;
    return memcmp(&a->model, &b->model, sizeof(a->model)) == 0 &&
           memcmp(&c->gpu, &d->gpu, sizeof(c->gpu)) == 0 &&
           memcmp(&c->node, &d->node, sizeof(c->node)) == 0 &&
           memcmp(&c->fabric, &d->fabric, sizeof(c->fabric)) == 0 &&
           same_tiers(c, d) &&
           memcmp(&c->calibration, &d->calibration, sizeof(c->calibration)) ==
                   0 &&
           memcmp(&job, &b->job, sizeof(job)) == 0;
}

void search_cache_begin(search_cache *cache, const p3d_problem *problem)
{
    if (cache->n_entries > MOST_KEPT || !same_blocks(&cache->problem, problem))
        search_cache_free(cache);
    cache->problem = *problem;
}

p3d_search_cache *p3d_search_cache_create(p3d_error *err)
{
    p3d_search_cache *cache = calloc(1, sizeof(*cache));

    if (cache == NULL)
        (void)p3d_fail(err, P3D_SYSTEM, "out of memory");
    return cache;
}

void p3d_search_cache_destroy(p3d_search_cache *cache)
{
    if (cache != NULL)
        search_cache_free(cache);
    free(cache);
}

void search_cache_free(search_cache *cache)
{
    for (int i = 0; i < cache->capacity; i++)
        free(cache->entries[i].costs);
    free(cache->entries);
    *cache = (search_cache){.n_entries = 0};
}

/* Plans at work. */

/** Order of plans: time, memory, then their values. */
static int compare(const p3d_estimate *a, const p3d_estimate *b)
{
    const double ta = p3d_time_step_s(&a->time);
    const double tb = p3d_time_step_s(&b->time);
    const int64_t ma = p3d_memory_device_bytes(&a->memory);
    const int64_t mb = p3d_memory_device_bytes(&b->memory);

    if (ta != tb)
        return ta < tb ? -1 : 1;
    if (ma != mb)
        return ma < mb ? -1 : 1;
    return spec_plan_compare(&a->plan, &b->plan);
}

/** The same by memory, then time. */
static int compare_room(const p3d_estimate *a, const p3d_estimate *b)
{
    const int64_t ma = p3d_memory_device_bytes(&a->memory);
    const int64_t mb = p3d_memory_device_bytes(&b->memory);

    return ma != mb ? (ma < mb ? -1 : 1) : compare(a, b);
}

static bool has_chunks(const p3d_plan *p)
{
    return p->vp > 1;
}

bool search_same_family(const p3d_plan *p, const p3d_plan *q)
{
    return p->tp == q->tp && p->pp == q->pp && p->dp == q->dp &&
           p->cp == q->cp && p->ep == q->ep && p->etp == q->etp &&
           has_chunks(p) == has_chunks(q) && p->zero == q->zero &&
           p->recompute == q->recompute && p->offload == q->offload;
}

static void take_out(p3d_search_result *r, int at)
{
    r->n_top--;
    memmove(&r->top[at], &r->top[at + 1],
            (size_t)(r->n_top - at) * sizeof(r->top[0]));
}

/** Take out the kept plan of a family, unless it is better than this one.
 *  @return false when it is */
static bool replaces_kin(p3d_search_result *r, const p3d_estimate *e)
{
    for (int i = 0; i < r->n_top; i++) {
        if (!search_same_family(&r->top[i].plan, &e->plan))
            continue;
        if (compare(e, &r->top[i]) >= 0)
            return false;
        take_out(r, i);
        return true;
    }
    return true;
}

/** A plan within the limit that takes less than any before it, or as much and
 *  is faster: another order of its ranks. */
static void keep_roomier(search *s, const p3d_estimate *e)
{
    const p3d_estimate *const best = &s->result->top[0];

    if (p3d_time_step_s(&e->time) > s->limit_s ||
            (s->result->n_top > 0 && compare_room(e, best) >= 0))
        return;
    s->result->top[0] = *e;
    s->result->n_top = 1;
    s->usable_bytes = p3d_memory_device_bytes(&e->memory) - 1;
    s->improved = true;
}

static void keep_fast(search *s, const p3d_estimate *e)
{
    p3d_search_result *r = s->result;
    int at;

    if (!replaces_kin(r, e))
        return;
    at = r->n_top;
    while (at > 0 && compare(e, &r->top[at - 1]) < 0)
        at--;
    if (at >= s->n_top)
        return;
    if (r->n_top < s->n_top)
        r->n_top++;
    memmove(&r->top[at + 1], &r->top[at],
            (size_t)(r->n_top - 1 - at) * sizeof(r->top[0]));
    r->top[at] = *e;
    if (r->n_top == s->n_top)
        s->worst_s =
                fmin(s->limit_s, p3d_time_step_s(&r->top[s->n_top - 1].time));
}

static void keep_on_paper(search *s, const p3d_estimate *e)
{
    if (s->paper->tokens_per_s == 0 || compare(e, s->paper) < 0)
        *s->paper = *e;
    s->worst_s = fmin(s->worst_s, p3d_time_step_s(&s->paper->time));
}

void search_keep(search *s, const p3d_estimate *e)
{
    if (s->on_paper) {
        keep_on_paper(s, e);
        return;
    }
    if (s->aim == SEARCH_ROOMIEST) {
        keep_roomier(s, e);
        return;
    }
    keep_fast(s, e);
    s->found =
            s->aim == SEARCH_ANY ||
            (s->aim == SEARCH_QUICK && p3d_time_step_s(&e->time) <= s->limit_s);
}

bool search_is_beaten(const search *s, const p3d_plan *plan, double bound_s)
{
    const p3d_search_result *r = s->result;

    if (s->aim != SEARCH_FASTEST || s->on_paper)
        return false;
    for (int i = 0; i < r->n_top; i++) {
        if (bound_s > p3d_time_step_s(&r->top[i].time) &&
                (i == s->n_top - 1 ||
                        search_same_family(&r->top[i].plan, plan)))
            return true;
    }
    return false;
}

bool search_tells(const search *s, double bound_s)
{
    return s->told != NULL &&
           bound_s <= s->worst_s * (1 + s->told->within_frac) &&
           bound_s < HUGE_VAL;
}

bool search_cut(search *s, int64_t n, double bound_s)
{
    p3d_search_result *r = s->result;

    if (bound_s <= s->worst_s)
        return false;
    s->leaf_s = fmin(s->leaf_s, bound_s);
    r->n_cut += n;
    if (n > 0 && (r->cut_s == 0 || bound_s < r->cut_s))
        r->cut_s = bound_s;
    return true;
}

const cost_layout *search_layout(search *s, const p3d_plan *plan)
{
    const p3d_plan *of = &s->layout_plan;

    if (of->pp != plan->pp || of->vp != plan->vp ||
            of->first_layers != plan->first_layers ||
            of->last_layers != plan->last_layers ||
            of->short_chunk != plan->short_chunk || of->tail != plan->tail ||
            of->uneven != plan->uneven) {
        P3D_ASSERT(cost_layout_build(s->problem, plan, &s->layout));
        s->layout_plan = *plan;
        s->have_kind_starts = false;
    }
    return &s->layout;
}

cost_case search_case(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    return (cost_case){s->problem, plan, blocks, search_layout(s, plan)};
}

bool search_recalls(
        const search *s, const search_question *question, bool *too_large)
{
    return s->memo != NULL && search_memo_get(s->memo, question, too_large);
}

bool search_remember(
        const search *s, const search_question *question, bool too_large)
{
    if (s->memo != NULL)
        search_memo_put(s->memo, question, too_large);
    return too_large;
}

bool search_exceeds(search *s, const p3d_plan *plan, const p3d_blocks *blocks,
        int64_t limit_bytes)
{
    const cost_case of = search_case(s, plan, blocks);

    return cost_exceeds(&of, limit_bytes, &s->tight_rank);
}

static void find_kind_starts(
        const p3d_model *m, const cost_layout *layout, bool *starts)
{
    for (int chunk = 0; chunk < layout->n_chunks; chunk++) {
        const int n = cost_chunk_layers(layout, chunk);
        unsigned seen = 0;

        for (int i = 0; i < n; i++) {
            const unsigned kind = 1u
                                  << cost_kind_at(m, layout->first[chunk] + i);

            starts[i] |= (seen & kind) == 0;
            seen |= kind;
        }
    }
}

const bool *search_kind_starts(search *s, const p3d_plan *plan)
{
    const cost_layout *layout = search_layout(s, plan);

    if (!s->have_kind_starts) {
        memset(s->kind_starts, 0, sizeof(s->kind_starts));
        find_kind_starts(&s->problem->model, layout, s->kind_starts);
        s->have_kind_starts = true;
    }
    return s->kind_starts;
}

static void begin_recomputed(search *s, const search_shard *costs)
{
    search_shard *const to = &s->recomputed;

    cost_blocks_copy(&costs->blocks, costs->n_kinds, &to->blocks);
    memcpy(to->n_layers, costs->n_layers, sizeof(to->n_layers));
    to->n_kinds = costs->n_kinds;
    to->groups = costs->groups;
    s->recomputed_of = costs;
}

const search_shard *search_recompute(
        search *s, const search_shard *costs, unsigned modules)
{
    if (s->recomputed_of != costs)
        begin_recomputed(s, costs);
    cost_blocks_recompute(cost_modules(s->problem->job.framework, modules),
            costs->n_kinds, &s->recomputed.blocks);
    sum_blocks(P3D_RECOMPUTE_SELECTIVE, &s->recomputed);
    return &s->recomputed;
}
