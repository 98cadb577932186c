/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_compare.c - plan3d explain --compare: two plans side by side. */
#include "base/util.h"
#include "cli/answer.h"

/* A plan in words; one that is not legal is an answer too. */
static bool find_plan(const cli_question *question, const char *words,
        report_asked *out, p3d_error *err)
{
    const p3d_problem *problem = &question->question.problem;
    p3d_plan plan;

    if (!p3d_plan_parse(words, problem->cluster.n_gpus, problem->job.framework,
                &plan, err))
        return false;
    out->words = words;
    out->found.legal = p3d_estimate_plan(
            problem, &plan, &out->found.estimate, &out->found.refusal);
    return true;
}

static bool find_best(
        const cli_question *question, report_asked *out, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();

    return p3d_choice_search(
            &question->question.problem, &pins, &out->found, err);
}

bool cli_explain_compare(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    report_asked pair[2] = {{.words = NULL}, {.words = NULL}};
    const report_findings findings = {.pair = pair};
    const bool ok =
            find_plan(question, args->compare, &pair[0], err) &&
            (args->with != NULL ? find_plan(question, args->with, &pair[1], err)
                                : find_best(question, &pair[1], err));

    return ok && cli_print_findings(question, &findings,
                         report_comparison_print, reply, err);
}
