/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - what the reader's side can show, and files that commands make. */
#ifndef PLAN3D_CLI_OUTPUT_H
#define PLAN3D_CLI_OUTPUT_H

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

/** Word of a language ("zh"), by p3d_lang; NULL past the last. */
const char *cli_lang_word(int i);

/**
 * The language where --lang does not say it: that of PLAN3D_LANG, or English.
 * LANG does not count, so that what reads an answer finds the same words
 * wherever the command is run.
 *
 * @return false with P3D_USAGE for a word that is no language
 */
P3D_CHECK bool cli_usual_lang(p3d_lang *out, p3d_error *err);

/** " --lang zh": what a command needs to be answered in it. Static. */
const char *cli_lang_option(p3d_lang lang);

/**
 * Colours as they were asked for; by themselves only on a terminal that has
 * them, where NO_COLOR is empty or not set. UTF-8 where the locale has it. The
 * columns are the terminal's.
 */
p3d_style cli_style(cli_color color, FILE *out);

/**
 * Fail when the file of -o is there and may not be replaced, or its path leads
 * nowhere: before long work.
 *
 * @param example  name of such a file, for a message
 * @return false with P3D_USAGE (no file) or P3D_DATA
 */
P3D_CHECK bool cli_may_write_file(
        const char *path, bool force, const char *example, p3d_error *err);

/**
 * Write a text to a file at once, or not at all, as p3d_write_file() does.
 *
 * @return false with P3D_USAGE (no file), P3D_DATA (it is there and not to be
 *         replaced, or it cannot be written) or P3D_SYSTEM
 */
P3D_CHECK bool cli_write_file(const char *path, bool force, const char *example,
        const p3d_text *text, p3d_error *err);

#endif
