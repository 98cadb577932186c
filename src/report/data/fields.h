/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.h - short forms for the rows of a report_field table. The key is the
 * name of the member, T its struct. */
#ifndef PLAN3D_REPORT_ROWS_H
#define PLAN3D_REPORT_ROWS_H

#include "base/util.h"
#include "report/data/shape.h"

/* clang-format off */
/* A member of T, or of a struct in it ("plan.tp"), under another name. */
#define INNER(name, T, path, KIND, CTYPE, text_)                               \
    .key = name, .kind = KIND, .offset = REPORT_AT(T, path, CTYPE), .doc = text_
#define ROW(T, f, KIND, CTYPE, text_) INNER(#f, T, f, KIND, CTYPE, text_)
#define IN(T, at, f, KIND, CTYPE, text_) INNER(#f, T, at.f, KIND, CTYPE, text_)
/* What a getter works out of a member, or of the object itself. */
#define GOT(name, T, path, CTYPE, KIND, getter, text_)                         \
    INNER(name, T, path, KIND, CTYPE, text_), .get = getter
#define GOT_OF_ALL(name, KIND, getter, text_)                                  \
    .key = name, .kind = KIND, .get = getter, .doc = text_

#define CONST_ROW(name, value)                                                 \
    {.key = name, .kind = REPORT_CONST, .text = value, .doc = "always the same"}
#define STRING_ROW(T, f, d) {ROW(T, f, REPORT_STRING, const char *, d)}
#define CHARS_ROW(T, f, d)  {ROW(T, f, REPORT_CHARS, char *, d)}
#define WORD_ROW(T, f, CTYPE, words, d)                                        \
    {ROW(T, f, REPORT_WORD, CTYPE, d), .word = words}
#define BOOL_ROW(T, f, d)   {ROW(T, f, REPORT_BOOL, _Bool, d)}
#define INT_ROW(T, f, d)    {ROW(T, f, REPORT_INT, int, d)}
#define INT64_ROW(T, f, d)  {ROW(T, f, REPORT_INT64, int64_t, d)}
#define DOUBLE_ROW(T, f, d) {ROW(T, f, REPORT_DOUBLE, double, d)}
/* The same of a struct in T. */
#define STRING_IN(T, at, f, d) {IN(T, at, f, REPORT_STRING, const char *, d)}
#define ARRAY_IN(T, at, f, d)                                                  \
    {IN(T, at, f, REPORT_STRING, char *, d), .get = report_get_chars}
#define BOOL_IN(T, at, f, d)   {IN(T, at, f, REPORT_BOOL, _Bool, d)}
#define INT_IN(T, at, f, d)    {IN(T, at, f, REPORT_INT, int, d)}
#define INT64_IN(T, at, f, d)  {IN(T, at, f, REPORT_INT64, int64_t, d)}
#define DOUBLE_IN(T, at, f, d) {IN(T, at, f, REPORT_DOUBLE, double, d)}
#define MAYBE_INT_IN(T, at, f, d)                                              \
    {IN(T, at, f, REPORT_INT, int, d), .zero_is_null = true}
#define MAYBE_IN(T, at, f, d)                                                  \
    {IN(T, at, f, REPORT_DOUBLE, double, d), .zero_is_null = true}
#define PLAN_IN(T, at, d)                                                      \
    {IN(T, at, plan, REPORT_OBJECT, p3d_plan, d), .shape = &report_plan_shape}
/* Numbers of which 0 means unknown, none or not asked: written as null. */
#define MAYBE_INT_ROW(T, f, d)                                                 \
    {ROW(T, f, REPORT_INT, int, d), .zero_is_null = true}
#define MAYBE_INT64_ROW(T, f, d)                                               \
    {ROW(T, f, REPORT_INT64, int64_t, d), .zero_is_null = true}
#define MAYBE_ROW(T, f, d)                                                     \
    {ROW(T, f, REPORT_DOUBLE, double, d), .zero_is_null = true}
#define SIGNED_INT64_ROW(T, f, d)                                              \
    {ROW(T, f, REPORT_INT64, int64_t, d), .is_signed = true}
#define OBJECT_ROW(T, f, CTYPE, of, d)                                         \
    {ROW(T, f, REPORT_OBJECT, CTYPE, d), .shape = &(of)}
#define OBJECT_OR_NULL_ROW(T, f, CTYPE, of, d)                                 \
    {ROW(T, f, REPORT_OBJECT_OR_NULL, const CTYPE *, d), .shape = &(of)}
#define LIST_ROW(T, f, of, d)                                                  \
    {ROW(T, f, REPORT_LIST, report_list, d), .shape = &(of)}
#define LINES_ROW(T, f, d)  {ROW(T, f, REPORT_LINES, report_list, d)}

/* A getter, from an object x of type T. */
#define GETTER(name, T, member, expression)                                    \
    static void name(const void *at, report_value *out)                        \
    {                                                                          \
        const T *const x = at;                                                 \
                                                                               \
        out->member = (expression);                                            \
    }
/* clang-format on */

#define REPORT_SHAPE(T, table, text_)                                       \
    {                                                                       \
        .doc = (text_), .size = sizeof(T), .n_fields = P3D_COUNT_OF(table), \
        .fields = (table)                                                   \
    }

#endif
