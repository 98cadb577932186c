/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compressed.c - what the compression of data-parallel communication does
 * beside sending: passes over weights, gradients and momenta. */
#include "cost/cost.h"
#include "cost/time/step_time.h"

/* Weights that arrive in 8 bits are read and written in 16, for both gathers.
 * Source: DeepSpeed@0.18.0 csrc/quantization/dequantize.cu. */
static const double DEQUANTIZE_BYTES = 1 + 2;

/* Gradients in 16 bits become 4, which are read where they arrive: csrc/
 * quantization/swizzled_quantize.cu, quant_reduce.cu there. What goes on
 * between nodes is a share. */
static const double QUANTIZE_BYTES = 2 + 0.5 + 0.5;

/* runtime/comm/nccl.py compressed_allreduce, statement by statement in fp32:
 * the momentum and its error 12, its norm 4, the new error 62, packed signs 22,
 * those of all ranks unpacked 34, the result unpacked and copied 38. */
static const double ONE_BIT_BYTES = 172;

/* In the bucket's fp32: the error added 12, a copy 8, the products with Q and
 * P 8, what they make 4, the new error 12. Source: pytorch@2.6.0 torch/
 * distributed/algorithms/ddp_comm_hooks/powerSGD_hook.py. */
static const double LOW_RANK_BYTES = 44;

/* In the bucket's fp32: the least and the greatest 4; divided, rounded, moved,
 * cut off, each 8, and written in 8 bits 5; the mean 8, and copied back 8. Of
 * each rank: room of zeros 1; in fp32 5, moved 8, scaled 8, added 12. Source:
 * pytorch@2.6.0 torch/distributed/algorithms/ddp_comm_hooks/
 * quantization_hooks.py (quantization_pertensor_hook). */
static const double EIGHT_BIT_BYTES = 57;
static const double EIGHT_BIT_RANK_BYTES = 34;

double cost_wire_weight_bytes(const p3d_job *job, double usual)
{
    /* A scale in fp32 for 8000 values: deepspeed/runtime/zero/
     * partition_parameters.py (CUDAQuantizer.target_group_size). */
    return job->compression.weights ? 1 + 4.0 / 8000 : usual;
}

double cost_compress_pass_bytes(const p3d_job *job, cost_shared params)
{
    const p3d_compression *const c = &job->compression;

    return (c->weights ? 2 * DEQUANTIZE_BYTES * cost_all_params(params.all)
                       : 0) +
           (c->gradients ? QUANTIZE_BYTES * cost_all_params(params.trained)
                         : 0);
}

double cost_compress_step_bytes(
        const p3d_job *job, const p3d_plan *plan, p3d_params trained)
{
    const p3d_compression *const c = &job->compression;
    const double eight_bit =
            EIGHT_BIT_BYTES + EIGHT_BIT_RANK_BYTES * cost_dense_replicas(plan);

    return (c->one_bit            ? ONE_BIT_BYTES
                   : c->rank > 0  ? LOW_RANK_BYTES
                   : c->eight_bit ? eight_bit
                                  : 0) *
           cost_all_params(trained);
}
