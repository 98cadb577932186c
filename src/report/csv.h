/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h - objects of one table of fields as lines of CSV. */
#ifndef PLAN3D_REPORT_CSV_H
#define PLAN3D_REPORT_CSV_H

#include "report/shape.h"

/**
 * Append a header line with the keys, and a line for each object (RFC 4180,
 * with LF). What JSON writes as null is an empty field; numbers are the same.
 *
 * The fields of an object within are columns with its key before them
 * ("memory.peak_bytes"). An object that holds a list has a line for each of its
 * items; lists further down are left out.
 */
void report_write_csv(
        const report_shape *shape, const report_list *objects, p3d_text *out);

#endif
