/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - what the reader's side can show. */
#ifndef PLAN3D_CLI_TERMINAL_H
#define PLAN3D_CLI_TERMINAL_H

#include <stdio.h>

#include "base/text.h"

typedef enum cli_color {
    CLI_COLOR_AUTO,
    CLI_COLOR_ALWAYS,
    CLI_COLOR_NEVER,
    CLI_N_COLORS
} cli_color;

/** Word of a choice ("never"); NULL past the last. */
const char *cli_color_word(int i);

/**
 * Colours as they were asked for; by themselves only on a terminal that has
 * them, where NO_COLOR is empty or not set. UTF-8 where the locale has it.
 */
p3d_style cli_style(cli_color color, FILE *out);

#endif
