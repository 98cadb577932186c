/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_shapes.c - plan3d shapes: the operations of a plan, to be measured. */
#include "cli/answer.h"
#include "cli/rows.h"
#include "exchange/measure/measurements.h"

static const cli_option options[] = {
        CLI_PLAN_OR_BEST_ROW,
        CLI_FORMAT_ROW,
        CLI_JOB_ROWS,
};

static void print(const cli_question *question, const p3d_request *request,
        report_format format, p3d_text *out)
{
    switch (format) {
    case REPORT_JSON: exchange_request_write(request, out); break;
    case REPORT_CSV: exchange_request_write_csv(request, out); break;
    case REPORT_JSONL: exchange_request_write_lines(request, out); break;
    case REPORT_TEXT:
    case REPORT_MARKDOWN:
    case REPORT_N_FORMATS:
        report_frameworks(&question->question, out);
        report_shapes(request, out);
        break;
    }
}

static bool answer(const cli_question *question, const cli_args *args,
        p3d_text *out, p3d_error *err)
{
    p3d_estimate estimate;
    p3d_request request;

    if (!cli_estimate_plan_or_best(question, args->plan, &estimate, err) ||
            !p3d_request_build(
                    &question->question.problem, &estimate, &request, err))
        return false;
    print(question, &request, cli_format(args), out);
    p3d_request_free(&request);
    return true;
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    cli_question question = {0};
    const bool ok = cli_question_read("shapes", args, &question, err) &&
                    answer(&question, args, reply->out, err);

    cli_question_free(&question);
    return ok;
}

const cli_command cli_shapes = {
        .name = "shapes",
        .summary = "The operations of a plan with their shapes: what "
                   "plan3d-bench measures on the machine.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d shapes 70B 64xA800 --plan tp=8,pp=4",
                "plan3d shapes 70B 64xA800 --json > shapes.json"},
        .run = run,
};
