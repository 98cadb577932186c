/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constants.c - the constants that a step time rests on: their errors, and the
 * same problem with some of them changed. */
#include "plan3d/constants.h"

#include <math.h>

#include "cost/cost.h"

/* Of what is guessed for a typical machine: launches, fixed costs, overlap,
 * spread. Assumes: A19. */
static const double GUESS_SIGMA = 0.5;

/* Of what communication beside computation costs: 0.41 and 0.61 were measured.
 * Source: overlap_leak_frac in src/spec/calibration.c. */
static const double LEAK_SIGMA = 0.28;

/* Of the rate under the power limit: large products inside a profiled pipeline
 * ran at 238 to 252 TFLOP/s, 2.9 % around their middle.
 * Source: hardware/calibration/sm80.json (sustained_frac). */
static const double POWER_SIGMA = 0.029;

/* Mean errors of collectives between nodes on logs that the fit had not seen:
 * above 1 GiB, where bytes decide, and above 1 MiB, where starts do.
 * Source: network_s() in src/cost/kernels/collective.c. */
static const double NETWORK_ERROR_FRAC = 0.11;
static const double NETWORK_START_ERROR_FRAC = 0.21;

/** Mean errors of the kernels that were measured. */
static double gemm_error(const p3d_problem *p)
{
    const p3d_calibration *c = &p->cluster.calibration;

    return cost_gemm_fit(c, p->job.dtype)->error_frac;
}

static double attention_error(const p3d_problem *p)
{
    return p3d_attention_fit_of(&p->cluster.calibration, p->job.attention)
            ->error_frac;
}

static double pass_error(const p3d_problem *p)
{
    return p->cluster.calibration.pass.error_frac;
}

static double link_error(const p3d_problem *p)
{
    return p->cluster.calibration.collective_error_frac;
}

/* 0 = not measured */
static double leak_error(const p3d_problem *p)
{
    return p->cluster.calibration.assumed.overlap_error_frac;
}

static void scale_product(p3d_gemm_fit *fit, double f)
{
    fit->launch_s *= f;
    fit->peak_frac /= f;
    fit->memory_frac /= f;
}

static void scale_gemm(p3d_cluster *c, double f)
{
    scale_product(&c->calibration.gemm, f);
    scale_product(&c->calibration.gemm_fp8, f);
    scale_product(&c->calibration.gemm_nvfp4, f);
}

/** 1 = no limit, or it is in the rates already; a limit never speeds up. */
static void scale_limit(double *sustained_frac, double f)
{
    if (*sustained_frac < 1)
        *sustained_frac = fmin(1, *sustained_frac / f);
}

static void scale_power(p3d_cluster *c, double f)
{
    scale_limit(&c->calibration.sustained_frac, f);
    scale_limit(&c->calibration.gemm.sustained_frac, f);
    scale_limit(&c->calibration.gemm_fp8.sustained_frac, f);
    scale_limit(&c->calibration.gemm_nvfp4.sustained_frac, f);
}

static void scale_attention_pass(p3d_attention_pass *pass, double f)
{
    pass->launch_s *= f;
    for (int i = 0; i < P3D_N_HEAD_SIZES; i++)
        pass->peak_frac[i] /= f;
}

static void scale_attention(p3d_cluster *c, double f)
{
    for (int i = 0; i < P3D_N_ATTENTIONS; i++) {
        scale_attention_pass(&c->calibration.attention[i].forward, f);
        scale_attention_pass(&c->calibration.attention[i].backward, f);
    }
}

static void scale_pass(p3d_cluster *c, double f)
{
    c->calibration.pass.hbm_frac /= f;
    c->calibration.pass.single_frac /= f;
    c->calibration.pass.launch_s *= f;
    for (int i = 0; i < P3D_N_PASS_KINDS; i++) {
        c->calibration.pass.kind[i].hbm_frac /= f;
        c->calibration.pass.kind[i].launch_s *= f;
    }
}

static void scale_link(p3d_cluster *c, double f)
{
    if (cost_has_nvlink(c))
        c->gpu.nvlink_bytes_per_s_one_way /= f;
    else
        c->gpu.pcie_bytes_per_s_one_way /= f;
    for (int i = 0; i < P3D_N_COLLECTIVES; i++)
        c->calibration.collective[i].ramp_s_per_sqrt_byte *= f;
}

static void scale_link_start(p3d_cluster *c, double f)
{
    for (int i = 0; i < P3D_N_COLLECTIVES; i++) {
        c->calibration.collective[i].launch_s *= f;
        c->calibration.collective[i].step_s *= f;
    }
}

static void scale_network(p3d_cluster *c, double f)
{
    c->fabric.nic_bytes_per_s_one_way /= f;
    c->calibration.multinode_ramp_s_per_sqrt_byte *= f;
}

static void scale_network_start(p3d_cluster *c, double f)
{
    c->fabric.latency_s *= f;
}

static void scale_leak(p3d_cluster *c, double f)
{
    double *frac = &c->calibration.assumed.overlap_leak_frac;

    *frac = fmin(1, *frac * f); /* 1 hides nothing */
}

static void scale_host(p3d_cluster *c, double f)
{
    const double factor = c->node.host_time_factor;

    c->node.host_time_factor = (factor > 0 ? factor : 1) * f;
}

