/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.h - the moves of the greedy walk, as two tables: those that save memory
 * and those that may save time. */
#ifndef PLAN3D_SEARCH_ADVICE_MOVES_H
#define PLAN3D_SEARCH_ADVICE_MOVES_H

#include <stddef.h>

#include "plan3d/search.h"

/** A move that is being made. */
typedef struct search_move {
    const p3d_problem *problem;
    p3d_plan plan;     /* to be changed */
    char decision[64]; /* names the change */
} search_move;

/** Change the plan and name the change; false when it cannot be made. */
typedef bool search_move_apply(search_move *move);

/** A move that saves memory. */
typedef struct search_saver {
    search_move_apply *apply;
    bool repeat; /* may be made again */
    const char *why;
} search_saver;

/** A move that may save time, and the terms of a step that suggest it; none =
 *  the free memory does. */
typedef struct search_hastener {
    search_move_apply *apply;
    const char *terms; /* what they are called; the next are where */
    int n_terms;
    size_t at[2];
} search_hastener;

/** The tables, in the order in which an engineer tries them. */
const search_saver *search_savers(int *n);
const search_hastener *search_hasteners(int *n);

/** Name a move that has not named itself by what is recomputed after it. */
void search_name_settled(search_move *move, const p3d_plan *before);

#endif
