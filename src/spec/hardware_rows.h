/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware_rows.h - rows of the tables that read the files of hardware/ and
 * clusters. A table defines AT(member): where a member is in its struct. */
#ifndef PLAN3D_SPEC_HARDWARE_ROWS_H
#define PLAN3D_SPEC_HARDWARE_ROWS_H

#include <stddef.h>

#include "json/field.h"

/* clang-format off */
/* Fields that bear the name of their member. */
#define NEEDS(kind, member, ...) \
    {#member, JSON_##kind, true, AT(member), __VA_ARGS__}
#define MAY(kind, member, ...) \
    {#member, JSON_##kind, false, AT(member), __VA_ARGS__}
/* What is read by a function. */
#define ELSEWHERE(key, needed, doc) {#key, JSON_ANY, needed, 0, 0, 0, doc}
/* The schema's number, in a struct T. */
#define SCHEMA(T, needed) \
    {"schema", JSON_INT, needed, offsetof(T, schema), 1, 1, \
        "version of this format, 1"}
/* clang-format on */

#endif
