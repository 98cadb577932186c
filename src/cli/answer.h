/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - search a question and print what was found: fit and plan. */
#ifndef PLAN3D_CLI_ANSWER_H
#define PLAN3D_CLI_ANSWER_H

#include "cli/question.h"

/** Prints a document. */
typedef void cli_printer(
        const report_document *document, report_format format, p3d_text *out);

/**
 * Print what was found for a question.
 *
 * @param code  P3D_OK when the answer is yes, P3D_NO when it is no
 */
P3D_CHECK bool cli_print_findings(const cli_question *question,
        const report_findings *findings, const cli_args *args,
        cli_printer *print, p3d_text *out, p3d_code *code, p3d_error *err);

/** Search the plans of a command line and print the n_top best, or, when none
 *  fits, what to change. */
P3D_CHECK bool cli_search_and_print(const char *command, const cli_args *args,
        int n_top, cli_printer *print, p3d_text *out, p3d_code *code,
        p3d_error *err);

/** Estimate the plan that these words say.
 *  @return false with P3D_DATA: a wrong word, or the rule that refuses it */
P3D_CHECK bool cli_estimate_plan(const cli_question *question,
        const char *words, p3d_estimate *out, p3d_error *err);

/** The same, or without words the fastest plan that fits, or the one that
 *  misses least. */
P3D_CHECK bool cli_estimate_plan_or_best(const cli_question *question,
        const char *words, p3d_estimate *out, p3d_error *err);

#endif
