/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h - every key of documents, for people: Markdown from the tables of
 * fields. */
#ifndef PLAN3D_REPORT_DATA_KEYS_H
#define PLAN3D_REPORT_DATA_KEYS_H

#include "json/field.h"

enum { REPORT_MAX_DOCUMENTS = 64 };

/** A document that `plan3d schema NAME` describes. */
typedef struct report_keys_of {
    const char *name;
    const json_shape *shape;
} report_keys_of;

/** The i-th of those that report_schema() knows; its shape is NULL past the
 *  last. A name may have several. */
report_keys_of report_document_at(int i);

/**
 * Write a table of the keys of each document, then one of each object that
 * they have in them, once: key, type, unit, meaning.
 *
 * @return false when memory runs out
 */
P3D_CHECK bool report_print_keys(
        const report_keys_of *documents, int n, p3d_text *out, p3d_error *err);

#endif
