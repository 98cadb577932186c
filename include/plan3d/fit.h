/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - constants of the cost forms from measured kernels. */
#ifndef PLAN3D_FIT_H
#define PLAN3D_FIT_H

#include "plan3d/api.h"
#include "plan3d/cluster.h"
#include "plan3d/error.h"
#include "plan3d/workload.h"

P3D_API_BEGIN

/** A measured kernel. */
typedef struct p3d_measured_kernel {
    p3d_op op;        /* product or attention core; count 1 */
    bool both_passes; /* attention: forward and backward together */
    int n_ranks;      /* collective; GPUs of the host of a CPU's Adam */
    int n_nodes;      /* that they are on; 0 = one */
    double time_s;
    double alone_s;        /* product beside a collective: without it, */
    double other_alone_s;  /* the collective without the product, */
    double other_beside_s; /* and beside it */
} p3d_measured_kernel;

/** The kernels of one GPU that constants are fitted to. */
typedef struct p3d_measured_kernels {
    const p3d_gpu *gpu; /* peaks, memory rate and link */
    const p3d_measured_kernel *items;
    int n;
} p3d_measured_kernels;

/** How well a fit does: mean |predicted / measured - 1| on the kernels that it
 *  was made from, and on kernels that it had not seen: each shape is in one of
 *  five parts, which is predicted by a fit to the other four. */
typedef struct p3d_fit_quality {
    int n_kernels;
    double error_frac;
    double held_error_frac;
} p3d_fit_quality;

/** Fewest kernels that a fit accepts. */
enum { P3D_LEAST_MEASURED = 6 };

/**
 * Fit the form of GEMMs to kernels that ran in short bursts.
 *
 * @param tile_wave  the form: tiles and waves, or the roofline
 * @param out        what the fit does not touch is kept: memory_frac of the
 *                   roofline and everything about experts and alignment
 * @return false with P3D_DATA for fewer than P3D_LEAST_MEASURED kernels
 */
P3D_CHECK bool p3d_fit_gemm(const p3d_measured_kernels *from, bool tile_wave,
        p3d_gemm_fit *out, p3d_fit_quality *quality, p3d_error *err);

/**
 * Fit one pass of an attention kernel, or one set of constants for both.
 *
 * Head sizes that were not measured keep what they have in *out.
 *
 * @param longest_launch_s  upper bound of launch_s: tables of calls of a
 *                          framework hold its host time too
 */
P3D_CHECK bool p3d_fit_attention(const p3d_measured_kernels *from,
        double longest_launch_s, p3d_attention_pass *out,
        p3d_fit_quality *quality, p3d_error *err);

/** Fit a collective over the links of a node, messages of 1 KiB and more. */
P3D_CHECK bool p3d_fit_collective(const p3d_measured_kernels *from,
        p3d_collective collective, p3d_collective_fit *out,
        p3d_fit_quality *quality, p3d_error *err);

/**
 * Fit what leaves the node: latency, rates and slow start of the collectives
 * that the points have (op.collective), all-to-alls alone or the others.
 *
 * @param cluster  of the measured GPU and node, with the constants inside a
 *                 node; its calibration gets what was fitted
 */
P3D_CHECK bool p3d_fit_network(const p3d_measured_kernels *from,
        p3d_cluster *cluster, p3d_fit_quality *quality, p3d_error *err);

/** Seconds of such a point on a cluster, with the network of its calibration,
 *  where that was measured. */
double p3d_network_point_s(
        const p3d_cluster *cluster, const p3d_measured_kernel *point);

/** Fit kernels that only move bytes. */
P3D_CHECK bool p3d_fit_pass(const p3d_measured_kernels *from, p3d_pass_fit *out,
        p3d_fit_quality *quality, p3d_error *err);

P3D_API_END

#endif
