/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective.c - where a group of ranks lies, and what its collectives cost. */
#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "cost/cost.h"

/* Share of a link that a copy between two GPUs reaches: 396 of 450 GB/s over
 * NVLink, 55.4 of 63 GB/s over PCIe on H200 hosts.
 * Source: stas00/ml-engineering@744d01e1 network/README.md, nvbandwidth. */
static const double COPY_FRAC = 0.88;

/* Start of a point-to-point transfer between nodes: 25 to 29 us from 64 KiB.
 * Source: nccl-tests sendrecv, uccl-project/uccl@da914a2. */
static const double P2P_NETWORK_S = 25e-6;

/* Start of a copy between two GPUs of a node.
 * Source: ai-dynamo/aiconfigurator@095f58a5 system defaults. */
static const double P2P_LOCAL_S = 10e-6;

/* Growth of the latency of a tree with the number of nodes, and the start of an
 * all-to-all that leaves the node.
 * Source: published nccl-tests logs of 2 to 8 nodes, hardware/fabric. */
static const double NODES_LOG_FACTOR = 1.9;
static const double ALL_TO_ALL_NETWORK_S = 36e-6;

/**
 * Lay the ranks of one axis on the machine.
 *
 * Ranks are numbered with tp innermost, then cp, ep, dp and pp (or pp and dp),
 * and fill one NVLink domain after the other. All groups of an axis run at
 * once, so each has the share of the network cards that its ranks have of the
 * GPUs.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/parallel_state.py (order
 * tp-cp-ep-dp-pp; tp-cp-ep-pp-dp with --use-tp-pp-dp-mapping).
 * Tested: tests/unit/test_collective.c
 */
cost_group cost_place(
        const p3d_cluster *cluster, const p3d_plan *plan, p3d_axis axis)
{
    const p3d_node *node = &cluster->node;
    const cost_axis shape = cost_axis_of(plan, axis);
    const int n = shape.n_ranks;
    cost_group group = {.n_ranks = n};

    group.ranks_per_node = cost_ranks_within(&shape, cost_domain(cluster));
    group.n_nodes = (n + group.ranks_per_node - 1) / group.ranks_per_node;
    group.nic_bytes_per_s_one_way = cluster->fabric.nic_bytes_per_s_one_way *
                                    node->nics_per_node / node->gpus_per_node *
                                    group.ranks_per_node;
    if (cluster->torus.n_axes > 0)
        group.torus =
                cost_torus_of(cluster, plan->tp, &shape, group.ranks_per_node);
    if (cluster->tiers.n > 0 && group.n_nodes > 1) {
        group.ring_narrowing = cost_narrowing(cluster, &shape, COST_RING);
        group.all_to_all_narrowing =
                cost_narrowing(cluster, &shape, COST_ALL_TO_ALL);
    }
    return group;
}

bool cost_has_nvlink(const p3d_cluster *cluster)
{
    return cluster->gpu.nvlink_bytes_per_s_one_way > 0 &&
           cluster->node.gpus_per_nvlink_domain > 1;
}

double cost_link_bytes_per_s(const p3d_cluster *cluster)
{
    return cost_has_nvlink(cluster) ? cluster->gpu.nvlink_bytes_per_s_one_way
                                    : cluster->gpu.pcie_bytes_per_s_one_way;
}

/** As fmax(), which is a call. */
static double at_least(double least, double value)
{
    return value > least ? value : least;
}

/** Rate of the links of a GPU, as far as a collective reaches them. */
static double torus_bytes_per_s(
        const p3d_cluster *cluster, p3d_collective op, const cost_torus *torus)
{
    return cost_link_bytes_per_s(cluster) /
           at_least(1, op == P3D_ALL_TO_ALL ? torus->all_to_all_narrowing
                                            : torus->ring_narrowing);
}

/** Bytes that one rank puts on the wire, and the steps of a ring. */
static double wire_bytes(p3d_collective op, double n, double payload)
{
    return (op == P3D_ALL_REDUCE ? 2 : 1) * payload * (n - 1) / n;
}

/**
 * Seconds inside one NVLink domain.
 *
 *     t = a0 + a1 steps + V / B + c sqrt(V)
 *
 * V = 2 S (n-1)/n for all-reduce, S (n-1)/n for the others; S payload of the
 * full tensor; steps = 2 (n-1) or n-1; B = fitted share of the link. On a torus
 * the steps are its hops, and B what cost_torus_of() leaves.
 *
 * Source: hardware/calibration (collective).
 */
