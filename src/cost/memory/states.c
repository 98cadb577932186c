/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c - bytes of weights, gradients and optimizer states of a rank. */
#include "cost/memory/memory.h"
#include "cost/workload/precision.h"

#include <math.h>

/* Host memory per parameter with the optimizer on the CPU beside its moments:
 * fp32 weights and gradients, and with ZeRO-3 a 16-bit gradient. Source:
 * DeepSpeed@5f631abc deepspeed/runtime/zero/stage_1_and_2.py, stage3.py. */
static const double HOST_MASTER_BYTES = 4;
static const double HOST_GRADIENT_BYTES = 4;
static const double HOST_FLAT_GRADIENT_BYTES = 2;
static const double HOST_WEIGHT_BYTES = 2;

/* Buffers in pinned memory through which NVMe is reached: 5 of 1e8 16-bit
 * weights and 1e9 kept ones; 4 of the largest group of 1e9 fp32 states.
 * Source: DeepSpeed@5f631abc deepspeed/runtime/swap_tensor/
 * partitioned_param_swapper.py:101-108, optimizer_utils.py:137-141. */
static const double NVME_WEIGHT_BUFFER_BYTES = (5 * 1e8 + 1e9) * 2;
static const double NVME_STATE_BUFFERS = 4;
static const double NVME_SUB_GROUP = 1e9;

/* Bytes of the gradient that is reduced, where a narrower one is beside it. */
static const double WIDE_GRADIENT_BYTES = 4;

static p3d_state_kind kind_of(const p3d_job *job, bool pipeline)
{
    static const p3d_state_kind kinds[P3D_N_DTYPES] = {
            [P3D_FP32] = P3D_STATE_FP32,
            [P3D_FP16] = P3D_STATE_FP16,
            [P3D_BF16] = P3D_STATE_BF16,
            [P3D_FP8] = P3D_STATE_BF16,
            [P3D_NVFP4] = P3D_STATE_BF16};

    if ((job->dtype != P3D_FP32 && job->master_dtype == P3D_STATE_NONE) ||
            p3d_job_is_usually_16(job))
        return P3D_STATE_PURE_16;
    if (kinds[job->dtype] == P3D_STATE_BF16 && pipeline)
        return P3D_STATE_WIDE_GRADIENTS;
    if (job->dtype != P3D_FP32 && job->framework->wide_gradients &&
            job->gradient_dtype == P3D_STATE_IN_FP32)
        return P3D_STATE_WIDE_GRADIENTS;
    return kinds[job->dtype];
}

/** Bytes per parameter in a number format, or the usual ones. */
static double in_dtype(p3d_state_dtype dtype, double usual)
{
    static const double bytes[P3D_N_STATE_DTYPES] = {[P3D_STATE_IN_FP32] = 4,
            [P3D_STATE_IN_16] = 2,
            [P3D_STATE_IN_8] = 1};

    return dtype == P3D_STATE_USUAL || dtype == P3D_STATE_NONE ? usual
                                                               : bytes[dtype];
}

/** The same state with other bytes per parameter; nothing stays nothing. */
static p3d_state_bytes retyped(p3d_state_bytes state, double bytes)
{
    state.replicated = state.replicated > 0 ? bytes : 0;
    state.sharded = state.sharded > 0 ? bytes : 0;
    return state;
}

bool cost_has_fp8_weights(const p3d_job *job, const p3d_plan *plan)
{
    return p3d_precision_of(job) != NULL &&
           job->framework->transformer_engine && plan->zero > 0 &&
           !job->fp8_copies;
}

/** Share of the 16-bit weights of the layers that one narrow layout takes off;
 *  its scales are counted beside it. */
static double narrow_frac(const p3d_job *job, const p3d_plan *plan)
{
    const p3d_precision *const p = p3d_precision_of(job);

    return p != NULL && cost_has_fp8_weights(job, plan) ? 1 - p->data_bytes / 2
                                                        : 0;
}

