/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amounts.c - seconds, rates, bytes and money as people read them. */
#include "report/text/amounts.h"

#include <stdio.h>

#include "plan3d/units.h"

static const double s_per_day = 86400;

/* From here on, digits before the point are not counted out. */
static const double huge_usd = 1e15;

report_clock report_clock_for(double step_s)
{
    static const report_clock units[] = {
            {1e-3, "ms", 2}, {1, "s", 3}, {1, "s", 2}, {1, "s", 1}};

    return units[(step_s >= 1) + (step_s >= 100) + (step_s >= 10000)];
}

const char *report_step_words(char *buffer, size_t n, double step_s)
{
    const report_clock unit = report_clock_for(step_s);

    snprintf(
            buffer, n, "%.*f %s", unit.digits, step_s / unit.unit_s, unit.word);
    return buffer;
}

const char *report_rate_words(char *buffer, size_t n, double per_s)
{
    if (per_s >= 1000)
        return p3d_print_integer(buffer, n, (int64_t)(per_s + 0.5));
    snprintf(buffer, n, "%.1f", per_s);
    return buffer;
}

const char *report_usd_words(char *buffer, size_t n, double amount_usd)
{
    if (amount_usd < huge_usd)
        return p3d_print_integer(buffer, n, (int64_t)(amount_usd + 0.5));
    snprintf(buffer, n, "%.3g", amount_usd);
    return buffer;
}

double report_gib(int64_t n_bytes)
{
    return (double)n_bytes / P3D_GIB;
}

double report_days(double duration_s)
{
    return duration_s / s_per_day;
}
