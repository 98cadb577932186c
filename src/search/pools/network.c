/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c - which links are tight for a plan on pools of several types, and
 * what others would give. */
#include "plan3d/pools_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "search/pools/seek.h"
#include "search/pools/wires.h"
#include "spec/pool_links.h"
#include "spec/tiers.h"

/* More than any traffic fills. */
static const double UNLIMITED = 1e6;

/* The plan, and the room to work it out in on other networks. Large. */
typedef struct asker {
    const p3d_pools_problem *problem;
    p3d_pools_plan plan; /* on it */
    p3d_pools_plan on;   /* on `changed` */
    p3d_pools_problem changed;
    p3d_pools_network *out;
    search_pool_world world;
} asker;

static p3d_cluster *cluster_of(asker *a, int pool)
{
    return &a->changed.pools.clusters[pool];
}

static void begin_change(asker *a)
{
    a->changed.pools = a->problem->pools;
}

/* Work the plan out on the changed pools. @return its step; 0 = none */
static double step_on(asker *a)
{
    for (int k = 0; k < a->changed.pools.n_pools; k++)
        a->changed.on[k].cluster = *cluster_of(a, k);
    a->on = a->plan;
    a->on.step_s = 0;
    (void)p3d_pools_estimate(&a->changed, &a->on);
    return a->on.step_s;
}

/* Note what the change to links of no limit takes off the plan. */
static void note_cost(asker *a, const p3d_pools_plan *with, p3d_pools_cut *cut)
{
    const double free_s = step_on(a);

    if (free_s <= 0)
        return;
    cut->cost_s = fmax(0, with->step_s - free_s);
    cut->cost_frac = cut->cost_s / a->out->step_s;
    cut->pipeline_s =
            fmax(0, fmin(cut->cost_s, with->pipeline_s - a->on.pipeline_s));
}

/* Cards of no limit, below no switches, against cards below none. */
static void cost_of_cards(asker *a, p3d_pools_cut *cut)
{
    p3d_cluster *const c = cluster_of(a, cut->pool);
    p3d_pools_plan flat;

    begin_change(a);
    c->tiers.n = 0;
    if (step_on(a) <= 0)
        return;
    flat = a->on;
    c->fabric.nic_bytes_per_s_one_way *= UNLIMITED;
    spec_pools_renew_links(&a->changed.pools);
    note_cost(a, &flat, cut);
}

/* Those above keep the rate that they have. */
static void cost_of_tier(asker *a, p3d_pools_cut *cut)
{
    const p3d_cluster *const own = &a->problem->pools.clusters[cut->pool];
    p3d_cluster *const c = cluster_of(a, cut->pool);

    begin_change(a);
    for (int i = cut->tier - 1; i < c->tiers.n; i++)
        c->tiers.at[i].uplink_bytes_per_s =
                cost_uplink_bytes_per_s(own, i) *
                (i == cut->tier - 1 ? UNLIMITED : 1);
    c->tiers.at[cut->tier - 1].routing = P3D_LINKS_ADAPTIVE;
    note_cost(a, &a->plan, cut);
}

/* GPUs that the rings of a pool have elsewhere. */
static double n_beyond(const asker *a, int pool)
{
    double n = 0;

    for (int k = 0; k < a->problem->pools.n_pools; k++)
        if (k != pool && a->plan.n_gpus[k] > 0)
            n += a->problem->pools.clusters[k].n_gpus;
    return n;
}

/* The load of rings, where it is the tightest so far. */
static void offer_load(const p3d_cluster *own, const cost_far_ring *ring,
        int tier, p3d_pools_load *load)
{
    const cost_cut cards = cost_far_cut(own, ring, -1);
    const cost_cut cut = cost_far_cut(own, ring, tier - 1);
    double of_cards;

    if (cut.n_below == 0 || cut.load <= 0)
        return;
    of_cards = cut.load / (cut.bytes_per_s * cut.spread_frac) *
               cards.bytes_per_s / cards.load;
    if (of_cards <= load->of_cards_frac)
        return;
    load->load_frac = cut.load / cut.n_below;
    load->spread_frac = cut.spread_frac;
    load->of_cards_frac = of_cards;
}

/* Whether the stage's crossing leaves its node, and to what pool. */
static bool crosses(const search_pool_stage *stages, int i, int *to)
{
    const search_pool_shard *const s = stages[i].shard;
    int in_pool = 0;

    if (i + 1 == stages[i].n_stages)
        return false;
    *to = stages[i + 1].shard->pool;
    for (int j = 0; j < stages[i].n_stages; j++)
        in_pool += stages[j].shard->pool == s->pool;
    return *to != s->pool || in_pool > s->stages_in_node;
}

