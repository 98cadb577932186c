/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - questions in words, English or Chinese: "how long does 70B take on 64
 * A800 for 2T tokens?" is fit 70B 64xA800 --tokens 2T. */
#ifndef PLAN3D_CLI_ASK_H
#define PLAN3D_CLI_ASK_H

#include "plan3d/error.h"

enum { CLI_ASKED_WORDS = 64, CLI_ASKED_BYTES = 320 };

/** The command line that a question stands for, without "plan3d". */
typedef struct cli_asked {
    char word[CLI_ASKED_WORDS][CLI_ASKED_BYTES];
    int n;
} cli_asked;

/**
 * Understand a question, given as one argument or as many. Nothing is guessed:
 * every word has a meaning, or is named.
 *
 * @param out  undefined on failure
 * @return false with P3D_USAGE (a word that is not understood, a fact that is
 *         missing), P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool cli_ask_read(
        int n, const char *const *words, cli_asked *out, p3d_error *err);

#endif
