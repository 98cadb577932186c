/* SPDX-License-Identifier: GPL-3.0-or-later */
/* util.h - assertions, checked integers, word distance, names in order. */
#ifndef PLAN3D_BASE_UTIL_H
#define PLAN3D_BASE_UTIL_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

#define P3D_COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Is `i` the index of an element? */
#define P3D_HAS(array, i) ((i) >= 0 && (i) < P3D_COUNT_OF(array))

/** A mistake in plan3d itself: says so and aborts. */
#define P3D_ASSERT(condition) \
    ((condition) ? (void)0 : p3d_bug(#condition, __FILE__, __LINE__))

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void p3d_bug(const char *condition, const char *file, int line);

/** Record that a caller of the library gave a function what it does not take,
 *  such as NULL. @param function  __func__; @return false */
bool p3d_misuse(p3d_error *err, const char *function);

/** a * b for a, b >= 0, or INT64_MAX where that does not fit. */
int64_t p3d_mul(int64_t a, int64_t b);

/** a + b for a, b >= 0, or INT64_MAX where that does not fit. */
int64_t p3d_add(int64_t a, int64_t b);

/** Smallest multiple of step that is >= n; n >= 0, step >= 1. */
int64_t p3d_round_up(int64_t n, int64_t step);

/** ceil(a / b) for a >= 0, b >= 1. */
int64_t p3d_ceil_div(int64_t a, int64_t b);

/** The number, or INT_MAX where it is larger. */
int p3d_at_most_int(int64_t n);

/** Copy text into a fixed buffer; false when it had to be cut. */
bool p3d_copy(char *to, size_t n, const char *from);

/** The name of a file: what stands behind the last slash, a part of the path.
 *  Empty where that ends the path. */
const char *p3d_last_part(const char *path);

/** True when the two words are equal but for the case of ASCII letters. */
bool p3d_same_word(const char *a, const char *b);

/** Edits (insert, delete, replace, swap neighbours) that turn a into b,
 *  ignoring ASCII case; words longer than 63 bytes count as far apart. */
int p3d_distance(const char *a, const char *b);

/** The candidate nearest to a word, for "did you mean". Zero to begin. */
typedef struct p3d_nearest {
    const char *word; /* what the person wrote */
    int distance;     /* of best; meaningless while best is empty */
    char best[96];    /* "" when nothing is near enough to suggest */
    char end[128];    /* of p3d_did_you_mean() */
} p3d_nearest;

/** Offer one candidate; equal distances keep the first one offered. */
void p3d_nearest_offer(p3d_nearest *nearest, const char *candidate);

/** The end of a message: "; did you mean 'bf16'?", or what is said otherwise,
 *  where nothing is near. Valid as long as both. */
const char *p3d_did_you_mean(p3d_nearest *nearest, const char *otherwise);

/** The i-th word of a list; NULL past the last. */
typedef const char *p3d_words(int i);

/** The name of a row. */
typedef struct p3d_name {
    const char *name;
    int row;
} p3d_name;

/** Put n names in order; those of one name by their rows. */
void p3d_names_sort(p3d_name *names, int n);

/** The first row that has a name of `length` bytes; -1 = none.
 *  @param names  in order */
int p3d_names_find(
        const p3d_name *names, int n, const char *name, size_t length);

#endif