/* What the stages of a class send through a cut: gradients, boundaries. */
static void offer_class(asker *a, const p3d_replica_class *class,
        const p3d_pools_cut *cut, p3d_pools_load loads[2])
{
    const p3d_cluster *const own = &a->problem->pools.clusters[cut->pool];
    search_pool_stage stages[P3D_MAX_POOL_STAGES];
    const int n = search_pool_stages_in(&a->world, class, stages);
    int to = 0;

    for (int i = 0; i < n; i++) {
        const search_pool_shard *const shard = stages[i].shard;
        cost_far_ring ring;

        if (shard->pool == cut->pool && a->plan.n_replicas > 1) {
            ring = search_pool_ring(&a->world, &stages[i],
                    search_pool_trained(&a->world, &stages[i]));
            offer_load(own, &ring, cut->tier, &loads[0]);
        }
        if (!crosses(stages, i, &to) ||
                (shard->pool != cut->pool && to != cut->pool))
            continue;
        ring = (cost_far_ring){.stride = shard->tp,
                .n_sending = cost_domain(own),
                .n_beyond = to == shard->pool ? 0 : n_beyond(a, cut->pool)};
        offer_load(own, &ring, cut->tier, &loads[1]);
    }
}

static void add_loads(asker *a, int at)
{
    p3d_pools_network *const out = a->out;
    p3d_pools_load loads[2] = {{.cut = at, .axis = "dp", .pattern = "ring"},
            {.cut = at, .axis = "pp", .pattern = "neighbours"}};

    for (int i = 0; i < a->plan.n_classes; i++)
        offer_class(a, &a->plan.classes[i], &out->cuts[at], loads);
    for (int i = 0; i < P3D_COUNT_OF(loads); i++)
        if (loads[i].load_frac > 0)
            out->loads[out->n_loads++] = loads[i];
}

static void add_cut(asker *a, int pool, int tier)
{
    p3d_pools_network *const out = a->out;
    const cost_far_ring all = {
            .stride = 1, .n_sending = 1, .n_beyond = n_beyond(a, pool)};
    const cost_cut cut =
            cost_far_cut(&a->problem->pools.clusters[pool], &all, tier - 1);
    p3d_pools_cut *const to = &out->cuts[out->n_cuts];

    *to = (p3d_pools_cut){.pool = pool,
            .other = -1,
            .tier = tier,
            .gpus_below = cut.n_below,
            .bytes_per_s = cut.bytes_per_s};
    if (cut.n_below > 0 && tier == 0)
        cost_of_cards(a, to);
    else if (cut.n_below > 0)
        cost_of_tier(a, to);
    add_loads(a, out->n_cuts++);
}

/* Links that nobody said have no limit but that of the slower pool's cards. */
static bool is_used(const asker *a, const p3d_pool_link *link)
{
    return !link->assumed && a->plan.n_gpus[link->pool] > 0 &&
           a->plan.n_gpus[link->other] > 0;
}

static void add_link(asker *a, int i)
{
    const p3d_pool_link *const link = &a->problem->pools.links[i];
    p3d_pools_cut *const to = &a->out->cuts[a->out->n_cuts++];

    *to = (p3d_pools_cut){.pool = link->pool,
            .other = link->other,
            .gpus_below =
                    a->problem->pools.clusters[link->pool].node.gpus_per_node,
            .bytes_per_s = link->bytes_per_s_one_way};
    begin_change(a);
    a->changed.pools.links[i].bytes_per_s_one_way *= UNLIMITED;
    note_cost(a, &a->plan, to);
}

static void add_change(asker *a, const char *what)
{
    p3d_network_change *const to = &a->out->changes[a->out->n_changes];
    const double step_s = step_on(a);

    if (step_s <= 0 || a->out->n_changes == P3D_MAX_POOLS_CHANGES)
        return;
    (void)p3d_copy(to->what, sizeof(to->what), what);
    to->step_s = step_s;
    to->slower_frac = step_s / a->out->step_s - 1;
    a->out->n_changes++;
}

