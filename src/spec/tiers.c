/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiers.c - the switches above the nodes: of a cluster's file, of options. */
#include "spec/tiers.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware_rows.h"

const char *p3d_link_choice_word(int i)
{
    static const char *const words[P3D_N_LINK_CHOICES] = {
            [P3D_LINKS_ADAPTIVE] = "adaptive", [P3D_LINKS_ECMP] = "ecmp"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

const char *p3d_placement_word(int i)
{
    static const char *const words[P3D_N_PLACEMENTS] = {
            [P3D_PLACEMENT_CONTIGUOUS] = "contiguous",
            [P3D_PLACEMENT_RANDOM] = "random",
            [P3D_PLACEMENT_HOSTS] = "hosts"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

const char *spec_placement_word(int i)
{
    return i < P3D_PLACEMENT_HOSTS ? p3d_placement_word(i) : NULL;
}

int spec_tiers_hosts(const p3d_tiers *tiers)
{
    int64_t n = 0;

    for (int i = 0; i < tiers->n_stretches; i++)
        n += tiers->stretches[i].n_nodes;
    return n < P3D_MAX_GPUS ? (int)n : P3D_MAX_GPUS;
}

void spec_tiers_forget_hosts(p3d_tiers *tiers)
{
    if (tiers->placement == P3D_PLACEMENT_HOSTS)
        tiers->placement = P3D_PLACEMENT_CONTIGUOUS;
    tiers->n_stretches = 0;
    memset(tiers->stretches, 0, sizeof(tiers->stretches));
}

const char *spec_rails_word(int i)
{
    static const char *const words[] = {"no", "yes"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* One of both says how much goes up. */
static const char *check_tier(const void *object, const char **key)
{
    const p3d_tier *const tier = object;

    *key = "uplink_bytes_per_s";
    return tier->uplink_bytes_per_s > 0 && tier->oversubscription > 0
                   ? "both the rate of the links up and an oversubscription; "
                     "leave one of them out"
                   : NULL;
}

/* clang-format off */
#define AT(member) offsetof(p3d_tier, member)
static const json_field tier_fields[] = {
    NEEDS(INT, nodes_below, 1, P3D_MAX_GPUS,
        "nodes below a switch; with rails, below the switches of a node"),
    MAY(DOUBLE, oversubscription, 1, SPEC_MAX_OVERSUBSCRIPTION,
        "rate from below over the rate up; absent = 1, as much"),
    MAY(DOUBLE, uplink_bytes_per_s, 1e6, 1e16,
        "rate of all links up of a switch, one way, bytes/s; in place of "
        "oversubscription"),
    {"routing", JSON_WORD_BY(p3d_link_choice_word), 0, AT(routing), 0, 0,
        "adaptive: packets take the link that is least full (the default); "
        "ecmp: a hash of each flow chooses its link"},
    MAY(INT, flows_per_nic, 1, SPEC_MAX_FLOWS,
        "with ecmp: flows (queue pairs) of a network card to one peer; absent "
        "= 1"),
};
/* clang-format on */

const json_shape spec_tier_shape = {.doc = "a tier of switches",
        .size = sizeof(p3d_tier),
        .n_fields = P3D_COUNT_OF(tier_fields),
        .fields = tier_fields,
        .check = check_tier};

const char *spec_tiers_wrong(const p3d_cluster *cluster, int *blame)
{
    const p3d_tiers *const tiers = &cluster->tiers;

    for (int i = 1; i < tiers->n; i++) {
        const int below = tiers->at[i - 1].nodes_below;

        *blame = i;
        if (tiers->at[i].nodes_below <= below ||
                tiers->at[i].nodes_below % below != 0)
            return "not a multiple of the nodes below a switch of the tier "
                   "before; write tiers from the nodes up";
    }
    *blame = -1;
    if (tiers->rails && (cluster->gpu.nvlink_bytes_per_s_one_way <= 0 ||
                                cluster->node.gpus_per_nvlink_domain <= 1))
        return "rails need NVLink, which forwards to the GPUs of other rails; "
               "these nodes have none";
    return NULL;
}

/* Nodes of a domain of NVLink, of which a switch may have equal parts, or some
 * domains; 0 = the job has no more than one. */
static int domain_nodes(const p3d_cluster *c)
{
    return c->n_gpus > c->node.gpus_per_nvlink_domain
                   ? c->node.gpus_per_nvlink_domain / c->node.gpus_per_node
                   : 0;
}

static bool splits_evenly(int domain, int leaf_nodes)
{
    return domain < 2 || domain % leaf_nodes == 0 || leaf_nodes % domain == 0;
}

bool spec_tiers_take(const json_place *place, const spec_tiers_file *file,
        p3d_cluster *cluster, p3d_error *err)
{
    const json_doc *const doc = place->doc;
    const p3d_tier *const tiers = file->tiers.items;
    p3d_cluster got = *cluster;
    char at[SPEC_POINTER_MAX];
    const char *wrong;
    int blame = 0;

    snprintf(at, sizeof(at), "%.100s/tiers", place->pointer);
    if (file->tiers.n > P3D_MAX_TIERS)
        return json_fail(
                doc, at, err, "more than %d tiers of switches", P3D_MAX_TIERS);
    got.tiers = file->of_all;
    got.tiers.n = file->tiers.n;
    for (int i = 0; i < file->tiers.n; i++) {
        got.tiers.at[i] = tiers[i];
        if (tiers[i].oversubscription == 0)
            got.tiers.at[i].oversubscription = 1;
    }
    wrong = spec_tiers_wrong(&got, &blame);
    snprintf(at, sizeof(at),
            blame < 0 ? "%.100s/rails" : "%.100s/tiers/%d/nodes_below",
            place->pointer, blame);
    if (wrong != NULL)
        return json_fail(doc, at, err, "%s", wrong);
    snprintf(at, sizeof(at), "%.100s/tiers/0/nodes_below", place->pointer);
    if (got.tiers.n > 0 &&
            !splits_evenly(domain_nodes(&got), got.tiers.at[0].nodes_below))
        return json_fail(doc, at, err,
                "neither an equal part nor a multiple of the %d nodes that %s "
                "joins",
                domain_nodes(&got), p3d_gpu_link(&got.gpu));
    *cluster = got;
    return true;
}

/* The same switches below other nodes: with rails, each has one card of a node,
 * and so as many times the nodes as a node has cards. */
static void wire_rails(const p3d_node *node, p3d_tiers *tiers)
{
    p3d_tier *const leaf = &tiers->at[0];
    const int before = leaf->nodes_below;
    const int cards = node->nics_per_node;

    tiers->rails = !tiers->rails;
    leaf->nodes_below = tiers->rails     ? before * cards
                        : before > cards ? before / cards
                                         : 1;
    leaf->uplink_bytes_per_s *= (double)leaf->nodes_below / before;
}

/* Nodes below a leaf that nobody described: whole domains of NVLink, of which a
 * GB200 NVL72 has 18 nodes. */
static int usual_leaf_nodes(const p3d_cluster *c)
{
    const int domain = c->node.gpus_per_nvlink_domain / c->node.gpus_per_node;

    if (domain < 2 || c->n_gpus <= c->node.gpus_per_nvlink_domain)
        return SPEC_USUAL_LEAF_NODES;
    return (SPEC_USUAL_LEAF_NODES + domain - 1) / domain * domain;
}

static bool check_leaf(const p3d_cluster *c, int leaf_nodes, p3d_error *err)
{
    const int domain = domain_nodes(c);
    int fewer = leaf_nodes, more = leaf_nodes;

    if (leaf_nodes == 0 || splits_evenly(domain, c->tiers.at[0].nodes_below))
        return true;
    while (!splits_evenly(domain, fewer))
        fewer--;
    while (!splits_evenly(domain, more))
        more++;
    return p3d_fail(err, P3D_DATA,
            "--leaf-nodes %d is neither an equal part nor a multiple of the %d "
            "nodes that %s joins; write %d or %d",
            leaf_nodes, domain, p3d_gpu_link(&c->gpu), fewer, more);
}

bool spec_tiers_set(
        const spec_tiers_said *said, p3d_cluster *cluster, p3d_error *err)
{
    p3d_tiers got = cluster->tiers;
    p3d_tier *const leaf = &got.at[0];
    p3d_cluster changed = *cluster;
    const char *wrong;
    int blame;

    if (said->oversubscription == 0 && said->leaf_nodes == 0 &&
            said->routing == 0 && said->placement == 0 && said->rails == 0)
        return true;
    if (got.n == 0)
        *leaf = (p3d_tier){.nodes_below = usual_leaf_nodes(cluster),
                .oversubscription = 1};
    got.n = got.n > 0 ? got.n : 1;
    if (said->leaf_nodes > 0)
        leaf->nodes_below = said->leaf_nodes;
    if (said->oversubscription > 0) {
        leaf->oversubscription = said->oversubscription;
        leaf->uplink_bytes_per_s = 0;
    }
    if (said->routing > 0)
        for (int i = 0; i < got.n; i++)
            got.at[i].routing = (p3d_link_choice)(said->routing - 1);
    if (said->placement > 0) {
        spec_tiers_forget_hosts(&got);
        got.placement = (p3d_placement)(said->placement - 1);
    }
    if (said->rails > 0 && got.rails != (said->rails > 1))
        wire_rails(&cluster->node, &got);
    changed.tiers = got;
    wrong = spec_tiers_wrong(&changed, &blame);
    if (wrong != NULL && blame < 0)
        return p3d_fail(err, P3D_DATA, "%s", wrong);
    if (wrong != NULL)
        return p3d_fail(err, P3D_DATA,
                "%d nodes below a leaf switch do not divide the %d below a "
                "switch of the next tier (--leaf-nodes, --rails)",
                leaf->nodes_below, got.at[1].nodes_below);
    if (!check_leaf(&changed, said->leaf_nodes, err))
        return false;
    *cluster = changed;
    return true;
}
