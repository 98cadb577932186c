/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.c - how text is laid out: colours, lines that end before the right
 * edge, tables, Markdown. */
#include "report/text/layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"

/* By report_paint, then the one that ends them all. */
static const char *const codes[] = {
        "\033[1m", "\033[32m", "\033[31m", "\033[33m", "\033[0m"};

static void paint(report_paint paint, const char *words, p3d_text *out)
{
    if (out->style.color)
        p3d_text_add(out, "%s%s%s", codes[paint], words, codes[4]);
    else
        p3d_text_add(out, "%s", words);
}

void report_paint_words(report_paint of, const char *words, p3d_text *out)
{
    paint(of, report_say(out->style, words), out);
}

void report_paint_line(report_paint paint, const char *words, p3d_text *out)
{
    report_paint_words(paint, words, out);
    p3d_text_add(out, "\n");
}

int report_paint_length(const char *at)
{
    for (int i = 0; i < P3D_COUNT_OF(codes); i++) {
        const size_t n = strlen(codes[i]);

        if (strncmp(at, codes[i], n) == 0)
            return (int)n;
    }
    return 0;
}

int report_paint_columns(const char *text)
{
    int n = p3d_utf8_columns(text, strlen(text));

    for (; *text != '\0'; text++)
        n -= report_paint_length(text);
    return n;
}

void report_add(p3d_text *out, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    p3d_text_vadd(out, report_say(out->style, fmt), args);
    va_end(args);
}

void report_left(const char *words, int width, p3d_text *out)
{
    p3d_text_add(out, "%s", words);
    p3d_text_repeat(out, ' ', width - report_paint_columns(words));
}

void report_right(const char *words, int width, p3d_text *out)
{
    p3d_text_repeat(out, ' ', width - report_paint_columns(words));
    p3d_text_add(out, "%s", words);
}

enum { LABEL = 9, LONGEST = 1024 };

int report_width(p3d_style style)
{
    const bool fewer = style.columns > 0 && style.columns < REPORT_WIDTH;

    return fewer ? style.columns : REPORT_WIDTH;
}

/* The character at the beginning of a text, and its bytes; 0 at its end. */
static uint32_t take(const char *text, int *n)
{
    const int length = p3d_utf8_length(text, strlen(text));

    *n = length > 0 ? length : text[0] != '\0';
    return length > 0 ? p3d_utf8_code(text, length) : (unsigned char)text[0];
}

static bool is_one_of(uint32_t code, const uint32_t *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == code)
            return true;
    return false;
}

/* Chinese goes on in the next line after any character, but for punctuation:
 * none that closes begins a line, none that opens ends one. */
static bool may_break_between(uint32_t before, uint32_t after)
{
    static const uint32_t opening[] = {'(', '\'', '[', 0xff08, 0x300c, 0x300a};
    static const uint32_t closing[] = {')', '\'', ']', ',', '.', ';', ':', '%',
            0xff0c, 0x3002, 0xff1b, 0xff1a, 0x3001, 0xff09, 0x300d, 0x300b};

    return (p3d_is_wide(before) || p3d_is_wide(after)) &&
           !is_one_of(before, opening, P3D_COUNT_OF(opening)) &&
           !is_one_of(after, closing, P3D_COUNT_OF(closing));
}

/* Bytes of the piece at the beginning of a text that stays on one line: up to
 * one of these ends, which is left out, or between Chinese characters. */
static int unbroken_length(const char *text, const char *ends)
{
    uint32_t before = 0;
    int n = 0;

    while (text[n] != '\0' && strchr(ends, text[n]) == NULL) {
        int length;
        const uint32_t code = take(text + n, &length);

        if (n > 0 && may_break_between(before, code))
            break;
        before = code;
        n += length;
    }
    return n;
}

/* Bytes up to where a line may end: not before the % of a number. */
static int unit_length(const char *text)
{
    int n = unbroken_length(text, " ");

    while (strncmp(text + n, " %", 2) == 0)
        n += 1 + unbroken_length(text + n + 1, " ");
    return n;
}

/* True where a blank follows a piece of n bytes, but for one between two
 * Chinese characters, which words that were put together have left. */
