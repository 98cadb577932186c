/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_csv.c - tables: what is accepted is a full rectangle of text. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "base/csv.h"
#include "base/util.h"

/* Bytes of all fields, and of the names. */
static size_t count_text(const p3d_csv *csv)
{
    size_t total = 0;

    for (int i = 0; i < csv->n_columns; i++) {
        P3D_ASSERT(p3d_csv_find(csv, p3d_csv_name(csv, i)) == i);
        total += strlen(p3d_csv_name(csv, i));
        for (int row = 0; row < csv->n_rows; row++)
            total += strlen(p3d_csv_get(csv, row, i));
    }
    return total;
}

bool fuzz_csv(const uint8_t *data, size_t n)
{
    p3d_csv csv = {0};
    p3d_error err = {0};
    const bool ok = p3d_csv_parse("fuzz", (const char *)data, n, &csv, &err);

    fuzz_check_error(ok, &err);
    if (ok) /* Every field but the last is followed by a comma or a line end. */
        P3D_ASSERT(count_text(&csv) +
                           (size_t)csv.n_columns * (size_t)(csv.n_rows + 1) <=
                   n + 1);
    else
        P3D_ASSERT(err.code == P3D_DATA && err.line >= 1 && err.column >= 1 &&
                   csv.text == NULL);
    p3d_csv_close(&csv);
    return ok;
}
