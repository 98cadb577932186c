/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branches.h - which branches of a script's "if" and "case" run, where its
 * variables tell: all others are read. */
#ifndef PLAN3D_EXCHANGE_READ_BRANCHES_H
#define PLAN3D_EXCHANGE_READ_BRANCHES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    EXCHANGE_MAX_BRANCHES = 64,
    EXCHANGE_TEST_WORDS = 7,
    EXCHANGE_TEST_WORD = 200,
    EXCHANGE_MAX_UNSET = 16
};

/** Zero to begin. */
typedef struct exchange_branches {
    struct {
        bool decided; /* a branch of it runs for sure */
        bool skipped; /* the present one does not */
        bool is_case;
        bool awaits;                      /* a case: its next pattern */
        char subject[EXCHANGE_TEST_WORD]; /* of a case; of an "if" that cannot
                                             be judged: what is not known */
    } at[EXCHANGE_MAX_BRANCHES];
    int n;
    bool is_off; /* all branches are read */
    bool broken; /* the words do not close */
    bool testing;
    bool is_plain;  /* the test has no "if" */
    bool skip_next; /* the command behind "&&" or "||" does not run */
    int n_unset;    /* variables of tests that were taken as empty, "$NAME" */
    char unset[EXCHANGE_MAX_UNSET][EXCHANGE_TEST_WORD];
    int n_words; /* of the test; more than there is room for: not known */
    char words[EXCHANGE_TEST_WORDS][EXCHANGE_TEST_WORD];
} exchange_branches;

/** Take the first word of a command. @return true for "if" and its like, behind
 *  which a command begins */
bool exchange_branches_take(exchange_branches *branches, const char *word);

/** Take a word of the test that was begun. @return false where none was */
bool exchange_branches_test(exchange_branches *branches, const char *word);

/** The command ends, with these characters behind it. */
void exchange_branches_close(exchange_branches *branches, const char *end);

/** Begin a "case" of this word. */
void exchange_branches_case(exchange_branches *branches, const char *subject);

/** True where the next pattern of a "case" stands, or its "esac". */
bool exchange_branches_awaits(const exchange_branches *branches);

/** Take patterns of n characters, "a|b". */
void exchange_branches_pattern(
        exchange_branches *branches, const char *pattern, size_t n);

/** An arm of a "case" ends. */
void exchange_branches_end_arm(exchange_branches *branches);

/** True where what is read does not run. */
bool exchange_branches_skip(const exchange_branches *branches);

/** What the branch that is read depends on and nobody knows, "$1"; NULL = it
 *  runs. */
const char *exchange_branches_doubt(const exchange_branches *branches);

#endif
