/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c - which links of the network are tight for a plan, and what others
 * would give. */
#include "plan3d/network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "spec/given.h"
#include "spec/tiers.h"

/* More than any traffic fills. */
static const double UNLIMITED = 1e6;

/* How the groups of an axis exchange. */
static const struct {
    p3d_axis axis;
    cost_pattern pattern;
    const char *word;
} axes[] = {{P3D_AXIS_TP, COST_RING, "ring"},
        {P3D_AXIS_HEADS, COST_ALL_TO_ALL, "all-to-all"},
        {P3D_AXIS_RING, COST_RING, "ring"},
        {P3D_AXIS_EP, COST_ALL_TO_ALL, "all-to-all"},
        {P3D_AXIS_DP, COST_RING, "ring"},
        {P3D_AXIS_EXPERT_DP, COST_RING, "ring"},
        {P3D_AXIS_SHARD, COST_RING, "ring"}, {P3D_AXIS_COPY, COST_RING, "ring"},
        {P3D_AXIS_PP, COST_RING, "neighbours"}};

/** The plan on another network. @return false where it is not legal */
static bool time_on(const p3d_problem *problem, const p3d_cluster *cluster,
        const p3d_plan *plan, p3d_time *out)
{
    p3d_problem changed = *problem;
    p3d_estimate estimate;
    p3d_refusal ignored;

    changed.cluster = *cluster;
    if (!p3d_estimate_plan(&changed, plan, &estimate, &ignored))
        return false;
    *out = estimate.time;
    return true;
}

/** The cluster with links of no limit in a tier; those above keep the rate that
 *  they have. */
static p3d_cluster without_limit(const p3d_cluster *cluster, int tier)
{
    p3d_cluster out = *cluster;

    for (int i = tier - 1; i < out.tiers.n; i++)
        out.tiers.at[i].uplink_bytes_per_s =
                cost_uplink_bytes_per_s(cluster, i) *
                (i == tier - 1 ? UNLIMITED : 1);
    out.tiers.at[tier - 1].routing = P3D_LINKS_ADAPTIVE;
    return out;
}

/** The term that grew most from one time to the other; NULL = none did. */
static const char *grown_most(const p3d_time *from, const p3d_time *to)
{
    const char *most = NULL;
    double most_s = 0;

#define P3D_AS_MOST(field, words)                   \
    if (to->field##_s - from->field##_s > most_s) { \
        most_s = to->field##_s - from->field##_s;   \
        most = words;                               \
    }
    P3D_TIME_TERMS(P3D_AS_MOST)
#undef P3D_AS_MOST
    return most;
}

/** The plan with a cut as it is, and with links of no limit there: with no
 *  tier above the cards, and with all tiers. */
static bool time_both(const p3d_problem *problem, const p3d_estimate *estimate,
        int tier, p3d_time both[2])
{
    p3d_cluster flat = problem->cluster, freed;

    flat.tiers.n = 0;
    freed = flat;
    freed.fabric.nic_bytes_per_s_one_way *= UNLIMITED;
    if (tier == 0)
        return time_on(problem, &flat, &estimate->plan, &both[0]) &&
               time_on(problem, &freed, &estimate->plan, &both[1]);
    freed = without_limit(&problem->cluster, tier);
    both[0] = estimate->time;
    return time_on(problem, &freed, &estimate->plan, &both[1]);
}

static void add_cut(const p3d_problem *problem, const p3d_estimate *estimate,
        int tier, p3d_network *out)
{
    const p3d_cluster *const c = &problem->cluster;
    const cost_axis all = {.n_ranks = c->n_gpus, .stride = 1};
    const cost_cut cut = cost_cut_above(c, &all, COST_RING, tier - 1);
    p3d_network_cut *const to = &out->cuts[out->n_cuts++];
    p3d_time both[2];

    *to = (p3d_network_cut){.tier = tier,
            .gpus_below = cut.n_below,
            .bytes_per_s = cut.bytes_per_s};
    if (cut.n_below == 0 || !time_both(problem, estimate, tier, both))
        return;
    to->cost_s = fmax(0, p3d_time_step_s(&both[0]) - p3d_time_step_s(&both[1]));
    to->cost_frac = to->cost_s / out->step_s;
    to->term = to->cost_s > 0 ? grown_most(&both[1], &both[0]) : NULL;
}

