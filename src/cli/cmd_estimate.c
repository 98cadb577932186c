/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_estimate.c - plan3d estimate: memory and time of one plan. */
#include "cli/answer.h"
#include "cli/rows.h"

static const cli_option options[] = {
        {.name = "plan",
                .kind = CLI_TEXT,
                .offset = CLI_AT(plan, const char *),
                .value = "WORDS",
                .is_required = true,
                .doc = "the plan, such as "
                       "tp=8,pp=2,mbs=1,zero=1,recompute=full:4; "
                       "what is left out is derived or 1"},
        CLI_IDLE_ROW,
        CLI_FORMAT_ROW,
        CLI_JOB_ROWS,
};

bool cli_estimate_plan(const cli_question *question, const char *words,
        p3d_estimate *out, p3d_error *err)
{
    const p3d_problem *problem = &question->question.problem;
    p3d_refusal refusal = {0};
    p3d_plan plan;

    if (!p3d_plan_parse(words, problem->cluster.n_gpus, problem->job.framework,
                &plan, err))
        return false;
    if (!p3d_estimate_plan(problem, &plan, out, &refusal))
        return p3d_fail(err, P3D_DATA, "plan %.100s: %s: %s", words,
                refusal.rule, refusal.reason);
    return true;
}

static bool answer(const cli_question *question, const cli_args *args,
        p3d_text *out, p3d_code *code, p3d_error *err)
{
    report_findings findings = {0};
    p3d_estimate estimate;

    if (!cli_estimate_plan(question, args->plan, &estimate, err))
        return false;
    findings.estimate = &estimate;
    return cli_print_findings(
            question, &findings, args, report_estimate, out, code, err);
}

static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    cli_question question = {0};
    const bool ok = cli_question_read("estimate", args, &question, err) &&
                    answer(&question, args, out, code, err);

    cli_question_free(&question);
    return ok;
}

const cli_command cli_estimate = {
        .name = "estimate",
        .summary = "Memory per stage and time per step of one plan, by terms.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d estimate 70B 64xA800 --plan tp=8,pp=2",
                "plan3d estimate gpt3-175b 1024xA100 --plan tp=8,pp=16,mbs=1 "
                "--json"},
        .run = run,
};
