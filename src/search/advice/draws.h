/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.h - plans timed again and again with constants that are drawn within
 * their errors. */
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

/** Draw the constants, and time the plans of a panel with them. */
void draws_run_one(
        draws *d, panel *p, const draw_sigmas *sigmas, uint64_t seed, int draw);

/** A number of one plan in one draw. */
typedef double draw_value(const draws *d, int draw, int plan);

double draws_time_s(const draws *d, int draw, int plan);

/** What a plan takes longer than the fastest of a draw, as a fraction. */
double draws_regret_frac(const draws *d, int draw, int plan);

/** The value of a plan that this share of the draws does not exceed, of the
 *  nearest rank. @return false when memory ran out */
P3D_CHECK bool draws_quantile(
        const draws *d, draw_value *value, int plan, double share, double *out);

#endif
