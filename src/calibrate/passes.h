/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.h - which kind of memory-bound kernels a measured one stands for. */
#ifndef PLAN3D_CALIBRATE_PASSES_H
#define PLAN3D_CALIBRATE_PASSES_H

#include "plan3d/calibration.h"
#include "plan3d/measurements.h"

/** The kind of a kernel of plan3d-bench. */
static inline p3d_pass_kind calibrate_pass_kind(int kernel)
{
    switch ((p3d_pass_kernel)kernel) {
    case P3D_KERNEL_NORM: return P3D_PASS_ROWS;
    case P3D_KERNEL_NORM_BACKWARD: return P3D_PASS_ROWS_BACKWARD;
    case P3D_KERNEL_ADAM: return P3D_PASS_OPTIMIZER;
    case P3D_KERNEL_COPY:
    case P3D_KERNEL_SCALE:
    case P3D_KERNEL_ADD:
    case P3D_KERNEL_SWIGLU:
    case P3D_N_PASS_KERNELS: break;
    }
    return P3D_PASS_VECTOR;
}

#endif
