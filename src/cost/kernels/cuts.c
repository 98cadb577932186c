/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuts.c - what the groups of an axis send through the links above the nodes,
 * and which of these are tight. */
#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "cost/cost.h"

/** Groups side by side: n ranks each, `stride` groups. */
typedef struct lot {
    double n;
    double stride;
} lot;

/** Bytes that leave x neighbouring GPUs of a lot: q ranks of each group are
 *  among them, or q + 1. */
static double leaving(cost_pattern pattern, lot of, double x)
{
    const double q = floor(x / of.stride);
    const double more = x - q * of.stride;

    if (pattern == COST_RING)
        return fmin(of.stride, fmin(x, of.n * of.stride - x));
    return (more * (q + 1) * (of.n - q - 1) +
                   (of.stride - more) * q * (of.n - q)) /
           of.n;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/** The most that leaves parts of two lots with `total` GPUs, each part a
 *  multiple of `step`: what leaves a part is concave in it, so that they are
 *  alike. */
static double leaving_two(
        cost_pattern pattern, lot of, int64_t total, int64_t step)
{
    const int64_t one = total / 2 / step * step;

    return leaving(pattern, of, (double)one) +
           leaving(pattern, of, (double)(total - one));
}

double cost_load_below(
        const cost_axis *axis, cost_pattern pattern, int64_t below)
{
    int64_t stride = axis->stride;

    if (axis->n_inner > 0 && below < axis->block)
        return (double)below / cost_ranks_within(axis, (int)below);
    if (axis->n_inner > 0)
        stride = axis->block / axis->n_inner;

    const lot of = {axis->n_ranks, (double)stride};
    const int64_t span = stride * axis->n_ranks;
    const int64_t rest = below % span;
    const int64_t step = common_divisor(below, span);
    double most = 0;

    if (rest == 0)
        return 0;
    if (below < span)
        most = leaving(pattern, of, (double)below);
    if (step < below)
        most = fmax(most, leaving_two(pattern, of, rest, step));
    if (below > span)
        most = fmax(most, leaving_two(pattern, of, rest + span, step));
    return most;
}

/** Rate of the network cards of one GPU. */
static double nic_bytes_per_s(const p3d_cluster *cluster)
{
    return cluster->fabric.nic_bytes_per_s_one_way *
           cluster->node.nics_per_node / cluster->node.gpus_per_node;
}

static int64_t gpus_below(const p3d_cluster *cluster, int tier)
{
    return (int64_t)cluster->tiers.at[tier].nodes_below *
           cluster->node.gpus_per_node;
}

double cost_uplink_bytes_per_s(const p3d_cluster *cluster, int tier)
{
    double gpu_bytes_per_s = nic_bytes_per_s(cluster);

    for (int i = 0; i <= tier; i++) {
        const p3d_tier *const t = &cluster->tiers.at[i];

        gpu_bytes_per_s =
                t->uplink_bytes_per_s > 0
                        ? t->uplink_bytes_per_s / (double)gpus_below(cluster, i)
                        : gpu_bytes_per_s / t->oversubscription;
    }
    return gpu_bytes_per_s * (double)gpus_below(cluster, tier);
}

/* Flows a link from which on the share is not worked out anew. */
static const double MANY_FLOWS = 256;

double cost_hashed_frac(double n_flows, double n_links)
{
    const double mean = fmin(n_flows / n_links, MANY_FLOWS);
    double term = p3d_exp(-mean), none_above = 0, most = 0;

    for (int m = 0; m < n_flows; m++) {
        none_above = fmin(1, none_above + term);

        const double some = 1 - p3d_exp(n_links * p3d_log(none_above));

        if (m > mean && some < 1e-6)
            break;
        most += some;
        term *= mean / (m + 1);
    }
    return fmin(1, mean / fmax(most, 1));
}

/** Flows that leave one GPU to each of its peers through a cut. */
static double flows_per_gpu(const p3d_cluster *cluster, const p3d_tier *tier)
{
    const double cards =
            (double)cluster->node.nics_per_node / cluster->node.gpus_per_node;

    return fmax(1, tier->flows_per_nic) * cards;
}

/** Share of the links up of a switch that so many flows reach. */
static double spread_of(
        const p3d_cluster *cluster, int tier, double bytes_per_s, double flows)
{
    if (cluster->tiers.at[tier].routing != P3D_LINKS_ECMP)
        return 1;
    return cost_hashed_frac(
            flows, fmax(1, round(bytes_per_s /
                                   cluster->fabric.nic_bytes_per_s_one_way)));
}

/** GPUs of the network that the nodes of a job lie anywhere in. */
static double all_gpus(const p3d_cluster *cluster)
{
    return fmax(cluster->n_gpus,
            (double)cluster->tiers.n_nodes * cluster->node.gpus_per_node);
}

/** Domains of the job below the switch of one of them that lies anywhere: of
 *  the n - 1 others k lie there too, which is hypergeometric. Receives the mean
 *  of (1 + k) (n + b - 1 - k) / (n + b - 1), the domains whose peer is
 *  elsewhere, where rings have b domains in other pools. @return 1 + the mean
 *  of k */
static double domains_together(const p3d_cluster *cluster, double n_beyond,
        double below, double *leaving)
{
    const double domain = cost_domain(cluster);
    const double others = cluster->n_gpus / domain - 1;
    const double all = all_gpus(cluster) / domain - 1;
    const double share = all > 0 ? fmin(1, (below / domain - 1) / all) : 0;
    const double mean = others * share;
    const double spread =
            all > 1 ? mean * (1 - share) * (all - others) / (all - 1) : 0;
    const double peers = others + n_beyond / domain;

    *leaving = (peers + (peers - 1) * mean - spread - mean * mean) / peers;
    return 1 + mean;
}

static double load_of(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern, int64_t below)
{
    const int domain = cost_domain(cluster);
    const double k = cost_ranks_within(axis, domain);
    const double of_domain =
            pattern == COST_RING ? domain / k
                                 : domain * (axis->n_ranks - k) / axis->n_ranks;
    double leaving;

    if (below <= domain)
        return of_domain * (double)below / domain;
    if (cluster->tiers.placement == P3D_PLACEMENT_RANDOM) {
        (void)domains_together(cluster, 0, (double)below, &leaving);
        return of_domain * fmax(0, leaving);
    }
    return cost_load_below(axis, pattern, below);
}

/** GPUs that a domain (tier -1) or a switch of a tier has room for. */
static int64_t room_below(const p3d_cluster *cluster, int tier)
{
    return tier < 0 ? cost_domain(cluster) : gpus_below(cluster, tier);
}

/** Set the load of a cut and the GPUs below it. @return whether something
 *  crosses */
static bool load_cut(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern, int tier, cost_cut *out)
{
    const int64_t below = room_below(cluster, tier);
    const bool is_random =
            tier >= 0 && cluster->tiers.placement == P3D_PLACEMENT_RANDOM;
    double leaving;

    if (cost_ranks_within(axis, cost_domain(cluster)) == axis->n_ranks)
        return false;
    if (tier >= 0 && cluster->tiers.placement == P3D_PLACEMENT_HOSTS) {
        out->load =
                cost_load_of_hosts(cluster, axis, pattern, tier, &out->n_below);
        return out->load > 0;
    }
    if ((double)below >= (is_random ? all_gpus(cluster) : cluster->n_gpus))
        return false;
    out->n_below = (int)below;
    if (is_random && below > cost_domain(cluster))
        out->n_below = (int)round(domains_together(cluster, cluster->n_gpus,
                                          (double)below, &leaving) *
                                  cost_domain(cluster));
    out->load = load_of(cluster, axis, pattern, below);
    return true;
}

cost_cut cost_cut_above(const p3d_cluster *cluster, const cost_axis *axis,
        cost_pattern pattern, int tier)
{
    const double peers = pattern == COST_RING ? 1 : axis->n_ranks;
    cost_cut cut = {.spread_frac = 1};

    if (!load_cut(cluster, axis, pattern, tier, &cut))
        return (cost_cut){.spread_frac = 1};

    cut.bytes_per_s = tier < 0 ? (double)room_below(cluster, tier) *
                                         nic_bytes_per_s(cluster)
                               : cost_uplink_bytes_per_s(cluster, tier);
    if (tier >= 0 && cut.load > 0)
        cut.spread_frac = spread_of(cluster, tier, cut.bytes_per_s,
                cut.load * peers *
                        flows_per_gpu(cluster, &cluster->tiers.at[tier]));
    return cut;
}

double cost_narrowing(
        const p3d_cluster *cluster, const cost_axis *axis, cost_pattern pattern)
{
    const cost_cut cards = cost_cut_above(cluster, axis, pattern, -1);
    double most_s = 0;

    if (cards.load <= 0)
        return 0;
    for (int i = 0; i < cluster->tiers.n; i++) {
        const cost_cut cut = cost_cut_above(cluster, axis, pattern, i);

        if (cut.n_below > 0)
            most_s = fmax(
                    most_s, cut.load / (cut.bytes_per_s * cut.spread_frac));
    }
    return most_s * cards.bytes_per_s / cards.load;
}

/** What leaves the GPUs below a switch of a tier, of rings that go on beyond
 *  the cluster. */
static double load_of_rings(
        const p3d_cluster *cluster, const cost_far_ring *ring, int tier)
{
    const double below = (double)gpus_below(cluster, tier);
    const double own = fmin(below, cluster->n_gpus);
    double leaving;

    if (below <= cost_domain(cluster))
        return ring->n_sending * below / cost_domain(cluster);
    if (cluster->tiers.placement != P3D_PLACEMENT_RANDOM)
        return fmin(ring->stride, own);
    (void)domains_together(cluster, ring->n_beyond, below, &leaving);
    return ring->n_sending * fmax(0, leaving);
}

cost_cut cost_far_cut(
        const p3d_cluster *cluster, const cost_far_ring *ring, int tier)
{
    cost_cut cut = {.spread_frac = 1};

    if (tier < 0) {
        cut.n_below = cost_domain(cluster);
        cut.load = ring->n_sending;
        cut.bytes_per_s = cut.n_below * nic_bytes_per_s(cluster);
        return cut;
    }
    if (ring->n_beyond <= 0 &&
            (double)gpus_below(cluster, tier) >= cluster->n_gpus)
        return cut;
    cut.n_below = (int)fmin((double)gpus_below(cluster, tier), P3D_MAX_GPUS);
    cut.load = load_of_rings(cluster, ring, tier);
    cut.bytes_per_s = cost_uplink_bytes_per_s(cluster, tier);
    cut.spread_frac = spread_of(cluster, tier, cut.bytes_per_s,
            ceil(cut.load * flows_per_gpu(cluster, &cluster->tiers.at[tier])));
    return cut;
}

double cost_far_narrowing(const p3d_cluster *cluster, const cost_far_ring *ring)
{
    const cost_cut cards = cost_far_cut(cluster, ring, -1);
    double most_s = 0;

    for (int i = 0; i < cluster->tiers.n; i++) {
        const cost_cut cut = cost_far_cut(cluster, ring, i);

        if (cut.n_below > 0)
            most_s = fmax(
                    most_s, cut.load / (cut.bytes_per_s * cut.spread_frac));
    }
    return most_s * cards.bytes_per_s / ring->n_sending;
}
