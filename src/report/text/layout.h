/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.h - how text is laid out: colours, lines that end before the right
 * edge, and tables. */
#ifndef PLAN3D_REPORT_TEXT_LAYOUT_H
#define PLAN3D_REPORT_TEXT_LAYOUT_H

#include "base/text.h"
#include "plan3d/pools.h"
#include "report/words/words.h"
#include "json/field.h"

typedef enum report_paint {
    REPORT_HEAD, /* bold */
    REPORT_GOOD, /* green */
    REPORT_BAD,  /* red */
    REPORT_CARE, /* yellow */
    REPORT_N_PAINTS
} report_paint;

/** Append a template, in the language of the text's style. So do all functions
 *  below with what they are given as a template, a label or as words. */
void report_add(p3d_text *out, const char *fmt, ...) P3D_PRINTF(2, 3);

/** Append words, in colour where the text's style has colours. */
void report_paint_words(report_paint paint, const char *words, p3d_text *out);

/** The same, and a line end. */
void report_paint_line(report_paint paint, const char *words, p3d_text *out);

/** Bytes of the terminal code that begins at `at`, if it is one of those that
 *  report_paint_words() writes; else 0. */
int report_paint_length(const char *at);

/** Columns of a text as it is seen: without the codes. */
int report_paint_columns(const char *text);

/** Append words as they are in so many columns, at the left or right. */
void report_left(const char *words, int width, p3d_text *out);
void report_right(const char *words, int width, p3d_text *out);

/** Columns of a line where there is no terminal, or a wide one. */
enum { REPORT_WIDTH = 98 };

/** Columns of a line of such a text: those of a narrower terminal. */
int report_width(p3d_style style);

/** Append the words of a text, broken before report_width(), and a line end.
 *  The first word stands at `column`, where the later lines begin too. */
void report_wrap(const char *text, int column, p3d_text *out);

/** Append a command of the shell and a line end. It goes on in the next line
 *  before an option, after a backslash. The first word stands at `column`. */
void report_wrap_command(const char *command, int column, p3d_text *out);

/** Append the line of what to ask next, and free the command. */
void report_next(p3d_text *command, p3d_text *out);

/** Free a text that went into another, which failed if it did. */
void report_text_free(p3d_text *part, p3d_text *out);

/** Append a text as report_wrap() does, to the right edge, and free it. */
void report_wrap_text(p3d_text *text, int column, p3d_text *out);

/** "label    text ...": the text at column 9, broken before report_width(). */
void report_wrap_labelled(const char *label, p3d_text *out, const char *fmt,
        ...) P3D_PRINTF(3, 4);

/** The same of a text, which is freed. */
void report_wrap_labelled_text(
        const char *label, p3d_text *text, p3d_text *out);

/** A cell has room for the words of a plan. */
enum { REPORT_MAX_COLUMNS = 24, REPORT_CELL = 512 };

/** A table under construction; zero plus report_table_begin() to start. */
typedef struct report_table {
    int n_columns;
    p3d_style style;
    char align[REPORT_MAX_COLUMNS]; /* 'l' or 'r' */
    int least[REPORT_MAX_COLUMNS];  /* a column keeps so many characters */
    char (*cells)[REPORT_CELL];     /* row by row; NULL while empty */
    int n_cells;
    int capacity;
    bool failed;   /* memory ran out; sticks */
    bool headless; /* the first row is one like the others */
} report_table;

/** Start a table; one letter per column: l(eft) or r(ight). */
void report_table_begin(
        report_table *table, p3d_style style, const char *align);

/** Append the next cell, row by row. */
void report_table_cell(report_table *table, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/** Append the next cells, with tabs between them in the template: a whole row,
 *  for the most part. */
void report_table_row(report_table *table, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/** Append a row with dashes in the columns that stand at the right. */
void report_table_rule(report_table *table);

/** Print with two blanks between columns and none at the end of a line, and
 *  free the cells; a failure goes to out->failed. Cells that stand at the left
 *  go on in the next line, after a blank or comma, where the table would be
 *  wider than report_width(). In Markdown it is a table of Markdown. */
void report_table_print(report_table *table, p3d_text *out);

/** A column of a table of structs: its head, and how a cell of it is printed
 *  into char[REPORT_CELL]. */
typedef struct report_column {
    const char *head;
    char align;
    bool may_go; /* said once, below, where all rows have the same in it */
    int spare;   /* the largest goes where the table is too wide; 0 = stays */
    int width;   /* that is counted for this; 0 = of the widest cell */
    void (*print)(const void *row, char *cell, p3d_style style);
} report_column;

/** A function that prints a cell, from a row `x` of type T. */
#define REPORT_COLUMN(name, T, ...)                                \
    static void name(const void *row, char *cell, p3d_style style) \
    {                                                              \
        const T *const x = row;                                    \
                                                                   \
        (void)style;                                               \
        snprintf(cell, REPORT_CELL, __VA_ARGS__);                  \
    }

/** A table of structs under construction. */
typedef struct report_columns {
    json_list rows;
    size_t size; /* of a row */
    p3d_style style;
    const char *in_all; /* words before what all rows have in common */
    bool numbered;      /* rows have numbers from 1 */
    int n;
    const report_column *shown[REPORT_MAX_COLUMNS];
    p3d_text same; /* columns that are said once */
} report_columns;

/** Show a column, or say it once. */
void report_columns_add(report_columns *columns, const report_column *column);

/** Leave out spare columns until the rest fits on the page.
 *  @param dropped  their heads are appended */
void report_columns_narrow(report_columns *columns, p3d_text *dropped);

/** Print the table, what all rows have in common, and free it. */
void report_columns_print(report_columns *columns, p3d_text *out);

/** Make Markdown of an answer whose tables are Markdown already: the first line
 *  in bold, the other text between the tables as it is, in fences. */
void report_markdown(p3d_text *text);

/** Call devices by their noun of three letters (p3d_gpu_noun()) where a text
 *  says GPU, but in commands, names and paths. */
void report_name_devices(const char *noun, char *text);

/** The noun of devices so far (NULL = none yet) and one more: GPU where they do
 *  not agree. */
const char *report_common_noun(const char *noun, const p3d_gpu *gpu);
const char *report_pools_noun(const p3d_pools *pools);

#endif
