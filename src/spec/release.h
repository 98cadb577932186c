/* SPDX-License-Identifier: GPL-3.0-or-later */
/* release.h - names of releases of a model: who gives it out, and what was
 * trained on, in names of the Hugging Face Hub ("unsloth/Qwen2.5-7B-Instruct").
 */
#ifndef PLAN3D_SPEC_RELEASE_H
#define PLAN3D_SPEC_RELEASE_H

#include <stdbool.h>
#include <stddef.h>

enum { SPEC_RELEASE_FORMS = 4, SPEC_RELEASE_NAME = 128 };

/** A name and plainer ones of the same layers, the plainest last: without its
 *  maker, without words of releases, without dates. */
typedef struct spec_release_names {
    char form[SPEC_RELEASE_FORMS][SPEC_RELEASE_NAME];
    int n; /* at least 1, where the name is not too long */
} spec_release_names;

/** The forms of a word; none is of a word that is too long for one. */
void spec_release_names_of(const char *word, spec_release_names *out);

/** The name behind "Qwen/"; the word itself where no one maker is before it. */
const char *spec_without_maker(const char *word);

/** Bytes of the words of releases that a text goes on with ("-Chat-hf"). */
size_t spec_release_length(const char *text);

/** Take the words of releases out of a name, wherever they are.
 *  @return whether there were any */
bool spec_drop_releases(char *name);

#endif
