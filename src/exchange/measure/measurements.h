/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements.h - writing measurements and requests, and their schemas. */
#ifndef PLAN3D_EXCHANGE_MEASURE_MEASUREMENTS_H
#define PLAN3D_EXCHANGE_MEASURE_MEASUREMENTS_H

#include "base/text.h"
#include "plan3d/measurements.h"
#include "plan3d/request.h"

/** Read the JSON of plan3d-bench. @param file  for messages
 *  @param out  release with p3d_measurements_free(); untouched on failure */
P3D_CHECK bool exchange_measurements_parse(const char *file, const char *text,
        size_t length, p3d_measurements *out, p3d_error *err);

/** As p3d_measurements_open() reads it, with a line end after it. */
void exchange_measurements_write(const p3d_measurements *from, p3d_text *out);
void exchange_request_write(const p3d_request *from, p3d_text *out);

/** The operations alone, a line each with its kind in front: CSV, and JSON. */
void exchange_request_write_csv(const p3d_request *from, p3d_text *out);
void exchange_request_write_lines(const p3d_request *from, p3d_text *out);

/** Print the JSON Schema of such a file. */
void exchange_measurements_schema(p3d_text *out);
void exchange_request_schema(p3d_text *out);

#endif
