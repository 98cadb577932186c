/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_list.c - plan3d list: models, GPUs, nodes, networks, constants. */
#include "cli/rows.h"

static const cli_option options[] = {
        CLI_FORMAT_ROW, CLI_JSON_ROW, CLI_HELP_ROW};

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
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
        .table = CLI_TABLE(options),
        .examples = {"plan3d list models", "plan3d list gpus --json"},
        .run = run,
};
