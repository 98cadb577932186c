/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h - strict reading of comma-separated text with a header line. */
#ifndef PLAN3D_BASE_CSV_H
#define PLAN3D_BASE_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "plan3d/error.h"

/** One field: its text, and where it begins. */
typedef struct p3d_csv_cell {
    uint32_t offset; /* into p3d_csv.text, NUL-terminated there */
    int line;        /* 1-based */
    int column;      /* 1-based, in bytes */
} p3d_csv_cell;

/** A table in memory; the header is not a row. */
typedef struct p3d_csv {
    char file[256]; /* as shown in messages */
    char *text;     /* the fields without their quotes */
    p3d_csv_cell *cells;
    int n_columns;
    int n_rows;
} p3d_csv;

/**
 * Read a table: RFC 4180 in UTF-8, with LF or CRLF. Refused are NUL bytes,
 * quotes in the middle of a field, a row with more or fewer fields than the
 * header, an empty or repeated column name, more than 64 MiB, 256 columns or
 * 4 Mi fields.
 *
 * @param path  "-" is standard input
 * @param out   free with p3d_csv_close(); untouched on failure
 * @return false with P3D_DATA at file:line:column, or P3D_SYSTEM
 */
P3D_CHECK bool p3d_csv_open(const char *path, p3d_csv *out, p3d_error *err);

/** The same for a text, which is copied. @param file  name for messages */
P3D_CHECK bool p3d_csv_parse(const char *file, const char *text, size_t length,
        p3d_csv *out, p3d_error *err);

/** Accepts a zero table. */
void p3d_csv_close(p3d_csv *csv);

/** Index of the column of this name, or -1. */
int p3d_csv_find(const p3d_csv *csv, const char *name);

/** Name of a column; text of a field, as p3d_csv_put() was given it. */
const char *p3d_csv_name(const p3d_csv *csv, int column);
const char *p3d_csv_get(const p3d_csv *csv, int row, int column);

/** Fail with P3D_DATA at a field. @return false */
bool p3d_csv_fail(const p3d_csv *csv, int row, int column, p3d_error *err,
        const char *fmt, ...) P3D_PRINTF(5, 6);

/** The same at the header line as a whole, for what it lacks. */
bool p3d_csv_fail_header(const p3d_csv *csv, p3d_error *err, const char *fmt,
        ...) P3D_PRINTF(3, 4);

/**
 * Append a text as a field: in quotes where it has a comma, quote or line end.
 *
 * Spreadsheets run a field that begins with = + - @, a tab or a carriage return
 * as a formula: such a text gets an apostrophe before it, which they hide, and
 * which p3d_csv_get() takes away. So does a text that begins with an apostrophe
 * before one of these. Numbers are not for this function.
 */
void p3d_csv_put(const char *text, p3d_text *out);

#endif
