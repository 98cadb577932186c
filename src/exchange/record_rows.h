/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_rows.h - short forms for the rows of a record_field table. The key is
 * the name of the member, T its struct. */
#ifndef PLAN3D_EXCHANGE_RECORD_ROWS_H
#define PLAN3D_EXCHANGE_RECORD_ROWS_H

#include <stddef.h>

#include "base/util.h"
#include "exchange/record.h"

/* Offset of a member, with its type checked by the compiler. */
#define RECORD_AT(T, at, type)                                       \
    (offsetof(T, at) +                                               \
            0 * sizeof(char[_Generic(((T *)0)->at, type : 1, default \
                                     : -1)]))

/* clang-format off */
#define COUNT_ROW(T, f, low, d)                                                \
    {.key = #f, .kind = RECORD_INT, .offset = RECORD_AT(T, f, int64_t),        \
     .min = low, .max = 1e15, .doc = d}
#define MAYBE_COUNT_ROW(T, f, d)                                               \
    {.key = #f, .kind = RECORD_INT, .offset = RECORD_AT(T, f, int64_t),        \
     .max = 1e15, .optional = true, .doc = d}
#define REAL_ROW(T, f, low, high, d)                                           \
    {.key = #f, .kind = RECORD_DOUBLE, .offset = RECORD_AT(T, f, double),      \
     .min = low, .max = high, .doc = d}
#define MAYBE_REAL_ROW(T, f, high, d)                                          \
    {.key = #f, .kind = RECORD_DOUBLE, .offset = RECORD_AT(T, f, double),      \
     .max = high, .optional = true, .doc = d}
#define FLAG_ROW(T, f, d)                                                      \
    {.key = #f, .kind = RECORD_BOOL, .offset = RECORD_AT(T, f, _Bool),         \
     .doc = d}
#define CHARS_ROW(T, f, d)                                                     \
    {.key = #f, .kind = RECORD_TEXT, .offset = RECORD_AT(T, f, char *),        \
     .max = sizeof(((T *)0)->f), .doc = d}
#define MAYBE_CHARS_ROW(T, f, d)                                               \
    {.key = #f, .kind = RECORD_TEXT, .offset = RECORD_AT(T, f, char *),        \
     .max = sizeof(((T *)0)->f), .optional = true, .doc = d}
#define WORD_ROW(T, f, list, d)                                                \
    {.key = #f, .kind = RECORD_WORD, .offset = RECORD_AT(T, f, int),           \
     .words = list, .doc = d}

/* A table as a record: the key of its object or array, and what it is. */
#define RECORD(name, T, table, text)                                           \
    {.key = name, .doc = text, .size = sizeof(T),                              \
     .n_fields = P3D_COUNT_OF(table), .fields = table}
/* clang-format on */

#endif
