/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.h - one table of a struct's fields reads it from JSON and CSV, writes
 * it as both, and prints its JSON Schema. */
#ifndef PLAN3D_JSON_FIELD_H
#define PLAN3D_JSON_FIELD_H

#include <stddef.h>

#include "base/csv.h"
#include "base/util.h"
#include "plan3d/rows.h"
#include "json/json.h"

typedef enum json_kind {
    JSON_KIND_INT,    /* int, min..max */
    JSON_KIND_INT64,  /* int64_t, exact (below 2^53), min..max */
    JSON_KIND_DOUBLE, /* double, min..max */
    JSON_KIND_BOOL,   /* bool */
    JSON_KIND_STRING, /* char[max], at most max - 1 bytes */
    JSON_KIND_WORD,   /* int: index into the type's list of words */
    JSON_KIND_OBJECT, /* a struct in the struct, of the type's shape */
    JSON_KIND_LIST,   /* p3d_rows or json_list of structs of the shape */
    JSON_KIND_ANY,    /* allowed here, read and written elsewhere; the words are
                         the JSON types that it may have */
    /* No reader of JSON fills these; it takes them for JSON_ANY. */
    JSON_KIND_TEXT,           /* const char *; NULL is written as null */
    JSON_KIND_CONST,          /* always the type's text; no storage */
    JSON_KIND_OBJECT_OR_NULL, /* const void *, of the type's shape */
    JSON_KIND_LINES,          /* p3d_rows or json_list of char[JSON_LINE] */
    JSON_N_KINDS
} json_kind;

enum {
    JSON_LINE = 256, /* room for one of several lines */
    JSON_CHARS = 512 /* room for a text that a getter makes */
};

typedef struct json_shape json_shape;

/** A list that is only written: the items may be somebody else's, and const.
 *  Laid out as p3d_rows. */
typedef struct json_list {
    const void *items;
    int n;
} json_list;

/** A value that a getter works out. */
typedef union json_got {
    bool truth;
    int integer;
    int64_t integer64;
    double number;
    const char *string;
    char chars[JSON_CHARS];
    const void *object;
    json_list list;
} json_got;

/** Works a value out of what is at a field's offset. */
typedef void json_getter(const void *at, json_got *out);

/** How a text says a number. */
typedef enum json_unit {
    JSON_UNIT_NONE,
    JSON_UNIT_TOKENS,      /* of a sequence: K is 1024 */
    JSON_UNIT_BYTES,       /* 64MiB */
    JSON_UNIT_SECONDS,     /* 10min */
    JSON_UNIT_BYTES_PER_S, /* 2TB/s */
    JSON_N_UNITS
} json_unit;

/** Sets what is at a field's offset as a text says.
 *  @return false with P3D_USAGE */
typedef bool json_text_reader(const char *text, void *to, p3d_error *err);

/** What a field holds. */
typedef struct json_type {
    json_kind kind;
    json_unit unit;
    bool from_one;            /* of a word: 1 + the index; 0 = not given */
    json_text_reader *read;   /* of JSON_KIND_ANY: what sets it from a text */
    const json_shape *shape;  /* of an object or a list */
    const char *text;         /* of a constant */
    const char *const *words; /* NULL ends them; or else: */
    p3d_words *word;
    json_getter *get; /* NULL = the value itself is at the offset. What has one
                         is written, and never read */
} json_type;

/** The types that need no more than their kind. */
extern const json_type json_types[JSON_N_KINDS];

#define JSON_INT    (&json_types[JSON_KIND_INT])
#define JSON_INT64  (&json_types[JSON_KIND_INT64])
#define JSON_DOUBLE (&json_types[JSON_KIND_DOUBLE])
#define JSON_BOOL   (&json_types[JSON_KIND_BOOL])
#define JSON_STRING (&json_types[JSON_KIND_STRING])
#define JSON_TEXT   (&json_types[JSON_KIND_TEXT])
#define JSON_LINES  (&json_types[JSON_KIND_LINES])
#define JSON_ANY    (&json_types[JSON_KIND_ANY])

