/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.h - short forms for the rows of the tables of answers. The key is the
 * name of the member, T its struct. */
#ifndef PLAN3D_REPORT_DATA_FIELDS_H
#define PLAN3D_REPORT_DATA_FIELDS_H

#include <math.h>

#include "base/util.h"
#include "json/field.h"

/* clang-format off */
/* Answers are written and never read: every key is there, and no number has a
 * largest value. */
#define FIELD(name, TYPE, more, d)                                             \
    .key = name, .type = TYPE, .flags = JSON_REQUIRED | (more),                \
    .max = HUGE_VAL, .doc = d
/* A member of T, or of a struct in it ("plan.tp"), under another name. */
#define INNER(name, T, path, TYPE, CTYPE, d)                                   \
    FIELD(name, TYPE, 0, d), .offset = JSON_AT(T, path, CTYPE)
#define ROW(T, f, TYPE, CTYPE, d)    INNER(#f, T, f, TYPE, CTYPE, d)
#define IN(T, at, f, TYPE, CTYPE, d) INNER(#f, T, at.f, TYPE, CTYPE, d)
/* What a getter works out of a member, or of the object itself. */
#define GOT(name, T, path, CTYPE, KIND, getter, d)                             \
    INNER(name, T, path, JSON_GOT(KIND, getter), CTYPE, d)
#define GOT_OF_ALL(name, KIND, getter, d)                                      \
    FIELD(name, JSON_GOT(KIND, getter), 0, d)
/* Numbers that are written as null where they are 0: unknown, none or not
 * asked. */
#define MAYBE(name, T, path, TYPE, CTYPE, d)                                   \
    FIELD(name, TYPE, JSON_ZERO_IS_NULL, d), .offset = JSON_AT(T, path, CTYPE)
/* Doubles that are not-a-number, and then null, where there is nothing to
 * say. */
#define KNOWN(T, f, d)                                                         \
    FIELD(#f, JSON_DOUBLE, JSON_NAN_IS_NULL, d), .offset = JSON_AT(T, f, double)
/* After any of these: a number that may be below 0. */
#define SIGNED .min = -HUGE_VAL

#define CONST_ROW(name, value)                                                 \
    {FIELD(name, JSON_CONST(value), 0, "always the same")}
#define STRING_ROW(T, f, d) {ROW(T, f, JSON_TEXT, const char *, d)}
#define CHARS_ROW(T, f, d)  {ROW(T, f, JSON_STRING, char *, d)}
#define WORD_ROW(T, f, CTYPE, words, d)                                        \
    {ROW(T, f, JSON_WORD_BY(words), CTYPE, d)}
#define BOOL_ROW(T, f, d)   {ROW(T, f, JSON_BOOL, _Bool, d)}
#define INT_ROW(T, f, d)    {ROW(T, f, JSON_INT, int, d)}
#define INT64_ROW(T, f, d)  {ROW(T, f, JSON_INT64, int64_t, d)}
#define DOUBLE_ROW(T, f, d) {ROW(T, f, JSON_DOUBLE, double, d)}
#define SIGNED_INT64_ROW(T, f, d) {ROW(T, f, JSON_INT64, int64_t, d), SIGNED}
#define SIGNED_ROW(T, f, d) {ROW(T, f, JSON_DOUBLE, double, d), SIGNED}
#define MAYBE_INT_ROW(T, f, d)   {MAYBE(#f, T, f, JSON_INT, int, d)}
#define MAYBE_INT64_ROW(T, f, d) {MAYBE(#f, T, f, JSON_INT64, int64_t, d)}
#define MAYBE_ROW(T, f, d)       {MAYBE(#f, T, f, JSON_DOUBLE, double, d)}
#define KNOWN_ROW(T, f, d)       {KNOWN(T, f, d)}
#define SIGNED_KNOWN_ROW(T, f, d) {KNOWN(T, f, d), SIGNED}
#define OBJECT_ROW(T, f, CTYPE, of, d) {ROW(T, f, JSON_OBJECT(of), CTYPE, d)}
#define OBJECT_OR_NULL_ROW(T, f, CTYPE, of, d)                                 \
    {ROW(T, f, JSON_OBJECT_OR_NULL(of), const CTYPE *, d)}
#define LIST_ROW(T, f, of, d) {ROW(T, f, JSON_LIST(of), json_list, d)}
#define LINES_ROW(T, f, d)    {ROW(T, f, JSON_LINES, json_list, d)}
#define LIST_GOT_ROW(name, of, getter, d)                                      \
    {FIELD(name, JSON_TYPE(LIST, .shape = &(of), .get = getter), 0, d)}
/* An object of other members of the same struct. */
#define PART_ROW(name, of, d) {FIELD(name, JSON_OBJECT(of), 0, d)}

/* The same of a struct in T. */
#define STRING_IN(T, at, f, d) {IN(T, at, f, JSON_TEXT, const char *, d)}
#define ARRAY_IN(T, at, f, d)                                                  \
    {IN(T, at, f, JSON_GOT(TEXT, report_get_chars), char *, d)}
#define BOOL_IN(T, at, f, d)   {IN(T, at, f, JSON_BOOL, _Bool, d)}
#define INT_IN(T, at, f, d)    {IN(T, at, f, JSON_INT, int, d)}
#define INT64_IN(T, at, f, d)  {IN(T, at, f, JSON_INT64, int64_t, d)}
#define DOUBLE_IN(T, at, f, d) {IN(T, at, f, JSON_DOUBLE, double, d)}
#define SIGNED_IN(T, at, f, d) {IN(T, at, f, JSON_DOUBLE, double, d), SIGNED}
#define MAYBE_INT_IN(T, at, f, d)   {MAYBE(#f, T, at.f, JSON_INT, int, d)}
#define MAYBE_INT64_IN(T, at, f, d) {MAYBE(#f, T, at.f, JSON_INT64, int64_t, d)}
#define MAYBE_IN(T, at, f, d)       {MAYBE(#f, T, at.f, JSON_DOUBLE, double, d)}
#define PLAN_IN(T, at, d)                                                      \
    {IN(T, at, plan, JSON_OBJECT(report_plan_shape), p3d_plan, d)}

/* A getter, from an object x of type T. */
#define GETTER(name, T, member, expression)                                    \
    static void name(const void *at, json_got *out)                            \
    {                                                                          \
        const T *const x = at;                                                 \
                                                                               \
        out->member = (expression);                                            \
    }
/* The same, of report_words. */
#define WORDS_GETTER(name, T, expression)                                      \
    static void name(const void *at, json_got *out)                            \
    {                                                                          \
        const T *const x = at;                                                 \
                                                                               \
        (void)p3d_copy(out->chars, sizeof(out->chars), (expression).text);     \
    }
/* clang-format on */

/** Getter of a string that may be null, from a char[]. */
json_getter report_get_chars;

#define REPORT_SHAPE(T, table, text_)                                       \
    {                                                                       \
        .doc = (text_), .size = sizeof(T), .n_fields = P3D_COUNT_OF(table), \
        .fields = (table)                                                   \
    }

#endif
