/* SPDX-License-Identifier: GPL-3.0-or-later */
/* precision.c - bytes of values that are cast for products in fewer than 16
 * bits. */
#include "cost/workload/precision.h"

#include <math.h>

enum { WIDE_BYTES = 2 };

/* The time of casts by blocks, over that of other passes of as many bytes: the
 * 4.06 bytes go at 5.2 of 7.7 TB/s (8,192 x 8,192 on B200 in 52.3 us,
 * ROCm/TransformerEngine pull 598), others at 0.8 of them. */
static const double BLOCK_PASS_FACTOR = 1.18;

bool cost_casts_again(const p3d_job *job)
{
    const unsigned all = job->framework->fp8_recipes;

    return all != 0 && (all >> P3D_FP8_DELAYED & 1) == 0;
}

int cost_layouts(const p3d_job *job)
{
    const p3d_precision *const p = p3d_precision_of(job);

    return p != NULL && p->by_tensor && job->fp8_one_layout &&
                           !cost_casts_again(job)
                   ? 1
                   : 2;
}

double cost_layout_bytes(const p3d_job *job)
{
    const p3d_precision *const p = p3d_precision_of(job);

    return p == NULL ? 0 : p->data_bytes + p->weight_scale_bytes;
}

double cost_kept_input_bytes(const p3d_job *job)
{
    const p3d_precision *const p = p3d_precision_of(job);

    return p != NULL && job->framework->transformer_engine
                   ? p->data_bytes + p->scale_bytes
                   : p3d_dtype_bytes(job->dtype);
}

/** Bytes of one cast to one layout. @param found  the largest value is known */
static double one_cast(const p3d_precision *p, bool found)
{
    const int reads = p->finds_largest && !found ? 2 : 1;

    return reads * WIDE_BYTES + p->data_bytes + p->scale_bytes;
}

/** Both layouts from one kernel, or from two where their scales differ. */
static double both_casts(const p3d_precision *p, bool found)
{
    const double first = one_cast(p, found);

    if (p->by_tensor)
        return first + p->data_bytes;
    return first + one_cast(p, !p->by_row);
}

/* torchao: inputs and weights are cast again for the backward pass; the
 * kernel before finds the largest value where it is compiled. Source:
 * pytorch/ao@36027d8 torchao/float8/float8_linear.py
 * (matmul_with_hp_or_float8_args), torchao/prototype/mx_formats/
 * mx_linear.py. */
static cost_cast torchao_cast(const p3d_job *job, const p3d_precision *p,
        cost_operand operand, bool frozen)
{
    const bool found = job->framework->compiles && !job->eager;

    if (operand == COST_GRADIENT)
        return (cost_cast){
                {0, frozen ? one_cast(p, found) : both_casts(p, found)}};
    return (cost_cast){{one_cast(p, found && operand != COST_WEIGHT),
            frozen && operand != COST_WEIGHT ? 0 : one_cast(p, !p->by_row)}};
}

/** Bytes of a cast to so many layouts by Transformer Engine. */
static double engine_cast(
        const p3d_job *job, const p3d_precision *p, bool of_norm, int layouts)
{
    const double written = layouts * (p->data_bytes + p->scale_bytes);
    const bool by_norm = of_norm && job->framework->transformer_engine;

    if (by_norm && p->norm_casts) /* in place of 16 bits; then transposed */
        return fmax(0, written - WIDE_BYTES + (layouts - 1) * p->data_bytes);
    return (p->finds_largest && !(by_norm && p->norm_finds) ? 2 : 1) *
                   WIDE_BYTES +
           written;
}

/* Kernels of a cast by Transformer Engine that finds the largest value: that,
 * the scale, and the cast; where a norm has found it, the latter two. */
enum { CURRENT_KERNELS = 3, FOUND_KERNELS = 2 };

int cost_cast_kernels(const p3d_job *job, cost_operand operand)
{
    const p3d_precision *const p = p3d_precision_of(job);

    if (p == NULL || !job->framework->transformer_engine || !p->finds_largest)
        return 1;
    return operand == COST_INPUT_OF_NORM && p->norm_finds ? FOUND_KERNELS
                                                          : CURRENT_KERNELS;
}

bool cost_casts_together(const p3d_job *job)
{
    const p3d_precision *const p = p3d_precision_of(job);

    return p != NULL && job->framework->transformer_engine && p->by_tensor &&
           !p->finds_largest;
}

/**
 * Bytes of casting a value to what products take.
 *
 *     16-bit reads + layouts (data + scales)
 *
 * layouts 1 where the weights are frozen; one read, and one before where the
 * largest value of the tensor or row has to be found; by Transformer Engine
 * once for the forward and the backward pass, norms doing a part of it
 * (norm_casts, norm_finds); by torchao once for each
 * product. Weights are cast by Transformer Engine once a step, which is part
 * of the optimizer's. Per-block casts count BLOCK_PASS_FACTOR fold.
 *
 * Source: p3d_precision; TransformerEngine@d0067d0d transformer_engine/pytorch/
 * csrc/extensions/normalization.cpp (FULLY_FUSED, FUSED_NORM_AMAX_FP8),
 * csrc/quantizer.cpp; activations are kernels of their own in Megatron-LM@
 * d98e8a64 megatron/core/transformer/mlp.py.
 * Tested: tests/unit/test_precision.c
 */
cost_cast cost_cast_of(const p3d_job *job, cost_operand operand, bool frozen)
{
    const p3d_precision *const p = p3d_precision_of(job);
    const bool backward = operand == COST_GRADIENT;
    const double factor =
            p != NULL && p->scale_bytes > 0 ? BLOCK_PASS_FACTOR : 1;
    cost_cast cast = {{0, 0}};

    if (p == NULL)
        return cast;
    if (cost_casts_again(job))
        cast = torchao_cast(job, p, operand, frozen);
    else if (operand != COST_WEIGHT)
        cast.bytes[backward] = engine_cast(job, p,
                operand == COST_INPUT_OF_NORM, frozen ? 1 : cost_layouts(job));
    for (int i = 0; i < 2; i++)
        cast.bytes[i] *= factor;
    return cast;
}

/* Bytes of a gradient in fp32. */
static const double WIDE_GRADIENT_BYTES = 4;

double cost_gradient_bytes(const p3d_job *job)
{
    const p3d_states *const fp16 = job->framework->states[P3D_STATE_FP16];

    if (job->gradient_dtype != P3D_STATE_USUAL)
        return job->gradient_dtype == P3D_STATE_IN_16 ? 2 : WIDE_GRADIENT_BYTES;
    return job->dtype == P3D_FP16
                   ? fmin(fp16->gradients.replicated, WIDE_GRADIENT_BYTES)
                   : WIDE_GRADIENT_BYTES;
}

bool cost_autocasts(const p3d_job *job)
{
    const bool pure =
            job->master_dtype == P3D_STATE_NONE || p3d_job_is_usually_16(job);

    return job->framework->autocasts && job->dtype != P3D_FP32 && !pure &&
           job->adapters.rank == 0;
}
