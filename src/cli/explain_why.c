/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_why.c - plan3d explain why: this plan and not that one. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/answer.h"
#include "cli/progress.h"

/* The pins of --not, which has at least one. */
static bool read_values(const char *words, p3d_pins *out, p3d_error *err)
{
    if (words[strspn(words, " ")] == '\0')
        return p3d_fail(err, P3D_DATA,
                "--not: '%.60s' says no value of a plan; write tp=4 or zero=3",
                words);
    return p3d_pins_parse(words, out, err);
}

/* The best plan beside the best that has the values of --not. */
static bool answer_not(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    const p3d_problem *problem = &question->question.problem;
    report_findings findings = {0};
    report_asked pair[2] = {
            {.words = NULL}, {.words = args->not_values, .is_search = true}};
    const p3d_pins all = p3d_pins_free();
    p3d_pins pins;

    if (!read_values(args->not_values, &pins, err) ||
            !p3d_choice_search(problem, &all, &pair[0].found, err) ||
            !p3d_choice_search(problem, &pins, &pair[1].found, err))
        return false;
    findings.pair = pair;
    return cli_print_findings(
            question, &findings, report_comparison_print, reply, err);
}

static bool price(const cli_question *question, p3d_search_result *search,
        p3d_decisions *decisions, p3d_error *err)
{
    cli_progress progress;
    bool ok;

    cli_progress_begin(&progress, "search", 0);
    ok = p3d_decisions_price(&question->question.problem,
            cli_best_or_closest(search), cli_progress_parts, &progress,
            decisions, err);
    cli_progress_end(&progress);
    cli_mark_interrupted(search);
    return ok;
}

static bool answer_prices(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_decisions *decisions = malloc(sizeof(*decisions));
    p3d_search_result *search = NULL;
    report_findings findings = {.decisions = decisions};
    bool ok;

    if (decisions == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = cli_question_search(question, &pins, 1, &search, err) &&
         price(question, search, decisions, err);
    findings.search = search;
    if (ok)
        ok = cli_print_findings(question, &findings, report_why, reply, err);
    free(search);
    free(decisions);
    return ok;
}

bool cli_explain_why(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    return question->args->not_values != NULL
                   ? answer_not(question, reply, err)
                   : answer_prices(question, reply, err);
}