static void scale_offload(p3d_cluster *c, double f)
{
    c->node.host_memory_bytes_per_s /= f;
    c->calibration.host.copy_bytes_per_s /= f;
    c->calibration.host.adam_bytes_per_s /= f;
    c->node.nvme_bytes_per_s /= f;
    if (cost_has_nvlink(c))
        c->gpu.pcie_bytes_per_s_one_way /= f;
}

static void scale_spread(p3d_cluster *c, double f)
{
    c->calibration.assumed.gpu_spread_frac *= f;
}

static void scale_fixed(p3d_cluster *c, double f)
{
    c->calibration.assumed.fixed_step_s *= f;
}

typedef struct constant_row {
    p3d_constant_info info;
    void (*scale)(p3d_cluster *cluster, double factor);
    /* How wrong it may be: a mean error, that of the calibration or of ours, or
     * a standard deviation. */
    double (*error_of)(const p3d_problem *problem);
    const double *error_frac;
    const double *sigma; /* beside error_of: where that is 0 */
} constant_row;

/* clang-format off */
static const constant_row rows[P3D_N_CONSTANTS] = {
    [P3D_CONSTANT_GEMM] = {.info = {"GEMMs",
        "time the plan's GEMMs on one GPU, in short bursts", true},
        .scale = scale_gemm, .error_of = gemm_error},
    [P3D_CONSTANT_POWER] = {.info = {"power limit of products",
        "run one large product for a minute, and compare its first 10 ms",
        false},
        .scale = scale_power, .sigma = &POWER_SIGMA},
    [P3D_CONSTANT_ATTENTION] = {.info = {"attention kernels",
        "time attention forward and backward at the job's sequence and heads",
        true},
        .scale = scale_attention, .error_of = attention_error},
    [P3D_CONSTANT_PASS] = {.info = {"memory-bound kernels",
        "time norms, activations and the optimizer's update on one GPU", true},
        .scale = scale_pass, .error_of = pass_error},
    [P3D_CONSTANT_LINK] = {.info = {"bytes inside a node",
        "time collectives inside a node, 64 MiB and more (nccl-tests or the "
        "like)", true},
        .scale = scale_link, .error_of = link_error},
    [P3D_CONSTANT_LINK_START] = {.info = {"latency inside a node",
        "time collectives inside a node, 8 B to 1 MiB (nccl-tests or the like)",
        true},
        .scale = scale_link_start, .error_of = link_error},
    [P3D_CONSTANT_NETWORK] = {.info = {"bytes between nodes",
        "time collectives over 2 and over all nodes, 256 MiB and more "
        "(nccl-tests or the like)", true},
        .scale = scale_network, .error_frac = &NETWORK_ERROR_FRAC},
    [P3D_CONSTANT_NETWORK_START] = {.info = {"latency between nodes",
        "time collectives over 2 and over all nodes, 8 B to 1 MiB (nccl-tests "
        "or the like)", true},
        .scale = scale_network_start, .error_frac = &NETWORK_START_ERROR_FRAC},
    [P3D_CONSTANT_LEAK] = {.info = {"communication not hidden",
        "profile a step with and without overlap of communication (A10)",
        false},
        .scale = scale_leak, .error_of = leak_error, .sigma = &LEAK_SIGMA},
    [P3D_CONSTANT_HOST] = {.info = {"kernel launches of the host",
        "profile a step of a tiny model: host time per kernel (A16)", true},
        .scale = scale_host, .sigma = &GUESS_SIGMA},
    [P3D_CONSTANT_OFFLOAD] = {.info = {"exposed CPU offload",
        "time a CPU optimizer step and copies of pinned memory (A11)", true},
        .scale = scale_offload, .sigma = &GUESS_SIGMA},
    [P3D_CONSTANT_SPREAD] = {.info = {"spread of the GPUs",
        "time one large product on every GPU at once (A15)", false},
        .scale = scale_spread, .sigma = &GUESS_SIGMA},
    [P3D_CONSTANT_FIXED] = {.info = {"fixed cost of a step",
        "profile a step of a tiny model: data, logging, waiting (A8)", true},
        .scale = scale_fixed, .sigma = &GUESS_SIGMA},
};
/* clang-format on */

const p3d_constant_info *p3d_constant_of(p3d_constant constant)
{
    static const p3d_constant_info none = {.name = "", .measure = ""};

    if ((unsigned)constant >= P3D_N_CONSTANTS)
        return &none;
    return &rows[constant].info;
}

double p3d_constant_sigma(const p3d_problem *problem, p3d_constant constant)
{
    const constant_row *row;
    double error;

    if (problem == NULL || (unsigned)constant >= P3D_N_CONSTANTS)
        return 0;
    row = &rows[constant];
    error = row->error_of != NULL     ? row->error_of(problem)
            : row->error_frac != NULL ? *row->error_frac
                                      : 0;
    if (row->sigma != NULL && error <= 0)
        return *row->sigma;
    return error * sqrt(acos(-1.0) / 2); /* of a normal law with this mean */
}

p3d_factors p3d_factors_one(void)
{
    p3d_factors one;

    for (int i = 0; i < P3D_N_CONSTANTS; i++)
        one.of[i] = 1;
    return one;
}

p3d_problem p3d_problem_scaled(
        const p3d_problem *problem, const p3d_factors *factors)
{
    if (problem == NULL || factors == NULL)
        return (p3d_problem){.job = {.seq_len = 0}};

    p3d_problem scaled = *problem;

    for (int i = 0; i < P3D_N_CONSTANTS; i++)
        rows[i].scale(&scaled.cluster, factors->of[i]);
    return scaled;
}
