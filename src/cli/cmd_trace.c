/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_trace.c - plan3d trace: the simulated step of a plan, to be looked at. */
#include <stdlib.h>
#include <string.h>

#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/question.h"
#include "report/text/text.h"
#include "report/trace/trace.h"

/* A trace has one form. */
static const char *format_word(int i)
{
    return i == 0 ? report_format_word(REPORT_JSON) : NULL;
}

/* clang-format off */
static const json_option options[] = {
    CLI_PLAN_OR_BEST_ROW,
    {JSON_OPTION("stage", "one pipeline rank alone, from 0"),
     CLI_COUNT_AT(stage, "N", 0, 1023), .fallback = "all"},
    {JSON_OPTION("micro-batches",
         "show the passes of about so many, half of them at each end of the "
         "step; all are simulated"), CLI_COUNT_AT(n_shown, "N", 1, 4194304),
     .fallback = "64, fewer on many stages"},
    CLI_FILE_ROWS("standard output", "file to write (step.json)",
            "replace a file that is there"),
    CLI_FORMATS_ROW(format_word, "json",
            "json: the Chrome trace format, which Perfetto opens"),
    CLI_SIZE_ROWS,
    CLI_KIND_ROWS,
    CLI_FRAMEWORK_ROW,
    CLI_PLACE_ROWS,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

static void print_sum(const char *path, const p3d_estimate *estimate,
        const report_trace_sum *sum, p3d_text *out)
{
    const double step_s = p3d_time_step_s(&estimate->time);

    p3d_text_add(out,
            "%s: %lld events; open it with https://ui.perfetto.dev\n"
            "step %s, as simulated pass by pass; %s as estimated "
            "(%+.2f %%)\n",
            path, (long long)sum->n_events,
            report_step_words(sum->trace_step_s).text,
            report_step_words(step_s).text,
            100 * (sum->trace_step_s / step_s - 1));
    if (sum->n_hidden > 0)
        p3d_text_add(out,
                "%lld passes in the middle are simulated and not shown; "
                "--micro-batches shows more\n",
                (long long)sum->n_hidden);
}

static bool answer(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    const cli_args *const args = question->args;
    p3d_text *const out = reply->out;
    p3d_estimate estimate;
    const report_trace_options asked = {.problem = &question->question.problem,
            .estimate = &estimate,
            .rank = cli_is_given(args, "stage") ? (int)args->stage : -1,
            .n_micro_batches = args->n_shown};
    const bool to_file = args->out != NULL && strcmp(args->out, "-") != 0;
    p3d_text file = {0};
    report_trace_sum sum;
    bool ok;

    if (!cli_estimate_plan_or_best(question, args->plan, &estimate, err))
        return false;
    ok = report_trace(&asked, to_file ? &file : out, &sum, err);
    if (ok && to_file) {
        print_sum(args->out, &estimate, &sum, out);
        report_frameworks(&question->question, out);
        ok = out->failed ||
             cli_write_file(args->out, args->force, "step.json", &file, err);
    }
    p3d_text_free(&file);
    return ok;
}

const cli_command cli_trace = {
        .name = "trace",
        .summary = "The simulated step of a plan, pass by pass: a timeline for "
                   "Perfetto.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d trace 70B 64xA800 --plan tp=8,pp=4 -o step.json",
                "plan3d trace 70B 64xA800 --plan tp=8,pp=4 --stage 0"},
        .answer = answer,
};