/** Time of a cut over that of the cards, of which a neighbour in a pipeline
 *  has one (cost_p2p_s()). */
static double of_cards(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern, bool neighbours, const cost_cut *cut)
{
    const cost_cut cards = cost_cut_above(cluster, axis, pattern, -1);
    const double ranks_a_card = fmax(1,
            (double)cluster->node.gpus_per_node / cluster->node.nics_per_node);
    const double load = neighbours
                                ? fmax(cards.load, cards.n_below / ranks_a_card)
                                : cards.load;

    return cut->load / load * cards.bytes_per_s /
           (cut->bytes_per_s * cut->spread_frac);
}

static void add_loads(const p3d_problem *problem, const p3d_plan *plan,
        int tier, p3d_network *out)
{
    const p3d_cluster *const c = &problem->cluster;

    for (int i = 0; i < P3D_COUNT_OF(axes); i++) {
        const cost_axis axis = cost_axis_of(plan, axes[i].axis);
        const cost_pattern pattern = axes[i].pattern;
        const cost_cut cut = cost_cut_above(c, &axis, pattern, tier - 1);
        const bool parted =
                axes[i].axis == P3D_AXIS_SHARD || axes[i].axis == P3D_AXIS_COPY;

        if (axis.n_ranks < 2 || cut.n_below == 0 || cut.load <= 0 ||
                (parted && plan->shard == 0) ||
                (axes[i].axis == P3D_AXIS_EXPERT_DP && plan->ep == 1))
            continue;
        out->loads[out->n_loads++] =
                (p3d_network_load){.axis = p3d_axis_word(axes[i].axis),
                        .pattern = axes[i].word,
                        .n_ranks = axis.n_ranks,
                        .tier = tier,
                        .load_frac = cut.load / cut.n_below,
                        .spread_frac = cut.spread_frac,
                        .of_cards_frac = of_cards(c, &axis, pattern,
                                axes[i].axis == P3D_AXIS_PP, &cut)};
    }
}

static void add_change(const p3d_problem *problem, const p3d_cluster *cluster,
        const p3d_plan *plan, const char *what, p3d_network *out)
{
    p3d_network_change *const to = &out->changes[out->n_changes];
    p3d_time time;

    if (out->n_changes == P3D_MAX_NETWORK_CHANGES ||
            !time_on(problem, cluster, plan, &time))
        return;
    (void)p3d_copy(to->what, sizeof(to->what), what);
    to->step_s = p3d_time_step_s(&time);
    to->slower_frac = to->step_s / out->step_s - 1;
    out->n_changes++;
}

/** What options that change the tiers would give. */
static void add_said(const p3d_problem *problem, const p3d_plan *plan,
        spec_tiers_said said, const char *what, p3d_network *out)
{
    p3d_cluster cluster = problem->cluster;

    if (spec_tiers_set(&said, &cluster, NULL) &&
            memcmp(&cluster.tiers, &problem->cluster.tiers,
                    sizeof(cluster.tiers)) != 0)
        add_change(problem, &cluster, plan, what, out);
}

static int by_switch(const void *a, const void *b)
{
    const p3d_stretch *const x = a, *const y = b;

    for (int i = P3D_MAX_TIERS - 1; i >= 0; i--)
        if (x->switch_of[i] != y->switch_of[i])
            return x->switch_of[i] < y->switch_of[i] ? -1 : 1;
    return 0;
}

