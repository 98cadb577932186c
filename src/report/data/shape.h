/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.h - one table of fields writes a JSON object and its schema. */
#ifndef PLAN3D_REPORT_SHAPE_H
#define PLAN3D_REPORT_SHAPE_H

#include <stddef.h>

#include "json/json.h"

enum { REPORT_LINE = 256, REPORT_WORDS = 512 };

typedef enum report_kind {
    REPORT_CONST,  /* always .text; no storage */
    REPORT_STRING, /* const char *; NULL is written as null */
    REPORT_CHARS,  /* char[] in the struct */
    REPORT_WORD,   /* int: a word of .word */
    REPORT_BOOL,
    REPORT_INT,
    REPORT_INT64,
    REPORT_DOUBLE,
    REPORT_OBJECT,         /* a struct in the struct, of .shape */
    REPORT_OBJECT_OR_NULL, /* const void *, of .shape */
    REPORT_LIST,           /* report_list of structs of .shape */
    REPORT_LINES           /* report_list of char[REPORT_LINE] */
} report_kind;

/** An array as a field of a struct that is written. */
typedef struct report_list {
    const void *items;
    int n;
} report_list;

/** A value that a getter works out. */
typedef union report_value {
    bool truth;
    int integer;
    int64_t integer64;
    double number;
    const char *string;
    char chars[REPORT_WORDS];
    const void *object;
    report_list list;
} report_value;

/** Works a value out of what is at a field's offset. */
typedef void report_getter(const void *at, report_value *out);

typedef struct report_shape report_shape;

/** One member of a JSON object. All members are always written. */
typedef struct report_field {
    const char *key;
    report_kind kind;
    size_t offset;
    const char *doc; /* one line, with the unit */
    const report_shape *shape;
    const char *(*word)(int); /* NULL past the last word */
    const char *text;
    report_getter *get; /* NULL = the value itself is at the offset */
    bool is_signed;     /* numbers: may be below 0 */
    bool zero_is_null;  /* numbers: 0 means unknown and is written as null */
    bool nan_is_null;   /* doubles: the same for not-a-number */
} report_field;

/** A JSON object: the fields and the struct that they are read from. */
struct report_shape {
    const char *doc;
    size_t size; /* of the struct */
    int n_fields;
    const report_field *fields;
};

/** Offset of a member, with its type checked by the compiler. */
#define REPORT_AT(type, field, T)                                       \
    (offsetof(type, field) +                                            \
            0 * sizeof(char[_Generic(((type *)0)->field, T : 1, default \
                                     : -1)]))

/** Getter of a string that may be null, from a char[]. */
report_getter report_get_chars;

/** Where the value of a field is: in the object, or in `worked_out`. */
const void *report_value_of(const report_field *field, const void *object,
        report_value *worked_out);

/** Write one object; key is NULL inside an array and at the top. */
void report_write(json_writer *w, const char *key, const report_shape *shape,
        const void *object);

/** Write one member of an object, or only its value where key is NULL. */
void report_write_value(
        json_writer *w, const report_field *field, const void *object);

/** Say which JSON Schema it is; first in the outermost object. */
void report_write_dialect(json_writer *w);

/** Write the JSON Schema of such an object. */
void report_write_schema(
        json_writer *w, const char *key, const report_shape *shape);

#endif
