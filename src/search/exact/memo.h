/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memo.h - what searches leave to the next ones: about memory, where a problem
 * differs in the constants of its times alone (no byte hangs on these), and
 * about the same problem, where there are plans that may be wanted (all others
 * are too large, or too slow). */
#ifndef PLAN3D_SEARCH_EXACT_MEMO_H
#define PLAN3D_SEARCH_EXACT_MEMO_H

#include <stdbool.h>
#include <stdint.h>

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

/** A leaf of a branch, or one for each of its splits from one on. */
typedef struct search_spot {
    int zero, shard;
    short first, last; /* as of the leaf's plan */
    short most;        /* layers of the largest chunk */
    short from;        /* the split; -1 = this leaf */
    double bound_s;    /* none of its plans takes less */
} search_spot;

/** Plans of a branch: all of them, or what search_deferred has. */
typedef struct search_part {
    p3d_plan branch;
    int most; /* as of search_deferred; SEARCH_ALL = with the ends as usual and
                 with numbers for them */
    double bound_s;
    int first_spot, n_spots; /* SEARCH_ALL = nobody has looked at them */
} search_part;

enum { SEARCH_ALL = -1 };

/** In the order of the search; zero is empty. */
typedef struct search_facts {
    double within_frac; /* what plans may be slower than those kept */
    search_part *parts;
    int n_parts;
    search_spot *spots;
    int n_spots;
    bool incomplete; /* there were too many */
} search_facts;

/** Add plans that nobody has looked at. */
void search_facts_add_all(search_facts *facts, const search_part *part);

/** Add plans spot by spot; those without any are taken out at the end. */
void search_facts_begin(search_facts *facts, const search_part *part);
void search_facts_add(search_facts *facts, const search_spot *spot);
void search_facts_end(search_facts *facts);

void search_facts_free(search_facts *facts);

#endif
