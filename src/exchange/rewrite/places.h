/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.h - where the text of a file says an option, and the text with another
 * value there, without it, or with one more behind it. All other bytes stay. */
#ifndef PLAN3D_EXCHANGE_REWRITE_PLACES_H
#define PLAN3D_EXCHANGE_REWRITE_PLACES_H

#include "exchange/read/read.h"

/** Where an option stands; offsets in bytes. */
typedef struct exchange_place {
    size_t begin;   /* of its name, or of the quote before that */
    size_t value;   /* what is within quotes, where it has some */
    size_t value_n; /* 0 = a flag */
    size_t end;     /* behind all of it */
    bool quoted;    /* the value */
} exchange_place;

/** An option as its reader found it. */
typedef struct exchange_said_at {
    exchange_syntax syntax;
    const char *text;
    const char *name;  /* in the file */
    const char *value; /* as read, so many words as are its own; NULL = a
                          flag */
    int line;          /* 1-based; 0 = not known (JSON) */
} exchange_said_at;

/** A new value. */
typedef struct exchange_new_value {
    const char *text; /* without quotes; NULL = a flag */
    bool quoted;      /* where the file's syntax has texts in quotes */
} exchange_new_value;

/**
 * The text with another value of an option. Where the value of a script stands
 * in a variable that is used once, its assignment is changed; where it is used
 * elsewhere too, the value stands at the option.
 *
 * @param out  appended: the whole text
 * @return false where it is not written out
 */
bool exchange_place_set(const exchange_said_at *said,
        const exchange_new_value *value, p3d_text *out);

/** The text without an option. */
bool exchange_place_remove(const exchange_said_at *said, p3d_text *out);

/** The text with an option more, behind another one.
 *  @param name  in the file */
bool exchange_place_add(const exchange_said_at *after, const char *name,
        const exchange_new_value *value, p3d_text *out);

/* By syntax. */

bool exchange_shell_place(const exchange_said_at *said, exchange_place *out);

/** Where the value of a place is written: itself, or the assignment of the
 *  variable that stands there; no value where only the environment has it. */
exchange_place exchange_shell_source(
        const char *text, const exchange_place *place);

bool exchange_json_find(const exchange_said_at *said, exchange_place *out);

/** Key and value on the line that the reader says: YAML, TOML, Python. */
bool exchange_line_find(const exchange_said_at *said, exchange_place *out);

/** Where the line of an offset begins, and where its end is. */
size_t exchange_line_begin(const char *text, size_t at);
size_t exchange_line_end(const char *text, size_t at);

#endif
