/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_lines.c - the rows of a document, a line each: as CSV, where all kinds
 * of rows share the columns, and as JSON. */
#include <string.h>

#include "base/csv.h"
#include "base/util.h"
#include "exchange/record.h"

enum { MAX_COLUMNS = 64 };

/** The keys of all kinds of rows, each once. */
typedef struct key_list {
    const char *at[MAX_COLUMNS];
    int n;
} key_list;

/** Prints a row of a kind. */
typedef void row_printer(const key_list *keys, const record *shape,
        const char *row, p3d_text *out);

static const record_field *find_field(const record *shape, const char *key)
{
    for (int i = 0; i < shape->n_fields; i++)
        if (strcmp(shape->fields[i].key, key) == 0)
            return &shape->fields[i];
    return NULL;
}

static bool is_there(const key_list *keys, const char *key)
{
    for (int i = 0; i < keys->n; i++)
        if (strcmp(keys->at[i], key) == 0)
            return true;
    return false;
}

static void add_keys(key_list *keys, const record *shape)
{
    for (int i = 0; i < shape->n_fields; i++) {
        if (is_there(keys, shape->fields[i].key))
            continue;
        P3D_ASSERT(keys->n < MAX_COLUMNS);
        keys->at[keys->n++] = shape->fields[i].key;
    }
}

static void put_cell(const record_field *field, const char *row, p3d_text *out)
{
    json_writer w = {.out = out, .one_line = true};
    const char *const at = row + field->offset;

    if (field->optional && record_is_absent(field, at))
        return;
    if (field->kind == RECORD_TEXT)
        p3d_csv_put(at, out);
    else if (field->kind == RECORD_WORD)
        p3d_csv_put(field->words[*(const int *)(const void *)at], out);
    else
        record_write_value(&w, NULL, field, at);
}

static void print_csv(const key_list *keys, const record *shape,
        const char *row, p3d_text *out)
{
    p3d_csv_put(shape->key, out);
    for (int i = 0; i < keys->n; i++) {
        const record_field *const field = find_field(shape, keys->at[i]);

        p3d_text_add(out, ",");
        if (field != NULL)
            put_cell(field, row, out);
    }
    p3d_text_add(out, "\n");
}

static void print_json(const key_list *keys, const record *shape,
        const char *row, p3d_text *out)
{
    json_writer w = {.out = out, .one_line = true};

    (void)keys;
    json_begin(&w, NULL, '{');
    json_put_string(&w, "kind", shape->key);
    record_write_fields(&w, shape, row);
    json_end(&w, '}');
    p3d_text_add(out, "\n");
}

static void print_rows(const record_document *shape, const char *from,
        const key_list *keys, row_printer *print, p3d_text *out)
{
    for (int i = 0; i < shape->n_parts; i++) {
        const record_part *const part = &shape->parts[i];
        const p3d_rows *const rows =
                (const p3d_rows *)(const void *)(from + part->offset);

        for (int k = 0; part->is_rows && k < rows->n; k++)
            print(keys, part->shape,
                    (const char *)rows->items + (size_t)k * part->shape->size,
                    out);
    }
}

void record_document_write_csv(
        const record_document *shape, const void *from, p3d_text *out)
{
    key_list all = {.n = 0};

    for (int i = 0; i < shape->n_parts; i++)
        if (shape->parts[i].is_rows)
            add_keys(&all, shape->parts[i].shape);
    p3d_text_add(out, "kind");
    for (int i = 0; i < all.n; i++)
        p3d_text_add(out, ",%s", all.at[i]);
    p3d_text_add(out, "\n");
    print_rows(shape, from, &all, print_csv, out);
}

void record_document_write_lines(
        const record_document *shape, const void *from, p3d_text *out)
{
    print_rows(shape, from, NULL, print_json, out);
}
