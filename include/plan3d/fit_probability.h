/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_probability.h - how sure it is that a plan fits. */
#ifndef PLAN3D_FIT_PROBABILITY_H
#define PLAN3D_FIT_PROBABILITY_H

#include <stdint.h>

#include "plan3d/framework.h"
#include "plan3d/model.h"

P3D_API_BEGIN

/** Usual probability of fitting that is asked for. */
#define P3D_SURE_FRAC 0.95

/**
 * Probability that a run fits whose predicted peak is a part of a GPU's memory.
 *
 * It is the share of measured peaks that were not more above their prediction
 * than this leaves free. Each source of peaks counts as one, the less the fewer
 * peaks it has; those of the same framework, with or without experts, count
 * most, then those of its family, then all others (docs/recommendation.md).
 * Peaks that were read as allocated memory get the error of what the allocator
 * wastes on top.
 *
 * @param taken_frac  predicted peak over the memory that a program sees; > 0
 * @return 0 to 1; NaN where something is missing
 */
double p3d_fit_probability_frac(const p3d_framework *framework,
        const p3d_model *model, double taken_frac);

/** The largest part of the memory that a predicted peak may take so that a run
 *  fits with this probability, 0 < sure_frac < 1; the inverse of the above. */
double p3d_sure_taken_frac(const p3d_framework *framework,
        const p3d_model *model, double sure_frac);

/** What stands behind a probability. */
typedef struct p3d_fit_evidence {
    int n_sources, n_peaks;         /* of the framework, as asked */
    int n_all_sources, n_all_peaks; /* of all */
} p3d_fit_evidence;

p3d_fit_evidence p3d_fit_evidence_of(
        const p3d_framework *framework, const p3d_model *model);

P3D_API_END

#endif