static double local_s(const p3d_cluster *cluster, p3d_collective op,
        cost_group group, double payload)
{
    const p3d_collective_fit *fit = &cluster->calibration.collective[op];
    const double n = group.n_ranks;
    const double V = wire_bytes(op, n, payload);
    const double hops = group.torus.hops > 0 ? group.torus.hops : n - 1;
    const double steps = (op == P3D_ALL_REDUCE ? 2 : 1) * hops;
    double B = fit->link_frac * torus_bytes_per_s(cluster, op, &group.torus);

    if (op == P3D_ALL_REDUCE && cluster->node.nvswitch && n >= 8)
        B *= cluster->calibration.nvls_factor;
    return fit->launch_s + fit->step_s * steps + V / B +
           fit->ramp_s_per_sqrt_byte * sqrt(V);
}

/**
 * Seconds of an all-to-all that crosses nodes.
 *
 *     t = a + max(S (g-1) / (n B_link), S (n-g) / (n eta NIC / w))
 *
 * g ranks in a node, NIC per rank, w = 1 or what cuts above the nodes take
 * longer. Where a switch has one rail, bytes for another rail go over NVLink
 * first: S (g-1) / (g B_link). Source: aliyun/SimAI@cef83f9d
 * calbusbw.cc (the law), published alltoall tables (a, eta);
 * NVIDIA/nccl@5067397c src/graph/paths.cc (PXN).
 */
static double all_to_all_s(
        const p3d_cluster *cluster, cost_group group, double payload)
{
    const double n = group.n_ranks;
    const double g = group.ranks_per_node;
    const double link =
            cluster->calibration.collective[P3D_ALL_TO_ALL].link_frac *
            torus_bytes_per_s(cluster, P3D_ALL_TO_ALL, &group.torus);
    const double nic = cluster->fabric.p2p_frac *
                       group.nic_bytes_per_s_one_way / group.ranks_per_node /
                       at_least(1, group.all_to_all_narrowing);
    const double forwarded = cluster->tiers.rails ? n / g : 1;

    return ALL_TO_ALL_NETWORK_S + fmax(forwarded * payload * (g - 1) / n / link,
                                          payload * (n - g) / n / nic);
}

/* Start of a ring, and its steps over NVLink and over the network, us. Source:
 * NVIDIA/nccl@01afd20a src/graph/tuning.cc (baseLat, hwLat: Ring, Simple). */
static const double RING_START = 8.4;
static const double RING_LINK_STEP = 3.4;
static const double RING_NETWORK_STEP = 9.6;

/** Latency of a ring over n ranks on N nodes: n - 1 steps, N - 1 of them leave
 *  a node. */
static double ring_latency(double n, double nodes)
{
    return RING_START + RING_LINK_STEP * (n - nodes) +
           RING_NETWORK_STEP * (nodes - 1);
}

/**
 * Growth of the latency of a collective, 1 = over two nodes of 8 ranks.
 *
 *     all-reduce      1 + 1.9 log2(N/2): a tree
 *     gather, scatter (8.4 + 3.4 (n - N) + 9.6 (N - 1)) / 65.6: a ring; with
 *                     one rank a node as all-reduce
 *
 * NCCL has no tree for gather and scatter; with one rank a node its algorithm
 * PAT takes log2(N) steps.
 *
 * Source: NVIDIA/nccl@01afd20a src/graph/tuning.cc (steps of each algorithm);
 * release notes of NCCL 2.23 (PAT). Rings of 2 to 128 nodes in
 * bench/published/node_shares.csv: fitted to 2, 4 and 8, held against more.
 * Tested: tests/unit/test_collective.c, tests/unit/test_nodes.c
 */
static double latency_growth(p3d_collective op, cost_group group)
{
    if (op == P3D_ALL_REDUCE || group.ranks_per_node == 1)
        return 1 + NODES_LOG_FACTOR * p3d_log2(group.n_nodes / 2.0);
    return ring_latency(group.n_ranks, group.n_nodes) / ring_latency(16, 2);
}

/**
 * Seconds of a collective over several nodes.
 *
 *     t = a latency_growth + V / B + c sqrt(V)
 *     all-reduce      B = min(local, eta k NIC), k = 2 (n-1)/n for N = 2 and
 *                     at least 2 ranks a node, else 1
 *     gather, scatter B = min(local, eta NIC)
 *
 * Where a cut above the nodes takes w > 1 times as long as the network cards,
 * NIC / w in place of NIC (cost_narrowing()).
 *
 * Source: published nccl-tests logs, constants in hardware/fabric; 7.5 %
 * (fit) and 11 % (held out) above 1 GiB, 13 % and 21 % above 1 MiB.
 */
