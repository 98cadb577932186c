/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.h - the forms that an answer is printed in, a failure as data too. */
#ifndef PLAN3D_REPORT_FORMAT_H
#define PLAN3D_REPORT_FORMAT_H

#include "base/text.h"
#include "plan3d/error.h"
#include "json/field.h"

typedef enum report_format {
    REPORT_TEXT,
    REPORT_JSON,
    REPORT_CSV,
    REPORT_JSONL,
    REPORT_MARKDOWN,
    REPORT_N_FORMATS
} report_format;

/** Word of a format ("csv"); NULL past the last. */
const char *report_format_word(int i);

/** An answer as data: all of it, and the rows that it is about. */
typedef struct report_data {
    const json_shape *shape; /* of the JSON document */
    const void *document;
    const json_shape *row; /* of a line of CSV, and of JSON lines */
    json_list rows;
} report_data;

/** Print an answer as data. @return false for a format that people read */
bool report_print_data(
        const report_data *data, report_format format, p3d_text *out);

/** Write an object as JSON, with a line end after it. */
void report_print_json(
        const json_shape *shape, const void *document, p3d_text *out);

extern const json_shape report_failure_shape;
extern const json_shape report_version_shape;

/** Which plan3d this is, as a line or a document. */
void report_version_print(report_format format, p3d_text *out);

/**
 * Write the document of a failure.
 *
 * @param command  its name; NULL = none was found
 * @param see      what to read where the error says nothing to write instead;
 *                 NULL = nothing
 */
void report_failure_print(const p3d_error *error, const char *command,
        const char *see, p3d_text *out);

#endif
