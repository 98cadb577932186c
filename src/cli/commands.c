/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c - the table of commands. */
#include "cli/commands.h"

#include <string.h>

#include "base/util.h"

static const cli_command *const commands[] = {&cli_fit, &cli_plan,
        &cli_estimate, &cli_explain, &cli_shapes, &cli_trace, &cli_report,
        &cli_advise, &cli_sweep, &cli_backtest, &cli_export, &cli_import,
        &cli_calibrate, &cli_validate, &cli_list, &cli_schema, &cli_completion,
        &cli_man, &cli_version, &cli_help};

const cli_command *cli_command_at(int i)
{
    return P3D_HAS(commands, i) ? commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name, p3d_error *err)
{
    p3d_nearest nearest = {.word = name};

    for (int i = 0; i < P3D_COUNT_OF(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        p3d_nearest_offer(&nearest, commands[i]->name);
    }
    p3d_fail(err, P3D_USAGE, "unknown command '%.60s'%s", name,
            p3d_did_you_mean(&nearest, ""));
    return NULL;
}
