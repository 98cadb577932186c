/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_schema.c - plan3d schema: JSON Schemas of what it writes and reads. */
#include <string.h>

#include "cli/rows.h"

static const cli_option options[] = {CLI_HELP_ROW};

/* Without a name: the names. */
static void print_names(p3d_text *out)
{
    for (int i = 0; report_schema_name(i) != NULL; i++)
        p3d_text_add(out, "%s\n", report_schema_name(i));
}

static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    *code = P3D_OK;
    if (args->n_words == 0) {
        print_names(out);
        return true;
    }
    if (!report_schema(args->words[0], out)) {
        return p3d_fail(err, P3D_USAGE,
                "no schema of '%.60s'; write fit, plan, estimate, explain, "
                "advise, sweep, export, import, backtest, list or cluster",
                args->words[0]);
    }
    return true;
}

const cli_command cli_schema = {
        .name = "schema",
        .summary = "The JSON Schema of an answer, or of a cluster file.",
        .positionals = {{"NAME",
                "fit, plan, estimate, explain, advise, sweep, export, import, "
                "backtest or list: what --json prints; cluster: a file to "
                "read; without a name, the names",
                true}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d schema fit", "plan3d schema cluster"},
        .run = run,
};