/** The hosts of the list in another order: those below a switch together. */
static void add_sorted(
        const p3d_problem *problem, const p3d_plan *plan, p3d_network *out)
{
    p3d_cluster cluster = problem->cluster;
    p3d_tiers *const tiers = &cluster.tiers;
    int left = cluster.n_nodes;

    if (tiers->placement != P3D_PLACEMENT_HOSTS)
        return;
    for (int i = 0; i < tiers->n_stretches; i++) { /* the job's hosts alone */
        p3d_stretch *const s = &tiers->stretches[i];

        s->n_nodes = s->n_nodes < left ? s->n_nodes : left;
        left -= s->n_nodes;
        tiers->n_stretches = left > 0 ? tiers->n_stretches : i + 1;
    }
    qsort(tiers->stretches, (size_t)tiers->n_stretches,
            sizeof(tiers->stretches[0]), by_switch);
    if (memcmp(tiers, &problem->cluster.tiers, sizeof(*tiers)) != 0)
        add_change(problem, &cluster, plan, "hosts sorted by switch", out);
}

/** Whether no file of another program says how the switches are wired. */
static bool is_wired_by_words(const p3d_tiers *tiers)
{
    return tiers->n > 0 && tiers->n_nodes == 0;
}

static void add_changes(
        const p3d_problem *problem, const p3d_plan *plan, p3d_network *out)
{
    static const int ratios[] = {1, 2, 3, 4, 8, 16};
    const p3d_tiers *const tiers = &problem->cluster.tiers;
    p3d_plan other = *plan;
    char what[64];

    for (int i = 0; i < P3D_COUNT_OF(ratios); i++) {
        (void)snprintf(what, sizeof(what), "--oversubscription %d", ratios[i]);
        add_said(problem, plan,
                (spec_tiers_said){.oversubscription = ratios[i]}, what, out);
    }
    add_sorted(problem, plan, out);
    for (int i = 0; spec_placement_word(i) != NULL && tiers->n > 0; i++) {
        (void)snprintf(
                what, sizeof(what), "--placement %s", spec_placement_word(i));
        add_said(problem, plan, (spec_tiers_said){.placement = 1 + i}, what,
                out);
    }
    for (int i = 0; i < P3D_N_LINK_CHOICES && tiers->n > 0; i++) {
        (void)snprintf(
                what, sizeof(what), "--routing %s", p3d_link_choice_word(i));
        add_said(problem, plan, (spec_tiers_said){.routing = 1 + i}, what, out);
    }
    for (int i = 0; spec_rails_word(i) != NULL && is_wired_by_words(tiers);
            i++) {
        (void)snprintf(what, sizeof(what), "--rails %s", spec_rails_word(i));
        add_said(problem, plan, (spec_tiers_said){.rails = 1 + i}, what, out);
    }
    for (int i = 0; i < P3D_N_ORDERS; i++) {
        other.order = (p3d_order)i;
        (void)snprintf(
                what, sizeof(what), "order=%s", p3d_order_name(other.order));
        if (other.order != plan->order && plan->pp > 1)
            add_change(problem, &problem->cluster, &other, what, out);
    }
}

void p3d_network_of(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_network *out)
{
    if (out == NULL)
        return;
    *out = (p3d_network){.tight = -1};
    if (!spec_problem_given(problem) || !spec_estimate_given(estimate))
        return;
    out->step_s = p3d_time_step_s(&estimate->time);
    for (int tier = 0; tier <= problem->cluster.tiers.n; tier++) {
        add_cut(problem, estimate, tier, out);
        add_loads(problem, &estimate->plan, tier, out);
        if (out->cuts[tier].cost_s > 0 &&
                (out->tight < 0 ||
                        out->cuts[tier].cost_s > out->cuts[out->tight].cost_s))
            out->tight = tier;
    }
    if (problem->cluster.n_nodes > 1)
        add_changes(problem, &estimate->plan, out);
}