double cost_gather_bytes(const p3d_job *job, const p3d_plan *plan)
{
    const p3d_precision *const p = p3d_precision_of(job);
    const bool narrow = cost_has_fp8_weights(job, plan)
                                ? plan->zero > 1 || !p->gathers_wide
                                : p != NULL && p->by_tensor && plan->zero > 1 &&
                                          cost_casts_again(job) &&
                                          !job->fp8_copies;

    return narrow ? p->data_bytes : p3d_dtype_bytes(job->dtype);
}

/** Bytes of one kind of state: the whole part, and a share of the rest. */
static double bytes_of(
        p3d_state_bytes state, p3d_params params, const p3d_plan *plan)
{
    const double dense = (double)params.dense;
    const double experts = (double)params.experts;

    return state.replicated * (dense + experts) +
           state.sharded * (dense / cost_dense_shards(plan) +
                                   experts / cost_expert_shards(plan));
}

/** All moments of a rank when they take `width` bytes each, sharded or not. */
static double moments_bytes(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *p, double width)
{
    const p3d_optimizer_facts *o = p3d_optimizer_of(job->optimizer);
    const double one =
            width > 0 ? fmin(width, o->moment_bytes > 0 ? o->moment_bytes : 4)
                      : o->moment_bytes;
    const double other = width > 0 ? fmin(width, o->other_moment_bytes)
                                   : o->other_moment_bytes;
    const p3d_params matrices = o->factored ? p->edges : p->trained_matrices;
    const double matrix = o->factored ? 4 : o->moments * one;
    const p3d_state_bytes of_matrices = {
            plan->zero == 0 ? matrix : 0, plan->zero == 0 ? 0 : matrix};
    const p3d_state_bytes of_rest = {
            plan->zero == 0 ? o->other_moments * other : 0,
            plan->zero == 0 ? 0 : o->other_moments * other};

    return bytes_of(of_matrices, matrices, plan) +
           bytes_of(of_rest, cost_less_params(p->trained, p->trained_matrices),
                   plan);
}

double cost_offloaded_frac(const p3d_plan *plan)
{
    if (plan->offload == P3D_OFFLOAD_NONE)
        return 0;
    return plan->offload_frac > 0 ? plan->offload_frac : 1;
}

double cost_frozen_bytes(const p3d_job *job)
{
    return p3d_dtype_bytes(job->dtype);
}

/**
 * Frozen weights of one rank's model.
 *
 *     w_f (P - P_t - P_q) + q P_q
 *
 * P_t trained parameters; w_f bytes of a frozen weight, the data type's where
 * the framework does not keep all as it does trained ones; P_q frozen matrices
 * of the layers in q bytes, 8 or 4 bits.
 *
 * Source: arXiv:2106.09685 section 4.2; arXiv:2305.14314 section 3.
 * Tested: tests/unit/test_adapters.c
 */
static double frozen_bytes(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *p, p3d_state_bytes weights)
{
    const p3d_adapter_facts *const facts = p3d_adapter_facts_of(job->framework);
    const bool wide = facts != NULL && facts->wide_base &&
                      job->adapters.base == P3D_BASE_16;
    const double E = cost_frozen_bytes(job);
    const p3d_state_bytes frozen = wide ? weights : retyped(weights, E);
    const double bytes = bytes_of(frozen,
            cost_less_params(
                    cost_less_params(p->all, p->companion), p->trained),
            plan);

    if (job->adapters.base == P3D_BASE_16)
        return bytes;
    return bytes - (1 - p3d_base_bytes(job->adapters.base, E) / E) *
                           bytes_of(frozen, p->matrices, plan);
}

/** Weights of a frozen model beside, shared out as the weights are. */
static double companion_bytes(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *p, p3d_state_bytes weights)
{
    return bytes_of(
            retyped(weights, cost_frozen_bytes(job)), p->companion, plan);
}

/**
 * Weights of one rank.
 *
 *     w_t P_t + frozen weights  - [fp8] narrow w P_m
 *
 * P_t trained parameters, w_t their bytes, replicated and sharded, by the
 * framework's table; P_m matrices in fp8 alone.
 *
 * Tested: tests/unit/test_adapters.c
 */
