/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_man.c - plan3d man: a page of the manual. */
#include "cli/rows.h"

static const cli_option options[] = {CLI_HELP_ROW};

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const cli_command *command;

    if (args->n_words == 0) {
        cli_print_main_man_page(reply->out);
        return true;
    }
    command = cli_command_find(args->words[0], err);
    if (command == NULL)
        return false;
    cli_print_man_page(command, reply->out);
    return true;
}

const cli_command cli_man = {
        .name = "man",
        .summary = "A page of the manual, for man -l.",
        .positionals = {{"COMMAND", "the page of this command",
                CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d man fit | man -l -"},
        .run = run,
};
