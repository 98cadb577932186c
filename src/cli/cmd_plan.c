/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plan.c - plan3d plan: the best plans, ranked. */
#include "cli/answer.h"
#include "cli/rows.h"

enum { DEFAULT_TOP = 10 };

static const cli_option options[] = {
        {.name = "top",
                .kind = CLI_COUNT,
                .offset = CLI_AT(n_top, int64_t),
                .value = "N",
                .fallback = "10",
                .min = 1,
                .max = P3D_MAX_TOP,
                .doc = "how many plans to print, at most 100"},
        {.name = "verify",
                .kind = CLI_FLAG,
                .offset = CLI_AT(verify, _Bool),
                .doc = "check the search: look at every plan one by one, some "
                       "100,000 a second"},
        CLI_PIN_ROW,
        CLI_IDLE_ROW,
        CLI_FORMAT_ROW,
        CLI_JOB_ROWS,
};

static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    const int n_top = args->n_top > 0 ? (int)args->n_top : DEFAULT_TOP;

    return cli_search_and_print(question, n_top, report_plan, reply, err);
}

const cli_command cli_plan = {
        .name = "plan",
        .summary = "The best plans, the fastest first, and why each is not the "
                   "first.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d plan 70B 64xA800 --top 5",
                "plan3d plan llama-3.1-405b 16384xH100 --tokens 15T --price "
                "2.50"},
        .answer = answer,
};
