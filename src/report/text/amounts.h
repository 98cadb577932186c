/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amounts.h - seconds, rates, bytes and money as people read them. */
#ifndef PLAN3D_REPORT_TEXT_AMOUNTS_H
#define PLAN3D_REPORT_TEXT_AMOUNTS_H

#include <stddef.h>
#include <stdint.h>

/** How a step and its terms are printed: with four digits or a few more. */
typedef struct report_clock {
    double unit_s;
    const char *word; /* "ms", "s" */
    int digits;       /* after the point */
} report_clock;

report_clock report_clock_for(double step_s);

/** Seconds of a step: "85.12 ms", "2.913 s", "191.71 s". */
const char *report_step_words(char *buffer, size_t n, double step_s);

/** A rate per second: "84.2", "21,728". */
const char *report_rate_words(char *buffer, size_t n, double per_s);

/** Whole US dollars: "27,981"; from 1e15 on three digits. */
const char *report_usd_words(char *buffer, size_t n, double amount_usd);

/** Bytes in GiB. */
double report_gib(int64_t n_bytes);

/** Seconds in days. */
double report_days(double duration_s);

#endif
