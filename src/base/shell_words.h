/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_words.h - the words of a command as a shell would split them. */
#ifndef PLAN3D_BASE_SHELL_WORDS_H
#define PLAN3D_BASE_SHELL_WORDS_H

#include "plan3d/error.h"

enum { P3D_MAX_SHELL_WORDS = 64, P3D_MAX_SHELL_TEXT = 4096 };

/** Words of a command. Zero to begin. */
typedef struct p3d_shell_words {
    int n;
    char *at[P3D_MAX_SHELL_WORDS]; /* into text */
    char text[P3D_MAX_SHELL_TEXT];
} p3d_shell_words;

/**
 * Split a command at blanks, but for those in quotes or behind a backslash.
 * Nothing is expanded or run: what a shell would do more with is refused ($ `
 * | & ; < > ( ) * ? outside of quotes, $ and ` also in double ones).
 *
 * @return false with P3D_USAGE
 */
P3D_CHECK bool p3d_shell_words_split(
        const char *command, p3d_shell_words *out, p3d_error *err);

#endif
