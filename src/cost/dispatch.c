/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.c - kernels that send tokens to their experts and back. */
#include <math.h>

#include "cost/cost.h"

/* Start of a dispatch or combine: 30 to 60 us on one node. Source: DeepEP runs
 * in ai-dynamo/aiconfigurator@095f58a5 (wideep_deepep_normal_perf). */
static const double START_S = 45e-6;

/* Share of the links that the kernels fill. Source: deepseek-ai/DeepEP@94a9f8f6
 * docs/README_Hybrid-EP.md: 735 of 900 GB/s on B200; on H100 with 16 to 64
 * ranks the time grows by 1/46.6 (dispatch) and 1/48.8 s (combine) a GB. */
static const double LINK_FRAC = 0.8;
static const double NIC_FRAC = 0.95;

/* What DeepEP's usual 20 SMs move over NVLink: 314 (dispatch) and 351 (combine)
 * GB/s on H100, 319 and 405 on B200, a GPU's own tokens included. Source:
 * ai-dynamo/aiconfigurator@095f58a5 (wideep_deepep_normal_perf). */
static const double DEEPEP_BYTES_PER_S = 345e9;

/** Probability that k experts, drawn from `all`, are none of `part`. */
static double missed(double all, double part, int k)
{
    double p = 1;

    for (int i = 0; i < k; i++)
        p *= fmax(0, all - part - i) / (all - i);
    return p;
}

/** The same where a token's experts lie in t of g groups, and the part is a
 *  n-th of all experts in order. */
static double missed_groups(const p3d_routing *r, double n)
{
    const double each = (double)r->n_experts / r->n_groups;
    const double all = each * r->top_groups;
    const double in_part = r->n_groups / n; /* groups; below 1 a share of one */
    double p = 0;

    if (in_part < 1) {
        const double chosen = (double)r->top_groups / r->n_groups;

        return 1 - chosen + chosen * missed(all, each * in_part, r->top_k);
    }
    /* Hypergeometric: j of the part's groups are among the chosen ones. */
    for (int j = 0; j <= r->top_groups && j <= (int)in_part; j++) {
        double ways = 1;

        for (int i = 0; i < j; i++)
            ways *= (in_part - i) / (j - i);
        for (int i = 0; i < r->top_groups - j; i++)
            ways *= (r->n_groups - in_part - i) / (r->top_groups - j - i);
        for (int i = 0; i < r->top_groups; i++)
            ways /= (double)(r->n_groups - i) / (r->top_groups - i);
        p += fmax(0, ways) * missed(all, j * each, r->top_k);
    }
    return p;
}

double cost_parts_reached(const p3d_routing *routing, double n_parts)
{
    const double all = routing->n_experts;
    const bool grouped =
            routing->n_groups > 1 && routing->top_groups < routing->n_groups;
    const double p = grouped ? missed_groups(routing, n_parts)
                             : missed(all, all / n_parts, routing->top_k);

    return n_parts * (1 - p);
}

double cost_dispatch_s(const p3d_cluster *cluster, cost_group group,
        p3d_dispatcher dispatcher, const p3d_routing *routing,
        double token_bytes)
{
    const double n = group.n_ranks;
    const double nodes = n / group.ranks_per_node;
    const double nic =
            NIC_FRAC * group.nic_bytes_per_s_one_way / group.ranks_per_node;
    double link = LINK_FRAC * cost_link_bytes_per_s(cluster);
    double link_s, nic_s = 0;

    if (group.n_ranks <= 1 || token_bytes <= 0)
        return 0;
    if (dispatcher == P3D_DISPATCH_DEEPEP)
        link = fmin(link, DEEPEP_BYTES_PER_S);
    link_s = token_bytes * cost_parts_reached(routing, n) / link;
    if (nodes > 1)
        nic_s = token_bytes * cost_parts_reached(routing, nodes) * (nodes - 1) /
                nodes / nic;
    return START_S + hypot(link_s, nic_s);
}
