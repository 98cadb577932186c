/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_help.c - plan3d help: of the program, or of one command. */
#include "cli/rows.h"

static const cli_option options[] = {CLI_HELP_ROW};

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const cli_command *command;

    if (args->n_words == 0) {
        cli_print_commands(reply->out);
        return true;
    }
    command = cli_command_find(args->words[0], err);
    if (command == NULL)
        return false;
    cli_print_help(command, reply->out);
    return true;
}

const cli_command cli_help = {
        .name = "help",
        .summary = "The commands, or the options of one.",
        .positionals = {{"COMMAND", "the command to explain",
                CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d help", "plan3d help fit"},
        .run = run,
};
