/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_list.c - plan3d list and schema: what is known, and what documents
 * hold. */
#include "cli/rows.h"
#include "exchange/measure/measurements.h"

static const cli_option list_options[] = {
        CLI_FORMAT_ROW, CLI_JSON_ROW, CLI_HELP_ROW};

static bool run_list(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    int i;

    return cli_word_find(
                   "no list of", args->words[0], report_list_name, &i, err) &&
           report_list_print(i, cli_format(args), reply->out, err);
}

const cli_command cli_list = {
        .name = "list",
        .summary =
                "What plan3d knows: models, GPUs, nodes, networks, constants, "
                "frameworks.",
        .positionals = {{"WHAT",
                "models, gpus, nodes, fabrics, calibrations or frameworks",
                CLI_ONCE}},
        .table = CLI_TABLE(list_options),
        .examples = {"plan3d list models", "plan3d list gpus --json"},
        .run = run_list,
};

static const cli_option schema_options[] = {CLI_HELP_ROW};

/* Files of src/exchange have schemas of their own. */
static const struct {
    const char *name;
    void (*print)(p3d_text *out);
} others[] = {{"shapes", exchange_request_schema},
        {"measurements", exchange_measurements_schema}};

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
static bool run_schema(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const int n = n_documents();
    int i;

    if (args->n_words == 0) {
        for (i = 0; cli_schema_word(i) != NULL; i++)
            p3d_text_add(reply->out, "%s\n", cli_schema_word(i));
        return true;
    }
    if (!cli_word_find(
                "no schema of", args->words[0], cli_schema_word, &i, err))
        return false;
    if (i >= n) {
        others[i - n].print(reply->out);
        return true;
    }
    return report_schema(args->words[0], reply->out);
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
        .table = CLI_TABLE(schema_options),
        .examples = {"plan3d schema fit", "plan3d schema cluster"},
        .run = run_schema,
};
