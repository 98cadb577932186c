/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_command.h - the command that answers what a question says. */
#ifndef PLAN3D_CLI_ASK_COMMAND_H
#define PLAN3D_CLI_ASK_COMMAND_H

#include "cli/ask.h"
#include "cli/ask_facts.h"

/** @return false with P3D_USAGE and the fact that is missing, or P3D_DATA */
P3D_CHECK bool ask_command(
        const ask_facts *facts, cli_asked *out, p3d_error *err);

#endif
