/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_match.h - patterns of kinds of tokens, and what reads the tokens that
 * they take. */
#ifndef PLAN3D_CLI_ASK_MATCH_H
#define PLAN3D_CLI_ASK_MATCH_H

#include "cli/ask_facts.h"

/** The tokens that say something, and where among them the reader is. */
typedef struct ask_reader {
    const ask_text *text;
    ask_token token[ASK_TOKENS_MAX];
    int n;
    int at;
    ask_facts *facts;
    p3d_error *err;
} ask_reader;

/** The tokens that a pattern took. */
typedef struct ask_part {
    const ask_token *token;
    int n;
} ask_part;

/** Makes facts of them. @return false with P3D_USAGE */
typedef bool ask_action(ask_reader *r, ask_part m);

/** In patterns a letter is an ask_kind, '#' a number or size; '?' behind it: it
 *  may be missing. What is behind '>' must follow, and is left for the next. */
typedef struct ask_rule {
    const char *pattern;
    ask_action *act;
} ask_rule;

/** How many of the next tokens a pattern takes; 0 = it does not match. */
int ask_pattern_length(const ask_reader *r, const char *pattern);

/** The k-th token of a kind; NULL = there are not so many. */
const ask_token *ask_nth(ask_part m, ask_kind kind, int k);

bool ask_has(ask_part m, ask_kind kind);

/** The first of a kind; one that says nothing where there is none. */
const ask_token *ask_first(ask_part m, ask_kind kind);

bool ask_has_number(ask_part m);

/** The first number, with or without a magnitude. */
ask_number ask_number_of(ask_part m);

/** The k-th number without a magnitude; 0 = there are not so many. */
double ask_value_of(ask_part m, int k);

/** Fail on one token, or on all that a pattern took. @return false */
bool ask_fail_token(ask_reader *r, const ask_token *token, const char *hint);
bool ask_fail_part(ask_reader *r, ask_part m, const char *hint);

#endif
