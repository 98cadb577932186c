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

/** True for a number, with or without a magnitude. */
bool ask_is_number(ask_kind kind);

bool ask_has_number(ask_part m);

/** The first number, with or without a magnitude. */
ask_number ask_number_of(ask_part m);

/** The k-th number without a magnitude; 0 = there are not so many. */
double ask_value_of(ask_part m, int k);

/** Fail on one token, or on all that a pattern took. @return false */
bool ask_fail_token(ask_reader *r, const ask_token *token, const char *hint);
bool ask_fail_part(ask_reader *r, ask_part m, const char *hint);

/* Clusters. */
ask_action ask_add_nodes_of, ask_add_cards_in_nodes, ask_add_whole_nodes,
        ask_add_by_memory, ask_add_range, ask_add_cards, ask_add_one,
        ask_add_count, ask_set_count, ask_set_count_of_nodes, ask_set_each,
        ask_set_lone;

/* Amounts, the model, what is wanted. */
ask_action ask_set_price, ask_set_lone_price, ask_fail_price, ask_fail_budget,
        ask_set_budget, ask_want_length, ask_want_tokens, ask_want_cost,
        ask_want_gpu_hours, ask_set_tokens, ask_set_size, ask_add_size,
        ask_set_epochs, ask_set_samples, ask_fail_samples, ask_set_deadline,
        ask_set_model, ask_set_path;

/* Settings. */
ask_action ask_set_batch_tokens, ask_fail_memory, ask_set_setting,
        ask_for_setting, ask_set_top, ask_set_network, ask_set_fabric,
        ask_set_sure, ask_set_oversubscription, ask_set_flag, ask_set_framework,
        ask_pass, ask_want_plan, ask_fail_number, ask_set_noun, ask_set_two,
        ask_double, ask_double_gpus, ask_find_end, ask_find_model,
        ask_set_context, ask_set_two_networks, ask_set_last,
        ask_set_energy_price, ask_fail_rate;

#endif
