/* SPDX-License-Identifier: GPL-3.0-or-later */
/* top_terms.c - the terms of time that differ most between two steps. */
#include <math.h>
#include <string.h>

#include "report/terms.h"
#include "report/text.h"

/* Terms that changed less than this share of the first are not named. */
static const double least_share = 0.05;

/* The term that changed most and is not yet named; -1 when none is left. */
static int next_term(const p3d_time *more, const bool *named)
{
    int most = -1;

    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        if (!named[i] &&
                (most < 0 || fabs(report_time_term_s(more, i)) >
                                     fabs(report_time_term_s(more, most))))
            most = i;
    }
    return most;
}

/* "exposed data-parallel communication" without its last word. */
static int short_length(const char *words)
{
    const char *const tail = strstr(words, " communication");

    return tail != NULL ? (int)(tail - words) : (int)strlen(words);
}

void report_top_terms(
        const p3d_time *more, int n_most, report_clock clock, p3d_text *out)
{
    /* What would be printed as nothing is not worth a word. */
    double least_s = 0.5 * pow(10, -clock.digits) * clock.unit_s;
    bool named[REPORT_N_TIME_TERMS] = {false};

    for (int n = 0; n < n_most; n++) {
        const int term = next_term(more, named);
        const double term_s = report_time_term_s(more, term);

        if (fabs(term_s) < least_s)
            break;
        if (n == 0)
            least_s = fmax(least_s, least_share * fabs(term_s));
        named[term] = true;
        p3d_text_add(out, "%s%.*s %+.*f", n > 0 ? ", " : "",
                short_length(report_time_terms[term].words),
                report_time_terms[term].words, clock.digits,
                term_s / clock.unit_s);
    }
}
