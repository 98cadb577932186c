/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite.h - rows of the tables of an SQLite database, read from its file page
 * by page, without SQLite. */
#ifndef PLAN3D_BASE_SQLITE_H
#define PLAN3D_BASE_SQLITE_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

typedef struct p3d_sqlite p3d_sqlite;

/** A value of a row. What is neither text nor a whole number is none. */
typedef struct p3d_sqlite_value {
    enum { P3D_SQLITE_NONE, P3D_SQLITE_WHOLE, P3D_SQLITE_TEXT } type;
    int64_t whole;
    const char *text; /* of n bytes, not ended by NUL; cut where it is long */
    size_t n;
} p3d_sqlite_value;

enum { P3D_SQLITE_COLUMNS = 16 };

/** A table that is asked for, and who takes its rows; false with an error
 *  stops. */
typedef struct p3d_sqlite_query {
    const char *table;
    const char *columns[P3D_SQLITE_COLUMNS]; /* up to the first NULL */
    /** @param values  of the columns, in this order: none where the table lacks
     *                 one; valid during the call */
    bool (*take)(void *to, const p3d_sqlite_value *values, p3d_error *err);
    void *to;
} p3d_sqlite_query;

/** True for the bytes that such a file begins with. */
bool p3d_is_sqlite(const char *head, size_t n);

/** True for a plain file that begins so. */
bool p3d_sqlite_is(const char *path);

/** Open a file; p3d_sqlite_close() it.
 *  @return NULL with P3D_DATA (no such file, no database, one in UTF-16, one
 *          that is still written to) or P3D_SYSTEM */
p3d_sqlite *p3d_sqlite_open(const char *path, p3d_error *err);

/** Accepts NULL. */
void p3d_sqlite_close(p3d_sqlite *db);

/**
 * Hand over the rows of a table in the order of their ids; none where there is
 * no such table.
 *
 * Source: https://www.sqlite.org/fileformat2.html
 *
 * @return false with P3D_DATA (damaged, cut short) or P3D_SYSTEM, or as the
 *         taker does
 */
P3D_CHECK bool p3d_sqlite_rows(
        p3d_sqlite *db, const p3d_sqlite_query *query, p3d_error *err);

#endif