static double weights_bytes(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *p, p3d_state_bytes weights)
{
    const double bytes = bytes_of(weights, p->trained, plan) +
                         frozen_bytes(job, plan, p, weights);

    if (job->adapters.base != P3D_BASE_16)
        return bytes;
    return bytes -
           narrow_frac(job, plan) * bytes_of(weights, p->matrices, plan);
}

/** Gradients of a rank by the framework's table: bytes per parameter, while the
 *  micro-batches add them up. */
static p3d_state_bytes gradients_of(
        const p3d_job *job, const p3d_plan *plan, const p3d_states *row)
{
    p3d_state_bytes gradients = row->gradients;

    if (job->gradient_dtype != P3D_STATE_USUAL && job->framework->typed_states)
        gradients = retyped(gradients, in_dtype(job->gradient_dtype, 4));
    if (cost_reduces_once(job->framework, plan)) {
        gradients.replicated += gradients.sharded;
        gradients.sharded = 0;
    }
    return gradients;
}

static const p3d_states *row_of(const p3d_job *job, const p3d_plan *plan)
{
    return &job->framework->states[kind_of(job, plan->pp > 1)][plan->zero];
}

bool cost_casts_gradients(const p3d_job *job, const p3d_plan *plan)
{
    return job->framework->wide_gradients && plan->zero < 2 &&
           kind_of(job, plan->pp > 1) == P3D_STATE_WIDE_GRADIENTS;
}

double cost_gradient_pass_bytes(
        const p3d_job *job, const p3d_plan *plan, p3d_params params)
{
    p3d_state_bytes gradients = gradients_of(job, plan, row_of(job, plan));

    gradients.replicated = fmin(gradients.replicated, WIDE_GRADIENT_BYTES);
    gradients.sharded = fmin(gradients.sharded, WIDE_GRADIENT_BYTES);
    return job->framework->gradient_passes * bytes_of(gradients, params, plan);
}

/**
 * States of one rank on the device.
 *
 *     bytes = replicated (P + Pe) + sharded (P / D + Pe / De)
 *
 * P, Pe dense and expert parameters of the rank, of gradients and optimizer
 * those that are trained; D, De ranks that share them; bytes per parameter from
 * the framework's table and the optimizer's, of frozen weights those of
 * weights_bytes(); a frozen model beside is shared out as the weights are. The
 * accounting 16, 4 + 12/N, 2 + 14/N, 16/N is the special
 * case of 2 + 2 + 12.
 *
 * Source: arXiv:1910.02054 section 3.1 and figure 1.
 * Tested: tests/unit/test_states.c, tests/oracle/test_states.c
 */
cost_state_sum cost_states(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *parameters)
{
    const p3d_framework *fw = job->framework;
    const p3d_states *row = row_of(job, plan);
    const bool pure = row == &fw->states[P3D_STATE_PURE_16][plan->zero];
    const double kept = 1 - cost_offloaded_frac(plan);
    p3d_state_bytes weights = row->weights;
    p3d_state_bytes gradients = gradients_of(job, plan, row);
    p3d_state_bytes master = row->master;
    p3d_state_bytes step = row->step;
    cost_state_sum sum;

    if (!pure && job->dtype != P3D_FP32 && plan->dp == 1)
        gradients.replicated -= fw->bucket_copy_bytes;
    if (plan->zero == 2)
        gradients.sharded += fw->later_gradient_bytes *
                             (p3d_plan_n_micro_batches(plan, job) > 1);
    if (job->master_dtype != P3D_STATE_USUAL)
        master = retyped(master, in_dtype(job->master_dtype, 4));
    if (plan->offload != P3D_OFFLOAD_NONE)
        gradients.sharded = fmin(
                gradients.sharded, fw->offload_gradient_bytes * (1 - kept) +
                                           gradients.sharded * kept);
    if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        weights.sharded = 0;
    sum.weights_bytes = weights_bytes(job, plan, parameters, weights);
    if (plan->schedule == P3D_2BW) /* arXiv:2006.09503 section 3.1 */
        sum.weights_bytes *= 2;
    sum.companion_bytes = companion_bytes(job, plan, parameters, weights);
    sum.gradients_bytes = bytes_of(gradients, parameters->trained, plan);
    sum.master_bytes = (fw->offload_keeps_master ? 1 : kept) *
                       bytes_of(master, parameters->trained, plan);
    sum.moments_bytes =
            kept * moments_bytes(job, plan, parameters,
                           in_dtype(job->moment_dtype, pure ? 2 : 0));
    sum.step_bytes = kept * bytes_of(step, parameters->trained, plan);
    sum.optimizer_bytes = sum.master_bytes + sum.moments_bytes;
    return sum;
}