static double network_s(const p3d_cluster *cluster, p3d_collective op,
        cost_group group, double payload)
{
    const p3d_fabric *fabric = &cluster->fabric;
    const p3d_collective_fit *fit = &cluster->calibration.collective[op];
    const double n = group.n_ranks;
    const double V = wire_bytes(op, n, payload);
    double nic =
            group.nic_bytes_per_s_one_way / at_least(1, group.ring_narrowing);
    double link = fit->link_frac * torus_bytes_per_s(cluster, op, &group.torus);

    if (op == P3D_ALL_REDUCE) {
        nic *= fabric->all_reduce_frac;
        if (group.n_nodes == 2 && group.ranks_per_node > 1)
            nic *= 2 * (n - 1) / n;
        if (cluster->node.nvswitch)
            link *= cluster->calibration.nvls_factor;
    } else {
        nic *= fabric->all_gather_frac;
    }
    if (group.ranks_per_node > 1)
        nic = fmin(nic, link);
    return fabric->latency_s * latency_growth(op, group) + V / nic +
           cluster->calibration.multinode_ramp_s_per_sqrt_byte * sqrt(V);
}

/** Seconds of one collective over a placed group; a group of one is free.
 *  Tested: tests/unit/test_collective.c */
double cost_collective_s(const p3d_cluster *cluster, p3d_collective collective,
        cost_group group, double payload_bytes)
{
    if (group.n_ranks <= 1 || payload_bytes <= 0)
        return 0;
    if (group.n_nodes <= 1)
        return local_s(cluster, collective, group, payload_bytes);
    if (collective == P3D_ALL_TO_ALL)
        return all_to_all_s(cluster, group, payload_bytes);
    return network_s(cluster, collective, group, payload_bytes);
}

double cost_link_s(const p3d_cluster *cluster, p3d_collective collective,
        const cost_group *group, double payload_bytes)
{
    return wire_bytes(collective, group->n_ranks, payload_bytes) /
           (cluster->calibration.collective[collective].link_frac *
                   torus_bytes_per_s(cluster, collective, &group->torus));
}

cost_transfer cost_send(const p3d_cluster *cluster, p3d_collective collective,
        cost_group group, double payload_bytes)
{
    const double transfer_s =
            cost_collective_s(cluster, collective, group, payload_bytes);
    const double wire_s = transfer_s > 0 ? cost_link_s(cluster, collective,
                                                   &group, payload_bytes)
                                         : 0;

    return (cost_transfer){
            .transfer_s = transfer_s, .link_s = fmin(transfer_s, wire_s)};
}

cost_transfer cost_send_2dh(
        const p3d_cluster *cluster, cost_group group, double payload_bytes)
{
    const int g = group.ranks_per_node;
    cost_group inside = group, between = group;
    cost_transfer sent;

    if (group.n_nodes <= 1 || g <= 1 || payload_bytes <= 0)
        return cost_send(cluster, P3D_ALL_TO_ALL, group, payload_bytes);
    inside.n_ranks = g;
    inside.n_nodes = 1;
    between.n_ranks = group.n_ranks / g;
    between.ranks_per_node = 1;
    between.nic_bytes_per_s_one_way /= g;
    sent = cost_send(cluster, P3D_ALL_TO_ALL, inside, payload_bytes);
    sent.transfer_s +=
            cost_collective_s(cluster, P3D_ALL_TO_ALL, between, payload_bytes) +
            2 * cost_pass_s(cluster, P3D_PASS_VECTOR, 2 * payload_bytes, 1);
    return sent;
}

double cost_exposed_s(
        const p3d_cluster *cluster, cost_transfer sent, double window_s)
{
    const double hidden_s = fmin(sent.transfer_s, window_s);
    double leak_frac = cluster->calibration.assumed.overlap_leak_frac;

    if (sent.transfer_s <= 0)
        return 0;
    if (sent.n_taken_sms > 0 && cluster->gpu.n_sms > sent.n_taken_sms)
        leak_frac = (double)sent.n_taken_sms / cluster->gpu.n_sms;
    else
        leak_frac *= sent.link_s / sent.transfer_s;
    return sent.transfer_s - hidden_s + leak_frac * hidden_s;
}

/** Seconds to send to the neighbour on an axis: over the link inside a node;
 *  otherwise over one card, which is shared where more ranks of a node send at
 *  once than it has cards: of each group of k ranks in a node one sends out of
 *  it. Or through a cut that takes longer. */
