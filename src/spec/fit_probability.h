/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_probability.h - how sure it would have been said that runs fit. */
#ifndef PLAN3D_SPEC_FIT_PROBABILITY_H
#define PLAN3D_SPEC_FIT_PROBABILITY_H

#include "plan3d/fit_probability.h"

/** The same as p3d_fit_probability_frac() without the peaks of one source: what
 *  would have been said of it. @param source  NULL = with all */
double spec_fit_probability_frac(const p3d_framework *framework, bool experts,
        const char *source, double taken_frac);

#endif
