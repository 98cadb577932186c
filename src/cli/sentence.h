/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sentence.h - a question in words: "will 70B fit on 64 A800s?" */
#ifndef PLAN3D_CLI_SENTENCE_H
#define PLAN3D_CLI_SENTENCE_H

#include "plan3d/error.h"

/** Bytes of a sentence; no part of it is longer. */
enum { CLI_SENTENCE = 512 };

/** The words of `plan3d fit` that a sentence stands for. */
typedef struct cli_sentence {
    char model[CLI_SENTENCE];
    char cluster[CLI_SENTENCE];
} cli_sentence;

/** True when a first argument begins a sentence: will, does, can, would. */
bool cli_sentence_begins(const char *argument);

/** Understand a sentence, given as one argument or as many.
 *  @return false with P3D_USAGE */
P3D_CHECK bool cli_sentence_read(int n_words, const char *const *words,
        cli_sentence *out, p3d_error *err);

#endif
