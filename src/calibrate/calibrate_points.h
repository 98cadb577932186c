/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_points.h - rows of measurements as kernels to fit. */
#ifndef PLAN3D_CALIBRATE_CALIBRATE_POINTS_H
#define PLAN3D_CALIBRATE_CALIBRATE_POINTS_H

#include "plan3d/calibrate.h"
#include "plan3d/fit.h"

/** Rows of a file that no form can have more points than. */
int calibrate_most_points(const p3d_measurements *file);

/** Append the points of a form that a file has. @return how many */
int calibrate_points(const p3d_measurements *file, p3d_cost_form form,
        p3d_measured_kernel *out);

#endif
