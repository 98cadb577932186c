/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure.h - a command line that was refused or failed, as a JSON document. */
#ifndef PLAN3D_REPORT_FAILURE_H
#define PLAN3D_REPORT_FAILURE_H

#include "base/text.h"
#include "plan3d/error.h"
#include "json/field.h"

extern const json_shape report_failure_shape;

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
