/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_once.c - what a rank does once a step: sharing gradients, weights and
 * states over the data-parallel ranks, the optimizer, and what is offloaded. */
#include <math.h>

#include "cost/cost.h"

/* Bytes of a gathered weight in a 16-bit run, and of a reduced gradient. */
static const double GATHER_BYTES_16 = 2;
static const double REDUCE_BYTES = 4;

/** What is sent of the dense weights, and of the experts'. */
typedef struct payloads {
    double dense;
    double experts;
} payloads;

static payloads payloads_of(p3d_params params, double bytes)
{
    return (payloads){
            bytes * (double)params.dense, bytes * (double)params.experts};
}

/** The axis of the experts that goes with one of the dense weights. */
static p3d_axis expert_axis(p3d_axis axis)
{
    return axis == P3D_AXIS_DP      ? P3D_AXIS_EXPERT_DP
           : axis == P3D_AXIS_SHARD ? P3D_AXIS_EXPERT_SHARD
                                    : P3D_AXIS_EXPERT_COPY;
}

/** Seconds of one collective over an axis on the dense weights, and over that
 *  of the experts on theirs, with this many bytes in all of each. */
static double both_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_collective op, p3d_axis axis, payloads bytes)
{
    const p3d_cluster *c = &problem->cluster;

    return cost_collective_s(c, op, cost_place(c, plan, axis), bytes.dense) +
           cost_collective_s(c, op, cost_place(c, plan, expert_axis(axis)),
                   bytes.experts);
}

/** Bytes of a gradient on the wire. */
static double reduce_bytes(const p3d_problem *problem)
{
    const double own = problem->job.framework->reduce_bytes;

    return own > 0 ? own : REDUCE_BYTES;
}

/** Seconds until each rank has its share of the gradients; where the states are
 *  shared by a part of the replicas, each share is added up over the ranks that
 *  have the same one. */
static double reduce_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, double bytes)
{
    const payloads all = payloads_of(params, bytes);
    const payloads shares = {all.dense / cost_dense_shards(plan),
            all.experts / cost_expert_shards(plan)};

    if (plan->zero == 0 || problem->job.framework->reduces_whole)
        return both_s(problem, plan, P3D_ALL_REDUCE, P3D_AXIS_DP, all);
    return both_s(problem, plan, P3D_REDUCE_SCATTER, P3D_AXIS_SHARD, all) +
           (plan->shard == 0 ? 0
                             : both_s(problem, plan, P3D_ALL_REDUCE,
                                       P3D_AXIS_COPY, shares));
}

/** What shows of a transfer, with or without work beside it. */
static double exposed_s(const p3d_cluster *cluster, double transfer_s,
        double window_s, bool overlap)
{
    return overlap ? cost_exposed_s(cluster, transfer_s, window_s) : transfer_s;
}

/**
 * Exposed data-parallel communication of one step.
 *
 *     ZeRO 0   all-reduce of the gradients, once
 *     ZeRO 1   reduce-scatter of gradients, all-gather of weights, once
 *     ZeRO 2   reduce-scatter per micro-batch, all-gather once
 *     ZeRO 3   two all-gathers and a reduce-scatter per micro-batch
 *
 * Where a part of the replicas shares the states, they reduce and gather among
 * themselves, and each share is added up over its copies after that.
 *
 * What runs once hides behind the backward and forward pass of one
 * micro-batch; what runs per micro-batch behind that micro-batch's own.
 *
 * Source: arXiv:1910.02054 section 7; Megatron-LM@d98e8a64 megatron/core/
 * distributed; torchtitan@b5bcd76c distributed/fsdp.py.
 * Tested: tests/unit/test_data_parallel.c
 */
double cost_dp_exposed_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, cost_pass_time pass, int64_t n_micro_batches)
{
    const p3d_cluster *c = &problem->cluster;
    const bool overlap =
            (problem->job.framework->overlap_dp >> plan->zero & 1) != 0;
    const double weight = problem->job.dtype == P3D_FP32 ? 4 : GATHER_BYTES_16;
    const double m = (double)n_micro_batches;
    const double reduce =
            reduce_s(problem, plan, params, reduce_bytes(problem));
    double gather;

    if (plan->zero == 0)
        return exposed_s(c, reduce, pass.backward_s, overlap);
    gather = both_s(problem, plan, P3D_ALL_GATHER, P3D_AXIS_SHARD,
            payloads_of(params, weight));
    if (plan->zero == 1)
        return exposed_s(c, reduce, pass.backward_s, overlap) +
               exposed_s(c, gather, pass.forward_s,
                       overlap && !problem->job.framework->gathers_after_step);
    if (plan->zero == 2)
        return m * exposed_s(c, reduce, pass.backward_s, overlap) +
               exposed_s(c, gather, pass.forward_s, overlap);
    return m * (exposed_s(c, gather, pass.forward_s, overlap) +
                       exposed_s(c, gather + reduce, pass.backward_s, overlap));
}

