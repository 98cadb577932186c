/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_collective.c - constants of collectives inside a node. */
#include "base/util.h"
#include "cost/cost.h"
#include "fit/minimize.h"

static const fit_constant constants[] = {
        {1e-6, 1e-4, 8e-6}, /* launch_s */
        {0, 1e-5, 8e-7},    /* step_s */
        {0.05, 1, 0.75},    /* link_frac */
        {0, 1e-7, 1e-8},    /* ramp_s_per_sqrt_byte */
};

typedef struct collective_fit {
    p3d_cluster cluster;
    p3d_collective collective;
} collective_fit;

static p3d_collective_fit fit_of(const double *x)
{
    return (p3d_collective_fit){.launch_s = x[0],
            .step_s = x[1],
            .link_frac = x[2],
            .ramp_s_per_sqrt_byte = x[3]};
}

static double predict(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    collective_fit *fit = context;
    const cost_group group = {.n_ranks = kernel->n_ranks,
            .n_nodes = 1,
            .ranks_per_node = kernel->n_ranks};

    fit->cluster.calibration.collective[fit->collective] = fit_of(x);
    return cost_collective_s(
            &fit->cluster, fit->collective, group, kernel->op.bytes);
}

bool p3d_fit_collective(const p3d_gpu *gpu, const p3d_measured_kernel *kernels,
        int n, p3d_collective collective, p3d_collective_fit *out,
        p3d_fit_quality *quality, p3d_error *err)
{
    if (gpu == NULL || kernels == NULL || n < 0 || out == NULL ||
            quality == NULL || (unsigned)collective >= P3D_N_COLLECTIVES)
        return p3d_misuse(err, __func__);

    collective_fit fit = {.cluster = {.gpu = *gpu,
                                  .node = {.gpus_per_nvlink_domain = 8},
                                  .calibration = {.nvls_factor = 1}},
            .collective = collective};
    double x[FIT_MAX_CONSTANTS];

    if (!fit_minimize(&(fit_task){constants, P3D_COUNT_OF(constants), kernels,
                              n, predict, &fit},
                x, quality, err))
        return false;
    *out = fit_of(x);
    return true;
}
