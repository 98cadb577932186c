/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_words.h - the values of a plan as a table, P3D_PLAN_FIELDS, and their
 * words, for plans and for pins of a search. */
#ifndef PLAN3D_SPEC_PLAN_WORDS_H
#define PLAN3D_SPEC_PLAN_WORDS_H

#include "plan3d/search.h"

/** A value of a plan, of pins, and of what a text has said: P3D_KEY_tp. */
typedef enum spec_plan_key {
#define P3D_AS_KEY(type, pin, member, word, kind, least, most, free, doc) \
    P3D_KEY_##member,
    P3D_PLAN_FIELDS(P3D_AS_KEY)
#undef P3D_AS_KEY
            P3D_N_PLAN_KEYS
} spec_plan_key;

typedef enum spec_field_kind {
    SPEC_FIELD_COUNT,
    SPEC_FIELD_FLAG,
    SPEC_FIELD_NAMED,
    SPEC_FIELD_PART,
    SPEC_FIELD_SHARE,
    SPEC_FIELD_SWITCH,
    SPEC_FIELD_MODULES
} spec_field_kind;

typedef struct spec_plan_field {
    const char *word; /* NULL = said together with another */
    spec_field_kind kind;
    int least, most;
    int free; /* as a pin */
} spec_plan_field;

extern const spec_plan_field spec_plan_fields[P3D_N_PLAN_KEYS];

extern const char *const spec_switch_words[2];

/** What a search tries both on and off: P3D_PLAN_FLAGS. */
typedef struct spec_flag {
    spec_plan_key key;
    const char *off;   /* word that says that it is not */
    const char *title; /* what it is called */
    const char *needs; /* where it can be on, in words */
} spec_flag;

extern const spec_flag spec_flags[P3D_N_FLAGS];

/** True where the i-th flag can be on, by the plan's other values. */
bool spec_flag_may(const p3d_plan *plan, int i);

/** What is meant by the i-th flag where nobody says it. */
bool spec_flag_usual(const p3d_plan *plan, int i);

/** Set the i-th flag to what is usual. */
void spec_flag_follow(p3d_plan *plan, int i);

/** The flag of a key; -1 = it is none. */
int spec_flag_of(spec_plan_key key);

/** What is meant by a value that is not said, after those before it. */
double spec_plan_usual(const p3d_plan *plan, spec_plan_key key);

/** The i-th name of a value that has names, or NULL past the last. */
const char *spec_plan_value_name(spec_plan_key key, int i);

/** A value of a plan. */
double spec_plan_get(const p3d_plan *plan, spec_plan_key key);
void spec_plan_set(p3d_plan *plan, spec_plan_key key, double value);

/** The order of two plans by one value after the other; 0 = the same plan. */
int spec_plan_compare(const p3d_plan *a, const p3d_plan *b);

/** A value of pins. */
double spec_pins_get(const p3d_pins *pins, spec_plan_key key);
void spec_pins_set(p3d_pins *pins, spec_plan_key key, double value);

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
        const p3d_plan *plan, spec_plan_key key, char out[P3D_PLAN_PART]);

/** A number of a key as a word: "full", "8", "on". */
const char *spec_plan_number_words(
        spec_plan_key key, int value, char out[P3D_PLAN_PART]);

/** The words for numbers of layers of its own: "first=2,tail=head".
 *  @return `out` */
const char *spec_print_chunks(const p3d_plan *plan, char out[P3D_PLAN_PART]);

/** Of a pin: "recompute=full:all" leaves the search no smaller number. */
enum { SPEC_ALL_LAYERS = P3D_MAX_LAYERS };

/** What a text has said, and nothing that follows from it. Of the states that
 *  are offloaded, 1 = all. */
typedef struct spec_said {
    bool said[P3D_N_PLAN_KEYS];
    double value[P3D_N_PLAN_KEYS];
} spec_said;

/** The number that digits say, at most INT64_MAX; -1 = something else. */
int64_t spec_digits(const char *text);

/** Read what stands after "recompute=" and "offload="; what they say of more
 *  than a choice goes into *said.
 *  @param text   the whole word, for messages
 *  @param value  is changed
 *  @return false with P3D_DATA */
P3D_CHECK bool spec_read_recompute(
        const char *text, char *value, spec_said *said, p3d_error *err);
P3D_CHECK bool spec_read_offload(
        const char *text, char *value, spec_said *said, p3d_error *err);

/** A word as a table shortens it, "TP8", in full: "tp=8"; another as it is.
 *  @return `buffer`, or `text` */
const char *spec_plan_lengthen(const char *text, char *buffer, size_t n);

/** "TP8 PP4 VP10 DP2 Z1 full:20 +optimizer": a plan without the sizes that are
 *  1 and without what goes without saying. "" = one GPU that does nothing else.
 *  @return `buffer` */
const char *spec_plan_print_short(const p3d_plan *plan, char *buffer, size_t n);

/**
 * Read words divided by commas or blanks; blank text says nothing.
 *
 * @param out  untouched on failure
 * @return false with P3D_DATA: the word that is wrong and what to write
 */
P3D_CHECK bool spec_said_read(
        const char *words, spec_said *out, p3d_error *err);

#endif
