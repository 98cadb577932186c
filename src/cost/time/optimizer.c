/* SPDX-License-Identifier: GPL-3.0-or-later */
/* optimizer.c - seconds of the optimizer, and of states that are not on the
 * device. */
#include <math.h>

#include "cost/cost.h"

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

/** Share of the states that is offloaded. */
static double offloaded_frac(const p3d_plan *plan)
{
    return plan->offload_frac > 0 ? plan->offload_frac : 1;
}

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
    const double device_frac =
            plan->offload == P3D_OFFLOAD_NONE ? 1 : 1 - offloaded_frac(plan);

    return cost_pass_s(&problem->cluster,
            device_frac * pass_bytes(problem, plan, params), 1);
}

/**
 * Seconds that offloading adds to a step.
 *
 *     t = (gradients down + weights up) / PCIe
 *         + 30 B * parameters of the node / (f host memory rate)
 *         [+ weights up, twice per micro-batch, when they live on the host]
 *         [+ 2 * 12 B * parameters of the node / NVMe rate, when states do]
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
    double t;

    if (plan->offload == P3D_OFFLOAD_NONE)
        return 0;
    t = 2 * E * owned * offloaded_frac(plan) / pcie;
    if (plan->offload_nvme && c->node.nvme_bytes_per_s > 0)
        t += 2 * NVME_STATE_BYTES * owned * offloaded_frac(plan) *
             c->node.gpus_per_node / c->node.nvme_bytes_per_s;
    if (c->node.host_memory_bytes_per_s > 0)
        t += CPU_ADAM_BYTES * owned * offloaded_frac(plan) *
             c->node.gpus_per_node / cost_host_optimizer_bytes_per_s(c);
    t = fmax(
            t, cost_pass_s(c,
                       offloaded_frac(plan) * pass_bytes(problem, plan, params),
                       0));
    if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        t += 2 * (double)n_micro_batches * E * owned / pcie;
    return t;
}
