/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_points.h - operations of a plan that were measured, with what the
 * cost forms say of them. */
#ifndef PLAN3D_CALIBRATE_COMPARE_POINTS_H
#define PLAN3D_CALIBRATE_COMPARE_POINTS_H

#include "plan3d/validate.h"

/** A measured operation. */
typedef struct compare_point {
    int kind; /* p3d_compared_kind */
    double measured_s;
    double predicted_s;
    char shape[96];
} compare_point;

/** What the steps of one comparison share. */
typedef struct compare_work {
    const p3d_problem *problem;
    const p3d_estimate *estimate;
    const p3d_request *request;
    const p3d_measurements *files;
    int n_files;
    p3d_cluster burst; /* the cluster without a power limit */
    compare_point *points;
    int n_points;
    p3d_compared *out; /* counts and planned seconds */
} compare_work;

/** No comparison has more points. */
int compare_most_points(
        const p3d_request *request, const p3d_measurements *files, int n);

/** Append every point. */
void compare_products(compare_work *w);
void compare_cores(compare_work *w);
void compare_passes(compare_work *w);
void compare_host(compare_work *w);
void compare_collectives(compare_work *w);

/** Count an operation of the plan that takes so long in a step. */
void compare_want(compare_work *w, int kind, double planned_s, bool found);

/** Append a point, whose shape the caller prints. */
compare_point *compare_add(
        compare_work *w, int kind, double measured_s, double predicted_s);

#endif
