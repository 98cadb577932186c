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

static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    report_findings findings = {0};
    p3d_estimate estimate;

    if (!cli_estimate_plan(question, question->args->plan, &estimate, err))
        return false;
    findings.estimate = &estimate;
    return cli_print_findings(question, &findings, report_estimate, reply, err);
}

const cli_command cli_estimate = {
        .name = "estimate",
        .summary = "Memory per stage and time per step of one plan, by terms.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d estimate 70B 64xA800 --plan tp=8,pp=2",
                "plan3d estimate gpt3-175b 1024xA100 --plan tp=8,pp=16,mbs=1 "
                "--json"},
        .answer = answer,
};
