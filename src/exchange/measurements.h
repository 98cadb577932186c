/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements.h - writing measurements and requests, and their schemas. */
#ifndef PLAN3D_EXCHANGE_MEASUREMENTS_H
#define PLAN3D_EXCHANGE_MEASUREMENTS_H

#include "base/text.h"
#include "plan3d/measurements.h"
#include "plan3d/request.h"

/** As p3d_measurements_open() reads it, with a line end after it. */
void p3d_measurements_write(const p3d_measurements *from, p3d_text *out);
void p3d_request_write(const p3d_request *from, p3d_text *out);

/** Print the JSON Schema of such a file. */
void p3d_measurements_schema(p3d_text *out);
void p3d_request_schema(p3d_text *out);

#endif
