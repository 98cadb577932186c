/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prices.h - what a report says about the decisions of a plan, and about two
 * plans side by side. */
#ifndef PLAN3D_REPORT_PRICES_H
#define PLAN3D_REPORT_PRICES_H

#include "plan3d/decisions.h"
#include "report/answer.h"

/** The best plan that has one value. */
typedef struct report_choice {
    char value[32];
    bool chosen; /* it is the best plan's own */
    bool legal;  /* the rest is 0 or NULL when it is not */
    bool fits;
    const char *words; /* the plan as --plan reads it */
    const char *with;  /* its other values that are not the best's */
    double step_s;
    double slower_frac;   /* nan unless both plans fit */
    const p3d_time *more; /* its step less the best's; NULL likewise */
    int64_t peak_bytes;
    int64_t missing_bytes; /* of the device; 0 when it is large enough */
    const char *largest;   /* term of its memory; NULL when it fits */
    int64_t largest_bytes;
    const char *rule; /* why it is not legal; NULL = no single rule */
    const char *reason;
} report_choice;

typedef struct report_decision {
    const char *word;
    const char *doc;
    json_list choices;
} report_decision;

/** One of two plans that are compared. */
typedef struct report_side {
    const char *asked;           /* the words that it was asked for in */
    bool is_search;              /* words of a search, not of a plan */
    const report_answer *answer; /* NULL when it is not legal */
    const char *rule;            /* NULL when it is legal */
    const char *reason;
} report_side;

/** Two plans; what is more is more in the second. */
typedef struct report_comparison {
    report_side first;
    report_side second;
    const char *faster; /* "first", "second"; NULL = neither, or not both fit */
    double slower_frac; /* the second's step over the first's, less 1; nan
                           unless both are legal */
    const p3d_time *more_time; /* NULL unless both are legal */
    const p3d_memory *more_memory;
} report_comparison;

/** Decisions as they are written, with their storage. Allocated. */
typedef struct report_prices {
    p3d_decisions found;
    json_list list; /* of report_decision */
    report_decision decisions[P3D_MAX_DECISIONS];
    struct report_choice_store {
        report_choice choices[P3D_MAX_CHOICES];
        char words[P3D_MAX_CHOICES][REPORT_PLAN];
        char with[P3D_MAX_CHOICES][REPORT_PLAN];
        p3d_time more[P3D_MAX_CHOICES];
    } stores[P3D_MAX_DECISIONS];
} report_prices;

extern const json_shape report_decision_shape;
extern const json_shape report_comparison_shape;

/** @return release with free(); NULL when memory runs out */
report_prices *report_prices_create(const p3d_decisions *found);

/** Fill in what follows from the two answers.
 *  @param more_time, more_memory  storage of what *comparison points to */
void report_compare(report_comparison *comparison, p3d_time *more_time,
        p3d_memory *more_memory);

#endif
