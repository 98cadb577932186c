/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amounts.h - seconds, rates, bytes and money as people read them. */
#ifndef PLAN3D_REPORT_AMOUNTS_H
#define PLAN3D_REPORT_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "plan3d/error.h"

/** Some words by value: those that a function returns live until the end of the
 *  statement that calls it, as an argument of a printf() for example. */
typedef struct report_words {
    char text[96];
} report_words;

/** How a step and its terms are printed in a column: a step with three digits,
 *  with four from 100 s on, so that short terms are seen. */
typedef struct report_clock {
    double unit_s;
    const char *word; /* "ms", "s" */
    int digits;       /* after the point */
} report_clock;

report_clock report_clock_for(double step_s);

/** What is shorter is printed as 0 there. */
double report_clock_least_s(report_clock clock);

/** Seconds of a step: "85.1 ms", "2.91 s", "192 s". */
report_words report_step_words(double step_s);

/** A probability of fitting: "97 % sure"; none is called 0 or 100 %. */
report_words report_sure_words(double frac, p3d_style style);

/** The same for a column of percent: "97", ">99", "<1". */
report_words report_sure_percent(double frac);

/** Three digits, no more: "0.577", "61.0", "914", "27,900". */
report_words report_three_words(double value);

/** The same of what is often large, in the units of the language: "231,000",
 *  "1.64 M", "2.10 B". */
report_words report_large_words(double value, p3d_style style);

/** The same for a column, with its range in the same unit: "914 (860-1,100)",
 *  "1.69 M (1.59-2.03)"; high = 0: the range has no upper end. */
report_words report_brief_words(
        double value, double low, double high, p3d_style style);

/** The same of p3d_print_seconds(): "2.17 h". */
report_words report_seconds_words(double duration_s, p3d_style style);

/** The unit of a whole training, its parts too: its word is English. */
report_clock report_long_clock_for(double duration_s);

/** As p3d_print_integer() and its neighbours (plan3d/units.h) print it. */
report_words report_integer_words(int64_t value);
report_words report_count_words(double count);
report_words report_bytes_words(double amount_bytes);

/** A dash for what is not known, else the words of the template. */
report_words report_known_words(bool known, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/** The words of a template. */
#define REPORT_WORDS(...) report_known_words(true, __VA_ARGS__)

/** Bytes in GiB. */
double report_gib(int64_t n_bytes);

/** The same in three digits, at most two of them behind the point; what is
 *  missing stands below 0: "14.6", "0.07", "-8.80". */
report_words report_gib_words(int64_t n_bytes);

/** Digits after the point in a column of GiB whose largest number is this. */
int report_gib_digits(int64_t most_bytes);

/** Seconds in days. */
double report_days(double duration_s);

/** "3.6 % faster", "as fast": of a plan against the recommended one. */
report_words report_pace_words(double slower_frac, p3d_style style);

#endif
