/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the program: everything is in cli.c, so that tests can call it. */
#include "cli/cli.h"
#include "cli/progress.h"

int main(int argc, char **argv)
{
    const char *const *args = (const char *const *)argv;

    int status;

    cli_exit_on_interrupt();
    status = argc > 0 ? cli_main(argc - 1, args + 1, stdout, stderr)
                      : cli_main(0, args, stdout, stderr);
    cli_ignore_interrupt();
    return status;
}
