/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - what is said about samples of a time. */
#ifndef PLAN3D_BENCH_STATS_H
#define PLAN3D_BENCH_STATS_H

#include "plan3d/measurements.h"

/** Median and tenths of n >= 1 samples, which are sorted in place. */
p3d_timing bench_timing(double *samples_s, int n);

#endif
