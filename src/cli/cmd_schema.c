/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_schema.c - plan3d schema: JSON Schemas of what it writes and reads. */
#include "cli/rows.h"
#include "exchange/measure/measurements.h"

static const cli_option options[] = {CLI_HELP_ROW};

/* Files of src/exchange have schemas of their own. */
static const struct {
    const char *name;
    void (*print)(p3d_text *out);
} others[] = {{"shapes", p3d_request_schema},
        {"measurements", p3d_measurements_schema}};

static int n_documents(void)
{
    int n = 0;

    while (report_schema_name(n) != NULL)
        n++;
    return n;
}

const char *cli_schema_word(int i)
{
    const int other = i - n_documents();

    if (other < 0)
        return report_schema_name(i);
    return other < P3D_COUNT_OF(others) ? others[other].name : NULL;
}

/* Without a name: the names. */
static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    const int n = n_documents();
    int i;

    *code = P3D_OK;
    if (args->n_words == 0) {
        for (i = 0; cli_schema_word(i) != NULL; i++)
            p3d_text_add(out, "%s\n", cli_schema_word(i));
        return true;
    }
    if (!cli_word_find(
                "no schema of", args->words[0], cli_schema_word, &i, err))
        return false;
    if (i >= n) {
        others[i - n].print(out);
        return true;
    }
    return report_schema(args->words[0], out);
}

const cli_command cli_schema = {
        .name = "schema",
        .summary = "The JSON Schema of an answer, or of a file to read.",
        .positionals = {{"NAME",
                "fit, plan, estimate, explain, advise, sweep, export, import, "
                "report, backtest, shapes, calibrate, validate or list: what "
                "--json prints; cluster, measurements: a file to read; without "
                "a "
                "name, the names",
                CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d schema fit", "plan3d schema cluster"},
        .run = run,
};
