/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.h - the decisions of a plan, as a table. A decision is a value of
 * a plan that somebody decides, such as tp; with each of its other values a
 * plan is searched (decisions.c, the price of a choice) or changed in no more
 * than that (changes.c, a single change). */
#ifndef PLAN3D_SEARCH_ADVICE_DECISIONS_H
#define PLAN3D_SEARCH_ADVICE_DECISIONS_H

#include "search/exact/space.h"
#include "spec/plan_words.h"

/** A decision: what may be tried. */
typedef struct decision_row {
    spec_plan_key key;
    const char *doc;
    int n_values; /* 0, 1, .. below this, or those of the next */
    void (*values)(const p3d_problem *problem, search_divisors *out);
    bool (*follows)(const p3d_plan *plan); /* from the plan's other values;
                                              NULL = never */
} decision_row;

/** The table; n receives its length. */
const decision_row *decision_rows(int *n);

/** A decision of the table, or NULL. */
const decision_row *decision_row_of(spec_plan_key key);

/** Values worth a question, ascending; not all of them legal, so that the rule
 *  can be told. None where there is nothing to decide. */
void decision_values(const decision_row *row, const p3d_problem *problem,
        search_divisors *out);

/**
 * Keep the `most` values that stand nearest to the chosen one in the list, and
 * the first one, which stands for "none" or "no split". The chosen value is
 * added where it is not in a list that has any.
 *
 * @param most  >= 2
 */
void decision_values_near(search_divisors *values, int chosen, int most);

/** Another value of one decision, and of what follows from it: the replicas
 *  are those that the GPUs of the plan leave; experts are split, activations
 *  shared and chunks scheduled as usual where they were; a number of layers
 *  for the ends of another pipeline is not kept. */
p3d_plan decision_change(
        const p3d_plan *plan, const decision_row *row, int value);

#endif
