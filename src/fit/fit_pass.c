/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_pass.c - constants of kernels that only move bytes. */
#include "base/util.h"
#include "cost/cost.h"
#include "fit/minimize.h"

static const fit_constant constants[] = {
        {0.05, 1, 0.8},     /* hbm_frac */
        {1e-7, 5e-5, 4e-6}, /* launch_s */
};

static double predict(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    p3d_cluster *cluster = context;

    cluster->calibration.pass =
            (p3d_pass_fit){.hbm_frac = x[0], .launch_s = x[1]};
    return cost_pass_s(cluster, kernel->op.bytes, 1);
}

bool p3d_fit_pass(const p3d_gpu *gpu, const p3d_measured_kernel *kernels, int n,
        p3d_pass_fit *out, p3d_fit_quality *quality, p3d_error *err)
{
    if (gpu == NULL || kernels == NULL || n < 0 || out == NULL ||
            quality == NULL)
        return p3d_misuse(err, __func__);

    p3d_cluster cluster = {.gpu = *gpu};
    double x[FIT_MAX_CONSTANTS];

    if (!fit_minimize(&(fit_task){constants, P3D_COUNT_OF(constants), kernels,
                              n, predict, &cluster},
                x, quality, err))
        return false;
    *out = (p3d_pass_fit){.hbm_frac = x[0],
            .launch_s = x[1],
            .error_frac = quality->held_error_frac};
    return true;
}