/* Those that need more. A list of words is an array or a function. */
#define JSON_TYPE(k, ...) \
    (&(const json_type){.kind = JSON_KIND_##k, __VA_ARGS__})
#define JSON_WORD(array)       JSON_TYPE(WORD, .words = (array))
#define JSON_WORD_BY(function) JSON_TYPE(WORD, .word = (function))
#define JSON_OBJECT(s)         JSON_TYPE(OBJECT, .shape = &(s))
#define JSON_OBJECT_OR_NULL(s) JSON_TYPE(OBJECT_OR_NULL, .shape = &(s))
#define JSON_LIST(s)           JSON_TYPE(LIST, .shape = &(s))
#define JSON_GOT(k, getter)    JSON_TYPE(k, .get = (getter))
#define JSON_CONST(t)          JSON_TYPE(CONST, .text = (t))
#define JSON_IN(k, u)          JSON_TYPE(k, .unit = JSON_UNIT_##u)
#define JSON_GIVEN_WORD(function) \
    JSON_TYPE(WORD, .word = (function), .from_one = true)
#define JSON_READ_BY(reader) JSON_TYPE(ANY, .read = (reader))

/** What is said of a field, as a bit set. A field without JSON_REQUIRED may be
 *  absent, which leaves it as it is, and is not written when it is 0, false,
 *  not a number, "" or empty. */
enum {
    JSON_REQUIRED = 1,
    JSON_ZERO_IS_NULL = 2, /* a number: 0 is unknown and written as null */
    JSON_NAN_IS_NULL = 4,  /* a double: the same for not-a-number */
    JSON_IS_KEY = 8        /* part of what tells rows of a table apart */
};

typedef struct json_field {
    const char *key;
    const json_type *type;
    unsigned flags;
    size_t offset;   /* into the struct */
    double min, max; /* of a number; infinite = no limit */
    const char *doc; /* one line, with the unit; NULL = that of the shape. A
                        required one has it */
} json_field;

/** A JSON object: the fields and the struct that they are in. */
struct json_shape {
    const char *doc;
    size_t size; /* of the struct */
    int n_fields;
    const json_field *fields;
    /** What no single field can say; may be NULL.
     *  @param key  the field to blame
     *  @return NULL, or what is wrong and what to write */
    const char *(*check)(const void *object, const char **key);
    bool type_first; /* in the schema a field's type precedes what it is */
};

/** The type of a member that needs no more than its kind: no enumeration. */
/* clang-format off */
#define JSON_TYPE_OF(T, member)                                                \
    _Generic(((T *)0)->member, _Bool : JSON_BOOL, int : JSON_INT,              \
        int64_t : JSON_INT64, double : JSON_DOUBLE, char * : JSON_STRING,      \
        const char * : JSON_TEXT)
/* clang-format on */

/** Offset of a member, with its type checked by the compiler. */
#define JSON_AT(T, member, type)                                         \
    (offsetof(T, member) +                                               \
            0 * sizeof(char[_Generic(((T *)0)->member, type : 1, default \
                                     : -1)]))

/** A shape with nothing but its fields. */
#define JSON_FIELDS(table) \
    (&(const json_shape){.n_fields = P3D_COUNT_OF(table), .fields = (table)})

/** A value of a document. */
typedef struct json_place {
    const json_doc *doc;
    const json_value *value;
    const char *pointer; /* JSON Pointer, "" for the document itself */
} json_place;

/** The field of a key; NULL when there is none. */
const json_field *json_find_field(const json_shape *shape, const char *key);

/** The i-th word of a type; NULL past the last. */
const char *json_type_word(const json_type *type, int i);

/**
 * Fill a struct from an object of one of our own files. Unknown keys and keys
 * in the wrong case are refused with did-you-mean; a key that is absent or
 * null leaves the struct's field as it is. A required key is missing when it
 * is null. A failure leaves a struct without words, objects and lists as it
 * was.
 *
 * @param out  where the shape has lists: release with json_free_lists(), also
 *             on failure
 */
P3D_CHECK bool json_read_fields(
        json_place at, const json_shape *shape, void *out, p3d_error *err);

/** As json_read_fields, but other keys are ignored (Hugging Face files). */
P3D_CHECK bool json_read_known_fields(
        json_place at, const json_shape *shape, void *out, p3d_error *err);

/** Read a whole document, and close it.
 *  @param out  release with json_free_lists(); untouched on failure */
P3D_CHECK bool json_take(
        json_doc *doc, const json_shape *shape, void *out, p3d_error *err);

/** Free the rows of all lists; they are then empty. */
void json_free_lists(const json_shape *shape, void *object);

/** Write the fields of a struct, each as a member, but JSON_ANY. */
void json_put_fields(
        json_writer *w, const json_shape *shape, const void *object);

/** The same in an object; key is NULL inside an array and at the top. */
void json_put_object(json_writer *w, const char *key, const json_shape *shape,
        const void *object);

/** Write the rows of all lists, a line each with the list's key in front as
 *  its kind: CSV with the columns of all kinds, and JSON. */
void json_put_csv(const json_shape *shape, const void *object, p3d_text *out);
void json_put_lines(const json_shape *shape, const void *object, p3d_text *out);

/**
 * Write a header line with the keys, and a line for each object (RFC 4180, with
 * LF). What JSON writes as null is an empty field; numbers are the same.
 *
 * The fields of an object within are columns with its key before them
 * ("memory.peak_bytes"). An object that holds a list has a line for each of its
 * items; lists further down are left out.
 */
void json_put_table(const json_shape *shape, json_list objects, p3d_text *out);

/** A table of commas, each row a struct of JSON_TEXT (which points into the
 *  table), JSON_INT64 (not below 0) and JSON_DOUBLE (above min, below max). */
typedef struct json_columns {
    const p3d_csv *csv;
    const json_shape *shape;
    int at[96]; /* of each field its column, -1 = not there */
} json_columns;

/** Find the columns. @return false with P3D_DATA: a required one is missing */
P3D_CHECK bool json_find_columns(const p3d_csv *csv, const json_shape *shape,
        json_columns *out, p3d_error *err);

/**
 * Set a field as a text says: of numbers in their units ("32K", "10min"), of
 * JSON_TEXT (which then points to it), JSON_WORD, JSON_BOOL and what has a
 * reader of its own.
 *
 * @param text    NULL for JSON_BOOL: it is then true
 * @param object  its field is untouched on failure
 * @return false with P3D_USAGE: what to write
 */
P3D_CHECK bool json_read_text(const json_field *field, const char *text,
        void *object, p3d_error *err);

/**
 * Find a word in its list.
 *
 * @param what  begins the message: "unknown word"
 * @param out   index of the word; untouched on failure
 * @return false with P3D_USAGE: the word that was meant, or else all of them
 */
P3D_CHECK bool json_find_word(const char *what, const char *value,
        p3d_words *word, int *out, p3d_error *err);

/** Fail as for a word that is not in its list. @return false */
bool json_fail_word(
        const char *what, const char *value, p3d_words *word, p3d_error *err);

/** Fill a struct from a row. A text that is absent becomes ""; a number that
 *  is absent or empty stays as it is. */
P3D_CHECK bool json_read_row(
        const json_columns *columns, int row, void *out, p3d_error *err);

/** An order of structs by their fields of JSON_IS_KEY: 0 = all are equal. */
int json_compare_keys(const json_shape *shape, const void *a, const void *b);

/** Write one field as a cell of CSV: null is empty, numbers are as in JSON. */
void json_put_cell(const json_field *field, const void *object, p3d_text *out);

/** The items of a list or of lines. */
json_list json_list_of(const json_field *field, const void *object);

/** True for a field that is written as null where there is nothing to say. */
bool json_may_be_null(const json_field *field);

/** Write the JSON Schema of an object. */
void json_put_schema(json_writer *w, const char *key, const json_shape *shape);

/** Say which JSON Schema it is; first in the outermost object. */
void json_put_dialect(json_writer *w);

#endif
