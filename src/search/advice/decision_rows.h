/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision_rows.h - the decisions of a plan, as a table. */
#ifndef PLAN3D_SEARCH_ADVICE_DECISION_ROWS_H
#define PLAN3D_SEARCH_ADVICE_DECISION_ROWS_H

#include "search/advice/decision_values.h"
#include "spec/plan_fields.h"

/** A decision that is priced: what may be tried. */
typedef struct decision_row {
    p3d_plan_key key;
    const char *doc;
    decision_values *values;
    bool (*follows)(const p3d_plan *plan); /* from the plan's other values;
                                              NULL = never */
} decision_row;

/** The table; n receives its length. */
const decision_row *decision_rows(int *n);

/** A decision of the table, or NULL. */
const decision_row *decision_row_of(p3d_plan_key key);

/** Its word in a plan, and its value there. */
const char *decision_word(const decision_row *row);
int decision_value(const decision_row *row, const p3d_plan *plan);

/** Another value of one decision, and of what follows from it: the replicas
 *  are those that the GPUs of the plan leave; experts are split, activations
 *  shared and chunks scheduled as usual where they were; a number of layers
 *  for the ends of another pipeline is not kept. */
p3d_plan decision_change(
        const p3d_plan *plan, const decision_row *row, int value);

#endif
