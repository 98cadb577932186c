/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_names.h - the names that a question may hold: models, GPUs, frameworks,
 * networks, as plan3d lists them. */
#ifndef PLAN3D_CLI_ASK_NAMES_H
#define PLAN3D_CLI_ASK_NAMES_H

#include "cli/ask_words.h"
#include "plan3d/error.h"

enum { ASK_NAME = 96 };

typedef struct ask_name {
    ask_kind kind;
    char word[ASK_NAME];    /* that people write */
    char meaning[ASK_NAME]; /* for a command line: the name of its file */
} ask_name;

/** Zero to begin. */
typedef struct ask_names {
    ask_name *at; /* owned */
    int n;
} ask_names;

/** Read them all once. @return false with P3D_SYSTEM or P3D_DATA */
P3D_CHECK bool ask_names_open(ask_names *out, p3d_error *err);

void ask_names_free(ask_names *names);

/** The longest name that a text begins with; NULL = none.
 *  @param length  bytes of the text that are it */
const ask_name *ask_names_at(
        const ask_names *names, const char *text, size_t *length);

/** The GPU of this name with so many GB of memory; NULL = none. */
const ask_name *ask_names_gpu(
        const ask_names *names, const char *gpu, double memory_gb);

/** Offer all of them for "did you mean". */
void ask_names_offer(const ask_names *names, p3d_nearest *nearest);

/** Models of a family ("llama") that have a size ("70b"), with commas; "" =
 *  none. @param out  of n bytes */
void ask_names_of_size(const ask_names *names, const char *family,
        const char *size, char *out, size_t n);

#endif
