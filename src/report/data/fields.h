/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.h - short forms for the rows of the tables of answers. The key is the
 * name of the member, T its struct. */
#ifndef PLAN3D_REPORT_DATA_FIELDS_H
#define PLAN3D_REPORT_DATA_FIELDS_H

#include <math.h>

#include "base/util.h"
#include "plan3d/version.h"
#include "json/field.h"

/* clang-format off */
/* Answers are written and never read: every key is there, and no number has a
 * largest value. */
#define FIELD(name, TYPE, more, d)                                             \
    .key = name, .type = TYPE, .flags = JSON_REQUIRED | (more),                \
    .max = HUGE_VAL, .doc = d
/* A member of T, or of a struct in it ("plan.tp"), under another name; its type
 * is that of C. */
#define PLAIN(name, T, path, more, d)                                          \
    FIELD(name, JSON_TYPE_OF(T, path), more, d), .offset = offsetof(T, path)
#define AS(name, T, path, d) PLAIN(name, T, path, 0, d)
/* Numbers that are written as null where they are 0: unknown, none or not
 * asked. */
#define MAYBE(name, T, path, d) PLAIN(name, T, path, JSON_ZERO_IS_NULL, d)
/* Doubles that are not-a-number, and then null, where there is nothing to
 * say. */
#define KNOWN(T, f, d) PLAIN(#f, T, f, JSON_NAN_IS_NULL, d)
/* What C does not say all of: words, objects, lists. */
#define TYPED(name, T, path, TYPE, CTYPE, d)                                   \
    FIELD(name, TYPE, 0, d), .offset = JSON_AT(T, path, CTYPE)
/* What a getter works out of a member, or of the object itself. */
#define GOT(name, T, path, CTYPE, KIND, getter, d)                             \
    TYPED(name, T, path, JSON_GOT(KIND, getter), CTYPE, d)
#define MAYBE_GOT(name, T, path, CTYPE, KIND, getter, d)                       \
    FIELD(name, JSON_GOT(KIND, getter), JSON_ZERO_IS_NULL, d),                 \
    .offset = JSON_AT(T, path, CTYPE)
#define GOT_OF_ALL(name, KIND, getter, d)                                      \
    FIELD(name, JSON_GOT(KIND, getter), 0, d)
/* After any of these: a number that may be below 0. */
#define SIGNED .min = -HUGE_VAL

#define CONST_ROW(name, value)                                                 \
    {FIELD(name, JSON_CONST(value), 0, "always the same")}
/* First in every document. */
#define SCHEMA_ROWS_BUT_COMMAND                                                \
    {FIELD("schema", JSON_CONST(P3D_SCHEMA), 0,                                \
            "contract of the document: its keys keep their names")},           \
    {FIELD("schema_version", JSON_CONST(P3D_SCHEMA_VERSION), 0,                \
            "of the contract: grows where keys are added, or say something "   \
            "else (docs/json.md)")}
#define SCHEMA_ROWS(name) SCHEMA_ROWS_BUT_COMMAND, CONST_ROW("command", name)
#define ROW(T, f, d)              {AS(#f, T, f, d)}
#define SIGNED_ROW(T, f, d)       {AS(#f, T, f, d), SIGNED}
#define MAYBE_ROW(T, f, d)        {MAYBE(#f, T, f, d)}
#define KNOWN_ROW(T, f, d)        {KNOWN(T, f, d)}
#define SIGNED_KNOWN_ROW(T, f, d) {KNOWN(T, f, d), SIGNED}
/* The same of a struct in T. */
#define IN(T, at, f, d)        {AS(#f, T, at.f, d)}
#define SIGNED_IN(T, at, f, d) {AS(#f, T, at.f, d), SIGNED}
#define MAYBE_IN(T, at, f, d)  {MAYBE(#f, T, at.f, d)}
#define WORD_ROW(T, f, CTYPE, words, d)                                        \
    {TYPED(#f, T, f, JSON_WORD_BY(words), CTYPE, d)}
#define OBJECT_ROW(T, f, CTYPE, of, d)                                         \
    {TYPED(#f, T, f, JSON_OBJECT(of), CTYPE, d)}
#define OBJECT_OR_NULL_ROW(T, f, CTYPE, of, d)                                 \
    {TYPED(#f, T, f, JSON_OBJECT_OR_NULL(of), const CTYPE *, d)}
#define LIST_ROW(T, f, of, d) {TYPED(#f, T, f, JSON_LIST(of), json_list, d)}
#define LINES_ROW(T, f, d)    {TYPED(#f, T, f, JSON_LINES, json_list, d)}
#define LIST_GOT_ROW(name, of, getter, d)                                      \
    {FIELD(name, JSON_TYPE(LIST, .shape = &(of), .get = getter), 0, d)}
/* An object of other members of the same struct. */
#define PART_ROW(name, of, d) {FIELD(name, JSON_OBJECT(of), 0, d)}

#define ARRAY_IN(T, at, f, d)                                                  \
    {TYPED(#f, T, at.f, JSON_GOT(TEXT, report_get_chars), char *, d)}
#define PLAN_IN(T, at, d)                                                      \
    {TYPED("plan", T, at.plan, JSON_OBJECT(report_plan_shape), p3d_plan, d)}

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
