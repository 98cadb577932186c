/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured_rows.h - short forms for the tables of measurements and requests.
 * The key is the name of the member, T its struct. */
#ifndef PLAN3D_EXCHANGE_MEASURE_MEASURED_ROWS_H
#define PLAN3D_EXCHANGE_MEASURE_MEASURED_ROWS_H

#include "json/field.h"

/* clang-format off */
#define MEASURED(T, f, TYPE, CTYPE, d)                                         \
    .key = #f, .type = TYPE, .offset = JSON_AT(T, f, CTYPE), .doc = d
#define COUNT_ROW(T, f, low, d)                                                \
    {MEASURED(T, f, JSON_INT64, int64_t, d), .flags = JSON_REQUIRED,           \
     .min = low, .max = 1e15}
#define MAYBE_COUNT_ROW(T, f, d)                                               \
    {MEASURED(T, f, JSON_INT64, int64_t, d), .max = 1e15}
#define REAL_ROW(T, f, low, high, d)                                           \
    {MEASURED(T, f, JSON_DOUBLE, double, d), .flags = JSON_REQUIRED,           \
     .min = low, .max = high}
#define MAYBE_REAL_ROW(T, f, high, d)                                          \
    {MEASURED(T, f, JSON_DOUBLE, double, d), .max = high}
#define FLAG_ROW(T, f, d)                                                      \
    {MEASURED(T, f, JSON_BOOL, _Bool, d), .flags = JSON_REQUIRED}
#define CHARS_ROW(T, f, d)                                                     \
    {MEASURED(T, f, JSON_STRING, char *, d), .flags = JSON_REQUIRED,           \
     .max = sizeof(((T *)0)->f)}
#define MAYBE_CHARS_ROW(T, f, d)                                               \
    {MEASURED(T, f, JSON_STRING, char *, d), .max = sizeof(((T *)0)->f)}
#define WORD_ROW(T, f, list, d)                                                \
    {MEASURED(T, f, JSON_WORD(list), int, d), .flags = JSON_REQUIRED}
#define LIST_ROW(T, f, s)                                                      \
    {MEASURED(T, f, JSON_LIST(s), p3d_rows, NULL)}

/* A table as a shape: what it is, and what is checked beside its fields. */
#define MEASURED_SHAPE(T, table, text, checked)                                \
    {.doc = text, .size = sizeof(T), .n_fields = P3D_COUNT_OF(table),          \
     .fields = table, .check = checked, .type_first = true}
/* clang-format on */

#endif
