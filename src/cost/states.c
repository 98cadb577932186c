/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c - bytes of weights, gradients and optimizer states of a rank. */
#include "cost/states.h"

#include <math.h>

/* Bytes of the optimizer's state per parameter beside the fp32 master weights
 * (which the 16-bit rows of the framework table include): Adam keeps two fp32
 * moments, SGD one. */
static const double ADAM_MOMENT_BYTES = 8;
static const double SGD_MOMENT_BYTES = 4;

/* Host memory per parameter with the optimizer on the CPU: fp32 weights, two
 * moments and gradients. Source: DeepSpeed@edaa7221 ZeRO-Offload, 16 B. */
static const double HOST_STATE_BYTES = 16;
static const double HOST_WEIGHT_BYTES = 2;

static p3d_state_kind kind_of(p3d_dtype dtype, bool pipeline)
{
    static const p3d_state_kind kinds[P3D_N_DTYPES] = {
            [P3D_FP32] = P3D_STATE_FP32,
            [P3D_FP16] = P3D_STATE_FP16,
            [P3D_BF16] = P3D_STATE_BF16,
            [P3D_FP8] = P3D_STATE_BF16};

    if (kinds[dtype] == P3D_STATE_BF16 && pipeline)
        return P3D_STATE_BF16_PIPELINE;
    return kinds[dtype];
}

/** Bytes of one kind of state: the whole part, and a share of the rest. */
static double bytes_of(p3d_state_bytes state, p3d_params params,
        double dense_ranks, double expert_ranks)
{
    const double dense = (double)params.dense;
    const double experts = (double)params.experts;

    return state.replicated * (dense + experts) +
           state.sharded * (dense / dense_ranks + experts / expert_ranks);
}

/**
 * States of one rank.
 *
 *     bytes = replicated (P + Pe) + sharded (P / D + Pe / De)
 *
 * P, Pe dense and expert parameters of the rank; D, De ranks that share them;
 * bytes per parameter from the framework's table. DeepSpeed's fp16 accounting
 * 16, 4 + 12/N, 2 + 14/N, 16/N is the special case of 2 + 2 + 12 bytes.
 *
 * Source: arXiv:1910.02054 section 3.1 and figure 1.
 * Tested: tests/unit/test_states.c, tests/oracle/test_states.c
 */
cost_state_sum cost_states(
        const p3d_job *job, const p3d_plan *plan, p3d_params params)
{
    const p3d_state_kind kind = kind_of(job->dtype, plan->pp > 1);
    const p3d_states *states = &job->framework->states[kind][plan->zero];
    const double D = cost_dense_replicas(plan);
    const double De = cost_expert_replicas(plan);
    p3d_state_bytes gradients = states->gradients;
    p3d_state_bytes optimizer = states->optimizer;
    p3d_state_bytes weights = states->weights;

    if (job->optimizer == P3D_SGD) {
        const double less = ADAM_MOMENT_BYTES - SGD_MOMENT_BYTES;

        optimizer.replicated = fmax(0, optimizer.replicated - less);
        optimizer.sharded = fmax(0, optimizer.sharded - less);
        if (plan->zero == 0)
            optimizer.sharded = 0;
    }
    if (plan->offload != P3D_OFFLOAD_NONE) {
        optimizer = (p3d_state_bytes){0, 0};
        gradients.sharded =
                fmin(gradients.sharded, job->framework->offload_gradient_bytes);
    }
    if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        weights.sharded = 0;
    return (cost_state_sum){.weights_bytes = bytes_of(weights, params, D, De),
            .gradients_bytes = bytes_of(gradients, params, D, De),
            .optimizer_bytes = bytes_of(optimizer, params, D, De)};
}

double cost_owned_params(const p3d_plan *plan, p3d_params params)
{
    if (plan->zero == 0)
        return (double)(params.dense + params.experts);
    return (double)params.dense / cost_dense_replicas(plan) +
           (double)params.experts / cost_expert_replicas(plan);
}

/** Bytes of host memory that one rank's offloaded states take. */
double cost_host_bytes(const p3d_plan *plan, p3d_params params)
{
    const double owned = cost_owned_params(plan, params);

    switch (plan->offload) {
    case P3D_OFFLOAD_OPTIMIZER: return HOST_STATE_BYTES * owned;
    case P3D_OFFLOAD_OPTIMIZER_PARAMETERS:
        return (HOST_STATE_BYTES + HOST_WEIGHT_BYTES) * owned;
    case P3D_OFFLOAD_NONE:
    case P3D_N_OFFLOADS: break;
    }
    return 0;
}
