/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - a long JSON document as it comes: its members one by one, and the
 * elements of one of its lists, without a tree of it all. */
#ifndef PLAN3D_JSON_PARTS_H
#define PLAN3D_JSON_PARTS_H

#include <stdint.h>

#include "base/file.h"

/** A part of a text, not ended by NUL. */
typedef struct json_slice {
    const char *text;
    size_t n;
} json_slice;

/** Who takes a value of the document; false with an error stops. */
typedef struct json_part_taker {
    /** @param key    of a member of the document; n is 0 for an element of the
     *                list
     *  @param value  with its quotes or brackets; n is 0 where it is longer
     *                than is kept */
    bool (*take)(void *to, json_slice key, json_slice value, p3d_error *err);
    void *to;
} json_part_taker;

typedef struct json_parts json_parts;

/**
 * Begin a document: an object with a list among its members, or the list
 * alone. Brackets and strings are checked, numbers and words are not.
 *
 * @param list  key of the list, whose elements are handed over one by one
 * @return NULL when memory runs out
 */
json_parts *json_parts_new(const char *list, const json_part_taker *to);

/** Take the next part of the text. A p3d_taker's `take`.
 *  @param parts  a json_parts
 *  @return false with P3D_DATA at a line, or as the taker does */
bool json_parts_take(void *parts, const char *part, size_t n, p3d_error *err);

/** The end of the text. @return false with P3D_DATA: it is cut short */
P3D_CHECK bool json_parts_end(json_parts *parts, p3d_error *err);

/** Accepts NULL. */
void json_parts_free(json_parts *parts);

/** The members of an object, or the elements of an array, one after the
 *  other. */
typedef struct json_walk {
    const char *at, *end;
} json_walk;

/** Begin with what is inside the brackets; nothing where there are none. */
json_walk json_walk_into(json_slice value);

/** The next member. @return false at the end */
bool json_walk_member(json_walk *walk, json_slice *key, json_slice *value);

/** The next element. @return false at the end */
bool json_walk_element(json_walk *walk, json_slice *value);

/** What a string holds, escapes as they are written; another value itself. */
json_slice json_slice_inside(json_slice value);

/** True where a slice is this word, but for the case of its letters. */
bool json_slice_is(json_slice slice, const char *word);

/** A number times a factor, rounded, also one in quotes; `otherwise` where
 *  there is none, or it does not fit. */
int64_t json_slice_whole(json_slice value, int64_t factor, int64_t otherwise);

/** Copy into a fixed buffer what fits. */
void json_slice_copy(json_slice slice, char *to, size_t n);

#endif
