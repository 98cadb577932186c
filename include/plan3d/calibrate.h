/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.h - the constants of a machine from what plan3d-bench measured. */
#ifndef PLAN3D_CALIBRATE_H
#define PLAN3D_CALIBRATE_H

#include "plan3d/api.h"
#include "plan3d/cluster.h"
#include "plan3d/error.h"
#include "plan3d/measurements.h"

P3D_API_BEGIN

/** Cost forms that measurements are fitted to. */
typedef enum p3d_cost_form {
    P3D_FORM_GEMM,
    P3D_FORM_GEMM_FP8,
    P3D_FORM_ATTENTION,
    P3D_FORM_ATTENTION_BACKWARD,
    P3D_FORM_PASS,
    P3D_FORM_ALL_REDUCE,
    P3D_FORM_ALL_GATHER,
    P3D_FORM_REDUCE_SCATTER,
    P3D_FORM_ALL_TO_ALL,
    P3D_FORM_NETWORK, /* collectives between nodes */
    P3D_FORM_NETWORK_ALL_TO_ALL,
    P3D_FORM_OVERLAP,  /* products beside collectives */
    P3D_FORM_COPY,     /* between pinned memory of the host and a GPU */
    P3D_FORM_CPU_ADAM, /* on the processors of the host */
    P3D_N_FORMS
} p3d_cost_form;

/** What became of one form. Errors are means of |predicted / measured - 1| over
 *  its points; 0 without points. */
typedef struct p3d_form_result {
    const char *name;
    const char *measure; /* command that gives its points */
    int n_points;
    int n_least;            /* fewest points of a fit */
    bool fitted;            /* else the constants are those from before */
    double old_error_frac;  /* of the constants from before */
    double new_error_frac;  /* of the fit; 0 = not fitted */
    double held_error_frac; /* of fits to the other four fifths */
} p3d_form_result;

/** Rows that were measured and that no form is fitted to. */
typedef struct p3d_left_rows {
    const char *what;
    const char *why;
    int n_rows;
} p3d_left_rows;

enum { P3D_N_LEFT_ROWS = 8 };

typedef struct p3d_calibrated {
    p3d_gpu gpu;
    char base[48]; /* calibration from before */
    p3d_calibration constants;
    p3d_form_result forms[P3D_N_FORMS];
    int n_fitted; /* of them */
    p3d_left_rows left[P3D_N_LEFT_ROWS];
    int n_left; /* of these, each with one row at least */
} p3d_calibrated;

/** What constants are made from. */
typedef struct p3d_calibrate_options {
    const p3d_gpu *gpu; /* that was measured; see p3d_gpu_of_device() */
    const p3d_calibration *base;   /* constants from before */
    const p3d_measurements *files; /* all of one device */
    int n_files;
} p3d_calibrate_options;

/**
 * Fit the constants of a GPU to measurements of one machine.
 *
 * The fits minimise the mean |ln(predicted / measured)|, which a few points
 * far off do not move (least absolute deviations; Koenker and Bassett 1978);
 * the hold-out error is that of five-fold cross-validation. A constant that
 * each point tells by itself is their median (what a collective takes of the
 * products beside it, the host's rates), and each point is held out. Forms with
 * too few points keep the constants of `base`. The rate under the power limit
 * and what else is assumed are not fitted: they stay too. Rows that no form is
 * fitted to are counted in `left`.
 *
 * @return false with P3D_DATA (several devices, too few points for any form, a
 *         form that the points do not follow) or P3D_SYSTEM
 */
P3D_CHECK bool p3d_calibrate(const p3d_calibrate_options *options,
        p3d_calibrated *out, p3d_error *err);

/** The same, but all forms may have too few points: n_fitted is 0 then. */
P3D_CHECK bool p3d_calibrate_some(const p3d_calibrate_options *options,
        p3d_calibrated *out, p3d_error *err);

P3D_API_END

#endif