/* Bytes that CPU Adam moves through host memory per parameter: reads p, m, v,
 * g and writes p, m, v in fp32, and a 16-bit copy.
 * Source: derived from the update rule. Assumes: A11. */
static const double CPU_ADAM_BYTES = 30;

/* Share of the host's memory rate that CPU Adam reaches. Assumes: A11. */
static const double CPU_ADAM_FRAC = 0.5;

/* Share of the PCIe rate that copies to and from pinned memory reach.
 * Source: stas00/ml-engineering@744d01e1 network/README.md (55 of 63 GB/s). */
static const double PCIE_COPY_FRAC = 0.88;

/* Bytes per parameter that are read from and written to NVMe in a step: master
 * weights and two moments. Source: DeepSpeed@5f631abc deepspeed/runtime/
 * swap_tensor. */
static const double NVME_STATE_BYTES = 12;

double cost_host_copy_bytes_per_s(const p3d_cluster *cluster)
{
    return PCIE_COPY_FRAC * cluster->gpu.pcie_bytes_per_s_one_way;
}

double cost_host_optimizer_bytes_per_s(const p3d_cluster *cluster)
{
    return CPU_ADAM_FRAC * cluster->node.host_memory_bytes_per_s;
}

/** Bytes that the device's optimizer moves for all parameters of a rank. */
static double pass_bytes(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    return problem->job.framework->optimizer_pass_bytes *
           cost_owned_params(plan, params);
}

/**
 * Seconds of the optimizer on the device.
 *
 *     t = bytes per parameter * owned parameters / (f BW) + launch
 *
 * Also where all states are offloaded, a kernel is launched: for the norm of
 * the gradients.
 *
 * Source: bytes from the framework's table (reads and writes of the fused
 * update, gradient norm and cast).
 */
double cost_optimizer_s(
        const p3d_problem *problem, const p3d_plan *plan, p3d_params params)
{
    return cost_pass_s(&problem->cluster,
            (1 - cost_offloaded_frac(plan)) * pass_bytes(problem, plan, params),
            1);
}

/**
 * Seconds that offloading adds to a step.
 *
 *     t = max((gradients down + weights up) / PCIe
 *               + 30 B * parameters of the node / (f host memory rate)
 *               [+ 2 * 12 B * parameters of the node / NVMe rate, when states
 *                live there],
 *             the same share of the optimizer on the device)
 *         [+ weights up, twice per micro-batch, when they live on the host]
 *
 * Nothing of it is hidden: an upper estimate where a framework overlaps. A
 * share takes no less than it does on the device, on which the search rests.
 *
 * Source: DeepSpeed@edaa7221 blogs (traffic 2 x model bytes per step).
 */
double cost_offload_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, int64_t n_micro_batches)
{
    const p3d_cluster *c = &problem->cluster;
    const double owned = cost_owned_params(plan, params);
    const double pcie = cost_host_copy_bytes_per_s(c);
    const double E = p3d_dtype_bytes(problem->job.dtype);
    const double frac = cost_offloaded_frac(plan);
    double t;

    if (plan->offload == P3D_OFFLOAD_NONE)
        return 0;
    t = 2 * E * owned * frac / pcie;
    if (plan->offload_nvme && c->node.nvme_bytes_per_s > 0)
        t += 2 * NVME_STATE_BYTES * owned * frac * c->node.gpus_per_node /
             c->node.nvme_bytes_per_s;
    if (c->node.host_memory_bytes_per_s > 0)
        t += CPU_ADAM_BYTES * owned * frac * c->node.gpus_per_node /
             cost_host_optimizer_bytes_per_s(c);
    t = fmax(t, cost_pass_s(c, frac * pass_bytes(problem, plan, params), 0));
    if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        t += 2 * (double)n_micro_batches * E * owned / pcie;
    return t;
}
