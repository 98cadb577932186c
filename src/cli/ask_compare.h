/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_compare.h - questions that compare: clusters, or a job with itself when a
 * setting is changed. */
#ifndef PLAN3D_CLI_ASK_COMPARE_H
#define PLAN3D_CLI_ASK_COMPARE_H

#include "cli/ask.h"
#include "cli/ask_facts.h"

/** A question of one cluster asks what a setting changes. */
bool ask_compares(const ask_facts *facts);

/** That as a command. @return false with P3D_USAGE and what is missing, or
 *  P3D_DATA */
P3D_CHECK bool ask_compare(
        const ask_facts *facts, cli_asked *out, p3d_error *err);

/** How the rows of several clusters are judged: --answer. */
P3D_CHECK bool ask_add_answer(
        const ask_facts *facts, cli_asked *out, p3d_error *err);

#endif
