/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.h - the moves of the greedy walk, as two tables. */
#ifndef PLAN3D_SEARCH_ADVICE_MOVES_H
#define PLAN3D_SEARCH_ADVICE_MOVES_H

#include <stddef.h>

#include "plan3d/search.h"

/** The plan that the walk starts from, with this tensor parallelism. */
p3d_plan moves_start(const p3d_problem *problem, int tp);

/** A move that saves memory. */
typedef struct moves_saver {
    /** Change the plan and name the change; false when it cannot be made. */
    bool (*apply)(const p3d_problem *problem, p3d_plan *plan, char *decision,
            size_t n);
    bool repeat; /* may be made again */
    const char *why;
} moves_saver;

/** What a move does, and which number suggests it. */
typedef struct moves_words {
    char decision[64];
    char why[128];
} moves_words;

/** A move that may save time. */
typedef struct moves_hastener {
    /** Change the plan, name the change and say which number suggests it;
     *  false when it cannot be made or nothing suggests it. */
    bool (*apply)(const p3d_problem *problem, const p3d_estimate *now,
            p3d_plan *plan, moves_words *words);
} moves_hastener;

/** The tables, in the order in which an engineer tries them. */
const moves_saver *moves_savers(int *n);
const moves_hastener *moves_hasteners(int *n);

/** Give a plan the least recomputation with which it fits, or all of it.
 *  @return false when not even recomputing everything makes it fit */
bool moves_tune_recompute(const p3d_problem *problem, p3d_plan *plan);

#endif
