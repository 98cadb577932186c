/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.c - median and spread. */
#include "bench/host/stats.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The value below which the share `frac` of sorted samples lies, linear between
 * neighbours. */
static double quantile(const double *sorted, int n, double frac)
{
    const double at = frac * (n - 1);
    const int i = (int)at;

    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

p3d_timing bench_timing(double *samples_s, int n)
{
    qsort(samples_s, (size_t)n, sizeof(*samples_s), compare);
    return (p3d_timing){.n_samples = n,
            .median_s = quantile(samples_s, n, 0.5),
            .p10_s = quantile(samples_s, n, 0.1),
            .p90_s = quantile(samples_s, n, 0.9)};
}
