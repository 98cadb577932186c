/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_actions.h - what the patterns of ask_facts.c are facts of. */
#ifndef PLAN3D_CLI_ASK_ACTIONS_H
#define PLAN3D_CLI_ASK_ACTIONS_H

#include "cli/ask_match.h"

/* Clusters. */
ask_action ask_add_nodes_of, ask_add_cards_in_nodes, ask_add_whole_nodes,
        ask_add_by_memory, ask_add_range, ask_add_cards, ask_add_one,
        ask_set_count, ask_set_count_of_nodes, ask_set_each, ask_set_lone;

/* Amounts, the model, what is wanted. */
ask_action ask_set_price, ask_fail_price, ask_fail_budget, ask_set_budget,
        ask_want_length, ask_want_cost, ask_want_gpu_hours, ask_set_tokens,
        ask_set_size, ask_add_size, ask_set_deadline, ask_set_model,
        ask_set_path;

/* Settings. */
ask_action ask_fail_batch_tokens, ask_set_setting, ask_for_setting, ask_set_top,
        ask_set_network, ask_set_fabric, ask_set_sure, ask_set_flag,
        ask_set_framework, ask_pass, ask_want_plan, ask_fail_number,
        ask_set_noun, ask_set_two, ask_double, ask_double_gpus, ask_find_end,
        ask_find_model;

#endif