/* What an option would give that changes the tiers of all pools. */
static void add_said(
        asker *a, spec_tiers_said said, const char *option, const char *value)
{
    char what[64];
    bool differs = false;

    begin_change(a);
    for (int k = 0; k < a->changed.pools.n_pools; k++) {
        const p3d_tiers *const own = &a->problem->pools.clusters[k].tiers;

        if (!spec_tiers_set(&said, cluster_of(a, k), NULL))
            return;
        differs = differs ||
                  memcmp(&cluster_of(a, k)->tiers, own, sizeof(*own)) != 0;
    }
    (void)snprintf(what, sizeof(what), "--%s %s", option, value);
    if (differs)
        add_change(a, what);
}

static void add_options(asker *a)
{
    static const char *const ratios[] = {"1", "2", "3", "4", "8", "16"};
    bool has_tiers = false;

    for (int k = 0; k < a->problem->pools.n_pools; k++)
        has_tiers = has_tiers || a->problem->pools.clusters[k].tiers.n > 0;
    for (int i = 0; i < P3D_COUNT_OF(ratios); i++)
        add_said(a,
                (spec_tiers_said){.oversubscription = strtod(ratios[i], NULL)},
                "oversubscription", ratios[i]);
    for (int i = 0; spec_placement_word(i) != NULL && has_tiers; i++)
        add_said(a, (spec_tiers_said){.placement = 1 + i}, "placement",
                spec_placement_word(i));
    for (int i = 0; i < P3D_N_LINK_CHOICES && has_tiers; i++)
        add_said(a, (spec_tiers_said){.routing = 1 + i}, "routing",
                p3d_link_choice_word(i));
    for (int i = 0; spec_rails_word(i) != NULL && has_tiers; i++)
        add_said(a, (spec_tiers_said){.rails = 1 + i}, "rails",
                spec_rails_word(i));
}

/* Twice as fast cards and links, one by one. */
static void add_rates(asker *a)
{
    const p3d_pools *const pools = &a->problem->pools;
    char what[160];

    for (int k = 0; k < pools->n_pools; k++) {
        if (a->plan.n_gpus[k] == 0)
            continue;
        begin_change(a);
        cluster_of(a, k)->fabric.nic_bytes_per_s_one_way *= 2;
        spec_pools_renew_links(&a->changed.pools);
        (void)snprintf(what, sizeof(what), "network cards of %s twice as fast",
                pools->names[k]);
        add_change(a, what);
    }
    for (int i = 0; i < pools->n_links; i++) {
        const p3d_pool_link *const link = &pools->links[i];

        if (!is_used(a, link))
            continue;
        begin_change(a);
        a->changed.pools.links[i].bytes_per_s_one_way *= 2;
        (void)snprintf(what, sizeof(what), "links of %s and %s twice as fast",
                pools->names[link->pool], pools->names[link->other]);
        add_change(a, what);
    }
}

static void add_all(asker *a)
{
    const p3d_pools *const pools = &a->problem->pools;
    p3d_pools_network *const out = a->out;

    for (int k = 0; k < pools->n_pools; k++)
        for (int tier = 0;
                tier <= pools->clusters[k].tiers.n && a->plan.n_gpus[k] > 0;
                tier++)
            add_cut(a, k, tier);
    for (int i = 0; i < pools->n_links; i++)
        if (is_used(a, &pools->links[i]))
            add_link(a, i);
    for (int i = 0; i < out->n_cuts; i++)
        if (out->cuts[i].cost_s > 0 &&
                (out->tight < 0 ||
                        out->cuts[i].cost_s > out->cuts[out->tight].cost_s))
            out->tight = i;
    add_options(a);
    add_rates(a);
}

static bool walk(asker *a, p3d_error *err)
{
    const bool ok = search_pool_open(a->problem, &a->world, err);

    if (ok) {
        (void)search_pool_judge(&a->world, &a->plan);
        a->changed = *a->problem;
        add_all(a);
    }
    search_pool_close(&a->world);
    return ok;
}

bool p3d_pools_network_of(const p3d_pools_problem *problem,
        const p3d_pools_plan *plan, p3d_pools_network *out, p3d_error *err)
{
    asker *a;
    bool ok;

    if (out == NULL)
        return p3d_misuse(err, __func__);
    *out = (p3d_pools_network){.tight = -1};
    if (problem == NULL || plan == NULL)
        return p3d_misuse(err, __func__);
    a = malloc(sizeof(*a));
    if (a == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    a->problem = problem;
    a->out = out;
    a->plan = *plan;
    a->plan.step_s = 0;
    (void)p3d_pools_estimate(problem, &a->plan);
    out->step_s = a->plan.step_s;
    ok = out->step_s > 0 ? walk(a, err) : p3d_misuse(err, __func__);
    free(a);
    return ok;
}
