/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_trace.c - plan3d trace: the simulated step of a plan, to be looked at. */
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/output.h"
#include "cli/rows.h"
#include "report/text/text.h"
#include "report/trace/trace.h"

/* A trace has one form. */
static const char *format_word(int i)
{
    return i == 0 ? report_format_word(REPORT_JSON) : NULL;
}

/* clang-format off */
static const cli_option options[] = {
    CLI_PLAN_OR_BEST_ROW,
    {.name = "stage", .kind = CLI_COUNT, .offset = CLI_AT(stage, int64_t),
     .value = "N", .fallback = "all", .min = 0, .max = 1023,
     .doc = "one pipeline rank alone, from 0"},
    {.name = "micro-batches", .kind = CLI_COUNT,
     .offset = CLI_AT(n_shown, int64_t), .value = "N",
     .fallback = "64, fewer on many stages", .min = 1, .max = 4194304,
     .doc = "show the passes of about so many, half of them at each end of the "
            "step; all are simulated"},
    {.name = "out", .letter = 'o', .kind = CLI_TEXT,
     .offset = CLI_AT(out, const char *), .value = "FILE",
     .fallback = "standard output", .doc = "file to write (step.json)"},
    {.name = "force", .kind = CLI_FLAG, .offset = CLI_AT(force, _Bool),
     .doc = "replace a file that is there"},
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

/* -1: all. A stage that was said may be 0. */
static int stage_said(const cli_args *args)
{
    for (int i = 0; i < args->n_given; i++) {
        if (strcmp(args->given[i].option->name, "stage") == 0)
            return (int)args->stage;
    }
    return -1;
}

static void print_sum(const char *path, const p3d_estimate *estimate,
        const report_trace_sum *sum, p3d_text *out)
{
    const double step_s = p3d_time_step_s(&estimate->time);
    char simulated[32];
    char estimated[32];

    p3d_text_add(out,
            "%s: %lld events; open it with https://ui.perfetto.dev\n"
            "step %s, as simulated pass by pass; %s as estimated "
            "(%+.2f %%)\n",
            path, (long long)sum->n_events,
            report_step_words(simulated, sizeof(simulated), sum->trace_step_s),
            report_step_words(estimated, sizeof(estimated), step_s),
            100 * (sum->trace_step_s / step_s - 1));
    if (sum->n_hidden > 0)
        p3d_text_add(out,
                "%lld passes in the middle are simulated and not shown; "
                "--micro-batches shows more\n",
                (long long)sum->n_hidden);
}

static bool answer(const cli_question *question, const cli_args *args,
        p3d_text *out, p3d_error *err)
{
    p3d_estimate estimate;
    const report_trace_choice choice = {.problem = &question->question.problem,
            .estimate = &estimate,
            .rank = stage_said(args),
            .n_micro_batches = args->n_shown};
    const bool to_file = args->out != NULL && strcmp(args->out, "-") != 0;
    p3d_text file = {0};
    report_trace_sum sum;
    bool ok;

    if (!cli_estimate_plan_or_best(question, args->plan, &estimate, err))
        return false;
    ok = report_trace(&choice, to_file ? &file : out, &sum, err);
    if (ok && to_file) {
        print_sum(args->out, &estimate, &sum, out);
        report_frameworks(&question->question, out);
        ok = out->failed ||
             cli_write_file(args->out, args->force, "step.json", &file, err);
    }
    p3d_text_free(&file);
    return ok;
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    cli_question question = {0};
    const bool ok = cli_question_read("trace", args, &question, err) &&
                    answer(&question, args, reply->out, err);

    cli_question_free(&question);
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
        .run = run,
};
