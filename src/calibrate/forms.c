/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forms.c - the constants of each form of cost, from measured kernels. */
#include "base/util.h"
#include "calibrate/minimize.h"
#include "cost/cost.h"

/* The memory term is weakly seen in large products; what a roofline fits there
 * is no bandwidth, so it is set. */
static const double ROOFLINE_MEMORY_FRAC = 0.8;

static const calibrate_constant roofline[] = {
        {0.2e-6, 2e-5, 3e-6}, /* launch_s */
        {0.05, 1, 0.75},      /* peak_frac */
        {-1, 2000, 100},      /* k_ramp */
};

static const calibrate_constant tile_wave[] = {
        {0.2e-6, 2e-5, 3e-6}, /* launch_s */
        {0.05, 1, 0.9},       /* peak_frac */
        {-1, 2000, 190},      /* k_ramp */
        {0.3, 1, 0.9},        /* memory_frac */
        {0, 1, 0.85},         /* wave_q */
        {0.3, 1.2, 0.85},     /* tile_128_frac */
        {0.3, 1.2, 0.93},     /* tile_64_frac */
        {1, 20, 8},           /* p_norm */
};

static void set_product(const double *x, p3d_gemm_fit *fit)
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

static double predict_product(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    p3d_cluster *cluster = context;
    const p3d_op *op = &kernel->op;

    set_product(x, &cluster->calibration.gemm);
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
    double x[CALIBRATE_MAX_CONSTANTS];

    if (!calibrate_minimize(&(calibrate_task){tiles ? tile_wave : roofline,
                                    tiles ? P3D_COUNT_OF(tile_wave)
                                          : P3D_COUNT_OF(roofline),
                                    kernels, n, predict_product, &cluster},
                x, quality, err))
        return false;
    out->tile_wave = tiles;
    set_product(x, out);
    out->error_frac = quality->held_error_frac;
    return true;
}

enum { N_RAMPS = 3 };

static const calibrate_constant ramps[N_RAMPS] = {
        {4e-6, 1, 8e-6},  /* launch_s */
        {-1, 3000, 500},  /* seq_ramp */
        {-0.01, 3, 0.25}, /* wave_ramp */
};
static const calibrate_constant peak_frac = {0.02, 1.2, 0.5};

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

static void set_attention(const double *x, attention_fit *fit)
{
    fit->pass.launch_s = x[0];
    fit->pass.seq_ramp = x[1] > 0 ? x[1] : 0;
    fit->pass.wave_ramp = x[2] > 0 ? x[2] : 0;
    for (int i = 0; i < fit->n_sizes; i++)
        fit->pass.peak_frac[fit->size[i]] = x[N_RAMPS + i];
}

static double predict_attention(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    attention_fit *fit = context;
    p3d_attention_fit *const out =
            &fit->cluster.calibration.attention[P3D_FLASH_2];
    p3d_op op = kernel->op;
    double t;

    set_attention(x, fit);
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
    calibrate_constant constants[CALIBRATE_MAX_CONSTANTS];
    double x[CALIBRATE_MAX_CONSTANTS];

    find_sizes(&fit, kernels, n);
    for (int i = 0; i < N_RAMPS; i++)
        constants[i] = ramps[i];
    constants[0].high = longest_launch_s;
    for (int i = 0; i < fit.n_sizes; i++)
        constants[N_RAMPS + i] = peak_frac;
    if (!calibrate_minimize(&(calibrate_task){constants, N_RAMPS + fit.n_sizes,
                                    kernels, n, predict_attention, &fit},
                x, quality, err))
        return false;
    set_attention(x, &fit);
    *out = fit.pass;
    return true;
}

static const calibrate_constant pass_constants[] = {
        {0.05, 1, 0.8},     /* hbm_frac */
        {1e-7, 5e-5, 4e-6}, /* launch_s */
};

static double predict_pass(
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
    double x[CALIBRATE_MAX_CONSTANTS];

    if (!calibrate_minimize(
                &(calibrate_task){pass_constants, P3D_COUNT_OF(pass_constants),
                        kernels, n, predict_pass, &cluster},
                x, quality, err))
        return false;
    *out = (p3d_pass_fit){.hbm_frac = x[0],
            .launch_s = x[1],
            .error_frac = quality->held_error_frac};
    return true;
}

static const calibrate_constant collective_constants[] = {
        {1e-6, 1e-4, 8e-6}, /* launch_s */
        {0, 1e-5, 8e-7},    /* step_s */
        {0.05, 1, 0.75},    /* link_frac */
        {0, 1e-7, 1e-8},    /* ramp_s_per_sqrt_byte */
};

typedef struct collective_fit {
    p3d_cluster cluster;
    p3d_collective collective;
} collective_fit;

static p3d_collective_fit collective_of(const double *x)
{
    return (p3d_collective_fit){.launch_s = x[0],
            .step_s = x[1],
            .link_frac = x[2],
            .ramp_s_per_sqrt_byte = x[3]};
}

static double predict_collective(
        const double *x, const p3d_measured_kernel *kernel, void *context)
{
    collective_fit *fit = context;
    const cost_group group = {.n_ranks = kernel->n_ranks,
            .n_nodes = 1,
            .ranks_per_node = kernel->n_ranks};

    fit->cluster.calibration.collective[fit->collective] = collective_of(x);
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
    double x[CALIBRATE_MAX_CONSTANTS];

    if (!calibrate_minimize(&(calibrate_task){collective_constants,
                                    P3D_COUNT_OF(collective_constants), kernels,
                                    n, predict_collective, &fit},
                x, quality, err))
        return false;
    *out = collective_of(x);
    return true;
}
