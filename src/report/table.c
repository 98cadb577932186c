/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - columns of text that line up. */
#include "report/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* Stands for a cell that is filled with dashes once the width is known. */
static const char dashes[] = "\001";

enum { GAP = 2, FIRST_CAPACITY = 128 };

void report_table_begin(report_table *table, const char *align)
{
    const size_t n = strlen(align);

    P3D_ASSERT(n >= 1 && n <= REPORT_MAX_COLUMNS);
    *table = (report_table){.n_columns = (int)n};
    memcpy(table->align, align, n);
}

/* Room for one more cell, or NULL when memory ran out. */
static char *next_cell(report_table *table)
{
    if (table->failed)
        return NULL;
    if (table->n_cells == table->capacity) {
        const int capacity =
                table->capacity == 0 ? FIRST_CAPACITY : 2 * table->capacity;
        char(*cells)[REPORT_CELL] =
                realloc(table->cells, (size_t)capacity * sizeof(*cells));

        if (cells == NULL) {
            table->failed = true;
            return NULL;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    return table->cells[table->n_cells++];
}

void report_table_cell(report_table *table, const char *fmt, ...)
{
    char *cell = next_cell(table);
    va_list args;

    if (cell == NULL)
        return;
    va_start(args, fmt);
    vsnprintf(cell, REPORT_CELL, fmt, args);
    va_end(args);
}

void report_table_rule(report_table *table)
{
    for (int column = 0; column < table->n_columns; column++) {
        report_table_cell(
                table, "%s", table->align[column] == 'r' ? dashes : "");
    }
}

static void measure(const report_table *table, int *widths)
{
    for (int i = 0; i < table->n_cells; i++) {
        const int width = (int)strlen(table->cells[i]);
        int *widest = &widths[i % table->n_columns];

        if (width > *widest)
            *widest = width;
    }
}

/* One cell; blanks are owed until something follows them on the line. */
static int print_cell(
        const char *cell, char align, int width, int owed, p3d_text *out)
{
    const int length = (int)strlen(cell);

    if (strcmp(cell, dashes) == 0) {
        p3d_text_repeat(out, ' ', owed);
        p3d_text_repeat(out, '-', width);
        return 0;
    }
    if (length == 0)
        return owed + width;
    p3d_text_repeat(out, ' ', owed + (align == 'r' ? width - length : 0));
    p3d_text_add(out, "%s", cell);
    return align == 'r' ? 0 : width - length;
}

void report_table_print(report_table *table, int indent, p3d_text *out)
{
    int widths[REPORT_MAX_COLUMNS] = {0};
    int owed = 0;

    measure(table, widths);
    for (int i = 0; i < table->n_cells; i++) {
        const int column = i % table->n_columns;

        owed = column == 0 ? indent : owed + GAP;
        owed = print_cell(table->cells[i], table->align[column], widths[column],
                owed, out);
        if (column == table->n_columns - 1)
            p3d_text_add(out, "\n");
    }
    out->failed = out->failed || table->failed;
    free(table->cells);
    *table = (report_table){0};
}
