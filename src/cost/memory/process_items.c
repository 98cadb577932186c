/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_items.c - what a process takes of the device outside of the caching
 * allocator: its context, and the buffers of the libraries that communicate. */
#include <string.h>

#include "base/util.h"
#include "cost/memory/memory.h"
#include "plan3d/units.h"

#define MIB 1048576.0

/* The process's own: device context and loaded kernels (0.5 to 1.3 GiB seen),
 * and buffers of each NCCL communicator. Assumes: A7. Source of the second:
 * ai-dynamo/aiconfigurator@095f58a5 (392 MB with 4 or 8 GPUs). */
static const double CONTEXT_BYTES = 0.75 * P3D_GIB;

/* With all kernels loaded at once, as CUDA before 11.7 and PyTorch before 1.13
 * did: nvidia-smi after the first tensor, on V100 and A100. Source:
 * bigscience@9e64ede train/tr11-176B-ml/chronicles-prequel.md:86, 144. */
static const double ALL_KERNELS_BYTES = 1271 * MIB;
static const double ALL_KERNELS_BYTES_SM80 = 1573 * MIB;
static const double COMMUNICATOR_BYTES = 392e6;

int cost_n_communicators(const p3d_plan *plan)
{
    return (plan->tp > 1) + (plan->cp > 1) + (plan->ep > 1) + (plan->pp > 1) +
           (cost_dense_replicas(plan) > 1);
}

/** Communicators of DeepSpeed's engine beside those of the axes: of all ranks,
 *  of a replica, of the stages that tie their embeddings, to each neighbour.
 *  Source: DeepSpeed@edaa7221 runtime/pipe/topology.py:290-360, module.py
 *  (tied_comms), p2p.py (send, recv: PyTorch opens one for each pair). */
static int engine_communicators(const cost_rank *r)
{
    const p3d_problem *const problem = r->of.problem;
    const p3d_plan *const plan = r->of.plan;
    const int ends = (r->rank == 0) + (r->rank == plan->pp - 1);
    const bool ties = ends == 1 && problem->model.tied_embeddings;

    if (!problem->job.framework->opens_groups)
        return 0;
    return (problem->cluster.n_gpus > 1) + (plan->tp * plan->pp > 1) + ties +
           2 - ends;
}

static double context_bytes(const cost_rank *r)
{
    if (!r->of.problem->job.loads_all_kernels)
        return CONTEXT_BYTES;
    return p3d_gpu_sm(&r->of.problem->cluster.gpu) < 80
                   ? ALL_KERNELS_BYTES
                   : ALL_KERNELS_BYTES_SM80;
}

/* A communicator has buffers for each of its channels. Rings of 4 or 8 V100
 * make 12 of them (6, used twice: NVIDIA/nccl#713), NVSwitch 24. */
static double communicator_bytes(const cost_rank *r)
{
    const int sm = p3d_gpu_sm(&r->of.problem->cluster.gpu);

    return sm > 0 && sm < 80 ? COMMUNICATOR_BYTES / 2 : COMMUNICATOR_BYTES;
}

/* Buffers of the libraries that send tokens to experts. */

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

/** Bytes of the library that sends tokens to experts; 0 = it has none. */
static cost_item dispatcher_item(const cost_rank *r)
{
    const p3d_problem *const of = r->of.problem;
    const p3d_plan *const plan = r->of.plan;
    const double tokens = cost_rank_tokens(of, plan) /
                          (plan->sequence_parallel ? plan->tp : 1);
    cost_item item = {P3D_TERM_context, COST_ALWAYS, "buffers of DeepEP",
            "tokens on their way", DEEPEP_SOURCE, 1, 0, false};
    cost_group group;

    if (plan->ep == 1 || of->model.n_experts == 0)
        return item;
    group = cost_place(&of->cluster, plan, P3D_AXIS_EP);
    if (of->job.dispatcher == P3D_DISPATCH_DEEPEP)
        item.bytes = deepep_bytes(group.n_ranks, of->model.hidden);
    if (of->job.dispatcher == P3D_DISPATCH_HYBRIDEP) {
        item.name = "buffers of HybridEP";
        item.source = HYBRIDEP_SOURCE;
        item.bytes = hybridep_bytes(group, tokens, of->model.hidden,
                (double)of->model.n_experts / plan->ep);
    }
    return item;
}

int cost_process_items(const cost_rank *r, cost_item out[COST_PROCESS_ITEMS])
{
    const int own = cost_n_communicators(r->of.plan);
    const int more = engine_communicators(r);

    if (r->of.problem->job.framework->one_program)
        return 0;
    out[0] = (cost_item){P3D_TERM_context, COST_ALWAYS,
            "device context and loaded kernels", "the process", "assumption A7",
            1, context_bytes(r), false};
    out[1] = (cost_item){P3D_TERM_context, COST_ALWAYS,
            "buffers of communicators",
            more > 0 ? "of each axis, and of the engine" : "one for each axis",
            "ai-dynamo/aiconfigurator@095f58a5", own + more,
            communicator_bytes(r) * (own + more), false};
    out[2] = dispatcher_item(r);
    return COST_PROCESS_ITEMS;
}
