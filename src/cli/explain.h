/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - the things that plan3d explain explains. */
#ifndef PLAN3D_CLI_EXPLAIN_H
#define PLAN3D_CLI_EXPLAIN_H

#include "cli/question.h"

/** Answers one of them. */
typedef bool cli_explainer(const cli_question *question, const cli_args *args,
        p3d_text *out, p3d_code *code, p3d_error *err);

/** How sure the choice of a plan is: of --plan, or the fastest that fits. */
P3D_CHECK bool cli_explain_sensitivity(const cli_question *question,
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err);

#endif
