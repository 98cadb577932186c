/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_build.h - the words of a command line from the facts of a question, and
 * the facts that no answer can do without. */
#ifndef PLAN3D_CLI_ASK_BUILD_H
#define PLAN3D_CLI_ASK_BUILD_H

#include "cli/ask.h"
#include "cli/ask_facts.h"

bool ask_wants(const ask_facts *facts, unsigned what);

/** "the price is missing; add for example '...'". @return false */
bool ask_fail_missing(const char *what, const char *example, p3d_error *err);

bool ask_add(cli_asked *out, const char *word, p3d_error *err);
bool ask_add_option(
        cli_asked *out, const char *name, const char *value, p3d_error *err);

/** All clusters as one word with commas. */
bool ask_add_clusters(const ask_facts *facts, cli_asked *out, p3d_error *err);

/** Tokens, deadline, price and settings as options. */
bool ask_add_rest(const ask_facts *facts, cli_asked *out, p3d_error *err);

/** The command and the model. */
bool ask_begin(const char *command, const ask_facts *facts, cli_asked *out,
        p3d_error *err);

/** Tokens of a model's sequences where nobody says them.
 *  @return 0 with the model's error where it is not known */
int ask_usual_seq(const char *model, p3d_error *err);

/** @return false with P3D_USAGE and what is missing */
bool ask_need_model(const ask_facts *facts, p3d_error *err);
bool ask_need_tokens(const ask_facts *facts, p3d_error *err);
bool ask_need_clusters(const ask_facts *facts, p3d_error *err);
bool ask_need_money(const ask_facts *facts, p3d_error *err);

/** GPUs of a node, if the question names them, are those that it has. */
bool ask_check_node(const ask_facts *facts, p3d_error *err);

/** What a budget is held against: the tokens of a training, at a price.
 *  @return false with P3D_USAGE and what is missing */
bool ask_need_price_of_budget(const ask_facts *facts, p3d_error *err);

#endif
