/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c - strict reading of comma-separated text with a header line. */
#include "base/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/grow.h"
#include "base/utf8.h"
#include "base/util.h"

enum { MAX_BYTES = 64 << 20, MAX_COLUMNS = 256, MAX_CELLS = 4 << 20 };

/* Where the reader is. The fields are written over the text behind it, which
 * they never overtake: quotes only make a field shorter. */
typedef struct reader {
    char *text;
    size_t length;
    size_t at;
    size_t written;
    size_t line_start;
    int line;
    p3d_csv_cell *cells;
    int n_cells;
    int n_columns; /* 0 while the header is read */
    int n_in_row;
    p3d_error *err;
} reader;

static bool fail_at(reader *r, size_t at, const char *text)
{
    if (r->err == NULL || r->err->code != P3D_OK)
        return false;
    r->err->line = r->line;
    r->err->column = (int)(at - r->line_start) + 1;
    return p3d_fail(r->err, P3D_DATA, "%s", text);
}

static bool add_cell(reader *r)
{
    p3d_csv_cell *cells;

    if (r->n_cells == MAX_CELLS)
        return fail_at(r, r->at, "more than 4194304 fields");
    if (r->n_in_row == MAX_COLUMNS)
        return fail_at(r, r->at, "more than 256 fields in a line");
    cells = p3d_grow(r->cells, r->n_cells, sizeof(*cells));
    if (cells == NULL)
        return p3d_fail(r->err, P3D_SYSTEM, "out of memory");
    r->cells = cells;
    r->cells[r->n_cells++] = (p3d_csv_cell){
            (uint32_t)r->written, r->line, (int)(r->at - r->line_start) + 1};
    r->n_in_row++;
    return true;
}

/* One character that is part of a field. */
static bool copy_character(reader *r)
{
    const bool is_ascii = r->text[r->at] > '\0' && r->text[r->at] < '\x7f';
    const int n =
            is_ascii ? 1 : p3d_utf8_length(r->text + r->at, r->length - r->at);

    if (n == 0)
        return fail_at(r, r->at, "this is not UTF-8");
    if (r->text[r->at] == '\0')
        return fail_at(r, r->at, "a NUL byte; this is not a text file");
    memmove(r->text + r->written, r->text + r->at, (size_t)n);
    r->written += (size_t)n;
    r->at += (size_t)n;
    return true;
}

/* 1 or 2 bytes of a line end, or 0. */
static int line_end(const reader *r)
{
    if (r->at < r->length && r->text[r->at] == '\n')
        return 1;
    return r->at + 1 < r->length && r->text[r->at] == '\r' &&
                           r->text[r->at + 1] == '\n'
                   ? 2
                   : 0;
}

static bool at_field_end(const reader *r)
{
    return r->at >= r->length || r->text[r->at] == ',' || line_end(r) > 0;
}

static bool read_quoted(reader *r)
{
    const size_t begin = r->at++;
    const int line = r->line;
    const size_t line_start = r->line_start;

    for (;;) {
        if (r->at >= r->length) {
            r->line = line;
            r->line_start = line_start;
            return fail_at(r, begin, "the quote is not closed");
        }
        if (r->text[r->at] == '"') {
            r->at++;
            if (r->at >= r->length || r->text[r->at] != '"')
                break;
        } else if (r->text[r->at] == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        }
        if (!copy_character(r))
            return false;
    }
    if (!at_field_end(r))
        return fail_at(r, r->at,
                "text after the closing quote; double a quote inside a field");
    return true;
}

static bool read_plain(reader *r)
{
    while (!at_field_end(r)) {
        if (r->text[r->at] == '"')
            return fail_at(r, r->at,
                    "a quote inside a field that does not begin with one");
        if (r->text[r->at] == '\r')
            return fail_at(r, r->at, "a carriage return without a line feed");
        if (!copy_character(r))
            return false;
    }
    return true;
}

static bool check_row(reader *r)
{
    char text[96];

    if (r->n_columns == 0)
        r->n_columns = r->n_in_row;
    if (r->n_in_row != r->n_columns) {
        snprintf(text, sizeof(text), "%d field%s, but the header names %d",
                r->n_in_row, r->n_in_row == 1 ? "" : "s", r->n_columns);
        return fail_at(r, r->at, text);
    }
    r->n_in_row = 0;
    return true;
}

/* A field and what ends it. */
static bool read_field(reader *r)
{
    const bool quoted = r->at < r->length && r->text[r->at] == '"';
    bool more;
    int n;

    if (!add_cell(r) || !(quoted ? read_quoted(r) : read_plain(r)))
        return false;
    more = r->at < r->length && r->text[r->at] == ',';
    n = line_end(r);
    if (!more && !check_row(r))
        return false;
    /* The separator has been read, so its place is free for the NUL. */
    r->text[r->written++] = '\0';
    if (more) {
        r->at++;
        return r->at < r->length || read_field(r);
    }
    r->at += (size_t)n;
    if (n > 0) {
        r->line++;
        r->line_start = r->at;
    }
    return true;
}

static bool read_all(reader *r)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";

    if (r->length >= 3 && memcmp(r->text, byte_order_mark, 3) == 0)
        r->at = r->line_start = 3;
    if (r->at >= r->length)
        return fail_at(r, r->at,
                "the file is empty; its first line must name the columns");
    while (r->at < r->length) {
        if (!read_field(r))
            return false;
    }
    return true;
}

