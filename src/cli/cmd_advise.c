/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_advise.c - plan3d advise: the greedy walk of an engineer. */
#include <stdlib.h>

#include "cli/answer.h"
#include "cli/rows.h"

static const cli_option options[] = {CLI_FORMAT_ROW, CLI_JOB_ROWS};

/* The walk, and the exact best to hold it against. */
static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_walk *walk = calloc(1, sizeof(*walk));
    p3d_search_result *search = NULL;
    report_findings findings = {0};
    bool ok = walk != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && cli_question_search(question, &pins, 1, &search, err);
    if (ok) {
        p3d_advise(&question->question.problem, walk);
        cli_mark_interrupted(search);
        findings.walk = walk;
        findings.search = search;
        ok = cli_print_findings(question, &findings, report_advise, reply, err);
    }
    free(walk);
    free(search);
    return ok;
}

const cli_command cli_advise = {
        .name = "advise",
        .summary =
                "The greedy walk of an experienced engineer: each step tried, "
                "and why.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d advise 70B 64xA800",
                "plan3d advise llama-3-8b 8xA100-40G --seq 4096 --json"},
        .answer = answer,
};
