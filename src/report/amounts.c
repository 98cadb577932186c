/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amounts.c - seconds, rates, bytes and money as people read them. */
#include "report/amounts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "plan3d/units.h"
#include "report/words/words.h"

static const double s_per_day = 86400;

/* From here on, digits before the point are not counted out. */
static const double huge = 1e15;

report_clock report_clock_for(double step_s)
{
    static const struct {
        double from_s;
        report_clock clock;
    } units[] = {{1000, {1, "s", 0}}, {10, {1, "s", 1}}, {1, {1, "s", 2}},
            {0.01, {1e-3, "ms", 1}}, {0, {1e-3, "ms", 2}}};
    int i = 0;

    while (step_s < units[i].from_s)
        i++;
    return units[i].clock;
}

report_words report_gib_words(int64_t n_bytes)
{
    const double gib = report_gib(n_bytes);

    return fabs(gib) < 9.995 ? REPORT_WORDS("%.2f", gib)
                             : REPORT_WORDS("%s%s", gib < 0 ? "-" : "",
                                       report_three_words(fabs(gib)).text);
}

int report_gib_digits(int64_t most_bytes)
{
    return report_gib(most_bytes) < 10 ? 2 : 1;
}

double report_clock_least_s(report_clock clock)
{
    return 0.5 * p3d_pow(10, -clock.digits) * clock.unit_s;
}

report_words report_step_words(double step_s)
{
    const report_clock unit = report_clock_for(step_s);

    return REPORT_WORDS(
            "%s %s", report_three_words(step_s / unit.unit_s).text, unit.word);
}

/* The ends beyond which a probability is called more or less than. */
static const double MOST_SURE = 0.995, LEAST_SURE = 0.01;

/* What is less sure than was asked must not read as if it were as sure. */
static double whole_percent(double frac)
{
    return floor(100 * frac + 1e-9);
}

report_words report_sure_words(double frac, p3d_style style)
{
    if (frac >= MOST_SURE)
        return REPORT_WORDS(report_say(style, "more than 99 %% sure"));
    if (frac < LEAST_SURE)
        return REPORT_WORDS(report_say(style, "less than 1 %% sure"));
    return REPORT_WORDS(report_say(style, "%.0f %% sure"), whole_percent(frac));
}

report_words report_sure_percent(double frac)
{
    return frac >= MOST_SURE   ? REPORT_WORDS(">99")
           : frac < LEAST_SURE ? REPORT_WORDS("<1")
                               : REPORT_WORDS("%.0f", whole_percent(frac));
}

report_words report_three_words(double value)
{
    double unit;

    if (!(value >= 0.9995) || value >= huge)
        return REPORT_WORDS("%.3g", value);
    if (value < 999.5)
        return REPORT_WORDS("%.*f", (value < 99.95) + (value < 9.995), value);
    unit = p3d_pow(10, floor(p3d_log10(value)) - 2);
    return report_integer_words((int64_t)(round(value / unit) * unit));
}

/* A unit of large numbers, and from what on it is used. */
typedef struct large {
    double from, unit;
    const char *word;
} large;

/* Millions and billions; in Chinese 1e4 and 1e8. */
static const large *large_of(double value, p3d_style style)
{
    static const large english[] = {
            {1e9, 1e9, " B"}, {1e6, 1e6, " M"}, {0, 1, ""}};
    static const large chinese[] = {
            {1e8, 1e8, " \u4ebf"}, {1e6, 1e4, " \u4e07"}, {0, 1, ""}};
    const large *u = style.lang == P3D_CHINESE ? chinese : english;

    while (u->unit > 1 && !(value >= u->from))
        u++;
    return u;
}

report_words report_large_words(double value, p3d_style style)
{
    const large *const u = large_of(value, style);

    return REPORT_WORDS(
            "%s%s", report_three_words(value / u->unit).text, u->word);
}

report_words report_brief_words(
        double value, double low, double high, p3d_style style)
{
    /* Three numbers of five or six digits would be wide. */
    static const large thousands = {1e4, 1e3, " K"};
    const bool is_long = value >= thousands.from && value < 1e6;
    const large *const u = !is_long                    ? large_of(value, style)
                           : style.lang == P3D_CHINESE ? large_of(1e6, style)
                                                       : &thousands;
    const report_words first = report_three_words(value / u->unit);
    const report_words least = report_three_words(low / u->unit);

    return high > 0 ? REPORT_WORDS(report_say(style, "%s%s (%s-%s)"),
                              first.text, u->word, least.text,
                              report_three_words(high / u->unit).text)
                    : REPORT_WORDS(report_say(style, "%s%s (from %s)"),
                              first.text, u->word, least.text);
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

report_words report_pace_words(double slower_frac, p3d_style style)
{
    const double percent = 100 * fabs(slower_frac);

    if (percent < 0.05)
        return REPORT_WORDS("%s", report_say(style, "as fast"));
    return slower_frac < 0
                   ? REPORT_WORDS(report_say(style, "%.1f %% faster"), percent)
                   : REPORT_WORDS(report_say(style, "%.1f %% slower"), percent);
}