static bool check_header(reader *r)
{
    for (int i = 0; i < r->n_columns; i++) {
        const char *const name = r->text + r->cells[i].offset;
        const size_t at = (size_t)r->cells[i].column - 1;
        char text[128] = "";
        char shown[64];

        p3d_show(shown, sizeof(shown), name);
        if (name[0] == '\0')
            snprintf(text, sizeof(text), "a column without a name");
        for (int j = 0; j < i && text[0] == '\0'; j++) {
            if (strcmp(name, r->text + r->cells[j].offset) == 0)
                snprintf(
                        text, sizeof(text), "column '%s' appears twice", shown);
        }
        r->line = r->cells[i].line;
        r->line_start = 0;
        if (text[0] != '\0')
            return fail_at(r, at, text);
    }
    return true;
}

/* Takes over the text, which has room for a NUL after it. */
static bool parse(const char *file, char *text, size_t length, p3d_csv *out,
        p3d_error *err)
{
    p3d_error cause = {0};
    reader r = {.text = text, .length = length, .line = 1, .err = &cause};

    if (!read_all(&r) || !check_header(&r)) {
        free(r.cells);
        free(text);
        return p3d_fail_file(err, file, &cause);
    }
    *out = (p3d_csv){.text = text,
            .cells = r.cells,
            .n_columns = r.n_columns,
            .n_rows = r.n_cells / r.n_columns - 1};
    p3d_show(out->file, sizeof(out->file), file);
    return true;
}

bool p3d_csv_parse(const char *file, const char *text, size_t length,
        p3d_csv *out, p3d_error *err)
{
    char *copy;

    if (length > MAX_BYTES)
        return p3d_fail(err, P3D_DATA, "the text is longer than 64 MiB");
    copy = malloc(length + 1);
    if (copy == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(copy, text, length);
    copy[length] = '\0';
    return parse(file, copy, length, out, err);
}

bool p3d_csv_open(const char *path, p3d_csv *out, p3d_error *err)
{
    char *text = NULL;
    size_t length = 0;

    return p3d_read_file(path, MAX_BYTES, &text, &length, err) &&
           parse(p3d_file_name(path), text, length, out, err);
}

void p3d_csv_close(p3d_csv *csv)
{
    free(csv->text);
    free(csv->cells);
    *csv = (p3d_csv){0};
}

static const p3d_csv_cell *cell_at(const p3d_csv *csv, int row, int column)
{
    P3D_ASSERT(row >= -1 && row < csv->n_rows);
    P3D_ASSERT(column >= 0 && column < csv->n_columns);
    return &csv->cells[(ptrdiff_t)(row + 1) * csv->n_columns + column];
}

const char *p3d_csv_name(const p3d_csv *csv, int column)
{
    return csv->text + cell_at(csv, -1, column)->offset;
}

/* Whether a spreadsheet takes a field for a formula, but for apostrophes: with
 * = + - @, a tab or a line end at its head, also of full width. */
static bool is_formula(const char *text)
{
    static const char *const starts[] = {"=", "+", "-", "@", "\t", "\r", "\n",
            "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};

    text += strspn(text, "'");
    for (int i = 0; i < P3D_COUNT_OF(starts); i++) {
        if (strncmp(text, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

/* Where the text of a field begins: behind the apostrophe that a writer puts
 * before a formula. */
static const char *skip_apostrophe(const char *text)
{
    return text[0] == '\'' && is_formula(text) ? text + 1 : text;
}

const char *p3d_csv_get(const p3d_csv *csv, int row, int column)
{
    return skip_apostrophe(csv->text + cell_at(csv, row, column)->offset);
}

int p3d_csv_find(const p3d_csv *csv, const char *name)
{
    for (int i = 0; i < csv->n_columns; i++) {
        if (strcmp(p3d_csv_name(csv, i), name) == 0)
            return i;
    }
    return -1;
}

P3D_PRINTF(4, 0)
static bool fail_in(const p3d_csv *csv, const p3d_csv_cell *at, p3d_error *err,
        const char *fmt, va_list args)
{
    char text[P3D_ERROR_TEXT];

    if (err == NULL || err->code != P3D_OK)
        return false;
    vsnprintf(text, sizeof(text), fmt, args);
    err->line = at->line;
    err->column = at->column;
    p3d_copy(err->file, sizeof(err->file), csv->file);
    return p3d_fail(err, P3D_DATA, "%s", text);
}

bool p3d_csv_fail(const p3d_csv *csv, int row, int column, p3d_error *err,
        const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fail_in(csv, cell_at(csv, row, column), err, fmt, args);
    va_end(args);
    return false;
}

bool p3d_csv_fail_header(
        const p3d_csv *csv, p3d_error *err, const char *fmt, ...)
{
    const p3d_csv_cell header = {.line = 1, .column = 1};
    va_list args;

    va_start(args, fmt);
    fail_in(csv, &header, err, fmt, args);
    va_end(args);
    return false;
}

void p3d_csv_put(const char *text, p3d_text *out)
{
    const char *const apostrophe = is_formula(text) ? "'" : "";

    if (strpbrk(text, ",\"\r\n") == NULL) {
        p3d_text_add(out, "%s%s", apostrophe, text);
        return;
    }
    p3d_text_add(out, "\"%s", apostrophe);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"')
            p3d_text_append(out, "\"", 1);
        p3d_text_append(out, c, 1);
    }
    p3d_text_append(out, "\"", 1);
}
