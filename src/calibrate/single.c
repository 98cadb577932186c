/* SPDX-License-Identifier: GPL-3.0-or-later */
/* single.c - constants that every point tells by itself. */
#include <math.h>
#include <stdlib.h>

#include "calibrate/forms.h"
#include "calibrate/median.h"

/* The median of all values but one; -1 = of all. */
static double median_without(
        const double *values, int n, int left_out, double *room)
{
    int n_kept = 0;

    for (int i = 0; i < n; i++)
        if (i != left_out)
            room[n_kept++] = values[i];
    return calibrate_median(room, n_kept);
}

static double error_of_point(const calibrate_work *w,
        const calibrate_single *single, p3d_cluster *cluster, double constant,
        int i)
{
    const p3d_measured_kernel *const point = &w->points.items[i];

    *single->member(&cluster->calibration) = constant;
    return fabs(
            single->predict_s(cluster, P3D_N_FORMS, point) / point->time_s - 1);
}

bool calibrate_fit_single(const calibrate_work *w,
        const calibrate_single *single, p3d_fit_quality *quality,
        double *spread_frac, p3d_error *err)
{
    const int n = w->points.n;
    double *const told = calloc(2 * (size_t)n, sizeof(*told));
    p3d_cluster cluster = calibrate_cluster_of(w, w->constants);
    p3d_fit_quality q = {.n_kernels = n};
    double constant, spread = 0;

    if (told == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < n; i++)
        told[i] = single->told(&cluster, &w->points.items[i]);
    constant = median_without(told, n, -1, told + n);
    for (int i = 0; i < n; i++) {
        const double others = median_without(told, n, i, told + n);

        q.error_frac += error_of_point(w, single, &cluster, constant, i) / n;
        q.held_error_frac += error_of_point(w, single, &cluster, others, i) / n;
        spread += constant > 0 ? fabs(told[i] / constant - 1) / n : 0;
    }
    free(told);
    *single->member(w->constants) = constant;
    *quality = q;
    if (spread_frac != NULL)
        *spread_frac = spread;
    return true;
}
