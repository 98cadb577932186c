/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forms.h - the cost forms, each with the rows that it describes, what it says
 * of them and how it is fitted. */
#ifndef PLAN3D_CALIBRATE_FORMS_H
#define PLAN3D_CALIBRATE_FORMS_H

#include <stddef.h>

#include "cost/cost.h"
#include "plan3d/calibrate.h"
#include "plan3d/fit.h"

/** What is fitted, and from what. */
typedef struct calibrate_work {
    p3d_gpu gpu; /* with the peak and the link of the measured operations */
    p3d_node node;
    p3d_fabric fabric; /* of the usual cluster */
    p3d_calibration *constants;
    const p3d_measurements *files;
    int n_files;
    bool limited; /* the points are of trainings, under the power limit */
    p3d_measured_kernels points;
} calibrate_work;

/** Kernels that are measured alike: the rows of a file, and what to do with
 *  them. */
typedef struct calibrate_family {
    size_t rows; /* a p3d_rows of p3d_measurements */
    size_t row_size;
    /* A row as a point. @return false where the form does not describe it */
    bool (*take)(const void *row, p3d_cost_form form, p3d_measured_kernel *out);
    double (*predict_s)(const p3d_cluster *cluster, p3d_cost_form form,
            const p3d_measured_kernel *point);
    bool (*fit)(const calibrate_work *w, p3d_cost_form form,
            p3d_fit_quality *quality, p3d_error *err);
    /* The same of a row of a training; NULL = there are none */
    bool (*take_limited)(
            const void *row, p3d_cost_form form, p3d_measured_kernel *out);
} calibrate_family;

/** A family of rows without trainings. */
#define CALIBRATE_FAMILY(rows, T, ...)                                 \
    {                                                                  \
        offsetof(p3d_measurements, rows), sizeof(T), __VA_ARGS__, NULL \
    }

extern const calibrate_family calibrate_products;
extern const calibrate_family calibrate_cores;
extern const calibrate_family calibrate_passes;
extern const calibrate_family calibrate_collectives;
extern const calibrate_family calibrate_networks;
extern const calibrate_family calibrate_overlaps;
extern const calibrate_family calibrate_copies;
extern const calibrate_family calibrate_updates;

/** Least error that a calibration file holds: 0 stands for "no fit". */
#define CALIBRATE_LEAST_ERROR_FRAC 0.001

/** Training sends no smaller messages, and they would outnumber the others;
 *  bench/calibrate_published.c draws the same line. */
enum { CALIBRATE_LEAST_MESSAGE_BYTES = 65536 };

/** The machine that the points are of, with constants. */
p3d_cluster calibrate_cluster_of(
        const calibrate_work *w, const p3d_calibration *constants);

/** Constants that every point tells by itself. */
typedef struct calibrate_single {
    /* The constant by one point alone */
    double (*told)(
            const p3d_cluster *cluster, const p3d_measured_kernel *point);
    double *(*member)(p3d_calibration *constants);
    double (*predict_s)(const p3d_cluster *cluster, p3d_cost_form form,
            const p3d_measured_kernel *point);
} calibrate_single;

/**
 * Fit such a constant: the median of what the points tell, which few of them
 * far off do not move. Held out: each point by the median of the others.
 *
 * @param spread_frac  mean |told / constant - 1|; NULL = not asked for
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool calibrate_fit_single(const calibrate_work *w,
        const calibrate_single *single, p3d_fit_quality *quality,
        double *spread_frac, p3d_error *err);

#endif