static bool has_blank(const char *piece, int n)
{
    const char *const behind = piece + n + strspn(piece + n, " ");
    uint32_t before = 0;
    int length;

    for (int i = 0; i < n; i += length)
        before = take(piece + i, &length);
    return piece[n] == ' ' &&
           !(p3d_is_wide(before) && p3d_is_wide(take(behind, &length)));
}

void report_wrap(const char *text, int column, p3d_text *out)
{
    const int width = report_width(out->style);
    int at = column;
    int blank = 0; /* before this piece */

    while (*text != '\0') {
        const int n = unit_length(text);
        const int columns = p3d_utf8_columns(text, (size_t)n);

        if (at > column && at + blank + columns > width) {
            p3d_text_add(out, "\n");
            p3d_text_repeat(out, ' ', column);
            at = column;
        } else if (at > column) {
            p3d_text_repeat(out, ' ', blank);
            at += blank;
        }
        p3d_text_append(out, text, (size_t)n);
        at += columns;
        blank = has_blank(text, n);
        text += n;
        text += strspn(text, " ");
    }
    p3d_text_add(out, "\n");
}

/* Bytes up to the next option, or to the end. */
static int argument_length(const char *command)
{
    bool quoted = false;
    int n = 0;

    while (command[n] != '\0') {
        quoted = quoted != (command[n] == '\'');
        n++;
        if (!quoted && command[n - 1] == ' ' &&
                strncmp(command + n, "--", 2) == 0)
            return n;
    }
    return n;
}

void report_wrap_command(const char *command, int column, p3d_text *out)
{
    const int width = report_width(out->style) - 2;
    const int next = column + 2;
    int at = column;

    while (*command != '\0') {
        const int n = argument_length(command);

        if (at > next && at + n > width) {
            p3d_text_add(out, "\\\n");
            p3d_text_repeat(out, ' ', next);
            at = next;
        }
        p3d_text_append(out, command, (size_t)n);
        at += n;
        command += n;
    }
    p3d_text_add(out, "\n");
}

void report_text_free(p3d_text *part, p3d_text *out)
{
    out->failed = out->failed || part->failed;
    p3d_text_free(part);
}

void report_next(p3d_text *command, p3d_text *out)
{
    const int column = 9;

    report_left(report_say(out->style, "next"), column, out);
    report_wrap_command(p3d_text_get(command), column, out);
    report_text_free(command, out);
}

void report_wrap_text(p3d_text *text, int column, p3d_text *out)
{
    report_wrap(p3d_text_get(text), column, out);
    report_text_free(text, out);
}

void report_wrap_labelled(
        const char *label, p3d_text *out, const char *fmt, ...)
{
    char text[LONGEST];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), report_say(out->style, fmt), args);
    va_end(args);
    label = report_say(out->style, label);
    paint(REPORT_HEAD, label, out);
    p3d_text_repeat(out, ' ', LABEL - report_paint_columns(label));
    report_wrap(text, LABEL, out);
}

void report_wrap_labelled_text(const char *label, p3d_text *text, p3d_text *out)
{
    report_wrap_labelled(label, out, "%s", p3d_text_get(text));
    report_text_free(text, out);
}

/* Stands for a cell that is filled with dashes once the width is known. */
static const char dashes[] = "\001";

enum { GAP = 2, FIRST_CAPACITY = 128 };

void report_table_begin(report_table *table, p3d_style style, const char *align)
{
    const size_t n = strlen(align);

    P3D_ASSERT(n >= 1 && n <= REPORT_MAX_COLUMNS);
    *table = (report_table){.n_columns = (int)n, .style = style};
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
    vsnprintf(cell, REPORT_CELL, report_say(table->style, fmt), args);
    va_end(args);
}

void report_table_row(report_table *table, const char *fmt, ...)
{
    char row[4 * REPORT_CELL];
    const char *at = row;
    va_list args;

    va_start(args, fmt);
    vsnprintf(row, sizeof(row), report_say(table->style, fmt), args);
    va_end(args);
    for (bool more = true; more; at++) {
        const int n = (int)strcspn(at, "\t");

        report_table_cell(table, "%.*s", n, at);
        at += n;
        more = *at == '\t';
    }
}

