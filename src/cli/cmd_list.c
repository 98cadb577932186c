/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_list.c - plan3d list: models, GPUs, nodes, networks, constants. */
#include <string.h>

#include "cli/rows.h"

static const cli_option options[] = {
        CLI_FORMAT_ROW, CLI_JSON_ROW, CLI_HELP_ROW};

static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    p3d_nearest nearest = {.word = args->words[0]};

    *code = P3D_OK;
    for (int i = 0; report_list_name(i) != NULL; i++) {
        if (strcmp(report_list_name(i), args->words[0]) == 0)
            return report_list_print(i, cli_format(args), out, err);
        p3d_nearest_offer(&nearest, report_list_name(i));
    }
    if (nearest.best[0] != '\0') {
        return p3d_fail(err, P3D_USAGE,
                "no list of '%.60s'; did you mean '%s'?", nearest.word,
                nearest.best);
    }
    return p3d_fail(err, P3D_USAGE,
            "no list of '%.60s'; write models, gpus, nodes, fabrics, "
            "calibrations or frameworks",
            nearest.word);
}

const cli_command cli_list = {
        .name = "list",
        .summary =
                "What plan3d knows: models, GPUs, nodes, networks, constants, "
                "frameworks.",
        .positionals = {{"WHAT",
                "models, gpus, nodes, fabrics, calibrations or frameworks",
                CLI_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d list models", "plan3d list gpus --json"},
        .run = run,
};
