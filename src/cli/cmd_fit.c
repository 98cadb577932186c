/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_fit.c - plan3d fit: does it fit, and if not, what would make it fit. */
#include "cli/answer.h"
#include "cli/rows.h"

static const cli_option options[] = {
        CLI_PIN_ROW, CLI_IDLE_ROW, CLI_FORMAT_ROW, CLI_JOB_ROWS};

static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    return cli_search_and_print(question, 1, report_fit, reply, err);
}

const cli_command cli_fit = {
        .name = "fit",
        .summary =
                "Does the model fit, with which plan and what margin; if not, "
                "what makes it fit?",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d fit 70B 64xA800",
                "plan3d fit llama-3-8b 8xH100 --seq 8192 --batch 512 --json"},
        .answer = answer,
};
