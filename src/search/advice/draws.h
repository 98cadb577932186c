/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.h - plans timed again and again with constants that are drawn within
 * their errors, and what it would save to know one of them before choosing. */
#ifndef PLAN3D_SEARCH_ADVICE_DRAWS_H
#define PLAN3D_SEARCH_ADVICE_DRAWS_H

#include <stdint.h>

#include "plan3d/constants.h"
#include "search/advice/panel.h"

/** The i-th 64 bits of a seed: splitmix64, which any place of can be read.
 *  Source: Steele, Lea, Flood, doi:10.1145/2660193.2660195 figure 16, with the
 *  constants of Stafford's variant 13. Tested: tests/unit/test_random.c */
uint64_t random_bits(uint64_t seed, uint64_t i);

/** The i-th number of a seed between 0 and 1, both excluded. */
double random_uniform(uint64_t seed, uint64_t i);

/** The i-th number of a seed with mean 0 and standard deviation 1.
 *  Source: Box and Muller 1958, doi:10.1214/aoms/1177706645. */
double random_normal(uint64_t seed, uint64_t i);

/** Standard errors of the logarithms of the constants. */
typedef struct draw_sigmas {
    double of[P3D_N_CONSTANTS];
} draw_sigmas;

/**
 * Factors of one draw, log-normal and independent.
 *
 *     f = exp(s z)
 *
 * s standard error, z standard normal; the median of a factor is 1.
 * Tested: tests/prop/test_sensitivity.c
 */
p3d_factors draw_factors(const draw_sigmas *sigmas, uint64_t seed, int draw);

/** Step times of all plans in all draws. */
typedef struct draws {
    int n;
    int n_plans;
    p3d_factors *factors; /* n */
    double *times_s;      /* n x n_plans */
    int *fastest;         /* n: a plan */
} draws;

/** Room for the draws of some plans. @return false when memory ran out */
P3D_CHECK bool draws_create(int n, int n_plans, draws *out);

/** Accepts what draws_create() refused. */
void draws_destroy(draws *d);

/** Draw the constants, and time the plans of a panel with them; beside other
 *  threads at other draws. */
void draws_run_one(draws *d, panel_timer *t, const draw_sigmas *sigmas,
        uint64_t seed, int draw);

/** A number of one plan in one draw. */
typedef double draw_value(const draws *d, int draw, int plan);

double draws_time_s(const draws *d, int draw, int plan);

/** What a plan takes longer than the fastest of a draw, as a fraction. */
double draws_regret_frac(const draws *d, int draw, int plan);

/** The value of a plan that this share of the draws does not exceed, of the
 *  nearest rank. @return false when memory ran out */
P3D_CHECK bool draws_quantile(
        const draws *d, draw_value *value, int plan, double share, double *out);

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
