/* SPDX-License-Identifier: GPL-3.0-or-later */
/* median.h - the median of a few numbers. */
#ifndef PLAN3D_CALIBRATE_MEDIAN_H
#define PLAN3D_CALIBRATE_MEDIAN_H

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/** The median of n values, which are sorted. */
static inline double calibrate_median(double *values, int n)
{
    gsl_sort(values, 1, (size_t)n);
    return gsl_stats_median_from_sorted_data(values, 1, (size_t)n);
}

#endif