void report_table_rule(report_table *table)
{
    for (int column = 0; column < table->n_columns; column++) {
        report_table_cell(
                table, "%s", table->align[column] == 'r' ? dashes : "");
    }
}

static const char *cell_at(const report_table *table, int row, int column)
{
    return table->cells[row * table->n_columns + column];
}

/* Bytes up to the end of the first piece that is not broken, with the blanks
 * before it. */
static int piece_length(const char *cell)
{
    int n = (int)strspn(cell, " ");

    n += unbroken_length(cell + n, " ,");
    return cell[n] == ',' ? n + 1 : n;
}

/* Bytes of a cell that go into one line: whole pieces, at least one. */
static int line_length(const char *cell, int width)
{
    int n = piece_length(cell);

    if (report_paint_columns(cell) <= width)
        return (int)strlen(cell);
    while (cell[n] != '\0') {
        const int more = n + piece_length(cell + n);

        if (p3d_utf8_columns(cell, (size_t)more) > width)
            break;
        n = more;
    }
    return n;
}

/* Widths of the columns, and the least that those at the left can do with. */
static void measure(const report_table *table, int *widths, int *least)
{
    for (int i = 0; i < table->n_cells; i++) {
        const char *cell = table->cells[i];
        const int column = i % table->n_columns;
        const int width = report_paint_columns(cell);

        widths[column] = width > widths[column] ? width : widths[column];
        for (int n = 0; *cell != '\0'; cell += n) {
            const int blanks = n > 0 ? (int)strspn(cell, " ") : 0;

            int columns;

            n = piece_length(cell);
            columns = p3d_utf8_columns(cell, (size_t)n) - blanks;
            if (columns > least[column])
                least[column] = columns;
        }
    }
    for (int i = 0; i < table->n_columns; i++)
        if (least[i] < table->least[i])
            least[i] =
                    widths[i] < table->least[i] ? widths[i] : table->least[i];
}

/* The column at the left that has most to give; the names in the first only
 * where no other has anything. */
static int widest(
        const report_table *table, const int *widths, const int *least)
{
    int best = 0;

    for (int i = 1; i < table->n_columns; i++)
        if (table->align[i] == 'l' && widths[i] > least[i] &&
                (best == 0 ||
                        widths[i] - least[i] > widths[best] - least[best]))
            best = i;
    return best;
}

/* Take what is too wide from the columns at the left. */
static void narrow(const report_table *table, int *widths, const int *least)
{
    int excess = (table->n_columns - 1) * GAP - report_width(table->style);

    for (int i = 0; i < table->n_columns; i++)
        excess += widths[i];
    while (excess > 0) {
        const int column = widest(table, widths, least);
        const int spare = table->align[column] == 'l'
                                  ? widths[column] - least[column]
                                  : 0;

        if (spare == 0)
            return;
        widths[column] -= spare < excess ? spare : excess;
        excess -= spare < excess ? spare : excess;
    }
}

/* One line of a row as it is printed. Blanks are owed until something follows
 * them on the line. */
typedef struct table_line {
    bool head;
    int owed;
    p3d_text *out;
} table_line;

static void print_piece(
        table_line *line, const char *cell, int n, char align, int width)
{
    char piece[REPORT_CELL];
    int left;

    snprintf(piece, sizeof(piece), "%.*s", n, cell);
    left = width - report_paint_columns(piece);
    if (n == 0) {
        line->owed += width;
        return;
    }
    p3d_text_repeat(line->out, ' ', line->owed + (align == 'r' ? left : 0));
    if (line->head)
        paint(REPORT_HEAD, piece, line->out);
    else
        p3d_text_add(line->out, "%s", piece);
    line->owed = align == 'r' ? 0 : left;
}

static void print_dashes(table_line *line, int width)
{
    p3d_text_repeat(line->out, ' ', line->owed);
    p3d_text_repeat(line->out, '-', width);
    line->owed = 0;
}

