/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amounts.c - seconds, rates, bytes and money as people read them. */
#include "report/text/amounts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plan3d/units.h"
#include "report/words/words.h"

static const double s_per_day = 86400;

/* From here on, digits before the point are not counted out. */
static const double huge = 1e15;

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

report_words report_sure_words(double frac, p3d_style style)
{
    if (frac >= 0.995)
        return REPORT_WORDS(report_say(style, "more than 99 %% sure"));
    if (frac < 0.01)
        return REPORT_WORDS(report_say(style, "less than 1 %% sure"));
    return REPORT_WORDS(report_say(style, "%.0f %% sure"), 100 * frac);
}

report_words report_rate_words(double per_s)
{
    report_words words = {""};

    if (per_s >= 1000)
        return report_integer_words((int64_t)(per_s + 0.5));
    snprintf(words.text, sizeof(words.text), "%.1f", per_s);
    return words;
}

report_words report_three_words(double value)
{
    double unit;

    if (!(value >= 0.9995) || value >= huge)
        return REPORT_WORDS("%.3g", value);
    if (value < 999.5)
        return REPORT_WORDS("%.*f", (value < 99.95) + (value < 9.995), value);
    unit = pow(10, floor(log10(value)) - 2);
    return report_integer_words((int64_t)(round(value / unit) * unit));
}

report_words report_large_words(double value)
{
    static const struct {
        double unit;
        const char *word;
    } units[] = {{1e9, " B"}, {1e6, " M"}, {1, ""}};
    int i = 0;

    while (units[i].unit > 1 && !(value >= units[i].unit))
        i++;
    return REPORT_WORDS("%s%s", report_three_words(value / units[i].unit).text,
            units[i].word);
}

report_clock report_long_clock_for(double duration_s)
{
    static const struct {
        double from_s;
        report_clock clock;
    } units[] = {{48 * 3600.0, {86400, "days", 2}}, {7200, {3600, "h", 2}},
            {120, {60, "min", 2}}, {0, {1, "s", 2}}};
    int i = 0;

    while (duration_s < units[i].from_s)
        i++;
    return units[i].clock;
}

report_words report_usd_words(double amount_usd)
{
    report_words words = {""};

    if (amount_usd < huge)
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
WORDS_OF(report_bytes_words, double, p3d_print_bytes)
#undef WORDS_OF

report_words report_seconds_words(double duration_s, p3d_style style)
{
    report_words words = {""};
    char *unit;

    (void)p3d_print_seconds(words.text, sizeof(words.text), duration_s);
    unit = strrchr(words.text, ' ');
    if (unit == NULL)
        return words;
    *unit++ = '\0';
    return REPORT_WORDS("%s %s", words.text, report_say(style, unit));
}

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
