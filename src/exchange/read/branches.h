/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branches.h - which branches of a script's "if" run, where its variables tell:
 * all others are read. */
#ifndef PLAN3D_EXCHANGE_READ_BRANCHES_H
#define PLAN3D_EXCHANGE_READ_BRANCHES_H

#include <stdbool.h>

enum {
    EXCHANGE_MAX_BRANCHES = 64,
    EXCHANGE_TEST_WORDS = 6,
    EXCHANGE_TEST_WORD = 200
};

/** Zero to begin. */
typedef struct exchange_branches {
    struct {
        bool decided; /* a branch of it runs for sure */
        bool skipped; /* the present one does not */
    } at[EXCHANGE_MAX_BRANCHES];
    int n;
    bool is_off; /* all branches are read */
    bool broken; /* the words do not close */
    bool testing;
    int n_words; /* of the test; more than there is room for: not known */
    char words[EXCHANGE_TEST_WORDS][EXCHANGE_TEST_WORD];
} exchange_branches;

/** Take the first word of a command. @return true for "if" and its like, behind
 *  which a command begins */
bool exchange_branches_take(exchange_branches *branches, const char *word);

/** Take a word of the test that was begun. @return false where none was */
bool exchange_branches_test(exchange_branches *branches, const char *word);

/** The command ends, with this character. */
void exchange_branches_close(exchange_branches *branches, char end);

/** True where what is read does not run. */
bool exchange_branches_skip(const exchange_branches *branches);

#endif
