/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random.c - numbers that are drawn the same way on every machine. */
#include "search/random.h"

#include <math.h>

uint64_t random_bits(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double random_uniform(uint64_t seed, uint64_t i)
{
    return ((double)(random_bits(seed, i) >> 11) + 0.5) * 0x1p-53;
}

double random_normal(uint64_t seed, uint64_t i)
{
    const double radius = sqrt(-2 * log(random_uniform(seed, 2 * i)));

    return radius * cos(2 * acos(-1.0) * random_uniform(seed, 2 * i + 1));
}
