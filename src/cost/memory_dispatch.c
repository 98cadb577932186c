/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_dispatch.c - buffers of the libraries that send tokens to experts. */
#include "base/util.h"
#include "cost/memory.h"

static const char DEEPEP_SOURCE[] =
        "deepseek-ai/DeepEP@94a9f8f6 csrc/config.hpp:51-110, deep_ep/buffer.py:"
        "228-280";
static const char HYBRIDEP_SOURCE[] =
        "deepseek-ai/DeepEP@94a9f8f6 csrc/hybrid_ep/buffer/intranode.cu:193-262"
        ", internode_doca.cu:332-430";

/* DeepEP's usual 20 SMs make 10 channels; GPUs that NVLink joins at most; slots
 * of a channel over the network; and beside a token of a slot its origin, room
 * for 128 experts with their weights, and 128 scales. */
enum {
    CHANNELS = 10,
    MOST_NVLINK_PEERS = 8,
    NETWORK_SLOTS = 128,
    SLOT_BYTES = 8 + 128 * (8 + 4 + 4)
};

/** Slots of a channel over NVLink, by the number of ranks. */
static int nvlink_slots(int n_ranks)
{
    return n_ranks <= 8     ? 256
           : n_ranks <= 64  ? 288
           : n_ranks <= 128 ? 560
                            : 720;
}

/**
 * Buffers of DeepEP.
 *
 *     10 channels (peers slots (2 h + 2056) + 2 nodes 128 (2 h + 2056))
 *
 * peers at most 8, nodes groups of 8 ranks, if there are several.
 */
static double deepep_bytes(int n_ranks, double hidden)
{
    const double slot = 2 * hidden + SLOT_BYTES;
    const int peers = n_ranks < MOST_NVLINK_PEERS ? n_ranks : MOST_NVLINK_PEERS;
    const int nodes = n_ranks / MOST_NVLINK_PEERS;
    const double network =
            n_ranks > MOST_NVLINK_PEERS ? 2.0 * nodes * NETWORK_SLOTS : 0;

    return CHANNELS * slot * (peers * nvlink_slots(n_ranks) + network);
}

/**
 * Buffers of HybridEP: every rank's tokens may come.
 *
 *     T n row + [n > g] T ((row + 4 e (n - g)) + (N - 1) (3 row))
 *     row = 2 h + 4 e g + 4 h / 128
 *
 * T tokens of a rank, n ranks, g of them in an NVLink domain, N domains, e
 * experts of a rank.
 */
static double hybridep_bytes(
        cost_group group, double tokens, double hidden, double experts)
{
    const double n = group.n_ranks, g = group.ranks_per_node;
    const double others = n / g - 1;
    const double row = 2 * hidden + 4 * experts * g + 4 * hidden / 128;
    double bytes = tokens * n * row;

    if (others > 0)
        bytes += tokens * (row + 4 * experts * (n - g) + 3 * others * row);
    return bytes;
}

void cost_dispatcher_put(const cost_rank *r, cost_items *items)
{
    const p3d_model *m = &r->of.problem->model;
    const p3d_plan *plan = r->of.plan;
    const p3d_job *job = &r->of.problem->job;
    const cost_group group =
            cost_place(&r->of.problem->cluster, plan, P3D_AXIS_EP);
    const double tokens = (double)plan->micro_batch * job->seq_len / plan->cp /
                          (plan->sequence_parallel ? plan->tp : 1);

    if (plan->ep == 1 || m->n_experts == 0)
        return;
    if (job->dispatcher == P3D_DISPATCH_DEEPEP)
        cost_items_put(items,
                (cost_item){P3D_TERM_context, COST_ALWAYS, "buffers of DeepEP",
                        "tokens on their way", DEEPEP_SOURCE, 1,
                        deepep_bytes(group.n_ranks, m->hidden), false});
    if (job->dispatcher == P3D_DISPATCH_HYBRIDEP)
        cost_items_put(items, (cost_item){P3D_TERM_context, COST_ALWAYS,
                                      "buffers of HybridEP",
                                      "tokens on their way", HYBRIDEP_SOURCE, 1,
                                      hybridep_bytes(group, tokens, m->hidden,
                                              (double)m->n_experts / plan->ep),
                                      false});
}