double cost_p2p_s(
        const p3d_cluster *cluster, cost_group group, double payload_bytes)
{
    const double shares = group.nic_bytes_per_s_one_way;
    const double card = at_least(shares / at_least(1, group.ranks_per_node),
            cluster->fabric.nic_bytes_per_s_one_way);
    const double narrowing =
            at_least(at_least(1, shares / card), group.ring_narrowing);

    if (group.n_ranks <= 1)
        return 0;
    if (group.n_nodes <= 1)
        return P2P_LOCAL_S +
               payload_bytes * at_least(1, group.torus.send_narrowing) /
                       (COPY_FRAC * cost_link_bytes_per_s(cluster));
    return P2P_NETWORK_S +
           payload_bytes * narrowing / (cluster->fabric.p2p_frac * shares);
}

/** Both leave over the same links but where a rank's share of the cards of its
 *  node is more than one card, which each of the two then has. */
double cost_p2p_pair_s(
        const p3d_cluster *cluster, cost_group group, double payload_bytes)
{
    const double shares = group.nic_bytes_per_s_one_way;
    const double cards = shares / cluster->fabric.nic_bytes_per_s_one_way;
    const bool shared = cards <= 1 || group.ring_narrowing >= cards;
    const double one_s = cost_p2p_s(cluster, group, payload_bytes) -
                         cost_p2p_s(cluster, group, 0);

    return group.n_nodes <= 1 || shared ? 2 * one_s : one_s;
}

/* Start of a dispatch or combine: 30 to 60 us on one node. Source: DeepEP runs
 * in ai-dynamo/aiconfigurator@095f58a5 (wideep_deepep_normal_perf). */
static const double START_S = 45e-6;

/* Share of a link that the kernels fill, and what a copy of a token costs
 * beside its bytes, for each rank of its NVLink domain, as far as it was
 * measured: copies of 7,168 and 14,336 bytes on 8, 16, 24, 32 and 36 ranks of
 * GB200 go at 770 to 890 GB/s, and 1.2, 1.7, 3.3, 4.3 and 6.6 ns more each.
 * Source: deepseek-ai/DeepEP@94a9f8f6 docs/README_Hybrid-EP.md (kernels with 32
 * SMs). */
static const double LINK_FRAC = 0.87;
static const double COPY_S_PER_RANK = 0.14e-9;
static const double MOST_RANKS = 36;

/* Share of the network cards. Source: the same, H100: with 16 to 64 ranks the
 * time grows by 1/46.6 (dispatch) and 1/48.8 s (combine) a GB. */
static const double NIC_FRAC = 0.95;

/* The same for DeepEP's usual 20 SMs: copies of 4,096, 8,192 and 14,336 bytes
 * take 13.2, 23.7 and 40.0 ns on H100, 17.0, 23.3 and 34.7 (29.9) ns on B200
 * (GB200). Source: ai-dynamo/aiconfigurator@095f58a5
 * (wideep_deepep_normal_perf, combine, 32,768 tokens). */
static const double DEEPEP_BYTES_PER_S = 450e9;
static const double DEEPEP_COPY_S = 2.7e-9;

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

/** Seconds that copies of tokens take inside an NVLink domain of n ranks.
 *
 *     t = copies (token bytes / B + n c)
 *
 * copies of tokens that a rank sends, its own among them; c for each rank that
 * a token may go to.
 *
 * Source: as above.
 * Tested: tests/unit/test_dispatch.c
 */
static double copies_s(const p3d_cluster *cluster, p3d_dispatcher dispatcher,
        const p3d_routing *routing, double copied_bytes, double n_ranks)
{
    const double link = LINK_FRAC * cost_link_bytes_per_s(cluster);
    const double copies =
            routing->token_bytes > 0 ? copied_bytes / routing->token_bytes : 0;

    if (dispatcher == P3D_DISPATCH_DEEPEP)
        return copied_bytes / fmin(link, DEEPEP_BYTES_PER_S) +
               copies * DEEPEP_COPY_S;
    return copied_bytes / link +
           copies * fmin(n_ranks, MOST_RANKS) * COPY_S_PER_RANK;
}

double cost_dispatch_s(const p3d_cluster *cluster, cost_group group,
        p3d_dispatcher dispatcher, const p3d_routing *routing,
        double token_bytes)
{
    const double n = group.n_ranks;
    const double nodes = n / group.ranks_per_node;
    const double nic =
            NIC_FRAC * group.nic_bytes_per_s_one_way / group.ranks_per_node;
    double link_s, nic_s = 0;

    if (group.n_ranks <= 1 || token_bytes <= 0)
        return 0;
    link_s = copies_s(cluster, dispatcher, routing,
            token_bytes * cost_parts_reached(routing, n), group.ranks_per_node);
    if (nodes > 1)
        nic_s = token_bytes * cost_parts_reached(routing, nodes) * (nodes - 1) /
                nodes / nic * at_least(1, group.all_to_all_narrowing);
    return START_S + p3d_hypot(link_s, nic_s);
}
