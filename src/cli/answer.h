/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - from a question to what is printed: search, estimate, print. */
#ifndef PLAN3D_CLI_ANSWER_H
#define PLAN3D_CLI_ANSWER_H

#include "cli/question.h"

/** Where an answer goes. */
typedef struct cli_reply {
    p3d_text *out; /* to stdout; left out on failure */
    report_format format;
    p3d_code code; /* P3D_OK unless a command says P3D_NO, P3D_DEVICE or
                      P3D_INTERRUPTED */
} cli_reply;

/** Answers a question that was read. */
typedef bool cli_answer(
        const cli_question *question, cli_reply *reply, p3d_error *err);

/** Read the question of a command line and answer it. */
P3D_CHECK bool cli_ask(const char *command, const cli_args *args,
        cli_answer *answer, cli_reply *reply, p3d_error *err);

/** Prints a document. */
typedef void cli_printer(
        const report_document *document, report_format format, p3d_text *out);

/** Print what was found for a question. Where that says no, so does the code of
 *  the reply. */
P3D_CHECK bool cli_print_findings(const cli_question *question,
        const report_findings *findings, cli_printer *print, cli_reply *reply,
        p3d_error *err);

/** Search the plans of a question and print the n_top best, or, when none
 *  fits, what to change. */
P3D_CHECK bool cli_search_and_print(const cli_question *question, int n_top,
        cli_printer *print, cli_reply *reply, p3d_error *err);

/** When nothing fits, look for what to change.
 *  @param changes  room for P3D_MAX_CHANGES; *findings points to it */
void cli_find_changes(const p3d_problem *problem, const p3d_pins *pins,
        p3d_change *changes, report_findings *findings);

/** Estimate the plan that these words say.
 *  @return false with P3D_DATA: a wrong word, or the rule that refuses it */
P3D_CHECK bool cli_estimate_plan(const cli_question *question,
        const char *words, p3d_estimate *out, p3d_error *err);

/** The same, or without words (NULL) what a search found. */
P3D_CHECK bool cli_estimate_plan_or_found(const cli_question *question,
        const char *words, const p3d_search_result *search, p3d_estimate *out,
        p3d_error *err);

/** The same, with a search of its own. */
P3D_CHECK bool cli_estimate_plan_or_best(const cli_question *question,
        const char *words, p3d_estimate *out, p3d_error *err);

#endif
