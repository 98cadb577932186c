/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - columns of text that line up, and answers of them as Markdown. */
#ifndef PLAN3D_REPORT_TEXT_TABLE_H
#define PLAN3D_REPORT_TEXT_TABLE_H

#include "base/text.h"

/** A cell has room for the words of a plan. */
enum { REPORT_MAX_COLUMNS = 24, REPORT_CELL = 512 };

/** A table under construction; zero plus report_table_begin() to start. */
typedef struct report_table {
    int n_columns;
    char align[REPORT_MAX_COLUMNS]; /* 'l' or 'r' */
    char (*cells)[REPORT_CELL];     /* row by row; NULL while empty */
    int n_cells;
    int capacity;
    bool failed;   /* memory ran out; sticks */
    bool headless; /* the first row is one like the others */
} report_table;

/** Start a table; one letter per column: l(eft) or r(ight). */
void report_table_begin(report_table *table, const char *align);

/** Append the first row: a word for each column. */
void report_table_heads(report_table *table, const char *const *words);

/** Append the next cell, row by row. */
void report_table_cell(report_table *table, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/** Append a row with dashes in the columns that stand at the right. */
void report_table_rule(report_table *table);

/** Print with two blanks between columns and none at the end of a line, and
 *  free the cells; a failure goes to out->failed. Cells that stand at the left
 *  go on in the next line, after a blank or comma, where the table would be
 *  wider than REPORT_WIDTH. In Markdown it is a table of Markdown. */
void report_table_print(report_table *table, p3d_text *out);

/** Make Markdown of an answer whose tables are Markdown already: the first line
 *  in bold, the other text between the tables as it is, in fences. */
void report_markdown(p3d_text *text);

#endif
