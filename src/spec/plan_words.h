/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_words.h - the words of a plan, for plans and for pins of a search. */
#ifndef PLAN3D_SPEC_PLAN_WORDS_H
#define PLAN3D_SPEC_PLAN_WORDS_H

#include "spec/plan_fields.h"

/** The i-th word that a plan may have ("tp", "sp"), or NULL past the last. */
const char *spec_plan_word(int i);

/** True for a word that stands before "=" and a value. */
bool spec_plan_word_has_value(int i);

/** The k-th value of the i-th word, or NULL past the last; numbers have none
 *  that are named. */
const char *spec_plan_word_value(int i, int k);

/** A value as its word says it: "full:4", "8", "on".
 *  @return `out`, or a name that lasts */
const char *spec_plan_value_words(
        const p3d_plan *plan, p3d_plan_key key, char out[P3D_PLAN_PART]);

/** A number of a key as a word: "full", "8", "on". */
const char *spec_plan_number_words(
        p3d_plan_key key, int value, char out[P3D_PLAN_PART]);

/** What a text has said, and nothing that follows from it. Of the states that
 *  are offloaded, 1 = all. */
typedef struct p3d_said {
    bool said[P3D_N_PLAN_KEYS];
    double value[P3D_N_PLAN_KEYS];
} p3d_said;

/** Read what stands after "recompute=" and "offload="; what they say of more
 *  than a choice goes into *said.
 *  @param text   the whole word, for messages
 *  @param value  is changed
 *  @return false with P3D_DATA */
P3D_CHECK bool spec_read_recompute(
        const char *text, char *value, p3d_said *said, p3d_error *err);
P3D_CHECK bool spec_read_offload(
        const char *text, char *value, p3d_said *said, p3d_error *err);

/**
 * Read words divided by commas; blank text says nothing.
 *
 * @param out  untouched on failure
 * @return false with P3D_DATA: the word that is wrong and what to write
 */
P3D_CHECK bool spec_said_read(const char *words, p3d_said *out, p3d_error *err);

#endif
