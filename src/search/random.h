/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random.h - numbers that are drawn the same way on every machine. */
#ifndef PLAN3D_SEARCH_RANDOM_H
#define PLAN3D_SEARCH_RANDOM_H

#include <stdint.h>

/** The i-th 64 bits of a seed: splitmix64, which any place of can be read.
 *  Source: Steele, Lea, Flood, doi:10.1145/2660193.2660195 figure 16, with the
 *  constants of Stafford's variant 13. Tested: tests/unit/test_random.c */
uint64_t random_bits(uint64_t seed, uint64_t i);

/** The i-th number of a seed between 0 and 1, both excluded. */
double random_uniform(uint64_t seed, uint64_t i);

/** The i-th number of a seed with mean 0 and standard deviation 1.
 *  Source: Box and Muller 1958, doi:10.1214/aoms/1177706645. */
double random_normal(uint64_t seed, uint64_t i);

#endif
