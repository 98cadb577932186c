/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - strict reading and exact writing of JSON. The only room that sees
 * cJSON; others hold a json_value as an opaque pointer. */
#ifndef PLAN3D_JSON_JSON_H
#define PLAN3D_JSON_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "plan3d/error.h"

typedef struct cJSON json_value;

/** A parsed document with the text it came from (kept to find lines again). */
typedef struct json_doc {
    char file[256]; /* as shown in messages */
    char *text;
    size_t length;
    json_value *root;
} json_doc;

/**
 * Parse a document strictly: RFC 8259 grammar, no duplicate keys, no text
 * after the value, no number that is not finite or longer than 63 characters,
 * at most 64 levels deep and 8 MiB long, valid UTF-8, no \u0000.
 *
 * @param file  name for messages
 * @param text  copied
 * @param doc   free with json_close(); untouched on failure
 */
P3D_CHECK bool json_parse(const char *file, const char *text, size_t length,
        json_doc *doc, p3d_error *err);

/** Read and parse a file ("-" is standard input) of at most 8 MiB. */
P3D_CHECK bool json_open(const char *path, json_doc *doc, p3d_error *err);

/** The same for a file that Python's json module wrote: it writes Infinity,
 *  which is no JSON; it becomes null. */
P3D_CHECK bool json_parse_python(const char *file, const char *text,
        size_t length, json_doc *doc, p3d_error *err);
P3D_CHECK bool json_open_python(
        const char *path, json_doc *doc, p3d_error *err);

/** Accepts a zero doc. */
void json_close(json_doc *doc);

/** Close a document that was read. @return ok */
bool json_close_after(json_doc *doc, bool ok);

/** Member of an object by its exact key, or NULL. Does not follow null:
 *  a member that is null is returned as NULL too (Hugging Face writes null for
 *  "absent"). */
const json_value *json_get(const json_value *object, const char *key);

bool json_is_object(const json_value *value);
bool json_is_array(const json_value *value);
bool json_is_string(const json_value *value);
bool json_is_number(const json_value *value);
bool json_is_bool(const json_value *value);

/** Members of an object or elements of an array, in order. */
const json_value *json_first(const json_value *value);
const json_value *json_next(const json_value *value);
const char *json_key(const json_value *value);    /* "" in an array */
const char *json_string(const json_value *value); /* "" when not a string */
/** True and *out when the value is a number (or a bool, as 0 and 1). */
bool json_number(const json_value *value, double *out);

/**
 * Fail with P3D_DATA at a place of the document.
 *
 * @param pointer  JSON Pointer of the culprit ("" = the document); where its
 *                 last part does not exist, the position is that of the parent.
 *                 A member is where its key begins
 * @return false
 */
bool json_fail(const json_doc *doc, const char *pointer, p3d_error *err,
        const char *fmt, ...) P3D_PRINTF(4, 5);

/* Writing. Keys come out in the order of the calls; integers are exact,
 * doubles have 17 significant digits (15 or 16 where that is the same number);
 * a number that is not finite is a bug. Bytes that are not UTF-8 become U+FFFD.
 * No new line follows the last bracket. Start with {.out = &text}. */
typedef struct json_writer {
    p3d_text *out;
    int depth;
    bool need_comma;
    bool one_line; /* no line ends: JSON lines */
} json_writer;

/** Begin an object or array; key is NULL inside an array and at the top. */
void json_begin(json_writer *w, const char *key, char bracket); /* '{' or '[' */
void json_end(json_writer *w, char bracket);                    /* '}' or ']' */
void json_put_string(json_writer *w, const char *key, const char *value);
void json_put_int(json_writer *w, const char *key, int64_t value);
void json_put_double(json_writer *w, const char *key, double value);
void json_put_null(json_writer *w, const char *key);
void json_put_bool(json_writer *w, const char *key, bool value);

#endif
