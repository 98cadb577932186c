/* SPDX-License-Identifier: GPL-3.0-or-later */
/* splits.h - numbers of layers of the first and the last stage of a pipeline:
 * all that a person could say. */
#ifndef PLAN3D_SEARCH_EXACT_SPLITS_H
#define PLAN3D_SEARCH_EXACT_SPLITS_H

#include "plan3d/search.h"

/** One split: what is said of the ends (0 = as the others), and the layers of
 *  the largest stage. */
typedef struct search_split {
    short first;
    short last;
    short most;
    short ends[2]; /* layers of the first and the last stage */
    short share;   /* of each between them; 0 = there is none */
} search_split;

/** All splits for one number of stages, the smallest largest stage first. */
typedef struct search_splits {
    int pp; /* 0 = not built */
    int n;
    search_split *at;
    int64_t *most_behind; /* sum of `most` from a split to the end */
} search_splits;

/** One list for each number of stages; zero is empty. */
typedef struct search_split_table {
    int n;
    int last; /* that was asked for */
    search_splits *lists;
} search_split_table;

/** True where a plan's ends may have numbers of layers of their own. */
bool search_may_split(const p3d_problem *problem, const p3d_plan *plan);

/**
 * Splits of a plan's pipeline that differ from each other and from the one
 * without such numbers.
 *
 * @return NULL when memory ran out
 */
const search_splits *search_splits_of(search_split_table *table,
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan);

void search_splits_free(search_split_table *table);

#endif
