/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_backtest.c - plan3d backtest: predictions against measured runs. */
#include "cli/question.h"
#include "cli/rows.h"
#include "plan3d/backtest.h"
#include "report/backtest.h"

typedef enum what { ALL, TIME, MEMORY, RANK, N_WHATS } what;

static const char *what_word(int i)
{
    static const char *const words[] = {[ALL] = "all",
            [TIME] = "time",
            [MEMORY] = "memory",
            [RANK] = "rank"};

    return i < N_WHATS ? words[i] : NULL;
}

/* clang-format off */
static const cli_option options[] = {
    {.name = "what", .kind = CLI_WORD, .offset = CLI_AT(what, int),
     .value = "WHAT", .word = what_word, .fallback = "all",
     .doc = "time, memory, rank (needs --sets) or all"},
    {.name = "sets", .kind = CLI_TEXT, .offset = CLI_AT(sets, const char *),
     .value = "FILE",
     .doc = "CSV of sets of runs of one job with different plans: columns set "
            "and ids"},
    {.name = "source", .kind = CLI_TEXT,
     .offset = CLI_AT(source, const char *), .value = "NAME",
     .doc = "only the rows of this source"},
    {.name = "calibration", .kind = CLI_TEXT,
     .offset = CLI_AT(calibration, const char *), .value = "FILE",
     .fallback = "those of each GPU",
     .doc = "constants for the runs on the GPU that it is of: a file of "
            "'plan3d calibrate', or a name of 'plan3d list calibrations'"},
    {.name = "rows", .kind = CLI_FLAG, .offset = CLI_AT(rows, _Bool),
     .doc = "list every row"},
    CLI_FORMAT_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

static void print(const cli_args *args, const p3d_backtest_options *asked,
        const p3d_backtest *found, p3d_text *out)
{
    const report_backtest report = {.file = asked->runs,
            .time = asked->time,
            .memory = asked->memory,
            .rank = asked->rank,
            .with_rows = args->rows,
            .found = *found,
            .sources = {found->sources, found->n_sources},
            .skipped = {found->skipped, found->n_skipped},
            .assumed = {found->assumed, found->n_assumed},
            .rows = {found->rows, args->rows ? found->n_rows : 0}};

    report_print_backtest(&report, cli_format(args), out);
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const int asked = args->what > 0 ? args->what - 1 : ALL;
    cli_constants constants = {.basis = {.name = ""}};
    const p3d_backtest_options asked_runs = {.runs = args->words[0],
            .sets = args->sets,
            .source = args->source,
            .calibration =
                    args->calibration != NULL ? &constants.calibration : NULL,
            .time = asked == ALL || asked == TIME,
            .memory = asked == ALL || asked == MEMORY,
            .rank = args->sets != NULL && (asked == ALL || asked == RANK)};
    p3d_backtest found = {.n_rows = 0};

    if (args->calibration != NULL &&
            !cli_constants_open(args->calibration, &constants, err))
        return false;
    if (asked == RANK && args->sets == NULL)
        return p3d_fail(err, P3D_USAGE, "--what rank needs --sets FILE");
    if (!p3d_backtest_run(&asked_runs, &found, err))
        return false;
    print(args, &asked_runs, &found, reply->out);
    p3d_backtest_free(&found);
    return true;
}

const cli_command cli_backtest = {
        .name = "backtest",
        .summary = "Predict measured runs and print the errors by source.",
        .positionals = {{"FILE",
                "CSV of measured runs, with the columns of "
                "tests/accuracy/runs.csv; - is standard input",
                CLI_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d backtest tests/accuracy/runs.csv --sets "
                     "tests/accuracy/ranking_sets.csv",
                "plan3d backtest tests/accuracy/memory.csv --what memory "
                "--rows"},
        .run = run,
};
