/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.c - what the host spends on launching an operation. */
#include "cost/cost.h"

/* Each further product of a group of experts, launched in a loop of C++: 64
 * experts forward (two products) 1.2 ms and backward (four) 2.1 ms on a Grace
 * host, which is 2.6 times as slow. Source: NVIDIA/TransformerEngine issue
 * 2897. */
static const double NEXT_EXPERT_S = 3.5e-6;

/** Whether a CUDA graph launches an operation. */
static bool is_captured(const p3d_job *job, const p3d_op *op)
{
    return job->graphs == P3D_GRAPHS_STEP ||
           (job->graphs == P3D_GRAPHS_LAYERS && op->part != P3D_BESIDE_EXPERTS);
}

/** Seconds of the first kernel. Both products of a linear's backward pass are
 *  launched by one function. */
static double first_s(const p3d_framework *fw, const p3d_op *op)
{
    const bool module = op->kind == P3D_OP_ATTENTION ||
                        (op->kind == P3D_OP_GEMM && !op->weight_gradient);

    return module && fw->host_s_per_module > 0 ? fw->host_s_per_module
                                               : fw->host_s_per_kernel;
}

double cost_host_s(const p3d_problem *problem, const p3d_op *op)
{
    const p3d_framework *fw = problem->job.framework;
    const double slower = problem->cluster.node.host_time_factor;
    const double first = first_s(fw, op);
    const double next = op->expert ? NEXT_EXPERT_S : first;

    if (is_captured(&problem->job, op) || op->n_kernels < 1)
        return 0;
    return (slower > 0 ? slower : 1) * (first + (op->n_kernels - 1) * next);
}
