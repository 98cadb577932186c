/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - seconds that pass. */
#ifndef PLAN3D_BASE_CLOCK_H
#define PLAN3D_BASE_CLOCK_H

#include <time.h>

/** Seconds since some moment in the past, by a clock that nobody sets. */
static inline double p3d_now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
