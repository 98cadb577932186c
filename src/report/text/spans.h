/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.h - numbers of an answer with the ends of their ranges, three digits
 * each: those of the text and of the page are the same. */
#ifndef PLAN3D_REPORT_TEXT_SPANS_H
#define PLAN3D_REPORT_TEXT_SPANS_H

#include "report/amounts.h"
#include "report/document.h"

/** A number and the ends of its range, as they are printed. */
typedef struct report_span {
    report_words value, low, median, high;
    bool is_open; /* the range has no upper end */
} report_span;

/** "164 (154 to 198)", with a unit behind the number. */
report_words report_span_words(
        const report_span *span, const char *unit, p3d_style style);

/** "USD 1.40 M (1.32 M to 1.69 M)". */
report_words report_usd_span_words(const report_span *span, p3d_style style);

/** The same of three numbers; high = 0: the range has no upper end. */
report_words report_usd_words(
        double value, double low, double high, p3d_style style);

/** "154 to 198", "430 or more". */
report_words report_ends_words(const report_span *span, p3d_style style);

/** Of an answer: the step in the unit of report_clock_for(), tokens/s, the peak
 *  of the tight GPU in GiB, USD for a billion tokens. */
report_span report_step_span(const report_answer *answer);
report_span report_rate_span(const report_answer *answer, p3d_style style);
report_span report_peak_span(const report_answer *answer);
report_span report_billion_span(const report_answer *answer, p3d_style style);

/** Of a whole training: its time in the unit of report_long_clock_for(), its
 *  money, its energy in the unit of report_energy_unit(). Open where the
 *  slowest steps never end. */
report_span report_time_span(const report_training *training);
report_span report_usd_span(const report_training *training, p3d_style style);
report_span report_energy_span(const report_training *training);

/** USD of a whole training; 0 = no price was given. */
double report_training_usd(const p3d_training *training);

/** What energy is counted in: " kWh", or " MWh" where it is much. */
const char *report_energy_unit(const report_training *training);

/** How many departures a plan has. */
int report_n_departures(const report_document *d, const report_answer *answer);

#endif
