/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - the questions that plan3d explain answers. */
#ifndef PLAN3D_CLI_EXPLAIN_H
#define PLAN3D_CLI_EXPLAIN_H

#include "cli/answer.h"

typedef bool cli_explanation(const cli_question *question, const cli_args *args,
        p3d_text *out, p3d_code *code, p3d_error *err);

/** What is alive at the peak of a plan. */
cli_explanation cli_explain_memory;

/** Why the best plan and not another: the price of each decision, or with
 *  --not that of some values. */
cli_explanation cli_explain_why;

/** The plans of --compare and --with side by side. */
cli_explanation cli_explain_compare;

/** How sure the choice of a plan is: of --plan, or the fastest that fits. */
cli_explanation cli_explain_sensitivity;

#endif
