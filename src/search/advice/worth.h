/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worth.h - what it would save to know one constant before choosing. */
#ifndef PLAN3D_SEARCH_ADVICE_WORTH_H
#define PLAN3D_SEARCH_ADVICE_WORTH_H

#include "search/advice/draws.h"

typedef struct worth {
    double mean_frac;  /* of the step; may be below 0 by noise */
    double error_frac; /* standard error of the mean */
} worth;

/** The plan with the least mean regret over the draws. */
int worth_safest(const draws *d);

/**
 * Expected value of perfect information about one constant.
 *
 *     W = min_p E[R_p] - E_x[ min_p E[R_p | x] ]
 *
 * R_p regret of plan p, x the constant. The draws are sorted by x into bins;
 * one half of them chooses the plan of each bin (and the one for all bins), the
 * other half pays for it, and the other way round: a choice is never judged by
 * the draws that it was made with, so noise does not look like worth.
 *
 * Source: H. Raiffa, R. Schlaifer, Applied Statistical Decision Theory, 1961,
 * chapter 4 (value of information); the estimate by bins: M. Strong,
 * J. E. Oakley, doi:10.1177/0272989X12465123.
 * Tested: tests/prop/test_sensitivity.c
 *
 * @return false when memory ran out
 */
P3D_CHECK bool worth_of(const draws *d, p3d_constant constant, worth *out);

#endif
