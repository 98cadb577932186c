/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_attention.c - constants of fused attention from measured kernels. */
#include "base/util.h"
#include "cost/cost.h"
#include "fit/minimize.h"

enum { N_RAMPS = 3 };

static const fit_constant ramps[N_RAMPS] = {
        {4e-6, 1, 8e-6},  /* launch_s */
        {-1, 3000, 500},  /* seq_ramp */
        {-0.01, 3, 0.25}, /* wave_ramp */
};
static const fit_constant peak_frac = {0.02, 1.2, 0.5};

/* Head sizes in the order of p3d_attention_pass. */
static const int sizes[P3D_N_HEAD_SIZES] = {64, 128, 160, 256};

typedef struct attention_fit {
    p3d_cluster cluster;
    p3d_attention_pass pass;
    int n_sizes;
    int size[P3D_N_HEAD_SIZES]; /* places of those that were measured */
} attention_fit;

static void find_sizes(
        attention_fit *fit, const p3d_measured_kernel *kernels, int n)
{
    for (int s = 0; s < P3D_N_HEAD_SIZES; s++) {
        for (int i = 0; i < n; i++) {
            const p3d_op *op = &kernels[i].op;

            if (op->qk_dim + op->v_dim == 2 * sizes[s]) {
                fit->size[fit->n_sizes++] = s;
                break;
            }
        }
    }
}

static void set(const double *x, attention_fit *fit)
{
    fit->pass.launch_s = x[0];
    fit->pass.seq_ramp = x[1] > 0 ? x[1] : 0;
    fit->pass.wave_ramp = x[2] > 0 ? x[2] : 0;
    for (int i = 0; i < fit->n_sizes; i++)
        fit->pass.peak_frac[fit->size[i]] = x[N_RAMPS + i];
}

static double predict(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    attention_fit *fit = context;
    p3d_attention_fit *const out =
            &fit->cluster.calibration.attention[P3D_FLASH_2];
    p3d_op op = kernel->op;
    double t;

    set(x, fit);
    out->forward = out->backward = fit->pass;
    t = cost_attention_s(&fit->cluster, P3D_BF16, &op);
    if (kernel->both_passes) {
        op.phase = P3D_BACKWARD;
        t += cost_attention_s(&fit->cluster, P3D_BF16, &op);
    }
    return t;
}

bool p3d_fit_attention(const p3d_gpu *gpu, const p3d_measured_kernel *kernels,
        int n, double longest_launch_s, p3d_attention_pass *out,
        p3d_fit_quality *quality, p3d_error *err)
{
    if (gpu == NULL || kernels == NULL || n < 0 || out == NULL ||
            quality == NULL)
        return p3d_misuse(err, __func__);

    attention_fit fit = {
            .cluster = {.gpu = *gpu,
                    .calibration = {.attention[P3D_FLASH_2] = {.error_frac =
                                                                       1}}},
            .pass = *out};
    fit_constant constants[FIT_MAX_CONSTANTS];
    double x[FIT_MAX_CONSTANTS];

    find_sizes(&fit, kernels, n);
    for (int i = 0; i < N_RAMPS; i++)
        constants[i] = ramps[i];
    constants[0].high = longest_launch_s;
    for (int i = 0; i < fit.n_sizes; i++)
        constants[N_RAMPS + i] = peak_frac;
    if (!fit_minimize(&(fit_task){constants, N_RAMPS + fit.n_sizes, kernels, n,
                              predict, &fit},
                x, quality, err))
        return false;
    set(x, &fit);
    *out = fit.pass;
    return true;
}