double cost_owned_params(const p3d_plan *plan, p3d_params params)
{
    if (plan->zero == 0)
        return (double)(params.dense + params.experts);
    return (double)params.dense / cost_dense_shards(plan) +
           (double)params.experts / cost_expert_shards(plan);
}

/** Largest group of states that is read from NVMe at once. */
static double sub_group(double owned)
{
    return owned < NVME_SUB_GROUP ? owned : NVME_SUB_GROUP;
}

/** Offloaded weights of one rank: of trained parameters a 16-bit copy, unless
 *  the fp32 ones are all there is, and the frozen ones as they are stored. */
static double host_weight_bytes(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *parameters)
{
    const p3d_state_bytes shards = {0, row_of(job, plan)->weights.sharded};
    const double copies =
            job->framework->offloads_whole ? 0 : HOST_WEIGHT_BYTES;

    if (plan->offload != P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        return 0;
    return copies * cost_owned_params(plan, parameters->trained) +
           frozen_bytes(job, plan, parameters, shards) +
           companion_bytes(job, plan, parameters, shards);
}

/**
 * Bytes of one rank's offloaded states.
 *
 *     host   f (4 master + 4 gradient + moments) P_t/N  [+ 2 with ZeRO-3]
 *            [+ (2 P_t + frozen weights) / N]
 *     NVMe   the same, and buffers in pinned memory instead of them
 *
 * f share that is offloaded, P_t trained parameters. Where fp32 weights are
 * offloaded whole, nothing in 16 bit lies beside them. Frozen weights go to the
 * host with the others, in the type that they are stored in. With Adam 16 P/N:
 * arXiv:2101.06840 section 4.
 *
 * Source: pytorch@2.6.0 torch/distributed/fsdp/_fully_shard/_fsdp_param.py
 * (_init_sharded_param), torch/distributed/fsdp/_flat_param.py
 * (flat_param_to); DeepSpeed@5f631abc deepspeed/runtime/zero/
 * partition_parameters.py (_partition_param).
 * Tested: tests/unit/test_offload.c
 */
cost_host_sum cost_host(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *parameters)
{
    const double owned = cost_owned_params(plan, parameters->trained);
    const double frac = cost_offloaded_frac(plan);
    const bool weights = plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    const double moments = frac * moments_bytes(job, plan, parameters,
                                          in_dtype(job->moment_dtype, 0));
    const double states =
            frac * owned * (HOST_MASTER_BYTES + HOST_GRADIENT_BYTES) + moments;
    const bool narrow = !job->framework->offloads_whole;
    const double flat = plan->zero == 3 && narrow
                                ? frac * owned * HOST_FLAT_GRADIENT_BYTES
                                : 0;
    const double weight_bytes = host_weight_bytes(job, plan, parameters);
    cost_host_sum sum = {.host_bytes = 0};

    if (plan->offload == P3D_OFFLOAD_NONE)
        return sum;
    if (!plan->offload_nvme) {
        sum.host_bytes = states + flat + weight_bytes;
        sum.pinned_bytes = sum.host_bytes;
        return sum;
    }
    sum.nvme_bytes = states + weight_bytes;
    sum.pinned_bytes = NVME_STATE_BUFFERS * 4 * sub_group(owned) +
                       (weights ? NVME_WEIGHT_BUFFER_BYTES : 0);
    sum.host_bytes = sum.pinned_bytes + flat;
    return sum;
}