/* The next line of a row. @return true when something is left of a cell */
static bool print_line(const report_table *table, int row, const int *widths,
        int *done, p3d_text *out)
{
    table_line line = {.head = row == 0 && !table->headless, .out = out};
    bool more = false;

    for (int i = 0; i < table->n_columns; i++) {
        const char *cell = cell_at(table, row, i);
        int n;

        line.owed += i == 0 ? 0 : GAP;
        if (strcmp(cell, dashes) == 0) {
            print_dashes(&line, widths[i]);
            continue;
        }
        n = line_length(cell + done[i], widths[i]);
        print_piece(&line, cell + done[i], n, table->align[i], widths[i]);
        done[i] += n;
        done[i] += (int)strspn(cell + done[i], " ");
        more = more || cell[done[i]] != '\0';
    }
    p3d_text_add(out, "\n");
    return more;
}

static void print_text(const report_table *table, p3d_text *out)
{
    int widths[REPORT_MAX_COLUMNS] = {0};
    int least[REPORT_MAX_COLUMNS] = {0};

    measure(table, widths, least);
    narrow(table, widths, least);
    for (int row = 0; row * table->n_columns < table->n_cells; row++) {
        int done[REPORT_MAX_COLUMNS] = {0};

        while (print_line(table, row, widths, done, out))
            ;
    }
}

/* A row of dashes is of no use between cells that have frames. */
static bool is_rule(const report_table *table, int row)
{
    for (int i = 0; i < table->n_columns; i++)
        if (strcmp(cell_at(table, row, i), dashes) == 0)
            return true;
    return false;
}

static void print_markdown_row(
        const report_table *table, int row, p3d_text *out)
{
    for (int i = 0; i < table->n_columns; i++) {
        const char *cell = row < 0 ? "" : cell_at(table, row, i);

        p3d_text_add(out, "| ");
        for (cell += strspn(cell, " "); *cell != '\0'; cell++)
            p3d_text_add(out, strchr("|*_<\\`", *cell) ? "\\%c" : "%c", *cell);
        p3d_text_add(out, " ");
    }
    p3d_text_add(out, "|\n");
}

static void print_markdown(const report_table *table, p3d_text *out)
{
    int row = table->headless ? -1 : 0;

    print_markdown_row(table, row, out);
    for (int i = 0; i < table->n_columns; i++)
        p3d_text_add(out, table->align[i] == 'r' ? "|--:" : "|---");
    p3d_text_add(out, "|\n");
    for (row++; row * table->n_columns < table->n_cells; row++)
        if (!is_rule(table, row))
            print_markdown_row(table, row, out);
}

void report_table_print(report_table *table, p3d_text *out)
{
    if (out->style.markdown)
        print_markdown(table, out);
    else
        print_text(table, out);
    out->failed = out->failed || table->failed;
    free(table->cells);
    *table = (report_table){0};
}

static void print_cell(const report_columns *c, const report_column *column,
        int i, char cell[REPORT_CELL])
{
    column->print(
            (const char *)c->rows.items + (size_t)i * c->size, cell, c->style);
}

static bool is_constant(const report_columns *c, const report_column *column)
{
    char first[REPORT_CELL], other[REPORT_CELL];

    print_cell(c, column, 0, first);
    for (int i = 1; i < c->rows.n; i++) {
        print_cell(c, column, i, other);
        if (strcmp(other, first) != 0)
            return false;
    }
    return true;
}

void report_columns_add(report_columns *columns, const report_column *column)
{
    char cell[REPORT_CELL];

    if (!column->may_go || !is_constant(columns, column)) {
        columns->shown[columns->n++] = column;
        return;
    }
    print_cell(columns, column, 0, cell);
    p3d_text_add(&columns->same, "%s%s %s",
            columns->same.length > 0 ? report_say(columns->style, ", ") : "",
            report_say(columns->style, column->head), cell);
}

static int width_of(const report_columns *c, const report_column *column)
{
    int width = report_paint_columns(report_say(c->style, column->head));
    char cell[REPORT_CELL];

    if (column->width > 0)
        return column->width;
    for (int i = 0; i < c->rows.n; i++) {
        print_cell(c, column, i, cell);
        width = report_paint_columns(cell) > width ? report_paint_columns(cell)
                                                   : width;
    }
    return width;
}

static int page_width(const report_columns *c)
{
    int width = GAP * (c->n - 1);

    for (int i = 0; i < c->n; i++)
        width += width_of(c, c->shown[i]);
    return width;
}

