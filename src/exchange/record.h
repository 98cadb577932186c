/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - one table of fields reads a JSON object into a struct, writes it
 * and prints its schema. */
#ifndef PLAN3D_EXCHANGE_RECORD_H
#define PLAN3D_EXCHANGE_RECORD_H

#include "plan3d/rows.h"
#include "json/json.h"

typedef enum record_kind {
    RECORD_INT, /* int64_t, min..max */
    RECORD_DOUBLE,
    RECORD_BOOL,
    RECORD_TEXT, /* char[max], at most max - 1 bytes */
    RECORD_WORD  /* int: index into .words */
} record_kind;

/** One member. What is optional may be absent, which leaves it 0 or "", and is
 *  not written when it is. */
typedef struct record_field {
    const char *key;
    record_kind kind;
    bool optional;
    size_t offset;
    double min, max;
    const char *const *words; /* NULL ends them */
    const char *doc;          /* one line, with the unit */
} record_field;

enum { RECORD_MAX_FIELDS = 32 };

typedef struct record {
    const char *key; /* in the object around it; of rows the array's */
    const char *doc;
    size_t size; /* of the struct */
    int n_fields;
    const record_field *fields;
    /** What no single field can say; may be NULL.
     *  @param key  the field to blame
     *  @return NULL, or what is wrong and what to write */
    const char *(*check)(const void *object, const char **key);
} record;

/** An object or rows inside the outermost object. */
typedef struct record_part {
    const record *shape;
    bool is_rows; /* a p3d_rows in the struct, which may be absent */
    size_t offset;
} record_part;

/** A whole document: members of its own, then its parts. */
typedef struct record_document {
    const record *head;
    int n_parts;
    const record_part *parts;
} record_document;

/** Read a document from a file ("-" is standard input).
 *  @param out  release with record_document_free(); untouched on failure */
P3D_CHECK bool record_document_open(const char *path,
        const record_document *shape, void *out, p3d_error *err);
/** The same for a text. @param file  for messages */
P3D_CHECK bool record_document_parse(const char *file, const char *text,
        size_t length, const record_document *shape, void *out, p3d_error *err);
void record_document_free(const record_document *shape, void *document);
void record_document_write(
        const record_document *shape, const void *from, p3d_text *out);
/** Write the rows, a line each with its kind in front: CSV with the columns of
 *  all kinds, and JSON. */
void record_document_write_csv(
        const record_document *shape, const void *from, p3d_text *out);
void record_document_write_lines(
        const record_document *shape, const void *from, p3d_text *out);
/** The parts of writing. @param at  the field, in its struct */
bool record_is_absent(const record_field *field, const char *at);
void record_write_value(json_writer *w, const char *key,
        const record_field *field, const char *at);
void record_write_fields(json_writer *w, const record *shape, const void *from);
void record_document_schema(const record_document *shape, p3d_text *out);

#endif
