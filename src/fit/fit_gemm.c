/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_gemm.c - constants of matrix products from measured ones. */
#include "base/util.h"
#include "cost/cost.h"
#include "fit/minimize.h"

/* The memory term is weakly seen in large products; what a roofline fits there
 * is no bandwidth, so it is set. */
static const double ROOFLINE_MEMORY_FRAC = 0.8;

static const fit_constant roofline[] = {
        {0.2e-6, 2e-5, 3e-6}, /* launch_s */
        {0.05, 1, 0.75},      /* peak_frac */
        {-1, 2000, 100},      /* k_ramp */
};

static const fit_constant tile_wave[] = {
        {0.2e-6, 2e-5, 3e-6}, /* launch_s */
        {0.05, 1, 0.9},       /* peak_frac */
        {-1, 2000, 190},      /* k_ramp */
        {0.3, 1, 0.9},        /* memory_frac */
        {0, 1, 0.85},         /* wave_q */
        {0.3, 1.2, 0.85},     /* tile_128_frac */
        {0.3, 1.2, 0.93},     /* tile_64_frac */
        {1, 20, 8},           /* p_norm */
};

static void set(const double *x, p3d_gemm_fit *fit)
{
    fit->launch_s = x[0];
    fit->peak_frac = x[1];
    fit->k_ramp = x[2] > 0 ? x[2] : 0;
    if (!fit->tile_wave) {
        fit->memory_frac = ROOFLINE_MEMORY_FRAC;
        return;
    }
    fit->memory_frac = x[3];
    fit->wave_q = x[4];
    fit->tile_128_frac = x[5];
    fit->tile_64_frac = x[6];
    fit->p_norm = x[7];
}

static double predict(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    p3d_cluster *cluster = context;
    const p3d_op *op = &kernel->op;

    set(x, &cluster->calibration.gemm);
    return cost_gemm_s(cluster, op->dtype == P3D_FP8 ? P3D_FP8 : P3D_BF16,
            (cost_product){op->m, op->n, op->k, op->count});
}

bool p3d_fit_gemm(const p3d_gpu *gpu, const p3d_measured_kernel *kernels, int n,
        bool tiles, p3d_gemm_fit *out, p3d_fit_quality *quality, p3d_error *err)
{
    if (gpu == NULL || kernels == NULL || n < 0 || out == NULL ||
            quality == NULL)
        return p3d_misuse(err, __func__);

    p3d_cluster cluster = {.gpu = *gpu,
            .calibration = {.sustained_frac = 1, .gemm = {.tile_wave = tiles}}};
    double x[FIT_MAX_CONSTANTS];

    if (!fit_minimize(&(fit_task){tiles ? tile_wave : roofline,
                              tiles ? P3D_COUNT_OF(tile_wave)
                                    : P3D_COUNT_OF(roofline),
                              kernels, n, predict, &cluster},
                x, quality, err))
        return false;
    out->tile_wave = tiles;
    set(x, out);
    out->error_frac = quality->held_error_frac;
    return true;
}
