/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faster.h - how sure it is that of two answers one is the faster. */
#ifndef PLAN3D_FASTER_H
#define PLAN3D_FASTER_H

#include "plan3d/api.h"

P3D_API_BEGIN

/** What two answers differ in: the farthest counts. */
typedef enum p3d_apart {
    P3D_APART_PLANS,      /* the plan alone */
    P3D_APART_JOBS,       /* the number of GPUs, the batch, the sequence, ... */
    P3D_APART_GPUS,       /* the type of GPU */
    P3D_APART_FRAMEWORKS, /* the framework */
    P3D_N_APART
} p3d_apart;

/**
 * Probability that the answer with the shorter step has it in truth, too.
 *
 * Two answers share most of what is wrong with them, so that their ratio is
 * surer than either. The probability is the share of pairs of measured runs of
 * one source whose ratio was not more below the predicted one than this one is
 * above 1. Each source counts as one, the less the fewer pairs it has
 * (docs/recommendation.md).
 *
 * @param times  the longer step over the shorter one, at least 1
 * @return from 0.5 on; 0 of other numbers
 */
double p3d_faster_probability_frac(p3d_apart apart, double times);

/** Pairs of measured runs that a probability is from. */
int p3d_faster_pairs(p3d_apart apart);

P3D_API_END

#endif
