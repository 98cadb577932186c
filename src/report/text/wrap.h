/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap.h - lines of text that end before the right edge. */
#ifndef PLAN3D_REPORT_TEXT_WRAP_H
#define PLAN3D_REPORT_TEXT_WRAP_H

#include "base/text.h"

enum { REPORT_WIDTH = 98 };

/** Append the words of a text, broken before `width`, and a line end. The
 *  first word stands at `column`, where the later lines begin too. */
void report_wrap(const char *text, int column, int width, p3d_text *out);

/** Append a command of the shell and a line end. It goes on in the next line
 *  before an option, after a backslash. The first word stands at `column`. */
void report_wrap_command(const char *command, int column, p3d_text *out);

/** "label    text ...": the text at column 9, broken before REPORT_WIDTH. */
void report_wrap_labelled(const char *label, p3d_text *out, const char *fmt,
        ...) P3D_PRINTF(3, 4);

#endif