void report_columns_narrow(report_columns *columns, p3d_text *dropped)
{
    const report_column **const shown = columns->shown;

    while (page_width(columns) > report_width(columns->style)) {
        int last = 0;

        for (int i = 1; i < columns->n; i++)
            if (shown[i]->spare > shown[last]->spare)
                last = i;
        if (shown[last]->spare == 0)
            return;
        p3d_text_add(dropped, "%s%s",
                dropped->length > 0 ? report_say(columns->style, ", ") : "",
                report_say(columns->style, shown[last]->head));
        columns->n--;
        memmove(&shown[last], &shown[last + 1],
                (size_t)(columns->n - last) * sizeof(shown[0]));
    }
}

static void begin_columns(const report_columns *c, report_table *table)
{
    char align[REPORT_MAX_COLUMNS + 1] = "";

    for (int i = 0; i < c->n; i++)
        align[c->numbered + i] = c->shown[i]->align;
    if (c->numbered)
        align[0] = 'r';
    report_table_begin(table, c->style, align);
    if (c->numbered)
        report_table_cell(table, "#");
    for (int i = 0; i < c->n; i++)
        report_table_cell(table, "%s", report_say(c->style, c->shown[i]->head));
}

void report_columns_print(report_columns *columns, p3d_text *out)
{
    report_table table;

    begin_columns(columns, &table);
    for (int row = 0; row < columns->rows.n; row++) {
        if (columns->numbered)
            report_table_cell(&table, "%d", row + 1);
        for (int i = 0; i < columns->n; i++) {
            char cell[REPORT_CELL];

            print_cell(columns, columns->shown[i], row, cell);
            report_table_cell(&table, "%s", cell);
        }
    }
    report_table_print(&table, out);
    if (columns->same.length > 0) {
        const char *const in_all = report_say(out->style, columns->in_all);

        p3d_text_add(out, "%s", in_all);
        report_wrap(p3d_text_get(&columns->same), report_paint_columns(in_all),
                out);
    }
    report_text_free(&columns->same, out);
}

/* What the lines so far are in. */
typedef enum place { START, BETWEEN, FENCE, TABLE } place;

static void put_line(const char *line, size_t n, p3d_text *out)
{
    p3d_text_append(out, line, n);
    p3d_text_add(out, "\n");
}

/* The first line: what was found. */
static void put_headline(const char *line, size_t n, p3d_text *out)
{
    p3d_text_add(out, "**");
    for (size_t i = 0; i < n; i++) {
        if (strchr("*_<\\`", line[i]) != NULL)
            p3d_text_add(out, "\\");
        p3d_text_append(out, line + i, 1);
    }
    p3d_text_add(out, "**\n");
}

/* One line. Blank lines end a table; those at the ends of a fence go. */
static place add_line(
        const char *line, size_t n, place at, int *n_blank, p3d_text *out)
{
    const place to = n == 0 ? at : line[0] == '|' ? TABLE : FENCE;

    if (n == 0) {
        (*n_blank)++;
        return at == START ? START : at == TABLE ? BETWEEN : at;
    }
    if (at == START && to == FENCE) {
        put_headline(line, n, out);
        return BETWEEN;
    }
    if (at == FENCE && to == TABLE)
        p3d_text_add(out, "```\n");
    if (at == FENCE && to == FENCE)
        for (int i = 0; i < *n_blank; i++)
            p3d_text_add(out, "\n");
    if (at != START && at != to)
        p3d_text_add(out, "\n");
    if (at != FENCE && to == FENCE)
        p3d_text_add(out, "```text\n");
    put_line(line, n, out);
    *n_blank = 0;
    return to;
}

void report_markdown(p3d_text *text)
{
    p3d_text made = {.style = text->style, .failed = text->failed};
    const char *line = p3d_text_get(text);
    place at = START;
    int n_blank = 0;

    while (*line != '\0') {
        const size_t n = strcspn(line, "\n");

        at = add_line(line, n, at, &n_blank, &made);
        line += n + (line[n] == '\n');
    }
    if (at == FENCE)
        p3d_text_add(&made, "```\n");
    p3d_text_free(text);
    *text = made;
}
