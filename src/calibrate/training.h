/* SPDX-License-Identifier: GPL-3.0-or-later */
/* training.h - the best interval between checkpoints. */
#ifndef PLAN3D_CALIBRATE_TRAINING_H
#define PLAN3D_CALIBRATE_TRAINING_H

#include "cost/running.h"
#include "plan3d/error.h"
#include "plan3d/estimate.h"
#include "plan3d/training.h"

/** A job that fails oftener than this many times during a checkpoint and a
 *  restart gets nowhere; below it, no exponential overflows. */
enum { CALIBRATE_MOST_FAILURES = 50 };

/**
 * The interval with the least overhead, by Brent's method on its logarithm.
 *
 * @param f  (pause_s + restart_s + behind_s) / mtbf_s < CALIBRATE_MOST_FAILURES
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool calibrate_interval(
        const cost_failures *f, double *interval_s, p3d_error *err);

/**
 * Real time of a training over that of its steps, at least: whatever its plan
 * is, and however long a step takes. The best interval between checkpoints need
 * not be a whole number of steps here.
 *
 * @return at least 1; HUGE_VAL for a job that gets nowhere
 */
double calibrate_least_stretch(const p3d_problem *problem);

/** The training of job.n_tokens on a problem's cluster, with steps of so long
 *  that take ideal_s in all.
 *  @param out  untouched on failure
 *  @return false with P3D_SYSTEM when memory runs out */
P3D_CHECK bool calibrate_training(const p3d_problem *problem, double ideal_s,
        double step_s, p3d_training *out, p3d_error *err);

#endif
