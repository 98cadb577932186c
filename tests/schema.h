/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - is a JSON value what a JSON Schema promises? The part of the
 * language that the program's own schemas are written in. */
#ifndef PLAN3D_TEST_SCHEMA_H
#define PLAN3D_TEST_SCHEMA_H

#include "json/json.h"

/** Where the first difference is, for the message. Zero to begin. */
typedef struct schema_place {
    char pointer[512];
    char what[512];
} schema_place;

bool schema_check(
        const json_value *schema, const json_value *value, schema_place *at);

#endif
