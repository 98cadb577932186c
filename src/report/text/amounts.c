/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amounts.c - seconds, rates, bytes and money as people read them. */
#include "report/text/amounts.h"

#include <stdarg.h>
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

report_words report_step_words(double step_s)
{
    const report_clock unit = report_clock_for(step_s);
    report_words words = {""};

    snprintf(words.text, sizeof(words.text), "%.*f %s", unit.digits,
            step_s / unit.unit_s, unit.word);
    return words;
}

report_words report_sure_words(double frac)
{
    if (frac >= 0.995)
        return REPORT_WORDS("more than 99 %% sure");
    if (frac < 0.01)
        return REPORT_WORDS("less than 1 %% sure");
    return REPORT_WORDS("%.0f %% sure", 100 * frac);
}

report_words report_rate_words(double per_s)
{
    report_words words = {""};

    if (per_s >= 1000)
        return report_integer_words((int64_t)(per_s + 0.5));
    snprintf(words.text, sizeof(words.text), "%.1f", per_s);
    return words;
}

report_words report_usd_words(double amount_usd)
{
    report_words words = {""};

    if (amount_usd < huge_usd)
        return report_integer_words((int64_t)(amount_usd + 0.5));
    snprintf(words.text, sizeof(words.text), "%.3g", amount_usd);
    return words;
}

#define WORDS_OF(name, T, print)                            \
    report_words name(T value)                              \
    {                                                       \
        report_words words = {""};                          \
                                                            \
        (void)print(words.text, sizeof(words.text), value); \
        return words;                                       \
    }
WORDS_OF(report_integer_words, int64_t, p3d_print_integer)
WORDS_OF(report_count_words, double, p3d_print_count)
WORDS_OF(report_seconds_words, double, p3d_print_seconds)
WORDS_OF(report_bytes_words, double, p3d_print_bytes)
#undef WORDS_OF

report_words report_known_words(bool known, const char *fmt, ...)
{
    report_words words = {"-"};
    va_list args;

    va_start(args, fmt);
    if (known)
        vsnprintf(words.text, sizeof(words.text), fmt, args);
    va_end(args);
    return words;
}

double report_gib(int64_t n_bytes)
{
    return (double)n_bytes / P3D_GIB;
}

double report_days(double duration_s)
{
    return duration_s / s_per_day;
}
