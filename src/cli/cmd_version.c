/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_version.c - plan3d version. */
#include "cli/rows.h"
#include "plan3d/version.h"

static const cli_option options[] = {CLI_HELP_ROW};

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    (void)args;
    (void)err;
    p3d_text_add(reply->out, "plan3d %s (GPL-3.0-or-later)\n", P3D_VERSION);
    return true;
}

const cli_command cli_version = {
        .name = "version",
        .summary = "Which plan3d this is.",
        .table = CLI_TABLE(options),
        .examples = {"plan3d version", "plan3d --version"},
        .run = run,
};
