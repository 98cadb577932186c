/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_fields.h - the values of a plan as a table: P3D_PLAN_FIELDS. */
#ifndef PLAN3D_SPEC_PLAN_FIELDS_H
#define PLAN3D_SPEC_PLAN_FIELDS_H

#include "plan3d/search.h"

/** A value of a plan, of pins, and of what a text has said: P3D_KEY_tp. */
typedef enum p3d_plan_key {
#define P3D_AS_KEY(type, pin, member, word, kind, least, most, free, doc) \
    P3D_KEY_##member,
    P3D_PLAN_FIELDS(P3D_AS_KEY)
#undef P3D_AS_KEY
            P3D_N_PLAN_KEYS
} p3d_plan_key;

typedef enum p3d_field_kind {
    P3D_FIELD_COUNT,
    P3D_FIELD_FLAG,
    P3D_FIELD_NAMED,
    P3D_FIELD_PART,
    P3D_FIELD_SHARE,
    P3D_FIELD_SWITCH,
    P3D_FIELD_MODULES
} p3d_field_kind;

typedef struct p3d_plan_field {
    const char *word; /* NULL = said together with another */
    p3d_field_kind kind;
    int least, most;
    int free; /* as a pin */
} p3d_plan_field;

extern const p3d_plan_field spec_plan_fields[P3D_N_PLAN_KEYS];

/** The i-th name of a value that has names, or NULL past the last. */
const char *spec_plan_value_name(p3d_plan_key key, int i);

/** A value of a plan. */
double spec_plan_get(const p3d_plan *plan, p3d_plan_key key);
void spec_plan_set(p3d_plan *plan, p3d_plan_key key, double value);

/** The order of two plans by one value after the other; 0 = the same plan. */
int spec_plan_compare(const p3d_plan *a, const p3d_plan *b);

/** A value of pins. */
double spec_pins_get(const p3d_pins *pins, p3d_plan_key key);
void spec_pins_set(p3d_pins *pins, p3d_plan_key key, double value);

#endif
