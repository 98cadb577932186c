/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minimize.h - the least mean error over a few bounded constants. */
#ifndef PLAN3D_CALIBRATE_MINIMIZE_H
#define PLAN3D_CALIBRATE_MINIMIZE_H

#include "plan3d/fit.h"

/** A constant that is sought: where it may lie and where to begin. */
typedef struct calibrate_constant {
    double low;
    double high;
    double start; /* low < start < high */
} calibrate_constant;

enum { CALIBRATE_MAX_CONSTANTS = 8 };

/** Seconds that a set of constants predicts for a kernel. */
typedef double calibrate_predict(const double *constants,
        const p3d_measured_kernel *kernel, void *context);

/** What is fitted to what. */
typedef struct calibrate_task {
    const calibrate_constant *constants;
    int n;
    const p3d_measured_kernel *kernels;
    int n_kernels; /* at least P3D_LEAST_MEASURED */
    calibrate_predict *predict;
    void *context;
} calibrate_task;

/**
 * Least mean |ln(predicted / measured)| over all kernels, by Nelder and Mead's
 * simplex on the logits of the constants, restarted until it no longer gains;
 * and the error of the same procedure on kernels that it has not seen.
 *
 * @param out  the constants
 * @return false with P3D_DATA for too few kernels, P3D_SYSTEM without memory
 */
P3D_CHECK bool calibrate_minimize(const calibrate_task *task, double *out,
        p3d_fit_quality *quality, p3d_error *err);

#endif
