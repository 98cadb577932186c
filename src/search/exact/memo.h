/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memo.h - what searches have found out about memory, kept for the next ones
 * of a problem that differs in the constants of its times alone: no byte hangs
 * on these. */
#ifndef PLAN3D_SEARCH_EXACT_MEMO_H
#define PLAN3D_SEARCH_EXACT_MEMO_H

#include <stdbool.h>

#include "plan3d/plan.h"

/** Whether a plan is too large for a device: */
typedef enum search_question_kind {
    SEARCH_OF_PLAN,   /* as it is, */
    SEARCH_OF_LEAF,   /* whatever is recomputed ("no" says nothing), */
    SEARCH_OF_CLASS,  /* with each recomputation of a class, */
    SEARCH_OF_MODULES /* or with each set of modules */
} search_question_kind;

typedef struct search_question {
    p3d_plan plan;
    search_question_kind kind;
    int low, high; /* of the class */
} search_question;

/** Answers; several threads may ask at once. */
typedef struct search_memo search_memo;

/** @return NULL when memory ran out */
search_memo *search_memo_create(void);

/** Accepts NULL. */
void search_memo_destroy(search_memo *memo);

/** What is known of a question. @return false when nothing is */
bool search_memo_get(
        search_memo *memo, const search_question *question, bool *too_large);

/** Keep an answer, where there is room. */
void search_memo_put(
        search_memo *memo, const search_question *question, bool too_large);

#endif
