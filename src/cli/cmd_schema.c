/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_schema.c - plan3d schema: JSON Schemas of what it writes and reads. */
#include <string.h>

#include "cli/rows.h"
#include "exchange/measurements.h"

static const cli_option options[] = {CLI_HELP_ROW};

/* Without a name: the names. */
static void print_names(p3d_text *out)
{
    for (int i = 0; report_schema_name(i) != NULL; i++)
        p3d_text_add(out, "%s\n", report_schema_name(i));
    p3d_text_add(out, "shapes\nmeasurements\n");
}

/* Files of src/exchange print their own. */
static bool print_schema(const char *name, p3d_text *out)
{
    if (strcmp(name, "shapes") == 0)
        p3d_request_schema(out);
    else if (strcmp(name, "measurements") == 0)
        p3d_measurements_schema(out);
    else
        return report_schema(name, out);
    return true;
}

static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    *code = P3D_OK;
    if (args->n_words == 0) {
        print_names(out);
        return true;
    }
    if (!print_schema(args->words[0], out)) {
        return p3d_fail(err, P3D_USAGE,
                "no schema of '%.60s'; write fit, plan, estimate, explain, "
                "advise, sweep, export, import, backtest, shapes, "
                "calibrate, validate, list, cluster or measurements",
                args->words[0]);
    }
    return true;
}

const cli_command cli_schema = {
        .name = "schema",
        .summary = "The JSON Schema of an answer, or of a file to read.",
        .positionals = {{"NAME",
                "fit, plan, estimate, explain, advise, sweep, export, import, "
                "backtest, shapes, calibrate, validate or list: what --json "
                "prints; cluster, measurements: a file to read; without a "
                "name, the names",
                CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d schema fit", "plan3d schema cluster"},
        .run = run,
};
