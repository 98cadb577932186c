/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision_rows.h - the decisions of a plan, as a table. */
#ifndef PLAN3D_SEARCH_DECISION_ROWS_H
#define PLAN3D_SEARCH_DECISION_ROWS_H

#include "search/decision_values.h"

/** A decision: where its pin is, what a plan has, what may be tried. */
typedef struct decision_row {
    const char *word;
    const char *doc;
    size_t pin; /* offset in p3d_pins; not used without values */
    int (*of)(const p3d_plan *plan);
    void (*set)(p3d_plan *plan, int value);
    decision_values *values; /* NULL = told where it differs, not priced */
    const char *(*name)(int value); /* NULL = a number */
    const char *(*print)(const p3d_plan *plan, char out[P3D_PLAN_PART]);
    bool (*follows)(const p3d_plan *plan); /* from the plan's other values */
} decision_row;

/** The table; n receives its length. */
const decision_row *decision_rows(int *n);

/** Another value of one decision, and of what follows from it: the replicas
 *  are those that the GPUs of the plan leave; experts are split, activations
 *  shared and chunks scheduled as usual where they were; a number of layers
 *  for the ends of another pipeline is not kept. */
p3d_plan decision_change(
        const p3d_plan *plan, const decision_row *row, int value);

#endif
