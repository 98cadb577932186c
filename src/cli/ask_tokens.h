/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_tokens.h - a question cut into tokens: numbers, names, words. */
#ifndef PLAN3D_CLI_ASK_TOKENS_H
#define PLAN3D_CLI_ASK_TOKENS_H

#include "cli/ask_names.h"
#include "cli/ask_numbers.h"

enum {
    ASK_BYTES = 2048, /* of a question */
    ASK_TOKENS_MAX = 256,
    ASK_SHOWN = 80, /* room for a word in a message */
    ASK_HINT = 240,
    ASK_UNKNOWN_MAX = 6 /* that are named at once */
};

typedef struct ask_token {
    ask_kind kind;
    ask_number number; /* of ASK_NUMBER and ASK_SIZE */
    double value;      /* of a time in seconds, of an intent */
    const char *text;  /* of a name or a setting; NULL = none */
    size_t at, length; /* in the question */
} ask_token;

/** A word that nothing begins with, and what may be meant. */
typedef struct ask_unknown {
    size_t at, length;
    char hint[ASK_HINT]; /* "'will'"; "" = nothing is near */
    const char *reason;  /* why plan3d does not plan that; NULL = it is not
                            known */
} ask_unknown;

/** A question; what it holds lives as long as its names. */
typedef struct ask_text {
    char text[ASK_BYTES]; /* in plain punctuation */
    ask_names names;      /* owned */
    ask_token token[ASK_TOKENS_MAX];
    int n;
    ask_unknown unknown[ASK_UNKNOWN_MAX];
    int n_unknown;
} ask_text;

/**
 * Cut a question, given as one argument or as many.
 *
 * @param out  free with ask_text_free(), also after a failure
 * @return false with P3D_USAGE (the words that are not understood, with
 *         did-you-mean), P3D_SYSTEM or P3D_DATA
 */
P3D_CHECK bool ask_text_read(
        int n, const char *const *words, ask_text *out, p3d_error *err);

void ask_text_free(ask_text *text);

/** Fail with "not understood: '...'" on a part of the question. */
bool ask_fail_at(const ask_text *text, size_t at, size_t length,
        const char *hint, p3d_error *err);

#endif
