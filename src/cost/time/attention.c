/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attention.c - seconds of a fused attention core. */
#include <math.h>

#include "cost/cost.h"

/** Pairs of query and key that causal attention computes, per sequence: the
 *  triangle, or a band of `window` keys; queries are dealt out evenly over the
 *  context-parallel ranks. */
static double computed_pairs(const p3d_op *op)
{
    const double q = (double)op->seq_q;
    const double kv = (double)op->seq_kv;
    const double w = (double)op->window;

    if (op->window > 0 && w < kv)
        return q * (w - w * w / (2 * kv));
    return op->not_causal ? q * kv : q * kv / 2;
}

/**
 * Floating-point operations of an operation.
 *
 *     GEMM               2 m n k count
 *     attention forward  2 pairs heads batch (d_qk + d_v)
 *     attention backward 2 pairs heads batch (3 d_qk + 2 d_v)
 *
 * pairs = s_q s_kv / 2 when causal. The backward pass of fused attention
 * recomputes the scores: 5 products instead of 2.
 *
 * Source: arXiv:2307.08691 section 4.1 (backward = 2.5 x forward).
 * Tested: tests/unit/test_attention.c
 */
double p3d_op_flop(const p3d_op *op)
{
    if (op == NULL)
        return 0;

    const double heads = (double)(op->heads * op->batch);
    const double qk = (double)op->qk_dim;
    const double v = (double)op->v_dim;

    if (op->kind == P3D_OP_GEMM)
        return 2.0 * (double)op->m * (double)op->n * (double)op->k *
               (double)op->count;
    if (op->kind != P3D_OP_ATTENTION)
        return 0;
    if (op->phase == P3D_FORWARD)
        return 2 * computed_pairs(op) * heads * (qk + v);
    return 2 * computed_pairs(op) * heads * (3 * qk + 2 * v);
}

/** True for a kernel whose constants the calibration has. */
static bool is_fitted(const p3d_calibration *calibration, int kernel)
{
    return kernel >= P3D_EFFICIENT && kernel < P3D_N_ATTENTIONS &&
           calibration->attention[kernel].error_frac > 0;
}

const p3d_attention_fit *p3d_attention_fit_of(
        const p3d_calibration *calibration, p3d_attention kernel)
{
    static const p3d_attention_fit none;

    if (calibration == NULL || (unsigned)kernel >= P3D_N_ATTENTIONS)
        return &none;

    const int asked = kernel < P3D_EFFICIENT ? P3D_FLASH_2 : (int)kernel;
    int k = asked;

    while (k > P3D_EFFICIENT && !is_fitted(calibration, k))
        k--;
    while (k < P3D_N_ATTENTIONS - 1 && !is_fitted(calibration, k))
        k++;
    return &calibration->attention[k];
}

/** Next multiple of 64. */
static double padded(double dim)
{
    return ceil(dim / 64) * 64;
}

/** Efficiency at a size, a mean of two multiples of 64: straight lines between
 *  the sizes that were measured. */
static double frac_at(const double frac[P3D_N_HEAD_SIZES], double size)
{
    static const double sizes[P3D_N_HEAD_SIZES] = {64, 128, 160, 256};
    int below = 0;

    if (size <= sizes[0])
        return frac[0];
    for (int i = 1; i < P3D_N_HEAD_SIZES; i++) {
        if (frac[i] <= 0)
            continue;
        if (size <= sizes[i])
            return frac[below] + (frac[i] - frac[below]) *
                                         (size - sizes[below]) /
                                         (sizes[i] - sizes[below]);
        below = i;
    }
    return frac[below];
}

/** Efficiency of a core: heads run as the next larger multiples of 64, of which
 *  they waste a part. */
static double head_frac(
        const double frac[P3D_N_HEAD_SIZES], double qk_dim, double v_dim)
{
    const double size = (padded(qk_dim) + padded(v_dim)) / 2;

    return frac_at(frac, size) * (qk_dim + v_dim) / 2 / size;
}

/**
 * Seconds of a fused attention core.
 *
 *     t = c t0 + F / (P e(d)) (1 + s0 c / s) (1 + w0 / w)
 *
 * F operations of p3d_op_flop(); P dense peak; e efficiency of the head size;
 * s keys, twice as many when not causal; c steps of the context-parallel ring,
 * each a kernel over s / c keys;
 * w = batch heads ceil(s_q / 128) / SMs query tiles per SM. On GPUs whose
 * constants were measured in short bursts the sustained factor applies.
 *
 * Source: hardware/calibration (attention); held-out errors 2.6 to 8 %.
 * Tested: tests/unit/test_attention.c
 */
double cost_attention_s(
        const p3d_cluster *cluster, p3d_dtype dtype, const p3d_op *op)
{
    const p3d_attention_fit *fit =
            p3d_attention_fit_of(&cluster->calibration, op->kernel);
    const p3d_attention_pass *pass =
            op->phase == P3D_FORWARD ? &fit->forward : &fit->backward;
    const double peak = p3d_gpu_peak_flop_per_s(&cluster->gpu, dtype);
    const double steps = (double)op->count;
    const double keys = (double)op->seq_kv * (op->not_causal ? 2 : 1);
    const double tiles =
            (double)(op->batch * op->heads) * ceil((double)op->seq_q / 128);
    const double ramp = (1 + pass->seq_ramp * steps / keys) *
                        (1 + pass->wave_ramp * cluster->gpu.n_sms / tiles);
    const double power =
            fit->sustained ? cluster->calibration.sustained_frac : 1;

    return steps * pass->launch_s +
           p3d_op_flop(op) /
                   (peak *
                           head_frac(pass->peak_frac, (double)op->qk_dim,
                                   (double)op->v_dim) *
                           power) *
                   ramp;
}

/**
 * Seconds of kernels that only move bytes.
 *
 *     t = bytes / (f BW) + kernels t0
 *
 * Source: hardware/calibration (memory_pass).
 * Tested: tests/unit/test_attention.c
 */
double cost_pass_s(const p3d_cluster *cluster, double bytes, int n_kernels)
{
    const p3d_pass_fit *fit = &cluster->calibration.pass;

    return bytes / (fit->hbm_frac * cluster->gpu.hbm_bytes_per_s) +
           n_kernels * fit->launch_s;
}
