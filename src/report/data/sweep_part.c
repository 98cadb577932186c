/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_part.c - the rows of a part of a sweep, an object a line. */
#include <string.h>

#include "base/util.h"
#include "report/study.h"

enum { MOST_FIELDS = 128 };

/* What hangs on the rows of other parts. */
static bool is_of_all(const json_field *field)
{
    return strcmp(field->key, "on_front") == 0;
}

void report_print_sweep_part(const report_sweep *sweep, p3d_text *out)
{
    const json_shape *const whole = &report_sweep_row_shape;
    json_field fields[MOST_FIELDS];
    json_shape own = *whole;

    P3D_ASSERT(whole->n_fields <= MOST_FIELDS);
    own.fields = fields;
    own.n_fields = 0;
    for (int i = 0; i < whole->n_fields; i++) {
        if (!is_of_all(&whole->fields[i]))
            fields[own.n_fields++] = whole->fields[i];
    }
    for (int i = 0; i < sweep->rows.n; i++) {
        const char *const rows = sweep->rows.items;
        json_writer writer = {.out = out, .one_line = true};

        json_put_object(&writer, NULL, &own, rows + (size_t)i * own.size);
        p3d_text_add(out, "\n");
    }
}
